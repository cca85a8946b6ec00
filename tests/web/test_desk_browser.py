"""The desk in Chromium: it tells what happens while one looks, and asks only what a game needs."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from legation.cli.serving import whole_site
from legation.office.office import Office
from legation.office.orders import submissions
from tests.office.playing import person
from tests.web.test_desk import postal
from tests.web.visiting import visited


@pytest.mark.browser
def test_the_desk_tells_what_happens_while_one_looks(browser: Browser, office: Office) -> None:
    record, players, boss = postal(office)
    with visited(office, browser, boss, whole_site(office), reduced_motion="reduce") as visit:
        page = visit.go(f"/desk/{record.key}")
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


@pytest.mark.long
@pytest.mark.browser
def test_a_game_that_runs_itself_is_asked_nothing_of_a_coordinator(browser: Browser, office: Office) -> None:
    with visited(office, browser, person(office, "Ann"), reduced_motion="reduce") as visit:
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
