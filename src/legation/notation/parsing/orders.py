"""Orders: a unit and what is said of it, or several units of which one thing is said."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import msgspec

from legation.board import province_of
from legation.notation.errors import OrderTextError
from legation.notation.grammar import Grammar
from legation.notation.names import possessive
from legation.notation.order_kinds import Opening
from legation.notation.parsing.kinds import PLURAL
from legation.notation.parsing.own_units import OwnUnitParser
from legation.notation.parsing.plain_tokens import plainly
from legation.notation.parsing.saying import SAYS_NOTHING
from legation.notation.parsing.stream import ends
from legation.notation.prose.seasons import SEASONS
from legation.notation.small_words import (
    BESIDES,
    BOTH,
    ENDINGS,
    FILLERS,
    GOING,
    INTENTS,
    JOINTS,
    NUMBERS,
    POLITE,
    PREPOSITIONS,
    REGRETS,
    SPEAKERS,
    WISHES,
)
from legation.notation.subjects import Subject
from legation.notation.tokens import Token
from legation.orders import Moving, Order
from legation.position import Phase, Position

SHORTEST_OPENING = 5  # letters of a word that begins an order, though one of them is wrong
MOST_UNITS = 100  # that one order can be said of
_OWN_WORDS = frozenset(words[0] for words in (*REGRETS, *SPEAKERS, *WISHES))


class Parser(OwnUnitParser):
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
        super().__init__(reader, text, plainly(tokens, text, reader), phase, power, position, ordered)
        self.bare = bare or reader.bare.get(phase)  # what a unit is to do of which nothing is said
        self.after_fault = False  # what stands right before is not understood
        self.entries: Mapping[str, Order] = {}  # orders of other lines of the sheet, by their letters or numbers
        self.claimed = 0  # builds and waivers that the sheet has named so far
        self.named_before = ""  # another power, of which an order says something
        self.also: list[Order] = []  # what an order has said of further units
        self.no_list = 0  # up to where several units are named of which no one thing is said
        self.together: list[Subject] = []  # the units of which one thing is said

    def goes_on_in_short(self, token: Token) -> bool:
        opening = self.reader.openings.get(token.text)
        return super().goes_on_in_short(token) and not (opening is not None and opening.fits(self))

    def opening_comes(self) -> bool:
        opening = self.reader.openings.get(self.peek())
        return opening is not None and len(self.peek()) > 1 and opening.fits(self)

    def orders(self) -> list[Order]:
        """One order, or several that are said in one: of several units, or of several builds.

        :raises OrderTextError: if any of it is not understood.
        """
        if not self.tokens:
            self.fail("there is no order")
        while self.peek() in FILLERS and not self.place_acts():
            self.at += 1
        if self.peek() in BESIDES:
            polite = self.peek(1) in POLITE  # Also please
            self.at += 1 + polite
            self.at -= not (polite or self.names_unit() or self.opening_comes())
        if self.phase in (Phase.ADJUSTMENTS, Phase.PLACEMENT):
            self.take_one(("only",))
        self._own_words()
        if self.peek() in ("a", "an") and self.peek(1) == "new" and self._kind_in_words(2):  # a new army in Paris
            self.at += 1
        self.take_one(("order", "orders"))
        if self.phase is Phase.MOVEMENT:  # under another's orders
            self.take_one(("place", "put"))
            self._own_name_places()
        self._send_as_move()
        general = self.reader.openings.get(self.peek(1)) if self.peek() == "the" else None
        if general is not None and self.peek(1) in ("armies", "fleets"):  # the armies hold
            self.at += 1
            self.at -= not general.fits(self)
        counted = self.at + (self.peek() == "the")
        if self.peek(counted - self.at) in NUMBERS and self.peek(counted + 1 - self.at) == "others":  # the three others
            number, others = self.tokens[counted : counted + 2]
            self.tokens[counted : counted + 2] = [
                msgspec.structs.replace(others, text="other", stop=False),
                msgspec.structs.replace(number, stop=others.stop),
            ]
        if self.peek() == "the" and self.peek(1) in ("rest", "others", "other", "remaining"):
            self.at += 1
        self._own_name_before_opening()
        opening = self.reader.openings.get(self.peek()) or self._misspelled_opening()
        if opening is not None and opening.of_others and not self.named_before:
            opening = None
        if orders := self._own_power_holds():
            return orders
        for form in self.reader.forms:
            if form.helped_first is not None and (orders := form.helped_first(self)):
                return orders
        if opening is not None and opening.fits(self):
            word = self.peek()
            self.at += 1
            self.take(":")
            if self.peek() in ("-", "="):  # Builds - A par
                self.at += 1
                if not self.names_unit():
                    self.at -= 1
            self.at += self.numbered  # Builds: 1) A par
            orders = opening.read(self, word)
        else:
            orders = self._said_of_units()
        while self.peek() in ENDINGS and not self.place_acts() and not self._sentence_begins():
            self.at += 1
        self._step_over_turn()
        if self.peek() == "following" and ends(self.tokens, self.at + 1):  # with A ukr - gal following
            self.at += 1
        return orders

    def _step_over_turn(self) -> None:
        """Step over ``in winter 1901`` behind an order of that turn."""
        start = self.at
        self.take_one(("in", "for"))
        season, year = SEASONS.get(self.peek(), ""), self.peek(1)
        turn = self.position.turn if self.position is not None and season and year.isdecimal() else None
        if turn is not None and int(year) == turn.year and season == SEASONS.get(turn.season.casefold()):
            self.at += 2
        if self.at != start + 3 or not self.ended:
            self.at = start

    def _sentence_begins(self) -> bool:
        """Return whether a word that may end an order begins another: ``A par H. Please move A mar to spa``."""
        word = self.tokens[self.at]
        return self.stopped and word.text in FILLERS and not word.stop and self.peek(1) not in JOINTS | {""}

    def _misspelled_opening(self) -> Opening | None:
        """Read a misspelled first word before a unit (``Bulid A par``): two letters changed places, or one is missing,
        too many or wrong. The right word replaces it. None where it may be a place, or several words are as near."""
        word = self.peek()
        if len(word) < SHORTEST_OPENING or word in self.reader.verbs or not self.names_unit_after(1):
            return None
        meant = "" if self.may_be_place(self.at) else self.reader.misspelled_opening(word)
        if meant:
            self.tokens[self.at] = msgspec.structs.replace(self.tokens[self.at], text=meant)
        return self.reader.openings.get(meant)

    def _own_name_places(self) -> None:
        """Step over ``The Crown places its`` before a unit, of which is said in whose hands."""
        start = self.at
        if self.power_next() != self.power or not self.take_one(("places", "puts")):
            self.at = start
            return
        self.take_one(("its", "his", "her", "their"))
        self.at = self.at if self.names_unit() else start

    def _send_as_move(self) -> None:
        """Take ``send`` for ``move`` before an own unit and the place where it goes: ``send the London army to Wales``.
        Where units are lent, a power may be meant by a place that is called like it."""
        start = self.at
        if self.peek() != "send" or self.phase not in (Phase.MOVEMENT, Phase.RETREATS):
            return
        self.at += 1
        try:
            own = self.present("", self.power)(province_of(self.subject().at))
            goes = self.take_one(("to", "into", "-", "towards", "over", "back", "on"))
            lent = self.reader.lending and self.power_next()
        except OrderTextError:
            own = False
        counts = self.peek().isdecimal() or self.peek() in NUMBERS  # send Newcastle 2
        self.at = start
        if own and not goes and not counts:
            self.fail("say where it goes", start)
        if own and goes and not lent:
            self.tokens[start] = msgspec.structs.replace(self.tokens[start], text="move")

    def _kind_in_words(self, ahead: int) -> bool:
        """Return whether the token at this distance is a unit kind written in full."""
        return len(self.peek(ahead)) > 1 and self.peek(ahead) in self.reader.kinds

    def _own_words(self) -> None:
        """``I will``, ``I would like to`` before what begins an order, and ``let`` before a unit."""
        if self.peek() not in _OWN_WORDS:
            return
        if any(self.take(*words) for words in REGRETS):  # with regret, I disband
            self.take(",")
        start = self.at
        if any(self.take(*words) for words in SPEAKERS):
            while any(self.take(*words) for words in INTENTS):
                pass
            if any(self.take(*words) for words in GOING) and (self.names_unit() or self.own_unit_comes()):
                return
            opens = self.peek() in self.reader.openings and self.peek() not in ("no", "not")
            if opens or self.peek() in ("order", "move"):
                return
        self.at = start
        for words in WISHES:
            if [self.peek(i) for i in range(len(words))] == words:
                self.at += len(words)
                comes = self.names_unit() or self.names_place() or self.own_unit_comes() or self.own_unit_elsewhere()
                self.at -= 0 if comes else len(words)
                return

    def speaker_orders(self) -> bool:
        """Whether the writer comes next, and says at once what is ordered: ``I waive one``, ``we also build A par``."""
        start = self.at
        try:
            if self.peek() not in _OWN_WORDS or not any(self.take(*words) for words in SPEAKERS):
                return False
            while any(self.take(*words) for words in INTENTS):
                pass
            return self.opening_comes() and bool(self.orders()) and self.ended
        except OrderTextError:
            return False
        finally:
            self.at = start

    def _own_power_holds(self) -> list[Order]:
        """``Italy holds``: all units of this power do."""
        start = self.at
        name = self.reader.powers.exact(self.peek())
        spoken = self.at > 0 and self.peek(-1) in ("i", "we") and self.phase is Phase.MOVEMENT
        if spoken or (name is not None and name == self.power and not self.is_own_place(self.peek())):
            self.at += not spoken
            self.step_to_verb()
            form = self.reader.verbs.get(self.peek())
            if form is not None and form.stays and self.peek() in ("h", "hold", "holds"):
                at = self.at
                self.at += 1
                self.take("everywhere")
                if self.ended:
                    orders = [self.verb_of(subject, at) for subject in self.all_units(rest=False)]
                    self.take("everywhere")
                    return orders
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
        name = self.power_next()  # The French, Magyars and Polacks
        if not name or (self.at - start == 1 and len(self.peek(-1)) < 3):
            self.at = start
            return
        called = self.peek(-1)
        self.take_one(("will", "shall"))
        opening = self.reader.openings.get(self.peek())
        a_place = self.peek() not in ("armies", "fleets") and self.reader.places.exact(called) is not None
        if name == self.power and self.names_unit_after(1):  # Argyll removes Fleet Islay
            a_place = False
        if opening is None or not opening.fits(self) or a_place:  # English fleets are none of the Channel
            self.at = start
        elif self.power and name != self.power:
            self.fail(f"this sheet is {possessive(self.power)}, not {possessive(name)}", start, kind="not yours")

    def _said_of_units(self) -> list[Order]:
        start = self.at
        pair = self.peek() == "both" and self._unit_and_unit()
        self.at += pair
        start += pair
        subjects = [self.subject()]
        announced = [self.count_said]
        while self.at >= self.no_list and self.peek() in JOINTS and len(subjects) < MOST_UNITS:
            before = self.at
            while self.peek() in JOINTS:
                self.at += 1
            self.skip(("the", "my", "our"))
            again = self.bare is not None and self.peek() == "one" and self.peek(1) in PREPOSITIONS
            if again:
                self.at += 2  # Two armies, one in Paris and one in Marseilles
            elif self.bare is not None and self.peek() in PREPOSITIONS and self.longest_name(self.at + 1)[0].keys:
                self.at += 1  # armies in Paris and in Marseilles
            if not self.names_unit() and not self.names_place(ending=self.bare is not None):
                self.at = before
                break
            try:
                subjects.append(self.subject())
                counts = again and announced[0] == 1  # one army in Paris, one in Marseilles
                announced.append(self.count_said if subjects[-1].kind else -1 + counts)
            except OrderTextError:
                self.at = before
                break
        if pair and len(subjects) > 2:
            self.fail(f"this says 2, but names {len(subjects)}", start)
        if len(subjects) > 1:
            subjects = self._with_kind_of_all(subjects)
            verb_at = self.step_to_verb()
            both = self.take_one(BOTH) or (pair and len(subjects) == 2)
            verb_at = self.at
            form = self.reader.verbs.get(self.peek())
            if not self.ended and form is not None and (both or form.shared):
                if any(token.text == "respectively" for token in self.tokens[verb_at:]):
                    return self._respectively(subjects, verb_at)
                self.together = subjects
                found = [self.verb_of(subject, verb_at) for subject in subjects]
                if self.peek() == ":" and isinstance(found[0], Moving):
                    self.fail(f"{SAYS_NOTHING}; write an order for each of these units", start)
                return found + (self.beside(found[-1]) if self._so_does() else [])
            if self.bare is not None and (self.ended or self.kind_comes()):
                kind = ""
                for i, subject in enumerate(subjects):  # armies in Wales and Yorkshire
                    kind = subject.kind or kind
                    subjects[i] = Subject(kind, subject.at, subject.power)
                self.expect(announced, start)
                return [self._bare(subject) for subject in subjects]
            self.no_list = self.at
            self.at = start
            subjects = [self.subject()]
        self.expect(announced[:1], start)
        for known in self.reader.forms:
            if known.helped is not None and (orders := known.helped(self, subjects[0])):
                return orders
        order = self.verb_of(subjects[0], self.at)
        also, self.also = self.also, []
        return [order, *also, *self.beside(order)]

    def _so_does(self) -> bool:
        """Whether ``and so does`` comes next."""
        ahead = 0
        while self.peek(ahead) in (",", "and", "&"):
            ahead += 1
        return ahead > 0 and self.peek(ahead) in ("so", "as") and self.peek(ahead + 1) in ("does", "do", "will", "is")

    def _respectively(self, subjects: Sequence[Subject], verb_at: int) -> list[Order]:
        """``Eng and Iri go to London and Liverpool respectively``: a move of each unit to a place of its own."""
        first = self.verb_of(subjects[0], verb_at)
        orders = [first]
        for subject in subjects[1:]:
            while self.peek() in JOINTS:
                self.at += 1
            to = self.place(self.lands(subject), self.reaches(subject))
            if not isinstance(first, Moving):
                self.fail("write an order for each of these units", verb_at)
            orders.append(msgspec.structs.replace(first, kind=subject.kind, at=subject.at, to=to))
        if not self.take("respectively"):
            self.fail("write an order for each of these units", verb_at)
        return orders

    def _with_kind_of_all(self, subjects: list[Subject]) -> list[Subject]:
        """The units with the kind that stands in the plural behind the last of them: ``the Paris and Brest fleets``."""
        if self.peek() not in PLURAL or self.peek() not in self.reader.kinds or any(one.kind for one in subjects):
            return subjects
        self.at += 1
        return [Subject(self.reader.kinds[self.peek(-1)], one.at, one.power) for one in subjects]

    def _unit_and_unit(self) -> bool:
        """Whether two places come next after ``both``, with ``and`` between them: ``Both Paris and Marseilles``."""
        end = self.longest_name(self.at + 1)[1]
        if self.names_unit_after(1) and "and" in [self.peek(i) for i in range(2, 12)]:  # both the army of A and
            return True
        joined = end > self.at + 1 and end + 1 < len(self.tokens) and self.tokens[end].text in ("and", "&")
        return joined and self.longest_name(end + 1)[1] > end + 1

    def beside(self, order: Order) -> list[Order]:
        """What stands after an order as its helpers' orders: ``convoyed by F nth, supported by F ska``."""
        found: list[Order] = []
        before = -1
        while before != self.at:
            before = self.at
            for form in self.reader.forms:
                if form.beside:
                    found += form.beside(self, order)
        return found

    def expect(self, announced: Sequence[int], start: int) -> None:
        """As many units must be named as were announced (``2 armies``; 0 if no number was said, -1 if the kind before
        is meant)."""
        for i, number in enumerate(announced):
            named = 1
            while i + named < len(announced) and announced[i + named] < 0:
                named += 1
            if number > 0 and number != named:
                self.fail(f"this says {number}, but names {named}", start)

    def counted(self) -> int:
        """A number before a colon, of what follows: ``2: A gas, F eng``; 0 if none comes next."""
        count = self.number() if self.peek(1) == ":" else 0
        self.at += bool(count)
        return count

    def expect_all(self, number: int, named: int, start: int) -> None:
        """As many units must be named as a number before them says, if any does."""
        if number not in (0, named):
            self.fail(f"this says {number}, but names {named}", start)
