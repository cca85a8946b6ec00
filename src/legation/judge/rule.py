"""The class that every rule extends."""

from legation.judge.legality import Situation
from legation.judge.matching import Matching
from legation.judge.questions import Questions
from legation.judge.ruleset import Ruleset


class Rule(Questions[Ruleset, Situation, Matching]):
    """A mechanism that variants can choose. It answers a question of :class:`~legation.judge.questions.Questions` by
    overriding its method. ``docs/writing-rules.md`` shows how a rule is written."""
