"""The parts of a mail that goes out: texts, files and what holds them together.

The library parses the headers of every part again each time that it looks at one, and writes files line by line, which
took half the time of a mail. Here headers are parsed once for all parts that have the same, and a file is written once
for all to whom it goes.
"""

from __future__ import annotations

import base64
import secrets
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage
from email.policy import EmailPolicy
from functools import lru_cache
from typing import Any

LINE = 76  # characters of base64 (RFC 2045)


class _Headers(HeaderRegistry):
    """The library's, with one class for each header, which it makes anew for each that it reads or writes."""

    def __init__(self) -> None:
        super().__init__()
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        made = self._made.get(name)
        if made is None:
            made = self._made[name] = super().__getitem__(name)
        return made


HEAD = EmailPolicy(header_factory=_Headers())
"""Headers of a whole mail that are made here, so their names are few."""


class _PartPolicy(EmailPolicy):
    """Headers are kept as they are written, and parsed when they are asked for."""

    def header_max_count(self, name: str) -> None:
        return None

    def header_store_parse(self, name: str, value: str) -> tuple[str, str]:
        if len(value.splitlines()) > 1:
            raise ValueError("a header of a part is one line")
        return name, value

    def header_fetch_parse(self, name: str, value: str) -> Any:
        return _parsed(name, value)


@lru_cache(maxsize=64)
def _parsed(name: str, value: str) -> Any:
    return HEAD.header_factory(name, value)


_POLICY = _PartPolicy(header_factory=HEAD.header_factory)
WIRE = _POLICY.clone(linesep="\r\n")
"""How mails are written to a relay."""


def text(content: str, kind: str) -> EmailMessage:
    """A text, ``plain`` or ``html``."""
    part = EmailMessage(_POLICY)
    part.set_content(content, subtype=kind)
    return part


def file(kind: str, name: str, data: bytes, disposition: str, cid: str = "") -> EmailMessage:
    """A file of a type like ``image/png``; ``disposition``: ``inline``, where the HTML shows it by its ``cid``, or
    ``attachment``."""
    part = EmailMessage(_POLICY)
    main, _, sub = kind.partition("/")
    part.set_content(b"", main, sub, filename=name, disposition=disposition, cid=f"<{cid}>" if cid else None)
    part.set_payload(in_lines(data))
    return part


def multipart(kind: str, *held: EmailMessage) -> EmailMessage:
    """Parts together, as ``mixed``, ``alternative`` or ``related``."""
    whole = EmailMessage(_POLICY)
    whole["MIME-Version"] = "1.0"
    whole["Content-Type"] = f'multipart/{kind}; boundary="=_{secrets.token_hex(16)}"'  # no coded line begins so
    for part in held:
        whole.attach(part)
    return whole


@lru_cache(maxsize=32)
def in_lines(data: bytes) -> str:
    """Return a file in base64, in the lines of a mail.

    It is made once for all to whom a map goes; the library makes it for each, line by line.
    """
    coded = base64.b64encode(data).decode()
    return "".join(f"{coded[at : at + LINE]}\n" for at in range(0, len(coded), LINE))
