"""The client, against an office in the same process."""

import threading
from datetime import timedelta
from pathlib import Path
from random import Random

import httpx2
import pytest
from PIL import Image

from legation.bots import bot
from legation.client import Client, Refused, SeatError, play_as
from legation.judge import Ruleset
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.office import Office
from legation.office.operation import work
from legation.orders import Hold, Sheet
from legation.position import Position
from tests.client.conftest import seated
from tests.office.playing import passes, person


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
        passes(office, clock, timedelta(days=2))
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
        passes(office, clock, timedelta(days=4))
        assert [turn["state"] for turn in ann.turns(key)] == ["final", "open"]
        assert "A par" in ann.position(key, "1")["units"]["France"]


@pytest.mark.parametrize("content", [b"<html>the proxy is tired</html>", b'["no", "problem"]'])
def test_an_answer_that_is_no_problem_of_the_office_is_still_a_refusal(content: bytes) -> None:
    transport = httpx2.MockTransport(lambda _: httpx2.Response(502, content=content))
    with Client("https://office.example", transport=transport) as client, pytest.raises(Refused) as caught:
        client.game("naseby")
    assert caught.value.status == 502


def test_a_call_that_is_led_elsewhere_is_a_refusal_and_takes_no_token_there() -> None:
    asked: list[httpx2.Request] = []

    def lead(request: httpx2.Request) -> httpx2.Response:
        asked.append(request)
        return httpx2.Response(307, headers={"location": "https://evil.example/api/v1/games/naseby"}, content=b"moved")

    with Client("https://office.example", "secret", transport=httpx2.MockTransport(lead)) as client:
        for method in ("GET", "POST"):
            with pytest.raises(Refused) as caught:
                client.call(method, "/games/naseby")
            assert caught.value.status == 307
    assert {request.url.host for request in asked} == {"office.example"}


class LosingAnswers(httpx2.HTTPTransport):
    """Carries every call to the office, and loses the first answer to each: the connection ends."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error
        self.seen: set[tuple[str, str]] = set()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        answer = super().handle_request(request)
        if (call := (request.method, request.url.path)) in self.seen:
            return answer
        self.seen.add(call)
        answer.close()
        raise self.error


@pytest.mark.parametrize("error", [httpx2.ReadError("reset"), httpx2.RemoteProtocolError("no answer")])
def test_a_call_whose_answer_is_lost_is_made_once_more_and_counts_once(
    office: Office, address: str, tmp_path: Path, error: Exception
) -> None:
    sheet = tmp_path / "sheet.png"
    Image.new("RGB", (300, 400), "white").save(sheet)
    settings = {"coordinated": True}
    seats = {"England": "bot:hold", "Burgundy": "bot:hold"}
    with (
        Client(address, token(office, "Host"), transport=LosingAnswers(error)) as host,
        Client(address, token(office, "Ann"), transport=LosingAnswers(error)) as ann,
    ):
        host.create("Castillon", "hundred", seats=seats, settings=settings)
        assert [game["key"] for game in host.games(mine=True)] == ["castillon"]
        ann.sign_up("castillon", ["France"])
        host.start("castillon")
        assert ann.submit("castillon", "France", "A Paris - Anjou")["version"] == 1
        assert ann.submit_pictures("castillon", "France", [sheet])["version"] == 2
        assert len(ann.call("GET", "/games/castillon/seats/France/submissions")) == 2


@pytest.mark.parametrize(("token", "method", "tries"), [("", "POST", 1), ("", "GET", 2), ("secret", "POST", 2)])
def test_a_call_is_repeated_once_and_a_visitors_command_never(token: str, method: str, tries: int) -> None:
    calls: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        calls.append(request)
        raise httpx2.ReadError("reset")

    transport = httpx2.MockTransport(answer)
    with Client("https://office.example", token, transport=transport) as client, pytest.raises(httpx2.ReadError):
        client.call(method, "/games")
    assert len(calls) == tries
    assert len({call.headers.get("Idempotency-Key") for call in calls}) == 1


def played_on(office: Office, clock: SimulatedClock, said: list[str], stop: threading.Event) -> threading.Thread:
    """A thread that has the office work, and lets a day pass for each turn that the bot says it lost."""

    def pass_days() -> None:
        days = 0
        while not stop.wait(0.05):
            if sum("lost its move" in line for line in said) > days:
                clock.advance(timedelta(hours=25))
                days += 1
            work.run_due(office)

    thread = threading.Thread(target=pass_days)
    thread.start()
    return thread


@pytest.mark.long
def test_a_bot_plays_a_seat(office: Office, clock: SimulatedClock, address: str) -> None:
    key, secret = seated(office)
    said: list[str] = []
    asked: list[str] = []

    def moody(rules: Ruleset, view: Position, power: str, random: Random) -> Sheet:
        asked.append(str(view.turn))
        if len(asked) == 2:
            raise LookupError("no idea")
        if len(asked) == 3:
            return Sheet(power, (Hold("A", "lon"),))
        return bot("dumbbot")(rules, view, power, random)

    stop = threading.Event()
    thread = played_on(office, clock, said, stop)
    try:
        played = play_as(moody, f"{address}/games/{key}", token=secret, pause=0.02, turns=4, tell=said.append, seed="1")
    finally:
        stop.set()
        thread.join()
    assert (played.power, len(played.turns), played.faults) == ("France", 4, 2)
    assert any("LookupError: no idea" in line for line in said)
    record = games.game(office, Actor.visitor(), key)
    assert [seat.machine for seat in record.seats if seat.power == "France"] == [True]
    first = games.result(office, Actor.visitor(), key, "1")
    sheet = next(sheet for sheet in first.sheets if sheet.power == "France")
    assert any(" - " in str(order) for order in sheet.orders)


def test_a_seat_that_cannot_be_played_from_here(office: Office, clock: SimulatedClock, address: str) -> None:
    for wrong in ("castillon", "ftp://x/games/y", f"{address}/games/"):
        with pytest.raises(SeatError, match="is not the address of a game"):
            play_as("dumbbot", wrong)
    key, mine = seated(office, machines=False)
    other = token(office, "Other")
    with pytest.raises(SeatError, match="does not play any power"):
        play_as("dumbbot", f"{address}/games/{key}", token=other)
    with pytest.raises(Refused, match="Programs can't play"):
        play_as("dumbbot", f"{address}/games/{key}", token=mine)
    with pytest.raises(SeatError, match="no bot is called 'deepblue'"):
        play_as("deepblue", f"{address}/games/{key}", token=mine)
