"""By keyboard alone: a game from the first visit to its end, and a coordinator's season at the desk. The focus is
always to be seen, and never lost."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import Browser, expect

from legation.mail.results import preview
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import desk
from legation.office.hosting import games
from legation.office.office import Office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.web import create_app
from tests.office.playing import close_turn, picture, turn_now
from tests.web.test_desk import postal
from tests.web.test_play import GAME, Club, office_address, playing_club  # noqa: F401
from tests.web.visiting import Keys, Visit, visited

pytestmark = [pytest.mark.browser, pytest.mark.longest]


def seal(keys: Keys) -> None:
    """Seal the sheet and send it, from the page of the game."""
    for step, then in (("Review and send", "Review"), ("Seal and send", "is sealed")):
        keys.reach(step)
        keys.press("Enter")
        expect(keys.page.get_by_role("heading", name=re.compile(then))).to_be_visible(timeout=90_000)
    keys.follow("Back to the game")


def test_a_game_by_keyboard_alone(club: Club, desk: Visit) -> None:
    page, keys = desk.page, Keys(desk.page)
    desk.go("/sign-in")
    keys.reach("E-mail address")
    keys.write("new@example.org")
    with page.expect_navigation():
        keys.press("Enter")
    desk.go(club.link())
    keys.reach("Your name")
    keys.write("Newcomer")
    keys.follow("Sign in")
    keys.follow("Powick Bridge")
    keys.reach("First choice")
    page.keyboard.type("Fra")
    keys.follow("Sign up")
    work.run_due(club.office)
    page.wait_for_selector("#chart[data-ready]")  # the page goes on by itself when the game begins
    page.wait_for_selector("html[data-ready]")

    keys.reach("Map of Powick Bridge")
    keys.walk("orl")
    keys.press("Enter")
    keys.walk("brt")
    keys.press("Enter")
    expect(page.locator("#text")).to_have_value("A orl - brt\n")
    keys.walk("par")
    keys.press("Enter")
    keys.use("Hold")
    expect(page.locator("#text")).to_have_value("A orl - brt\nA par H\n")
    assert keys.here()["name"].startswith("Map of")  # its chip is gone, and the map is next
    keys.use("Undo")
    expect(page.locator("#text")).to_have_value("A orl - brt\n")
    keys.press("Enter")
    expect(page.locator("#text")).to_have_value("")
    assert keys.here()["name"] == "Redo"  # nothing is left to undo
    keys.press("Enter", "Enter")
    expect(page.locator("#text")).to_have_value("A orl - brt\nA par H\n")
    keys.reach("Your orders", "Shift+Tab")
    keys.press("Control+End")
    keys.write("Army Dauphine to Cantons")
    expect(page.locator("#tally")).to_have_text("3 of 5 units have orders")
    keys.use("Order from a list")
    keys.reach("France: army Toulouse")
    page.keyboard.type("Hold")
    expect(page.locator("#text")).to_have_value(re.compile("A tou H"))
    assert keys.here()["name"].startswith("France: army Toulouse")
    keys.press("Shift+Tab")  # and back past the list, which stays open
    seal(keys)
    keys.follow("I’m ready")
    keys.follow("Undo ready")

    club.judge(0)
    expect(page.locator(".results")).to_be_visible(timeout=90_000)  # the page goes on by itself
    page.wait_for_selector("html[data-ready]")
    keys.follow("Give orders for 1425 Retreats")
    keys.reach("Map of Powick Bridge")
    keys.walk("par")
    keys.press("Enter")
    keys.walk("cha")
    keys.press("Enter")
    expect(page.locator("#text")).to_have_value("A par R cha\n")
    seal(keys)
    club.judge(1)

    page.wait_for_url("**/1425-retreats")
    page.wait_for_selector("html[data-ready]")
    keys.follow("Results")
    keys.reach("Turn")
    keys.press("ArrowLeft")
    expect(page.locator("#turn-name")).to_have_text("1425 Movement")
    assert keys.here()["name"] == "Turn"
    keys.reach("Next: 1425 Retreats")
    keys.press("Enter")
    expect(page.locator("#turn-name")).to_have_text("1425 Retreats")
    keys.here()  # there is no turn after it: the focus has gone to the slider
    keys.press("ArrowLeft")
    expect(page.locator("#turn-name")).to_have_text("1425 Movement")
    keys.use("A par H")
    expect(page.locator(".chart .shown")).not_to_have_count(0)
    keys.press("ArrowRight")  # the row goes with its turn
    expect(page.locator("#turn-name")).to_have_text("1425 Retreats")
    keys.here()

    keys.follow("Orders")
    keys.reach("Your orders")
    keys.write("A cha - dij")
    seal(keys)
    club.judge(2)
    page.wait_for_url("**/1430-movement")
    page.wait_for_selector("html[data-ready]")
    desk.go(f"/games/{GAME}")
    expect(page.locator("#open")).to_contain_text("1 to build")
    keys.reach("Map of Powick Bridge")
    keys.walk("orl")
    keys.press("Enter")
    expect(page.locator("#text")).to_have_value("build A orl\n")
    seal(keys)
    club.judge(3)
    page.wait_for_url("**/1430-adjustments")
    page.wait_for_selector("html[data-ready]")
    desk.go(f"/games/{GAME}")
    keys.use("France: Vote for a draw")
    expect(page.locator("#text")).to_have_value("draw\n")
    keys.here()
    seal(keys)
    club.judge(4)
    page.wait_for_url("**/1435-movement")
    page.wait_for_selector("html[data-ready]")
    desk.go(f"/games/{GAME}")
    expect(page.locator(".panel .notice").first).to_contain_text("The game has ended.")
    assert games.game(club.office, Actor.visitor(), GAME).state == "ended"
    assert not desk.troubles


SHEETS = {"Burgundy": "A Dijn H", "England": "F Devn H\nF lon H"}


def settle(keys: Keys) -> None:
    """Do what a page of the desk asks for, and come to the next."""
    page = keys.page
    if page.get_by_label("Version").count():
        keys.reach("Version 1")
        keys.press("Space")
    if page.get_by_label("Reason").count():
        keys.reach("Reason")
        keys.write("the post is on strike")
        with page.expect_navigation():
            keys.press("Enter")
        return
    page.wait_for_selector("html[data-ready]")
    assert keys.here()["name"] == "What it says"
    keys.write(SHEETS.get(page.locator("h1").inner_text(), "A par H"))
    expect(page.locator(".reads .order").first).to_be_visible()
    if page.locator(".reads li.wrong").count():
        keys.press("Tab", "Enter")  # another reading, offered below the lines
        expect(page.locator(".reads li.wrong")).to_have_count(0)
        assert keys.here()["name"] == "What it says"
    with page.expect_navigation():
        keys.press("Control+Enter")


def test_a_season_at_the_desk_by_keyboard_alone(browser: Browser, office: Office, clock: SimulatedClock) -> None:
    record, players, boss = postal(office)
    with visited(office, browser, boss, create_app(office, mails=preview), reduced_motion="reduce") as seen:
        page, keys = seen.page, Keys(seen.page)
        seen.go("/desk")
        keys.follow(record.name)
        keys.follow("Envelope received from Burgundy")
        expect(page.locator(".senders .good-text")).to_have_count(1)
        keys.use("Extend the deadline")
        assert record.turn is not None and record.turn.deadline is not None
        later = record.turn.deadline + timedelta(days=1)
        keys.reach("Until")
        page.keyboard.type(f"{later:%m%d%Y}")
        keys.reach("Reason")
        keys.write("the post is on strike")
        with page.expect_navigation():
            keys.press("Enter")
        assert turn_now(office, boss, record.key).deadline == later
        photographs = [("sheet.jpg", picture(600, 800), "image/jpeg")]
        submissions.submit_pictures(office, players["England"], record.key, "England", photographs)
        for text in ("A par H", "v2 replaces v1 only if England agrees\nA par - dij"):
            submissions.submit(office, players["France"], record.key, "France", text)
        close_turn(office, clock, record)

        seen.go("/desk")
        keys.follow("1 posted sheet and 1 photograph")
        while re.search(r"/desk/[^/]+/\d+$", page.url):
            settle(keys)
        assert not desk.items(office, boss)
        work.run_due(office)
        seen.go(f"/desk/{record.key}")
        keys.follow("Results")
        keys.follow("Publish the draft results")
        assert games.result(office, boss, record.key, 1).state == "draft"
