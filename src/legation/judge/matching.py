"""Matching: who supports, convoys and carries whom, as the dense problem that the core decides.

A support or convoy that fits no order is void; an army to a neighboring province goes by land or by sea (DATC 4.A.3).
Orders of kinds that rules bring are matched by those rules (``match``)."""

from collections.abc import Iterable, Mapping, Sequence

from legation.board import province_of
from legation.judge import core
from legation.judge.core import BY_COAST, BY_CONVOY, BY_LAND, CONVOY, HOLD, MOVE, SUPPORT, MovementProblem
from legation.judge.legality import Situation
from legation.judge.plain_orders import Ordered, PlainOrder
from legation.judge.verdicts import Cause
from legation.orders import Convoy, Hold, Move, Moving, Order, SupportHold, SupportMove
from legation.position import Position, Unit

STAYING = (Hold, SupportHold, SupportMove, Convoy)
NOT_ORDERED = Cause("not ordered")


class Matching:
    """The orders of one movement turn held against each other. A rule may ask about them, and changes them by methods
    alone.

    ``units`` are numbered by the board's provinces, so that the order in which they are listed decides nothing.
    ``effects`` is what each does (None without an order), ``arrives`` where each moving unit would stand; ``orders``
    has by province the order of the unit there, as written and as it takes effect.

    The rest is the judge's own: ``refused`` has the orders that are illegal, ``void`` the supports and convoys that fit
    no order, and why, ``remarks`` what is to be told of orders that succeed all the same, ``unused`` the fleets that
    convoy an army which goes by land, ``stranded`` the units that have no way, and why, ``firm`` those that nobody
    dislodges, and why. By unit, as the core has them: its province ``place``, its power ``owner``, what it does
    (``order``) and where that leads (``target``). ``weak_bounces`` tells that a unit which wants to leave does not
    hold, ``halves`` that ``force`` counts halves of a strength."""

    position: Position
    units: Sequence[Unit]
    orders: Mapping[str, Ordered]
    effects: list[Order | None]
    arrives: dict[int, str]

    def __init__(self, situation: Situation, orders: Mapping[str, Ordered]) -> None:
        self.rules = rules = situation.rules
        self.position = situation.position
        self.orders = orders
        tables = rules.tables
        self.province, self.numbers = tables.province, tables.numbers
        self.place = place = sorted(map(tables.index.__getitem__, situation.units))
        provinces = [tables.names[number] for number in place]
        self.units = [situation.units[province] for province in provinces]
        units = self.units
        n = len(units)
        self.effects = [None] * n
        self.refused: dict[int, Ordered] = {}
        self.void: dict[int, Cause] = {}
        self.unused: set[int] = set()
        self.stranded: dict[int, str] = {}
        self.remarks: dict[int, Cause] = {}
        self.carried: set[int] = set()
        self.arrives = {}
        self.weak_bounces = False
        self.halves = bool(rules.steps["half_strength"])
        rank, kinds = rules.rank, rules.kinds
        self.owner = [rank[unit.power] for unit in units]
        self.force = [kinds[unit.kind].strength for unit in units]
        self.occupant = [-1] * tables.count
        self.order = [HOLD] * n
        self.target = list(place)
        self.helped_unit = [-1] * n
        self.via = [BY_LAND] * n
        movers, supports, convoys = self._read_effects(provinces)
        self._match_supports(supports)
        fleets: dict[int, list[int]] = {}  # by army: the fleets that convoy it
        for i, convoy in convoys:
            if self._match_convoy(i, convoy):
                fleets.setdefault(self.helped_unit[i], []).append(i)
        if rules.steps["strength"] or self.halves:
            self._count_strengths()
        self.firm: dict[int, str] = {}
        if rules.steps["refuses_dislodgement"]:
            asked = ((i, rules.refuses_dislodgement(self.position, unit)) for i, unit in enumerate(self.units))
            self.firm = {i: reason for i, reason in asked if reason}
        for module in rules.steps["match"]:
            module.match(rules, self)
        self._go_by_sea(movers, fleets)
        for i, _ in convoys:
            if self.order[i] == CONVOY and self.via[self.helped_unit[i]] == BY_LAND:
                self.leave_unused(i)

    def _go_by_sea(self, movers: list[tuple[int, Move]], fleets: Mapping[int, Sequence[int]]) -> None:
        """Let armies go by convoy that cannot walk, or that shall not; ``fleets`` are those that convoy each."""
        kinds, army, carried = self.rules.kinds, self.rules.tables.army, self.carried
        for i in fleets:  # plain moves go by land, unless somebody convoys them
            move = self.effects[i]
            if type(move) is Move and (i, move) not in movers:
                movers.append((i, move))
        for i, move in movers:
            unit = self.units[i]
            if i in carried or not kinds[unit.kind].convoyed:
                continue
            plain = i not in fleets and not move.via_convoy and move.to in army.get(unit.at, ())
            if not plain and self._by_sea(i, move, fleets.get(i, ())):
                self.via[i] = BY_CONVOY

    def _read_effects(
        self, provinces: Sequence[str]
    ) -> tuple[list[tuple[int, Move]], list[tuple[int, SupportHold | SupportMove]], list[tuple[int, Convoy]]]:
        """Note where each unit stands and what it does; return the moves that are not plain, the supports and the
        convoys, each with its unit."""
        occupant, effects, order, target = self.occupant, self.effects, self.order, self.target
        arrives, numbers = self.arrives, self.numbers
        movers: list[tuple[int, Move]] = []
        supports: list[tuple[int, SupportHold | SupportMove]] = []
        convoys: list[tuple[int, Convoy]] = []
        for i, (where, ordered) in enumerate(zip(self.place, map(self.orders.get, provinces), strict=True)):
            occupant[where] = i
            if ordered is None:
                continue
            effects[i] = effect = ordered.effect
            if ordered.refusal is not None:
                self.refused[i] = ordered
            # by their types, as records are slow to tell which class they extend
            if type(effect) is Move or (type(effect) not in STAYING and isinstance(effect, Moving)):
                order[i] = MOVE
                arrives[i] = effect.to
                target[i] = numbers[effect.to]
                if type(effect) is Move and (type(ordered) is not PlainOrder or ordered.by_sea or effect.via_convoy):
                    movers.append((i, effect))
            elif type(effect) is SupportHold or type(effect) is SupportMove:
                supports.append((i, effect))
            elif type(effect) is Convoy:
                convoys.append((i, effect))
        return movers, supports, convoys

    def _count_strengths(self) -> None:
        """Add what rules give or take, one after the other; in halves where some rule gives or takes half of one."""
        rules, position = self.rules, self.position
        for i, unit in enumerate(self.units):
            done = self.effects[i] or Hold(unit.kind, unit.at)
            force = self.force[i]
            for module in rules.steps["strength"]:
                force = max(force + module.strength(rules, position, unit, done), 0)
            if self.halves:
                asked = rules.steps["half_strength"]
                force = max(2 * force + sum(module.half_strength(rules, position, unit, done) for module in asked), 0)
            self.force[i] = force

    def leave_unused(self, i: int) -> None:
        """Let the convoy of fleet ``i`` carry nobody, as its army goes by land."""
        self.unused.add(i)
        self._hold(i)

    def give_support(self, i: int, j: int) -> None:
        """Let unit ``i`` support unit ``j`` to hold, if the one has no order and the other stays."""
        if self.effects[i] is not None or self.order[j] == MOVE or i == j:
            return
        unit, helped = self.units[i], self.units[j]
        self.effects[i] = SupportHold(unit.kind, unit.at, helped.kind, helped.at)
        self.order[i], self.target[i], self.helped_unit[i] = SUPPORT, self.place[j], j

    def set_aside(self, i: int, reason: str) -> None:
        """Let the support or convoy of unit ``i`` count for nothing, and tell why."""
        self.void[i] = Cause("fact", reason=reason)
        self._hold(i)

    def _hold(self, i: int) -> None:
        self.order[i] = HOLD
        self.helped_unit[i] = -1
        self.target[i] = self.place[i]

    def carry(self, i: int, f: int) -> None:
        """Let unit ``i`` go by sea with fleet ``f``, which moves: it arrives only if the fleet does, undislodged."""
        self.via[i] = BY_CONVOY
        self.helped_unit[f] = i
        self.carried.add(i)

    def strand(self, i: int, reason: str) -> None:
        """Keep unit ``i``, which asks for a convoy or ferry, where it is, and tell why."""
        self.via[i] = BY_CONVOY
        self.stranded[i] = reason
        self.carried.add(i)

    def remark(self, i: int, reason: str) -> None:
        """Tell something of the order of unit ``i`` if it succeeds."""
        self.remarks[i] = Cause("fact", reason=reason)

    def pass_by(self, i: int) -> None:
        """Let unit ``i``, if it goes by land, meet nobody head to head who moves the other way."""
        if self.via[i] == BY_LAND:
            self.via[i] = BY_COAST

    def part_powers(self) -> None:
        """Let units of one power oppose each other as if each were a power of its own."""
        self.owner = list(range(len(self.units)))

    def weaken_bounces(self) -> None:
        """Let units that want to leave not hold their provinces."""
        self.weak_bounces = True

    def moves(self, i: int) -> bool:
        """Return whether unit ``i`` is ordered to leave."""
        return self.order[i] == MOVE

    def convoys(self, i: int) -> int:
        """Return the unit that fleet ``i``, which stays, convoys; -1 if there is none."""
        return self.helped_unit[i] if self.order[i] == CONVOY else -1

    def unit_at(self, location: str) -> int:
        """Return the unit in a location's province; -1 if there is none."""
        return self.occupant[self.numbers[location]]

    def _match_supports(self, supports: Iterable[tuple[int, SupportHold | SupportMove]]) -> None:
        numbers, occupant = self.numbers, self.occupant
        order, target, helped_unit = self.order, self.target, self.helped_unit
        for i, support in supports:
            j = occupant[numbers[support.target]]
            moving = order[j] == MOVE
            if type(support) is SupportMove:
                there = numbers[support.to]
                fits = moving and target[j] == there
                if fits and "/" in support.to and support.to != self.arrives[j]:
                    fits = False
            else:
                there = self.place[j]
                fits = not moving
                if fits and self.effects[j] is None and self._disorderly(self.units[j].power):
                    self.void[i] = Cause("fact", reason="its power is in civil disorder")
                    continue
            if fits:
                target[i], order[i], helped_unit[i] = there, SUPPORT, j
            else:
                self.void[i] = self.instead(j)

    def _match_convoy(self, i: int, convoy: Convoy) -> bool:
        j = self.unit_at(convoy.target)
        if self.order[j] != MOVE or self.target[j] != self.numbers[convoy.to]:
            self.void[i] = self.instead(j)
            return False
        move = self.effects[j]
        if (
            isinstance(move, Move)
            and move.route
            and self.rules.options["convoy_route"] == "binding"
            and self.province[self.units[i].at] not in move.route
        ):
            self.void[i] = Cause("fact", reason="the army goes by other fleets")
            return False
        self.order[i] = CONVOY
        self.helped_unit[i] = j
        self.target[i] = self.target[j]
        return True

    def _by_sea(self, i: int, move: Move, fleets: Sequence[int]) -> bool:
        """Whether the move of a unit that can be convoyed goes by convoy (DATC 4.A.3)."""
        unit = self.units[i]
        if move.to not in self.rules.tables.army[unit.at]:
            return move.to not in self.rules.extra_reach(self.position, unit)
        if move.via_convoy:
            if self.rules.options["via_convoy_fallback"] is True:
                return bool(fleets) and self.complete(i, fleets)
            return True
        reading = self.rules.options["adjacent_convoy"]
        if reading == "own fleet":
            return any(self.units[f].power == unit.power for f in fleets)
        if reading == "1971":
            d = self.occupant[self.target[i]]
            return d >= 0 and self.order[d] == MOVE and self.target[d] == self.place[i] and self.complete(i, fleets)
        return False

    def complete(self, i: int, fleets: Sequence[int]) -> bool:
        """Whether the ordered fleets make a whole route for army ``i``, if none of them is dislodged; where one of them
        moves, through that one."""
        ride = [f for f in fleets if self.order[f] == MOVE]
        start = {self.place[i]}
        if ride:
            if not self._next_to(ride[0], self._spread(start, fleets)):
                return False
            start = {self.target[ride[0]]}
        count, near, goal = self.rules.tables.count, self.rules.tables.near, self.target[i]
        return any(near[at * count + goal] for at in self._spread(start, fleets) - {self.place[i]})

    def _next_to(self, f: int, places: set[int]) -> bool:
        count, near = self.rules.tables.count, self.rules.tables.near
        return any(near[at * count + self.place[f]] for at in places)

    def _spread(self, places: set[int], fleets: Sequence[int]) -> set[int]:
        """These places and those of all fleets that stay and can be reached from them, one by one."""
        left = {f for f in fleets if self.order[f] != MOVE}
        reached = set(places)
        while further := {f for f in left if self._next_to(f, reached)}:
            left -= further
            reached |= {self.place[f] for f in further}
        return reached

    def _disorderly(self, power: str) -> bool:
        if self.rules.options["hold_support_in_disorder"] is True:
            return False
        return not any(u.power == power and province_of(u.at) in self.orders for u in self.units)

    def instead(self, j: int) -> Cause:
        """Return why an order fits none of unit ``j``: it was given another, or none that counts."""
        effect = self.effects[j]
        ordered = self.orders.get(province_of(self.units[j].at))
        if ordered is None or effect is None:
            return NOT_ORDERED
        if ordered.refusal is not None:
            return Cause("not legal", by=ordered.written)
        return Cause("not matched", by=effect)

    def problem(self) -> MovementProblem:
        """The dense problem as it is now, nothing decided yet."""
        tables = self.rules.tables
        vector = list(self.rules.core_readings)
        vector[core.WEAK_BOUNCES] = int(self.weak_bounces)
        firm = [int(i in self.firm) for i in range(len(self.units))] if self.firm else [0] * len(self.units)
        does = self.order, self.target, self.helped_unit, self.via
        given = (self.place, self.owner, self.force, *does, firm)
        return core.undecided(tables.count, vector, tables.near, given, self.occupant, self.stranded)
