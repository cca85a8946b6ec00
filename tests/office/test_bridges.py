"""Bridges: what goes over one and what never does, where one may lead, and the call that is made."""

import base64
import hashlib
import hmac
import json
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import bridges, letters
from legation.office.errors import InvalidInputError, LimitExceededError, NotAllowedError, NotFoundError
from legation.office.game import journal, seats
from legation.office.hosting import erasing, games
from legation.office.identity import people
from legation.office.office import Office
from legation.office.orders import submissions
from legation.office.store.rows import BridgeRow, MailingRow
from legation.office.terms.bridge_targets import read_target
from legation.public_calls import Outcome
from legation.push import BridgeSender, send_over_bridges
from legation.push.sending import call_of, signature
from tests.office.fixtures import START
from tests.office.playing import CONSOLE, VISITOR, begin, counted, passes, person, refuses, send_all, stored
from tests.office.test_hidden_senders import World
from tests.office.test_pushes import PushService, push_service  # noqa: F401 - a fixture
from tests.rules.small_variant import write_foggy
from tests.waiting import wait_for

HOOK = "https://push.example.org/hook"
DISCORD = "https://discord.com/api/webhooks/123/secret-of-discord"
TELEGRAM = "telegram://123456:abcdefghijklmnopqrstuvwxyz_ABCDEF-1234/@channel"
MATRIX = "matrix://syt_token_of_matrix@matrix.example.org/!room:example.org"


class Taken:
    """A sender of messages that are taken, or not."""

    def __init__(self, outcome: Outcome = "reached") -> None:
        self.outcome: Outcome = outcome
        self.sent: list[bridges.Delivery] = []

    def send(self, delivery: bridges.Delivery) -> Outcome:
        self.sent.append(delivery)
        return self.outcome

    def all(self, office: Office) -> list[str]:
        """Send what waits; the answer is what was said."""
        self.sent.clear()
        while send_over_bridges(office, self):  # type: ignore[arg-type]
            pass
        return [delivery.message.text for delivery in self.sent]


@pytest.fixture
def taken() -> Taken:
    return Taken()


def in_game(office: Office, address: str = HOOK, *tells: str, **settings: Any) -> tuple[str, dict[str, Actor], Actor]:
    """A game with a bridge over which a test has gone."""
    game, players, host = begin(office, **settings)
    bridges.add(office, host, game.key, address, tells or ("results", "deadlines", "letters"))
    assert "This is a test" in Taken().all(office)[0]
    return game.key, players, host


@pytest.mark.parametrize(
    "address",
    ["slack+https://localhost/", "matrix://syt_token_of_matrix@localhost/!room:example.org", "telegram://nothing/chat",
     "matrix://syt_token_of_matrix@10.0.0.1/!r:e.org", "matrix://syt_token_of_matrix@matrix.org/#alias:example.org"],
)  # fmt: skip
def test_no_chat_service_is_in_a_private_network(address: str) -> None:
    refuses(InvalidInputError, read_target, address)


def test_a_slow_bridge_delays_no_other(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own messages wait for it, in their order."""
    monkeypatch.setattr("legation.push.service.PATIENCE", 0.05)
    ann, free = person(office, "Ann"), threading.Event()
    busy: dict[str, threading.Thread] = {}
    slow = bridges.add_own(office, ann, "https://slow.example.org/hook")

    class Slow(Taken):
        def send(self, delivery: bridges.Delivery) -> Outcome:
            if delivery.target.host == slow.host:
                free.wait(30)
            return super().send(delivery)

    sender: Any = Slow()
    assert send_over_bridges(office, sender, busy=busy) == 0 and len(busy) == 1
    bridges.test_own(office, ann, slow.id)
    quick = bridges.add_own(office, ann, HOOK)
    wait_for(lambda: send_over_bridges(office, sender, busy=busy) or sender.sent)
    assert {delivery.target.host for delivery in sender.sent} == {quick.host}
    free.set()
    wait_for(lambda: send_over_bridges(office, sender, busy=busy) == 0 and len(sender.sent) == 3)
    assert [d.row for d in sender.sent if d.target.host == slow.host] == sorted(
        d.row for d in sender.sent if d.target.host == slow.host
    )


def test_a_webhook_is_signed_and_goes_with_the_person(office: Office, service: PushService) -> None:
    ann = person(office, "Ann")
    made = bridges.add_own(office, ann, HOOK)
    service.status = 200
    service.calls.clear()
    assert send_over_bridges(office, BridgeSender(service.resolve, service.context)) == 1
    ((path, headers, body),) = service.calls
    assert path == "/hook" and json.loads(body)["type"] == "test"
    key = base64.b64decode(made.secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    right = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{right}"
    assert bridges.own(office, ann)[0].confirmed is not None and bridges.own(office, ann)[0].secret == ""
    # bridges go with the person
    erasing.erase(office, ann)
    assert stored(office, BridgeRow) == []
    assert Taken().all(office) == []


def test_the_signature_is_that_of_standard_webhooks() -> None:
    """The example of the specification's own test of its libraries."""
    body = b'{"test": 2432232314}'
    told = signature("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body)
    assert told == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_what_goes_over_a_games_bridge(office: Office, clock: SimulatedClock, taken: Taken) -> None:
    key, players, _ = in_game(office, ready_ends=False)
    send_all(office, games.game(office, CONSOLE, key), players, 1)
    passes(office, clock, timedelta(days=1))
    told = taken.all(office)
    assert [delivery.message.kind for delivery in taken.sent] == ["results"]
    assert "Powick Bridge: results of" in told[0] and "Orders for" in told[0]
    assert taken.sent[0].message.url.endswith(f"/games/{key}")
    letters.write(office, players["France"], key, "France", ["all"], "Peace to everybody! @everyone <!channel>")
    letters.write(office, players["France"], key, "France", ["England"], "A word between us.")
    (said,) = taken.all(office)
    assert "France to all" in said and "Peace to everybody!" in said and "between us" not in said
    assert not any(
        "between us" in repr(row) or "push.example.org/hook" in repr(row) for row in stored(office, BridgeRow)
    )


def test_nothing_that_is_not_public_to_all_goes(office: Office, clock: SimulatedClock, taken: Taken) -> None:
    """Private letters, who sends, who is ready, receipts, votes' ways: none leaves; an anonymous letter has no name."""
    key, players, _ = in_game(office, press=("public", "private", "anonymous"), anonymous=True, ready_ends=False)
    submissions.submit(office, players["France"], key, "France", "A par H")
    letters.write(office, players["France"], key, "France", ["England"], "between us")
    assert taken.all(office) == []
    letters.write(office, players["France"], key, "France", ["all"], "I am nobody", anonymous=True)
    (told,) = taken.all(office)
    assert "an anonymous player" in told and "France" not in told
    passes(office, clock, timedelta(days=1))
    whole = "".join(taken.all(office))
    assert whole and not any(name in whole for name in ("Player0", "Player1", "Player2", "example.org/hook"))


def test_in_the_fog_only_what_everybody_sees_goes(tmp_path: Path, taken: Taken) -> None:
    write_foggy(tmp_path)
    world = World(tmp_path / "office", tmp_path, "x", coordinated=True, ready_ends=False)
    office, key, host = world.office, world.key, world.host
    bridges.add(office, host, key, HOOK)
    taken.all(office)
    world.play()
    told = taken.all(office)[-1]
    seen, whole = (games.result(office, who, key).report for who in (VISITOR, host))
    assert taken.sent[-1].message.kind == "results" and seen in told and whole not in told
    office.close()


def test_nothing_goes_before_a_test_was_taken(office: Office, clock: SimulatedClock, taken: Taken) -> None:
    game, players, host = begin(office, ready_ends=False)
    bridges.add(office, host, game.key, HOOK)
    taken.outcome = "failed"
    letters.write(office, players["France"], game.key, "France", ["all"], "Hello")
    passes(office, clock, timedelta(days=1))
    for _ in range(9):
        taken.all(office)
        assert all(delivery.message.kind == "test" for delivery in taken.sent)
        clock.advance(timedelta(hours=15))
    assert bridges.bridges(office, host, game.key) == [], "what never answers is given up"
    assert counted(office, MailingRow, kind="bridge ended", person=host.person) == 1


def test_messages_are_tried_again_later_and_an_address_that_is_gone_ends_its_bridge(
    office: Office, clock: SimulatedClock, taken: Taken
) -> None:
    key, players, host = in_game(office)
    letters.write(office, players["France"], key, "France", ["all"], "Hello")
    taken.outcome = "failed"
    taken.all(office)
    first = taken.sent[0].message.id
    assert taken.all(office) == []
    clock.advance(timedelta(seconds=10))
    taken.all(office)
    assert [delivery.message.id for delivery in taken.sent] == [first], "the id is the same whenever it is tried"
    assert bridges.bridges(office, host, key)[0].failures == 2
    taken.outcome = "gone"
    clock.advance(timedelta(minutes=5))
    taken.all(office)
    assert bridges.bridges(office, host, key) == []


def test_nobody_floods_what_a_bridge_leads_to(office: Office, taken: Taken, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("legation.office.context.MOST_OVER_A_BRIDGE", 5)
    key, players, host = in_game(office)
    for number in range(9):
        letters.write(office, players["France"], key, "France", ["all"], f"Spam {number}")
    (bridge,) = bridges.bridges(office, host, key)
    bridges.test(office, host, key, bridge.id)
    assert len(taken.all(office)) == 4
    for _ in range(4):
        bridges.add(office, host, key, HOOK)
    refuses(LimitExceededError, bridges.add, office, host, key, HOOK)


def test_ones_own_bridge_tells_of_the_games_that_one_plays(office: Office, clock: SimulatedClock, taken: Taken) -> None:
    game, players, _ = begin(office, ready_ends=False)
    bridges.add_own(office, players["France"], DISCORD, ("letters",))
    bridges.add_own(office, person(office, "Eve"), HOOK, ("letters",))
    taken.all(office)
    letters.write(office, players["England"], game.key, "England", ["all"], "One")
    assert len(taken.all(office)) == 1 and taken.sent[0].target.kind == "discord"
    letters.write(office, players["England"], game.key, "England", ["all"], "Two")
    seats.resign(office, players["France"], game.key, "France")
    assert taken.all(office) == [], "nor after one has left, though it waited"


def test_whose_a_bridge_is(office: Office) -> None:
    key, players, host = in_game(office)
    (bridge,) = bridges.bridges(office, host, key)
    for other in (players["France"], person(office, "Eve")):
        refuses(NotAllowedError, bridges.bridges, office, other, key)
        refuses(NotAllowedError, bridges.add, office, other, key, HOOK)
        for ask in (bridges.remove, bridges.test):
            refuses(NotAllowedError, ask, office, other, key, bridge.id)
    own = bridges.add_own(office, players["France"], HOOK)
    for command in (bridges.remove_own, bridges.test_own):
        for number in (bridge.id, own.id):
            refuses(NotFoundError, command, office, players["England"], number)
    refuses(NotFoundError, bridges.remove, office, host, key, own.id)
    bridges.remove(office, host, key, bridge.id)
    said = [line.text for line in journal.entries(office, players["England"], key, newest=True, limit=3)]
    assert said[0] == "Messages no longer go to webhook." and "goes to another service, too: webhook." in said[1]
    kept = people.export(office, players["France"])
    assert kept["bridges"][0]["host"] == "push.example.org" and "/hook" not in repr(kept)
    office.settings.bridges = False
    refuses(NotAllowedError, bridges.add_own, office, players["France"], HOOK)


@pytest.mark.parametrize("address", [DISCORD, "https://hooks.slack.com/services/T0/B0/x", TELEGRAM, MATRIX])
def test_what_chat_services_get(address: str) -> None:
    text = "Peace, @everyone! <!channel> & <https://evil.example>" + "x" * 9000
    message = bridges.BridgeMessage("msg_1", "letter", START, text, url="https://o.example/games/g")
    target = read_target(address)
    call = call_of(bridges.Delivery(1, "bridge 1", "", target, "", message))
    said = json.loads(call.body)
    longest = {"discord": 2000, "slack": 40_000, "telegram": 4096, "matrix": 20_000}[target.kind]
    plain = said.get("content") or said.get("text") or said.get("body")
    assert len(plain) <= longest and plain.endswith("https://o.example/games/g")
    if target.kind == "discord":
        assert said["allowed_mentions"] == {"parse": []}
    if target.kind == "slack":
        assert "<" not in plain and said["mrkdwn"] is False
    if target.kind == "telegram":
        assert call.url.startswith("https://api.telegram.org/bot123456:") and said["chat_id"] == "@channel"
        assert "parse_mode" not in said
    if target.kind == "matrix":
        assert call.method == "PUT" and call.url.endswith("/rooms/%21room%3Aexample.org/send/m.room.message/msg_1")
        assert said["m.mentions"] == {} and call.headers["Authorization"] == "Bearer syt_token_of_matrix"
