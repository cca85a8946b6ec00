"""The desk in Chromium: a coordinator runs a season of the Three Kingdoms with envelopes and photographs; nobody else
gets in."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from fastapi import FastAPI
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import Error as PlaywrightError

from legation.mail.results import preview
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.hosting import games
from legation.office.office import Office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.records import GameRecord
from legation.print.serving import routes as paper_routes
from legation.variants import load
from legation.web import actor_of, create_app
from tests.office.playing import begin, person, sheets, unmatched_mail
from tests.serving import served
from tests.web.test_desk import postal
from tests.web.test_desk_items import close
from tests.web.visiting import PHONE, Visit

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def photograph(words: str) -> bytes:
    sheet = Image.new("RGB", (900, 1200), (238, 230, 210))
    ImageDraw.Draw(sheet).multiline_text((80, 90), words, fill=(40, 40, 90), font_size=32)
    made = io.BytesIO()
    sheet.save(made, "JPEG")
    return made.getvalue()


@pytest.fixture
def site(office: Office) -> FastAPI:
    app = create_app(office, mails=preview)
    app.router.routes[:0] = paper_routes(office, actor_of)
    return app


@pytest.fixture
def address(site: FastAPI) -> Iterator[str]:
    with served(site) as here:
        yield here


class Seen(Visit):
    """A coordinator's browser."""

    def __init__(self, browser: Browser, address: str, office: Office, who: Actor, **settings: Any) -> None:
        super().__init__(browser, address, reduced_motion="reduce", **settings)
        self.be(office, who)

    def go(self, path: str) -> Page:
        self.page.wait_for_load_state("load")  # a form that was just sent may still be on its way to its page
        try:
            self.page.goto(self.address + path)
        except PlaywrightError as error:  # the browser went elsewhere at the same moment
            if "ERR_ABORTED" not in error.message:
                raise
            self.page.wait_for_load_state("load")
            self.page.goto(self.address + path)
        return self.page


def extend(page: Page, record: GameRecord) -> datetime:
    """Extend the deadline by a day; return the new one."""
    page.click("text=Extend the deadline")
    assert record.turn is not None and record.turn.deadline is not None
    later = record.turn.deadline + timedelta(days=1)
    page.fill("#until", f"{later:%Y-%m-%dT%H:%M}")
    page.fill("#extend-reason", "the post is on strike")
    page.get_by_role("button", name="Extend", exact=True).click()
    expect(page.locator("#latest + ul")).to_contain_text("the post is on strike")
    return later


def settle_item(page: Page, texts: dict[str, str], scripts: bool = True) -> None:
    """Do what one page of the desk asks for."""
    if page.locator("input[name=version]:visible").count():
        page.locator(
            "input[name=version]"
        ).last.check()  # the player's own: an envelope does not displace what they sent
        page.fill("#reason", "as the player asked")
        page.locator(".primary").click()
    elif page.locator("button[value=accept]").count():
        page.fill("#reason", "the post is on strike")
        page.locator("button[value=accept]").click()
    elif not scripts:
        if page.locator("#sheet-picture").count():
            page.get_by_role("button", name="Zoom in").click()
            expect(page.locator("#sheet-picture .zoom-2")).to_be_visible()
        page.fill("#text", texts[page.locator("h1").inner_text()])
        page.get_by_role("button", name="Check the reading").click()
        page.locator(".reads button[name=take]").first.click()
        expect(page.locator(".reads .order").first).to_be_visible()
        expect(page.locator(".reads li.wrong")).to_have_count(0)
        page.locator(".primary").click()
    else:
        page.wait_for_selector("html[data-ready]")
        page.fill("#text", texts[page.locator("h1").inner_text()])
        expect(page.locator(".reads .order").first).to_be_visible()
        expect(page.locator(".reads li.wrong")).to_have_count(0)
        page.locator("#text").press("Control+Enter")


@pytest.mark.long
@pytest.mark.browser
@pytest.mark.clause("W-20a")
def test_a_season_with_envelopes_and_photographs(
    browser: Browser,
    address: str,
    office: Office,
    clock: SimulatedClock,
) -> None:
    record, players, boss = begin(
        office,
        "three-kingdoms",
        coordinated=True,
        approve=True,
        drafts=True,
        opening_by_post=True,
        ready_ends=False,
        schedule="three-kingdoms",
        press=(),
    )
    key, powers = record.key, list(players)
    texts = sheets(office, record, "season", powers)
    seen = Seen(browser, address, office, boss)
    page = seen.go(f"/desk/{key}")
    named = load(record.variant).named
    for power in powers[:2]:  # with a mouse, then by the keyboard
        page.get_by_role("button", name=f"Envelope received from {named(power)}", exact=True).click()
        expect(page.get_by_role("button", name=f"Envelope received from {named(power)}", exact=True)).to_have_count(0)
    page.get_by_role("button", name=f"Envelope received from {named(powers[2])}", exact=True).press("Enter")
    expect(page.locator(".senders .good-text")).to_have_count(3)
    later = extend(page, record)
    turn = games.game(office, boss, key).turn
    assert turn is not None and turn.deadline == later

    def photographs(power: str) -> None:
        picture = [("sheet.jpg", photograph(texts[power]), "image/jpeg")]
        submissions.submit_pictures(office, players[power], key, power, picture)

    photographs(powers[0])  # a revision of what was posted
    photographs(powers[3])  # nothing of it was posted
    submissions.submit(office, players[powers[4]], key, powers[4], texts[powers[4]])
    submissions.submit(
        office, players[powers[4]], key, powers[4], f"v2 replaces v1 only if Argyll has written\n{texts[powers[4]]}"
    )
    seen.go(f"/desk/{key}")
    expect(page.locator("#waits + p")).to_have_text("Nothing to do here.")
    close(office, clock, record)
    seen.go("/desk")
    page.click("text=posted sheets and 2 photographs to read")
    steps = 0
    while re.search(r"/desk/[^/]+/\d+$", page.url):
        here = page.url
        settle_item(page, texts)
        expect(page).not_to_have_url(here)
        steps += 1
    assert steps >= 6
    work.run_due(office)
    seen.go(f"/desk/{key}/results")
    expect(page.locator("#mails ~ details")).to_have_count(10)
    page.wait_for_selector("html[data-ready]")
    page.locator(".results tr[data-order]").first.hover()
    expect(page.locator(".layers .one [data-order].shown").first).to_be_attached()
    page.click("text=Publish the draft results")
    expect(page.locator("h2").first).to_contain_text("draft results are out")
    seen.go(f"/desk/{key}/players")
    page.click(f"text=Change who plays {powers[5]}")
    box = page.locator("details[open]")
    box.get_by_label("Address of the new player").fill("new@example.org")
    box.get_by_label("Reason").fill("fell ill")
    box.get_by_text("Seat the new player").click()
    expect(page.locator(".roster")).to_contain_text("new@example.org")

    phone = Seen(browser, address, office, boss, viewport=PHONE, has_touch=True, is_mobile=True)
    for _ in range(3):  # retreats, if there are any, and the end of the season
        present = games.game(office, boss, key).turn
        assert present is not None
        if present.state in ("open", "waiting"):
            close(office, clock, record)
        clock.advance(timedelta(days=4))
        work.run_due(office)
        shown = phone.go(f"/desk/{key}/results")
        for act in ("Publish the draft results", "Make the season’s results final"):
            if shown.get_by_text(act).count():
                with shown.expect_navigation():
                    shown.get_by_text(act).tap()
                work.run_due(office)
        if games.result(office, boss, key, 1).state == "final":
            break
    assert games.result(office, boss, key, 1).state == "final"
    assert seen.troubles == [] and phone.troubles == []
    for browsing in (seen, phone):
        browsing.context.close()


def waiting_game(office: Office, clock: SimulatedClock) -> tuple[GameRecord, dict[str, Actor], Actor]:
    """A game whose deadline has passed, with something of each kind on the desk."""
    record, players, boss = postal(office)
    submissions.register_posted(office, boss, record.key, "Burgundy")
    picture = [("sheet.jpg", photograph("A dev H"), "image/jpeg")]
    submissions.submit_pictures(office, players["England"], record.key, "England", picture)
    for text in ("A par H", "v2 replaces v1 only if England agrees\nA par - dij"):
        submissions.submit(office, players["France"], record.key, "France", text)
    unmatched_mail(office, game=record.key, power="France")
    close(office, clock, record)
    return record, players, boss


@pytest.mark.browser
def test_the_desk_tells_what_happens_while_one_looks(
    browser: Browser,
    address: str,
    office: Office,
) -> None:
    record, players, boss = postal(office)
    seen = Seen(browser, address, office, boss)
    page = seen.go(f"/desk/{record.key}")
    page.wait_for_selector("html[data-ready]")
    expect(page.locator(".senders")).not_to_contain_text("by e-mail")
    page.get_by_text("Extend the deadline").click()
    page.fill("#extend-reason", "the post is")
    page.get_by_role("button", name="Envelope received from England").focus()
    submissions.submit(office, players["France"].by("mail"), record.key, "France", "A par H")
    expect(page.locator(".senders")).to_contain_text("by e-mail", timeout=90_000)
    expect(page.locator("#latest + ul")).to_contain_text("France")
    expect(page.locator("#extend-reason")).to_have_value("the post is")
    expect(page.get_by_role("button", name="Envelope received from England")).to_be_focused()
    assert seen.troubles == []
    seen.context.close()


@pytest.mark.long
@pytest.mark.browser
def test_a_season_at_the_desk_without_scripts(
    browser: Browser,
    address: str,
    office: Office,
    clock: SimulatedClock,
) -> None:
    record, players, boss = postal(office)
    seen = Seen(browser, address, office, boss, java_script_enabled=False)
    page = seen.go(f"/desk/{record.key}")
    page.get_by_role("button", name="Envelope received from Burgundy").click()
    expect(page.locator(".senders .good-text")).to_have_count(1)
    extend(page, record)
    submissions.submit_pictures(
        office, players["England"], record.key, "England", [("a.jpg", photograph("F dev H"), "image/jpeg")]
    )
    close(office, clock, record)
    page = seen.go("/desk")
    page.click("text=1 posted sheet and 1 photograph")
    while re.search(r"/desk/[^/]+/\d+(/transcribe)?$", page.url):
        settle_item(page, {"Burgundy": "A Dijoux H", "England": "F Devonia H"}, scripts=False)
        page.wait_for_load_state()
    work.run_due(office)
    page = seen.go(f"/desk/{record.key}/results")
    expect(page.locator(".with-map img").first).to_be_visible()
    page.click("text=Publish the draft results")
    expect(page.locator("h2").first).to_contain_text("draft results are out")
    assert seen.troubles == []
    seen.context.close()


@pytest.mark.long
@pytest.mark.browser
def test_a_game_that_runs_itself_is_asked_nothing_of_a_coordinator(
    browser: Browser, address: str, office: Office
) -> None:
    visit = Seen(browser, address, office, person(office, "Ann"))
    page = visit.go("/games/new?variant=hundred")
    page.click(".all-settings > summary")
    approve, days = page.get_by_label("The coordinator approves results"), page.get_by_label("Post", exact=True)
    expect(approve).to_be_hidden()
    expect(days).to_be_hidden()
    page.get_by_label("I coordinate it").check()
    expect(approve).to_be_visible()
    page.get_by_label("The first orders of a season come by post").check()
    expect(days).to_be_visible()
    page.get_by_label("It runs itself").check()
    expect(approve).to_be_hidden()
    expect(page.get_by_label("The first orders of a season come by post")).to_be_visible()
    assert not visit.troubles
    visit.context.close()
