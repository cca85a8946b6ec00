"""Text to orders: one reader for short style, the Judge's style and sentences, for single orders and whole sheets."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from legation.board import Board
from legation.notation.cover import Part
from legation.notation.errors import OrderTextError, quoted, refuse
from legation.notation.forms import KINDS
from legation.notation.forms.movement import picked
from legation.notation.known_orders import KnownOrders, keep
from legation.notation.names import Named, UnknownNameError
from legation.notation.order_kinds import OrderKind
from legation.notation.reading_text import Text
from legation.notation.sheet import Passage
from legation.notation.sheet_reader import read_sheet
from legation.notation.unread import looks_like_order
from legation.notation.vocabulary import KindName, Vocabulary
from legation.notation.writing import write
from legation.orders import Order
from legation.position import Phase, Position

LONGEST_ORDER = 300  # characters
LONGEST_WRITTEN = 200  # characters of an order as it is written
MOST_OF_ANOTHER_PHASE = 20  # orders of a sheet that are tried as those of another phase
_NO_ORDER = frozenset(
    ["not order", "no order", "no verb", "rest unread", "says nothing", "unclear", "negation", "only stays"]
)
"""Reasons of what may be an order of another phase."""
_PHASES = (Phase.MOVEMENT, Phase.RETREATS, Phase.ADJUSTMENTS)


class Reader(Vocabulary):
    """Reads orders, units, places and powers of one variant."""

    def __init__(
        self,
        board: Board,
        powers: Sequence[Named],
        kinds: Mapping[str, KindName],
        forms: Sequence[OrderKind] = KINDS,
        unplayed: Sequence[OrderKind] = (),
        *,
        lending: bool = True,
    ) -> None:
        super().__init__(board, powers, kinds, forms, unplayed, lending=lending)
        self._locations = frozenset(board.locations)
        self.known_orders = KnownOrders(self)
        self._units: dict[tuple[str, str], tuple[str, str]] = {}

    def order(
        self, text: str, phase: Phase = Phase.MOVEMENT, power: str = "", position: Position | None = None
    ) -> Order:
        """Read one order of ``power``. Where names are ambiguous, ``position`` tells which units there are.

        :raises OrderTextError: with the span that is not understood and the nearest names."""
        known = self.known_orders.find(text, phase, power)
        if known is not None:
            return known
        if len(text) > LONGEST_ORDER:
            said = f"an order is at most {LONGEST_ORDER} characters long; this is longer"
            raise refuse("too long", text[:80], said=said)
        try:
            return self._order(text, phase, power, position)
        except OrderTextError as error:
            if (order := self._of_another_phase(error, text, phase, power)) is not None:
                return order
            raise

    def _of_another_phase(self, error: OrderTextError, text: str, phase: Phase, power: str) -> Order | None:
        """An order of another phase, as the program writes it: the judge says that it cannot be given in this one.

        What was understood, and is stopped by what stands beside it, is none."""
        if error.code not in _NO_ORDER or len(text) > LONGEST_WRITTEN or "\n" in text:
            return None
        for other in _PHASES:
            with suppress(OrderTextError):
                if other is not phase and write(order := self._order(text, other, power, None)) == text:
                    return order
        return None

    def _order(self, text: str, phase: Phase, power: str, position: Position | None) -> Order:
        passages = read_sheet(self, self.known_orders, text, phase, power, position)
        for passage in passages:
            if passage.error is not None:
                raise passage.error
        orders = [passage.order for passage in passages if passage.order is not None]
        if len(orders) != 1:
            raise refuse("unclear" if orders else "no order", text)
        return orders[0]

    def unit(self, text: str, power: str = "") -> tuple[str, str]:
        """Read a unit: its kind (empty if it is not written) and location.

        :raises OrderTextError: as :meth:`order`."""
        known = self._units.get((text, power))
        if known is None:
            kind, _, at = text.partition(" ")
            known = (kind, at) if kind in self.travel and at in self._locations else self._unit(text, power)
            keep(self._units, (text, power), known)
        return known

    def _unit(self, written: str, power: str) -> tuple[str, str]:
        text = Text(self, written, Phase.MOVEMENT, power, None)
        for end, subject, _ in text.units(0):
            if end == len(text.tokens) and (unit := text.own_unit(subject)) is not None:
                picked(text, subject.place, text.stands(subject.kind))
                return unit.kind, unit.at
        raise self._unknown_place(text)

    def location(self, text: str, power: str = "") -> str:
        """Read a place: a province or one of its coasts.

        :raises OrderTextError: as :meth:`order`."""
        if text in self._locations:
            return text
        read = Text(self, text, Phase.MOVEMENT, power, None)
        for end, mention, _ in read.places(0):
            if end == len(read.tokens):
                return picked(read, mention)
        raise self._unknown_place(read)

    def _unknown_place(self, text: Text) -> OrderTextError:
        nearest = self.places.nearest(" ".join(text.words[:-1]), text.power)
        return refuse("unknown place", text.text, None, nearest, said=quoted(text.text))

    def power(self, text: str) -> str:
        """Read the name of a power.

        :raises OrderTextError: as :meth:`order`."""
        try:
            return self.powers.find(text[:LONGEST_ORDER])
        except UnknownNameError as error:
            code = "ambiguous" if error.ambiguous else "unknown power"
            raise refuse(code, text, None, error.candidates, said=quoted(text)) from None

    def sheet(
        self, text: str, phase: Phase = Phase.MOVEMENT, power: str = "", position: Position | None = None
    ) -> tuple[Passage, ...]:
        """Read a whole sheet of one power into passages, in the order of the text.

        Without a power the text may hold the sheets of several, each under a heading that names the power."""
        return read_sheet(self, self.known_orders, text, phase, power, position)

    def orders(
        self, text: str, phase: Phase = Phase.MOVEMENT, power: str = "", position: Position | None = None
    ) -> tuple[list[Order], list[OrderTextError]]:
        """Return the orders of a whole sheet of one power, and the errors for what can't be read."""
        passages = self.sheet(text, phase, power, position)
        orders = [p.order for p in passages if p.order is not None]
        errors = [p.error for p in passages if p.error is not None]
        for error in errors[:MOST_OF_ANOTHER_PHASE]:
            if (order := self._of_another_phase(error, error.text, phase, power)) is not None:
                orders.append(order)
                errors.remove(error)
        return orders, errors

    def sheets(
        self, text: str, phase: Phase = Phase.MOVEMENT, position: Position | None = None
    ) -> dict[str, tuple[list[Order], list[OrderTextError]]]:
        """Read a message with the sheets of several powers, each under a heading that names the power; what stands
        above any heading is under ``""``."""
        result: dict[str, tuple[list[Order], list[OrderTextError]]] = {}
        for passage in self.sheet(text, phase, "", position):
            if passage.power or passage.order is not None or passage.error is not None:
                orders, errors = result.setdefault(passage.power, ([], []))
                if passage.order is not None:
                    orders.append(passage.order)
                if passage.error is not None:
                    errors.append(passage.error)
        return result


def resembles_an_order(text: str, reader: Reader, power: str) -> bool:
    """Whether a text that isn't an order looks like one: it begins with a unit, or names a place and something that a
    unit does; talk that only names a place does not."""
    read = Text(reader, text[:LONGEST_ORDER], Phase.MOVEMENT, power, None)
    return bool(read.tokens) and looks_like_order(read, Part(0, len(read.tokens), []))
