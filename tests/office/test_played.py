"""The report on games of people: from games that are over and public, in the figures of the lab; nothing of running
games, of hidden ones, of few."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from legation.office.context import Actor
from legation.office.errors import NotFoundError
from legation.office.hosting import games, played
from legation.office.hosting.played import LEAST_GAMES
from legation.office.office import Office
from legation.office.store import queries
from legation.office.store.packing import pack, unpack
from legation.office.store.rows import GameRow, SeatRow
from legation.web import create_app
from tests.office.playing import begin

VISITOR = Actor.visitor()


def over(office: Office, key: str, winner: str = "", centers: dict[str, int] | None = None, turns: int = 9) -> None:
    """Let a game be over, as its last turn leaves it."""
    ending = {"kind": "solo", "powers": [winner]} if winner else {"kind": "draw", "powers": ["Burgundy", "England"]}
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
    assert played.balance(office, VISITOR, "hundred") is None  # two games would tell of each
    over(office, keys[2], "France", {"France": 9}, turns=9)
    told = played.balance(office, VISITOR, "Hundred")
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
    assert games.game(office, Actor.console(), running).state == "running"
    over(office, hidden, "England", {"England": 12})
    with office.store.transaction() as tx:
        row = tx.find(GameRow, key=hidden)
        assert row is not None
        tx.change(row, settings=pack({**unpack(row.settings), "listed": False}))
    bots, _, _ = begin(office, name="Of bots", folk="b", powers=1)
    over(office, bots.key, "England", {"England": 12})
    assert played.balance(office, VISITOR, "hundred") == told


def test_each_game_comes_with_all_its_seats_however_many_games_there_are(office: Office) -> None:
    keys = [begin(office, name=f"Game {n}", folk=f"n{n}")[0].key for n in range(3)]
    for key in keys:
        over(office, key, "France", {"France": 9})
    powers = len(office.variants.load("hundred").powers)
    with office.store.transaction(write=False) as tx:
        first = tx.find(GameRow, key=keys[0])
        assert first is not None
        found = queries.seats_of_ended(tx, "hundred", most=2)
        assert len(found) == 2 * powers and first.id not in {seat.game for seat in found}
        assert len(queries.seats_of_ended(tx, "hundred")) == 3 * powers


def test_a_variant_that_nobody_knows_is_told(office: Office) -> None:
    with pytest.raises(NotFoundError):
        played.balance(office, VISITOR, "nowhere")
    assert played.balance(office, VISITOR, "standard") is None
