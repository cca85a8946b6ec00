"""One line of a sheet in its parts: orders, or what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from legation.board import province_of
from legation.notation import prose
from legation.notation.errors import OrderTextError
from legation.notation.layout import STRUCK, Line
from legation.notation.names import fold
from legation.notation.parsing.orders import SAYS_NOTHING, Parser
from legation.notation.sheets.asides import aside_end
from legation.notation.sheets.deeds import read_bare
from legation.notation.sheets.passages import Part, refuse_whole, refused_line
from legation.notation.sheets.progress import MOST_FAULTS, Progress, claims
from legation.notation.sheets.shapes import joint_opens, looks_like_order, part_end, sentence_end
from legation.notation.small_words import JOINTS, POLITE
from legation.notation.tokens import tokenize
from legation.orders import Order, SupportHold
from legation.position import Phase

_STRUCK = re.compile(rf"{STRUCK}[^\n]*?{STRUCK}")


class PartReader(Progress):
    """Reads lines as if each stood alone."""

    def parser(self, text: str) -> Parser:
        """A parser for a text that stands where the reading has come to."""
        bare = read_bare(self.deed, self.phase, after_dash=self.minus)
        tokens = tokenize(text, self.reader.codes)
        parser = Parser(self.reader, text, tokens, self.phase, self.section, self.position, self.ordered, bare)
        parser.claimed = self.claimed
        return parser

    def reads(self, text: str) -> bool:
        """Whether a text begins with an order."""
        try:
            self.parser(text).orders()
        except OrderTextError:
            return False
        return True

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
        parts, against = self._spoken_parts(line)
        if "|" in line.text and any(part.error is not None for part in parts):  # one order in the cells of a table
            row = msgspec.structs.replace(line, text=line.text.replace("|", " "))
            whole, _ = self._spoken_parts(row)
            if all(part.error is None for part in whole):
                return whole, ""
        return parts, against

    def _spoken_parts(self, line: Line) -> tuple[list[Part], str]:
        parser = self.parser(line.text)
        tokens = parser.tokens
        parts: list[Part] = []
        sentence = 0
        while True:
            while parser.peek() in JOINTS | POLITE and not joint_opens(parser):
                parser.at += 1
            parser.at += parser.numbered
            if parser.peek() in prose.LABELS_WITHIN and parser.peek(1) == ":":  # Moves: A par - bur. Supports: ...
                parser.at += 2
            if parser.at >= len(tokens):
                break
            begin = parser.at
            part = Part(line.start + tokens[begin].start, 0, [], None, True, sentence)
            try:
                part.orders = _read_orders(parser)
            except OrderTextError as error:
                parser.at = stop = part_end(parser, begin, begin)
                if not self._needs_no_order(parser, begin, parts, line):
                    against = prose.objection([t.text for t in tokens[begin:stop]], self.reader.places)
                    if against:
                        return [refused_line(line, against, shaped=looks_like_order(parser, begin))], against
                    self._refuse_part(parser, begin, part, error)
                    if sum(1 for p in parts if p.error) >= MOST_FAULTS:
                        break
            part.end = line.start + tokens[parser.at - 1].end
            if part.orders:
                parser.claimed += claims(part.orders)
                self._keep(parser, part, line)
                self.ordered |= {province_of(o.at): o for o in part.orders if hasattr(o, "at")}
            parts.append(part)
            sentence += tokens[parser.at - 1].stop
        return self._collapsed(parts), ""

    def _needs_no_order(self, parser: Parser, begin: int, before: Sequence[Part], line: Line) -> bool:
        """Step over what is no order and need be none: a greeting, or that former orders do not count."""
        tokens = parser.tokens
        said = line.text[tokens[begin].start : tokens[parser.at - 1].end]
        if prose.is_courtesy(said, self.reader.telling_words) and not any(
            t.text in prose.QUESTIONS for t in tokens[begin : parser.at]
        ):
            return True
        if self.ordered or any(part.orders for part in before):
            return False
        ending = sentence_end(parser, begin + 1)
        said = line.text[tokens[begin].start : tokens[ending - 1].end]
        if not prose.replaces_former(fold(said).split()):
            return False
        parser.at = ending
        self.replaced.append(line.start + tokens[begin].start)
        return True

    def _refuse_part(self, parser: Parser, begin: int, part: Part, error: OrderTextError) -> None:
        """Say what is wrong with a part, and step to its end."""
        tokens, stop = parser.tokens, parser.at
        part.shaped = looks_like_order(parser, begin) and not error.message.startswith(SAYS_NOTHING)
        if not part.shaped and error.span[0] == tokens[begin].start and not _verb_follows(parser, begin, error):
            message = f"this is not understood as an order{self._example()}"
            error = OrderTextError(error.text, error.span, message, (), error.kind)
        part.error = _within(error, parser.text, tokens[begin].start, tokens[stop - 1].end)
        if not part.shaped:
            parser.at = sentence_end(parser, stop)

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
                    return [refused_line(line, "it is struck out in part")], ""
                inner_parts, against = self.parts(inner)
                if against or any(p.error is not None for p in inner_parts):
                    return [refused_line(line, "it is struck out in part")], against
                parts += inner_parts
            if match:
                error = refuse_whole(match.group(), "it is struck out")
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
                    else f"a sentence is read whole or not at all: {error.message}"
                )
                part.error = refuse_whole(written, message, error.suggestions, error.kind)
        return result

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
    while (end := aside_end(parser)) > 0:
        parser.at = end
    while orders and not parser.ended and not _may_go_on(orders[-1]):
        if not parser.kind_comes() and not parser.own_unit_comes():
            break
        orders += parser.orders()  # a unit after a whole order begins the next one
    if not parser.ended:
        tokens, rest = parser.tokens, parser.at
        parser.at = stop = part_end(parser, begin, rest)
        parser.fail(f"cannot read {parser.text[tokens[rest].start : tokens[stop - 1].end][:60]!r}", rest)
    return orders


def _may_go_on(order: Order) -> bool:
    """Whether the unit that follows may belong to the order: ``S Eng F nth`` may name a power and its unit."""
    return isinstance(order, SupportHold) and not order.target_kind


def _verb_follows(parser: Parser, begin: int, error: OrderTextError) -> bool:
    """Whether what is no place stands where a unit does, before a verb."""
    after = next((t.text for t in parser.tokens[begin:] if t.start >= error.span[1]), "")
    return after in parser.reader.verbs


def _within(error: OrderTextError, text: str, start: int, end: int) -> OrderTextError:
    """The error about a line as one about a part of it."""
    written = text[start:end]
    first = min(max(error.span[0] - start, 0), len(written))
    last = min(max(error.span[1] - start, first), len(written))
    return OrderTextError(written, (first, last), error.message, error.suggestions, error.kind)
