"""Units that don't hold after a failed move. No built-in variant uses it."""

from legation.judge import Matching, Rule, Ruleset


class WeakBounces(Rule):
    """A unit whose move failed has no strength to hold the province that it tried to leave."""

    key = "weak_bounces"

    def match(self, rules: Ruleset, matching: Matching) -> None:
        matching.weaken_bounces()

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return (
            "A unit whose move fails does not defend the province that it wanted to leave: another power's attack "
            "dislodges it, unless another unit stands against that attack. Head to head it fights as usual.",
        )
