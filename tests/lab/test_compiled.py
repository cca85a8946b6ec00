"""The compiled core gives what the interpreted one gives, circles and other readings included."""

from __future__ import annotations

from types import FunctionType

import pytest

from legation.judge.core import Problem, bounds, cycles, problem
from legation.judge.movement import Movement
from legation.orders import Sheet
from legation.position import Phase, Position, Turn, Unit
from legation.variants import load
from tests.judge.positions import order_text, random_position, tangled_position

pytest.importorskip("numba", reason="the compiled core needs the extra 'lab'")


def turns_of(options: dict[str, object], seeds: range) -> list[Problem]:
    """Turns on the standard board, half of them with many convoys."""
    rules = load("standard", options)
    powers = list(rules.powers)
    problems = []
    for make in (random_position, tangled_position):
        for seed in seeds:
            units = make(rules.board, powers, seed)
            position = Position(Turn.parse("Spring 1901 Movement"), tuple(Unit(u.kind, u.at, u.power) for u in units))
            orders = [rules.reader.order(order_text(u, units), Phase.MOVEMENT, u.power) for u in units]
            sheets = [Sheet(u.power, (order,)) for u, order in zip(units, orders, strict=True)]
            problems.append(Movement(rules, position, sheets).problem)
    return problems


@pytest.mark.parametrize("options", [{}, {"dislodged_bounces": "never"}, {"convoy_paradox": "1982"}], ids=str)
def test_compiled_and_interpreted_core_agree(options: dict[str, object]) -> None:
    from legation.lab.compiled import batch_of, resolve_batch

    problems = turns_of(options, range(150))
    assert sum(bool(p.work) for p in problems) > 5  # some have circles that bounds do not decide
    found = resolve_batch(batch_of(problems))
    assert [list(row[: p.n]) for row, p in zip(found, problems, strict=True)] == [list(p.moves) for p in problems]


def test_a_batch_is_laid_out_as_the_interpreted_core_has_it() -> None:
    """The compiled function's own code, with the interpreted core around it: each turn begins where nothing of the one
    before is left."""
    import numpy as np

    from legation.lab.compiled import _resolve_batch, batch_of, resolve_batch

    batch = batch_of(turns_of({}, range(20)))
    around = {**vars(problem), **vars(bounds), **vars(cycles), "np": np}
    moves = np.zeros(batch.place.shape, dtype=np.int8)
    FunctionType(_resolve_batch.__code__, around)(*batch, moves)
    found = resolve_batch(batch)
    assert all(list(a[:n]) == list(b[:n]) for a, b, n in zip(moves, found, batch.counts, strict=True))
