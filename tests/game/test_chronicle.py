"""A year told from its turns: battles, centers, capitals, supply, who is near to winning."""

import pytest

from legation import load
from legation.game.chronicle import chronicle
from legation.judge import Resolution, Ruleset, resolve
from legation.orders import Sheet
from legation.position import Position, Turn, Unit


def played(rules: Ruleset, position: Position, orders: dict[str, list[str]]) -> Resolution:
    """A turn by orders in short style."""
    phase = position.turn.phase
    sheets = [
        Sheet(power, tuple(rules.reader.order(text, phase, power) for text in orders.get(power, ())))
        for power in rules.powers
    ]
    return resolve(rules, position, tuple(sheets), "a seed")


def year(rules: Ruleset, position: Position, *orders: dict[str, list[str]]) -> list[Resolution]:
    """Turns, each with its orders; one of a phase that nobody orders in is passed by."""
    turns = []
    for given in orders:
        turns.append(played(rules, position, given))
        position = turns[-1].after
    return turns


def paragraphs(text: str) -> dict[str, list[str]]:
    """The paragraphs below each heading; the first ones below none."""
    told: dict[str, list[str]] = {"": []}
    heading = ""
    for part in text.split("\n\n"):
        if part.startswith("# "):
            heading = part[2:]
            told[heading] = []
        else:
            told[heading].append(part)
    return told


def test_a_year_of_the_standard_game() -> None:
    rules = load("standard")
    opening = rules.opening()
    units = (
        *(Unit("A", "bur", "Germany"), Unit("A", "mun", "Germany"), Unit("A", "par", "France")),
        *(Unit("A", "gas", "France"), Unit("F", "bre", "France"), Unit("A", "ven", "Italy")),
    )
    position = Position(Turn.parse("Fall 1901 Movement"), units, owners=opening.owners)
    turns = year(
        rules,
        position,
        {
            "France": ["A par - bur", "A gas S A par - bur", "F bre - mao"],
            "Germany": ["A bur H", "A mun - tyr"],
            "Italy": ["A ven - tyr"],
        },
        {"Germany": ["A bur - bel"]},
    )
    told = paragraphs(chronicle(rules, turns, opening.owners))
    assert told["Battles"] == [
        "Fall 1901: France drove Germany's army out of Burgundy, which retreated to Belgium.",
        "Most moves failed at Tyrolia (Germany and Italy, 2 moves).",
    ]
    assert told["Centers"] == ["Germany took Belgium."]
    assert told[""] == [
        "1 center changed hands in the year that ends with Fall 1901. Germany gained most, 1. Germany and Russia lead "
        "with 4 centers."
    ]
    (nearest,) = told["Who is near to winning"]
    assert nearest.startswith("To win takes 18 centers. Germany and Russia have 4 each so far.")
    assert "Capitals" not in told and "Supply" not in told


@pytest.mark.clause("W-21a")
def test_capitals_and_supply_of_the_three_kingdoms() -> None:
    rules = load("three-kingdoms")
    opening = rules.opening()
    winter = Position(Turn.parse("Winter 1643 Adjustments"), opening.units, owners=opening.owners)
    turns = [played(rules, winter, {"Crown": ["send 2 to Manchester"]})]
    told = paragraphs(chronicle(rules, turns, opening.owners))
    assert told["Supply"] == ["The Crown sent supply for 2 units to Manchester."]
    (capitals,) = told["Capitals"]
    assert "holds" in capitals and "Nobody holds" in capitals
    (nearest,) = told["Who is near to winning"]
    assert nearest.startswith("To win takes 55 centers and a capital in each of 3 kingdoms.")


def test_a_game_that_has_ended_says_so() -> None:
    rules = load("standard")
    centers = rules.board.centers
    owners = dict.fromkeys(centers[:18], "France")
    position = Position(Turn.parse("Fall 1910 Movement"), (Unit("A", "par", "France"),), owners=owners)
    turns = [played(rules, position, {"France": ["A par H"]})]
    if turns[-1].ending is None:
        turns.append(played(rules, turns[-1].after, {}))
    assert turns[-1].ending is not None
    text = chronicle(rules, turns, owners)
    assert text.startswith("The game has ended. France has won") and "near to winning" not in text
