"""Notifications to browsers: whose, of what, when; and the call of a push service, decrypted as the browser would."""

import base64
import contextlib
import hashlib
import http.server
import json
import os
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address, IPv6Address, ip_network
from pathlib import Path
from random import Random
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from structlog.testing import capture_logs

from legation.networks import is_public
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import bridges, desk, letters, pushes
from legation.office.errors import InvalidInputError, NotAllowedError, NotFoundError
from legation.office.game import processing
from legation.office.hosting import erasing, games, votes
from legation.office.identity import browsers, people
from legation.office.identity.browsers import public_key
from legation.office.office import Office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.preferences import Preferences
from legation.office.store.rows import BrowserRow, MailingRow
from legation.public_calls import Call, ForbiddenAddressError, carry, public_addresses
from legation.push import BridgeSender, PushSender, send_over_bridges, send_waiting
from tests.office.playing import alter, begin, counted, person, refuses, stored, the

ENDPOINT = "https://push.example.org/send/abc"


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Device:
    """A browser: its keys, and what it reads."""

    def __init__(self, name: str = "abc") -> None:
        self.endpoint = f"https://push.example.org/send/{name}"
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.point = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.secret = os.urandom(16)

    @property
    def subscription(self) -> dict[str, str]:
        return {"endpoint": self.endpoint, "p256dh": b64(self.point), "auth": b64(self.secret)}

    def read(self, body: bytes) -> dict[str, str]:
        plain = http_ece.decrypt(body, private_key=self.private, auth_secret=self.secret, version="aes128gcm")
        told: dict[str, str] = json.loads(plain)
        return told


class PushService:
    """A push service on this machine; ``status`` is what it answers."""

    def __init__(self, folder: Path) -> None:
        key, cert = folder / "key.pem", folder / "cert.pem"
        made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-keyout", str(key), "-out", str(cert), "-days", "2", "-subj", "/CN=push.example.org",
                "-addext", "subjectAltName=DNS:push.example.org"]  # fmt: skip
        subprocess.run(made, check=True, capture_output=True)
        self.status = 201
        self.dribbles = 0  # how often it wrote a little of an answer that never ends
        self.done = threading.Event()
        self.calls: list[tuple[str, dict[str, str], bytes]] = []
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                while service.dribbles and not service.done.wait(0.05):
                    self.wfile.write(b"HTTP/1.1 " if service.dribbles == 1 else b"x")
                    self.wfile.flush()
                    service.dribbles += 1
                service.calls.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                self.send_response(service.status)
                self.send_header("location", "https://127.0.0.1/")
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        secure = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        secure.load_cert_chain(cert, key)
        self.server.socket = secure.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.context = ssl.create_default_context(cafile=str(cert))

    def resolve(self, host: str) -> list[tuple[str, int]]:
        assert host == "push.example.org"
        return [("127.0.0.1", self.server.server_port)]


@pytest.fixture(name="service", scope="module")
def push_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PushService]:
    made = PushService(tmp_path_factory.mktemp("push"))
    yield made
    made.server.shutdown()
    made.server.server_close()


def waiting(office: Office) -> list[str]:
    return [row.kind for row in stored(office, MailingRow, channel="push", state="waiting")]


def count(office: Office) -> int:
    return counted(office, BrowserRow)


Seat = tuple[Actor, str, str]


def ann_plays(office: Office, device: Device, **settings: Any) -> tuple[Seat, Seat]:
    """A game that has begun, in which Ann plays, with a browser: she and another, each with the game and the power."""
    ann = person(office, "Player0")
    browsers.subscribe(office, ann, **device.subscription, label="Firefox")
    game, players, _ = begin(office, **settings)
    (own,) = (power for power, who in players.items() if who.person == ann.person)
    other = next(power for power in players if power != own)
    return (ann, game.key, own), (players[other], game.key, other)


def test_what_a_browser_reads(office: Office, clock: SimulatedClock, service: PushService) -> None:
    ann, other = ann_plays(office, device := Device(), ready_ends=False)
    sender = PushSender(office, service.resolve, service.context)
    service.calls.clear()
    service.status = 201
    assert send_waiting(office, sender) == 1
    (path, headers, body) = service.calls[0]
    assert path == "/send/abc"
    turn = {"title": "Powick Bridge", "body": "It’s your turn.", "url": "/games/powick-bridge", "tag": "powick-bridge"}
    assert device.read(body) == turn
    assert headers["content-encoding"] == "aes128gcm" and int(headers["ttl"]) <= 86400
    assert headers["topic"] != b64(hashlib.sha256(b"/games/powick-bridge turn").digest()[:24]), "a guess tests nothing"
    assert Vapid02.verify(headers["authorization"])
    assert headers["authorization"].endswith(f"k={public_key(office)}")
    claims = json.loads(base64.urlsafe_b64decode(headers["authorization"].split(".")[1] + "=="))
    assert claims["aud"] == "https://push.example.org" and claims["sub"].startswith("mailto:")
    assert send_waiting(office, sender) == 0
    letters.write(office, *other, [ann[2]], "Attack at dawn")
    votes.vote(office, *other, "pause")
    submissions.submit(office, *ann, "# secret plan")
    service.calls.clear()
    send_waiting(office, sender)
    clock.advance(timedelta(hours=25))
    work.run_due(office)
    send_waiting(office, sender)
    read = [device.read(body) for _, _, body in service.calls]
    assert {told["body"] for told in read} >= {"Results are out.", "It’s your turn.", "A letter came."}
    assert len({len(body) for _, _, body in service.calls}) == 1, "a length tells nothing"
    assert not any(word in repr(read) for word in ("dawn", "secret", "par", other[2]))


def test_what_is_not_true_any_more_does_not_come(office: Office, clock: SimulatedClock) -> None:
    ann, other = ann_plays(office, Device(), ready_ends=False)
    assert waiting(office) == ["turn"]
    submissions.submit(office, *ann, "# all hold")
    assert pushes.claim(office) == [] and waiting(office) == []
    letters.write(office, *other, [ann[2]], "Hello")
    clock.advance(timedelta(days=2))
    assert pushes.claim(office) == [], "what is older than a day"


def test_kinds_and_quiet_hours(office: Office, clock: SimulatedClock) -> None:
    ann, hour = person(office, "Player0"), clock.now()
    quiet = {"quiet_from": f"{hour:%H:%M}", "quiet_to": f"{hour + timedelta(hours=3):%H:%M}", "zone": "UTC"}
    people.set_preferences(office, ann, {"unpushed": ["letter"], **quiet})
    (_, _, own), other = ann_plays(office, Device())
    letters.write(office, *other, [own], "Hello")
    assert waiting(office) == ["turn"] and pushes.claim(office) == []
    clock.advance(timedelta(hours=3, minutes=1))
    people.set_preferences(office, ann, {"language": "de"})
    assert [push.body for push in pushes.claim(office)] == ["Du bist am Zug."]
    for wrong in ({"unpushed": ["gossip"]}, {"quiet_from": "25:00", "quiet_to": "07:00"}, {"quiet_to": ""}):
        refuses(InvalidInputError, people.set_preferences, office, ann, wrong)


@pytest.mark.parametrize("mails", [True, False])
def test_a_coordinator_s_browser_tells_that_something_waits_on_the_desk(
    office: Office, clock: SimulatedClock, service: PushService, mails: bool
) -> None:
    """Whether mails about it are wanted or not; not in quiet hours, nor once it is done."""
    game, _, boss = begin(office, coordinated=True, approve=True, ready_ends=False)
    device, sender = Device(), PushSender(office, service.resolve, service.context)
    browsers.subscribe(office, boss, **device.subscription)
    ends = clock.now() + timedelta(hours=30)
    people.set_preferences(
        office, boss, {"quiet": [] if mails else ["desk"], "quiet_from": "00:00", "quiet_to": f"{ends:%H:%M}"}
    )
    assert waiting(office) == []
    clock.set(ends - timedelta(hours=1))
    work.run_due(office)
    assert [item.kind for item in desk.items(office, boss)] == ["publish"] and send_waiting(office, sender) == 0
    clock.set(ends)
    work.run_due(office)
    service.calls.clear()
    assert send_waiting(office, sender) == 1
    told = device.read(service.calls[0][2])
    assert told == {"title": "Legation", "body": "Something waits on your desk.", "url": "/desk", "tag": "desk"}
    clock.advance(timedelta(days=1))
    work.run_due(office)
    processing.publish_draft(office, boss, game.key)
    assert send_waiting(office, sender) == 0, "done before it was told again"
    people.set_preferences(office, boss, {"unpushed": ["desk"]})
    clock.advance(timedelta(days=3))
    work.run_due(office)
    assert desk.items(office, boss) and waiting(office) == []


@pytest.mark.parametrize(
    ("at", "wakes"),
    [
        ("2026-03-02T21:30", "2026-03-03T06:00"),  # 22:30 in Paris, to 07:00 there
        ("2026-03-02T03:00", "2026-03-02T06:00"),
        ("2026-03-02T06:00", "2026-03-02T06:00"),
        ("2026-03-02T20:59", "2026-03-02T20:59"),
        ("2026-03-28T23:00", "2026-03-29T05:00"),  # the clocks go forward that night
    ],
)
def test_quiet_hours_are_those_of_the_zone(at: str, wakes: str) -> None:
    preferences = Preferences(quiet_from="22:00", quiet_to="07:00", zone="Europe/Paris")
    when = datetime.fromisoformat(at).replace(tzinfo=UTC)
    assert preferences.wakes(when) == datetime.fromisoformat(wakes).replace(tzinfo=UTC)
    gone = Preferences(quiet_from="00:00", quiet_to="23:59", zone="Europe/Atlantis")  # as a zone that was taken away
    assert gone.wakes(when).utcoffset() == timedelta(0)


@pytest.mark.parametrize(
    "address",
    ["http://push.example.org/x", "https://localhost/x", "https://127.0.0.1/x", "https://[::1]/x", "https://10.0.0.1/x",
     "https://push.example.org:8443/x", "https://user@push.example.org/x", "https://intranet/x", "https://nas.local/x",
     "https://db.internal/", "https://printer.lan/", "https://2130706433/x", "https://0x7f.1/x", "ftp://example.org/",
     "https://push.example.org/\r\nHost: x", "file:///etc/passwd", "https://", "",
     "https://push.example.org/" + "x" * 1000],
)  # fmt: skip
def test_no_address_that_is_given_leads_into_a_private_network(office: Office, address: str) -> None:
    ann, given = person(office, "Ann"), {**Device().subscription, "endpoint": address}
    refuses(InvalidInputError, browsers.subscribe, office, ann, **given)
    refuses(InvalidInputError, bridges.add_own, office, ann, address)
    assert bridges.own(office, ann) == []


def test_keys_that_are_none(office: Office) -> None:
    ann, good = person(office, "Ann"), Device().subscription
    for wrong in ({"p256dh": b64(b"\x04" + bytes(64))}, {"p256dh": "x"}, {"auth": b64(bytes(15))}, {"auth": "é"}):
        refuses(InvalidInputError, browsers.subscribe, office, ann, **{**good, **wrong})


REGISTERED = """
    0.0.0.0/8 0.0.0.0/32 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.0.0/29
    192.0.0.8/32 192.0.0.9/32 192.0.0.10/32 192.0.0.170/32 192.0.0.171/32 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24
    192.88.99.0/24 192.88.99.2/32 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24
    240.0.0.0/4 255.255.255.255/32
    ::1/128 ::/128 ::ffff:0:0/104 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001::/32 2001:1::1/128 2001:1::2/128
    2001:1::3/128 2001:2::/48 2001:3::/32 2001:4:112::/48 2001:10::/28 2001:20::/28 2001:30::/28 2001:db8::/32 2002::/16
    2620:4f:8000::/48 3fff::/20 5f00::/16 fc00::/7 fe80::/10
"""
"""The blocks of IANA's two special-purpose registries (RFC 6890 and its updates, to RFC 9780), as of 2025-10; of the
mapped and translated ones those that stand for blocks of IPv4."""


def test_what_is_on_a_public_network_is_called_and_no_block_of_the_special_purpose_registries() -> None:
    for number in ("93.184.216.34", "2606:4700::1", "2a00:1450::1", "64:ff9b::93.184.216.34", "::ffff:93.184.216.34"):
        assert is_public(number)
    for block in map(ip_network, REGISTERED.split()):
        for address in (block[0], block[-1]):
            assert not is_public(str(address)), block
    for number in ("64:ff9b::192.0.0.8", "::ffff:203.0.113.7", "64:ff9b::10.0.0.1", "::10.0.0.1", "::8.8.8.8",
                   "fec0::1", "224.0.0.1", "ff02::1", "fe80::1%eth0", "4000::1"):  # fmt: skip
        assert not is_public(number), number


def test_python_knows_no_special_address_that_is_called() -> None:
    chance = Random(48)
    for kind, bits in ((IPv4Address, 32), (IPv6Address, 128)):
        for number in range(20_000):
            lead = chance.getrandbits(16) if number % 2 else 0x2001  # special blocks of IPv6 lie close together
            address = kind(lead << (bits - 16) | chance.getrandbits(bits - 16))
            if is_public(str(address)):
                assert address.is_global and not address.is_multicast and not address.is_reserved, address


def test_private_networks_are_not_called(monkeypatch: pytest.MonkeyPatch, office: Office) -> None:
    """An address whose name was public when it was given is checked by its numbers, at each call."""
    for family, number in ((2, "169.254.169.254"), (10, "::ffff:10.0.0.1")):
        told = [(family, 1, 6, "", (number, 443)), (2, 1, 6, "", ("93.184.216.34", 443))]
        monkeypatch.setattr("socket.getaddrinfo", lambda *_, told=told, **__: told)
        refuses(ForbiddenAddressError, public_addresses, "push.example.org")
    ann = person(office, "Player0")
    browsers.subscribe(office, ann, **Device().subscription)
    bridges.add_own(office, ann, "https://push.example.org/hook")
    begin(office)
    with capture_logs() as lines:
        assert send_waiting(office, PushSender(office)) == send_over_bridges(office, BridgeSender()) == 0
    assert {line["error"] for line in lines if "not sent" in line["event"]} == {"ForbiddenAddressError"}
    tried_again = stored(office, MailingRow, channel=["push", "bridge"], state="waiting")
    assert {(row.kind, row.attempts) for row in tried_again} == {("turn", 1), ("test", 1)}


def test_gone_and_unreachable_browsers(office: Office, clock: SimulatedClock, service: PushService) -> None:
    ann = person(office, "Player0")
    browsers.subscribe(office, ann, **Device().subscription)
    begin(office)
    sender = PushSender(office, service.resolve, service.context)
    for status in (500, 301, 429):  # 301: no redirect is followed
        service.status = status
        assert send_waiting(office, sender) == 0 and count(office) == 1
        clock.advance(timedelta(hours=1))
    service.status = 410
    assert send_waiting(office, sender) == 0 and count(office) == 0 and waiting(office) == []


@pytest.mark.parametrize(("longest", "late"), [(1.0, 0.0), (0.2, 0.4)])  # the time may be over before it is connected
def test_an_answer_that_never_ends_is_not_waited_for(
    office: Office, service: PushService, monkeypatch: pytest.MonkeyPatch, longest: float, late: float
) -> None:
    connect = socket.create_connection

    def connect_late(*given: Any) -> socket.socket:
        time.sleep(late)
        return connect(*given)

    monkeypatch.setattr(socket, "create_connection", connect_late)
    monkeypatch.setattr("legation.public_calls.LONGEST", longest)
    browsers.subscribe(office, person(office, "Player0"), **Device().subscription)
    begin(office)
    service.done.clear()
    service.dribbles = 1
    try:
        assert send_waiting(office, PushSender(office, service.resolve, service.context)) == 0
        assert service.dribbles > 1 or late
    finally:
        service.done.set()
        service.dribbles = 0


def test_a_handshake_that_never_ends_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("legation.public_calls.LONGEST", 0.4)
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def drip() -> None:
            connection, _ = listening.accept()
            with connection, contextlib.suppress(OSError):
                connection.sendall(b"\x16\x03\x03\x40\x00")  # a record of 16 kB begins
                while True:
                    connection.sendall(b"\0")
                    time.sleep(0.05)

        threading.Thread(target=drip, daemon=True).start()
        call = Call("https://push.example.org/send", b"", {})
        with pytest.raises(OSError):
            carry(call, lambda host: [("127.0.0.1", listening.getsockname()[1])], ssl.create_default_context())


def test_a_failure_undoes_no_command(office: Office) -> None:
    """A notification is a row beside the others; a locked or damaged subscription is forgotten when it is sent."""
    ann = person(office, "Player0")
    browsers.subscribe(office, ann, **Device().subscription)
    alter(office, BrowserRow, {"content": b"damaged"}, person=ann.person)
    game, _, _ = begin(office)
    assert games.game(office, ann, game.key).state == "running"
    assert pushes.claim(office) == [] and count(office) == 0


@pytest.mark.parametrize("damage", [{"facts": b"damaged"}, {"kind": "of no kind"}])
def test_a_notification_that_cannot_be_read_stops_no_other(office: Office, damage: dict[str, Any]) -> None:
    for name in ("Player0", "Player1"):
        browsers.subscribe(office, person(office, name), **Device(name).subscription)
    begin(office)
    first, _ = stored(office, MailingRow, channel="push", state="waiting")
    alter(office, MailingRow, damage, id=first.id)
    assert [push.kind for push in pushes.claim(office)] == ["turn"]
    assert the(office, MailingRow, first.id).state == "needless"


def test_whose_a_browser_is(office: Office) -> None:
    ann, bob, device = person(office, "Ann"), person(office, "Bob"), Device()
    made = browsers.subscribe(office, ann, **device.subscription)
    browsers.subscribe(office, bob, **device.subscription)  # the same browser, another person
    assert browsers.browsers(office, ann) == []
    refuses(NotFoundError, browsers.remove, office, ann, browsers.browsers(office, bob)[0].id)
    refuses(NotFoundError, browsers.remove, office, ann, made.id)
    for number in range(15):
        browsers.subscribe(office, ann, **Device(str(number)).subscription)
    assert len(browsers.browsers(office, ann)) == 10
    kept = stored(office, BrowserRow)
    assert not any(word in repr(row) for row in kept for word in ("push.example", device.subscription["auth"]))
    session = people.start_session(office, Actor.clock(), bob.person or 0)
    signed_in = people.by_secret(office, session.secret)
    browsers.subscribe(office, signed_in, **Device("session").subscription)
    assert len(browsers.browsers(office, bob)) == 2
    people.end(office, bob, session.id)
    assert len(browsers.browsers(office, bob)) == 1, "a browser gets nothing after it has signed out"
    token = people.make_token(office, bob, "a script", ("me",))
    browsers.subscribe(office, people.by_secret(office, token.secret), **Device("token").subscription)
    people.end(office, bob, token.id)
    assert len(browsers.browsers(office, bob)) == 1, "nor after the token was ended that asked for it"
    assert "push.example" not in repr(people.export(office, ann))
    erasing.erase(office, ann)
    assert count(office) == 3
    office.settings.push = False
    refuses(NotAllowedError, browsers.subscribe, office, bob, **device.subscription)
