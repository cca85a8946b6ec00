"""What a hand does at the drawing table: tracing paper pinned down, borders by click, names dragged, provinces split
and merged, each undone; and a board that is open in two tabs, or whose tab crashes."""

import struct
import zlib
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Error as PageError
from playwright.sync_api import Page, expect

from tests.web.drawing import Finger, Keys, Mouse, Point
from tests.web.visiting import Visit

pytestmark = [pytest.mark.browser, pytest.mark.long]

ISLAND: dict[str, Any] = {
    "carve": [{"kind": "land", "form": "area", "points": "100 100; 500 100; 500 620; 100 620"}],
    "land": [
        {"id": "big", "name": "Big", "coasts": "single", "points": "200 520"},
        {"id": "hil", "name": "Hill", "coasts": "single", "points": "420 520", "center": "1"},
        {"id": "dal", "name": "Dale", "coasts": "single", "points": "200 200"},
        {"id": "low", "name": "Low", "coasts": "single", "points": "420 200"},
    ],
    "sea": [
        {"id": "wes", "name": "West Sea", "points": "40 300"},
        {"id": "eas", "name": "East Sea", "points": "700 300"},
    ],
}
"""An island of four lands in two seas, in a plane of 1000 by 700 km."""
BIG, HILL, DALE, LOW = (200.0, 520.0), (420.0, 520.0), (200.0, 200.0), (420.0, 200.0)
CROSSES = {(300, 150): (255, 0, 0), (900, 450): (0, 0, 255), (300, 600): (0, 255, 0)}
"""Where the picture that is traced has its red, blue and green crosses, in pixels."""


def picture(width: int, height: int, scale: int = 1) -> bytes:
    """A white PNG with a cross at each of the three points."""
    dots = [bytearray(b"\xff" * (3 * width)) for _ in range(height)]
    for (x, y), color in CROSSES.items():
        for along in range(-24 * scale, 24 * scale + 1):
            for across in range(-3 * scale, 3 * scale + 1):
                for a, b in ((along, across), (across, along)):
                    at = 3 * (scale * x + a)
                    dots[scale * y + b][at : at + 3] = bytes(color)
    rows = b"".join(b"\0" + bytes(row) for row in dots)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def island(visit: Visit) -> Page:
    """A table with the island on it."""
    page = visit.page
    page.goto(f"{visit.address}/table")
    page.wait_for_selector("html[data-ready]")
    page.locator("#plane-title").fill("The island")
    page.locator("#from-nothing").get_by_role("button").click()
    page.wait_for_url("**/table/board*")
    page.wait_for_selector("html[data-ready]")
    page.evaluate(
        "(tables) => table.change('The island', {...table.document, board: {...table.document.board, ...tables}})",
        ISLAND,
    )
    Mouse(page).grown()
    return page


def board(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate("table.document.board")
    return found


def names(page: Page) -> list[str]:
    return [row["name"] for row in board(page)["land"]]


def on_the_map(page: Page, pixel: tuple[int, int]) -> Point:
    """Where a pixel of the traced picture lies."""
    x, y = page.evaluate(
        """([x, y]) => { const [c, s, dx, dy] = table.picture.lie(table.picture.paper);
            return table.projection.point([c * x - s * y + dx, s * x + c * y + dy]); }""",
        list(pixel),
    )
    return x, y


def color_at(page: Page, at: Point) -> list[int]:
    """What the layer of the tracing paper shows at a place."""
    found: list[int] = page.evaluate(
        """([x, y]) => { const canvas = document.querySelector('.tracing'), box = canvas.getBoundingClientRect();
            const [left, top] = table.sheet.onSheet(table.projection.place([x, y])), dots = canvas.width / box.width;
            const brush = canvas.getContext('2d'), at = [left, top].map((pixels) => Math.round(pixels * dots));
            return [...brush.getImageData(...at, 1, 1).data]; }""",
        list(at),
    )
    return found


@pytest.mark.parametrize("hand", [Mouse, Finger, Keys])
def test_two_pins_lay_a_picture_exactly_upon_the_map(visit: Callable[..., Visit], hand: type[Mouse]) -> None:
    settings = {"has_touch": True, "is_mobile": True} if hand is Finger else {}
    page = island(visit(viewport={"width": 1280, "height": 900}, **settings))
    draws = hand(page)
    draws.tool("trace")
    sketch = picture(3600, 2400, 3)  # kept in fewer pixels
    page.locator("#tracing-file").set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": sketch})
    page.wait_for_selector("#tracing-away")
    page.locator("#tracing-strength").fill("100")
    red, blue, green = [(2 * x, 2 * y) for x, y in CROSSES]  # as it is kept, it is 2400 pixels wide
    for cross in (red, blue):
        draws.tap(on_the_map(page, cross))
    for cross, to in ((red, (100.0, 620.0)), (blue, (700.0, 320.0))):
        draws.drag(on_the_map(page, cross), to)
    third = (100.0, 170.0)  # as far below the red cross as the picture has it, at the scale of the other two
    for at, color in (((100.0, 620.0), (255, 0, 0)), ((700.0, 320.0), (0, 0, 255)), (third, (0, 255, 0))):
        assert color_at(page, at)[:3] == pytest.approx(color, abs=12)
    assert on_the_map(page, green) == pytest.approx(third, abs=3)
    draws.drag((100.0, 620.0), (700.0, 320.0))
    expect(page.locator("#said")).to_contain_text("two pins can’t stand in one place")
    page.evaluate("table.keeper.now()")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    draws.tool("trace")
    page.wait_for_selector("#tracing-away")
    assert color_at(page, third)[:3] == pytest.approx((0, 255, 0), abs=12)


def test_what_is_typed_while_the_board_grows_is_kept(visit: Callable[..., Visit]) -> None:
    page = island(visit(viewport={"width": 1280, "height": 900}))
    Mouse(page).tool("choose")
    Mouse(page).tap((230, 470))
    for before, first, last in (("Big", "Les", "ser"), ("Lesser", "Whole", "")):
        page.locator("#p-name").focus()
        page.keyboard.press("Control+a")
        page.keyboard.type(first)
        page.evaluate("table.render()")  # as when the board that grew comes back
        page.keyboard.type(last)
        assert names(page)[0] == before
        page.keyboard.press("Tab")
        assert names(page)[0] == first + last


@pytest.mark.parametrize("hand", [Mouse, Finger, Keys])
def test_a_province_is_split_named_merged_and_all_is_undone(visit: Callable[..., Visit], hand: type[Mouse]) -> None:
    settings = {"has_touch": True, "is_mobile": True} if hand is Finger else {}
    page = island(visit(viewport={"width": 1280, "height": 900}, **settings))
    draws, before = hand(page), board(page)
    draws.tool("choose")
    draws.tap((230, 470))
    expect(page.locator("#chosen")).to_contain_text("Big")
    draws.press("p-split")
    page.keyboard.type("Lesser")
    page.keyboard.press("Tab")
    draws.grown()
    assert names(page) == ["Big", "Hill", "Dale", "Low", "Lesser"] and page.evaluate("table.findings") == []
    areas = page.evaluate("[table.grown.provinces.big.area, table.grown.provinces.b2.area]")
    assert 0.5 < areas[0] / areas[1] < 2
    draws.choose("p-merge", "Big")
    draws.grown()
    assert names(page) == ["Hill", "Dale", "Low", "Lesser"] and page.evaluate("table.findings") == []
    draws.write("p-id", "hil")
    expect(page.locator("#said")).to_be_visible()
    expect(page.locator("#said")).to_have_text("Hill has the short name hil already.")
    draws.write("p-id", "les")
    assert [row["id"] for row in board(page)["land"]] == ["hil", "dal", "low", "les"]
    for _ in range(4):
        draws.press("undo")
    assert board(page) == before
    for _ in range(4):
        draws.press("redo")
    assert [row["id"] for row in board(page)["land"]] == ["hil", "dal", "low", "les"]


def test_each_choice_at_a_border_is_made_by_click_and_undone(visit: Callable[..., Visit]) -> None:
    page = island(visit())
    draws, before = Mouse(page), board(page)
    draws.tool("borders")

    def passes(a: str, b: str) -> tuple[bool, bool]:
        draws.grown()
        found = [row for row in page.evaluate("table.grown.borders") if {row["a"], row["b"]} == {a, b}]
        return (found[0]["army"], found[0]["fleet"]) if found else (False, False)

    # two lands side by side, by the knob between them; then two that meet nowhere, by tapping one and the other
    draws.tap((315, 490))
    expect(page.locator("#hint")).to_contain_text("Big – Hill: armies and fleets")
    for chip, wanted in (("00", (False, False)), ("10", (True, False)), ("01", (False, True)), ("11", (True, True))):
        draws.press(f"border-{chip}")
        assert passes("big", "hil") == wanted
        assert page.evaluate("table.findings") == []
    assert "links" not in board(page)
    draws.tap((160, 590))
    draws.tap((470, 130))
    expect(page.locator("#hint")).to_contain_text("Big – Low: closed")
    for chip, wanted in (("11", (True, True)), ("10", (True, False)), ("01", (False, True)), ("00", (False, False))):
        draws.press(f"border-{chip}")
        assert passes("big", "low") == wanted
    for _ in range(8):
        draws.press("undo")
    assert board(page) == before
    assert passes("big", "hil") == (True, True)


def test_names_units_and_stars_are_dragged_and_go_back(visit: Callable[..., Visit]) -> None:
    page = island(visit())
    draws, before = Mouse(page), board(page)
    draws.tool("choose")
    draws.tap((470, 590))
    expect(page.locator("#chosen")).to_contain_text("Hill")
    for what, to in (("label", (400, 580)), ("unit", (350, 420)), ("center", (460, 420))):
        draws.drag(page.evaluate(f"table.projection.point(table.grown.provinces.hil.{what})"), to)
        draws.grown()
        there = page.evaluate(f"table.projection.point(table.grown.provinces.hil.{what})")
        assert there == pytest.approx(to, abs=3)
        assert board(page)["places"][-1] == {"id": "hil", "what": what, "point": f"{there[0]} {there[1]}"}
    draws.press("p-places")
    draws.grown()
    assert board(page) == before
    for _ in range(4):
        draws.press("undo")
    assert board(page) == before


def test_two_tabs_with_one_board_lose_nothing_and_tell(visit: Callable[..., Visit]) -> None:
    page = island(visit())
    page.evaluate("table.keeper.now()")
    others = [page.context.new_page() for _ in range(2)]
    for tab in others:
        tab.goto(page.url)
        tab.wait_for_selector("html[data-ready]")
        Mouse(tab).grown()
    draws_on, looks = others
    first = Mouse(page)
    first.tool("place")
    first.place("Isle", (320, 400))
    for tab in others:
        expect(tab.locator("#notice")).to_contain_text("This board was changed in another tab.")
    second = Mouse(draws_on)
    second.tool("place")
    second.place("Reef", (250, 150))
    expect(draws_on.locator("#notice")).to_contain_text("What you draw here is kept as “The island (copy)”")
    expect(draws_on.locator("#title")).to_have_text("The island (copy)")
    page.evaluate("table.keeper.now()")
    draws_on.evaluate("table.keeper.now()")
    looks.locator("#show-other").click()
    looks.wait_for_function("() => globalThis.table?.name('isl') === 'Isle'")
    expect(looks.locator("#notice")).to_be_hidden()
    expect(page.locator("#notice")).to_be_hidden()
    for tab, own in ((page, "Isle"), (draws_on, "Reef")):
        tab.reload()
        tab.wait_for_selector("html[data-ready]")
        assert names(tab) == ["Big", "Hill", "Dale", "Low", own]
    looks.goto(f"{page.url.partition('/table')[0]}/table")
    expect(looks.locator("#kept-list li")).to_have_count(2)


def test_a_board_comes_back_after_its_tab_has_crashed(visit: Callable[..., Visit]) -> None:
    page = island(visit())
    drawn = Mouse(page)
    drawn.tool("place")
    drawn.place("Isle", (320, 400))
    expect(page.locator("#kept")).to_contain_text("Saved in this browser, ")
    page.evaluate("table.keeper.now()")
    with page.expect_event("crash"), suppress(PageError):  # whom it crashes gives no answer
        page.goto("chrome://crash")
    back = page.context.new_page()
    back.goto(f"{page.url.partition('/table')[0]}/table")
    expect(back.locator("#kept-list")).to_contain_text("7 provinces, saved ")
    back.get_by_role("link", name="The island").click()
    back.wait_for_url("**/table/board*")
    back.wait_for_selector("html[data-ready]")
    assert names(back) == ["Big", "Hill", "Dale", "Low", "Isle"]
    expect(back.locator("#kept")).to_contain_text("Saved in this browser, ")
    Mouse(back).press("undo")
    assert names(back) == ["Big", "Hill", "Dale", "Low"]
