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
from legation.orders import Build, Hold, Move, Order, Remove, Retreat
from legation.position import Phase

LONGEST_TURN = 300  # characters that are looked at before and behind the words that take back
MOST_CLAUSES = 4  # before them
MOST_ASIDES = 5  # sentences between a question and the order that answers it
_OH = r"(?:oops|sorry|oh|ah|hm{1,3}|argh|damn|nothing|wait|well)[,.!…]{0,3}\s{1,5}"
_BACK = (
    r"(?:na+h|nvm|never ?mind|e+rm?|u+m|nein|nee|non|halt(?=,)|"
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


_ANSWERS = r"(?:so|no|nope|nah|ok|okay|hence|therefore|just|instead|fine|right|occupied|taken)"
_ASKED = re.compile(r"(?:\?[?!]{0,3}|\.{3}|…)\s{1,3}(?=\w)")
"""Where a question ends, or what is broken off."""
_STOPS = re.compile(r"(?<!\bsup)(?<!\bsupp)(?<!\bconv)[.!?…]{1,3}\s{1,3}(?=\w)")
_ANSWER = re.compile(rf"(?:{_ANSWERS}[,.:;!]{{0,2}}\s{{1,3}}){{1,3}}(?=\w)", re.IGNORECASE)
"""What an order begins with that answers a question."""
_STARTS = re.compile(
    rf"(?:[.!?…]{{1,3}}\s{{1,3}}|[;:]\s{{1,3}}|,?\s(?=so\b))(?:{_ANSWERS}[,:]?\s{{1,3}}){{0,3}}(?=\w)", re.IGNORECASE
)
"""Where an order may begin behind asides."""
_GOAL_ENDS = re.compile(r"[,\s]{1,3}(?:then|please|pls|instead|it is|is better|rather|thanks)\Z", re.IGNORECASE)
_LEAVES_OPEN = (sayings.OPENS | sayings.QUOTES | {"or", "depends", "depending"}) - {"because", "while"}
"""Words with which what stands between a question and an order may say when the order counts."""


class Turn(msgspec.Struct, frozen=True):
    """Where on a line what is taken back begins and ends, where the order that counts begins, and of which unit."""

    begin: int
    end: int
    after: int
    unit: str
    verb: str = ""  # what is to be done with a unit behind it of which nothing is said
    stays: Order | None = None  # what is ordered instead where only a word for a hold says it


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
    return _answered(sheet, text) or _excused(sheet, text)


_CANNOT = re.compile(
    r"(?:\.{2,3}|…|[?,;!]{1,3}|\s[-–—]{1,2}(?=\s)|(?=\s))\s{0,3}"
    r"(?:(?:oh|ah|lol|hm{1,3}|er+m?|um+|wait|well|argh|damn|sorry|is|its|thats)[,.!…]{0,3}\s{1,3}){0,3}"
    r"(?P<word>no|nope|nah|nee|not|can['’]?t|cannot|isn['’]t|impossible|unlikely|full|occupied|too\sfar)\b",
    re.IGNORECASE,
)
"""How words begin by which an order right before them cannot be carried out."""
_BEGINS = re.compile(r"[.;!?:…,]\s{1,3}|/(?=[AFD]\s)|\s(?:and|&)\s|\s{2,9}(?=[AFD]\s)")
"""What parts the orders of a line, behind which one begins."""
_ANEW = re.compile(r"[.;,!…]{1,3}\s{1,3}(?:so:?\s{1,3})?|\bso:?\s{1,3}")
_STAYS = re.compile(r"(?:h|holds?|holding|stays?|stands?)\b\.?(?=\s{0,3}(?:[/;,)]|[AFD]\s|\Z))", re.IGNORECASE)
MOST_EXCUSES = 5  # clauses between what cannot be and what is ordered instead
_UNSURE = _LEAVES_OPEN | frozenset("sure certain yet decided maybe perhaps possibly else otherwise sein".split())


def _excused(sheet: PartReader, text: str) -> Turn | None:
    """Return the first turn of a line at an order that cannot be, with the reason, and another for the same unit:
    ``A lux S A fla - cal hmm not adjacent, A lux - lor``, ``F tys - ion... no, he stands there, H``; None if there is
    none."""
    for mark in _CANNOT.finditer(text):
        if sheet.turns_left <= 0:
            return None
        sheet.turns_left -= 1
        found = _whole_before(sheet, text[: mark.start()])
        if found is None:
            continue
        begin, former = found
        unit = province_of(getattr(former, "at", ""))
        behind = text[mark.start() : mark.end() + LONGEST_TURN]
        for anew in [*_ANEW.finditer(behind, mark.end() - mark.start())][:MOST_EXCUSES]:
            sheet.turns_left -= 1
            words = {token.text for token in sheet.parser(behind[: anew.start()]).tokens}
            if not _UNSURE.isdisjoint(words) or not _excuses_only(mark, anew, behind):
                break
            rest = text[mark.start() + anew.end() :]
            ordered = _ordered(sheet, rest[:LONGEST_TURN])
            end = mark.start() + anew.end()
            if ordered:
                return Turn(begin, end, end, unit) if ordered == unit else None
            if (stays := _STAYS.match(rest)) is not None and not _names_own(sheet, behind[: anew.start()]):
                held = Hold(getattr(former, "kind", ""), unit)
                return Turn(begin, end, end + stays.end(), unit, stays=held)
    return None


def _names_own(sheet: PartReader, text: str) -> bool:
    """Whether a word names a place where an own unit stands; only in a turn with moves a word alone is a hold."""
    parser = sheet.parser(text)
    mine = parser.present("", sheet.section)
    named = (parser.longest_name(i)[0].keys for i, token in enumerate(parser.tokens) if len(token.text) > 2)
    return sheet.phase is not Phase.MOVEMENT or any(mine(province_of(key)) for keys in named for key in keys)


def _excuses_only(mark: re.Match[str], anew: re.Match[str], behind: str) -> bool:
    """Whether words between two orders tell why the first cannot be: ``not`` right before the second denies that."""
    short = fold(mark["word"]) in ("no", "nope", "nah", "nee")
    between = behind[mark.end() - mark.start() : anew.start()]
    return "-" not in between and "?" not in between and (short or between.strip(" ,.") != "" or "so" in anew.group())


def _whole_before(sheet: PartReader, before: str) -> tuple[int, Order] | None:
    """Where the last clause of a text begins that is one order for an own unit and nothing else, and that order."""
    bare = before.rstrip(" .!?;,…-–—")
    starts = [0, *(match.end() for match in _BEGINS.finditer(bare, max(0, len(bare) - LONGEST_TURN)))]
    for start in starts[: -MOST_CLAUSES - 1 : -1]:
        parser = sheet.parser(bare[start:][:LONGEST_TURN])
        try:
            orders = parser.orders()
            parser.finish()
        except OrderTextError:
            continue
        at = province_of(getattr(orders[0], "at", "")) if len(orders) == 1 else ""
        return (start, orders[0]) if at and parser.present("", sheet.section)(at) else None
    return None


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
    order for the same unit follows, or a place where it goes instead: ``F lon - nth? No such border. F lon - dov``, ``A
    mos - stp? no: Ukraine``; None if there is none."""
    for mark in _ASKED.finditer(text):
        if sheet.turns_left <= 0:
            return None
        behind = text[mark.end() : mark.end() + LONGEST_TURN]
        lead = _ANSWER.match(behind)
        starts = [0, *([lead.end()] if lead else []), *(match.end() for match in _STARTS.finditer(behind))]
        for stop in starts[: MOST_ASIDES + 1]:
            sheet.turns_left -= 1
            said = set(fold(behind[:stop]).split())
            scraps = "all" in said and said & sayings.RETRACTS
            if _quotes_or_heads(behind[:stop].rstrip(), said) or said & _LEAVES_OPEN or scraps:
                break  # ... and scrap all that. New orders: ...
            sentence = _STOPS.split(behind[stop:], maxsplit=1)[0]
            if "?" in behind[stop : stop + len(sentence) + 1]:
                continue
            end = mark.end() + stop
            unit = _ordered(sheet, sentence)
            if not unit:
                if (turn := _goes_instead(sheet, text[: mark.start()], sentence, end)) is not None:
                    return turn
                continue
            begin = _clause_of(sheet, text[: mark.start()], unit)
            if begin < 0:
                break
            return Turn(begin, end, end, unit)
    return None


def _quotes_or_heads(text: str, said: set[str]) -> bool:
    """Whether what stands before an order gives it as somebody else's, or heads it."""
    return ":" in text[:-1] or (text.endswith(":") and not said.isdisjoint(sayings.HEARD))


def _goes_instead(sheet: PartReader, before: str, text: str, begin: int) -> Turn | None:
    """Return the turn by which the move that is asked about at the end of a text goes to another place; None if the
    answer says more than a place."""
    found = _whole_before(sheet, before)
    goal = _GOAL_ENDS.sub("", text.strip(" .!"))
    if found is None or not isinstance(found[1], Move | Retreat) or not goal:
        return None
    order = sheet.going_to(found[1], goal)
    return None if order is None else Turn(found[0], begin, begin + len(text), province_of(order.at), stays=order)


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
