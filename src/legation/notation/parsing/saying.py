"""What is said of a unit: the verb behind it and what goes on from there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from legation.board import province_of
from legation.notation.errors import OrderTextError
from legation.notation.grammar import Grammar
from legation.notation.names import LETTERS, NOTHING, SHORTEST_BEGINNING
from legation.notation.parsing.kinds import LONGEST_CODE
from legation.notation.parsing.units import BACK_WORDS, UnitParser
from legation.notation.small_words import (
    ADVERBS,
    ARTICLES,
    AUXILIARIES,
    BACK,
    BOTH,
    JOINTS,
    LENDS,
    LIKEWISE,
    POLITE,
)
from legation.notation.subjects import Subject
from legation.orders import Convoy, Move, Moving, Order, Retreat, UnitOrder
from legation.position import Phase

SAYS_NOTHING = "this doesn't say what the unit should do"
NO_VERB = "isn't something a unit can do"
_HELPS = frozenset("s sup supp support supports help helps aid aids assist assists backs".split())
_NOBODY = frozenset(["nobody", "nothing", "none", "noone", "no one", "no unit"])
_DONE_WITH = frozenset("disband remove destroy dissolve dismiss scrap discharge move hold send".split())
_NO_WAY_OUT = [
    words.split()
    for words in (
        "has",  # nowhere to go, which is left out as it says nothing
        "has no retreat",
        "has no retreats",
        "has no way out",
        "cannot retreat",
        "cant retreat",
        "can retreat nowhere",
        "can go nowhere",
        "is trapped",
    )
]
_INSTEAD = frozenset(", ; - and but it he she they just simply so rather only".split())
"""What may stand between that and what the unit does."""


class SayingParser(UnitParser):
    """Words that say what a unit does."""

    reader: Grammar
    bare: Callable[[Any, Subject], Order] | None
    after_fault: bool

    def _kind_after(self, subject: Subject) -> Subject:
        """``Par: A - bur``, ``Par (A) - bur``: the kind of unit after its place."""
        bracket = self.peek() == "(" and self.peek(2) == ")"
        dash = self.peek() in ("-", "=") and self.bare is not None
        begin = int(bracket or dash)
        begin += (
            self.bare is not None and self.peek() in ("a", "an") and len(self.peek(1)) > LONGEST_CODE
        )  # Brest a fleet
        pair = self.reader.kinds.get(f"{self.peek(begin)} {self.peek(begin + 1)}")  # London: defensive army
        kind = pair or self.reader.kinds.get(self.peek(begin))
        after = (3 if bracket else begin + 1) + (pair is not None)
        if kind is None or subject.kind or self.peek(begin) in ("armies", "fleets"):
            return subject
        follows = self.peek(after)
        if bracket and follows == ":":  # London (A): Yorkshire
            after += 1
            follows = self.peek(after) or follows
        start = self.at
        self.at += after
        ends = self.bare is not None and (not follows or follows in JOINTS or self.tokens[self.at - 1].stop)
        acts = follows in self.reader.verbs or (follows in AUXILIARIES and self.peek(1) in self.reader.verbs)
        acts = acts or (follows in BACK_WORDS and self.peek(1) == "to")  # Hven fleet out to Kattegat
        if acts or ends or (bracket and self.only_place_comes()):
            return Subject(kind, subject.at, subject.power)
        self.at = start
        return subject

    def step_to_verb(self) -> int:
        """Step to the verb, over auxiliaries such as ``is`` and ``will``."""
        self.take(":")
        self.at += self.peek() == "=" and self.peek(1) in self.reader.verbs  # bel=H
        if not self.stopped:
            self.take_one(("itself", "themselves"))
        polite = 1 + (self.peek(1) in POLITE)  # A Toulouse, please move to Guyenne
        said = self.peek(polite)
        if self.peek() == "," and said in self.reader.verbs and said not in self.reader.kinds and said != "waived":
            self.at += polite
        relative = self.peek(self.peek() == ",") == "which"  # except Paris, which goes to Gascony
        if relative and self.peek(1 + (self.peek() == ",")) in self.reader.verbs:
            self.at += 1 + (self.peek() == ",")
        self._step_over_adverb()
        while self.peek() in AUXILIARIES and (self.peek(1) in self.reader.verbs or self.peek(1) in AUXILIARIES | LENDS):
            if self._hyphen(2):  # to 's-Gravenhage
                break
            if self.peek() in self.reader.verbs and self.peek(1) == "by":  # ordered by Argyll
                break
            self.at += 1
        whose = 1 + (self.peek(1) in ("its", "his", "their", "her"))
        leaves = self.phase in (Phase.RETREATS, Phase.ADJUSTMENTS) and self.peek() in ("may", "can")
        if leaves and self.peek(1) == "be" and self.peek(2) in self.reader.verbs:  # may be disbanded
            self.at += 2
        elif leaves and self.peek(1) in ("go", "retreat", "return"):
            self.at += 1
        if self.peek() in LENDS and self.peek(whose) in ("support", "help"):
            self.at += whose
        for words in BACK:  # falls back to
            if self.peek(len(words)) in ("to", "on", "upon", "into", "towards", "for") and self.take(*words):
                self.tokens[self.at] = msgspec.structs.replace(self.tokens[self.at], text="to")
                break
        return self.at

    def _step_over_no_way_out(self) -> None:
        """Step over ``has nowhere to go and`` before that a dislodged unit disbands."""
        start = self.at
        if self.phase is Phase.RETREATS and any(self.take(*words) for words in _NO_WAY_OUT):
            self.skip((",", "and", "so", "it", "therefore"))
            form = self.reader.verbs.get(self.peek())
            self.at = self.at if form is not None and form.shared else start

    def _helps_nobody(self) -> None:
        """Step over ``supports nobody,`` before what the unit does instead: ``A ukr S nothing, it holds``."""
        start = self.at
        nobody = self.peek(1) in _NOBODY or f"{self.peek(1)} {self.peek(2)}" in _NOBODY
        if self.peek() not in _HELPS or self.peek() not in self.reader.verbs or not nobody:
            return
        self.at += 2 + (self.peek(1) not in _NOBODY)
        while self.peek() in _INSTEAD:
            self.at += 1
        if self.peek() not in self.reader.verbs or self.peek() in _HELPS:
            self.at = start + 1
            self.fail(SAYS_NOTHING, start)

    def _goal_of(self, goal: Subject) -> Order | None:
        """``Albania for the fleet``, ``Black Sea for Sev``: the order of the own unit that is named behind the place to
        which it can go; None where none is."""
        start = self.at
        unsaid = self.reader.unsaid
        if goal.kind or goal.power or unsaid is None or self.phase not in (Phase.MOVEMENT, Phase.RETREATS):
            return None
        self.at += 1
        try:
            unit: Subject | None = self.subject()
        except OrderTextError:
            unit = None
        to, mine = province_of(goal.at), self.present("", self.power)
        fits = unit is not None and self.ended and mine(province_of(unit.at)) and not mine(to)  # Paris for Burgundy
        if not fits or unit is None or not self.reaches(unit)(to) or province_of(unit.at) in self.ordered:
            self.at = start
            return None
        self.context_counted = True
        return (
            Retreat(unit.kind, unit.at, goal.at) if self.phase is Phase.RETREATS else Move(unit.kind, unit.at, goal.at)
        )

    def subject(self) -> Subject:
        """The unit that is ordered."""
        raise NotImplementedError

    def _step_over_enemy(self) -> None:
        """Step over ``against Italy`` behind a unit that is built, and over ``for Russia`` behind one of Russia's."""
        start = self.at
        if self.take("for") and (self.power_next() != self.power or not self.ended):
            self.at = start
        if self.take("against"):
            self.take("the")
            if not (self.power_next() or self.take_one(("everybody", "everyone", "all"))) or not self.ended:
                self.at = start

    def _step_over_speaker(self) -> None:
        """Step over ``I`` behind a unit and before what is done with it: ``A tri I disband``, ``Munich I send to
        Ruhr``."""
        ahead = int(self.peek() in ("i", "we", "ill"))
        if not ahead:
            return
        while self.peek(ahead) in ("will", "shall", "must", "hereby"):
            ahead += 1
        if self.peek(ahead) == "send":
            self.tokens[self.at + ahead] = msgspec.structs.replace(self.tokens[self.at + ahead], text="move")
        takes = self.peek(ahead) in ("take", "taking") and self.peek(ahead + 1) == "off"
        if self.peek(ahead) in _DONE_WITH or takes:
            self.at += ahead + takes

    def _step_over_adverb(self) -> None:
        """Step over ``just``, ``now``, ``therefore`` before what a unit does."""
        ahead = int(self.peek() in AUXILIARIES and self.peek(1) in ADVERBS)
        if self.peek(ahead) in ADVERBS and self.peek(ahead + 1) in self.reader.verbs.keys() | AUXILIARIES:
            self.at += ahead + 1

    def verb_of(self, subject: Subject, at: int) -> Order:
        """The order that says of a unit what stands from a token on."""
        self.at = at
        self.step_to_verb()
        subject = self._kind_after(subject)
        self.step_to_verb()
        self.in_as_to(subject)
        self._step_over_no_way_out()
        self._helps_nobody()
        self._step_over_speaker()
        if self.peek() == "-" and self._verb_after_dash():
            self.at += 1
        bracket = self.peek() == "("  # A par (S) A mar, A par (S A mar)
        word = self.peek(int(bracket))
        form = self.reader.verbs.get(word)
        if form is None and not bracket and (word := self._misspelled_verb()):
            form = self.reader.verbs[word]
        if form is not None and not form.stays and not bracket and self._place_alone():
            form = None  # A smy con
        if form is not None and self.bare is not None and word in self.reader.kinds and self.kind_comes():
            form = None  # F dum D mer
        if form is not None and (not self.stopped or self._says_where() or self._dots_before()):
            self.at += 1 + bracket
            whole = bracket and not self.take(")")
            order = form.read(self, subject, word)
            if whole and not self.take(")"):
                self.fail("a closing bracket is missing")
            if self.peek() == "(" and len(self.peek(1)) > 1 and self.peek(1) in form.words and self.peek(2) == ")":
                self.at += 3  # F bre H (hold)
            return order
        if form is None and (same := self.does_the_same(subject)) is not None:
            return same
        if form is None and self.peek() == "for" and (gone := self._goal_of(subject)) is not None:
            return gone
        if self.bare is not None:
            self._step_over_enemy()
        pointed = self.peek(-1) == ":" or self._dots_before()  # Bre: MAO, A Par... Gas
        if (self.ended and not pointed) or (self.bare is not None and self.kind_comes()):
            return self._bare(subject)
        goes = subject.kind or pointed or self._goes_unsaid(subject)
        if self.reader.unsaid is not None and goes and self.only_place_comes():
            return self.reader.unsaid(self, subject)
        if self.ended or (self.bare is not None and bracket and subject.kind):  # F mao (sob)
            return self._bare(subject)
        self.at += 1
        verbs = self.reader.verbs_shown.get(self.phase)
        written = self.text[self.tokens[self.at - 1].start : self.tokens[self.at - 1].end]
        self.fail(f"{written[:60]!r} {NO_VERB}" + (f"; write {verbs}" if verbs else ""), self.at - 1)

    def in_as_to(self, unit: Subject) -> None:
        """Take ``in`` for ``to`` between a unit and another place in its reach: ``Rumania in Black Sea``."""
        if self.peek() != "in" or self.phase is not Phase.MOVEMENT or self.peek(1) in self.reader.verbs:
            return
        key = self.longest_name(self.at + 1 + (self.peek(1) == "the"))[0].keys[:1]
        self.context_counted = True
        if (
            key
            and key[0] != province_of(unit.at)
            and self.present()(province_of(unit.at))
            and self.reaches(unit)(key[0])
        ):
            self.tokens[self.at] = msgspec.structs.replace(self.tokens[self.at], text="to")

    def own_unit_elsewhere(self) -> bool:
        """Whether a place, the kind of the own unit there and ``in`` another place in its reach come next: ``the Paris
        army in Burgundy``."""
        start = self.at
        self.skip(ARTICLES)
        meaning, self.at = self.longest_name(self.at)
        in_words = len(self.peek()) > LONGEST_CODE and self.peek(1) == "in"
        kind = self.reader.kinds.get(self.peek(), "") if in_words else ""
        found = kind != "" and meaning.sure and self.present(kind, self.power)(meaning.keys[0])
        if found:
            self.at += 1
            self.in_as_to(Subject(kind, meaning.keys[0]))
            found = self.peek() == "to"
        self.context_counted = True
        self.at = start
        return found

    def does_the_same(self, subject: Subject) -> Order | None:
        """``Amsterdam too``, ``Army Essex likewise``: the last order that moves no unit, for another own unit; None if
        that isn't said."""
        if self.stopped or self.peek() not in LIKEWISE or not self.ordered or self.after_fault:
            return None
        last = list(self.ordered.values())[-1]
        stands = self.standing.get(province_of(subject.at))
        ends = self.at + 1 == len(self.tokens) or self.tokens[self.at].stop or self.peek(1) in JOINTS
        if not ends or stands is None or stands.power != self.power or not isinstance(last, UnitOrder):
            return None
        helps = getattr(last, "target", "")
        same_kind = not hasattr(last, "to") or helps or stands.kind == (last.kind or stands.kind)  # A lon converts to F
        if isinstance(last, Moving) or not same_kind:
            return None
        near = self.reaches(subject)(province_of(getattr(last, "to", "") or helps)) if helps else True
        if province_of(helps) == province_of(subject.at) or (self.peek() in ("too", "also") and not near):
            return None
        self.context_counted = True
        self.at += 1
        return msgspec.structs.replace(last, kind=subject.kind, at=subject.at)

    def _misspelled_verb(self) -> str:
        """What a unit can only be told to do by a word in which one letter is wrong, where no place is called so; the
        word takes its place."""
        if self.at >= len(self.tokens) or self.may_be_place(self.at):
            return ""
        meant = self.reader.misspelled_verb(self.peek())
        if meant:
            self.tokens[self.at] = msgspec.structs.replace(self.tokens[self.at], text=meant)
        return meant

    def _says_where(self) -> bool:
        """Whether a sentence behind that of a unit alone says where it goes: ``Fleet Belgium. Retreat to: London``."""
        alone = self.peek(-1).isalpha() and not self.opening_comes()
        return alone and self.peek(1) == "to" and self.peek(2) not in ("", *self.reader.verbs)

    def _place_alone(self) -> bool:
        """Whether the last word, whatever else it may say, is the name of a place."""
        last = self.at + 1 == len(self.tokens) or self.peek(1) in JOINTS
        return last and self.reader.places.exact(self.peek(), self.power) is not None

    def _verb_after_dash(self) -> bool:
        """Whether the dash that comes next stands before a verb (``A par - hold``, ``A par => (support) A mar``), not
        before a place."""
        bracket = self.peek(1) == "("
        word, closes = self.peek(1 + bracket), bracket and self.peek(3) == ")"
        if word in LETTERS:  # - S Spain
            place = self.reader.places.exact(self.peek(2 + 2 * closes), self.power)
            if place is not None and LETTERS[word] in self.reader.board.provinces[place].coasts:
                return False
        if word not in self.reader.verbs or self.reader.places.meaning(word, self.power).keys:
            return False
        if bracket and not closes and not self.reader.verbs[word].shared:  # - (via nth) nwy
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
        """Whether what follows the place of an own unit is a place in its reach, and no further unit of a list: no
        other own unit stands there, or nothing else is said (``Ven Tri``)."""
        self.context_counted = True
        if not self.present("", self.power)(province_of(subject.at)):
            return False
        meaning, end = self.longest_name(self.at)
        alone = self.bare is None and end == len(self.tokens) and not any(t.text in JOINTS for t in self.tokens)
        mine = self.present("", self.power)
        carried = {
            province_of(order.to)
            for order in self.ordered.values()
            if isinstance(order, Convoy) and province_of(order.target) == province_of(subject.at)
        }
        return any(
            (self.reaches(subject)(key) or key in carried) and (alone or key in self.ordered or not mine(key))
            for key in meaning.keys
        )

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
            short = (
                self.reader.places.shortened(words, self.power) if self.peek(length) in self.reader.kinds else NOTHING
            )
            if (
                self.reader.places.meaning(words, self.power).keys
                or self.longest_name(self.at)[1] == self.at + length
                or (short.sure and self._stands_behind(short.keys[0], words, self.peek(length)))  # the West Med fleet
            ):
                length += self.peek(length) == ":" and bool(self.peek(length + 1))
                length += len(self.peek(length)) > 2 and self.peek(length) in self.reader.kinds  # the Paris army
                after = self.peek(length)
                said = length
                while self.peek(said) in AUXILIARIES | ADVERBS:  # are to be removed
                    said += 1
                verb = self.reader.verbs.get(self.peek(said))
                if after in JOINTS | BOTH or (ending and not after) or (verb is not None and verb.shared):
                    return True
        return ending and (self.only_place_comes() or self._misspelled_place_comes())

    def _misspelled_place_comes(self) -> bool:
        """Whether a place where a unit stands or is built comes next, of which a letter is wrong, and then the end."""
        start = self.at
        try:
            mention = self.mention()
            misspelled = mention.misspelled is not None
            return misspelled and bool(self.pick(mention, self.stands(""), self.present("", self.power))) and self.ended
        except OrderTextError:
            return False
        finally:
            self.at = start
