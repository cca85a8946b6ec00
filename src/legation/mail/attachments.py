"""The files of a mail: pictures that may be order sheets, those that are told, and the office's own pictures, which a
mail program sends back with an answer: each has a mark in a text chunk of its PNG, and a name."""

import re
import struct
import zlib
from collections.abc import Iterator
from email.message import EmailMessage

import msgspec

from legation.mail.parsing import clean_line
from legation.mail.texts import NOT_DECRYPTED, shown_texts

ENCRYPTED = frozenset(["application/pgp-encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"])
SIGNATURES = frozenset(["application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"])
PICTURE_TYPES = frozenset(["image/jpeg", "image/png", "image/heic", "image/heif", "application/pdf"])
SMALL_PICTURE = 40_000  # bytes: within a mail such are logos and signatures
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_KEYWORD, _TEXT = b"Source", b"Legation, results by mail"
MAP_NAME = "legation-map"
"""How the names begin of pictures within the office's mails; programs that write them anew keep the name."""


class Attachment(msgspec.Struct, frozen=True):
    """A file that came with a mail.

    ``claimed`` is the type that the mail says it has; what it really is, ``office.orders.pictures`` finds out.
    ``inline``: it is shown within the text, as logos are."""

    name: str
    claimed: str
    data: bytes
    inline: bool = False


def files_of(parts: list[EmailMessage], notes: list[str]) -> Iterator[Attachment]:
    """The files of a mail that may be pictures; others are noted by name."""
    texts = shown_texts(parts)
    for part in parts:
        kind, is_text = part.get_content_type(), part.get_content_maintype() == "text"
        attached = part.get_content_disposition() == "attachment" or part not in texts
        if (is_text and not attached) or kind.startswith(("message/", "multipart/")) or kind in SIGNATURES:
            continue
        name = clean_line(part.get_filename() or "")
        looks = kind in PICTURE_TYPES or kind.startswith("image/")
        if kind in ENCRYPTED:
            notes += [NOT_DECRYPTED] if NOT_DECRYPTED not in notes else []
            continue
        if is_text or re.search(r"\.(txt|rtf|docx?|odt|pages)\Z", name, re.IGNORECASE):
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


def marked(png: bytes) -> bytes:
    """A PNG with the office's mark."""
    if not png.startswith(_SIGNATURE):
        return png
    content = b"tEXt" + _KEYWORD + b"\0" + _TEXT
    chunk = struct.pack(">I", len(content) - 4) + content + struct.pack(">I", zlib.crc32(content))
    after_head = len(_SIGNATURE) + 25  # the head chunk is always as long
    return png[:after_head] + chunk + png[after_head:]


def is_ours(data: bytes, name: str) -> bool:
    """Whether a picture is one of the office's."""
    return name.casefold().startswith(MAP_NAME) or (data.startswith(_SIGNATURE) and _TEXT in data[:400])
