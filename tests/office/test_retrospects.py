"""A game that is over is analyzed when somebody asks, by the worker, once; one that runs never is."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest

from legation.children import ChildError
from legation.cli.serving import start_workers
from legation.notation import write
from legation.office.clock import SimulatedClock
from legation.office.errors import LimitExceededError, NotAllowedError, SignInNeededError
from legation.office.hosting import games, retrospects
from legation.office.hosting import retrospects as made
from legation.office.office import Office
from legation.office.operation import health, work
from legation.office.orders import submissions
from legation.office.store.rows import GameRow
from legation.orders import VoteDraw
from tests.office.playing import CONSOLE, VISITOR, alter, begin, passes, person, refuses

FOUND = {"turns": [{"number": 0, "turn": "1425 Movement", "outlooks": {"France": 1.0}, "sheets": []}], "points": []}


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    calls: list[tuple[Any, ...]] = []

    def call(_: type, name: str, *given: Any) -> object:
        calls.append((name, *given))
        return FOUND

    monkeypatch.setattr(made.ANALYSTS, "call", call)
    monkeypatch.setattr(made, "is_available", lambda: True)
    return calls


def ended(office: Office, clock: SimulatedClock) -> str:
    """A game that its players have drawn."""
    record, players, _ = begin(office)
    for power, actor in players.items():
        submissions.submit(office, actor, record.key, power, write(VoteDraw()))
    passes(office, clock, timedelta(days=30))
    assert games.game(office, CONSOLE, record.key).state == "ended"
    return record.key


def test_it_is_made_once_by_the_worker_for_all(
    office: Office, clock: SimulatedClock, called: list[tuple[Any, ...]]
) -> None:
    key, anna = ended(office, clock), person(office, "Anna")
    assert retrospects.retrospect(office, VISITOR, key).state == "none"
    refuses(SignInNeededError, retrospects.ask, office, VISITOR, key)
    assert retrospects.ask(office, anna, key).state == "waiting"
    assert retrospects.retrospect(office, anna, key).state == "waiting" and not called
    assert retrospects.ask(office, anna, key).state == "waiting"
    work.run_due(office)
    found = retrospects.retrospect(office, VISITOR, key)
    assert (found.state, list(found.turns)) == ("made", FOUND["turns"])
    assert retrospects.ask(office, anna, key).state == "made"
    work.run_due(office)
    assert [name for name, *_ in called] == ["legation.lab.analysis:analyze_saved"]


@pytest.mark.usefixtures("called")
def test_the_analysis_of_a_game_that_was_swept_away_is_not_another_s(office: Office, clock: SimulatedClock) -> None:
    """SQLite gives the number of a last row that is gone to the next one."""
    key, anna = ended(office, clock), person(office, "Anna")
    retrospects.ask(office, anna, key)
    work.run_due(office)
    assert retrospects.retrospect(office, anna, key).state == "made"
    alter(office, GameRow, {"ref": "0" * 32}, key=key)
    assert retrospects.retrospect(office, anna, key).state == "none"


@pytest.mark.long
def test_turns_do_not_wait_for_an_analysis(
    office: Office, clock: SimulatedClock, called: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, over, stop = threading.Event(), threading.Event(), threading.Event()

    def call(*_: object) -> object:
        begun.set()
        assert over.wait(60)
        return FOUND

    monkeypatch.setattr(made.ANALYSTS, "call", call)
    key, anna = ended(office, clock), person(office, "Anna")
    other, _, _ = begin(office, name="Another game", folk="Other", powers=0)
    retrospects.ask(office, anna, key)
    workers = start_workers(office, stop)
    assert begun.wait(60)
    clock.advance(timedelta(hours=47))
    while (turn := games.game(office, CONSOLE, other.key).turn) is not None and turn.number == 1:
        assert workers[0].is_alive() and not over.wait(0.02)
    state = health.health(office)
    assert state.late < health.LATE_SECONDS and state.good
    assert retrospects.retrospect(office, anna, key).state == "waiting"
    over.set()
    while retrospects.retrospect(office, anna, key).state != "made":
        assert not stop.wait(0.02)
    stop.set()
    for worker in workers:
        worker.join(60)


def test_nobody_has_every_game_analyzed_at_once(
    office: Office, clock: SimulatedClock, called: list[tuple[Any, ...]]
) -> None:
    anna, keys = person(office, "Anna"), []
    for n in range(made.MOST_WAITING + 1):
        record, _, _ = begin(office, name=f"Game {'abcdef'[n]}", folk=f"Folk{n}", powers=0)
        keys.append(record.key)
    alter(office, GameRow, {"state": "ended"}, key=keys)
    for key in keys[:-1]:
        assert retrospects.ask(office, anna, key).state == "waiting"
    refuses(LimitExceededError, retrospects.ask, office, anna, keys[-1]).match("3 games that you asked for wait")
    assert retrospects.ask(office, anna, keys[0]).state == "waiting"
    assert retrospects.ask(office, person(office, "Bob"), keys[-1]).state == "waiting"
    work.run_due(office)
    assert retrospects.ask(office, anna, keys[0]).state == "made"
    assert len(called) == len(keys)


def test_a_game_that_runs_is_not_looked_at(office: Office, called: list[tuple[Any, ...]]) -> None:
    record, _, host = begin(office)
    for ask in (retrospects.ask, retrospects.retrospect):
        refuses(NotAllowedError, ask, office, host, record.key).match("while the game is over")
    made.analyze_game(office, {"game": 1})  # even if work were due
    assert not called


def test_what_cannot_be_analyzed_is_told_and_not_tried_again(
    office: Office, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch, called: list[tuple[Any, ...]]
) -> None:
    def call(*_: object) -> object:
        raise ChildError("time", "it takes too long")

    key, anna = ended(office, clock), person(office, "Anna")
    monkeypatch.setattr(made.ANALYSTS, "call", call)
    retrospects.ask(office, anna, key)
    work.run_due(office)
    found = retrospects.ask(office, anna, key)
    assert (found.state, found.why) == ("failed", "it took too long")
