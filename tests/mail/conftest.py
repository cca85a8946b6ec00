"""An office with its mail counter, on a simulated clock; mail that goes out is kept in a list."""

import contextlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from legation.mail import results
from legation.mail.composing import Papers
from legation.mail.mail_service import MailService
from legation.mail.sending import SendError
from legation.office.clock import SeededRandomSource, SimulatedClock
from legation.office.context import Actor
from legation.office.desk.mailroom import reply_address
from legation.office.office import Office, open_office
from legation.office.orders import submissions
from legation.office.records import GameRecord, SubmissionRecord
from legation.office.settings import Settings
from tests.mail.office_with_mail import OfficeWithMail
from tests.office.begun import copied, done_once
from tests.office.playing import begin

START = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


class Outbox:
    """A carrier that keeps what it takes; ``down`` makes it fail, for all mails if it is ``away``."""

    def __init__(self) -> None:
        self.sent: list[tuple[EmailMessage, str]] = []
        self.down = self.away = False

    def send(self, message: EmailMessage, sender: str, recipient: str) -> None:
        if self.down:
            raise SendError("421 nobody is here", away=self.away)
        self.sent.append((message, recipient))

    def close(self) -> None:
        """Nothing is open."""

    def to(self, recipient: str, kind: str = "") -> list[EmailMessage]:
        """What went to an address, of a kind if one is named."""
        return [m for m, r in self.sent if r == recipient and kind in ("", m["X-Legation"])]


class World(OfficeWithMail):
    """An office with a running game, and people who write to it."""

    def __init__(self, office: Office, clock: SimulatedClock, trusted: str, papers: Papers | None) -> None:
        self.office = office
        self.clock = clock
        self.outbox = Outbox()
        self.counter = MailService(office, self.outbox, trusted, papers)
        self.number = 0
        self.game: GameRecord
        self.players: dict[str, Actor]
        self.host: Actor

    def begin(self, variant: str = "hundred", **settings: Any) -> None:
        self.game, self.players, self.host = begin(self.office, variant, **settings)

    def address_of(self, power: str) -> str:
        return f"{self.players[power].name.lower()}@example.org"

    def reply_address(self, power: str) -> str:
        return reply_address(self.office, self.game.key, power, self.players[power].person)

    def mail(
        self, sender: str, to: str, text: str, subject: str = "Orders", files: tuple[tuple[str, bytes, str], ...] = ()
    ) -> EmailMessage:
        self.number += 1
        message = EmailMessage()
        message["From"] = sender
        message["To"] = to
        message["Subject"] = subject
        message["Message-ID"] = f"<{self.number}@example.org>"
        message.set_content(text)
        for name, data, kind in files:
            main, _, sub = kind.partition("/")
            message.add_attachment(data, maintype=main, subtype=sub, filename=name)
        return message

    def vouched(self, sender: str, text: str, subject: str = "Orders", *files: tuple[str, bytes, str]) -> EmailMessage:
        """A mail to the common address of which the office's own server says that it comes from where it says."""
        self.counter.trusted = "mx.example"
        message = self.mail(sender, "orders@office.example", text, subject, files)
        message["Authentication-Results"] = f"mx.example; dkim=pass header.d={sender.partition('@')[2]}"
        return message

    def deliver(self, message: EmailMessage) -> None:
        self.counter.receive(message.as_bytes(), ())
        self.settle()

    def passes(self, **time: float) -> None:
        """Let days, hours or minutes go by, with work done and mail sent."""
        self.clock.advance(timedelta(**time))
        self.settle()

    def write(self, power: str, text: str, subject: str = "Orders", *files: tuple[str, bytes, str]) -> str:
        """A holder's mail to the seat's own address; the text of the answers, in a line."""
        before = len(self.outbox.to(self.address_of(power)))
        self.deliver(self.mail(self.address_of(power), self.reply_address(power), text, subject, files))
        return in_a_line(*self.outbox.to(self.address_of(power))[before:])

    def told(self, whom: str, kind: str = "answer") -> str:
        """The last mail of a kind to a power's player, or to an address, in a line."""
        self.settle()
        address = whom if "@" in whom else self.address_of(whom)
        return in_a_line(self.outbox.to(address, kind)[-1])

    def versions(self, power: str) -> list[tuple[int, str, str]]:
        """Of what a power's player has sent for the present turn the versions, how they came, and what they are."""
        return [(sent.version, sent.kind, sent.standing) for sent in self.sheets(power)]

    def sheets(self, power: str) -> list[SubmissionRecord]:
        """What a power's player has sent for the present turn."""
        return submissions.mine(self.office, self.players[power], self.game.key, power)


def in_a_line(*messages: EmailMessage) -> str:
    """The plain text of messages, without the ends of its lines."""
    return " ".join(" ".join(map(body, messages)).split())


def body(message: EmailMessage) -> str:
    """The plain text of a message."""
    part = message.get_body(("plain",))
    assert part is not None
    text: str = part.get_content()
    return text


class Painted:
    """Stands for the painter: returns the SVG itself as picture and PDF."""

    def png_and_pdf(self, svg: str, width: int) -> tuple[bytes, bytes]:
        return svg.encode(), svg.encode()


@pytest.fixture(autouse=True)
def maps_not_painted() -> Iterator[None]:
    """Most mails with results are not looked at for their map, which takes a child process seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(results, "PAINTER", Painted())
        yield


@contextlib.contextmanager
def office_by_mail(
    folder: Path,
    request: pytest.FixtureRequest | None = None,
    *,
    seed: str = "mail",
    trusted: str = "",
    papers: Papers | None = None,
    **settings: Any,
) -> Iterator[World]:
    """An office with its mail, as long as the block runs; those of one test's ``request`` are copied where they were
    begun alike."""
    addresses = {"orders_address": "orders@office.example", "mail_from": "office@office.example"}
    given, clock = Settings(**{"settling": 0, **addresses, **settings}), SimulatedClock(START)
    with contextlib.closing(open_office(folder / "office", given, clock, SeededRandomSource(seed))) as office:
        yield World(office if request is None else copied(office, request), clock, trusted, papers)


@pytest.fixture(name="world")
def mail_world(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[World]:
    with office_by_mail(tmp_path, request) as made:

        def begun() -> tuple[Any, ...]:
            made.begin()
            made.settle()
            return made.game, made.players, made.host, tuple(made.outbox.sent)

        made.game, players, made.host, sent = done_once(made.office, "begun, and its mails sent", begun)
        made.players, made.outbox.sent[:] = dict(players), sent
        yield made
