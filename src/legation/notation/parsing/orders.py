"""Orders: a unit and what is said of it, or several units of which one thing is said."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import msgspec

from legation.board import province_of
from legation.notation.errors import OrderTextError
from legation.notation.grammar import Grammar
from legation.notation.names import SHORTEST_BEGINNING, possessive
from legation.notation.order_kinds import Opening
from legation.notation.parsing.kinds import PLURAL
from legation.notation.parsing.plain_tokens import plainly
from legation.notation.parsing.saying import SAYS_NOTHING, SayingParser
from legation.notation.small_words import (
    ARTICLES,
    AUXILIARIES,
    BACK,
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
from legation.orders import Convoy, Moving, Order
from legation.position import Phase, Position

SHORTEST_OPENING = 5  # letters of a word that begins an order, though one of them is wrong
SLASHED = 3  # words of ``par/gas``
MOST_UNITS = 100  # that one order can be said of


ALONE = frozenset("only single sole lone poor brave gallant".split())
"""Words before a kind of unit of which there is one."""
_POINTS_AT_ARMY = frozenset(["that", "this", "the", "said"])
OUTWARDS = frozenset(words[0] for words in BACK)
_OWN_WORDS = frozenset(words[0] for words in (*REGRETS, *SPEAKERS, *WISHES))


class Parser(SayingParser):
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
            if not self.take(":") and self.peek() in ("-", "="):  # Builds - A par
                self.at += 1
                if not self.names_unit():
                    self.at -= 1
            self.at += self.numbered  # Builds: 1) A par
            orders = opening.read(self, word)
        else:
            orders = self._said_of_units()
        while self.peek() in ENDINGS and not self.place_acts() and not self._sentence_begins():
            self.at += 1
        return orders

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
                comes = self.names_unit() or self.names_place() or self.own_unit_comes()
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
            if self.bare is not None and self.peek() == "one" and self.peek(1) in PREPOSITIONS:
                self.at += 2  # Two armies, one in Paris and one in Marseilles
            elif self.bare is not None and self.peek() in PREPOSITIONS and self.longest_name(self.at + 1)[0].keys:
                self.at += 1  # armies in Paris and in Marseilles
            if not self.names_unit() and not self.names_place(ending=self.bare is not None):
                self.at = before
                break
            try:
                subjects.append(self.subject())
                announced.append(self.count_said if subjects[-1].kind else -1)
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

    def subject(self) -> Subject:
        """The unit that is ordered; another power's name before it makes the order that power's."""
        start = self.at
        self.skip(ARTICLES)
        if (only := self._only_of_its_kind()) is not None:
            return only
        self.at = start
        if (carried := self._carried_before()) is not None:
            return carried
        if (from_there := self._from_behind_verb()) is not None:
            return from_there
        self._slash_as_dash()
        unit = self.unit(own=True)
        if unit.power and self.power and unit.power != self.power and not self._may_be_lent(unit):
            self.fail(f"this sheet is {possessive(self.power)}, not {possessive(unit.power)}", start, kind="not yours")
        return unit

    def _only_of_its_kind(self) -> Subject | None:
        """The only own unit of a kind that is named without a place, before what it does: ``the fleet goes to MAO``."""
        start = self.at
        self.take("one", "and")  # my one and only unit
        self.skip(ALONE)
        pair = f"{self.peek()} {self.peek(1)}" in self.reader.kinds  # the defensive army
        word, follows = " ".join(self.peek(i) for i in range(1 + pair)), self.peek(1 + pair)
        kind = self.reader.kinds.get(word, "") if len(word) > 1 else ""
        any_kind = word == "unit" and self.at > start
        verb = self.reader.verbs.get(follows)
        leaves = verb is not None and verb.shared and self.phase is Phase.RETREATS  # the fleet disbands
        acts = (
            leaves
            or follows in self.reader.stays
            or (follows in self.reader.verb_words | AUXILIARIES | OUTWARDS and self.peek(2 + pair) != "")
        )
        placed = "for" in [token.text for token in self.tokens[max(self.at - 2, 0) : self.at]]  # Albania for the fleet
        placed = placed and (not follows or follows in JOINTS or self.tokens[self.at + pair].stop)
        if not (kind or any_kind) or not (placed or (acts and follows.isalpha())):
            return None
        if follows.isalpha() and not placed and self.reader.places.meaning(follows, self.power).keys:
            return None
        mine = [u for u in self.standing.values() if u.power == self.power and (any_kind or u.kind == kind)]
        if len(mine) != 1:
            return None
        self.at += 1 + pair
        self.context_counted = True
        return Subject(mine[0].kind, mine[0].at)

    def _from_behind_verb(self) -> Subject | None:
        """The own unit of a kind whose place stands behind what it does: ``the fleet goes from Greece to the Aegean``.
        The place is taken out from there."""
        start = self.at
        self.skip(ARTICLES)
        kind = self.reader.kinds.get(self.peek(), "") if len(self.peek()) > 1 else ""
        if not kind or self.peek(1) not in self.reader.verbs or self.peek(2) != "from":
            self.at = start
            return None
        meaning, end = self.longest_name(self.at + 3 + (self.peek(3) == "the"))
        at = next((key for key in meaning.keys if self.present(kind, self.power)(key)), "")
        if not at or [token.text for token in self.tokens[end : end + 1]] not in (["to"], ["into"], ["-"]):
            self.at = start
            return None
        self.context_counted = True
        del self.tokens[self.at + 2 : end]
        self.at += 1
        return Subject(kind, at)

    def _carried_before(self) -> Subject | None:
        """The own army of the convoy right before, that is only called ``that army`` or ``the army``: ``F nth C A yor -
        bel, and that army goes to bel``."""
        start = self.at
        if self.after_fault or self.peek() not in _POINTS_AT_ARMY or not self.ordered:
            return None
        last = list(self.ordered.values())[-1]
        if not isinstance(last, Convoy):
            return None
        self.at += 1
        self.take_one(("said", "latter"))
        kind = self.reader.kinds.get(self.peek(), "") if len(self.peek()) > 1 else ""
        carried = province_of(last.target)
        named = kind and self.peek(1) in self.reader.verb_words | AUXILIARIES
        if not named or not self.present(kind, self.power)(carried) or carried in self.ordered:
            self.at = start
            return None
        self.at += 1
        self.context_counted = True
        return Subject(last.target_kind or kind, last.target)

    def _slash_as_dash(self) -> None:
        """Take the slash of ``A par/gas`` as a dash, where an own unit goes to a place in its reach and nothing else is
        said of it."""
        at = self.at + (self.peek() in self.reader.codes and len(self.tokens) - self.at > SLASHED)
        if self.phase is not Phase.MOVEMENT or [t.text for t in self.tokens[at + 1 : at + 2]] != ["/"]:
            return
        places, said = self.reader.places, self.tokens[at : at + SLASHED + 1]
        if len(said) < SLASHED or any(len(said[i].text) < SHORTEST_BEGINNING for i in (0, 2)):
            return
        stands, goes = places.meaning(said[0].text, self.power), places.meaning(said[2].text, self.power)
        ends = len(said) == SLASHED or said[SLASHED].text in JOINTS or said[2].stop
        if not (ends and stands.sure and goes.sure and self.present("", self.power)(stands.keys[0])):
            return
        self.context_counted = True
        if self.reaches(Subject("", stands.keys[0]))(goes.keys[0]) and goes.keys[0] not in self._own_places():
            self.tokens[at + 1] = msgspec.structs.replace(self.tokens[at + 1], text="-")

    def _own_places(self) -> set[str]:
        """Where own units stand that have no order yet: of ``par/bur`` both may be meant."""
        return {at for at, u in self.standing.items() if u.power == self.power and at not in self.ordered}

    def _may_be_lent(self, unit: Subject) -> bool:
        """Whether another power's unit can be under this power's orders, so that it may be named with its owner."""
        if not self.reader.lending:
            return False
        self.context_counted = True
        stands = self.standing.get(province_of(unit.at))
        return stands is None or stands.power == unit.power

    # What is said of a unit
