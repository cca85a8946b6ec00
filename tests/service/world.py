"""An office with all its counters on the wire, on a simulated clock: mail comes by SMTP and IMAP and leaves by SMTP,
programs call the API; whoever writes is a person with an address and a token."""

from __future__ import annotations

import contextlib
import imaplib
import io
import logging
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from unittest import mock

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from PIL import Image, ImageDraw

from legation import feeds
from legation.client import Client
from legation.mail.listening import Listener, SmtpHandler
from legation.mail.mail_service import MailService
from legation.mail.polling import Mailbox
from legation.mail.sending import Relay
from legation.office.clock import SeededRandomSource, SimulatedClock
from legation.office.context import Actor
from legation.office.desk.mailroom import reply_address
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.office import Office, open_office
from legation.office.records import Mailing
from legation.office.settings import Settings
from legation.print.enclosures import enclosures
from legation.web import create_app
from legation.web.api import application
from tests.mail.office_with_mail import OfficeWithMail, file_unseen
from tests.serving import free_port, served

ORDERS = "orders@office.example"
VOUCHING = "mx.office.example"


class Sink:
    """Where all mail of the office ends; ``mails`` are (recipient, message) in the order in which they came."""

    def __init__(self) -> None:
        self.mails: list[tuple[str, EmailMessage]] = []

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        assert isinstance(envelope.content, bytes)
        message = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        self.mails += [(recipient, message) for recipient in envelope.rcpt_tos]
        return "250 OK"

    def to(self, recipient: str, kind: str = "") -> list[str]:
        """The texts of what went to an address, of a kind if one is named; the last last."""
        return [" ".join(text_of(m).split()) for r, m in self.mails if r == recipient and kind in ("", m["X-Legation"])]


def text_of(message: EmailMessage) -> str:
    """The plain text of a message."""
    part = message.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


class Party:
    """A person: a name, an address, a token; in the API by ``client``."""

    def __init__(self, office: Office, name: str, base: str) -> None:
        self.name = name
        self.email = f"{name.lower()}@example.org"
        self.person = people.register(office, Actor.console(), name, self.email).id
        self.token = people.token_for(office, Actor.console(), self.person, "year").secret
        self.client = Client(base, self.token)


class Papers:
    """The papers that go with mails, set once for all mails of a kind about a turn: the other players' differ in names
    only, and to set them takes longer than the rest of the year."""

    def __init__(self) -> None:
        self.known: dict[tuple[str, str, str], list[tuple[str, bytes, str]]] = {}

    def __call__(self, office: Office, actor: Actor, mailing: Mailing) -> list[tuple[str, bytes, str]]:
        about = (mailing.kind, mailing.game, mailing.turn)
        if not self.known.get(about):
            self.known[about] = enclosures(office, actor, mailing)
        return self.known[about]


class Service(OfficeWithMail):
    """The office and its counters. What the office logs is kept in ``logged``."""

    def __init__(self, folder: Path, start: datetime) -> None:
        self.folder = folder
        self.clock = SimulatedClock(start)
        self.sink = Sink()
        self.sink_port, self.smtp_port, self.web_port, self.imap_port = (free_port() for _ in range(4))
        self.base = f"http://127.0.0.1:{self.web_port}"
        settings = Settings(
            settling=0,
            orders_address=ORDERS,
            mail_from="office@office.example",
            address=self.base,
            name="The Office",
            web={"warm": False},
        )
        self.office = open_office(folder, settings, self.clock, SeededRandomSource("year"))
        self.counter = MailService(self.office, Relay(f"smtp://127.0.0.1:{self.sink_port}?plain"), VOUCHING, Papers())
        self.mailbox = Mailbox(f"imap://demouser:demopass@127.0.0.1:{self.imap_port}/INBOX?plain")
        self.parties: dict[str, Party] = {}
        self.letters = 0

    def party(self, name: str) -> Party:
        """A person, known from now on."""
        return self.parties.setdefault(name, Party(self.office, name, self.base))

    # Time

    def wait(self, **length: float) -> None:
        """Let so much time go by."""
        self.until(self.clock.now() + timedelta(**length))

    # Mail

    def mail(
        self, sender: str, subject: str, text: str = "", picture: bytes = b"", *, to: str = ORDERS, vouched: bool = True
    ) -> EmailMessage:
        """A mail, as the provider's server hands it over: with its word on the sender."""
        self.letters += 1
        message = EmailMessage()
        if vouched:
            domain = sender.rpartition("@")[2]
            message["Authentication-Results"] = f"{VOUCHING}; dkim=pass header.d={domain}"
        message["From"], message["To"], message["Subject"] = sender, to, subject
        message["Message-ID"] = f"<{self.letters}.year@{sender.rpartition('@')[2]}>"
        message.set_content(text)
        if picture:
            message.add_attachment(picture, maintype="image", subtype="jpeg", filename="IMG_0001.jpg")
        return message

    def by_smtp(self, message: EmailMessage) -> None:
        """Deliver a mail to the office's own mail server."""
        relay = Relay(f"smtp://127.0.0.1:{self.smtp_port}?plain")
        relay.send(message, str(message["From"]), str(message["To"]))
        self.settle()

    def by_imap(self, message: EmailMessage) -> None:
        """Put a mail into the mailbox elsewhere and have the office look into it."""
        with imaplib.IMAP4("127.0.0.1", self.imap_port) as box:
            box.login("demouser", "demopass")
            box.append("INBOX", "", "", message.as_bytes())
        assert file_unseen(self.mailbox, self.counter.receive) == 1
        assert file_unseen(self.mailbox, self.counter.receive) == 0
        self.settle()

    def reply_address(self, game: str, power: str) -> str:
        """The address for answers of a seat's holder."""
        seats = games.game(self.office, Actor.console(), game).seats
        return reply_address(self.office, game, power, next(s.person for s in seats if s.power == power))

    def link(self, recipient: str, path: str) -> str:
        """The secret of the last link of a kind that was mailed to an address."""
        return [t for t in self.sink.to(recipient) if f"/{path}/" in t][-1].partition(f"/{path}/")[2].split()[0]

    # What is kept

    def everything_on_disk(self) -> bytes:
        """Every byte of the office's folder but its keys, the log among it."""
        with self.office.store.transaction(write=False):
            kept = [f for f in sorted(self.folder.rglob("*")) if f.is_file() and "keys" not in f.parts]
            return b"".join(f.read_bytes() for f in kept)


def photograph(text: str) -> bytes:
    """A photograph of a sheet, with the place where it was taken in it, as telephones do."""
    image = Image.new("RGB", (600, 400), "white")
    ImageDraw.Draw(image).multiline_text((20, 20), text, fill="black")
    exif = Image.Exif()
    exif[0x8825] = {1: "N", 2: (51.0, 45.0, 7.0)}
    exif[0x010F] = "Telephone"
    out = io.BytesIO()
    image.save(out, "JPEG", exif=exif)
    return out.getvalue()


@contextlib.contextmanager
def serve(folder: Path, start: datetime) -> Iterator[Service]:
    """The service while the block runs: a sink for mail, the office's mail server, an IMAP server, the site."""
    service = Service(folder, start)
    with contextlib.ExitStack() as stack:
        stack.callback(service.office.close)
        stack.enter_context(_logging_to(folder / "office.log"))
        sink = Controller(service.sink, hostname="127.0.0.1", port=service.sink_port, data_size_limit=10**8)
        sink.start()
        stack.callback(sink.stop)
        handler = SmtpHandler(service.counter.receive, service.counter.ours)
        stack.enter_context(Listener(handler, "127.0.0.1", service.smtp_port))
        stack.enter_context(_imap_server(service.imap_port))
        stack.enter_context(_site(service))
        yield service


@contextlib.contextmanager
def _logging_to(path: Path) -> Iterator[None]:
    """All that any room logs, in a file, as a server would keep it."""
    import structlog

    with path.open("w", encoding="utf-8") as file:
        handler = logging.StreamHandler(file)
        logging.getLogger().addHandler(handler)
        before = structlog.get_config()
        structlog.configure(logger_factory=structlog.PrintLoggerFactory(file))
        try:
            yield
        finally:
            structlog.configure(**before)
            logging.getLogger().removeHandler(handler)


@contextlib.contextmanager
def _imap_server(port: int) -> Iterator[None]:
    """pymap, an IMAP server on PyPI, with its mailbox in memory and emptied."""
    command = ["--host", "127.0.0.1", "--port", str(port), "--no-tls", "--no-service", "admin", "dict", "--demo-data"]
    # it keeps no hold of its connections, so that the garbage collector of Python 3.13 ends them while they wait
    program = "import gc; gc.disable(); from pymap.main import main; main()"
    server = subprocess.Popen(
        [sys.executable, "-c", program, *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(1200):  # a busy machine takes its time
            with contextlib.suppress(OSError), imaplib.IMAP4("127.0.0.1", port) as box:
                box.login("demouser", "demopass")
                box.select("INBOX")
                box.store("1:*", "+FLAGS", "\\Deleted")
                box.expunge()
                break
            assert server.poll() is None, "the IMAP server ended"
            time.sleep(0.1)
        else:
            raise AssertionError("the IMAP server never answered")
        yield
    finally:
        server.kill()  # it may wait for those who are still connected
        server.wait(10)


@contextlib.contextmanager
def _site(service: Service) -> Iterator[None]:
    """The site; months go by in a minute here, so what one may ask in a minute of real time is bounded elsewhere."""
    with mock.patch.multiple(application, CALLS_A_MINUTE=10**6, READS_A_MINUTE=10**6, WRITES_A_MINUTE=10**6):
        app = create_app(service.office)
    app.router.routes[:0] = feeds.serving.routes(service.office)
    with served(app, service.web_port, log_level="info", log_config=None):
        yield


def standing(client: Client, game: str, power: str) -> list[tuple[int, str, str]]:
    """A power's own versions in the present turn: number, kind, standing."""
    records: Sequence[dict[str, Any]] = client.call("GET", f"/games/{game}/seats/{power}/submissions")
    return [(r["version"], r["kind"], r["standing"]) for r in records]
