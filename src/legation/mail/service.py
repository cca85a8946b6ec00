"""The mail service: its settings, and what runs while the office is open."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
import structlog

from legation.mail.composing import Papers
from legation.mail.listening import THIS_MACHINE, Listener, SmtpHandler, certificate, networks
from legation.mail.mail_service import MailService
from legation.mail.polling import Mailbox, PollError
from legation.mail.sending import LocalMailbox, MailTransport, Relay, SendError
from legation.office.desk.mailroom import note_too_large
from legation.office.errors import InvalidInputError
from legation.office.game.turns import POLL
from legation.office.monitoring.processes import Run, start
from legation.office.office import Office
from legation.office.operation.doctor import Finding
from legation.office.settings import Settings

CLOSING = 6.0  # seconds that mails on their way are waited for
log = structlog.get_logger("legation.mail")


class MailSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table ``mail`` of the office's settings.

    ``listen`` and ``lmtp``: ``host:port`` at which mail is taken. ``certificate`` and ``key``: files for STARTTLS.
    ``imap``: a mailbox elsewhere, by URL, looked into every ``poll`` seconds. ``trusted``: the server whose
    ``Authentication-Results`` are believed; where it is set, a sender must be vouched for. ``trusted_hosts``: the
    addresses and networks from which that server hands mail in by SMTP or LMTP; from anywhere else its word is not
    believed. ``folder``: the mailbox for mail that goes out, where no relay is set. ``senders``: how many mails leave
    at the same time."""

    listen: str = ""
    lmtp: str = ""
    certificate: str = ""
    key: str = ""
    imap: str = ""
    poll: float = POLL
    trusted: str = ""
    trusted_hosts: tuple[str, ...] = THIS_MACHINE
    folder: str = ""
    senders: Annotated[int, msgspec.Meta(ge=1, le=50)] = 3


def read_mail_settings(all_settings: Settings) -> MailSettings:
    """The table ``mail`` of an office's settings. Raises InvalidInputError with what is wrong."""
    try:
        settings = msgspec.convert(all_settings.mail, MailSettings)
        for place in (settings.listen, settings.lmtp):
            if place:
                _place(place)
        certificate(settings.certificate, settings.key)
        networks(settings.trusted_hosts)
        if settings.imap:
            Mailbox(settings.imap)
        if all_settings.smtp:
            Relay(all_settings.smtp)
    except (msgspec.ValidationError, ValueError) as error:
        raise InvalidInputError(f"The mail settings can't be used: {error}", faults=[f"mail: {error}"]) from None
    return settings


def examine(settings: Settings) -> list[Finding]:
    """Whether relay and mailbox can be reached, for ``legation doctor``."""
    try:
        own = read_mail_settings(settings)
    except InvalidInputError as error:
        return [Finding("mail settings", False, error.message)]
    found = Finding("relay", True, "none is set: mail is kept in a folder")
    relay = _reached("relay", Relay(settings.smtp).greet) if settings.smtp else found
    return [relay, _reached("mailbox", Mailbox(own.imap).look)] if own.imap else [relay]


def _reached(name: str, look: Callable[[], object]) -> Finding:
    try:
        look()
    except (PollError, SendError) as error:
        return Finding(name, False, str(error))
    return Finding(name, True, "it answers")


def _place(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise ValueError(f"a place to listen at is written host:port, not {text!r}")
    return host, int(port)


def mail_transport(office: Office, settings: MailSettings, folder: Path | None) -> MailTransport:
    """Return the transport of outgoing mail: the relay that is set, else a mailbox in a folder."""
    if office.settings.smtp:
        return Relay(office.settings.smtp)
    return LocalMailbox(Path(settings.folder) if settings.folder else (folder or Path()) / "mail")


@contextlib.contextmanager
def serve(
    office: Office,
    folder: Path | None = None,
    *,
    takes: bool = True,
    pause: float = 1.0,
    papers: Papers | None = None,
    stop: threading.Event | None = None,
) -> Iterator[MailService]:
    """Run the mail service of an office while the block runs, or until told to ``stop``: mail is taken, acted on,
    answered and sent; only sent, where it ``takes`` none. ``pause``: seconds between two looks for what waits to be
    sent. ``papers`` prints what goes with a mail."""
    settings = read_mail_settings(office.settings)
    service = MailService(office, mail_transport(office, settings, folder), settings.trusted, papers)
    stop = stop or threading.Event()
    with contextlib.ExitStack() as stack:
        secure = certificate(settings.certificate, settings.key)
        handler = SmtpHandler(service.receive, service.ours, settings.trusted, settings.trusted_hosts)
        for place, lmtp in ((settings.listen, False), (settings.lmtp, True)):
            if place and takes:
                try:
                    stack.enter_context(Listener(handler, *_place(place), lmtp=lmtp, secure=secure))
                except OSError as error:
                    raise InvalidInputError(f"Mail can't be received at {place}: {error.strerror or error}.") from None
                log.info("listening", at=place, lmtp=lmtp)
        jobs: dict[str, Run] = {"mail": lambda beat: service.run(stop, pause, beat=beat)}
        for number in range(2, settings.senders + 1):
            jobs[f"mail {number}"] = lambda beat: service.run(stop, pause, releases=False, beat=beat)
        if settings.imap and takes:
            mailbox = Mailbox(settings.imap)
            too_large = partial(note_too_large, office)
            jobs["mailbox"] = lambda beat: mailbox.follow(service.receive, too_large, stop, settings.poll, beat)
        threads = [start(office.pulses, name, job, stop) for name, job in jobs.items()]
        try:
            yield service
        finally:
            stop.set()
            office.store.notifier.wake()
            until = time.monotonic() + CLOSING
            for thread in threads:
                thread.join(timeout=max(0.0, until - time.monotonic()))  # a mail that is on its way is waited for
