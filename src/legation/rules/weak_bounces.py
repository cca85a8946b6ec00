"""Units that wanted to leave and do not hold. No variant that ships has it; other systems have it as an option."""

from __future__ import annotations

from typing import TYPE_CHECKING

from legation.judge import Rule

if TYPE_CHECKING:
    from legation.judge import Ruleset
    from legation.judge.matching import Matching


class WeakBounces(Rule):
    """A unit that moved in vain has no strength to hold the province that it wanted to leave."""

    key = "weak_bounces"

    def match(self, rules: Ruleset, matching: Matching) -> None:
        matching.weak_bounces = True

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return (
            "A unit whose move fails does not defend the province that it wanted to leave: another power's attack "
            "dislodges it, unless another unit stands against that attack. Head to head it fights as usual.",
        )
