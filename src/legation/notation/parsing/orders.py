"""Orders: a unit and what is said of it, or several units of which one thing is said."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from legation.board import province_of
from legation.notation.errors import OrderTextError
from legation.notation.names import SHORTEST_BEGINNING
from legation.notation.parsing.units import Subject, UnitParser
from legation.notation.small_words import AUXILIARIES, BACK, BESIDES, BOTH, JOINTS, LENDS, POLITE, WISHES
from legation.notation.tokens import Token
from legation.orders import Order
from legation.position import Phase, Position

if TYPE_CHECKING:
    from legation.notation.grammar import Grammar

SAYS_NOTHING = "the order does not say what the unit is to do"
MOST_UNITS = 100  # that one order can be said of


class Parser(UnitParser):
    """Some tokens of a text on their way to orders."""

    reader: Grammar

    def __init__(
        self,
        reader: Grammar,
        text: str,
        tokens: list[Token],
        phase: Phase,
        power: str,
        position: Position | None,
        ordered: Mapping[str, Order] = MappingProxyType({}),
        bare: Callable[[Parser, Subject], Order] | None = None,
    ) -> None:
        super().__init__(reader, text, tokens, phase, power, position, ordered)
        self.bare = bare or reader.bare.get(phase)  # what a unit is to do of which nothing is said
        self.claimed = 0  # builds and waivers that the sheet has named so far
        self.named_before = ""  # another power, of which an order says something
        self.also: list[Order] = []  # what an order has said of further units

    def goes_on_in_short(self, token: Token) -> bool:
        opening = self.reader.openings.get(token.text)
        return super().goes_on_in_short(token) and not (opening is not None and opening.fits(self))

    def orders(self) -> list[Order]:
        """One order, or several that are said in one: of several units, or of several builds.

        :raises OrderTextError: if any of it is not understood.
        """
        if not self.tokens:
            self.fail("there is no order")
        self.skip(POLITE)
        if self.peek() in BESIDES:
            self.at += 1
            self.at -= not self.names_unit()
        self._own_words()
        if self.peek() in ("a", "an") and self.peek(1) == "new" and self._kind_in_words(2):  # a new army in Paris
            self.at += 1
        self.take_one(("order", "orders"))
        if self.phase is Phase.MOVEMENT:  # under another's orders
            self.take_one(("place", "put"))
        if self.peek() == "the" and self.peek(1) in ("rest", "others", "remaining"):
            self.at += 1
        self._own_name_before_opening()
        opening = self.reader.openings.get(self.peek())
        if opening is not None and opening.of_others and not self.named_before:
            opening = None
        if orders := self._own_power_holds():
            return orders
        if opening is not None and opening.fits(self):
            word = self.peek()
            self.at += 1
            if not self.take(":") and self.peek() == "-":  # Builds - A par
                self.at += 1
                if not self.kind_comes():
                    self.at -= 1
            self.at += self.numbered  # Builds: 1) A par
            orders = opening.read(self, word)
        else:
            orders = self._said_of_units()
        self.skip(POLITE)
        return orders

    def _kind_in_words(self, ahead: int) -> bool:
        """Whether a kind of unit comes so far ahead that is no mere letter."""
        return len(self.peek(ahead)) > 1 and self.peek(ahead) in self.reader.kinds

    def _own_words(self) -> None:
        """``I will``, ``I would like`` before what begins an order, and ``let`` before a unit."""
        if self.peek() in ("i", "we", "id"):
            ahead = 2 if self.peek(1) in ("will", "shall", "hereby") else 1
            for wish in ("id like to", "i would like to", "we would like to", "i want to", "i wish to"):
                if [self.peek(i) for i in range(len(wish.split()))] == wish.split():
                    ahead = len(wish.split())
            if self.peek(ahead) in self.reader.openings or self.peek(ahead) in ("order", "move"):
                self.at += ahead
                return
        for words in WISHES:
            if [self.peek(i) for i in range(len(words))] == words:
                self.at += len(words)
                self.at -= 0 if self.names_unit() or self.names_place() else len(words)
                return

    def _own_power_holds(self) -> list[Order]:
        """``Italy holds``: all units of this power do."""
        start = self.at
        name = self.reader.powers.exact(self.peek())
        if name is not None and name == self.power and not self.is_own_place(self.peek()):
            self.at += 1
            self.step_to_verb()
            form = self.reader.verbs.get(self.peek())
            if form is not None and form.stays and self.peek() in ("h", "hold", "holds"):
                at = self.at
                self.at += 1
                if self.ended:
                    return [self._verb_of(subject, at) for subject in self.all_units(rest=False)]
        self.at = start
        return []

    def _own_name_before_opening(self) -> None:
        """``France builds A par``: the power's own name before what begins an order; or another's (``Argyll may order A
        london``), for what such an order says of it."""
        start = self.at
        other = self.power_next()
        opening = self.reader.openings.get(self.peek())
        if other and other != self.power and opening is not None and opening.of_others and opening.fits(self):
            self.named_before = other
            return
        self.at = start
        name = self.reader.powers.exact(self.peek())
        if name is None or len(self.peek()) < 3:
            return
        start = self.at
        self.at += 2 if self.peek(1) in ("will", "shall") else 1
        opening = self.reader.openings.get(self.peek())
        if opening is None or not opening.fits(self) or self.reader.places.exact(self.peek(start - self.at)):
            self.at = start
        elif self.power and name != self.power:
            self.fail(f"this sheet is {self.power}'s, not {name}'s", start, kind="not yours")

    def _said_of_units(self) -> list[Order]:
        start = self.at
        subjects = [self.subject()]
        announced = [self.count_said]
        while self.peek() in JOINTS and len(subjects) < MOST_UNITS:
            before = self.at
            while self.peek() in JOINTS:
                self.at += 1
            if not self.names_unit() and not self.names_place(ending=self.bare is not None):
                self.at = before
                break
            try:
                subjects.append(self.subject())
                announced.append(self.count_said if subjects[-1].kind else -1)
            except OrderTextError:
                self.at = before
                break
        if len(subjects) > 1:
            verb_at = self.step_to_verb()
            both = self.take_one(BOTH)
            verb_at = self.at
            form = self.reader.verbs.get(self.peek())
            if not self.ended and form is not None and (both or form.shared):
                return [self._verb_of(subject, verb_at) for subject in subjects]
            if self.bare is not None and (self.ended or self.kind_comes()):
                kind = ""
                for i, subject in enumerate(subjects):  # armies in Wales and Yorkshire
                    kind = subject.kind or kind
                    subjects[i] = Subject(kind, subject.at, subject.power)
                self.expect(announced, start)
                return [self._bare(subject) for subject in subjects]
            self.at = start
            subjects = [self.subject()]
        self.expect(announced[:1], start)
        order = self._verb_of(subjects[0], self.at)
        also, self.also = self.also, []
        return [order, *also, *(more for form in self.reader.forms if form.beside for more in form.beside(self, order))]

    def expect(self, announced: Sequence[int], start: int) -> None:
        """As many units must be named as were announced (``2 armies``; 0 if no number was said, -1 if the kind before
        is meant)."""
        for i, number in enumerate(announced):
            named = 1
            while i + named < len(announced) and announced[i + named] < 0:
                named += 1
            if number > 0 and number != named:
                self.fail(f"it speaks of {number} and names {named}", start)

    def subject(self) -> Subject:
        """The unit that is ordered; another power's name before it makes the order that power's."""
        start = self.at
        unit = self.unit(own=True)
        if unit.power and self.power and unit.power != self.power and not self._may_be_lent(unit):
            self.fail(f"this sheet is {self.power}'s, not {unit.power}'s", start, kind="not yours")
        return unit

    def _may_be_lent(self, unit: Subject) -> bool:
        """Whether another power's unit can be under this power's orders, so that it may be named with its owner."""
        if not self.reader.lending:
            return False
        self.context_counted = True
        stands = self.standing.get(province_of(unit.at))
        return stands is None or stands.power == unit.power

    def _kind_after(self, subject: Subject) -> Subject:
        """``Par: A - bur``, ``Par (A) - bur``: the kind of unit after its place."""
        bracket = self.peek() == "(" and self.peek(2) == ")"
        dash = self.peek() in ("-", "=") and self.bare is not None
        kind = self.reader.kinds.get(self.peek(int(bracket or dash)))
        after = 3 if bracket else 2 if dash else 1
        follows = self.peek(after)
        if (
            kind is None
            or subject.kind
            or not (follows in self.reader.verbs or (self.bare is not None and (not follows or follows in JOINTS)))
        ):
            return subject
        self.at += after
        return Subject(kind, subject.at, subject.power)

    # What is said of a unit

    def step_to_verb(self) -> int:
        """Step to the verb, over ``is``, ``will`` and the like."""
        self.take(":")
        if self.peek() == "," and self.peek(1) in self.reader.verbs and self.peek(1) not in self.reader.kinds:
            self.at += 1
        while self.peek() in AUXILIARIES and (self.peek(1) in self.reader.verbs or self.peek(1) in AUXILIARIES):
            if self._hyphen(2):  # to 's-Gravenhage
                break
            self.at += 1
        if self.peek() in LENDS and self.peek(1) == "support":
            self.at += 1
        for words in BACK:  # falls back to
            if self.peek(len(words)) == "to":
                self.take(*words)
        return self.at

    def _verb_of(self, subject: Subject, at: int) -> Order:
        self.at = at
        self.step_to_verb()
        subject = self._kind_after(subject)
        if self.peek() == "-" and self._verb_after_dash():
            self.at += 1
        bracket = self.peek() == "("  # A par (S) A mar, A par (S A mar)
        word = self.peek(int(bracket))
        form = self.reader.verbs.get(word)
        if form is not None and not self.stopped:
            self.at += 1 + bracket
            whole = bracket and not self.take(")")
            order = form.read(self, subject, word)
            if whole and not self.take(")"):
                self.fail("a closing bracket is missing")
            return order
        pointed = self.peek(-1) == ":" or self._dots_before()  # Bre: MAO, A Par... Gas
        if (self.ended and not pointed) or (self.bare is not None and self.kind_comes()):
            return self._bare(subject)
        goes = subject.kind or pointed or self._goes_unsaid(subject)
        if self.reader.unsaid is not None and goes and self.only_place_comes():
            return self.reader.unsaid(self, subject)
        if self.ended:
            return self._bare(subject)
        self.at += 1
        verbs = self.reader.verbs_shown.get(self.phase)
        written = self.text[self.tokens[self.at - 1].start : self.tokens[self.at - 1].end]
        self.fail(
            f"{written[:60]!r} is nothing that a unit can do" + (f"; write {verbs}" if verbs else ""), self.at - 1
        )

    def _verb_after_dash(self) -> bool:
        """Whether the dash that comes next stands before a verb (``A par - hold``), not before a place."""
        word = self.peek(1)
        if word not in self.reader.verbs or self.reader.places.meaning(word, self.power).keys:
            return False
        if self._hyphen(2):  # 's-Gravenhage
            return False
        return len(word) != SHORTEST_BEGINNING or not self.reader.places.shortened(word, self.power).keys

    def _dots_before(self) -> bool:
        """Whether several full stops stand before what comes next, as a dash would."""
        if self.at == 0 or self.at >= len(self.tokens):
            return False
        between = self.text[self.tokens[self.at - 1].end - 1 : self.tokens[self.at].start]
        return between.count(".") > 1 or "…" in between

    def _goes_unsaid(self, subject: Subject) -> bool:
        """Whether what follows the place of an own unit is a place in its reach where no other own unit stands, so that
        ``Ven Tri`` is a move and no list of units."""
        self.context_counted = True
        if not self.present("", self.power)(province_of(subject.at)):
            return False
        keys = self.longest_name(self.at)[0].keys
        mine = self.present("", self.power)
        return any(self.reaches(subject)(key) and (key in self.ordered or not mine(key)) for key in keys)

    def _bare(self, subject: Subject) -> Order:
        """A unit of which nothing is said: in placement it is placed."""
        if self.bare is not None:
            return self.bare(self, subject)
        verbs = self.reader.verbs_shown.get(self.phase)
        self.fail(SAYS_NOTHING + (f"; write {verbs}" if verbs else ""))

    def names_place(self, *, ending: bool = False) -> bool:
        """Whether a place comes next, and after it another joint or what may be said of several units, or the end."""
        for length in range(min(4, len(self.tokens) - self.at), 0, -1):
            words = " ".join(self.peek(i) for i in range(length))
            if self.reader.places.meaning(words, self.power).keys:
                after = self.peek(length)
                verb = self.reader.verbs.get(self.peek(length + 1) if after in AUXILIARIES else after)
                if after in JOINTS | BOTH or (ending and not after) or (verb is not None and verb.shared):
                    return True
        return ending and self.only_place_comes()
