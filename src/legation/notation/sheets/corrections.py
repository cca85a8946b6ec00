"""Lines that take back what was ordered before."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import msgspec

from legation.board import province_of
from legation.notation.errors import OrderTextError
from legation.notation.layout import Line
from legation.notation.names import SHORTEST_BEGINNING, fold
from legation.notation.parsing.orders import Parser
from legation.notation.prose import correcting, former_orders, sayings
from legation.notation.sheets.asides import names, orders_a_place
from legation.notation.sheets.order_text import places_of
from legation.notation.sheets.parts import PartReader
from legation.notation.sheets.passages import Part
from legation.notation.sheets.progress import FEW_WORDS, Progress
from legation.notation.sheets.reasons import UNREAD
from legation.notation.small_words import PREPOSITIONS
from legation.orders import Order
from legation.position import Phase

MOST_LOOKED_AT = 30  # words at the end of what isn't understood
LONGEST_ANEW = 300  # characters of what orders a unit anew


def correct(sheet: PartReader, line: Line) -> bool:
    """``Correction: A par - pic``: what was ordered before for the units that it names does not count, or for the unit
    with which it begins; whether there was such an order."""
    words = fold(line.text).split()
    pointed = False
    if correcting.ASKS_ONLY.fullmatch(line.text):
        return pointed
    if not (sayings.CORRECTS & set(words) or _TAKES_BACK.search(line.text)) or _tells_of_else(sheet, line.text):
        return pointed
    begun = sheet.unit_begun(line.text)
    named = {begun} if begun else set()
    if not begun or _TAKES_BACK.search(line.text):  # A anj - nmd, S by par? A par S A anj - nmd, never mind the hold
        named |= {sheet.reader.places.exact(word, sheet.section) or "" for word in words}
    for i, passage in enumerate(sheet.passages):
        order = passage.order
        if order is None or passage.power != sheet.section or passage.line == line.number:
            continue
        if province_of(getattr(order, "at", "")) in named:
            sheet.take_back(i, f"line {line.number} seems to correct this; send only what you mean")
            pointed = True
    return pointed


_MILD = frozenset("take not mean mistake wrong sorry".split())
"""Words of corrections that are in every report of what others do, or did."""


_TAKES_BACK = re.compile(r"\bnever\s?mind\b|\bforget\b|\bscra(?:p|tch)\b|\binstead\b", re.IGNORECASE)


_CONCLUDES = frozenset("now instead please so then therefore hence must let have".split())


def _tells_of_else(sheet: PartReader, text: str) -> bool:
    """Whether a line tells what another power does or means to do, or what was in an earlier turn, and corrects
    nothing: ``Anna says that England means to take Flanders.``"""
    words = fold(text).split()
    if sayings.CORRECTS & set(words) - _MILD or not _CONCLUDES.isdisjoint(words):
        return False
    if "-" in text or orders_a_place(words, sheet.reader):  # Italy does not attack, Paris holds
        return False
    if not text.rstrip().endswith((".", "!", "?")) or sheet.reads(text):
        return False
    powers = {sheet.reader.powers.exact(word) for word in words if len(word) >= SHORTEST_BEGINNING}
    of_others = bool(powers - {None, sheet.section}) and {"my", "our"}.isdisjoint(words)
    return of_others or sayings.LAST_TURN.search(text) is not None


def doubt_changed(sheet: Progress, line: Line) -> bool:
    """``Replace Spa with Pie``, ``change both to hold``: the orders above that name such a place do not count, or all
    where it points at them; whether there were any."""
    words = fold(line.text).split()
    about = set(words) - sayings.POINTS_AT_ALL
    named = {place for word in about if (place := sheet.reader.places.exact(word, sheet.section))}
    doubted = False
    for i, passage in enumerate(sheet.passages):
        if passage.order is None or passage.power != sheet.section:
            continue
        said = {province_of(place) for place in places_of(passage.order)}
        if named & said or (not named and not sayings.POINTS_AT_ALL.isdisjoint(words)):
            sheet.take_back(i, f"line {line.number} seems to correct this; send only what you mean")
            doubted = True
    return doubted


def doubt_ordered(sheet: PartReader, line: Line) -> None:
    """``PS: Mid Atlantic stays put, as a hold``: what was ordered above for the own unit with which a line begins that
    seems to order it, and isn't understood, does not count."""
    lead = correcting.POSTSCRIPT_BEFORE.match(line.text)
    text = line.text[lead.end() if lead is not None else 0 :]
    words = [word for word in fold(text).split() if len(word) > 1 and word not in PREPOSITIONS | {"to"}]
    acts = "-" in text or any(word in sheet.reader.verbs for word in words)
    moving = sheet.phase in (Phase.MOVEMENT, Phase.RETREATS)
    at = sheet.unit_begun(text) if acts and moving and "?" not in text else ""
    for i, passage in enumerate(sheet.passages) if at else ():
        mine = passage.order is not None and passage.power == sheet.section and passage.line != line.number
        if mine and not passage.general and province_of(getattr(passage.order, "at", "")) == at:
            sheet.take_back(i, f"line {line.number} seems to correct this; send only what you mean")


def order_anew(sheet: PartReader, line: Line, parts: Sequence[Part]) -> None:
    """``A par - bur. Nein, A par - pic``: what was ordered before for a unit does not count where a line that is not
    understood ends in another order for it, after words that name nothing of the board."""
    for part in parts:
        if part.error is None or part.end - part.start > LONGEST_ANEW:
            continue
        parser = sheet.parser(sheet.plain[part.start : part.end])
        _ordered_behind(sheet, line, parser)
        for at in range(1, min(len(parser.tokens), FEW_WORDS + 3)):
            word = parser.tokens[at - 1].text
            if word == "-" or word in sheet.reader.verbs or names(word, sheet.reader):
                break
            parser.at = at
            if not (parser.names_unit() or parser.own_unit_comes()):
                continue
            rest = msgspec.structs.replace(line, text=parser.text[parser.tokens[at].start :])
            found, _ = sheet.tried(rest)
            for order in (order for one in found for order in one.orders):
                _take_back_other(sheet, order, line.number)
            break


def _ordered_behind(sheet: PartReader, line: Line, parser: Parser) -> None:
    """``A par - gas (!). Taken, whatever, A par - bre``: of a unit for which another order ends what isn't understood,
    the order before doesn't count."""
    for at in range(len(parser.tokens) - 1, max(1, len(parser.tokens) - MOST_LOOKED_AT), -1):
        if not (parser.tokens[at - 1].stop or parser.tokens[at - 1].text in ",;:?"):
            continue
        at += parser.tokens[at].text == "then" and at + 1 < len(parser.tokens)
        rest = msgspec.structs.replace(line, text=parser.text[parser.tokens[at].start :])
        if sheet.unit_begun(rest.text):
            for order in (order for one in sheet.tried(rest)[0] for order in one.orders):
                _take_back_other(sheet, order, line.number)
            return


def _take_back_other(sheet: Progress, order: Order, number: int) -> None:
    """Take back what was ordered for the unit of an order, if that is something else."""
    for i, passage in enumerate(sheet.passages):
        given = passage.order
        if given is None or passage.power != sheet.section or given == order:
            continue
        if (at := province_of(getattr(order, "at", ""))) and province_of(getattr(given, "at", "")) == at:
            sheet.take_back(i, f"line {number} seems to correct this; send only what you mean")


def correct_last(sheet: PartReader, line: Line, parts: Sequence[Part], first: int) -> None:
    """``A par - bur. Sorry, Pic.``: the order before what corrects it without naming its unit does not count."""
    for i, part in enumerate(parts):
        words = set(correcting.SORRY_FOR.sub(" ", fold(sheet.plain[part.start : part.end])).split())
        if part.error is None or part.error.message in UNREAD:
            continue
        instead = _goes_instead(sheet, sheet.plain[part.start : line.end])
        another = instead or _orders_another(sheet, line.text)
        prefers = _PREFERS.search(sheet.plain[part.start : part.end][:LONGEST_ANEW])
        if not another and not words & sayings.CORRECTS_LAST and not prefers:
            continue
        known = sheet.reader.places.exact
        named = instead or any(len(word) >= SHORTEST_BEGINNING and known(word, sheet.section) for word in words)
        named = named or _names_a_place(sheet, sheet.plain[part.start : part.end])
        if not named and not _says_another(sheet, line.text) and not correcting.POINTS_AT_LAST.search(line.text):
            continue
        of = sheet.unit_begun(sheet.plain[part.start : part.end])
        for j in range(min(first + i, len(sheet.passages)) - 1, -1, -1):
            given = sheet.passages[j].order
            if given is not None and sheet.passages[j].power == sheet.section:
                if not another and of not in ("", province_of(getattr(given, "at", ""))):
                    break  # it corrects itself: F hol S A kie - ruh, sorry, F hol H
                sheet.take_back(j, f"line {line.number} seems to correct this; send only what you mean")
                break


_PREFERS = re.compile(
    r"\b(?:is|are|be|looks?|seems?|would be) (?:much |far )?(?:nicer|better|best|safer)\b", re.IGNORECASE
)
"""How words say that another place is better."""
_SO = re.compile(
    r"\b(?:so|hence|thus|therefore|instead)\s{1,9}(?P<verb>[^\W\d_]{4,20})\s{1,9}(?:to\s{1,9}|into\s{1,9})?\w{3}",
    re.IGNORECASE,
)


def _goes_instead(sheet: PartReader, text: str) -> bool:
    """Whether words conclude what a unit that they don't name does: ``Occupied, so retreats to Syria``."""
    said = _SO.search(text[:LONGEST_ANEW])
    return said is not None and fold(said["verb"]) in sheet.reader.verbs


def _names_a_place(sheet: PartReader, text: str) -> bool:
    """Whether a text names a place by several words: ``Wait, North Africa is nicer.``"""
    parser = sheet.parser(text)
    return any(parser.longest_name(at)[1] > at + 1 for at in range(min(len(parser.tokens), MOST_LOOKED_AT)))


def _orders_another(sheet: PartReader, text: str) -> bool:
    """Whether a line orders something of another unit in place of what is above it: ``No, A mar - gas``, ``build A mar
    instead``; of a move only where it goes to the same place."""
    if (match := correcting.AT_ONCE.match(text)) is not None:
        return sheet.reads(text[match.end() :])
    if (match := correcting.INSTEAD.search(text)) is None:
        return False
    try:
        goals = {getattr(order, "to", "") for order in sheet.parser(text[: match.start()]).orders()}
    except OrderTextError:
        return sheet.phase is not Phase.MOVEMENT
    last = next((p.order for p in reversed(sheet.passages) if p.order is not None), None)
    return sheet.phase is not Phase.MOVEMENT or getattr(last, "to", None) in goals


def _says_another(sheet: PartReader, text: str) -> bool:
    """Whether a line says that the unit above it is to do something else: ``Actually disband it``."""
    first, *words = fold(text).split()[:FEW_WORDS]
    return first in sayings.SAYS_ANOTHER and any(len(w) > SHORTEST_BEGINNING and w in sheet.reader.verbs for w in words)


def leave_open(sheet: Progress, line: Line, units: Collection[str]) -> None:
    """``A par - bur. I'm not sure about Brest``: what was ordered above for units of which a line leaves open what they
    do doesn't count."""
    for i, passage in enumerate(sheet.passages):
        mine = passage.order is not None and passage.power == sheet.section and passage.line != line.number
        if mine and province_of(getattr(passage.order, "at", "")) in units:
            sheet.take_back(
                i, f"line {line.number} leaves open what this unit does; write what it should do in any case"
            )


def retract(sheet: Progress, line: Line) -> None:
    """``Ignore the above``, ``Do not do the following``: what is pointed at does not count."""
    words = set(fold(line.text).split())
    if sayings.LAST_TURN.search(line.text):  # your adjudication last season was wrong
        words -= {"wrong", "mistake"}
    if former_orders.replaces_former(words) and words & former_orders.SENT_BEFORE:
        return  # this is my second version, please ignore the one from yesterday
    first = (fold(line.text).split() or [""])[0]
    if first in sayings.TURNS_BACK:
        back = [i for i, p in enumerate(sheet.passages) if p.order is not None and p.power == sheet.section]
        if back and sheet.passages[back[-1]].line < line.number:
            sheet.take_back(back[-1], f"line {line.number} continues this order and isn't understood")
        return
    retracting = sayings.RETRACTS if len(words) <= FEW_WORDS else sayings.RETRACTS - sayings.SHORT_RETRACTS
    backs_out = words <= sayings.BACK_OUT and words & (sayings.NEGATIONS | sayings.NOT_ELSEWHERE | {"wait", "non"})
    pointing = backs_out or (
        words & retracting
        and (words & (sayings.POINTS_BACK | sayings.POINTS_ON) or words <= retracting | sayings.ALONE)
    )
    pointing = pointing or (sayings.NOT_YET.search(line.text) is not None and "?" not in line.text)
    if not pointing and not (words & sayings.FORBIDS and words & (sayings.POINTS_CLEARLY | sayings.PROCESSES)):
        return
    if any(sheet.reader.places.exact(w) for w in words if len(w) > 3):
        return  # it speaks of one order
    message = f"line {line.number} says that this may not count; send only the orders that you mean"
    if words & sayings.POINTS_ON:
        sheet.block, sheet.block_opens = message, True
        return
    for i, passage in enumerate(sheet.passages):
        if passage.order is not None and passage.power == sheet.section:
            sheet.take_back(i, message)
