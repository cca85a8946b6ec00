"""Whatever people call things, maps are well-formed."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import msgspec
import pytest

from legation.atlas import Atlas, moves_page
from legation.atlas.letters import escape
from legation.board import Board
from legation.judge import Power
from legation.position import Phase, Position, Turn, Unit
from legation.rules.proxy import Proxy
from tests.atlas.made_up import made_up
from tests.atlas.test_cartography import Given

NASTY = ["\x00", "\x08\x1f", "\ufffe", "\uffff", "\ud800", "\udfff", "<&>\"'", "]]>", "\U0001f600", "\x85\u2028"]


@pytest.mark.parametrize("nasty", NASTY, ids=ascii)
def test_a_map_is_well_formed_whatever_the_names(nasty: str) -> None:
    board, shapes = made_up(4, 4)
    first = next(p for p in board.provinces.values() if p.center)
    named = msgspec.structs.replace(first, name=f"N{nasty}")
    others = [p for p in board.provinces.values() if p.id != first.id]
    board = Board("x", f"T{nasty}", [named, *others], board.borders, credits=f"C{nasty}")
    atlas = Atlas(board, shapes, (Power(f"P{nasty}"),))
    place = Position(
        Turn(f"S{nasty}", 1001, Phase.MOVEMENT), (Unit("A", first.id, f"P{nasty}"),), owners={first.id: f"P{nasty}"}
    )
    orders = [Given(f"P{nasty}", Proxy("A", first.id, f"P{nasty}"), f"o{nasty}")]
    for svg in (atlas.svg(place, orders, title=f"M{nasty}"), atlas.board_layer().svg, atlas.state_layer(place, orders)):
        svg.encode("utf-8")
        ET.fromstring(svg.encode("utf-8"))
    atlas.board_layer().geometry.encode("utf-8")
    moves_page(atlas).encode("utf-8")


def test_what_no_xml_may_hold_is_replaced_and_the_rest_kept() -> None:
    assert escape("a\tb\n\x00c\ufffed\ud812é\U0001f600") == "a\tb\n\ufffdc\ufffdd\ufffdé\U0001f600"
    assert escape('<a b="c">&') == "&lt;a b=&quot;c&quot;&gt;&amp;"
