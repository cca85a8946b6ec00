"""The demonstration: a game of every variant in mid-play, a seat for whoever looks at it, and a table that is open."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from legation.office.clock import SimulatedClock
from legation.office.context import Actor, CommandContext
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.office import Office, open_office
from legation.office.operation import demo
from legation.office.operation.work import sweep_guests
from legation.office.orders import submissions
from legation.office.settings import Settings
from legation.variants import names


def test_a_demonstration_is_made_once(tmp_path: Path) -> None:
    keys = demo.fill(tmp_path, Settings(settling=0), turns=2)
    office = open_office(tmp_path, Settings(settling=0))
    you = people.as_person(office, people.find(office, Actor.console(), demo.ADDRESS).id)
    *played, table = [games.game(office, you, key) for key in keys]
    assert [game.variant for game in played] == list(names())
    for game in played:
        assert game.state == "running" and len(game.powers) == 1
        assert game.turn is not None and game.turn.number == 3 and game.turn.deadline is not None
        assert game.turn.deadline > office.clock.now(), "the present turn is open to whoever looks"
        (own,) = (line for line in games.turns(office, you, game.key) if line.number == 1)
        assert own.state == "final"
        sent = submissions.mine(office, you, game.key, game.powers[0], "1")
        assert [line.channel for line in sent] == ["web"], "the demo player has ordered, too"
    assert table.state == "gathering" and len(table.seats) == min(len(game.seats) for game in played)
    office.close()
    assert demo.fill(tmp_path, Settings(settling=0)) == []


def test_guests_are_seated_though_all_names_were_given_before(
    office: Office, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guests' games are swept away after two days; their keys stay with the keeper, which gives a name once."""
    monkeypatch.setattr(demo, "MEETINGS", ("Peace",))
    monkeypatch.setattr(demo, "PLACES", ("Utrecht", "Lodi"))
    seen = set()
    for day in range(4):
        seen.add(demo.seat_guest(office, "hundred")[1])
        clock.advance(timedelta(days=4))
        with office.store.transaction() as tx:
            act = CommandContext(office, Actor.clock(), tx, "sweep", clock.now())
            assert sweep_guests(act) == 1, day
    assert len(seen) == 4 and {"peace-of-utrecht", "peace-of-lodi"} < seen
