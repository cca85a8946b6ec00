"""Kinds of unit that can be built. No built-in variant uses it."""

from collections.abc import Sequence

from legation.judge import Rule, Ruleset, UnitKind
from legation.judge.setting_names import KindCode
from legation.position import Position


class BuiltKinds(Rule):
    """Only some kinds of unit can be built.

    Setting: ``kinds``, the codes of these kinds (``["A"]``: only armies)."""

    key = "built_kinds"

    def __init__(self, kinds: list[KindCode]) -> None:
        self.kinds_built = kinds

    def faults(self, rules: Ruleset) -> Sequence[str]:
        return () if self.kinds_built else ["kinds: names none"]

    def refuses_build(
        self, rules: Ruleset, position: Position, power: str, kind: UnitKind, province: str
    ) -> str | None:
        return None if kind.code in self.kinds_built else f"only these kinds of unit can be built: {self._names(rules)}"

    def _names(self, rules: Ruleset) -> str:
        return " and ".join(rules.kinds[code].name for code in self.kinds_built)

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return (f"Only these kinds of unit can be built: {self._names(rules)}.",)
