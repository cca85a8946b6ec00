"""All legal orders of a position, from the same reach and refusals that judge them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from legation.board import ARMY, province_of
from legation.judge.legality import Situation
from legation.judge.module import Rule
from legation.judge.refusal import Refusal
from legation.judge.ruleset import Ruleset
from legation.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)
from legation.position import Phase, Position, Unit

_Helper: TypeAlias = tuple[Unit, str, str, str, Callable[[Order], None]]
"""A unit that may support: with its kind, its location, its province where it is a fleet of a chain, and what lists its
orders."""


def legal_orders(rules: Ruleset, position: Position, powers: Iterable[str] | None = None) -> dict[str, list[Order]]:
    """Every legal order of each power (or of ``powers`` only) in this turn, in canonical form, always in the same
    sequence.

    A convoy or a support of a convoyed army is listed when fleets now at sea make it possible, whatever they are
    ordered. A move to a province that is reached by land and by sea stands twice, once ``via convoy``. Listed is what
    is legal by itself: not the builds and removals that supply sent this winter can lead to, and of a unit that its
    owner may place under another power's orders only the owner's.

    >>> from legation import legal_orders, load
    >>> rules = load("standard")
    >>> {power: len(orders) for power, orders in legal_orders(rules, rules.opening(), ["France", "Italy"]).items()}
    {'France': 30, 'Italy': 38}
    """
    situation = Situation(rules, position)
    legal: dict[str, list[Order]] = {power: [] for power in (rules.powers if powers is None else powers)}
    phase = position.turn.phase
    if phase is Phase.MOVEMENT:
        _movement(situation, legal)
    elif phase is Phase.RETREATS:
        for unit, open_to in situation.dislodged.values():
            if unit.power in legal:
                legal[unit.power].append(Disband(unit.kind, unit.at))
                legal[unit.power] += [Retreat(unit.kind, unit.at, to) for to in sorted(open_to)]
    elif phase in (Phase.ADJUSTMENTS, Phase.PLACEMENT):
        for power, orders in legal.items():
            orders += _adjustments(situation, power)
    for power, orders in legal.items():
        if power in situation.silenced:
            orders.clear()
            continue
        for module in rules.steps["legal_orders"]:
            orders += module.legal_orders(rules, position, power)
    return legal


def _movement(situation: Situation, legal: dict[str, list[Order]]) -> None:
    rules = situation.rules
    position = situation.position
    tables = rules.tables
    barred, unsupported, leaving = rules.entry_refusal, rules.support_refusal, rules.steps["refuses_departure"]
    supporters: dict[str, list[_Helper]] = {}  # by province: the units that can support into it
    seas: dict[str, frozenset[str]] = situation.clusters
    landings: dict[str, set[str]] = {}
    convoying: dict[frozenset[str], list[tuple[str, str, Callable[[Order], None]]]] = {}  # by their seas: the fleets
    # rules that say where units may be brought; those that list the orders which do so list it themselves
    carriers = [m for m in rules.steps["supports_arrival"] if m not in rules.steps["legal_cooperation"]]
    for module in rules.steps["legal_cooperation"]:
        for at, reached in module.legal_cooperation(situation, legal).items():
            landings.setdefault(at, set()).update(reached)
    for unit in position.units:
        if unit.power not in legal:
            continue
        sea, near = tables.province[unit.at], situation.reach_provinces(unit)
        able = (unit, unit.kind, unit.at, sea if sea in seas else "", legal[unit.power].append)
        for province in situation.support_provinces(unit):
            if not barred or province not in near or not barred(rules, position, unit, province):
                supporters.setdefault(province, []).append(able)
    for unit in position.units:
        orders = legal.get(unit.power, [])  # what other units may do, these may support and convoy
        code, at = unit.kind, unit.at
        orders.append(Hold(code, at))
        place = tables.province[at]
        kind = rules.kinds[code]
        stays = bool(leaving and rules.refuses_departure(position, unit))
        goals: dict[str, bool] = {}  # by location: whether the unit gets there by itself
        without: dict[str, frozenset[str]] = {}  # by sea: where convoys lead if the fleet there supports instead
        for to in () if stays else sorted(situation.reach(unit)):
            if not barred or not barred(rules, position, unit, tables.province[to]):
                goals[to] = True
                orders.append(Move(code, at, to))
        if kind.convoyed and seas and not stays:
            routes = situation.routes(at)
            for to in sorted(routes):
                if barred and barred(rules, position, unit, to):
                    continue
                orders.append(Move(code, at, to, via_convoy=to in goals))
                goals.setdefault(to, False)
                fleets = convoying.get(routes[to])
                if fleets is None:
                    there = [situation.units[sea] for sea in sorted(routes[to])]
                    fleets = [(u.kind, u.at, legal[u.power].append) for u in there if u.power in legal]
                    convoying[routes[to]] = fleets
                for its_kind, its_place, add in fleets:
                    add(Convoy(its_kind, its_place, code, at, to))
        brought = landings.get(at, set()).union(_carried(situation, unit, carriers) if carriers else ())
        for to in () if stays else sorted(brought):
            goals.setdefault(to, True)
        for helper, its_kind, its_place, _, add in supporters.get(place, ()):
            if helper is not unit and not (unsupported and unsupported(rules, position, helper, unit, place)):
                add(SupportHold(its_kind, its_place, code, at))
        for to, alone in goals.items():
            province = tables.province[to]
            for helper, its_kind, its_place, sea, add in supporters.get(province, ()):
                if helper is unit:
                    continue
                if sea and not alone:
                    if sea not in without:
                        without[sea] = situation.by_convoy_without(at, sea)
                    if to not in without[sea]:
                        continue
                if unsupported and unsupported(rules, position, helper, unit, province):
                    continue
                add(SupportMove(its_kind, its_place, code, at, to))


def _carried(situation: Situation, unit: Unit, carriers: Sequence[Rule]) -> list[str]:
    """Where rules may bring an army in ways of their own, so that it can be supported there."""
    kind = situation.kinds[unit.kind]
    if not kind.convoyed or kind.travel != ARMY:
        return []
    rules, tables = situation.rules, situation.rules.tables
    return [
        place
        for place in tables.index
        if place not in tables.sea
        and place != unit.province
        and any(module.supports_arrival(rules, situation, unit, place) for module in carriers)
    ]


def _adjustments(situation: Situation, power: str) -> list[Order]:
    rules, position = situation.rules, situation.position
    room = rules.limit(position, power) - rules.size(position, power)
    orders: list[Order] = []
    if room < 0 or rules.frees_units(position, power):
        orders += [Remove(u.kind, u.at) for u in position.units_of(power) if not rules.refuses_removal(position, u)]
    if room <= 0:
        return orders
    waives = rules.options["waiving"] is True and Waive in rules.order_kinds[position.turn.phase]
    orders += [Waive()] if waives else []
    for site in rules.build_sites(position, power):
        for kind in rules.kinds.values():
            for at in rules.board.provinces[site].locations if kind.travel == "fleet" else (province_of(site),):
                build = Build(kind.code, at)
                if kind.cost <= room and not isinstance(situation.interpret(power, build), Refusal):
                    orders.append(build)
    return orders
