"""Passages guarded by a fleet in another province. No built-in variant uses it."""

from legation.board import FLEET
from legation.judge import Rule, RulesError, Ruleset
from legation.judge.setting_names import ProvinceId
from legation.notation import possessive
from legation.position import Position, Unit


class Gatekeepers(Rule):
    """Units pass between two provinces, either way, only while no fleet of another power stands in a third.

    Setting: ``passages`` (by the province that guards, pairs of provinces)."""

    key = "gatekeepers"

    def __init__(self, passages: dict[ProvinceId, list[list[ProvinceId]]]) -> None:
        self.passages = passages
        self._between = {guard: {frozenset(pair) for pair in pairs} for guard, pairs in passages.items()}
        if not passages or any(len(pair) != 2 for pairs in passages.values() for pair in pairs):
            raise RulesError("passages: by the province that guards, pairs of provinces")

    def refuses_entry(self, rules: Ruleset, position: Position, unit: Unit, province: str) -> str | None:
        for guard, pairs in self._between.items():
            if frozenset((unit.province, province)) not in pairs:
                continue
            for other in position.units:
                if other.province == guard and other.power != unit.power and rules.kinds[other.kind].travel == FLEET:
                    return f"{possessive(other.power)} fleet in {rules.board.provinces[guard].name} bars the way"
        return None

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        name = rules.board.name_of
        return tuple(
            f"Nobody passes between {name(a)} and {name(b)} while a fleet of another power stands in {name(guard)}."
            for guard, pairs in self.passages.items()
            for a, b in pairs
        )
