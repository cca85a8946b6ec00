"""Histories of Backstabbr and PlayDiplomacy as people paste them: headings of seasons, powers, and orders in lines."""

from __future__ import annotations

import re

from legation.interop.errors import ForeignFileError
from legation.interop.games.record import ADJUSTMENTS, MOVEMENT, RETREATS, RecordedGame, RecordedPhase
from legation.interop.record import clean
from legation.interop.sources import Source

NAME = "paste"
TITLE = "pasted histories (Backstabbr, PlayDiplomacy and the like)"
HEAD = re.compile(
    r"^\W*(Spring|Summer|Fall|Autumn|Winter)[,\s]+(\d{1,5})\b[\s,:-]*(Orders|Moves?|Movement|Diplomacy|Retreats?|Builds?|Adjustments?)?\W*$",
    re.IGNORECASE,
)
RESULT = re.compile(
    r" ?[(\[]?\b(bounced?|fails?|failed|succeeds?|succeeded|success|cut|void|dislodged|resolved|ok)\b[)\]]?\.?$",
    re.IGNORECASE,
)
LONGEST = 1_000_000
POWER = re.compile(r"^([A-Z][A-Za-z'-]{2,20}(?: [A-Z][A-Za-z'-]{2,20}){0,3})\s*:?\s*$")
WITH_POWER = re.compile(r"^([A-Z][A-Za-z' -]{2,30}?):\s+(.{3,200})$")


def recognize(source: Source) -> list[str]:
    """Texts with headings of seasons."""
    return [
        name
        for name in source.ending(".txt", ".text", ".md")
        if any(HEAD.match(line) for line in source.text(name)[:LONGEST].splitlines()[:200])
    ]


def read(source: Source, entry: str) -> list[RecordedGame]:
    """The game of a paste.

    :raises ForeignFileError: if it is too long, or no order is in it.
    """
    text = source.text(entry)
    if len(text) > LONGEST:
        raise ForeignFileError(f"{entry}: is longer than a game's history may be")
    record = RecordedGame(title=entry, format=TITLE, phases=[])
    phase: RecordedPhase | None = None
    power = ""
    for line in text.splitlines():
        line = " ".join(line.split())
        if not line:
            continue
        if head := HEAD.match(line):
            phase = _phase(record, head)
            power = ""
        elif phase is None:
            record.left(line, "stands before the first season")
        elif match := POWER.match(line):
            power = clean(match[1], 40)
        else:
            _order(record, phase, line, power)
    if not any(phase.orders for phase in record.phases):
        raise ForeignFileError(f"{entry}: holds no order under a season and a power")
    return [record]


def _phase(record: RecordedGame, head: re.Match[str]) -> RecordedPhase:
    word = (head[3] or "").lower()
    kind = RETREATS if word.startswith("retreat") else ADJUSTMENTS if word.startswith(("build", "adjust")) else MOVEMENT
    season = head[1].title()
    if season == "Winter":
        kind = ADJUSTMENTS
    season = "Fall" if season == "Autumn" else season
    phase = RecordedPhase(season=season, year=int(head[2]), phase=kind, orders={}, failed=None)
    record.phases.append(phase)
    return phase


def _order(record: RecordedGame, phase: RecordedPhase, line: str, power: str) -> None:
    if (
        (match := WITH_POWER.match(line))
        and (not power or match[1].split()[0].isalpha())
        and not re.match(r"(?i)(army|fleet|a|f|build|remove)\b", match[1])
    ):
        power, line = clean(match[1], 40), match[2]
    line = " ".join(line.split())
    said = RESULT.search(line)
    order = RESULT.sub("", line).strip(" .;-")
    order = re.sub(r"\b(move|moves) to\b", "-", order, flags=re.IGNORECASE)
    if not power or not order:
        record.left(line, "is neither a season, a power nor an order")
        return
    phase.orders.setdefault(power, []).append(clean(order, 200))
    if said and phase.phase == MOVEMENT:
        phase.failed = phase.failed or set()
        if re.match(r"(?i)bounce|fail|cut|void", said[1]):
            at = re.sub(
                r"(?i)^(army|fleet|a|f)\s+",
                "",
                re.split(r" (?:-|(?:s|supports?|c|convoys?|h|holds?)\b)| ?->", order, flags=re.IGNORECASE)[0],
            )
            phase.failed.add(at.strip())
