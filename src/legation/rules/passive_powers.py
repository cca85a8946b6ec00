"""Powers without a player: neutral units and dummies. No built-in variant uses it."""

from collections.abc import Iterable, Sequence

from legation.judge import Aftermath, Matching, Rule, Ruleset, Situation
from legation.judge.setting_names import PowerName, ProvinceId
from legation.notation import listed
from legation.orders import Sheet
from legation.position import Phase, Position


class PassivePowers(Rule):
    """The units of some powers only hold. They can be supported, are destroyed when dislodged, and are neither built
    nor removed. These powers have no vote on draws and cannot win.

    Settings: ``powers``, ``supports`` (maps a province to another: such a unit in the first supports one in the second
    to hold), ``rebuilt`` (a unit that stood in a center at the start comes back after adjustments, if the center is
    vacant and neutral or its power's)."""

    key = "passive_powers"
    added_settings = frozenset(["supports"])

    def __init__(
        self, powers: list[PowerName], rebuilt: bool = False, supports: dict[ProvinceId, ProvinceId] | None = None
    ) -> None:
        self.powers = powers
        self.rebuilt = rebuilt
        self.supports = supports or {}

    def faults(self, rules: Ruleset) -> Sequence[str]:
        faults = [
            f"supports: {a!r} and {b!r} aren't neighbors on this board"
            for a, b in self.supports.items()
            if b not in rules.board.adjacent(a)
        ]
        if not self.powers:
            faults.append("powers: names at least one power")
        elif not faults and len(set(self.powers)) == len(rules.powers):
            faults.append("powers: names every power; somebody must play")
        return faults

    def nobody_plays(self, rules: Ruleset) -> Iterable[str]:
        return self.powers

    def refuses_orders(self, rules: Ruleset, position: Position, power: str) -> str | None:
        return f"nobody plays {rules.named(power)}: its units hold" if power in self.powers else None

    def match(self, rules: Ruleset, matching: Matching) -> None:
        situation = Situation(rules, matching.position)
        for a, b in self.supports.items():
            i, j = matching.unit_at(a), matching.unit_at(b)
            if i < 0 or j < 0 or not {matching.units[i].power, matching.units[j].power} <= {*self.powers}:
                continue
            unit, helped = matching.units[i], matching.units[j]
            if b in situation.support_provinces(unit):
                if not situation.refuses_support(unit, helped, b):
                    matching.give_support(i, j)

    def supply(self, rules: Ruleset, position: Position, power: str, sheets: Sequence[Sheet]) -> int:
        """As many units as there are."""
        if power not in self.powers:
            return 0
        return len(position.units_of(power)) - len(position.centers_of(power))

    def after(self, rules: Ruleset, aftermath: Aftermath) -> None:
        """Bring back what stood in centers that nobody else owns."""
        if not self.rebuilt or aftermath.before.turn.phase is not Phase.ADJUSTMENTS:
            return
        taken = {unit.province for unit in aftermath.units}
        centers = {*rules.board.centers}
        for unit in rules.start:
            if unit.power not in self.powers or unit.province not in centers - taken:
                continue
            if aftermath.before.owners.get(unit.province) in (None, unit.power):
                aftermath.units.append(unit)

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        names = listed(list(self.powers))
        text = [
            f"Nobody plays {names}: such units hold, may be supported, and are destroyed when dislodged. They are "
            "neither built nor removed. Draws need no vote of theirs, and they cannot win."
        ]
        name = rules.board.name_of
        text += [
            f"Such a unit in {name(a)} supports such a unit in {name(b)} to hold." for a, b in self.supports.items()
        ]
        if self.rebuilt:
            text.append(
                "When adjustments are over, a unit that stood in a center at the start comes again, if the center is "
                "vacant and belongs to nobody else."
            )
        return tuple(text)
