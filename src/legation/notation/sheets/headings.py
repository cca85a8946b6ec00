"""Headings: whose and which orders stand below them."""

from __future__ import annotations

import re

import msgspec

from legation.notation import prose
from legation.notation.layout import COMMENT, Line, lines_of
from legation.notation.names import fold
from legation.notation.sheets.order_lines import OPENS_LIST, OrderLineReader
from legation.notation.sheets.passages import Passage
from legation.notation.sheets.shapes import joint_opens

LOOK_AHEAD = 300  # characters of a line that are looked at ahead

_INK_WORD = re.compile(r"\S+")


class HeadingReader(OrderLineReader):
    """Reads headings, on lines of their own or before orders."""

    def heading_alone(self, line: Line) -> bool:
        """Go on under a line if the whole of it is a heading, which may be marked as a comment."""
        text = line.text.lstrip("#/ ") if COMMENT.match(line.text) else line.text
        heading = prose.read_heading(
            text, self.reader.powers, self.reader.places, whole=not text.rstrip().endswith(":")
        )
        if heading is None and fold(line.text) in prose.STARTS and self._unit_below(line):  # Build, on its own line
            heading = prose.Heading(deed=prose.STARTS[fold(line.text)])
        if heading is None and prose.leads_in(text, self.reader.powers) and not self._names_other(text):
            heading = prose.Heading()
        if heading is None or (len(text) < 40 and self.reads(text)):  # an order may look like a heading (Waive)
            return False
        self._enter(heading)
        self.remark(line)
        return True

    def _names_other(self, text: str) -> bool:
        """Whether a line names another power than the one whose sheet this is."""
        named = {self.reader.powers.exact(w) for w in fold(text).split() if len(w) > 2}
        return bool(self.power) and bool(named - {None, self.power})

    def _unit_below(self, line: Line) -> bool:
        """Whether the next line begins with a unit."""
        below = next(lines_of(self.plain[line.end :].lstrip()[:LOOK_AHEAD], plus_is_bullet=True))
        return self.parser(below.text).kind_comes()

    def read_headed_orders(self, line: Line) -> None:
        """Read a line, of which a part before a colon, or a turn, may say whose and which orders follow."""
        heading, length = self._heading_of(line.text)
        if heading is None:
            self.read_orders(line)
            return
        before = (self.section, self.refusal, self.deed)
        self._enter(heading)
        rest = line.text[length:]
        begin = line.start + length
        self.passages.append(Passage(line.start, begin, line.number, power=self.section))
        inner = msgspec.structs.replace(line, start=begin + len(rest) - len(rest.lstrip()), text=rest.strip())
        self.read_orders(inner)
        if heading.power and self.power:
            self.section, self.refusal = before[:2]
        if heading.deed == "hold":
            self.deed = before[2]

    def _heading_of(self, text: str) -> tuple[prose.Heading | None, int]:
        """The heading with which a line begins, and its length: before a colon, or a turn (``F1901M A par - bur``)."""
        names = self.reader.powers, self.reader.places
        head, colon, rest = text.partition(":")
        if colon and rest.strip() and len(head) < 80:
            heading = prose.read_heading(head, *names, whole=False)
            kinds = [word for word in fold(head).split() if len(word) > 1 and word in self.reader.kinds]
            if heading is not None and not kinds and not OPENS_LIST.match(text):
                return heading, len(head) + 1
        words = list(_INK_WORD.finditer(text[:LOOK_AHEAD]))
        for before in words[3:0:-1]:
            heading = prose.read_heading(text[: before.start()], *names, whole=True)
            if heading is not None and heading.season and heading.year and not heading.deed:
                parser = self.parser(text[before.start() :])
                if parser.names_unit() or joint_opens(parser):
                    return heading, before.start()
        return None, 0

    def _enter(self, heading: prose.Heading) -> None:
        """Go on under a heading."""
        self.last = None
        self.block = self.carried = ""
        self.block_opens = self.broke_off = False
        if heading.power:
            if not self.power:
                self.section = heading.power
                self.refusal = None
                self.ordered = {}
                self.claimed = 0
            elif heading.power != self.power:
                self.refusal = ("not yours", f"this sheet is {self.power}'s, not {heading.power}'s")
            else:
                self.refusal = None
        if heading.season or heading.year:
            if self.position is not None and not heading.fits(self.position.turn):
                now = self.position.turn.name
                self.refusal = ("not understood", f"it stands under the heading of another turn; now is {now}")
            elif self.refusal is not None and self.refusal[0] == "not understood":
                self.refusal = None
        self.deed = heading.deed
        self.closing = False
