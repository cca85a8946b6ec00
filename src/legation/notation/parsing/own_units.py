"""The own unit that an order is for, also where it is only called the fleet, or that army."""

from __future__ import annotations

import msgspec

from legation.board import province_of
from legation.notation.names import SHORTEST_BEGINNING, possessive
from legation.notation.parsing.saying import SayingParser
from legation.notation.small_words import ARTICLES, AUXILIARIES, BACK, JOINTS
from legation.notation.subjects import Subject
from legation.orders import Convoy
from legation.position import Phase

SLASHED = 3  # words of ``par/gas``
ALONE = frozenset("only single sole lone poor brave gallant".split())
"""Words before a kind of unit of which there is one."""
_POINTS_AT_ARMY = frozenset(["that", "this", "the", "said"])
OUTWARDS = frozenset(words[0] for words in BACK)


class OwnUnitParser(SayingParser):
    """Words that name the own unit that an order is for."""

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
        colon = follows == ":" and self.peek(2 + pair) in self.reader.stays  # Defensive army: hold
        follows = self.peek(2 + pair) if colon else follows
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
