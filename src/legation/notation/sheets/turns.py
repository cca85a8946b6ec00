"""Orders that take back what stands right before them on their line: ``F bre - eng? No, F bre - mao``."""

from __future__ import annotations

import re

import msgspec

from legation.board import province_of
from legation.notation.errors import OrderTextError
from legation.notation.layout import Line
from legation.notation.names import fold
from legation.notation.prose import correcting, sayings
from legation.notation.sheets.parts import PartReader
from legation.orders import Build, Remove
from legation.position import Phase

LONGEST_TURN = 300  # characters that are looked at before and behind the words that take back
MOST_CLAUSES = 4  # before them
MOST_ASIDES = 5  # sentences between a question and the order that answers it
_OH = r"(?:oops|sorry|oh|ah|hm{1,3}|argh|damn|nothing|wait|well)[,.!…]{0,3}\s{1,5}"
_BACK = (
    r"(?:na+h|nvm|never ?mind|e+rm?|u+m|"
    r"no(?:pe)?(?=\s{0,2}[,:.;!…–—-]|\s(?:wait|make|rather|sorry|scr))|wait|oops|sorry|actually|correction|i meant?|"
    r"rather|(?:scratch|scrub|scrap|forget|strike|cancel) (?:that|it|this)(?: last)?(?: one)?|make (?:that|it)|"
    r"on second thoughts?)"
)
_TAKES_BACK = re.compile(
    rf"(?<=[.!?;…,])\s{{0,5}}(?:[-–—]{{1,2}}\s{{1,3}})?(?:{_OH}){{0,3}}{_BACK}"
    rf"(?:[,:.;!…–—-]{{0,3}}\s{{1,5}}{_BACK}){{0,3}}\s?[,:.;!…–—-]{{0,3}}\s{{1,5}}(?=\w)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[.;!?,:…]\s|\s(?:and|&)\s")
"""What parts an order from the one before it."""


_ASKED = re.compile(r"(?:\?[?!]{0,3}|\.{3}|…)\s{1,3}(?=\w)")
"""Where a question ends, or what is broken off."""
_STOPS = re.compile(r"(?<!\bsup)(?<!\bsupp)(?<!\bconv)[.!?…]{1,3}\s{1,3}(?=\w)")
_LEAVES_OPEN = (sayings.OPENS | sayings.HEARD | sayings.QUOTES | {"or", "depends", "depending", ":"}) - {
    "because",
    "while",
}
"""Words with which what stands between a question and an order may say when the order counts."""


class Turn(msgspec.Struct, frozen=True):
    """Where on a line what is taken back begins and ends, where the order that counts begins, and of which unit."""

    begin: int
    end: int
    after: int
    unit: str
    verb: str = ""  # what is to be done with a unit behind it of which nothing is said


def find_turn(sheet: PartReader, text: str) -> Turn | None:
    """Return the first turn of a line by which an own unit gets another order than the words right before it say; None
    if there is none."""
    for mark in _TAKES_BACK.finditer(text):
        if sheet.turns_left <= 0:
            return None
        sheet.turns_left -= 1
        unit = _ordered(sheet, text[mark.end() : mark.end() + LONGEST_TURN])
        begin = _clause_of(sheet, text[: mark.start()], unit) if unit else -1
        if begin >= 0:
            return Turn(begin, mark.start(), mark.end(), unit)
        if (built := _built_instead(sheet, text, mark)) is not None:
            return built
    return _answered(sheet, text)


def _built_instead(sheet: PartReader, text: str, mark: re.Match[str]) -> Turn | None:
    """Return the turn by which the only build or removal before it on its line is replaced by another: ``Build A war,
    no, make that A mos``; None if it is none."""
    if sheet.phase not in (Phase.ADJUSTMENTS, Phase.PLACEMENT) or not correcting.SUBSTITUTES.search(mark.group()):
        return None
    before = text[: mark.start()].rstrip(" ,;.")
    parts, against = sheet.tried(Line(0, 0, before))
    orders = [order for part in parts for order in part.orders]
    if against or len(orders) != 1 or not isinstance(orders[0], Build | Remove) or len(parts) != 1:
        return None
    kept, sheet.verb = sheet.verb, "remove" if isinstance(orders[0], Remove) else "build"
    replaced = Turn(0, mark.start(), mark.end(), province_of(orders[0].at), sheet.verb)
    found = _ordered(sheet, text[mark.end() : mark.end() + LONGEST_TURN])
    sheet.verb = kept
    return replaced if found else None


def _answered(sheet: PartReader, text: str) -> Turn | None:
    """Return the first question on a line whether an own unit is to do something, with the asides behind it, where an
    order for the same unit follows: ``F lon - nth? No such border. F lon - dov``; None if there is none."""
    for mark in _ASKED.finditer(text):
        if sheet.turns_left <= 0:
            return None
        behind = text[mark.end() : mark.end() + LONGEST_TURN]
        for stop in [0, *(match.end() for match in _STOPS.finditer(behind))][: MOST_ASIDES + 1]:
            sheet.turns_left -= 1
            if not _LEAVES_OPEN.isdisjoint(fold(behind[:stop]).split()):
                break
            sentence = _STOPS.split(behind[stop:], maxsplit=1)[0]
            unit = _ordered(sheet, sentence)
            if not unit or "?" in behind[stop : stop + len(sentence) + 1]:
                continue
            begin = _clause_of(sheet, text[: mark.start()], unit)
            if begin < 0:
                break
            return Turn(begin, mark.end() + stop, mark.end() + stop, unit)
    return None


def _ordered(sheet: PartReader, text: str) -> str:
    """Return the province of the unit that a text begins to order; empty if it begins with something else."""
    try:
        orders = sheet.parser(text).orders()
    except OrderTextError:
        return ""
    return province_of(getattr(orders[0], "at", "")) if orders else ""


def _clause_of(sheet: PartReader, before: str, unit: str) -> int:
    """Return where the last clause of a text begins that says something of a unit; -1 if another order comes between,
    or there is none."""
    bare = before.rstrip(" .!?;,…-")
    starts = [match.end() for match in _CLAUSE.finditer(bare, max(0, len(bare) - LONGEST_TURN))]
    if len(bare) < LONGEST_TURN:
        starts.insert(0, 0)
    for start in starts[: -MOST_CLAUSES - 1 : -1]:
        clause = bare[start:]
        parser = sheet.parser(clause)
        try:
            named = _ordered(sheet, clause) or province_of(parser.subject().at)
        except OrderTextError:
            continue
        if named == unit:
            return start
        if sheet.reads(clause):
            return -1
    return -1
