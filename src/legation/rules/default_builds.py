"""First builds for a power that orders none. No built-in variant uses it."""

from collections.abc import Sequence

from legation.board import province_of
from legation.judge import Aftermath, Rewritten, Rule, Ruleset
from legation.judge.setting_names import PowerName
from legation.orders import Build, Sheet
from legation.position import Phase, Position


class DefaultBuilds(Rule):
    """If a power without any unit orders no build, units are built for it.

    Settings: ``units`` (by power, units in short style, ``"F lon"``), ``leaves`` (a power for which nothing is built in
    the first turn of the game is out, and its centers become neutral)."""

    key = "default_builds"
    added_settings = frozenset(["leaves"])

    def __init__(self, units: dict[PowerName, list[str]] | None = None, leaves: bool = False) -> None:
        self.units = units or {}
        self.leaves = leaves

    def faults(self, rules: Ruleset) -> Sequence[str]:
        faults = []
        for text in (text for texts in self.units.values() for text in texts):
            kind, _, at = text.partition(" ")
            if kind not in rules.kinds or at not in rules.board.locations:
                faults.append(f"units: {text!r} isn't a unit on this board, as in 'F lon' or 'F stp/sc'")
        if self.leaves and rules.first_turn().phase is not Phase.ADJUSTMENTS:
            faults.append("leaves: the game must open with adjustments; give the calendar such an opening")
        return faults or ([] if self.units or self.leaves else ["units: names no power"])

    def rewrite(self, rules: Ruleset, position: Position, sheets: tuple[Sheet, ...]) -> Rewritten:
        if position.turn.phase is not Phase.ADJUSTMENTS:
            return sheets, ()
        kept = {sheet.power: sheet for sheet in sheets}
        for power, units in self.units.items():
            sheet = kept.get(power, Sheet(power, ()))
            if position.units_of(power) or any(isinstance(order, Build) for order in sheet.orders):
                continue
            room = rules.limit(position, power)
            free = {*rules.build_sites(position, power)}
            builds = [Build(*text.split(" ", 1)) for text in units if province_of(text.split(" ", 1)[1]) in free]
            kept[power] = Sheet(power, (*sheet.orders, *builds[:room]))
        return tuple(kept[power] for power in rules.powers if power in kept), ()

    def after(self, rules: Ruleset, aftermath: Aftermath) -> None:
        """Take the centers of powers that missed the first builds."""
        if not self.leaves or aftermath.before.turn != rules.first_turn():
            return
        standing = {unit.power for unit in aftermath.units}
        aftermath.owners = {center: power for center, power in aftermath.owners.items() if power in standing}

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        text = tuple(
            f"If {power} has no unit and orders no build, it gets {', '.join(units)}, as far as it may build."
            for power, units in self.units.items()
        )
        if not self.leaves:
            return text
        return (*text, f"A power that builds nothing in {rules.first_turn()} is out: its centers belong to nobody.")
