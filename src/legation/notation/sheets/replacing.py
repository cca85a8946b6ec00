"""Lines that give a unit another order than what stands above them: ``Correction: A par - pic``, ``PS Paris holds
instead``, ``Sorry, make that F bre rather than A mar``."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from legation.board import province_of
from legation.notation.errors import OrderTextError
from legation.notation.layout import Line
from legation.notation.names import fold
from legation.notation.prose import correcting
from legation.notation.sheets.apart import ApartReader
from legation.notation.sheets.order_text import places_of
from legation.notation.sheets.passages import Part
from legation.notation.sheets.reasons import UNREAD
from legation.orders import Build, Hold, Move, Order, Remove, Retreat
from legation.position import Phase

AMENDS_EARLIER = (
    "this changes an order that isn't on this sheet; what you send replaces all your orders, so send them all again"
)
SEND_ONCE = "send only what you mean, without such a word"
MOST_LEADS = 5  # words before an order that corrects: Oops, sorry, no, make that
_MARKS = re.compile('["“”„«»]')
"""Quotation marks around orders of which one replaces the other."""
_INSTEAD_WITHIN = re.compile(
    r"\s{1,5}(?:instead(?!\sof\b)|after all)(?=[,.;!]|\s{1,3}(?:and|please|pls|then|thanks)\b|\s{0,3}\Z)", re.IGNORECASE
)
_BETWEEN = frozenset("- to s c supports goes moves".split())
_SMALL = frozenset("to the a an going go goes moving move moves in at from for of my it".split())


class Anew(msgspec.Struct, frozen=True):
    """What a line orders anew, as long as the line; the text of the order that it says is replaced (``of``), what that
    order was (``former``), and which in the list it was (``count``; 0 if it isn't counted, -1 for the last)."""

    text: str
    of: str = ""
    former: str = ""
    count: int = 0


def ordered_anew(text: str) -> list[Anew]:
    """What a line may order that corrects what stands above it; empty if it corrects nothing."""
    plain, count, former = text, 0, ""
    for _ in range(MOST_LEADS):
        lead = len(plain) - len(plain.lstrip())
        match = next((m for known in correcting.CORRECTING if (m := known.match(plain[lead:]))), None)
        if match is None or not plain[lead + match.end() :].strip():
            break
        former = match.groupdict().get("former") or former
        count = next(
            (correcting.COUNTS[word] for word in fold(match.group()).split() if word in correcting.COUNTS), count
        )
        plain = " " * (lead + match.end()) + plain[lead + match.end() :]
    if match := correcting.AGAINST.search(plain):
        former = match["former"]
        plain = plain[: match.start()]
    plain = _INSTEAD_WITHIN.sub(lambda match: " " * len(match.group()), plain)
    if match := correcting.INSTEAD.search(plain):
        plain = plain[: match.start()] + " " * (match.end() - match.start())
    lead = len(plain) - len(plain.lstrip())
    change = correcting.CHANGE.match(plain[lead:])
    if change is None:
        return [Anew(plain, "", former, count)] if plain != text else []
    begin = lead + change.end()
    plain = " " * begin + _MARKS.sub(" ", plain[begin:])
    further = []
    for word in (" to ", " with ", " by "):  # Change A par to A par - pic
        last = plain.rfind(word)
        if last >= begin:
            end = last + len(word)
            further.append(Anew(" " * end + plain[end:], plain[begin:last].strip(), former))
    return [*further, Anew(plain, "", former)]


class ReplacingReader(ApartReader):
    """Reads lines whose orders count instead of orders above them."""

    def orders_anew(self, line: Line) -> bool:
        """Read a line whose order counts instead of the one above it for the same unit, or instead of a build that it
        names; whether it is such a line."""
        if self._adjusts and self._built_as_another(line):
            return True
        starred = self.starred(line)
        for anew in ordered_anew(line.text) or [Anew(line.text)] * starred:
            if self._adjusts and (replaced := self._build_replaced(line, anew)):
                self._replace(line, anew.text, replaced)
                return True
            one = msgspec.structs.replace(line, text=anew.text)
            parts, against = self.tried(one)
            orders = [order for part in parts for order in part.orders]
            units = {province_of(getattr(order, "at", "")) for order in orders}
            if against or not units or "" in units or not _all_read(parts):
                continue
            if anew.of and not self._is_of(anew.of, units):
                continue
            if self._adjusts and not all(isinstance(order, Build | Remove) for order in orders):
                continue  # of builds, ``change Paris to Marseilles`` says no move
            before = [i for i in self._orders_above() if self._of(i) in units]
            if anew.former and not any(self._was(anew.former, i) for i in before):
                continue
            if not before and self._adjusts and self._may_replace(line):
                return True
            if not before and not correcting.CORRECTION.match(line.text):
                return self._amends_nothing(line)
            if not before:
                self.amendments.append(line.number)
            if starred and len(before) != len(units):
                return False
            self._replace(line, anew.text, before)
            return True
        return self._goes_elsewhere(line)

    def starred(self, line: Line) -> bool:
        """Whether the only line of a sheet that begins with a star is this, as people of the chat correct themselves:
        ``*mar-pie``."""
        return self.plain[max(line.start - 1, 0) : line.start] == "*" and self.plain.count("\n*") == 1

    @property
    def _adjusts(self) -> bool:
        return self.phase in (Phase.ADJUSTMENTS, Phase.PLACEMENT)

    def _orders_above(self) -> list[int]:
        return [i for i, p in enumerate(self.passages) if p.order is not None and p.power == self.section]

    def _of(self, at: int) -> str:
        """Where the unit stands that the order of a passage is for."""
        return province_of(getattr(self.passages[at].order, "at", ""))

    def _replace(self, line: Line, text: str, replaced: list[int]) -> None:
        """Take back orders and read a line in their place; a unit alone is built or removed as they were."""
        verb, orders = self.verb, [self.passages[i].order for i in replaced]
        if self._adjusts and orders:
            self.verb = "remove" if isinstance(orders[0], Remove) else "build"
        for i in replaced:
            self.claimed -= isinstance(self.passages[i].order, Build)
            self.ordered.pop(self._of(i), None)
            self.take_back(i, f"line {line.number} corrects this", "superseded")
        parts, _ = self.parts(msgspec.structs.replace(line, text=text))
        for part in parts:
            if part.error is not None:
                self.add_fault(part.start, part.end, line.number, part.error)
            else:
                new = [_of_kind(order, orders) for order in part.orders]
                self.add_orders(part.start, part.end, line.number, new)
        self.verb, self.last = verb, None

    def _build_replaced(self, line: Line, anew: Anew) -> list[int]:
        """The build or removal above that a line replaces by others: the one that it names or counts, that of the same
        place, or the only one there is; none where that isn't clear."""
        above = [i for i in self._orders_above() if isinstance(self.passages[i].order, Build | Remove)]
        if not above:
            return []
        verb = self.verb
        self.verb = "remove" if isinstance(self.passages[above[0]].order, Remove) else "build"
        parts, against = self.tried(msgspec.structs.replace(line, text=anew.text))
        self.verb = verb
        orders = [order for part in parts for order in part.orders]
        if against or len(orders) != 1 or not isinstance(orders[0], Build | Remove) or not _all_read(parts):
            return []
        same = [i for i in above if self._of(i) == province_of(orders[0].at)]
        if anew.former or anew.of:
            named = [i for i in above if self._was(anew.former or anew.of, i)]
            named = [i for i in named if i in same] or named
            return named if len(named) == 1 else []
        if same:
            return same
        if anew.count:
            return above[anew.count - (anew.count > 0) :][:1] if abs(anew.count) <= len(above) else []
        return above if len(above) == 1 and correcting.SUBSTITUTES.search(line.text) else []

    def _built_as_another(self, line: Line) -> bool:
        """Read ``change Durham to army``: what is built there above is of another kind; whether it is such a line."""
        match = correcting.OF_KIND.fullmatch(line.text)
        kind = self.reader.kinds.get(fold(match["kind"])) if match is not None else None
        if match is None or kind is None:
            return False
        builds = [i for i in self._orders_above() if isinstance(self.passages[i].order, Build)]
        named = [i for i in builds if self._was(match["place"], i)]
        if len(named) != 1:
            return False
        at = getattr(self.passages[named[0]].order, "at", "")
        self.ordered.pop(self._of(named[0]), None)
        self.take_back(named[0], f"line {line.number} corrects this", "superseded")
        self.add_orders(line.start, line.end, line.number, [Build(kind, at)])
        self.last = None
        return True

    def _was(self, text: str, at: int) -> bool:
        """Whether words say what the order of a passage was: where it went, whose it was, or that it held."""
        order = self.passages[at].order
        words = [word for word in fold(text).split() if word not in _SMALL]
        if not words or order is None:
            return False
        if all(word in self.reader.stays or word in ("holding", "staying", "support", "supporting") for word in words):
            held = isinstance(order, Hold)
            return held if words[0] in self.reader.stays else not held and hasattr(order, "target")
        kind = self.reader.kinds.get(words[0]) if len(words) == 1 and len(words[0]) > 1 else None
        if kind is not None:
            return bool(kind == getattr(order, "kind", ""))
        parser = self.parser(" ".join(word for word in text.split() if fold(word) not in _SMALL))
        parser.step_over_kind()
        places = {province_of(place) for place in places_of(order)}
        named: set[str] = set()
        while parser.at < len(parser.tokens):
            meaning, end = parser.longest_name(parser.at)
            if not meaning.keys and parser.peek() not in _BETWEEN | self.reader.kinds.keys():
                return False
            named |= set(meaning.keys[:1])
            parser.at = max(end, parser.at + 1)
        return bool(named) and named <= places

    def _goes_elsewhere(self, line: Line) -> bool:
        """Read ``Sorry, make that Helgoland for the fleet``: the last move above goes to another place, or the only one
        of a unit of that kind; whether it is such a line."""
        match = correcting.MAKE_THAT.fullmatch(line.text)
        if match is None or self.phase not in (Phase.MOVEMENT, Phase.RETREATS):
            return False
        moves = [i for i in self._orders_above() if isinstance(self.passages[i].order, Move | Retreat)]
        kind = self.reader.kinds.get(fold(match["kind"] or ""), "")
        of_kind = [i for i in moves if kind in ("", self._kind_at(i))]
        last = self._orders_above()[-1:]
        chosen = of_kind if kind else [i for i in moves if i in last]
        if len(chosen) != 1:
            for i in chosen:
                self.take_back(i, f"line {line.number} seems to correct this; send only what you mean")
            return False
        order = self.passages[chosen[0]].order
        assert isinstance(order, Move | Retreat)
        changed = self.going_to(order, match["place"])
        if changed is None:
            return False
        begin = line.start + match.start("place")
        self.ordered.pop(self._of(chosen[0]), None)
        self.take_back(chosen[0], f"line {line.number} corrects this", "superseded")
        self.add_orders(begin, line.end, line.number, [changed])
        self.last = None
        return True

    def _kind_at(self, at: int) -> str:
        """The kind of the unit that the order of a passage is for."""
        written = str(getattr(self.passages[at].order, "kind", ""))
        stands = self.parser("").standing.get(self._of(at))
        return written or (stands.kind if stands is not None else "")

    def _amends_nothing(self, line: Line) -> bool:
        """Refuse ``change Paris to hold`` and ``A par H instead`` where no order stands above."""
        if self._orders_above():
            return False
        if not (correcting.CHANGE.match(line.text) or correcting.INSTEAD.search(line.text)):
            return False
        self.refuse(line.start, line.end, line.number, AMENDS_EARLIER, "superseded")
        self.last = None
        return True

    def _may_replace(self, line: Line) -> bool:
        """Refuse ``Correction: build A mar`` and the orders above it, of other places: it may replace one of them or
        come beside them."""
        above = self._orders_above()
        if not above or correcting.POSTSCRIPT.match(line.text):
            return False
        for i in above:
            self.take_back(i, f"line {line.number} may correct this; {SEND_ONCE}")
        self.refuse(line.start, line.end, line.number, f"this may replace the order above or add to it; {SEND_ONCE}")
        self.last = None
        return True

    def _is_of(self, text: str, units: set[str]) -> bool:
        """Whether what an order replaces is of the same unit: no order of Paris is replaced by one of Marseilles."""
        try:
            return province_of(self.parser(text).subject().at) in units
        except OrderTextError:
            return False


def _of_kind(order: Order, replaced: Sequence[Order | None]) -> Order:
    """A build of which no kind is said, of the kind of the build that it replaces: ``change Paris to Marseilles``."""
    before = replaced[0] if len(replaced) == 1 else None
    if isinstance(order, Build) and isinstance(before, Build) and not order.kind:
        return Build(before.kind, order.at)
    return order


def _all_read(parts: list[Part]) -> bool:
    """Whether nothing of a line is refused but reasons beside its orders."""
    return all(part.error is None or part.error.message in UNREAD for part in parts)
