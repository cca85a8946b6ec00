"""Texts in which people tell of turns: histories of Backstabbr and PlayDiplomacy, zines, posts in forums, test cases.

A text is divided by the headings of seasons; below them the variant's own reader finds powers and orders
(:mod:`legation.interop.games.written`). A text without a heading is one turn. The cases of a list such as DATC's, each
under its number, are games of their own; of these only the paragraphs below the names of powers are read."""

import html
import re
from collections.abc import Iterable

from legation.board.model import fold
from legation.interop.calendars import LETTERS, SEASON_LETTERS
from legation.interop.games.record import ADJUSTMENTS, MOVEMENT, RETREATS, RecordedGame, RecordedPhase
from legation.interop.record import clean
from legation.interop.sources import ForeignFileError, Source
from legation.notation.layout import lines_of, plain_text
from legation.notation.lexicon import lexicon

NAME = "paste"
TITLE = "pasted histories, zine reports, forum posts and lists of cases (Backstabbr, PlayDiplomacy, DATC)"
SEASONS = {
    word: "Fall" if season == "autumn" else season.title() for word, season in lexicon().values("SEASON").items()
}
"""Our names of seasons by the words that languages have for them."""
TITLES = lexicon().words("TITLE", "HEADING") | {*"results result resolution diplomacy adjudication report".split()}
"""What may stand beside a season and a year in the heading of a turn."""
TURN = (
    re.compile(r"(?<!\w)(?P<season>[^\W\d_]{3,10})[,\s]+(?:of\s+)?(?P<year>\d{1,5})(?!\w)"),
    re.compile(r"(?<!\w)(?P<year>\d{1,5})[,\s]+(?P<season>[^\W\d_]{3,10})(?!\w)"),
)
TITLED = re.compile(r"\s*+(?:[^\s:][^:\n]{0,59}(?:[\u2013:,-]\s|\s\s))?\W*+")
"""The name of a game before a turn, and what parts it from that."""
LEADING = re.compile(r"^([^\w\n]*[^\W\d_]{3,10}[,\s]+\d{1,5}(?: [^\W\d_]{4,11})?:)[ \t]+(?=\S)", re.MULTILINE)
"""A heading with what it heads behind it."""
FOLLOWING = re.compile(r"(?<=[.;])[ \t]+(?=[A-Z][\w' -]{2,30}(?: ?\([^()\n]{0,40}\))?:\s)")
"""What stands before the next power's orders in a line that holds those of several."""
CODE = re.compile(
    r"^(?:\w{1,12}:\s)?\W*([SUFW]) ?(\d{4}|\d\d)([MRAB]?)(?: (?:(Retreat|Build|Adjustment)|Move|Order|Result)s?)?\W*$",
    re.IGNORECASE,
)
"""``F1901M``; ``F1901`` or ``F01 moves`` for a movement; in a chat behind who speaks."""
ASIDE = re.compile(r"^\W*(?:(?:supply )?cent(?:er|re)s?|ownership|positions?)(?: [\w ]{0,30})?\W*$", re.IGNORECASE)
"""A heading of who owns what and stands where, which follows from the turns."""
CASE = re.compile(r"^\W{0,5}(\d{1,2}\.[A-Z]\.\d{1,3})\.?\s+(\S.{2,200})$", re.MULTILINE)
"""``6.A.1. TEST CASE, ...``."""
TAG = re.compile(r"<(/?)(!?\w{1,10})(?:\s[^<>]{0,300})?>")
YEAR = re.compile(r"\W*(?P<year>\d{3,5})(?!\w)")
LONGEST = 1_000_000
LONGEST_HEADING = 160
PAGES = (".html", ".htm")
POWER = re.compile(
    r"^\W{0,5}([A-Z][A-Za-z'-]{2,20}(?: [A-Z][A-Za-z'-]{2,20}){0,3})\W{0,4}(?:[(\[][^()\[\]]{0,60}[)\]])?"
    r"\s*(?::|\W{0,4}$)"
)
RETREAT = re.compile(r"^\W*(?:retreats? to ([\w./ ()-]{2,40}?)|disbands?)(?: (?:succeeds|fails))?\W*$", re.IGNORECASE)
"""What becomes of the unit whose order is above, as Backstabbr tells it."""
TOLD = re.compile(
    r"[(\[/][^()\[\]/]{0,30}?\b(?:r(?:et(?:reat(?:s|ed|ing)?|\.)?)?(?: to)? ([\w./ ]{2,40}?)|disband\w*|ann\w*|otb)"
    r"\s*[)\]/]",
    re.IGNORECASE,
)
"""The same in brackets behind the order, as zines tell it."""
ACTS = lexicon().words("MOVE", "HOLD", "SUPPORT", "CONVOY", "TO")
DOING = "|".join(word for word in sorted(ACTS) if len(word) > 3 and " " not in word)
VERB = re.compile(rf" (?:[-\u2013]|(?:s|c|h|to|{DOING})\b)| ?(?:->|\u2192)|(?<=[)\w])-(?=\w{{3}})", re.IGNORECASE)
"""What parts a unit from what it does."""
TIGHT = re.compile(r"^(\w{3}(?:/\w\w|\(\w\w\))?)-\w{3}")
"""An abbreviation with where the unit goes behind it, without blanks."""
MARKED = re.compile(
    r"\[([us])\]([^\[\]\n]{1,200})\[/\1\]|<(u|s|del|strike)>([^<>\n]{1,200})</\3>|(?<![\w_])_([^_\n]{1,200})_(?![\w_])"
    r"|~~([^~\n]{1,200})~~",
    re.IGNORECASE,
)
"""What is underlined or struck out: orders that failed."""
STARRED = re.compile(r"(?<=[\w)])\*(?![\w*])")
"""A star that marks an order that failed, where stars don't stand around words."""
ORDERED = re.compile(
    rf"(?m)(?:^\W{{0,6}}|(?<!\w))(?:A|F|Army|Fleet)[ (]{{1,2}}[\w./ ()]{{2,40}}?(?:{VERB.pattern})"
    r"|\b\w{3}-\w{3}!?,? \w{3}-\w{3}\b|\b[A-Z]\w{2,20} to [A-Z]\w{2,20}\b"
)


def recognize(source: Source) -> list[str]:
    """Texts with headings of seasons or numbers of cases; one that is given by itself may have none."""
    return [name for name in source.ending(".txt", ".text", ".md", *PAGES) if _is_one(source, name)]


def _is_one(source: Source, name: str) -> bool:
    text = source.glance(name)
    page = name.lower().endswith(PAGES)
    text = without_tags(text) if page else text
    if CASE.search(text):
        return len(ORDERED.findall(text)) > 1
    if page and not source.main:
        return False
    heads = any(_heading(line) for line in plain_text(text[:40_000]).splitlines()[:200])
    return heads or (bool(source.main) and len(ORDERED.findall(text[:40_000])) > 1)


def read(source: Source, entry: str) -> list[RecordedGame]:
    """The game of a paste, or those of its cases.

    :raises ForeignFileError: if it is too long, or no order is in it."""
    text = source.text(entry, LONGEST)
    if entry.lower().endswith(PAGES):
        text = without_tags(MARKED.sub(_failed, text))
    cases = list(CASE.finditer(text))
    if not cases:
        text = STARRED.sub(" \u2717", text) if not re.search(r"(?<!\w)\*(?=\w)", text) else text
        text = FOLLOWING.sub("\n", LEADING.sub(_apart, MARKED.sub(_failed, text)))
        return [_game(entry, entry, plain_text(text))]
    ends = [*(case.start() for case in cases[1:]), len(text)]
    games = [_case(f"{c[1]} {clean(c[2], 80)}", text[c.end() : end]) for c, end in zip(cases, ends, strict=True)]
    return [game for game in games if game.phases]


def _apart(match: re.Match[str]) -> str:
    return f"{match[1]}\n" if _heading(match[1]) else match[0]


def without_tags(text: str) -> str:
    """The text of a page, with empty lines between its paragraphs."""
    apart = ("p", "pre", "div", "table", "tr", "li", "ul", "ol", *(f"h{n}" for n in range(1, 7)))
    signs = {"br": "\n", "td": " ", "th": " ", **dict.fromkeys(apart, "\n\n")}
    return html.unescape(TAG.sub(lambda m: signs.get(m[2].lower(), ""), text))


def _failed(match: re.Match[str]) -> str:
    inner = html.unescape(str(next(group for group in (match[2], match[4], match[5], match[6]) if group)))
    return f"{inner} \u2717" if VERB.search(inner) else inner


def _game(title: str, entry: str, text: str) -> RecordedGame:
    record = RecordedGame(title=title, format=TITLE)
    phase: RecordedPhase | None = None
    power = order = aside = ""
    headed = any(_heading(line.text) for line in lines_of(text, plus_is_bullet=False))
    if not headed:
        phase = _begin(record, "", 0, MOVEMENT)
    for line, raw in zip(lines_of(text, plus_is_bullet=False), text.split("\n"), strict=True):
        if not line.text:
            continue
        if head := _heading(line.text):
            phase, power, order, aside = _begin(record, *head), "", "", ""
        elif phase is None:
            record.left(line.text, "is above the first season")
        elif part := _part(line.text, phase):
            phase, power, order = _begin(record, phase.season, phase.year, part), "", ""
        elif ASIDE.match(line.text):
            aside = line.text
            record.left(aside, "follows from the turns; the lines below it aren't read")
        elif aside:
            aside = "" if re.match(r"(?:orders|moves)\W*$", line.text, re.IGNORECASE) else aside
        elif phase.phase == MOVEMENT and (gone := RETREAT.match(line.text)):
            if power and order:
                _retreat(record, phase, power, order, gone[1])
            else:
                record.left(line.text, "isn't below an order of a unit")
        else:
            phase.text += f"{raw}\n"
            if (named := POWER.match(line.text)) and not TIGHT.match(line.text):
                power, order = named[1], ""
            order = line.text if VERB.search(line.text) else order
            for gone in TOLD.finditer(line.text) if phase.phase == MOVEMENT and power else ():
                above = re.split("[;:,]", line.text[: gone.start()])[-1].strip()
                if VERB.search(above):
                    _retreat(record, phase, power, above, gone[1])
    if not any(VERB.search(phase.text) or phase.phase == ADJUSTMENTS for phase in record.phases):
        raise ForeignFileError(f"{entry}: holds no order under a season and a power")
    return record


def _case(title: str, text: str) -> RecordedGame:
    """A case: the paragraphs that begin with a power are orders; what is told between them may name another phase."""
    record = RecordedGame(title=title, format=TITLE)
    told, ordered = "", False
    for paragraph in filter(None, map(str.strip, re.split(r"\n[ \t]*\n", text))):
        if (named := POWER.match(paragraph)) and ":" in named[0]:
            if not ordered:
                built = re.search(r"(?im)^(?:build|remove|waive)", paragraph)
                kind = RETREATS if "retreat" in told and record.phases else MOVEMENT
                _begin(record, "", 0, ADJUSTMENTS if built else kind)
            record.phases[-1].text += f"{paragraph}\n"
            told, ordered = "", True
        else:
            told, ordered = told + paragraph.lower(), False
    return record


def _heading(line: str) -> tuple[str, int, str] | None:
    """Season, year and phase of a line that heads a turn, by its words or by its code; the year may come first, and
    stands alone in games whose turns are years."""
    if code := CODE.match(line):
        letter = code[1].upper()
        kind = code[3] or (code[4] or ("A" if letter == "W" else "M"))[0]
        return SEASON_LETTERS[letter], int(code[2]), LETTERS[kind.upper()]
    if len(line) > LONGEST_HEADING or not any(map(str.isdecimal, line)):
        return None
    named = ((m, SEASONS.get(fold(m["season"]), "")) for pattern in TURN for m in pattern.finditer(line))
    found, season = next((pair for pair in named if pair[1]), (YEAR.match(line), ""))
    if found is None:
        return None
    before = line[: found.start()]
    said = line[found.end() :] if TITLED.fullmatch(before) else f"{before} {line[found.end() :]}"
    words = [fold(word) for word in re.findall(r"[^\W\d_]+", said)]
    if not TITLES.issuperset(words) or not (season or words):
        return None
    return season, int(found["year"]), ADJUSTMENTS if season == "Winter" else _phase_of(words)


def _phase_of(words: Iterable[str]) -> str:
    """The phase that words of a heading name; movement, if none."""
    sections = lexicon().values("SECTION")
    for word in words:
        if word in lexicon().words("RETREAT"):
            return RETREATS
        if word.startswith("adjust") or sections.get(word) in ("build", "remove"):
            return ADJUSTMENTS
    return MOVEMENT


def _part(line: str, phase: RecordedPhase) -> str:
    """The other phase of the same turn that a line heads; empty if it heads none."""
    words = [fold(word) for word in re.findall(r"[^\W\d_]+", line)] if line.endswith(":") else []
    part = _phase_of(words) if words and TITLES.issuperset(words) else MOVEMENT
    return "" if part in (MOVEMENT, phase.phase) else part


def _begin(record: RecordedGame, season: str, year: int, kind: str) -> RecordedPhase:
    record.phases.append(RecordedPhase(season=season, year=year, phase=kind))
    return record.phases[-1]


def _retreat(record: RecordedGame, phase: RecordedPhase, power: str, order: str, to: str | None) -> None:
    """What becomes of the unit that was ordered last: it goes to a place, or is disbanded."""
    unit = VERB.split(order, maxsplit=1)[0]
    after = next(
        (p for p in record.phases if (p.season, p.year, p.phase) == (phase.season, phase.year, RETREATS)), None
    )
    after = after or _begin(record, phase.season, phase.year, RETREATS)
    after.text += f"{power}:\n{clean(f'{unit} R {to}' if to else f'{unit} disband', 200)}\n"
