"""The lobby in words: what a reader owes in each game, how a game is run, and what an invitation opens."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from legation.bots import levels
from legation.languages import catalog
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.game import journal, seats
from legation.office.hosting import games
from legation.office.office import Office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.store import queries
from legation.office.store.rows import TABLES, GameRow
from legation.office.terms.plans import GameSettings
from legation.web.public.lobby import owed_in, settings_in_words
from tests.office.playing import alter, begin, passes, person, send_all
from tests.web.test_players import as_person, visitor


def test_what_one_owes_is_told_as_the_game_goes_on(office: Office, clock: SimulatedClock) -> None:
    record, players, host = begin(office)
    key, france = record.key, players["France"]

    def owed(actor: Actor) -> str:
        return owed_in(games.game(office, actor, key))[0]

    assert (
        owed(france) == "orders are due"
        and owed(host) == "you run this game"
        and owed(person(office, "Eve")) == "you have no seat"
    )
    send_all(office, record, players, 1)
    assert owed(france) == "orders sent"
    submissions.ready(office, france, key, "France")
    assert owed(france) == "orders sent, and ready"
    games.pause(office, Actor.console(), key, "a strike")
    assert owed(france) == "paused: a strike"
    games.resume(office, Actor.console(), key)
    for power, actor in players.items():
        submissions.submit(office, actor, key, power, "draw")
    passes(office, clock, timedelta(days=2))
    assert owed(france) == "shares the draw"


@pytest.mark.parametrize(
    ("ending", "own", "told"),
    [
        ({"kind": "ranking", "powers": ["Burgundy", "France"]}, "France", "place 2 of 2"),
        (
            {"kind": "ranking", "powers": ["Burgundy", "England", "France"], "tied": [["England", "France"]]},
            "France",
            "shared place 2 of 3",
        ),
        ({"kind": "ranking", "powers": ["Burgundy", "England"]}, "France", "lost"),
        ({"kind": "solo", "powers": ["England"]}, "France", "lost"),
        ({"kind": "solo", "powers": ["France"]}, "France", "won"),
        ({"kind": "draw", "powers": ["France", "England"]}, "France", "shares the draw"),
    ],
)
def test_an_end_is_told_to_each_power(office: Office, ending: dict[str, Any], own: str, told: str) -> None:
    record, players, _ = begin(office)
    over = msgspec.structs.replace(games.game(office, players[own], record.key), state="ended", ending=ending)
    assert owed_in(over) == (told, False)
    running = games.game(office, players[own], record.key)
    gone = [msgspec.structs.replace(s, survives=s.power != own) for s in running.seats]
    assert owed_in(msgspec.structs.replace(running, seats=tuple(gone))) == ("out of the game", False)
    idle = [msgspec.structs.replace(s, sent=None) for s in running.seats]
    assert owed_in(msgspec.structs.replace(running, seats=tuple(idle))) == ("nothing to order this turn", False)
    assert owed_in(msgspec.structs.replace(running, powers=())) == ("you have no seat", False)


@pytest.mark.parametrize(
    ("changes", "row"),
    [
        ({}, ("Run by", "the office, which processes orders at the deadline")),
        ({"coordinated": True}, ("Run by", "a coordinator, who can’t read orders before the deadline")),
        ({"grace": 30}, ("Late orders", "count for 30 minutes after the deadline")),
        ({"absence_days": 5}, ("Absences", "move a deadline by up to 5 days")),
        ({"drafts": True}, ("Results", "drafts until the season’s retreats are done")),
        ({"opening_by_post": True}, ("By post", "the first orders of a season")),
        ({"reads_letters": True}, ("The coordinator", "can read letters")),
        ({"ready_ends": True}, ("Early processing", "when everyone is ready")),
        ({"press": ()}, ("Letters", "outside Legation")),
        ({"anonymous": True}, ("Who plays which power", "hidden until the game ends")),
        ({"missing": "wait"}, ("If a power sends nothing", "the game waits for it")),
        ({"shows_senders": "nobody"}, ("Who has sent orders", "nobody can see it")),
    ],
)
def test_how_a_game_is_run_is_told_before_one_joins(changes: dict[str, Any], row: tuple[str, str]) -> None:
    assert row in settings_in_words(GameSettings(**changes))
    others = settings_in_words(GameSettings(ready_ends=False))
    assert changes in ({}, {"press": ()}) or row not in others
    german, (name, words) = catalog("de"), row
    assert german.whole(name) != name and german.said(words) != words


def test_an_invitation_opens_a_seat_in_a_game_that_goes_on(office: Office) -> None:
    record, _, boss = begin(office, coordinated=True)
    seats.vacate(office, boss, record.key, "France", "gone")
    secret = games.invite(office, boss, record.key, "", "France").secret
    site = as_person(office, person(office, "Eve"))
    page = site.get(f"/games/{record.key}/invitation/{secret}")
    assert "France" in page.text and secret in page.text
    taken = site.post(f"/games/{record.key}/take-over", data={"power": "France", "secret": secret})
    assert taken.status_code == 303
    assert next(s.holder for s in games.game(office, boss, record.key).seats if s.power == "France") == "Eve"
    gone = visitor(office).get("/games/nowhere/invitation/x")
    assert gone.status_code == 404 and "nowhere" not in gone.text.partition("<main")[0]
    assert site.get(f"/games/{record.key}/invitation/{secret}").status_code == 404  # it was used


@pytest.mark.parametrize(
    ("variant", "power", "named"), [("hundred", "France", "France"), ("three-kingdoms", "Crown", "the Crown")]
)
def test_an_invitation_to_a_power_says_so_and_asks_for_no_preferences(
    office: Office, variant: str, power: str, named: str
) -> None:
    boss = person(office, "Host")
    plan = {"name": "Powick Bridge", "variant": variant, "settings": {"coordinated": True}}
    record = games.create(office, boss, plan)
    secret = games.invite(office, boss, record.key, "", power).secret
    address = f"/games/{record.key}/invitation/{secret}"
    assert f"Sign in to join as {named}<" in visitor(office).get(address).text
    guest = as_person(office, person(office, "Eve"))
    shown = guest.get(address).text
    assert f"invited to play <strong>{named}</strong>" in shown and f"Join as {named}<" in shown
    assert "in order of preference" not in shown
    assert guest.post(f"/games/{record.key}/sign-up", data={"secret": secret}).status_code == 303
    game = games.game(office, boss, record.key)
    assert next(s.holder for s in game.seats if s.power == power) == "Eve"
    assert f"You play {named}. " in guest.get(f"/games/{record.key}").text
    assert f"{len(game.seats) - 1} of {len(game.seats)} seats" in visitor(office).get(f"/games/{record.key}").text
    told = as_person(office, boss).get(f"/desk/{record.key}").text
    assert f"Somebody was invited to play {named}." in told and f"{named[0].upper()}{named[1:]} has a player." in told


def test_who_was_invited_to_a_power_is_not_told_that_powers_are_drawn(office: Office) -> None:
    boss, eve = person(office, "Host"), person(office, "Eve")
    site, desk = as_person(office, eve), as_person(office, boss)
    for coordinated in (False, True):
        settings = {"coordinated": coordinated, "votes": "none"}
        plan = {"name": f"Lepanto {coordinated}", "variant": "1897", "settings": settings}
        bots = dict.fromkeys(("England", "France", "Germany", "Italy", "Russia"), "bot:dumbbot")
        record = games.create(office, boss, plan | {"seats": bots})
        page, drawn = f"/games/{record.key}", ("assigns the powers", "Powers are assigned by preference")
        assert any(words in site.get(page).text for words in drawn)
        secret = games.invite(office, boss, record.key, "eve@example.org", "Austria").secret
        site.post(f"{page}/sign-up", data={"secret": secret})
        shown = site.get(page).text
        assert "You play Austria." in shown and not any(words in shown for words in drawn)
        if coordinated:
            assert "Assign powers and start" in desk.get(f"/desk/{record.key}").text
        secret = games.invite(office, boss, record.key, "adam@example.org", "Turkey").secret
        as_person(office, person(office, "Adam")).post(f"{page}/sign-up", data={"secret": secret})
        if coordinated:
            assert "Start the game</button>" in desk.get(f"/desk/{record.key}").text
            desk.post(f"/desk/{record.key}/start", data={})
        work.run_due(office)
        told = [line.text for line in journal.entries(office, boss, record.key, kinds=("seats dealt",))]
        assert told == ["No power was assigned at random: each had a player or a bot before."]


def test_an_invitation_to_a_private_game_names_the_power_with_its_article(office: Office) -> None:
    boss = person(office, "Host")
    plan = {"name": "Powick Bridge", "variant": "three-kingdoms", "settings": {"coordinated": True, "listed": False}}
    record = games.create(office, boss, plan)
    secret = games.invite(office, boss, record.key, "", "Crown").secret
    shown = visitor(office).get(f"/games/{record.key}/invitation/{secret}").text
    assert "to Powick Bridge as the Crown, a private game" in shown


def test_a_game_that_waits_for_players_shows_its_map_in_the_language_of_the_reader(office: Office) -> None:
    record = games.create(office, person(office, "Host"), {"name": "Tannenberg", "variant": "standard"})
    german = visitor(office).get(f"/games/{record.key}", headers={"accept-language": "de"}).text
    assert "opening-light.svg?names=de" in german


def test_a_seat_for_a_day_in_a_variant_that_there_is_not(office: Office) -> None:
    for asked, status, told in (
        ({"variant": "hundred", "power": "Turkey"}, 422, "no power"),
        ({"variant": "hundred", "level": "grandmaster"}, 422, "no level"),
        ({"variant": "chess"}, 404, "no variant called “chess”"),
    ):
        answer = visitor(office).post("/demo", data=asked)
        assert answer.status_code == status and told in answer.text
    assert not games.list_games(office, Actor.console())


def test_a_visitor_chooses_how_strong_the_bots_are(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "find_spec", lambda name: None)
    assert "How strong" not in visitor(office).get("/demo").text
    monkeypatch.setattr(levels, "find_spec", lambda name: name)
    text = visitor(office).get("/demo?level=club").text
    assert '<a href="/demo?level=club" aria-current="true">Bots: club</a>' in text
    assert 'name="level" value="club"' in text
    assert 'name="level" value="beginner"' in visitor(office).get("/demo?level=<b>").text
    at = visitor(office).post("/demo", data={"variant": "hundred", "power": "England", "level": "club"})
    key = at.headers["location"].removeprefix("/games/")
    assert {s.bot for s in games.game(office, Actor.console(), key).seats} == {"", "club"}


def test_a_guest_plays_at_once_while_the_bots_code_is_compiled_and_is_told_who_orders(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    starting, ask = [True], levels.ask
    asked: list[str] = []

    def answer(name: str, *given: Any) -> Any:
        asked.append(name)
        if name == "club" and starting:
            raise levels.BusyError("the bots are still starting up")
        return ask("dumbbot", *given)

    monkeypatch.setattr(levels, "find_spec", lambda name: name)
    monkeypatch.setattr(levels, "ask", answer)
    site = visitor(office)
    at = site.post("/demo", data={"variant": "hundred", "power": "England", "level": "club"}).headers["location"]
    key, said = at.removeprefix("/games/"), "DumbBot orders for the club bots this turn. They’re still starting up"
    work.run_due(office)
    assert asked == ["club", "dumbbot", "dumbbot"], "one bot is waited for, once"
    assert site.get(at).text.count(said) == 1
    record = games.game(office, Actor.console(), key)
    assert record.turn and record.turn.note.startswith(said)
    assert all(seat.sent for seat in record.seats if seat.bot)
    starting.clear()
    site.post(f"{at}/sheet/send", data={"text": "A lon H", "ready": "true"})
    work.run_due(office)
    (before,) = [line.text for line in journal.entries(office, Actor.console(), key) if "DumbBot" in line.text]
    assert before.startswith("DumbBot ordered for the club bots in ")
    record = games.game(office, Actor.console(), key)
    assert record.turn and record.turn.number > 1 and not record.turn.note and said not in site.get(at).text


def test_games_are_found_by_variant_pace_and_open_seats(office: Office) -> None:
    for name, variant, schedule in (
        ("Valmy", "hundred", "5 min"),
        ("Lepanto", "standard", "36 h"),
        ("Mohacs", "hundred", "Mon Thu 20:00 Europe/London"),
    ):
        plan: dict[str, Any] = {"name": name, "variant": variant, "settings": {"schedule": schedule}}
        if name == "Mohacs":
            plan["seats"] = dict.fromkeys(("Burgundy", "England", "France"), "bot:dumbbot")
        games.create(office, person(office, "Host"), plan)
    site = visitor(office)

    def found(**wanted: str) -> set[str]:
        shown = site.get("/games", params=wanted).text
        return {name for name in ("Valmy", "Lepanto", "Mohacs") if f">{name}<" in shown}

    assert found() == {"Valmy", "Lepanto", "Mohacs"}
    assert found(variant="hundred") == {"Valmy", "Mohacs"}
    assert [found(pace=pace) for pace in ("live", "daily", "slow")] == [{"Valmy"}, {"Lepanto"}, {"Mohacs"}]
    assert found(pace="live", variant="standard") == set() and found(seats_open="true") == {"Valmy", "Lepanto"}
    assert "No games match." in site.get("/games", params={"pace": "live", "variant": "standard"}).text


def test_a_search_that_finds_nothing_goes_through_no_hundred_thousand_games(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A visitor may ask for what no game is: the work that they have done is bounded, and games that are over have no
    seats to take."""
    record, players, _ = begin(office)
    with office.store.transaction() as tx:
        (row,) = tx.all(GameRow)
        copies = [msgspec.structs.asdict(msgspec.structs.replace(row, key=f"copy-{n:03}")) for n in range(300)]
        for copy in copies:
            del copy["id"]
        tx.connection.execute(sa.insert(TABLES[GameRow]), copies)
    asked: list[int] = []
    list_games = queries.list_games

    def count(*given: Any, **named: Any) -> list[GameRow]:
        rows = list_games(*given, **named)
        asked.append(len(rows))
        return rows

    monkeypatch.setattr(queries, "list_games", count)
    monkeypatch.setattr(games, "MOST_LOOKED_AT", 100)
    assert games.list_games(office, Actor.visitor(), "running", pace="live", limit=20) == []
    assert asked == [20] * 5
    asked.clear()
    assert games.list_games(office, Actor.visitor(), "running", open_seats=True) == [] and asked == [0]
    assert games.list_games(office, Actor.visitor(), "ended", open_seats=True) == [] and asked == [0]
    seats.resign(office, players["France"], record.key, "France")
    assert [g.key for g in games.list_games(office, Actor.visitor(), open_seats=True)] == [record.key]
    alter(office, GameRow, {"state": "ended"}, key=record.key)
    assert games.list_games(office, Actor.visitor(), open_seats=True) == []


def test_one_waits_for_a_seat_and_takes_it(office: Office) -> None:
    game, players, _ = begin(office)
    own, at = as_person(office, person(office, "Ann")), f"/games/{game.key}"
    assert "Wait for a seat" in own.get(f"{at}/powers").text
    assert visitor(office).post(f"{at}/waiting").status_code == 401
    assert own.post(f"{at}/waiting").status_code == 303
    shown = own.get(f"{at}/powers").text
    assert "Stop waiting for a seat" in shown and "1 waiting." in shown
    assert own.post(f"{at}/waiting", data={"stop": "true"}).status_code == 303
    assert own.post(f"{at}/waiting", data={"stop": "true"}).status_code == 409
    seats.resign(office, players["France"], game.key, "France")
    assert "Take over a seat" in own.get(f"{at}/powers").text and "Wait for a seat" not in own.get(f"{at}/powers").text
