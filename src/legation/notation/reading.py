"""Text to orders: one reader for short style, the Judge's style and sentences, for single orders and whole sheets.

A sheet is laid out in lines (:mod:`.layout`), its sentences are told from what isn't an order (:mod:`.prose`,
:mod:`.courtesies`, :mod:`.sheets`), and an order is read word by word (:mod:`.parsing`, :mod:`.forms`) until nothing is
left. The commonest short orders take a quick way (:mod:`.known_orders`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from legation.board import Board
from legation.notation.errors import OrderTextError, quoted
from legation.notation.forms import KINDS, OrderKind
from legation.notation.grammar import Grammar
from legation.notation.known_orders import KnownOrders, keep
from legation.notation.names import Named, UnknownNameError
from legation.notation.parsing import Parser
from legation.notation.sheets import Passage, SheetReader
from legation.notation.tokens import tokenize
from legation.notation.vocabulary import KindName
from legation.orders import Order
from legation.position import Phase, Position

T = TypeVar("T")

LONGEST_ORDER = 300  # characters


class Reader(Grammar):
    """Reads orders, units, places and powers of one variant, by its grammar."""

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
        self.known_orders = KnownOrders(kinds, self._locations)
        self._units: dict[tuple[str, str], tuple[str, str]] = {}

    def order(
        self, text: str, phase: Phase = Phase.MOVEMENT, power: str = "", position: Position | None = None
    ) -> Order:
        """Read one order of ``power``. Where names are ambiguous, ``position`` tells which units there are.

        :raises OrderTextError: with the span that is not understood and the nearest names.
        """
        known = self.known_orders.find(text, phase, power)
        if known is not None:
            return known

        def one(parser: Parser) -> Order:
            orders = parser.orders()
            parser.take(":")
            while parser.peek() and parser.peek() in ",;:":
                parser.at += 1
            if len(orders) != 1:
                parser.fail("these are several orders", 0)
            return orders[0]

        order, sure = self._parse(text, phase, power, position, one)
        if sure:
            self.known_orders.keep(text, phase, power, order)
        return order

    def unit(self, text: str, power: str = "") -> tuple[str, str]:
        """Read a unit: its kind (empty if it is not written) and location.

        :raises OrderTextError: as :meth:`order`.
        """
        known = self._units.get((text, power))
        if known is None:
            kind, _, at = text.partition(" ")
            if kind in self.travel and at in self._locations:
                known = (kind, at)
            else:
                subject, _ = self._parse(text, Phase.MOVEMENT, power, None, Parser.unit)
                known = (subject.kind, subject.at)
            keep(self._units, (text, power), known)
        return known

    def location(self, text: str, power: str = "") -> str:
        """Read a place: a province or one of its coasts.

        :raises OrderTextError: as :meth:`order`.
        """
        if text in self._locations:
            return text
        return self._parse(text, Phase.MOVEMENT, power, None, Parser.place)[0]

    def power(self, text: str) -> str:
        """Read the name of a power.

        :raises OrderTextError: as :meth:`order`.
        """
        try:
            return self.powers.find(text[:LONGEST_ORDER])
        except UnknownNameError as error:
            message = (
                "this may mean several powers" if error.ambiguous else f"{quoted(text)} isn't a power in this game"
            )
            raise OrderTextError(text, (0, len(text)), message, error.candidates) from None

    def sheet(
        self, text: str, phase: Phase = Phase.MOVEMENT, power: str = "", position: Position | None = None
    ) -> tuple[Passage, ...]:
        """Read a whole sheet of one power into passages, in the order of the text.

        Without a power the text may hold the sheets of several, each under a heading that names the power.
        """
        return SheetReader(self, self.known_orders, text, phase, power, position).read()

    def orders(
        self, text: str, phase: Phase = Phase.MOVEMENT, power: str = "", position: Position | None = None
    ) -> tuple[list[Order], list[OrderTextError]]:
        """Return the orders of a whole sheet of one power, and the errors for what can't be read."""
        passages = self.sheet(text, phase, power, position)
        return [p.order for p in passages if p.order is not None], [p.error for p in passages if p.error is not None]

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

    def _parse(
        self, text: str, phase: Phase, power: str, position: Position | None, rule: Callable[[Parser], T]
    ) -> tuple[T, bool]:
        """Return what a rule reads from the whole text, and whether only the text decided it."""
        if len(text) > LONGEST_ORDER:
            raise OrderTextError(
                text[:80], (0, 80), f"an order is at most {LONGEST_ORDER} characters long; this is longer"
            )
        parser = Parser(self, text, tokenize(text, self.codes), phase, power, position)
        result = rule(parser)
        parser.finish()
        return result, not parser.context_counted
