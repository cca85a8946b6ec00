"""A sheet that looks ahead is split into what each turn of the season may know of it."""

from hypothesis import given
from hypothesis import strategies as st

from legation.game.sheets import carried, later_turns, split_sheet, take_apart
from legation.notation import write
from legation.position import Position, Turn, Unit
from legation.variants import load

RULES = load("standard")
FALL = Turn.parse("Fall 1901 Movement")
LATER = later_turns(RULES, FALL)
SHEET = "\n".join(
    [
        "A par - bur",
        "if dislodged A mar: gas",
        "Retreats:",
        "A bre - pic",
        "Movement:",
        "F bre - eng",
        "Builds:",
        "build A par",
        "Spring 1905 Adjustments:",
        "build A mar",
    ]
)


def test_the_later_turns_of_a_season() -> None:
    assert list(map(str, LATER)) == ["Fall 1901 Retreats", "Winter 1901 Adjustments"]
    assert list(map(str, later_turns(RULES, LATER[0]))) == ["Winter 1901 Adjustments"]
    assert later_turns(RULES, LATER[1]) == ()


def test_each_turn_gets_its_own_lines_at_their_places() -> None:
    parts = split_sheet(SHEET, FALL, LATER)
    assert parts["Fall 1901 Movement"] == (
        "A par - bur\n\n\n\nMovement:\nF bre - eng\n\n\nSpring 1905 Adjustments:\nbuild A mar"
    )
    assert parts["Fall 1901 Retreats"] == "\nif dislodged A mar: gas\nRetreats:\nA bre - pic"
    assert parts["Winter 1901 Adjustments"] == "\n\n\n\n\n\nBuilds:\nbuild A par"


def test_a_heading_may_stand_before_a_condition() -> None:
    sheet = "A par - bur\nRetreats: if A mar is dislodged: gas\nRetreats: A mar - gas"
    parts = take_apart(sheet, FALL)
    assert [(line, unit, to) for line, unit, to, _ in parts.conditions] == [(2, "A mar", "gas")]
    assert parts.present.split("\n")[2] == "Retreats: A mar - gas"  # without a condition it is an order on its own


def test_what_is_ordered_ahead_means_the_same_alone_as_in_its_sheet() -> None:
    units = (Unit("A", "mar", "France"),)
    sent = Position(FALL, units)
    position = Position(LATER[1], units)
    part = split_sheet(SHEET, FALL, LATER)[str(LATER[1])]
    whole = carried(RULES, position, "France", SHEET, FALL, sent)
    assert carried(RULES, position, "France", part, FALL, sent) == whole
    assert [write(order) for order in whole] == ["build A par"]


@given(st.lists(st.sampled_from([*SHEET.split("\n"), "", "v2 replaces v1 only if X", "# Retreats:"]), max_size=14))
def test_laid_over_each_other_the_parts_are_the_sheet(lines: list[str]) -> None:
    parts = split_sheet("\n".join(lines), FALL, LATER)
    laid = [""] * len(lines)
    for part in parts.values():
        for number, line in enumerate(part.split("\n") if part else []):
            if line:
                assert not laid[number]
                laid[number] = line
    assert laid == lines
