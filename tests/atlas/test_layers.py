"""The two layers of a map for pages: the board once, the state of each turn; together they are the whole map."""

import gzip
import json
import re
import xml.etree.ElementTree as ET

import pytest

from legation.atlas import Atlas, font_faces, font_files, for_variant
from legation.atlas.board_drawing import SLOTS
from legation.atlas.cartography import StateOptions
from legation.bots.matches import random_game
from legation.judge import Resolution
from legation.position import Phase
from legation.variants import load, names
from tests.atlas.made_up import made_up
from tests.sampling import some

SVG = "{http://www.w3.org/2000/svg}"


def crowded(variant: str) -> Resolution:
    """Of a random game, the movement turn with most orders."""
    turns = [r for r in random_game(load(variant), 1, 12) if r.before.turn.phase is Phase.MOVEMENT]
    return max(turns, key=lambda r: len(r.verdicts))


def put_together(board: str, state: str) -> ET.Element:
    """What a page does: the children of each slot of the board are replaced by those of the state's."""
    whole = ET.fromstring(board)
    slots = {e.get("data-slot"): e for e in whole.iter() if e.get("data-slot")}
    for group in ET.fromstring(state):
        slot = slots[group.get("data-slot")]
        slot[:] = list(group)
    return whole


def drawing_of(root: ET.Element) -> list[str]:
    """The two groups of a map that hold its drawing, without titles of provinces, which only a whole map fills with
    facts."""
    for title in root.iter(f"{SVG}title"):
        title.text = ""
    parents = {child: parent for parent in root.iter() for child in parent}
    top = next(e for e in root.iter(f"{SVG}g") if e.get("class") == "top")
    siblings = list(parents[top])
    return [ET.tostring(e).decode() for e in siblings[: siblings.index(top) + 1] if e.tag == f"{SVG}g"]


@pytest.mark.parametrize("variant", some(names(), 3))
def test_both_layers_are_the_whole_map(variant: str) -> None:
    atlas, turn = for_variant(variant), crowded(variant)
    switches: tuple[StateOptions, ...] = ({}, {"units": False}, {"control": False}, {"orders": False})
    for more in switches:
        whole = ET.fromstring(atlas.svg(turn.before, turn.verdicts, legend=False, **more))
        state = atlas.state_layer(turn.before, turn.verdicts, **more)
        together = put_together(atlas.board_layer().svg, state)
        assert drawing_of(together) == drawing_of(whole), more
    assert drawing_of(ET.fromstring(atlas.board_layer().svg)) == drawing_of(ET.fromstring(atlas.svg(legend=False)))


@pytest.mark.parametrize("variant", some(names(), 4))
def test_layers_suit_a_strict_policy_and_stay_small(variant: str) -> None:
    atlas, turn = for_variant(variant), crowded(variant)
    board, state = atlas.board_layer(), atlas.state_layer(turn.before, turn.verdicts)
    for svg in (board.svg, state):
        assert "<style" not in svg and "style=" not in svg and "<script" not in svg and "base64" not in svg
    assert len(gzip.compress((board.svg + board.style + board.geometry).encode())) < 200_000
    assert len(state.encode()) < 120_000 and len(gzip.compress(state.encode())) < 25_000


def test_every_place_can_be_pointed_at() -> None:
    atlas = for_variant("standard")
    layer = atlas.board_layer()
    root = ET.fromstring(layer.svg)
    shapes = [e for e in root.iter(f"{SVG}g") if (e.get("id") or "").startswith("p-")]
    assert {e.get("data-at") for e in shapes} == set(atlas.board.provinces)
    assert {e.get("data-slot") for e in root.iter() if e.get("data-slot")} == set(SLOTS)
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    assert len(ids) == len(set(ids))
    facts = json.loads(layer.geometry)
    assert facts["places"].keys() == atlas.board.provinces.keys()
    assert set(facts["places"]["stp"]["coasts"]) == {"nc", "sc"}
    for name, place in facts["places"].items():
        left, top, right, bottom = place["box"]
        assert left < right and top < bottom and ("center" in place) == atlas.board.provinces[name].center
        for x, y in (place["at"], *place.get("coasts", {}).values()):
            assert 0 <= x <= facts["width"] and 0 <= y <= facts["height"]
        assert tuple(place["at"]) == pytest.approx(atlas.geometry.place_of(name), abs=0.06)


def test_what_the_reader_cannot_see_is_shaded() -> None:
    atlas, turn = for_variant("standard"), crowded("standard")

    def shaded(hidden: tuple[str, ...]) -> set[str | None]:
        root = put_together(atlas.board_layer().svg, atlas.state_layer(turn.before, hidden=hidden))
        (fog,) = (g for g in root.iter(f"{SVG}g") if g.get("data-slot") == "fog")
        return {use.get("href") for use in fog}

    assert shaded(("mos", "bla")) == {"#s-mos", "#s-bla"}
    assert shaded(()) == set()


def test_every_order_can_be_lit() -> None:
    """All that is drawn of an order has its number: exactly the parts that are not there without it."""
    atlas, turn = for_variant("standard"), crowded("standard")
    root = ET.fromstring(atlas.state_layer(turn.before, turn.verdicts))
    parts: dict[int, list[ET.Element]] = {}
    for e in root.iter():
        if number := e.get("data-order"):
            parts.setdefault(int(number), []).append(e)
    assert parts.keys() == set(range(len(turn.verdicts)))
    for i, verdict in enumerate(turn.verdicts):
        assert {e.get("data-at") for e in parts[i]} == {getattr(verdict.order, "at", None)}
    for layer in ("orders", "marks", "heads"):
        for group in root.iter(f"{SVG}g"):
            if layer in (group.get("class") or group.get("data-slot") or "").split():
                assert all(e.get("data-order") for e in group), layer


def test_a_layer_never_changes_and_is_named_by_its_content() -> None:
    board, shapes = made_up(5, 5)
    first, again = Atlas(board, shapes).board_layer(), Atlas(board, shapes).board_layer()
    assert for_variant("hundred") is for_variant("hundred"), "an atlas is made once"
    assert first == again and re.fullmatch("[0-9a-f]{16}", first.digest)
    assert Atlas(*made_up(5, 5, 2)).board_layer().digest != first.digest
    assert Atlas(board, shapes, title="Another").board_layer().digest != first.digest


def test_every_color_of_the_style_is_given_in_both_themes() -> None:
    style = for_variant("three-kingdoms").board_layer().style
    used = set(re.findall(r"var\((--[\w-]+)\)", style))
    given = [set(re.findall(r"(--[\w-]+):", block)) for block in re.findall(r":root[^{]*\{([^}]*)\}", style)]
    assert len(given) == 3 and used
    assert all(used <= properties for properties in given)


def test_fonts_are_fetched_by_the_names_of_their_files() -> None:
    asked = re.findall(r"url\((.*?)\)", font_faces("/fonts/"))
    assert asked == [f"/fonts/{name}" for name in font_files()]
    assert all(content.startswith(b"wOF2") for content in font_files().values())
