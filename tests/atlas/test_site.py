"""The moves browser knows every place by every name, and all ways to go."""

import json
import re
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, Page

from legation.atlas import Atlas, for_variant, moves_page
from legation.board import Board
from tests.atlas.made_up import made_up


def test_the_page_is_whole_and_alone() -> None:
    board, shapes = made_up()
    page = moves_page(Atlas(board, shapes, title="Moves </title><script>"))
    assert "{{" not in page.split("<script", 1)[0]
    assert not re.search(r'(?:src|href)="(?!#)', page)
    assert "Moves &lt;/title&gt;&lt;script&gt;" in page
    assert not re.findall(r"https?://(?!www\.w3\.org/)", page)


def test_a_name_cannot_break_the_page() -> None:
    board, shapes = made_up()
    first = next(iter(board.provinces.values()))
    named = msgspec.structs.replace(first, name="N<!--<script>")
    others = [p for p in board.provinces.values() if p.id != first.id]
    page = moves_page(Atlas(Board("x", "X", [named, *others], board.borders), shapes))
    data = page.split('id="board">', 1)[1].split("</script>", 1)[0]
    assert "<" not in data
    assert json.loads(data)["places"][first.id]["name"] == "N<!--<script>"


def test_the_page_knows_what_the_board_knows() -> None:
    board, shapes = made_up()
    page = moves_page(Atlas(board, shapes))
    text = page.split('id="board">', 1)[1].split("</script>", 1)[0]
    places = json.loads(text)["places"]
    assert set(places) == set(board.provinces)
    for name, place in places.items():
        province = board.provinces[name]
        assert (place["army"] is None) == province.sea
        if place["army"] is not None:
            assert set(place["army"]) == board.reach("army", name)
        for location, to in place["fleet"].items():
            assert set(to) == board.reach("fleet", location)


def shown(page: Page) -> bool:
    """Whether the whole map is in view."""
    within: bool = page.evaluate(
        """() => {
            const map = document.getElementById("map").getBoundingClientRect();
            const edge = document.querySelector(".neat").getBoundingClientRect();
            return edge.left >= map.left - 2 && edge.right <= map.right + 2 && edge.top >= map.top - 2
                && edge.bottom <= map.bottom + 2;
        }"""
    )
    return within


@pytest.mark.long
@pytest.mark.browser
def test_in_a_browser(tmp_path: Path, browser: Browser) -> None:
    atlas = for_variant("standard").in_language("fr")
    board, file = atlas.board, tmp_path / "moves.html"
    file.write_text(moves_page(atlas), encoding="utf-8")
    with browser.new_context(viewport={"width": 390, "height": 844}) as context:
        page = context.new_page()
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(file.as_uri())
        for typed in ("saint petersbourg", "LENINGRAD", "stp", "saint petresbourg"):
            page.keyboard.press("Escape")
            page.keyboard.press("/")
            page.keyboard.type(typed)
            page.keyboard.press("Enter")
            assert "Saint-Pétersbourg" in page.inner_text("#answer h2"), typed
        heads = page.locator("#answer h3").all_inner_texts()
        told = [h.split(" may")[0].split(" can")[0].strip() for h in heads]
        assert told == ["An army here", "A fleet on the north coast", "A fleet on the south coast"]
        painted = page.evaluate("[...document.querySelectorAll('.p.ra')].map(g => g.id.slice(2))")
        assert set(painted) == board.reach("army", "stp")
        other = sorted(board.reach("army", "stp"))[0]
        page.click(f"#answer .goes button:has-text('{other}')")
        assert board.provinces[other].name in page.inner_text("#answer h2")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        named = page.evaluate("[...document.querySelectorAll('.n.here')].map(text => text.textContent).join(' ')")
        assert named == board.provinces[other].name
        page.keyboard.press("Escape")
        assert "pick one on the map" in page.inner_text("#answer")
        page.emulate_media(reduced_motion="reduce")
        for width, height in ((1600, 700), (1280, 1000), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            page.reload()
            assert shown(page), f"first view at {width} by {height}"
            page.click("[data-zoom=in]")
            assert not shown(page)
            page.click("[data-zoom=all]")
            assert shown(page), f"whole map at {width} by {height}"
        assert faults == []
