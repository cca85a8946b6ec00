"""The text of a mail: of its parts those that are to be read, in the characters and lines in which it was written."""

import base64
import binascii
import codecs
import re
from collections.abc import Iterator, Sequence
from email.message import EmailMessage

from legation.mail.html_text import MOST_HTML, PICTURE_DATA, html_as_text, shown_html
from legation.mail.quoting import RULE
from legation.mail.words import words
from legation.notation.layout import STRUCK

ARMOR = "-----BEGIN PGP SIGNED MESSAGE-----"
ENCRYPTED_ARMOR = "-----BEGIN PGP MESSAGE-----"
NOT_DECRYPTED = "the mail is encrypted and can't be read here; send your orders in an unencrypted mail"
USUAL_TEXTS = frozenset(["text/plain", "text/html"])
UNUSUAL_TEXTS = frozenset(["text/markdown", "text/x-markdown", "text/enriched", "text/x-web-markdown"])
"""What is read where a mail has nothing else to read."""
MOST_BYTES = 2_000_000  # of a text before it is decoded: most of HTML is markup
LONGEST_POINTER = 400  # characters of a text that says only that the mail is written in HTML
MOST_DOUBTFUL = 3  # lines at the end of coded ones that may be words of a footer
MOST_ABOVE = 20  # lines of a banner
LONGEST_WORD = 40  # characters; what is longer is coded, and nothing below it is the beginning
_SIGNED = re.compile(
    rf"^{ARMOR}.*\n(?:[ \t]*+\S.*\n)*+.*\n?((?:(?!-----BEGIN PGP SIGNATURE-----).*+\n?+)*+)"
    r"(?:.*\n(?:(?!-----END PGP SIGNATURE-----).*+\n?+)*+.*\n?)?",
    re.MULTILINE,
)
"""A signed text below its head (``Hash: SHA512``), and its signature."""
_DASHED = re.compile(r"^- (?=-)", re.MULTILINE)
_ENCRYPTED_TEXT = re.compile(rf"{ENCRYPTED_ARMOR}.*?(?:-----END PGP MESSAGE-----|\Z)", re.DOTALL)
_PICTURE_BYTES = re.compile(PICTURE_DATA.pattern.encode())
"""A picture that stands within HTML, and may be longer than all that is read."""
_ENRICHED = re.compile(r"<param>[^<]{0,200}</param>|</?[A-Za-z-]{1,60}>")  # the marks of ``text/enriched`` (RFC 1896)
_OPENS_HTML = re.compile(r"\s*<(?:!doctype html|html)[\s>]", re.IGNORECASE)
_CODED = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)")
"""A line of base64."""
_UNSAID = re.compile(r"[^\t\n\r\x20-\U0010ffff]")
"""What no text has: the bytes of words that are taken for base64 hold it."""
_CP1252 = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"
_TWICE = re.compile(f"[\u00c2-\u00f4][\u0080-\u00bf{_CP1252}]{{1,3}}")
"""What UTF-8 looks like where it was read as Windows-1252: a dash is ``â€“``."""
_QUOTED = re.compile(r"(?:=[89A-F][0-9A-F]){2,4}")
"""Bytes of UTF-8 as quoted-printable writes them: a dash is ``=E2=80=93``."""
_ENDS_QUOTED = re.compile(r"=20$", re.MULTILINE)
_SOFT_BREAK = re.compile(r"=[ \t]{0,9}\n")
_PLAIN = re.compile(r"=(20|3D|09)")
_BREAKS = dict.fromkeys(map(ord, "\r\x0b\x0c\x85\u2028\u2029"), "\n")  # ends of lines


def text_of(parts: list[EmailMessage], notes: list[str]) -> str:
    """The plain text of a mail; its HTML as text where there is no other, or where that alone tells what is struck
    out."""
    plain: list[str] = []
    html: list[str] = []
    written = shown_texts(parts)
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
                html.append((f"{html_as_text(above)}\n\n" if above else "") + html_as_text(said) + below)
                continue
            said = _flowed(part, said)
            if ENCRYPTED_ARMOR in said:
                notes.append(NOT_DECRYPTED)
                said = _ENCRYPTED_TEXT.sub("", said)
            plain.append((f"{above}\n\n" if above else "") + _without_armor(said) + below)
    text = "\n".join(t for t in plain if t.strip())
    if any(t.strip() for t in html) and (not text or _points_to_html(text) or any(STRUCK in t for t in html)):
        text = "\n".join(html)
    text = repaired(text.replace("\r\n", "\n").translate(_BREAKS))
    return "".join(c if c.isprintable() or c in "\n\t" else " " * (c > "\x7f" and c.isspace()) for c in text)


def shown_texts(parts: Sequence[EmailMessage]) -> list[EmailMessage]:
    """The parts that are not files: a text that has a name is a file, unless the mail is nothing but it."""
    shown = [part for part in parts if part.get_content_disposition() != "attachment"]
    nameless = [part for part in shown if not _is_named_text(part)]
    return nameless if any(part.get_content_type() in USUAL_TEXTS for part in nameless) else shown


def _is_named_text(part: EmailMessage) -> bool:
    return part.get_content_maintype() == "text" and bool(part.get_param("filename", header="Content-Disposition"))


def _points_to_html(text: str) -> bool:
    said = text.casefold()
    return len(text) < LONGEST_POINTER and "html" in said and any(word in said for word in words("html_shown_in"))


def _without_armor(text: str) -> str:
    """A text that OpenPGP signs within the mail (RFC 9580, 7.2), without the signature and what stands around it."""
    return _SIGNED.sub(lambda m: _DASHED.sub("", m[1]), text.replace("\r\n", "\n")) if ARMOR in text else text


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


def coded_and_added(part: EmailMessage) -> tuple[bytes, str, str]:
    """Return the bytes of a part, and the plain text that a relay added above and below them."""
    payload, raw = part.get_payload(decode=True), part.get_payload()
    data = payload if isinstance(payload, bytes) else b""
    if not isinstance(raw, str) or str(part.get("Content-Transfer-Encoding", "")).strip().lower() != "base64":
        return data, "", ""
    lines = [line.strip() for line in raw.split("\n")]
    charset = part.get_content_charset() or "utf-8"
    for first, last in sorted(_blocks(lines), key=lambda block: -len("".join(lines[slice(*block)]))):
        for end in range(last, max(last - MOST_DOUBTFUL - 1, first), -1):
            if (text := _decoded_text([line for line in lines[first:end] if line], charset)) is not None:
                above, below = ("\n".join(filter(None, added)) for added in (lines[:first], lines[end:]))
                return text, above, below
    return data, "", ""


def _blocks(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Where what is coded may begin and end: at the top, and below a shorter line or words, which may be a banner's."""
    for number, line in enumerate(lines[: MOST_ABOVE + 1]):
        above = lines[number - 1] if number else ""
        if line and (len(above) < len(line) or not _CODED.fullmatch(above)):
            rest = range(number, len(lines))
            other = next((i for i in rest if lines[i] and not _CODED.fullmatch(lines[i])), len(lines))
            yield number, next((i + 1 for i in range(number, other) if lines[i].endswith("=")), other)
        if len(line) > LONGEST_WORD and " " not in line:
            return


def _decoded_text(coded: list[str], charset: str) -> bytes | None:
    """The bytes of lines, if these are as long as each other, but for the last, as a program writes them and nobody
    writes words, and say a text."""
    if not coded or len({len(line) for line in coded[:-1]}) > 1 or len(coded[-1]) > len(coded[0]):
        return None
    try:
        data = base64.b64decode("".join(coded), validate=True)
        said = data.decode(charset)
    except (binascii.Error, LookupError, UnicodeDecodeError):
        return None
    return None if _UNSAID.search(said) else data


def repaired(text: str) -> str:
    """A text in which characters that a program on the way has read as others (UTF-8 as one byte a letter,
    quoted-printable as plain text) are what was written; all else is left as it stands."""
    if _QUOTED.search(text) or _ENDS_QUOTED.search(text):
        text = _SOFT_BREAK.sub("", text)
        text = _QUOTED.sub(lambda m: _as_utf8(m.group(), bytes.fromhex(m.group().replace("=", ""))), text)
        text = _PLAIN.sub(lambda m: bytes.fromhex(m[1]).decode(), text)
    return text if text.isascii() else _TWICE.sub(lambda m: _as_utf8(m.group(), _bytes(m.group())), text)


def _as_utf8(written: str, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return written


def _bytes(text: str) -> bytes:
    """The bytes that were read as these characters of Windows-1252; of those that it lacks, their numbers."""
    return b"".join(bytes([ord(c)]) if ord(c) < 256 else c.encode("cp1252", "replace") for c in text)
