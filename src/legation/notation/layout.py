"""How a sheet is laid out: lines without the marks of mail, lists, tables and markup around them.

Nothing is moved: what is mere layout is blanked, so that a place in a line is a place in the text.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence

import msgspec

from legation.notation.cells import laid_out, tabled

STRUCK = "~~"  # around what is struck out

_INVISIBLE = re.compile("[\u200b-\u200f\u2060\ufeff\u00a0\u202a-\u202e\ufe0f]")
_BREAKS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_ENTITY = re.compile(r"&(?:#\d{1,6}|#x[0-9a-f]{1,6}|[a-z]{2,8});", re.IGNORECASE)
_TAG = re.compile(
    r"</?(b|i|u|em|strong|span|font|a|p|div|br|hr|li|ul|ol|tr|td|th|table|tbody|thead|pre|code|blockquote|h[1-6]|s|del|strike|small|big|html|body|head)"
    r"(?:\s+[a-z-]{1,30}\s*=\s*(?:\"[^\"<>\n]{0,300}\"|'[^'<>\n]{0,300}'|[^\s\"'<>]{1,300}))*\s*/?>",
    re.IGNORECASE,
)
_CODES = re.compile(r"\[/?(?:b|i|u|code|list|color|size|font)(?:=[\w#]{1,20})?\]", re.IGNORECASE)
"""The markup of forums; what is struck out or quoted there is left, and so is told."""
_BLOCK_TAGS = frozenset("br p div li tr ul ol table h1 h2 h3 h4 blockquote pre hr".split())
_STRUCK_TAGS = frozenset("s del strike".split())
_EMPHASIS = re.compile(r"(?<!\w)(\*{1,3}|_{1,3}|`{1,3})(?=[^\s*_`])([^\n*_`]{0,300}[^\s*_`])\1(?!\w)")
_QUOTE = re.compile(r"\s{0,99}(?:>\s?)+")
_BULLET = re.compile(
    r"\s{0,99}(?:"
    r"(?:(?:[-*•·‣◦▪●–—]|\d{1,2}[.)])\s{0,99})?(?:\[[xX✓✔ ]?\]|☐)\s{1,99}|"
    r"\(v\d{1,2}\)\s{1,99}|\*\*\s{1,99}|\*(?=[A-Za-z])|[-*•·‣◦▪●–—◆◇■▫○]\s{1,99}|o\s{1,9}(?=[AFDafd]\.?\s{1,9}\w)|--?(?=[A-Za-z])|--\s{1,9}(?=[AFDafd]\.?\s{1,9}\w)"
    r"|(?:[-=]>|[→➤►▶»])\s{1,99}(?=[AFDafd]\.?\s{1,9}\w)"  # an arrow, before a unit; elsewhere the line before goes on
    r"|\d{1,2}\s?[-–/]\s{1,9}(?=[AFDafd]\.?\s{1,9}\w)|\d{1,2}/\s{1,9}(?=[^\W\d_]{3})"
    r"|\(?\d{1,2}[.)\]]\)?\s{0,99}(?=\S)|\d{1,2}:\s{1,99}|\d{1,2}\s{1,9}(?!(?:suppl|points?\b|units?\b))(?=[AFDafd]\s{1,9}\w|(?:[Aa]rmy|[Ff]leet)\s{1,9}[A-Z]|[A-Za-z]{3,30}(?:\s{0,9}[-–—→>]|\s{1,9}[SsCcHh]\b))|#\d{1,2}[.:)]?\s{1,99}"
    r"|[AFaf][1-9]\s?[.:)]\s{1,99}(?=\S)|\d{1,2}/\d{1,2}[.:)]?\s{1,99}(?=[AFDafd]\.?\s{1,9}\w)"
    r"|[/!.]orders?\s{1,99}(?=\S)|[\u2460-\u2473]\s{0,99}|\d\s?\u20e3\s{0,99}"
    r"|(?:[Nn]o|[Nn]r|[Oo]rder)\.?\s?\d{1,2}\s?[.:)]\s{1,99}"
    r"|\(?[A-Za-z]\)\s{1,99}|[A-Za-z]\.\s{1,99}(?=[AFDafd]\.?\s{1,9}\w\w)|[ivx]{1,4}[.)]\s{1,99}"
    r")"
)
_BEFORE_BOX = r"[^\S\n]{0,20}(?:(?:[-*•·‣◦▪●–—]|\d{1,2}[.)])[^\S\n]{0,9})?"
TICKED = re.compile(rf"^{_BEFORE_BOX}(?:\[[xX✓✔]\]|[☑✅✓✔])\s", re.MULTILINE)
UNTICKED = re.compile(rf"{_BEFORE_BOX}(?:\[ ?\]|☐)\s")
"""Boxes at the beginning of a line; where some are ticked, it is not clear whether the others are meant."""
_NUMBER_SIGN = re.compile(r"[\s>*•·‣◦▪●–—-]{0,99}(?:\[[xX ]?\]\s{0,9})?#\d{1,2}[.:)]?\s")
_COUNTED = re.compile(r"#\d{1,2}[.:)]?\s{1,99}")
_BARE_NUMBER = re.compile(
    r"\s{0,99}(?:[-*•]\s{1,9})?(?P<number>\d{1,2})\s{1,9}"
    r"(?!(?:to|for|from|x|each|more|armies|fleets|builds|units|removals|waivers|suppl\w*|points?)\b)(?=[^\W\d_])",
    re.IGNORECASE,
)
"""A number with nothing behind it; it may count what follows, too."""
_PLUS = re.compile(r"\s{0,99}\+\s{1,99}")
_FURTHER = re.compile(
    r"(?:(?:oh|ah|oops|sorry)\b,?\s+)?(?:edit\s?:\s+(?=forgot))?(?:and\s+)?"
    r"(?:(?:also|plus|(?<=oh )and|(?<=oh, )and|(?:i )?forgot to add|addition"
    r"|add(?=\s?:)|finally|lastly|additionally|furthermore|in addition|besides|"
    r"p\.\s?(?:p\.\s?)?s\.(?:\s+(?:please|pls)?\s*(?:also\s+)?add)?)\s*[:,]?"
    r"|(?:one more(?: (?:order|thing))?|(?:the )?last(?: (?:order|one))?|p?ps"
    r"|(?:i (?:also |almost |just )?|almost )?forgot(?: (?:one|this(?: one)?))?)\s*[:,])"
    r"\s+(?=(?:[AFDafd]|[Aa]rmy|[Ff]leet)\.?\s+\w\w"
    r"|(?<!ps[:,.\s])(?<!ps[:,.]\s)(?<!s\.\s)(?<!s\.[:,]\s)\w{3,20}\s?(?:[-–→>]|(?:to|holds?|h|s|supports?|stays?|stands?|moves?)\b))",
    re.IGNORECASE,
)
"""What introduces a further order, with a unit right after it."""
COMMENT = re.compile(r"#|(?<![^\s;,.])//")
"""What begins a comment; the slashes of an address on the web do not."""
_PICTURES = re.compile(
    "(?![❌❎✂✕✖✗✘☒☠💀🗑🏳🪦🚫⛔🛑🔙🔚🤔🤷🙅👎❓❔❛❜❝❞☐])[\u21ba\u21bb\u2600-\u2793\u2b50\U0001f1e6-\U0001faff]"
)
"""Pictures among letters, which say nothing; those that cross out, stop, doubt or ask are left, and so are told."""


_POINTS_ON = re.compile(r"(?<=[\w)])([^\S\n]{0,3})[»›](?=[^\S\n]{0,3}[\w(])")
"""A sign for an arrow, where no quotation begins with its counterpart: ``Ukr » Rum``."""
_ANGLES = frozenset("«‹")
_SIGNS = str.maketrans("\u2795\u2796\u2212", "+--")


class Line(msgspec.Struct, frozen=True):
    """A line of a sheet: ``text`` stands at ``start`` and is as long as what was written.

    ``comment`` is what follows a ``#`` or ``//``.
    """

    number: int
    start: int
    text: str
    comment: str = ""
    quoted: bool = False

    @property
    def end(self) -> int:
        """Where the line ends in the sheet."""
        return self.start + len(self.text)


def _blank(text: str) -> str:
    return " " * len(text)


def _entity(match: re.Match[str]) -> str:
    char = html.unescape(match.group())
    return (char if len(char) == 1 else "?").ljust(len(match.group())).replace("\u00a0", " ")


def _tag(match: re.Match[str]) -> str:
    name, tag = match.group(1).lower(), match.group()
    if name in _BLOCK_TAGS:
        return "\n" + _blank(tag[1:])
    if name in _STRUCK_TAGS:
        return STRUCK + _blank(tag[len(STRUCK) :])
    return _blank(tag)


def _plain(match: re.Match[str]) -> str:
    marks = _blank(match.group(1))
    return f"{marks}{match.group(2)}{marks}"


_STOP = re.compile(r"[^\S\n]\s{0,9}STOP(?=\W|\Z)")
_TELEGRAM = re.compile(
    r"^[^a-z\n]*\bSTOP\b[^a-z\n]*\bSTOP\b[^a-z\n]*$|^[^a-z\n]{3,500}\sSTOP[^\w\n]{0,9}$", re.MULTILINE
)
_DICTATED = re.compile(
    r"(?<=[^\W\d_] )(?:period|full stop|comma|new line|newline|semicolon|dash|hyphen)(?=\s|\Z)", re.IGNORECASE
)
"""Signs that a telephone wrote out."""
_SPOKEN = re.compile(
    r"^(?=[^\n]{0,2000}\b(?:period|full stop|comma|new line|newline|semicolon|dash|hyphen)\b)[^\n,;:()?!#\"]{5,2000}$",
    re.MULTILINE | re.IGNORECASE,
)
_SAID = re.compile(r"\b(?:period|full stop|comma|new ?line|semicolon|dash|hyphen)\b", re.IGNORECASE)
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ONES = "one two three four five six seven eight nine".split()
_COUNTS = {word: n for n, word in enumerate([*_ONES, *_TEENS], 1)} | {w: 20 + 10 * n for n, w in enumerate(_TENS)}
_SPOKEN_YEAR = re.compile(
    r"\b(?P<season>(?:spring|summer|autumn|fall|winter),? )"
    rf"(?P<year>(?:one thousand|{'|'.join(_TEENS)})(?:[ -](?:and|oh|hundred|{'|'.join(_COUNTS)})\b){{1,4}})",
    re.IGNORECASE,
)
"""A year in words behind a season: ``fall nineteen oh two``, ``spring one thousand and two``."""
_NUMBERED = re.compile(r"(?<=[^\W\d_] )No\.(?=\s?\d)", re.IGNORECASE)
"""What stands before a number: ``Operation order No. 5``."""
_IN_LINE = re.compile(r"/\*([^\n]{0,300}?)\*/(?=[^\S\n]{0,99}$)", re.MULTILINE)
"""A comment of a program at the end of a line."""
MOST_LISTS = 50  # of a program's on one sheet
_LISTED = re.compile(r"^[^\S\n]{0,20}(?:[\[{(]|SUB\b)[^\n]{0,5000}$", re.MULTILINE)
_LIST_BELOW = re.compile(r"^[^\S\n]{0,20}[\[{][^\S\n]{0,20}$", re.MULTILINE)
_SMILES = frozenset(":;=<^D")
_SMILEY = re.compile(r"(?<=\s)(?:[:;=]-?[()]|[:;=]-?[DPp](?=[^\S\n]{0,9}(?:\n|\Z))|<3|\^\^|\^_\^|[xX]D)(?=[\s)]|\Z)")


_POINTED = re.compile(r"^[^\n»]{0,60}[^\W\d_][^\n»]{0,9}»[^\S\n]?[^\W\d_][^\n»]{0,100}$", re.MULTILINE)
"""A line with one angle quotation mark between words, which stands for an arrow: ``Ber » Prussia``."""


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


def _year(match: re.Match[str]) -> str:
    """A season and its year in figures, as long as their words; these if they give none."""
    words = match["year"].casefold().replace("-", " ").replace("one thousand", "ten").split()
    first, *rest = [_COUNTS[word] for word in words if word in _COUNTS]
    year = f"{100 * first + sum(rest)}" if sum(rest) < 100 else match["year"]
    return match["season"] + year.ljust(len(match["year"]))


def _sign(match: re.Match[str]) -> str:
    sign = {"comma": ",", "dash": "-", "hyphen": "-"}.get(match.group().casefold(), ";")
    return sign.ljust(len(match.group()))


def plain_text(text: str) -> str:
    """The text without markup and invisible characters, as long as before."""
    text = _BREAKS.sub(lambda m: "\n" * len(m.group()) if len(m.group()) == 1 else " \n", text)
    text = tabled(_INVISIBLE.sub(" ", text))
    if "»" in text and "«" not in text:
        text = _POINTED.sub(lambda m: m.group().replace("»", "→"), text)
    if not text.isascii():
        text = _PICTURES.sub(" ", text.translate(_SIGNS))
        if _ANGLES.isdisjoint(text) and not {"»", "›"}.isdisjoint(text):
            text = _POINTS_ON.sub(r"\1>", text)
    if "[" in text or "{" in text or "(" in text:
        text = _LISTED.sub(lambda m: laid_out(m.group()), text, count=MOST_LISTS)
        if below := _LIST_BELOW.search(text):
            end = max(text.rfind("]"), text.rfind("}")) + 1
            text = text[: below.start()] + laid_out(text[below.start() : end]) + text[max(end, below.start()) :]
    text = _SPOKEN_YEAR.sub(_year, _NUMBERED.sub("   ", text))
    if "/*" in text:
        text = _IN_LINE.sub(lambda m: f" #{m.group(1)}  ", text)
    if _SAID.search(text):
        text = _SPOKEN.sub(lambda line: _DICTATED.sub(_sign, line.group()), text)
    if "STOP" in text:
        text = _TELEGRAM.sub(lambda line: _STOP.sub(lambda m: ".".ljust(len(m.group())), line.group()), text)
    if "<" in text:
        text = _TAG.sub(_tag, text)
    if "[" in text:
        text = _CODES.sub(lambda m: _blank(m.group()), text)
    if "&" in text:
        text = _ENTITY.sub(_entity, text)
    if not _SMILES.isdisjoint(text):
        text = _SMILEY.sub(lambda m: _blank(m.group()), text)
    if "*" in text or "_" in text or "`" in text:
        text = _EMPHASIS.sub(_plain, _EMPHASIS.sub(_plain, text))
    return text


def lines_of(text: str, *, plus_is_bullet: bool) -> Iterator[Line]:
    """The lines of a text that :func:`plain_text` made plain, empty ones too, without bullets, numbers and quote marks
    before them."""
    start = 0
    lines = text.split("\n")
    numbered = _numbered(lines)
    for number, raw in enumerate(lines, 1):
        yield _line(number, start, raw, plus_is_bullet, numbered.get(number, 0))
        start += len(raw) + 1


def _numbered(lines: Sequence[str]) -> dict[int, int]:
    """The lines that are numbered 1, 2 and so on without a sign behind the number, with where that ends."""
    found: dict[int, int] = {}
    run: dict[int, int] = {}
    for number, raw in enumerate(lines, 1):
        match = _BARE_NUMBER.match(raw)
        if match is not None and int(match["number"]) == len(run) + 1:
            run[number] = match.end()
        elif raw.strip():
            found |= run if len(run) > 1 else {}
            run = {number: match.end()} if match is not None and int(match["number"]) == 1 else {}
    return found | (run if len(run) > 1 else {})


def _line(number: int, start: int, raw: str, plus_is_bullet: bool, numbered_to: int) -> Line:
    at = numbered.end() if (numbered := _NUMBER_SIGN.match(raw)) else 0
    mark = COMMENT.search(raw, at)
    body, comment = (raw[: mark.start()], raw[mark.end() :]) if mark else (raw, "")
    if mark and not body.strip():
        return Line(number, start, raw, "")  # a heading in Markdown, or a comment; whoever reads it decides
    at = 0
    quoted = False
    if match := _QUOTE.match(body):
        at, quoted = match.end(), True
    if numbered_to:
        at = numbered_to
    elif (match := _BULLET.match(body, at)) or (plus_is_bullet and (match := _PLUS.match(body, at))):
        at = match.end()
        if (match := _COUNTED.match(body, at)) is not None:  # - #1 A par - bur
            at = match.end()
    if match := _FURTHER.match(body, at):
        at = match.end()
    if body[at:].lstrip().startswith(":"):  # behind a flag that says nothing
        at = body.index(":", at) + 1
    kept = body[at:].rstrip()
    indent = len(kept) - len(kept.lstrip())
    return Line(number, start + at + indent, kept.lstrip(), comment.strip(), quoted)
