"""How mail leaves: through a relay by SMTP, or, where none is set, into a mailbox in the office's folder.

Signing (DKIM) is left to the relay. A message keeps its Message-ID through every attempt, so that a second attempt
cannot show twice in a mail program."""

import contextlib
import mailbox
import smtplib
import socket
import ssl
import threading
from email.message import EmailMessage
from email.policy import SMTP, SMTPUTF8
from functools import cache
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

TIMEOUT = 30.0  # seconds for one answer of the relay
LONGEST = 120.0  # seconds for all of a mail, however slowly the relay answers
AWAY = (smtplib.SMTPConnectError, smtplib.SMTPHeloError, smtplib.SMTPAuthenticationError, smtplib.SMTPSenderRefused)
"""What a relay says that takes no mail at all, from nobody or not from this office."""


class SendError(Exception):
    """A mail that did not leave. ``final``: trying again is of no use, as the address is no good. ``away``: the relay
    cannot be reached or takes no mail at all, so no other would leave either."""

    def __init__(self, message: str, *, final: bool = False, away: bool = False) -> None:
        super().__init__(message)
        self.final = final
        self.away = away


class MailTransport(Protocol):
    """A transport of outgoing mail."""

    def send(self, message: EmailMessage, sender: str, recipient: str) -> None:
        """Hand the message over. Raises SendError if it was not taken."""

    def close(self) -> None:
        """End the connection; the next message opens another."""


class Relay(MailTransport):
    """A relay by URL: ``smtp://user:password@host:587`` (STARTTLS where it is offered), ``smtps://host``,
    ``lmtp://host:24``; ``?plain`` forgoes encryption."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("smtp", "smtps", "lmtp") or not parts.hostname:
            raise ValueError(f"a relay is written smtp://user:password@host:port, not {parts.scheme}://...")
        self.scheme = parts.scheme
        self.host = parts.hostname
        self.port = parts.port or {"smtp": 587, "smtps": 465, "lmtp": 24}[parts.scheme]
        self.user = unquote(parts.username or "")
        self.password = unquote(parts.password or "")
        self.plain = parts.query == "plain"
        self._connection = threading.local()  # of each thread

    def send(self, message: EmailMessage, sender: str, recipient: str) -> None:
        watch = threading.Timer(LONGEST, self._hang_up, (self._connection.__dict__,))
        watch.daemon = True
        watch.start()
        try:
            self._send(message, sender, recipient)
        finally:
            watch.cancel()

    def _hang_up(self, kept: dict[str, smtplib.SMTP | None]) -> None:
        relay = kept.get("relay")
        if relay is not None and relay.sock is not None:
            with contextlib.suppress(OSError):
                relay.sock.shutdown(socket.SHUT_RDWR)

    def _send(self, message: EmailMessage, sender: str, recipient: str) -> None:
        try:
            relay = self._connected()
            relay.ehlo_or_helo_if_needed()
            beyond_ascii = not (sender + recipient).isascii()
            if beyond_ascii and not relay.has_extn("smtputf8"):
                raise SendError("the relay only accepts plain ASCII addresses", final=True)
            options = ("SMTPUTF8", "BODY=8BITMIME") if beyond_ascii else ()
            content = message.as_bytes(policy=SMTPUTF8 if beyond_ascii else SMTP)
            relay.sendmail(sender, [recipient], content, options)
        except smtplib.SMTPRecipientsRefused as error:
            code, said = next(iter(error.recipients.values()))
            raise SendError(f"{code} {_said(said)}", final=500 <= code < 600) from None
        except smtplib.SMTPResponseException as error:
            away = error.smtp_code == 421 or isinstance(error, AWAY)
            if away:
                self.close()
            final = 550 <= error.smtp_code < 560 and not away
            raise SendError(f"{error.smtp_code} {_said(error.smtp_error)}", final=final, away=away) from None
        except (OSError, smtplib.SMTPException, ssl.SSLError) as error:
            self.close()
            raise SendError(f"the relay {self.host}:{self.port} cannot be reached ({error})", away=True) from None

    def greet(self) -> None:
        """Connect and sign in, to see whether the relay can be reached. Raises SendError when that fails."""
        try:
            self._connected()
        except (OSError, smtplib.SMTPException, ssl.SSLError) as error:
            raise SendError(f"the relay {self.host}:{self.port} cannot be used ({_said(str(error))})") from None
        finally:
            self.close()

    def close(self) -> None:
        """Close the SMTP connection."""
        relay: smtplib.SMTP | None = getattr(self._connection, "relay", None)
        self._connection.relay = None
        if relay is not None:
            with contextlib.suppress(OSError, smtplib.SMTPException):
                relay.quit()

    def _connected(self) -> smtplib.SMTP:
        relay: smtplib.SMTP | None = getattr(self._connection, "relay", None)
        if relay is not None:
            with contextlib.suppress(OSError, smtplib.SMTPException):
                if relay.noop()[0] == 250:
                    return relay
            self.close()
        self._connection.relay = relay = self._open()
        return relay

    def _open(self) -> smtplib.SMTP:
        relay: smtplib.SMTP
        if self.scheme == "smtps":
            relay = smtplib.SMTP_SSL(self.host, self.port, timeout=TIMEOUT, context=_secure())
        elif self.scheme == "lmtp":
            relay = smtplib.LMTP(self.host, self.port, timeout=TIMEOUT)
        else:
            relay = smtplib.SMTP(self.host, self.port, timeout=TIMEOUT)
            relay.ehlo()
            if not self.plain and relay.has_extn("starttls"):
                relay.starttls(context=_secure())
        if self.user:
            relay.login(self.user, self.password)
        return relay


@cache
def _secure() -> ssl.SSLContext:
    return ssl.create_default_context()  # reads the machine's certificates, which takes longer than most mails


def _said(answer: bytes | str) -> str:
    text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
    return " ".join(text.split())[:300]


class LocalMailbox(MailTransport):
    """A maildir: for trying things out, and where no relay is set. Any mail program opens it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.box = mailbox.Maildir(folder, create=True)

    def send(self, message: EmailMessage, sender: str, recipient: str) -> None:
        try:
            copy = mailbox.MaildirMessage(message)
            copy["X-Envelope-To"] = recipient
            self.box.add(copy)
        except OSError as error:
            raise SendError(f"{self.folder}: {error.strerror or error}") from None

    def close(self) -> None:
        """No-op: a maildir holds no connection."""
