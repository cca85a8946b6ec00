"""The solver of seatings: as good as the best of all that there are, within its bound, and by lot among equals."""

import random
from collections import Counter
from itertools import combinations, permutations

import pytest

from legation.scoring.seating_solver import seat
from legation.scoring.tournament import Seating

Boards = list[list[int]]


def past_of(chance: random.Random, people: int, powers: int, rounds: int) -> list[list[tuple[int, int]]]:
    """Rounds that were seated by lot alone."""
    past = []
    for _ in range(rounds):
        order = chance.sample(range(people), people)
        past += [[(order[at + power], power) for power in range(powers)] for at in range(0, people, powers)]
    return past


def cost_of(boards: Boards, past: list[list[tuple[int, int]]], powers: int) -> int:
    """What a seating costs, counted here by itself."""
    played = Counter(one for board in past for one in board)
    met = Counter(frozenset(pair) for board in past for pair in combinations([person for person, _ in board], 2))
    again = 1 + powers**2 * max(met.values(), default=0) ** 2
    costs = [again * played[person, power] ** 2 for board in boards for power, person in enumerate(board)]
    return sum(costs) + sum(met[frozenset(pair)] ** 2 for board in boards for pair in combinations(board, 2))


@pytest.mark.parametrize("seed", range(6))
def test_no_seating_is_better(seed: int) -> None:
    people, powers = 6, 3
    past = past_of(random.Random(seed), people, powers, 1 + seed % 3)
    found = seat(people, powers, past, {}, seed, 20)
    every = ([list(order[:3]), list(order[3:])] for order in permutations(range(people)))
    best = min(cost_of(boards, past, powers) for boards in every)
    assert found.cost == found.least == best == cost_of(found.boards, past, powers)


def is_whole(found: Seating, people: int) -> bool:
    return sorted(person for board in found.boards for person in board) == list(range(people))


@pytest.mark.long
def test_forty_nine_people_meet_nobody_twice_in_three_rounds() -> None:
    past: list[list[tuple[int, int]]] = []
    for number in range(3):
        found = seat(49, 7, past, {}, number, 60)
        assert is_whole(found, 49) and (found.powers, found.meetings, found.cost) == (0, 0, 0)
        past += [[(person, power) for power, person in enumerate(board)] for board in found.boards]


def test_powers_dealt_first_come_again_as_seldom_as_can_be() -> None:
    past = past_of(random.Random(5), 12, 4, 2)
    found, whole = seat(12, 4, past, {}, 1, 20, True), seat(12, 4, past, {}, 1, 20)
    assert is_whole(found, 12) and found.powers == whole.powers == 0 and whole.cost <= found.cost


def test_who_has_a_board_sits_there_and_chance_decides_the_rest() -> None:
    fixed = {0: 1, 1: 1, 2: 1}
    seatings = [seat(9, 3, [], fixed, seed, 20).boards for seed in range(5)]
    assert all(sorted(boards[1]) == [0, 1, 2] for boards in seatings)
    assert len({str(boards) for boards in seatings}) > 1 and seatings[0] == seat(9, 3, [], fixed, 0, 20).boards


def test_what_cannot_be_seated_is_told() -> None:
    with pytest.raises(ValueError, match="no seating"):
        seat(6, 3, [], dict.fromkeys(range(4), 0), 1, 20)
