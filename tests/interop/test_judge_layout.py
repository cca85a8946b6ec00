"""Results in the Judge's layout."""

import pytest

from legation.game import adjudicate
from legation.interop.judge_layout import results
from legation.variants import load


def test_movement_results_as_the_judge_prints_them() -> None:
    document = {
        "variant": "standard",
        "turn": "Fall 1901 Movement",
        "units": {"Russia": ["A war", "A vie"], "Austria": ["A gal", "F tri"], "Italy": ["A apu", "F ion"]},
        "centers": {"Russia": ["war", "mos"], "Austria": ["vie", "tri"]},
        "orders": {
            "Russia": ["A war - gal", "A vie S A war - gal"],
            "Austria": ["A gal - vie"],
            "Italy": ["A apu - tun", "F ion C A apu - tun"],
        },
    }
    text = results(load("standard"), "g", 2, adjudicate(document))
    lines = text.split("\n")
    assert lines[0] == "Movement results for Fall of 1901. (g.002)"
    assert "Russia: Army Warsaw -> Galicia." in lines
    assert "Austria: Army Galicia -> Vienna. (*bounce, dislodged*)" in lines
    assert "Italy: Army Apulia -> Tunis." in lines
    assert "Italy: Fleet Ionian Sea CONVOY Army Apulia -> Tunis." in lines
    assert any(line.startswith("The Austrian Army in Galicia can retreat to ") for line in lines)
    assert "Ownership of supply centers:" in lines
    assert "Austria:   Vienna, Trieste." in lines or "Austria:   Trieste, Vienna." in lines
    assert all(len(line) <= 78 for line in lines)


def test_adjustments_are_told_in_the_judge_s_words() -> None:
    document = {
        "variant": "standard",
        "turn": "Winter 1901 Adjustments",
        "units": {"France": ["A spa", "A bur"], "Germany": ["A mun", "A ber", "F kie"]},
        "centers": {"France": ["par", "bre", "mar", "spa"], "Germany": ["mun", "ber"]},
        "orders": {"France": ["build F bre", "waive"], "Germany": ["remove F kie"]},
    }
    text = results(load("standard"), "g", 5, adjudicate(document))
    assert "Adjustment results for Winter of 1901.  (g.005)" in text
    assert "France: Builds a fleet in Brest." in text
    assert "France: Build waived." in text
    assert "Germany: Removes the fleet in Kiel." in text


def test_a_vote_for_a_draw_is_told_as_one() -> None:
    document = {"variant": "standard", "turn": "Fall 1901 Movement", "units": {"France": ["A par"]}}
    text = results(load("standard"), "g", 1, adjudicate({**document, "orders": {"France": ["A par H", "draw"]}}))
    assert "France: Votes for a draw." in text


def test_a_placement_is_no_adjustment() -> None:
    document = {"variant": "1897", "turn": "Winter 1897 Placement", "orders": {"France": ["build A par"]}}
    text = results(load("1897"), "g", 1, adjudicate(document))
    assert text.startswith("Placement results for Winter of 1897.  (g.001)")
    assert "France: Builds an army in Paris." in text


def test_long_names_of_powers_stand_apart_from_what_they_own() -> None:
    document = {"variant": "three-kingdoms", "turn": "Winter 1643 Adjustments", "centers": {"Protectorate": ["canter"]}}
    text = results(load("three-kingdoms"), "g", 3, {**document, "verdicts": [], "after": document})
    assert "Protectorate: Canterbury." in text and "Crown:        none." in text


def test_retreats_and_units_that_had_nowhere_to_go_are_told() -> None:
    movement = {
        "variant": "standard",
        "turn": "Fall 1901 Movement",
        "units": {
            "Italy": ["A tri", "A vie", "A tyr"],
            "Austria": ["A ser", "F gre"],
            "Turkey": ["A bul", "F aeg", "F ion"],
        },
        "orders": {"Turkey": ["F ion - gre", "F aeg S F ion - gre"], "Italy": ["A tri - ser"]},
    }
    answer = adjudicate(movement)
    text = results(load("standard"), "g", 2, answer)
    assert "The Austrian Fleet in Greece can retreat to Albania." in text
    retreats = adjudicate({**answer["after"], "variant": "standard", "orders": {"Austria": ["F gre disband"]}})
    text = results(load("standard"), "g", 3, retreats)
    assert "Austria: Fleet Greece DISBAND." in text
    surrounded = {**answer, "dislodged": {"Austria": [{"unit": "F gre", "retreats": []}]}}
    text = results(load("standard"), "g", 2, surrounded)
    assert "The Austrian Fleet in Greece with no valid retreats was destroyed." in text


@pytest.mark.parametrize(
    ("turn", "order", "told"),
    [
        ("Winter 1901 Adjustments", "remove war", "Removes the unit in Warsaw."),
        ("Winter 1901 Adjustments", "build nth", "Builds a unit in North Sea."),
        ("Fall 1901 Retreats", "war - gal", "Warsaw -> Galicia."),
        ("Fall 1901 Retreats", "war disband", "Warsaw DISBAND."),
        ("Fall 1901 Movement", "war - gal", "Warsaw -> Galicia."),
        ("Fall 1901 Movement", "ukr S war - gal", "Ukraine SUPPORT Warsaw -> Galicia."),
    ],
)
def test_an_order_for_a_unit_that_is_not_there_is_told_without_a_kind(turn: str, order: str, told: str) -> None:
    centers = ["mos"] if order.startswith("remove") else ["mos", "sev", "war"]
    document = {"variant": "standard", "turn": turn, "units": {"Russia": ["A sev", "A rum"]}}
    answer = adjudicate({**document, "centers": {"Russia": centers}, "orders": {"Russia": [order]}})
    assert f"Russia: {told} (*void*)" in results(load("standard"), "g", 1, answer).split("\n")
