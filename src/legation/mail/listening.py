"""The office's own ear: an SMTP or LMTP server that takes mail for its addresses and for no others.

A mail is accepted only after it was filed. Where the office cannot file it just now the sender's server is told to try
again (4xx), so nothing is lost.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from typing import Any

import structlog
from aiosmtpd.controller import Controller
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

LARGEST_MAIL = 40_000_000  # bytes
MOST_RECIPIENTS = 20


Receive = Callable[[bytes, tuple[str, ...]], None]
log = structlog.get_logger("legation.mail")


class TryAgain(Exception):
    """A temporary failure: the mail can't be filed now, and the sender's server keeps it."""


class SmtpHandler:
    """Takes mails and hands them to ``receive`` with their recipients;
    ``ours`` tells which addresses are the office's."""

    def __init__(self, receive: Receive, ours: Callable[[str], bool]) -> None:
        self.receive = receive
        self.ours = ours

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accept a recipient of the office, and no other: nothing is relayed."""
        if not self.ours(address.lower()):
            return "550 5.1.1 there is no such address here"
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return "452 4.5.3 too many recipients"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """File a mail, and answer that it is kept."""
        data = envelope.content or b""
        assert isinstance(data, bytes)
        try:
            await asyncio.to_thread(self.receive, data, tuple(envelope.rcpt_tos))
        except TryAgain as error:
            log.warning("mail deferred", reason=str(error))
            return "451 4.3.0 the office cannot take mail just now; try again"
        except Exception:
            log.exception("mail failed")
            return "451 4.3.0 the office cannot take this mail just now; try again"
        return "250 2.0.0 filed"


class Listener:
    """A server in a thread of its own; ``with Listener(...)`` runs it."""

    def __init__(
        self, ear: SmtpHandler, host: str, port: int, *, lmtp: bool = False, secure: ssl.SSLContext | None = None
    ) -> None:
        server: type[SMTP] = LMTP if lmtp else SMTP
        options: dict[str, Any] = {
            "data_size_limit": LARGEST_MAIL,
            "enable_SMTPUTF8": True,
            "ident": "Legation",
            "tls_context": secure,
        }

        class Here(Controller):
            """The controller of this kind of server."""

            def factory(self) -> SMTP:
                return server(self.handler, **self.SMTP_kwargs)

        self._controller = Here(ear, hostname=host, port=port, **options)
        self.host = host
        self.port = port

    def __enter__(self) -> Listener:
        self._controller.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._controller.stop()


def certificate(chain: str, key: str) -> ssl.SSLContext | None:
    """The certificate for STARTTLS; None where none is set.

    :raises ValueError: if the files cannot be read.
    """
    if not chain:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(chain, key or None)
    except OSError as error:
        raise ValueError(f"the certificate {chain} cannot be read ({error.strerror})") from None
    return context
