"""The rulebook as data: what a newcomer reads, what differs, and examples that can be ordered."""

import csv
from pathlib import Path

import msgspec
import pytest

from legation.board import province_of
from legation.game import check_orders
from legation.judge import Ruleset
from legation.orders import Convoy, Hold, Move, Order, Retreat, SupportHold, SupportMove, UnitOrder
from legation.position import Dislodged, Phase, Position, Turn, Unit
from legation.rules.ferry import Ferry, Ride
from legation.variants import STANDARD, USUAL, examples, load, load_file, names, rulebook
from tests.board.folders import board


def turn_of(rules: Ruleset, phase: Phase) -> Turn:
    turn = rules.first_turn()
    while turn.phase is not phase:
        turn = rules.next_turn(turn)
    return turn


def units_for(orders: list[Order], power: str) -> list[Unit]:
    """The units that orders speak of."""
    units: dict[str, Unit] = {}
    for order in orders:
        if isinstance(order, UnitOrder):
            units[province_of(order.at)] = Unit(order.kind, order.at, power)
        if isinstance(order, SupportHold | SupportMove | Convoy | Ferry):
            units[province_of(order.target)] = Unit(order.target_kind, order.target, power)
        if isinstance(order, Ride):
            units[order.ferry[0]] = Unit("F", order.ferry[0], power)
    return list(units.values())


@pytest.mark.parametrize("name", names())
def test_examples_of_orders_can_be_ordered_on_the_board(name: str) -> None:
    rules = load(name)
    power = next(iter(rules.powers))
    found = examples(rules)
    owners = dict.fromkeys(rules.board.centers[1:], power) | {rules.board.centers[0]: list(rules.powers)[1]}
    assert all(found.values())
    for form, orders in found.items():
        if form in ("Build", "Remove", "Waive", "Send supply", "Vote for a draw"):
            continue  # depend on what is owned; they are read in the test below
        for order in orders:
            units = units_for([order, *(found["Convoy"] if form == "Move by convoy" else [])], power)
            turn = turn_of(rules, Phase.MOVEMENT)
            position = Position(turn, tuple(units), owners=owners)
            if form in ("Retreat", "Disband"):
                goal = order.to if isinstance(order, Retreat) else ""
                held = next(p for p in rules.board.provinces if p not in (units[0].at, goal))
                gone = (Dislodged(units[0], held),)
                position = Position(turn_of(rules, Phase.RETREATS), (), gone)
            check = check_orders(rules, position, power, [order])
            assert not check.problems, (form, order, check.problems)


SMALL = """
title = "Small"
board = "small"
[rules.calendar]
first = "Spring 1901 Movement"
cycle = ["Spring Movement", "Spring Retreats", "Winter Adjustments"]
[rules.homes]
[rules.ferry]
[[powers]]
name = "England"
homes = ["aa"]
units = ["A aa"]
"""


@pytest.mark.parametrize(
    ("borders", "move", "support"),
    [("aa,bb", [Move("A", "aa", "bb")], 0), ("aa,bb bb,cc", [Move("A", "aa", "bb")], 2), ("", [], 0)],
)
def test_a_board_too_small_for_an_example_has_none(
    tmp_path: Path, borders: str, move: list[Order], support: int
) -> None:
    """Rather none than one that nobody could order, such as a move to where the unit is."""
    board(
        tmp_path / "small",
        land="id,name,center\naa,Aland,1\nbb,Bland,1\ncc,Cland,1",
        borders="\n".join(["a,b,army,fleet", *(f"{pair},1,0" for pair in borders.split())]),
    )
    (tmp_path / "small.toml").write_text(SMALL)
    found = examples(load_file(tmp_path / "small.toml"))
    assert (found["Move"], len(found["Support"]), len(found["Retreat"])) == (move, support, len(move))
    assert found["Convoy"] == found["Move by convoy"] == []
    assert found["Hold"] == [Hold("A", "aa")]
    assert not any(orders for name, orders in found.items() if "erry" in name)


@pytest.mark.parametrize("name", names())
def test_examples_are_read_as_they_are_written(name: str) -> None:
    rules = load(name)
    power = next(iter(rules.powers))
    phases = {"Retreat": Phase.RETREATS, "Disband": Phase.RETREATS}
    for part in rulebook(rules, USUAL.facts(name), load(STANDARD))["forms"]:
        late = part["name"] in ("Build", "Remove", "Waive", "Send supply")
        phase = phases.get(part["name"], Phase.ADJUSTMENTS if late else Phase.MOVEMENT)
        for example in part["examples"]:
            for way in example.values():
                orders, errors = rules.reader.orders(way, phase, power)
                assert len(orders) == 1 and not errors, (way, errors)


def test_what_differs_from_the_standard_game_is_told() -> None:
    standard = load(STANDARD)
    own = rulebook(standard, USUAL.facts(STANDARD), standard)
    assert own["changed"] == [] and not any(any(m["differs"]) for m in own["rules"])
    book = rulebook(load("1000ad"), USUAL.facts("1000ad"), standard)
    assert book["changed"] == ["convoy_paradox", "adjacent_convoy", "civil_disorder"]
    marked = {m["module"] for m in book["rules"] if all(m["differs"])}
    assert {"ferry", "defensive_army", "anarchy"} <= marked
    assert msgspec.json.encode(book)


def test_the_basics_are_told_with_orders_of_the_board() -> None:
    book = rulebook(load("hundred"), USUAL.facts("hundred"), load(STANDARD))
    told = " ".join(part["text"] for part in book["basics"])
    assert "'A dij - cal': Army Dijon moves to Calais" in told and "{" not in told


def test_clauses_of_the_service_are_told_apart_from_the_game() -> None:
    book = rulebook(load("three-kingdoms"), USUAL.facts("three-kingdoms"), load(STANDARD))
    parts = {clause["id"]: clause["part"] for clause in book["clauses"]}
    assert parts["W-20a"] == "service" and parts["W-5"] == "game"


@pytest.mark.parametrize("name", names())
def test_homes_on_the_board_are_the_powers_homes(name: str) -> None:
    """Those that the column ``home`` of a board's table marks."""
    with USUAL.folder_of(name).joinpath("land.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    if "home" not in rows[0]:
        return
    rules = load(name)
    lands = {
        power.name: {rules.board.provinces[home].region for home in power.homes} for power in rules.powers.values()
    }
    assert {power: len(regions) for power, regions in lands.items()} == dict.fromkeys(rules.powers, 1)
    wanted = {home: region for power in rules.powers.values() for home in power.homes for region in lands[power.name]}
    assert {row["id"]: row["home"] for row in rows if row["home"]} == wanted
