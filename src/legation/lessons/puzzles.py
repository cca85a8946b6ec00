"""Puzzles: take or keep a place whatever the others order, in positions of real games.

They are found by :func:`find`, which tries every sheet that has to do with the place against every reply, and kept in
``puzzles``, a file for each variant."""

import datetime
import hashlib
from collections.abc import Iterator
from functools import lru_cache
from importlib import resources
from itertools import product
from math import prod
from typing import Any

import msgspec

from legation.board import province_of
from legation.formats import decode_json, read_file
from legation.game import position_document
from legation.judge import Ruleset, legal_orders, resolve
from legation.lessons.goals import Goal
from legation.lessons.lesson import Step
from legation.lessons.replies import MOST_REPLIES, count_replies, refutations, replies_about, touches
from legation.notation import write
from legation.orders import Hold, Order, Sheet, UnitOrder
from legation.position import Phase, Position

MOST_SHEETS = 1_500
MOST_SOLUTIONS = 3
FEWEST_TRIES = 4
"""Sheets that would do if the others only held, for each that does whatever they order: fewer give no thought."""


class Puzzle(msgspec.Struct, frozen=True):
    """A puzzle: ``power`` is to stand in ``place`` after the turn, whatever the others order.

    ``solutions`` are the orders that are needed, one of them each; ``tempting`` counts the sheets that would do only if
    the others held. ``source`` says from which game it comes."""

    id: str
    variant: str
    power: str
    place: str
    position: dict[str, Any]
    solutions: tuple[tuple[str, ...], ...]
    tempting: int
    source: str = ""

    @property
    def holds(self) -> bool:
        """Whether the place is to be kept, not taken."""
        return any(
            unit.rpartition(" ")[2].partition("/")[0] == self.place for unit in self.position["units"][self.power]
        )

    @property
    def step(self) -> Step:
        """The puzzle as a step of a lesson."""
        goal = Goal(stands={self.power: (self.place,)})
        setup = {"variant": self.variant, **self.position}
        return Step(self.power, "", goal, setup, self.solutions[0], whatever=True)


@lru_cache(maxsize=8)
def puzzles(variant: str) -> dict[str, Puzzle]:
    """All puzzles of a variant, by their ids; none where it has none."""
    file = resources.files("legation.lessons") / "puzzles" / f"{variant}.jsonl"
    if not file.is_file():
        return {}
    lines = read_file(file).decode().splitlines()
    return {puzzle.id: puzzle for puzzle in (decode_json(line, type=Puzzle) for line in lines)}


def puzzle_of_day(variant: str, day: datetime.date) -> Puzzle | None:
    """Return the puzzle of a day: one after the other, so that none comes again before all were shown."""
    known = list(puzzles(variant).values())
    return known[day.toordinal() % len(known)] if known else None


def find(rules: Ruleset, position: Position, source: str = "") -> Iterator[Puzzle]:
    """The puzzles of a position."""
    if position.turn.phase is not Phase.MOVEMENT:
        return
    legal = {
        power: [order for order in orders if isinstance(order, UnitOrder)]
        for power, orders in legal_orders(rules, position).items()
    }
    about: dict[str, list[tuple[str, UnitOrder]]] = {}
    for power, orders in legal.items():
        for order in orders:
            for place in touches(order):
                about.setdefault(place, []).append((power, order))
    for power in rules.powers:
        for place, orders_about in sorted(about.items()):
            against = {order.at for owner, order in orders_about if owner != power}
            if len(against) < 2 or sum(owner == power for owner, _ in orders_about) < 2:
                continue  # nobody contests it
            if found := _search(rules, position, power, place, legal[power], against):
                solutions, tempting = found
                document = position_document(rules, position)
                kept = {
                    key: document[key] for key in ("turn", "units", "centers", "state", "options") if document.get(key)
                }
                told = f"{rules.name} {position} {power} {place}"
                name = hashlib.sha256(told.encode()).hexdigest()[:8]
                yield Puzzle(name, rules.name, power, place, kept, solutions, tempting, source)


def _search(
    rules: Ruleset, position: Position, power: str, place: str, mine: list[UnitOrder], against: set[str]
) -> tuple[tuple[tuple[str, ...], ...], int] | None:
    """Return the sheets that hold or take a place against all orders, and how many only seem to; None: no puzzle."""
    goal = Goal(stands={power: (place,)})
    about = {place} | {province_of(at) for at in against}
    by_unit: dict[str, list[Order]] = {}
    for order in mine:
        if touches(order) & about:
            by_unit.setdefault(order.at, []).append(order)
    units = {unit.at: unit for unit in position.units}
    options = [[Hold(units[at].kind, at), *orders] for at, orders in by_unit.items()]
    if not 8 <= prod(map(len, options)) <= MOST_SHEETS:
        return None
    replies = replies_about(rules, position, power, about | {province_of(at) for at in by_unit})
    if not 12 <= count_replies(replies) <= MOST_REPLIES:
        return None

    def misses(sheets: list[Sheet]) -> bool:
        return bool(goal.missed(rules, resolve(rules, position, sheets)))

    solutions: list[frozenset[Order]] = []
    tempting = 0
    known: list[list[Sheet]] = []  # replies that refuted other sheets: likely to refute the next one, too
    for orders in sorted(product(*options), key=lambda sheet: sum(not isinstance(o, Hold) for o in sheet)):
        needed = frozenset(order for order in orders if not isinstance(order, Hold))
        if any(solution <= needed for solution in solutions):
            continue
        sheet = Sheet(power, orders)
        if misses([sheet]):
            continue
        tempting += 1
        if any(misses([sheet, *reply]) for reply in known):
            continue
        refuted = next(refutations(rules, position, sheet, goal, replies), None)
        if refuted is not None:
            known.insert(0, [Sheet(v.power, (v.order,)) for v in refuted.verdicts if v.power != power])
            continue
        if len(needed) < 2 or len(solutions) == MOST_SOLUTIONS:
            return None
        solutions.append(needed)
    if not solutions or tempting < FEWEST_TRIES * len(solutions):
        return None
    return tuple(tuple(sorted(map(write, solution))) for solution in solutions), tempting
