"""``docs/first-board.md`` is followed to the letter. With ``TESTS_PICTURES`` set its pictures are taken."""

import io
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.web.drawing import Mouse
from tests.web.visiting import IN_PAGES, Visit

pytestmark = pytest.mark.browser

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "first-board.md").read_text(encoding="utf-8")
PLACES = {
    m[1]: (float(m[2]), float(m[3])) for m in re.finditer(r"(?m)^\| ([\w ]+) \| (-?[\d.]+) \| ([\d.]+) \|$", TEXT)
}
EDGES = {m[1]: m[2] for m in re.finditer(r"(west|south|east|north) (-?\d+(?:\.\d+)?)", TEXT)}


def picture(page: Page, number: int) -> None:
    """Take a picture for the manual."""
    assert f"first-board-{number}.webp" in TEXT
    if os.environ.get("TESTS_PICTURES"):
        page.wait_for_timeout(600)
        shot = Image.open(io.BytesIO(page.screenshot()))
        shot.convert("RGB").save(DOCS / "pictures" / f"first-board-{number}.webp", quality=82, method=6)


@pytest.mark.longest
def test_the_first_board_of_the_manual(visit: Callable[..., Visit]) -> None:
    hands_on = visit(viewport={"width": 1280, "height": 860})
    page = hands_on.go("/table")
    page.wait_for_selector("html[data-ready]")
    for edge, value in EDGES.items():
        page.locator(f"#edge-{edge}").fill(value)
    page.get_by_label("Title", exact=True).first.fill("Ireland")
    picture(page, 1)
    page.get_by_role("button", name="New board").click()
    page.wait_for_url("**/table/board*")
    hand = Mouse(page)
    hand.grown()
    for name, at in PLACES.items():
        hand.tap(at)
        page.keyboard.type(name)
        if name == list(PLACES)[-1]:
            picture(page, 2)
        page.keyboard.press("Enter")
    hand.grown()
    kinds: dict[str, Any] = page.evaluate(
        "Object.fromEntries([...table.provinces.values()].map((p) => [p.name, p.sea]))"
    )
    assert kinds == {name: list(PLACES).index(name) > 4 for name in PLACES}
    page.get_by_role("button", name="Select", exact=True).click()
    (x, y), (_, north) = hand.spot(PLACES["Meath"]), hand.spot((-7.2, 53.8))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, (y + north) / 2)
    page.mouse.move(x, north)
    expect(page.locator(".preview")).to_be_visible()
    picture(page, 3)
    page.mouse.up()
    moved = page.evaluate("[...table.provinces.values()].find((p) => p.name === 'Meath').points[0][1]")
    assert moved == pytest.approx(53.8, abs=0.02)
    page.get_by_role("button", name="Centers", exact=True).click()
    for number, (power, army, fleet) in enumerate((("North", "Ulster", "Connacht"), ("South", "Munster", "Leinster"))):
        page.locator("#chips").get_by_role("button", name="New power").click()
        page.keyboard.type(power)
        page.locator(f"#power-set-{number}").click()
        hand.tap(PLACES[army])
        hand.tap(PLACES[fleet])
        hand.tap(PLACES[fleet])
    page.get_by_role("button", name="Neutral center").click()
    hand.tap((-7.2, 53.8))
    page.locator("#step-powers").click()
    hand.grown()
    assert page.evaluate("table.findings") == []
    assert page.evaluate("table.document.variant.rules.solo.centers") == 3
    page.get_by_text("All colors stay apart").wait_for()
    picture(page, 4)
    page.locator("#step-try").click()
    with page.context.expect_page() as opened:
        page.get_by_role("button", name="Play against bots now").click()
    game = opened.value
    game.wait_for_selector("html[data-ready]")
    game.set_viewport_size({"width": 1280, "height": 860})
    picture(game, 5)
    before = game.url
    game.locator(".primary[form=orders]").click()
    game.wait_for_url(lambda url: url != before)
    game.get_by_text("The last turn was judged").wait_for()
    assert hands_on.troubles == []


@pytest.mark.longest
def test_five_hundred_edits_take_no_memory(desk: Visit) -> None:
    page = desk.go("/table")
    page.wait_for_selector("html[data-ready]")
    page.get_by_role("button", name="British Isles").click()
    page.get_by_role("button", name="New board").click()
    page.wait_for_url("**/table/board*")
    hand = Mouse(page)
    hand.grown()
    for name, at in {"Mercia": (-1.6, 52.6), "Wales": (-3.7, 52.3), "Irish Sea": (-4.9, 53.9)}.items():
        hand.place(name, at)
    hand.grown()
    page.route("**/table/grow", lambda route: route.fulfill(status=429, json={}))  # what is measured is the page

    def used() -> tuple[float, float]:
        session = desk.context.new_cdp_session(page)
        session.send("HeapProfiler.collectGarbage")
        session.send("Performance.enable")
        told = {m["name"]: m["value"] for m in session.send("Performance.getMetrics")["metrics"]}
        session.detach()
        return told["JSHeapUsedSize"], told["Nodes"]

    page.evaluate(IN_PAGES["editedOften"], [0, 60])
    heap, nodes = used()
    page.evaluate(IN_PAGES["editedOften"], [60, 560])
    later, there = used()
    assert page.evaluate("table.history.done.length") > 500
    assert later - heap < 1_500_000, f"{(later - heap) / 1e6:.1f} MB more"
    assert there - nodes < 2000
    page.evaluate("for (let i = 0; i < 500; i++) table.history.undo();")
    assert page.evaluate("table.history.undone.length") == 500
