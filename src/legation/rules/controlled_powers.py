"""Minor powers whose units another power orders, and vassals. No built-in variant uses it."""

from collections.abc import Iterable, Sequence

import msgspec

from legation.judge import Aftermath, Cause, Outcome, Rewritten, Rule, RulesError, Ruleset, Verdict, legal_orders
from legation.judge.setting_names import PowerName
from legation.judge.slices import COUNT, PLAYED
from legation.orders import Build, Order, Sheet, UnitOrder, province_at
from legation.position import Position, Unit


class ControlledPowers(Rule):
    """Other powers order the units of minor powers: always, or since these became their vassals.

    Settings: ``by`` (for each minor power, the powers that order its units: one of them always, several in turn, phase
    by phase), ``vassals`` (minor powers that become the vassal of a power whose units stand on all their homes when
    centers change hands; they keep the homes), ``torn`` (vassals' units on other powers' centers are then destroyed).
    The slice ``controlled_powers`` has ``phase`` (the number of phases played) and ``lieges`` (by vassal)."""

    key = "controlled_powers"
    slice_told = "has a number under 'phase', and under 'lieges' the liege of each vassal"
    runs_after = ("fog_of_war", "blind_game")  # orders are judged by what the power that wrote them sees

    def __init__(
        self,
        by: dict[PowerName, list[PowerName]] | None = None,
        vassals: list[PowerName] | None = None,
        torn: bool = False,
    ) -> None:
        self.by = by or {}
        self.vassals = vassals or []
        self.torn = torn
        self.minor = {*self.by, *self.vassals}
        self.slice_form = {"phase?": COUNT, "lieges?": {frozenset(self.vassals): PLAYED}}
        if not self.minor or not all(self.by.values()):
            raise RulesError("give by, from minor powers to those that order their units, or vassals")
        if torn and not self.vassals:
            raise RulesError("torn: says what becomes of vassals; name some")

    def faults(self, rules: Ruleset) -> Sequence[str]:
        faults = [f"by: {p} is a minor power itself" for powers in self.by.values() for p in powers if p in self.minor]
        return faults + [f"vassals: {power} has no homes" for power in self.vassals if not rules.powers[power].homes]

    def nobody_plays(self, rules: Ruleset) -> Iterable[str]:
        return self.minor

    def _commander(self, position: Position, minor: str) -> str | None:
        kept = self._kept(position)
        if liege := kept.get("lieges", {}).get(minor):
            return str(liege)
        powers = self.by.get(minor)
        return powers[int(kept.get("phase", 0)) % len(powers)] if powers else None

    def _commanded(self, position: Position, power: str) -> list[str]:
        return [minor for minor in sorted(self.minor) if self._commander(position, minor) == power]

    def on_condition(self, rules: Ruleset, position: Position, power: str, order: Order, owner: str) -> str | None:
        return f"as {power} orders the units of {owner}" if owner in self._commanded(position, power) else None

    def legal_orders(self, rules: Ruleset, position: Position, power: str) -> Sequence[Order]:
        commanded = self._commanded(position, power)
        return [
            order
            for orders in legal_orders(rules, position, commanded).values()
            for order in orders
            if isinstance(order, UnitOrder | Build)
        ]

    def rewrite(self, rules: Ruleset, position: Position, sheets: tuple[Sheet, ...]) -> Rewritten:
        """Put the orders for units of minor powers on sheets of these."""
        owners = {unit.province: unit.power for unit in position.units}
        owners.update((entry.unit.province, entry.unit.power) for entry in position.dislodged)
        given: dict[str, list[Order]] = {power: [] for power in rules.powers}
        noted: list[Verdict] = []
        for sheet in sheets:
            commander = self._commander(position, sheet.power)
            if commander is not None:
                why = Cause("fact", reason=f"{commander} orders the units of {sheet.power}")
                noted += [Verdict(sheet.power, order, Outcome.IGNORED, why) for order in sheet.orders]
                continue
            commanded = self._commanded(position, sheet.power)
            for order in sheet.orders:
                given[self._whose(rules, position, sheet.power, commanded, owners, order)].append(order)
        return tuple(Sheet(power, tuple(orders)) for power, orders in given.items() if orders), tuple(noted)

    @staticmethod
    def _whose(
        rules: Ruleset, position: Position, power: str, commanded: list[str], owners: dict[str, str], order: Order
    ) -> str:
        place = province_at(order)
        if isinstance(order, Build):
            builders = [p for p in (power, *commanded) if place in rules.build_sites(position, p)]
            return builders[0] if builders else power
        owner = owners.get(place, power)
        return owner if owner in commanded else power

    def after(self, rules: Ruleset, aftermath: Aftermath) -> None:
        if any(len(powers) > 1 for powers in self.by.values()):
            kept = self._kept(aftermath)
            aftermath.slices[self.key] = {**kept, "phase": int(kept.get("phase", 0)) + 1}

    def refuses_center(self, rules: Ruleset, position: Position, unit: Unit, center: str) -> str | None:
        lieges: dict[str, str] = self._kept(position).get("lieges", {})
        if self.torn and unit.power in lieges and _abroad(dict(position.owners), center, unit.power, lieges):
            return f"{unit.power} is a vassal of {lieges[unit.power]}, and takes no center of others"
        return None

    def settle(self, rules: Ruleset, position: Position) -> Position:
        if not self.vassals:
            return position
        kept = self._kept(position)
        lieges: dict[str, str] = dict(kept.get("lieges", {}))
        standing = {unit.province: unit.power for unit in position.units}
        owners = dict(position.owners)
        for minor in self.vassals:
            homes = rules.powers[minor].homes
            there = {standing.get(home) for home in homes}
            if len(there) == 1 and (liege := there.pop()) in rules.played:
                lieges[minor] = str(liege)
                owners.update(dict.fromkeys(homes, minor))
        units = position.units
        if self.torn:
            units = tuple(u for u in units if not (u.power in lieges and _abroad(owners, u.province, u.power, lieges)))
        slices = {**position.slices, self.key: {**kept, "lieges": lieges}} if lieges else position.slices
        return msgspec.structs.replace(position, units=units, owners=owners, slices=slices)

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        text = []
        for minor, powers in self.by.items():
            how = powers[0] if len(powers) == 1 else f"{' and '.join(powers)} in turn, phase by phase,"
            text.append(f"The units of {minor} are ordered by {how} and stay {minor}'s: nobody else plays {minor}.")
        if self.vassals:
            text.append(
                f"Nobody plays {' and '.join(self.vassals)}. Whoever stands on all homes of such a power when centers "
                "change hands becomes its liege: it keeps the homes, and its liege orders its units."
            )
        if self.torn:
            text.append(
                "Then a vassal's units on centers of others than itself and its liege are destroyed, and take none of "
                "these."
            )
        return tuple(text)


def _abroad(owners: dict[str, str], province: str, power: str, lieges: dict[str, str]) -> bool:
    """Whether a vassal's unit stands on a center of others."""
    return owners.get(province, power) not in (power, lieges[power])
