"""The coordinator's pages over HTTP: games are made, envelopes registered, deadlines moved, what waits is settled,
results are looked over with all that will be sent, published, mended and made final; nothing is done twice, nothing
typed is lost, nobody else gets in."""

import io
import re
from datetime import timedelta
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, expect

from legation.cli.serving import whole_site
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import bridges, desk, readings
from legation.office.game import seats
from legation.office.hosting import games, roster
from legation.office.identity import people
from legation.office.office import Office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.records import DeskItem, GameRecord
from legation.office.terms.plans import preset_for
from tests.office.playing import begin, close_turn, passes, person, picture, turn_now, unmatched_mail
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
    preset = site.post("/games/new", data={**typed, "like": "post"}).text
    for kept in (
        'value="Castillon"',
        'value="hundred" selected',
        'value="no address"',
        'value="three-kingdoms" selected',
    ):
        assert kept in preset, "another preset changes settings alone"
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
    waits = site.post("/desk/castillon/start")
    assert waits.status_code == 409 and 'role="alert" tabindex="-1" autofocus' in waits.text, "and is scrolled to"
    assert 'name="bots"' in waits.text
    assert site.post("/desk/castillon/start", data={"bots": "hold"}).status_code == 303
    assert games.game(office, boss, "castillon").state == "running"
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
    assert "Envelope received from France" in shown and "A dev - brt" not in shown
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


# What waits


def item_of(office: Office, boss: Actor, kind: str, power: str) -> DeskItem:
    return next(i for i in desk.items(office, boss) if (i.kind, i.power) == (kind, power))


@pytest.mark.clause("W-20g")
def test_a_photograph_is_read_beside_its_lines(office: Office, clock: SimulatedClock, visitor: Visitor) -> None:
    record, players, boss = postal(office, opening_by_post=False)
    pictures = [(name, picture(), "image/jpeg") for name in ("a.jpg", "b.jpg")]
    submissions.submit_pictures(office, players["England"], record.key, "England", pictures)
    submissions.submit(office, players["France"], record.key, "France", "A par H")
    close_turn(office, clock, record)
    item = item_of(office, boss, "transcribe", "England")
    address = f"/desk/{record.key}/{item.id}"
    site, other = visitor(boss), visitor(players["France"])
    (digest, *_) = desk.item(office, boss, item.id).facts["files"]
    turned = site.get(f"{address}/pictures/{digest}?quarters=1")
    assert Image.open(io.BytesIO(turned.content)).size == (40, 60) and "no-store" in turned.headers["cache-control"]
    for path in (address, f"{address}/pictures/{digest}"):
        assert other.get(path).status_code == 403 and visitor().get(path).status_code in (303, 401)
    assert other.post(f"{address}/transcribe", data={"text": "A dev H", "do": "sign"}).status_code == 403
    # without a script: the picture is turned and made nearer, and what was typed stays
    looked = site.post(
        f"{address}/transcribe", data={"text": "A dev H", "view": "nearer", "zoom": "2", "quarters": "1"}
    )
    assert "zoom-3" in looked.text and "?quarters=1" in looked.text and ">A dev H</textarea>" in looked.text
    other_picture = site.post(f"{address}/transcribe", data={"text": "", "view": "picture 1", "zoom": "2"})
    assert "picture 2 of 2" in other_picture.text and "zoom-1" in other_picture.text
    # what is not understood is told with its readings, and one of them is taken
    read = site.post(f"{address}/readings", data={"text": "A Devn - brt\nA xyz H"}).text
    assert "A xyz H" in read and "Which do you mean?" in read
    place = read.split('name="take" value="')[1].split('"')[0]
    taken = site.post(f"{address}/transcribe", data={"text": "A Devn - brt", "take": place})
    assert ">A dev - brt</textarea>" in taken.text
    for nowhere in ("x:y:dev", "3"):
        kept = site.post(f"{address}/transcribe", data={"text": "A Devn - brt", "take": nowhere})
        assert ">A Devn - brt</textarea>" in kept.text
    unsigned = site.post(f"{address}/transcribe", data={"text": "A dev - brt\nA xyz H", "do": "sign"})
    assert unsigned.status_code == 200 and "Sign off anyway" in unsigned.text
    assert item_of(office, boss, "transcribe", "England")
    signed = site.post(f"{address}/transcribe", data={"text": "A dev - brt\nA xyz H", "do": "anyway"})
    assert (signed.status_code, signed.headers["location"]) == (303, f"/desk/{record.key}")
    assert site.post(f"{address}/transcribe", data={"text": "A dev H", "do": "anyway"}).status_code == 409
    work.run_due(office)
    assert turn_now(office, boss, record.key).state == "judged"


def test_a_photograph_is_read_by_two(office: Office, clock: SimulatedClock, visitor: Visitor) -> None:
    """The deputy compares the picture with what was written down; what differs is shown side by side and decided."""
    record, players, boss = postal(office, opening_by_post=False)
    deputy, here = person(office, "Deputy"), f"/desk/{record.key}"
    site, other, third = visitor(boss), visitor(deputy), visitor(players["France"])
    assert site.post(f"{here}/deputy", data={"email": ""}).status_code == 422
    assert site.post(f"{here}/deputy", data={"email": "player0@example.org"}).status_code == 409
    assert site.post(f"{here}/deputy", data={"email": "deputy@example.org"}).status_code == 303
    assert "<strong>Deputy</strong> checks each sheet" in site.get(f"{here}/players").text
    assert other.get(here).status_code == 403 and record.name in other.get("/desk").text
    for power in ("England", "France"):
        photographs = [("a.jpg", picture(), "image/jpeg")]
        submissions.submit_pictures(office, players[power], record.key, power, photographs)
    close_turn(office, clock, record)
    assert "to read" not in other.get("/desk").text
    for power, text in (("England", "A dev - brt"), ("France", "A par H\nA cal - dij")):
        readings.transcribe(office, boss, item_of(office, boss, "transcribe", power).id, text)
    assert "2 photographs to read a second time for Powick Bridge" in other.get("/desk").text
    assert "2 sheets waiting for the deputy’s reading" in site.get("/desk").text
    items = {item.power: item for item in desk.items(office, deputy)}
    first, second = (f"{here}/{items[power].id}" for power in ("England", "France"))
    page = other.get(first).text
    assert ">A dev - brt</textarea>" in page and "Sign off my reading" in page
    (digest,) = desk.item(office, deputy, items["England"].id).facts["files"]
    assert other.get(f"{first}/pictures/{digest}").status_code == 200
    waits = site.get(first).text
    assert "Sign off my reading" not in waits and "Waiting for a second reading by Deputy" in waits
    assert third.get(first).status_code == 403
    for nobody in (site, third):
        assert nobody.post(f"{first}/transcribe", data={"text": "A dev H", "do": "sign"}).status_code == 403
    same = other.post(f"{first}/transcribe", data={"text": "army devon to brittany", "do": "anyway"})
    assert (same.status_code, same.headers["location"]) == (303, second)
    otherwise = other.post(f"{second}/transcribe", data={"text": "A par H\nA cal - ghe", "do": "anyway"})
    assert (otherwise.status_code, otherwise.headers["location"]) == (303, "/desk")
    work.run_due(office)
    item = item_of(office, boss, "decide", "France")
    address = f"{here}/{item.id}"
    page = site.get(address).text
    rows = [row.split("</tr>")[0] for row in page.split("two-readings")[1].split("<tr")[2:]]
    assert [("differs" in row) for row in rows] == [False, True]
    assert "A cal - dij" in rows[1] and "A cal - ghe" in rows[1]
    assert ">A par H\nA cal - dij</textarea>" in page
    taken = site.post(f"{address}/transcribe", data={"text": "A par H", "reading": "1", "reason": "a g"})
    assert ">A par H\nA cal - ghe</textarea>" in taken.text and 'value="a g"' in taken.text
    bare = site.post(f"{address}/transcribe", data={"text": "A par H\nA cal - ghe", "do": "anyway"})
    assert bare.status_code == 422 and "Give a reason" in bare.text and "A cal - ghe</textarea>" in bare.text
    decided = {"text": "A par H\nA cal - ghe", "do": "anyway", "reason": "it is a g"}
    assert site.post(f"{address}/transcribe", data=decided).status_code == 303
    work.run_due(office)
    assert turn_now(office, boss, record.key).state == "judged"
    assert site.post(f"{here}/deputy", data={"do": "end"}).status_code == 303
    assert "Name a deputy" in site.get(f"{here}/players").text and other.get(first).status_code == 403


@pytest.mark.clause("W-20e")
def test_versions_are_chosen_and_revisions_decided(office: Office, clock: SimulatedClock, visitor: Visitor) -> None:
    record, players, boss = postal(office)
    site = visitor(boss)
    for text in ("A dev H", "v2 replaces v1 only if France agrees\nA dev - brt"):
        submissions.submit(office, players["England"], record.key, "England", text)
    submissions.register_posted(office, boss, record.key, "England")
    submissions.submit(office, players["France"], record.key, "France", "A par H")
    close_turn(office, clock, record)
    choice = item_of(office, boss, "choose", "England")
    address = f"/desk/{record.key}/{choice.id}"
    shown = site.get(address).text
    assert "only if France agrees" in shown and "Version 3" in shown
    first = str(choice.submissions[0])
    assert "Written beside the photographs" not in site.get(address).text
    refused = site.post(f"{address}/choose", data={"version": first, "reason": ""})
    assert refused.status_code == 422 and f'value="{first}" checked' in refused.text
    assert "Choose the version" in site.post(f"{address}/choose", data={"reason": "so"}).text
    chosen = site.post(f"{address}/choose", data={"version": first, "reason": "France had not agreed"})
    revision = item_of(office, boss, "unposted", "France")
    assert chosen.headers["location"] == f"/desk/{record.key}/{revision.id}"
    there = f"/desk/{record.key}/{revision.id}"
    assert site.post(f"{there}/unposted", data={"do": "accept", "reason": ""}).status_code == 422
    assert site.post(f"{there}/unposted", data={"do": "accept", "reason": "the strike"}).status_code == 303
    work.run_due(office)
    assert turn_now(office, boss, record.key).state == "judged"


def test_mails_are_matched_and_failures_tried_again(office: Office, visitor: Visitor) -> None:
    record, players, boss = postal(office)
    number = unmatched_mail(office, game=record.key, power="England", text="A dev H", why="no such address")
    site, address = visitor(boss), f"/desk/{record.key}/{number}"
    shown = site.get(address).text
    assert "x@example.org" in shown and "A dev H" not in shown and f"{record.key} England" in shown
    assert site.post(f"{address}/assign", data={"seat": ""}).status_code == 422
    assert site.post(f"{address}/assign", data={"seat": f"{record.key} England"}).status_code == 303
    assert "England in" in site.get(address).text  # it lies there until the player has confirmed it
    assert site.post(f"{address}/settle", data={"note": "it was another’s"}).status_code == 303
    late = unmatched_mail(office, "y@example.org", record.key, text="buy")
    assert visitor(players["France"]).get(f"/desk/{record.key}/{late}").status_code == 403
    assert site.get(f"/desk/another/{late}").status_code == 404
    assert site.post(f"/desk/{record.key}/{late}/settle", data={"note": "spam"}).status_code == 303
    assert desk.items(office, boss) == []


# Results, players and papers


def test_what_happened_is_read_before_it_is_published(office: Office, clock: SimulatedClock, visitor: Visitor) -> None:
    record, _, boss = postal(office)
    submissions.register_posted(office, boss, record.key, "England")
    close_turn(office, clock, record)
    site, item = visitor(boss), item_of(office, boss, "transcribe", "England")
    text = "A nmd - par\nA cal S A nmd - par"
    site.post(f"/desk/{record.key}/{item.id}/transcribe", data={"text": text, "do": "sign"})
    work.run_due(office)
    shown = site.get(f"/desk/{record.key}/results").text
    assert "Publish the draft results" in shown
    assert "France&#39;s Army Paris was dislodged" in shown.partition("<table")[0]


@pytest.mark.clause("W-21a")
def test_results_are_looked_over_published_mended_and_made_final(
    office: Office, clock: SimulatedClock, visitor: Visitor
) -> None:
    record, players, boss = postal(office)
    site, desk = visitor(boss), f"/desk/{record.key}"
    submissions.register_posted(office, boss, record.key, "England")
    assert "No results yet" in site.get(f"{desk}/results").text
    close_turn(office, clock, record)
    item = item_of(office, boss, "transcribe", "England")
    assert site.post(f"{desk}/{item.id}/transcribe", data={"text": "A dev H", "do": "sign"}).status_code == 303
    work.run_due(office)
    shown = site.get(f"{desk}/results").text
    assert "Publish the draft results" in shown and "3 mails will be sent" in shown
    assert "YOUR ORDERS AS ENGLAND" in shown and "A dev H" in shown
    assert site.get(f"{desk}/results/map-light.svg").headers["content-type"].startswith("image/svg")
    for way in ("results", "results/map-light.svg"):
        assert visitor(players["France"]).get(f"{desk}/{way}").status_code == 403
    assert visitor(players["France"]).post(f"{desk}/publish", data={"turn": "1"}).status_code == 403
    assert site.post(f"{desk}/publish", data={"turn": "2"}).status_code == 409
    assert site.post(f"{desk}/publish", data={"turn": "1"}).status_code == 303
    assert games.result(office, players["France"], record.key).state == "draft"
    shown = site.get(f"{desk}/results").text
    assert "These results are final" in shown and "Make the season’s results final" not in shown
    mend = {"power": "England", "turn": "1", "text": "A dev - brt", "reason": ""}
    refused = site.post(f"{desk}/correct", data=mend)
    assert refused.status_code == 422 and "A dev - brt</textarea>" in refused.text
    assert site.post(f"{desk}/correct", data={**mend, "reason": "it says Brittany"}).status_code == 303
    shown = site.get(f"{desk}/results").text
    assert "Publish the corrected draft results" in shown and "is:  A dev - brt" in shown and "was: A dev H" in shown
    assert site.post(f"{desk}/publish", data={"turn": "1"}).status_code == 303
    sheets = {s.power: s for s in games.result(office, players["France"], record.key).sheets}
    assert sheets["England"].orders == ("A dev - brt",) and sheets["England"].corrected
    assert site.post(f"{desk}/take-back", data={"reason": ""}).status_code == 422
    assert site.post(f"{desk}/take-back", data={"reason": "one more look"}).status_code == 303
    assert site.post(f"{desk}/publish", data={"turn": "1"}).status_code == 303
    clock.advance(timedelta(days=10))
    work.run_due(office)
    assert "Make the season’s results final" in site.get(f"{desk}/results").text
    assert site.post(f"{desk}/final").status_code == 303
    assert games.result(office, boss, record.key, 1).state == "final"
    assert "checks hold" in site.get(f"{desk}/record").text


def test_players_are_invited_and_replaced(office: Office, visitor: Visitor) -> None:
    record, _, boss = postal(office)
    site, desk = visitor(boss), f"/desk/{record.key}"
    assert site.post(f"{desk}/replace", data={"power": "France", "email": "new@example.org"}).status_code == 422
    refused = site.post(f"{desk}/replace", data={"power": "France", "email": "nobody", "reason": "ill"})
    assert refused.status_code == 422 and 'value="nobody"' in refused.text and 'value="ill"' in refused.text
    replaced = site.post(f"{desk}/replace", data={"power": "France", "email": "new@example.org", "reason": "ill"})
    assert replaced.status_code == 303
    new = people.find(office, Actor.console(), "new@example.org")
    assert {s.power: s.person for s in games.game(office, Actor.console(), record.key).seats}["France"] == new.id
    assert "ill" in site.get(f"{desk}/players").text
    assert "No postal address: nothing can be posted" in site.get(f"{desk}/players").text
    assert site.post(f"{desk}/vacate", data={"power": "England", "reason": "left"}).status_code == 303
    invited = site.post(f"{desk}/invite", data={"power": "England", "email": ""})
    link = invited.text.split('id="link" readonly value="')[1].split('"')[0]
    there = visitor(person(office, "Somebody")).get(link.removeprefix("http://testserver"))
    assert there.status_code == 200 and "We mail it" not in invited.text
    assert site.post(f"{desk}/invite", data={"power": "France"}).status_code == 409
    assert site.post(f"{desk}/bot", data={"power": "England", "bot": "hold"}).status_code == 303


@pytest.mark.clause("W-23")
def test_papers_are_for_those_entitled(office: Office, visitor: Visitor) -> None:
    record, players, boss = postal(office)
    for actor, line in ((boss, "1 Office Row"), (players["France"], "4 Rue Haute"), (players["England"], "2 High St")):
        roster.add_address(office, actor, [line], "Somewhere", primary=True)
    roster.add_address(office, players["France"], ["Beach 1"], "Somewhere", first="2026-03-04", last="2026-03-30")
    site, paper = visitor(boss), f"/games/{record.key}/print"
    shown = site.get(f"/desk/{record.key}/players").text
    assert "Beach 1" in shown and "not today’s address" in shown
    for name in ("envelopes", "labels", "roster", "packets", "packet.pdf?power=France", "map"):
        answer = site.get(f"{paper}/{name if '?' in name else name + '.pdf'}")
        assert answer.status_code == 200 and answer.content.startswith(b"%PDF"), name
    assert site.get(f"{paper}/letters.pdf").status_code == 409
    own = visitor(players["France"])
    for name in ("packet", "map"):  # the map as PDF is online, too
        assert own.get(f"{paper}/{name}.pdf").content.startswith(b"%PDF")
    for name in ("packet.pdf?power=England", "letters.pdf", "packets.pdf"):
        assert own.get(f"{paper}/{name}").status_code in (403, 404, 409), name
    for name in ("packets", "labels", "envelopes", "roster", "letters", "packet"):
        assert visitor().get(f"{paper}/{name}.pdf").status_code in (303, 401), name
    assert own.get(f"/desk/{record.key}/players").status_code == 403


# Games by post: the roster, addresses, and the sheet that goes on paper


POSTAL = preset_for("three-kingdoms", coordinated=True)


@pytest.mark.clause("W-23")
def test_an_address_is_shared_on_the_roster_and_on_one_s_own_page(office: Office, visitor: Visitor) -> None:
    record, players, boss = begin(office, **POSTAL)
    page = f"/games/{record.key}/roster"
    roster.add_address(office, boss, ["1 Fish Street", "London"], "England", primary=True)
    roster.add_address(office, players["France"], ["2 Rue Neuve"], "France", primary=True)
    france, england = visitor(players["France"]), visitor(players["England"])
    assert "2 Rue Neuve" in england.get(page).text
    france.post(f"/games/{record.key}/share", data={"power": "France", "on": "no"})
    shown = france.get(page).text
    assert "1 Fish Street" in shown and "2 Rue Neuve" in shown and "The other players don’t." in shown
    assert "2 Rue Neuve" not in england.get(page).text and "No address shared." in england.get(page).text
    assert "2 Rue Neuve" in visitor(boss).get(page).text
    for stranger in (visitor(), visitor(person(office, "Stranger"))):
        answer = stranger.get(page, follow_redirects=False)
        assert answer.status_code in (303, 401, 403) and "2 Rue Neuve" not in answer.text
    # nobody shares another's address
    refused = england.post(f"/games/{record.key}/share", data={"power": "France", "on": "yes"})
    assert refused.status_code == 403 and "2 Rue Neuve" not in england.get(page).text
    data = {"power": "France", "on": "yes", "from": "me"}
    assert france.post(f"/games/{record.key}/share", data=data, follow_redirects=False).status_code == 303
    assert "2 Rue Neuve" in england.get(page).text
    assert "Stop sharing with the players of Powick Bridge" in france.get("/me").text
    assert roster.sharing(office, players["France"])[0].shared and roster.sharing(office, players["England"])[0].shared


def test_a_sheet_that_goes_on_paper_is_not_sent_from_the_page(office: Office, visitor: Visitor) -> None:
    record, players, _ = begin(office, **POSTAL)
    shown = visitor(players["France"]).get(f"/games/{record.key}").text
    assert "In this game orders are on paper. Post your first orders of the season" in shown
    assert "Seal and send</button>" not in shown and "Seal and send the pictures</button>" in shown
    assert "print/packet.pdf" in shown and "print/envelope.pdf" in shown


def test_a_photograph_counts_only_if_its_envelope_comes(office: Office, visitor: Visitor) -> None:
    record, players, boss = begin(office, **POSTAL)
    photographs = [("sheet.jpg", picture(), "image/jpeg")]
    submissions.submit_pictures(office, players["France"], record.key, "France", photographs)
    page = f"/games/{record.key}"
    shown = visitor(players["France"]).get(page).text
    assert "<strong>Version 1 has been sent</strong>, but your envelope hasn't arrived." in shown
    submissions.register_posted(office, boss, record.key, "France")
    shown = visitor(players["France"]).get(page).text
    assert "<strong>Version 1 has been sent</strong> and counts" in shown and "Changes are a draft" not in shown
    assert "waiting for you to confirm it" in shown and "It is mine</button>" in shown
    *_, envelope = submissions.mine(office, players["France"], record.key, "France")
    submissions.confirm(office, players["France"], envelope.id)
    shown = visitor(players["France"]).get(page).text
    assert "<strong>Version 2 has been sent</strong> and counts" in shown and "replaced by a later version" in shown


def test_the_host_of_a_game_that_runs_itself_sees_who_was_invited(office: Office, visitor: Visitor) -> None:
    host = person(office, "host")
    plan = {"name": "Naseby", "variant": "hundred", "seats": {"England": "ann@example.org", "France": "bot:random"}}
    key = games.create(office, host, plan).key
    desk = visitor(host).get(f"/desk/{key}").text
    assert desk.count("invited, no answer yet") == 1 and desk.count(">open<") == 1
    assert "invited to play England" in desk
    assert "invited to play" not in visitor(person(office, "ben")).get(f"/games/{key}").text
    for page in (f"/desk/{key}", f"/desk/{key}/players", f"/games/{key}"):
        assert re.search("Bot .?Zufall", visitor(host).get(page, headers={"accept-language": "de"}).text), page


def test_a_waiting_game_tells_how_it_begins(office: Office, visitor: Visitor) -> None:
    host, ann, ben = (person(office, name) for name in ("host", "ann", "ben"))
    key = games.create(office, host, {"name": "Marston Moor", "variant": "hundred", "settings": POSTAL}).key
    secret = games.invite(office, host, key, "ann@example.org", "England").secret
    desk = visitor(host).get(f"/desk/{key}").text
    assert desk.count("invited, no answer yet") == 1 and desk.count(">open<") == 2
    seats.sign_up(office, ann, key, invitation=secret)
    assert "invited, no answer yet" not in visitor(host).get(f"/desk/{key}").text
    seats.sign_up(office, ben, key)
    shown = visitor(ben).get(f"/games/{key}").text
    assert "We’ll e-mail you when the coordinator starts the game." in shown and "add your postal address" in shown
    roster.add_address(office, ben, ["1 High Street"], "England", primary=True)
    assert "add your postal address" not in visitor(ben).get(f"/games/{key}").text
    told = "You have no postal address yourself: players can’t post orders to you"
    assert told in visitor(host).get(f"/desk/{key}").text
    roster.add_address(office, host, ["2 High Street"], "England", primary=True)
    assert told not in visitor(host).get(f"/desk/{key}").text
    assert "all orders: by post or as a photograph, never as text" in shown


def test_between_turns_the_page_tells_when_the_next_one_opens(
    office: Office, clock: SimulatedClock, visitor: Visitor
) -> None:
    record, players, _ = begin(office, coordinated=True, schedule="three-kingdoms")
    present = turn_now(office, Actor.console(), record.key)
    passes(office, clock, present.deadline)
    assert turn_now(office, Actor.console(), record.key).state == "final"
    shown = visitor(players["France"]).get(f"/games/{record.key}").text
    assert "Results are out. 1430 Movement opens" in shown
    assert "Orders are being judged" not in shown


def test_the_gazette_is_edited_at_the_desk(office: Office, clock: SimulatedClock, visitor: Visitor) -> None:
    record, players, boss = begin(office, coordinated=True, channels={"Movement": ["web", "post"]})
    page = f"/desk/{record.key}/gazette"
    desk = visitor(boss)
    early = desk.get(page)
    assert early.status_code == 409 and "No year of Powick Bridge has ended yet." in early.text
    while "1435" not in turn_now(office, boss, record.key).name:
        passes(office, clock, work.next_due(office) or clock.now())
    assert f'href="{page}"' in desk.get(f"/desk/{record.key}/paper").text
    shown = desk.get(page).text
    assert "The game’s records tell the year." in shown and "# Who is near to winning" in shown
    assert desk.post(f"{page}/edit", data={"text": "# Snow\nIt snowed."}, follow_redirects=False).status_code == 303
    shown = desk.get(page).text
    assert "This is your text." in shown and "# Snow\nIt snowed.</textarea>" in shown
    refused = desk.post(f"{page}/edit", data={"text": "x" * 20_001})
    assert refused.status_code == 422 and "at most 20000 characters" in refused.text
    desk.post(f"{page}/told", data={})
    assert "The game’s records tell the year." in desk.get(page).text
    for stranger in (visitor(), visitor(players["France"])):
        assert stranger.get(page, follow_redirects=False).status_code in (303, 401, 403)
