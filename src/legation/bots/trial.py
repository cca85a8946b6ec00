"""A variant tried out: every rule is asked all that a game asks it, for some turns from the opening."""

import sys
import traceback
from collections.abc import Callable
from random import Random
from typing import Any, TypeVar

from legation.bots.chance import plausible_sheets
from legation.judge import Resolution, Ruleset, legal_orders, resolve
from legation.position import Position
from legation.variants import STANDARD, load
from legation.variants.rulebook import rulebook

T = TypeVar("T")
TURNS = 12


class TrialError(Exception):
    """A rule that failed; one line that names the rule, its question and the place in its file."""


def try_out(rules: Ruleset) -> list[str]:
    """What goes wrong when the rules describe themselves and some turns are played by chance; nothing where all is
    well. Always the same for the same rules.

    It runs the rules' own code: only for rules that may run here."""
    found = []
    for key, describe in [(m.key, m.describe) for m in rules.modules]:
        try:
            texts = _asked(rules, "describe", describe, rules)
            if not all(isinstance(text, str) and text.strip() for text in texts):
                found.append(f"rules.{key}: describe gives {texts!r:.80}; it gives sentences, as a tuple of texts")
        except TrialError as error:
            found.append(str(error))
    if found:
        return found
    try:
        _asked(rules, "the rulebook", rulebook, rules, {}, load(STANDARD))
        _play(rules)
    except TrialError as error:
        return [str(error)]
    return []


def _play(rules: Ruleset) -> None:
    random = Random("trial")
    position = _asked(rules, "the opening", rules.opening)
    for _ in range(TURNS):
        at = str(position.turn)
        legal = _asked(rules, f"{at}: the legal orders", legal_orders, rules, position)
        sheets = _asked(rules, f"{at}: orders by chance", plausible_sheets, rules, position, random)
        resolution = _asked(rules, at, resolve, rules, position, sheets, "trial")
        _asked(rules, f"{at}: news and notes", _told, rules, resolution, list(legal))
        if resolution.ending is not None:
            return
        position = resolution.after


def _told(rules: Ruleset, resolution: Resolution, powers: list[str]) -> list[Any]:
    """All that rules say of a turn, and what each power may see after it."""
    after: Position = resolution.after
    said: list[Any] = [module.news(rules, resolution) for module in rules.modules]
    for power in powers:
        said += [rules.status_notes(after, power), rules.seen(after, power)]
    return said


def _asked(rules: Ruleset, what: str, question: Callable[..., T], *facts: Any) -> T:
    """The answer to a question.

    :raises TrialError: if a rule fails at it."""
    try:
        return question(*facts)
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        files = {
            sys.modules[type(m).__module__].__file__: m.key for m in rules.modules if type(m).__module__ in sys.modules
        }
        own = next((frame for frame in reversed(frames) if frame.filename in files), None)
        place = f"rules.{files[own.filename]}: {own.name}, line {own.lineno}: " if own else ""
        raise TrialError(f"{place}{what} fails with {type(error).__name__}: {str(error)[:200]}") from error
