"""What is told of a game that ends, and of what happens beside the orders."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from legation.bots import BOTS, bot
from legation.game import adjudicate, read_task
from legation.game.report import turn_report
from legation.judge import legal_orders, resolve
from legation.orders import Build
from legation.variants import load

WON: dict[str, Any] = {
    "variant": "hundred",
    "turn": "1430 Movement",
    "units": {"France": ["A lux"], "England": ["F lon"]},
    "centers": {
        "France": ["par", "orl", "dau", "tou", "dij", "fla", "hol", "can"],
        "England": ["lon"],
        "Burgundy": ["lux"],
    },
    "orders": {},
}


def test_the_position_after_a_won_game_carries_the_ending() -> None:
    """H3-5b: nine centers in an adjustment phase."""
    answer = adjudicate(WON)
    assert answer["winner"] == "France"
    assert answer["after"]["ending"] == answer["ending"]
    assert answer["ending"]["kind"] == "solo" and answer["ending"]["powers"] == ["France"]
    again = read_task(answer)
    assert (
        "ending: the game has ended: solo (France reached 9 centers); the turn is judged as if it continued"
        in again.assumed
    )


@pytest.mark.parametrize(
    ("clause", "turn", "orders", "words"),
    [
        ("W-11a", "Summer 1644 Movement", {"Crown": ["A glamor converts to F"]}, ("Glamorgan",)),
        ("W-13a", "Winter 1644 Adjustments", {"Newcastle": ["send 1 to Crown"]}, ("Newcastle", "Crown")),
    ],
)
def test_a_report_has_the_news_of_the_rules(clause: str, turn: str, orders: Any, words: tuple[str, ...]) -> None:
    """Conversions that are begun and supply that is sent are told to everybody."""
    document = {"variant": "three-kingdoms", "turn": turn, "units": {"Crown": ["A glamor"], "Newcastle": ["A york"]}}
    document |= {"centers": {"Crown": ["glamor"], "Newcastle": ["york", "durham"]}, "orders": orders}
    task = read_task(document)
    resolution = resolve(task.rules, task.position, task.sheets)
    news = [line for module in task.rules.modules for line in module.news(task.rules, resolution)]
    assert any(all(word in line for word in words) for line in news), (clause, news)
    report = turn_report(task.rules, resolution)
    assert all(line in report for line in news)


def test_the_machine_orders_no_second_defensive_army() -> None:
    """K-7d: a power has at most one at a time, whoever plays it."""
    rules = load("1000ad")
    position = rules.opening()
    for name in BOTS:
        play = bot(name)
        for seed in range(4):
            for power in rules.powers:
                sheet = play(rules, position, power, Random(seed))
                assert sum(isinstance(o, Build) and o.kind == "D" for o in sheet.orders) <= 1
    assert any(isinstance(o, Build) and o.kind == "D" for o in legal_orders(rules, position)["British"])
