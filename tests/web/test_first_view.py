"""How a map comes: its page asks for everything at once, and names come last, with their definitions."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Request

from legation.atlas import for_variant
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
MEASURED = """(board) => {
    const box = document.createElement('div');
    box.innerHTML = board;
    document.body.append(box);
    const measure = (path) => {
        const { x, y, width, height } = path.getBBox();
        return [x, y, width, height, path.getTotalLength()];
    };
    const sizes = (root) => [...root.querySelectorAll('path[id]')].map((path) => [path.id, measure(path)]);
    return [Object.fromEntries(sizes(legation.chart.svg)), Object.fromEntries(sizes(box))];
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


@pytest.mark.parametrize("variant", some(USUAL.names(), 4))
def test_paths_come_as_the_arcs_that_they_share(desk: Visit, variant: str) -> None:
    page = desk.go(f"/sandbox/new?variant={variant}")
    until(page, "() => legation.chart.painted")
    rules, layer = USUAL.load(variant), for_variant(variant).board_layer()
    drawn, meant = page.evaluate(MEASURED, layer.svg)
    seas = {f"s-{province.id}" for province in rules.board.provinces.values() if province.sea}
    assert {f"s-{place}" for place in rules.board.provinces} <= {*drawn} <= {*meant}
    # gentle turns are rounded on the page; a sea's line follows the land's there, and is rougher where it stands alone
    for name in {*drawn} - seas:
        assert drawn[name] == pytest.approx(meant[name], rel=0.05, abs=40), name


@pytest.mark.long
def test_definitions_of_names_come_with_the_names(desk: Visit) -> None:
    page = desk.go("/sandbox/new?variant=hundred")
    until(page, "() => legation.chart.painted")
    first, last = page.evaluate(FOLDED)
    assert {"coast", "s-par"} & {*first} and not [name for name in first if name.startswith("n-")]
    assert last and {name.partition("-")[0] for name in last} == {"n", "curve"}
