"""Builds away from home that have to be saved for. No built-in variant uses it."""

from legation.frozen import Frozen
from legation.judge import Aftermath, Rule, Ruleset, UnitKind
from legation.judge.slices import COUNT, POWER, PROVINCE
from legation.position import Phase, Position


class ColonialBuilds(Rule):
    """A power can build in an owned center that isn't a home as many times as it left out builds the year before.

    The slice ``colonial_builds`` has by power the numbers ``saved`` (what it can build away from home in these
    adjustments) and ``left`` (what it leaves out in them), and ``standing`` (provinces that had a unit when they
    began)."""

    key = "colonial_builds"
    slice_form = Frozen({"saved?": {POWER: COUNT}, "left?": {POWER: COUNT}, "standing?": (PROVINCE,)})
    slice_told = "has numbers by power under 'saved' and 'left', and provinces under 'standing'"

    def settle(self, rules: Ruleset, position: Position) -> Position:
        before = self._kept(position)
        kept = {
            "saved": dict(before.get("left", {})),
            "left": self._left(rules, position),
            "standing": sorted(unit.province for unit in position.units),
        }
        return self._with_kept(position, kept)

    def after(self, rules: Ruleset, aftermath: Aftermath) -> None:
        if aftermath.before.turn.phase is Phase.ADJUSTMENTS:
            kept = self._kept(aftermath)
            aftermath.slices[self.key] = {**kept, "left": self._left(rules, aftermath.position)}

    @staticmethod
    def _left(rules: Ruleset, position: Position) -> dict[str, int]:
        """By power the builds that it has left out."""
        room = {power: rules.limit(position, power) - rules.size(position, power) for power in rules.powers}
        return {power: number for power, number in room.items() if number > 0}

    def _open(self, rules: Ruleset, position: Position, power: str) -> int:
        kept = self._kept(position)
        if position.turn.phase is not Phase.ADJUSTMENTS:
            return 0
        away = {*rules.board.centers} - {*rules.homes(position, power)} - {*kept.get("standing", ())}
        return int(kept.get("saved", {}).get(power, 0)) - sum(u.province in away for u in position.units_of(power))

    def extra_sites(self, rules: Ruleset, position: Position, power: str) -> tuple[str, ...]:
        if self._open(rules, position, power) <= 0:
            return ()
        return tuple(center for center in rules.board.centers if position.owners.get(center) == power)

    def refuses_build(
        self, rules: Ruleset, position: Position, power: str, kind: UnitKind, province: str
    ) -> str | None:
        if province in rules.homes(position, power) or self._open(rules, position, power) > 0:
            return None
        named = rules.named(power)
        return f"{named} {named:has|have} saved no further build for a center away from home"

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return (
            "A power may build in centers of its own that aren't homes as often as it left out builds the year before.",
        )
