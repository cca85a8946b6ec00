"""Centers that are taken at sea. No built-in variant uses it."""

from collections.abc import Mapping, Sequence

import msgspec

from legation.judge import Rule, RulesError, Ruleset, UnitKind
from legation.judge.setting_names import CenterId
from legation.position import Position


class SeaCenters(Rule):
    """A unit in certain seas takes a center on land when centers change hands. Nobody builds in such a center.

    Setting: ``centers`` (by sea, the center that a unit there takes)."""

    key = "sea_centers"

    def __init__(self, centers: dict[str, CenterId]) -> None:
        self.centers = centers
        if not centers or len(set(centers.values())) < len(centers):
            raise RulesError("centers: each sea stands for a center of its own")

    def faults(self, rules: Ruleset) -> Sequence[str]:
        seas = {key for key, province in rules.board.provinces.items() if province.sea}
        return [f"centers: {sea!r} isn't a sea" for sea in self.centers if sea not in seas]

    def settle(self, rules: Ruleset, position: Position) -> Position:
        there = {unit.province: unit.power for unit in position.units}
        taken = {center: there[sea] for sea, center in self.centers.items() if sea in there}
        return msgspec.structs.replace(position, owners={**position.owners, **taken}) if taken else position

    def refuses_build(
        self, rules: Ruleset, position: Position, power: str, kind: UnitKind, province: str
    ) -> str | None:
        if province in self.centers.values():
            return f"{rules.board.provinces[province].name} stands for a sea; nobody builds there"
        return None

    def basics(self, rules: Ruleset) -> Mapping[str, str]:
        return {
            "taking": "Supply centers change hands only when the calendar comes to adjustments. Each then goes to the "
            "power whose unit is on it, or at sea off those that the rules below name. Passing through in an earlier "
            "turn changes nothing, and a center for which no unit is there stays with its owner."
        }

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        name = rules.board.name_of
        return tuple(
            f"The power whose unit is in {name(sea)} when centers change hands owns {name(center)}. "
            "Nobody builds there."
            for sea, center in self.centers.items()
        )
