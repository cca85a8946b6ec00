"""Lines that hold orders, alone or with the line before, and what they mean for the lines that follow."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from legation.board import province_of
from legation.notation.errors import OrderTextError
from legation.notation.layout import Line
from legation.notation.names import SHORTEST_BEGINNING, fold
from legation.notation.parsing.orders import Parser
from legation.notation.prose import announcing, correcting, former_orders, heading_text, objections, sayings
from legation.notation.sheets.asides import may_mean_an_order
from legation.notation.sheets.concerns import concerned
from legation.notation.sheets.corrections import (
    correct,
    correct_last,
    doubt_changed,
    doubt_ordered,
    leave_open,
    order_anew,
    retract,
)
from legation.notation.sheets.order_text import without_kinds
from legation.notation.sheets.passages import Part, Passage, refuse_whole, refused_line
from legation.notation.sheets.progress import FEW_WORDS
from legation.notation.sheets.reasons import UNREAD
from legation.notation.sheets.restating import RestatingReader
from legation.notation.small_words import AUXILIARIES, PREPOSITIONS
from legation.orders import Move, Order
from legation.position import Phase

OPENS_LIST = re.compile(r"\s{0,99}(builds?|bld|removals?|removes?|disbands?|destroy)\s{0,9}:", re.IGNORECASE)
"""How a line begins that tells what is to be done with the units on it and below."""
HELPERS_BELOW = frozenset(["s", "c", "supported", "convoyed"])
"""First words of a line that tells which units help the order above it."""
_LISTS_HELPERS = re.compile(r"(?:supports?|convoys?)\s{0,3}:\s{0,9}(?=\S)", re.IGNORECASE)
"""How a line begins that lists the units that help the order above it."""
HELPS_LAST = frozenset("s c sup supp supports support convoys convoy".split())
"""Last words of a line with a unit that helps the order above it: ``A bur s``."""
SHORT_LINE = 3  # words of a line that may be a title or a half sentence
LONGEST_BELOW = 300  # characters of the line below that are looked at
LONGEST_JOINED = 2_000  # characters of lines that are read as one
_TOO_LONG = "this may continue the line above, and together they are too long; write each order on one line"
_BREAKS_OFF = (
    sayings.HEARSAY
    | sayings.QUESTIONS
    | sayings.CONDITIONS
    | sayings.LEADS_ON
    | PREPOSITIONS
    | AUXILIARIES
    | frozenset("about with do does did the a an that would".split())
)
"""Words with which no sentence ends."""
_UNCLEAR_CHANGE = "it isn't clear which order above this corrects; write only the order that you mean"
_CARRIED = "this continues the sentence of the line above"


class OrderLineReader(RestatingReader):
    """Reads lines that are to hold orders."""

    def read_orders(self, line: Line) -> None:
        """Read a line, alone or with the one before, unless something above it speaks against that."""
        if self.refusal is not None:
            self.refuse(line.start, line.end, line.number, self.refusal[1], self.refusal[0])
            self.last = None
            return
        if self.block:
            self.block_opens = False
            self.refuse(line.start, line.end, line.number, self.block)
            return
        if self.carried and self._stands_by_itself(line):
            self.carried = ""
        if self.carried:
            message, self.carried = self.carried, ""
            self.refuse(line.start, line.end, line.number, message)
            self._look_ahead(line, message, shaped=True)
            return
        if self.orders_anew(line):
            return
        if self.broke_off and self.last is not None and self._too_long(self.last.text, line):
            return
        if match := OPENS_LIST.match(line.text):
            self.verb = "build" if match.group(1).lower().startswith("b") else "remove"
        parts, against = self.parts(line)
        parts = self._without_open_help(line, parts)
        if correcting.CHANGE.match(line.text) and any(part.error is not None for part in parts):
            parts = [refused_line(line, _UNCLEAR_CHANGE)]
        open_ended = self.open_ended
        if self._joined(line, parts):
            return
        first = len(self.passages)
        for part in parts:
            if part.error is not None:
                self.add_fault(part.start, part.end, line.number, part.error)
            elif part.orders:
                self.add_orders(part.start, part.end, line.number, part.orders, general=part.general)
            else:
                self.passages.append(Passage(part.start, part.end, line.number, power=self.section))
        self.last, self.last_from = line, first
        self.broke_off = open_ended
        if any(part.error is not None for part in parts):
            unclear = _UNCLEAR_CHANGE in str(parts[0].error) or correcting.CORRECTION.match(line.text) is not None
            pointed = correct(self, line) or (unclear and doubt_changed(self, line))
            order_anew(self, line, parts)
            doubt_ordered(self, line)
            if not pointed:
                correct_last(self, line, parts, first)
            retract(self, line)
        leave_open(self, line, {unit for part in parts for unit in part.about})
        if against:
            self._look_ahead(line, against, shaped=parts[0].shaped)
        elif parts and parts[-1].error is not None:
            words = fold(line.text).split()
            if len(words) < FEW_WORDS and sayings.DRAFTS & set(words):
                self.block_opens, self.block = True, _under(line.text)
            elif line.text.endswith(":"):
                self._heading_not_understood(line)

    def _heading_not_understood(self, line: Line) -> None:
        """An unknown heading that names another power makes what follows that power's."""
        for word in fold(line.text).split():
            power = self.reader.powers.exact(word) or self.reader.powers.exact(word.removesuffix("s"))
            if power is not None and len(word) > 2 and self.section and power != self.section:
                self.block = f"the heading above this names {power}, so it wasn't read as your order"

    def _look_ahead(self, line: Line, message: str, *, shaped: bool = False) -> None:
        """A sentence that isn't an order may go on in the lines that follow."""
        if announcing.announces_below(line.text) or self._replaces_under_heading(line.text):
            return
        ending = line.text.rstrip()
        words = fold(ending).split()
        self.block_lasts = not (sayings.OF_OTHER_TURNS | sayings.DRAFTS).isdisjoint(words)
        if len(words) < 3 and sayings.DRAFTS & set(words):
            self.block_opens = True
            self.block = _under(ending)
        elif ending.endswith(":") or (words or [""])[-1] in sayings.LEADS_ON:
            self.block_opens = True
            self.block = f"this belongs to a sentence that isn't an order: {message}"
        elif ending.endswith(",") and self._next_is_listed(line):
            pass  # - move A to B, / - move C to D,
        elif _is_open(ending, words):
            chosen = words[-2:-1] == ["or"] and self.reader.places.exact(words[-1], self.section) is not None
            self._carry(message, self.unit_begun(ending) if chosen else "")  # F nth - either Fri or Vik
        elif not shaped and not ending.endswith((".", "!", "?", ")")) and self._leads_on(words):
            self._carry(message, self.unit_begun(ending))
        elif shaped and message == objections.DEPENDS and (unit := self.unit_begun(ending)):
            self._carry(message, unit)  # what comes next for the same unit may be what it does otherwise

    def _next_is_listed(self, line: Line) -> bool:
        """Whether the same mark of a list stands before a line that begins with an order and before the one below it,
        which begins anew."""
        if not self.unit_begun(line.text) and not self.parser(line.text).opening_comes():
            return False
        lead = self._lead(line)
        below = self.plain[line.end :].lstrip()[:LONGEST_BELOW].split("\n", 1)[0]
        words = fold(below.removeprefix(lead)).split()
        marked = lead != "" and not lead[0].isalnum() and below.startswith(lead)
        return marked and bool(words) and words[0] not in sayings.CONTINUES | sayings.OPENS | {"then", "in", "so"}

    def _replaces_under_heading(self, text: str) -> bool:
        """Whether a line takes former orders back and ends with the own heading: ``Ignore my last mail. Italy:``."""
        before, last = announcing.last_sentence(text)
        if not before or self.ordered or not last.endswith(":") or not all(map(former_orders.replaces_former, before)):
            return False
        heading = heading_text.read_heading(
            last[:-1], self.reader.powers, self.reader.places, whole=False, own=self.power
        )
        return heading is not None and heading.power in ("", self.section)

    def _carry(self, message: str, unit: str) -> None:
        """Refuse the next line, too; one that orders other units alone counts where this one begins with an order."""
        self.carried = message if message.startswith(_CARRIED) else f"{_CARRIED}: {message}"
        self.carried_of = unit

    def _stands_by_itself(self, line: Line) -> bool:
        """Whether a line below one that is refused, and that says something of one unit, begins with another unit and
        orders nothing of that one."""
        if not self.carried_of or self.unit_begun(line.text) in ("", self.carried_of):
            return False
        parts, _ = self.tried(line)
        return all(province_of(getattr(o, "at", "")) != self.carried_of for part in parts for o in part.orders)

    def _leads_on(self, words: Sequence[str]) -> bool:
        """Whether a line that isn't an order may speak of the one below it: it is short or breaks off, it begins with a
        condition, or with what is not to be, or it speaks of orders."""
        if len(words) <= SHORT_LINE or words[-1] in _BREAKS_OFF:
            return True
        if words[0] in sayings.CONDITIONS | sayings.FORBIDS | sayings.RETRACTS or set(words[:2]) & sayings.FORBIDS:
            return True
        if any(len(w) >= SHORTEST_BEGINNING and self.reader.places.exact(w, self.section) for w in words):
            return True
        return bool(set(words) & (heading_text.TITLES | sayings.POINTS_ON | sayings.DRAFTS))

    def _joined(self, line: Line, parts: Sequence[Part]) -> bool:
        """Try to read a line together with the one before, where one of them does not stand by itself."""
        before = self.last
        if before is None or not parts:
            return False
        first = fold(line.text.split(maxsplit=1)[0]) or line.text[0]
        lead = self._lead(line)
        goes_on = parts[0].error is not None and (
            first in sayings.CONTINUES
            or line.text[0] in "-–—→>(,"
            or (lead in ("-", "–", "—") and lead != self._lead(before))  # else it is a bullet
        )
        if goes_on and (self._sets_own_condition(line, before) or correcting.ASKS_ONLY.fullmatch(line.text)):
            goes_on = False
        if goes_on and first == "when" and line.text.endswith("?") and not may_mean_an_order(line.text, self.reader):
            goes_on = False  # When is the deadline?
        lists = first in HELPERS_BELOW or self.lists_helpers(line)
        helps = parts[0].error is not None and (lists or self._helps_above(line))
        if not goes_on and not self.broke_off and not helps:
            return False
        if not self.broke_off and (self._signs_off(line) or self._stands_apart(line.text, lead)):
            return False
        alone = all(part.error is None for part in parts) and self._begins_anew(parts)
        begin = self.passages[self.last_from].start if self.last_from < len(self.passages) else before.start
        above = before.text[begin - before.start :] if begin >= before.start else self.plain[begin : before.end]
        if self._too_long(above, line):
            return True
        joint = "," if helps and not above.endswith((",", ";")) else " "
        text = (above + joint + self.plain[begin + len(above) + 1 : line.end]).replace("\n", " ")
        whole = msgspec.structs.replace(before, start=begin, text=text)
        ordered, self.ordered = self.ordered, self._ordered_by(self.passages[: self.last_from])
        merged, _ = self.parts(whole)
        self.ordered = ordered
        open_ended = self.open_ended
        fine = all(
            part.error is None or part.error.message in UNREAD for part in (merged[:-1] if open_ended else merged)
        )
        if self.broke_off and not goes_on and alone != fine and alone:
            return False
        if not fine and not goes_on:
            return False
        if fine and alone and not _same_first(parts, merged, line.start):
            merged = [
                self._refused(part, "it isn't clear whether this is one order or two; write each order on one line")
                if part.start < line.start <= part.end
                else part
                for part in merged
            ]
        elif not fine:
            merged = [
                refused_line(
                    whole,
                    "the next line doesn't continue this one in a way that is understood; write each order on one line",
                )
            ]
            correct(self, line)  # (typo: F nth - hel)
            if len(line.text.split()) < 3 and not line.text.endswith((".", "!")):
                self.carried = f"{_CARRIED}, {line.text[:40]!r}"
        del self.passages[self.last_from :]
        self.ordered = self._ordered_by(self.passages)
        for part in merged:
            number = line.number if part.start > before.end else before.number
            if part.error is not None:
                self.add_fault(part.start, part.end, number, part.error)
            else:
                self.add_orders(part.start, part.end, number, part.orders, general=part.general)
        self.last, self.broke_off = (whole, open_ended) if fine else (None, False)
        return True

    def _sets_own_condition(self, line: Line, before: Line) -> bool:
        """Whether a line is a sentence of its own that sets conditions for units of which those above say nothing: ``If
        Italy attacks, Mar holds.``"""
        opens = line.text[0].isupper() and fold(line.text.split(maxsplit=1)[0]) in sayings.OPENS
        if not opens or self.broke_off or before.text.rstrip().endswith((",", "-", "(")):
            return False
        parser = self.parser(line.text)
        units = concerned(parser, 0, len(parser.tokens), 0)
        return bool(units) and units.isdisjoint(self._ordered_by(self.passages))

    def _too_long(self, above: str, line: Line) -> bool:
        """Refuse a line that is too long to be read together with what stands above it."""
        if len(above) + len(line.text) <= LONGEST_JOINED:
            return False
        self.refuse(line.start, line.end, line.number, _TOO_LONG)
        self.last, self.broke_off = None, False
        return True

    def _lead(self, line: Line) -> str:
        """What stands before the text of a line: a bullet, or a dash."""
        return self.plain[self.plain.rfind("\n", 0, line.start) + 1 : line.start].strip()

    def lists_helpers(self, line: Line) -> bool:
        """Whether a line that is set in lists the units that help the move right above it: ``  supports: A bul, A
        ser``."""
        within = line.start > 0 and self.plain[line.start - 1] in " \t"
        if not within or self.last is None or _LISTS_HELPERS.match(line.text) is None:
            return False
        return bool(self.passages) and isinstance(self.passages[-1].order, Move)

    def _helps_above(self, line: Line) -> bool:
        """Whether a line only says that an own unit helps the move above it, as it can, and does not go on below."""
        moves = [p.order for p in self.passages if isinstance(p.order, Move)]
        if not moves or self._only_helps(line.text) is None:
            return False
        parser = self.parser(line.text)
        helper, at = parser.subject(), province_of(moves[-1].to)
        supports = parser.peek().startswith("s")
        can = parser.reaches(helper)(at) if supports else self.reader.board.provinces[province_of(helper.at)].sea
        return can and not self._may_go_on_below(line.text, line.end)

    def _only_helps(self, text: str) -> Parser | None:
        """Return the parser, past the unit, if a text says only that an own unit helps (``A bur s``); else None."""
        if fold((text.rsplit(maxsplit=1) or [""])[-1]) not in HELPS_LAST:
            return None
        parser = self.parser(text)
        try:
            parser.subject()
        except OrderTextError:
            return None
        return parser if len(parser.tokens) - parser.at == 1 else None

    def _may_go_on_below(self, text: str, end: int) -> bool:
        """Whether what a unit is said to help may stand on the next line: it can help what comes there."""
        below = self.plain[end + 1 :][:LONGEST_BELOW].split("\n", 1)[0].strip()
        if not below or fold(below.split()[-1]) in HELPS_LAST:
            return False
        parser = self.parser(text)
        try:
            helper = parser.subject()
            helped = self.parser(f"{text} {below}").orders()[0]
        except OrderTextError:
            return False
        goal = getattr(helped, "to", "") or getattr(helped, "target", "")
        return bool(goal) and parser.reaches(helper)(province_of(goal))

    def _without_open_help(self, line: Line, parts: list[Part]) -> list[Part]:
        """Refuse a line's last order, ``A bur S`` of ``A pic - bel, A bur S``, where the next line may say what it
        helps: ``A par - gas``."""
        begin = line.text.rfind(",") + 1
        if not begin or not parts or len(parts[-1].orders) < 2 or self._only_helps(line.text[begin:]) is None:
            return parts
        if not self._may_go_on_below(line.text[begin:], line.end):
            return parts
        at = line.start + begin + len(line.text[begin:]) - len(line.text[begin:].lstrip())
        helps = refuse_whole(self.plain[at : line.end], "say what it helps; the line below may or may not belong to it")
        last = msgspec.structs.replace(parts[-1], end=at, orders=parts[-1].orders[:-1])
        return [*parts[:-1], last, Part(at, line.end, [], helps)]

    @staticmethod
    def _ordered_by(passages: Sequence[Passage]) -> dict[str, Order]:
        """The orders that passages give to units one by one, by where these stand."""
        return {
            province_of(p.order.at): p.order
            for p in passages
            if p.order is not None and hasattr(p.order, "at") and not p.general
        }

    def _refused(self, part: Part, message: str) -> Part:
        """A part that is not read after all."""
        return msgspec.structs.replace(
            part, orders=[], error=refuse_whole(self.plain[part.start : part.end].replace("\n", " "), message)
        )

    def _signs_off(self, line: Line) -> bool:
        """Whether a line that begins with a dash is the name of who writes: ``-Pierre``."""
        name = line.text.lstrip("-–— ")
        words = fold(name).split()
        if line.text[0] in "→>(," or not 0 < len(words) <= SHORT_LINE or words[0] in sayings.CONTINUES:
            return False
        return not may_mean_an_order(name, self.reader) and not is_against(name)

    def _stands_apart(self, text: str, lead: str) -> bool:
        """Whether a line in brackets, or after a long dash, is a remark of its own: it names nothing of the board."""
        name = text.rpartition(")")[2].strip(" .!~/-–—")  # (posted on the forum too) ~fenrir
        bracketed = text.startswith("(") and ")" in text and len(name.split()) < SHORT_LINE
        if not bracketed and lead not in ("--", "–", "—"):
            return False
        return not is_against(text) and not may_mean_an_order(text.strip("(). !"), self.reader)

    def _begins_anew(self, parts: Sequence[Part]) -> bool:
        """Whether a line that can be read by itself begins with an order for an own unit that has none yet; if not, it
        goes on with the line before."""
        at = province_of(getattr(next((part.orders[0] for part in parts if part.orders), None), "at", ""))
        if not at or self.position is None or self.phase is not Phase.MOVEMENT:
            return True
        ordered = {province_of(p.order.at) for p in self.passages if p.order is not None and hasattr(p.order, "at")}
        return at not in ordered and any(u.province == at for u in self.position.units_of(self.section))


def _under(heading: str) -> str:
    """Why what stands under the heading of a draft doesn't count."""
    return f"{heading[:40]!r} above this says that it may not count; if it does, send it without that line"


def _is_open(ending: str, words: Sequence[str]) -> bool:
    """Whether a line that isn't an order ends in the middle of its sentence: ``... if Germany attacks, otherwise``."""
    if ending.endswith((",", "-", "(", " and", " or", " then", " if")):
        return True
    return bool(words) and not ending.endswith((".", "!", "?")) and (words[-1] in sayings.OPENS or "or" in words[-2:-1])


def is_against(text: str) -> bool:
    """Whether a text may speak against what stands above it."""
    return bool(set(fold(text).split()) & (sayings.AGAINST | sayings.QUESTIONS)) or "?" in text


def _same_first(alone: Sequence[Part], merged: Sequence[Part], start: int) -> bool:
    """Whether a line that begins at ``start`` begins with the same order alone and joined with the line before."""
    joined = next((part for part in merged if part.end > start), None)
    first = alone[0].orders[:1]
    if joined is None or joined.start >= start or len(joined.orders) != 1 or not first:
        return False
    one, other = first[0], joined.orders[0]
    same_unit = province_of(getattr(one, "at", "")) == province_of(getattr(other, "at", ""))
    return same_unit and type(one) is type(other) and without_kinds(one) == without_kinds(other)
