"""An incoming mail: its sender, recipients, text and pictures, and whether it is automatic.

Nothing here trusts what a mail says: sizes, parts and depths are bounded, odd encodings are read as far as they can be,
and what was left out is noted."""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from email.message import EmailMessage, Message
from email.utils import getaddresses, parsedate_to_datetime
from typing import Literal

import msgspec

from legation.mail.attachments import Attachment, files_of
from legation.mail.commands import Request
from legation.mail.parsing import clean_line, parse_message
from legation.mail.subjects import without_replies
from legation.mail.texts import text_of
from legation.mail.vouching import author, has_plain_head, is_vouched
from legation.mail.words import pattern, words
from legation.office.orders.order_codes import SheetCode
from legation.office.orders.pictures import Picture

MOST_PARTS = 200
MOST_TEXT = 200_000  # characters of text that are read; a sheet has far fewer
MOST_LINES = 10_000  # of them
LONGEST_HEADER = 8_000
_COMMENT = re.compile(r"\([^()]{0,500}\)")
_TAKEN_BY = re.compile(r"(?:from [^ ]+ +)?by ([^ ]+)")

OWN_MARK = "X-Legation"  # every mail of ours carries it, so that two offices never write to each other for ever

EXCHANGE = re.compile(r"microsoftexchange[0-9a-f]{32}@")  # the sender of Exchange's own reports
DENIALS = frozenset(["no", "false", "0"])  # what these say where a person wrote the mail
_AWAY = (
    r"^[\[(*]{0,2}\s?(?:(?:i'?m|i am|im|en|de|in|på|op|on|na|w|в) ){0,2}"
    r"{}(?: (?:notice|message|reply|response|note|nachricht|bericht))?"
    r"(?:[\])*]{1,2}|\s?[:：]|\s(?=re\s?:))"
)
"""A word of absence with a colon or in brackets, as machines put it before the subject that they answer: ``Ferie:``."""
Automatic = Literal["", "bounce", "auto-reply", "list", "own", "away"]
REACTION = "text/vnd.google.email-reaction+json"


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
    ``sender``. ``stamp``: its ``Date`` and ``To``, as written. ``arrived`` is when the trusted server took it, where
    that is known. ``notes`` say what of it was not read and why. ``request`` is what the text asks for, filled in by
    :mod:`legation.mail.intake`. ``pictures`` are the attachments that are pictures, ``codes`` those of the order sheets
    in them (``code_fault``: why they cannot be read); filled in once it is known that the sender may send any."""

    message_id: str = ""
    sender: str = ""
    addressed: tuple[str, ...] = ()
    subject: str = ""
    stamp: str = ""
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
    def marks(self) -> tuple[bytes, ...]:
        """By what it is known again, however often it is delivered: its Message-ID, and what it says under that; where
        it has none, all that its sender wrote."""
        said: tuple[object, ...] = (self.message_id, self.subject, self.text, self.attachments)
        said += () if self.message_id else (self.sender, self.stamp)
        content = b"content " + hashlib.sha256(msgspec.msgpack.encode(said)).digest()
        return (self.message_id.encode(), content) if self.message_id else (content,)


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
        stamp=clean_line(f"{_raw(message, 'Date')} {_raw(message, 'To')}"),
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


# Whether a machine wrote it. Some subjects say only that somebody is away: machines write them, and people do, too;
# what else such a mail carries decides (``answering.carries``).


def known_as(
    says: Callable[[str], str], message: EmailMessage, parts: Sequence[EmailMessage], sender: str
) -> Automatic:
    """What kind of machine wrote the mail, if any did (RFC 3834, and what machines really write). ``says``: what a
    header says, on one line, in lower case."""
    local = sender.partition("@")[0]
    if says(OWN_MARK):
        return "own"
    if message.get_content_type() == "multipart/report" or says("X-Failed-Recipients"):
        return "bounce"
    if says("Return-Path").replace(" ", "").startswith(("<>", "<mailer-daemon>")):  # whatever it says, it is no orders
        return "bounce"
    if EXCHANGE.match(sender) or local in words("bouncing_senders"):
        return "bounce"
    if any(map(_is_reaction, parts)) or local in words("automatic_senders") or _is_answer(says):
        return "auto-reply"
    if says("List-Id") or says("Precedence") in ("bulk", "list", "junk"):
        return "list"
    subject, absence = without_replies(says("Subject")), pattern("away_words", _AWAY)
    away = absence.search(subject) or absence.search(says("Subject"))  # [Away] Re: ...
    return "away" if away or subject.startswith(words("away_subjects")) else ""


def _is_reaction(part: EmailMessage) -> bool:
    """Whether a part accepts or declines a date for somebody's calendar (RFC 6047), or is a thumb up."""
    if part.get_content_type() == "text/calendar":
        return str(part.get_param("method", "")).lower() in ("reply", "counter", "declinecounter")
    return part.get_content_type() == REACTION


def _is_answer(says: Callable[[str], str]) -> bool:
    if any(says(name) and says(name).split()[0].strip(";") not in DENIALS for name in words("automatic_headers")):
        return True
    if says("Precedence") in ("auto_reply", "auto-reply") or says("X-Auto-Response-Suppress") in ("all", "oof"):
        return True
    return without_replies(says("Subject")).startswith(words("automatic_subjects"))
