"""DumbBot (David Norman, 2002): each unit goes where it is worth most, supports where two want the same, and sometimes
takes the second best.

It looks no turn ahead, knows no press, no convoys and nothing of what others may order, and plays a sound game all the
same. Where the rules have more than the standard game, it takes what is best of the legal list: kinds of unit by the
worth of their places for each center they cost, and orders of the rules' own by the unit that they make of its own
(``OrderKind.becomes``). It grants no proxies and sends no supply."""

from collections import deque
from collections.abc import Iterator, Sequence
from random import Random
from typing import TypeVar

from legation.board import province_of
from legation.bots.adjusting import Change, adjust
from legation.bots.worth import Worth
from legation.judge import Refusal, Ruleset, legal_orders
from legation.orders import (
    Disband,
    Hold,
    Move,
    Moving,
    Order,
    Remove,
    Retreat,
    Sheet,
    SupportHold,
    SupportMove,
    UnitOrder,
)
from legation.position import Phase, Position, Unit

CONSIDERED = 50  # in a hundred: how often the next best is considered
GAP = 500  # one in GAP of difference makes it so many in a hundred less likely that it is taken
CONVERTED = 2  # a unit converts where the other kind's best place is worth so many times its own

Item = TypeVar("Item")


def orders(rules: Ruleset, view: Position, power: str, random: Random) -> Sheet:
    """The orders of one power in any phase."""
    worth = Worth(rules, view, power)
    if view.turn.phase is Phase.MOVEMENT:
        return Sheet(power, () if power in worth.situation.silenced else _Campaign(worth, view, random).orders())
    if view.turn.phase is Phase.RETREATS:
        return Sheet(power, tuple(_retreats(worth, legal_orders(rules, view, [power])[power], random)))

    def choose(legal: list[Change]) -> Change:
        removing = isinstance(legal[0], Remove)
        ranked = sorted(((worth.of(o.kind, o.at), o) for o in legal), key=lambda r: r[0], reverse=not removing)
        return ranked[pick(ranked, random)][1]

    return Sheet(power, tuple(adjust(rules, view, power, choose)))


def pick(ranked: Sequence[tuple[int, Item]], random: Random) -> int:
    """Which of a list ranked by worth is taken: mostly the first, a later one by chance as long as each is close to the
    one before."""
    at = 0
    while at + 1 < len(ranked):
        here, following = ranked[at][0], ranked[at + 1][0]
        difference = GAP * (here - following) // here if here else 0
        considered, taken = random.randrange(100), random.randrange(100)
        if considered >= CONSIDERED or taken < difference:
            break
        at += 1
    return at


def _retreats(worth: Worth, legal: list[Order], random: Random) -> list[Order]:
    ways: dict[str, list[Retreat]] = {}
    ordered: dict[str, Order] = {}
    for order in legal:
        if isinstance(order, Disband):
            ordered[order.at] = order
        elif isinstance(order, Retreat):
            ways.setdefault(order.at, []).append(order)
    taken: set[str] = set()
    for at in random.sample(sorted(ways), len(ways)):
        open_to = [way for way in ways[at] if province_of(way.to) not in taken]
        ranked = sorted(((worth.of(way.kind, way.to), way) for way in open_to), key=lambda r: -r[0])
        if ranked:
            way = ranked[pick(ranked, random)][1]
            taken.add(province_of(way.to))
            ordered[at] = way
    return list(ordered.values())


class _Campaign:
    """The units of one power in one movement turn, ordered one after the other."""

    def __init__(self, worth: Worth, view: Position, random: Random) -> None:
        self.worth = worth
        self.view = view
        self.random = random
        self.units = view.units_of(worth.power)
        self.at = {unit.province: unit for unit in self.units}
        self.ordered: dict[str, Order] = {}  # by the unit's province
        self.moving: dict[str, Unit] = {}  # by province: the unit that is ordered there
        self.ranked = {unit.province: self._places(unit) for unit in self.units}
        self.ways: dict[tuple[str, str], Order] = {}  # by the unit's province and where it goes: a rule's own order
        self.staying: dict[str, Order] = {}  # by the unit's province: a rule's own order by which it stays as it is
        for unit, order, made in self._own_orders():
            self._weigh(unit, order, made)

    def _places(self, unit: Unit) -> list[tuple[int, str]]:
        """Where a unit may go or stay, the best first."""
        places = [(self.worth.of(unit.kind, to), to) for to in self.worth.reach(unit)]
        places.append((self.worth.of(unit.kind, unit.at) + 1, unit.at))
        return sorted(places, key=lambda place: -place[0])

    def orders(self) -> tuple[Order, ...]:
        """One order for each unit."""
        queue = deque(
            unit for unit in self.random.sample(self.units, len(self.units)) if unit.province not in self.ordered
        )
        waited: set[tuple[str, str]] = set()
        while queue:
            unit = queue.popleft()
            other = self._order(unit, waited)
            if other is not None:  # what it does depends on another unit; it comes right after that one
                waited.add((unit.province, other.province))
                queue.insert(queue.index(other) + 1, unit)
        for unit in self.units:
            if isinstance(self.ordered[unit.province], Hold):
                self._make_use(unit)
        return tuple(self.ordered[unit.province] for unit in self.units)

    def _order(self, unit: Unit, waited: set[tuple[str, str]]) -> Unit | None:
        """Order one unit, or return the unit of the same power that must be ordered before it: no pair of units waits
        twice, so that none wait for ever."""
        places = self.ranked[unit.province]
        while True:
            chosen = pick(places, self.random)
            to = places[chosen][1]
            place = province_of(to)
            if place == unit.province:
                self.ordered[place] = Hold(unit.kind, unit.at)
                return None
            there = self.at.get(place)
            if there is not None and place not in self.ordered:
                if (unit.province, place) not in waited:
                    return there
                del places[chosen]
                continue
            order = self._towards(unit, to)
            if order is None:
                del places[chosen]  # one's own place is never struck out, so this ends
                continue
            self.ordered[unit.province] = order
            if isinstance(order, Moving):
                self.moving[place] = unit
            return None

    def _towards(self, unit: Unit, to: str) -> Order | None:
        """Go to a place, or support the unit of the same power that stays or goes there if anybody could contest it;
        None if neither is of use."""
        if self._is_taken(province_of(to)):
            return self._support(unit, province_of(to))
        return self.ways.get((unit.province, to)) or Move(unit.kind, unit.at, to)

    def _is_taken(self, place: str) -> bool:
        """Whether a unit of the power stays in a province or moves there."""
        return place in self.moving or (place in self.at and not isinstance(self.ordered[place], Moving))

    def _support(self, unit: Unit, place: str) -> Order | None:
        """Support for the unit of the same power that stays in a province which others contest with more than one, or
        goes to one that any contest, if that is legal."""
        mover = self.moving.get(place)
        if self.worth.competition(place) <= (1 if mover is None else 0):
            return None
        if mover is not None:
            move = self.ordered[mover.province]
            assert isinstance(move, Moving)
            support: Order = SupportMove(unit.kind, unit.at, mover.kind, mover.at, move.to)
        else:
            stays = self.at[place]
            support = SupportHold(unit.kind, unit.at, stays.kind, stays.at)
        judged = self.worth.situation.interpret(self.worth.power, support)
        return None if isinstance(judged, Refusal) else support

    def _make_use(self, unit: Unit) -> None:
        """A unit that would only hold supports where that is worth most, or stays by an order of a rule's own."""
        if unit.province in self.staying:
            self.ordered[unit.province] = self.staying[unit.province]
        best = 0
        for to in self.worth.reach(unit):
            place, value = province_of(to), self.worth.of(unit.kind, to)
            support = self._support(unit, place) if value > best and self._is_taken(place) else None
            if support is not None:
                best = value
                self.ordered[unit.province] = support

    def _own_orders(self) -> Iterator[tuple[Unit, Order, Unit]]:
        """Legal orders of the rules' own kinds that say what they make of a unit: the unit, the order, and that."""
        rules, situation, power = self.worth.rules, self.worth.situation, self.worth.power
        known = rules.order_kinds[Phase.MOVEMENT]
        for module in rules.modules:
            kinds = {kind.record: kind.becomes for kind in module.orders if kind.becomes and kind.record in known}
            if not kinds:
                continue
            together: dict[str, list[Order]] = {power: []}
            module.legal_cooperation(situation, together)
            for order in (*module.legal_orders(rules, self.view, power), *together[power]):
                becomes = kinds.get(type(order))
                unit = self.at.get(province_of(order.at)) if isinstance(order, UnitOrder) else None
                if becomes is not None and unit is not None:
                    yield unit, order, Unit(*becomes(order), power)

    def _weigh(self, unit: Unit, order: Order, made: Unit) -> None:
        """Take up an order of a rule's own. One that changes the unit where it stands is given if nobody can disturb it
        and the other kind would have far better places to go; one that leaves all as it is, instead of holding; one
        that leads to where the unit could not go by itself is a way as good as its end."""
        places = self.ranked[unit.province]
        if made == unit:
            self.staying[unit.province] = order
        elif made.province == unit.province:
            far_better = self._places(made)[0][0] > CONVERTED * places[0][0]
            if far_better and self.worth.competition(unit.province) == 0:
                self.ordered[unit.province] = order
        elif made.at not in [to for _, to in places]:
            self.ways[unit.province, made.at] = order
            places.append((self.worth.of(made.kind, made.at), made.at))
            places.sort(key=lambda place: -place[0])
