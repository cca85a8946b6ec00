"""How a map comes: its page asks for everything at once, and names come last, with their definitions."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Request

from legation.variants import USUAL
from tests.sampling import some
from tests.web.visiting import Visit, until

pytestmark = pytest.mark.browser

BOTH = """async ([map, board]) => {
    const { rootOf } = await import(map);
    const text = await (await fetch(board)).text();
    const written = (root) => new XMLSerializer().serializeToString(root);
    return [rootOf(text), new DOMParser().parseFromString(text, 'image/svg+xml').documentElement].map(written);
}"""
FOLDED = """() => {
    const { chart } = legation;
    chart.fold(chart.svg.querySelector('defs'));
    const ids = (parts) => parts.flatMap(([, part]) => part.map((child) => child.id));
    return [ids(chart.coming), ids(chart.named)];
}"""


@pytest.mark.parametrize("path", some(["/sandbox/new?variant=hundred", "/variants/hundred/moves"], 2))
def test_what_a_map_needs_is_asked_for_at_once(desk: Visit, path: str) -> None:
    asked: list[str] = []

    def note(request: Request) -> None:
        if request.url.endswith((".js", "board.svg", "places.json")) and "service-worker" not in request.url:
            asked.append(urlsplit(request.url).path)

    desk.page.on("request", note)
    page = desk.go(path)
    linked = page.evaluate(
        """[...document.querySelectorAll('head > link[rel$=preload], head > script')]
            .map((link) => new URL(link.href || link.src).pathname)"""
    )
    assert len(asked) > 5 and {*asked} <= {*linked}, {*asked} - {*linked}
    assert len(asked) == len({*asked}), "what is there already is not asked for again"


@pytest.mark.parametrize("variant", some(USUAL.names(), 8))
def test_a_board_is_the_same_by_either_parser(desk: Visit, variant: str) -> None:
    page = desk.go(f"/variants/{variant}/moves")
    script = page.evaluate("document.querySelector('link[href$=\"/map.js\"]').href")
    quickly, strictly = page.evaluate(BOTH, [script, page.locator("#chart").get_attribute("data-board")])
    assert quickly == strictly


@pytest.mark.long
def test_definitions_of_names_come_with_the_names(desk: Visit) -> None:
    page = desk.go("/sandbox/new?variant=hundred")
    until(page, "() => legation.chart.painted")
    first, last = page.evaluate(FOLDED)
    assert {"coast", "s-par"} & {*first} and not [name for name in first if name.startswith("n-")]
    assert last and {name.partition("-")[0] for name in last} == {"n", "curve"}
