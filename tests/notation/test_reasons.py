"""Why a text isn't carried out: for each reason a text that has it, and its message, with nothing left unfilled."""

import runpy
from pathlib import Path

import msgspec
import pytest

from legation.notation.errors import OrderTextError, reasons
from legation.position import Turn
from legation.variants import load

MOVEMENT, WINTER = "Spring 1901 Movement", "Winter 1901 Adjustments"
FERRIES, SUPPLY = "Spring 1000 Movement", "Winter 1643 Adjustments"
PLAYED = {FERRIES: ("1000ad", "British"), SUPPLY: ("three-kingdoms", "Crown")}
"""Where these turns are: the variant, and whose sheet it is."""
TEXTS: dict[str, tuple[str, str]] = {
    "not order": (MOVEMENT, "Germany says A par - bur"),
    "no order": (MOVEMENT, ""),
    "unknown place": (MOVEMENT, "A par - xyzzy"),
    "power not place": (MOVEMENT, "A par - Germany"),
    "ambiguous": (MOVEMENT, "A gul - rom"),
    "unknown power": (MOVEMENT, "Xyzzia"),
    "unknown kind": (WINTER, "build par, 3D"),
    "no coast": (MOVEMENT, "F mar - spa/wc"),
    "not yours": (MOVEMENT, "Germany: A mun - bur"),
    "only own": (MOVEMENT, "A par - bur, supported by A mun"),
    "says nothing": (MOVEMENT, "A par"),
    "no verb": (MOVEMENT, "A par frobs"),
    "rest unread": (MOVEMENT, "A par - bur mun"),
    "say where": (MOVEMENT, "A par -"),
    "say whom": (MOVEMENT, "A par supports"),
    "sea only": (MOVEMENT, "A bre - pic - lon"),
    "counts": (MOVEMENT, "all three fleets hold"),
    "unclear": (MOVEMENT, "A par, A mar hold"),
    "condition": (MOVEMENT, "If Italy attacks, A par - bur"),
    "question": (MOVEMENT, "A par - bur?"),
    "negation": (MOVEMENT, "Don't move A par"),
    "doubt": (MOVEMENT, "Maybe A par - bur"),
    "quotation": (MOVEMENT, 'Germany wrote "A par - bur"'),
    "other turn": (MOVEMENT, "Fall 1905\nA par - bur"),
    "corrected": (MOVEMENT, "A par - bur\nSorry, A par H"),
    "taken back": (MOVEMENT, "A par - bur\nIgnore the above."),
    "stopped": (MOVEMENT, "A par - bur\nMaybe Paris holds."),
    "which order": (MOVEMENT, "A par - bur\nChange the order for Paris."),
    "crossed out": (MOVEMENT, "~~A par - bur~~"),
    "not ticked": (MOVEMENT, "[x] A par - bur\n[ ] A mar H"),
    "only stays": (WINTER, "A par holds"),
    "builds or not": (WINTER, "build A par\nno builds"),
    "which rest": (MOVEMENT, "Army moves to xyzzy\nall others hold"),
    "ordered already": (MOVEMENT, "A par - bur\nConvoy Paris to Wales with F bre"),
    "amends": (MOVEMENT, "Only change: A par H"),
    "too long": (MOVEMENT, "x" * 7000),
    "too many": (MOVEMENT, "A zzz - bur\n" * 60),
    "remark": (MOVEMENT, "A par - bur # A mar H"),
    "say ferry": (FERRIES, "F nth ferries A lon"),
    "landing": (FERRIES, "A lon ferried by F nth - nwg"),
    "say power": (FERRIES, "A lon under orders"),
    "say count": (SUPPLY, "send to Argyll"),
    "letter": (MOVEMENT, "press to Germany\nA par - bur"),
    "below": (MOVEMENT, "A par - bur\n--\nA mar H"),
    "plan": (MOVEMENT, "Next turn: A par - bur"),
}


ALONE = ("no order", "unclear")
"""The reasons that only a single order has."""


def told(code: str) -> list[OrderTextError]:
    """The errors for the text of a reason."""
    turn, text = TEXTS[code]
    variant, power = PLAYED.get(turn, ("standard", "France"))
    rules = load(variant)
    position = msgspec.structs.replace(rules.opening(), turn=Turn.parse(turn))
    if code in (*ALONE, "unknown power"):
        with pytest.raises(OrderTextError) as caught:
            rules.reader.order(text, power=power) if code in ALONE else rules.reader.power(text)
        return [caught.value]
    passages = rules.reader.sheet(text, position.turn.phase, power, position)
    return [passage.error for passage in passages if passage.error is not None]


def test_each_reason_has_a_text() -> None:
    assert TEXTS.keys() == reasons().keys()


@pytest.mark.parametrize("code", TEXTS)
def test_a_text_has_its_reason_and_a_whole_message(code: str) -> None:
    errors = told(code)
    error = next((error for error in errors if error.code == code), None)
    assert error is not None, [error.code for error in errors]
    assert "{" not in error.message and "''" not in error.message and "  " not in error.message
    assert error.message == error.message.strip() and error.message


def test_the_examples_of_the_manual_are_read() -> None:
    """Those on the page on how orders are read, each in the phase in which it can be given."""
    rules = load("standard")
    phases = {"a retreat": "Fall 1902 Retreats", "a build or a removal": WINTER}
    for noun, *texts in runpy.run_path(str(Path(__file__).parents[2] / "docs" / "conf.py"))["EXAMPLES"]:
        turn = Turn.parse(phases.get(noun, MOVEMENT))
        for text in ["\n".join(texts)] if noun == "a table with a head" else texts:
            position = rules.opening() if text.casefold().startswith(("all ", "everything ")) else None
            orders, errors = rules.reader.orders(text, turn.phase, "France", position)
            assert orders and errors == [], text
