"""The analysis of a game: shown when it is over, and never before, whoever asks and by whatever address."""

import re
import zlib
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient

from legation.cli.serving import whole_site
from legation.notation import write
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.hosting import games, retrospects
from legation.office.keys import seals
from legation.office.office import Office
from legation.office.orders import submissions
from legation.office.records import Retrospect
from legation.office.store.rows import GameRow, WorkRow
from legation.orders import VoteDraw
from tests.office.playing import begin, counted, passes, person, set_past, the
from tests.service.test_every_route import STREAMS, routes_of
from tests.web.clients import client_of

MARK = "xyzzy-outlook"
SHEET = {
    "power": "France",
    "orders": ["A par H"],
    "best": ["A par - dij"],
    "outlook": 0.2,
    "best_outlook": 0.31,
    "centers": 1,
    "edits": [{"order": "A par H", "better": "A par - dij", "gain": 0.11}],
    "grade": "blunder",
    "loss": 0.11,
    "told": [MARK],
}
EARLIER = {"number": 0, "turn": "1425 Movement", "outlooks": {"France": 0.3, "England": 0.7}, "sheets": [SHEET]}
"""As analyses were kept before there were decisive orders in them."""
TURN = EARLIER | {"decisive": "A dij - par (Burgundy) decided most.", "openings": {"France": "Maginot Opening"}}
POINT = {"turn": "1425 Movement", "power": "France", "before": 0.3, "after": 0.1}


def keep_analysis(office: Office, key: str, turn: dict[str, Any] = TURN) -> None:
    """Keep an analysis of a game, however it may have been made."""
    row = the(office, GameRow, key=key)
    found = msgspec.msgpack.encode(Retrospect("made", turns=(turn,), points=(POINT,)))
    locked = seals.lock(office.master_key, zlib.compress(found))
    office.shared.once(retrospects.KIND, retrospects._name(row), lambda: locked, retrospects.KEPT)


def play_to_a_draw(office: Office, clock: SimulatedClock, key: str, players: dict[str, Actor]) -> None:
    for power, actor in players.items():
        submissions.submit(office, actor, key, power, write(VoteDraw()))
    passes(office, clock, timedelta(days=30))


def sites(office: Office, app: Any, folk: dict[str, Actor]) -> dict[str, TestClient]:
    """A browser for each of these, and one of a visitor."""
    return {name: client_of(app, office, actor, program=True) for name, actor in {"visitor": None, **folk}.items()}


def addresses(app: Any, key: str) -> list[str]:
    """Every address of one game that is read, but for the streams, which never end."""
    values = {"game": key, "power": "France", "turn": "1", "theme": "light", "tab": "analysis"}
    paths = [path for method, path in routes_of(app) if method == "GET" and "{game}" in path and path not in STREAMS]
    return [re.sub(r"\{(\w+)[^}]*\}", lambda name: values.get(name[1], "1"), path) for path in paths]


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrospects, "is_available", lambda: True)


@pytest.mark.long
def test_no_address_tells_the_analysis_of_a_game_that_runs(office: Office, lab: None) -> None:
    """Not even where one is kept for it: all addresses of a game, read by its player, its host and a visitor."""
    record, players, host = begin(office)
    keep_analysis(office, record.key)
    app = whole_site(office)
    read = addresses(app, record.key)
    assert {f"/api/v1/games/{record.key}/retrospect", f"/games/{record.key}/analysis"} <= {*read} and len(read) > 60
    read += [f"/games/{record.key}/analysis?turn=1&power=France", f"/games/{record.key}/analysis/"]
    for name, site in sites(office, app, {"player": players["France"], "host": host}).items():
        for path in read:
            answer = site.get(path)
            assert MARK not in answer.text and "decided most" not in answer.text, f"{path} to the {name}"
        for path in (f"/api/v1/games/{record.key}/retrospect", f"/games/{record.key}/analysis"):
            assert site.get(path).status_code in (401, 403, 404), f"{path} to the {name}"
            assert site.post(path).status_code in (401, 403, 404, 409), f"{path} to the {name}"
    assert not counted(office, WorkRow, kind="analyze"), "nor was one made"


def test_a_game_that_is_over_shows_outlooks_mistakes_and_better_orders(
    office: Office, clock: SimulatedClock, lab: None
) -> None:
    record, players, _ = begin(office)
    site = sites(office, whole_site(office), {"player": players["France"]})
    page = f"/games/{record.key}/analysis"
    play_to_a_draw(office, clock, record.key, players)
    assert games.game(office, Actor.console(), record.key).state == "ended"
    asked = site["visitor"].get(page).text
    assert "to have it analyzed" in asked and "Analyze this game" not in asked
    assert "Analyze this game" in site["player"].get(page).text
    assert site["visitor"].post(page).status_code in (302, 303, 401)
    assert site["player"].post(page).status_code == 303
    assert "is being analyzed" in site["visitor"].get(page).text
    keep_analysis(office, record.key)
    text = site["visitor"].get(page).text
    assert "France from 30% to 10%" in text and "blunder" in text and MARK not in text
    assert "A dij - par (Burgundy) decided most." in text and "Maginot Opening" in text
    (at,) = {t.key for t in games.turns(office, Actor.visitor(), record.key) if t.name == "1425 Movement"}
    better = site["visitor"].get(page, params={"turn": at, "power": "France"}).text
    assert MARK in better and "<strong>A par - dij</strong>" in better
    for turn, power in (("99", "France"), (at, "<b>"), ("x" * 5000, "y" * 5000)):
        answer = site["visitor"].get(page, params={"turn": turn, "power": power})
        assert answer.status_code < 500 and "<b>" not in answer.text.partition("<main")[2]


def test_the_analysis_of_a_game_that_is_not_listed_is_its_members(
    office: Office, clock: SimulatedClock, lab: None
) -> None:
    record, players, host = begin(office)
    set_past(office, record.key, listed=False)
    app = whole_site(office)
    play_to_a_draw(office, clock, record.key, players)
    keep_analysis(office, record.key, EARLIER)
    folk = sites(office, app, {"stranger": person(office, "Stranger"), "host": host})
    for path in (f"/games/{record.key}/analysis", f"/api/v1/games/{record.key}/retrospect"):
        assert [folk[name].get(path).status_code for name in ("visitor", "stranger", "host")] == [404, 404, 200]
