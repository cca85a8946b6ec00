"""Who can go where in a position: by land and sea, over chains of fleets, and in retreat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from legation.board import ARMY, province_of
from legation.judge.ruleset import Ruleset
from legation.position import Position, Unit

MOST_CHAINS = 2000  # a tangle of fleets with more chains than this is taken to have a fitting one


class Reach:
    """A position seen by the rules: who stands where, and who can go where.

    ``limited`` becomes true when a tangle of fleets has more chains than are tried (``MOST_CHAINS``); each of its
    fleets is then taken to be of use to every convoy.
    """

    def __init__(self, rules: Ruleset, position: Position) -> None:
        self.rules = rules
        self.position = position
        self.limited = False
        self.units: dict[str, Unit] = {}
        province = rules.tables.province
        for unit in position.units:
            self.units[province[unit.at]] = unit
        self.kinds = rules.kinds
        self._further = rules.steps["reach"]
        self._chains: dict[frozenset[str], dict[str, frozenset[str]]] = {}  # what is worked out once and asked often
        self._shores: dict[frozenset[str], frozenset[str]] = {}
        self._touching: dict[tuple[str, frozenset[frozenset[str]]], frozenset[str]] = {}
        self._convoyed: dict[tuple[str, frozenset[str]], frozenset[str]] = {}
        self._seas: dict[int, frozenset[str]] = {}  # by their bits
        self._routes: dict[str, Mapping[str, frozenset[str]]] = {}
        self.notes: dict[Any, Any] = {}  # what rules have worked out for this position
        self.silenced: dict[str, str] = {}  # powers whose orders are not carried out, and why
        if rules.steps["refuses_orders"]:
            for power in rules.powers:
                if reason := rules.refuses_orders(position, power):
                    self.silenced[power] = reason

    # Over the sea

    @cached_property
    def _fleets(self) -> frozenset[str]:
        """The provinces at sea (or where a rule lets fleets convoy) with a fleet that could convoy."""
        sea = self.rules.tables.convoying
        return frozenset(p for p, u in self.units.items() if p in sea and self.kinds[u.kind].convoys)

    @cached_property
    def clusters(self) -> dict[str, frozenset[str]]:
        """For each sea province with a fleet that could convoy: the sea provinces of its chain of fleets."""
        return self._clusters(frozenset())

    def chains_without(self, seas: Iterable[str]) -> Mapping[str, frozenset[str]]:
        """The chains of fleets, by sea province, if the fleets in some provinces took no part."""
        return self._clusters(self._fleets.intersection(seas))

    def _clusters(self, without: frozenset[str]) -> dict[str, frozenset[str]]:
        """The chains of fleets, by sea province, if the fleets in some provinces took no part."""
        known = self._chains.get(without)
        if known is not None:
            return known
        by_sea = self.rules.tables.by_sea
        left = set(self._fleets - without)
        clusters: dict[str, frozenset[str]] = {}
        while left:
            stack = [left.pop()]
            linked = set(stack)
            while stack:
                new = by_sea[stack.pop()] & left
                left -= new
                linked |= new
                stack += new
            chain = frozenset(linked)
            clusters.update(dict.fromkeys(chain, chain))
        clusters = dict(sorted(clusters.items()))
        self._chains[without] = clusters
        return clusters

    def shores(self, chain: frozenset[str]) -> frozenset[str]:
        """The land provinces that a chain of fleets touches."""
        known = self._shores.get(chain)
        if known is None:
            tables = self.rules.tables
            known = self._shores[chain] = frozenset().union(*(tables.by_sea[s] for s in chain)) - tables.sea
        return known

    def by_convoy(self, province: str) -> frozenset[str]:
        """Where the fleets now at sea could convoy an army from ``province``, if all of them were ordered to."""
        return self._convoyable(province, frozenset())

    def by_convoy_without(self, province: str, fleet: str) -> frozenset[str]:
        """The same if the fleet in one sea province took no part (it supports instead)."""
        return self._convoyable(province, frozenset((fleet,)) & self._fleets)

    def _convoyable(self, province: str, without: frozenset[str]) -> frozenset[str]:
        known = self._convoyed.get((province, without))
        if known is None:
            chains = self._clusters(without)
            touched = frozenset(chains[sea] for sea in self.rules.tables.by_sea[province] if sea in chains)
            known = self._touching.get((province, touched))
            if known is None:
                known = frozenset().union(*map(self.shores, touched)) - {province}
                self._touching[province, touched] = known
            self._convoyed[province, without] = known
        return known

    def on_route(self, sea: str, start: str, end: str) -> bool:
        """Whether a fleet could take part in a convoy.

        Some chain of fleets now at sea leads from ``start`` through ``sea`` to ``end``, of which none could be left
        out.
        """
        return sea in self.routes(start).get(end, ())

    def routes(self, start: str) -> Mapping[str, frozenset[str]]:
        """Where fleets now at sea could convoy an army from ``start``, and for each goal the seas of the chains that
        lead there.

        A chain counts if none of its fleets could be left out: only its first touches ``start``, only its last the
        goal, and each only the next.
        """
        known = self._routes.get(start)
        if known is None:
            seas_to: dict[str, int] = {}
            by_sea, bit = self.rules.tables.by_sea, self.rules.tables.bit
            for chain in {self.clusters[sea] for sea in by_sea[start] if sea in self.clusters}:
                for goal, seas in self._routes_by(chain, start).items():
                    seas_to[goal] = seas_to.get(goal, 0) | seas
            fleets, sets = self._fleets, self._seas
            for seas in set(seas_to.values()) - sets.keys():
                sets[seas] = frozenset([fleet for fleet in fleets if bit[fleet] & seas])
            known = self._routes[start] = {goal: sets[seas] for goal, seas in seas_to.items()}
        return known

    def _routes_by(self, chain: frozenset[str], start: str) -> Mapping[str, int]:
        """The seas on the way to each goal. Sets of provinces are numbers here, a bit for each."""
        tables = self.rules.tables
        around, shore, waters, bit = tables.around, tables.shore, tables.waters, tables.bit
        fleets = tables.bits(chain)
        later = fleets & ~around[start]  # only the first fleet of a chain touches the start
        seas_to: dict[str, int] = {}
        tried = 0
        stack = [(sea, bit[sea], bit[start]) for sea in tables.by_sea[start] & chain]
        while stack:
            last, passed, touched = stack.pop()
            tried += 1
            if tried > MOST_CHAINS:
                self.limited = True
                return dict.fromkeys(self.shores(chain) - {start}, fleets)
            for goal, there in shore[last]:
                if not touched & there:
                    seas_to[goal] = seas_to.get(goal, 0) | passed
            onward = later & around[last] & ~touched
            if onward:
                touched |= around[last] | bit[last]
                for other, there in waters[last]:
                    if onward & there:
                        stack.append((other, passed | there, touched))
        return seas_to

    # By itself

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
        asked = self.rules.steps["support_reach"]
        return (
            near.union(*(module.support_reach(self.rules, self.position, unit) for module in asked)) if asked else near
        )

    def refuses_support(self, unit: Unit, target: Unit, province: str) -> str | None:
        """Why a unit may not support another in a province of those that it reaches: a rule forbids it, or the unit may
        not enter the province itself."""
        reason = self.rules.refuses_support(self.position, unit, target, province)
        if reason or not self.rules.steps["refuses_entry"] or province not in self.reach_provinces(unit):
            return reason
        return self.rules.refuses_entry(self.position, unit, province)

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
