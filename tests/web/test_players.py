"""The players' pages without a browser: signing in, the lobby, the sheet, results, profiles, and who may see what."""

import json
import re
from datetime import timedelta
from itertools import pairwise
from typing import Any
from urllib.parse import unquote

import msgspec
import pytest
from starlette.testclient import TestClient

from legation.bots import levels
from legation.cli.serving import whole_site
from legation.game import position_document
from legation.game.documents import ending_in_words
from legation.languages import catalog
from legation.mail.content import as_text
from legation.mail.messages import message
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import mailings
from legation.office.hosting import games, profiles
from legation.office.identity import people
from legation.office.office import Office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.store.packing import pack
from legation.office.store.rows import GameRow, TurnRow
from legation.scoring import SYSTEMS
from legation.variants import load
from legation.web import create_app
from legation.web.play.shown_game import kept_position
from legation.web.play.tabs import NAMES_APART, chart_lines
from legation.web.public.maps import map_of
from tests.office.playing import alter, begin, close_turn, end_game, passes, person, turn_now
from tests.rules.test_plight import without_centers
from tests.web.clients import OURS, client_of, new_game


def visitor(office: Office) -> TestClient:
    """A browser with no cookies."""
    return client_of(create_app(office), raise_server_exceptions=True)


def as_person(office: Office, who: Actor) -> TestClient:
    """A browser in which somebody has signed in."""
    return client_of(create_app(office), office, who, raise_server_exceptions=True)


def link(office: Office) -> str:
    """The secret of the last link that was mailed."""
    return str([m.facts["secret"] for m in mailings.claim(office) if m.kind == "sign in"][-1])


def test_a_mailed_link_signs_in_once(office: Office) -> None:
    site = visitor(office)
    assert "Check your e-mail" in site.post("/sign-in", data={"email": "ann@example.org", "next": "/variants"}).text
    secret = link(office)
    for _ in range(3):  # programs that look at mail do not use it up
        assert site.get(f"/sign-in/{secret}?next=/variants").status_code == 200
    unnamed = site.post(f"/sign-in/{secret}", data={"next": "/variants"})
    assert unnamed.status_code == 422 and "Choose the name" in unnamed.text  # and the link stays good
    browser = {"user-agent": "Mozilla/5.0 (Windows NT 10.0; rv:130.0) Gecko/20100101 Firefox/130.0"}
    answer = site.post(f"/sign-in/{secret}", data={"next": "/variants", "name": "Ann of Ulm"}, headers=browser)
    assert "Ann of Ulm" in (mine := site.get("/me").text) and "Firefox on Windows" in mine
    assert answer.headers["location"] == "/variants"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=lax" in cookie
    assert "My page" in site.get("/").text
    assert visitor(office).post(f"/sign-in/{secret}").status_code == 401
    kept = dict(site.cookies)
    site.post("/sign-out")
    assert "My page" not in site.get("/").text
    again = visitor(office)
    again.cookies.update(kept)
    assert "My page" not in again.get("/").text


def test_mails_tell_times_in_the_zone_in_which_one_first_signed_in(office: Office) -> None:
    for zone, kept in (("Mars/Olympus", ""), ("Europe/Paris", "Europe/Paris"), ("Asia/Tokyo", "Europe/Paris")):
        site = visitor(office)
        site.cookies.set("zone", zone)
        site.post("/sign-in", data={"email": "ann@example.org"})
        assert site.post(f"/sign-in/{link(office)}", data={"name": "Ann"}).status_code == 303
        ann = people.find(office, Actor.console(), "ann@example.org")
        assert ann.preferences.get("zone", "") == kept


def test_nobody_learns_who_is_known(office: Office) -> None:
    person(office, "Ann")
    site = visitor(office)
    known, unknown = (site.post("/sign-in", data={"email": f"{name}@example.org"}).text for name in ("ann", "bob"))
    assert known.replace("ann@", "bob@") == unknown
    wrong = site.post("/sign-in", data={"email": "nobody"})
    assert wrong.status_code == 422 and "name@example.org" not in wrong.text and "nobody" in wrong.text


@pytest.mark.parametrize("next_page", ["https://evil.example", "//evil.example", "/\\evil.example", "evil"])
def test_one_is_led_on_within_the_site_only(office: Office, next_page: str) -> None:
    site = visitor(office)
    site.post("/sign-in", data={"email": "ann@example.org", "next": next_page})
    answer = site.post(f"/sign-in/{link(office)}", data={"next": next_page, "name": "Ann"})
    assert answer.headers["location"] == "/games"


def test_who_lost_a_seat_reads_so_on_the_page(office: Office, clock: SimulatedClock) -> None:
    record, players, _ = begin(office, missing="disorder", missing_after=2)
    at = f"/games/{record.key}"
    site = as_person(office, players["Burgundy"])
    for left in ("If you send none this time either, you lose Burgundy", ""):
        for power in ("France", "England"):
            submissions.submit(office, players[power], record.key, power, "")
        close_turn(office, clock, record)
        page = site.get(at).text
        assert "You sent no orders last turn" in page if left else "No orders came for 2 turns, so" in page
        assert left in page
    assert "Take Burgundy back" in page and "You no longer play Burgundy" in site.get(f"{at}/results").text
    assert "You no longer play" not in as_person(office, players["France"]).get(at).text
    assert site.post(f"{at}/take-over", data={"power": "Burgundy"}).status_code == 303
    assert "You no longer play" not in site.get(at).text


def test_a_game_is_found_joined_and_left(office: Office) -> None:
    host, ann = person(office, "Host"), person(office, "Ann")
    made = games.create(office, host, {"name": "Powick Bridge", "variant": "hundred"})
    site = as_person(office, ann)
    assert "Powick Bridge" in site.get("/games").text and "Powick Bridge" in visitor(office).get("/").text
    page = site.get(f"/games/{made.key}").text
    assert "Sign up" in page and "Orders are due" in page
    site.post(f"/games/{made.key}/sign-up", data={"wish": ["France", "", "England"]})
    assert "You are signed up" in site.get(f"/games/{made.key}").text
    assert "waiting for players" in site.get("/games").text
    assert "2 of 3 seats are open" in site.get(f"/games/{made.key}").text, "who signed up has one"
    assert "2 of 3 seats open" in visitor(office).get("/games").text
    page = site.get(f"/games/{made.key}").text
    wishes = [choice.split("</select>")[0] for choice in page.split('name="wish"')[1:]]
    assert [re.findall(r"<option selected>(\w+)", choice) for choice in wishes[:3]] == [["France"], ["England"], []]
    site.post(f"/games/{made.key}/withdraw")
    assert "You are signed up" not in site.get(f"/games/{made.key}").text
    asked = visitor(office).post(f"/games/{made.key}/sign-up", data={})
    assert asked.status_code == 401


def test_a_mailed_invitation_signs_in_a_newcomer_and_nobody_else(office: Office) -> None:
    host = person(office, "Host")
    made = games.create(office, host, {"name": "Hidden", "variant": "hundred", "settings": {"listed": False}})
    secret = games.invite(office, host, made.key, "ann@example.org").secret
    games.invite(office, host, made.key, "host@example.org")
    mails = {m.address: as_text(message(office, m)) for m in mailings.claim(office) if m.kind == "invitation"}
    path = re.search(r"/games/\S+/invitation/\S+", mails["ann@example.org"])
    assert path and secret in path[0] and "?sign_in=" not in mails["host@example.org"]
    site = visitor(office)
    way = re.search(r'href="(/sign-in/[^"]*)">Sign in to accept', site.get(path[0]).text)
    assert way and "Choose the name" in site.get(way[1].replace("&amp;", "&")).text
    address, _, leads = way[1].partition("?next=")
    again = site.post(address, data={"next": unquote(leads), "name": "Ann"}).headers["location"]
    assert again == path[0].partition("?")[0] and "Accept the invitation" in site.get(again).text
    assert visitor(office).post(address, data={"name": "Ann"}).status_code == 401


def test_a_seat_for_a_day_needs_nothing_and_nobody_else_watches_its_game(office: Office) -> None:
    site = visitor(office)
    answer = site.post("/demo", data={"variant": "hundred", "power": "Burgundy"})
    at = answer.headers["location"]
    assert "max-age=86400" in answer.headers["set-cookie"].lower()
    game = site.get(at)
    assert game.status_code == 200 and "Burgundy" in game.text.partition('id="owed"')[0][-400:]
    assert [visitor(office).get(at + part).status_code for part in ("", "/live", "/news")] == [404] * 3
    assert not [m for m in mailings.claim(office) if "demo.invalid" in m.address]
    own = site.get("/me").text
    assert "playing as a guest" in own and "demo.invalid" not in own
    assert "/me/tokens" not in own and "/me/email" not in own and "/me/feeds" not in own + game.text
    offered = site.get("/games").text
    assert 'href="/demo">Play another game now<' in offered and "/games/new" not in offered
    refused = site.get("/games/new")  # before a form is filled in, not after
    assert refused.status_code == 403 and 'href="/sign-in?next=/games/new"' in refused.text


def test_the_page_of_a_variant_leads_to_a_game_of_it(office: Office) -> None:
    site = visitor(office)
    assert 'href="/demo#play-hundred"' in site.get("/variants/hundred").text
    assert 'id="play-hundred"' in site.get("/demo").text
    someone = as_person(office, person(office, "Ann"))
    assert "/demo" not in someone.get("/variants/hundred").text  # a guest's seat would sign her out


class Table:
    """A game of three with a browser for everybody."""

    def __init__(self, office: Office, **settings: Any) -> None:
        self.office = office
        self.game, self.players, self.host = begin(office, "hundred", **settings)
        self.at = f"/games/{self.game.key}"
        self.france = as_person(office, self.players["France"])
        self.england = as_person(office, self.players["England"])

    def judge(self, clock: SimulatedClock) -> None:
        """Let a day pass."""
        passes(self.office, clock, timedelta(days=1, minutes=1))


def test_a_sheet_is_looked_over_sealed_and_sent_without_scripts(office: Office, clock: SimulatedClock) -> None:
    table = Table(office)
    page = table.france.get(table.at).text
    assert "units have orders" in page and "not sent yet" in page
    seen = table.france.post(f"{table.at}/sheet", data={"text": "A par H\nA dau - pro\nA zzz H\n"}).text
    assert "Paris" in seen and "A zzz H" in seen and "No order" in seen
    assert "Version 1" not in table.france.get(table.at).text
    key = re.search(r'name="key" value="([^"]+)"', seen)
    assert key is not None
    sent = {"text": "A par H\nA dau - pro\n", "key": key[1]}
    receipt = table.france.post(f"{table.at}/sheet/send", data=sent).text
    again = table.france.post(f"{table.at}/sheet/send", data=sent).text
    commitment = re.search(r"[0-9a-f]{64}", receipt)
    assert commitment is not None and commitment[0] in again
    page = table.france.get(table.at).text
    assert "Version 1 has been sent" in page and "A dau - pro" in page
    assert commitment[0] in table.france.get(f"{table.at}/sheet/receipt-1.txt").text
    assert commitment[0] in visitor(office).get(f"{table.at}/proofs").text
    table.judge(clock)
    told = visitor(office).get(f"{table.at}/results").text
    assert "A dau - pro" in told and "final results" in told
    assert "All" in visitor(office).get(f"{table.at}/proofs").text


def test_results_lead_on_and_what_is_typed_past_the_deadline_is_not_lost(office: Office, clock: SimulatedClock) -> None:
    table = Table(office)
    late = {"text": "A par - orl", "turn": table.game.turn.name if table.game.turn else ""}
    table.judge(clock)
    answer = table.france.post(f"{table.at}/sheet", data=late)
    assert answer.status_code == 409 and "A par - orl" in answer.text and "nothing was sent" in answer.text
    old = table.france.post(f"{table.at}/ready", data={"ready": "true", "turn": late["turn"]})
    assert old.status_code == 409 and f"{late['turn']} is closed" in old.text
    seats = games.game(office, table.players["France"], table.game.key).seats
    assert not next(seat.ready for seat in seats if seat.power == "France"), "it is not said of the next turn"
    turn = turn_now(office, Actor.console(), table.game.key)
    results = f"{table.at}/results"
    assert f'class="primary" href="{table.at}">Give orders for {turn.name}<' in table.france.get(results).text
    submissions.submit(office, table.players["France"], table.game.key, "France", "A par H")
    assert f'class="button" href="{table.at}">Your orders for {turn.name}<' in table.france.get(results).text
    played = games.turns(office, Actor.visitor(), table.game.key)[0]
    at = table.france.post(f"{table.at}/{played.key}/what-if").headers["location"]
    assert played.name in table.france.get(at).text
    assert table.france.get(f"{table.at}/{played.key}/map.png").content.startswith(b"\x89PNG")
    told = table.france.get(f"{table.at}/{played.key}/shown.json").json()
    assert told["at"] == played.key and "<svg" in told["svg"]


def test_versions_are_read_and_taken_back(office: Office) -> None:
    table = Table(office)
    for text in ("A par H", "A par - orl"):
        receipt = table.france.post(f"{table.at}/sheet/send", data={"text": text}).text
    sent = submissions.mine(office, table.players["France"], table.game.key, "France")
    key = re.search(r'data-reading-key="([^"]+)"', receipt)
    assert key is not None
    assert table.france.post(f"{table.at}/versions/{sent[1].id}/read").status_code == 403  # the office cannot
    opened = table.france.post(f"{table.at}/versions/{sent[1].id}/read", data={"reading_key": key[1]})
    assert "A par - orl" in opened.text
    table.france.post(f"{table.at}/versions/{sent[1].id}/withdraw")
    assert "withdrawn" in table.france.get(table.at).text
    assert table.england.post(f"{table.at}/versions/{sent[0].id}/read").status_code == 403


def test_who_lives_by_mercy_reads_so_on_the_page(office: Office) -> None:
    record, players, _ = begin(office, "three-kingdoms", powers=2)
    (mine, other) = players
    rules = load("three-kingdoms")
    lost = position_document(rules, without_centers(rules.opening(), mine))
    alter(office, TurnRow, {"position": pack(lost)}, number=1)
    site = as_person(office, players[mine])
    words = f"{mine} owns no center and lives by mercy: it keeps one unit."
    assert words in site.get(f"/games/{record.key}").text
    theirs = as_person(office, players[other])
    assert words not in theirs.get(f"/games/{record.key}").text
    assert theirs.get(f"/games/{record.key}/powers").text.count("lives by mercy") == 1


def test_what_may_be_ordered_of_anothers_unit_is_told_where_rules_know_of_it(office: Office) -> None:
    record, players, _ = begin(office, "three-kingdoms", powers=2)
    mine, other = players
    rules = load("three-kingdoms")
    unit, own = rules.opening().units_of(other)[0], rules.opening().units_of(mine)[0]
    site, at = as_person(office, players[mine]), f"/games/{record.key}/sheet/lent.json"
    lent = site.get(at, params={"at": unit.at}).json()
    choices = lent["choices"]
    assert {verb for verb, *_ in choices} <= lent["gestures"].keys()
    assert {verb for verb, *_ in choices} >= {"hold", "move"} and "under" not in {verb for verb, *_ in choices}
    assert all(where == unit.at for _, where, *_ in choices)
    for place in (own.at, "nowhere", "", "x" * 40):
        assert site.get(at, params={"at": place}).json()["choices"] == []
    assert visitor(office).get(at, params={"at": unit.at}).status_code == 303  # to sign in
    plain, theirs, _ = begin(office, name="Plain")
    site = as_person(office, theirs["France"])
    assert site.get(f"/games/{plain.key}/sheet/lent.json?at=lon").json()["choices"] == []


def test_receipts_stay_in_reach_when_results_are_out(office: Office, clock: SimulatedClock) -> None:
    """While results are a draft there is no sheet to look at; what one sent stands with the results, then and later."""
    record, players, _ = begin(office, coordinated=True, drafts=True, schedule="three-kingdoms", ready_ends=False)
    for text in ("A par H", "A par - orl"):
        receipt = submissions.submit(office, players["France"], record.key, "France", text)
    close_turn(office, clock, record)
    turn = turn_now(office, players["France"], record.key)
    assert turn.state == "draft"
    at = f"/games/{record.key}"
    site = as_person(office, players["France"])
    page = site.get(f"{at}/{turn.key}").text
    assert "What you sent (2)" in page and "What you sent (2)" in site.get(f"{at}/{turn.key}/shown.json").json()["html"]
    (address,) = set(re.findall(r'href="([^"]+receipt-2.txt[^"]*)"', page))
    assert receipt.commitment in site.get(address).text and "Withdraw" not in page
    assert "A par - orl" in site.post(f"{at}/versions/{receipt.submission}/read").text
    passes(office, clock, timedelta(days=40))
    assert receipt.commitment in site.get(address).text
    for other in (as_person(office, players["England"]), visitor(office)):
        assert "What you sent" not in other.get(f"{at}/{turn.key}").text
        assert receipt.commitment not in other.get(address).text


def test_ready_is_said_and_taken_back_and_lines_that_look_ahead_stay_in_the_sheet(office: Office) -> None:
    table = Table(office)
    table.france.post(f"{table.at}/ready", data={"ready": "true"})
    assert "You’re ready" in table.france.get(table.at).text
    table.france.post(f"{table.at}/ready", data={"ready": "false"})
    assert "I’m ready" in table.france.get(table.at).text
    text = "A par H\nRetreats:\nA par R orl\nif dislodged A dau: lyo\nv2 replaces v1 only if France asks\n"
    lines = table.france.post(f"{table.at}/sheet/check", data={"text": text}).json()["lines"]
    assert [line["line"] for line in lines] == [1, 2, 3, 4, 5]
    assert [bool(line.get("keep")) for line in lines] == [False, True, True, True, True]
    assert lines[4]["name"].startswith("To the coordinator")


def test_letters_reach_those_to_whom_they_are_written(office: Office) -> None:
    table = Table(office)
    table.france.post(f"{table.at}/letters", data={"to": ["England"], "text": "Leave Calais empty."})
    table.france.post(f"{table.at}/letters", data={"to": ["all"], "text": "Peace to all."})
    assert "2<span" in table.england.get(table.at).text
    assert "Leave Calais empty." in table.england.get(f"{table.at}/letters").text
    assert "2<span" in table.england.get(table.at).text  # a conversation is read when it is opened
    for conversation in ("all", "France"):
        table.england.get(f"{table.at}/letters?with={conversation}")
    assert 'title="unread"' not in table.england.get(table.at).text
    table.england.post(f"{table.at}/letters", data={"to": ["France"], "text": "If you leave Brittany."})
    conversation = table.england.get(f"{table.at}/letters?with=France").text
    assert conversation.index("Leave Calais empty.") < conversation.index("If you leave Brittany.")
    assert "Peace to all." not in conversation and 'name="to" value="France"' in conversation
    nobody = table.england.post(f"{table.at}/letters", data={"text": "To whom?"}).text
    assert 'role="alert" tabindex="-1" autofocus>Choose who' in nobody and "To whom?" in nobody
    for site in (visitor(office), as_person(office, table.players["Burgundy"])):
        assert "Calais empty" not in site.get(f"{table.at}/letters?with=France&with=England").text
        assert "Calais empty" not in site.get(f"{table.at}/letters?with=France").text
        page = site.get(f"{table.at}/letters").text
        assert "Peace to all." in page and "Calais empty" not in page


def test_a_letter_is_shown_as_it_was_written_in_every_language(office: Office) -> None:
    """Also one that is a sentence of the program, which would be said in the reader's language."""
    table = Table(office)
    said = "There are no results yet."
    assert catalog("de").told(said) != said
    table.france.post(f"{table.at}/letters", data={"to": ["England"], "text": said})
    table.england.cookies.set("language", "de")
    for page in (f"{table.at}/letters", f"{table.at}/letters?with=France"):
        shown = table.england.get(page).text
        assert 'lang="de"' in shown and said in shown


def test_where_a_game_has_no_letters_none_can_be_written(office: Office) -> None:
    table = Table(office, press=[])
    page = table.france.get(f"{table.at}/letters").text
    assert "This game has no letters." in page and "Send letter" not in page


def test_a_muted_power_is_read_when_asked_for_and_an_ended_game_has_a_rematch(office: Office) -> None:
    table = Table(office)
    assert "Mute France" in table.england.get(f"{table.at}/letters?with=France").text
    answer = table.england.post(f"{table.at}/letters/mute", data={"who": "France", "muted": "true"})
    assert answer.headers["location"] == f"{table.at}/letters?with=France"
    table.france.post(f"{table.at}/letters", data={"to": ["England"], "text": "Hear me."})
    page = table.england.get(table.at).text
    assert 'title="unread"' not in page and ">muted<" in table.england.get(f"{table.at}/letters").text
    page = table.england.get(f"{table.at}/letters?with=France").text
    assert "Unmute France" in page and "Muted; show it" in page and "Hear me." in page
    assert "Offer a rematch" not in page
    alter(office, GameRow, {"state": "ended"}, key=table.game.key)
    assert "Offer a rematch" in (page := table.england.get(f"{table.at}/results").text) and "rematch:" not in page
    assert "Offer a rematch" not in visitor(office).get(f"{table.at}/results").text
    assert table.england.post(f"{table.at}/rematch").headers["location"] == "/games/powick-bridge-2"
    for site, told in ((table.france, True), (visitor(office), False)):
        assert ('"/games/powick-bridge-2"' in site.get(f"{table.at}/results").text) is told


def test_news_tell_what_the_reader_may_know(office: Office, clock: SimulatedClock) -> None:
    table = Table(office, shows_senders="nobody")
    seen = table.england.get(f"{table.at}/news").json()["last"]
    table.france.post(f"{table.at}/sheet/send", data={"text": "A par H"})
    table.france.post(f"{table.at}/letters", data={"to": ["England"], "text": "Leave Calais empty."})
    told = table.england.get(f"{table.at}/news?after={seen}").json()
    assert told["lines"] == [] and told["unread"] == 1 and not told["stale"]
    assert visitor(office).get(f"{table.at}/news?after={seen}").json()["unread"] == 0
    table.judge(clock)
    told = table.england.get(f"{table.at}/news?after={seen}").json()
    assert told["stale"] and any("final" in line for line in told["lines"])


def test_that_several_sent_orders_is_told_in_one_sentence(office: Office) -> None:
    table = Table(office)
    seen = table.england.get(f"{table.at}/news").json()["last"]
    table.france.post(f"{table.at}/sheet/send", data={"text": "A par H"})
    assert table.england.get(f"{table.at}/news?after={seen}").json()["lines"] == ["France sent version 1."]
    burgundy = as_person(office, table.players["Burgundy"])
    burgundy.post(f"{table.at}/sheet/send", data={"text": "A dij H"})
    table.france.post(f"{table.at}/sheet/send", data={"text": "A par - anj"})
    told = table.england.get(f"{table.at}/news?after={seen}").json()["lines"]
    assert told == ["France and Burgundy sent orders."]
    record, players, _ = begin(office, "1000ad", name="Hastings")
    moors, at = as_person(office, players["Moors"]), f"/games/{record.key}"
    seen = moors.get(f"{at}/news").json()["last"]
    for power in ("British", "Franks"):
        submissions.submit(office, players[power], record.key, power, "waive")
    told = moors.get(f"{at}/news?after={seen}").json()["lines"]
    assert told == ["The British and the Franks sent orders."]


def test_ones_own_page_keeps_what_is_chosen_until_one_is_erased(office: Office) -> None:
    ann = person(office, "Ann")
    site = as_person(office, ann)
    assert visitor(office).get("/me").headers["location"] == "/sign-in?next=/me"
    site.post("/me/name", data={"name": "Anne"})
    site.post("/me/zone", data={"zone": "Europe/Paris"})
    site.post("/me/mail", data={"wanted": ["results"], "form": "text"})
    site.post("/me/absences", data={"first": "2026-05-01", "last": "2026-05-09", "note": "sea"})
    site.post("/me/addresses", data={"lines": "1 Quay\nDover", "country": "England"})
    page = site.get("/me").text
    for words in ("Anne", "1 Quay, Dover", "Fri 1 May 2026 to Sat 9 May 2026: sea", 'value="Europe/Paris"'):
        assert words in page
    kept = people.me(office, ann).preferences
    assert "results" not in kept["quiet"] and "reminder" in kept["quiet"] and kept["form"] == "text"
    wrong = site.post("/me/zone", data={"zone": "Europe/Atlantis"})
    assert wrong.status_code == 422 and "Europe/Atlantis" in wrong.text
    assert site.get("/me/export.json").json()["person"]["name"] == "Anne"
    assert site.post("/me/erase", data={"name": "Bob"}).status_code == 422
    assert site.post("/me/erase", data={"name": "Anne"}).headers["location"] == "/"
    assert site.get("/me").status_code == 303


def test_the_days_of_an_address_are_told_in_ones_language(office: Office) -> None:
    site = as_person(office, person(office, "Ann"))
    for days in ({"first": "2026-06-01"}, {"last": "2026-07-01"}):
        site.post("/me/addresses", data={"lines": "2 Quay", "country": "France"} | days)
    page = site.get("/me", headers={"Accept-Language": "fr"}).text
    assert "à partir du lun. 1 juin 2026" in page and "jusqu’au mer. 1 juil. 2026" in page


def test_tokens_and_sessions_are_shown_once_and_ended(office: Office) -> None:
    ann = person(office, "Ann")
    site = as_person(office, ann)
    made = site.post("/me/tokens", data={"label": "bot", "scope": ["read"]}).text
    secret = re.search(r'seal-large">([^<]+)<', made)
    assert secret is not None and secret[1] not in site.get("/me").text
    api = visitor(office)
    bearer = {"Authorization": f"Bearer {secret[1]}"}
    assert api.get("/api/v1/me", headers=bearer).status_code in (200, 403)
    token = next(c for c in people.credentials(office, ann) if c.label == "bot")
    assert as_person(office, person(office, "Bob")).post(f"/me/credentials/{token.id}/end").status_code == 404
    site.post(f"/me/credentials/{token.id}/end")
    assert api.get("/api/v1/games", headers=bearer).status_code == 401
    site.post("/me/sessions/end")
    assert site.get("/me").status_code == 303


def test_a_game_that_is_not_listed_has_its_calendar_by_a_secret(office: Office) -> None:
    table = Table(office, coordinated=True)
    games.set_settings(office, table.host, table.game.key, {"listed": False})
    page = table.france.get(table.at).text
    assert f"{table.at}/calendar.ics" not in page and 'action="/me/feeds"' in page
    site = TestClient(whole_site(office), headers=OURS)
    assert site.get(f"{table.at}/calendar.ics").status_code == 404
    made = table.france.post("/me/feeds", data={"game": table.game.key}).text
    address = re.search(r"/feeds/\S+?\.ics", made)
    assert address is not None
    assert "BEGIN:VCALENDAR" in site.get(address[0]).text
    assert as_person(office, person(office, "Bob")).post("/me/feeds", data={"game": table.game.key}).status_code == 404


def test_names_stand_beside_the_lines_of_the_chart_without_covering_each_other() -> None:
    powers = ["Protectorate", "Polotjans & Dregovites", *(f"P{n}" for n in range(8))]
    standing = [("1642", dict.fromkeys(powers, 5)), ("now", dict.fromkeys(powers, 0))]
    lines = chart_lines(standing, powers)
    heights = sorted(line.name_at for line in lines)
    assert all(lower - upper >= NAMES_APART for upper, lower in pairwise(heights))
    assert heights[-1] <= 240
    assert [line.name for line in lines[:2]] == ["Protectorate", "Polotjans"]


def test_an_end_is_told_in_words() -> None:
    def told(kind: str, *powers: str) -> str:
        return ending_in_words(load("standard"), {"kind": kind, "powers": list(powers), "reason": ""})

    assert told("solo", "France") == "France has won"
    assert told("draw", "England", "France", "Italy") == "A draw between England, France and Italy"
    assert told("draw", "France") == "A draw for France"
    assert told("ranking", "France", "Italy") == "Ranking: France (1), Italy (2)"
    assert ending_in_words(load("standard"), None) == ""


def test_of_several_games_the_next_that_waits_is_found_and_ready_is_said_in_all(office: Office) -> None:
    begun = [begin(office, name=name, ready_ends=False) for name in ("One", "Two", "Three")]
    ann = next(actor for actor in begun[0][1].values() if actor.name == "Player0")
    site, guest = as_person(office, ann), visitor(office)
    owns = {game.key: next(p for p, who in players.items() if who.person == ann.person) for game, players, _ in begun}

    def after(key: str) -> str:
        return site.get(f"/me/next?after={key}").headers["location"].removeprefix("/games/")

    def ready() -> set[str]:
        seats = {key: games.game(office, ann, key).seats for key in owns}
        return {key for key, power in owns.items() if any(s.power == power and s.ready for s in seats[key])}

    def send(key: str) -> None:
        assert "Next game" not in site.get(f"/games/{key}").text
        submissions.submit(office, ann, key, owns[key], "# hold")
        assert "Next game" in site.get(f"/games/{key}").text and after(key) != key

    first = after("")
    second = after(first)
    assert {first, second, after(second)} == set(owns) and after(after(second)) == first
    assert "I’m ready in" not in site.get("/games").text
    send("one")
    send("two")
    page = site.get("/games").text
    assert "I’m ready in all 2 games I’ve sent orders for" in page
    turns = re.findall(r'name="turn" value="([^"]*)"', page)
    assert [turn.split()[0] for turn in sorted(turns)] == ["one", "two"]
    stale = [turns[0].split()[0] + " 1300 Movement", "three " + turns[0].partition(" ")[2]]
    site.post("/me/ready", data={"turn": stale})
    assert ready() == set(), "neither of another turn, nor where no orders are in"
    assert site.post("/me/ready", data={"turn": turns}).headers["location"] == "/games"
    assert ready() == {"one", "two"} and "I’m ready in" not in site.get("/games").text
    send("three")
    assert after("one") == "/games?waiting=none"
    assert "No other game waits" in site.get("/games?waiting=none").text
    assert guest.get("/me/next").headers["location"].startswith("/sign-in")
    assert guest.post("/me/ready", data={"turn": turns}).status_code == 401


def test_one_person_orders_for_all_powers(office: Office) -> None:
    host = person(office, "Hilda")
    own, guest = as_person(office, host), visitor(office)
    plan = {"run": "alone", "schedule": "other", "own_schedule": "15 min; retreats 5 min", "ready_ends": "on"}
    made = own.post("/games/new", data=new_game("Club night", **plan))
    assert made.status_code == 303, [part[:160] for part in made.text.split("wrong-text")[1:]]
    work.run_due(office)
    shown = own.get("/games/club-night").text
    assert "Orders of all powers" in shown and "Burgundy:\n\nEngland:\n\nFrance:" in shown
    wrong = own.post("/games/club-night/table", data={"text": "France: A par - nowhere"})
    assert wrong.status_code == 422 and "A par - nowhere" in wrong.text
    kept = own.post("/games/club-night/table", data={"text": "France: A par H", "do": "keep"})
    assert kept.status_code == 303
    work.run_due(office)
    turn = turn_now(office, host, "club-night")
    assert turn.number == 1, "what is only sealed waits"
    sent = {"text": "France: A par - orl\r\nA orl - par", "turn": turn.name}
    assert own.post("/games/club-night/table", data=sent).headers["location"] == "/games/club-night/table"
    assert "is being judged" in own.get("/games/club-night/table").text
    work.run_due(office)
    after = own.get("/games/club-night").text
    assert f"What happened in {turn.name}" in after
    assert own.post("/games/club-night/table", data=sent).status_code == 409, "that turn is over"
    seen = guest.get("/games/club-night")
    assert seen.status_code == 200 and "Orders of all" not in seen.text
    assert guest.post("/games/club-night/table", data=sent).status_code in (303, 401)
    eve = as_person(office, person(office, "Eve"))
    assert eve.post("/games/club-night/table", data={"text": "France: A par H"}).status_code == 403
    game, players, _ = begin(office)
    player = as_person(office, players["France"])
    assert player.post(f"/games/{game.key}/table", data={"text": "A par H"}).status_code == 409
    assert player.get(f"/games/{game.key}/table").headers["location"] == f"/games/{game.key}", "it is no page of theirs"
    assert 'href="/games/club-night/table" aria-current="page"' in after


def test_a_profile_is_shown_to_others_once_its_owner_says_so(office: Office) -> None:
    record, players, _ = begin(office, rated=True)
    end_game(office, record.key, ["France"])
    france = players["France"]
    own, guest = as_person(office, france), visitor(office)
    at = f"/people/{profiles.preview(office, france).person}"
    assert guest.get(at).status_code == 404
    assert guest.get("/me/profile").status_code in (303, 401)
    assert "Only you see this." in own.get("/me/profile").text
    assert own.post("/me/profile", data={"profile": "on", "ranked": "on", "about": "Hello <b>"}).status_code == 303
    told = guest.get(at).text
    assert "Hello &lt;b&gt;" in told and record.name in told and "1 rated game" in told
    assert "This is what others see." in own.get("/me/profile").text
    assert at in guest.get("/leaderboard").text and "@example.org" not in told
    refused = own.post("/me/profile", data={"about": "x" * 201})
    assert refused.status_code == 422 and "x" * 201 in refused.text
    own.post("/me/profile", data={})
    assert guest.get(at).status_code == 404 and france.name not in guest.get("/leaderboard").text


def test_the_map_of_a_finished_game_shows_the_position_in_which_it_ended(office: Office, clock: SimulatedClock) -> None:
    record, players, _ = begin(office)
    for power, actor in players.items():
        submissions.submit(office, actor, record.key, power, "draw\nA pro - sav" if power == "France" else "draw")
    passes(office, clock, timedelta(days=30))
    result = games.result(office, players["France"], record.key)
    assert games.game(office, players["France"], record.key).state == "ended" and result.after != result.position
    live = map_of("hundred")
    shown = re.search(r'id="state">(.*?)</script>', visitor(office).get(f"/games/{record.key}/powers").text)
    assert shown
    svg = json.loads(shown[1])["svg"]
    assert svg == live.atlas.state_layer(kept_position(live.rules, msgspec.json.encode(result.after)))


def test_points_stand_on_the_page_of_a_finished_game(office: Office) -> None:
    record, _, _ = begin(office, scoring="draw-size")
    site = visitor(office)
    assert ">Points<" not in site.get(f"/games/{record.key}/powers").text
    end_game(office, record.key, ["France"])
    told = site.get(f"/games/{record.key}/powers").text
    assert ">Points<" in told and "Draw size" in told and '<td class="number">100</td>' in told


def test_a_host_chooses_what_a_game_counts_for(office: Office) -> None:
    site = as_person(office, person(office, "Host"))
    form = site.get("/games/new").text
    assert all(f'value="{key}"' in form for key in SYSTEMS)
    if levels.STAND_IN in levels.names():
        assert f'value="{levels.STAND_IN}" selected' in form, "a bot plays on for players who leave"
    assert f'value="{levels.STAND_IN}" selected' not in site.get("/games/new?like=post").text
    sent = new_game("Counted", votes="usual", stand_in="", scoring="carnage", rated="on", reliability="80")
    assert site.post("/games/new", data={**sent, "reliability": "x"}).status_code == 422
    assert site.post("/games/new", data=sent).status_code == 303
    settings = games.game(office, Actor.console(), "counted").settings
    assert (settings["scoring"], settings["rated"], settings["reliability"]) == ("carnage", True, 80)
    told = visitor(office).get("/games/counted").text
    assert "80% of turns in time" in told and "Carnage" in told
    assert all(system.formula.split(";")[0] in site.get("/rules/scoring").text for system in SYSTEMS.values())
