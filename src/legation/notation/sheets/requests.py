"""Lines that ask politely for what is listed below them: ``Hope you are well. Please could you``, and then ``- move
Paris to Gascony``."""

from __future__ import annotations

import re

import msgspec

from legation.notation.layout import Line, lines_of
from legation.notation.names import SHORTEST_BEGINNING, fold
from legation.notation.prose import announcing, heading_text, sayings
from legation.notation.sheets.headings import LOOK_AHEAD, HeadingReader
from legation.position import Phase

_CLAUSES = re.compile(r"[.!?,;:]{1,3}(?:\s{1,9}|\Z)")
_WISHES = frozenset("have let keep leave put".split())
"""First words of an order in a list that is asked for, beside those with which orders begin."""


_DOUBTS = (
    (sayings.AGAINST - sayings.CHATTY)
    | sayings.OPENS
    | sayings.CORRECTS
    | sayings.HEARD
    | sayings.QUESTIONS
    | frozenset("could would may might not".split())
)
"""Words of clauses that may set a condition for what is asked for, or tell whose words it is."""


class RequestReader(HeadingReader):
    """Reads headings, requests for what is listed below among them."""

    def heading_alone(self, line: Line) -> bool:
        """The same as for other headings, and for a line that asks for what is listed below it."""
        if self._builds_at_home(line.text):
            return False
        return super().heading_alone(line) or self._asks_below(line)

    def _builds_at_home(self, text: str) -> bool:
        """Whether a line that looks like a heading names a unit to be built in a place called like the power:
        ``Newcastle fleet build``."""
        words = fold(text).split()
        if self.phase not in (Phase.ADJUSTMENTS, Phase.PLACEMENT) or {"army", "fleet"}.isdisjoint(words):
            return False
        own = fold(self.section)
        places = self.reader.places
        return own in words and (
            places.exact(own, self.section) is not None or places.shortened(own, self.section).sure
        )

    def _asks_below(self, line: Line) -> bool:
        """Go on under a line that ends by asking for the orders below, after nothing but greetings and chat."""
        asked = announcing.ASKS_BELOW.search(line.text, max(0, len(line.text) - LOOK_AHEAD))
        if asked is None or self.broke_off or not self._order_below(line):
            return False
        if not all(map(self._only_greets, _CLAUSES.split(line.text[: asked.start()]))):
            return False
        self._enter(heading_text.SheetHeading(anew=True))
        self.requested = True
        self.remark(line)
        return True

    def _only_greets(self, clause: str) -> bool:
        """Whether a clause before a request greets, thanks or chats, and names nothing of the board."""
        words = fold(clause).split()
        if (
            not words
            or self.is_courtesy(clause)
            or heading_text.is_plain_name(fold(clause), self.reader.powers, self.reader.places)
        ):
            return True
        known = (self.reader.places.exact(word, self.section) for word in words if len(word) >= SHORTEST_BEGINNING)
        if any(known) or any(len(word) > 1 and word in self.reader.kinds for word in words) or "-" in clause:
            return False
        return self._is_chat_or_thanks(words) or (not self.ordered and _DOUBTS.isdisjoint(words))

    def _order_below(self, line: Line) -> bool:
        """Whether the next line begins with an order."""
        text = self.plain[line.end :].lstrip()[:LOOK_AHEAD]
        below = next(lines_of(text, plus_is_bullet=True))
        first = (fold(below.text).split() or [""])[0]
        return first in _WISHES or self.parser(below.text).opening_comes() or self.reads(below.text)

    def _asked_for(self, line: Line) -> Line:
        """The same as for other lines; below a request the mark of question at the end of an order is the request's."""
        plain = line.text.rstrip(" ?")
        if self.requested and line.text.endswith("?") and "?" not in plain:
            bare = msgspec.structs.replace(line, text=plain)
            parts, against = self.tried(bare)
            if not against and all(part.error is None for part in parts):
                self.requested = False
                return bare
        return super()._asked_for(line)
