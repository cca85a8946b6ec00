"""How a map comes: its page asks for everything at once, it is drawn in parts, and names come last."""

import re
from random import Random
from urllib.parse import urlsplit

import msgspec
import pytest
from playwright.sync_api import Request

from legation.atlas import for_variant
from legation.bots import bot
from legation.judge import resolve
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
    for (const picture of chart.pictures)
        for (const group of picture.children) if (['defs', 'g'].includes(group.tagName)) chart.fold(group);
    const ids = (parts) => parts.flatMap(([, part]) => part.map((child) => child.id)).filter(Boolean);
    const sizes = [...chart.coming, ...chart.named]
        .map(([, part]) => part.reduce((all, child) => all + 1 + child.getElementsByTagName('*').length, 0));
    return [ids(chart.coming), ids(chart.named), Math.max(...sizes)];
}"""
AGAIN = """([empty, full]) => {
    const { chart } = legation;
    const names = () => [...chart.slot('names').children, ...chart.slot('units').querySelectorAll('.names > *')];
    const before = names();
    chart.show(full);
    const held = chart.slot('control').querySelector('[href="#s-par"]');
    const there = [names().map((name) => [name.id, name.getAttribute('class')]), held.getAttribute('class')];
    chart.show(empty);
    const stay = names().every((name) => before.includes(name)) && names().length === before.length;
    return [...there, stay, held === chart.slot('control').querySelector('[href="#s-par"]')];
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


def test_rivers_and_hills_are_seen_when_the_view_is_near(desk: Visit) -> None:
    page = desk.go("/sandbox/new?variant=standard")
    until(page, "() => legation.chart.painted")
    lines = "legation.chart.svg.querySelector('.relief').childElementCount"
    assert page.evaluate(lines) == 0
    page.evaluate("legation.chart.put([300, 300, 300])")
    until(page, f"() => {lines} === 5")
    page.evaluate("legation.chart.all()")
    until(page, f"() => {lines} === 0")


@pytest.mark.long
def test_a_map_comes_in_small_parts_with_the_names_last(desk: Visit) -> None:
    page = desk.go("/sandbox/new?variant=hundred")
    until(page, "() => legation.chart.painted")
    first, last, largest = page.evaluate(FOLDED)
    assert (
        "coast" in first
        and last
        and all(name.startswith("n-") for name in last)
        and not [name for name in first if name.startswith("n-")]
    )
    assert largest < 250


@pytest.mark.long
def test_of_a_later_state_only_what_is_new_is_drawn_anew(desk: Visit) -> None:
    page = desk.go("/sandbox/new?variant=standard")
    until(page, "() => legation.chart.painted")
    atlas, rules = for_variant("standard"), USUAL.load("standard")
    opening = rules.opening()
    sheets = [bot("dumbbot")(rules, opening, power, Random(1)) for power in rules.powers]
    full = atlas.state_layer(opening, resolve(rules, opening, sheets).verdicts)
    empty = atlas.state_layer(msgspec.structs.replace(opening, units=(), owners={}))
    named, held, names_stay, land_stays = page.evaluate(AGAIN, [empty, full])
    meant = re.findall(r'<use href="#(n-\w+)"(?: class="([^"]*)")?/>', full)
    assert sorted(named) == sorted([name, cls] for name, cls in meant)
    assert held == re.search(r'<use href="#s-par" class="([^"]*)"/>', full)[1]  # type: ignore[index]
    assert names_stay and land_stays
