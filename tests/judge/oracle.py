"""A slow, plain decision procedure for movement, written from the equations of DATC 5.B; it shares nothing with the judge's core.

It guesses: every assignment of "moves or not" to the moving units and "stands or not" to the convoys is a candidate, and the equations say whether it is consistent. Orders that
cannot influence each other are taken apart first, so that the search stays small.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

LARGEST = 14  # binary guesses in one knot; beyond this a position is too tangled to be searched


class TooTangled(Exception):
    """A knot with too many guesses for this oracle."""


@dataclass
class Unit:
    """A unit and what it does; ``order`` is hold, move, support or convoy, matched to other units' orders by the caller."""

    place: str
    power: str
    order: str = "hold"
    target: str = ""  # where it moves, or where the supported unit moves or stays
    helps: int = -1  # the unit it supports or convoys
    by_convoy: bool = False
    strength: int = 1


@dataclass
class Answer:
    """Who moves, which supports count, which units are dislodged by whom."""

    moves: dict[int, bool] = field(default_factory=dict)
    supports: dict[int, int] = field(default_factory=dict)


class Oracle:
    """One position. ``near`` tells whether fleets pass between two provinces."""

    def __init__(self, units: list[Unit], near: set[tuple[str, str]]) -> None:
        self.units = units
        self.near = near
        self.movers = [i for i, u in enumerate(units) if u.order == "move"]
        self.convoyed = [i for i in self.movers if units[i].by_convoy]
        self.supporters = [i for i, u in enumerate(units) if u.order == "support"]
        self.at = {u.place: i for i, u in enumerate(units)}
        self.known: dict[tuple[str, int], bool] = {}  # decided guesses
        self.broken: set[int] = set()  # fleets whose convoy fails by Szykman's rule

    # The equations; every one takes a complete assignment

    def route(self, a: dict[tuple[str, int], bool], i: int) -> bool:
        """PATH: the fleets that convoy and are not dislodged lead from the army to its goal."""
        unit = self.units[i]
        open_fleets = {
            f
            for f, u in enumerate(self.units)
            if u.order == "convoy" and u.helps == i and f not in self.broken and not self.dislodged(a, f)
        }
        reached = {f for f in open_fleets if (unit.place, self.units[f].place) in self.near}
        while True:
            more = {
                f
                for f in open_fleets - reached
                if any((self.units[g].place, self.units[f].place) in self.near for g in reached)
            }
            if not more:
                break
            reached |= more
        return any((self.units[f].place, unit.target) in self.near for f in reached)

    def dislodged(self, a: dict[tuple[str, int], bool], i: int) -> bool:
        return not a.get(("move", i), False) and any(
            a["move", k] and self.units[k].target == self.units[i].place for k in self.movers
        )

    def has_route(self, a: dict[tuple[str, int], bool], i: int) -> bool:
        return not self.units[i].by_convoy or a["route", i]

    def support(self, a: dict[tuple[str, int], bool], i: int) -> int:
        """SUPPORT: its strength less the strongest single attack from elsewhere than the province it is aimed at."""
        unit = self.units[i]
        worst = 0
        for k in self.movers:
            other = self.units[k]
            if other.target != unit.place or other.power == unit.power or not self.has_route(a, k):
                continue
            if a["move", k]:
                return 0
            if other.place != unit.target:
                worst = max(worst, other.strength + self.help(a, k, unit.power) if unit.strength > 1 else 1)
        return max(0, unit.strength - worst)

    def help(self, a: dict[tuple[str, int], bool], i: int, without: str = "") -> int:
        return sum(
            self.support(a, s)
            for s in self.supporters
            if self.units[s].helps == i and (not without or self.units[s].power != without)
        )

    def head_to_head(self, i: int, k: int) -> bool:
        one, other = self.units[i], self.units[k]
        return (
            other.order == "move"
            and other.target == one.place
            and one.target == other.place
            and not one.by_convoy
            and not other.by_convoy
        )

    def attack(self, a: dict[tuple[str, int], bool], i: int) -> int:
        unit = self.units[i]
        if not self.has_route(a, i):
            return 0
        d = self.at.get(unit.target)
        if d is None or (self.units[d].order == "move" and not self.head_to_head(i, d) and a["move", d]):
            return unit.strength + self.help(a, i)
        if self.units[d].power == unit.power:
            return 0
        return unit.strength + self.help(a, i, self.units[d].power)

    def hold(self, a: dict[tuple[str, int], bool], place: str) -> int:
        d = self.at.get(place)
        if d is None or (self.units[d].order == "move" and a["move", d]):
            return 0
        unit = self.units[d]
        return unit.strength + (0 if unit.order == "move" else self.help(a, d))

    def prevent(self, a: dict[tuple[str, int], bool], i: int) -> int:
        unit = self.units[i]
        if not self.has_route(a, i):
            return 0
        d = self.at.get(unit.target)
        if d is not None and self.head_to_head(i, d) and a["move", d]:
            return 0
        return unit.strength + self.help(a, i)

    def succeeds(self, a: dict[tuple[str, int], bool], i: int) -> bool:
        unit = self.units[i]
        attack = self.attack(a, i)
        d = self.at.get(unit.target)
        if d is not None and self.head_to_head(i, d):
            against = self.units[d].strength + self.help(a, d)
        else:
            against = self.hold(a, unit.target)
        rivals = [self.prevent(a, k) for k in self.movers if k != i and self.units[k].target == unit.target]
        return attack > max([against, *rivals])

    # Which guesses lean on which

    def guesses(self) -> list[tuple[str, int]]:
        return [("move", i) for i in self.movers] + [("route", i) for i in self.convoyed]

    def leans(self, guess: tuple[str, int]) -> set[tuple[str, int]]:
        """Every guess whose value could enter the equation of ``guess``."""
        kind, i = guess
        unit = self.units[i]
        found: set[tuple[str, int]] = set()
        if kind == "route":
            for u in self.units:
                if u.order == "convoy" and u.helps == i:
                    found |= {("move", k) for k in self.movers if self.units[k].target == u.place}
            return found
        d = self.at.get(unit.target)
        concerned = {i} | {k for k in self.movers if self.units[k].target == unit.target}
        if d is not None:
            concerned.add(d)
            if self.units[d].order == "move":
                found.add(("move", d))
        for k in concerned:
            if k in self.convoyed:
                found.add(("route", k))
            seen: set[int] = set()
            stack = [s for s in self.supporters if self.units[s].helps == k]
            while stack:
                s = stack.pop()
                if s in seen:
                    continue
                seen.add(s)
                for m in self.movers:
                    if self.units[m].target == self.units[s].place and self.units[m].power != self.units[s].power:
                        if m in self.convoyed:
                            found.add(("route", m))
                        if self.units[m].place == self.units[s].target or self.units[s].strength > 1:
                            found.add(("move", m))
                        if self.units[s].strength > 1:
                            stack += [t for t in self.supporters if self.units[t].helps == m]
        return found - {guess} | ({guess} & found)

    def consistent(self, a: dict[tuple[str, int], bool], guess: tuple[str, int]) -> bool:
        kind, i = guess
        return a[guess] == (self.succeeds(a, i) if kind == "move" else self.route(a, i))

    def decide(self) -> Answer:
        """Solve knot by knot, what depends on nothing undecided first.

        :raises TooTangled: when a knot has too many guesses.
        """
        while True:
            left = [g for g in self.guesses() if g not in self.known]
            if not left:
                break
            deps = {g: {x for x in self.leans(g) if x not in self.known} for g in left}
            self._solve(_innermost(deps))
        answer = Answer()
        for i in self.movers:
            answer.moves[i] = self.known["move", i]
        for s in self.supporters:
            answer.supports[s] = self.support(self.known, s)
        return answer

    def _solve(self, knot: list[tuple[str, int]]) -> None:
        if len(knot) > LARGEST:
            raise TooTangled(len(knot))
        solutions = []
        for bits in itertools.product((False, True), repeat=len(knot)):
            a = {**_Unknown(), **self.known, **dict(zip(knot, bits, strict=True))}
            full = _Filled(a)
            if all(self.consistent(full, g) for g in knot):
                solutions.append(dict(zip(knot, bits, strict=True)))
        if len(solutions) == 1:
            self.known.update(solutions[0])
            return
        # values that all solutions share are settled; the rest is a real paradox or circle
        core = self._core(knot, solutions)
        routes = [g for g in core if g[0] == "route"]
        if routes:
            for _, army in routes:
                for f, u in enumerate(self.units):
                    if (
                        u.order == "convoy"
                        and u.helps == army
                        and any(("move", k) in core and self.units[k].target == u.place for k in self.movers)
                    ):
                        self.broken.add(f)
            return
        if len(solutions) > 1:  # circular movement: the solution in which the circle moves
            self.known.update(max(solutions, key=lambda s: sum(s.values())))
            return
        raise TooTangled("no solution without a convoy")

    def _core(self, knot: list[tuple[str, int]], solutions: list[dict[tuple[str, int], bool]]) -> set[tuple[str, int]]:
        """The guesses that really take part: those on which the solutions differ; without any solution, the smallest part that has none by itself."""
        if solutions:
            return {g for g in knot if len({s[g] for s in solutions}) > 1}
        for size in range(1, len(knot) + 1):
            for part in itertools.combinations(knot, size):
                rest = [g for g in knot if g not in part]
                # the part is paradoxical if it has no solution whatever the rest is
                if all(
                    not any(
                        all(
                            self.consistent(
                                _Filled(
                                    {**self.known, **dict(zip(rest, r, strict=True)), **dict(zip(part, b, strict=True))}
                                ),
                                g,
                            )
                            for g in part
                        )
                        for b in itertools.product((False, True), repeat=size)
                    )
                    for r in itertools.product((False, True), repeat=len(rest))
                ):
                    return set(part)
        return set(knot)


class _Unknown(dict[tuple[str, int], bool]):
    pass


class _Filled(dict[tuple[str, int], bool]):
    """An assignment in which guesses outside the knot that do not matter read as false."""

    def __missing__(self, key: tuple[str, int]) -> bool:
        return False


def _innermost(deps: dict[tuple[str, int], set[tuple[str, int]]]) -> list[tuple[str, int]]:
    """A set of guesses that depend on nothing outside it, as small as can be."""

    def closure(start: tuple[str, int]) -> set[tuple[str, int]]:
        seen = {start}
        stack = [start]
        while stack:
            for other in deps[stack.pop()]:
                if other not in seen:
                    seen.add(other)
                    stack.append(other)
        return seen

    return sorted(min((closure(g) for g in deps), key=len))
