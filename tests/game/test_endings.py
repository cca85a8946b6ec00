"""What is told of a game that ends, and of what happens beside the orders."""

from random import Random
from typing import Any

import pytest

from legation.bots import BOTS, bot
from legation.game import adjudicate, read_task
from legation.game.documents import ending_in_words
from legation.game.report import business, happened, how_it_ended, turn_report
from legation.judge import legal_orders, resolve
from legation.orders import Build, Disband, Retreat, Sheet
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


@pytest.mark.parametrize(
    ("units", "reason", "tied", "places"),
    [
        (
            {"Franks": ["A par"], "Vikings": ["A jor"]},
            "the Franks and the Vikings with 2 centers, the Moors with 1 center",
            [["Franks", "Vikings"]],
            "Place 1 for the Franks and the Vikings; place 3 for the Moors",
        ),
        (
            {"Franks": ["A par"], "Vikings": ["A jor", "A osl"]},
            "the Vikings with 2 centers and 2 units, the Franks with 2 centers and 1 unit, the Moors with 1 center",
            [],
            "Place 1 for the Vikings; place 2 for the Franks; place 3 for the Moors",
        ),
    ],
)
def test_a_ranking_says_what_decides_each_place(
    units: dict[str, list[str]], reason: str, tied: list[list[str]], places: str
) -> None:
    """K-12e: size is centers, then units; powers equal in both share their place."""
    centers = {"Franks": ["par", "bor"], "Vikings": ["jor", "osl"], "Moors": ["lis"]}
    position = {"variant": "1000ad", "turn": "Winter 1005 Adjustments", "units": units, "centers": centers}
    ending = adjudicate({**position, "orders": {"Franks": ["waive"]}})["ending"]
    assert ending["reason"] == f"only 3 powers survive: {reason}"
    assert ending.get("tied", []) == tied
    assert ending_in_words(load("1000ad"), ending) == places


def test_a_dislodged_unit_of_a_people_is_told_without_a_second_ending() -> None:
    units = {"British": ["A lon"], "Franks": ["A mal", "A mer"]}
    document = {"variant": "1000ad", "turn": "Spring 1001 Movement", "units": units}
    task = read_task({**document, "orders": {"Franks": ["A mal - lon", "A mer S A mal - lon"]}})
    report = turn_report(task.rules, resolve(task.rules, task.position, task.sheets))
    assert "\nThe British Army London was dislodged and can retreat to" in report, report


def test_a_report_tells_what_became_of_dislodged_units_and_says_nothing_twice() -> None:
    units = {"England": ["A cal", "A nmd"], "Burgundy": ["A dij", "A fla"], "France": ["A par", "A orl"]}
    task = read_task(
        {
            "variant": "hundred3",
            "turn": "1430 Movement",
            "units": units,
            "orders": {
                "England": ["A nmd S A cal"],
                "Burgundy": ["A fla - cal", "A dij S A fla - cal"],
                "France": ["A par - nmd", "A orl S A par - nmd"],
            },
        }
    )
    resolution = resolve(task.rules, task.position, task.sheets)
    report = turn_report(task.rules, resolution)
    assert "cut, dislodged by an attack from Paris\n" in report
    assert "England's Army Calais was dislodged and can retreat to " in report
    [calais, normandy] = [d.unit for d in resolution.after.dislodged]
    sheet = Sheet("England", (Retreat("A", calais.at, "ang"), Disband("A", normandy.at)))
    retreats = resolve(task.rules, resolution.after, (sheet,))
    assert "England's dislodged Army Calais was disbanded." in happened(task.rules, retreats)
    legal = resolution.retreats[calais.province][0]
    sheet = Sheet("England", (Retreat("A", calais.at, legal), Disband("A", normandy.at)))
    retreats = resolve(task.rules, resolution.after, (sheet,))
    told = happened(task.rules, retreats)
    assert f"England's dislodged Army Calais retreated to {task.rules.board.name_of(legal)}." in told
    assert "England's dislodged Army Normandy was disbanded." in told
    assert "dislodged" not in turn_report(task.rules, retreats), "it has the orders themselves"


def test_powers_bear_their_article_and_one_unit_counts_in_the_singular() -> None:
    document = {
        "variant": "1000ad",
        "turn": "Fall 1001 Movement",
        "units": {"British": ["A lon"], "Franks": ["D par", "A bor"], "Moors": ["D lis"], "Vikings": ["A osl"]},
        "centers": {"British": ["rou"], "Franks": ["par", "lon"], "Moors": ["lis", "tol"], "Vikings": ["osl"]},
    }
    task = read_task(document)
    report = turn_report(task.rules, resolve(task.rules, task.position, task.sheets))
    assert "\nThe British take London (from the Franks).\nThe Franks take Bordeaux.\n" in report, report
    assert "Moors: 2 centers, 1 unit that counts as 2" in report
    assert how_it_ended(task.rules, "draw", ("British", "Franks")) == "A draw between the British and the Franks"
    assert how_it_ended(task.rules, "solo", ("Vikings",)) == "The Vikings have won"
    three = turn_report(load("three-kingdoms"), resolve(load("three-kingdoms"), *_crown_takes_york()))
    assert "\nThe Crown takes York (from Newcastle).\n" in three, three


def _crown_takes_york() -> tuple[Any, Any]:
    units, centers = {"Crown": ["A york"], "Argyll": ["A skye"]}, {"Newcastle": ["york", "durham"], "Argyll": ["skye"]}
    task = read_task({"variant": "three-kingdoms", "turn": "Autumn 1643 Movement", "units": units, "centers": centers})
    return task.position, task.sheets


@pytest.mark.parametrize(
    ("variant", "power", "said"),
    [
        ("1000ad", "British", "may place 9 in Aberdeen, Dumfries, Yorkshire,"),
        ("1897", "Russia", "places 1 in Moscow, Sevastopol or Warsaw"),  # nobody may waive it
    ],
)
def test_what_is_to_be_placed_is_not_called_a_build(variant: str, power: str, said: str) -> None:
    rules = load(variant)
    assert business(rules, rules.opening(), power).startswith(said)
