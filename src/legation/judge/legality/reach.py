"""The units that orders name, and who can go where: by land and sea, over chains of fleets, and in retreat."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from legation.board import ARMY, province_of
from legation.judge.chains import Fleets
from legation.judge.plain_orders import Refusal
from legation.judge.ruleset import Ruleset
from legation.orders import Move, UnitOrder
from legation.position import Position, PositionError, Unit

NO_COAST = "an army is never on a coast; leave the coast out"


class Reach:
    """A position seen by the rules: who stands where, and who can go where.

    ``units`` has the units by province, ``standing`` their powers by where they stand
    (:attr:`~legation.judge.ruleset.Ruleset.unit_numbers`).
    ``limited`` becomes true when connected fleets have more chains than are tried (``MOST_CHAINS``); each of these
    fleets is then taken to be of use to every convoy.

    :raises PositionError: for a unit where it cannot stand, and two in a province."""

    def __init__(self, rules: Ruleset, position: Position) -> None:
        self.rules = rules
        self.position = position
        self.limited = False
        units, numbers, province = position.units, rules.unit_numbers, rules.tables.province
        standing: dict[int, str] = {}
        by_province: dict[str, Unit] = {}
        try:
            for unit in units:
                standing[numbers[unit]] = unit.power
                by_province[province[unit.at]] = unit
        except KeyError:
            by_province.clear()
        if len(by_province) < len(units):
            raise PositionError(f"the position has {rules.misplaced(units)}")
        self.standing, self.units = standing, by_province
        self.kinds = rules.kinds
        self._further, self._support_further = rules.steps["reach"], rules.steps["support_reach"]
        self._routes: dict[str, Mapping[str, frozenset[str]]] = {}
        self.notes: dict[Any, Any] = {}  # what rules have worked out for this position
        self.silenced: dict[str, str] = {}  # powers whose orders are not carried out, and why
        if rules.steps["refuses_orders"]:
            for power in rules.powers:
                if reason := rules.refuses_orders(position, power):
                    self.silenced[power] = reason

    # What orders name

    def unit(self, power: str, order: UnitOrder) -> Unit | Refusal:
        """The unit that an order names, if it belongs to the power (DATC 4.B.5, 4.C.1, 4.C.2)."""
        at, kind = order.at, order.kind
        unit = self.units.get(at) or self.units.get(province_of(at))
        if unit is not None and unit.power == power and unit.kind == kind and unit.at == at:
            return unit
        if unit is None or unit.power != power:
            named = self.rules.named(power)
            return Refusal(f"{named} {named:has|have} no unit in {province_of(at)}")
        if kind != unit.kind:
            if kind and self.refuses("wrong_kind"):
                return Refusal(f"the unit in {at} is {unit}")
            if not kind and self.refuses("missing_kind"):
                return Refusal("the order does not say what kind of unit it is for")
        if at != unit.at and "/" in at and self.refuses("wrong_unit_coast"):
            return Refusal(f"the unit is in {unit.at}, not in {at}")
        return unit

    def refuses(self, option: str) -> bool:
        """Whether an order in which something is wrong or missing fails by this option."""
        return self.rules.options[option] == "fails"

    def refuses_move(self, unit: Unit, order: Move) -> Refusal | None:
        """Why a unit may not go to a province however it gets there."""
        province = self.rules.tables.province
        to = province.get(order.to) or province_of(order.to)
        if to == province[unit.at]:
            return Refusal("a unit cannot move to where it is")
        reason = self.refuses_arrival(unit, to)
        return Refusal(reason) if reason else None

    def refuses_arrival(self, unit: Unit, to: str) -> str | None:
        """Why a rule keeps a unit from leaving for a province; None if none does."""
        rules, position = self.rules, self.position
        if not rules.restricts_moves:
            return None
        return rules.refuses_departure(position, unit) or rules.refuses_entry(position, unit, to)

    def supports_arrival(self, unit: Unit, province: str) -> bool:
        """Whether a rule may bring a unit to a province in a way of its own, as a ferry does."""
        return any(
            module.supports_arrival(self.rules, self, unit, province) for module in self.rules.steps["supports_arrival"]
        )

    def destination(self, unit: Unit, to: str, reach: frozenset[str]) -> str | Refusal:
        """Return the location at which a unit ordered to ``to`` arrives; ``reach`` are the locations it can move to.

        The coast is filled in where only one is possible (DATC 4.B.1 to 4.B.3, 4.B.6)."""
        if to in reach:
            return to
        province = self.rules.board.provinces.get(province_of(to))
        if province is None:
            return Refusal(f"there is no province {to}")
        name = province.id
        if self.kinds[unit.kind].travel == ARMY:
            if to != name and self.refuses("irrelevant_coast"):
                return Refusal(NO_COAST)
            return name if name in reach else Refusal(f"{unit} cannot reach {name}")
        coasts = [loc for loc in province.locations if loc in reach]
        if to != name:
            if to in province.locations:
                if len(coasts) == 1 and self.rules.options["impossible_coast"] == "corrected":
                    return coasts[0]
                return Refusal(f"{unit} cannot reach {to}")
            if self.refuses("irrelevant_coast"):
                return Refusal(f"{province.name} has no such coast")
        elif province.coasts and self.refuses("missing_coast"):
            return Refusal(f"name the coast: {' or '.join(province.locations)}")
        if len(coasts) == 1:
            return coasts[0]
        if coasts:
            return Refusal(f"name the coast: {' or '.join(coasts)}")
        return Refusal(f"{unit} cannot reach {name}")

    # Over the sea

    @cached_property
    def clusters(self) -> Fleets:
        """The fleets of this position that could convoy: at sea, or where a rule lets fleets convoy."""
        units, kinds = self.units, self.kinds
        at_sea = self.rules.tables.convoying.intersection(units)
        return self.rules.chains.formed_by(frozenset([p for p in at_sea if kinds[units[p].kind].convoys]))

    def chains_without(self, seas: Iterable[str]) -> Fleets:
        """The fleets that could convoy without those in some provinces."""
        return self.rules.chains.formed_by(frozenset(self.clusters.keys() - seas))

    def by_convoy(self, province: str, without: str = "") -> frozenset[str]:
        """Where the fleets could convoy an army from ``province`` if all were ordered to, or all but the one in the
        province ``without`` (it supports instead)."""
        return self.clusters.reached(province, without)

    def on_route(self, sea: str, start: str, end: str) -> bool:
        """Whether a fleet could take part in a convoy.

        Some chain of fleets now at sea leads from ``start`` through ``sea`` to ``end``, of which none could be left
        out."""
        return sea in self.routes(start).get(end, ())

    def routes(self, start: str) -> Mapping[str, frozenset[str]]:
        """Where fleets now at sea could convoy an army from ``start``, by the alphabet, and for each goal the seas of
        the chains that lead there (:meth:`~legation.judge.chains.Chain.routes`)."""
        known = self._routes.get(start)
        if known is None:
            touching = self.clusters.touching(start)
            if not touching:
                return {}
            found = []
            for chain in touching:
                found.append(chain.routes(start))
                self.limited |= start in chain.limited
            if len(found) < 2:
                known = found[0] if found else {}
            else:
                goals = sorted(set().union(*found))
                known = {goal: frozenset().union(*(way.get(goal, ()) for way in found)) for goal in goals}
            self._routes[start] = known
        return known

    # By itself

    def ways(self, unit: Unit) -> tuple[str, ...]:
        """The locations a unit can move to by itself, by the alphabet."""
        tables = self.rules.tables
        if self._further:
            return tuple(sorted(self.reach(unit)))
        return tables.army_ways[unit.at] if self.kinds[unit.kind].travel == ARMY else tables.fleet_ways[unit.at]

    def reach(self, unit: Unit) -> frozenset[str]:
        """The locations a unit can move to by itself."""
        tables = self.rules.tables
        near = tables.army[unit.at] if self.kinds[unit.kind].travel == ARMY else tables.fleet[unit.at]
        return near.union(self.rules.extra_reach(self.position, unit)) if self._further else near

    def reach_provinces(self, unit: Unit) -> frozenset[str]:
        """The provinces a unit can move to by itself."""
        tables = self.rules.tables
        near = tables.army[unit.at] if self.kinds[unit.kind].travel == ARMY else tables.fleet_into[unit.at]
        return near.union(map(province_of, self.rules.extra_reach(self.position, unit))) if self._further else near

    def support_provinces(self, unit: Unit) -> frozenset[str]:
        """The provinces into which a unit can support: those that it can move to by itself, and those that a rule
        adds."""
        near = self.reach_provinces(unit)
        asked = self._support_further
        return (
            near.union(*(module.support_reach(self.rules, self.position, unit) for module in asked)) if asked else near
        )

    def support_ways(self, unit: Unit) -> tuple[str, ...]:
        """The same by the alphabet."""
        tables = self.rules.tables
        if self._further or self._support_further:
            return tuple(sorted(self.support_provinces(unit)))
        return tables.army_ways[unit.at] if self.kinds[unit.kind].travel == ARMY else tables.fleet_ways_into[unit.at]

    def refuses_support(self, unit: Unit, target: Unit, province: str) -> str | None:
        """Why a unit may not support another in a province of those that it reaches: a rule forbids it, or the unit may
        not enter the province itself."""
        rules = self.rules
        reason = (
            rules.refuses_support(self.position, unit, target, province) if rules.refusals["refuses_support"] else None
        )
        if reason or not rules.refusals["refuses_entry"] or province not in self.reach_provinces(unit):
            return reason
        return rules.refuses_entry(self.position, unit, province)

    # In retreat

    @cached_property
    def dislodged(self) -> dict[str, tuple[Unit, tuple[str, ...]]]:
        """The units that must retreat, by province, with where each may go."""
        return {d.unit.province: (d.unit, self.retreats(d.unit, d.attacker_from)) for d in self.position.dislodged}

    def retreats(self, unit: Unit, attacker_from: str | None) -> tuple[str, ...]:
        """Where a dislodged unit may retreat: vacant, not contested, not where its attacker came from (STD-4)."""
        if unit.power in self.silenced:
            return ()
        province = self.rules.tables.province
        contested = self.position.contested
        open_to = []
        for to in self.reach(unit):
            name = province[to]
            if name in self.units or name in contested or name == attacker_from:
                continue
            if self.rules.refuses_entry(self.position, unit, name):
                continue
            open_to.append(to)
        return tuple(sorted(open_to))
