"""A whole sheet, from top to bottom."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from legation.board import province_of
from legation.notation.errors import OrderTextError
from legation.notation.forms.holds import ONLY_STAYS
from legation.notation.forms.voyages import LANDS_ELSEWHERE
from legation.notation.layout import STRUCK, UNTICKED, Line, lines_of, lines_struck
from legation.notation.names import fold
from legation.notation.prose import announcing, chats, correcting, heading_text
from legation.notation.sheets.asides import may_mean_an_order, unquoted, unquoted_lines
from legation.notation.sheets.concerns import units_named
from legation.notation.sheets.doubts import CROSSED_OUT
from legation.notation.sheets.headings import LOOK_AHEAD
from legation.notation.sheets.order_text import places_of, says_same
from legation.notation.sheets.passages import STRUCK_OUT, Passage
from legation.notation.sheets.progress import LONGEST_LINE, LONGEST_SHEET, MANY_ORDERS, MOST_FAULTS, MOST_ORDERS
from legation.notation.sheets.reasons import UNREAD
from legation.notation.sheets.remarks import RemarkReader
from legation.notation.sheets.replacing import AMENDS_EARLIER, SEND_ONCE
from legation.notation.sheets.turns import Turn, find_turn
from legation.notation.small_words import ARTICLES, ENDINGS, JOINTS
from legation.orders import Build, Convoy, Moving, Order, Remove, Retreat, SupportHold, SupportMove, Waive
from legation.position import Phase

_GOES_BY_ARROW = re.compile(r"\s{0,5}(?:->|→|=>)\s{0,5}[^\W\d_]")
"""How a text begins that says where a unit goes which it doesn't name: ``-> Albania then``."""
_TAKEN_OFF = re.compile(r"\s{0,9}-\s?[a-z]{2,20}(?:,?\s{1,3}-[a-z]{2,20}){1,9}\s{0,9}", re.IGNORECASE)

_HELPING = frozenset(
    "convoy convoys convoying convoyed carry carries carried carrying ferry ferries ferried support supports "
    "supporting supported".split()
)
LONGEST_CORRECTED = 600  # characters of a line that is read as two
TURNS_OF_TRIAL = 10  # of those that a sheet may have, for each such line
LONGEST_LABEL = 2  # letters or figures before an entry
_COMMENTED = "the comment may take the order back; if you mean it, write it without the comment"
_WHICH_REST = "what is said of one unit isn't understood, so it isn't clear which the others are; name them"
_BUILDS_OR_NOT = "one line says that nothing is built and another builds; send only what you mean"
_REMOVED_OR_NOT = "another line says that this unit stays; send only what you mean"
_NOT_TICKED = "other lines are ticked and this one isn't; if it is an order, tick it, or else delete it"
_MARKED = re.compile(r"(?:[xX×✗✘✖✕❌☒❎]|\[[-/~>!?*]\])\s{1,9}")


class SheetReader(RemarkReader):
    """Reads one sheet, or a message with the sheets of several powers (``power`` empty), from top to bottom."""

    def read(self) -> tuple[Passage, ...]:
        """All passages, in the order of the text."""
        self.plain = unquoted_lines(self.plain)
        self.struck = lines_struck(self.plain) if STRUCK in self.plain else set()
        adjusting = self.phase in (Phase.ADJUSTMENTS, Phase.PLACEMENT)
        for line in lines_of(self.plain, plus_is_bullet=not adjusting):
            if self.faults >= MOST_FAULTS:
                reason = "too much above this isn't understood; the rest wasn't read"
            elif len(self.passages) >= MOST_ORDERS:
                reason = MANY_ORDERS
            else:
                self._line(line)
                continue
            self.refuse(line.start, len(self.plain), line.number, reason)
            break
        if not any(passage.order for passage in self.passages):
            for i, passage in enumerate(self.passages):
                if passage.start in self.replaced[:1] and passage.error is None:
                    self.take_back(
                        i, "this takes back your orders, but no new ones follow; send the orders that you mean now"
                    )
        self._read_again()
        self._doubt_changed_below()
        self._leave_out_ordered()
        self._leave_out_repeated()
        self._refuse_contradictions()
        self._refuse_amendments()
        if len(self.text) > LONGEST_SHEET:
            message = f"a sheet is at most {LONGEST_SHEET} characters long; what comes after them is not read"
            number = self.plain.count("\n") + 1
            error = OrderTextError(self.text[LONGEST_SHEET:][:80], (0, 80), message)
            self.passages.append(Passage(LONGEST_SHEET, len(self.text), number, None, error, self.section))
        return tuple(self.covering())

    def _read_again(self) -> None:
        """Read what lacks something that the order of another unit says, on a line below: ``F iri - nao ferries A
        dum``, and then ``A dum - iri - nao - lim``."""
        for i, passage in enumerate(self.passages):
            if passage.error is None or passage.error.message != LANDS_ELSEWHERE:
                continue
            self.section = passage.power
            self.ordered = self._ordered_by([p for p in self.passages if p.power == passage.power])
            parts, _ = self.tried(Line(passage.line, passage.start, self.plain[passage.start : passage.end]))
            if len(parts) == 1 and len(parts[0].orders) == 1 and parts[0].error is None:
                self.passages[i] = msgspec.structs.replace(passage, order=parts[0].orders[0], error=None)

    def _doubt_changed_below(self) -> None:
        """An order does not count where what isn't understood below it speaks of a change and names one of its places:
        ``A yor - hol ... Actually Belgium, not Holland. Same convoy.``"""
        for refused in [p for p in self.passages if p.error is not None and p.error.kind != "superseded"]:
            text = self.plain[refused.start : refused.end][:LONGEST_LINE]
            if _GOES_BY_ARROW.match(text) and (last := self._moved_before(refused)) >= 0:
                self.take_back(last, f"line {refused.line} seems to correct this; send only what you mean")
            if not correcting.CHANGES.search(text) or correcting.ASKS_ONLY.fullmatch(text):
                continue
            named = self._places_named(text)
            for i, passage in enumerate(self.passages):
                if passage.start >= refused.start or passage.order is None or passage.power != refused.power:
                    continue
                if not passage.general and named & {province_of(place) for place in places_of(passage.order)}:
                    self.take_back(i, f"line {refused.line} seems to correct this; send only what you mean")

    def _moved_before(self, refused: Passage) -> int:
        """The last move above what isn't understood, of the same power; -1 if another order, or none, is the last."""
        above = [i for i, p in enumerate(self.passages) if p.order is not None and p.start < refused.start]
        mine = bool(above) and self.passages[above[-1]].power == refused.power
        return above[-1] if mine and isinstance(self.passages[above[-1]].order, Moving | Retreat) else -1

    def _places_named(self, text: str) -> set[str]:
        """The provinces that a text names, but for names that are as short as common words."""
        parser = self.parser(text)
        names = (parser.longest_name(i)[0].keys for i, token in enumerate(parser.tokens) if len(token.text) > 2)
        return {key for keys in names for key in keys[:1]}

    def _leave_out_ordered(self) -> None:
        """What was said of all units, or of all others, does not count for those of which something else is said
        anywhere on the sheet, understood or not: ``Rest hold. A par - gas``."""
        if not any(passage.general for passage in self.passages):
            return
        apart = {(p.power, province_of(getattr(p.order, "at", ""))) for p in self.passages if not p.general}
        apart |= {
            (p.power, province_of(p.order.target)) for p in self.passages if isinstance(p.order, SupportMove | Convoy)
        }  # what is helped elsewhere doesn't stay
        unknown: set[str] = set()
        for refused in (p for p in self.passages if p.error is not None):
            named = self._units_named(refused)
            parser = self.parser(self.plain[refused.start : refused.end][:LONGEST_LINE])
            spoken_of = set(units_named(parser, 0, len(parser.tokens)).values())
            apart |= {(refused.power, at) for at in named | spoken_of | self._places_of_units(refused)}
            if not named and self._speaks_of_a_unit(refused):
                unknown.add(refused.power)
        for i, passage in enumerate(self.passages):
            if passage.general and passage.power in unknown:
                self.take_back(i, _WHICH_REST)
        kept: list[Passage] = []
        for passage in self.passages:
            at = province_of(getattr(passage.order, "at", ""))
            if passage.general and not isinstance(passage.order, Waive) and (passage.power, at) in apart:
                if kept and kept[-1].start == passage.start:
                    continue
                passage = msgspec.structs.replace(passage, order=None)
            elif kept and kept[-1].start == passage.start and kept[-1].order is None and kept[-1].error is None:
                kept.pop()
            kept.append(passage)
        self.passages = kept

    def _leave_out_repeated(self) -> None:
        """What a unit was said to do for another beside that one's order counts once: ``A ser - gre (F alb supports)``,
        and below it ``F alb S A ser - gre``."""
        beside: dict[tuple[str, str], tuple[int, Order]] = {}
        repeated: set[int] = set()
        for i, passage in enumerate(self.passages):
            order = passage.order
            if not isinstance(order, SupportHold | SupportMove | Convoy):
                continue
            key = passage.power, province_of(order.at)
            if key in beside and says_same(beside[key][1], order):
                repeated.add(beside[key][0])
            if i and self.passages[i - 1].start == passage.start:
                beside[key] = i, order
        self.passages = [passage for i, passage in enumerate(self.passages) if i not in repeated]

    def _refuse_contradictions(self) -> None:
        """Refuse ``No builds`` and the builds of the same power beside it, and the removal of a unit that is said to
        stay: one of them isn't meant. ``Waive`` beside ``No builds`` says the same."""
        none = {p.power for p in self.passages if p.general and isinstance(p.order, Waive)}
        built = {p.power for p in self.passages if isinstance(p.order, Build)}
        stays = {
            (p.power, at)
            for p in self.passages
            if p.error is not None and p.error.message == ONLY_STAYS
            for at in self._units_named(p)
        }
        for i, passage in enumerate(self.passages):
            order = passage.order
            if passage.power in none & built and isinstance(order, Build | Waive):
                self.take_back(i, _BUILDS_OR_NOT)
            elif passage.power in none and isinstance(order, Waive) and not passage.general:
                self.passages[i] = msgspec.structs.replace(passage, order=None)
            elif isinstance(order, Remove) and (passage.power, province_of(order.at)) in stays:
                self.take_back(i, _REMOVED_OR_NOT)

    def _refuse_amendments(self) -> None:
        """Refuse a power's sheet that is nothing but a correction of what was sent before and gives some units no
        order: it would replace their orders, too."""
        for power in {passage.power for passage in self.passages} if self.amendments else ():
            given = [(i, p) for i, p in enumerate(self.passages) if p.order is not None and p.power == power]
            if {passage.line for _, passage in given} <= set(self.amendments):
                orders = [passage.order for _, passage in given if passage.order is not None]
                for i, _ in given if not self._is_whole(power, orders) else ():
                    self.take_back(i, AMENDS_EARLIER, "superseded")

    def _is_whole(self, power: str, orders: Sequence[Order]) -> bool:
        """Whether orders leave none of a power's units, or none of its builds and removals, without one."""
        if self.position is None or not power:
            return True
        if self.phase in (Phase.ADJUSTMENTS, Phase.PLACEMENT):
            size = sum(self.reader.costs.get(unit.kind, 1) for unit in self.position.units_of(power))
            return len(orders) >= abs(len(self.position.centers_of(power)) - size)
        retreating = self.phase is Phase.RETREATS
        units = [out.unit for out in self.position.dislodged] if retreating else list(self.position.units)
        due = {unit.province for unit in units if unit.power == power}
        return due <= {province_of(getattr(order, "at", "")) for order in orders}

    def _speaks_of_a_unit(self, refused: Passage) -> bool:
        """Whether what is refused begins with a kind of unit, of which it is not known where it stands: ``My 3D``."""
        words = [w for w in fold(self.plain[refused.start : refused.end][:LONGEST_LINE]).split() if w not in ARTICLES]
        return words[:1] != [] and len(words[0]) > 1 and words[0] in self.reader.kinds

    def _places_of_units(self, refused: Passage) -> set[str]:
        """Where own units stand that are named, with what they carry or help, in what looks like orders and isn't
        understood: ``Convoy A edi - den with the North Sea fleet``."""
        parser = self.parser(self.plain[refused.start : refused.end][:LONGEST_LINE])
        words = {token.text for token in parser.tokens}
        if not words & _HELPING:
            return set()
        own = parser.present("", refused.power)
        names = (parser.longest_name(i)[0].keys[:1] for i, t in enumerate(parser.tokens) if len(t.text) > 2)
        return {key for keys in names for key in keys if own(key)}

    def _units_named(self, refused: Passage) -> set[str]:
        """Where the own units stand of which something is said that is not understood."""
        parser = self.parser(self.plain[refused.start : refused.end][:LONGEST_LINE])
        found: set[str] = set()
        for i in range(len(parser.tokens)):
            before = parser.tokens[i - 1] if i else None
            parser.at = i
            begins = before is None or before.stop or before.text in JOINTS or before.text == ":"
            if not begins and (found or not (parser.names_unit() or parser.own_unit_comes())):
                continue  # of ``not A par - gas``, too, the first unit is meant
            parser.at = i
            try:
                at = province_of(parser.subject().at)
            except OrderTextError:
                continue
            ends = parser.ended and (parser.peek() not in ENDINGS or parser.stopped)  # Paris too goes to
            if parser.present("", refused.power)(at) and not ends:
                found.add(at)
        return found

    def _without_text(self, line: Line) -> None:
        """A blank line ends what the lines above gave to those below; a comment alone does not."""
        if line.comment:
            self.comment_after(line)
            return
        self.carried = ""
        self.requested = False
        if self.verb == "hold":
            self.verb = ""
        if not self.block_opens and not self.unmarked:
            self.block = ""
        self.last = None

    def _line(self, line: Line) -> None:
        if not line.text:
            self._without_text(line)
            return
        if line.number in self.struck:
            self.refuse(line.start, line.end, line.number, STRUCK_OUT)
            self.last = None
            return
        if len(line.text) > LONGEST_LINE:
            self.refuse(line.start, line.end, line.number, f"a line is at most {LONGEST_LINE} characters long")
            return
        if self.conditions and self._in_conditions(line):
            return
        begin = self.plain.rfind("\n", 0, line.start) + 1
        adjusting = self.phase in (Phase.ADJUSTMENTS, Phase.PLACEMENT)
        if adjusting and _TAKEN_OFF.fullmatch(self.plain, begin, line.end):  # -gas -eng
            line = msgspec.structs.replace(line, text=line.text.replace("-", ","))
        self.minus = self.plain[begin : line.start].strip() in ("-", "–", "—")
        if (time := chats.CHAT_LINE.match(line.text)) and not time.group("name"):  # [10:32] A par - gas
            line = msgspec.structs.replace(line, start=line.start + time.end(), text=line.text[time.end() :])
        if self.ticked and UNTICKED.match(self.text, begin):
            self.refuse(line.start, line.end, line.number, _NOT_TICKED)
            self.last = None
            return
        order = self.known_orders.find(line.text, self.phase, self.section)
        if order is not None and self._free and not line.comment and not self.starred(line):
            self.add_orders(line.start, line.end, line.number, [order])
            self.last, self.last_from, self.broke_off = line, len(self.passages) - 1, False
            self._keep_entry(line, self.last_from)
            return
        if (mark := _MARKED.match(line.text)) and may_mean_an_order(line.text[mark.end() :], self.reader):
            self.refuse(line.start, line.end, line.number, CROSSED_OUT)
            self.last = None
            return
        if (rest := self._starts_anew(line)) is not None:
            if rest.text:
                self.read_headed_orders(rest)
            return
        if self.holds_no_orders(line):
            if line.comment and not self.signed:
                self.comment_after(line)
            return
        line = _without_brackets(line)
        line = self.without_signature(msgspec.structs.replace(line, text=unquoted(line.text, self.reader)))
        if line.comment and self.comment_speaks_against(line):
            end = self.text.find("\n", line.start)
            self.refuse(line.start, end if end >= 0 else len(self.text), line.number, _COMMENTED)
            self.last = None
            return
        verb = self.verb
        while not line.comment and (taken_back := find_turn(self, line.text)) is not None:
            if self._headed_elsewhere(line.text):
                break
            line = self._turn(line, taken_back)
            self.verb = taken_back.verb or self.verb
        if (turn := self._corrects_within(line)) is not None:
            self.read_headed_orders(msgspec.structs.replace(line, text=line.text[: turn.start()]))
            line = msgspec.structs.replace(line, start=line.start + turn.end(), text=line.text[turn.end() :])
        first = len(self.passages)
        before, order = self.corrected_within(line)
        if order is not None:
            self._read_with_goal(before, line, order)
            return
        if (parted := self._corrected_behind(line)) is not None:
            for part in parted:
                self._line(part)
            return
        turned = self.verb != verb
        self.read_headed_orders(line)
        self.verb = verb if turned else self.verb
        self._keep_entry(line, first)
        if line.comment:
            self.comment_after(line)

    def _keep_entry(self, line: Line, first: int) -> None:
        """Keep the first order of a line that a letter or a number counts, for ``supports (a)``."""
        label = self.plain[self.plain.rfind("\n", 0, line.start) + 1 : line.start].strip(" .():#").casefold()
        order = next((p.order for p in self.passages[first:] if p.order is not None), None)
        if order is not None and 0 < len(label) <= LONGEST_LABEL and label.isalnum():
            self.entries[label] = order

    def _headed_elsewhere(self, text: str) -> bool:
        """Whether a line begins with the heading of another power or turn, which goes for the whole of it."""
        heading = self._heading_of(text)[0] if self.power else None
        if heading is None:
            return False
        fits = self.position is None or not (heading.season or heading.year) or heading.fits(self.position.turn)
        return heading.power not in ("", self.power) or not fits

    def _turn(self, line: Line, turn: Turn) -> Line:
        """Read a line up to what is taken back on it, refuse that, and return the line that is left."""
        before = line.text[: turn.begin].rstrip(" /")
        first = msgspec.structs.replace(line, text=before)
        if before and not self.heading_alone(first):
            self.read_headed_orders(first)
        for i, passage in enumerate(self.passages):
            given = province_of(getattr(passage.order, "at", ""))
            if given == turn.unit and passage.power == self.section:
                self.take_back(i, f"line {line.number} corrects this", "superseded")
        self.ordered.pop(turn.unit, None)
        begin, end = line.start + turn.begin, line.start + turn.end
        self.refuse(begin, end, line.number, f"line {line.number} corrects this", "superseded")
        if turn.stays is not None:
            self.add_orders(end, line.start + turn.after, line.number, [turn.stays])
        after = turn.after + len(line.text[turn.after :]) - len(line.text[turn.after :].lstrip(" /"))
        return msgspec.structs.replace(line, start=line.start + after, text=line.text[after:])

    def _starts_anew(self, line: Line) -> Line | None:
        """Read a line up to where all orders above are taken back, take them back, and return what follows; None if it
        says nothing of that: ``... Scrap all that. New orders: ...``"""
        match = None if line.comment else announcing.STARTS_ANEW.search(line.text)
        if match is None or self.refusal is not None or self.block:
            return None
        if match["who"] and self.reader.powers.exact(fold(match["who"])) != self.section:
            return None
        behind = line.text[match.end() :] or self.plain[line.end + 1 :].lstrip()[:LOOK_AHEAD].split("\n", 1)[0]
        if not (self._order_comes(behind) or self.reads(behind)):
            return None
        if before := line.text[: match.start()].rstrip():
            self.read_headed_orders(msgspec.structs.replace(line, text=before))
        for i, passage in enumerate(self.passages):
            if passage.power == self.section and passage.order is not None:
                self.take_back(i, f"line {line.number} takes back all above it", "superseded")
        self.ordered, self.claimed = {}, 0
        self._enter(heading_text.SheetHeading(anew=True))
        begin, end = line.start + match.start(), line.start + match.end()
        self.passages.append(Passage(begin, end, line.number, power=self.section))
        self.last = None
        return msgspec.structs.replace(line, start=end, text=line.text[match.end() :])

    def _read_with_goal(self, before: Line, line: Line, order: Order) -> None:
        """Read a line up to where something else is said of its last unit, and that order in place of the one before
        it."""
        self.read_headed_orders(before)
        begin, unit = line.start + len(before.text), province_of(getattr(order, "at", ""))
        last = next((i for i, p in reversed([*enumerate(self.passages)]) if p.power == self.section), -1)
        given = self.passages[last] if last >= 0 else None
        if given is None or (given.order is not None and province_of(getattr(given.order, "at", "")) != unit):
            self.refuse(begin, line.end, line.number, f"it isn't clear which order this corrects; {SEND_ONCE}")
            return
        self.ordered.pop(unit, None)
        self.take_back(last, f"line {line.number} corrects this", "superseded")
        self.add_orders(begin, line.end, line.number, [order])
        self.last, self.broke_off = None, False

    def _corrects_within(self, line: Line) -> re.Match[str] | None:
        """Where an order within a line corrects the one before it; after a comma only where that is one."""
        turn = correcting.AT_ONCE_WITHIN.search(line.text)
        if turn is None or line.comment:
            return None
        before = line.text[: turn.start()]
        return turn if not before.endswith(",") or self.reads(before[:-1]) else None

    def _corrected_behind(self, line: Line) -> tuple[Line, Line] | None:
        """A line in two where a sentence begins that corrects what stands before it, if the line can't be read as it is
        and all of it can as two lines; None if it is no such line."""
        mark = None if line.comment else correcting.SENTENCE_WITHIN.search(line.text)
        if mark is None or self.turns_left < TURNS_OF_TRIAL or len(line.text) > LONGEST_CORRECTED:
            return None
        self.turns_left -= TURNS_OF_TRIAL
        parts, against = self.tried(line)
        if not against and all(part.error is None for part in parts):
            return None
        before = msgspec.structs.replace(line, text=line.text[: mark.start()])
        after = msgspec.structs.replace(line, start=line.start + mark.end(), text=line.text[mark.end() :])
        trial = SheetReader(
            self.reader, self.known_orders, f"{before.text}\n{after.text}", self.phase, self.section, self.position
        )
        trial.turns_left = self.turns_left // TURNS_OF_TRIAL
        told = [p.error for p in trial.read() if p.error is not None and p.error.message not in UNREAD]
        corrects = told != [] and all(error.kind == "superseded" for error in told)
        return (before, after) if corrects else None

    def _in_conditions(self, line: Line) -> bool:
        """Refuse ``IF`` to ``ENDIF``, as the e-mail Judge has it, with all that stands between."""
        words = line.text.casefold().split(maxsplit=2)
        ends = words[:1] == ["endif"] or words[:2] == ["end", "if"]
        if not (self.conditional or ends or words[:1] == ["if"]):
            return False
        self.conditional = not ends
        self.refuse(
            line.start,
            line.end,
            line.number,
            "conditional orders (from IF to ENDIF) can't be read; write what each unit should do in any case",
        )
        self.last = None
        return True

    @property
    def _free(self) -> bool:
        """Whether lines are read as they come."""
        return not (
            self.refusal or self.block or self.carried or self.signed or self.quotation or self.broke_off or self.press
        )


_REST_IN_BRACKETS = re.compile(
    r"\((?P<inner>(?:the )?(?:rest|others)\b[^()\n]{2,60}|(?:everything|everyone|everybody) else\b[^()\n]{2,60}|"
    r"waive\b[^()\n]{0,60})\)[.!]{0,3}",
    re.IGNORECASE,
)
"""A line in brackets that says something of all other units or builds: ``(the rest hold)``, ``(waive any others)``."""


def _without_brackets(line: Line) -> Line:
    """Return a line without the brackets around the whole of it, where it speaks of all others."""
    match = _REST_IN_BRACKETS.fullmatch(line.text)
    return line if match is None else msgspec.structs.replace(line, start=line.start + 1, text=match["inner"])
