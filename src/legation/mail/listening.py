"""The office's own mail server: an SMTP or LMTP server that takes mail for its addresses and for no others.

A mail is accepted only after it was filed. Where the office cannot file it just now the sender's server is told to try
again (4xx), so nothing is lost. Anybody may hand a mail in, with whatever fields above it: what the trusted server says
of a mail is believed only where that server itself handed it in."""

from __future__ import annotations

import asyncio
import ipaddress
import ssl
from asyncio import TimerHandle
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast

import structlog
from aiosmtpd.controller import Controller
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session, syntax

from legation.mail.parsing import MOST_LINES, count_lines
from legation.mail.vouching import from_elsewhere
from legation.networks import network

LARGEST_MAIL = 20_000_000  # bytes; to take one apart asks for 180 MB
MOST_PASSED_OVER = 3 * LARGEST_MAIL  # bytes of a larger one, before its sender is cut off
MOST_HELD = 200_000_000  # bytes of mails that are on their way in at the same time
ALWAYS_HELD = 1_000_000  # bytes of a mail that are taken however many are held: orders are far shorter
MOST_RECIPIENTS = 20
PIECE = 1_000_000  # bytes that are read at once, more than the connection holds ready
END = b"\r\n.\r\n"  # of a mail
MOST_OPEN = 300  # connections at the same time
MOST_OF_ONE = 20  # of one network, but by LMTP, where the one mail server beside the office hands in all
LONGEST = 900.0  # seconds for all that is said in one connection; five minutes without a line (RFC 5321, 4.5.3.2.7)

Receive = Callable[[bytes, tuple[str, ...]], None]
Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network
THIS_MACHINE = ("127.0.0.1", "::1")
log = structlog.get_logger("legation.mail")


class TryAgain(Exception):
    """A temporary failure: the mail can't be filed now, and the sender's server keeps it."""


def networks(hosts: Sequence[str]) -> tuple[Network, ...]:
    """Parse addresses of machines (``10.0.0.5``) and of networks (``10.0.0.0/8``). Raises ValueError for what is
    neither."""
    return tuple(ipaddress.ip_network(host, strict=False) for host in hosts)


class SmtpHandler:
    """Takes mails and hands them to ``receive`` with their recipients; ``ours`` tells which addresses are the office's.

    ``trusted`` names the server whose word is believed, of mails that come from its ``hosts``; empty: no server's is.
    """

    def __init__(
        self, receive: Receive, ours: Callable[[str], bool], trusted: str = "", hosts: Sequence[str] = THIS_MACHINE
    ) -> None:
        self.receive = receive
        self.ours = ours
        self.trusted = trusted
        self.hosts = networks(hosts)

    def is_of_trusted(self, session: Session) -> bool:
        """Whether the trusted server is at the other end of a connection."""
        try:
            there = ipaddress.ip_address(str((session.peer or ("",))[0]))
        except ValueError:
            return False
        there = getattr(there, "ipv4_mapped", None) or there
        return any(there in network for network in self.hosts)

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accept recipients of this office only; never relay."""
        if not self.ours(address.lower()):
            return "550 5.1.1 there is no such address here"
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return "452 4.5.3 too many recipients"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """File a mail, and answer that it is kept."""
        data = envelope.content or b""
        assert isinstance(data, bytes)
        if count_lines(data) > MOST_LINES:
            log.warning("mail of too many lines", bytes=len(data))
            return f"554 5.6.0 a mail may have {MOST_LINES:,} lines; send photographs as JPEG, and texts as plain text"
        if self.trusted and not self.is_of_trusted(session):
            data = from_elsewhere(data, self.trusted)
        if not envelope.mail_from:  # what nobody sent is a report or a machine's answer
            data = b"Return-Path: <>\r\n" + data
        try:
            await asyncio.to_thread(self.receive, data, tuple(envelope.rcpt_tos))
        except TryAgain as error:
            log.warning("mail deferred", reason=str(error))
            return "451 4.3.0 the office cannot take mail just now; try again"
        except Exception:
            log.exception("mail failed")
            return "451 4.3.0 the office cannot take this mail just now; try again"
        return "250 2.0.0 filed"


TOO_LARGE = f"552 5.3.4 a mail may have {LARGEST_MAIL // 10**6} MB; send fewer photographs, or smaller ones"
TOO_MANY = "452 4.3.1 the office takes in too many large mails just now; try again"


class _RefusedError(Exception):
    """A mail that is not taken; the message is the answer."""


class _Bounded(SMTP):
    """SMTP for whom a connection does not take for ever: a count of those that are open (``open_by`` network), a time
    for each, and a bound of what all of them hold (``held``, bytes by connection)."""

    _from: str | None = None
    _watch: TimerHandle | None = None

    def __init__(
        self, handler: SmtpHandler, open_by: Counter[str], held: Counter[SMTP], of_one: int, **options: Any
    ) -> None:
        super().__init__(handler, **options)
        self.open_by = open_by
        self.held = held
        self.of_one = of_one

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport = cast(asyncio.Transport, transport)
        super().connection_made(transport)
        if self._from is not None:  # the same connection, encrypted from now on
            return
        self._from = network(str((transport.get_extra_info("peername") or ("",))[0]))
        self.open_by[self._from] += 1
        if self.open_by[self._from] > self.of_one or self.open_by.total() > MOST_OPEN:
            transport.abort()
            return
        self._watch = self.loop.call_later(LONGEST, transport.abort)

    @syntax("DATA")
    async def smtp_DATA(self, arg: str) -> None:
        """Take a mail in pieces: line by line, as the library does, a mail of short lines takes half a minute."""
        if await self.check_helo_needed() or await self.check_auth_needed("DATA"):
            return
        envelope = self.envelope
        assert envelope is not None and self.session is not None
        if not envelope.rcpt_tos:
            await self.push("503 Error: need RCPT command")
            return
        if arg:
            await self.push("501 Syntax: DATA")
            return
        await self.push("354 End data with <CR><LF>.<CR><LF>")
        try:
            envelope.content = await self._mail()
            status = await self.event_handler.handle_DATA(self, self.session, envelope)
        except _RefusedError as error:
            status = str(error)
        finally:
            self.held.pop(self, None)
        answers = self.answers(status, len(envelope.rcpt_tos))
        self.envelope = self._create_envelope()
        await self.push(answers)

    def answers(self, status: str, recipients: int) -> str:
        """The answer to a mail for so many recipients: one line, whose status holds for all."""
        return status

    async def _mail(self) -> bytes:
        """Return what comes until the line of a dot, without the dots that hide others (RFC 5321, 4.5.2). A mail that
        goes on and on is cut off. Raises _RefusedError for one that is too large, or that comes while too much is held
        already."""
        mail, passed_over, refusal = bytearray(b"\r\n"), 0, ""
        while True:
            piece = await self._reader.read(PIECE)
            if not piece:
                raise ConnectionResetError
            start = max(0, len(mail) - len(END) + 1)
            mail += piece
            end = mail.find(END, start)
            if end >= 0:
                break
            self.held[self] = len(mail)
            if len(mail) > LARGEST_MAIL:
                refusal = TOO_LARGE
            elif len(mail) > ALWAYS_HELD and self.held.total() > MOST_HELD:
                refusal = refusal or TOO_MANY
            if refusal:
                passed_over += len(mail)
                del mail[: 1 - len(END)]
            if passed_over > MOST_PASSED_OVER:
                cast(asyncio.Transport, self.transport).abort()
        self._reader.feed_data(mail[end + len(END) :])  # nothing else is there: all was read
        if refusal or end > LARGEST_MAIL:
            raise _RefusedError(refusal or TOO_LARGE)
        return bytes(mail[: end + 2].replace(b"\r\n.", b"\r\n")[2:])

    def connection_lost(self, error: Exception | None) -> None:
        if self._watch is not None:
            self._watch.cancel()
        if self._from is not None:
            self.open_by[self._from] -= 1
            if self.open_by[self._from] <= 0:
                del self.open_by[self._from]
            self._from = None
        super().connection_lost(error)


class _BoundedLmtp(_Bounded, LMTP):
    """The same for a mail server of our own, which hands mails on."""

    def answers(self, status: str, recipients: int) -> str:
        """One line for each (RFC 2033, 4.2)."""
        return "\r\n".join([status] * recipients)


class Listener(Controller):
    """An SMTP server in its own thread; ``with Listener(...)`` runs it."""

    def __init__(
        self, handler: SmtpHandler, host: str, port: int, *, lmtp: bool = False, secure: ssl.SSLContext | None = None
    ) -> None:
        self.kind, self.of_one = (_BoundedLmtp, MOST_OPEN) if lmtp else (_Bounded, MOST_OF_ONE)
        self.open_by: Counter[str] = Counter()
        self.held: Counter[SMTP] = Counter()
        options: dict[str, Any] = {"data_size_limit": LARGEST_MAIL, "enable_SMTPUTF8": True, "tls_context": secure}
        super().__init__(handler, hostname=host, port=port, ident="Legation", **options)

    def factory(self) -> SMTP:
        """Return the server of one connection."""
        return self.kind(self.handler, self.open_by, self.held, self.of_one, **self.SMTP_kwargs)

    def __enter__(self) -> Listener:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def certificate(chain: str, key: str) -> ssl.SSLContext | None:
    """The certificate for STARTTLS; None where none is set. Raises ValueError if the files cannot be read."""
    if not chain:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(chain, key or None)
    except OSError as error:
        raise ValueError(f"the certificate {chain} cannot be read ({error.strerror})") from None
    return context
