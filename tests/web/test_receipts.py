"""A player's page makes a key, signs what it sends, checks the receipt before it says "sealed", and tells later what
became of it, in Chromium."""

import json
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import mailroom
from legation.office.game import seats, submission_records
from legation.office.hosting import games, proofs
from legation.office.office import Office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.proofs.receipts import SignedReceipt, read_receipt, receipt_text
from legation.proofs.verifying import verify
from tests.office.playing import begin, passes, person
from tests.web.test_play import Club, office_address  # noqa: F401
from tests.web.visiting import TOUCHED, Visit, visited

pytestmark = pytest.mark.browser

GAME = "powick-bridge"
SHEET = "A par H\nif dislodged A par: cha"


class Table(Club):
    """A game in which a reader of pages is France."""

    def __init__(self, office: Office, clock: SimulatedClock) -> None:
        super().__init__(office, clock)
        self.france = person(office, "Frank")
        seats.sign_up(office, self.france, GAME, ["France"])
        work.run_due(office)


@pytest.fixture
def table(office: Office, clock: SimulatedClock) -> Table:
    return Table(office, clock)


@pytest.fixture
def france(table: Table, visit: Callable[..., Visit]) -> Callable[..., Visit]:
    """Makes visits of France's player."""

    def made(**settings: object) -> Visit:
        one = visit(**settings)
        one.be(table.office, table.france)
        return one

    return made


def look_over(visit: Visit, text: str) -> Page:
    """Write a sheet and come to the page where it is looked over."""
    page = visit.go(f"/games/{GAME}")
    page.locator("#text").fill(text)
    page.get_by_role("button", name="Review and send", exact=True).first.click()
    expect(page.get_by_role("heading", name="Review France’s orders")).to_be_visible()
    page.wait_for_selector("html[data-ready]")
    return page


def send(page: Page) -> None:
    page.get_by_role("button", name="Seal and send", exact=True).click()
    page.wait_for_selector("[data-check]", state="attached")
    page.wait_for_selector("html[data-ready]")


def say(page: Page, word: str) -> None:
    """Press one of the buttons beside the sheet; the page comes again."""
    page.wait_for_selector("html[data-ready]")
    with page.expect_navigation():
        page.get_by_role("button", name=word, exact=True).first.click()
    page.wait_for_selector("html[data-ready]")


def saved(page: Page) -> SignedReceipt:
    with page.expect_download() as loading:
        page.get_by_role("link", name="Save the receipt").click()
    kept = read_receipt(Path(loading.value.path()).read_text())
    assert isinstance(kept, SignedReceipt)
    return kept


def test_a_sheet_sent_before_the_page_can_sign_it_waits(table: Table, france: Callable[..., Visit]) -> None:
    visit = france(service_workers="block")
    late: list[Route] = []
    visit.page.route("**/send.js", lambda route: late.append(route))
    page = visit.go(f"/games/{GAME}")
    page.locator("#text").fill(SHEET)
    page.evaluate("document.getElementById('orders').submit()")  # to the page for browsers that have no drawer
    expect(page.get_by_role("heading", name="Review France’s orders")).to_be_visible()
    page.get_by_role("button", name="Seal and send", exact=True).click()
    for _ in range(1500):
        if not late:
            page.wait_for_timeout(20)  # which lets what the browser asks for come in
    expect(page.get_by_role("heading", name="Review France’s orders")).to_be_visible()
    assert submissions.mine(table.office, table.france, GAME, "France") == []
    (script,) = late
    script.continue_()
    expect(page.get_by_role("heading", name="Version 1 is sealed")).to_be_visible()
    expect(page.locator("[data-check]")).to_contain_text("it is signed, and commits to exactly what you sent")
    assert not visit.troubles, visit.troubles


@pytest.mark.long
def test_a_reply_address_that_is_pasted_is_struck_before_it_is_signed(
    table: Table, france: Callable[..., Visit]
) -> None:
    secret = mailroom.reply_address(table.office, GAME, "France", table.france.person)
    visit = france()
    page = look_over(visit, f"{SHEET}\nReply-To: {secret}")
    assert secret not in page.content()
    send(page)
    expect(page.locator("[data-check]")).to_contain_text("it is signed, and commits to exactly what you sent")
    assert secret not in page.content()


@pytest.mark.long
def test_a_sheet_is_signed_sealed_checked_and_found_again(table: Table, france: Callable[..., Visit]) -> None:
    visit = france()
    page = look_over(visit, SHEET)
    send(page)
    expect(page.get_by_role("heading", name="Version 1 is sealed")).to_be_visible()
    expect(page.locator("[data-check]")).to_contain_text("it is signed, and commits to exactly what you sent")
    expect(page.locator("#owed")).to_have_text("orders sent")
    first = saved(page)
    fields = [opening.fields() for opening in first.openings]
    assert [f["text"] for f in fields] == ["A par H", "\nif dislodged A par: cha"]
    assert all(f["signature"] is not None and len(f["nonce"]) == 32 for f in fields)
    page = look_over(visit, "A par - dij")
    send(page)
    expect(page.get_by_role("heading", name="Version 2 is sealed")).to_be_visible()
    second = saved(page)
    page.locator(".drawer").get_by_role("button", name="I’m ready").click()
    say(page, "Undo ready")
    say(page, "I’m ready")
    send(look_over(visit, "A par - orl"))
    expect(page.locator(".drawer p.notice")).to_contain_text("You were ready with version 2. Say so again if you are.")
    page = visit.go(f"/games/{GAME}")
    say(page, "Withdraw")
    say(page, "I’m ready")
    expect(page.get_by_role("button", name="Undo ready")).to_be_visible()
    keys = {opening.fields()["signature"].key for opening in (*first.openings, *second.openings)}
    assert len(keys) == 1  # the browser keeps it
    passes(table.office, table.clock, timedelta(days=2))
    for kept, what in ((first, "Your sheet was replaced by your version 2."), (second, "Your sheet counted")):
        visit.go(f"/games/{GAME}/proofs")
        page.get_by_label(re.compile("Paste a receipt")).fill(f"Hello,\n{receipt_text(kept)}")
        page.get_by_role("button", name="Check it").click()
        expect(page.locator("p[role=status] strong")).to_contain_text(what)
    page = visit.go(f"/games/{GAME}/results")
    page.get_by_text("Signed line of the journal").click()
    line = page.locator("#signed-line pre").inner_text()
    visit.go(f"/games/{GAME}/proofs")
    page.get_by_label(re.compile("Paste a receipt")).fill(line)
    page.get_by_role("button", name="Check it").click()
    expect(page.locator("p[role=status] strong.good-text")).to_be_visible()
    transcript = proofs.transcript(table.office, Actor.visitor(), GAME)
    report = verify(transcript.encode(), [table.office.public_key], [first, second])
    assert report.failures == []
    assert not [line for line in report.told if "the office's word" in line]
    said = [json.loads(row)["line"] for row in transcript.splitlines() if '"kind":"ready"' in row or "withdrawn" in row]
    assert [line["kind"] for line in said] == ["ready", "ready", "withdrawn", "ready"]
    assert all(len(line["data"]["signature"]) == 128 for line in said)
    assert [line["data"].get("again") for line in said] == [None, 1, None, 2]


def test_a_receipt_of_something_or_for_somebody_else_is_not_called_sealed(
    table: Table, france: Callable[..., Visit], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An office that seals another text than was sent is noticed by the page."""
    honest = submissions.submit

    def lying(office: Office, actor: Actor, game: str, power: str, text: str, nonce: str, _signatures: Any) -> object:
        return honest(office, actor, game, power, text.replace("dij", "brt"), nonce)

    visit = france()
    page = look_over(visit, "A par - dij")
    monkeypatch.setattr(submissions, "submit", lying)
    send(page)
    expect(page.get_by_role("heading", name="This receipt is wrong")).to_be_visible()
    expect(page.locator("[data-check]")).to_contain_text("it is of another text than was sent")
    # an office that calls a sheet entered by the coordinator, behind whatever its holder sends, is noticed as well
    monkeypatch.undo()
    page = look_over(visit, "A par - dij")
    monkeypatch.setitem(submission_records.ENTERED, "holder", "coordinator")
    send(page)
    expect(page.locator("[data-check]")).to_contain_text("it is of another sender than was sent")


def test_ready_is_signed_only_by_who_says_so(office: Office, browser: Browser) -> None:
    """With the signature the office could show the keeper that the seat is ready."""
    _, players, _ = begin(office, "hundred", "Powick Bridge")
    bodies: list[str] = []
    with visited(office, browser, players["France"]) as visit:
        visit.page.on("request", lambda asked: bodies.append(asked.post_data or ""))
        for ready in (False, True):
            page = look_over(visit, "A par - dij")
            page.get_by_label(re.compile("I’m ready: process")).set_checked(ready)
            bodies.clear()
            send(page)
            (sent,) = (parse_qs(body) for body in bodies if "signatures=" in body)
            assert ("ready_signature" in sent) is ready


@pytest.mark.long
def test_a_page_sends_no_other_text_than_was_looked_over_and_tells_what_is_no_receipt(
    table: Table, france: Callable[..., Visit]
) -> None:
    visit = france()
    page = look_over(visit, "A par - dij")
    page.evaluate("document.querySelector('form[data-sheet]').elements.text.value = 'A par - brt'")
    page.get_by_role("button", name="Seal and send", exact=True).click()
    expect(page.locator("form[data-sheet] [role=status]")).to_contain_text("Nothing was sent")
    assert submissions.mine(table.office, table.france, GAME, "France") == []
    page = visit.go(f"/games/{GAME}/proofs")
    page.get_by_label(re.compile("Paste a receipt")).fill("hello")
    page.get_by_role("button", name="Check it").click()
    expect(page.locator("p.notice[role=status]")).to_contain_text("This is not a receipt")
    assert games.game(table.office, table.france, GAME).turn is not None


@pytest.mark.long
def test_another_browser_is_asked_before_it_takes_over(table: Table, france: Callable[..., Visit]) -> None:
    one = france()
    send(look_over(one, "A par - dij"))
    other = france(**TOUCHED)
    expect(one.go(f"/games/{GAME}").locator("[data-unsigned]")).to_be_hidden()
    expect(other.go(f"/games/{GAME}").locator("[data-unsigned]")).to_be_visible()
    page = look_over(other, "A par - brt")
    asks = page.get_by_label(re.compile("Sign from this browser from now on"))
    expect(asks).to_be_visible()
    send(page)
    expect(page.get_by_role("heading", name="Version 2 is sealed")).to_be_visible()
    assert saved(page).openings[0].fields()["signature"] is None
    page = look_over(other, "A par H")
    page.get_by_label(re.compile("Sign from this browser from now on")).check()
    send(page)
    expect(page.get_by_role("heading", name="Version 3 is sealed")).to_be_visible()
    assert saved(page).openings[0].fields()["signature"] is not None
