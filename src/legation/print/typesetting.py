"""Typst, with templates that are part of the package and text that is data."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, time
from importlib.resources import files
from typing import Any

import msgspec

from legation.atlas.painting import PAINTER
from legation.board import Board
from legation.languages import ENGLISH, said_in
from legation.languages.catalogs import paper_in_language

TEMPLATES = files("legation.print") / "templates"
SHARED = ("common.typ", "order-sheet.typ")
SAID = frozenset(
    "begins changes deadlines ending entries games gazette heading how note power rows salutation season "
    "state submission summary title turn turns valediction written".split()
)
"""What of a paper's data are words of the program's."""
LONGEST_LINE = 300  # of an address or a name; more is no line


class UnprintableError(ValueError):
    """Text that cannot be printed as it is; one line that says which and why."""


def typeset(
    template: str,
    data: Mapping[str, Any],
    day: date,
    pictures: Mapping[str, str] | None = None,
    language: str = ENGLISH,
    board: Board | None = None,
) -> bytes:
    """A PDF (PDF/A-2b) of a template in a language with this data, dated ``day``. ``pictures`` are SVG documents by
    the names that the template gives them. What the data say to people is in that language (:data:`SAID`), also the
    places of a ``board``.

    :raises UnprintableError: for characters that no font at hand can show.
    :raises PicturesMissingError: where typst is not installed.
    :raises PaintingError: where it takes too long or too much."""
    say = said_in(language, board)
    said = {key: _changed(value, say) if key in SAID else value for key, value in data.items()}
    documents = {
        "main.typ": _template(template, language),
        **{name: _template(name, language) for name in SHARED},
        "data.json": msgspec.json.encode(_changed(said | {"language": language}, _without_control)),
        **{name: svg.encode() for name, svg in (pictures or {}).items()},
    }
    stamp = datetime.combine(day, time(12), UTC)
    try:
        return PAINTER.paper(documents, stamp)
    except RuntimeError as error:
        if not _missing(error):
            raise
    try:  # a script that the fonts of the package lack; the machine may have it
        return PAINTER.paper(documents, stamp, system_fonts=True)
    except RuntimeError as error:
        text = _missing(error)
        if not text:
            raise
        raise UnprintableError(f"no font here can show {text}; install one for that script") from None


def _template(name: str, language: str) -> bytes:
    return paper_in_language(TEMPLATES.joinpath(name).read_text("utf-8"), language).encode()


def _changed(value: Any, change: Callable[[str], str]) -> Any:
    """Return data with a function applied to every text in it."""
    match value:
        case str():
            return change(value)
        case Mapping():
            return {key: _changed(item, change) for key, item in value.items()}
        case Sequence():
            return [_changed(item, change) for item in value]
    return value


def _without_control(text: str) -> str:
    """A text with spaces for control characters, which no paper shows; line breaks are kept."""
    return re.sub(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]", " ", text)


def _missing(error: RuntimeError) -> str:
    match = re.search(r"the text `?(\".*\")`? could not be displayed", str(error), re.S)
    return match[1] if match else ""


def one_line(text: str, what: str) -> str:
    """Return a name or a line of an address as one line.

    :raises UnprintableError: when it is longer than any line."""
    line = " ".join(text.split())
    if len(line) > LONGEST_LINE:
        raise UnprintableError(f"{what} has {len(line)} characters in a line; at most {LONGEST_LINE} can be printed")
    return line
