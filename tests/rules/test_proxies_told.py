"""What the verdict on a grant says: what its commander ordered, or why the unit holds (W-12)."""

import pytest

from legation.judge import resolve
from legation.notation import write
from legation.orders import Sheet
from legation.position import Position, Turn, Unit
from legation.rules.proxy import Proxy
from legation.variants import load


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        ("Crown A london - surrey", "Hamilton orders A london - surrey"),
        ("A deptf H", "Hamilton sent no order for it, so the unit holds"),
    ],
)
def test_a_grant_is_told_by_what_its_commander_ordered(sent: str, reason: str) -> None:
    rules = load("three-kingdoms")
    units = (Unit("A", "london", "Crown"), Unit("A", "deptf", "Hamilton"))
    position = Position(Turn.parse("Spring 1643 Movement"), units, owners={"london": "Crown"})
    orders, errors = rules.reader.orders(sent, position.turn.phase, "Hamilton", position)
    assert errors == []
    sheets = [Sheet("Crown", (Proxy("A", "london", "Hamilton"),)), Sheet("Hamilton", tuple(orders))]
    [verdict] = [v for v in resolve(rules, position, sheets).verdicts if isinstance(v.order, Proxy)]
    assert verdict.cause is not None and verdict.cause.reason == reason, write(verdict.order)
