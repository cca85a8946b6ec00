"""jDip's case files, by which adjudicators are tested: each case has a position, orders, and the position after."""

import re

from legation.interop.calendars import LETTERS
from legation.interop.games.record import MOVEMENT, RETREATS, RecordedGame, RecordedPhase, RecordedUnit
from legation.interop.record import clean
from legation.interop.sources import ForeignFileError, Source, by_marks

NAME = "jdip-cases"
TITLE = "jDip's case files (CASE, PRESTATE, ORDERS, POSTSTATE)"
KEYWORD = re.compile(r"(VARIANT_ALL|CASE|END|ORDERS|(?:PRE|POST)STATE(?:_\w{1,40})?)(?:\s+(\S.{0,200}))?$")
PHASE = re.compile(r"(\w{2,20})[,\s]+(\d{1,5})[,\s]+\(?(Movement|Retreat|Adjustment)s?\)?$", re.IGNORECASE)
ENTRY = re.compile(r"(?:(SUCCESS|FAILURE):?\s+)?([^:]{2,40}):\s*(\S.{0,200})$")
UNIT = re.compile(r"(army|fleet|[AF])\s+(\S.{0,60})$", re.IGNORECASE)
UNITS = ("PRESTATE", "PRESTATE_DISLODGED", "POSTSTATE", "POSTSTATE_DISLODGED")
recognize = by_marks((".txt", ".cases"), rb"(?m)^\s*CASE\s", rb"(?m)^\s*PRESTATE\b")


def read(source: Source, entry: str) -> list[RecordedGame]:
    """The cases of a file, a game each.

    :raises ForeignFileError: if none is in it."""
    cases: list[_Case] = []
    board = ""
    for number, line in enumerate(source.text(entry).splitlines(), 1):
        line = line.partition("#")[0].strip()
        keyword = KEYWORD.match(line)
        if keyword and keyword[1] == "VARIANT_ALL":
            board = clean(keyword[2] or "", 60).lower()
        elif keyword and keyword[1] == "CASE":
            cases.append(_Case(clean(keyword[2] or f"case {len(cases) + 1}", 100), board))
        elif line and cases:
            cases[-1].take(line, keyword, f"{entry}:{number}")
    games = [case.record for case in cases if case.closed()]
    if not games:
        raise ForeignFileError(f"{entry}: holds no case with orders")
    return games


class _Case:
    """Takes the lines of a case: the phase that is tested, what led to it, and what it leads to."""

    def __init__(self, title: str, board: str) -> None:
        self.record = RecordedGame(title=title, format=TITLE, board=board)
        self.earlier = RecordedPhase(season="", year=0, phase=MOVEMENT)
        self.tested = RecordedPhase(season="", year=0, phase=MOVEMENT, units=[], played=True)
        self.after = RecordedPhase(season="", year=0, phase=MOVEMENT, units=[], dislodged=[])
        self.part = ""

    def take(self, line: str, keyword: re.Match[str] | None, where: str) -> None:
        if keyword:
            self.part = keyword[1]
            if self.part == "POSTSTATE_SAME":
                self.after.units = self.tested.units
            elif self.part == "PRESTATE_SETPHASE":
                written = keyword[2] or ""
                match = PHASE.match(written)
                if match is None:
                    raise ForeignFileError(
                        f"{where}: {clean(written, 60)!r} isn't a phase as in 'Spring 1901, Movement'"
                    )
                for phase in (self.earlier, self.tested, self.after):
                    phase.season, phase.year = match[1].title(), int(match[2])
                self.tested.phase = LETTERS[match[3][0].upper()]
            return
        entry = ENTRY.match(line)
        power, said = (clean(entry[2], 40), entry[3]) if entry else ("", line)
        unit = UNIT.match(said)
        phase = self.after if self.part.startswith("POST") else self.tested
        if entry and self.part == "ORDERS":
            self.tested.give(power, said)
        elif entry and self.part == "PRESTATE_RESULTS":
            self.earlier.give(power, said)
        elif entry and self.part == "PRESTATE_SUPPLYCENTER_OWNERS":
            owners = self.tested.owners = self.tested.owners or {}
            owners[clean(unit[2] if unit else said, 40)] = power
        elif unit and self.part in UNITS:
            listed = RecordedUnit(power, unit[1][0].upper(), clean(unit[2], 60))
            phase.stand(listed, out=self.part.endswith("DISLODGED"))
        else:
            self.record.left(where, f"{clean(line, 80)} (in {self.part or 'CASE'})")

    def closed(self) -> bool:
        """Make the game of the case; whether it has orders."""
        self.tested.dislodged_now = {unit.at for unit in self.after.dislodged or ()}
        if self.tested.phase == MOVEMENT and self.after.dislodged:
            self.after.phase = RETREATS
        led = [self.earlier] if self.earlier.orders and self.tested.phase == RETREATS else []
        self.record.phases = [*led, self.tested, self.after]
        return bool(self.tested.orders)
