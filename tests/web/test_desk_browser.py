"""The desk in Chromium: it tells what happens while one looks, and asks only what a game needs."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import Error as PlaywrightError

from legation.mail.results import preview
from legation.office.context import Actor
from legation.office.office import Office
from legation.office.orders import submissions
from legation.print.serving import routes as paper_routes
from legation.web import actor_of, create_app
from tests.office.playing import person
from tests.serving import served
from tests.web.test_desk import postal
from tests.web.visiting import Visit


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
