"""Documents fit their schemas, and games their records."""

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from referencing import Registry, Resource

import legation
from legation.bots.matches import random_game
from legation.game import DocumentError, SavedGameError, adjudicate, position_document, read_task, replay
from legation.game.formats import kind_of
from legation.notation.cover import MOST_PARTS
from legation.variants import load, names
from tests.sampling import some

ROOT = Path(__file__).parents[2]


def schema(name: str) -> Any:
    return json.loads(files("legation.game").joinpath("schemas", f"{name}.json").read_text(encoding="utf-8"))


def validator(name: str) -> jsonschema.Draft202012Validator:
    resources = [(f"{n}.json", Resource.from_contents(schema(n))) for n in ("position", "answer", "game")]
    return jsonschema.Draft202012Validator(schema(name), registry=Registry().with_resources(resources))


@pytest.mark.parametrize("name", some(names(), 4))
def test_positions_and_answers_fit_their_schemas(name: str) -> None:
    rules = load(name)
    for resolution in random_game(rules, 1, 12):
        document = position_document(rules, resolution.before)
        validator("position").validate(document)
        validator("answer").validate(legation.adjudicate(document))


@pytest.mark.parametrize("name", some(names(), 4))
def test_a_position_reads_back_the_same(name: str) -> None:
    rules = load(name)
    for resolution in random_game(rules, 2, 20):
        document = position_document(rules, resolution.after)
        read = read_task(document).position
        assert set(read.units) == set(resolution.after.units)
        assert read.owners == resolution.after.owners
        assert position_document(rules, read) == document


def test_the_examples_fit_the_schema() -> None:
    for path in sorted((ROOT / "examples").glob("*.json")):
        validator("game").validate(json.loads(path.read_text()))


def test_the_documented_example_is_answered_as_documented() -> None:
    question, answer = (
        json.loads((ROOT / "docs" / "examples" / f"{name}.json").read_text()) for name in ("question", "answer")
    )
    found = legation.adjudicate(question)
    assert re.fullmatch(r"([0-9a-f]{32}-){3}[0-9a-f]{32}", found["after"]["rules"])
    found["after"]["rules"] = answer["after"]["rules"]  # whatever the digest is today
    assert found == answer


def test_without_units_a_document_is_the_opening() -> None:
    assert read_task({"variant": "standard"}).position == load("standard").opening()


def test_an_ended_game_is_not_played_on() -> None:
    game = json.loads((ROOT / "examples" / "hundred.json").read_text())
    loaded, differences = replay(game)
    assert [d for d in differences if not d.what.startswith("rules (")] == []
    assert loaded.ending is not None
    with pytest.raises(ValueError, match="has ended"):
        loaded.play([])


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        {},
        {"format": "legation game 1"},
        {"format": "legation game 1", "variant": "x", "turns": []},
        {"format": "legation game 2", "variant": "hundred", "turns": [3], "after": {}},
        {"format": "legation game 1", "variant": "hundred", "turns": [3]},
    ],
)
def test_what_is_no_saved_game_is_refused(document: object) -> None:
    with pytest.raises(SavedGameError):
        replay(document)


def test_a_power_written_in_two_ways_has_one_sheet() -> None:
    document = {
        "variant": "standard",
        "turn": "Winter 1901 Adjustments",
        "units": {"France": ["A spa"]},
        "centers": {"France": ["par", "mar", "spa"]},
        "orders": {"France": ["build A par"], "French": ["build A mar"]},
    }
    answer = adjudicate(document)
    assert [(v["order"], v["outcome"]) for v in answer["verdicts"]] == [
        ("build A par", "succeeds"),
        ("build A mar", "succeeds"),
    ]


def test_half_a_position_is_a_fault() -> None:
    with pytest.raises(DocumentError) as caught:
        adjudicate({"variant": "standard", "centers": 5, "state": 3})
    assert [fault.partition(":")[0] for fault in caught.value.faults] == ["centers", "state"]


RETREATS: dict[str, Any] = {"turn": "Spring 1901 Retreats", "units": {"Germany": ["A bur"], "France": ["A mar"]}}
FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "a seed that isn't a text": ({"seed": 5}, "seed: must be a text"),
    "options that are none": ({"options": ["waiving"]}, "options: must be an object"),
    "a list that is none": ({"units": {"France": "A par"}}, "units.France: must be a list, not a text"),
    "units that are none": ({"units": {"France": None}}, "units.France: must be a list, not null"),
    "units by what they are": ({"units": {"France": {"A par": 1}}}, "units.France: must be a list, not an object"),
    "no units of no power": ({"units": {"Atlantis": []}}, "units: 'Atlantis'"),
    "two units in one place": (
        {"units": {"France": ["A par"], "Italy": ["A par"]}},
        "units.Italy[0]: A par stands where France has A par",
    ),
    "a center that is none": ({"centers": {"France": ["par", "bur"]}}, "centers.France[1]: Burgundy isn't a supply"),
    "a center that isn't a text": ({"centers": {"France": [["par"]]}}, "centers.France[0]: a province is a text"),
    "a center twice": ({"centers": {"France": ["par", "par"]}}, "centers.France[1]: 'par' is listed for France too"),
    "a center of two powers": (
        {"centers": {"France": ["par"], "Italy": ["par"]}},
        "centers.Italy[0]: 'par' is listed for France too",
    ),
    "no centers of no power": ({"centers": {"Atlantis": []}}, "centers: 'Atlantis'"),
    "a unit that is none": ({"units": {"France": [["A", "par"]]}}, "a unit is a text such as 'A par', not a list"),
    "a unit of no kind": (
        {"units": {"France": ["Paris"]}},
        "'Paris' does not say what kind of unit it is; write one of",
    ),
    "a province that is none": ({"contested": [True]}, "contested[0]: a province is a text, not true or false"),
    "a state that is none": ({"state": 1.5}, "state: must be an object, not a number"),
    "a state nested too deeply": (
        {"state": {"homes": json.loads("[" * 500 + "]" * 500)}},
        "state.homes: is nested more than 50 deep",
    ),
    "half a position": ({"turn": "Fall 1901 Movement"}, "units: list the units of each power; only the opening"),
    "a sheet that is none": ({"orders": {"France": 3}}, "orders.France: must be a list of orders, or one text"),
    "an order that is none": ({"orders": {"France": ["A par H", 3]}}, "orders.France[1]: an order is a text"),
    "a dislodged unit that is none": ({**RETREATS, "dislodged": {"France": [3]}}, "must be an object with 'unit' and"),
    "a key that is none": (
        {**RETREATS, "dislodged": {"France": [{"unit": "A gas", "by": "bur"}]}},
        "dislodged.France[0]: unknown key 'by'",
    ),
    "an attacker from nowhere": (
        {**RETREATS, "dislodged": {"France": [{"unit": "A gas", "attacker_from": 3}]}},
        "dislodged.France[0].attacker_from: must be a province or null",
    ),
    "two dislodged in one place": (
        {**RETREATS, "dislodged": {"France": ["A gas"], "Italy": ["A gas"]}},
        "dislodged.Italy[0]: two dislodged units in gas",
    ),
    "dislodged by its own power": (
        {**RETREATS, "dislodged": {"France": ["A mar"]}},
        "dislodged: A mar was dislodged where its own power has A mar",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_a_document_is_told_alone_and_with_its_place(name: str) -> None:
    changes, message = FAULTS[name]
    sound = {"variant": "standard", "turn": "Spring 1901 Movement", "units": {"France": ["A par"]}}
    document = {**sound, **changes}
    if "turn" in changes and "units" not in changes:
        del document["units"]
    with pytest.raises(DocumentError) as caught:
        read_task(document)
    assert len(caught.value.faults) == 1 and message in caught.value.faults[0]


@pytest.mark.parametrize(
    ("document", "kind"),
    [
        ([{"variant": "standard"}], ""),
        ({"variant": "standard"}, "position"),
        ({"after": {}}, "answer"),
        ({"turns": [], "after": {}}, "game"),
        ({"format": "legation answer 1", "variant": "standard"}, "answer"),
        ({"format": "recipe 1", "variant": "standard"}, ""),
        ({}, ""),
    ],
)
def test_a_document_is_known_by_what_it_says_or_else_by_its_keys(document: object, kind: str) -> None:
    assert kind_of(document) == kind


def test_an_entry_may_hold_several_orders_or_name_its_power() -> None:
    document = {
        "variant": "standard",
        "turn": "Winter 1901 Adjustments",
        "units": {"England": ["F nwy"]},
        "centers": {"England": ["lon", "edi", "lvp", "nwy"]},
        "orders": {"England": ["Build A edi; build F lon", "England: Build A Lpl", "build A nowhere"]},
    }
    answer = adjudicate(document)
    assert [(v["order"], v["outcome"]) for v in answer["verdicts"]] == [
        ("build A edi", "succeeds"),
        ("build F lon", "succeeds"),
        ("build A lvp", "succeeds"),
        ("build A nowhere", "illegal"),
    ]


def test_a_sheet_without_end_is_cut_and_said_to_be() -> None:
    document: dict[str, Any] = {"variant": "hundred", "orders": {"France": ["A par - orl"] * 1_000}}
    last = adjudicate(document)["verdicts"][-1]
    assert (last["order"], last["outcome"]) == (f"{1_000 - MOST_PARTS} further orders", "illegal")
    document["orders"] = {"France": "A parr - burr\n" * 10_000}
    verdicts = adjudicate(document)["verdicts"]
    assert any("what comes after them is not read" in v["explanation"] for v in verdicts)
    assert len(verdicts) < 5000


def test_no_order_is_said_only_where_nothing_unclear_was_sent() -> None:
    rules = load("standard")
    document = position_document(rules, rules.opening()) | {
        "orders": {"France": ["A mar - spx", "F bre - mao"], "England": ["F lon - nth"]}
    }
    verdicts = adjudicate(document)["verdicts"]
    said = {v["order"]: v["explanation"] for v in verdicts}
    assert said["A mar H"] == "A mar H succeeds: no order for it was understood"
    assert said["F edi H"] == "F edi H succeeds: it was given no order"
    assert said["F bre - mao"] == next(v["explanation"] for v in verdicts if v["order"] == "F bre - mao")


def test_orders_alone_imply_their_units() -> None:
    alone = {
        "variant": "standard",
        "turn": "Fall 1903 Movement",
        "orders": {"Austria": ["A tri - ven", "tyr S tri - ven"]},
    }
    answer = adjudicate(alone)
    assert answer["after"]["units"] == {"Austria": ["A ven", "A tyr"]}
    assert answer["warnings"][0] == "units: none are given, so they are those that the orders name"
    retreats = {
        **alone,
        "turn": "Fall 1903 Retreats",
        "orders": {"Italy": ["A ven R apu"], "Austria": ["F tri disband"]},
    }
    assert adjudicate(retreats)["after"]["units"] == {"Italy": ["A apu"]}
    builds = {**alone, "turn": "Winter 1903 Adjustments", "orders": {"Italy": ["build A ven"]}}
    assert adjudicate(builds)["after"]["units"] == {"Italy": ["A ven"]}
    with pytest.raises(DocumentError, match="no order names its unit"):
        adjudicate({**alone, "orders": {"Austria": ["tri - ven"]}})
