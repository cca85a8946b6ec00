"""One line of a sheet in its parts: orders, or what is wrong with them.

It is long because the parts of a line are read one after the other by one reader, which no other module needs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from legation.board import province_of
from legation.notation.errors import OrderTextError
from legation.notation.layout import STRUCK, Line
from legation.notation.names import fold
from legation.notation.parsing.orders import SAYS_NOTHING, Parser
from legation.notation.prose import announcing, former_orders, heading_text, objections, sayings
from legation.notation.sheets.asides import aside_end
from legation.notation.sheets.doubts import with_doubts
from legation.notation.sheets.grounds import opens_reason, reason_before
from legation.notation.sheets.passages import STRUCK_OUT, Part, refuse_whole, refused_line
from legation.notation.sheets.progress import MANY_ORDERS, MOST_FAULTS, MOST_ORDERS, claims
from legation.notation.sheets.reasons import (
    A_REASON,
    NOT_READ,
    UNREAD,
    is_told,
    reason_end,
)
from legation.notation.sheets.sentences import SentenceReader
from legation.notation.sheets.shapes import joint_opens, looks_like_order, part_end, sentence_end
from legation.notation.small_words import FILLERS, JOINTS
from legation.notation.tokens import BRACKETS
from legation.orders import Order, SupportHold
from legation.position import Phase

_QUESTION = "a question isn't an order; write it without the question mark if it is one"
_STAYS = "this only says what stays, so it wasn't read; write only what is built or removed"
MOST_KEPT = 6  # words of what only stays
MOST_RUN_TOGETHER = 40  # words on a line without signs
SMALL = frozenset(["to", "the", "in", "of", "s", "h", "c", "d", "too", "also"])
MOST_CELLS = 8  # of one order
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
MOST_DASHED = 40  # orders on a line with a dash before each
_MINUS_UNIT = re.compile(r"[-–−](?=[AFDafd][.\s(]\s{0,3}\w\w)")
_DASH_BEFORE_UNIT = re.compile(r"(?<=\s)[-–—]\s{0,3}(?=[AFDafd][.\s(]\s{0,3}\w\w)")
_ALL_BRACKETED = re.compile(r"(?:[(\[][^()\[\];\n]{5,80}[)\]]\s{0,5},?\s{0,5}){2,40}")
"""A line of several things in brackets: ``(A par - bur), (A bur - mun)``."""
_PLACES_LISTED = re.compile(
    r"(?P<before>(?P<kind>[^\W\d_]{1,20})[: ]\s{0,9})(?P<places>[^\W\d_]{2,30}(?: [^\W\d_]{2,30}){1,30})"
)
"""A kind of unit and single words behind it: ``F: tro ber osl``."""
_NUMBER_CELL = re.compile(r"\s{0,9}\|?\s{0,9}\d{1,2}[.)]?\s{0,9}(?=\|)")
"""The cell of a table that counts its rows."""
_CALLED_OUT = re.compile(r"(?<=[.!])\s{1,9}(?P<said>[^\W\d_]{2,20}(?:\s[^\W\d_]{2,20}){0,3})[.!]{0,3}\Z")
"""What is called out behind the orders of a line."""
_STRUCK = re.compile(rf"{STRUCK}[^\n]*?{STRUCK}")


class PartReader(SentenceReader):
    """Reads lines as if each stood alone."""

    def tried(self, line: Line) -> tuple[list[Part], str]:
        """The same as :meth:`parts`, with nothing of it kept."""
        before = dict(self.ordered)
        result = self.parts(line)
        self.ordered = before
        return result

    def parts(self, line: Line) -> tuple[list[Part], str]:
        """The parts of a line, and why nothing on it counts (empty if something does)."""
        if STRUCK in line.text:
            return self._struck_parts(line)
        if _ALL_BRACKETED.fullmatch(line.text) and (bare := self._without_brackets(line)):
            return bare, ""
        if (called := _CALLED_OUT.search(line.text)) and set(fold(called["said"]).split()) <= sayings.EXCLAMATIONS:
            line = msgspec.structs.replace(line, text=line.text[: called.start()])  # ... . Sadly.
        if listed := self._places_listed(line):
            return listed, ""
        if '""' in line.text:  # an empty cell
            line = msgspec.structs.replace(line, text=line.text.replace('""', "  "))
        if line.text.count(";") > 1 and (cells := self._semicolon_row(line)):
            return cells, ""
        if "," in line.text and ", " not in line.text and (cells := self._row(line)):
            return cells, ""
        if self.minus and (dashed := self._dashed(line)):
            return dashed, ""
        parts, against = self.spoken_parts(line)
        if "|" in line.text and any(part.error is not None for part in parts):  # one order in the cells of a table
            number = _NUMBER_CELL.match(line.text)
            text = line.text if number is None else " " * number.end() + line.text[number.end() :]
            row = msgspec.structs.replace(line, text=text.replace("|", " "))
            whole, _ = self.spoken_parts(row)
            if all(part.error is None for part in whole):
                return whole, ""
        if ", " in line.text and any(part.error is not None for part in parts) and (cells := self._row(line)):
            return cells, ""
        return parts, against

    def _places_listed(self, line: Line) -> list[Part]:
        """The orders of a line on which a kind of unit and several places stand where a unit alone is an order, with
        nothing between them: ``F: tro ber osl``; empty if it is none."""
        listed = _PLACES_LISTED.fullmatch(line.text)
        if listed is None or fold(listed["kind"]) not in self.reader.kinds or self.parser("").bare is None:
            return []
        known = [self.reader.places.exact(fold(place), self.section) for place in listed["places"].split()]
        if None in known or len(set(known)) < len(known):
            return []
        before, text = dict(self.ordered), listed["before"] + listed["places"].replace(" ", ",")
        parts, _ = self.spoken_parts(msgspec.structs.replace(line, text=text))
        if all(part.error is None for part in parts):
            return parts
        self.ordered = before
        return []

    def _without_brackets(self, line: Line) -> list[Part]:
        """The orders of a line on which each stands in brackets, and nothing else: ``(A par - bur), (A bur - mun)``."""
        before = dict(self.ordered)
        text = line.text.translate({ord(sign): " " for sign in "(["} | {ord(sign): ";" for sign in ")]"})
        parts, _ = self.spoken_parts(msgspec.structs.replace(line, text=text))
        if any(part.error is not None for part in parts) or len(parts) != text.count(";"):
            self.ordered = before
            return []
        return parts

    def _dashed(self, line: Line) -> list[Part]:
        """The orders of a line in which a dash stands before each, ``-F eng -A gas``; empty if it is none."""
        text, count = _DASH_BEFORE_UNIT.subn(lambda m: ";".ljust(len(m.group())), line.text)
        if not 0 < count < MOST_DASHED:
            return []
        before, verb = dict(self.ordered), self.verb
        if (
            self.phase is Phase.ADJUSTMENTS
            and count == len(_MINUS_UNIT.findall(self.plain, line.start - 1, line.end)) - 1
        ):
            self.verb = "remove"
        parts, _ = self.spoken_parts(msgspec.structs.replace(line, text=text))
        self.verb = verb
        orders = [order for part in parts for order in part.orders]
        units = {province_of(getattr(order, "at", "")) for order in orders}
        if any(part.error is not None for part in parts) or not len(orders) == len(units) == count + 1:
            self.ordered = before
            return []
        return parts

    def _row(self, line: Line) -> list[Part]:
        """The orders of a line that gives them in cells between commas; empty if it does not."""
        if not self._is_row(line.text):
            return []
        whole, _ = self.spoken_parts(msgspec.structs.replace(line, text=line.text.replace(",", " ")))
        fine = all(part.error is None for part in whole) and len(whole) == 1 + line.text.count(";")
        return whole if fine else []

    def _semicolon_row(self, line: Line) -> list[Part]:
        """The one order of a line that gives it in cells between semicolons: ``A par;move;gas``."""
        cells = [fold(cell) or cell.strip() for cell in line.text.rstrip(" ;").split(";")]
        if not 1 < len(cells) <= MOST_CELLS or not any(cell in self.reader.verbs for cell in cells[1:]):
            return []
        whole, _ = self.spoken_parts(msgspec.structs.replace(line, text=line.text.replace(";", " ")))
        return whole if len(whole) == 1 and whole[0].error is None and len(whole[0].orders) == 1 else []

    def _is_row(self, text: str) -> bool:
        """Whether a line gives orders in cells between commas: ``A,par,move,gas``."""
        for row in text.split(";"):
            cells = [fold(cell) or cell.strip() for cell in row.strip(" ,.").split(",")]
            if not any(cell in self.reader.verbs for cell in cells[1:]) or len(cells) > MOST_CELLS:
                return False
            if cells[0] in self.reader.verbs or len(cells) < 2 + (cells[-1] not in self.reader.stays):
                return False
        return True

    def spoken_parts(self, line: Line) -> tuple[list[Part], str]:
        """The parts of a line one after the other; beside them, why the whole line is refused, if it is.

        It is long because each way to go on after a part that is no order stands here, in the order in which they are
        tried.
        """
        self.open_ended = False
        parser = self.parser(line.text)
        if parser.bare is not None:
            _leave_out_asides(parser)
        tokens = parser.tokens
        parts: list[Part] = []
        sentence = 0
        while True:
            while parser.peek() in JOINTS | FILLERS and not (
                joint_opens(parser) or opens_reason(parser) or self._place_called_so(parser) or parser.place_acts()
            ):
                parser.at += 1
            parser.at += parser.numbered
            if (
                parser.peek() in heading_text.LABELS_WITHIN and parser.peek(1) == ":"
            ):  # Moves: A par - bur. Supports: ...
                parser.at += 2
            self._step_over_rest(parser)
            self._step_over_ordinal(parser)
            self._step_over_for(parser)
            if parser.at >= len(tokens):
                break
            begin = parser.at
            if len(self.passages) + len(parts) >= MOST_ORDERS:
                written = line.text[tokens[begin].start :]
                parts.append(
                    Part(line.end - len(written), line.end, [], refuse_whole(written, MANY_ORDERS), True, sentence)
                )
                break
            if begin and tokens[begin - 1].stop and parser.take("press", ":"):
                letter = refuse_whole(line.text[tokens[begin].start :], "this is part of a letter, so it wasn't read")
                parts.append(Part(line.start + tokens[begin].start, line.end, [], letter, True, sentence))
                break
            part = Part(line.start + tokens[begin].start, 0, [], None, True, sentence)
            if (end := (reason_end(parser, parts[-1].orders) if parts else 0) or reason_before(parser)) > 0:
                if is_told([token.text for token in tokens[begin:end]], self.reader):
                    why = NOT_READ if parser.peek() == "(" else A_REASON
                    part.error = refuse_whole(line.text[tokens[begin].start : tokens[end - 1].end], why)
                part.end, parser.at = line.start + tokens[end - 1].end, end
                parts.append(part)
                sentence += tokens[end - 1].stop
                continue
            parser.general = set()
            try:
                part.orders = _read_orders(parser)
                part.general = frozenset(parser.general)
            except OrderTextError as caught:
                fault = caught
                if (run := self._run_together(parser, begin, line)) is not None:
                    parts += run
                    parser.at = len(tokens)
                    continue
                parser.at = stop = part_end(parser, begin, begin)
                if not self._needs_no_order(parser, begin, parts, line):
                    against = objections.objection([t.text for t in tokens[begin:stop]], self.reader.places)
                    if (end := self.asked_end(parser, begin)) > 0:  # Is the deadline on Friday? A par - gas
                        parser.at = end
                        part.end = line.start + tokens[end - 1].end
                        part.error = refuse_whole(line.text[tokens[begin].start : tokens[end - 1].end], _QUESTION)
                        parts.append(part)
                        continue
                    if against and self.only_asked(parser, begin, stop):
                        part.shaped, part.end = True, line.start + tokens[stop - 1].end
                        text = line.text[tokens[begin].start : tokens[stop - 1].end]
                        part.error = refuse_whole(text, against)
                        parts.append(part)
                        continue
                    if against and self.forbids_alone(parser, begin):
                        parser.at = sentence_end(parser, begin + 1)
                        part.end = line.start + tokens[parser.at - 1].end
                        text = line.text[tokens[begin].start : tokens[parser.at - 1].end]
                        part.error = refuse_whole(text, against)
                        parts.append(part)
                        sentence += 1
                        continue
                    if against and self.is_chat_sentence(parser, begin):
                        parser.at = sentence_end(parser, stop)
                        fault = OrderTextError(line.text, (tokens[begin].start, tokens[parser.at - 1].end), against)
                    elif against:
                        return [refused_line(line, against, shaped=looks_like_order(parser, begin))], against
                    self._refuse_part(parser, begin, part, fault)
                    if sum(1 for p in parts if p.error) >= MOST_FAULTS:
                        break
            part.end = line.start + tokens[parser.at - 1].end
            if part.orders:
                parser.claimed += claims(part.orders)
                parser.after_fault = False
                self._keep(parser, part, line)
                units = {province_of(o.at): o for o in part.orders if hasattr(o, "at")}
                self.ordered |= {at: order for at, order in units.items() if at not in part.general}
            parts.append(part)
            sentence += tokens[parser.at - 1].stop
        self.open_ended = bool(parts) and self._breaks_off(parts[-1])
        if self.open_ended and self.phase is Phase.MOVEMENT:
            parts[-1].sentence += 1  # what goes on below spoils nothing here
        return self._collapsed(with_doubts(parts, self.text)), ""

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
            part.error = refuse_whole(parser.text[tokens[begin].start : tokens[stop - 1].end], _STAYS)
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

    def _keep(self, parser: Parser, part: Part, line: Line) -> None:
        """Keep what a whole line was read as, if it depends on nothing but its text."""
        whole = part.start == line.start and parser.at == len(parser.tokens) and len(part.orders) == 1
        if whole and not parser.context_counted and parser.bare is self.reader.bare.get(self.phase):
            self.known_orders.keep(line.text, self.phase, self.section, part.orders[0])

    def _struck_parts(self, line: Line) -> tuple[list[Part], str]:
        """A line of which something is struck out: whole parts may be, half an order may not."""
        parts: list[Part] = []
        at = 0
        for match in [*_STRUCK.finditer(line.text), None]:
            stop = match.start() if match else len(line.text)
            between = line.text[at:stop].strip(" ,;.")
            if between:
                start = line.text.index(between, at)
                inner = msgspec.structs.replace(line, start=line.start + start, text=between)
                if STRUCK in between:
                    return [
                        refused_line(line, "part of this is crossed out; write the order without what is crossed out")
                    ], ""
                inner_parts, against = self.parts(inner)
                if against or any(p.error is not None for p in inner_parts):
                    return [
                        refused_line(line, "part of this is crossed out; write the order without what is crossed out")
                    ], against
                parts += inner_parts
            if match:
                error = refuse_whole(match.group(), STRUCK_OUT)
                parts.append(Part(line.start + match.start(), line.start + match.end(), [], error))
                at = match.end()
        return parts, ""

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


def _read_orders(parser: Parser) -> list[Order]:
    """Orders up to where one may end.

    :raises OrderTextError: if any of it is not understood.
    """
    begin = parser.at
    orders = parser.orders()
    parser.take(":")
    while (end := aside_end(parser) or _contrast_end(parser, orders) or _repetition_end(parser, orders)) > 0:
        parser.at = end
    while orders and not parser.ended and not _may_go_on(orders[-1]):
        if not parser.kind_comes() and not parser.own_unit_comes() and not _opens_again(parser, begin):
            break
        orders += parser.orders()  # a unit after a whole order begins the next one
    if not parser.ended and not _rest_comes(parser):
        tokens, rest = parser.tokens, parser.at
        parser.at = stop = part_end(parser, begin, rest)
        parser.at = rest
        if reason_end(parser, orders):
            return orders
        parser.at = stop
        if stop == rest:  # A par - gas. H
            follows = parser.text[tokens[rest].start : tokens[rest].end][:60]
            what = "what follows in brackets" if follows in BRACKETS or follows == "(" else repr(follows)
            parser.fail(f"{what} may belong to it; write the order on a line of its own", rest)
        parser.fail(f"cannot read {parser.text[tokens[rest].start : tokens[stop - 1].end][:60]!r}", rest)
    return orders


_CONTRASTS = (
    "not",
    "no",
    "was",
    "formerly",
    "previously",
    "instead of",
    "rather than",
    "changed from",
    "no longer",
    "not to",
)


_ELSE = (
    (sayings.CONDITIONS - sayings.CHATTY) | sayings.NEGATIONS | sayings.CORRECTS | sayings.RETRACTS | {"-", "?", ":"}
)


def _contrast_end(parser: Parser, orders: Sequence[Order]) -> int:
    """Where a remark in brackets ends that names what the order was not to be, another place: ``(not Pic)``; 0 where
    none comes."""
    if parser.peek() != "(" or not orders:
        return 0
    start = parser.at
    try:
        parser.at += 1
        if not any(parser.take(*words.split()) for words in reversed(_CONTRASTS)):
            return 0
        parser.take(":")
        meaning, end = parser.longest_name(parser.at)
        own = {province_of(place) for order in orders for place in places_of(order)}
        other = meaning.sure and not own & {province_of(key) for key in meaning.keys}
        close = end
        while close < len(parser.tokens) and parser.tokens[close].text not in ("(", ")"):
            close += 1
        said = [token.text for token in parser.tokens[end:close]]  # not Hel, where France could catch it
        tail = not said or (said[0] == "," and set(said).isdisjoint(_ELSE))
        closed = close < len(parser.tokens) and parser.tokens[close].text == ")"
        return close + 1 if other and tail and closed else 0
    finally:
        parser.at = start


def _repetition_end(parser: Parser, orders: Sequence[Order]) -> int:
    """Where brackets end that say one of these orders again: ``discharges the mercenaries in Provence (A Pro
    disbanded)``; 0 where none come."""
    start = parser.at
    if parser.peek() != "(" or not orders or parser.peek(2) == ")":
        return 0
    try:
        parser.at += 1
        again = parser.orders()
        closed = parser.peek() == ")" and parser.at + 1
        return closed if again and all(any(says_same(one, other) for other in orders) for one in again) else 0
    except OrderTextError:
        return 0
    finally:
        parser.at = start


def says_same(one: Order, other: Order) -> bool:
    """Whether two orders say the same, but for the kinds of units that one of them may leave out."""
    kinds = {getattr(order, "kind", "") for order in (one, other)} - {""}
    helped = {getattr(order, "target_kind", "") for order in (one, other)} - {""}
    same = type(one) is type(other) and without_kinds(one) == without_kinds(other)
    return same and len(kinds) < 2 and len(helped) < 2


def without_kinds(order: Order) -> dict[str, object]:
    """What an order says, but for the kinds of units."""
    said: dict[str, object] = msgspec.structs.asdict(order)
    return {name: value for name, value in said.items() if name not in ("kind", "target_kind")}


def places_of(order: Order) -> list[str]:
    """The places that an order names."""
    return [value for value in msgspec.structs.asdict(order).values() if isinstance(value, str)]


def _leave_out_asides(parser: Parser) -> None:
    """Leave out remarks in brackets where a unit alone is an order: ``A war (sorry!)``."""
    at = 1
    while at < len(parser.tokens):
        parser.at = at
        end = aside_end(parser) if parser.peek() == "(" else 0
        if end > at:
            parser.tokens[at - 1] = msgspec.structs.replace(parser.tokens[at - 1], end=parser.tokens[end - 1].end)
            del parser.tokens[at:end]
        else:
            at += 1
    parser.at = 0


def _rest_comes(parser: Parser) -> bool:
    """Whether all other units come next, and what they do: ``par-gas mar-spa the rest hold``."""
    ahead = int(parser.peek() == "the")
    return parser.peek(ahead) in ("rest", "others") and parser.peek(ahead + 1) in parser.reader.stays


def _opens_again(parser: Parser, begin: int) -> bool:
    """Whether the word that began these orders comes again before a unit: ``REMOVE A gas REMOVE F eng``."""
    word = parser.peek()
    if word not in parser.reader.openings or word != parser.tokens[begin].text:
        return False
    parser.at += 1
    comes = parser.kind_comes()
    parser.at -= 1
    return comes


def _may_go_on(order: Order) -> bool:
    """Whether the unit that follows may belong to the order: ``S Eng F nth`` may name a power and its unit."""
    return isinstance(order, SupportHold) and not order.target_kind


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
