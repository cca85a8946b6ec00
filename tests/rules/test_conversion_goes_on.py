"""A conversion under way carries its coast over (W-11)."""

import msgspec

from legation.game import check_sheet
from legation.judge import Cause, Outcome, Verdict, resolve
from legation.notation import write
from legation.orders import Sheet
from legation.position import Position, Turn, Unit
from legation.rules.conversion import CONVERT, Convert
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


def test_conversions_of_a_turn_are_told_together() -> None:
    """A line for each kind and stage, with all places; those begun, those done, and those that lapsed."""
    rules = load("three-kingdoms")
    [module] = [module for module in rules.modules if module.key == "conversion"]
    position = rules.opening()
    units = [unit for unit in position.units if unit.kind == "F" and unit.province in position.owners][:3]
    units.sort(key=lambda unit: unit.at)
    assert len(units) == 3

    def sheets(number: int) -> list[Sheet]:
        chosen = units[:number]
        return [Sheet(u.power, tuple(Convert("F", v.at, "A") for v in chosen if v.power == u.power)) for u in chosen]

    first = resolve(rules, position, [*{s.power: s for s in sheets(3)}.values()])
    named = [rules.board.name_of(unit.at) for unit in units]
    told = f"The units in {named[0]}, {named[1]} and {named[2]} are becoming armies: turn 1 of 2."
    assert module.news(rules, first) == [told]
    again = msgspec.structs.replace(first.after, turn=Turn.parse("Autumn 1642 Movement"))
    second = resolve(rules, again, [*{s.power: s for s in sheets(1)}.values()])
    assert module.news(rules, second) == [
        f"The unit in {named[0]} is now an army.",
        f"The conversions in {named[1]} and {named[2]} have lapsed.",
    ]


def test_whole_games_are_told_which_coasts_a_conversion_may_name() -> None:
    rules = load("three-kingdoms")
    [module] = [module for module in rules.modules if module.key == "conversion"]
    form = module.dense(rules)
    assert form is not None and form.conversion_turns == 2
    assert form.conversions["F", "bristl"] == [("A", "bristl")]
    assert form.conversions["A", "caern"] == [("F", "caern/nc"), ("F", "caern/sc")]


def test_maps_tell_how_far_a_conversion_is() -> None:
    assert CONVERT.drawn is not None and CONVERT.drawn.tag is not None
    order = Convert("A", "surrey", "F")
    begun = Verdict("Crown", order, Outcome.SUCCEEDS, Cause("fact", reason="1 of 2"))
    assert CONVERT.drawn.tag(begun, order) == "1 of 2"
    assert CONVERT.drawn.tag(Verdict("Crown", order, Outcome.CUT, Cause("attacked", by=order)), order) == ""
    assert CONVERT.drawn.tag(Verdict("Crown", order, Outcome.SUCCEEDS), order) == ""
    assert CONVERT.drawn.tag(None, order) == ""
