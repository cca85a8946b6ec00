"""A sheet on its way: its passages so far, and under what its next line stands."""

import functools
from collections.abc import Iterable, Sequence

import msgspec

from legation.board import province_of
from legation.notation.cover import MOST_PARTS, Part
from legation.notation.errors import OrderTextError, refuse
from legation.notation.forms.adjusting import section_bare
from legation.notation.known_orders import KnownOrders
from legation.notation.layout import Line
from legation.notation.reading_text import Text, noted
from legation.notation.vocabulary import Vocabulary
from legation.orders import Build, Move, Order, UnitOrder, Waive, province_at
from legation.position import Phase, Position

LONGEST_SHEET = 60_000  # characters
LONGEST_LINE = 6_000
MOST_FAULTS = 50  # of one sheet; what comes after them is not read
LONG_FAULT = 500  # characters; a fault counts once more for each so many of what is not read
TOO_MANY = f"a sheet has at most {MOST_PARTS} orders and sentences, and {MOST_FAULTS} that aren't understood"


class Passage(msgspec.Struct, frozen=True):
    """A part of a sheet, ``text[start:end]``: an order of ``power``, or why it is none (``error``, whose span counts
    from ``start``), or neither (a heading, a remark). ``general``: the order was given to all units, or all others."""

    start: int
    end: int
    line: int
    order: Order | None = None
    error: OrderTextError | None = None
    power: str = ""
    general: bool = False


class Sheet(msgspec.Struct):
    """A sheet on its way: what was read so far, and under what the next line stands.

    ``section`` is whose orders the lines are, ``verb`` what is done with units of which nothing is said, ``kind`` the
    kind of those that are named without one, ``refusal`` why the lines are not read; ``above`` is the line before
    with where its passages begin, if it may go on."""

    reader: Vocabulary
    known: KnownOrders
    text: str
    plain: str
    phase: Phase
    power: str
    position: Position | None
    section: str = ""
    verb: str = ""
    amends: int = 0  # the line that only changes what was sent before
    kind: str = ""
    refusal: OrderTextError | None = None
    passages: list[Passage] = []
    ordered: dict[str, Order] = {}
    claimed: int = 0
    faults: int = 0
    parts: int = 0  # that were read
    joined: int = 0  # lines that were read with the ones above in vain
    above: tuple[Line, int] | None = None
    open: bool = False  # that line ends with words of which an order may begin
    last: Order | None = None  # the order that was given last
    asked: bool = False  # it was only asked about
    behind: bool = False  # it ends the sentence before
    follows: bool = False  # an order stands right above
    voids: list[tuple[str, str, int]] = []  # power, code and line of what takes all its orders back
    named: list[tuple[str, frozenset[str], int]] = []  # power and places of orders below that aren't carried out, line
    undecided: set[tuple[str, str]] = set()  # powers and units that are left a choice
    block: str = ""  # why the lines up to the next blank one are not read
    blocks: bool = False  # lines were not read for that
    carried: str = ""  # why the sentence with which the next line begins is not read
    ended: str = ""  # why everything below is not read

    def note(self, orders: Iterable[Order], general: frozenset[str]) -> None:
        """Keep what is ordered, for what is said below of it."""
        for order in orders:
            if province_at(order) not in general:
                self.ordered = noted(self.ordered, order)
            self.claimed += isinstance(order, Build | Waive)

    def refuse(self, start: int, end: int, number: int, code: str, **said: str) -> None:
        """Tell a passage as not read, or not carried out."""
        if start >= end:
            return
        written = self.text[start:end]
        error = refuse(code, written[:300], None, (), **said)
        self.passages.append(Passage(start, end, number, None, error, self.section))
        self.faults += 1 + (end - start) // LONG_FAULT
        self.above, self.follows = None, False

    def remark(self, start: int, end: int, number: int) -> None:
        """Keep a passage that orders nothing."""
        self.passages.append(Passage(start, end, number, power=self.section))

    def words_of(self, written: str) -> Text:
        """Return words with what the sheet has said so far."""
        text = Text(self.reader, written, self.phase, self.section, self.position, self.ordered)
        text.claimed, text.kind = self.claimed, self.kind
        if self.follows and isinstance(self.last, UnitOrder) and "LEADCORRECTION" in text.at[0]:
            text.topic = province_of(self.last.at)
        return text

    def bare(self) -> functools.partial[Order | None]:
        """Return how the order is made of a unit of which nothing is said, under the heading that stands now."""
        return functools.partial(section_bare, self.verb)

    def add(self, start: int, end: int, number: int, orders: Sequence[Order], general: frozenset[str]) -> None:
        """Keep the orders of a passage."""
        for order in orders:
            at = province_at(order)
            self.passages.append(Passage(start, end, number, order, None, self.section, at in general))
        self.note(orders, general)

    def stop(self, number: int, code: str, places: frozenset[str] | None, *, subjects: bool = False) -> None:
        """Stop the orders that name one of the provinces, or whose unit stands there; all if ``places`` is None."""
        for i, passage in enumerate(self.passages):
            order = passage.order
            if order is None or passage.power != self.section:
                continue
            unit = province_at(order)
            spoken = {unit} if subjects or unit in (places or ()) else places_of(order)
            if places is None or spoken & places:
                self.take_back(i, code, number)

    def take_back(self, at: int, code: str, number: int) -> None:
        """Let the order of a passage not count, for what line ``number`` says."""
        passage = self.passages[at]
        written = self.text[passage.start : passage.end]
        error = refuse(code, written[:300], line=number)
        self.passages[at] = msgspec.structs.replace(passage, order=None, error=error)
        self.ordered.pop(province_at(passage.order), None)

    def correct(self, number: int, part: Part) -> bool:
        """Take back the orders that a correction replaces: those of its units, moves to its goals, and the one that it
        repeats in other words. Return whether there are any."""
        before = sum(passage.order is not None for passage in self.passages)
        units = frozenset(province_of(o.at) for o in part.orders if isinstance(o, UnitOrder))
        goals = {order.to for order in part.orders if isinstance(order, Move)}
        completed = {msgspec.structs.replace(o, kind="") for o in part.orders if isinstance(o, Build)}
        for i, passage in enumerate(self.passages):
            one = passage.order
            if one is not None and passage.power == self.section and one not in completed:
                if province_at(one) in units or one == part.replaced or (isinstance(one, Move) and one.to in goals):
                    self.take_back(i, "corrected", number)
        return before > sum(passage.order is not None for passage in self.passages)


def places_of(order: Order) -> set[str]:
    """Return the provinces that an order names."""
    return {province_of(value) for value in msgspec.structs.asdict(order).values() if isinstance(value, str)}
