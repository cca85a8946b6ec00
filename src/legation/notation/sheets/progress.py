"""A sheet on its way: what was read of it so far, and under what its next line stands."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import msgspec

from legation.board import province_of
from legation.notation.errors import FaultKind, OrderTextError
from legation.notation.grammar import Grammar
from legation.notation.known_orders import KnownOrders
from legation.notation.layout import TICKED, Line, plain_text
from legation.notation.sheets.passages import Passage, refuse_whole
from legation.orders import Build, Order, Waive
from legation.position import Phase, Position

LONGEST_SHEET = 60_000  # characters
LONGEST_LINE = 6_000
MOST_ORDERS = 1_000  # of one sheet
MANY_ORDERS = f"a sheet has at most {MOST_ORDERS} orders and lines; what comes after them is not read"
MOST_FAULTS = 50  # of one sheet; what comes after them is not read
LONG_FAULT = 500  # characters; a fault counts once more for each so many of what is not read
FEW_WORDS = 5  # so long at most is the line of a signature, or of a remark on what stands beside it

_INK = re.compile(r"\S(?:[^\n]*\S)?")


class Progress:
    """A sheet of one power, or a message with those of several (``power`` empty), and how far it is read."""

    def __init__(
        self,
        reader: Grammar,
        known_orders: KnownOrders,
        text: str,
        phase: Phase,
        power: str,
        position: Position | None,
    ) -> None:
        self.reader = reader
        self.known_orders = known_orders
        self.text = text
        self.plain = plain_text(text[:LONGEST_SHEET])
        self.phase = phase
        self.power = power
        self.position = position
        self.passages: list[Passage] = []
        self.section = power  # whose orders the lines are
        self.refusal: tuple[FaultKind, str] | None = None  # why the lines of this section are not read
        self.block = ""  # why the lines up to the next empty one are not read
        self.block_lasts = False  # a heading of the same power's does not end that
        self.block_opens = False  # nothing was refused for that yet
        self.carried = ""  # why the next line is not read
        self.carried_of = ""  # of which unit that line began to say something
        self.minus = False  # a dash stands before the line
        self.verb = ""  # what is to be done with units of which nothing is said
        self.closing = False  # after a goodbye
        self.requested = False  # in the list below a request
        self.signed = False  # below the line of a signature
        self.head_until = 0  # the last line of the head of a mail that was met
        self.quotation = False  # below "... wrote:"
        self.unmarked = False  # what is quoted there has no marks, so nobody can tell where it ends
        self.press = False  # in a letter to other powers
        self.ordered: dict[str, Order] = {}
        self.entries: dict[str, Order] = {}  # the first orders of lines, by the letters or numbers before these
        self.claimed = 0  # builds and waivers so far
        self.faults = 0
        self.tries_left = 300  # words of lines on which nothing parts the orders
        self.turns_left = 100  # words within lines that may take back what stands before them
        self.sentences_left = 300  # of lines that are read sentence by sentence
        self.last: Line | None = None  # the line before, if orders were read from it or it broke off
        self.last_from = 0  # where its passages begin
        self.broke_off = False
        self.fault_before = False  # a sentence before the one that is read isn't understood
        self.open_ended = False  # the last line that was tried lacks its end
        folded = self.plain.casefold()
        self.conditions = "endif" in folded or "end if" in folded  # IF ... ENDIF stands on the sheet
        self.conditional = False  # between the two
        self.ticked = TICKED.search(text[:LONGEST_SHEET]) is not None  # boxes of a list are ticked
        self.struck: set[int] = set()  # numbers of lines within what is struck out
        self.amendments: list[int] = []  # numbers of lines that correct what is not on the sheet
        self.replaced: list[int] = []  # where it is said that former orders do not count

    def remark(self, line: Line) -> None:
        """Record a line as a remark."""
        self.passages.append(Passage(line.start, line.end, line.number, power=self.section))
        self.last = None

    def refuse(self, start: int, end: int, number: int, message: str, kind: FaultKind = "not understood") -> None:
        """A stretch of the text is not read."""
        self.add_fault(start, end, number, refuse_whole(self.text[start:end], message, (), kind))

    def add_fault(self, start: int, end: int, number: int, error: OrderTextError) -> None:
        """Something is wrong with a stretch of the text."""
        self.passages.append(Passage(start, end, number, None, error, self.section))
        self.faults += 1 + (end - start) // LONG_FAULT

    def add_orders(
        self, start: int, end: int, number: int, orders: Sequence[Order], *, general: Collection[str] = ()
    ) -> None:
        """A stretch of the text gives orders."""
        self.closing = False
        sites = [order.at for order in orders if isinstance(order, Build) and not order.kind]
        if sites and len(sites) == len(orders) and self._are_built(sites):
            self.passages.append(Passage(start, end, number, power=self.section))  # Build A war. Home: Warsaw
            return
        self.claimed += claims(orders)
        for order in orders:
            if isinstance(order, Build) and order.kind:
                self._drop_build_without_kind(order.at)
        for order in orders:
            at = province_of(getattr(order, "at", ""))
            self.passages.append(Passage(start, end, number, order, None, self.section, at in general))
            if at and at not in general and not isinstance(order, Build):
                self.ordered[at] = order

    def _are_built(self, sites: Sequence[str]) -> bool:
        """Whether something is built at all these places already."""
        told = {p.order.at for p in self.passages if isinstance(p.order, Build) and p.power == self.section}
        return told.issuperset(sites)

    def _drop_build_without_kind(self, at: str) -> None:
        """Leave out a place that was named alone once it is said what is built there: ``Home: Lon. Build F Lon``."""
        for i, passage in enumerate(self.passages):
            if passage.order == Build("", at) and passage.power == self.section:
                self.passages[i] = msgspec.structs.replace(passage, order=None)
                self.claimed -= 1

    def take_back(self, at: int, message: str, kind: FaultKind = "not understood") -> None:
        """An order that was read does not count."""
        passage = self.passages[at]
        error = refuse_whole(self.text[passage.start : passage.end], message, (), kind)
        self.passages[at] = msgspec.structs.replace(passage, order=None, error=error)
        self.faults += 1

    def covering(self) -> list[Passage]:
        """The passages, and between them those of mere layout (bullets, markup, commas), so that nothing of the text is
        left out."""
        passages: list[Passage] = []
        at, number = 0, 1
        for passage in [*sorted(self.passages, key=lambda p: p.start), Passage(len(self.text), len(self.text), 0)]:
            for match in _INK.finditer(self.text, at, max(passage.start, at)):
                number += self.text.count("\n", at, match.start())
                at = match.start()
                passages.append(Passage(match.start(), match.end(), number, power=passage.power))
            if passage.end > at:
                number, at = passage.line, passage.end
            if passage.line:
                passages.append(passage)
        return passages


def claims(orders: Sequence[Order]) -> int:
    """How many builds orders take up."""
    return sum(isinstance(order, Build | Waive) for order in orders)
