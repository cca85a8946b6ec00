"""The desk over HTTP: games are made, envelopes registered, deadlines moved; nothing is done twice, nothing typed is
lost, nobody else gets in. In Chromium it tells what happens while one looks, and asks only what a game needs."""

import re
from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from legation.cli.serving import whole_site
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import bridges
from legation.office.game import seats
from legation.office.hosting import games
from legation.office.office import Office
from legation.office.orders import submissions
from legation.office.records import GameRecord
from tests.office.playing import begin, close_turn, passes, person, turn_now
from tests.web.clients import Visitor
from tests.web.visiting import visited


def postal(office: Office, **settings: Any) -> tuple[GameRecord, dict[str, Actor], Actor]:
    usual = {"coordinated": True, "approve": True, "drafts": True, "opening_by_post": True, "ready_ends": False}
    return begin(office, **{**usual, "schedule": "three-kingdoms", "press": (), **settings})


def test_a_game_is_made_and_faults_lose_nothing(office: Office, visitor: Visitor) -> None:
    boss = person(office, "Boss")
    site = visitor(boss)
    form = site.get("/games/new?variant=hundred&like=post").text
    assert 'value="three-kingdoms" selected' in form and "1425 Movement" in form
    typed = {
        "name": "Castillon", "variant": "hundred", "run": "coordinator", "schedule": "weekly", "missing": "wait",
        "missing_after": "x", "grace": "15", "absence_days": "3", "reminder_hours": "24", "shows_senders": "nobody",
        "press": ["public"], "channel Movement": ["web", "mail"], "channel Retreats": ["web"], "seat France": "invite",
        "mail France": "no address", "seat England": "hold", "option first_step": "1", "listed": "on", "approve": "on",
    }  # fmt: skip
    typed["channel Adjustments"] = ["web", "api", "mail", "post"]
    looked = site.post("/games/new", data=typed)
    assert looked.status_code == 200 and games.list_games(office, Actor.console()) == []
    refused = site.post("/games/new", data={**typed, "do": "make"})
    assert refused.status_code == 422
    for kept in (
        'value="Castillon"',
        'value="no address"',
        'value="x"',
        'value="weekly" selected',
        "an e-mail address",
    ):
        assert kept in refused.text
    typed |= {"mail France": "louis@example.org", "missing_after": "4"}
    made = site.post("/games/new", data={**typed, "do": "make"})
    assert (made.status_code, made.headers["location"]) == (303, "/desk/castillon")
    game = games.game(office, boss, "castillon")
    assert game.settings["channels"] == {"Movement": ("web", "mail"), "Retreats": ("web",)}
    assert (game.settings["grace"], game.settings["missing_after"], game.settings["shows_senders"]) == (15, 4, "nobody")
    assert {s.power: s.state for s in game.seats}["England"] == "bot"
    again = site.post("/games/new", data={**typed, "do": "make"})
    assert again.status_code == 409 and "already a game called" in again.text
    assert visitor().get("/games/new").status_code in (303, 401)


def test_another_variant_s_own_phase_is_taken_in_all_ways_until_somebody_chooses(
    office: Office, visitor: Visitor
) -> None:
    """As a page without scripts sends it: what was chosen for one variant, and the name of another."""
    site = visitor(person(office, "Boss"))
    ways = {f"channel {phase}": ["web", "api", "mail", "post"] for phase in ("Movement", "Retreats", "Adjustments")}
    typed = {"name": "Lepanto", "variant": "1897", "run": "", "phase": ["Movement", "Retreats", "Adjustments"], **ways}
    box = r'name="channel Placement" value="\w+" checked'
    assert len(re.findall(box, site.post("/games/new", data=typed).text)) == 4
    typed["phase"] = ["Placement", *typed["phase"]]
    refused = site.post("/games/new", data={**typed, "do": "make"})
    assert refused.status_code == 422 and "Placement: choose at least one way" in refused.text
    typed["phase"] = typed["phase"][1:]
    assert site.post("/games/new", data={**typed, "do": "make"}).status_code == 303
    assert games.game(office, Actor.console(), "lepanto").settings["channels"] == {}


def test_where_bots_have_all_seats_nobody_is_to_be_invited(office: Office, visitor: Visitor) -> None:
    boss = person(office, "Boss")
    made = games.create(office, boss, {"name": "Patay", "variant": "hundred", "settings": {"coordinated": True}})
    site = visitor(boss)
    assert "0 signed up." in site.get(f"/desk/{made.key}").text
    players = f"/desk/{made.key}/players"
    assert "invited, no answer yet" not in site.get(players).text and "Seat history" not in site.get(players).text
    invited = site.post(f"{players.removesuffix('players')}invite", data={"power": "France", "email": "f@example.org"})
    assert "We mail it to f@example.org" in invited.text and "invited, no answer yet" in site.get(players).text
    for power in ("Burgundy", "England", "France"):
        seats.seat_bot(office, boss, made.key, power, "hold")
    shown = site.get(f"/desk/{made.key}").text
    assert "Bots have all seats." in shown and "signed up" not in shown


def test_an_envelope_is_registered_once_and_stays_closed(office: Office, visitor: Visitor) -> None:
    record, players, boss = postal(office)
    submissions.submit(office, players["England"], record.key, "England", "A dev - brt")
    site = visitor(boss)
    shown = site.get(f"/desk/{record.key}").text
    assert "Envelope received from France" in shown and "brt" not in shown
    for _ in range(2):  # a second tap
        sent = site.post(f"/desk/{record.key}/posted", data={"power": "France", "once": "tap"})
        assert sent.status_code == 303
    assert [s.kind for s in submissions.mine(office, players["France"], record.key, "France")] == ["posted"]
    latest = site.get(f"/desk/{record.key}").text
    assert "s envelope arrived as version 1." in latest and "England sent version 1." in latest
    assert "2 of 3 have sent" in site.get("/desk").text


def test_who_runs_a_game_invites_to_what_is_open_and_to_nothing_else(office: Office, visitor: Visitor) -> None:
    """Before the game begins to any seat, after that to one that nobody holds."""
    boss = person(office, "Boss")
    made = games.create(office, boss, {"name": "Naseby", "variant": "hundred", "settings": {"coordinated": True}})
    site = visitor(boss)
    assert "any, at random" in site.get(f"/desk/{made.key}/players").text
    record, _, boss = postal(office, name="Stow")
    site = visitor(boss)
    assert "/invite" not in site.get(f"/desk/{record.key}/players").text
    seats.vacate(office, boss, record.key, "France", "no answer")
    shown = site.get(f"/desk/{record.key}/players").text
    assert f"/desk/{record.key}/invite" in shown and "any, at random" not in shown
    assert "<option>France" in shown and "<option>England" not in shown


def test_the_desk_says_who_missed_turns(office: Office, clock: SimulatedClock, visitor: Visitor) -> None:
    """Also while the turn that they missed is still being transcribed."""
    record, players, boss = begin(office, coordinated=True, ready_ends=False)
    submissions.submit(office, players["England"], record.key, "England", "A dev - brt")
    passes(office, clock, timedelta(days=1))
    shown = visitor(boss).get(f"/desk/{record.key}").text
    assert shown.count("missed a turn") == 2 and "last time" not in shown


def test_deadlines_move_with_a_reason_and_games_pause(office: Office, visitor: Visitor) -> None:
    record, _, boss = postal(office)
    assert record.turn is not None and record.turn.deadline is not None
    site = visitor(boss)
    later = f"{record.turn.deadline + timedelta(days=2):%Y-%m-%dT%H:%M}"
    refused = site.post(f"/desk/{record.key}/extend", data={"until": later, "reason": ""})
    assert refused.status_code == 422 and later in refused.text and "Give a reason" in refused.text
    earlier = site.post(f"/desk/{record.key}/extend", data={"until": "2026-03-01T00:00", "reason": "a strike"})
    assert earlier.status_code == 422 and 'value="a strike"' in earlier.text
    odd = site.post(f"/desk/{record.key}/extend", data={"until": "next week", "reason": "a strike"})
    assert odd.status_code == 422 and "next week" in odd.text and 'value="a strike"' in odd.text
    assert site.post(f"/desk/{record.key}/extend", data={"until": later, "reason": "a strike"}).status_code == 303
    assert turn_now(office, boss, record.key).deadline == record.turn.deadline + timedelta(days=2)
    moved = f"{record.turn.deadline + timedelta(days=2):%a %-d %b %Y, %H:%M} UTC: a strike."
    assert f"The deadline was moved to {moved}" in site.get(f"/desk/{record.key}").text
    assert site.post(f"/desk/{record.key}/pause", data={"reason": "snow"}).status_code == 303
    assert '</strong>, <span class="wrong-text">paused: snow<' in site.get(f"/desk/{record.key}").text
    assert "to the end of a calendar day" in site.get(f"/desk/{record.key}").text
    assert site.post(f"/desk/{record.key}/resume", data={"reason": "thaw"}).status_code == 303
    assert "The game was resumed: thaw." in site.get(f"/desk/{record.key}").text
    changed = {"missing": "wait", "schedule": "weekly", "missing_after": "3", "grace": "0", "absence_days": "0"}
    assert site.post(f"/desk/{record.key}/settings", data={**changed, "reminder_hours": "24"}).status_code == 303
    assert games.game(office, boss, record.key).settings["missing"] == "wait"


def test_what_waits_is_told_in_words(office: Office, clock: SimulatedClock, visitor: Visitor) -> None:
    record, players, boss = postal(office)
    for power in ("France", "England"):
        submissions.register_posted(office, boss, record.key, power)
    picture = [("a.jpg", b"\xff\xd8 a photograph", "image/jpeg")]
    submissions.submit_pictures(office, players["England"], record.key, "England", picture)
    assert "Nothing to do" in visitor(boss).get("/desk").text
    close_turn(office, clock, record)
    shown = visitor(boss).get("/desk").text
    assert "1 posted sheet and 1 photograph to read for Powick Bridge" in shown


@pytest.mark.parametrize("given", ["9" * 5000, "²", "-1"])
def test_a_number_that_is_none_is_refused_at_the_desk(office: Office, visitor: Visitor, given: str) -> None:
    """Signs that are digits and no numbers, and more of them than can be read as one."""
    record, _, boss = postal(office)
    site = visitor(boss)
    changed = site.post(f"/desk/{record.key}/settings", data={"missing_after": given})
    assert changed.status_code == 422
    assert site.get(f"/games/{record.key}/{given}").status_code == 404


def test_settings_that_are_refused_keep_all_that_was_chosen(office: Office, visitor: Visitor) -> None:
    record, _, boss = begin(office, coordinated=True, ready_ends=True)
    chosen = {"schedule": "other", "own_schedule": "now and then", "missing": "wait", "machines": "on"}
    refused = visitor(boss).post(f"/desk/{record.key}/settings", data=chosen)
    assert refused.status_code == 422 and 'value="now and then"' in refused.text
    for kept in ('value="other" selected', 'value="wait" selected', 'name="machines" checked'):
        assert kept in refused.text
    assert 'name="ready_ends" checked' not in refused.text


def test_scoring_rating_and_reliability_are_set_while_players_gather(office: Office, visitor: Visitor) -> None:
    """They say what a game counts for, so they stand in the form until it begins."""
    boss = person(office, "Boss")
    games.create(office, boss, {"name": "Stow", "variant": "hundred"})
    site = visitor(boss)
    form = {"schedule": "daily", "missing": "hold", "listed": "on", "scoring": "carnage", "rated": "on"}
    form["reliability"] = "80"
    assert site.post("/desk/stow/settings", data=form).status_code == 303
    settings = games.game(office, boss, "stow").settings
    assert (settings["scoring"], settings["rated"], settings["reliability"]) == ("carnage", True, 80)
    shown = site.get("/desk/stow").text
    assert 'value="carnage" selected' in shown and 'name="rated" checked' in shown and 'value="80"' in shown
    record, _, host = begin(office, name="Naseby", folk="N")
    assert 'name="scoring"' not in visitor(host).get(f"/desk/{record.key}").text


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


HOOK = "https://hooks.example.org/secret-path"


def test_a_games_bridge_is_added_tested_and_removed_on_its_desk(office: Office, visitor: Visitor) -> None:
    game, players, host = begin(office, coordinated=True)
    at, own, player = f"/desk/{game.key}/bridges", visitor(host), visitor(players["France"])
    assert "There are none." in own.get(at).text and at in own.get(f"/desk/{game.key}").text
    refused = own.post(at, data={"address": "https://localhost/x", "results": "on"})
    assert refused.status_code == 422 and "not a public host" in refused.text and "https://localhost/x" in refused.text
    assert own.post(at, data={"address": HOOK}).status_code == 422
    made = own.post(at, data={"address": HOOK, "results": "on", "letters": "on"})
    assert made.status_code == 200 and re.search(r"whsec_[\w+/=]{40,}", made.text)
    shown = own.get(at).text
    assert "whsec_" not in shown and "secret-path" not in shown and "hooks.example.org: results, letters" in shown
    (bridge,) = bridges.bridges(office, host, game.key)
    assert player.get(at).status_code == 403
    assert player.post(at, data={"address": HOOK, "results": "on"}).status_code == 403
    assert player.post(f"{at}/remove", data={"bridge": str(bridge.id)}).status_code == 403
    assert own.post(f"{at}/test", data={"bridge": str(bridge.id)}).status_code == 303
    assert own.post(f"{at}/test", data={"bridge": "x"}).status_code == 404
    assert own.post(f"{at}/remove", data={"bridge": str(bridge.id)}).status_code == 303
    assert bridges.bridges(office, host, game.key) == []


def test_ones_own_bridges(office: Office, visitor: Visitor) -> None:
    ann = person(office, "Ann")
    own, other = visitor(ann), visitor(person(office, "Eve"))
    assert visitor().get("/me/bridges").headers["location"].startswith("/sign-in")
    assert "/me/bridges" in own.get("/me").text
    assert own.post("/me/bridges", data={"address": HOOK, "deadlines": "on"}).status_code == 200
    number = str(bridges.own(office, ann)[0].id)
    assert "hooks.example.org" not in other.get("/me/bridges").text
    assert other.post("/me/bridges/remove", data={"bridge": number}).status_code == 404
    assert own.post("/me/bridges/test", data={"bridge": number}).status_code == 303
    assert own.post("/me/bridges/remove", data={"bridge": number}).status_code == 303
