"""The compiled core gives what the interpreted one gives, circles and other readings included."""

from __future__ import annotations

import pytest

from legation.judge.movement import Movement
from legation.orders import Sheet
from legation.position import Phase, Position, Turn, Unit
from legation.variants import load
from tests.judge.positions import order_text, random_position, tangled_position

pytest.importorskip("numba", reason="the compiled core needs the extra 'lab'")


@pytest.mark.parametrize("options", [{}, {"dislodged_bounces": "never"}, {"convoy_paradox": "1982"}], ids=str)
def test_compiled_and_interpreted_core_agree(options: dict[str, object]) -> None:
    from legation.lab.compiled import batch_of, resolve_batch

    rules = load("standard", options)
    powers = list(rules.powers)
    problems = []
    for make in (random_position, tangled_position):
        for seed in range(150):
            units = make(rules.board, powers, seed)
            position = Position(Turn.parse("Spring 1901 Movement"), tuple(Unit(u.kind, u.at, u.power) for u in units))
            orders = [rules.reader.order(order_text(u, units), Phase.MOVEMENT, u.power) for u in units]
            sheets = [Sheet(u.power, (order,)) for u, order in zip(units, orders, strict=True)]
            problems.append(Movement(rules, position, sheets).problem)
    assert sum(bool(p.work) for p in problems) > 5  # some have circles that bounds do not decide
    found = resolve_batch(batch_of(problems))
    assert [list(row[: p.n]) for row, p in zip(found, problems, strict=True)] == [list(p.moves) for p in problems]
