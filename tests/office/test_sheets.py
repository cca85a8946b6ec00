"""What a sheet says of later phases: orders ahead, conditions, and what comes of them in the turn they are for."""

from __future__ import annotations

import pytest

from legation.game.sheets import carried, interpret_sheet
from legation.judge import resolve
from legation.notation import write
from legation.orders import Sheet
from legation.position import Position, Turn, Unit
from legation.variants import load

RULES = load("standard")
OPENING = RULES.opening()


@pytest.mark.parametrize(
    ("text", "then", "message"),
    [
        ("Retreats:\nA par - bur", "In Retreats, if it is then possible: A par R bur.", ""),
        ("Spring 1901 Retreats:\nA par - gas", "In Spring 1901 Retreats, if it is then possible: A par R gas.", ""),
        ("Builds:\nbuild A par", "In Adjustments, if it is then possible: build A par.", ""),
        ("Retreats:\nA par - nowhere", None, "nowhere"),
        ("Retreats:\nA par S A bur", None, "no such order is given in Retreats"),
        (
            "if dislodged A par: bur, , gas",
            "If A par is dislodged and nothing else is sent: A par R bur, else A par R gas, else it is disbanded.",
            "",
        ),
        (
            "if A par is dislodged then it retreats to bur or it disbands",
            "If A par is dislodged and nothing else is sent: A par R bur, else A par disband.",
            "",
        ),
        ("if dislodged A par: to", None, "name at least one place to retreat to"),
        ("if dislodged A par: lon", None, "they do not border"),
        ("if dislodged A mos: ukr", None, "France has no such unit"),
    ],
)
def test_a_line_ahead_is_told_as_it_is_understood_or_why_not(text: str, then: str | None, message: str) -> None:
    (ahead,) = interpret_sheet(RULES, OPENING, "France", text).ahead
    told = None if ahead.then is None else ahead.then.replace(" D.", " disband.")
    assert told == then and message in ahead.message, ahead


def dislodged() -> tuple[Position, Position]:
    """A movement in which France loses Paris and Burgundy, and the retreats that follow."""
    units = [("A", "par", "France"), ("A", "bur", "France"), ("A", "pic", "England"), ("A", "bre", "England")]
    units += [("A", "mun", "Germany"), ("A", "ruh", "Germany")]
    before = Position(Turn.parse("Spring 1901 Movement"), tuple(Unit(*unit) for unit in units))
    orders = {"England": ["A pic - par", "A bre S A pic - par"], "Germany": ["A mun - bur", "A ruh S A mun - bur"]}
    sheets = [
        Sheet(power, tuple(RULES.reader.order(text, before.turn.phase, power) for text in texts))
        for power, texts in orders.items()
    ]
    after = resolve(RULES, before, sheets, "x").after
    assert str(after.turn) == "Spring 1901 Retreats" and len(after.dislodged) == 2
    return before, after


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("Retreats:\nA par - gas\nA bur - nowhere", ["A par R gas"]),
        ("Spring 1901 Retreats:\nA bur - bel", ["A bur R bel"]),
        ("Fall 1901 Retreats:\nA bur - bel", []),
        ("if dislodged A par: gas\nif dislodged A bur: lon", ["A par R gas"]),
        ("if dislodged A par: pic, gas", ["A par R gas"]),
        ("Retreats:\nA par - gas\nif dislodged A par: disband", ["A par R gas"]),
        ("A par H", []),
    ],
)
def test_what_was_said_ahead_comes_to_count_in_its_turn(text: str, orders: list[str]) -> None:
    before, after = dislodged()
    found = carried(RULES, after, "France", text, before.turn, before)
    assert [write(order) for order in found] == orders


def test_a_condition_belongs_to_a_movement() -> None:
    _, after = dislodged()
    (ahead,) = interpret_sheet(RULES, after, "France", "if dislodged A par: gas").ahead
    assert ahead.then is None and ahead.message == "a condition about dislodgement belongs to a movement turn"
