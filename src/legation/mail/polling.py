"""A mailbox elsewhere, asked by IMAP: for offices whose mail a provider keeps.

A mail is marked as seen only after it was filed, so a crash between the two files it twice at worst; the office knows a
mail by its Message-ID and takes it once. Mails are fetched as the bytes that they are, and not taken apart here. Where
the server can tell of new mail (IDLE) it is asked to; else it is looked into from time to time."""

import contextlib
import imaplib
import re
import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import Any
from urllib.parse import unquote, urlsplit

import structlog
from imap_tools import BaseMailBox, MailBox, MailBoxStartTls, MailBoxUnencrypted, MailMessageFlags
from imap_tools.errors import ImapToolsError

from legation.mail.listening import LARGEST_MAIL, TryAgain

AT_ONCE = 100  # mails of which the sizes are asked, and which are marked as seen, at the same time
TRIALS = 3  # at a mail that the server does not give
IDLE_SECONDS = 5.0  # of one wait for news, after which it is looked whether to stop
FAULTS = (OSError, imaplib.IMAP4.error, ImapToolsError, ssl.SSLError, EOFError, ValueError, IndexError)
"""What the library raises of a server that is away or says what nobody understands."""
log = structlog.get_logger("legation.mail")


Receive = Callable[[bytes, tuple[str, ...], datetime | None], None]  # takes a mail in, and when the server took it


class PollError(Exception):
    """The mailbox can't be read now; the next poll may succeed."""


class Mailbox:
    """A mailbox by URL: ``imaps://user:password@host/INBOX``, ``imap://`` (STARTTLS), ``imap://...?plain`` without
    encryption."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("imap", "imaps") or not parts.hostname:
            raise ValueError(f"a mailbox is written imaps://user:password@host/INBOX, not {parts.scheme}://...")
        self.host = parts.hostname
        self.port = parts.port or (993 if parts.scheme == "imaps" else 143)
        self.user = unquote(parts.username or "")
        self.password = unquote(parts.password or "")
        self.folder = unquote(parts.path.strip("/")) or "INBOX"
        self._failed: Counter[str] = Counter()  # by number of the mail: fetches that came to nothing
        self.kind = parts.scheme + ("?plain" if parts.query == "plain" else "")

    def look(self) -> None:
        """Sign in and out, to see whether the mailbox can be reached. Raises PollError if the mailbox cannot be
        read."""
        with self._opened():
            pass

    def follow(
        self,
        receive: Receive,
        too_large: Callable[[int], None],
        stop: threading.Event,
        pause: float,
        looked: Callable[[], None] = lambda: None,
    ) -> None:
        """File mail as it comes over one connection, until told to stop; ``looked`` is called after each look. Raises
        PollError when the mailbox cannot be read any more."""
        with self._opened() as box:
            _, told = box.client.capability()  # asked anew: some servers say more to who has signed in
            tells = b"IDLE" in told[0].upper().split()
            while not stop.is_set():
                self._file_all(box, receive, too_large, stop)
                looked()
                if tells and pause > IDLE_SECONDS:
                    for _ in range(max(1, round(pause / IDLE_SECONDS))):
                        if stop.is_set() or box.idle.wait(IDLE_SECONDS):
                            break
                else:
                    stop.wait(pause)

    def _file_all(
        self, box: BaseMailBox, receive: Receive, too_large: Callable[[int], None], stop: threading.Event
    ) -> None:
        waiting = [uid for uid in box.uids("UNSEEN") if self._failed[uid] < TRIALS]
        waiting.sort(key=lambda uid: self._failed[uid])  # what the server would not give comes last
        for start in range(0, len(waiting), AT_ONCE):
            part = waiting[start : start + AT_ONCE]
            sizes = self._sizes(box, part)
            seen: list[str] = []
            try:
                for uid in part:
                    if stop.is_set():
                        break
                    if sizes.get(uid, 0) > LARGEST_MAIL:
                        log.warning("mail too large", bytes=sizes[uid])
                        too_large(sizes[uid])
                        seen.append(uid)
                    elif (fetched := self._fetch(box, uid)) is not None:
                        try:
                            receive(fetched[0], (), fetched[1])
                        except TryAgain as error:
                            log.warning("mail deferred", reason=str(error))
                            return
                        seen.append(uid)
            finally:
                if seen:
                    box.flag(seen, [MailMessageFlags.SEEN], True)

    def _sizes(self, box: BaseMailBox, uids: list[str]) -> dict[str, int]:
        _, answer = box.client.uid("FETCH", ",".join(uids), "(UID RFC822.SIZE)")
        found = {}
        for line in _heads(answer):
            uid, size = re.search(rb"UID (\d+)", line), re.search(rb"RFC822.SIZE (\d+)", line)
            if uid and size:
                found[uid[1].decode()] = int(size[1])
        return found

    def _fetch(self, box: BaseMailBox, uid: str) -> tuple[bytes, datetime | None] | None:
        self._failed[uid] += 1  # taken back if nothing happens: what breaks the connection is tried last
        if self._failed[uid] == TRIALS:
            log.error("a mail cannot be fetched")
        _, answer = box.client.uid("FETCH", uid, "(INTERNALDATE BODY.PEEK[])")
        data = next((part[1] for part in answer if isinstance(part, tuple) and len(part) > 1), None)
        del self._failed[uid]
        if not isinstance(data, bytes):
            return None
        return data, next((at for head in _heads(answer) if (at := _taken_at(head)) is not None), None)

    @contextlib.contextmanager
    def _opened(self) -> Iterator[BaseMailBox]:
        try:
            with self._open().login(self.user, self.password, self.folder) as box:
                yield box
        except FAULTS as error:
            said = " ".join(str(error).split())[:200]
            raise PollError(f"{self.host}:{self.port}: {said.replace(self.password or chr(0), '...')}") from None

    def _open(self) -> BaseMailBox:
        if self.kind.endswith("?plain"):
            return MailBoxUnencrypted(self.host, self.port, timeout=30)
        box = MailBox if self.kind == "imaps" else MailBoxStartTls
        return box(self.host, self.port, timeout=30, ssl_context=ssl.create_default_context())


def _heads(answer: Iterable[Any]) -> list[bytes]:
    """Return the lines of an answer, without the mails between them."""
    return [part[0] if isinstance(part, tuple) else part for part in answer if part]


def _taken_at(head: bytes) -> datetime | None:
    at = imaplib.Internaldate2tuple(head)
    return datetime.fromtimestamp(time.mktime(at), UTC) if at is not None else None
