"""Who can go where in a position: by land and sea, over chains of fleets, and in retreat."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from legation.board import ARMY, province_of
from legation.judge.chains import Chain
from legation.judge.ruleset import Ruleset
from legation.position import Position, PositionError, Unit


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
        self._boarding: dict[str, list[Chain]] = {}
        self._routes: dict[str, Mapping[str, frozenset[str]]] = {}
        self.notes: dict[Any, Any] = {}  # what rules have worked out for this position
        self.silenced: dict[str, str] = {}  # powers whose orders are not carried out, and why
        if rules.steps["refuses_orders"]:
            for power in rules.powers:
                if reason := rules.refuses_orders(position, power):
                    self.silenced[power] = reason

    # Over the sea

    @cached_property
    def clusters(self) -> Mapping[str, Chain]:
        """For each province at sea (or where a rule lets fleets convoy) with a fleet that could convoy: its chain of
        fleets."""
        units, kinds = self.units, self.kinds
        at_sea = self.rules.tables.convoying.intersection(units)
        return self.rules.chains.formed_by(frozenset([p for p in at_sea if kinds[units[p].kind].convoys]))

    def chains_without(self, seas: Iterable[str]) -> Mapping[str, Chain]:
        """The chains of fleets, by sea province, if the fleets in some provinces took no part."""
        return self.rules.chains.formed_by(frozenset(self.clusters.keys() - seas))

    def touching(self, province: str) -> list[Chain]:
        """The chains of fleets that an army in a province could board."""
        known = self._boarding.get(province)
        if known is None:
            chains, around = self.clusters, self.rules.tables.by_sea[province]
            seas = () if around.isdisjoint(chains) else sorted(around.intersection(chains))
            known = list(dict.fromkeys([chains[sea] for sea in seas]))
            self._boarding[province] = known
        return known

    def by_convoy(self, province: str) -> frozenset[str]:
        """Where the fleets now at sea could convoy an army from ``province``, if all of them were ordered to."""
        return self.by_convoy_without(province, "")

    def by_convoy_without(self, province: str, fleet: str) -> frozenset[str]:
        """The same if the fleet in one sea province took no part (it supports instead)."""
        touching = self.touching(province)
        if len(touching) == 1:
            return touching[0].reached(province, fleet if fleet in touching[0].seas else "")
        return frozenset().union(*(chain.reached(province, fleet if fleet in chain.seas else "") for chain in touching))

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
            touching = self.touching(start)
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
