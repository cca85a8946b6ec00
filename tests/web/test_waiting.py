"""A page that waits goes on by itself, and takes nothing away that is being chosen on it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Route, expect

from legation.office.game import seats
from legation.office.hosting import games
from legation.office.office import Office
from legation.office.operation import work
from tests.office.playing import person
from tests.web.visiting import visited


@pytest.mark.long
@pytest.mark.browser
def test_the_page_of_a_game_that_gathers_tells_who_joins_and_opens_the_board(office: Office, browser: Browser) -> None:
    game = games.create(office, person(office, "Host"), {"name": "Powick Bridge", "variant": "hundred"})
    ann, bob, cid = (person(office, name) for name in ("Ann", "Bob", "Cid"))
    with visited(office, browser, ann) as visit:
        shown: list[str] = []
        visit.page.on("framenavigated", lambda frame: shown.append(frame.url))
        page = visit.go(f"/games/{game.key}")
        expect(page.locator(".lede")).to_contain_text("3 of 3 seats are open")
        seats.sign_up(office, bob, game.key, [])
        expect(page.locator(".lede")).to_contain_text("2 of 3 seats are open")
        page.get_by_label("First choice").select_option("France")
        seats.sign_up(office, cid, game.key, [])
        seats.sign_up(office, ann, game.key, [])
        work.run_due(office)
        page.wait_for_selector("html[data-ready] #chart")
        assert len(shown) == 3, f"it came, told of Bob, and opened the board; a choice is kept meanwhile: {shown}"


@pytest.mark.long
@pytest.mark.browser
def test_a_server_that_did_not_answer_is_asked_again(office: Office, browser: Browser) -> None:
    game = games.create(office, person(office, "Host"), {"name": "Powick Bridge", "variant": "hundred"})
    ann = person(office, "Ann")
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) == 1:
            route.fulfill(status=503)
        elif len(asked) == 2:
            route.abort()
        else:
            route.continue_()

    with visited(office, browser, ann) as visit:
        visit.page.route("**/news?*", answer)
        page = visit.go(f"/games/{game.key}")
        expect(page.locator(".lede")).to_contain_text("3 of 3 seats are open")
        seats.sign_up(office, person(office, "Bob"), game.key, [])
        expect(page.locator(".lede")).to_contain_text("2 of 3 seats are open", timeout=30_000)
        assert len(asked) == 3
        visit.troubles.clear()  # the answers that failed on purpose
