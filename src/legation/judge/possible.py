"""All legal orders of a position, from the same reach and refusals that judge them."""

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Sequence

from legation.board import ARMY
from legation.judge.legality import Situation
from legation.judge.made_orders import Choices, Done, OverSea, UnitOrders
from legation.judge.ruleset import Ruleset
from legation.orders import Convoy, Disband, Move, Order, Remove, Retreat, SupportHold, SupportMove, Waive
from legation.position import Phase, Position, Unit


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
    {'France': 30, 'Italy': 38}"""
    situation = Situation(rules, position)
    legal: dict[str, list[Order]] = {power: [] for power in (rules.powers if powers is None else powers)}
    phase = position.turn.phase
    if phase is Phase.MOVEMENT:
        _Movement(situation, legal).add()
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


class _Movement:
    """The legal orders of a movement turn, put on the lists of their powers: what the units do themselves, and then
    their supports."""

    def __init__(self, situation: Situation, legal: dict[str, list[Order]]) -> None:
        rules = situation.rules
        self.situation, self.rules, self.position, self.legal = situation, rules, situation.position, legal
        self.made = rules.made_orders
        # what other units may do than those of the powers that are asked for, these may support and convoy
        self.lists: dict[str, list[Order]] = {power: legal.get(power, []) for power in rules.powers}
        self.barred, self.refused = rules.refusals["refuses_entry"], rules.refusals["refuses_support"]
        self.stays = bool(rules.steps["refuses_departure"])
        # the kinds of unit of which rules change where they go, or support into
        further = rules.steps["reach"] or rules.steps["support_reach"]
        self.changed: Container[str] = rules.kinds if further else rules.restricted_kinds
        self.landings: dict[str, set[str]] = {}
        for module in rules.steps["legal_cooperation"]:
            for at, reached in module.legal_cooperation(situation, legal).items():
                self.landings.setdefault(at, set()).update(reached)
        # rules that say where units may be brought; those that list the orders which do so list it themselves
        asked = rules.steps["supports_arrival"]
        self.carriers = [module for module in asked if module not in rules.steps["legal_cooperation"]]
        # by where a unit stands: what puts its orders on the list of its power
        self.adds: dict[int, Callable[[Order], None]] = {}
        self.fleets: dict[frozenset[str], list[int]] = {}  # by their seas: where the fleets stand
        # by province: what units may be supported to do in it; and those that only fleets bring there
        self.going: dict[str, list[Done]] = {province: [] for province in rules.tables.index}
        self.brought: dict[str, list[Done]] = defaultdict(list)

    def add(self) -> None:
        """List all orders."""
        helpers = [
            (unit, self._add_own(unit, n)) for unit, n in zip(self.position.units, self.situation.standing, strict=True)
        ]
        for unit, made in helpers:
            if unit.power in self.legal:
                self._add_supports(unit, made, self.legal[unit.power])

    def _add_own(self, unit: Unit, number: int) -> UnitOrders:
        """List what a unit may do by itself and over the sea, and note where it may be supported; return its orders."""
        orders, made, going = self.lists[unit.power], self.made[number], self.going
        stays = self.stays and self.rules.refuses_departure(self.position, unit)
        choices = made.by_itself
        if stays:
            choices = made.choices(())
        elif unit.kind in self.changed:
            choices = self._by_itself(unit, made)
        orders += choices.orders
        for place, done in choices.places:
            going[place].append(done)
        if stays:
            return made
        brought = self._add_convoys(unit, made, orders) if made.convoyed else ()
        for place, done in brought:
            self.brought[place].append(done)
        if self.carriers or self.landings:
            known = [place for place, _ in (*choices.places, *brought)]
            for place, done in map(made.move, sorted(self._carried(unit).difference(known))):
                going[place].append(done)
        return made

    def _by_itself(self, unit: Unit, made: UnitOrders) -> Choices:
        ways, barred = self.situation.ways(unit), self.barred
        if barred:
            province = self.rules.tables.province
            ways = tuple([to for to in ways if not barred(self.rules, self.position, unit, province[to])])
        return made.choices(ways)

    def _add_convoys(self, unit: Unit, made: UnitOrders, orders: list[Order]) -> Sequence[tuple[str, Done]]:
        """List a unit's moves by convoy and the convoys of them; return what it does where it gets by convoy only."""
        chains = self.situation.clusters.touching(unit.at)
        if not chains:
            return ()
        fleets = tuple([number for chain in chains for number in self._numbers(chain.seas)])
        changed = unit.kind in self.changed
        over_sea = None if changed else made.over_sea.get(fleets)
        if over_sea is None:
            over_sea = self._over_sea(unit, made)
            if not changed:
                self.made.keep_over_sea(made, fleets, over_sea)
        adds = self.adds
        adds[made.number] = orders.append
        for number, order in over_sea.orders:
            adds[number](order)
        return over_sea.places

    def _over_sea(self, unit: Unit, made: UnitOrders) -> OverSea:
        barred, near = self.barred, self.situation.reach(unit)
        orders: list[tuple[int, Move | Convoy]] = []
        by_sea: list[str] = []
        for to, seas in self.situation.routes(unit.at).items():
            if barred and barred(self.rules, self.position, unit, to):
                continue
            move, move_by_sea, known = made.by_sea(to)
            if to in near:
                orders.append((made.number, move_by_sea))
            else:
                orders.append((made.number, move))
                by_sea.append(to)
            orders += [(n, known.get(n) or self.made.convoy(known, n, move)) for n in self._numbers(seas)]
        return OverSea(orders, [made.move(to) for to in by_sea])

    def _numbers(self, seas: frozenset[str]) -> list[int]:
        numbers = self.fleets.get(seas)
        if numbers is None:
            numbers = self.fleets[seas] = []
            for sea in sorted(seas):
                fleet = self.situation.units[sea]
                number = self.made.numbers[fleet.kind, fleet.at]
                numbers.append(number)
                self.adds[number] = self.lists[fleet.power].append
        return numbers

    def _add_supports(self, helper: Unit, made: UnitOrders, orders: list[Order]) -> None:
        """List the supports that a unit may give, by the provinces into which it gives them."""
        into = self._into(helper) if helper.kind in self.changed else made.into
        number, here, fleets = made.number, made.province, self.situation.clusters
        going, brought = self.going, self.brought
        given: list[SupportHold | SupportMove] = []
        over_sea: list[SupportHold | SupportMove] = []
        try:
            for place in into:  # in plain loops, as comprehensions of so few entries take half as long again
                for other, supports in going[place]:
                    if other is not made:
                        given.append(supports[number])
                if place in brought:
                    for other, supports in brought[place]:  # without the fleet that supports instead
                        if other is not made and (here not in fleets or place in fleets.reached(other.at, here)):
                            over_sea.append(supports[number])
        except KeyError:  # some are asked for the first time
            self._make_supports(made, into)
            self._add_supports(helper, made, orders)
            return
        given += over_sea
        orders += self._allowed(helper, given) if self.refused and helper.kind in self.rules.restricted_kinds else given

    def _into(self, helper: Unit) -> tuple[str, ...]:
        into = self.situation.support_ways(helper)
        if barred := self.barred:
            rules, position, near = self.rules, self.position, self.situation.reach_provinces(helper)
            into = tuple([at for at in into if at not in near or not barred(rules, position, helper, at)])
        return into

    def _allowed(self, helper: Unit, given: Iterable[SupportHold | SupportMove]) -> list[Order]:
        rules, position, units, province = self.rules, self.position, self.situation.units, self.rules.tables.province
        refused = self.refused
        assert refused is not None
        allowed: list[Order] = []
        for order in given:
            target = province[order.target]
            place = province[order.to] if type(order) is SupportMove else target
            if not refused(rules, position, helper, units[target], place):
                allowed.append(order)
        return allowed

    def _make_supports(self, made: UnitOrders, into: Iterable[str]) -> None:
        for place in into:
            for done in (*self.going[place], *self.brought.get(place, ())):
                if made.number not in done[1]:
                    self.made.support(done, made.number)

    def _carried(self, unit: Unit) -> set[str]:
        """Where orders of rules' own may bring a unit, so that it can be supported there."""
        rules, tables, kind = self.rules, self.rules.tables, self.rules.kinds[unit.kind]
        carriers = self.carriers if kind.convoyed and kind.travel == ARMY else ()
        lands = (place for place in tables.index if place not in tables.sea and place != unit.province)
        return self.landings.get(unit.at, set()).union(
            place
            for place in (lands if carriers else ())
            if any(module.supports_arrival(rules, self.situation, unit, place) for module in carriers)
        )


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
    return orders + [build for build in situation.builds(power) if rules.kinds[build.kind].cost <= room]
