"""Orders in a text: all ways in which the words from one on can be read as orders."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from legation.board import province_of
from legation.notation.errors import OrderTextError, refuse
from legation.notation.grammar import slots_of
from legation.notation.names import possessive
from legation.notation.order_kinds import Production
from legation.notation.reading_text import Subject, Text
from legation.notation.tokens import DOTS
from legation.notation.vocabulary import UNPLAYED
from legation.orders import Order
from legation.position import Phase

MOST_UNITS = 60  # of which one thing is said
MOST_LISTED = 2_000  # further units that are tried in all lists of a line
MOST_LEADS = 6  # words before an order that say nothing of it
MOST_HELPERS = 4  # that are named one after the other behind an order
FAR = 3.0  # what is so far-fetched is read only where nothing else is
LEAD, TAIL, BARE = 0.02, 0.01, 0.3
LEFT = 0.3  # how far-fetched it is to leave a word for something else
_HELPED = frozenset(["SUPPORTED", "CONVOYING", "WITH", "AUX"])
_BEHIND_LEAD = frozenset([",", ":", "…", "-"])


class Candidate(msgspec.Struct):
    """Orders that some words may mean: up to where, how far-fetched that is, and which of their units are meant only as
    some of all (``general``)."""

    end: int
    orders: list[Order]
    cost: float
    general: frozenset[str] = frozenset()
    start: int = 0


class OrderReader:
    """Reads orders in a text. ``bare`` makes the order of a unit of which nothing is said, if the sheet tells.

    ``fault`` is the error of the words that came nearest to an order."""

    def __init__(self, text: Text, bare: Callable[[Text, Subject], Order | None] | None = None) -> None:
        self.text = text
        self.bare = bare
        self.fault: tuple[int, OrderTextError] | None = None
        self._excepting = False  # an exception has no exceptions of its own

    def at(self, i: int) -> list[Candidate]:
        """Return what the words from one on may mean, the likeliest first."""
        found: list[Candidate] = []
        for start, cost in self._starts(i):
            for one in (*self._opening(start), *self._units(start)):
                one.start, one.cost = i, one.cost + cost
                found.append(one)
            if any(one.cost < FAR for one in found):
                break
        last = len(self.text.tokens)
        if not any(one.end == last and not one.cost for one in found):  # nothing is likelier than a whole order
            found = [further for one in found for further in self._with_helpers(one)]
            found = [further for one in found for further in self._with_tail(one)]
        found.sort(key=lambda one: (one.cost >= UNPLAYED, one.cost - LEFT * one.end, -one.end))
        return found

    def _starts(self, i: int) -> Iterator[tuple[int, float]]:
        """Where an order may begin: here, or behind words that say nothing of it."""
        yield i, 0.0
        edge, seen = [i], {i}
        for count in range(1, MOST_LEADS + 1):
            edge = [after for s in edge for after in self._behind_lead(s)]
            edge = [s for s in dict.fromkeys(edge) if s not in seen and s < len(self.text.tokens)]
            seen.update(edge)
            for start in edge:
                yield start, count * LEAD

    def _behind_lead(self, i: int) -> Iterator[int]:
        """Where an order may begin behind a word that says nothing of it, or that corrects another; behind one that
        may deny it only if a sign parts the two."""
        classes = self.text.at[i]
        for end, power, cost in self.text.powers(i):
            if power == self.text.power and not cost:
                yield end + (self.text.words[end] in _BEHIND_LEAD)
        for name in ("LEAD", "LEADCORRECTION", "GREETING"):
            for length, _ in classes.get(name, ()):
                after = i + length
                signed = self.text.words[after] in _BEHIND_LEAD
                if signed:
                    yield after + 1
                if "NEGATION" not in classes and (name != "GREETING" or signed):
                    yield after

    def _build(self, production: Production, end: int, *arguments: Any) -> list[Any] | None:
        """What a production makes of words that end at ``end``: orders, or the units of a group; None if nothing."""
        try:
            made = production.build(self.text, *arguments)
        except OrderTextError as error:
            if self.fault is None or end > self.fault[0]:
                self.fault = end, error
            return None
        return [made] if isinstance(made, Order) else made

    def _opening(self, i: int) -> list[Candidate]:
        text = self.text
        found: list[Candidate] = []
        for production, node in text.reader.index("opens", text.phase).at(text, i):
            for end, slots, cost in node.match(text, i):
                orders = self._build(production, end, slots_of(slots))
                if orders:
                    general = frozenset(units_of(orders)) if production.general else frozenset()
                    found.append(Candidate(end, orders, cost + production.far, general))
        for production, node in text.reader.index("groups", text.phase).at(text, i):
            for end, slots, cost in node.match(text, i):
                units = self._build(production, end, slots_of(slots))
                if units is not None:
                    rest = frozenset(province_of(unit.at) for unit in units)
                    found += self._said(end, units, cost + production.far, rest=rest)
        return found

    def _units(self, i: int) -> list[Candidate]:
        """Orders that begin with a unit, or with several of which one thing is said."""
        text = self.text
        found: list[Candidate] = []
        for end, subject, cost in text.units(i):
            if found and cost > min(one.cost for one in found) + 1.0:
                break
            unit = self.own(subject)
            if unit is None:
                continue
            found += self._said(end, [unit], cost)
            found += self._helped_on_the_way(end, unit, cost)
            told = unit.kind or text.adjusting or text.own(province_of(unit.at))
            if text.position is not None and text.power and not told:
                continue
            for last, units, further in self._listed(end, unit):
                found += self._said(last, units, cost + further)
        return found

    def own(self, subject: Subject) -> Subject | None:
        """Return a unit that is ordered, with where it stands; None if that isn't clear."""
        text = self.text
        if subject.power not in ("", text.power) and text.power and not self._may_be_lent(subject):
            if self.fault is None:
                span = text.span(subject.place.first, subject.place.last)
                mine, theirs = map(possessive, (text.power, subject.power))
                error = refuse("not yours", text.text, span, mine=mine, theirs=theirs)
                self.fault = subject.place.last, error
            return None
        tests = [text.stands(subject.kind), text.present(subject.kind, text.power), text.present(subject.kind)]
        if text.adjusting and text.units_over() < 0:
            tests = tests[:1]
        at = text.pick(subject.place, *tests)
        if at is None:
            return None
        kind = subject.kind
        free = text.adjusting and province_of(at) not in text.standing
        if not kind and text.kind and (free or text.present(text.kind, text.power)(province_of(at))):
            kind = text.kind
        return msgspec.structs.replace(subject, at=at, kind=kind)

    def _helped_on_the_way(self, i: int, unit: Subject, cost: float) -> list[Candidate]:
        """``A bur, supported by A par, moves to mun``: helpers that are named before what the unit does."""
        text = self.text
        if text.words[i] not in (",", "(") and text.at[i].keys().isdisjoint(_HELPED):
            return []
        found: list[Candidate] = []
        for production, node in text.reader.index("beside", text.phase).at(text, i):
            for end, slots, further in node.match(text, i):
                for one in self._said(end + (text.words[end] == ","), [unit], cost + further + 0.1):
                    orders = self._build(production, one.end, one.orders[0], slots_of(slots)) if one.orders else []
                    if orders:
                        one.orders = [*one.orders, *orders]
                        found.append(one)
        return found

    def _may_be_lent(self, subject: Subject) -> bool:
        """Whether another power's unit can be under this power's orders, so that it may be named with its owner."""
        text = self.text
        stands = (text.standing.get(key) for key in subject.place.meaning.keys)
        return text.reader.lending and any(unit is None or unit.power == subject.power for unit in stands)

    def said_of(self, i: int, unit: Subject) -> list[Candidate]:
        """Return what the words from one on may say of a unit, the likeliest first."""
        return sorted(self._said(i, [unit], 0.0), key=lambda one: one.cost - LEFT * one.end)

    def _listed(self, end: int, first: Subject) -> Iterator[tuple[int, list[Subject], float]]:
        """Lists of units: each longer one, with where it ends."""
        text = self.text
        units, cost, i = [first], 0.0, end
        while len(units) < MOST_UNITS and text.listed < MOST_LISTED:
            text.listed += 1
            joints = i
            while said := text.at[joints].get("AND"):
                joints += said[-1][0]
            if joints == i or any(text.words[head] == ":" for head, _, _ in text.kinds(joints)):
                return
            named = next(((e, own, c) for e, s, c in text.units(joints) if (own := self.own(s)) is not None), None)
            if named is None:
                return
            i = named[0]
            units = [*units, named[1]]
            cost += named[2]
            yield i, units, cost

    def _said(self, i: int, units: list[Subject], cost: float, rest: frozenset[str] | None = None) -> list[Candidate]:
        """What is said of units behind them."""
        text = self.text
        found: list[Candidate] = []
        for at in self._verb_places(i, several=len(units) > 1 or rest is not None):
            both = any("BOTH" in text.at[k] for k in range(i, at))
            for production, node in text.reader.index("says", text.phase).at(text, at):
                if (len(units) > 1 or rest is not None) and not (production.shared or both):
                    continue
                for end, slots, further in node.match(text, at):
                    kept = slots_of(slots)
                    orders: list[Order] = []
                    for unit in units:
                        of = kept if len(units) == 1 else kept | {"of": units}
                        made = self._build(production, end, unit, of) or []
                        orders += made
                        if not made and rest is None:
                            orders = []
                            break
                    if orders or (rest is not None and not units):
                        found.append(Candidate(end, orders, cost + further + production.far, rest or frozenset()))
        goes = text.words[i] == "-" and bool(text.places(i + 1)) and not text.kinds(i + 1)
        if self.bare is not None and not goes and (not found or text.phase is not Phase.MOVEMENT):
            kind = ""
            orders = []
            for unit in units:
                kind = unit.kind or kind
                order = self.bare(text, msgspec.structs.replace(unit, kind=kind))
                if order is None:
                    break
                orders.append(order)
            counts = [unit.count for unit in units if unit.count]
            if len(orders) == len(units) and (not counts or sum(counts) == len(units) or counts == [len(units)]):
                found.append(Candidate(i, orders, cost + BARE, rest or frozenset()))
        return found

    def _verb_places(self, i: int, *, several: bool) -> list[int]:
        """Where what a unit does may begin: behind the unit, and behind auxiliaries and the like."""
        text = self.text
        places, edge = [i], [i]
        sign, after = text.words[i], i + 1
        if (sign in (":", DOTS) or (sign == "," and len(text.words[after]) > 1)) and after < len(text.words):
            edge.append(after)
            places.append(after)
        for _ in range(5):
            if not edge:
                break
            further = [p + length for p in edge for length, _ in text.at[p].get("AUX", ())]
            further += [p + length for p in edge for length, _ in text.at[p].get("BOTH", ()) if several]
            edge = [p for p in dict.fromkeys(further) if p not in places]
            places += edge
        return places

    def _with_helpers(self, one: Candidate) -> Iterator[Candidate]:
        """An order, and that order with those of the units that are said behind it to help."""
        yield one
        behind = one.end + (self.text.words[one.end] == ",")
        if one.general and not self._excepting and "EXCEPT" in self.text.at[behind]:
            self._excepting = True
            found = [*self._with_exceptions(one)]
            self._excepting = False
            yield from found
        if len({type(order) for order in one.orders}) != 1:
            return
        text, order = self.text, one.orders[-1]
        edge = [one]
        for _ in range(MOST_HELPERS):
            further: list[Candidate] = []
            for before in edge:
                for production, node in text.reader.index("beside", text.phase).at(text, before.end):
                    if len(one.orders) > 1 and not production.shared:
                        continue
                    for end, slots, cost in node.match(text, before.end):
                        orders = self._build(production, end, order, slots_of(slots))
                        if orders:
                            total = before.cost + cost + production.far
                            made = [*before.orders, *orders]
                            further.append(Candidate(end, made, total, one.general, one.start))
            yield from further
            edge = further

    def _with_exceptions(self, one: Candidate) -> Iterator[Candidate]:
        """What is said of all units, and what is said behind that of some of them: ``all hold except A par - gas``."""
        text = self.text
        begin = one.end + (text.words[one.end] == ",")
        for length, _ in text.at[begin]["EXCEPT"]:
            named = [(end, self.own(unit), cost) for end, unit, cost in text.units(begin + length)[:2]]
            found = [(o.end, o.orders, set(units_of(o.orders)), o.cost) for o in self.at(begin + length)[:3]]
            for end, left, cost in named:
                if left is not None and text.ends(end):
                    found.append((end, [], {province_of(left.at)}, cost + 0.1))
            for end, orders, apart, cost in found:
                rest = [order for order in one.orders if apart.isdisjoint(units_of([order]))]
                yield Candidate(end, [*rest, *orders], one.cost + cost, one.general - apart, one.start)

    def _with_tail(self, one: Candidate) -> Iterator[Candidate]:
        """Orders, and with words behind them that say nothing of them."""
        yield one
        text = self.text
        edge, seen = [one.end], {one.end}
        for count in range(1, 4):
            further: list[int] = []
            for end in edge:
                if text.tokens[end - 1].soft:
                    continue
                for length, _ in text.at[end].get("CONTRAST", ()):  # instead of Munich, rather than A rum
                    further += [last for last, _, cost in text.units(end + length)[:3] if cost < 1.5]
                comma = text.words[end] in (",", "-", "(")
                for length, _ in text.at[end + comma].get("TAIL", ()):
                    last = end + comma + length
                    if text.words[end] == "(":
                        if text.words[last] != ")":
                            continue
                        last += 1
                    further.append(last)
            edge = [end for end in further if end not in seen]
            seen.update(edge)
            for end in edge:
                yield Candidate(end, one.orders, one.cost + TAIL * count, one.general, one.start)


def units_of(orders: Sequence[Order]) -> list[str]:
    """Return the provinces of the units that are ordered."""
    return [province_of(at) for order in orders if (at := getattr(order, "at", ""))]
