"""A rehearsal is begun at the desk, in a process of its own, and looked at there."""

import os
import time
from functools import partial

import pytest
from fastapi import FastAPI

from legation.children import ChildError
from legation.office.clock import SystemClock
from legation.office.context import Actor
from legation.office.game import journal
from legation.office.hosting import games
from legation.office.office import Office
from legation.rehearsal import serving
from legation.rehearsal.pages import PAGE
from legation.rehearsal.playing import COPY
from legation.rehearsal.serving import KEPT, Rehearsals, add_rehearsals
from legation.web import create_app
from tests.office.playing import person
from tests.waiting import wait_for
from tests.web.clients import client_of


@pytest.fixture
def game(office: Office) -> tuple[str, Actor]:
    """A game that waits for players, and its coordinator."""
    boss = person(office, "Coordinator")
    plan = {"name": "Powick Bridge", "variant": "hundred", "settings": {"coordinated": True, "approve": True}}
    return games.create(office, boss, plan).key, boss


def site_of(office: Office) -> FastAPI:
    """The office's site, with rehearsals."""
    app = create_app(office)
    add_rehearsals(app, office)
    return app


@pytest.mark.long
def test_a_rehearsal_is_begun_and_leafed_through(office: Office, game: tuple[str, Actor]) -> None:
    key, boss = game
    office.clock = SystemClock()  # as the process that plays it has
    app = site_of(office)
    visitor = partial(client_of, app, office)
    desk, page = visitor(boss), f"/desk/{key}/rehearsal"
    assert f'href="{page}"' in desk.get(f"/desk/{key}").text
    assert "Rehearse the year</button>" in desk.get(page).text
    assert desk.get(f"{page}/pages/index.html").status_code == 404
    before = journal.entries(office, boss, key, limit=100)
    assert desk.post(f"{page}/begin", data={}, follow_redirects=False).status_code == 303
    shown = desk.get(page)
    assert "The year is being played." in shown.text and shown.headers["refresh"]
    assert desk.post(f"{page}/begin", data={}).status_code == 409, "one at a time"
    wait_for(lambda: "Leaf through it" in desk.get(page).text)
    assert journal.entries(office, boss, key, limit=100) == before
    index = desk.get(f"{page}/pages/index.html")
    assert "Rehearsal of Powick Bridge" in index.text and "frame-src 'self'" in index.headers["content-security-policy"]
    assert desk.get(f"{page}/pages/rehearsal.js").headers["content-type"].startswith("text/javascript")
    mail = index.text.partition('data-page="')[2].partition('"')[0]
    assert "Powick Bridge" in desk.get(f"{page}/pages/{mail}").text
    for wrong in ("../../office.db", "%2e%2e/%2e%2e/office.db", "nothing.html", "mails"):
        assert desk.get(f"{page}/pages/{wrong}").status_code in (404, 405), wrong
    for stranger in (visitor(), visitor(person(office, "Zoe"))):
        for path in (page, f"{page}/pages/index.html", f"{page}/pages/{mail}"):
            assert stranger.get(path, follow_redirects=False).status_code in (303, 401, 403)
    # it is gone after a week
    made = Rehearsals(office).place / key / PAGE
    os.utime(made, (time.time() - KEPT - 60,) * 2)
    assert "Leaf through it" not in desk.get(page).text and not made.exists()


def test_a_site_without_rehearsals_has_no_page_for_them(office: Office, game: tuple[str, Actor]) -> None:
    key, boss = game
    desk = client_of(create_app(office), office, boss)
    assert "rehearsal" not in desk.get(f"/desk/{key}").text
    assert desk.get(f"/desk/{key}/rehearsal").status_code == 404


def test_why_a_rehearsal_failed_is_told(office: Office, game: tuple[str, Actor]) -> None:
    key, boss = game
    rehearsals = Rehearsals(office)
    rehearsals.place.mkdir()
    (rehearsals.place / f"{key}.failed").write_text("1425 Movement does not end.")
    desk = client_of(site_of(office), office, boss)
    shown = desk.get(f"/desk/{key}/rehearsal").text
    assert "1425 Movement does not end." in shown and "Rehearse the year</button>" in shown


def test_no_name_of_a_page_leads_out_of_a_rehearsal(office: Office, game: tuple[str, Actor]) -> None:
    key, boss = game
    rehearsals = Rehearsals(office)
    folder = rehearsals.place / key
    (folder / "mails").mkdir(parents=True)
    (folder / PAGE).write_text("here")
    (rehearsals.place / f"{key}-2").mkdir()
    (rehearsals.place / f"{key}-2" / PAGE).write_text("of another game")
    (rehearsals.place / f"{key}.failed").write_text("why")
    desk = client_of(site_of(office), office, boss)
    assert desk.get(f"/desk/{key}/rehearsal/pages/{PAGE}").text == "here"
    outside = (rehearsals.folder / "office.db").as_posix()
    for wrong in (
        *(f"../{key}-2/{PAGE}", f"..%2f{key}-2%2f{PAGE}", f"..%2f{key}.failed", "..%2f..%2foffice.db", "mails", "%00"),
        *(f"{PAGE}%00.png", f"%2f{outside.lstrip('/')}", f"/{outside}", "a" * 5000, "%c0%ae%c0%ae/x", "mails/%2e%2e"),
    ):
        assert desk.get(f"/desk/{key}/rehearsal/pages/{wrong}").status_code in (404, 405, 422), wrong


def test_old_rehearsals_and_the_copies_of_those_that_were_ended_are_removed(
    office: Office, game: tuple[str, Actor], monkeypatch: pytest.MonkeyPatch
) -> None:
    key, boss = game
    rehearsals = Rehearsals(office)
    monkeypatch.setattr(serving, "MOST_KEPT", 3)
    for number in range(5):
        folder = rehearsals.place / f"game-{number}"
        folder.mkdir(parents=True)
        (folder / PAGE).write_text("addresses")
        os.utime(folder / PAGE, (time.time() - 100 * number,) * 2)
    rehearsals.state(boss, key)
    assert sorted(p.name for p in rehearsals.place.iterdir()) == ["game-0", "game-1", "game-2"]
    os.utime(rehearsals.place / "game-0" / PAGE, (time.time() - KEPT - 60,) * 2)
    Rehearsals(office)
    assert sorted(p.name for p in rehearsals.place.iterdir()) == ["game-1", "game-2"]

    def ended(*_: object) -> bool:
        (rehearsals.place / f"{COPY}x" / "keys").mkdir(parents=True)
        raise ChildError("memory", "it had too much")

    monkeypatch.setattr(serving.PLAYERS, "call", ended)
    rehearsals.begin(boss, key)
    wait_for(lambda: rehearsals.state(boss, key).failed and not rehearsals.state(boss, key).playing)
    assert sorted(p.name for p in rehearsals.place.iterdir()) == ["game-1", "game-2", f"{key}.failed"]
