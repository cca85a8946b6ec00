"""A line in its parts: orders, and the clauses between them."""

import functools
import sys
from collections.abc import Callable, Sequence

import msgspec

from legation.board import province_of
from legation.notation.acts import ACTS, acts, has
from legation.notation.errors import OrderTextError, refuse
from legation.notation.forms.adjusting import section_bare
from legation.notation.order_reader import Candidate, OrderReader
from legation.notation.reading_text import LONGEST_CODE, Subject, Text, noted
from legation.notation.vocabulary import UNPLAYED
from legation.orders import Build, Order, UnitOrder, Waive, province_at
from legation.position import Phase

ENDS = frozenset([".", "…", ";", "|", "?"])
"""Signs that end a sentence or part orders."""
MOST_PARTS = 600  # of a sheet
ODDLY = 0.9  # how far-fetched what is not played may be besides
_IN_NAMES = frozenset(["GENERIC", "SEAWORD", "ASHORE", "SECTION", "HEADING", "COAST"])


class Part(msgspec.Struct):
    """Some words of a line, from ``first`` up to ``last``: orders, or a clause of something else (``orders`` empty).

    ``fault`` is what is wrong with the words that came nearest to an order."""

    first: int
    last: int
    orders: list[Order]
    general: frozenset[str] = frozenset()
    fault: OrderTextError | None = None
    amends: bool = False
    replaced: Order | None = None  # the order that this one says anew


def section_of(text: Text, first: int, last: int) -> str:
    """Return the section that words which are no known heading begin: ``other``, in which a unit without a kind is no
    order, or none where they speak of builds."""
    heads = text.phase is Phase.PLACEMENT and ":" in text.words[first : last + 1]
    return "" if heads or has(text, first, last, "BUILD") else "other"


class Cover:
    """The parts of a text, from its first word to its last."""

    def __init__(self, text: Text, bare: Callable[[Text, Subject], Order | None] | None = None, begin: int = 0) -> None:
        self.text = text
        self.bare = bare
        self.begin = begin
        self._last_closed = max((i for i, word in enumerate(text.words) if word == ")"), default=-1)
        self.parts: list[Part] = []
        self.end = begin  # up to where the text was read
        self._begun: dict[int, bool] = {}
        self._has_it = any("IT" in classes for classes in text.at)

    def read(self, most: int = MOST_PARTS) -> list[Part]:
        """Return the parts, at most so many, in the order of the text; signs between them are left out."""
        i = self.begin
        further: OrderTextError | None = None  # what is wrong with what is said behind an order
        while i < len(self.text.tokens) and len(self.parts) < most:
            if headed := self._kind_head(i):
                i = headed
                continue
            if (parted := self._separates(i)) and not (self.text.words[i] == "+" and self.text.adjusting):
                i += parted
                continue
            reader = OrderReader(self.text, self.bare)
            chosen = self._choose(reader.at(i), reader) or self._in_brackets(reader, i)
            if chosen is None:
                end = self._clause_end(i)
                if reader.fault and reader.fault[1].code == "counts" and self.text.words[end] == ",":
                    end = max(end, reader.fault[0])  # A, F, F in Par, Bre: nothing of it counts
                self._note_topic(i, end)
                self.parts.append(Part(i, end, [], fault=further or (reader.fault[1] if reader.fault else None)))
                names = self.text.words[end] == "," and not self.text.kinds(i) and self._unit_ends(i, end)
                if names or self.text.words[end] == ":":  # leaving me with A mun, A kie; another head
                    self.bare, self.text.kind = functools.partial(section_bare, section_of(self.text, i, end)), ""
                    self.text.forget_units()
                further, i = None, end
                continue
            if doubtful := [k for k in self.text.doubtful if i < k < chosen.end]:
                self.parts.append(Part(i, chosen.end, [], fault=self._doubt(doubtful[0])))
                i = chosen.end
                continue
            self._share_kind(chosen)
            self.parts.append(Part(i, chosen.end, chosen.orders, chosen.general))
            self._note(chosen)
            further = reader.fault[1] if reader.fault and reader.fault[0] > chosen.end else None
            i = chosen.end
        self.end = i
        return self.parts

    def _doubt(self, i: int) -> OrderTextError:
        text = self.text
        shown = text.reader.places.shown([text.words[i]])
        return refuse("ambiguous", text.text, text.span(i, i + 1), shown, said=repr(text.written(i, i + 1)))

    def _share_kind(self, one: Candidate) -> None:
        """Let a build that names no kind be of that of the build right before it: ``F Lis Ora``."""
        last = next(iter(self.parts[-1].orders[-1:]), None) if self.parts and self.parts[-1].last == one.start else None
        for i, order in enumerate(one.orders):
            if isinstance(last, Build) and isinstance(order, Build) and not order.kind and order.at != last.at:
                if self.text.stands(last.kind)(province_of(order.at)) and not self.text.tokens[one.start - 1].soft:
                    one.orders[i] = msgspec.structs.replace(order, kind=last.kind)

    def _kind_head(self, i: int) -> int:
        """Where a head ends that says the kind of the units behind it: ``Fleets:``, ``Two new armies,``; 0 if none
        stands at a word."""
        text = self.text
        if i > self.begin and text.words[i - 1] not in ENDS | {","} and not text.tokens[i - 1].soft:
            return 0
        at = i
        for name in ("ARTICLE", "BOTH", "NUMBER", "NEW"):
            if (said := text.at[at].get(name)) and not text.kinds(at):
                at += said[0][0]
        for end, kind, _ in text.kinds(at)[:1]:
            end += text.words[end].isdecimal()
            end += "PLEASE" in text.at[end]
            several = any(count > 1 for k in range(i, at) for _, count, _ in text.nums(k))
            listed = text.adjusting and several and text.words[end] == "," and len(text.words[at]) > LONGEST_CODE
            heads = (text.words[end] == ":" or listed) and end < len(text.tokens) - 1
            if heads and "HOLD" not in text.at[end + 1] and not text.places(i):
                text.kind = kind
                text.forget_units()
                return end + 1
        return 0

    def _in_brackets(self, reader: OrderReader, i: int) -> Candidate | None:
        """Read an order in brackets: by itself (``[A ven - rom]``), or one that helps that before it; also waivers."""
        text = self.text
        if text.words[i] != "(":
            return None
        behind = i > 0 and text.words[i - 1] not in ENDS and text.words[i - 1] not in (",", ":", ")")
        last = text.last_ordered()
        helped = getattr(last, "at", ""), getattr(last, "to", "")
        for one in reader.at(i + 1):
            helps = all((getattr(o, "target", "-"), getattr(o, "to", "")) == helped for o in one.orders)
            fits = not behind or helps or all(isinstance(order, Waive) for order in one.orders)
            if one.cost < 1 and text.words[one.end] == ")" and fits:
                one.end += 1
                return one
        return None

    def _unit_ends(self, first: int, last: int) -> bool:
        """Whether a unit's kind, or its kind and place, known or not, stand right before a word."""
        text = self.text
        if text.kinds(last - 1) or (last - 2 >= first and text.coded(last - 2) and not text.at[last - 1]):
            return True
        starts, goes = range(max(first, last - 4), last), text.words[last] in ("-", ",") and bool(text.places(last + 1))
        return any(end == last and (one.kind or goes) and cost < 1 for k in starts for end, one, cost in text.units(k))

    def _note_topic(self, first: int, last: int) -> None:
        """Keep the only own unit that a clause names, for ``it`` behind it."""
        if not self._has_it:
            return
        named = {
            key
            for i in range(first, last)
            for end, mention, cost in self.text.places(i)[:1]
            if end <= last and cost < 1 and len(self.text.words[i]) > 2
            for key in mention.meaning.keys[:1]
            if self.text.own(key)
        }
        if len(named) == 1:
            self._turn_to(named.pop())

    def _turn_to(self, province: str) -> None:
        """Let ``it`` mean the unit in a province from here on."""
        if self._has_it and province != self.text.topic:
            self.text.topic = province
            self.text.forget_units()

    def _separates(self, i: int) -> int:
        """How many words at a place only part what stands beside them: signs, ``and``, the number of an order."""
        word = self.text.words[i]
        if word in ENDS or word in (",", ":", '"', "'", "*"):
            return 1
        if word == "-" and self._dash_parts(i):
            return 1
        if joint := self.text.at[i].get("JOINT"):
            acts_of = (said for name in self.text.at[i].keys() & ACTS for said in self.text.at[i][name])
            return 0 if any(length > joint[0][0] for length, _ in acts_of) else joint[0][0]  # en cas de
        return self._label(i)

    def _dash_parts(self, i: int) -> bool:
        """Whether a dash stands between blanks, and so may part an order from what follows."""
        tokens = self.text.tokens
        if self.text.adjusting and self.text.places(i + 1) and not self.text.kinds(i + 1):
            return False  # A mos - war is no build
        return i > 0 and not tokens[i].glued and i + 1 < len(tokens) and not tokens[i + 1].glued

    def _label(self, i: int) -> int:
        """How many words number an order: ``2)``, ``(2)``, ``3rd:``."""
        text = self.text
        bracket = text.words[i] == "("
        word, after = text.words[i + bracket], text.words[i + bracket + 1] if i + bracket + 1 < len(text.words) else ""
        classes = text.at[min(i + bracket, len(text.at) - 1)]
        if "NUMBERSIGN" in classes and after.isdecimal():
            return 2
        letter = len(word) == 1 and word.isalpha() and word not in text.reader.codes
        counts = (word.isdecimal() and len(word) < 3) or any(says for _, says in classes.get("ORDINAL", ()))
        if not counts and (letter or "ROMAN" in classes):
            soft = not bracket and text.tokens[i].soft and bool(text.kinds(i + 1))
            behind = text.words[i + 2 + bracket : i + 3 + bracket]
            return 2 + bracket if after == ")" and behind not in ([""], [","]) else int(soft)  # Par (D)
        if not counts:
            return 0
        if not bracket and after == "/" and word.isdecimal():
            return 2
        if after == ")":
            return 2 + bracket
        if not bracket and after == ":":
            return 2
        return int(not bracket and word.isdecimal() and text.tokens[i].soft)

    def _note(self, one: Candidate) -> None:
        for order in one.orders:
            if province_at(order) not in one.general:
                self.text.ordered = noted(self.text.ordered, order)
        self.text.claimed += sum(isinstance(order, Build | Waive) for order in one.orders)
        self.text.given = True
        if isinstance(one.orders[0] if one.orders else None, UnitOrder):
            self._turn_to(province_of(one.orders[0].at))  # type: ignore[attr-defined]

    def _choose(self, found: list[Candidate], reader: OrderReader) -> Candidate | None:
        """The likeliest reading behind which something else may begin."""
        for one in found:
            unplayed = one.cost >= UNPLAYED and not self.text.reader.played.issuperset(map(type, one.orders))
            odd = one.cost > UNPLAYED + ODDLY or (reader.fault is not None and reader.fault[1].code == "not yours")
            beyond = reader.fault[1].code if reader.fault is not None and reader.fault[0] > one.end else ""
            if unplayed and (odd or "LEADCORRECTION" in self.text.at[one.start]):
                continue  # what isn't played is read only where it is plain; change Marseilles is no conversion
            ends = self._ends(one.end) or beyond == "only own"
            if ends and not self._goes_further(one, found) and not self._torn(one, found):
                return one
        return None

    def _torn(self, one: Candidate, found: Sequence[Candidate]) -> bool:
        """Whether the last name of an order may belong to words behind it that weren't understood: it is their heading
        (``Ank: empty``), or an item of a list that goes on in them (``build F bre, Par | and Mar later``)."""
        text, end, orders = self.text, one.end, one.orders
        begin = max((other.end for other in found if other.orders == orders[:-1]), default=one.start)
        heads = text.adjusting and text.words[end] == ":"
        listed = "JOINT" in text.at[end] and text.words[end] not in ENDS and not text.tokens[end - 1].soft
        if not (heads or listed) or acts(text, begin, end):
            return False
        kind = any(map(text.kinds, range(begin, end)))
        if heads:
            return not kind
        longer = [o.end for o in found if len(o.orders) > len(orders) and o.orders[: len(orders)] == orders]
        if not longer or self._ends(max(longer)):
            return False
        comma, last = text.words[end] == ",", "JOINT" in text.at[begin] and text.words[begin] != ","
        if comma and (kind or last):  # a comma behind "and Par", or behind a name with its kind, ends the list
            return False
        return not kind or any(map(text.kinds, range(end, min(longer))))

    def _goes_further(self, one: Candidate, found: Sequence[Candidate]) -> bool:
        """Whether a dash behind an order leads on to a place, so that the order is only a part of what is meant."""
        order = one.orders[-1] if one.orders else None
        helps = hasattr(order, "target") and not hasattr(order, "to")
        text, dash = self.text, one.end
        if text.words[dash] != "-" or self._order_begins(dash + 1):
            return False
        goals = [last for last, _, cost in text.places(dash + 1) if cost < 1]
        end = self._clause_end(dash + 1, max(goals, default=dash) + 4)
        names = helps and end - dash <= 3 and all(text.at[i].keys() <= _IN_NAMES for i in range(dash + 1, end))
        further = (other.orders for other in found if other.end > dash and other.cost < UNPLAYED)
        return names or any(last >= end - 1 for last in goals) or any(orders != one.orders for orders in further)

    def _ends(self, i: int) -> bool:
        text = self.text
        if text.words[i] == "(" and text.kinds(i + 1) and text.words[i + 2 : i + 3] == [")"] and not text.places(i + 3):
            return False
        if text.words[i] == "/" and text.tokens[i].glued and not text.places(i + 1) and not text.kinds(i + 1):
            return any(text.units(i + 2) for _ in text.at[i + 1])  # Spa/zz, Gas/disband, but remove nth/remove iri
        if text.words[i] == '"':
            return "AUX" not in text.at[i + 1] or self._ends(i + 1)  # "A bur - mun" is what Germany expects
        if i >= len(text.tokens) or text.words[i] in ENDS or text.words[i] in (",", ":", "(", ")"):
            return True
        soft = text.tokens[i - 1].soft and "GENERIC" not in text.at[i]
        if soft or self._separates(i) or not text.at[i].keys().isdisjoint(("BECAUSE", "GOODBYE")):
            return True
        return self._order_begins(i)

    def _order_begins(self, i: int) -> bool:
        """Whether an order begins at a word, with its unit, though no sign parts it from the one before."""
        text = self.text
        group = not text.at[i].keys().isdisjoint(("ALL", "REST", "THE"))
        if not group and not any(
            cost < 1.5 and (one.kind or not text.standing or any(map(text.orders_at, one.place.meaning.keys)))
            for _, one, cost in text.units(i)[:1]
        ):
            return False
        known = self._begun.get(i)
        if known is None:
            known = self._begun[i] = any(one.cost < 0.8 for one in OrderReader(text, self.bare).at(i)[:4])
        return known

    def _clause_end(self, i: int, most: int = sys.maxsize) -> int:
        """Where a clause ends that begins at a word, or ``most``, a word before which it doesn't end."""
        text = self.text
        at = i + 1
        named = any(
            cost < 1 and (one.kind or any(map(text.own, one.place.meaning.keys))) for _, one, cost in text.units(i)[:2]
        )
        if text.words[i] == "(" and i < self._last_closed:
            return text.words.index(")", i) + 1
        while at < min(len(text.tokens), most):
            word = text.words[at]
            numbered = word.isdecimal() and "NUMBERSIGN" in text.at[at - 1]  # no. 2
            if word in ENDS or word in (",", '"') or (text.tokens[at - 1].soft and not numbered):
                return at
            if word == "(" and not text.tokens[at].glued:
                return at
            if text.words[at - 1] == ")" or (word == ":" and at + 1 < len(text.tokens)):
                return at
            if word == "-" and self._dash_parts(at) and at > i + 1 and not named and not self._unit_ends(i, at):
                return at
            at += 1
        return at
