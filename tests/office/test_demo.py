"""The demonstration: a game of every variant in mid-play, a seat for whoever looks at it, and a table that is open."""

from __future__ import annotations

from pathlib import Path

from legation.office import Actor, Settings, demo, games, open_office, people, submissions
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
