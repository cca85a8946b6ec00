"""The judge against the oracle on random positions.

``python -m tests.judge.test_oracle --count 100000 --board NAME`` is the long run.
"""

from __future__ import annotations

import argparse
from random import Random

import pytest

from legation.judge import Ruleset
from legation.judge.core import BY_CONVOY, CONVOY, MOVE, SUPPORT, YES
from legation.judge.movement import Movement
from legation.lab.random_play import plausible_sheets
from legation.notation import write
from legation.position import Phase, Position, Turn
from legation.position import Unit as BoardUnit
from legation.variants import load
from tests.judge.oracle import Oracle, TooTangled, Unit

BOARDS = ["standard", "hundred", "hundred1"]


def random_position(rules: Ruleset, random: Random) -> Position:
    """Units anywhere they can stand: crowded in one part of the board, so that orders meet."""
    board = rules.board
    start = random.choice(list(board.provinces))
    near = [start]
    for name in near:
        near += [p for p in sorted(board.adjacent(name)) if p not in near]
    size = random.randint(4, min(30, len(near)))
    places = random.sample(near[: int(size * random.uniform(1.1, 1.8)) + 1], k=min(size, len(near)))
    powers = random.sample(list(rules.powers), k=random.randint(2, len(rules.powers)))
    units = []
    for place in places:
        province = board.provinces[place]
        kind = "F" if province.sea or (province.shore and random.random() < 0.4) else "A"
        at = random.choice(province.locations) if kind == "F" else place
        units.append(BoardUnit(kind, at, random.choice(powers)))
    turn = next(t for t in _turns(rules) if t.phase is Phase.MOVEMENT)
    return Position(turn, tuple(units))


def _turns(rules: Ruleset) -> list[Turn]:
    turn = rules.first_turn()
    turns = [turn]
    for _ in range(6):
        turn = rules.next_turn(turn)
        turns.append(turn)
    return turns


def compare(rules: Ruleset, seed: int) -> str:
    """An empty text if judge and oracle agree on the position of a seed, else what differs; ``tangled`` if the oracle gives up."""
    random = Random(seed)
    position = random_position(rules, random)
    sheets = plausible_sheets(rules, position, random)
    movement = Movement(rules, position, sheets)
    p = movement.problem
    names = list(rules.board.provinces)
    units = []
    for i, unit in enumerate(position.units):
        kind = {MOVE: "move", SUPPORT: "support", CONVOY: "convoy"}.get(p.order[i], "hold")
        units.append(
            Unit(unit.province, unit.power, kind, names[p.target[i]], p.obj[i], p.via[i] == BY_CONVOY, p.force[i])
        )
    near = {(a, b) for i, a in enumerate(names) for j, b in enumerate(names) if p.near[i * p.provinces + j]}
    try:
        answer = Oracle(units, near).decide()
    except TooTangled:
        return "tangled"
    wrong = [i for i, moved in answer.moves.items() if moved != (p.moves[i] == YES)]
    wrong += [i for i, given in answer.supports.items() if given != p.low[i]]
    if not wrong:
        return ""
    orders = "; ".join(f"{s.power}: " + ", ".join(write(o) for o in s.orders) for s in sheets)
    return f"seed {seed}: {', '.join(str(position.units[i]) for i in wrong)} differ in {orders}"


@pytest.mark.parametrize("name", BOARDS)
def test_the_judge_agrees_with_the_oracle(name: str) -> None:
    rules = load(name)
    results = [compare(rules, seed) for seed in range(400)]
    assert [r for r in results if r not in ("", "tangled")] == []
    assert results.count("tangled") < len(results) / 50


def main() -> None:
    """The long run."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--board", default="standard")
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    rules = load(options.board)
    tangled = differing = 0
    for seed in range(options.first, options.first + options.count):
        result = compare(rules, seed)
        if result == "tangled":
            tangled += 1
        elif result:
            differing += 1
            print(result, flush=True)
    print(f"{options.board}: {options.count} positions, {differing} differ, {tangled} were too tangled for the oracle")


if __name__ == "__main__":
    main()
