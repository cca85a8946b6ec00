"""Corrections in prose: lines that take back what stands above them and order something else, clause by clause:
``Forget Brest to the Channel, it goes to the Mid-Atlantic``, ``Spain cannot be reached, so A mar - pie please``."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from legation.board import province_of
from legation.notation.errors import OrderTextError
from legation.notation.layout import Line
from legation.notation.names import fold
from legation.notation.prose import rewording, sayings
from legation.notation.sheets.asides import is_chat, may_mean_an_order
from legation.notation.sheets.order_text import places_of
from legation.notation.sheets.replacing import ReplacingReader
from legation.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Moving,
    Order,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)
from legation.position import Phase

LONGEST_RESTATED = 400  # characters of a line
LONGEST_OPENING = 40  # characters
MOST_CLAUSES = 10
_NEVER = (
    (sayings.CONDITIONS - frozenset("instead rather should would because while first only case".split()))
    | (sayings.DRAFTS - {"next", "later"})
    | sayings.QUOTES
    | frozenset("? or asks asked asking suggests suggested says proposes proposed claims".split())
)
"""Words of lines that leave open what counts, or tell what others say."""
_DENIES = frozenset(
    "not no cannot cant couldnt isnt arent wont doesnt dont never was were had wrote said sent typed put wrong mistake "
    "forget scratch scrap scrub cancel drop ignore disregard impossible illegal nonsense invalid pointless occupied "
    "blocked".split()
)
"""Words of clauses that say what an order was, or why it doesn't count."""
_TAKES_BACK = frozenset("forget scratch scrap scrub cancel drop ignore disregard".split())
_LATER = re.compile(
    r"\b(?:next (?:time|turn|year|season)|later|in (?:the )?(?:winter|fall|autumn|spring)|this winter)\b"
)


class _Said(msgspec.Struct):
    """What the clauses of a line say together."""

    orders: list[Order]
    replaced: set[int]  # passages
    denied: list[str]  # clauses of what does not count
    unit: str = ""  # the province of the unit of which the last clause speaks


class RestatingReader(ReplacingReader):
    """Reads corrections in prose."""

    def orders_anew(self, line: Line) -> bool:
        """Read a line that orders anew what stands above it, in short or in prose; whether it is such a line."""
        return super().orders_anew(line) or self._restated(line)

    def _may_replace(self, line: Line) -> bool:
        return self._restated(line) or super()._may_replace(line)

    def _restated(self, line: Line) -> bool:
        """Read a line that says what is wrong above it and orders something else; whether it is such a line."""
        if len(line.text) > LONGEST_RESTATED or not self._orders_above() or self.turns_left <= 0:
            return False
        words = fold(line.text.replace("?", " ? ")).split()
        if not rewording.CUES & set(words) or not _NEVER.isdisjoint(words) or "?" in line.text:
            return False
        clauses = rewording.clauses(line.text)
        if not 0 < len(clauses) <= MOST_CLAUSES:
            return False
        self.turns_left -= 1
        before = dict(self.ordered)
        said = self._said(clauses)
        self.ordered = before
        if said is None or not said.orders or not said.replaced:
            return False
        for i in said.replaced:
            self.claimed -= isinstance(self.passages[i].order, Build | Waive)
            self.ordered.pop(self._of(i), None)
            self.take_back(i, f"line {line.number} corrects this", "superseded")
        self.add_orders(line.start, line.end, line.number, said.orders)
        self.last = None
        return True

    def corrected_within(self, line: Line) -> tuple[Line, Order | None]:
        """Return a line up to where it says something else of its last unit, and the order that counts: ``F nap - adr;
        sorry, Ionian``; None if it is no such line."""
        if line.comment:
            return line, None
        if (match := rewording.WITHIN.search(line.text)) is not None:
            before = msgspec.structs.replace(line, text=line.text[: match.start()])
            last = self._last_of(before)[0]
            power = self.reader.powers.exact(fold(match["place"]))
            if power is None and isinstance(last, Move | Retreat) and (order := self.going_to(last, match["place"])):
                return before, order
        for match in rewording.BREAKS_OFF.finditer(line.text):
            if self.turns_left <= 0:
                break
            self.turns_left -= 1
            before = msgspec.structs.replace(line, text=line.text[: match.start()])
            if (other := self._broken_off(before, line.text[match.end() :])) is not None:
                return before, other
        return line, None

    def _last_of(self, line: Line) -> tuple[Order | None, str]:
        """The last order of a line of which all but the last part is read, and the province of its unit; this also
        where that part isn't understood."""
        parts, against = self.tried(line)
        if against or not parts or any(part.error is not None for part in parts[:-1]):
            return None, ""
        last = parts[-1]
        if last.orders and last.error is None:
            return last.orders[-1], province_of(getattr(last.orders[-1], "at", ""))
        return None, self.unit_begun(self.plain[last.start : last.end]) if last.shaped else ""

    def _broken_off(self, before: Line, text: str) -> Order | None:
        """The order that is said behind a line of its last unit, with why what is said there doesn't count; None if
        anything else is said."""
        words = set(fold(text).split())
        if len(text) > LONGEST_RESTATED or "?" in text or not _NEVER.isdisjoint(words):
            return None
        given, unit = self._last_of(before)
        if not unit:
            return None
        said = _Said([], set(), [], unit)
        kept = dict(self.ordered)
        understood = all(self._clause_said(clause, said) for clause in rewording.clauses(text))
        self.ordered = kept
        places = {province_of(place) for order in (given, *said.orders) if order for place in places_of(order)}
        if not understood or len(said.orders) != 1 or any(not self._named(one) <= places for one in said.denied):
            return None
        return said.orders[0] if province_of(getattr(said.orders[0], "at", "")) == unit else None

    def _said(self, clauses: Sequence[rewording.Clause]) -> _Said | None:
        """What clauses order in place of what; None where one of them isn't understood, or may mean something else."""
        said = _Said([], set(), [])
        for clause in sorted(clauses, key=lambda one: not self._stays(one, said)):
            if not self._clause_said(clause, said):
                return None
        places = {province_of(place) for order in said.orders for place in places_of(order)}
        for i in said.replaced:
            order = self.passages[i].order
            places |= {province_of(place) for place in places_of(order)} if order is not None else set()
        if any(not self._named(text) <= places for text in said.denied):
            return None
        return said

    def _clause_said(self, clause: rewording.Clause, said: _Said) -> bool:
        """Add what a clause says; return whether it is understood."""
        text = clause.text
        if self._stays(clause, said):
            return True
        pointed = clause.count or clause.of_last
        if not text or (
            not pointed
            and not may_mean_an_order(text, self.reader)
            and is_chat(fold(text).split() or [""], self.reader)
        ):
            return True
        if orders := self._clause_orders(clause, said):
            replaced = self._replaced_by(orders, clause, said)
            if replaced is None or (clause.former and not any(self._was(clause.former, i) for i in replaced)):
                return False
            said.replaced |= replaced
            said.orders += orders
            said.unit = province_of(getattr(orders[-1], "at", "")) or said.unit
            return True
        return self._sets_topic(clause, said) or self._denied(text, said) or self._is_kept(text) or _is_of_later(text)

    def _stays(self, clause: rewording.Clause, said: _Said) -> bool:
        """Whether a clause says that a unit isn't removed after all: ``Brest stays``."""
        match = rewording.STAYS.fullmatch(clause.text) if self.phase is Phase.ADJUSTMENTS else None
        if match is None:
            return False
        kept = match["kept"] or match["stays"]
        removed = [i for i in self._orders_above() if isinstance(self.passages[i].order, Remove) and self._was(kept, i)]
        if len(removed) != 1:
            return False
        said.denied += [kept] * (kept not in said.denied)
        return True

    def _sets_topic(self, clause: rewording.Clause, said: _Said) -> bool:
        """Whether a clause only names a unit above, of which the next one speaks: ``change Paris``."""
        match = rewording.TOPIC.fullmatch(clause.text)
        if match is None or not (clause.led or rewording.CUES & set(fold(clause.text).split())):
            return False
        parser = self.parser(match["what"])
        try:
            at = province_of(parser.subject().at)
        except OrderTextError:
            return False
        if parser.at < len(parser.tokens) or not self._has_order(at):
            return False
        said.unit = at
        return True

    # What a clause orders

    def _clause_orders(self, clause: rewording.Clause, said: _Said) -> list[Order]:
        """The orders that a clause gives in one of its readings; none if it gives none."""
        above = self._orders_above()
        last = self.passages[above[-1]].order if above else None
        unit = said.unit or (self._of(above[-1]) if clause.of_last and above else "")
        verb = self.verb
        if self._adjusts:
            self.verb = "remove" if isinstance(last, Remove) else "build"
        try:
            for text in rewording.readings(clause, self._unit_text(unit), adjusting=self._adjusts):
                if orders := self._whole_orders(text):
                    return orders
            if self._adjusts and unit and (order := self._of_kind_at(clause.text, unit)) is not None:
                return [order]  # Correction for Brest: army
            if clause.of_last and above and (order := self._last_with(clause.text)) is not None:
                return [order]
        finally:
            self.verb = verb
        return []

    def _whole_orders(self, text: str) -> list[Order]:
        """The orders of own units or builds that a text gives and nothing else; none if it says more."""
        parser = self.parser(text)
        try:
            orders = parser.orders()
            while not parser.general and parser.peek() in (",", "and", "&", ";"):
                parser.at += 1
                orders += parser.orders()
        except OrderTextError:
            return []
        if parser.at < len(parser.tokens) or parser.general or not all(map(self._is_due, orders)):
            return []
        return orders

    def _is_due(self, order: Order) -> bool:
        """Whether an order is one of this phase, for an own unit where it says something of one."""
        own = self.parser("").present("", self.section)
        if self._adjusts:
            return not isinstance(order, Disband | Hold | Retreat | Moving | SupportHold | SupportMove | Convoy)
        if self.phase is Phase.RETREATS:
            return isinstance(order, Retreat | Disband)
        return not isinstance(order, Build | Remove | Waive | Disband | Retreat) and own(
            province_of(getattr(order, "at", ""))
        )

    def _of_kind_at(self, text: str, at: str) -> Order | None:
        """A build of another kind in a place where one was ordered; None if the words say no kind alone."""
        words = [word for word in fold(text).split() if word not in ("a", "an", "the")]
        kind = self.reader.kinds.get(words[0]) if len(words) == 1 and len(words[0]) > 1 else None
        built = next((self.passages[i].order for i in self._orders_above() if self._of(i) == at), None)
        return Build(kind, at) if kind and isinstance(built, Build) and kind != built.kind else None

    def _unit_text(self, at: str) -> str:
        """How the own unit in a province is written; empty if none stands there."""
        stands = self.parser("").standing.get(at)
        return f"{stands.kind} {stands.at}" if stands is not None else ""

    def _last_with(self, text: str) -> Order | None:
        """The last order above with another goal (``make that Ionian``) or another kind (``make it a fleet``); None if
        the words say neither."""
        order = self.passages[self._orders_above()[-1]].order
        words = [word for word in fold(text).split() if word not in ("a", "an", "the", "to")]
        kind = self.reader.kinds.get(words[0]) if len(words) == 1 and len(words[0]) > 1 else None
        if isinstance(order, Build) and kind is not None:
            return Build(kind, order.at.partition("/")[0]) if kind != order.kind else None
        if isinstance(order, Move | Retreat) and text:
            return self.going_to(order, text)
        for i in reversed(self._orders_above()) if self._adjusts else ():
            opening = fold(self.plain[self.passages[i].start :][:LONGEST_OPENING].split(maxsplit=1)[0])
            again = self._whole_orders(f"{opening} {text}") if opening in self.reader.openings else []
            if len(again) == 1 and type(again[0]) is type(self.passages[i].order):
                return again[0]  # Send 1 to Hamilton. Make that 2 to Hamilton
        return None

    # What it replaces

    def _replaced_by(self, orders: Sequence[Order], clause: rewording.Clause, said: _Said) -> set[int] | None:
        """The passages above that the orders of a clause replace; None where that isn't clear."""
        above = [i for i in self._orders_above() if i not in said.replaced]
        units = {province_of(getattr(order, "at", "")) for order in orders}
        same = {i for i in above if self._of(i) in units and self._of(i)}
        if clause.count:
            if abs(clause.count) > len(above) or len(orders) > 1:
                return None
            counted = above[clause.count - (clause.count > 0)]
            return {counted} if self._adjusts or self._of(counted) in units else None
        if not self._adjusts:
            return same
        withdrawn = {i for i in above for text in said.denied if self._was(_bare(text), i)}
        if withdrawn and len(withdrawn) == len(orders) and (same <= withdrawn):
            return withdrawn
        if same:
            return same
        if clause.of_last and not isinstance(orders[0], Build | Remove):
            alike = [i for i in above if type(self.passages[i].order) is type(orders[0])]
            return {alike[-1]} if alike else None
        if clause.of_last:
            return {above[0]} if len(above) == 1 else None
        if clause.further and said.replaced:
            return set()
        of_kind = {i for i in above if clause.definite and self._kind_at(i) == getattr(orders[0], "kind", "-")}
        return of_kind if len(of_kind) == len(orders) == 1 else None

    # What else a clause may say

    def _denied(self, text: str, said: _Said) -> bool:
        """Whether a clause only says what an order above was, or why it doesn't count; if it names the unit of one, the
        next clause may speak of that."""
        words = fold(text).split()
        if _DENIES.isdisjoint(words) or ("-" in text.split() and not self._quotes(text)):
            return False
        if any(word in sayings.HEARD - {"was", "wrote", "said", "wrong", "mistake"} for word in words):
            return False
        taken = [i for i in self._orders_above() if _TAKES_BACK & set(words) and self._was(_bare(text), i)]
        if _TAKES_BACK & set(words) and self._named(text) and len(taken) != 1:
            return False
        said.denied.append(text)
        units = [self._of(i) for i in taken] or [at for at in self._named(text) if self._has_order(at)]
        if len(units) == 1:
            said.unit = units[0]
        return True

    def _quotes(self, text: str) -> bool:
        """Whether a text says again what an order above says."""
        return any(self._was(_bare(text), i) for i in self._orders_above())

    def _has_order(self, at: str) -> bool:
        return any(self._of(i) == at for i in self._orders_above())

    def _is_kept(self, text: str) -> bool:
        """Whether a clause says that an order above stays as it is: ``yor same``, ``the rest is unchanged``."""
        match = rewording.KEPT.fullmatch(text.strip(" .!"))
        if match is None:
            return False
        return (
            match["rest"] is not None
            or self._named(match["what"] or "") <= {self._of(i) for i in self._orders_above()} - {""} != set()
        )

    def _named(self, text: str) -> set[str]:
        """The provinces that a text names."""
        parser = self.parser(text)
        found: set[str] = set()
        at = 0
        while at < len(parser.tokens):
            meaning, end = parser.longest_name(at)
            if meaning.keys and len(parser.tokens[at].text) > 2:
                found.add(province_of(meaning.keys[0]))
            at = max(end, at + 1)
        return found


def _bare(text: str) -> str:
    """What a clause says an order was, without the words that deny it: ``Brest to the Channel``."""
    return " ".join(word for word in text.split() if fold(word) not in _DENIES | {"i", "that", "please", "is"})


def _is_of_later(text: str) -> bool:
    """Whether a clause only tells a plan for another turn: ``I want to build there next time``."""
    words = fold(text).split()
    return (
        _LATER.search(" ".join(words)) is not None and words[0] in ("i", "we", "so", "then", "to") and "-" not in text
    )
