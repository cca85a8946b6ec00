"""Orders and letters that are being written are kept until a receipt says that they came: through being ready, closed
turns, failures and second tabs."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from starlette.testclient import TestClient

from legation.cli.serving import whole_site
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import letters
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.office import Office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.records import GameRecord
from legation.office.store.rows import SharedRow
from tests.office.playing import begin, person
from tests.serving import served
from tests.web.clients import client_of
from tests.web.visiting import IN_PAGES, Visit

pytestmark = pytest.mark.browser
ORDERS = "A Paris H"


@pytest.fixture
def table(office: Office, browser: Browser) -> Iterator[tuple[Visit, Office, str]]:
    """A visitor who plays France in a game that ends its turns when all are ready."""
    record, players, _ = begin(office, powers=3, ready_ends=True)
    with served(whole_site(office)) as address:
        visit = Visit(browser, address, reduced_motion="reduce")
        visit.be(office, players["France"])
        yield visit, office, record.key
        visit.context.close()


def versions(office: Office, key: str) -> int:
    return len(submissions.mine(office, holder(office, key, "France"), key, "France"))


def holder(office: Office, key: str, power: str) -> Actor:
    """Who plays a power."""
    seat = next(s for s in games.game(office, Actor.console(), key).seats if s.power == power)
    return people.as_person(office, seat.person or 0)


def write(page: Page, text: str) -> None:
    page.fill("#text", text)
    expect(page.locator("#saved")).to_contain_text("Kept")


def is_ready(office: Office, key: str) -> bool:
    seat = next(s for s in games.game(office, Actor.console(), key).seats if s.power == "France")
    return bool(seat.ready)


def test_ready_over_an_unsent_draft_asks_and_sends_it(table: tuple[Visit, Office, str]) -> None:
    visit, office, key = table
    page = visit.go(f"/games/{key}")
    write(page, ORDERS)
    page.click("#ready")
    expect(page.locator(".drawer h1")).to_contain_text("Review France")
    assert versions(office, key) == 0 and not is_ready(office, key)
    page.go_back()
    visit.go(f"/games/{key}")
    assert visit.text() == ORDERS, "nothing was received, so it is kept"
    page.click("#ready")
    page.click(".drawer >> text=Seal and send")
    expect(page.locator(".drawer h1")).to_contain_text("is sealed")
    assert versions(office, key) == 1 and is_ready(office, key)
    visit.go(f"/games/{key}")
    assert (
        visit.text() == ORDERS
        and page.evaluate("Object.keys(localStorage).filter((k) => k.startsWith('sheet ')).length") == 0
    )


@pytest.mark.long
def test_ready_says_so_at_once_where_nothing_is_unsent_or_orders_are_left_out(table: tuple[Visit, Office, str]) -> None:
    visit, office, key = table
    page = visit.go(f"/games/{key}")
    write(page, ORDERS)
    page.click("#ready")
    page.click("text=I’m ready without these orders")
    page.wait_for_selector("text=Undo ready")
    assert is_ready(office, key) and versions(office, key) == 0
    expect(page.locator("#text")).to_have_value(ORDERS)
    page.click("text=Undo ready")
    page.wait_for_selector("html[data-ready] #ready")  # until its scripts run, it may bring the draft back
    page.fill("#text", "")
    page.click("#ready")
    expect(page.locator(".drawer h1")).to_have_text("5 units will hold. Sure?")
    assert not is_ready(office, key)
    page.click("text=I’m ready without orders")
    page.wait_for_selector("text=Undo ready")
    assert is_ready(office, key)


@pytest.mark.long
def test_what_is_sent_on_a_bad_line_is_sent_once_and_the_page_stays(table: tuple[Visit, Office, str]) -> None:
    visit, office, key = table
    page = visit.go(f"/games/{key}")
    page.fill("#text", ORDERS)
    page.route("**/sheet", lambda route: route.abort())  # the network is away
    page.click(".seal-acts >> text=Review and send")
    expect(page.locator("#status")).to_contain_text("No answer came")
    page.unroute("**/sheet")
    page.click(".seal-acts >> text=Review and send")

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/sheet/send", lose, times=1)
    page.click(".drawer >> text=Seal and send")
    expect(page.locator(".drawer [role=status]").first).to_contain_text("No answer came")
    page.dblclick(".drawer >> text=Seal and send")
    expect(page.locator(".drawer h1")).to_contain_text("Version 1")
    assert versions(office, key) == 1


@pytest.mark.long
def test_a_draft_outlives_being_offline_and_signed_out_where_there_is_room(table: tuple[Visit, Office, str]) -> None:
    visit, _, key = table
    page = visit.go(f"/games/{key}")
    page.route("**/*", lambda route: route.abort())  # the network is away
    page.fill("#text", ORDERS)
    expect(page.locator("#status")).to_contain_text("You’re offline")
    page.unroute("**/*")
    cookies = {cookie["name"]: cookie["value"] for cookie in visit.context.cookies()}
    visit.context.clear_cookies()
    page.fill("#text", ORDERS + "\n")
    expect(page.locator("#status")).to_contain_text("Your session has ended")
    expect(page.locator("#news a")).to_have_attribute("href", f"/sign-in?next=%2Fgames%2F{key}")
    page.click(".seal-acts >> text=Review and send")
    expect(page.locator("main")).to_contain_text("Your text is kept in this browser")
    expect(page.locator("main .ways a").first).to_have_attribute("href", f"/sign-in?next=/games/{key}")
    visit.context.add_cookies([{"name": name, "value": cookies[name], "url": visit.address} for name in cookies])
    visit.go(f"/games/{key}")
    assert visit.text().strip() == ORDERS
    page.evaluate("void (Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') })")
    page.fill("#text", "A Paris - Orleans")
    expect(page.locator("#saved")).to_contain_text("no room")


@pytest.mark.long
def test_a_draft_of_a_turn_that_is_over_is_not_the_next_turn_s_and_not_lost(
    table: tuple[Visit, Office, str], clock: SimulatedClock
) -> None:
    visit, office, key = table
    page = visit.go(f"/games/{key}")
    write(page, ORDERS)
    clock.advance(timedelta(days=1))
    for _ in range(4):
        work.run_due(office)
    expect(page.get_by_role("link", name="Show the current turn")).to_be_visible()
    submissions.submit(office, holder(office, key, "England"), key, "England", "A cal H")
    expect(page.locator("#news")).to_contain_text("England sent")
    expect(page.get_by_role("link", name="Show the current turn")).to_be_visible()
    assert visit.text() == ORDERS and page.url.endswith(f"/games/{key}"), "the page stays"
    page.click(".seal-acts >> text=Review and send")
    expect(page.locator("[role=alert]")).to_contain_text("nothing was sent")
    assert versions(office, key) == 0
    visit.go(f"/games/{key}")
    assert visit.text() == ""
    old = page.locator(".old-draft")
    expect(old.locator("summary")).to_contain_text("that you never sent")
    old.locator("summary").click()
    expect(old.locator("pre")).to_have_text(ORDERS)
    old.locator("text=Discard").click()
    visit.go(f"/games/{key}")
    expect(page.locator(".old-draft")).to_have_count(0)


@pytest.mark.long
def test_a_second_tab_is_told_and_nothing_is_written_over(table: tuple[Visit, Office, str]) -> None:
    visit, _, key = table
    page = visit.go(f"/games/{key}")
    write(page, ORDERS)
    other = visit.context.new_page()
    other.goto(page.url)
    other.wait_for_selector("html[data-ready]")
    expect(other.locator("#text")).to_have_value(ORDERS)
    write(other, "A Paris - Orleanais")
    expect(page.locator("#saved")).to_contain_text("Another tab has other orders")
    assert visit.text() == ORDERS
    page.click("text=Show those")
    expect(page.locator("#text")).to_have_value("A Paris - Orleanais")
    write(other, "A Paris - Dijon")
    expect(page.locator("#saved")).to_contain_text("Another tab has other orders")
    other.close()
    write(page, ORDERS)
    visit.go(f"/games/{key}")
    assert visit.text() == ORDERS
    assert page.locator(".old-draft pre").text_content() == "A Paris - Dijon", "what was written over is kept, too"


@pytest.mark.long
def test_a_draft_follows_its_writer_to_another_device_and_the_office_cannot_read_it(
    table: tuple[Visit, Office, str], browser: Browser
) -> None:
    desk, office, key = table
    phone = Visit(browser, desk.address, reduced_motion="reduce")
    phone.be(office, holder(office, key, "France"))
    come = "document.dispatchEvent(new Event('visibilitychange', {bubbles: true}))"
    here = re.compile(f"/games/{key}/sheet/draft")
    try:
        for visit in (phone, desk):  # each has been here before
            with visit.page.expect_response(here):
                visit.go(f"/games/{key}")
        with desk.page.expect_response(here) as passed:
            write(desk.page, ORDERS)
        assert "A Paris" not in (passed.value.request.post_data or "") + passed.value.text()
        phone.page.evaluate(come)
        expect(phone.page.locator("#text")).to_have_value(ORDERS)
        expect(phone.page.locator("#saved")).to_have_text("From your other device")
        with phone.page.expect_response(here):
            write(phone.page, f"{ORDERS}\nA Marseilles H")
        desk.page.evaluate(come)
        expect(desk.page.locator("#text")).to_have_value(f"{ORDERS}\nA Marseilles H")
        with desk.page.expect_response(here):
            write(desk.page, "A Paris - Gascony")
        write(phone.page, "A Paris - Picardy")
        phone.page.evaluate(come)
        expect(phone.page.locator("#saved")).to_contain_text("Your other device has other orders")
        phone.page.get_by_role("button", name="Show those").click()
        expect(phone.page.locator("#text")).to_have_value("A Paris - Gascony")
    finally:
        phone.context.close()


ONE, OTHER = "A" * 87, "B" * 87
"""Keys of devices."""


def passes(site: TestClient, game: GameRecord, device: str, sealed: str = "", turn: str = "") -> dict[str, Any]:
    assert game.turn is not None
    given = {"device": device, "turn": turn or game.turn.name, "sealed": sealed}
    answer = site.post(f"/games/{game.key}/sheet/draft", data=given)
    return {"status": answer.status_code, **(answer.json() if answer.status_code == 200 else {})}


def test_a_device_that_is_signed_out_gets_no_more_drafts(office: Office) -> None:
    game, players, _ = begin(office)
    app, france = whole_site(office), players["France"]
    with client_of(app, office, france) as desk, client_of(app, office, france) as phone:
        assert passes(desk, game, ONE)["devices"] == [ONE]
        assert passes(phone, game, OTHER)["devices"] == [ONE, OTHER]
        assert passes(desk, game, ONE, "sealed to both")["devices"] == [ONE, OTHER]
        assert passes(phone, game, OTHER)["sealed"] == "sealed to both"
        ended = people.by_secret(office, phone.cookies["session"])
        people.end(office, france, people.own_credential(office, ended))
        assert passes(phone, game, OTHER)["status"] in (303, 401)
        assert passes(desk, game, ONE)["devices"] == [ONE]


def test_a_draft_is_its_writers_alone_and_of_the_present_turn(office: Office) -> None:
    game, players, host = begin(office, coordinated=True)
    app = whole_site(office)
    with client_of(app, office, players["France"]) as site:
        assert passes(site, game, ONE, "sealed")["sealed"] == "sealed"
        assert passes(site, game, ONE, "sealed", turn="Fall 1999 Movement")["status"] == 409
        with office.store.transaction(write=False) as tx:
            assert tx.count(SharedRow) == 2  # the devices, and one draft
    with client_of(app, office, players["England"]) as site:
        assert passes(site, game, OTHER) == {"status": 200, "devices": [OTHER], "sealed": ""}
    for who in (host, person(office, "Stranger"), None):
        with client_of(app, office, who) as site:
            assert passes(site, game, OTHER, "another")["status"] in (303, 401, 403)


def test_a_letter_is_kept_until_it_was_sent(table: tuple[Visit, Office, str]) -> None:
    visit, _, key = table
    page = visit.go(f"/games/{key}/letters")
    page.fill("#letter", "Shall we  meet\nin Paris?")
    visit.go(f"/games/{key}")
    page.goto(f"{visit.address}/games/{key}/letters")
    expect(page.locator("#letter")).to_have_value("Shall we  meet\nin Paris?")
    page.click("text=Send letter")
    expect(page.locator("[role=alert]")).to_have_text("Choose who gets the letter.")
    expect(page.locator("#letter")).to_have_value("Shall we  meet\nin Paris?")
    page.check("input[name=to] >> nth=0")
    page.goto(f"{visit.address}/games/{key}/letters")
    expect(page.locator("input[name=to] >> nth=0")).to_be_checked()  # whom it is to is kept, too
    page.click("text=Send letter")
    expect(page.locator(".letter-text").first).to_contain_text("in Paris?")
    expect(page.locator("#letter")).to_have_value("")
    page.fill("#letter", "Shall we meet in Paris?")
    page.evaluate("addEventListener('submit', (event) => event.preventDefault())")  # it never leaves
    page.click("text=Send letter")
    page.goto(page.url)
    expect(page.locator("#letter")).to_have_value("Shall we meet in Paris?")  # the same was sent before; this was not


@pytest.mark.long
def test_a_letter_that_is_being_written_is_of_its_conversation(table: tuple[Visit, Office, str]) -> None:
    visit, _, key = table
    page = visit.go(f"/games/{key}/letters?with=England")
    page.fill("#letter", "Not a word to Burgundy.")
    for elsewhere in ("?with=Burgundy", ""):
        visit.go(f"/games/{key}/letters{elsewhere}")
        expect(page.locator("#letter")).to_have_value("")
    visit.go(f"/games/{key}/letters?with=England")
    expect(page.locator("#letter")).to_have_value("Not a word to Burgundy.")


@pytest.mark.long
def test_a_letter_that_comes_is_told_and_opens_where_it_is_answered(table: tuple[Visit, Office, str]) -> None:
    visit, office, key = table
    page = visit.go(f"/games/{key}")
    write(page, ORDERS)
    letters.write(office, holder(office, key, "England"), key, "England", ["France"], "Is Paris empty?")
    expect(page.locator("#news[role=status]")).to_contain_text("You have a new letter.")
    expect(page.locator("#news a")).to_have_attribute("href", f"/games/{key}/letters")
    assert visit.text() == ORDERS
    england = holder(office, key, "England")
    for number in range(12):
        letters.write(office, england, key, "England", ["France"], f"Letter {number}.\nIs Paris empty?")
    page = visit.go(f"/games/{key}/letters?with=England")
    expect(page.get_by_role("button", name="Send letter")).to_be_in_viewport(ratio=0.9)
    expect(page.get_by_text("Letter 11.")).to_be_in_viewport(ratio=0.9)
    expect(page.get_by_text("Letter 0.")).not_to_be_in_viewport()


SIGNS_OUT = (("Sign out", 2), ("Sign out everywhere", 2), ("Sign out and remove the keys of my seats", 0))


@pytest.mark.long
@pytest.mark.parametrize(("button", "keys"), SIGNS_OUT)
def test_signing_out_takes_drafts_and_copies_out_of_the_browser(
    table: tuple[Visit, Office, str], button: str, keys: int
) -> None:
    """Whoever uses the browser next finds nothing that was written; the browser's own settings and boards stay, and the
    keys of the seat and the device, unless it is a shared computer."""
    visit, _, key = table
    page = visit.go(f"/games/{key}")
    write(page, ORDERS)
    page.click("#ready")
    page.click(".drawer >> text=Seal and send")
    expect(page.locator(".drawer h1")).to_contain_text("is sealed")
    visit.go(f"/games/{key}")
    write(page, "A Paris - Orleans")
    page.evaluate("localStorage.setItem('panel', '400')")
    page.evaluate("localStorage.setItem('notes x France', 'England lies')")
    assert len(page.evaluate(HELD)) >= 4 and page.evaluate(IN_PAGES["seatKeys"]) == 2
    visit.go("/me")
    page.get_by_role("button", name=button, exact=True).click()
    page.wait_for_url(visit.address + "/")
    assert page.evaluate(HELD) == ["office key", "panel"]
    assert page.evaluate(IN_PAGES["seatKeys"]) == keys
    assert visit.go(f"/games/{key}").locator("#text").count() == 0
    assert visit.troubles == []


HELD = "[...Object.keys(localStorage), ...Object.keys(sessionStorage)].sort()"
