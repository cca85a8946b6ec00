"""An incoming mail: its sender, recipients, text and pictures, and whether it is automatic.

Nothing here trusts what a mail says: sizes, parts and depths are bounded, odd encodings are read as far as they can be,
and what was left out is noted."""

import hashlib
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import EmailMessage, Message
from email.utils import getaddresses, parsedate_to_datetime

import msgspec

from legation.mail.attachments import Attachment, files_of
from legation.mail.automatic import Automatic, known_as
from legation.mail.commands import Request
from legation.mail.parsing import clean_line, parse_message
from legation.mail.texts import text_of
from legation.mail.vouching import author, has_plain_head, is_vouched
from legation.office.orders.order_codes import SheetCode
from legation.office.orders.pictures import Picture

MOST_PARTS = 200
MOST_TEXT = 200_000  # characters of text that are read; a sheet has far fewer
MOST_LINES = 10_000  # of them
LONGEST_HEADER = 8_000
_COMMENT = re.compile(r"\([^()]{0,500}\)")
_TAKEN_BY = re.compile(r"(?:from [^ ]+ +)?by ([^ ]+)")


class Bounce(msgspec.Struct, frozen=True):
    """A delivery failure: the status, and the mail of ours that failed."""

    status: str
    message_id: str

    @property
    def final(self) -> bool:
        """Whether the failure is permanent (5.x.x), not temporary (4.x.x)."""
        return self.status.startswith("5")


class ParsedMail(msgspec.Struct, frozen=True, kw_only=True):
    """A mail, understood as far as one can without knowing any game.

    ``addressed`` are all addresses it was sent to (envelope first). ``vouched``: the trusted server vouches for
    ``sender``. ``arrived`` is when the trusted server took it, where that is known. ``notes`` say what of it was not
    read and why. ``request`` is what the text asks for, filled in by :mod:`legation.mail.intake`. ``pictures`` are the
    attachments that are pictures, ``codes`` those of the order sheets in them (``code_fault``: why they cannot be
    read); filled in once it is known that the sender may send any."""

    message_id: str = ""
    sender: str = ""
    addressed: tuple[str, ...] = ()
    subject: str = ""
    arrived: datetime | None = None
    text: str = ""
    request: Request = Request()
    attachments: tuple[Attachment, ...] = ()
    automatic: Automatic = ""
    bounces: tuple[Bounce, ...] = ()
    vouched: bool = False
    notes: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()
    codes: tuple[SheetCode, ...] = ()
    code_fault: str = ""

    @property
    def content(self) -> bytes:
        """What it says, under its Message-ID: the same however often it is delivered."""
        said = msgspec.msgpack.encode((self.message_id, self.subject, self.text, self.attachments))
        return b"content " + hashlib.sha256(said).digest()


def read_mail(data: bytes, recipients: tuple[str, ...] = (), trusted: str = "") -> ParsedMail:
    """Parse a mail. ``recipients`` are those of the envelope; ``trusted`` names the server whose
    ``Authentication-Results`` are believed. Raises ValueError for one of more parts, headers or lines than
    :mod:`legation.mail.parsing` takes."""
    notes: list[str] = []
    message = parse_message(data)
    sender = _address(author(message))
    parts = list(_parts(message, notes))
    text = text_of(parts, notes)
    if len(text) > MOST_TEXT:
        notes.append(f"only the first {MOST_TEXT:,} characters of the text were read")
        text = text[:MOST_TEXT]
    if text.count("\n") >= MOST_LINES:
        notes.append(f"only the first {MOST_LINES:,} lines of the text were read")
        text = "\n".join(text.split("\n", MOST_LINES)[:MOST_LINES])
    return ParsedMail(
        message_id=_header(message, "Message-ID"),
        sender=sender,
        addressed=_addressed(message, recipients),
        subject=_header(message, "Subject"),
        arrived=_arrived(message, trusted),
        text=text,
        attachments=tuple(files_of(parts, notes)),
        automatic=known_as(lambda name: _header(message, name).lower(), message, parts, sender),
        bounces=tuple(_bounces(parts)),
        vouched=has_plain_head(data) and is_vouched(message, trusted),
        notes=tuple(notes),
    )


def _header(message: EmailMessage, name: str) -> str:
    """A header on one line, without control characters; empty where there is none or it cannot be read."""
    try:
        value = str(message.get(name, ""))
    except Exception:  # the parsers of single headers raise what they like on garbage
        value = _raw(message, name)
    return clean_line(value)


def _raw(message: EmailMessage, name: str) -> str:
    return next((str(v) for k, v in message.raw_items() if k.lower() == name.lower()), "")


def _arrived(message: EmailMessage, trusted: str) -> datetime | None:
    """When the trusted server took the mail: the date of the topmost ``Received``, if that server wrote it."""
    path, _, when = " ".join(_raw(message, "Received")[:LONGEST_HEADER].split()).rpartition(";")
    server = _TAKEN_BY.match(_COMMENT.sub(" ", path.partition(";")[0]).strip().lower())
    if not trusted or server is None or server[1] != trusted.lower():
        return None
    try:
        at = parsedate_to_datetime(when.strip())
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    known = at.tzinfo is not None or " -0000" in when
    return at.replace(tzinfo=at.tzinfo or UTC) if known else None


def _address(text: str) -> str:
    address = clean_line(text).strip("<> ").encode().lower().decode()  # only ASCII letters are folded
    return address if re.fullmatch(r"[^\s@<>\"]{1,128}@[^\s@<>\"]{1,253}", address) else ""


def _addressed(message: EmailMessage, recipients: tuple[str, ...]) -> tuple[str, ...]:
    addresses = [_address(r) for r in recipients]
    for name in ("Delivered-To", "X-Original-To", "To", "Cc"):
        addresses += [_address(a) for _, a in getaddresses([_header(message, name)])]
    return tuple(dict.fromkeys(a for a in addresses if a))[:50]


def _parts(message: EmailMessage, notes: list[str]) -> Iterator[EmailMessage]:
    """The single parts of a mail; those of mails within it are left out, but for reports of non-delivery."""
    stack: list[EmailMessage] = [message]
    seen = 0
    while stack:
        part = stack.pop()
        seen += 1
        if seen > MOST_PARTS:
            notes.append(f"the mail has more than {MOST_PARTS} parts; the rest was not read")
            return
        kind = part.get_content_type()
        if kind == "message/rfc822" and part is not message:
            notes.append("the mail attached to yours was not read; copy its orders into the mail itself")
            yield part
        elif part.is_multipart() and kind != "message/delivery-status":
            inner = part.get_payload()
            stack += reversed([p for p in inner if isinstance(p, EmailMessage)] if isinstance(inner, list) else [])
        else:
            yield part


def _bounces(parts: list[EmailMessage]) -> Iterator[Bounce]:
    original = ""
    for part in parts:
        if part.get_content_type() in ("message/rfc822", "text/rfc822-headers"):
            held = [str(inner.get("Message-ID", "")) for inner in _inner(part)]
            line = re.search(r"(?im)^message-id:\s*(.*)$", str(part.get_payload())[:20_000])
            match = re.search(r"<[^<>\s]{3,250}@[^<>\s]+>", held[0] if held else line[1] if line else "")
            original = match[0] if match else original
    for part in parts:
        if part.get_content_type() != "message/delivery-status":
            continue
        for block in _inner(part)[:50]:
            status = re.search(r"\b[245]\.\d{1,3}\.\d{1,3}\b", clean_line(str(block.get("Status", ""))))
            if block.get("Final-Recipient") and status:
                yield Bounce(status[0], original)


def _inner(part: EmailMessage) -> list[Message]:
    payload = part.get_payload()
    return [inner for inner in payload if isinstance(inner, Message)] if isinstance(payload, list) else []
