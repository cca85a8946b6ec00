"""Random positions with orders that meet: attacks, head-to-heads, circles, beleaguered garrisons, convoys (also to
neighbors), paradoxes. The same seed gives the same position."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from legation.board import Board, province_of
from legation.judge import Ruleset, merge_sheets
from legation.judge.options import Reading
from legation.orders import Sheet
from legation.position import Phase, Position, Turn, Unit
from tests.judge.oracle import Ordered


def random_position(board: Board, powers: Sequence[str], seed: int, strong: float = 0.0) -> list[Ordered]:
    """Units crowded in one part of the board, each with one order; ``strong`` is the share of defensive armies (``D``)
    among the armies."""
    return _Maker(board, powers, Random(seed), strong).make()


def convoy_position(board: Board, powers: Sequence[str], seed: int) -> list[Ordered]:
    """Units round a sea with convoys that bear on each other: most
    convoy paradoxes come up here, of higher orders too."""
    return _Maker(board, powers, Random(seed), 0.0).make_convoys()


def document(
    variant: str, turn: str, units: Sequence[Ordered], options: dict[str, Any] | None = None
) -> dict[str, Any]:
    """The position document of such a position."""
    found: dict[str, Any] = {"variant": variant, "turn": turn, "units": {}, "orders": {}, "options": options or {}}
    for unit in units:
        found["units"].setdefault(unit.power, []).append(f"{unit.kind} {unit.at}")
        found["orders"].setdefault(unit.under or unit.power, []).append(order_text(unit, units))
        if unit.under:
            found["orders"].setdefault(unit.power, []).append(f"{unit.kind} {unit.at} under {unit.under}")
        if unit.what == "convert":
            found.setdefault("centers", {}).setdefault(unit.power, []).append(unit.place)
    return found


def dressed(rules: Ruleset, units: Sequence[Ordered], random: Random) -> list[Ordered]:
    """The same position with orders of the kinds that a variant adds: some of the units that hold are converted, some
    are ordered by another power."""
    kinds = {kind.__name__ for kind in rules.order_kinds[Phase.MOVEMENT]}
    powers = sorted({unit.power for unit in units})
    found = []
    for unit in units:
        province = rules.board.provinces[unit.place]
        if "Convert" in kinds and unit.what == "hold" and province.center and province.shore and not province.coasts:
            if random.random() < 0.7:
                unit = replace(unit, what="convert")
        if "Proxy" in kinds and random.random() < 0.3:
            unit = replace(unit, under=random.choice([power for power in powers if power != unit.power] or [""]))
        found.append(unit)
    return found


def first_turn_of(rules: Ruleset, phase: Phase = Phase.MOVEMENT) -> Turn:
    """The first movement turn of a variant, or its first of another phase."""
    turn = rules.first_turn()
    while turn.phase is not phase:
        turn = rules.next_turn(turn)
    return turn


def turn_of(rules: Ruleset, units: Sequence[Ordered]) -> tuple[Position, list[Sheet]]:
    """Such a position and its sheets as the judge takes them."""
    orders = [Sheet(u.power, (rules.reader.order(order_text(u, units), Phase.MOVEMENT, u.power),)) for u in units]
    return Position(first_turn_of(rules), tuple(Unit(u.kind, u.at, u.power) for u in units)), list(merge_sheets(orders))


def readings_by_chance(rules: Ruleset, random: Random) -> dict[str, Reading]:
    """A reading of every disputed point and of every option of a variant's own, drawn by lot."""
    return {option.name: random.choice(option.readings) for option in rules.declared_options}


def order_text(unit: Ordered, units: Sequence[Ordered]) -> str:
    """An order in short style."""
    mine = f"{unit.kind} {unit.at}"
    if unit.what == "hold":
        return f"{mine} H"
    if unit.what == "convert":
        return f"{mine} converts to {'F' if unit.kind == 'A' else 'A'}"
    way = " - ".join((*unit.names, unit.to))
    if unit.ferry:
        return f"{mine} - {way} by ferry F {unit.ferry[0]} - {unit.ferry[1]}"
    if unit.what == "move" and unit.helps:
        return f"{mine} - {unit.to} ferries A {unit.helps} - {unit.lands}"
    if unit.what == "move":
        return f"{mine} - {way}" + (" via convoy" if unit.via and not unit.names else "")
    other = next(f"{u.kind} {u.at}" for u in units if u.place == unit.helps)
    letter = "S" if unit.what == "support" else "C"
    return f"{mine} {letter} {other}" + (f" - {unit.to}" if unit.to else "")


def ferry_position(board: Board, powers: Sequence[str], seed: int) -> list[Ordered]:
    """Units round a sea, with armies that are ferried by moving fleets, some of them in chains."""
    return _Maker(board, powers, Random(seed), 0.0).make_ferries()


class _Maker:
    def __init__(self, board: Board, powers: Sequence[str], random: Random, strong: float) -> None:
        self.board = board
        self.powers = powers
        self.random = random
        self.strong = strong
        self.units: dict[str, Ordered] = {}
        self.free: list[str] = []

    def make(self) -> list[Ordered]:
        self.place()
        random = self.random
        self.free = list(self.units)
        random.shuffle(self.free)
        for _ in range(random.choice((0, 0, 1, 1, 2))):
            self.convoy()
        if random.random() < 0.3:
            self.circle()
        if random.random() < 0.3:
            self.head_to_head()
        self.attacks()
        self.help()
        return list(self.units.values())

    def make_convoys(self) -> list[Ordered]:
        random, board = self.random, self.board
        self.place(random.choice([p for p in board.provinces if board.provinces[p].sea]), at_least=10)
        self.free = list(self.units)
        random.shuffle(self.free)
        goals = [goal for goal in (self.convoy(bare=True) for _ in range(random.randint(1, 3))) if goal]
        for start, army in list(self.units.items()):
            if army.what == "move":
                self.second_route(start, army)
                if army.goal in self.free and random.random() < 0.5:
                    self.opposite(start, army)
        fleets = [p for p, u in self.units.items() if u.what == "convoy"]
        attacked: set[str] = set()
        for goal in dict.fromkeys(goals):
            within = [f for f in fleets if goal in self.supporters(f)]
            if goal not in self.free or not within:
                continue
            fleet = random.choice(within)
            attackers = [p for p in self.free if p != goal and self.arrivals(self.units[p], fleet)]
            if attackers and random.random() < 0.7:
                attacker = random.choice(attackers)
                self.order(attacker, what="move", to=fleet)
                self.order(goal, what="support", helps=attacker, to=fleet)
                attacked.add(fleet)
            else:
                self.order(goal, what="support", helps=fleet)
        for fleet in fleets:  # attacks with one support or two, that beat or do not beat what defends
            near = [p for p in self.free if self.arrivals(self.units[p], fleet)]
            if fleet not in attacked and near and random.random() < 0.7:
                attacker = near.pop()
                self.order(attacker, what="move", to=fleet)
                for helper in near[: random.choice((0, 1, 1, 2))]:
                    self.order(helper, what="support", helps=attacker, to=fleet)
        if random.random() < 0.4:
            self.attacks()
        if random.random() < 0.6:
            self.help()
        return list(self.units.values())

    def make_ferries(self) -> list[Ordered]:
        random, board = self.random, self.board
        self.place(random.choice([p for p in board.provinces if board.provinces[p].sea]), at_least=8)
        self.free = list(self.units)
        random.shuffle(self.free)
        for _ in range(random.randint(1, 3)):
            self.ferry()
        if random.random() < 0.4:
            self.convoy()
        self.attacks()
        self.help()
        return list(self.units.values())

    def ferry(self) -> None:
        """An army that a fleet carries over, perhaps with further fleets before or behind it."""
        random, board, units = self.random, self.board, self.units
        fleets = [p for p in self.free if board.provinces[p].sea]
        if not fleets:
            return
        start = random.choice(fleets)
        seas = sorted(p for p in map(province_of, self.touched(start)) if board.provinces[p].sea)
        if not seas:
            return
        sea = random.choice(seas)
        others = [p for p in fleets if p not in (start, sea)]
        before = [p for p in others if start in self.touched(p)]
        behind = [p for p in others if sea in self.touched(p)]
        chain_before = random.sample(before, k=min(len(before), random.random() < 0.25))
        chain_behind = random.sample(behind, k=min(len(behind), random.random() < 0.35))
        boards = {province_of(x) for p in (*chain_before, start) for x in self.touched(p)}
        lands = {
            province_of(x)
            for p in (*chain_behind, sea)
            for x in self.touched(p)
            if not board.provinces[province_of(x)].sea
        }
        armies = [p for p in self.free if p in boards and units[p].kind == "A"]
        if not armies or not lands:
            return
        place = random.choice(sorted(armies))
        goals = sorted(lands - {place})
        if not goals:
            return
        taken = [g for g in goals if g in units]
        goal = random.choice(taken if taken and random.random() < 0.5 else goals)
        names = tuple(p for p in (*chain_before, start, sea, *chain_behind) if random.random() < 0.8)
        self.order(place, what="move", to=goal, ferry=(start, sea), names=names if random.random() < 0.5 else ())
        for fleet in {*chain_before, *chain_behind}:
            if random.random() < 0.9:
                self.order(fleet, what="convoy", helps=place, to=goal)
        dice = random.random()
        if dice < 0.5 and units[start].power != units[place].power:
            self.order(start, what="move", to=sea, helps=place, lands=goal)
        elif dice < 0.9:
            self.order(start, what="move", to=sea)

    def place(self, start: str = "", at_least: int = 3) -> None:
        board, random = self.board, self.random
        near = [start or random.choice(list(board.provinces))]
        for here in near:
            others = sorted(board.adjacent(here) - set(near))
            random.shuffle(others)
            near += others
        size = random.randint(at_least, min(24, len(near)))
        crowd = random.sample(near[: int(size * random.uniform(1.0, 1.8)) + 1], k=size) if size < len(near) else near
        powers = random.sample(
            list(self.powers), k=random.randint(min(len(self.powers), 5) if start else 2, len(self.powers))
        )
        for name in crowd:
            province = board.provinces[name]
            if province.sea or (province.shore and random.random() < 0.35):
                kind, at = "F", random.choice(province.locations)
            else:
                kind, at = ("D" if random.random() < self.strong else "A"), name
            self.units[name] = Ordered(random.choice(powers), kind, at)

    def reach(self, unit: Ordered) -> list[str]:
        return sorted(self.board.reach("fleet" if unit.kind == "F" else "army", unit.at))

    def order(self, place: str, **changes: Any) -> None:
        self.units[place] = replace(self.units[place], **changes)
        self.free.remove(place)

    def convoy(self, bare: bool = False) -> str | None:
        """An army and a chain of fleets; unless ``bare``, often aimed at a unit that supports an attack on that chain.

        Where it goes."""
        board, random, units = self.board, self.random, self.units
        armies = [p for p in self.free if units[p].kind == "A" and board.provinces[p].shore]
        if not armies:
            return None
        start = random.choice(armies)
        paths: list[list[str]] = [[start]]
        goals: dict[str, list[str]] = {}
        seen = {start}
        for path in paths:
            for other in sorted({province_of(x) for x in self.touched(path[-1])}):
                if board.provinces[other].sea and other in self.free and other not in seen and len(path) < 5:
                    seen.add(other)
                    paths.append([*path, other])
                elif not board.provinces[other].sea and len(path) > 1 and other != start:
                    goals.setdefault(other, path[1:])
        if not goals:
            return None
        neighbors = [g for g in goals if g in board.reach("army", start)]
        taken = [g for g in goals if g in units]
        at_sea = [p for p, u in units.items() if u.what == "convoy"]
        bearing = [g for g in taken if g in self.free and any(g in self.supporters(f) for f in (*goals[g], *at_sea))]
        pools = [bearing] * (4 * bare) + [neighbors, taken, list(goals)]
        goal = random.choice(random.choice([pool for pool in pools if pool]))
        fleets = goals[goal]
        self.order(start, what="move", to=goal, via=goal in neighbors and random.random() < 0.5)
        for fleet in fleets:
            if random.random() < 0.93:
                self.order(fleet, what="convoy", helps=start, to=goal)
        if bare:
            return goal
        if goal in self.free and random.random() < 0.6:  # the seed of a paradox
            target = random.choice(fleets)
            if goal in self.supporters(target):
                attackers = [p for p in self.free if p != goal and self.arrivals(units[p], target)]
                if attackers:
                    attacker = random.choice(attackers)
                    self.order(attacker, what="move", to=target)
                    self.order(goal, what="support", helps=attacker, to=target)
                else:
                    self.order(goal, what="support", helps=target)
        if (
            goal in self.free
            and start in board.reach("army", goal)
            and units[goal].kind == "A"
            and random.random() < 0.5
        ):
            self.order(goal, what="move", to=start, via=random.random() < 0.2)
        return goal

    def second_route(self, start: str, army: Ordered) -> None:
        """A further fleet that convoys the army by itself."""
        for fleet in list(self.free):
            if self.board.provinces[fleet].sea and {start, army.goal} <= {province_of(x) for x in self.touched(fleet)}:
                self.order(fleet, what="convoy", helps=start, to=army.goal)
                return

    def opposite(self, start: str, army: Ordered) -> None:
        """The unit where the army goes attacks the army's province, or supports an attack on it; others join on both
        sides."""
        random, there = self.random, self.units[army.goal]
        back = self.arrivals(there, start)
        others = [p for p in self.free if p != there.place and self.arrivals(self.units[p], start)]
        if not back or not others:
            return
        third = others.pop()
        self.order(third, what="move", to=random.choice(self.arrivals(self.units[third], start)))
        if random.random() < 0.5:
            self.order(there.place, what="support", helps=third, to=start)
            return
        self.order(there.place, what="move", to=random.choice(back))
        for helper in [p for p in self.free if self.arrivals(self.units[p], army.goal)][:2]:
            self.order(helper, what="support", helps=start, to=army.goal)
        for helper in others:
            if helper in self.free:
                self.order(helper, what="support", helps=random.choice((third, there.place)), to=start)

    def touched(self, place: str) -> set[str]:
        """What a fleet passes to from any coast of a place (or, at sea, from the place)."""
        province = self.board.provinces[place]
        return {x for here in province.locations for x in self.board.reach("fleet", here)}

    def arrivals(self, unit: Ordered, place: str) -> list[str]:
        return [x for x in self.reach(unit) if province_of(x) == place]

    def supporters(self, place: str) -> list[str]:
        return [p for p, u in self.units.items() if p != place and self.arrivals(u, place)]

    def circle(self) -> None:
        """Units that move round."""
        random = self.random
        for start in random.sample(self.free, k=min(3, len(self.free))):
            path = [start]
            while len(path) < 5:
                unit = self.units[path[-1]]
                if len(path) > 2 and self.arrivals(unit, start):
                    for here, there in zip(path, [*path[1:], start], strict=True):
                        self.order(here, what="move", to=random.choice(self.arrivals(self.units[here], there)))
                    return
                onward = [p for p in self.free if p not in path and self.arrivals(unit, p)]
                if not onward:
                    break
                path.append(random.choice(onward))

    def head_to_head(self) -> None:
        pairs = [
            (a, b)
            for a in self.free
            for b in self.free
            if a < b and self.arrivals(self.units[a], b) and self.arrivals(self.units[b], a)
        ]
        if pairs:
            a, b = self.random.choice(pairs)
            to_b, to_a = self.arrivals(self.units[a], b), self.arrivals(self.units[b], a)
            self.order(a, what="move", to=self.random.choice(to_b))
            self.order(b, what="move", to=self.random.choice(to_a))

    def attacks(self) -> None:
        """Single moves, mostly to where something stands or others go."""
        random = self.random
        for place in list(self.free):
            reach = self.reach(self.units[place])
            if not reach or random.random() > 0.45:
                continue
            busy = set(self.units) | {province_of(u.to) for u in self.units.values() if u.what == "move"}
            hot = [x for x in reach if province_of(x) in busy]
            to = random.choice(hot if hot and random.random() < 0.75 else reach)
            if random.random() < 0.2:
                to = province_of(to)
            self.order(place, what="move", to=to)

    def help(self) -> None:
        """Supports (also of foreign units, of units that stay, and of nothing), and the rest holds."""
        random, units = self.random, self.units
        for place in list(self.free):
            unit = units[place]
            near = {province_of(x) for x in self.reach(unit)}
            moves = [p for p, u in units.items() if p != place and u.what == "move" and u.goal in near]
            attacked = {units[p].goal for p in units if units[p].what == "move"}
            stays = [p for p in near & units.keys() if units[p].what != "move"]
            dice = random.random()
            if moves and dice < 0.65:
                helped = units[random.choice(moves)]
                to = helped.to if random.random() < 0.8 else helped.goal
                self.order(place, what="support", helps=helped.place, to=to)
            elif stays and dice < 0.85:
                pressed = [p for p in stays if p in attacked]
                self.order(place, what="support", helps=random.choice(sorted(pressed or stays)))
            elif units and near and dice < 0.9:
                other = random.choice(sorted(units))
                if other != place:
                    self.order(place, what="support", helps=other, to=random.choice(sorted(near)))
