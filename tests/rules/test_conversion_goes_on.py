"""A conversion under way carries its coast over (W-11)."""

from __future__ import annotations

import msgspec

from legation.game import check_sheet
from legation.judge import resolve
from legation.notation import write
from legation.orders import Sheet
from legation.position import Position, Turn, Unit
from legation.rules.conversion import Convert
from legation.variants import load


def test_the_second_turn_need_not_name_the_coast_again() -> None:
    rules = load("three-kingdoms")
    position = Position(
        Turn.parse("Spring 1643 Movement"), (Unit("A", "caern", "Cumberland"),), owners={"caern": "Cumberland"}
    )
    bare = Convert("A", "caern", "F")
    (entry,) = check_sheet(rules, position, "Cumberland", "Army Caernarfonshire to convert to Fleet").entries
    assert entry.problem is not None
    assert "name the coast" in entry.problem.message
    begun = resolve(rules, position, [Sheet("Cumberland", (msgspec.structs.replace(bare, coast="nc"),))]).after
    again = msgspec.structs.replace(begun, turn=Turn.parse("Summer 1643 Movement"))
    (entry,) = check_sheet(rules, again, "Cumberland", "Army Caernarfonshire to convert to Fleet").entries
    assert entry.problem is None
    done = resolve(rules, again, [Sheet("Cumberland", (bare,))]).after
    assert done.units == (Unit("F", "caern/nc", "Cumberland"),)


def test_a_sentence_ends_after_the_kind() -> None:
    rules = load("three-kingdoms")
    position = rules.opening()
    text = "F aberd converts to A. F stval S F rouen - dovsea"
    found, errors = rules.reader.orders(text, position.turn.phase, "Hamilton", position)
    assert [write(order) for order in found] == text.split(". ") and errors == []
