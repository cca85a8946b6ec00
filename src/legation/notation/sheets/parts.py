"""One line of a sheet, which may be laid out as a table, a list or in brackets."""

from __future__ import annotations

import re

import msgspec

from legation.board import province_of
from legation.notation.layout import STRUCK, Line
from legation.notation.names import fold
from legation.notation.prose import sayings
from legation.notation.sheets.passages import STRUCK_OUT, Part, refuse_whole, refused_line
from legation.notation.sheets.reasons import A_REASON, UNREAD
from legation.notation.sheets.separators import parted, remarks_bracketed
from legation.notation.sheets.spoken import SpokenReader
from legation.notation.small_words import JOINTS
from legation.orders import Order, Waive
from legation.position import Phase

_WAIVED = frozenset(["waived", "unused"])
MOST_CELLS = 8  # of one order
SHORT_LINE = 100  # characters of a line that is read again at the least cost
MOST_DASHED = 40  # orders on a line with a dash before each
_MINUS_UNIT = re.compile(r"[-–−](?=[AFDafd][.\s(]\s{0,3}\w\w)")
_DASH_BEFORE_UNIT = re.compile(r"(?<=\s)[-–—]\s{0,3}(?=[AFDafd][.\s(]\s{0,3}\w\w)")
_ALL_BRACKETED = re.compile(r"(?:[(\[][^()\[\];\n]{5,80}[)\]]\s{0,5},?\s{0,5}){2,40}")
"""A line of several things in brackets: ``(A par - bur), (A bur - mun)``."""
_PLACES_LISTED = re.compile(
    r"(?P<before>(?P<kind>[^\W\d_]{1,20})[: ]\s{0,9})(?P<places>[^\W\d_]{2,30}(?: [^\W\d_]{2,30}){1,30})"
)
"""A kind of unit and single words behind it: ``F: tro ber osl``."""
_NUMBER_CELL = re.compile(r"\s{0,9}\|?\s{0,9}\d{1,2}[.)]?\s{0,9}(?=\|)")
"""The cell of a table that counts its rows."""
_CALLED_OUT = re.compile(r"(?<=[.!])\s{1,9}(?P<said>[^\W\d_]{2,20}(?:\s[^\W\d_]{2,20}){0,3})[.!]{0,3}\Z")
"""What is called out behind the orders of a line."""
_JOINS_OR_NAMES = "'AND' may be a place here; write commas between the places"
_STRUCK = re.compile(rf"{STRUCK}[^\n]*?{STRUCK}")


class PartReader(SpokenReader):
    """Reads lines as if each stood alone."""

    def tried(self, line: Line) -> tuple[list[Part], str]:
        """The same as :meth:`parts`, with nothing of it kept."""
        before = dict(self.ordered)
        result = self.parts(line)
        self.ordered = before
        return result

    def parts(self, line: Line) -> tuple[list[Part], str]:
        """The parts of a line, and why nothing on it counts (empty if something does)."""
        if STRUCK in line.text:
            return self._struck_parts(line)
        if _ALL_BRACKETED.fullmatch(line.text) and (bare := self._without_brackets(line)):
            return bare, ""
        if (called := _CALLED_OUT.search(line.text)) and set(fold(called["said"]).split()) <= sayings.EXCLAMATIONS:
            line = msgspec.structs.replace(line, text=line.text[: called.start()])  # ... . Sadly.
        if listed := self._places_listed(line):
            return listed, ""
        if '""' in line.text:  # an empty cell
            line = msgspec.structs.replace(line, text=line.text.replace('""', "  "))
        if line.text.count(";") > 1 and (cells := self._semicolon_row(line)):
            return cells, ""
        if "," in line.text and ", " not in line.text and (cells := self._row(line)):
            return cells, ""
        if self.minus and (dashed := self._dashed(line)):
            return dashed, ""
        ordered = dict(self.ordered)
        parts, against = self.spoken_parts(line)
        if any(part.error is not None for part in parts) and (separate := self._separated(line, ordered)):
            return separate, ""
        if "|" in line.text and any(part.error is not None for part in parts):  # one order in the cells of a table
            number = _NUMBER_CELL.match(line.text)
            text = line.text if number is None else " " * number.end() + line.text[number.end() :]
            row = msgspec.structs.replace(line, text=text.replace("|", " "))
            whole, _ = self.spoken_parts(row)
            if all(part.error is None for part in whole):
                return whole, ""
        if ", " in line.text and any(part.error is not None for part in parts) and (cells := self._row(line)):
            return cells, ""
        return parts, against

    def _separated(self, line: Line, ordered: dict[str, Order]) -> list[Part]:
        """The orders of a line with other signs between them than commas, or with remarks behind long dashes; empty if
        they don't make all of it orders, each of another unit. ``ordered``: what was ordered above the line."""
        after = self.ordered
        adjusting = self.phase in (Phase.ADJUSTMENTS, Phase.PLACEMENT)
        said = self.verb or fold(line.text.split(maxsplit=1)[0]) in self.reader.openings
        ways = [*parted(line.text, self.reader.kinds, minus=adjusting and not said)]
        for text in ways:
            parts = self._read_again_as(line, text, ordered)
            if all(part.error is None for part in parts) and self._orders_apart(line, text, parts):
                return parts
        for text in filter(None, (remarks_bracketed(way, self.reader.places) for way in (line.text, *ways))):
            parts = self._read_again_as(line, text, ordered)
            told = [part for part in parts if part.error is not None and part.error.message in UNREAD]
            if any(part.orders for part in parts) and all(part.error is None or part in told for part in parts):
                for part in told:
                    part.error = refuse_whole(self.plain[part.start : part.end], A_REASON)
                return parts
        self.ordered = after
        return []

    def _orders_apart(self, line: Line, text: str, parts: list[Part]) -> bool:
        """Whether the parts of a text with more semicolons than its line order several units, each of them once; in
        adjustments they do the same with all of them, in other phases a semicolon stands within none of the parts."""
        given = [order for part in parts for order in part.orders]
        orders = [order for order in given if not isinstance(order, Waive)]
        if len(given) < 2 or len({province_of(getattr(order, "at", "")) for order in orders}) < len(orders):
            return False
        if self.phase in (Phase.ADJUSTMENTS, Phase.PLACEMENT):
            return len({type(order) for order in orders}) == 1
        signs = [line.start + i for i, sign in enumerate(text) if sign == ";" != line.text[i]]
        return not any(part.start < at < part.end for part in parts for at in signs)

    def _read_again_as(self, line: Line, text: str, ordered: dict[str, Order]) -> list[Part]:
        """The parts of a line if it said a text; none where too many lines were read again."""
        if self.tries_left <= 0:
            return []
        self.tries_left -= 1 + len(text) // SHORT_LINE
        self.ordered = dict(ordered)
        return self.spoken_parts(msgspec.structs.replace(line, text=text))[0]

    def _places_listed(self, line: Line) -> list[Part]:
        """The orders of a line on which a kind of unit and several places stand where a unit alone is an order, with
        nothing between them: ``F: tro ber osl``; empty if it is none."""
        listed = _PLACES_LISTED.fullmatch(line.text)
        if listed is None or fold(listed["kind"]) not in self.reader.kinds or self.parser("").bare is None:
            return []
        places = [fold(place) for place in listed["places"].split()]
        known = [self.reader.places.exact(place, self.section) for place in places]
        if None in known or len(set(known)) < len(known) or not JOINTS.isdisjoint(listed["places"].split()):
            return []
        if any(place.isupper() for place in listed["places"].split() if fold(place) in JOINTS):  # F LIS AND ORA
            return [refused_line(line, _JOINS_OR_NAMES)]
        before, text = dict(self.ordered), listed["before"] + listed["places"].replace(" ", ",")
        parts, _ = self.spoken_parts(msgspec.structs.replace(line, text=text))
        if all(part.error is None for part in parts):
            return parts
        self.ordered = before
        return []

    def _without_brackets(self, line: Line) -> list[Part]:
        """The orders of a line on which each stands in brackets, and nothing else: ``(A par - bur), (A bur - mun)``."""
        before = dict(self.ordered)
        text = line.text.translate({ord(sign): " " for sign in "(["} | {ord(sign): ";" for sign in ")]"})
        parts, _ = self.spoken_parts(msgspec.structs.replace(line, text=text))
        if any(part.error is not None for part in parts) or len(parts) != text.count(";"):
            self.ordered = before
            return []
        return parts

    def _dashed(self, line: Line) -> list[Part]:
        """The orders of a line in which a dash stands before each, ``-F eng -A gas``; empty if it is none."""
        text, count = _DASH_BEFORE_UNIT.subn(lambda m: ";".ljust(len(m.group())), line.text)
        if not 0 < count < MOST_DASHED:
            return []
        before, verb = dict(self.ordered), self.verb
        if (
            self.phase is Phase.ADJUSTMENTS
            and count == len(_MINUS_UNIT.findall(self.plain, line.start - 1, line.end)) - 1
        ):
            self.verb = "remove"
        parts, _ = self.spoken_parts(msgspec.structs.replace(line, text=text))
        self.verb = verb
        orders = [order for part in parts for order in part.orders]
        units = {province_of(getattr(order, "at", "")) for order in orders}
        if any(part.error is not None for part in parts) or not len(orders) == len(units) == count + 1:
            self.ordered = before
            return []
        return parts

    def _row(self, line: Line) -> list[Part]:
        """The orders of a line that gives them in cells between commas; empty if it does not."""
        if not self._is_row(line.text):
            return []
        whole, _ = self.spoken_parts(msgspec.structs.replace(line, text=line.text.replace(",", " ")))
        fine = all(part.error is None for part in whole) and len(whole) == 1 + line.text.count(";")
        return whole if fine else []

    def _semicolon_row(self, line: Line) -> list[Part]:
        """The one order of a line that gives it in cells between semicolons: ``A par;move;gas``."""
        cells = [fold(cell) or cell.strip() for cell in line.text.rstrip(" ;").split(";")]
        if not 1 < len(cells) <= MOST_CELLS or not any(cell in self.reader.verbs for cell in cells[1:]):
            return []
        whole, _ = self.spoken_parts(msgspec.structs.replace(line, text=line.text.replace(";", " ")))
        return whole if len(whole) == 1 and whole[0].error is None and len(whole[0].orders) == 1 else []

    def _is_row(self, text: str) -> bool:
        """Whether a line gives orders in cells between commas: ``A,par,move,gas``."""
        for row in text.split(";"):
            cells = [fold(cell) or cell.strip() for cell in row.strip(" ,.").split(",")]
            if not any(cell in self.reader.verbs for cell in cells[1:]) or len(cells) > MOST_CELLS:
                return False
            if not _WAIVED.isdisjoint(cells):  # A par, F bre, waived
                return False
            if cells[0] in self.reader.verbs or len(cells) < 2 + (cells[-1] not in self.reader.stays):
                return False
        return True

    def _struck_parts(self, line: Line) -> tuple[list[Part], str]:
        """A line of which something is struck out: whole parts may be, half an order may not."""
        parts: list[Part] = []
        at = 0
        for match in [*_STRUCK.finditer(line.text), None]:
            stop = match.start() if match else len(line.text)
            between = line.text[at:stop].strip(" ,;.")
            if between:
                start = line.text.index(between, at)
                inner = msgspec.structs.replace(line, start=line.start + start, text=between)
                if STRUCK in between:
                    return [
                        refused_line(line, "part of this is crossed out; write the order without what is crossed out")
                    ], ""
                inner_parts, against = self.parts(inner)
                if against or any(p.error is not None for p in inner_parts):
                    return [
                        refused_line(line, "part of this is crossed out; write the order without what is crossed out")
                    ], against
                parts += inner_parts
            if match:
                error = refuse_whole(match.group(), STRUCK_OUT)
                parts.append(Part(line.start + match.start(), line.start + match.end(), [], error))
                at = match.end()
        return parts, ""
