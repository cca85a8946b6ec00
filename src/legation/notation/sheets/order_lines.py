"""Lines that hold orders, alone or with the line before, and what they mean for the lines that follow."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from legation.board import province_of
from legation.notation import prose
from legation.notation.layout import Line
from legation.notation.names import SHORTEST_BEGINNING, fold
from legation.notation.sheets.corrections import correct, correct_last, corrected, retract
from legation.notation.sheets.parts import PartReader
from legation.notation.sheets.passages import Part, Passage, refused_line
from legation.notation.sheets.progress import FEW_WORDS
from legation.notation.small_words import AUXILIARIES, PREPOSITIONS
from legation.position import Phase

OPENS_LIST = re.compile(r"\s{0,99}(builds?|bld|removals?|removes?|disbands?|destroy)\s{0,9}:", re.IGNORECASE)
"""How a line begins that tells what is to be done with the units on it and below."""
SHORT_LINE = 3  # words of a line that may be a title or a half sentence
_BREAKS_OFF = (
    prose.HEARSAY
    | prose.QUESTIONS
    | prose.CONDITIONS
    | prose.LEADS_ON
    | PREPOSITIONS
    | AUXILIARIES
    | frozenset("about with do does did the a an that would".split())
)
"""Words with which no sentence ends."""
_CARRIED = "it belongs to the sentence of the line before"


class OrderLineReader(PartReader):
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
        if self.carried:
            message, self.carried = self.carried, ""
            self.refuse(line.start, line.end, line.number, message)
            self._look_ahead(line, message, shaped=True)
            return
        if self._orders_anew(line):
            return
        if match := OPENS_LIST.match(line.text):
            self.deed = "build" if match.group(1).lower().startswith("b") else "remove"
        parts, against = self.parts(line)
        if self._joined(line, parts):
            return
        first = len(self.passages)
        for part in parts:
            if part.error is not None:
                self.add_fault(part.start, part.end, line.number, part.error)
            elif part.orders:
                self.add_orders(part.start, part.end, line.number, part.orders)
            else:
                self.passages.append(Passage(part.start, part.end, line.number, power=self.section))
        self.last, self.last_from = line, first
        self.broke_off = bool(parts) and _breaks_off(parts[-1])
        if any(part.error is not None for part in parts):
            correct(self, line)
            correct_last(self, line, parts, first)
            retract(self, line)
        if against:
            self._look_ahead(line, against, shaped=parts[0].shaped)
        elif parts and parts[-1].error is not None:
            words = fold(line.text).split()
            if len(words) < FEW_WORDS and prose.DRAFTS & set(words):
                self.block_opens, self.block = True, f"it stands under {line.text[:40]!r}"
            elif line.text.endswith(":"):
                self._heading_not_understood(line)

    def _orders_anew(self, line: Line) -> bool:
        """Read ``Correction: A par - pic``, ``change Paris to hold``, ``Paris must hold instead``: an order that counts
        instead of the one above it for the same unit."""
        for said in corrected(line.text):
            one = msgspec.structs.replace(line, text=said)
            parts, against = self.tried(one)
            units = {province_of(getattr(o, "at", "")) for part in parts for o in part.orders}
            if against or not units or "" in units or any(part.error is not None for part in parts):
                continue
            before = [
                i
                for i, p in enumerate(self.passages)
                if p.order is not None and p.power == self.section and province_of(getattr(p.order, "at", "")) in units
            ]
            if not before and not prose.CORRECTION.match(line.text):
                return False
            for i in before:
                self.take_back(i, f"line {line.number} corrects it", "superseded")
            self.ordered = {at: order for at, order in self.ordered.items() if at not in units}
            parts, _ = self.parts(one)
            for part in parts:
                self.add_orders(part.start, part.end, line.number, part.orders)
            self.last = None
            return True
        return False

    def _heading_not_understood(self, line: Line) -> None:
        """An unknown heading that names another power makes what follows that power's."""
        for word in fold(line.text).split():
            power = self.reader.powers.exact(word) or self.reader.powers.exact(word.removesuffix("s"))
            if power is not None and len(word) > 2 and self.section and power != self.section:
                self.block = f"it stands under a heading that speaks of {power}"

    def _look_ahead(self, line: Line, message: str, *, shaped: bool = False) -> None:
        """A sentence that is no order may go on in the lines that follow."""
        ending = line.text.rstrip()
        words = fold(ending).split()
        if len(words) < 3 and prose.DRAFTS & set(words):
            self.block_opens = True
            self.block = f"it stands under {ending[:40]!r}"
        elif ending.endswith(":") or (words or [""])[-1] in prose.LEADS_ON:
            self.block_opens = True
            self.block = f"it belongs to a sentence that is no order: {message}"
        elif ending.endswith((",", "-", "(", " and", " or", " then", " if")) or (
            not shaped and not ending.endswith((".", "!", "?")) and self._leads_on(words)
        ):
            self.carried = message if message.startswith(_CARRIED) else f"{_CARRIED}: {message}"

    def _leads_on(self, words: Sequence[str]) -> bool:
        """Whether a line that is no order may speak of the one below it: it is short or breaks off, it begins with a
        condition, or with what is not to be, or it speaks of orders."""
        if len(words) <= SHORT_LINE or words[-1] in _BREAKS_OFF:
            return True
        if words[0] in prose.CONDITIONS | prose.FORBIDS | prose.RETRACTS or set(words[:2]) & prose.FORBIDS:
            return True
        if any(len(w) >= SHORTEST_BEGINNING and self.reader.places.exact(w, self.section) for w in words):
            return True
        return bool(set(words) & (prose.TITLES | prose.POINTS_ON | prose.DRAFTS))

    def _joined(self, line: Line, parts: Sequence[Part]) -> bool:
        """Try to read a line together with the one before, where one of them does not stand by itself."""
        before = self.last
        if before is None or not parts:
            return False
        first = fold(line.text.split(maxsplit=1)[0]) or line.text[0]
        lead = self.plain[self.plain.rfind("\n", 0, line.start) + 1 : line.start].strip()  # a bullet, or a dash
        goes_on = parts[0].error is not None and (
            first in prose.CONTINUES or line.text[0] in "-–—→>(," or lead in ("-", "–", "—")
        )
        if not goes_on and not self.broke_off:
            return False
        alone = all(part.error is None for part in parts) and self._begins_anew(parts)
        begin = self.passages[self.last_from].start if self.last_from < len(self.passages) else before.start
        whole = msgspec.structs.replace(before, start=begin, text=self.plain[begin : line.end].replace("\n", " "))
        merged, _ = self.parts(whole)
        fine = all(part.error is None for part in merged)
        if self.broke_off and not goes_on and alone != fine and alone:
            return False
        if not fine and not goes_on:
            return False
        if fine and alone:
            merged = [refused_line(whole, "it is not clear whether this is one order or two")]
        elif not fine:
            merged = [refused_line(whole, "the line that follows does not fit what goes before")]
            if len(line.text.split()) < 3 and not line.text.endswith((".", "!")):
                self.carried = f"{_CARRIED}: it goes on with {line.text[:40]!r}"
        del self.passages[self.last_from :]
        self.ordered = {
            province_of(p.order.at): p.order for p in self.passages if p.order is not None and hasattr(p.order, "at")
        }
        for part in merged:
            if part.error is not None:
                self.add_fault(part.start, part.end, before.number, part.error)
            else:
                self.add_orders(part.start, part.end, before.number, part.orders)
        self.last, self.broke_off = (whole, False) if fine and not alone else (None, False)
        return True

    def _begins_anew(self, parts: Sequence[Part]) -> bool:
        """Whether a line that can be read by itself begins with an order for an own unit that has none yet; if not, it
        goes on with the line before."""
        at = province_of(getattr(next((part.orders[0] for part in parts if part.orders), None), "at", ""))
        if not at or self.position is None or self.phase is not Phase.MOVEMENT:
            return True
        ordered = {province_of(p.order.at) for p in self.passages if p.order is not None and hasattr(p.order, "at")}
        return at not in ordered and any(u.province == at for u in self.position.units_of(self.section))


def _breaks_off(part: Part) -> bool:
    """Whether an order lacks its end."""
    return part.error is not None and part.error.span[0] >= len(part.error.text)
