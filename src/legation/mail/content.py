"""What a mail says, written once and shown twice: as plain text and as HTML.

A :class:`Content` is a subject and blocks. Everything in a block is plain text; the HTML is made from a template that
escapes it all, so nothing that a person wrote can become markup."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, TypeAlias

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined

from legation.board import Board
from legation.languages import ENGLISH, said_in, text_in
from legation.mail.subjects import is_own_subject

WIDTH = 76
CONTINUED = "  "


class Paragraph(msgspec.Struct, frozen=True, tag=True):
    """A paragraph of prose; ``strong`` for what must not be overlooked."""

    text: str
    strong: bool = False


class Heading(msgspec.Struct, frozen=True, tag=True):
    """A line above what follows."""

    text: str


class Lines(msgspec.Struct, frozen=True, tag=True):
    """Lines that keep their breaks: orders, addresses, a report. ``neutral``: the same in every language."""

    lines: tuple[str, ...]
    neutral: bool = False


class Facts(msgspec.Struct, frozen=True, tag=True):
    """Names and what they stand for: ``Deadline  Wed 7 Jan 2027, 07:00 GMT``."""

    rows: tuple[tuple[str, str], ...]


class Quote(msgspec.Struct, frozen=True, tag=True):
    """The words of somebody else, as they were written."""

    text: str


class Action(msgspec.Struct, frozen=True, tag=True):
    """A link that does something, with what it does."""

    label: str
    url: str


class Image(msgspec.Struct, frozen=True, tag=True):
    """A picture in a mail, with its alternative text."""

    cid: str
    alt: str
    data: bytes
    kind: str = "png"


def listing(title: str, lines: Iterable[str], *, neutral: bool = False) -> list[Block]:
    """Return lines under a heading; nothing where there are none."""
    shown = tuple(lines)
    return [Heading(title), Lines(shown, neutral)] if shown else []


Block: TypeAlias = Paragraph | Heading | Lines | Facts | Quote | Action | Image


class Enclosure(msgspec.Struct, frozen=True):
    """A file that goes with a mail; where it would make the mail large, only the address of what stands at ``page``."""

    name: str
    kind: str
    data: bytes
    page: str = ""


class Content(msgspec.Struct, frozen=True):
    """A mail's subject, blocks and enclosures. ``footer`` says why one gets it and how to change that."""

    subject: str
    title: str
    blocks: tuple[Block, ...]
    footer: tuple[str, ...] = ()
    enclosures: tuple[Enclosure, ...] = ()


def in_language(content: Content, language: str, board: Board | None = None) -> Content:
    """Return a mail in a language, with the places of a ``board`` in it: all but quotations, and a subject by which the
    office knows an answer to it."""
    if language == ENGLISH:
        return content
    say = said_in(language, board)

    def said(written: Any) -> Any:
        if isinstance(written, str):
            return say(written)
        if isinstance(written, tuple):
            return tuple(map(said, written))
        if isinstance(written, Quote) or getattr(written, "neutral", False):
            return written
        fields = {name: getattr(written, name) for name in _SAID if hasattr(written, name)}
        return msgspec.structs.replace(written, **{name: said(value) for name, value in fields.items()})

    translated: Content = said(content)
    return (
        translated
        if is_own_subject(content.subject)
        else msgspec.structs.replace(translated, subject=say(content.subject))
    )


_SAID = ("title", "text", "lines", "rows", "label", "alt", "blocks", "footer")
"""The fields of mails and blocks that are said in the reader's language."""


def as_text(content: Content, language: str = ENGLISH) -> str:
    """The plain text of a mail, wrapped for any reader."""
    colon = text_in(language, ":")
    parts = [content.title, "=" * min(len(content.title), WIDTH)] if content.title else []
    for block in content.blocks:
        parts += _text_of(block, colon)
    if content.footer:
        parts += ["", "-- ", *(line for text in content.footer for line in _wrap(text))]
    return "\n".join(parts).strip("\n") + "\n"


def _wrap(text: str, first: str = "", others: str = "") -> list[str]:
    """Lines of at most ``WIDTH``; addresses and digests stay whole, so that they can be copied."""
    return textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=others, break_long_words=False, break_on_hyphens=False
    )


def _text_of(block: Block, colon: str) -> list[str]:
    match block:
        case Paragraph(text):
            return ["", *_wrap(text)]
        case Heading(text):
            return ["", text.upper()]
        case Lines(lines, True):
            return ["", *(f"{CONTINUED}{line}".rstrip() for line in lines)]
        case Lines(lines):
            return ["", *(part for line in lines for part in _wrap(line, CONTINUED, CONTINUED * 2) or [""])]
        case Facts(rows):
            width = max((len(name) for name, _ in rows), default=0)
            shown = [""]
            for name, value in rows:
                indent = " " * (width + 4)
                shown += _wrap(value or "-", f"  {name:<{width}}  ", indent)
            return shown
        case Quote(text):
            return ["", *(f"| {line}" for line in text.split("\n"))]
        case Action(label, url):
            return ["", f"{label}{colon}", f"  {url}"]
        case Image(_, alt, _, _):
            return ["", f"[{alt}]"]


def _joined(lines: Sequence[str]) -> list[str]:
    """Lines with those after them that begin further right, where text was too long for one."""
    joined: list[str] = []
    for line in lines:
        if joined and line.startswith(CONTINUED):
            joined[-1] += " " + line.strip()
        else:
            joined.append(line)
    return joined


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("legation.mail"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["joined"] = _joined
    made.filters["kind"] = lambda block: type(block).__name__.lower()
    return made


def as_html(content: Content, office: str, above: str = "", language: str = ENGLISH) -> str:
    """The HTML of a mail; ``office`` is the name at its head, ``above`` a line above all else."""
    template = _environment().get_template("mail.html")
    return template.render(content=content, office=office, above=above, language=language)
