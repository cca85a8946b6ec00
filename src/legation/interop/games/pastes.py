"""Histories of Backstabbr and PlayDiplomacy as people paste them: headings of seasons, powers, and orders in lines."""

from __future__ import annotations

import re

from legation.interop.games.record import (
    ADJUSTMENTS,
    LETTERS,
    MOVEMENT,
    RETREATS,
    SEASON_LETTERS,
    RecordedGame,
    RecordedPhase,
)
from legation.interop.record import clean
from legation.interop.sources import ForeignFileError, Source

NAME = "paste"
TITLE = "pasted histories (Backstabbr, PlayDiplomacy and the like)"
HEAD = re.compile(
    r"^\W*(?:(?:results?|orders?|moves?)\s+(?:for|of)\s+)?(Spring|Summer|Fall|Autumn|Winter)[,\s]+(?:of\s+)?(\d{1,5})\b"
    r"[\s,:([-]*(Orders|Moves?|Movement|Diplomacy|Results?|Retreats?|Builds?|Adjustments?)?\W*$",
    re.IGNORECASE,
)
YEAR_FIRST = re.compile(r"^(\W*)(\d{1,5})[,\s]+(Spring|Summer|Fall|Autumn|Winter)\b", re.IGNORECASE)
CODE = re.compile(r"^\W*([SUFW]) ?(\d{4})([MRAB]?)\W*$")
"""``F1901M``, or ``F1901`` for a movement."""
RESULT = re.compile(
    r"[ ,;:\u2013-]{0,8}(?:\b(fails|succeeds)\b \((?:[^()]|\([^()]{0,60}\)){0,200}\)"  # Backstabbr's, with its reason
    r"|[(\[]?\b(bounce[ds]?(?: (?:with|off|against) [\w .'/-]{2,60})?"
    r"|fails?|failed|succeeds?|succeeded|success|cut|void|dislodged|resolved|ok)\b[)\]]?\.?"
    r"|[(\[](bounce[ds]?|fails?|failed|cut|void)\b[^()\[\]]{0,80}[)\]]|([\u2717\u2718\u274c\u2713\u2714\u2705]))$",
    re.IGNORECASE,
)
FAILED = re.compile(r"bounce|fail|cut|void|[\u2717\u2718\u274c]", re.IGNORECASE)
MARKUP = re.compile(r"^(?:[*\u2022\u00b7#>\u2023\u25e6-]+\s+|\d{1,2}[.)]\s+)+|\*\*|__")
"""Bullets, numbers of a list, and what makes letters bold."""
SITE = re.compile(r"^([\w. '-]{2,40}):\s+((?:army|fleet)\s+(.{2,200}))$", re.IGNORECASE)
"""PlayDiplomacy names the place of a unit before the order."""
LONGEST = 1_000_000
POWER = re.compile(r"^([A-Z][A-Za-z'-]{2,20}(?: [A-Z][A-Za-z'-]{2,20}){0,3})\s*(?:[(\[][^()\[\]]{0,60}[)\]])?\s*:?\s*$")
WITH_POWER = re.compile(r"^([A-Z][A-Za-z' -]{2,30}?)\s*(?:[(\[][^()\[\]]{0,60}[)\]])?:\s+(.{3,200})$")
RETREAT = re.compile(r"^\W*(?:retreats? to ([\w./ ()-]{2,40}?)|(disbands?))(?: (?:succeeds|fails))?\W*$", re.IGNORECASE)
"""What becomes of the unit whose order is above, as Backstabbr tells it."""
VERB = re.compile(r" (?:[-\u2013]|(?:s|supports?|c|convoys?|h|holds?|to|moves?)\b)| ?->", re.IGNORECASE)
"""What parts a unit from what it does."""
TIGHT = re.compile(r"^(\w{3}(?:/\w\w|\(\w\w\))?)-\w{3}")
"""An abbreviation with where the unit goes behind it, without blanks."""
SEVERAL = re.compile(r"[,;]\s+(?=(?:A|F|Army|Fleet)\s)", re.IGNORECASE)
"""Between the orders of one line."""


def recognize(source: Source) -> list[str]:
    """Texts with headings of seasons."""
    return [
        name
        for name in source.ending(".txt", ".text", ".md")
        if any(_heading(line) for line in source.glance(name).splitlines()[:200])
    ]


def read(source: Source, entry: str) -> list[RecordedGame]:
    """The game of a paste.

    :raises ForeignFileError: if it is too long, or no order is in it.
    """
    text = source.text(entry, LONGEST)
    record = RecordedGame(title=entry, format=TITLE)
    phase: RecordedPhase | None = None
    power = ""
    for line in text.splitlines():
        line = MARKUP.sub("", " ".join(line.split()))
        if not line:
            continue
        if head := _heading(line):
            phase = _phase(record, head)
            power = ""
        elif phase is None:
            record.left(line, "is above the first season")
        elif power and phase.phase != ADJUSTMENTS and (retreat := RETREAT.match(line)):
            _retreat(record, phase, line, power, retreat[1])
        elif not TIGHT.match(line) and (match := POWER.match(line)):
            power = clean(match[1], 40)
        else:
            _order(record, phase, line, power)
    if not any(phase.orders for phase in record.phases):
        raise ForeignFileError(f"{entry}: holds no order under a season and a power")
    return [record]


def _heading(line: str) -> re.Match[str] | None:
    """The heading of a turn, by its words or by its code; the year may come first."""
    return HEAD.match(YEAR_FIRST.sub(r"\1\3 \2", line)) or CODE.match(line)


def _phase(record: RecordedGame, head: re.Match[str]) -> RecordedPhase:
    if head.re is CODE:
        usual = "A" if head[1] == "W" else "M"
        return _begin(record, SEASON_LETTERS[head[1]], int(head[2]), LETTERS[head[3] or usual])
    word = (head[3] or "").lower()
    kind = RETREATS if word.startswith("retreat") else ADJUSTMENTS if word.startswith(("build", "adjust")) else MOVEMENT
    season = head[1].title()
    if season == "Winter":
        kind = ADJUSTMENTS
    return _begin(record, "Fall" if season == "Autumn" else season, int(head[2]), kind)


def _begin(record: RecordedGame, season: str, year: int, kind: str) -> RecordedPhase:
    record.phases.append(RecordedPhase(season=season, year=year, phase=kind, failed=None))
    return record.phases[-1]


def _retreat(record: RecordedGame, phase: RecordedPhase, line: str, power: str, to: str | None) -> None:
    """What becomes of the unit that was ordered last: it goes to a place, or is disbanded."""
    given = phase.orders.get(power, [])
    if phase.phase != MOVEMENT or not given:
        record.left(line, "isn't below an order of a unit")
        return
    unit = VERB.split(given[-1], maxsplit=1)[0]
    after = next(
        (p for p in record.phases if (p.season, p.year, p.phase) == (phase.season, phase.year, RETREATS)), None
    )
    after = after or _begin(record, phase.season, phase.year, RETREATS)
    after.orders.setdefault(power, []).append(clean(f"{unit} R {to}" if to else f"{unit} disband", 200))


def _order(record: RecordedGame, phase: RecordedPhase, line: str, power: str) -> None:
    if power and (site := SITE.match(line)) and site[3].lower().startswith(site[1].lower()):
        line = site[2]
    elif (
        (match := WITH_POWER.match(line))
        and (not power or match[1].split()[0].isalpha())
        and not re.match(r"(?i)(army|fleet|a|f|build|remove)\b", match[1])
    ):
        power, line = clean(match[1], 40), match[2]
    parts = SEVERAL.split(line) if phase.phase == MOVEMENT else [line]
    for part in parts:
        _give(record, phase, part.strip(), power)


def _give(record: RecordedGame, phase: RecordedPhase, line: str, power: str) -> None:
    """One order, with what is said of its success behind it."""
    line = " ".join(line.replace("\u2192", "->").split())
    said = RESULT.search(line)
    order = RESULT.sub("", line).strip(" .,;-")
    order = re.sub(r"\b(move|moves) to\b", "-", order, flags=re.IGNORECASE)
    if not power or not order:
        record.left(line, "is neither a season, a power nor an order")
        return
    phase.orders.setdefault(power, []).append(clean(order, 200))
    if said and phase.phase == MOVEMENT:
        phase.failed = phase.failed or set()
        if FAILED.search(said[0]):
            at = re.sub(r"(?i)^(army|fleet|a|f)\s+", "", VERB.split(order, maxsplit=1)[0])
            tight = TIGHT.match(at)
            phase.failed.add(tight[1] if tight else at.strip())
