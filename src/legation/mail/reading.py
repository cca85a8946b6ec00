"""An incoming mail: its sender, recipients, text and pictures, and whether it is automatic.

Nothing here trusts what a mail says: sizes, parts and depths are bounded, odd encodings are read as far as they can be,
and what was left out is noted.

It is long because each header and part that is looked at has its own bounds and its own function.
"""

from __future__ import annotations

import codecs
import hashlib
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from email.message import EmailMessage, Message
from email.utils import getaddresses, parseaddr, parsedate_to_datetime

import msgspec

from legation.mail.appended import coded_and_added
from legation.mail.automatic import Automatic, known_as
from legation.mail.commands import Request
from legation.mail.html_text import MOST_HTML, PICTURE_DATA, html_as_text, shown_html
from legation.mail.parsing import parse_message
from legation.mail.pictures_of_ours import is_ours
from legation.mail.quoting import RULE
from legation.mail.vouching import author, is_vouched
from legation.mail.words import words
from legation.mail.wrong_characters import repaired
from legation.notation.layout import STRUCK
from legation.office.orders.order_codes import SheetCode
from legation.office.orders.pictures import Picture

ARMOR = "-----BEGIN PGP SIGNED MESSAGE-----"
ENCRYPTED_ARMOR = "-----BEGIN PGP MESSAGE-----"
_ENCRYPTED_TEXT = re.compile(rf"{ENCRYPTED_ARMOR}.*?(?:-----END PGP MESSAGE-----|\Z)", re.DOTALL)
ENCRYPTED = frozenset(["application/pgp-encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"])
SIGNATURES = frozenset(["application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"])
NOT_DECRYPTED = "the mail is encrypted and can't be read here; send your orders in an unencrypted mail"
USUAL_TEXTS = frozenset(["text/plain", "text/html"])
UNUSUAL_TEXTS = frozenset(["text/markdown", "text/x-markdown", "text/enriched", "text/x-web-markdown"])
"""What is read where a mail has nothing else to read."""
_PICTURE_BYTES = re.compile(PICTURE_DATA.pattern.encode())
"""A picture that stands within HTML, and may be longer than all that is read."""
_ENRICHED = re.compile(r"<param>[^<]{0,200}</param>|</?[A-Za-z-]{1,60}>")
"""The marks of ``text/enriched`` (RFC 1896)."""
_COMMENT = re.compile(r"\([^()]{0,500}\)")
_TAKEN_BY = re.compile(r"(?:from [^ ]+ +)?by ([^ ]+)")
_OPENS_HTML = re.compile(r"\s*<(?:!doctype html|html)[\s>]", re.IGNORECASE)
MOST_PARTS = 200
MOST_TEXT = 200_000  # characters of text that are read; a sheet has far fewer
MOST_BYTES = 2_000_000  # of a text before it is decoded: most of HTML is markup
MOST_LINES = 10_000  # of them
PICTURE_TYPES = frozenset(["image/jpeg", "image/png", "image/heic", "image/heif", "application/pdf"])
LONGEST_HEADER = 8_000
LONGEST_POINTER = 400  # characters of a text that says only that the mail is written in HTML
SMALL_PICTURE = 40_000  # bytes: within a mail such are logos and signatures


class Attachment(msgspec.Struct, frozen=True):
    """A file that came with a mail.

    ``claimed`` is the type that the mail says it has; what it really is, ``office.orders.pictures`` finds out.
    ``inline``: it is shown within the text, as logos are.
    """

    name: str
    claimed: str
    data: bytes
    inline: bool = False


class Bounce(msgspec.Struct, frozen=True):
    """A delivery failure: the mailbox, the status and the mail of ours that failed."""

    recipient: str
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
    read); filled in once it is known that the sender may send any.
    """

    message_id: str = ""
    sender: str = ""
    sender_name: str = ""
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
    ``Authentication-Results`` are believed.

    :raises ValueError: for one of more parts, headers or lines than :mod:`legation.mail.parsing` takes.
    """
    notes: list[str] = []
    message = parse_message(data)
    name, sender = _sender(message)
    parts = list(_parts(message, notes))
    text = _text(parts, notes)
    if len(text) > MOST_TEXT:
        notes.append(f"only the first {MOST_TEXT:,} characters of the text were read")
        text = text[:MOST_TEXT]
    if text.count("\n") >= MOST_LINES:
        notes.append(f"only the first {MOST_LINES:,} lines of the text were read")
        text = "\n".join(text.split("\n", MOST_LINES)[:MOST_LINES])
    return ParsedMail(
        message_id=_header(message, "Message-ID"),
        sender=sender,
        sender_name=name,
        addressed=_addressed(message, recipients),
        subject=_header(message, "Subject"),
        arrived=_arrived(message, trusted),
        text=text,
        attachments=tuple(_attachments(parts, notes)),
        automatic=known_as(lambda name: _header(message, name), message, parts, sender),
        bounces=tuple(_bounces(parts)),
        vouched=is_vouched(message, trusted),
        notes=tuple(notes),
    )


def _header(message: EmailMessage, name: str) -> str:
    """A header on one line, without control characters; empty where there is none or it cannot be read."""
    try:
        value = str(message.get(name, ""))
    except Exception:  # the parsers of single headers raise what they like on garbage
        value = next((str(v) for k, v in message.raw_items() if k.lower() == name.lower()), "")
    return clean_line(value)


def _long_header(message: EmailMessage, name: str) -> str:
    """A header as it stands, at most ``LONGEST_HEADER`` characters of it."""
    value = next((str(v) for k, v in message.raw_items() if k.lower() == name.lower()), "")
    return " ".join(value[:LONGEST_HEADER].split())


def _arrived(message: EmailMessage, trusted: str) -> datetime | None:
    """When the trusted server took the mail: the date of the topmost ``Received``, if that server wrote it."""
    line = _long_header(message, "Received")
    server = _TAKEN_BY.match(_COMMENT.sub(" ", line.partition(";")[0]).strip().lower())
    if not trusted or server is None or server[1] != trusted.lower():
        return None
    try:
        at = parsedate_to_datetime(line.rpartition(";")[2].strip())
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    if at.tzinfo is None and " -0000" not in line.rpartition(";")[2]:
        return None  # a zone that nobody knows
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def clean_line(text: str) -> str:
    """Text on one line without control characters, at most 1,000 characters."""
    plain = "".join(" " if c in "\r\n\t" else c for c in text[:4000] if c.isprintable() or c in "\r\n\t")
    return " ".join(plain.encode("utf-8", "replace").decode().split())[:1000]


def _sender(message: EmailMessage) -> tuple[str, str]:
    """The name and the address that a mail is from; no address where more than one could be meant."""
    name, _ = parseaddr(_header(message, "From"))
    return clean_line(name), _address(author(message))


def _address(text: str) -> str:
    """An address in lower case; empty if it is none."""
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


def _text(parts: list[EmailMessage], notes: list[str]) -> str:
    """The plain text of a mail; its HTML as text where there is no other, or where that alone tells what is struck
    out."""
    plain: list[str] = []
    html: list[str] = []
    written = _texts(parts)
    usual = any(part.get_content_type() in USUAL_TEXTS for part in written)
    for part in written:
        kind = part.get_content_type()
        if kind in USUAL_TEXTS or (kind in UNUSUAL_TEXTS and not usual) or part.get_content_maintype() == "multipart":
            data, above, below = coded_and_added(part)
            said, below = _decoded(part, data, notes), f"\n{RULE}\n{below}" if below else ""
            if kind == "text/enriched":
                said = _ENRICHED.sub("", said)
            if kind == "text/html" or _OPENS_HTML.match(said):
                if len(said) > MOST_HTML and len(shown_html(said)) > MOST_HTML:
                    notes.append(f"only the first {MOST_HTML:,} characters of the HTML were read")
                html.append(
                    f"{html_as_text(above)}\n\n{html_as_text(said)}{below}" if above else html_as_text(said) + below
                )
                continue
            said = _flowed(part, said)
            if ENCRYPTED_ARMOR in said:
                notes.append(NOT_DECRYPTED)
                said = _ENCRYPTED_TEXT.sub("", said)
            plain.append((f"{above}\n\n" if above else "") + _without_armor(said) + below)
    text = "\n".join(t for t in plain if t.strip())
    if any(t.strip() for t in html) and (not text or _points_to_html(text) or any(STRUCK in t for t in html)):
        text = "\n".join(html)
    text = repaired(text.replace("\r\n", "\n").replace("\r", "\n"))
    return "".join(c for c in text if c.isprintable() or c in "\n\t")


def _texts(parts: Sequence[EmailMessage]) -> list[EmailMessage]:
    """The parts that are not files: a text that has a name is a file, unless the mail is nothing but it."""
    shown = [part for part in parts if part.get_content_disposition() != "attachment"]
    nameless = [part for part in shown if not _is_named_text(part)]
    return nameless if any(part.get_content_type() in USUAL_TEXTS for part in nameless) else shown


def _is_named_text(part: EmailMessage) -> bool:
    return part.get_content_maintype() == "text" and bool(part.get_param("filename", header="Content-Disposition"))


def _points_to_html(text: str) -> bool:
    """Whether a text only says that the mail is written in HTML."""
    said = text.casefold()
    return len(text) < LONGEST_POINTER and "html" in said and any(word in said for word in words("html_shown_in"))


def _without_armor(text: str) -> str:
    """A text that OpenPGP signs within the mail (RFC 9580, 7.2), without the signature and what stands around it."""
    if ARMOR not in text:
        return text
    lines: list[str] = []
    inside = signature = head = False
    for line in text.replace("\r\n", "\n").split("\n"):
        if line.startswith(ARMOR):
            inside = head = True
        elif line.startswith("-----BEGIN PGP SIGNATURE-----"):
            inside, signature = False, True
        elif line.startswith("-----END PGP SIGNATURE-----"):
            signature = False
        elif head:
            head = bool(line.strip())  # Hash: SHA512
        elif not signature:
            lines.append(line.removeprefix("- ") if inside and line.startswith("- -") else line)
    return "\n".join(lines)


def _flowed(part: EmailMessage, text: str) -> str:
    """A text without the soft breaks of ``format=flowed`` (RFC 3676)."""
    if str(part.get_param("format", "")).lower() != "flowed":
        return text
    delete = str(part.get_param("delsp", "")).lower() == "yes"
    lines: list[str] = []
    depth = -1
    for line in text.replace("\r\n", "\n").split("\n"):
        marks = len(line) - len(line.lstrip(">"))
        rest = line[marks:].removeprefix(" ")
        if lines and depth == marks and lines[-1].endswith(" ") and lines[-1].lstrip(">").strip(" ") != "--":
            lines[-1] = (lines[-1][:-1] if delete else lines[-1]) + rest
        else:
            lines.append(">" * marks + (" " if marks else "") + rest)
        depth = marks
    return "\n".join(lines)


def _decoded(part: EmailMessage, data: bytes, notes: list[str]) -> str:
    """The text of a part, in the characters that it is in, whatever it says of them."""
    if part.get_content_type() == "text/html":
        data = _PICTURE_BYTES.sub(b"", data)
    if len(data) > MOST_BYTES:
        notes.append(f"only the first {MOST_BYTES:,} bytes of the text were read")
        data = data[:MOST_BYTES]
    said = (part.get_content_charset() or "").replace("iso-8859-1", "cp1252").replace("latin1", "cp1252")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and not data.startswith(codecs.BOM_UTF32_LE):
        said = "utf-16"
    # what is no ASCII is hardly ever UTF-8 by chance, and often called something else
    charsets = [said, "utf-8"] if data.isascii() and said else ["utf-8", said or "utf-8"]
    for charset in charsets:
        try:
            return data.decode(charset)
        except (LookupError, UnicodeDecodeError, ValueError):
            continue
    notes.append("the text isn't in the character set that it declares, so some characters may be wrong")
    return data.decode("cp1252", "replace")


def _attachments(parts: list[EmailMessage], notes: list[str]) -> Iterator[Attachment]:
    """The files of a mail that may be pictures; others are noted by name."""
    texts = _texts(parts)
    for part in parts:
        kind = part.get_content_type()
        attached = part.get_content_disposition() == "attachment" or part not in texts
        if (part.get_content_maintype() == "text" and not attached) or kind.startswith(("message/", "multipart/")):
            continue
        name = clean_line(part.get_filename() or "")[:120]
        looks = kind in PICTURE_TYPES or kind.startswith("image/")
        if kind in SIGNATURES:
            continue
        if kind in ENCRYPTED:
            if NOT_DECRYPTED not in notes:
                notes.append(NOT_DECRYPTED)
            continue
        if part.get_content_maintype() == "text" or re.search(r"\.(txt|rtf|docx?|odt|pages)\Z", name, re.IGNORECASE):
            notes.append(f"{name or 'a file'} was not read; write your orders in the mail itself")
            continue
        if not looks and not re.search(r"\.(jpe?g|png|hei[cf]|pdf)\Z", name, re.IGNORECASE):
            notes.append(f"{name or 'a file'} ({clean_line(kind)}) isn't a picture and was not kept")
            continue
        payload = part.get_payload(decode=True)
        data = payload if isinstance(payload, bytes) else b""
        inline = not attached and bool(part.get("Content-ID") or part.get_content_disposition() == "inline")
        if is_ours(data, name):
            continue
        if inline and len(data) < SMALL_PICTURE:
            notes.append(f"{name or 'a small picture'} in the mail was ignored as a logo")
            continue
        yield Attachment(name, kind, data, inline)


def _bounces(parts: list[EmailMessage]) -> Iterator[Bounce]:
    """Return the delivery failures that a mail reports (RFC 3464)."""
    original = ""
    for part in parts:
        if part.get_content_type() in ("message/rfc822", "text/rfc822-headers"):
            held = [str(inner.get("Message-ID", "")) for inner in _inner(part)]
            named = held[0] if held else _message_id_line(str(part.get_payload())[:20_000])
            match = re.search(r"<[^<>\s]{3,250}@[^<>\s]+>", named)
            original = match[0] if match else original
    for part in parts:
        if part.get_content_type() != "message/delivery-status":
            continue
        for block in _inner(part)[:50]:
            recipient = clean_line(str(block.get("Final-Recipient", ""))).rpartition(";")[2]
            status = re.search(r"\b[245]\.\d{1,3}\.\d{1,3}\b", clean_line(str(block.get("Status", ""))))
            if recipient and status:
                yield Bounce(_address(recipient), status[0], original)


def _inner(part: EmailMessage) -> list[Message]:
    """The messages or blocks that a part consists of."""
    payload = part.get_payload()
    return [inner for inner in payload if isinstance(inner, Message)] if isinstance(payload, list) else []


def _message_id_line(headers: str) -> str:
    match = re.search(r"(?im)^message-id:\s*(.*)$", headers)
    return match[1] if match else ""
