"""A mailbox elsewhere, asked by IMAP: for offices whose mail a provider keeps.

A mail is marked as seen only after it was filed, so a crash between the two files it twice at worst; the office knows a
mail by its Message-ID and takes it once.
"""

from __future__ import annotations

import imaplib
import ssl
from urllib.parse import unquote, urlsplit

import structlog
from imap_tools import BaseMailBox, MailBox, MailBoxStartTls, MailBoxUnencrypted, MailMessageFlags
from imap_tools.errors import ImapToolsError

from legation.mail.listening import LARGEST_MAIL, Receive, TryAgain

AT_ONCE = 50  # mails of one look
log = structlog.get_logger("legation.mail")


class PollError(Exception):
    """The mailbox cannot be read; the next look may."""


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
        self.kind = parts.scheme + ("?plain" if parts.query == "plain" else "")

    def file_unseen(self, receive: Receive) -> int:
        """File every mail that was not seen yet; the number of those filed.

        :raises PollError: if the mailbox cannot be read.
        """
        filed = 0
        try:
            with self._open().login(self.user, self.password, self.folder) as box:
                for uid in box.uids("UNSEEN")[:AT_ONCE]:
                    if self._file(box, uid, receive):
                        filed += 1
        except (OSError, imaplib.IMAP4.error, ImapToolsError, ssl.SSLError) as error:
            raise PollError(f"{self.host}:{self.port}: {error}") from None
        return filed

    def _file(self, box: BaseMailBox, uid: str, receive: Receive) -> bool:
        """File one mail and mark it as seen; a mail that cannot be filed now stays unseen."""
        for mail in box.fetch(f"UID {uid}", mark_seen=False, bulk=False):
            if mail.size_rfc822 > LARGEST_MAIL:
                log.warning("mail too large", bytes=mail.size_rfc822)
            else:
                try:
                    receive(mail.obj.as_bytes(), ())
                except TryAgain as error:
                    log.warning("mail deferred", reason=str(error))
                    return False
            box.flag([uid], [MailMessageFlags.SEEN], True)
            return True
        return False  # not reached: somebody took the mail away between the two questions

    def _open(self) -> BaseMailBox:
        secure = ssl.create_default_context()
        if self.kind == "imaps":
            return MailBox(self.host, self.port, timeout=30, ssl_context=secure)
        if self.kind == "imap":
            return MailBoxStartTls(self.host, self.port, timeout=30, ssl_context=secure)
        return MailBoxUnencrypted(self.host, self.port, timeout=30)
