"""Boards of a tournament's round: who meets whom, and who plays what, so that as little as possible comes twice.

One model for HiGHS (SciPy): each person sits on one board at one power, each power of a board has one person. A power
that somebody played before costs more than any number of meetings on a board can; those cost the square of how often
two have met. The solver proves its answer the best one, or tells how much better another could be.

Only child processes import this module: SciPy takes a second to load."""

import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, linear_sum_assignment, milp
from scipy.sparse import coo_array

from legation.scoring.tournament import Seating

Past = Sequence[Sequence[tuple[int, int]]]
"""Boards that were played: on each the people with their powers, by number (-1: none)."""


class _Model:
    """The model of a round, whose columns are people on boards at powers, then pairs who meet again."""

    def __init__(self, people: int, powers: int, past: Past, seed: int) -> None:
        self.people, self.powers, self.boards = people, powers, people // powers
        self.order = list(range(people))
        random.Random(seed).shuffle(self.order)  # which of many best seatings it is, is left to chance
        self.played = Counter((person, power) for board in past for person, power in board if power >= 0)
        self.met = Counter(pair for board in past for pair in _pairs(board))
        self.first_pair = people * powers * self.boards
        self.pairs = {pair: self.first_pair + number for number, pair in enumerate(self.met)}
        self.width = self.first_pair + len(self.pairs)
        self.again = 1 + powers * powers * max(self.met.values(), default=0) ** 2
        self.cost = np.zeros(self.width)
        for pair, column in self.pairs.items():
            self.cost[column] = self.met[pair] ** 2
        for (person, power), times in self.played.items():
            for board in range(self.boards):
                self.cost[self.at(person, board, power)] = self.again * times**2
        rows = list(self._rows(past))
        entries = [(number, column, value) for number, (terms, _, _) in enumerate(rows) for column, value in terms]
        where = ([row for row, _, _ in entries], [column for _, column, _ in entries])
        matrix = coo_array(([value for _, _, value in entries], where), shape=(len(rows), self.width)).tocsr()
        self.rows = LinearConstraint(matrix, [low for _, low, _ in rows], [high for _, _, high in rows])

    def at(self, person: int, board: int, power: int) -> int:
        """The column that is 1 where a person sits on a board at a power."""
        return (self.order[person] * self.boards + board) * self.powers + power

    def _rows(self, past: Past) -> Iterator[tuple[list[tuple[int, int]], float, float]]:
        places = [(board, power) for board in range(self.boards) for power in range(self.powers)]
        for person in range(self.people):
            yield [(self.at(person, *place), 1) for place in places], 1, 1
        for place in places:
            yield [(self.at(person, *place), 1) for person in range(self.people)], 1, 1
        for pair, column in self.pairs.items():
            for board in range(self.boards):
                both = [(self.at(person, board, power), 1) for person in pair for power in range(self.powers)]
                yield [*both, (column, -1)], -math.inf, 1
        for board_before in past:  # those who sat together must share boards, if they are more than there are boards
            if least := _least_meetings(len(board_before), self.boards):
                yield [(self.pairs[pair], 1) for pair in _pairs(board_before)], least, math.inf

    def solve(self, highest: Any, seconds: float) -> tuple[float, float, Any]:
        """Return cost, bound and columns of the best seating found; an infinite cost where none was."""
        found = milp(
            self.cost,
            constraints=self.rows,
            integrality=np.ones(self.width),
            bounds=Bounds(0, highest),
            options={"time_limit": seconds},
        )
        least = found.mip_dual_bound if found.mip_dual_bound is not None else 0.0
        return (math.inf if found.x is None else float(found.fun)), float(least), found.x

    def dealt_powers(self) -> Any:
        """Return the highest values of the columns once powers are dealt by an exact assignment."""
        columns = [(board, power) for board in range(self.boards) for power in range(self.powers)]
        costs = [[self.cost[self.at(person, *place)] for place in columns] for person in self.order]
        people, chosen = linear_sum_assignment(np.array(costs))
        highest = np.zeros(self.width)
        highest[self.first_pair :] = 1
        for row, column in zip(people, chosen, strict=True):
            for board in range(self.boards):
                highest[self.at(self.order[row], board, columns[column][1])] = 1
        return highest


def seat(
    people: int, powers: int, past: Past, fixed: Mapping[int, int], seed: int, seconds: float, dealt: bool = False
) -> Seating:
    """Seat so many people (a multiple of the powers) on boards. ``fixed``: the boards of people who have one already.
    ``dealt``: powers are dealt first, as seldom again as can be, and boards found for them: much less is tried, and how
    much better another seating could be isn't known.

    :raises ValueError: where the solver found nothing in its time."""
    model = _Model(people, powers, past, seed)
    highest = model.dealt_powers() if dealt else np.ones(model.width)
    for person, only in fixed.items():
        for board in range(model.boards):
            for power in range(powers):
                highest[model.at(person, board, power)] *= board == only
    cost, least, columns = model.solve(highest, seconds)
    if columns is None:
        raise ValueError("no seating was found in time")
    boards = [[-1] * powers for _ in range(model.boards)]
    for person in range(people):
        for board, listed in enumerate(boards):
            for power in range(powers):
                if columns[model.at(person, board, power)] > 0.5:
                    listed[power] = person
    again = sum(model.played[person, power] for board in boards for power, person in enumerate(board))
    meetings = sum(model.met[pair] for board in boards for pair in _pairs([(person, 0) for person in board]))
    return Seating(boards, again, meetings, round(cost, 3), 0.0 if dealt else round(min(cost, least), 3))


def _pairs(board: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    return combinations(sorted(person for person, _ in board), 2)


def _least_meetings(people: int, boards: int) -> int:
    """The pairs that share a board at least, where so many people are spread over so many boards."""
    many, rest = divmod(people, boards)
    return rest * math.comb(many + 1, 2) + (boards - rest) * math.comb(many, 2)
