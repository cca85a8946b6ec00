"""Maps and sheets in Chromium: all pages fit a phone, a map comes in parts, orders are given by tap, by key and by
list, and what a tap shows is told apart from all else."""

import math
import re
from collections.abc import Callable
from random import Random
from typing import Literal
from urllib.parse import urlsplit

import msgspec
import pytest
from playwright.sync_api import FilePayload, Request, expect

from legation.atlas import for_variant
from legation.atlas.style import PALETTE, difference
from legation.bots import bot
from legation.judge import resolve
from legation.variants import USUAL, load
from tests.sampling import some
from tests.web.test_designer import VARIANT, own_board, zipped
from tests.web.visiting import IN_PAGES, LANDSCAPE, PHONE, TOUCHED, Keys, Visit, until

pytestmark = pytest.mark.browser


PAGES = (
    "/", "/variants", "/variants/hundred", "/variants/hundred/moves?place=Paris",
    "/variants/hundred/moves?place=Parrris", "/variants/hundred/balance", "/variants/hundred/print",
    "/variants/hundred/rules", "/variants/hundred/rules/H3-8d", "/rules", "/rules/orders", "/rules/verdicts",
    "/rules/datc/6.C.1", "/rules/proof", "/sandbox", "/sandbox/new?variant=hundred", "/designer", "/table", "/nowhere",
)  # fmt: skip


@pytest.mark.parametrize("path", some(PAGES, 14))
def test_nothing_scrolls_sideways_on_a_phone(phone: Visit, path: str) -> None:
    page = phone.go(path)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    inside = page.evaluate(
        """() => [...document.querySelectorAll('.scroll:not(:has(.number))')]
            .filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.getAttribute('aria-label'))"""
    )
    assert not inside, "a table of words has room; one of numbers may scroll in itself"
    small = page.evaluate(
        """() => [...document.querySelectorAll('button, select, nav a, .acts a, .button, '
              + 'input:not([type=checkbox]):not([type=radio]):not([type=hidden])')]
            .filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 43.5)
            .filter((e) => !e.matches('.as-text, .skip'))
            .map((e) => e.outerHTML.slice(0, 120))"""
    )
    assert small == []


def test_orders_are_tapped(desk: Visit) -> None:
    desk.go("/sandbox/new?variant=standard")
    desk.tap("par")
    assert set(desk.page.evaluate("Object.keys(legation.chart.lit)")) >= {"par", "bur", "gas", "pic", "mar"}
    desk.tap("bur")
    desk.tap("mar")  # supports Paris to Burgundy
    desk.page.click(".chips >> text=Support")
    for place in ("par", "bur"):
        desk.tap(place)
    desk.tap("bre")
    desk.tap("bre")
    assert desk.text() == "France\nA par - bur\nA mar S A par - bur\nF bre H\n"
    marks = desk.understood()
    assert len(marks) == 3 and all("✓" in mark for mark in marks)
    desk.page.click("#undo")
    assert "F bre" not in desk.text()
    desk.page.click("#redo")
    assert "F bre H" in desk.text()
    desk.page.click("text=Judge movement")
    expect(desk.page.locator(".results")).to_contain_text("succeeds")
    assert "/sandbox/" in desk.page.url


@pytest.mark.long
def test_another_unit_of_ones_own_is_chosen_by_a_tap_and_help_is_only_offered(desk: Visit) -> None:
    page = desk.go("/sandbox/new?variant=standard")
    desk.tap("par")
    desk.tap("mar")  # France's as well: chosen now
    assert page.evaluate("legation.entry.chosen.place") == "mar"
    desk.tap("bur")
    assert desk.text() == "France\nA mar - bur\n"
    desk.tap("par")
    desk.tap("mar")
    page.click(".chips >> text=Paris: Support Marseilles")
    desk.tap("bur")
    assert desk.text() == "France\nA mar - bur\nA par S A mar - bur\n"
    desk.tap("mun")
    desk.tap("vie")  # Austria's, two provinces away: Munich can only help it
    expect(page.locator("#status")).to_contain_text("pick how to help it")
    desk.tap("boh")  # where Vienna might go, but Munich as well
    assert "A mun - boh" in desk.text() and "S A vie" not in desk.text()


@pytest.mark.long
def test_a_fleet_an_army_and_a_landing_are_a_convoy(desk: Visit) -> None:
    page = desk.set_up("Spring 1001 Movement\nBritish: F nth, F enc, A lon", "1000ad")
    for place in ("nth", "lon", "ber"):
        desk.tap(place)
    assert "F nth C A lon - ber" in desk.text(), desk.text()
    desk.tap("lon")
    page.keyboard.press("Escape")
    assert page.evaluate("legation.chart.layers.querySelectorAll('[data-slot=draft] .ow').length") == 1
    for place, why in {"enc": "a fleet cannot be convoyed.", "rou": "there is no unit in rou."}.items():
        page.keyboard.press("Escape")
        desk.tap("nth")
        page.keyboard.press("c")
        desk.tap(place)
        expect(page.locator("#status")).to_contain_text(why)
    desk.tap("lon")
    desk.tap("mer")  # only others' ferries could take it there, so it's in no list
    expect(page.locator("#status")).to_have_text("F nth C A lon - mer: A lon has no order to move to mer.")
    page.click(".chips >> text=Order it")
    assert desk.text() == "British\nF nth C A lon - mer\n"


@pytest.mark.long
def test_a_unit_that_cannot_be_placed_is_told_why(desk: Visit) -> None:
    page = desk.go("/sandbox/new?variant=1000ad")
    expect(page.locator("#open")).to_contain_text("the British: 9 to place")
    desk.tap("lon")
    expect(page.locator("#chips")).to_contain_text("Fleet London")
    for place, why in {
        "dub": "build A dub: Dublin isn't in the British homeland.",
        "nth": "build A nth: no army can stand in North Sea.",
    }.items():
        desk.tap(place)
        expect(page.locator("#status")).to_have_text(why)
        expect(page.locator("#chips button")).to_have_count(0)  # London isn't meant any more
    page.click("#place")
    page.get_by_role("button", name="Take away").click()
    desk.tap("dub")
    expect(page.locator("#status")).to_have_text("Dublin: no unit stands there.")
    assert desk.text() == ""


@pytest.mark.long
def test_what_cannot_be_is_told_in_a_sentence(desk: Visit) -> None:
    page = desk.go("/sandbox/new?variant=standard")
    desk.tap("par")
    desk.tap("mos")
    expect(page.locator("#status")).to_contain_text("A par - mos:")
    page.keyboard.press("Escape")
    assert page.evaluate("Object.keys(legation.chart.lit).length") == 0
    for whom, last, why in (
        ([], "rom", "A par S A rom: A par cannot reach rom."),
        (["mar"], "spa", "A par S A mar - spa: A par cannot reach spa."),
    ):
        desk.tap("par")
        page.keyboard.press("s")
        for place in (*whom, last):
            desk.tap(place)
        expect(page.locator("#status")).to_have_text(why)
        page.keyboard.press("Escape")
    assert desk.text() == ""


def test_typing_and_tapping_edit_one_sheet(desk: Visit) -> None:
    page = desk.go("/sandbox/new?variant=standard")
    page.fill("#text", "army paris to burgundy\nGermany: A mun - galiciam\n")
    assert any("did you mean" in mark for mark in desk.understood())
    assert page.evaluate("legation.chart.slot('draft').childElementCount") == 1
    desk.tap("lon")
    desk.tap("nth")
    text = desk.text()
    assert "A par - bur" in text and "F lon - nth" in text
    assert "A mun - galiciam" in text  # what was not understood is not lost
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert desk.text() == text  # and the draft outlives the page


@pytest.mark.long
def test_nothing_typed_is_lost_to_a_quick_tap(desk: Visit) -> None:
    page = desk.go("/sandbox/new?variant=standard")
    page.fill("#text", "France\nA par - bur\nA mar - xyzzy\n")
    desk.tap("lon")  # before what was typed could be read
    expect(page.locator("#status")).to_contain_text("London")
    desk.tap("nth")
    expect(page.locator("#text")).to_have_value("England\nF lon - nth\n\nFrance\nA par - bur\nA mar - xyzzy\n")
    page.click("#undo")
    expect(page.locator("#text")).to_have_value("France\nA par - bur\nA mar - xyzzy\n")
    page.click("#undo")
    expect(page.locator("#text")).to_have_value("")
    desk.tap("lon")
    expect(page.locator("#status")).to_contain_text("tap where it goes")
    page.fill("#text", "France\nA par - bur\n")  # who types is done with the unit that was chosen
    expect(page.locator("#status")).not_to_contain_text("London")


@pytest.mark.long
def test_a_retreat(desk: Visit) -> None:
    page = desk.set_up("Fall 1901 Retreats\nFrance: A bur; dislodged A mun\nGermany: A kie\nAustria: A ber")
    assert page.evaluate("Object.keys(legation.chart.lit)") == ["mun"]
    desk.tap("mun")
    assert "ruh" in page.evaluate("Object.keys(legation.chart.lit)")
    desk.tap("bur")
    expect(page.locator("#status")).to_contain_text("A mun can retreat only to boh, ruh, sil or tyr")
    desk.tap("ruh")
    assert desk.text() == "France\nA mun R ruh\n"
    desk.tap("mun")
    desk.tap("mun")
    assert desk.text() == "France\nA mun disband\n"


WINTER = "Winter 1901 Adjustments\nFrance: A bur; centers par, mar, bre\nGermany: A mun, A ber; centers mun"


@pytest.mark.long
def test_builds_from_a_list(desk: Visit) -> None:
    page = desk.set_up(WINTER)
    page.click("#table-box summary")
    lists = page.get_by_role("combobox", name="France: Brest")
    lists.focus()
    lists.select_option("Fleet Brest")
    page.get_by_role("combobox", name="Germany: army Munich").focus()
    page.get_by_role("combobox", name="Germany: army Munich").select_option("Remove")
    assert desk.text() == "France\nbuild F bre\n\nGermany\nremove A mun\n"
    expect(page.locator("#open")).to_contain_text("France: 1 to build")
    expect(page.locator("#open")).to_contain_text("Germany: all removals ordered")
    lists.select_option("no order")
    assert desk.text() == "Germany\nremove A mun\n"
    desk.tap("bre")
    page.click(".chips >> text=Army Brest")
    expect(lists).to_have_value("build A bre")


@pytest.mark.long
def test_builds_and_removals(desk: Visit) -> None:
    page = desk.set_up(WINTER.replace("bre", "bre, bel"))
    assert {"par", "mar", "bre", "mun", "ber"} <= set(page.evaluate("Object.keys(legation.chart.lit)"))
    desk.tap("par")
    desk.tap("bre")
    page.click(".chips >> text=Fleet Brest")
    desk.tap("ber")
    assert desk.text() == "France\nbuild A par\nbuild F bre\n\nGermany\nremove A ber\n"
    desk.tap("par")
    assert "build A par" not in desk.text()
    status = page.locator("#status")
    for place, why in {
        "spa": "France does not own Spain",
        "gas": "Gascony isn't a supply center",
        "bel": "Belgium isn't a home of France",
        "nth": "no army can stand in North Sea",
        "bur": "no removal is due",
    }.items():
        desk.tap(place)
        expect(status).to_contain_text(why)


def test_on_a_phone(phone: Visit) -> None:
    page = phone.go("/sandbox/new?variant=hundred")
    page.evaluate("legation.chart.lookAt(['par', 'orl', 'dij'])")
    phone.tap("par")
    assert page.evaluate("legation.entry.chosen?.place") == "par"
    phone.tap("dij")
    assert "A par - dij" in phone.text()
    before = page.evaluate("legation.chart.view[2]")
    page.focus("[data-zoom=in]")  # the buttons are there for keys
    page.keyboard.press("Enter")
    assert page.evaluate("legation.chart.view[2]") < before
    page.set_viewport_size(LANDSCAPE)
    until(page, "(width) => innerWidth === width", LANDSCAPE["width"])
    phone.tap("orl")
    expect(page.locator("#chips button")).not_to_have_count(0)
    tray, board = page.locator(".tray").bounding_box(), page.locator(".sheet-of-map").bounding_box()
    assert tray and board and tray["x"] >= board["x"] + board["width"], "on its side a phone has it all beside the map"
    assert board["height"] > 0.8 * LANDSCAPE["height"]
    assert tray["y"] + tray["height"] == pytest.approx(LANDSCAPE["height"], abs=1), "at the thumb"


def test_on_a_phone_heads_of_arrows_end_before_its_larger_units(desk: Visit) -> None:
    page = desk.go("/sandbox/new?variant=standard")
    page.fill("#text", "Germany\nA mun - bur\nFrance\nA par - bur\nA mar - bur\nItaly\nA ven - tri\nA rom - ven")
    page.click("text=Judge movement")
    expect(page.locator("[data-way]")).to_have_count(5)
    moved = "[...document.querySelectorAll('[data-way]')].map((head) => getComputedStyle(head).translate)"
    assert set(page.evaluate(moved)) == {"none"}
    page.set_viewport_size({"width": 390, "height": 844})
    assert len(set(page.evaluate(moved))) > 1
    covered = page.evaluate(IN_PAGES["coveredHeads"])
    assert covered == 0


@pytest.mark.long
def test_a_finger_may_miss_a_little(phone: Visit) -> None:
    """Beside a unit, in a place without one: it is meant; where a unit would stand in that place, the place is."""
    page = phone.go("/sandbox/new?variant=hundred")
    phone.tap("par")
    page.evaluate("legation.entry.back()")
    (x, y, meant, hit, *there), *_ = page.evaluate(IN_PAGES["misses"])
    phone.touch(x, y)
    assert page.evaluate("legation.entry.chosen?.place") == meant
    page.evaluate("legation.entry.back()")
    phone.touch(*there)
    expect(page.locator("#status")).to_contain_text("no unit stands there")
    assert page.evaluate("legation.entry.chosen") is None, hit


@pytest.mark.long
def test_the_ways_of_a_phone_are_under_one_button(phone: Visit) -> None:
    page = phone.go("/rules")
    expect(page.get_by_role("link", name="Designer")).to_be_hidden()
    page.get_by_role("button", name="Menu").tap()
    expect(page.get_by_role("link", name="Designer")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Designer")).to_be_hidden()


@pytest.mark.parametrize("variant", some(["standard", "hundred", "1000ad", "three-kingdoms"], 4))
def test_a_board_fills_a_phone_down_to_what_is_said_below_it(phone: Visit, variant: str) -> None:
    page = phone.go(f"/sandbox/new?variant={variant}")
    page.evaluate("legation.chart.put(legation.chart.rest())")
    full, wide = "legation.chart.full", "legation.chart.wide / legation.chart.view[2]"
    foot, head = f"({full}[3] - legation.chart.view[1]) * {wide}", f"-legation.chart.view[1] * {wide}"
    top = "document.querySelector('.tray').offsetTop"
    until(page, f"() => legation.chart.covered > 0 && {foot} > {top} - 2 && {head} < 2")
    assert page.evaluate(f"{top} / innerHeight") > 0.65, "the board has most of a phone's height"


@pytest.mark.long
def test_a_phone_that_is_turned_shows_the_same_place(phone: Visit) -> None:
    page = phone.go("/sandbox/new?variant=standard")
    page.evaluate("legation.chart.lookAt(['ank', 'con'])")
    middle = "(([x, y, w, h]) => [x + w / 2, y + h / 2])(legation.chart.view)"
    before = page.evaluate(middle)
    for width, height in ((844, 390), (PHONE["width"], PHONE["height"])):
        page.set_viewport_size({"width": width, "height": height})
        until(page, "(width) => innerWidth === width", width)
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    near = f"([x, y]) => (([a, b]) => Math.hypot(a - x, b - y) < 2)({middle})"
    until(page, near, before)


@pytest.mark.long
def test_fingers_pan_and_pinch(phone: Visit) -> None:
    page = phone.go("/sandbox/new?variant=standard")
    box = page.locator(".sheet-of-map").bounding_box()
    assert box is not None
    x, y = box["x"] + 180, box["y"] + 220
    touch = phone.context.new_cdp_session(page)

    def send(kind: str, *points: tuple[float, float]) -> None:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": a, "y": b} for a, b in points]})

    wide = page.evaluate("legation.chart.view[2]")
    send("touchStart", (x - 20, y), (x + 20, y))
    for step in range(1, 8):
        send("touchMove", (x - 20 - 10 * step, y), (x + 20 + 10 * step, y))
    send("touchEnd")
    closer = page.evaluate("legation.chart.view[2]")
    assert closer < wide / 2
    left = page.evaluate("legation.chart.view[0]")
    send("touchStart", (x, y))
    for step in range(1, 8):
        send("touchMove", (x - 12 * step, y))
    send("touchEnd")
    assert page.evaluate("legation.chart.view[0]") > left
    assert page.evaluate("legation.entry.chosen") is None  # a drag is no tap
    until(page, "() => legation.chart.layers.style.transform === ''")
    shown = page.evaluate("legation.chart.pictures.map((picture) => picture.getAttribute('viewBox'))")
    assert len(set(shown)) == 1


@pytest.mark.long
def test_wheel_drag_and_keys_move_the_view(desk: Visit) -> None:
    page = desk.go("/sandbox/new?variant=standard")
    page.mouse.move(500, 400)
    wide = page.evaluate("legation.chart.view[2]")
    page.mouse.wheel(0, -400)
    until(page, "(wide) => legation.chart.view[2] < wide", wide)
    left = page.evaluate("legation.chart.view[0]")
    page.mouse.down()
    page.mouse.move(400, 400, steps=4)
    page.mouse.up()
    assert page.evaluate("legation.chart.view[0]") > left
    assert page.evaluate("legation.entry.chosen") is None
    page.focus(".sheet-of-map")
    page.keyboard.press("0")
    until(page, "(wide) => Math.abs(legation.chart.view[2] - wide) < 0.01 * wide", wide)


@pytest.mark.long
def test_a_place_below_the_tray_can_be_reached(desk: Visit) -> None:
    page = desk.go("/sandbox/new?variant=standard")
    desk.tap("nap")
    page.evaluate("legation.chart.put([0, 1e6, legation.chart.view[2]])")  # dragged up as far as it goes
    until(page, "() => legation.chart.layers.style.transform === ''")
    tray = page.locator(".tray").bounding_box()
    assert tray is not None
    end = "new DOMPoint(0, legation.chart.full[3]).matrixTransform(legation.chart.svg.getScreenCTM()).y"
    assert page.evaluate(end) <= tray["y"] + 1, "where the map ends on the screen"


@pytest.mark.long
def test_a_map_that_was_shown_whole_is_whole_where_there_is_less_room(desk: Visit) -> None:
    desk.go("/variants/standard/moves")
    page = desk.go("/sandbox/new?variant=standard")
    [left, top, wide, high], [_, _, whole, all_of_it] = page.evaluate("[legation.chart.view, legation.chart.full]")
    assert left <= 1 and wide >= 0.98 * whole and high >= 0.9 * all_of_it and top < 0.1 * all_of_it


@pytest.mark.long
def test_a_position_elsewhere_on_a_board_is_seen(phone: Visit) -> None:
    page = phone.go("/sandbox/new?variant=standard")
    page.evaluate("legation.chart.lookAt(['por'])")
    until(page, "() => sessionStorage.getItem(legation.chart.keeps()) === JSON.stringify(legation.chart.view)")
    page = phone.set_up("Fall 1901 Movement\nTurkey: A smy, A arm\nFrance: F por")
    phone.tap("smy")
    assert page.evaluate("legation.entry.chosen?.place") == "smy"


@pytest.mark.long
def test_moves_on_the_map_and_back(desk: Visit) -> None:
    page = desk.go("/variants/standard/moves")
    page.fill("#place", "petersburg")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-found=stp]")
    expect(page.locator("#answer")).to_contain_text("north coast")
    expect(page.locator("[data-slot=lit] .for-army, [data-slot=lit] .for-both").nth(3)).to_be_attached()
    page.click("#answer >> text=Moscow")
    page.wait_for_selector("[data-found=mos]")
    page.go_back()
    page.wait_for_selector("[data-found=stp]")


def test_without_javascript(visit: Callable[..., Visit], address: str) -> None:
    page = visit(java_script_enabled=False).page
    page.goto(address + "/variants/hundred/moves")
    page.fill("#place", "paris")
    page.click("text=Show")
    expect(page.locator("#answer")).to_contain_text("An army here can move to")
    page.goto(address + "/sandbox/new?variant=hundred")
    expect(page.locator(".still:visible")).to_have_count(1)
    page.fill("#text", "France\nA par - dij\n")
    page.click("text=Judge movement")
    expect(page.locator(".results")).to_contain_text("A par - dij")
    page.click("text=Step back")
    expect(page.locator(".results")).to_have_count(0)
    expect(page.locator("#text")).to_have_value("France\nA par - dij")


@pytest.mark.long
def test_units_are_dragged_placed_taken_away_and_moved_by_two_taps(desk: Visit) -> None:
    page = desk.go("/sandbox/new?variant=standard")
    page.fill("#text", "France\nA mar - bur  # to begin with\n")
    page.click("#place")
    expect(page.locator("#marks li")).to_have_count(1)  # what was typed is read meanwhile, and nothing is taken away
    expect(page.locator("#status")).to_contain_text("Drag a unit")
    expect(page.get_by_role("button", name="Fleet")).to_be_visible()
    spots = [desk.spot("par"), desk.spot("spa")]
    page.mouse.move(*spots[0])
    page.mouse.down()
    page.mouse.move(*spots[1], steps=4)
    expect(page.locator(".draft .oe")).to_have_count(1)
    page.mouse.up()
    expect(page.locator("#status")).to_have_text("Spain: army of France.")
    page.get_by_role("button", name="Fleet").click()
    page.get_by_label("Power of new units").select_option("Italy")
    desk.tap("bul")
    expect(page.locator("#status")).to_have_text("On which coast?")
    page.get_by_role("button", name="Bulgaria (south coast)").click()
    expect(page.locator("#status")).to_have_text("Bulgaria (south coast): fleet of Italy.")
    desk.tap("boh")
    expect(page.locator("#status")).to_have_text("Bohemia: no fleet can stand there.")
    page.get_by_role("button", name="Take away").click()
    page.locator(".sheet-of-map").focus()
    Keys(page).walk("mun")  # by keys, too; what they come to is read aloud
    expect(page.locator(".told")).to_contain_text("Munich")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_text("Munich: no unit.")
    page.get_by_role("button", name="Done").click()
    page.wait_for_selector("html[data-ready]")
    expect(page.locator("#words")).to_contain_text("A spa")
    units = page.evaluate("legation.entry.turn.units.map((unit) => unit.join(' '))")
    assert {"A spa France", "F bul/sc Italy"} <= set(units) and "A mun Germany" not in units
    assert desk.text() == "France\nA mar - bur  # to begin with\n", "what was written goes along"
    page = desk.go("/sandbox/new?variant=standard")  # moved by two taps, and a step is taken back
    page.click("#place")
    desk.tap("par")
    expect(page.locator("#status")).to_have_text("Paris: army of France: tap where it goes.")
    desk.tap("spa")
    expect(page.locator("#status")).to_have_text("Spain: army of France.")
    expect(page.locator("[data-slot=units] [data-at=spa]")).to_have_count(1)
    page.locator("#chips").get_by_role("button", name="Undo").click()
    expect(page.locator("#status")).to_have_text("Undone.")
    expect(page.locator("[data-slot=units] [data-at=spa]")).to_have_count(0)
    expect(page.locator("[data-slot=units] [data-at=par]")).to_have_count(1)
    expect(page.locator("#chips").get_by_role("button", name="Undo")).to_be_disabled()


@pytest.mark.long
def test_results_point_at_the_map_and_a_step_back_finds_the_orders_as_they_were_written(desk: Visit) -> None:
    page = desk.go("/sandbox/new?variant=hundred")
    written = "France\n# a beginning\nA par - dij\n"
    page.fill("#text", written)
    page.hover("#marks li >> text=Paris")
    page.wait_for_selector(".ringed", state="attached")
    page.click("text=Judge movement")
    page.wait_for_selector("#results")
    page.wait_for_selector("html[data-ready]")
    page.click(".results >> text=A par - dij")
    page.wait_for_selector(".one [data-order].shown", state="attached")
    expect(page.locator(".told[role=status]")).to_contain_text("A par - dij: bounced: strength 1")
    expect(page.locator("#show-last")).to_have_attribute("aria-pressed", "true")
    page.click("#show-last")
    expect(page.locator("#show-last")).to_have_attribute("aria-pressed", "false")
    page.click("text=Step back")
    page.wait_for_selector("html[data-ready]")
    assert desk.text() == written


@pytest.mark.long
def test_a_board_of_ones_own_goes_from_paste_to_sandbox(desk: Visit) -> None:
    page = desk.go("/designer")
    page.set_input_files("#files", FilePayload(name="mine.zip", mimeType="application/zip", buffer=zipped(own_board())))
    text = VARIANT.decode().replace('rules_of = "hundred"', 'rules_of = "standard"\n[rules.solo]\ncenters = 9')
    page.fill("#text", text.replace('"A lon"', '"A lonn"'))
    page.click("text=Check variant")
    page.wait_for_selector("html[data-ready]")
    expect(page.locator("#findings")).to_contain_text("lonn")
    expect(page.get_by_text("Play it in the sandbox")).to_have_count(0)
    page.locator("#text").fill(text)  # the board stays uploaded
    page.click("text=Check again")
    page.wait_for_selector("html[data-ready]")
    expect(page.locator(".panel").first).to_contain_text("No problems found")
    page.locator(".sheet-of-map").click()
    expect(page.locator(".where")).to_contain_text(": no problems found.")
    page.click("text=Play it in the sandbox")
    page.wait_for_selector("html[data-ready]")
    desk.tap("par")
    desk.tap("orl")
    expect(page.locator("#text")).to_have_value("Reds\nA par - orl\n")
    page.click("text=Judge movement")
    expect(page.locator(".results")).to_contain_text("succeeds")


# What a tap shows: lit places, drafts under the names, convoys along the sea, a long list in two steps


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
    powers = {hexed(color) for color in page.evaluate(IN_PAGES["colors"])}
    assert len(powers) >= 7
    desk.tap("par")
    lines, edges = page.evaluate(IN_PAGES["linesOf"], ":is(.to, .helped)"), page.evaluate(IN_PAGES["linesOf"], ".edge")
    assert lines and {fill for fill, _, _ in lines + edges} == {"none"}
    assert len(edges) == len(lines) and min(edges)[2] > max(lines)[2], "a wider one below each, as its edge"
    opacity, mask = page.evaluate(IN_PAGES["veil"])
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


# How a map is loaded: requested at once, drawn in parts, names last


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
    quickly, strictly = page.evaluate(
        IN_PAGES["parsedBoth"], [script, page.locator("#chart").get_attribute("data-board")]
    )
    assert quickly == strictly


@pytest.mark.parametrize("variant", some(USUAL.names(), 4))
def test_paths_come_as_the_arcs_that_they_share(desk: Visit, variant: str) -> None:
    page = desk.go(f"/sandbox/new?variant={variant}")
    until(page, "() => legation.chart.painted")
    rules, layer = USUAL.load(variant), for_variant(variant).board_layer()
    drawn, meant = page.evaluate(IN_PAGES["measured"], layer.svg)
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
    first, last, largest = page.evaluate(IN_PAGES["folded"])
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
    named, held, names_stay, land_stays = page.evaluate(IN_PAGES["shownAgain"], [empty, full])
    meant = re.findall(r'<use href="#(n-\w+)"(?: class="([^"]*)")?/>', full)
    assert sorted(named) == sorted([name, cls] for name, cls in meant)
    assert held == re.search(r'<use href="#s-par" class="([^"]*)"/>', full)[1]  # type: ignore[index]
    assert names_stay and land_stays
