"""Text to orders: one reader for short style, the Judge's style and sentences, for single orders and whole sheets.

A sheet is laid out in lines (:mod:`.layout`), its sentences are told from what is no order (:mod:`.prose`,
:mod:`.sheets`), and an order is read word by word (:mod:`.parsing`, :mod:`.forms`) until nothing is left. The commonest
short orders take a quick way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

from legation.board import Board, Travel
from legation.notation.errors import OrderTextError
from legation.notation.forms import KINDS, Opening, OrderKind, Verb
from legation.notation.layout import Line
from legation.notation.names import Named, UnknownNameError, fold, place_names, power_names
from legation.notation.parsing import Parser, Subject
from legation.notation.sheets import Passage, SheetReader
from legation.notation.tokens import tokenize
from legation.notation.writing import KindName
from legation.orders import Convoy, Hold, Move, Order, SupportHold, SupportMove
from legation.position import Phase, Position

T = TypeVar("T")

LONGEST_ORDER = 300  # characters
CACHED_TEXTS = 20_000
ABBREVIATIONS = {"fl": "F", "flt": "F", "amy": "A"}
PLURALS = {"army": "armies"}
NO_NAMES = frozenset("via by is are will shall and from with using to then please at on in".split())
"""Words that end the name of a place, beside those that say what a unit does."""


class Reader:
    """Reads orders, units, places and powers of one variant.

    ``kinds`` maps the codes of units to records with ``name`` and ``travel``; ``lending`` tells that units can be
    placed under other powers' orders. ``forms`` are the kinds of order that are played, ``unplayed`` others that are
    read all the same where no word of theirs is taken, so that people are told that they are not played.
    """

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
        self.board = board
        self.places = place_names(board)
        self.powers = power_names(powers)
        forms = (*(form for form in unplayed if form not in forms), *forms)  # what is played has the last word
        self.forms = forms
        self.lending = lending
        self.costs = {code: int(getattr(kind, "cost", 1)) for code, kind in kinds.items()}
        self.kinds: dict[str, str] = {}  # what a kind of unit may be called
        self.travel: dict[str, Travel] = {code: kind.travel for code, kind in kinds.items()}
        for code, kind in kinds.items():
            name = fold(kind.name)
            plural = PLURALS.get(name.rsplit(" ", 1)[-1], "")
            for said in (
                code.casefold(),
                name,
                name + "s",
                name.rsplit(" ", 1)[0] + " " + plural if " " in name and plural else plural,
            ):
                if said:
                    self.kinds[said] = code
        for said, code in ABBREVIATIONS.items():
            if code in kinds:
                self.kinds.setdefault(said, code)
        if "D" in kinds:
            self.kinds["3d"] = self.kinds["3d army"] = "D"
        self.codes = frozenset(code.casefold() for code in kinds)
        self.verbs: dict[str, Verb] = {w: verb for form in forms for verb in form.verbs for w in verb.words}
        self.openings: dict[str, Opening] = {w: o for form in forms for o in form.openings for w in o.words}
        self.bare: dict[Phase, Callable[[Parser, Subject], Order]] = {
            phase: read for form in forms for phase, read in form.bare.items()
        }
        self.unsaid = next((form.unsaid for form in forms if form.unsaid is not None), None)
        self.stays = frozenset(word for word, verb in self.verbs.items() if verb.stays)
        self.ends_name = NO_NAMES | self.verbs.keys()
        self.verbs_shown = {
            phase: " or ".join(filter(None, (", ".join(shown[:-1]), *shown[-1:])))
            for phase in dict.fromkeys(form.shown_in for form in forms)
            for shown in [[form.shown for form in forms if form.shown and form.shown_in is phase]]
        }
        self._codes = frozenset(kinds)
        self._locations = frozenset(board.locations)
        self._cache: dict[tuple[str, Phase, str], Order] = {}
        self._units: dict[tuple[str, str], tuple[str, str]] = {}

    @cached_property
    def telling_words(self) -> frozenset[str]:
        """Words that make a line more than a greeting: of what units do, and names of places."""
        names = {word for name in self.places.spellings for word in name.split() if len(word) > 2}
        powers = {word for name in self.powers.spellings for word in name.split()}
        common = {"-", "to", "s", "d", "all", "everyone", "everybody", "others", "on", "for", "go", "place"}
        return frozenset((names - powers) | (self.verbs.keys() | self.openings.keys()) - common)

    # The public ways in

    def order(
        self, text: str, phase: Phase = Phase.MOVEMENT, power: str = "", position: Position | None = None
    ) -> Order:
        """Read one order of ``power``. Where names are ambiguous, ``position`` tells which units there are.

        :raises OrderTextError: with the span that is not understood and the nearest names.
        """
        known = self.known(text, phase, power)
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
            self._keep((text, phase, power), order)
        return order

    def known(self, text: str, phase: Phase, power: str) -> Order | None:
        """The order that a text is, if it was read before or can be read the quick way."""
        known = self._cache.get((text, phase, power))
        if known is None:
            known = self._quick(text, phase)
            if known is not None:
                self._keep((text, phase, power), known)
        return known

    def _keep(self, key: tuple[str, Phase, str], order: Order) -> None:
        if len(self._cache) >= CACHED_TEXTS:
            self._cache.clear()
        self._cache[key] = order

    def remember(self, text: str, phase: Phase, power: str, part: Any, parser: Parser, line: Line) -> None:
        """Keep what a whole line was read as, if it depends on nothing but its text."""
        whole = part.start == line.start and parser.at == len(parser.tokens) and len(part.orders) == 1
        if whole and not parser.context_counted and parser.bare is self.bare.get(phase):
            self._keep((text, phase, power), part.orders[0])

    def unit(self, text: str, power: str = "") -> tuple[str, str]:
        """Read a unit: its kind (empty if it is not written) and location.

        :raises OrderTextError: as :meth:`order`.
        """
        known = self._units.get((text, power))
        if known is None:
            kind, _, at = text.partition(" ")
            if kind in self._codes and at in self._locations:
                known = (kind, at)
            else:
                subject, _ = self._parse(text, Phase.MOVEMENT, power, None, Parser.unit)
                known = (subject.kind, subject.at)
            if len(self._units) >= CACHED_TEXTS:
                self._units.clear()
            self._units[text, power] = known
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
            message = "several powers are meant" if error.ambiguous else "there is no such power"
            raise OrderTextError(text, (0, len(text)), message, error.candidates) from None

    def sheet(
        self, text: str, phase: Phase = Phase.MOVEMENT, power: str = "", position: Position | None = None
    ) -> tuple[Passage, ...]:
        """Read a whole sheet of one power into passages, in the order of the text.

        Without a power the text may hold the sheets of several, each under a heading that names the power.
        """
        return SheetReader(self, text, phase, power, position).read()

    def orders(
        self, text: str, phase: Phase = Phase.MOVEMENT, power: str = "", position: Position | None = None
    ) -> tuple[list[Order], list[OrderTextError]]:
        """The orders of a whole sheet of one power, and what cannot be read."""
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

    # The quick way

    def _quick(self, text: str, phase: Phase) -> Order | None:
        """Canonical short orders to plain places; None sends everything else through the grammar."""
        words = text.split()
        n = len(words)
        if n < 3 or n > 9 or words[0] not in self._codes or words[1] not in self._locations:
            return None
        kind, at, verb = words[0], words[1], words[2]
        places = self._locations
        if verb == "-":
            if phase is Phase.RETREATS or n < 4 or words[3] not in places:
                return None
            if n == 4:
                return Move(kind, at, words[3])
            if n == 6 and words[4] == "via" and words[5] == "convoy":
                return Move(kind, at, words[3], via_convoy=True)
            return None
        if verb == "H" and n == 3:
            return Hold(kind, at)
        if verb == "S" and n >= 5 and words[3] in self._codes and words[4] in places:
            if n == 5:
                return SupportHold(kind, at, words[3], words[4])
            if n == 7 and words[5] == "-" and words[6] in places:
                return SupportMove(kind, at, words[3], words[4], words[6])
            return None
        if (
            verb == "C"
            and n == 7
            and words[3] in self._codes
            and words[4] in places
            and words[5] == "-"
            and words[6] in places
        ):
            return Convoy(kind, at, words[3], words[4], words[6])
        return None

    def _parse(
        self, text: str, phase: Phase, power: str, position: Position | None, rule: Callable[[Parser], T]
    ) -> tuple[T, bool]:
        """What a rule reads from the whole text, and whether that depends on the text alone."""
        if len(text) > LONGEST_ORDER:
            raise OrderTextError(
                text[:80], (0, 80), f"an order is at most {LONGEST_ORDER} characters long; this is longer"
            )
        parser = Parser(self, text, tokenize(text, self.codes), phase, power, position)
        result = rule(parser)
        parser.finish()
        return result, not parser.context_counted
