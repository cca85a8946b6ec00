"""A seat of an office that is played from elsewhere, while the office fails, refuses or is away."""

import json
from importlib.util import find_spec
from typing import Any

import httpx2
import pytest

from legation.client import Client, play_as, playing
from legation.game import position_document
from legation.variants import load

ADDRESS = "https://office.example/games/naseby"


class Answering(httpx2.BaseTransport):
    """Answers for an office with one game; ``wrong`` is what goes wrong with the first call of a path."""

    def __init__(self, power: str, wrong: dict[str, httpx2.Response | Exception] | None = None) -> None:
        rules = load("standard")
        self.wrong = wrong or {}
        self.sent: list[str] = []
        self.record: dict[str, Any] = {
            "key": "naseby",
            "name": "Naseby",
            "state": "running",
            "turn": {"number": 1, "state": "open", "name": "Spring 1901 Movement"},
            "variant": "standard",
            "options": {},
            "rules_digest": rules.digest,
            "powers": [power],
            "position": position_document(rules, rules.opening()),
            "settings": {"press": []},
            "ending": None,
        }

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        call = request.url.path.rpartition("/")[2]
        if wrong := self.wrong.pop(call, None):
            if isinstance(wrong, Exception):
                raise wrong
            return wrong
        if call == "submissions":
            self.sent.append(json.loads(request.content)["text"])
        return httpx2.Response(200, json={"naseby": self.record, "check": {"lines": []}}.get(call, True))


def played(monkeypatch: pytest.MonkeyPatch, office: Answering) -> tuple[playing.SeatPlayed, list[str]]:
    monkeypatch.setattr(playing, "Client", lambda address, token: Client(address, token, transport=office))
    said: list[str] = []
    return play_as("hold", ADDRESS, token="x", pause=0.001, turns=1, tell=said.append), said


@pytest.mark.parametrize("call", ["check", "submissions", "ready"])
def test_an_office_that_is_away_for_a_moment_is_asked_again(call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    office = Answering("France", {call: httpx2.ConnectError("away")})
    told, _ = played(monkeypatch, office)
    assert (told.turns, told.faults, len(office.sent)) == (["Spring 1901 Movement"], 0, 1)


def test_a_sheet_that_the_office_refuses_is_a_lost_move(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = httpx2.Response(409, json={"detail": "The turn is closed."})
    told, said = played(monkeypatch, Answering("France", {"submissions": refused}))
    assert (told.faults, told.reason) == (1, "Spring 1901 Movement: The turn is closed.")
    assert said == ["France lost its move: Spring 1901 Movement: The turn is closed."]


@pytest.mark.skipif(find_spec("mcp") is None, reason="tools for language models need the extra 'mcp'")
def test_the_orders_of_a_fleet_at_one_of_two_coasts_are_those_of_its_province() -> None:
    from legation.client.tools import Seat

    with Client("https://office.example", "x", transport=Answering("Russia")) as client:
        seat = Seat(client, "naseby", "Russia")
        listed = seat.list_legal_orders("St Petersburg")
    assert list(listed) == ["stp/sc"] and "F stp/sc H" in listed["stp/sc"]
