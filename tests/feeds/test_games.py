"""Feeds of games in an office: what moves, what is cancelled, who sees what."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from legation.feeds import game_calendar, game_results, personal_calendar, routes, serving
from legation.office.clock import SimulatedClock
from legation.office.desk import mailings
from legation.office.errors import OfficeError
from legation.office.hosting import absences, deadlines, games, votes
from legation.office.identity import people
from legation.office.office import Office
from legation.office.orders import submissions
from tests.feeds.ics import Component, read
from tests.feeds.test_feeds import ATOM, feed_of
from tests.office.fixtures import START
from tests.office.playing import CONSOLE, VISITOR, begin, close_turn, gather, person, refuses, send_all


@pytest.fixture
def office(make_office: Callable[..., Office]) -> Office:
    return make_office(address="https://play.example.org/x")


def events_of(document: bytes) -> dict[str, Component]:
    return {e["UID"].value.partition("@")[0]: e for e in read(document)[1]}


@pytest.mark.clause("W-22")
def test_a_games_calendar_has_its_deadline_and_what_is_planned(office: Office) -> None:
    record, _, host = begin(office)
    assert record.turn is not None
    events = events_of(game_calendar(office, VISITOR, record.key))
    present = events["powick-bridge-1425-movement"]
    assert present["DTSTART"].moment == record.turn.deadline
    assert present["STATUS"].value == "CONFIRMED"
    assert present["UID"].value.endswith("@play.example.org")
    planned = [e for e in events.values() if e["STATUS"].value == "TENTATIVE"]
    assert len(planned) == 4
    assert min(e["DTSTART"].moment for e in planned) > record.turn.deadline
    assert events["powick-bridge-1425-retreats"] in planned
    assert game_calendar(office, host, record.key) == game_calendar(office, host, record.key)


@pytest.mark.clause("W-21c", "W-22")
def test_a_moved_deadline_raises_the_sequence_and_says_why(office: Office, clock: SimulatedClock) -> None:
    record, _, _ = begin(office, coordinated=True)
    events: dict[str, Component] = {}
    sequences: list[int] = []

    def present(state: str) -> Component:
        """The event of the present turn, whose sequence is above those before."""
        events.update(events_of(game_calendar(office, CONSOLE, record.key)))
        event = events["powick-bridge-1425-movement"]
        sequences.append(int(event["SEQUENCE"].value))
        assert event["STATUS"].value == state and sequences == sorted(set(sequences))
        return event

    until = present("CONFIRMED")["DTSTART"].moment + timedelta(days=3)
    clock.advance(timedelta(hours=1))
    deadlines.extend(office, CONSOLE, record.key, until, "floods")
    after = present("CONFIRMED")
    assert after["DTSTART"].moment == until and "Moved: floods" in after["DESCRIPTION"].text
    assert after["LAST-MODIFIED"].moment == clock.now()
    games.pause(office, CONSOLE, record.key, "war")
    present("CANCELLED")
    clock.advance(timedelta(days=1))
    games.resume(office, CONSOLE, record.key)
    present("CONFIRMED")
    games.cancel(office, CONSOLE, record.key, "nobody left")
    events.clear()
    present("CANCELLED")
    assert not any(e["STATUS"].value == "TENTATIVE" for e in events.values())


@pytest.mark.clause("W-22")
def test_an_absence_moves_the_deadline_for_all_who_look(office: Office, clock: SimulatedClock) -> None:
    """On the page, by mail, in the calendar; not where the orders are in, and no further than the game allows."""
    record, players, _ = begin(office, absence_days=2, ready_ends=False)
    key, today = "powick-bridge-1425-movement", clock.now().date()

    def look() -> tuple[datetime, int, str]:
        event = events_of(game_calendar(office, VISITOR, record.key))[key]
        turn = games.game(office, VISITOR, record.key).turn
        assert turn is not None and turn.deadline == event["DTSTART"].moment
        return turn.deadline, int(event["SEQUENCE"].value), event["DESCRIPTION"].text

    due, sequence, _ = look()
    submissions.submit(office, players["France"], record.key, "France", "A par H")
    absences.announce(office, players["France"], str(today), str(today + timedelta(days=1)))
    assert look()[:2] == (due, sequence)
    absences.announce(office, players["England"], str(today), str(today + timedelta(days=1)), "at sea")
    later, higher, words = look()
    assert later == due + timedelta(days=1) and higher > sequence
    assert "Moved: a player is away" in words and "sea" not in words
    moved = [mail for mail in mailings.claim(office, limit=100) if mail.kind == "deadline moved"]
    assert len(moved) == len(players) and {mail.facts["reason"] for mail in moved} == {"a player is away"}
    absences.announce(office, players["Burgundy"], str(today), str(today + timedelta(days=30)))
    assert look()[0] == due + timedelta(days=2)
    history = deadlines.history(office, VISITOR, record.key)
    assert [move.who for move in history] == ["the office"] * 3


def test_identities_stay_and_sequences_never_fall_as_a_game_goes_on(office: Office, clock: SimulatedClock) -> None:
    record, players, _ = begin(office)
    seen: dict[str, int] = {}
    for turn in range(5):
        events = events_of(game_calendar(office, VISITOR, record.key))
        for key, event in events.items():
            assert int(event["SEQUENCE"].value) >= seen.get(key, 0), key
            seen[key] = int(event["SEQUENCE"].value)
        send_all(office, record, players, turn)
        close_turn(office, clock, record)
        if games.game(office, CONSOLE, record.key).state != "running":
            break
    names = [t.key for t in games.turns(office, CONSOLE, record.key)]
    assert len(names) > 3
    assert all(f"powick-bridge-{name}" in seen for name in names[:4])


@pytest.mark.clause("W-21a", "W-21b", "W-22")
def test_posting_days_stand_where_orders_come_by_post(office: Office) -> None:
    record, _, _ = begin(
        office, "three-kingdoms", powers=2, opening_by_post=True, coordinated=True, schedule="three-kingdoms"
    )
    events = events_of(game_calendar(office, CONSOLE, record.key, 6))
    due = events["powick-bridge-1642-summer-movement"]["DTSTART"].moment
    assert (due.hour, due.minute) == (7, 0)
    assert events["powick-bridge-1642-summer-movement-post"]["DTSTART"].day == (due - timedelta(days=7)).date()
    opened = START.date()
    assert due.date() - opened == timedelta(days=13)  # day 12 ends at 07:00 on the day after (W-21a, W-21b)
    assert events["powick-bridge-1642-summer-retreats"]["DTSTART"].moment == due + timedelta(days=2)
    assert "powick-bridge-1642-summer-retreats-post" not in events


def test_a_persons_calendar_has_their_games_powers_and_absences(office: Office) -> None:
    _, players, _ = begin(office)
    power, player = next(iter(players.items()))
    absences.announce(office, player, "2026-08-01", "2026-08-14", "at sea")
    events = events_of(personal_calendar(office, player))
    assert events["powick-bridge-1425-movement"]["SUMMARY"].text.endswith(f"({power})")
    assert [e["SUMMARY"].text for k, e in events.items() if k.startswith("absence")] == ["Away: at sea"]
    stranger = person(office, "Stranger")
    assert events_of(personal_calendar(office, stranger)) == {}
    others = events_of(personal_calendar(office, players[list(players)[1]]))
    assert not any(k.startswith("absence") for k in others)


@pytest.mark.clause("W-26")
def test_games_run_at_once_and_are_told_apart_by_name(office: Office) -> None:
    """The same people in two games of one variant: each calendar has its own, a person's has both."""
    first, players, _ = begin(office, name="Powick Bridge")
    second, _, _ = begin(office, name="Edgehill")
    assert {e["UID"].value for e in read(game_calendar(office, VISITOR, first.key))[1]}.isdisjoint(
        e["UID"].value for e in read(game_calendar(office, VISITOR, second.key))[1]
    )
    told = {e["SUMMARY"].text.partition(":")[0] for e in read(personal_calendar(office, players["France"]))[1]}
    assert told == {"Powick Bridge", "Edgehill"}


def test_results_come_as_they_are_published(office: Office, clock: SimulatedClock) -> None:
    record, players, _ = begin(office)
    assert titles(office, record.key) == ["Powick Bridge: The game started."]
    send_all(office, record, players, 1)
    assert b" - " not in game_results(office, VISITOR, record.key), "nothing is told before the deadline"
    close_turn(office, clock, record)
    entry, *_ = feed_of(game_results(office, VISITOR, record.key)).findall(f"{ATOM}entry")
    assert entry.findtext(f"{ATOM}title") == "Powick Bridge: 1425 Movement"
    assert "France" in entry.findtext(f"{ATOM}content", "")
    (link,) = entry.findall(f"{ATOM}link")
    assert link.get("href") == "https://play.example.org/x/games/powick-bridge/1425-movement"


def titles(office: Office, game: str, what: str = "title") -> list[str]:
    """The titles of what the feed of results tells, or something else of each."""
    feed = feed_of(game_results(office, VISITOR, game))
    return [entry.findtext(f"{ATOM}{what}", "") for entry in feed.findall(f"{ATOM}entry")]


def test_the_feed_of_results_tells_of_votes_and_pauses(office: Office, clock: SimulatedClock) -> None:
    record, players, _ = begin(office, votes="all")
    for power, actor in players.items():
        clock.advance(timedelta(minutes=1))
        votes.vote(office, actor, record.key, power, "pause", reason="I am moving house.")
    assert [title.removeprefix("Powick Bridge: ") for title in titles(office, record.key)] == [
        "The game was paused: the players voted for it: Burgundy, England and France.",
        "The players have voted to pause the game.",
        "A vote began to pause the game.",
        "The game started.",
    ]
    ids = titles(office, record.key, "id")
    assert len({*ids}) == len(ids)
    clock.advance(timedelta(hours=1))
    games.resume(office, CONSOLE, record.key)
    assert titles(office, record.key, "id")[-len(ids) :] == ids
    assert "Powick Bridge: The game was resumed." in titles(office, record.key)


def test_what_is_not_public_needs_the_secret(office: Office) -> None:
    record, players, _ = begin(office)
    games.set_settings(office, CONSOLE, record.key, {"listed": False})
    player = next(iter(players.values()))
    refuses(OfficeError, game_calendar, office, VISITOR, record.key)
    with TestClient(Starlette(routes=routes(office))) as client:
        assert client.get(f"/games/{record.key}/calendar.ics").status_code == 404
        assert client.get(f"/games/{record.key}/results.atom").status_code == 404
        feed = people.make_feed(office, player)
        address = f"/feeds/{feed.secret}/{record.key}.ics"
        answer = client.get(address)
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
        assert answer.headers["cache-control"] == "private, no-cache"
        assert "powick-bridge-1425-movement" in events_of(answer.content)
        assert client.get(address, headers={"If-None-Match": answer.headers["etag"]}).status_code == 304
        assert client.get(f"/feeds/{feed.secret}/calendar.ics?post=2").status_code == 200
        people.end(office, player, feed.id)
        assert client.get(address).status_code == 404
        assert client.get("/feeds/guess/calendar.ics").status_code == 404


def test_the_address_of_one_game_opens_no_other(office: Office) -> None:
    record, players, _ = begin(office)
    ann = next(iter(players.values()))
    other = gather(office, ann, "Marston Moor", listed=False)
    absences.announce(office, ann, "2026-03-10", "2026-03-12", "in hospital")
    with TestClient(Starlette(routes=routes(office))) as client:
        secret = people.make_feed(office, ann, game=record.name).secret
        assert client.get(f"/feeds/{secret}/{record.key}.ics").status_code == 200
        for closed in ("calendar", other.key, "nowhere", "calendar.ics?x=/"):
            answer = client.get(f"/feeds/{secret}/{closed}.ics")
            assert answer.status_code == 404 and "hospital" not in answer.text
        whole = people.make_feed(office, ann).secret
        assert "hospital" in client.get(f"/feeds/{whole}/calendar.ics").text
        assert client.get(f"/feeds/{whole}/{other.key}.ics").status_code == 200
    refuses(OfficeError, people.make_feed, office, person(office, "Stranger"), game=other.key)


@pytest.mark.clause("W-22")
def test_public_feeds_need_no_secret(office: Office) -> None:
    record, _, _ = begin(office)
    with TestClient(Starlette(routes=routes(office))) as client:
        assert client.get(f"/games/{record.key}/calendar.ics?post=nonsense").status_code == 200
        answer = client.get(f"/games/{record.key}/results.atom")
        assert answer.headers["content-type"] == "application/atom+xml; charset=utf-8"
        assert client.get("/games/nowhere/calendar.ics").status_code == 404
        assert client.post(f"/games/{record.key}/calendar.ics").status_code == 405


def test_one_network_fetches_feeds_only_so_often(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong secrets count, too: nobody tries them without end."""
    monkeypatch.setattr(serving, "FEEDS_A_MINUTE", 2)
    record, _, _ = begin(office)
    app = Starlette(routes=routes(office))
    with TestClient(app, client=("192.0.2.7", 1)) as client, TestClient(app, client=("192.0.2.8", 1)) as other:
        public = f"/games/{record.key}/calendar.ics"
        assert [client.get(path).status_code for path in ("/feeds/guess/calendar.ics", public)] == [404, 200]
        for path in (public, f"/games/{record.key}/results.atom", "/feeds/guess/calendar.ics"):
            answer = client.get(path)
            assert (answer.status_code, answer.headers["retry-after"]) == (429, "60")
        assert other.get(public).status_code == 200
