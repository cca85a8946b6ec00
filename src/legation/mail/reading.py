"""A mail as it came in: who sent it, to which address, its text, its pictures, and whether a machine wrote it.

Nothing here trusts what a mail says: sizes, parts and depths are bounded, odd encodings are read as far as they can be,
and what was left out is noted.
"""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Iterator
from email.message import EmailMessage, Message
from email.utils import getaddresses, parseaddr
from html.parser import HTMLParser
from typing import Literal

import msgspec

MOST_PARTS = 200
MOST_TEXT = 200_000  # characters of text that are read; a sheet has far fewer
PICTURE_TYPES = frozenset(["image/jpeg", "image/png", "image/heic", "image/heif", "application/pdf"])
OWN_MARK = "X-Legation"  # every mail of ours carries it, so that two offices never write to each other for ever

Automatic = Literal["", "bounce", "auto-reply", "list", "own"]


class Attachment(msgspec.Struct, frozen=True):
    """A file that came with a mail.

    ``claimed`` is the type that the mail says it has; what it really is, :mod:`legation.office.pictures` finds out.
    """

    name: str
    claimed: str
    data: bytes


class Bounce(msgspec.Struct, frozen=True):
    """What a report of non-delivery says: whose mailbox, which status, of which of our mails."""

    recipient: str
    status: str
    message_id: str

    @property
    def final(self) -> bool:
        """Whether the address is no good (5.x.x), rather than late (4.x.x)."""
        return self.status.startswith("5")


class Inbound(msgspec.Struct, frozen=True, kw_only=True):
    """A mail, understood as far as one can without knowing any game.

    ``addressed`` are all addresses it was sent to (envelope first). ``notes`` say what of it was not read and why.
    """

    message_id: str = ""
    sender: str = ""
    sender_name: str = ""
    addressed: tuple[str, ...] = ()
    subject: str = ""
    in_reply_to: str = ""
    text: str = ""
    attachments: tuple[Attachment, ...] = ()
    automatic: Automatic = ""
    bounces: tuple[Bounce, ...] = ()
    vouched: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def read_mail(data: bytes, recipients: tuple[str, ...] = (), trusted: str = "") -> Inbound:
    """Understand a mail. ``recipients`` are those of the envelope; ``trusted`` names the server whose
    ``Authentication-Results`` are believed.

    Never raises: a mail that cannot be taken apart is an :class:`Inbound` with a note.
    """
    notes: list[str] = []
    message = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    name, sender = _sender(message)
    parts = list(_parts(message, notes))
    text = _text(parts, notes)
    if len(text) > MOST_TEXT:
        notes.append(f"only the first {MOST_TEXT:,} characters of the text were read")
        text = text[:MOST_TEXT]
    return Inbound(
        message_id=_header(message, "Message-ID"),
        sender=sender,
        sender_name=name,
        addressed=_addressed(message, recipients),
        subject=_header(message, "Subject"),
        in_reply_to=_header(message, "In-Reply-To"),
        text=text,
        attachments=tuple(_attachments(parts, notes)),
        automatic=_automatic(message, sender),
        bounces=tuple(_bounces(parts)),
        vouched=_vouched(message, trusted),
        notes=tuple(notes),
    )


def _header(message: EmailMessage, name: str) -> str:
    """A header on one line, without control characters; empty where there is none or it cannot be read."""
    try:
        value = str(message.get(name, ""))
    except Exception:  # the parsers of single headers raise what they like on garbage
        value = next((str(v) for k, v in message.raw_items() if k.lower() == name.lower()), "")
    return clean_line(value)


def clean_line(text: str) -> str:
    """Text on one line without control characters, at most 1,000 characters."""
    plain = "".join(" " if c in "\r\n\t" else c for c in text[:4000] if c.isprintable() or c in "\r\n\t")
    return " ".join(plain.encode("utf-8", "replace").decode().split())[:1000]


def _sender(message: EmailMessage) -> tuple[str, str]:
    name, address = parseaddr(_header(message, "From"))
    return clean_line(name), _address(address)


def _address(text: str) -> str:
    """An address in lower case; empty if it is none."""
    address = clean_line(text).strip("<> ").lower()
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
            notes.append("a mail within the mail was not read")
            yield part
        elif part.is_multipart() and kind != "message/delivery-status":
            inner = part.get_payload()
            stack += reversed([p for p in inner if isinstance(p, EmailMessage)] if isinstance(inner, list) else [])
        else:
            yield part


def _text(parts: list[EmailMessage], notes: list[str]) -> str:
    """The plain text of a mail; where there is none, its HTML as text."""
    plain: list[str] = []
    html: list[str] = []
    for part in parts:
        if part.get_content_disposition() == "attachment":
            continue
        kind = part.get_content_type()
        if kind == "text/plain":
            plain.append(_decoded(part, notes))
        elif kind == "text/html":
            html.append(_decoded(part, notes))
    text = "\n".join(t for t in plain if t.strip())
    if not text and any(h.strip() for h in html):
        text = "\n".join(html_as_text(h) for h in html)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(c for c in text if c.isprintable() or c in "\n\t")


def _decoded(part: EmailMessage, notes: list[str]) -> str:
    payload = part.get_payload(decode=True)
    data = payload[: 4 * MOST_TEXT] if isinstance(payload, bytes) else b""
    for charset in (part.get_content_charset(), "utf-8"):
        try:
            return data.decode(charset or "utf-8")
        except (LookupError, UnicodeDecodeError, ValueError):
            continue
    notes.append("some characters of the text could not be read")
    return data.decode("utf-8", "replace")


class _Text(HTMLParser):
    """HTML as lines of text: blocks on lines of their own, quotations marked, scripts and styles left out."""

    BLOCKS = frozenset("p div br li tr table h1 h2 h3 h4 h5 h6 ul ol blockquote pre section article hr".split())
    HIDDEN = frozenset("script style head title template".split())
    MOST_NESTED = 50

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = [""]
        self.quoted = 0
        self.hidden = 0

    def _break(self) -> None:
        if self.lines[-1]:
            self.lines.append("")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in self.HIDDEN:
            self.hidden += 1
        if tag in self.BLOCKS:
            self._break()
        if tag == "blockquote":
            self.quoted = min(self.quoted + 1, self.MOST_NESTED)
        if tag == "li":
            self._add("- ")
        if tag in ("td", "th") and self.lines[-1]:
            self._add(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in self.HIDDEN:
            self.hidden = max(0, self.hidden - 1)
        if tag in self.BLOCKS:
            self._break()
        if tag == "blockquote":
            self.quoted = max(0, self.quoted - 1)

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self._add(re.sub(r"\s+", " ", data))

    def _add(self, text: str) -> None:
        if not self.lines[-1]:
            text = text.lstrip()
            if text:
                self.lines[-1] = "> " * self.quoted
        if text:
            self.lines[-1] += text


def html_as_text(html: str) -> str:
    """The text of an HTML document, quotations marked by ``> ``."""
    parser = _Text()
    parser.feed(html[: 4 * MOST_TEXT])
    parser.close()
    return "\n".join(line.rstrip() for line in parser.lines).strip("\n")


def _attachments(parts: list[EmailMessage], notes: list[str]) -> Iterator[Attachment]:
    """The files of a mail that may be pictures; others are noted by name."""
    for part in parts:
        kind = part.get_content_type()
        attached = part.get_content_disposition() == "attachment"
        if (part.get_content_maintype() == "text" and not attached) or kind.startswith("message/"):
            continue
        name = clean_line(part.get_filename() or "")[:120]
        looks = kind in PICTURE_TYPES or kind.startswith("image/")
        if not looks and not re.search(r"\.(jpe?g|png|hei[cf]|pdf)\Z", name, re.IGNORECASE):
            notes.append(f"{name or 'a file'} ({clean_line(kind)}) is no picture and was not kept")
            continue
        payload = part.get_payload(decode=True)
        yield Attachment(name, kind, payload if isinstance(payload, bytes) else b"")


def _automatic(message: EmailMessage, sender: str) -> Automatic:
    """Whether a machine wrote the mail (RFC 3834, and what machines really write)."""

    def says(name: str) -> str:
        return _header(message, name).lower()

    if says(OWN_MARK):
        return "own"
    if message.get_content_type() == "multipart/report" or says("Return-Path") == "<>":
        return "bounce"
    if sender.partition("@")[0] in ("mailer-daemon", "postmaster", "mail-daemon"):
        return "bounce"
    if says("Auto-Submitted") not in ("", "no") or says("X-Autoreply") or says("X-Autorespond"):
        return "auto-reply"
    if says("Precedence") in ("auto_reply", "auto-reply") or says("X-Auto-Response-Suppress") in ("all", "oof"):
        return "auto-reply"
    if sender.partition("@")[0] in ("noreply", "no-reply", "donotreply", "do-not-reply"):
        return "auto-reply"
    if says("List-Id") or says("Precedence") in ("bulk", "list", "junk"):
        return "list"
    return ""


def _bounces(parts: list[EmailMessage]) -> Iterator[Bounce]:
    """What the reports of non-delivery in a mail say (RFC 3464)."""
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


def _vouched(message: EmailMessage, trusted: str) -> tuple[str, ...]:
    """The domains for which the trusted server saw a valid DKIM signature or SPF (RFC 8601); its header is the topmost,
    others could be forged."""
    if not trusted:
        return ()
    for value in message.get_all("Authentication-Results", [])[:1]:
        text = clean_line(str(value)).lower()
        server, _, results = text.partition(";")
        if server.split(" ")[0].strip() != trusted.lower():
            return ()
        domains = re.findall(r"\bdkim=pass\b[^;]*?\bheader\.[di]=@?([\w.-]+)", results)
        domains += re.findall(r"\bspf=pass\b[^;]*?\bsmtp\.mailfrom=(?:[^\s;@]*@)?([\w.-]+)", results)
        return tuple(dict.fromkeys(domains))
    return ()


def is_vouched(mail: Inbound) -> bool:
    """Whether the sender's domain is one of those vouched for, or below one (``aspf``/``adkim`` relaxed)."""
    domain = mail.sender.rpartition("@")[2]
    return any(domain == d or domain.endswith("." + d) or d.endswith("." + domain) for d in mail.vouched)
