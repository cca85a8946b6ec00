"""Kinds of orders and of units that the atlas does not know are told, never dropped or drawn as others."""

import xml.etree.ElementTree as ET
from typing import Any

import pytest

from legation.atlas import Atlas
from legation.atlas.legend import ORDER_KEYS
from legation.atlas.order_forms import FORMS, STROKES, form_for, form_of
from legation.board import ARMY
from legation.judge import Power, UnitKind
from legation.notation import Drawn
from legation.notation.forms import KINDS
from legation.notation.order_kinds import STROKES as NAMED
from legation.orders import Hold, Move
from legation.position import Phase, Position, Turn, Unit
from legation.rules import modules
from tests.atlas.made_up import made_up
from tests.atlas.test_cartography import given, lands


class Fly(Move, frozen=True):
    """A kind of order that extends another."""


class Dig(Hold, frozen=True):
    """Likewise."""


def texts(svg: str) -> str:
    return " ".join(ET.fromstring(svg).itertext())


def test_every_kind_of_order_has_a_form() -> None:
    shipped = [kind for module in modules().values() for kind in module.orders]
    assert {kind.record for kind in KINDS} == set(FORMS)
    forms = [*FORMS.values(), *(form for kind in shipped if (form := form_for(kind.record)))]
    assert len(forms) == len(FORMS) + len(shipped)
    assert all(form.draw or form.tag or form.words for form in forms)
    assert all(form.legend for form in forms if form.tag), "the legend has no words for it"


def test_rules_name_the_strokes_that_there_are() -> None:
    assert set(STROKES) == set(NAMED)
    assert {form.key for form in STROKES.values()} <= {*ORDER_KEYS, ""}
    with pytest.raises(ValueError, match="no 'squiggle'"):
        Drawn(strokes="squiggle")  # type: ignore[arg-type]


def test_a_kind_that_extends_another_is_drawn_like_it() -> None:
    assert form_of(Fly("A", "par", "bur")) is FORMS[Move] and form_of(Dig("A", "par")) is FORMS[Hold]
    assert form_of(object()) is None


def test_an_order_of_an_unknown_kind_is_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    board, shapes = made_up()
    atlas = Atlas(board, shapes, (Power("Reds"),))
    a, *_ = lands(board)
    place = Position(Turn("Spring", 1001, Phase.MOVEMENT), (Unit("A", a, "Reds"),))
    strange: Any = object()
    monkeypatch.setattr("legation.atlas.canvas.write", lambda order: "A digs")
    assert "Reds: A digs (void)" in texts(atlas.svg(place, [given("Reds", strange, "void")]))


def test_kinds_of_units_bring_their_symbols_or_are_lettered() -> None:
    board, shapes = made_up()
    a, b, c = lands(board)
    wing = UnitKind("W", "wing", ARMY, symbol='<path id="wing" d="M0 0L5 5"/>')
    atlas = Atlas(board, shapes, (Power("Reds"),), kinds=(wing, UnitKind("X", "express train", ARMY)))
    units = (Unit("W", a, "Reds"), Unit("X", b, "Reds"), Unit("Q", c, "Reds"))
    svg = atlas.svg(Position(Turn("Spring", 1001, Phase.MOVEMENT), units))
    root = ET.fromstring(svg)
    used = {use.get("href") for use in root.iter("{http://www.w3.org/2000/svg}use")}
    assert {"#u-W", "#u-X", "#u-unknown"} <= used and "#u-A" not in used
    defined = {e.get("id"): "".join(e.itertext()) for e in root.iter() if e.get("id")}
    assert "wing" in defined and (defined["u-X"], defined["u-unknown"]) == ("X", "")  # a drawn question mark
    assert {"wing", "express train"} <= set(root.itertext())
    assert "wing of Reds" in svg and "Q of Reds" in svg
