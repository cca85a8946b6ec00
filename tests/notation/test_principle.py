"""Everything that is read is what was written, and everything else is told: random joins of good orders and of what is
none."""

import random
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from legation.game import check_sheet
from legation.judge import legal_orders
from legation.notation import write
from legation.variants import load
from tests.notation.test_corpus import is_whole

VARIANTS = {name: load(name) for name in ("standard", "hundred", "1000ad", "three-kingdoms")}
GOOD = {
    name: [
        (power, [write(o) for o in orders if write(o) != "draw"])
        for power, orders in legal_orders(
            rules, rules.opening() if name != "1000ad" else load("1000ad").opening()
        ).items()
        if orders
    ]
    for name, rules in VARIANTS.items()
}
BULLETS = ("", "- ", "* ", "• ", "> ", "1. ", "2) ", "(3) ", "a) ", "  ", "> - ")
REMARKS = ("Hi all,", "Good luck,", "# done by hand", "", "----", "Orders:", "Hello", "====")
NOISE = ("I hope so", "xyzzy plugh", "what do you think?", "@@@", "nonsense - more nonsense", "- - -> ->", "((")
"""What is no order and speaks of none."""
HALF = ("A par frobs", "A par - xyzzy", "F bre supports")
"""What would be an order on the standard board, and must be told."""


@st.composite
def sheets(draw: st.DrawFn) -> tuple[str, str, list[tuple[str, str]]]:
    """A variant, a power, and lines with what they are: an order, a remark, noise, or half an order."""
    name = draw(st.sampled_from(sorted(GOOD)))
    power, orders = draw(st.sampled_from(GOOD[name]))
    lines = []
    for _ in range(draw(st.integers(1, 8))):
        kind = draw(st.sampled_from(("order", "order", "remark", "noise", "half" if name == "standard" else "noise")))
        said = {"order": orders, "remark": REMARKS, "noise": NOISE, "half": HALF}[kind]
        lines.append((kind, draw(st.sampled_from(said))))
    return name, power, lines


@given(sheets(), st.data())
@settings(max_examples=100, deadline=None)
def test_what_is_read_was_written_and_the_rest_is_told(
    sheet: tuple[str, str, list[tuple[str, str]]], data: st.DataObject
) -> None:
    name, power, lines = sheet
    rules = VARIANTS[name]
    text = ""
    for kind, said in lines:
        text += (data.draw(st.sampled_from(BULLETS)) if kind == "order" else "") + said + "\n\n"
    position = rules.opening()
    passages = rules.reader.sheet(text, position.turn.phase, power, position)
    assert [write(p.order) for p in passages if p.order is not None] == [s for k, s in lines if k == "order"]
    told = "".join(text[p.start : p.end] for p in passages if p.error is not None)
    for kind, said in lines:
        if kind == "half":
            assert said in told


@given(sheets(), st.sampled_from((", ", "; ", ". ", " and ", "\n", ",\n", " & ")))
@settings(max_examples=100, deadline=None)
def test_orders_may_be_joined_as_one_likes(sheet: tuple[str, str, list[tuple[str, str]]], joint: str) -> None:
    name, power, lines = sheet
    rules = VARIANTS[name]
    orders = [said for kind, said in lines if kind == "order"]
    position = rules.opening()
    found, errors = rules.reader.orders(joint.join(orders), position.turn.phase, power, position)
    assert [write(o) for o in found] == orders
    assert errors == []


@given(
    sheets(),
    st.sampled_from(("if {}, {}", "{} unless {}", "{} or {}", "not {}; {}", "do not {}, {}", "ANOTHER said {}; {}")),
)
@example(("standard", "Austria", [("order", "A bud S A vie - gal"), ("order", "A bud H")]), "{} or {}")
@settings(max_examples=100, deadline=None)
def test_what_is_made_to_depend_denied_or_told_of_others_is_not_carried_out(
    sheet: tuple[str, str, list[tuple[str, str]]], form: str
) -> None:
    """Of the second order nothing is said in the last three forms, so it may stand. That a unit holds or that nothing
    is built, denied or told of others, orders nothing and leaves nothing out: it may be a remark."""
    name, power, lines = sheet
    rules = VARIANTS[name]
    orders = [said for kind, said in lines if kind == "order"][:2]
    if len({*orders}) < 2:
        return
    position = rules.opening()
    another = next(name for name in rules.powers if name != power)
    text = form.format(*orders).replace("ANOTHER", another)
    found, errors = rules.reader.orders(text, position.turn.phase, power, position)
    assert [write(order) for order in found] in ([], orders[1:] if ";" in form or form.startswith("do") else [])
    remark = form.startswith(("not", "do", "ANOTHER")) and (orders[0] == "waive" or orders[0].endswith(" H"))
    assert errors or remark, text


@given(st.text(max_size=200))
@settings(max_examples=100, deadline=None)
def test_every_character_of_any_text_is_accounted_for(text: str) -> None:
    rules = VARIANTS["standard"]
    position = rules.opening()
    check = check_sheet(rules, position, "France", text)
    covered = [c.isspace() for c in text]
    for entry in check.entries:
        first, last = entry.span
        assert entry.text == text[first:last]
        covered[first:last] = [True] * (last - first)
    assert all(covered)


SHAPES = {
    "noise": random.Random(1).randbytes(1_000_000).decode("latin-1"),
    "a line of shreds": "A par - " + "x y, z; " * 125_000,
    "commas": "," * 1_000_000,
    "units": "A par, " * 140_000,
    "empty lines": "\n" * 1_000_000,
    "a word": "w" * 1_000_000,
    "orders": "A par - bur\n" * 80_000,
    "bad orders": "A pxr - bur\n" * 80_000,
    "brackets": "(" * 1_000_000,
    "tags": "<a " * 300_000,
    "stars": "*a " * 300_000,
    "conditions": "if " * 300_000,
    "struck out": "~~" * 300_000,
    "entities": "&amp;" * 200_000,
    "quotations": '"a\nb"\n' * 160_000,
    "helped": "A bur, supported by A par, moves to mun\n" * 25_000,
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_megabyte_of_anything_ends_soon(shape: str) -> None:
    rules = VARIANTS["standard"]
    start = time.process_time()
    passages = rules.reader.sheet(SHAPES[shape], power="France", position=rules.opening())
    errors = [p.error for p in passages if p.error is not None]
    assert 1 <= len(errors) <= 53
    assert all(len(str(error)) < 1000 and is_whole(error) for error in errors)
    codes = {error.code for error in errors}
    assert "too long" in codes and (shape != "bad orders" or "too many" in codes)
    assert time.process_time() - start < 60  # a backstop against quadratic work, not a measure of speed
