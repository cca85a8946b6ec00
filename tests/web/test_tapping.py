"""What a tap shows: lit places apart from every power's color, drafts under the names, convoys along the sea, a long
list in two steps."""

import math
from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import expect

from legation.atlas import for_variant
from legation.atlas.style import PALETTE, difference
from legation.variants import load
from tests.sampling import some
from tests.web.visiting import TOUCHED, Visit

pytestmark = pytest.mark.browser

LINE = """(drawn) => [...document.querySelectorAll('[data-slot=lit] > ' + drawn)].map((e) => {
    const style = getComputedStyle(e);
    return [style.fill, style.stroke, parseFloat(style.strokeWidth)];
})"""
VEIL = """() => {
    const style = getComputedStyle(document.querySelector('[data-slot=lit] > .veil'));
    return [Number(style.fillOpacity), style.maskImage];
}"""
COLORS = (
    """() => [...document.querySelectorAll('[data-slot=control] use[class]')].map((e) => getComputedStyle(e).fill)"""
)


def winter() -> str:
    """Adjustments in which one power has nine centers and nine others one each."""
    rules = load("three-kingdoms")
    towns = iter([center for center in rules.board.centers if not rules.board.provinces[center].sea])
    lines = [f"{power}: A {town}; centers {town}" for power, town in zip(rules.powers, towns, strict=False)]
    return f"Winter 1643 Adjustments\n{lines[0]}, {', '.join(next(towns) for _ in range(8))}\n" + "\n".join(lines[1:])


def hexed(color: str) -> str:
    """``rgb(1, 2, 3)`` as ``#010203``."""
    return "#" + "".join(f"{int(part):02x}" for part in color.removeprefix("rgb(").removesuffix(")").split(", "))


@pytest.mark.parametrize("theme", some(["light", "dark"], 2))
def test_lit_places_are_told_from_every_power(desk: Visit, theme: Literal["light", "dark"]) -> None:
    """By a line in a color of no power, plain to all eyes; what is lit keeps the color that it has."""
    desk.page.emulate_media(color_scheme=theme)
    page = desk.go("/sandbox/new?variant=standard")
    expect(page.locator("[data-slot=control] use[class]")).not_to_have_count(0)
    powers = {hexed(color) for color in page.evaluate(COLORS)}
    assert len(powers) >= 7
    desk.tap("par")
    lines, edges = page.evaluate(LINE, ":is(.to, .helped)"), page.evaluate(LINE, ".edge")
    assert lines and {fill for fill, _, _ in lines + edges} == {"none"}
    assert len(edges) == len(lines) and min(edges)[2] > max(lines)[2], "a wider one below each, as its edge"
    opacity, mask = page.evaluate(VEIL)
    assert opacity > 0.3 and "stepping-back" in mask, "the rest of the board steps back"
    for _, stroke, _ in lines:
        near = min((difference(hexed(stroke), color), color) for color in powers | set(PALETTE))
        assert near[0] > 0.06, near
    desk.tap("mun")
    assert page.evaluate("document.querySelector('#stepping-back .front') !== null")


@pytest.mark.long
def test_patterns_tell_the_powers_apart_on_the_map(desk: Visit) -> None:
    page = desk.go("/sandbox/new?variant=hundred")
    fills = "[...document.querySelectorAll('[data-slot=control] use')].map((e) => getComputedStyle(e).fill)"
    expect(page.locator("[data-slot=control] use[class]")).not_to_have_count(0)
    assert not [fill for fill in page.evaluate(fills) if "url" in fill]
    page.get_by_role("button", name="patterns").click()
    page.wait_for_selector("html[data-patterns][data-ready]")
    expect(page.locator("[data-slot=control] use[class]")).not_to_have_count(0)
    assert len({fill for fill in page.evaluate(fills) if "url" in fill}) == 3


@pytest.mark.long
def test_names_are_read_over_the_lines_of_a_draft(desk: Visit) -> None:
    page = desk.go("/sandbox/new?variant=standard")
    page.fill("#text", "Germany\nA ber - pru\n")
    expect(page.locator("[data-slot=draft] > g")).to_have_count(1)
    layers = "[...legation.chart.pictures[2].querySelectorAll('[data-slot]')].map((slot) => slot.dataset.slot)"
    assert page.evaluate(layers) == ["orders", "draft", "names", "units"]
    expect(page.locator("[data-slot=names] > *")).not_to_have_count(0)
    halo = "parseFloat(getComputedStyle(document.querySelector('[data-slot=names] > *')).strokeWidth)"
    crossed = page.evaluate(halo)
    page.click("#clear")
    expect(page.locator("[data-slot=draft] > g")).to_have_count(0)
    assert 0 < page.evaluate(halo) < crossed


@pytest.mark.long
def test_a_convoy_that_is_not_sent_is_drawn_along_the_sea(desk: Visit) -> None:
    page = desk.set_up("Fall 1901 Movement\nEngland: F nth, F nwg, A edi")
    page.fill("#text", "England\nF nth C A edi - swe\nF nwg C A edi - nwy\nA edi - nwy via convoy\n")
    expect(page.locator("[data-slot=draft] .oa")).to_have_count(1)
    closest = """(place) => {
        const line = document.querySelector('[data-slot=draft] .oc'), [x, y] = legation.chart.spot(place);
        const far = (at) => { const p = line.getPointAtLength(at); return Math.hypot(p.x - x, p.y - y); };
        return Math.min(...Array.from({ length: 60 }, (_, i) => far(line.getTotalLength() * i / 59)));
    }"""
    (x1, y1), (x2, y2), (x, y) = page.evaluate("['edi', 'nwy', 'nwg'].map((at) => legation.chart.spot(at))")
    straight = abs((x2 - x1) * (y1 - y) - (x1 - x) * (y2 - y1)) / math.hypot(x2 - x1, y2 - y1)
    assert page.evaluate(closest, "nwg") < straight * 0.7  # it bends toward the fleet that carries the army
    expect(page.locator("[data-slot=draft] .ow")).to_have_count(0)  # and needs no line to it besides
    page.click("#clear")
    desk.tap("edi")
    desk.tap("den")
    page.get_by_role("button", name="Convoy by F nth", exact=True).click()
    assert desk.text() == "England\nA edi - den\nF nth C A edi - den\n"
    expect(page.locator("#chips button")).to_have_count(0)


@pytest.mark.long
def test_a_chain_of_fleets_is_drawn_from_the_army_on_however_it_is_written(desk: Visit) -> None:
    page = desk.set_up("Fall 1901 Movement\nEngland: F eng, F mao, A lon")
    page.fill("#text", "England\nF mao C A lon - por\nF eng C A lon - por\nA lon - por via convoy\n")
    expect(page.locator("[data-slot=draft] .oa")).to_have_count(1)
    assert page.evaluate("legation.chart.drafted.find(({ at }) => at === 'lon').through") == ["eng", "mao"]


@pytest.mark.long
def test_each_shortest_way_of_a_convoy_is_offered(desk: Visit) -> None:
    page = desk.set_up("Fall 1901 Movement\nEngland: F nth, F eng, A lon")
    desk.tap("lon")
    desk.tap("bel")
    expect(page.locator("#chips button")).to_have_text(["Convoy by F nth", "Convoy by F eng"])
    page.get_by_role("button", name="Convoy by F eng", exact=True).click()
    assert desk.text() == "England\nA lon - bel\nF eng C A lon - bel\n"
    expect(page.locator("#chips button")).to_have_count(0)


@pytest.mark.long
def test_on_a_phone_what_is_said_and_offered_covers_nothing_that_can_be_tapped(phone: Visit) -> None:
    page = phone.set_up("Fall 1901 Movement\nEngland: F nth, A lon\nGermany: A ruh, A mun")
    phone.tap("ruh")
    page.get_by_role("button", name="Support…", exact=True).tap()
    phone.tap("lon")
    top = page.locator(".tray").bounding_box()
    assert top is not None and phone.spot("bel")[1] < top["y"], "Belgium lies above the tray"
    phone.tap("bel")
    assert phone.text() == "Germany\nA ruh S A lon - bel\n"
    phone.tap("ruh")
    page.get_by_role("button", name="Support…", exact=True).tap()
    phone.tap("mun")
    phone.tap("bur")
    page.get_by_role("button", name="Also order A mun - bur").tap()  # both sides of what two own units do together
    assert phone.text() == "Germany\nA ruh S A mun - bur\nA mun - bur\n"
    page.evaluate("legation.chart.lookAt(['nwy'])")
    page = phone.set_up("Winter 1901 Adjustments\nTurkey: centers con, ank, smy")
    phone.tap("smy")  # Norway was looked at before, and Turkey builds
    page.get_by_role("button", name="Army Smyrna", exact=True).tap()
    assert phone.text() == "Turkey\nbuild A smy\n"


@pytest.mark.long
@pytest.mark.parametrize("phone", some([False, True], 2))
def test_what_is_sent_to_others_is_chosen_in_two_steps(visit: Callable[..., Visit], phone: bool) -> None:
    reader = visit(**(TOUCHED if phone else {}))
    page = reader.set_up(winter(), "three-kingdoms")
    choices = page.evaluate("legation.entry.loose.filter(([power, c]) => power === 'Crown' && c[0] === 'send').length")
    assert choices > 60
    first = page.get_by_role("combobox", name="Crown: Send supply", exact=True)
    assert len(first.locator("option").all()) == 10  # the other nine powers
    first.select_option("Argyll")
    second = page.get_by_role("combobox", name="Crown: Send supply: Argyll")
    expect(second).to_be_focused()
    second.select_option("Send 2 to Argyll")
    assert reader.text() == "Crown\nsend 2 to Argyll\n"


@pytest.mark.long
def test_a_draft_is_drawn_as_it_is_once_it_is_judged(desk: Visit) -> None:
    """The arrow of a sheet lies where the picture of a turn has it: bent, and with its head beside names."""
    page = desk.go("/sandbox/new?variant=standard")
    page.fill("#text", "Germany\nA ber - pru\nF kie - hol\n")
    atlas = for_variant("standard")
    for kind, at, to in (("A", "ber", "pru"), ("F", "kie", "hol")):
        line, head = atlas.draft_arrow(kind, at, to, free=True)
        expect(page.locator(f'[data-slot=draft] .oc[d="{line}"]')).to_have_count(1)
        expect(page.locator(f'[data-slot=draft] .oa[d="{head}"]')).to_have_count(1)
