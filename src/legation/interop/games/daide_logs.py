"""Logs of DAIDE servers and clients: the messages SCO, NOW and ORD in words, whatever stands before them in a line."""

import re
from collections.abc import Sequence
from typing import Any

from legation.interop.coasts import WORDS
from legation.interop.games.record import (
    ADJUSTMENTS,
    MOVEMENT,
    RETREATS,
    RecordedGame,
    RecordedPhase,
    RecordedUnit,
    order_text,
)
from legation.interop.record import clean
from legation.interop.sources import ForeignFileError, Source, by_marks

NAME = "daide-log"
TITLE = "logs of DAIDE (SCO, NOW, ORD)"
LONGEST = 8_000_000
DEEPEST = 6
TURNS = {
    "SPR": ("Spring", MOVEMENT),
    "SUM": ("Spring", RETREATS),
    "FAL": ("Fall", MOVEMENT),
    "AUT": ("Fall", RETREATS),
    "WIN": ("Winter", ADJUSTMENTS),
}
BEGINS = rf"\bNOW\s*\(\s*(?:{'|'.join(TURNS)})\s+-?\d".encode()
MESSAGE = re.compile(r"\b(MAP|SCO|NOW|ORD)\s*(\(.*)")
WORD = re.compile(r"[()]|'[^']{0,60}'|[^\s()']+")
FAILED = frozenset(["BNC", "CUT", "DSR", "NSO", "FLD"])
NOBODY = "UNO"
recognize = by_marks((".log", ".txt"), BEGINS)


def read(source: Source, entry: str) -> list[RecordedGame]:
    """The game of a log; a message that comes twice is read once.

    :raises ForeignFileError: if no position is in it."""
    record = RecordedGame(title=entry, format=TITLE)
    reader = _Reader(record)
    for word, text in dict.fromkeys(MESSAGE.findall(source.text(entry, LONGEST))):
        try:
            reader.take(word, _lists(text))
        except (IndexError, KeyError, TypeError, ValueError):
            record.misread("", f"{word} {text}")
    phases = reader.phases
    if not phases:
        raise ForeignFileError(f"{entry}: holds no position of a turn")
    record.phases = list(phases.values())
    return [record]


class _Reader:
    def __init__(self, record: RecordedGame) -> None:
        self.record = record
        self.phases: dict[str, RecordedPhase] = {}
        self.owners: dict[str, str] | None = None

    def take(self, word: str, said: list[Any]) -> None:
        if word == "MAP":
            self.record.board = clean(str(said[0][0]).strip("'"), 60).lower()
        elif word == "SCO":
            self.owners = {_place(at): str(power) for power, *listed in said if power != NOBODY for at in listed}
        elif word == "NOW":
            units = [(gone, RecordedUnit(str(p), str(kind)[0], _place(at))) for p, kind, at, *gone in said[1:]]
            phase = self.phase(*said[0])
            if phase.units is None:
                phase.units = [unit for gone, unit in units if not gone]
                phase.dislodged = [unit for gone, unit in units if gone]
                phase.owners, self.owners = self.owners, None
        else:
            _order(self.phase(*said[0]), *said[1:])

    def phase(self, season: str, year: str) -> RecordedPhase:
        name, kind = TURNS[season]
        key = f"{season} {int(year)}"
        return self.phases.setdefault(key, RecordedPhase(season=name, year=int(year), phase=kind))


def _lists(text: str) -> list[Any]:
    """The brackets with which a text begins, as lists in lists; empty if one is never closed."""
    open_: list[list[Any]] = [[]]
    for word in WORD.findall(text):
        if word == "(" and len(open_) <= DEEPEST:
            open_.append([])
        elif word == ")" and len(open_) > 1:
            closed = open_.pop()
            open_[-1].append(closed)
        elif len(open_) == 1:
            break  # what stands behind the message
        else:
            open_[-1].append(word)
    return [item for item in open_[0] if item] if len(open_) == 1 else []


def _place(at: Any) -> str:
    """``STP``, or ``(STP SCS)`` for a coast."""
    key, coast = (str(at[0]), str(at[-1]).lower()) if isinstance(at, list) else (str(at), "")
    return key.lower() + (f"/{WORDS.get(coast, coast)}" if coast else "")


def _unit(unit: Sequence[Any]) -> str:
    """``(AUS AMY BUD)`` in our words."""
    return f"{unit[1][0]} {_place(unit[2])}"


def _order(phase: RecordedPhase, order: Sequence[Any], *results: Sequence[str]) -> None:
    """One order with its results: ``((AUS AMY BUD) MTO SER) (SUC)``."""
    if order[-1] == "WVE":
        phase.give(str(order[0]), "waive")
        return
    unit, verb, *rest = order
    at, words = _place(unit[2]), {word for result in results for word in result}
    other = _unit(rest[0]) if verb in ("SUP", "CVY") else ""
    goal = rest[2:] if other else rest
    text = order_text(verb, _unit(unit), _place(goal[0]) if goal else "", other)
    if not text:
        raise ValueError
    phase.give(str(unit[0]), text)
    if phase.phase == MOVEMENT:
        phase.failed, phase.dislodged_now = phase.failed or set(), phase.dislodged_now or set()
        phase.failed |= {at} if words & FAILED else set()
        phase.dislodged_now |= {at} if "RET" in words else set()
