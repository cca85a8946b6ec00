"""One line of a sheet part by part: orders, or what is wrong with them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from legation.board import province_of
from legation.notation.errors import OrderTextError
from legation.notation.forms.helping import others_help_end
from legation.notation.forms.holds import ONLY_STAYS
from legation.notation.layout import Line
from legation.notation.names import fold
from legation.notation.parsing.orders import Parser
from legation.notation.parsing.saying import SAYS_NOTHING
from legation.notation.parsing.units import MEANWHILE
from legation.notation.prose import announcing, former_orders, heading_text, objections, sayings
from legation.notation.sheets.doubts import with_doubts
from legation.notation.sheets.grounds import opens_reason, reason_before
from legation.notation.sheets.order_text import leave_out_asides, read_orders
from legation.notation.sheets.paraphrased import ParaphraseReader
from legation.notation.sheets.passages import Part, refuse_whole, refused_line
from legation.notation.sheets.progress import MANY_ORDERS, MOST_FAULTS, MOST_ORDERS, claims
from legation.notation.sheets.reasons import (
    A_REASON,
    NOT_READ,
    OF_OTHERS,
    UNREAD,
    is_told,
    reason_end,
    trailing_end,
)
from legation.notation.sheets.shapes import joint_opens, looks_like_order, part_end, sentence_end
from legation.notation.small_words import FILLERS, JOINTS
from legation.position import Phase

_QUESTION = "a question isn't an order; write it without the question mark if it is one"
MOST_KEPT = 6  # words of what only stays
MOST_RUN_TOGETHER = 40  # words on a line without signs
SMALL = frozenset(["to", "the", "in", "of", "s", "h", "c", "d", "too", "also"])
_COUNTED = frozenset(["build", "order", "move", "removal", "retreat", "unit"])
LONGEST_OF_REST = 6  # words between ``the rest`` and a colon
_FIRM = frozenset(
    f"{verb}{said}"
    for verb in ("", "is ", "are ", "stands ")
    for said in (
        "firm|fixed|final|certain|unconditional|as follows|whatever happens|in any case|in any event|regardless|"
        "come what may|whatever he does|either way"
    ).split("|")
)
"""What is said of other orders that are meant in any case."""


class _Reading(msgspec.Struct):
    """A line on its way: its parts so far, in which sentence the next one stands, and why nothing of it counts."""

    parser: Parser
    line: Line
    parts: list[Part]
    sentence: int = 0
    against: str = ""
    shaped: bool = True  # what speaks against the line looks like an order

    def part(self, begin: int, end: int, why: str = "") -> Part:
        """A part from a token up to another one, refused for a reason if one is given."""
        first, last = self.parser.tokens[begin].start, self.parser.tokens[end - 1].end
        error = refuse_whole(self.line.text[first:last], why) if why else None
        return Part(self.line.start + first, self.line.start + last, [], error, True, self.sentence)

    def add(self, part: Part, end: int) -> None:
        """Add a part that ends before a token, and go on there."""
        self.parts.append(part)
        self.sentence += self.parser.tokens[end - 1].stop
        self.parser.at = end

    def refuse(self, begin: int, end: int, why: str) -> None:
        """Refuse what is left of a line."""
        self.parts.append(self.part(begin, end, why))


class SpokenReader(ParaphraseReader):
    """Reads what a line says, one part after the other."""

    def spoken_parts(self, line: Line) -> tuple[list[Part], str]:
        """The parts of a line one after the other; beside them, why the whole line is refused, if it is."""
        self.open_ended = False
        reading = _Reading(self.parser(line.text), line, [])
        if reading.parser.bare is not None:
            leave_out_asides(reading.parser)
        while self._next_part(reading):
            pass
        if reading.against:
            return [refused_line(line, reading.against, shaped=reading.shaped)], reading.against
        parts = reading.parts
        self.open_ended = bool(parts) and self._breaks_off(parts[-1])
        if self.open_ended and self.phase is Phase.MOVEMENT:
            parts[-1].sentence += 1  # what goes on below spoils nothing here
        return self._collapsed(with_doubts(parts, self.text)), ""

    def _next_part(self, reading: _Reading) -> bool:
        """Read the next part of a line; whether another may follow."""
        parser = reading.parser
        self._step_to_part(parser)
        begin = parser.at
        if begin >= len(parser.tokens):
            return False
        if why := self._ends_reading(reading):
            reading.refuse(begin, len(parser.tokens), why)
            return False
        if (end := self._reason_end(reading)) > 0:
            told = is_told([token.text for token in parser.tokens[begin:end]], self.reader)
            why = NOT_READ if parser.peek() == "(" else OF_OTHERS if others_help_end(parser) == end else A_REASON
            reading.add(reading.part(begin, end, why if told else ""), end)
            return True
        parser.general = set()
        try:
            orders = read_orders(parser)
        except OrderTextError as fault:
            return self._no_order(reading, begin, fault)
        part = reading.part(begin, parser.at)
        part.orders, part.general = orders, frozenset(parser.general)
        reading.add(part, parser.at)
        parser.claimed += claims(orders)
        parser.after_fault = parser.after_fault and not orders
        if orders:
            self._keep(parser, part, reading.line)
        units = {province_of(o.at): o for o in orders if hasattr(o, "at")}
        self.ordered |= {at: order for at, order in units.items() if at not in part.general}
        return True

    def _step_to_part(self, parser: Parser) -> None:
        """Step over what stands before the next part and says nothing: joints, numbers, ``Supports:``, ``First,``."""
        while (parser.peek() in JOINTS | FILLERS or _goes_on_meanwhile(parser)) and not (
            joint_opens(parser) or opens_reason(parser) or self._place_called_so(parser) or parser.place_acts()
        ):
            parser.at += 1
        parser.at += parser.numbered
        if parser.peek() in heading_text.LABELS_WITHIN and parser.peek(1) == ":":  # Moves: A par - bur. Supports: ...
            parser.at += 2
        self._step_over_region(parser)
        self._step_over_rest(parser)
        self._step_over_ordinal(parser)
        self._step_over_for(parser)

    def _ends_reading(self, reading: _Reading) -> str:
        """Why nothing more of a line is read: there are too many orders, or a letter begins; empty if it is."""
        if len(self.passages) + len(reading.parts) >= MOST_ORDERS:
            return MANY_ORDERS
        parser = reading.parser
        letter = parser.at > 0 and parser.tokens[parser.at - 1].stop
        letter = letter and (parser.peek(), parser.peek(1)) == ("press", ":")
        return "this is part of a letter, so it wasn't read" if letter else ""

    def _reason_end(self, reading: _Reading) -> int:
        """Where a reason ends that comes next, for the order before it or that behind it; 0 where none comes."""
        before = reading.parts[-1].orders if reading.parts else []
        return (reason_end(reading.parser, before) if reading.parts else 0) or reason_before(reading.parser)

    def _no_order(self, reading: _Reading, begin: int, fault: OrderTextError) -> bool:
        """Deal with a part that isn't an order, in the first way that fits; return whether another part may follow."""
        parser, line = reading.parser, reading.line
        if (run := self._run_together(parser, begin, line)) is not None:
            reading.parts += run
            parser.at = len(parser.tokens)
            return True
        if orders := self.paraphrased(parser, begin, line):
            part = reading.part(begin, parser.at)
            part.orders = orders
            reading.add(part, parser.at)
            parser.claimed += claims(orders)
            self.ordered |= {province_of(order.at): order for order in orders if hasattr(order, "at")}
            return True
        parser.at = begin
        if reading.parts and reading.parts[-1].orders and (end := trailing_end(parser, reading.parts[-1].orders[-1])):
            told = is_told([token.text for token in parser.tokens[begin:end]], self.reader)
            reading.add(reading.part(begin, end, A_REASON if told else ""), end)
            return True
        parser.at = stop = part_end(parser, begin, begin)
        if self._needs_no_order(parser, begin, reading.parts, line):
            reading.add(reading.part(begin, parser.at), parser.at)
            return True
        if self._builds_none_there(parser, begin, stop, reading.parts):
            why = refuse_whole(line.text[parser.tokens[begin].start : parser.tokens[stop - 1].end], ONLY_STAYS)
            reading.add(msgspec.structs.replace(reading.part(begin, stop), error=why), stop)
            return True
        against = objections.objection([t.text for t in parser.tokens[begin:stop]], self.reader.places)
        if (end := self.asked_end(parser, begin)) > 0:  # Is the deadline on Friday? A par - gas
            reading.parts.append(reading.part(begin, end, _QUESTION))
            parser.at = end
            return True
        if against and self.only_asked(parser, begin, stop):
            reading.parts.append(reading.part(begin, stop, against))
            return True
        if against and self.forbids_alone(parser, begin):
            end = sentence_end(parser, begin + 1)
            reading.parts.append(reading.part(begin, end, against))
            reading.sentence += 1
            parser.at = end
            return True
        if against and not self.is_chat_sentence(parser, begin):
            reading.against, reading.shaped = against, looks_like_order(parser, begin)
            return False
        if against:
            parser.at = sentence_end(parser, stop)
            fault = OrderTextError(line.text, (parser.tokens[begin].start, parser.tokens[parser.at - 1].end), against)
        part = reading.part(begin, parser.at)
        self._refuse_part(parser, begin, part, fault)
        if sum(1 for p in reading.parts if p.error) >= MOST_FAULTS:
            return False
        part.end = line.start + parser.tokens[parser.at - 1].end
        reading.add(part, parser.at)
        return True

    def _place_called_so(self, parser: Parser) -> bool:
        """Whether a word that may join orders is a place where a unit is built: ``And A``, of Andalusia."""
        kind = parser.peek(1) in self.reader.kinds and (not parser.peek(2) or parser.peek(2) in JOINTS)
        named = parser.at == 0 and self.reader.places.exact(parser.peek(), self.section) is not None
        return named and kind and parser.bare is not None

    def _step_over_for(self, parser: Parser) -> None:
        """Step over ``For Guyenne,`` before the unit there, and over ``For Cumberland,`` before one of that power."""
        start = parser.at
        if not parser.take("for"):
            return
        power = parser.power_next()
        place, end = parser.longest_name(parser.at)
        parser.at = parser.at if power else end
        if parser.take_one((",", ":")) and (power or place.keys) and parser.names_unit():
            begin = parser.at
            try:
                at = province_of(parser.unit(own=True).at)
            except OrderTextError:
                at = ""
            parser.at = begin
            if (power and parser.present("", power)(at)) or at in place.keys:
                return
        parser.at = start

    def _step_over_region(self, parser: Parser) -> None:
        """Step over ``South:``, ``In the south:`` before a unit, where nothing else is called so."""
        ahead = 2 * ((parser.peek(), parser.peek(1)) == ("in", "the")) or int(parser.peek() == "the")
        word = parser.peek(ahead)
        if word not in heading_text.REGIONS | heading_text.LANDS | {"land"} or parser.peek(ahead + 1) != ":":
            return
        named = self.reader.places.exact(word, self.section) or self.reader.powers.exact(word)
        comes = parser.names_unit_after(ahead + 2) or parser.own_unit_comes_after(ahead + 2)
        parser.at += (ahead + 2) * (comes and not named)

    def _step_over_rest(self, parser: Parser) -> None:
        """Step over ``The rest:``, ``The others whatever happens:`` before a unit."""
        rest = int(parser.peek() == "the")
        if parser.peek(rest) not in ("rest", "others"):
            return
        words = [parser.peek(rest + 1 + i) for i in range(LONGEST_OF_REST)]
        said = words[: words.index(":")] if ":" in words else ["?"]
        ahead = rest + 2 + len(said)
        if not said or " ".join(said) in _FIRM:
            parser.at += ahead * (parser.names_unit_after(ahead) or parser.own_unit_comes_after(ahead))

    def _step_over_ordinal(self, parser: Parser) -> None:
        """Step over ``First,`` before a unit that has no order yet; of one that has, it may count choices."""
        start = parser.at
        if parser.take_one(sayings.ORDINALS):
            if parser.bare is not None and parser.peek() in _COUNTED and parser.names_unit_after(1):
                parser.at += not parser.opening_comes()  # 1st build A par
                return
            parser.take_one(_COUNTED)  # Second build: F lon
        if parser.at == start or not parser.take_one((",", ":")):
            parser.at = start
            return
        end = parser.at
        named = parser.names_unit() or parser.own_unit_comes()
        try:
            if named and province_of(parser.unit(own=True).at) not in parser.ordered:
                parser.at = end
                return
        except OrderTextError:
            pass
        parser.at = start

    def _needs_no_order(self, parser: Parser, begin: int, before: Sequence[Part], line: Line) -> bool:
        """Step over what isn't an order and need not be: a greeting, or that former orders do not count."""
        tokens = parser.tokens
        said = line.text[tokens[begin].start : tokens[parser.at - 1].end]
        if self.phase is Phase.PLACEMENT and announcing.keeps_back(fold(said).split()):
            return True
        builds = self.phase is Phase.ADJUSTMENTS and parser.units_over() < 0
        if builds and not {"build", "builds"}.isdisjoint(fold(said).split()):
            return False  # no builds for England
        if self.is_courtesy(said) and not any(t.text in sayings.QUESTIONS for t in tokens[begin : parser.at]):
            return True
        if self.ordered or any(part.orders for part in before) or tokens[begin].text not in former_orders.REPLACING:
            return False
        ending = sentence_end(parser, begin + 1)
        said = line.text[tokens[begin].start : tokens[ending - 1].end]
        if not former_orders.replaces_former(fold(said).split()) or former_orders.heads_former(said):
            return False
        parser.at = ending
        self.replaced.append(line.start + tokens[begin].start)
        return True

    def _run_together(self, parser: Parser, begin: int, line: Line) -> list[Part] | None:
        """The orders of a line on which nothing parts them, ``par gas mar spa bre hold``, if it can be read in one way
        only, each of another own unit that has no order yet, and none goes where one stands that is not ordered there;
        None if not."""
        tokens = parser.tokens[begin:]
        plain = all(token.text.isalpha() and not token.stop for token in tokens[:-1])
        if begin or not 4 <= len(tokens) <= MOST_RUN_TOGETHER or not plain or self.tries_left <= 0:
            return None
        known = self.reader.places.meaning
        if not all(t.text in self.reader.telling_words or known(t.text).keys or t.text in SMALL for t in tokens):
            return None
        self.tries_left -= len(tokens)
        read = {(i, j): p for i in range(len(tokens)) for j in range(i + 2, min(i + 7, len(tokens) + 1))
                if (p := self._one_order(line, tokens[i].start, tokens[j - 1].end)) is not None}  # fmt: skip
        ways: list[list[list[Part]]] = [[[]], *([] for _ in tokens)]
        for j in range(1, len(tokens) + 1):
            for i in range(max(j - 6, 0), j):
                if (i, j) in read:
                    ways[j] += [[*way, read[i, j]] for way in ways[i]][:3]
        if len(ways[-1]) != 1:
            return None
        found = ways[-1][0]
        units = [province_of(getattr(part.orders[0], "at", "")) for part in found]
        mine = {unit.province for unit in self.position.units_of(self.section)} if self.position else set()
        goals = {province_of(getattr(part.orders[0], "to", "")) for part in found}
        if len(found) < 2 or len(set(units)) < len(units) or not set(units) <= mine - set(self.ordered):
            return None
        unsure = goals & (mine - set(units))  # par bur mar pic: may be a list
        return found if 2 * len(unsure) < len(goals) or not unsure else None

    def _one_order(self, line: Line, start: int, end: int) -> Part | None:
        """The one order that a stretch of a line gives, or None."""
        one = self.parser(line.text[start:end])
        try:
            orders = one.orders()
            one.finish()
        except OrderTextError:
            return None
        return Part(line.start + start, line.start + end, orders, None, True, 0) if len(orders) == 1 else None

    def _refuse_part(self, parser: Parser, begin: int, part: Part, error: OrderTextError) -> None:
        """Say what is wrong with a part, and step to its end."""
        tokens, stop = parser.tokens, parser.at
        if self._keeps(parser, begin, stop):
            part.error = refuse_whole(parser.text[tokens[begin].start : tokens[stop - 1].end], ONLY_STAYS)
            return
        part.shaped = looks_like_order(parser, begin) and not error.message.startswith(SAYS_NOTHING)
        if not part.shaped and error.span[0] == tokens[begin].start and not _verb_follows(parser, begin, error):
            message = f"this isn't understood as an order{self._example()}"
            error = OrderTextError(error.text, error.span, message, (), error.kind)
        part.error = _within(error, parser.text, tokens[begin].start, tokens[stop - 1].end)
        parser.after_fault = True
        if not part.shaped:
            parser.at = sentence_end(parser, stop)

    def _keeps(self, parser: Parser, begin: int, stop: int) -> bool:
        """Whether a part only says, where units are built or removed, that an own one stays that is not removed: ``keep
        Provence``."""
        adjusting = self.phase in (Phase.ADJUSTMENTS, Phase.PLACEMENT)
        if not adjusting or parser.tokens[begin].text not in ("keep", "keeping") or stop - begin > MOST_KEPT:
            return False
        words = [token.text for token in parser.tokens[begin + 1 : stop]]
        named = {key for at in range(begin + 1, stop) for key in parser.longest_name(at)[0].keys[:1]}
        plain = set(words).isdisjoint(sayings.AGAINST | {"-", "?"})
        return (
            plain
            and bool(named)
            and named.isdisjoint(self.ordered)
            and all(parser.present("", self.section)(key) for key in named)
        )

    def _builds_none_there(self, parser: Parser, begin: int, stop: int, before: Sequence[Part]) -> bool:
        """Whether a part only says that nothing is built at some places, where nothing is: ``nothing in Paris this
        year``, ``Berlin nothing``."""
        words = [token.text for token in parser.tokens[begin:stop]]
        if self.phase not in (Phase.ADJUSTMENTS, Phase.PLACEMENT) or "nothing" not in (words[0], words[-1]):
            return False
        if words[0] == "nothing" and words[1:2] not in (["in"], ["at"], ["for"]):
            return False
        named: set[str] = set()
        at, stop = (begin + 2, stop) if words[0] == "nothing" else (begin, stop - 1)
        while at < stop:
            meaning, end = parser.longest_name(at)
            if not meaning.keys and parser.tokens[at].text not in JOINTS | {"the", "in", "at", "or"}:
                return False
            named |= {province_of(key) for key in meaning.keys}
            at = max(end, at + 1)
        built = [order for part in before for order in part.orders]
        built += [p.order for p in self.passages if p.order is not None and p.power == self.section]
        return bool(named) and named.isdisjoint(province_of(getattr(order, "at", "")) for order in built)

    def _keep(self, parser: Parser, part: Part, line: Line) -> None:
        """Keep what a whole line was read as, if it depends on nothing but its text."""
        whole = part.start == line.start and parser.at == len(parser.tokens) and len(part.orders) == 1
        if whole and not parser.context_counted and parser.bare is self.reader.bare.get(self.phase):
            self.known_orders.keep(line.text, self.phase, self.section, part.orders[0])

    def _collapsed(self, parts: list[Part]) -> list[Part]:
        """Sentences with a part that looks like no order are refused whole."""
        spoiled = {part.sentence: part.error for part in parts if part.error is not None and not part.shaped}
        if not spoiled:
            return parts
        result: list[Part] = []
        for part in parts:
            if part.sentence not in spoiled:
                result.append(part)
            elif result and result[-1].sentence == part.sentence:
                result[-1].end = part.end
            else:
                result.append(Part(part.start, part.end, [], spoiled[part.sentence], False, part.sentence))
        for part in result:
            if part.error is not None and not part.shaped:
                written = self.text[part.start : part.end]
                error = spoiled[part.sentence]
                assert error is not None
                message = (
                    error.message
                    if len(written) == len(error.text)
                    else f"nothing in this sentence was read, as part of it isn't understood: {error.message}"
                )
                part.error = refuse_whole(written, message, error.suggestions, error.kind)
        return result

    def _breaks_off(self, part: Part) -> bool:
        """Whether an order lacks its end; a unit of which nothing is said may be one of a list."""
        if part.error is None:
            return False
        text, (first, last) = part.error.text, part.error.span
        if part.error.message in UNREAD:
            return False
        if fold(text.rsplit(maxsplit=1)[-1]) in self.reader.kinds and last >= len(text):
            return True  # A bur S A
        return first >= len(text) and not part.error.message.startswith(SAYS_NOTHING)

    def _example(self) -> str:
        """How an order is written, with places of the position at hand."""
        position = self.position
        if position is None or not self.section:
            return ""
        if self.phase in (Phase.ADJUSTMENTS, Phase.PLACEMENT):
            centers = position.centers_of(self.section)
            return f"; write for example 'build A {min(centers)}'" if centers else ""
        sign = "R" if self.phase is Phase.RETREATS else "-"
        units = [d.unit for d in position.dislodged] if self.phase is Phase.RETREATS else position.units
        for unit in units:
            if unit.power == self.section and (near := self.reader.board.reach(self.reader.travel[unit.kind], unit.at)):
                return f"; write for example '{unit} {sign} {min(near)}'"
        return ""


def _goes_on_meanwhile(parser: Parser) -> bool:
    """Whether ``while`` comes next behind another order, and then the order of an own unit."""
    return parser.at > 0 and parser.peek() in MEANWHILE and parser.own_order_comes()


def _verb_follows(parser: Parser, begin: int, error: OrderTextError) -> bool:
    """Whether an unknown name stands before a verb, in place of a unit."""
    after = next((t.text for t in parser.tokens[begin:] if t.start >= error.span[1]), "")
    return after in parser.reader.verbs


def _within(error: OrderTextError, text: str, start: int, end: int) -> OrderTextError:
    """The error about a line as one about a part of it."""
    written = text[start:end]
    first = min(max(error.span[0] - start, 0), len(written))
    last = min(max(error.span[1] - start, first), len(written))
    return OrderTextError(written, (first, last), error.message, error.suggestions, error.kind)
