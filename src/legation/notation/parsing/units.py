"""Units: by their kinds and places, and where an order of one may end."""

from __future__ import annotations

from legation.board import ARMY, province_of
from legation.notation.errors import OrderTextError
from legation.notation.names import SHORTEST_BEGINNING, possessive
from legation.notation.parsing.kinds import LONGEST_CODE, PLURAL
from legation.notation.parsing.places import Test
from legation.notation.parsing.powers import PowerParser
from legation.notation.small_words import (
    ARTICLES,
    AUXILIARIES,
    BACK,
    BOTH,
    ENDINGS,
    JOINTS,
    LENDS,
    POLITE,
    PREPOSITIONS,
    THANKS,
)
from legation.notation.subjects import Subject
from legation.position import Phase

IN_BRACKETS_OF_A_UNIT = frozenset("dislodged mercenary mercenaries merc home".split())
IN_BRACKETS = "what is in brackets may be a remark; write the order without brackets"


MEANWHILE = frozenset(["while", "whilst"])
"""What may stand between the orders of two own units."""
BACK_WORDS = frozenset(words[0] for words in BACK)
_STANDS = frozenset("is stands sits waits".split())
_STOOD = frozenset("was is stood sat used".split())
_STANDING = frozenset("standing stationed based sitting posted currently presently now still formerly".split())
"""Words between a kind of unit and where it is."""


class UnitParser(PowerParser):
    """Words that name units."""

    leaving = False  # units are removed

    # Where a unit can get

    def reaches(self, unit: Subject) -> Test:
        """Whether the unit can get to a province by itself."""
        board = self.reader.board
        stands = self.standing.get(province_of(unit.at))
        travel = self.reader.travel.get(unit.kind or (stands.kind if stands else ""))
        starts = {unit.at, stands.at if stands else unit.at}
        if unit.at in board.provinces and not stands:
            starts |= set(board.provinces[unit.at].locations)
        travels = (travel,) if travel else tuple(self.reader.travel.values())
        near = {province_of(to) for t in travels for at in starts for to in board.reach(t, at)}
        return near.__contains__

    def lands(self, unit: Subject) -> Test:
        """Whether the unit, if it is an army, could be carried to a province over the sea."""
        stands = self.standing.get(province_of(unit.at))
        kind = unit.kind or (stands.kind if stands else "")
        provinces = self.reader.board.provinces

        def test(province: str) -> bool:
            return self.reader.travel.get(kind, ARMY) != ARMY or not provinces[province].sea

        return test

    # Units

    def kind(self) -> str:
        """A kind of unit, or nothing; of units that are built or removed also ``Two armies, one in``, ``Army - Paris``,
        ``another fleet for``."""
        if self.phase not in (Phase.ADJUSTMENTS, Phase.PLACEMENT):
            return super().kind()
        start = self.at
        self.at += self.peek() == "another" and self.peek(1) in self.reader.kinds
        named = self.at
        if self.peek(1) == "-" and len(self.peek()) > LONGEST_CODE and self.peek() in self.reader.kinds:
            if self.longest_name(self.at + 2)[0].keys:
                self.at += 2
                return self.reader.kinds[self.peek(-2)]
        kind = super().kind()
        if not kind:
            self.at = start if self.at == named else self.at  # the unit at Paris
        elif len(self.peek(-1)) > LONGEST_CODE or self.at > named + 1:
            self._step_to_site()
        return kind

    def _step_to_site(self) -> None:
        """Step over ``please:``, ``, one``, ``, `` and ``for`` between a kind of unit and its place."""
        ahead = int(self.peek() in POLITE)
        ahead += self.peek(ahead) in (",", ":")
        said = self.tokens[self.at - 1]
        several = self.count_said > 1 or not PLURAL.isdisjoint([t.text for t in self.tokens[self.at - 2 : self.at]])
        apart = ahead > 0 or (several and (said.text == ":" or said.stop))
        one = ahead + (apart and self.peek(ahead) in ("one", "1"))  # Two fleets. One in London, one in Edinburgh
        if self.peek(one) in PREPOSITIONS or self.peek(one) == "for":
            placed, ahead = one + 1, one + (self.peek(one) == "for")
        else:
            placed = ahead
        meaning, end = self.longest_name(self.at + placed)
        after = self.tokens[end].text if end < len(self.tokens) else ""
        if (ahead or placed) and meaning.keys and (not after or after in JOINTS | POLITE or self.tokens[end - 1].stop):
            self.at += ahead  # not of: fleet, Brest stays empty

    def unit(self, *tests: Test, own: bool = False) -> Subject:
        """A unit. ``tests`` choose between places of the same name, after the kind and the presence of a unit."""
        self.skip(ARTICLES)
        if self._whole_in_brackets():
            self.at += 1
            inner = self.unit(*tests, own=own)
            if not self.take(")"):
                closed = any(token.text == ")" for token in self.tokens[self.at :])
                self.fail(IN_BRACKETS if closed and own else "a closing bracket is missing")
            return inner
        self._step_over_commander()
        owner = self.owner()
        self.skip(ARTICLES)
        kind = self.kind()
        if self.peek() == "dislodged" and self.peek(1) in PREPOSITIONS:
            self.at += 1
        self._step_to_its_place(kind)
        self.skip(PREPOSITIONS)
        if own and kind and self.peek() in ("all", "each") and self.peek(1) == "of":  # armies in all of Yor, Mer
            self.at += 2
        mine = self.present(kind, self.power if own else owner)
        tests = (self.stands(kind), mine, *self._site(own), self.present(kind), *tests)
        begin = self.at
        if self.peek() == "(":  # A(Par)
            self.at += 1
            at = self.place(*tests)
            if not self.take(")"):
                self.fail("a closing bracket is missing")
            if "/" not in at and (coast := self.coast(at)):
                at = f"{at}/{coast}"
        else:
            at = self.place(*tests)
        named_so = (
            self.peek() == "one" and own and begin > 0 and self.tokens[begin - 1].text == "the"
        )  # the Venetian one
        if (self.peek() == "unit" or named_so) and not kind:  # the London unit
            self.at += 1
        if not own and not kind and self.peek() in self.reader.codes and self.peek(1) == "-":  # S pic A - bel
            kind = self.reader.kinds[self.peek()]
            self.at += 1
        if not kind and (not own or self.at > 0):
            named = self.at - begin
            kind = self._kind_behind(own)
            if kind and named == 1:
                at = self._of_its_land(self.tokens[begin].text, kind, at, self.power if own else owner)
            if kind and "/" not in at and not self.stands(kind)(at):  # of the Norwegian army no sea is the place
                self.fail(f"no such unit can stand in {self.reader.board.name_of(at)}", max(self.at - 1, 0))
        length = 1 + (self.peek(2) in ("unit", "units"))  # (mercenary unit)
        if self.peek() == "(" and self.peek(1) in IN_BRACKETS_OF_A_UNIT and self.peek(1 + length) == ")":
            self.at += 2 + length
        elif self.peek() == "(" and self.peek(1) in IN_BRACKETS_OF_A_UNIT and self.peek(2) in ("by", "from"):
            self._step_over_origin()
        elif own and self.peek() == "(" and "lent" in (self.peek(1), self.peek(4)):
            owner = owner or self._lender()
        return Subject(kind, at, owner or self.power_behind(at))

    def _of_its_land(self, said: str, kind: str, at: str, power: str) -> str:
        """Where a unit stands that is called after a place or a land: ``the Norwegian fleet``, of the sea or of
        Norway."""
        land = self.reader.also_of_lands.get(said)
        if land is None:
            return at
        there, self.context_counted = self.present(kind, power), True
        if not there(land):
            return at
        if there(province_of(at)):
            name = self.reader.board.name_of
            self.fail(f"this may be the one in {name(at)} or in {name(land)}; name the place", max(self.at - 1, 0))
        return land

    def _step_to_its_place(self, kind: str) -> None:
        """Step over ``that stands`` between a kind of unit and ``in Paris``, or ``that was`` of a dislodged one, and
        over ``one`` of ``the one in Paris``."""
        ahead = int(bool(kind) and self.peek() == ",")
        if kind and self.peek(ahead) in ("that", "which", "who"):
            ahead += 1
            stands = self.peek(ahead) in (_STOOD if self.phase is Phase.RETREATS else _STANDS)
            ahead = ahead + 1 if stands else 0
        elif self.peek() == "one" and self.peek(-1) == "the" and not kind:
            ahead = 1
        else:
            ahead = 0
        while self.peek(ahead) in _STANDING and (ahead or kind):
            ahead += 1
        if ahead and self.peek(ahead) in PREPOSITIONS:
            placed = self.at + ahead + 1 + (self.peek(ahead + 1) == "the")
            self.at += ahead if self.longest_name(placed)[0].keys else 0

    def _site(self, own: bool) -> tuple[Test, ...]:
        """Where units are built, that a place where none of the own stands is on land."""
        if not own or self.leaving or self.position is None or self.phase not in (Phase.ADJUSTMENTS, Phase.PLACEMENT):
            return ()
        if self.phase is Phase.ADJUSTMENTS and self.units_over() >= 0:
            return ()
        provinces = self.reader.board.provinces
        return (lambda province: not provinces[province].sea,)

    def units_over(self) -> int:
        """How many units the power has more than centers; less than none where it builds."""
        if self.position is None or not self.power:
            return 0
        self.context_counted = True
        size = sum(self.reader.costs.get(unit.kind, 1) for unit in self.position.units_of(self.power))
        return size - len(self.position.centers_of(self.power))

    def power_behind(self, at: str) -> str:
        """The power that is named in brackets behind a unit; ``(the Russian army)`` must be one of Russia's."""
        start = self.at
        power = self._bracketed_unit()
        stands = self.standing.get(province_of(at))
        if power and stands is not None and stands.power != power:
            self.context_counted = True
            self.fail(f"the unit in {province_of(at)} is {possessive(stands.power)}, not {possessive(power)}", start)
        return power or self.bracketed_power()

    def _step_over_origin(self) -> None:
        """Step over ``(dislodged by Russia)``, ``(dislodged from Munich)``."""
        start = self.at
        self.at += 3
        self.skip(ARTICLES)
        end = self.longest_name(self.at)[1]
        if not self.power_next():
            self.at = end
        if not self.take(")"):
            self.at = start

    def _lender(self) -> str:
        """The power in ``(lent to me by the Crown)``, ``(the Crown's, lent to me)``; nothing where none is named."""
        start = self.at
        self.at += 1
        if self.take("lent"):
            self.take("to", "me")
            power = self.power_next() if self.take_one(("by", "from")) else ""
        else:
            power = self.owner()
            power = power if self.take(",", "lent", "to", "me") else ""
        if not power or not self.take(")"):
            self.at = start
            return ""
        return power

    def _step_over_commander(self) -> None:
        """Step over ``King's``, ``his Majesty's`` before a kind of unit and ``in`` its place."""
        ahead = int(self.peek() in ("his", "her", "their", "your"))
        owner = self.tokens[self.at + ahead : self.at + ahead + 1]
        kind, of = self.peek(ahead + 1), self.peek(ahead + 2)
        if not owner or not owner[0].owns or len(kind) < SHORTEST_BEGINNING or kind not in self.reader.kinds:
            return
        if of in PREPOSITIONS and self.reader.powers.exact(owner[0].text.removesuffix("s")) is None:
            placed = self.at + ahead + 3 + (self.peek(ahead + 3) == "the")
            if self.longest_name(placed)[0].keys and self.reader.powers.exact(owner[0].text) is None:
                self.at += ahead + 1

    def _kind_behind(self, own: bool) -> str:
        """A kind of unit in words after its place, with nothing behind it that it could belong to: ``the Paris army``,
        ``Burgundy (army)``; nothing where none comes."""
        bracket = self.peek() == "(" and self.peek(2) == ")" and not own
        word = self.peek(int(bracket))
        if len(word) < 2 or word not in self.reader.kinds or self.tokens[self.at + bracket].text.endswith("s"):
            return ""
        after = self.peek(3 if bracket else 1)
        if own and self.phase in (Phase.ADJUSTMENTS, Phase.PLACEMENT) and after not in AUXILIARIES:
            return ""
        if own and after == ":":  # Berlin army: Kiel
            named = bool(self.longest_name(self.at + 2)[0].keys) or self.peek(2) in self.reader.verb_words
            after = "" if named else after
        ends = self.tokens[self.at + bracket].stop and not bracket
        if own and after in LENDS and "support" in (self.peek(2), self.peek(3)):  # the Channel fleet lends its support
            after = ""
        known = JOINTS | AUXILIARIES | BOTH | self.reader.verb_words | {"", ")"}
        if not ends and after not in known:
            return ""
        self.at += 3 if bracket else 1
        return self.reader.kinds[word]

    def bracket_is_short(self) -> bool:
        start = self.at
        owned = bool(self._bracketed_unit())  # S (Russian army) A rum
        self.at = start
        if not self._whole_in_brackets():
            return owned
        words = [token.text for token in self.tokens[self.at :]]
        close = words.index(")") if ")" in words else len(words)
        return words[close + 1 : close + 2] != [] and words[close + 1] in self.reader.verb_words

    def _whole_in_brackets(self) -> bool:
        """Whether a unit comes that stands in brackets with all that is said of it: ``(FRA AMY PAR)``."""
        if self.peek() != "(" or self.peek(2) == ")":
            return False
        before = self.at
        owned = bool(self._bracketed_unit())
        self.at = before + 1
        if owned:  # (Russian army) A rum
            self.at = before
            return False
        self.owner()
        comes = self.kind_comes()
        self.at = before
        return comes

    def names_unit(self) -> bool:
        """Whether a kind of unit comes next, so that a unit is named."""
        before = self.at
        self.skip(ARTICLES)
        self._step_over_commander()
        self.owner()
        self.skip(ARTICLES)
        known = bool(self.kind())
        self.at = before
        return known

    def names_unit_after(self, ahead: int) -> bool:
        """Whether a kind of unit comes so far ahead."""
        self.at += ahead
        known = self.names_unit()
        self.at -= ahead
        return known

    def step_over_kind(self) -> None:
        """Step over whose unit and of which kind stands in the place that comes next."""
        self.skip(ARTICLES)
        self.owner()
        self.skip(ARTICLES)
        self.kind()
        self.skip(PREPOSITIONS)

    def stands_glued(self, word: str) -> bool:
        meaning = self.reader.places.meaning(word[1:], self.power)
        self.context_counted = True
        return meaning.sure and self.present(word[0].upper(), self.power)(meaning.keys[0])

    def stands_there(self, kind: str, province: str) -> bool:
        self.context_counted = True
        return self.present(kind)(province)

    def own_unit_comes(self) -> bool:
        """Whether the place of an own unit without an order comes next, and something that it does."""
        meaning, end = self.longest_name(self.at)
        if not any(self.present("", self.power)(key) and key not in self.ordered for key in meaning.keys):
            return False
        after = self.tokens[end].text if end < len(self.tokens) else ""
        self.context_counted = True
        return bool(meaning.keys) and (after == "-" or (after in self.reader.verb_words and after not in JOINTS))

    def own_unit_comes_after(self, ahead: int) -> bool:
        """Whether :meth:`own_unit_comes` so far ahead."""
        self.at += ahead
        comes = self.own_unit_comes()
        self.at -= ahead
        return comes

    def all_units(self, kind: str = "", *, rest: bool) -> list[Subject]:
        """All units of this power, of one kind if it is given, or those of them that are not ordered yet."""
        if self.position is None or not self.power:
            self.fail("say which units", max(self.at - 1, 0))
        self.context_counted = True
        mine = [u for u in self.standing.values() if u.power == self.power and kind in ("", u.kind)]
        self.general |= {u.province for u in mine}
        twice = [u for u in mine if u.province in self.ordered]
        if twice and not rest:
            self.fail(f"{twice[0]} already has an order; if you mean the rest, write 'all others'", max(self.at - 1, 0))
        return [Subject(u.kind, u.at) for u in mine if u.province not in self.ordered]

    # Where an order may end

    @property
    def ended(self) -> bool:
        """Whether an order may end here: nothing follows, or a new sentence, or a joint."""
        if self.at >= len(self.tokens) or self.peek() in JOINTS:
            return True
        if self.peek() in ENDINGS | THANKS and not self.place_acts():
            return True
        if self.peek() in MEANWHILE and self.own_order_comes():  # A par - bur while Brest holds
            return True
        return self.stopped or self.numbered > 0

    def own_order_comes(self) -> bool:
        """Whether behind the next word an own unit without an order comes, and what it does."""
        start = self.at
        self.at += 1
        self.skip(ARTICLES)
        kind = self.kind()
        self.skip(PREPOSITIONS)
        self.skip(ARTICLES)
        meaning, end = self.longest_name(self.at)
        mine = [key for key in meaning.keys if self.present(kind, self.power)(key) and key not in self.ordered]
        end += end < len(self.tokens) and self.tokens[end].text in self.reader.kinds
        after = self.tokens[end].text if end < len(self.tokens) else ""
        acts = after in BACK_WORDS or (after in self.reader.verb_words and after not in AUXILIARIES)
        only = bool(kind) and not meaning.keys and self.peek() in self.reader.verb_words
        self.at = start
        self.context_counted = True
        return (bool(mine) and acts) or only

    def place_acts(self) -> bool:
        """Whether a place comes next that is called like a small word, and where it goes: ``plz - bay``."""
        return self.peek(1) == "-" and self.reader.places.exact(self.peek(), self.power) is not None

    @property
    def numbered(self) -> int:
        """How many tokens a number takes that comes next and counts orders: ``2.``, ``2)`` or ``(2)`` before a unit."""
        bracket = self.peek() == "("
        word = self.peek(bracket)
        before = self.peek(-1) if self.at else ";"
        roman = word in ("ii", "iii", "iv", "vi")
        letter = word in tuple("bcegi") and (before in JOINTS or not self.at)
        lettered = self.peek(1 + bracket) == ")" and (roman or letter)
        if not lettered and (not word.isdecimal() or len(word) > 2):
            return 0
        length = 2 + bracket if self.peek(1 + bracket) == ")" else int(not bracket and self.tokens[self.at].stop)
        self.at += length
        counts = length > 0 and (self.names_unit() or self.own_unit_comes() or self.opening_comes())
        self.at -= length
        return length if counts else 0

    def opening_comes(self) -> bool:
        """Whether a word comes next with which orders begin."""
        return False

    def only_place_comes(self) -> bool:
        """Whether a place, written in full or by its code, comes next and then the end."""
        before = self.at
        meaning, self.at = self.longest_name(before)
        try:
            if meaning.keys:
                self.coast(meaning.keys[0])
            return bool(meaning.keys) and (self.ended or self.peek() in ("vc", "with") or self.kind_comes())
        except OrderTextError:
            return False
        finally:
            self.at = before
