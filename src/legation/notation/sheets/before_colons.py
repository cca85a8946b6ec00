"""What stands before a colon on a line with orders: whose they are, which turn's, or nothing that matters."""

from __future__ import annotations

import re

import msgspec

from legation.board import province_of
from legation.notation.grammar import PAST
from legation.notation.layout import Line
from legation.notation.names import SHORTEST_BEGINNING, Meaning, fold
from legation.notation.parsing.orders import Parser
from legation.notation.prose import announcing, former_orders, heading_text, objections, sayings, seasons
from legation.notation.sheets.asides import SAYS_HOW, is_chat
from legation.notation.sheets.order_lines import OPENS_LIST, OrderLineReader
from legation.notation.small_words import NUMBERS, POLITE
from legation.orders import Build, Waive
from legation.position import Phase

MOST_GREETING = 5  # words before the first unit

LONGEST_FLOURISH = 9  # words
_IN_OTHER_WORDS = frozenset(
    ("to spell it out", "in other words", "in full", "in short", "in plain words", "that means", "written out")
)
_FLOURISHES = frozenset("we all both by hey quick onward forward god to my short simple as".split())
NO_FLOURISH = (
    sayings.AGAINST
    | sayings.QUESTIONS
    | sayings.HEARSAY
    | sayings.OUTCOMES
    | sayings.CORRECTS
    | SAYS_HOW
    | PAST
    | frozenset(
        "yesterday tomorrow dream dreams result results copy note notes history reject rejected abandoned considered "
        "imagine imagined fiction story rumor rumour rumors rumours press lie lies propaganda example test turn year "
        "season other another second their his her him them this that these those out against of".split()
    )
)
"""Words before a colon that cast doubt on what follows."""
LONGEST_UNDER_REGION = 600  # characters of a line under the name of a land
_OF_A_NUMBER = frozenset("my our all the these orders order moves retreats units are here of".split())
_LESS_OR_MORE = re.compile(r"\(?\s?([-–−+])\s?\d\s?\)?\s{0,9}\Z")
"""How a heading ends that says how many units go or come: ``France (-2):``."""
_SOMEBODYS = re.compile(
    r"\s{0,9}(?:(?P<who>[^\W\d_]{2,20})['’]s\s{1,5}(?:orders|moves|builds|retreats)"
    r"|(?:new\s)?(?:orders|moves|builds|units|retreats)\s{1,5}(?:for|of)\s{1,5}(?P<giver>[^\W\d_]{2,20}))\s{0,3}",
    re.IGNORECASE,
)
"""The orders of who writes, named by their giver: ``Philip's orders:``, ``New units for Philip:``."""
_GREETS = (sayings.GREETINGS - {"gm", "sir", "madam", "good"}) | frozenset("voici ecco hier aqui".split())


class ColonReader(OrderLineReader):
    """Reads what stands before a line's first colon."""

    def _sends(self, text: str) -> bool:
        """Whether a sentence names nothing of the board and says that orders are sent."""
        words = fold(text).split()
        about = announcing.LEAD_IN | {
            "enter",
            "convey",
            "my",
            "orders",
            "moves",
            "the",
            "these",
            "would",
            "you",
            "kindly",
            "please",
        }
        rest = [word for word in words if word not in about] or [""]
        return announcing.sends(words) and is_chat(rest, self.reader)

    def _announces(self, text: str) -> bool:
        """Whether a sentence names no place and only says that orders follow: ``I have two fleets, and this is what
        they do:``."""
        words = fold(text).split()
        own = {word for word in words if self.reader.powers.exact(word) == self.section != ""}
        named = any(len(w) >= SHORTEST_BEGINNING and self.reader.places.exact(w, self.power) for w in {*words} - own)
        return announcing.announces(words) and not named and "?" not in text

    def _names_other(self, text: str) -> bool:
        """Whether a line names another power than the one whose sheet this is."""
        named = {self.reader.powers.exact(w) for w in fold(text).split() if len(w) > 2}
        return bool(self.section) and bool(named - {None, self.section})

    def _order_comes(self, text: str) -> bool:
        """Whether a text begins with an own unit and something that it does."""
        parser = self.parser(text)
        return parser.names_unit() or parser.own_unit_comes()

    def _before_colon(self, text: str, head: str, rest: str) -> tuple[heading_text.SheetHeading | None, int] | None:
        """What stands before a line's first colon, and its length; None where that decides nothing."""
        names = self.reader.powers, self.reader.places
        said = " ".join(objections.without_politeness(fold(head).split()))
        if head and not said:  # If you please:
            return heading_text.SheetHeading(anew=True), len(head) + 1
        parser = self.parser(rest)
        if said in self.reader.codes and not parser.names_unit() and parser.own_unit_comes():
            if self._is_own_letter(said) and not self._unit_of_kind(said, parser):  # of France: F: PAR-CAL
                return heading_text.SheetHeading(power=self.section), len(head) + 1
            return None, 0  # A: Par - Bur
        if said == "r" and self.power and not self.power.startswith("R"):  # R: A mun - boh
            if self.phase is Phase.RETREATS:
                return heading_text.SheetHeading(anew=True), len(head) + 1
            if self.phase is Phase.ADJUSTMENTS:
                return heading_text.SheetHeading(verb="remove"), len(head) + 1
        if fold(rest) in ("h", "hold", "holds"):  # France: hold
            return None, 0
        short = self.reader.powers.shortened(said)
        if said == "ps":  # a postscript, and no power's beginning
            return None, 0
        if len(said) == SHORTEST_BEGINNING - 1 and (named := self.reader.powers.begins_one(said)):  # Fr: A par
            short = Meaning((named,))
        if short.sure and parser.kind_comes() and self.reads(rest):  # Eng: F nth - den
            return heading_text.SheetHeading(power=short.keys[0]), len(head) + 1
        whose = _SOMEBODYS.fullmatch(head)
        giver = fold(whose["who"] or whose["giver"]) if whose else ""
        if giver and heading_text.is_plain_name(giver, *names) and (self.unit_begun(rest) or parser.kind_comes()):
            return heading_text.SheetHeading(anew=True), len(head) + 1
        if said in _IN_OTHER_WORDS or (said and set(said.split()) <= sayings.FILLERS | POLITE | _GREETS):  # ok so: Par
            return heading_text.SheetHeading(anew=True), len(head) + 1
        if self._sends(head) and "." not in head and "?" not in head and not self._names_other(head):
            return heading_text.SheetHeading(anew=True), len(head) + 1
        if not self.ordered and former_orders.replaces_former(
            said.split()
        ):  # Replace my last orders by these: A par - bur
            return heading_text.SheetHeading(anew=True), len(head) + 1
        verb = _LESS_OR_MORE.search(head) if self.phase is Phase.ADJUSTMENTS else None
        if verb is not None and not head[: verb.start()].strip():  # +1: F con
            return heading_text.SheetHeading(verb="remove" if verb.group(1) in "-–−" else "build"), len(head) + 1
        called = head[: verb.start()] if verb is not None else said if len(said) < len(fold(head)) else head
        heading = heading_text.read_heading(called, *names, whole=False, own=self.power)
        if heading is None and (in_full := self._own_name_in_full(called)):
            heading = heading_text.read_heading(in_full, *names, whole=False, own=self.power)
        if heading is not None and verb is not None:
            heading = msgspec.structs.replace(heading, verb="remove" if verb.group(1) in "-–−" else "build")
        kinds = [word for word in fold(head).split() if len(word) > 1 and word in self.reader.kinds]
        if heading is not None and not kinds and not OPENS_LIST.match(text):
            return heading, len(head) + 1
        if heading is None and self._announces(head) and not self._names_other(head) and not self.reads(head):
            return heading_text.SheetHeading(anew=True), len(head) + 1
        if heading is None and self._counts_orders(said, rest):
            return heading_text.SheetHeading(anew=True), len(head) + 1
        if heading is None and self._is_region(said) and self._orders_own_units(text, rest):
            return heading_text.SheetHeading(verb=self.verb), len(head) + 1
        if heading is None and self._is_flourish(head) and self._only_orders(rest):
            return heading_text.SheetHeading(anew=True), len(head) + 1
        return None

    def _own_name_in_full(self, head: str) -> str:
        """A heading with the own power's name for its first letters beside a turn or what is done: ``E 1430``, ``winter
        builds fr``; empty where there are none."""
        words = fold(head).split()
        short = [w for w in words if len(w) <= SHORTEST_BEGINNING and w.isalpha() and self._is_own_letter(w)]
        if len(short) != 1 or not 1 < len(words) <= MOST_GREETING:
            return ""
        others = [w for w in words if w != short[0]]
        tells = any(w.isdecimal() or seasons.read_turn_code(w) or w in heading_text.STARTS for w in others)
        return " ".join(self.section if w == short[0] else w for w in words) if tells else ""

    def _is_flourish(self, head: str) -> bool:
        """Whether what stands before a colon and orders is a flourish: several words that name no own unit and cast no
        doubt: ``We raid Frisia:``, ``By royal command:``, ``All fleets put to sea:``."""
        words = fold(head).split()
        if not 2 < len(words) <= LONGEST_FLOURISH or words[0] not in _FLOURISHES or not NO_FLOURISH.isdisjoint(words):
            return False
        telling = self.reader.telling_words if set(",.;!/|&+-") & set(head) else self.reader.stays
        if not telling.isdisjoint(word for word in words if len(word) > 1):  # A's hold, F's: Bre-MAO
            return False
        mine = {unit.province for unit in self.position.units_of(self.section)} if self.position else set()
        named = {key for w in words if len(w) >= SHORTEST_BEGINNING for key in self.reader.places.meaning(w).keys}
        return not (named & mine) and not self._names_other(head) and not any(w.isdecimal() for w in words)

    def _counts_orders(self, said: str, rest: str) -> bool:
        """Whether a number before a colon counts the orders behind it, which are all that follows: ``my six:``."""
        number = [word for word in said.split() if word not in _OF_A_NUMBER]
        if len(number) != 1:
            return False
        count = int(number[0]) if number[0].isdecimal() else (NUMBERS | {"both": 2}).get(number[0], 0)
        if count < 2 or len(rest) > LONGEST_UNDER_REGION:
            return False
        parts, against = self.tried(Line(0, 0, rest.strip()))
        fine = not against and all(part.error is None for part in parts)
        return fine and sum(len(part.orders) for part in parts) == count

    def _only_orders(self, text: str) -> bool:
        """Whether a text is nothing but orders, of which the first is for an own unit."""
        parts, against = self.tried(Line(0, 0, text.strip()))
        fine = not against and all(part.error is None for part in parts)
        return fine and self._order_comes(text)

    def _is_region(self, said: str) -> bool:
        """Whether a part of the map is named where no own unit stands: a land, a direction, or a place."""
        names = self.reader.places
        if any(self.reader.powers.exact(word) for word in (said, *said.split())):
            return False
        if said in self.reader.verbs | self.reader.openings:
            return False
        known = names.exact(said, self.section)
        lands = set(said.split()) <= heading_text.REGIONS | heading_text.LANDS
        mine = {unit.province for unit in self.position.units_of(self.section)} if self.position else set()
        return (lands or known is not None) and known not in mine

    def _orders_own_units(self, text: str, rest: str) -> bool:
        """Whether the rest of a line gives orders for own units, or builds, and says nothing else."""
        if self.position is None or not self.section or len(rest) > LONGEST_UNDER_REGION:
            return False
        parts, against = self.tried(Line(0, len(text) - len(rest.lstrip()), rest.strip()))
        orders = [order for part in parts for order in part.orders]
        mine = {unit.province for unit in self.position.units_of(self.section)}
        mine |= {out.unit.province for out in self.position.dislodged if out.unit.power == self.section}
        own = all(isinstance(o, Build | Waive) or province_of(getattr(o, "at", "")) in mine for o in orders)
        return bool(orders) and own and not against and all(part.error is None for part in parts)

    def _is_own_letter(self, said: str) -> bool:
        """Whether a letter before a colon is the first of this power's name."""
        return bool(self.section) and self.reader.powers.begins_one(said) == self.section

    def _unit_of_kind(self, code: str, parser: Parser) -> bool:
        """Whether the next words name a place with a unit of the kind that this letter stands for."""
        places = parser.longest_name(parser.at)[0].keys
        return any(parser.present(self.reader.kinds[code], self.section)(key) for key in places)
