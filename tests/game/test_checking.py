"""A checked sheet: what was understood, what is wrong with it, what was forgotten."""

from pathlib import Path

import pytest

from legation.game import SheetCheck, check_document, check_sheet
from legation.judge import Ruleset
from legation.position import Position, Turn, Unit
from legation.variants import load, load_file

STANDARD = load("standard")


def checked(
    text: str, power: str = "France", rules: Ruleset = STANDARD, position: Position | None = None
) -> SheetCheck:
    return check_sheet(rules, position or rules.opening(), power, text)


def placed(turn: str, units: dict[str, str], owners: dict[str, str] | None = None) -> Position:
    """A standard position: powers by their units."""
    found = tuple(Unit(u[0], u[2:], power) for power, listed in units.items() for u in listed.split(", "))
    return Position(Turn.parse(turn), found, owners={c: p for p, cs in (owners or {}).items() for c in cs.split()})


def test_each_line_has_its_entry_and_span() -> None:
    text = "A par - bur\n\nA mar - Galiciam\nF bre H\n"
    check = checked(text)
    assert [(e.line, e.order) for e in check.entries] == [(1, "A par - bur"), (3, None), (4, "F bre H")]
    wrong = check.entries[1].problem
    assert wrong is not None
    assert wrong.kind == "not understood"
    assert text[wrong.span[0] : wrong.span[1]] == "Galiciam"
    assert wrong.suggestions == ("Galicia (gal)",)
    assert check.missing == ("A mar",)
    assert [type(o).__name__ for o in check.sheet.orders] == ["Move", "Hold"]


def test_an_illegal_order_and_another_powers_unit_are_told() -> None:
    check = checked("A par - mun\nA mun - bur\n")
    kinds = [e.problem.kind for e in check.entries if e.problem]
    assert kinds == ["illegal", "not yours"]
    problem = check.entries[1].problem
    assert problem is not None and "Germany" in problem.message


def test_a_unit_ordered_twice_is_told_at_both_orders() -> None:
    check = checked("A par - bur\nA par - pic\nA mar H\nA mar H")
    assert [e.problem.kind if e.problem else None for e in check.entries] == [
        "superseded",
        "superseded",
        None,
        "superseded",
    ]
    assert set(check.missing) == {"A par", "F bre"}


@pytest.mark.parametrize(
    ("reading", "kinds"), [("first", [None, "superseded"]), ("last", ["superseded", None])], ids=["first", "last"]
)
def test_which_of_two_orders_counts_is_the_variants(reading: str, kinds: list[str | None]) -> None:
    rules = load("standard", {"double_orders": reading})
    check = checked("A par - bur\nA par - pic", rules=rules)
    assert [e.problem.kind if e.problem else None for e in check.entries] == kinds


def test_a_support_that_fits_nothing_is_hinted_at() -> None:
    check = checked("A par - pic\nA mar S A par - bur\nF bre H")
    assert "not to move to bur" in check.entries[1].hints[0]


def test_a_convoy_with_a_hole_is_hinted_at() -> None:
    position = placed("Spring 1901 Movement", {"England": "A lon, F nth, F nwg"})
    check = checked("A lon - nwy\nF nth H\nF nwg C A lon - nwy", "England", position=position)
    assert any("no fleets" in hint for hint in check.entries[0].hints)
    check = checked("A lon - nwy\nF nth C A lon - nwy", "England", position=position)
    assert check.entries[0].hints == ()


def test_an_army_that_the_sheet_s_own_ferry_takes_lacks_no_convoy() -> None:
    rules = load("1000ad")
    position = placed("Spring 1001 Movement", {"British": "F nth, A lon"})
    ferried = checked("F nth - enc ferries A lon - bri\nA lon - bri", "British", rules, position)
    assert [e.hints for e in ferried.entries] == [(), ()]
    elsewhere = checked("F nth - enc ferries A lon - bri\nA lon - ber", "British", rules, position)
    assert elsewhere.entries[1].hints == ("no fleets on this sheet convoy it to ber",)


def test_builds_and_removals_that_are_left_are_counted() -> None:
    position = placed("Winter 1901 Adjustments", {"France": "A spa"}, {"France": "par mar bre spa por"})
    check = checked("build A par", position=position)
    assert (check.builds_left, check.removals_due) == (2, 0)
    position = placed("Winter 1901 Adjustments", {"France": "A spa, A par, A bur"}, {"France": "par"})
    check = checked("remove A spa", position=position)
    assert (check.builds_left, check.removals_due) == (0, 1)


def test_what_can_still_be_sent_is_counted() -> None:
    rules = load("three-kingdoms")
    opening = rules.opening()
    position = Position(Turn.parse("Winter 1642 Adjustments"), opening.units, owners=opening.owners)
    assert checked("send 2 to Argyll", "Crown", rules, position).sends_left == 5


def test_a_granted_unit_waits_for_its_grant() -> None:
    check = checked("A carlis - ingle", "Crown", load("three-kingdoms"))
    assert check.entries[0].problem is None
    assert "Cumberland" in check.entries[0].hints[0]


def test_the_document_is_plain() -> None:
    document = check_document(checked("A par - bur\nA xyz - abc"))
    assert document["entries"][0] == {
        "line": 1,
        "span": [0, 11],
        "text": "A par - bur",
        "order": "A par - bur",
        "problem": None,
        "hints": [],
    }
    assert document["entries"][1]["problem"]["kind"] == "not understood"
    assert document["missing"] == ["F bre", "A mar"]


def test_builds_and_removals_that_are_too_many_are_hinted_at() -> None:
    position = placed("Winter 1901 Adjustments", {"France": "A bur, F mao"}, {"France": "par bre mar spa"})
    found = checked("build A par\nwaive\nwaive\nremove A bur", position=position)
    assert [entry.problem for entry in found.entries] == [None] * 4
    assert [entry.hints for entry in found.entries] == [
        (),
        (),
        ("as things stand, there is no build to waive",),
        ("as things stand, no removal is due",),
    ]
    assert [e.order for e in checked("build A par\nwaive the rest", position=position).entries] == [
        "build A par",
        "waive",
    ]
    assert all(not entry.hints for entry in checked("waive all", position=position).entries)


def test_an_order_for_a_unit_under_control_waits_for_nobody() -> None:
    rules = load_file(Path(__file__).parents[1] / "cases/field/controlled-powers.toml")
    position = rules.opening()
    check = check_sheet(rules, position, "Russia", "A con - bul\nA ven - tyr")
    theirs, other = check.entries
    assert theirs.problem is None and theirs.hints == ("as Russia orders the units of Turkey",)
    assert other.problem is not None and other.problem.kind == "not yours"
    own = check_sheet(rules, position, "Turkey", "A con - bul").entries[0]
    assert own.hints == ()
