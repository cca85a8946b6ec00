"""The mail counter as a service: its settings, and what runs while the office is open."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import msgspec
import structlog

from legation.mail.counter import Counter
from legation.mail.listening import Ear, Listener, certificate
from legation.mail.polling import Mailbox, PollError
from legation.mail.sending import TIMEOUT, Carrier, LocalMailbox, Relay
from legation.office import Office
from legation.office.errors import Unfit

log = structlog.get_logger("legation.mail")


class MailSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table ``mail`` of the office's settings.

    ``listen`` and ``lmtp``: ``host:port`` at which mail is taken. ``certificate`` and ``key``: files for STARTTLS.
    ``imap``: a mailbox elsewhere, by URL, looked into every ``poll`` seconds. ``trusted``: the server whose
    ``Authentication-Results`` are believed; where it is set, a sender must be vouched for. ``folder``: the mailbox for
    mail that goes out, where no relay is set. ``senders``: how many mails leave at the same time.
    """

    listen: str = ""
    lmtp: str = ""
    certificate: str = ""
    key: str = ""
    imap: str = ""
    poll: float = 30.0
    trusted: str = ""
    folder: str = ""
    senders: Annotated[int, msgspec.Meta(ge=1, le=50)] = 2


def read_mail_settings(office: Office) -> MailSettings:
    """The mail counter's settings.

    :raises Unfit: with what is wrong.
    """
    try:
        settings = msgspec.convert(office.settings.mail, MailSettings)
        for place in (settings.listen, settings.lmtp):
            if place:
                _place(place)
        certificate(settings.certificate, settings.key)
        if settings.imap:
            Mailbox(settings.imap)
        if office.settings.smtp:
            Relay(office.settings.smtp)
    except (msgspec.ValidationError, ValueError) as error:
        raise Unfit(f"The settings of mail cannot be used: {error}", faults=[f"mail: {error}"]) from None
    return settings


def _place(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit() or not 0 < int(port) < 65536:
        raise ValueError(f"a place to listen at is written host:port, not {text!r}")
    return host, int(port)


def carrier(office: Office, settings: MailSettings, folder: Path | None) -> Carrier:
    """What takes mail away: the relay that is set, else a mailbox in a folder."""
    if office.settings.smtp:
        return Relay(office.settings.smtp)
    return LocalMailbox(Path(settings.folder) if settings.folder else (folder or Path()) / "mail")


@contextlib.contextmanager
def serve(office: Office, folder: Path | None = None, *, takes: bool = True, pause: float = 1.0) -> Iterator[Counter]:
    """Run the mail counter of an office while the block runs: mail is taken, acted on, answered and sent; only sent,
    where it ``takes`` none. ``pause``: seconds between two looks for what waits to be sent."""
    settings = read_mail_settings(office)
    counter = Counter(office, carrier(office, settings, folder), settings.trusted)
    stop = threading.Event()
    with contextlib.ExitStack() as stack:
        secure = certificate(settings.certificate, settings.key)
        ear = Ear(counter.receive, counter.ours)
        for place, lmtp in ((settings.listen, False), (settings.lmtp, True)):
            if place and takes:
                try:
                    stack.enter_context(Listener(ear, *_place(place), lmtp=lmtp, secure=secure))
                except OSError as error:
                    raise Unfit(f"Mail cannot be taken at {place}: {error.strerror or error}.") from None
                log.info("listening", at=place, lmtp=lmtp)
        jobs: list[Callable[[], None]] = [lambda: counter.run(stop, pause)]
        jobs += [lambda: counter.run(stop, pause, releases=False)] * (settings.senders - 1)
        if settings.imap and takes:
            mailbox = Mailbox(settings.imap)
            jobs.append(lambda: _poll(mailbox, counter, stop, settings.poll))
        threads = [threading.Thread(target=job, daemon=True) for job in jobs]
        for thread in threads:
            thread.start()
        try:
            yield counter
        finally:
            stop.set()
            for thread in threads:
                thread.join(timeout=TIMEOUT + 10)  # a mail that is on its way is waited for


def _poll(mailbox: Mailbox, counter: Counter, stop: threading.Event, pause: float) -> None:
    while not stop.is_set():
        try:
            mailbox.file_unseen(counter.receive)
        except PollError as error:
            log.warning("the mailbox cannot be read", error=str(error)[:200])
        stop.wait(pause)
