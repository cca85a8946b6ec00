"""Headings: whose and which orders stand below them."""

from __future__ import annotations

import re

import msgspec

from legation.notation.layout import COMMENT, Line, lines_of
from legation.notation.names import SHORTEST_BEGINNING, fold, possessive
from legation.notation.prose import (
    announcing,
    chats,
    counting,
    former_orders,
    heading_text,
    sayings,
    seasons,
)
from legation.notation.sheets.asides import is_chat, may_mean_an_order
from legation.notation.sheets.before_colons import MOST_GREETING, NO_FLOURISH, ColonReader
from legation.notation.sheets.besides_power import without_brackets_of
from legation.notation.sheets.order_lines import is_against
from legation.notation.sheets.passages import Passage
from legation.notation.sheets.shapes import joint_opens
from legation.position import Phase

LOOK_AHEAD = 300  # characters of a line that are looked at ahead

_OLD_IN_BRACKETS = re.compile(r"\s{0,3}\((?P<said>[^()\n]{5,80})\)")
"""What a heading may say of former orders: ``Revised orders (please ignore my earlier set):``."""
_INK_WORD = re.compile(r"\S+")
_PLAYED_BY = re.compile(r"[^\W\d_][^()\[\]:]{2,40}(?:\([^()\[\]:]{2,60}\)|\[[^()\[\]:]{2,60}\])[\s.]{1,9}(?=\S)")
"""A power with its player in brackets before orders: ``ENGLAND (J. Smith) A(Lon)-Yor``."""
_OPENS_WITH = re.compile(
    r"\s{0,9}(?P<who>[^\W\d_]{4,20})\s{1,5}(?:opens?|starts?|goes|plays|submits|orders)(?:\s{1,5}with)?\s{1,5}(?=\S)",
    re.IGNORECASE,
)
_EXCEPT_BELOW = re.compile(
    r",?\s{1,5}(?:except|excepting|but|besides|apart from|other than)(?:\s{1,3}(?:for|the|these|those|ones|following|"
    r"below)){0,4}\s{0,3}[:,.…-]{1,3}\Z",
    re.IGNORECASE,
)
"""How an order for all units ends above those that have orders of their own: ``All hold except:``."""
_HOME = re.compile(
    r"\s{0,9}(?:(?P<who>[^\W\d_]{3,20})\s{0,3}[-–—:]\s{1,3})?(?:(?:my|our|the)\s{1,3})?"
    r"(?:(?:first|initial|starting|chosen)\s{1,3})?(?:home|capital)(?:\s{1,3}(?:supply\s)?"
    r"(?:cent(?:er|re)|city|province|base))?(?:\s{0,3}(?:is|will be|shall be|:|-|=)|(?=\s\w))\s{1,5}(?=\S)",
    re.IGNORECASE,
)
"""How a sentence begins that says where a power starts: ``My initial home center is``."""
_CHOOSES = "pick"
_DASH = re.compile(r"\s(?:-{1,2}|[–—|])\s+(?=\w)")


class HeadingReader(ColonReader):
    """Reads headings, on lines of their own or before orders."""

    def heading_alone(self, line: Line) -> bool:
        """Go on under a line if the whole of it is a heading, which may be marked as a comment."""
        text = line.text.lstrip("#/ ") if COMMENT.match(line.text) else line.text
        text = _OLD_IN_BRACKETS.sub(
            lambda m: "" if former_orders.replaces_former(fold(m["said"]).split()) else m.group(), text
        )
        heading = heading_text.read_heading(
            text, self.reader.powers, self.reader.places, whole=not text.rstrip().endswith(":"), own=self.power
        )
        said = fold(line.text)
        if heading is None and not self.broke_off and said in heading_text.STARTS and self._unit_below(line):
            heading = heading_text.SheetHeading(verb=heading_text.STARTS[said])  # Build, on its own line
        if heading is None and self._leads_in(text):
            heading = heading_text.SheetHeading(anew=True)
        counted = self._how_many(text) if heading is None else None
        if counted is not None and counted[1] == len(text):  # I must remove two units.
            heading = heading_text.SheetHeading(verb=counted[0])
        if heading is not None and (self._counts_for_other(heading, text) or self._order_within(text)):
            return False
        if (
            heading == heading_text.SheetHeading()
            and text.endswith(".")
            and not self.reader.kinds.keys().isdisjoint(word for word in fold(text).split() if len(word) > 1)
        ):
            return False  # The fleet moves first.
        if heading is None or (len(text) < 40 and not self._heads(heading, line) and self.reads(text)):
            return False  # Waive is an order
        self._enter(heading)
        self.remark(line)
        return True

    def _heads(self, heading: heading_text.SheetHeading, line: Line) -> bool:
        """Whether a line is a heading though a place is called like the power: it names the turn, or it is the first of
        several."""
        if heading.season and heading.year:
            return True
        above = [p for p in self.passages if p.power == self.section and (p.order is not None or p.error is not None)]
        first = not above and self.plain[line.end :].strip() != ""
        return first and heading.power == self.section != "" and fold(line.text) == fold(heading.power)

    def _counts_for_other(self, heading: heading_text.SheetHeading, text: str) -> bool:
        """Whether a line says a number of another power, which may be meant for it: ``Newcastle +1``."""
        other = bool(self.power) and heading.power not in ("", self.power)
        return other and not (heading.season or heading.year) and any(sign.isdecimal() for sign in text)

    def _order_within(self, text: str) -> bool:
        """Whether behind a label an order follows that looks like a heading: ``FINAL: Remove Army Argyll``."""
        parser = self.parser(text[:LOOK_AHEAD])
        begins = {t.text: t.start for t in reversed(parser.tokens[1:]) if t.text in self.reader.openings}  # the first
        return any(self.reads(text[at:]) for at in begins.values())

    def _leads_in(self, text: str) -> bool:
        """Whether a line, or its last sentence after others that are mere chat, only says that orders follow."""
        if not text.rstrip().endswith(":"):
            return False
        if match := chats.GREETED.match(text):
            text = text[match.end() :]
        called, comma, after = text.partition(",")
        if comma and heading_text.is_plain_name(fold(called), self.reader.powers, self.reader.places):
            text = after.strip()  # John, please find below my moves
        before, last = announcing.last_sentence(text)
        chat = all(self._is_chat_or_thanks([word for word in words if word != "but"] or [""]) for words in before)
        heading = self._heading_for_now(last) if before and not chat else None
        if heading is not None and heading.anew:  # A small change to what I sent. Full set:
            chat = not any(may_mean_an_order(" ".join(words), self.reader) for words in before)
        leads = announcing.leads_in(last, self.reader.powers) or (
            bool(before) and self._heading_for_now(last) is not None
        )
        leads = leads or self._sends(last) or self._announces(last)
        return chat and leads and not self._names_other(text)

    def _is_chat_or_thanks(self, words: list[str]) -> bool:
        """Whether a sentence is chat; what somebody is thanked for may be a letter."""
        thanks = words[0] in ("thank", "thanks", "many")
        kept = [word for word in words if not (thanks and word in ("letter", "last")) and word != "new"]
        return bool(kept) and is_chat(kept, self.reader)

    def _heading_for_now(self, text: str) -> heading_text.SheetHeading | None:
        """What the last sentence of a line says as a heading of this power's and for the turn at hand."""
        names = self.reader.powers, self.reader.places
        heading = heading_text.read_heading(text.rstrip(" :"), *names, whole=False, own=self.section)
        fits = self.position is None or heading is None or heading.fits(self.position.turn)
        return heading if heading is not None and fits and heading.power in ("", self.section) else None

    def _unit_below(self, line: Line) -> bool:
        """Whether the next line begins with a unit."""
        below = next(lines_of(self.plain[line.end :].lstrip()[:LOOK_AHEAD], plus_is_bullet=True))
        parser = self.parser(below.text)
        return parser.kind_comes() or any(
            parser.present("", self.section)(key) for key in parser.longest_name(parser.at)[0].keys
        )

    def read_headed_orders(self, line: Line) -> None:
        """Read a line, of which a part before a colon, or a turn, may say whose and which orders follow."""
        if self.lists_helpers(line):
            self.read_orders(line)
            return
        line = self._without_exceptions(self._asked_for(line))
        line = self._choosing(self._without_brackets_of_power(line))
        heading, length = self._heading_of(line.text)
        if heading is None:
            heading, length = self._heading_after_chat(line.text)
        if heading is None:
            self.read_orders(line)
            return
        before = (self.section, self.refusal, self.verb)
        self._enter(heading)
        rest = line.text[length:]
        begin = line.start + length
        self.passages.append(Passage(line.start, begin, line.number, power=self.section))
        inner = msgspec.structs.replace(line, start=begin + len(rest) - len(rest.lstrip()), text=rest.strip())
        self.read_orders(self._choosing(inner))
        if heading.power and self.power:
            self.section, self.refusal = before[:2]
        if heading.verb == "hold":
            self.verb = before[2]

    def _without_brackets_of_power(self, line: Line) -> Line:
        """Return a line without the brackets behind the own power's name that order nothing."""
        text = without_brackets_of(line.text, self.section, self.reader, self._changed_hands)
        return line if text == line.text else msgspec.structs.replace(line, text=text)

    def _changed_hands(self, center: str, gained: bool) -> bool:
        """Whether this power may have gained a center, where its unit still stands, or lost one."""
        if self.position is None or not self.section or self.phase is not Phase.ADJUSTMENTS:
            return False
        stands = any(unit.province == center for unit in self.position.units_of(self.section))
        return stands is gained is (center in self.position.centers_of(self.section))

    def _choosing(self, line: Line) -> Line:
        """Return a line that says where a power starts as one that chooses: ``My home center is Moscow``."""
        home = _HOME.match(line.text) if self.phase is Phase.PLACEMENT else None
        if home is None or (home["who"] and self.reader.powers.exact(fold(home["who"])) != self.power):
            return line
        return msgspec.structs.replace(line, text=_CHOOSES.ljust(home.end()) + line.text[home.end() :])

    def _asked_for(self, line: Line) -> Line:
        """Return the line without ``Could you please`` and the question mark, if only orders for own units are left."""
        asked = announcing.ASKED_FOR.match(line.text)
        if asked is None:
            return line
        text, mark, thanks = line.text[asked.end() :].rpartition("?")
        if not mark or not (not thanks.strip() or self.is_courtesy(thanks)):
            text += mark + thanks
        plain = text.rstrip(" ?!.")
        bare = msgspec.structs.replace(line, start=line.start + asked.end(), text=plain)
        parts, against = self.tried(bare)
        if against or "?" in plain or any(part.error is not None for part in parts):
            return line
        self.passages.append(Passage(line.start, bare.start, line.number, power=self.section))
        self.passages.append(Passage(bare.end, line.end, line.number, power=self.section))
        return bare

    def _without_exceptions(self, line: Line) -> Line:
        """Return the line without ``except:``, if it orders all units and those of the lines below are left out."""
        ending = _EXCEPT_BELOW.search(line.text)
        if ending is None or not self._unit_below(line):
            return line
        all_of_them = msgspec.structs.replace(line, text=line.text[: ending.start()])
        parts, against = self.tried(all_of_them)
        if against or not parts or not all(part.orders and part.general for part in parts):
            return line
        self.passages.append(Passage(all_of_them.end, line.end, line.number, power=self.section))
        return all_of_them

    def _opens_an_order(self, text: str) -> bool:
        """Whether a text begins with a unit, or with a word that begins an order."""
        parser = self.parser(text)
        return parser.names_unit() or parser.opening_comes()

    def _heading_after_chat(self, text: str) -> tuple[heading_text.SheetHeading | None, int]:
        """The heading that follows sentences of mere chat: ``Hey! Moves for France: Par - Gas``."""
        head, colon, _ = text[:LOOK_AHEAD].partition(":")
        before, last = announcing.last_sentence(head)
        if not colon or not before or len(last) < SHORTEST_BEGINNING:
            return None, 0
        if not all(words and (self._is_chat_or_thanks(words) or words[0] in sayings.GREETINGS) for words in before):
            return None, 0
        begin = head.rindex(last)
        heading, length = self._heading_of(text[begin:])
        return heading, begin + length

    def _how_many(self, text: str) -> tuple[str, int] | None:
        """What a line counts that it is about to give, as the verb of a heading, and the length of these words; the
        units may stand below it."""
        if self.phase is not Phase.ADJUSTMENTS:
            return None
        match = counting.HOW_MANY.match(f"{text} ")
        rest = "" if match is None else text[match.end() :]
        who = "" if match is None else fold(match.group()).split()[0]
        if match is None or (len(who) > 2 and self.reader.powers.exact(who) not in (None, self.section)):
            return None
        of_units = match is not None and "cent" not in match.group().casefold()
        if rest and not (self._order_comes(rest) or self.reads(rest) or (of_units and self._own_place_comes(rest))):
            return None
        what = match["what"] or match["whose"] or "removal"
        return heading_text.STARTS[what.casefold()], min(match.end(), len(text))

    def _own_place_comes(self, text: str) -> bool:
        """Whether a text begins with the place of an own unit."""
        parser = self.parser(text)
        parser.skip(("the", "my", "our"))
        keys = parser.longest_name(parser.at)[0].keys
        return any(parser.present("", self.section)(key) for key in keys)

    def _with_how_many(
        self, text: str, heading: heading_text.SheetHeading | None, length: int
    ) -> tuple[heading_text.SheetHeading | None, int]:
        """A heading with what it goes on to count: ``France, W04: one build, army in Paris``."""
        counted = self._how_many(text[length:]) if heading is not None and not heading.verb else None
        if heading is None or counted is None:
            return heading, length
        return msgspec.structs.replace(heading, verb=counted[0]), length + counted[1]

    def _heading_of(self, text: str) -> tuple[heading_text.SheetHeading | None, int]:
        """The heading with which a line begins, and its length: before a colon, or a turn (``F1901M A par - bur``)."""
        names = self.reader.powers, self.reader.places
        if (greeted := self._greeting_before(text)) > 0:
            heading, length = self._heading_of(text[greeted:])
            return heading or heading_text.SheetHeading(anew=True), greeted + length
        head, colon, rest = text.partition(":")
        short = announcing.IN_SHORT.match(text)
        if (match := announcing.RUN_IN.match(text) or short) and self._order_comes(text[match.end() :]):
            return heading_text.SheetHeading(anew=True), match.end()
        name = announcing.OPENING_NAME.match(text)
        title = fold(name.group()).split() if name else []
        doubted = is_against(" ".join(title)) or not (sayings.HEARSAY | NO_FLOURISH).isdisjoint(title)
        if name and not doubted and not any(self.reader.places.exact(word) for word in title):
            return heading_text.SheetHeading(anew=True), name.end()
        if counted := self._how_many(text):
            return heading_text.SheetHeading(verb=counted[0]), counted[1]
        opens = _OPENS_WITH.match(text)  # England opens with F lon - nth
        if (
            opens
            and self.reader.powers.exact(fold(opens["who"])) == self.section != ""
            and self._order_comes(text[opens.end() :])
        ):
            return heading_text.SheetHeading(anew=True), opens.end()
        match = announcing.ORDERS_ARE.match(text)
        if match and match["who"] and self.reader.powers.exact(fold(match["who"])) != self.section:
            match = None
        if match and (match["whose"] or self._opens_an_order(text[match.end() :])):  # my orders are A par - bur
            verb, season = heading_text.STARTS.get(match["what"].casefold(), ""), fold(match["season"] or "")
            of_turn = heading_text.SheetHeading(
                verb=verb,
                season=seasons.SEASONS.get(season, ""),
                year=(match["year"] or "").zfill(4 * bool(match["year"])),
            )
            return of_turn, match.end()
        if colon and rest.strip() and len(head) < 80 and (found := self._before_colon(text, head, rest)) is not None:
            return self._with_how_many(text, *found)
        for dash in _DASH.finditer(text[:80]):  # France - A par h, W02 Builds - Russia - A mos
            if not self._opens_an_order(text[dash.end() :]):
                continue
            heading = heading_text.read_heading(text[: dash.start()], *names, whole=False, own=self.power)
            if heading is not None and (not heading.verb or heading.power or heading.season):
                return heading, dash.end()
        if (match := _PLAYED_BY.match(text)) and self._opens_an_order(text[match.end() :]):
            heading = heading_text.read_heading(match.group(), *names, whole=False, own=self.power)
            if heading is not None and heading.power and not heading.verb:
                return heading, match.end()
        words = list(_INK_WORD.finditer(text[:LOOK_AHEAD]))
        for before in words[6:0:-1]:
            head = text[: before.start()]
            heading = heading_text.read_heading(head, *names, whole=True, own=self.power)
            if heading is None and (in_full := self._own_name_in_full(head)):
                heading = heading_text.read_heading(in_full, *names, whole=True, own=self.power)
            if heading is None or not heading.year or heading.verb:
                continue
            if heading.season or heading.power == self.section != "":  # Spring 1901 A par H, France 1425 A par H
                parser = self.parser(text[before.start() :])
                if parser.names_unit() or joint_opens(parser):
                    return heading, before.start()
        return self._head_without_signs(text)

    def _head_without_signs(self, text: str) -> tuple[heading_text.SheetHeading | None, int]:
        """The greeting with which a dictated text begins, up to its first unit: ``hi sir army serbia moves``, ``sir for
        austria army vienna goes``."""
        before = ""
        for word in list(_INK_WORD.finditer(text[:LOOK_AHEAD]))[: MOST_GREETING + 1]:
            said = fold(word.group())
            if before and len(said) > 1 and said in self.reader.kinds:
                unit = self.parser(text[word.start() :]).kind_comes()  # not Argyll army holds
                return (heading_text.SheetHeading(anew=True), word.start()) if unit else (None, 0)
            own = self.reader.powers.exact(said) == self.section != ""
            named = before in sayings.GREETINGS and heading_text.is_plain_name(
                said, self.reader.powers, self.reader.places
            )
            if not word.group().isalpha() or not (said in sayings.GREETINGS | {"for", "please"} or own or named):
                break
            before = said
        return None, 0

    def _lift_refusal(self) -> None:
        """Go on with this power's orders; below the heading of another turn only a heading of this one lifts that."""
        if self.refusal is not None and self.refusal[0] == "not yours":
            self.refusal = None

    def _greeting_before(self, text: str) -> int:
        """How long a greeting is with the name of who is greeted, before orders on the same line: ``Hi John - A par -
        gas``; 0 where none comes, or a power or a place is named."""
        match = chats.GREETED.match(text)
        if match is None:
            return 0
        words = fold(match.group("name") or "").split()
        if not all(heading_text.is_plain_name(word, self.reader.powers, self.reader.places) for word in words):
            return 0
        rest = text[match.end() :]
        comes = self._order_comes(rest) or self._heading_of(rest)[0] is not None or self.reads(rest)
        return match.end() if comes else 0

    def _enter(self, heading: heading_text.SheetHeading) -> None:
        """Go on under a heading."""
        self.last = None
        self.carried = ""
        self.broke_off = False
        if not (self.block and self.block_lasts) or heading.season or heading.anew:  # not Old orders: / France:
            self.block = ""
            self.block_opens = self.block_lasts = False
        if heading.power:
            if not self.power:
                self.section = heading.power
                self._lift_refusal()
                self.ordered = {}
                self.claimed = 0
            elif heading.power != self.power:
                self.refusal = ("not yours", f"this sheet is {possessive(self.power)}, not {possessive(heading.power)}")
            else:
                self._lift_refusal()
        if heading.season or heading.year:
            if self.position is not None and not heading.fits(self.position.turn):
                now = self.position.turn.name
                self.refusal = ("not understood", f"the heading above this is for another turn; this is {now}")
            elif self.refusal is not None and self.refusal[0] == "not understood":
                self.refusal = None
        self.verb = heading.verb
        self.closing = False
