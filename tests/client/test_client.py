"""The client, against an office in the same process."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import httpx2
import pytest
from PIL import Image

from legation.client import Client, Refused
from legation.office import Actor, Office, SimulatedClock, people, work
from legation.web import create_app
from tests.office.playing import person
from tests.serving import served


@pytest.fixture
def address(office: Office) -> Iterator[str]:
    with served(create_app(office)) as here:
        yield here


def token(office: Office, name: str) -> str:
    known = person(office, name)
    assert known.person is not None
    return people.token_for(office, Actor.console(), known.person, "client").secret


def test_a_game_is_made_played_and_exported(
    office: Office, clock: SimulatedClock, address: str, tmp_path: Path
) -> None:
    with Client(address, token(office, "Host")) as host:
        seats = {"England": "bot:hold", "Burgundy": "bot:hold"}
        made = host.create("Castillon", "hundred", seats=seats)
        host.sign_up(made["key"], ["France"])
        work.run_due(office)
        assert host.game("castillon")["state"] == "running"
        assert host.check("castillon", "France", "A par - orl")["orders"] == ["A par - orl"]
        receipt = host.submit("castillon", "France", "A Paris - Anjou")
        assert receipt["version"] == 1
        Image.new("RGB", (40, 40)).save(tmp_path / "sheet.png")
        with pytest.raises(Refused, match="runs itself"):
            host.submit_pictures("castillon", "France", [tmp_path / "sheet.png"])
        host.submit("castillon", "France", "A Paris - Anjou")
        clock.advance(timedelta(days=2))
        work.run_due(office)
        assert host.result("castillon", "1")["state"] == "final"
        assert host.saved_game("castillon")["turns"]
        assert [game["key"] for game in host.games(mine=True)] == ["castillon"]


def test_refusals_are_errors_with_the_office_s_words(office: Office, address: str) -> None:
    with Client(address) as visitor, pytest.raises(Refused) as caught:
        visitor.game("nowhere")
    assert caught.value.status == 404
    assert "nowhere" in caught.value.detail


def test_every_call_of_a_coordinator_and_a_player(office: Office, clock: SimulatedClock, address: str) -> None:
    with Client(address, token(office, "Host")) as host, Client(address, token(office, "Ann")) as ann:
        seats = {"England": "bot:hold", "Burgundy": "bot:hold"}
        settings = {"coordinated": True, "press": ["private"], "ready_ends": False}
        key = host.create("Castillon", "hundred", seats=seats, settings=settings)["key"]
        ann.sign_up(key, ["France"])
        assert host.start(key)["state"] == "running"
        assert "A par" in ann.position(key)["units"]["France"]
        assert ann.write(key, "France", ["England"], "Shall we meet?")["text"] == "Shall we meet?"
        assert ann.ready(key, "France") is False
        due = clock.now() + timedelta(days=3)
        assert host.extend(key, due, "the post is late")["deadline"].startswith(due.isoformat()[:16])
        with pytest.raises(Refused, match="sealed until the deadline"):
            host.process(key)
        assert host.desk(key) == []
        clock.advance(timedelta(days=4))
        work.run_due(office)
        assert [turn["state"] for turn in ann.turns(key)] == ["final", "open"]
        assert "A par" in ann.position(key, "1")["units"]["France"]


@pytest.mark.parametrize("content", [b"<html>the proxy is tired</html>", b'["no", "problem"]'])
def test_an_answer_that_is_no_problem_of_the_office_is_still_a_refusal(content: bytes) -> None:
    transport = httpx2.MockTransport(lambda _: httpx2.Response(502, content=content))
    with Client("https://office.example", transport=transport) as client, pytest.raises(Refused) as caught:
        client.game("naseby")
    assert caught.value.status == 502
