"""Ratings, reliability, profiles and points: from games that are over, for those who want it, and the same however
often they are computed."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from openskill.models import PlackettLuce
from starlette.testclient import TestClient

from legation.office.clock import SimulatedClock
from legation.office.context import Actor, by_clock
from legation.office.errors import NotAllowedError, NotFoundError
from legation.office.game import seats
from legation.office.game.reliability import reliability_of
from legation.office.hosting import erasing, games, player_ratings, profiles, ratings, scores
from legation.office.hosting.ratings import LEAST_GAMES
from legation.office.identity import people
from legation.office.office import Office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.records import Reliability
from legation.office.store.packing import pack
from legation.office.store.rows import GameRow, RatedGameRow, RatedPlayerRow, SeatRow
from legation.web import create_app
from tests.office.playing import CONSOLE, VISITOR, begin, end_game, gather, passes, person, refuses, set_past, stored


def all_stored(office: Office) -> tuple[list[Any], list[Any]]:
    """All ratings, without the ids of their rows."""
    players = {row.id: row for row in stored(office, RatedPlayerRow)}
    lines = stored(office, RatedGameRow)
    told = sorted(
        (r.family, r.player, r.person, r.games, r.mu, r.sigma, r.least, r.at, r.last, r.shown) for r in players.values()
    )
    return told, sorted((line.game, players[line.rated].player, line.mu, line.sigma, line.at) for line in lines)


def rating(office: Office, actor: Actor, family: str = "hundred") -> RatedPlayerRow | None:
    return next(iter(stored(office, RatedPlayerRow, family=family, person=actor.person)), None)


def test_a_rated_game_rates_its_players_as_the_library_does(office: Office) -> None:
    record, players, _ = begin(office, rated=True)
    end_game(office, record.key, ["France"])
    model = PlackettLuce()
    teams = model.rate([[model.rating()] for _ in players], scores=[float(power == "France") for power in players])
    for power, (expected,) in zip(players, teams, strict=True):
        row = rating(office, players[power])
        assert row is not None and row.games == 1
        assert (row.mu / 1e6, row.sigma / 1e6) == pytest.approx((expected.mu, expected.sigma), abs=1e-5)
    unrated, others, _ = begin(office, name="For fun", folk="u")
    end_game(office, unrated.key, ["France"])
    assert all(rating(office, other) is None for other in others.values())


def test_all_ratings_computed_anew_equal_the_stored_ones(
    make_office: Callable[..., Office], database: str, clock: SimulatedClock
) -> None:
    office = make_office(database=database)
    folk = [begin(office, name=f"Game {n}", rated=True, scoring="sum-of-squares", stand_in="") for n in range(4)]
    for n, (record, players, _) in enumerate(folk):
        if n == 2:
            seats.resign(office, players["France"], record.key, "France", "busy")
            late = person(office, "Latecomer")
            seats.take_over(office, late, record.key, "France")
        clock.advance(timedelta(hours=1))
        end_game(office, record.key, ["England", "Burgundy"], kind="draw")
    before = all_stored(office)
    assert len(before[1]) == 4 * len(folk[0][1]) and rating(office, late) is None
    assert player_ratings.recompute(office, CONSOLE) == 4
    assert all_stored(office) == before
    # a game that ended before others that its players played, and is told of later
    early, _, _ = begin(office, name="Early", rated=True)
    end_game(office, early.key, ["France"], at=1)
    after = all_stored(office)
    assert after != before
    player_ratings.recompute(office, CONSOLE)
    assert all_stored(office) == after
    refuses(NotAllowedError, player_ratings.recompute, office, late)


def test_who_leaves_comes_last_and_who_takes_over_loses_nothing(office: Office, clock: SimulatedClock) -> None:
    record, players, _ = begin(office, rated=True)
    clock.advance(timedelta(hours=1))
    seats.resign(office, players["France"], record.key, "France", "busy")
    late = person(office, "Latecomer")
    seats.take_over(office, late, record.key, "France")
    end_game(office, record.key, ["France"])
    left, other = rating(office, players["France"]), rating(office, players["England"])
    assert left is not None and other is not None and left.mu < other.mu and rating(office, late) is None


def test_bots_are_rated_apart_and_the_anchor_keeps_its_rating(office: Office) -> None:
    host = person(office, "Host")
    plan = {
        "name": "Bots",
        "variant": "hundred",
        "settings": {"rated": True},
        "seats": {"England": "bot:dumbbot", "Burgundy": "bot:random"},
    }
    made = games.create(office, host, plan)
    rest = [seat.power for seat in made.seats if seat.state == "open"]
    for power in rest:
        seats.sign_up(office, host if power == rest[0] else person(office, f"P{power}"), made.key, [power])
    work.run_due(office)
    end_game(office, made.key, [rest[0]])
    people.set_preferences(office, host, {"ranked": True})
    told = player_ratings.leaderboard(office, VISITOR, "hundred")
    assert [(p.name, p.rating > 1500) for p in told.players] == [("Host", True)]
    rated = {bot.name: bot.rating for bot in told.bots if not bot.person}
    assert rated["dumbbot"] == 1500 and rated["random"] < 1500
    refuses(NotFoundError, player_ratings.leaderboard, office, VISITOR, "atlantis")


def test_nobody_is_listed_who_does_not_want_to_be(office: Office) -> None:
    record, players, _ = begin(office, rated=True)
    end_game(office, record.key, ["France"])
    france = players["France"]
    assert player_ratings.leaderboard(office, VISITOR).players == ()
    people.set_preferences(office, france, {"ranked": True})
    (listed,) = player_ratings.leaderboard(office, VISITOR).players
    assert (listed.name, listed.games) == (france.name, 1) and listed.person != france.person
    people.set_preferences(office, france, {"ranked": False})
    assert player_ratings.leaderboard(office, VISITOR).players == ()
    people.set_preferences(office, france, {"ranked": True})
    erasing.erase(office, france)
    assert player_ratings.leaderboard(office, VISITOR).players == ()
    before = all_stored(office)
    player_ratings.recompute(office, CONSOLE)
    assert all_stored(office) == before
    object.__setattr__(office, "settings", office.settings.model_copy(update={"leaderboards": False}))
    refuses(NotFoundError, player_ratings.leaderboard, office, VISITOR)


def reliability(office: Office, actor: Actor) -> Reliability:
    with by_clock(office, write=False) as act:
        return reliability_of(act, actor.person or 0)


def play(office: Office, clock: SimulatedClock, record: Any, players: dict[str, Actor], *missing: str) -> None:
    for power, actor in players.items():
        if power not in missing:
            submissions.submit(office, actor, record.key, power, "")
    passes(office, clock, timedelta(hours=25))


@pytest.mark.parametrize("settings", [{}, {"anonymous": True}, {"shows_senders": "nobody"}, {"listed": False}])
def test_reliability_tells_nothing_of_games_whose_players_are_hidden(
    office: Office, clock: SimulatedClock, settings: dict[str, Any]
) -> None:
    record, players, _ = begin(office, **{**settings, "listed": True}, ready_ends=False)
    set_past(office, record.key, **settings)
    play(office, clock, record, players, "England")
    found = [reliability(office, players[power]) for power in ("England", "France")]
    if settings:
        assert [(one.turns, one.percent, one.seats) for one in found] == [(0, None, 0), (0, None, 0)]
        end_game(office, record.key, ["France"])
        found = [reliability(office, players[power]) for power in ("England", "France")]
    assert [(one.turns, one.in_time, one.missed, one.seats, one.left) for one in found] == [
        (1, 0, 1, 1, 0),
        (1, 1, 0, 1, 0),
    ]
    clock.advance(timedelta(days=400))
    if settings:
        assert reliability(office, players["England"]).turns == 0


def test_a_table_asks_for_reliability_and_a_first_game_is_never_barred(office: Office, clock: SimulatedClock) -> None:
    record, players, host = begin(office, ready_ends=False)
    play(office, clock, record, players, "England")
    seats.resign(office, players["England"], record.key, "England", "gone")
    assert reliability(office, players["England"]).left == 1
    made = gather(office, host, "Picky", reliability=90)
    refuses(NotAllowedError, seats.sign_up, office, players["England"], made.key).match(r"90%.*you sent 0%")
    seats.sign_up(office, players["France"], made.key)
    seats.sign_up(office, person(office, "Newcomer"), made.key)
    invited = games.invite(office, host, made.key).secret
    seats.sign_up(office, players["England"], made.key, invitation=invited)


def test_a_profile_is_private_until_it_is_shown_and_tells_of_games_that_are_over(office: Office) -> None:
    record, players, _ = begin(office, rated=True)
    running, _, _ = begin(office, name="Running")
    hidden, _, _ = begin(office, name="Hidden")
    set_past(office, hidden.key, listed=False)
    france = players["France"]
    end_game(office, record.key, ["France"])
    end_game(office, hidden.key, ["France"])
    number = profiles.preview(office, france).person
    refuses(NotFoundError, profiles.profile, office, VISITOR, number)
    people.set_preferences(office, france, {"profile": True, "about": "Plays by post."})
    told = profiles.profile(office, VISITOR, number)
    assert told == profiles.preview(office, france)
    assert [(g.name, g.power, g.result) for g in told.games] == [(record.name, "France", "won")]
    assert told.about == "Plays by post." and told.ratings == () and running.name not in repr(told)
    people.set_preferences(office, france, {"ranked": True})
    (shown,) = profiles.profile(office, VISITOR, number).ratings
    assert shown.family == "hundred" and len(shown.history) == 1 and shown.history[-1][1] == shown.rating
    for other in (1, france.person or 0, number + 1):
        if other != number:
            refuses(NotFoundError, profiles.profile, office, VISITOR, other)


def test_the_points_of_a_finished_game(office: Office, clock: SimulatedClock) -> None:
    record, players, _ = begin(office, scoring="rank", ready_ends=False)
    play(office, clock, record, players)
    refuses(NotAllowedError, scores.points, office, VISITOR, record.key)
    end_game(office, record.key, ["France"])
    found = scores.points(office, VISITOR, record.key)
    assert found is not None and found.points == {"Burgundy": 0, "England": 0, "France": 6}
    shared = scores.points(office, VISITOR, record.key, "draw-size")
    assert shared is not None and shared.points["France"] == 100


SEVENTEEN = "par bre mar spa por bel hol lon lvp edi mun ber kie den swe nwy rom".split()


def test_a_game_that_is_won_tells_of_its_last_turn(office: Office, clock: SimulatedClock) -> None:
    """The center that decides is counted, at the seats and in the points."""
    units = {"France": ["A tyr"], "Austria": ["A bud"], "Turkey": ["A con"]}
    centers = {"France": SEVENTEEN, "Austria": ["vie", "bud", "tri"], "Turkey": ["con", "ank", "smy"]}
    position = {"turn": "Fall 1905 Movement", "units": units, "centers": centers}
    begun = {"source": "a board", "file": "0" * 64, "turns": 9, "position": position}
    plan = {"name": "Last Turn", "variant": "standard", "settings": {"scoring": "manorcon", "rated": True}}
    made = games.create(office, person(office, "Host"), plan, begun)
    players = {power: person(office, power) for power in units}
    for power, player in players.items():
        seats.sign_up(office, player, made.key, [power])
    work.run_due(office)
    for power, player in players.items():
        submissions.submit(office, player, made.key, power, "A tyr - vie" if power == "France" else "hold")
    passes(office, clock, timedelta(hours=25))
    over = games.game(office, VISITOR, made.key)
    assert over.state == "ended" and {s.power: s.centers for s in over.seats}["France"] == 18
    found = scores.points(office, VISITOR, made.key)
    assert found is not None and (found.points["France"], found.points["Austria"]) == (75, 0.1)
    won = rating(office, players["France"], "standard")
    assert won is not None and won.games == 1 and won.mu > 25_000_000


def over(office: Office, key: str, winner: str = "", centers: dict[str, int] | None = None, turns: int = 9) -> None:
    """Let a game be over, as its last turn leaves it."""
    how = {"kind": "solo", "powers": [winner]} if winner else {"kind": "draw", "powers": ["Burgundy", "England"]}
    ending = {**how, "reason": "it ended"}
    with office.store.transaction() as tx:
        row = tx.find(GameRow, key=key)
        assert row is not None
        tx.change(row, state="ended", ended=1, turn=turns, ending=pack(ending))
        for seat in tx.all(SeatRow, game=row.id):
            held = (centers or {}).get(seat.power, 0)
            tx.change(seat, centers=held, survives=held > 0)


def test_games_of_people_are_told_in_the_figures_of_the_lab(office: Office) -> None:
    keys = [begin(office, name=f"Game {n}", folk=f"n{n}")[0].key for n in range(LEAST_GAMES + 2)]
    over(office, keys[0], "France", {"France": 10, "England": 2}, turns=6)
    over(office, keys[1], centers={"Burgundy": 4, "England": 4}, turns=9)
    assert ratings.balance(office, VISITOR, "hundred") is None  # two games would tell of each
    over(office, keys[2], "France", {"France": 9}, turns=9)
    told = ratings.balance(office, VISITOR, "Hundred")
    assert told is not None and (told.games, told.mean_turns, told.unfinished) == (3, 8.0, 0)
    rows = {row.power: row for row in told.powers}
    assert rows.keys() == set(office.variants.load("hundred").powers)
    france, england = rows["France"], rows["England"]
    assert france.solos == pytest.approx(2 / 3) and france.survives == pytest.approx(2 / 3)
    assert france.score == pytest.approx(2 / 3) and england.score == pytest.approx((0 + 0.5 + 0) / 3)
    assert england.draws == pytest.approx(1 / 3) and england.centers == pytest.approx(2.0)
    page = TestClient(create_app(office)).get("/variants/hundred/balance").text
    assert "Played by people" in page and "3 games, 8 turns on average" in page
    for name in ("n0Player0", "Game 0", "Coordinator"):
        assert name not in page
    assert TestClient(create_app(office)).get("/api/v1/played/hundred").json()["games"] == 3
    # what does not count: a running game, a hidden one, a cancelled one, one of bots
    running, hidden = keys[3], keys[4]
    assert games.game(office, CONSOLE, running).state == "running"
    over(office, hidden, "England", {"England": 12})
    set_past(office, hidden, listed=False)
    bots, _, _ = begin(office, name="Of bots", folk="b", powers=1)
    over(office, bots.key, "England", {"England": 12})
    assert ratings.balance(office, VISITOR, "hundred") == told
    assert ratings.balance(office, VISITOR, "standard") is None, "nobody has played it"
    refuses(NotFoundError, ratings.balance, office, VISITOR, "nowhere")
