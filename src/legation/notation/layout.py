"""How a sheet is laid out: lines without the marks of mail, lists, tables and markup around them.

Nothing is moved: what is mere layout is blanked, so that a place in a line is a place in the text."""

import html
import re
from collections.abc import Iterator

import msgspec

from legation.notation.cells import laid_out
from legation.notation.lexicon import lexicon

STRUCK = "~~"  # around what is struck out

_SPEAKING = "❌❎✂✕✖✗✘☒☠💀🗑🏳🪦🚫⛔🛑🔙🔚🤔🤷🙅👎❓❔❛❜❝❞☐"
"""Pictures that cross out, stop, doubt or ask; the others among letters say nothing."""
_PICTURES = {*range(0x21BA, 0x21BC), *range(0x2460, 0x2474), *range(0x2600, 0x2794), 0x2B50, *range(0x1F1E6, 0x1FB00)}
_INVISIBLE = {*range(0x200B, 0x2010), *range(0x202A, 0x202F), 0x2060, 0xFEFF, 0xA0, 0xFE0F, *range(0xE0020, 0xE0080)}
_PLAIN = (
    dict.fromkeys(_INVISIBLE | _PICTURES - {ord(picture) for picture in _SPEAKING}, " ")
    | dict.fromkeys(map(ord, "\r\x0b\x0c\x85\u2028\u2029"), "\n")
    | {0x2795: "+", 0x2796: "-", 0x2212: "-", 0x20E3: ")"}
)
_ANGLES = str.maketrans("»›", ">>")
"""Signs for an arrow, where no quotation begins with their counterparts: ``Ukr » Rum``."""
_MARKUP = re.compile(r"[<\[]/?([a-z]\w{0,9})([\s=][^<>\[\]\n]{0,300})?/?[>\]]|&#?\w{1,8};", re.IGNORECASE)
_TAGS, _CODES = lexicon().values("TAG"), lexicon().values("CODE")  # of HTML, and of forums
_AMOUNTS = lexicon().words("AMOUNT")
_SAID = re.compile(rf"(?<=[^\W\d_]\s)(?:{'|'.join(sorted(lexicon().words('SAID')))})\b", re.IGNORECASE)
"""The sign that a telegram wrote out."""
_EMPHASIS = re.compile(r"(?<!\w)[*_`]{1,3}(?=[^\W_])|(?<=[^\s*_`/])[*_`]{1,3}(?![^\W_])|(?<=[^\W_])_(?=[^\W_])")
"""Signs of markup around words, and what joins them: ``Mid_Atlantic_Ocean``."""
_RESULTS = "|".join(sorted(lexicon().words("RESULT"), key=len, reverse=True))
_RESULT = re.compile(rf"\(\*(?:(?:{_RESULTS})[,!]?\s?)+\*\)", re.IGNORECASE)
"""What a report of results says behind an order: ``(*bounce, dislodged*)``."""
_SIGNS = r"[-*•·‣◦▪●–—◆◇■▫○☐]"
_QUOTE = re.compile(r"\s{0,99}(?:([^\W\d_]\w{1,19})>(?=\s)|(?:>\s?){1,99})")
_BULLET = re.compile(
    rf"\s{{0,99}}(?:{_SIGNS}{{1,2}}\s{{1,99}}(?=\S)|(?:o|[-=]>|[→➤►▶])\s{{1,99}}(?=[^\W\d]\.?\s)|\.o\s{{1,99}}"
    r"|\(?\d{1,2}(?:\s?[-–]\s|[.)\]]\)?)\s{0,99}(?=[^\W\d]))"
)
_GLUED = re.compile(r"\s{0,99}(?:--?|[AF]\d\s{1,9})(?=[^\W\d])")
_COUNTED = re.compile(r"\s{0,99}(\d{1,2})\s{1,9}([^\W\d_]{1,30})")
"""A number with nothing behind it; it may count what follows, too."""
_BEFORE_BOX = rf"[^\S\n]{{0,20}}(?:(?:{_SIGNS}|\d{{1,2}}[.)])[^\S\n]{{0,9}})?"
TICKED = re.compile(rf"^{_BEFORE_BOX}(?:\[[xX✓✔]\]|[☑✅✓✔])\s", re.MULTILINE)
UNTICKED = re.compile(rf"{_BEFORE_BOX}(?:\[ ?\]|☐)\s")
"""Boxes at the beginning of a line; where some are ticked, it is not clear whether the others are meant."""
COMMENT = re.compile(r"#(?!\d)|(?<=[\w,:;.+]\s)#|(?<![^\s;,.])/[/*]")
"""What begins a comment; the slashes of an address on the web do not."""


class Line(msgspec.Struct, frozen=True):
    """A line of a sheet: ``text`` stands at ``start`` and is as long as what was written.

    ``comment`` is what follows a ``#`` or ``//``. ``speaker`` is the word before a ``>`` in front of it, which still
    belongs to the text, since it may be a place from which a unit moves."""

    number: int
    start: int
    text: str
    comment: str = ""
    speaker: str = ""
    quoted: bool = False  # marks of quoting stand before it

    @property
    def end(self) -> int:
        """Where the line ends in the sheet."""
        return self.start + len(self.text)


def _markup(match: re.Match[str]) -> str:
    written, name, rest = match.group(), match[1], match[2]
    if name is None:
        char = html.unescape(written)
        return (char if len(char) == 1 else "?").replace("\u00a0", " ").ljust(len(written))
    kinds = _TAGS if written[0] == "<" else _CODES
    if name.casefold() not in kinds or (rest and "=" not in rest):
        return written
    return {"line": "\n", "struck": STRUCK}.get(kinds[name.casefold()], "").ljust(len(written))


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


def _signs_said(line: str) -> str:
    """A line in which signs are written out, with them; as it is, where the word may be another."""
    said = _SAID.findall(line)
    if not said or not set(',;:()?!#"').isdisjoint(line) or (len(said) < 2 and not line.rstrip().endswith(said[0])):
        return line
    return _SAID.sub(lambda match: ";".ljust(len(match.group())), line)


def plain_text(text: str) -> str:
    """The text without markup and invisible characters, as long as before."""
    text = text.replace("\r\n", " \n").translate(_PLAIN)
    if "«" not in text and "‹" not in text:
        text = text.translate(_ANGLES)
    if _SAID.search(text):
        text = "\n".join(map(_signs_said, text.split("\n")))
    text = _RESULT.sub(_blank, text)
    return _EMPHASIS.sub(_blank, _MARKUP.sub(_markup, laid_out(text)))


def lines_struck(text: str) -> set[int]:
    """The numbers of the lines between two of which the first opens what is struck out and the other closes it."""
    open_at = 0
    struck: set[int] = set()
    for number, raw in enumerate(text.split("\n"), 1):
        if raw.count(STRUCK) % 2 == 0 or (set(raw.strip()) == {"~"} and raw.strip() != STRUCK):
            continue  # nothing is struck out beyond the line, or it is a ruler
        struck |= set(range(open_at + 1, number)) if open_at else set()
        open_at = 0 if open_at else number
    return struck


def lines_of(text: str, *, plus_is_bullet: bool) -> Iterator[Line]:
    """The lines of a text that :func:`plain_text` made plain, empty ones too, without bullets, numbers and quote marks
    before them. ``plus_is_bullet``: signs that are glued to a word are bullets, too."""
    start, lines = 0, text.split("\n")
    counted = [_COUNTED.match(raw) for raw in lines]
    counts = {int(match[1]) for match in counted if match}
    for number, (raw, match) in enumerate(zip(lines, counted, strict=True), 1):
        at = 0
        if match and counts & {int(match[1]) - 1, int(match[1]) + 1} and match[2].casefold() not in _AMOUNTS:
            at = match.start(2)
        yield _line(number, start, raw, at, plus_is_bullet)
        start += len(raw) + 1


def _line(number: int, start: int, raw: str, at: int, glued: bool) -> Line:
    mark = COMMENT.search(raw)
    body, comment = (raw[: mark.start()], raw[mark.end() :]) if mark else (raw, "")
    if mark and mark.group() != "/*" and not body.strip():
        return Line(number, start, raw)  # a heading in Markdown, or a comment; whoever reads it decides
    quote = _QUOTE.match(body)
    if quote and not quote[1]:
        at = quote.end()
    if match := _BULLET.match(body, at) or (glued and _GLUED.match(body, at)):
        at = match.end()
    kept = body[at:].lstrip()
    begin = start + len(body) - len(kept)
    speaker = quote[1] or "" if quote else ""
    return Line(number, begin, kept.rstrip(), comment.strip(), speaker, bool(quote and not speaker))
