"""What an order means in a position, and whether it is legal.

:class:`Situation` answers for one position: it turns an order as written into the order that takes effect (the coast filled in, a wrong unit letter corrected) or a reason why it is
illegal. An illegal order leaves the unit holding (STD-7). The list of legal orders (:mod:`legation.judge.possible`) comes from the same reach.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from legation.board import ARMY, province_of
from legation.orders import (
    Build,
    Convert,
    Convoy,
    Disband,
    Ferry,
    Hold,
    Move,
    Order,
    Proxy,
    Remove,
    Retreat,
    Send,
    SupportHold,
    SupportMove,
    VoteDraw,
    Waive,
)
from legation.position import Phase, Position, Unit

if TYPE_CHECKING:
    from legation.judge.ruleset import Ruleset, UnitKind


class Refusal(msgspec.Struct, frozen=True):
    """Why an order is illegal."""

    reason: str


Judged: TypeAlias = Order | Refusal

MOST_CHAINS = 2000  # a tangle of fleets with more chains than this is taken to have a fitting one


class Situation:
    """A position seen by the rules: who stands where, who can go where, by land and by convoy."""

    def __init__(self, rules: Ruleset, position: Position) -> None:
        self.rules = rules
        self.position = position
        self.units: dict[str, Unit] = {}
        province = rules.tables.province
        for unit in position.units:
            self.units[province[unit.at]] = unit
        self.kinds = rules.kinds
        options = rules.options
        self._strict_kind = options["wrong_kind"] == "fails"
        self._need_kind = options["missing_kind"] == "fails"
        self._strict_coast = options["wrong_unit_coast"] == "fails"
        self._allowed = rules.order_kinds[position.turn.phase]
        self._chains: dict[frozenset[str], dict[str, frozenset[str]]] = {}  # what is worked out once and asked often
        self._shores: dict[frozenset[str], frozenset[str]] = {}
        self._convoyed: dict[tuple[str, frozenset[str]], frozenset[str]] = {}
        self._routes: dict[str, Mapping[str, frozenset[str]]] = {}
        self._ferry_ends: dict[tuple[str, str], frozenset[str]] = {}
        self.silenced: dict[str, str] = {}  # powers whose orders are not carried out, and why
        if rules.steps["refuses_orders"]:
            for power in rules.powers:
                if reason := rules.refuses_orders(position, power):
                    self.silenced[power] = reason

    # Reach

    @cached_property
    def _fleets(self) -> frozenset[str]:
        """The sea provinces with a fleet that could convoy."""
        sea = self.rules.tables.sea
        return frozenset(p for p, u in self.units.items() if p in sea and self.kinds[u.kind].convoys)

    @cached_property
    def clusters(self) -> dict[str, frozenset[str]]:
        """For each sea province with a fleet that could convoy: the sea provinces of its chain of fleets."""
        return self._clusters(frozenset())

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
            found = set(stack)
            while stack:
                new = by_sea[stack.pop()] & left
                left -= new
                found |= new
                stack += new
            chain = frozenset(found)
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
            touched = {chains[sea] for sea in self.rules.tables.by_sea[province] if sea in chains}
            found: frozenset[str] = frozenset().union(*map(self.shores, touched))
            known = self._convoyed[province, without] = found - {province}
        return known

    def on_route(self, sea: str, start: str, end: str) -> bool:
        """Whether a fleet could take part in a convoy: some chain of fleets now at sea leads from ``start`` through ``sea`` to ``end``, of which none could be left out."""
        return sea in self.routes(start).get(end, ())

    def routes(self, start: str) -> Mapping[str, frozenset[str]]:
        """Where fleets now at sea could convoy an army from ``start``, and for each goal the sea provinces of the chains that lead there.

        A chain counts if none of its fleets could be left out: only its first touches ``start``, only its last the goal, and each only the next.
        """
        known = self._routes.get(start)
        if known is None:
            found: dict[str, set[str]] = {}
            by_sea = self.rules.tables.by_sea
            for chain in {self.clusters[sea] for sea in by_sea[start] if sea in self.clusters}:
                for goal, seas in self._routes_by(chain, start).items():
                    found.setdefault(goal, set()).update(seas)
            known = self._routes[start] = {goal: frozenset(seas) for goal, seas in found.items()}
        return known

    def _routes_by(self, chain: frozenset[str], start: str) -> Mapping[str, set[str]]:
        tables = self.rules.tables
        by_sea = tables.by_sea
        found: dict[str, set[str]] = {}
        tried = 0
        stack: list[tuple[tuple[str, ...], frozenset[str]]]
        stack = [((sea,), frozenset((start,))) for sea in by_sea[start] & chain]
        barred = by_sea[start] & chain  # only the first fleet of a chain touches the start
        while stack:
            passed, touched = stack.pop()
            tried += 1
            if tried > MOST_CHAINS:
                return {goal: set(chain) for goal in self.shores(chain) - {start}}
            near = by_sea[passed[-1]]
            for goal in near - touched - tables.sea:
                found.setdefault(goal, set()).update(passed)
            for other in near & chain - touched - barred:
                stack.append(((*passed, other), touched | near | {passed[-1]}))
        return found

    def reach(self, unit: Unit) -> frozenset[str]:
        """The locations a unit can move to by itself."""
        tables = self.rules.tables
        if self.kinds[unit.kind].travel == ARMY:
            return tables.army[unit.at]
        return tables.fleet[unit.at]

    def reach_provinces(self, unit: Unit) -> frozenset[str]:
        """The provinces a unit can move to, and so support into, by itself."""
        tables = self.rules.tables
        if self.kinds[unit.kind].travel == ARMY:
            return tables.army[unit.at]
        return tables.fleet_into[unit.at]

    # Orders

    def read(self, power: str, order: Order) -> Judged:
        """The order as it takes effect, or why it is illegal."""
        kind = type(order)
        if kind not in self._allowed:
            phases = [phase for phase in Phase if kind in self.rules.order_kinds[phase]]
            if not phases:
                return Refusal(f"{_NAMES[kind]} is not played in this game")
            return Refusal(f"{_NAMES[kind]} is not ordered in {self.position.turn.phase.value.lower()}")
        if self.silenced and power in self.silenced and kind is not VoteDraw:
            return Refusal(self.silenced[power])
        method = _READERS.get(kind)
        if method is not None:
            return method(self, power, order)
        if isinstance(order, (Waive, VoteDraw)):
            return order
        module = self.rules.handler(kind)
        assert module is not None, "an order that is allowed has a rule that knows it"
        if hasattr(order, "at"):
            unit = self.unit(power, order)
            if isinstance(unit, Refusal):
                return unit
            order = msgspec.structs.replace(order, kind=unit.kind, at=unit.at)
        reason = module.check(self.rules, self.position, power, order)
        return Refusal(reason) if reason else order

    def unit(self, power: str, order: Order) -> Unit | Refusal:
        """The unit that an order names, if it belongs to the power."""
        at: str = order.at  # type: ignore[union-attr]
        kind: str = order.kind  # type: ignore[union-attr]
        unit = self.units.get(at) or self.units.get(province_of(at))
        if unit is None or unit.power != power:
            return Refusal(f"{power} has no unit in {province_of(at)}")
        if kind != unit.kind:
            if kind and self._strict_kind:
                return Refusal(f"the unit in {at} is {unit}")
            if not kind and self._need_kind:
                return Refusal("the order does not say what kind of unit it is for")
        if at != unit.at and "/" in at and self._strict_coast:
            return Refusal(f"the unit is in {unit.at}, not in {at}")
        return unit

    def _hold(self, power: str, order: Hold) -> Judged:
        unit = self.unit(power, order)
        return unit if isinstance(unit, Refusal) else Hold(unit.kind, unit.at)

    def destination(self, unit: Unit, to: str, reach: frozenset[str]) -> str | Refusal:
        """Where a unit arrives that is sent to ``to`` and reaches ``reach`` by itself; the coast filled in where only one is possible."""
        if to in reach:
            return to
        options = self.rules.options
        province = self.rules.board.provinces.get(province_of(to))
        if province is None:
            return Refusal(f"there is no province {to}")
        name = province.id
        if self.kinds[unit.kind].travel == ARMY:
            if to != name and options["irrelevant_coast"] == "fails":
                return Refusal("an army has no coast")
            return name if name in reach else Refusal(f"{unit} cannot reach {name}")
        coasts = [loc for loc in province.locations if loc in reach]
        if to != name:
            if to in province.locations:
                if len(coasts) == 1 and options["impossible_coast"] == "corrected":
                    return coasts[0]
                return Refusal(f"{unit} cannot reach {to}")
            if options["irrelevant_coast"] == "fails":
                return Refusal(f"{province.name} has no such coast")
        elif province.coasts and options["missing_coast"] == "fails":
            return Refusal(f"name the coast: {' or '.join(province.locations)}")
        if len(coasts) == 1:
            return coasts[0]
        if coasts:
            return Refusal(f"name the coast: {' or '.join(coasts)}")
        return Refusal(f"{unit} cannot reach {name}")

    def _move(self, power: str, order: Move) -> Judged:
        unit = self.unit(power, order)
        if isinstance(unit, Refusal):
            return unit
        kind = self.kinds[unit.kind]
        province = self.rules.tables.province
        to = province.get(order.to) or province_of(order.to)
        if to == province[unit.at]:
            return Refusal("a unit cannot move to where it is")
        reason = self.rules.refuses_entry(self.position, unit, to)
        if reason:
            return Refusal(reason)
        if order.ferry is not None:
            return self._ferried(unit, kind, order)
        at = self.destination(unit, order.to, self.reach(unit))
        if isinstance(at, str):
            if order.via_convoy or order.route:
                if not kind.convoyed:
                    return Refusal(f"{kind.one} cannot be convoyed")
                return Move(unit.kind, unit.at, at, via_convoy=True, route=order.route)
            if order.kind == unit.kind and order.at == unit.at and order.to == at:
                return order
            return Move(unit.kind, unit.at, at)
        if kind.convoyed and to in self.by_convoy(unit.at):
            return Move(unit.kind, unit.at, to, via_convoy=order.via_convoy, route=order.route)
        return at

    def _ferried(self, unit: Unit, kind: UnitKind, order: Move) -> Judged:
        if Ferry not in self._allowed:
            return Refusal("the fast ferry is not played in this game")
        if not kind.convoyed:
            return Refusal(f"{kind.one} cannot be ferried")
        assert order.ferry is not None
        start, sea = order.ferry
        start, sea = province_of(start), province_of(sea)
        tables = self.rules.tables
        if start not in tables.sea or sea not in tables.sea:
            return Refusal("a ferrying fleet is at sea and stays at sea")
        fleet = self.units.get(start)
        if fleet is None or not self.kinds[fleet.kind].convoys:
            return Refusal(f"there is no fleet in {start}")
        if sea not in tables.by_sea[start]:
            return Refusal(f"a fleet in {start} cannot reach {sea}")
        to = province_of(order.to)
        boards = self._ends(start)
        lands = self._ends(sea, without=start)
        if unit.at not in boards or to not in lands or to in tables.sea:
            return Refusal(f"no ferry by {fleet} to {sea} can bring {unit} to {to}")
        return Move(unit.kind, unit.at, to, ferry=(start, sea))

    def _ends(self, sea: str, without: str = "") -> frozenset[str]:
        """The provinces that can be reached from a fleet in ``sea``, directly or over other fleets."""
        known = self._ferry_ends.get((sea, without))
        if known is None:
            by_sea = self.rules.tables.by_sea
            chains = self._clusters(frozenset((without, sea)) & (self._fleets | {sea}))
            met = {chains[other] for other in by_sea[sea] if other in chains}
            known = by_sea[sea].union(*(by_sea[link] for chain in met for link in chain))
            self._ferry_ends[sea, without] = known
        return known

    def _target(self, order: SupportHold | SupportMove | Convoy, unit: Unit) -> Unit | Refusal:
        target = self.units.get(province_of(order.target))
        if target is None:
            return Refusal(f"there is no unit in {province_of(order.target)}")
        if target == unit:
            return Refusal("a unit cannot help itself")
        if order.target_kind and order.target_kind != target.kind and self._strict_kind:
            return Refusal(f"the unit in {order.target} is {target}")
        if order.power and order.power != target.power and self.rules.options["wrong_nationality"] == "fails":
            return Refusal(f"the unit in {order.target} is not {order.power}'s")
        if not order.power and target.power != unit.power and self.rules.options["missing_nationality"] == "fails":
            return Refusal("name the power of a foreign unit")
        return target

    def _support_hold(self, power: str, order: SupportHold) -> Judged:
        unit = self.unit(power, order)
        if isinstance(unit, Refusal):
            return unit
        target = self._target(order, unit)
        if isinstance(target, Refusal):
            return target
        place = province_of(target.at)
        if place not in self.reach_provinces(unit):
            return Refusal(f"{unit} cannot reach {place}")
        reason = self.rules.refuses_support(self.position, unit, target, place)
        if reason:
            return Refusal(reason)
        return SupportHold(unit.kind, unit.at, target.kind, target.at)

    def _support_move(self, power: str, order: SupportMove) -> Judged:
        unit = self.unit(power, order)
        if isinstance(unit, Refusal):
            return unit
        target = self._target(order, unit)
        if isinstance(target, Refusal):
            return target
        to = province_of(order.to)
        if to not in self.reach_provinces(unit):
            return Refusal(f"{unit} cannot reach {to}")
        if to == province_of(target.at):
            return Refusal(f"{target} is already in {to}")
        arrives = self.arrival(target, order.to, without=province_of(unit.at))
        if isinstance(arrives, Refusal):
            return arrives
        reason = self.rules.refuses_support(self.position, unit, target, to)
        if reason:
            return Refusal(reason)
        return SupportMove(unit.kind, unit.at, target.kind, target.at, arrives)

    def arrival(self, target: Unit, to: str, without: str = "") -> str | Refusal:
        """Where a unit that somebody else helps could arrive: with the coast if it was named, by convoy too."""
        kind = self.kinds[target.kind]
        reach = self.reach(target)
        province = self.rules.board.provinces[province_of(to)]
        if kind.travel == ARMY:
            if to != province.id and self.rules.options["irrelevant_coast"] == "fails":
                return Refusal("an army has no coast")
            if province.id in reach:
                return province.id
            if kind.convoyed and province.id in self.by_convoy_without(target.at, without):
                return province.id
            if Ferry in self._allowed and kind.convoyed and self._between_shores(target.at, province.id):
                return province.id  # a ferry may bring it; whether one was ordered is seen when orders are matched
            return Refusal(f"{target} cannot reach {province.id}")
        coasts = [loc for loc in province.locations if loc in reach]
        if not coasts:
            return Refusal(f"{target} cannot reach {province.id}")
        if to in reach:
            return to
        if to in province.locations:
            return Refusal(f"{target} cannot reach {to}")
        if province.coasts and self.rules.options["support_coast"] == "required":
            return Refusal(f"name the coast: {' or '.join(coasts)}")
        return province.id

    def _between_shores(self, start: str, to: str) -> bool:
        provinces = self.rules.board.provinces
        return provinces[province_of(start)].shore and provinces[to].shore

    def _convoy(self, power: str, order: Convoy) -> Judged:
        unit = self.unit(power, order)
        if isinstance(unit, Refusal):
            return unit
        if not self.kinds[unit.kind].convoys:
            return Refusal(f"{self.kinds[unit.kind].one} cannot convoy")
        if unit.at not in self.rules.tables.sea:
            return Refusal("only a fleet at sea can convoy")
        target = self._target(order, unit)
        if isinstance(target, Refusal):
            return target
        if not self.kinds[target.kind].convoyed:
            return Refusal(f"{self.kinds[target.kind].one} cannot be convoyed")
        to = province_of(order.to)
        if to == target.at or to in self.rules.tables.sea:
            return Refusal(f"no convoy leads from {target.at} to {to}")
        ferries = Ferry in self._allowed and self._between_shores(target.at, to)  # a link of its chain
        if not ferries and not self.on_route(unit.at, target.at, to):
            return Refusal(self._no_convoy(unit, target.at, to))
        reason = self.rules.refuses_entry(self.position, target, to)
        if reason:
            return Refusal(reason)
        return Convoy(unit.kind, unit.at, target.kind, target.at, to)

    def _no_convoy(self, fleet: Unit, start: str, to: str) -> str:
        """Why a fleet takes no part in any convoy between two coasts: no chain of fleets leads there, or it does without this one."""
        shores = self.shores(self.clusters[fleet.at])
        if start in shores and to in shores:
            return f"{fleet} is not needed: every convoy from {start} to {to} can do without it"
        return f"no chain of fleets through {fleet.at} leads from {start} to {to}"

    def _ferry(self, power: str, order: Ferry) -> Judged:
        unit = self.unit(power, order)
        if isinstance(unit, Refusal):
            return unit
        sea = self.rules.tables.sea
        to = province_of(order.to)
        if not self.kinds[unit.kind].convoys or unit.at not in sea or to not in sea:
            return Refusal("a ferrying fleet is at sea and stays at sea")
        if to not in self.reach(unit):
            return Refusal(f"{unit} cannot reach {to}")
        army = self.units.get(province_of(order.target))
        if army is None or not self.kinds[army.kind].convoyed:
            return Refusal(f"there is no army in {province_of(order.target)} to ferry")
        return Ferry(unit.kind, unit.at, to, army.kind, army.at, province_of(order.target_to))

    # Retreats

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
        found = []
        for to in self.reach(unit):
            name = province[to]
            if name in self.units or name in contested or name == attacker_from:
                continue
            if self.rules.refuses_entry(self.position, unit, name):
                continue
            found.append(to)
        return tuple(sorted(found))

    def _dislodged_unit(self, power: str, order: Retreat | Disband) -> tuple[Unit, tuple[str, ...]] | Refusal:
        entry = self.dislodged.get(province_of(order.at))
        if entry is None or entry[0].power != power:
            return Refusal(f"{power} has no dislodged unit in {province_of(order.at)}")
        return entry

    def _retreat(self, power: str, order: Retreat) -> Judged:
        entry = self._dislodged_unit(power, order)
        if isinstance(entry, Refusal):
            return entry
        unit, open_to = entry
        at = self.destination(unit, order.to, frozenset(open_to))
        if isinstance(at, Refusal):
            listed = ", ".join(open_to) or "nowhere"
            return at if "name the coast" in at.reason else Refusal(f"{unit} may retreat to {listed}")
        return Retreat(unit.kind, unit.at, at)

    def _disband(self, power: str, order: Disband) -> Judged:
        entry = self._dislodged_unit(power, order)
        return entry if isinstance(entry, Refusal) else Disband(entry[0].kind, entry[0].at)

    # Adjustments; what a power may do is weighed order by order in legation.judge.adjustments

    def _remove(self, power: str, order: Remove) -> Judged:
        unit = self.unit(power, order)
        return unit if isinstance(unit, Refusal) else Remove(unit.kind, unit.at)

    def _build(self, power: str, order: Build) -> Judged:
        """The build with kind and coast settled, if the place is a site for it; whether there is room is not asked here."""
        rules = self.rules
        board = rules.board
        province = board.provinces.get(province_of(order.at))
        if province is None:
            return Refusal(f"there is no province {order.at}")
        coast = order.at if order.at in province.locations and order.at != province.id else ""
        code = order.kind
        if not code:
            if rules.options["missing_build_kind"] == "fails":
                return Refusal("say whether it is an army or a fleet")
            if province.inland:
                code = "A"
            elif coast:
                code = "F"
            else:
                return Refusal("say whether it is an army or a fleet")
        kind = rules.kinds.get(code)
        if kind is None:
            return Refusal(f"there is no unit {code!r} in this variant")
        if kind.travel == ARMY:
            at = province.id
        elif not coast and province.coasts:
            return Refusal(f"name the coast: {' or '.join(province.locations)}")
        else:
            at = coast or province.id
        if at != order.at and order.at != province.id and rules.options["irrelevant_coast"] == "fails":
            return Refusal(f"{order.at} is no place for it")
        if not board.stands(kind.travel, at):
            return Refusal(f"no {kind.name} can stand in {province.name}")
        if province.id in self.units:
            return Refusal(f"{province.name} is occupied")
        if province.id not in rules.build_sites(self.position, power):
            return Refusal(self._no_site(power, province.id))
        reason = rules.refuses_build(self.position, power, kind, province.id)
        if reason:
            return Refusal(reason)
        return Build(kind.code, at)

    def _no_site(self, power: str, place: str) -> str:
        """Why a vacant province is no place where a power may build."""
        province = self.rules.board.provinces[place]
        if self.position.turn.phase is Phase.PLACEMENT:
            return f"{power} may place no unit in {province.name}"
        if not province.center:
            return f"{province.name} is no supply center"
        if self.position.owners.get(place) != power:
            return f"{power} does not own {province.name}"
        return f"{province.name} is no home of {power}"


_READERS: dict[type, Callable[[Situation, str, Any], Judged]] = {
    Hold: Situation._hold,
    Move: Situation._move,
    SupportHold: Situation._support_hold,
    SupportMove: Situation._support_move,
    Convoy: Situation._convoy,
    Ferry: Situation._ferry,
    Retreat: Situation._retreat,
    Disband: Situation._disband,
    Remove: Situation._remove,
    Build: Situation._build,
}

_NAMES: dict[type, str] = {
    Hold: "a hold",
    Move: "a move",
    SupportHold: "support",
    SupportMove: "support",
    Convoy: "a convoy",
    Retreat: "a retreat",
    Disband: "a disbandment",
    Build: "a build",
    Remove: "a removal",
    Waive: "a waiver",
    VoteDraw: "a vote for a draw",
    Ferry: "the fast ferry",
    Convert: "conversion",
    Proxy: "placing a unit under another power's orders",
    Send: "sending supply",
}
