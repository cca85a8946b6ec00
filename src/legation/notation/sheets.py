"""Whole sheets: every character is part of an order, of something that is none (a heading, a greeting, a comment), or
is told as not understood."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from legation.board import province_of
from legation.notation import prose
from legation.notation.errors import FaultKind, OrderTextError
from legation.notation.layout import COMMENT, STRUCK, Line, lines_of, plain_text
from legation.notation.names import SHORTEST_BEGINNING, fold
from legation.notation.parsing import JOINTS, POLITE, SAYS_NOTHING, Parser, Subject
from legation.notation.tokens import tokenize
from legation.orders import Build, Disband, Hold, Order, Remove, SupportHold, Waive
from legation.position import Phase, Position

if TYPE_CHECKING:
    from legation.notation.reading import Reader

LONGEST_SHEET = 60_000  # characters
LONGEST_LINE = 6_000
MOST_ORDERS = 1_000  # of one sheet
MOST_FAULTS = 50  # of one sheet; what comes after them is not read
LOOK_AHEAD = 300  # characters of a line that are looked at ahead
SHORT_WORDS = frozenset("me us it so we he my no on in at by up do go is be am ok".split())
SHORT_NAME = 5  # words of a signature

_CARRIED = "it belongs to the sentence of the line before"
_STRUCK = re.compile(rf"{STRUCK}[^\n]*?{STRUCK}")
_INK = re.compile(r"\S(?:[^\n]*\S)?")
_INK_WORD = re.compile(r"\S+")
_OPENS_LIST = re.compile(r"\s*(builds?|bld|removals?|removes?|disbands?|destroy)\s*:", re.IGNORECASE)


class Passage(msgspec.Struct, frozen=True):
    """A part of a sheet, ``text[start:end]``: an order of ``power``, or why it is none (``error``, whose span counts
    from ``start``), or neither (a heading, a comment)."""

    start: int
    end: int
    line: int
    order: Order | None = None
    error: OrderTextError | None = None
    power: str = ""


class _Part(msgspec.Struct):
    """A stretch of a line on its way: its orders, or what is wrong with it."""

    start: int
    end: int
    orders: list[Order]
    error: OrderTextError | None = None
    shaped: bool = True  # it looks like an order
    sentence: int = 0


class SheetReader:
    """Reads one sheet, or a message with the sheets of several powers (``power`` empty), from top to bottom."""

    def __init__(self, reader: Reader, text: str, phase: Phase, power: str, position: Position | None) -> None:
        self.reader = reader
        self.text = text
        self.plain = plain_text(text[:LONGEST_SHEET])
        self.phase = phase
        self.power = power
        self.position = position
        self.passages: list[Passage] = []
        self.section = power  # whose orders the lines are
        self.refusal: tuple[FaultKind, str] | None = None  # why the lines of this section are not read
        self.block = ""  # why the lines up to the next empty one are not read
        self.block_opens = False  # nothing was refused for that yet
        self.carried = ""  # why the next line is not read
        self.minus = False  # a dash stands before the line
        self.deed = ""  # what is to be done with units of which nothing is said
        self.closing = False  # after a goodbye
        self.signed = False  # below the line of a signature
        self.quotation = False  # below "... wrote:"
        self.press = False  # in a letter to other powers
        self.ordered: dict[str, Order] = {}
        self.claimed = 0  # builds and waivers so far
        self.faults = 0
        self.last: Line | None = None  # the line before, if orders were read from it or it broke off
        self.last_from = 0  # where its passages begin
        self.broke_off = False
        self.replaced: list[int] = []  # where it is said that former orders do not count

    def read(self) -> tuple[Passage, ...]:
        """All passages, in the order of the text."""
        adjusting = self.phase in (Phase.ADJUSTMENTS, Phase.PLACEMENT)
        for line in lines_of(self.plain, plus_is_bullet=not adjusting):
            if self.faults >= MOST_FAULTS:
                reason = f"after {MOST_FAULTS} faults nothing more is read"
            elif len(self.passages) >= MOST_ORDERS:
                reason = f"a sheet has at most {MOST_ORDERS} orders and lines; what comes after them is not read"
            else:
                self._line(line)
                continue
            self._refuse(line.start, len(self.plain), line.number, reason)
            break
        if not any(passage.order for passage in self.passages):
            for i, passage in enumerate(self.passages):
                if passage.start in self.replaced[:1] and passage.error is None:
                    self._take_back(i, "no order follows; send the orders that are meant now")
        if len(self.text) > LONGEST_SHEET:
            message = f"a sheet is at most {LONGEST_SHEET} characters long; what comes after them is not read"
            number = self.plain.count("\n") + 1
            error = OrderTextError(self.text[LONGEST_SHEET:][:80], (0, 80), message)
            self.passages.append(Passage(LONGEST_SHEET, len(self.text), number, None, error, self.section))
        return tuple(self._covering())

    def _covering(self) -> list[Passage]:
        """The passages, and between them those of mere layout (bullets, markup, commas), so that nothing of the text is
        left out."""
        passages: list[Passage] = []
        at, number = 0, 1
        for passage in [*sorted(self.passages, key=lambda p: p.start), Passage(len(self.text), len(self.text), 0)]:
            for match in _INK.finditer(self.text, at, max(passage.start, at)):
                number += self.text.count("\n", at, match.start())
                at = match.start()
                passages.append(Passage(match.start(), match.end(), number, power=passage.power))
            if passage.end > at:
                number, at = passage.line, passage.end
            if passage.line:
                passages.append(passage)
        return passages

    # Passages

    def _remark(self, line: Line) -> None:
        self.passages.append(Passage(line.start, line.end, line.number, power=self.section))
        self.last = None

    def _refuse(self, start: int, end: int, number: int, message: str, kind: FaultKind = "not understood") -> None:
        written = self.text[start:end]
        error = OrderTextError(written[:300], (0, min(len(written), 300)), message, (), kind)
        self.passages.append(Passage(start, end, number, None, error, self.section))
        self.faults += 1

    # Lines

    def _line(self, line: Line) -> None:
        if not line.text and not line.comment:
            self.carried = ""
            if self.deed == "hold":
                self.deed = ""
            if not self.block_opens:
                self.block = ""
            self.last = None
            return
        if not line.text:
            self._remark(line)
            return
        if len(line.text) > LONGEST_LINE:
            self._refuse(line.start, line.end, line.number, f"a line is at most {LONGEST_LINE} characters long")
            return
        begin = self.plain.rfind("\n", 0, line.start) + 1
        self.minus = self.plain[begin : line.start].strip() in ("-", "–", "—")
        order = self.reader.known(line.text, self.phase, self.section)
        if order is not None and self._free and not line.comment:
            self._add_orders(line.start, line.end, line.number, [order])
            self.last, self.last_from, self.broke_off = line, len(self.passages) - 1, False
            return
        if self._beside(line):
            return
        if line.comment:
            words = set(fold(line.comment).split())
            if prose.DOUBTS & words or words >= {"not", "sure"}:
                end = self.text.find("\n", line.start)
                self._refuse(
                    line.start, end if end >= 0 else len(self.text), line.number, "the comment speaks against the order"
                )
                self.last = None
                return
        self._heading_before(line)
        if line.comment:
            self._comment(line)

    def _comment(self, line: Line) -> None:
        """What follows a ``#`` or ``//``: nothing to judge, but an order there is told to be none."""
        mark = COMMENT.search(self.plain, line.end)
        assert mark is not None
        begin = mark.start()
        end = begin + len(self.plain[begin:].split("\n", 1)[0].rstrip())
        if len(line.comment) < 300 and self._reads(line.comment):
            self._refuse(begin, end, line.number, "it stands in a comment, so it is not carried out")
        else:
            self.passages.append(Passage(begin, end, line.number, power=self.section))

    @property
    def _free(self) -> bool:
        """Whether lines are read as they come."""
        return not (
            self.refusal or self.block or self.carried or self.signed or self.quotation or self.broke_off or self.press
        )

    def _beside(self, line: Line) -> bool:
        """Deal with a line that holds no orders: a ruler, a head, a heading, a greeting."""
        text = line.text
        if self.quotation and line.quoted:  # the quotation is marked as such: what is not quoted is the sender's own
            self.block, self.block_opens = "", False
        if self.signed or (self.quotation and line.quoted):
            if self.reader.known(text, self.phase, self.section) or (len(text) < 300 and self._reads(text)):
                where = "below a signature or an older message" if self.signed else "in a quotation"
                self._refuse(line.start, line.end, line.number, f"it stands {where}, so it is not carried out")
            else:
                self._remark(line)
            return True
        if self.press or prose.PRESS.match(text):
            self.press = not prose.PRESS_ENDS.match(text)
            self._refuse(line.start, line.end, line.number, "it belongs to a letter")
            return True
        if prose.SIGNATURE.match(text) or prose.FORWARDED.match(text):
            self.signed = True
            self._remark(line)
            return True
        if prose.MAIL_HEAD.match(text) and len(text) < 300 and self._orders_in_head(text.partition(":")[2]):
            self._refuse(line.start, line.end, line.number, "it stands in the head of a mail, so it is not carried out")
            return True
        if prose.RULER.match(text) or prose.JUDGE.match(text) or prose.MAIL_HEAD.match(text):
            head, _, name = text.partition(":")
            to = self.reader.powers.exact(fold(name)) if fold(head) == "to" else None
            self.press = to is not None and to != self.power
            self._remark(line)
            return True
        if prose.ATTRIBUTION.match(text) and not prose.RETRACTS & set(fold(text).split()):
            self.quotation = self.block_opens = True
            self.block = "it stands in a quotation, so it is not carried out"
            self._remark(line)
            return True
        bare = text.lstrip("#/ ") if COMMENT.match(text) else text
        heading = prose.read_heading(
            bare, self.reader.powers, self.reader.places, whole=not bare.rstrip().endswith(":")
        )
        if heading is None and fold(text) in prose.STARTS and self._unit_below(line):  # Build, on its own line
            heading = prose.Heading(deed=prose.STARTS[fold(text)])
        if heading is not None and not self._is_place_order(bare):
            self._enter(heading)
            self._remark(line)
            return True
        if COMMENT.match(text):
            if self._reads(bare):
                self._refuse(line.start, line.end, line.number, "it stands in a comment, so it is not carried out")
            elif prose.RETRACTS & set(fold(bare).split()):
                self._refuse(line.start, line.end, line.number, "the comment speaks against orders")
                self._retract(line)
            else:
                self._remark(line)
            return True
        if prose.is_courtesy(text, self.reader.telling_words):
            self.closing = self.closing or prose.says_goodbye(text)
            self._remark(line)
            return True
        if not self.closing:
            return False
        words = fold(text).split()
        plain_name = (
            len(words) <= SHORT_NAME
            and not any(c in text for c in ">/:?()")
            and " -" not in text
            and "- " not in text
            and not any(w in self.reader.telling_words for w in words if len(w) > 1)
        )
        against = prose.objection(words, self.reader.places) or prose.AGAINST & set(words)
        if plain_name and not against and not self._reads(text):
            self._remark(line)
            return True
        return False

    def _orders_in_head(self, text: str) -> bool:
        """Whether what looks like the head of a mail speaks of orders: ``From: Par To: Gas``."""
        return self._reads(text) or self._place_comes(self._parser(text))

    def _unit_below(self, line: Line) -> bool:
        """Whether the next line begins with a unit."""
        below = next(lines_of(self.plain[line.end :].lstrip()[:LOOK_AHEAD], plus_is_bullet=True))
        return self._parser(below.text).kind_comes()

    def _is_place_order(self, text: str) -> bool:
        """Whether what looks like a heading can be read as an order (``Waive``)."""
        return len(text) < 40 and self._reads(text)

    def _reads(self, text: str) -> bool:
        try:
            self._parser(text).orders()
        except OrderTextError:
            return False
        return True

    def _enter(self, heading: prose.Heading) -> None:
        """Go on under a heading."""
        self.last = None
        self.block = self.carried = ""
        self.block_opens = self.broke_off = False
        if heading.power:
            if not self.power:
                self.section = heading.power
                self.refusal = None
                self.ordered = {}
                self.claimed = 0
            elif heading.power != self.power:
                self.refusal = ("not yours", f"this sheet is {self.power}'s, not {heading.power}'s")
            else:
                self.refusal = None
        if heading.season or heading.year:
            if self.position is not None and not heading.fits(self.position.turn):
                now = self.position.turn.name
                self.refusal = ("not understood", f"it stands under the heading of another turn; now is {now}")
            elif self.refusal is not None and self.refusal[0] == "not understood":
                self.refusal = None
        self.deed = heading.deed
        self.closing = False

    def _heading_before(self, line: Line) -> None:
        """Read a line, of which a part before a colon, or a turn, may say whose and which orders follow."""
        heading, length = self._heading_of(line.text)
        if heading is None:
            self._orders(line)
            return
        before = (self.section, self.refusal, self.deed)
        self._enter(heading)
        rest = line.text[length:]
        begin = line.start + length
        self.passages.append(Passage(line.start, begin, line.number, power=self.section))
        inner = msgspec.structs.replace(line, start=begin + len(rest) - len(rest.lstrip()), text=rest.strip())
        self._orders(inner)
        if heading.power and self.power:
            self.section, self.refusal = before[:2]
        if heading.deed == "hold":
            self.deed = before[2]

    def _heading_of(self, text: str) -> tuple[prose.Heading | None, int]:
        """The heading with which a line begins, and its length: before a colon, or a turn (``F1901M A par - bur``)."""
        names = self.reader.powers, self.reader.places
        head, colon, rest = text.partition(":")
        if colon and rest.strip() and len(head) < 80:
            heading = prose.read_heading(head, *names, whole=False)
            kinds = [word for word in fold(head).split() if len(word) > 1 and word in self.reader.kinds]
            if heading is not None and not kinds and not _OPENS_LIST.match(text):
                return heading, len(head) + 1
        words = list(_INK_WORD.finditer(text[:LOOK_AHEAD]))
        for before in words[3:0:-1]:
            heading = prose.read_heading(text[: before.start()], *names, whole=True)
            if heading is not None and heading.season and heading.year and not heading.deed:
                parser = self._parser(text[before.start() :])
                if parser.names_unit() or self._opens(parser):
                    return heading, before.start()
        return None, 0

    def _orders(self, line: Line) -> None:
        if self.refusal is not None:
            self._refuse(line.start, line.end, line.number, self.refusal[1], self.refusal[0])
            self.last = None
            return
        if self.block:
            self.block_opens = False
            self._refuse(line.start, line.end, line.number, self.block)
            return
        if self.carried:
            message, self.carried = self.carried, ""
            self._refuse(line.start, line.end, line.number, message)
            self._look_ahead(line, message, shaped=True)
            return
        if match := _OPENS_LIST.match(line.text):
            self.deed = "build" if match.group(1).lower().startswith("b") else "remove"
        parts, against = self._parts(line)
        if self._joined(line, parts):
            return
        first = len(self.passages)
        for part in parts:
            if part.error is not None:
                self.passages.append(Passage(part.start, part.end, line.number, None, part.error, self.section))
                self.faults += 1
            elif part.orders:
                self._add_orders(part.start, part.end, line.number, part.orders)
            else:
                self.passages.append(Passage(part.start, part.end, line.number, power=self.section))
        self.last, self.last_from = line, first
        self.broke_off = bool(parts) and _breaks_off(parts[-1], line)
        if any(part.error is not None for part in parts):
            self._correct(line)
            self._correct_last(line, parts, first)
            self._retract(line)
        if against:
            self._look_ahead(line, against, shaped=parts[0].shaped)
        elif parts and parts[-1].error is not None:
            words = fold(line.text).split()
            if len(words) < SHORT_NAME and prose.DRAFTS & set(words):
                self.block_opens, self.block = True, f"it stands under {line.text[:40]!r}"
            elif line.text.endswith(":"):
                self._heading_not_understood(line)

    def _add_orders(self, start: int, end: int, number: int, orders: Sequence[Order]) -> None:
        self.closing = False
        self.claimed += _claims(orders)
        for order in orders:
            self.passages.append(Passage(start, end, number, order, None, self.section))
            if (at := getattr(order, "at", "")) and not isinstance(order, Build):
                self.ordered[province_of(at)] = order

    def _heading_not_understood(self, line: Line) -> None:
        """An unknown heading that names another power makes what follows that power's."""
        for word in fold(line.text).split():
            power = self.reader.powers.exact(word) or self.reader.powers.exact(word.removesuffix("s"))
            if power is not None and len(word) > 2 and self.section and power != self.section:
                self.block = f"it stands under a heading that speaks of {power}"

    def _look_ahead(self, line: Line, message: str, *, shaped: bool = False) -> None:
        """A sentence that is no order may go on in the lines that follow."""
        ending = line.text.rstrip()
        words = fold(ending).split()
        if len(words) < 3 and prose.DRAFTS & set(words):
            self.block_opens = True
            self.block = f"it stands under {ending[:40]!r}"
        elif ending.endswith(":") or (words or [""])[-1] in prose.LEADS_ON:
            self.block_opens = True
            self.block = f"it belongs to a sentence that is no order: {message}"
        elif not ending.endswith((".", "!", "?")) and (
            not shaped or ending.endswith((",", "-", "(", " and", " or", " then", " if"))
        ):
            self.carried = message if message.startswith(_CARRIED) else f"{_CARRIED}: {message}"

    def _correct(self, line: Line) -> None:
        """``Correction: A par - pic``: what was ordered before for the units that it names does not count."""
        words = fold(line.text).split()
        if not prose.CORRECTS & set(words):
            return
        named = {self.reader.places.exact(word, self.section) for word in words}
        for i, passage in enumerate(self.passages):
            order = passage.order
            if order is None or passage.power != self.section or passage.line == line.number:
                continue
            if province_of(getattr(order, "at", "")) in named:
                self._take_back(i, f"line {line.number} seems to correct it; send what is meant once")

    def _correct_last(self, line: Line, parts: Sequence[_Part], first: int) -> None:
        """``A par - bur. Sorry, Pic.``: the order before what corrects it without naming its unit does not count."""
        for i, part in enumerate(parts):
            words = set(fold(self.plain[part.start : part.end]).split())
            if part.error is None or not words & prose.CORRECTS_LAST:
                continue
            known = self.reader.places.exact
            if not any(len(word) >= SHORTEST_BEGINNING and known(word, self.section) for word in words):
                continue
            for j in range(min(first + i, len(self.passages)) - 1, -1, -1):
                if self.passages[j].order is not None and self.passages[j].power == self.section:
                    self._take_back(j, f"line {line.number} seems to correct it; send what is meant once")
                    break

    def _take_back(self, at: int, message: str) -> None:
        """An order that was read does not count."""
        passage = self.passages[at]
        written = self.text[passage.start : passage.end]
        error = OrderTextError(written[:300], (0, min(len(written), 300)), message)
        self.passages[at] = msgspec.structs.replace(passage, order=None, error=error)
        self.faults += 1

    def _retract(self, line: Line) -> None:
        """``Ignore the above``, ``Do not do the following``: what is pointed at does not count."""
        words = set(fold(line.text).split())
        first = (fold(line.text).split() or [""])[0]
        if first in prose.TURNS_BACK:
            back = [i for i, p in enumerate(self.passages) if p.order is not None and p.power == self.section]
            if back and self.passages[back[-1]].line < line.number:
                self._take_back(back[-1], f"line {line.number} goes on with it and is not understood")
            return
        retracting = prose.RETRACTS if len(words) <= SHORT_NAME else prose.RETRACTS - prose.SHORT_RETRACTS
        pointing = words & retracting and (
            words & (prose.POINTS_BACK | prose.POINTS_ON) or words <= retracting | prose.ALONE
        )
        if not pointing and not (words & prose.FORBIDS and words & (prose.POINTS_CLEARLY | prose.PROCESSES)):
            return
        if any(self.reader.places.exact(w) for w in words if len(w) > 3):
            return  # it speaks of one order
        message = f"line {line.number} speaks against it; send the orders that are meant without such a line"
        if words & prose.POINTS_ON:
            self.block, self.block_opens = message, True
            return
        for i, passage in enumerate(self.passages):
            if passage.order is not None and passage.power == self.section:
                self._take_back(i, message)

    # Sentences over two lines

    def _joined(self, line: Line, parts: Sequence[_Part]) -> bool:
        """Try to read a line together with the one before, where one of them does not stand by itself."""
        before = self.last
        if before is None or not parts:
            return False
        first = fold(line.text.split(maxsplit=1)[0]) or line.text[0]
        lead = self.plain[self.plain.rfind("\n", 0, line.start) + 1 : line.start].strip()  # a bullet, or a dash
        goes_on = parts[0].error is not None and (
            first in prose.CONTINUES or line.text[0] in "-–—→>(," or lead in ("-", "–", "—")
        )
        if not goes_on and not self.broke_off:
            return False
        alone = all(part.error is None for part in parts) and self._begins_anew(parts)
        begin = self.passages[self.last_from].start if self.last_from < len(self.passages) else before.start
        whole = msgspec.structs.replace(before, start=begin, text=self.plain[begin : line.end].replace("\n", " "))
        merged, _ = self._parts(whole)
        fine = all(part.error is None for part in merged)
        if self.broke_off and not goes_on and alone != fine and alone:
            return False
        if not fine and not goes_on:
            return False
        if fine and alone:
            merged = [self._part_refused(whole, "it is not clear whether this is one order or two")]
        elif not fine:
            merged = [self._part_refused(whole, "the line that follows does not fit what goes before")]
            if len(line.text.split()) < 3 and not line.text.endswith((".", "!")):
                self.carried = f"{_CARRIED}: it goes on with {line.text[:40]!r}"
        del self.passages[self.last_from :]
        self.ordered = {
            province_of(p.order.at): p.order for p in self.passages if p.order is not None and hasattr(p.order, "at")
        }
        for part in merged:
            if part.error is not None:
                self.passages.append(Passage(part.start, part.end, before.number, None, part.error, self.section))
                self.faults += 1
            else:
                self._add_orders(part.start, part.end, before.number, part.orders)
        self.last, self.broke_off = (whole, False) if fine and not alone else (None, False)
        return True

    def _begins_anew(self, parts: Sequence[_Part]) -> bool:
        """Whether a line that can be read by itself begins with an order for an own unit that has none yet; if not, it
        goes on with the line before."""
        at = province_of(getattr(next((part.orders[0] for part in parts if part.orders), None), "at", ""))
        if not at or self.position is None or self.phase is not Phase.MOVEMENT:
            return True
        ordered = {province_of(p.order.at) for p in self.passages if p.order is not None and hasattr(p.order, "at")}
        return at not in ordered and any(u.province == at for u in self.position.units_of(self.section))

    def _part_refused(self, line: Line, message: str) -> _Part:
        error = OrderTextError(line.text[:300], (0, min(len(line.text), 300)), message)
        return _Part(line.start, line.end, [], error)

    # One line

    def _parser(self, text: str) -> Parser:
        read, phases = _DEEDS.get(self.deed, (None, ()))
        bare = read if self.phase in phases else None
        if bare is None and self.minus and self.phase is Phase.ADJUSTMENTS:
            bare = _unclear
        tokens = tokenize(text, self.reader.codes)
        parser = Parser(self.reader, text, tokens, self.phase, self.section, self.position, self.ordered, bare)
        parser.claimed = self.claimed
        return parser

    def _parts(self, line: Line) -> tuple[list[_Part], str]:
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

    def _spoken_parts(self, line: Line) -> tuple[list[_Part], str]:
        parser = self._parser(line.text)
        tokens = parser.tokens
        parts: list[_Part] = []
        sentence = 0
        while True:
            while parser.peek() in JOINTS | POLITE and not self._opens(parser):
                parser.at += 1
            parser.at += parser.numbered
            if parser.peek() in prose.LABELS_WITHIN and parser.peek(1) == ":":  # Moves: A par - bur. Supports: ...
                parser.at += 2
            if parser.at >= len(tokens):
                break
            begin = parser.at
            part = _Part(line.start + tokens[begin].start, 0, [], None, True, sentence)
            try:
                orders = parser.orders()
                parser.take(":")
                while orders and not parser.ended and not _may_go_on(orders[-1]):
                    if not parser.kind_comes() and not parser.own_unit_comes():
                        break
                    orders += parser.orders()  # a unit after a whole order begins the next one
                if not parser.ended:
                    stop = self._part_end(parser, begin, parser.at)
                    rest = parser.at
                    parser.at = stop
                    parser.fail(f"cannot read {line.text[tokens[rest].start : tokens[stop - 1].end][:60]!r}", rest)
                part.orders = orders
            except OrderTextError as error:
                parser.at = stop = self._part_end(parser, begin, begin)
                words = [t.text for t in tokens[begin:stop]]
                last = line.text[tokens[begin].start : tokens[stop - 1].end]
                if prose.is_courtesy(last, self.reader.telling_words) and not any(w in prose.QUESTIONS for w in words):
                    part.end = line.start + tokens[stop - 1].end
                    parts.append(part)
                    sentence += tokens[stop - 1].stop
                    continue
                if not self.ordered and not any(p.orders for p in parts):
                    ending = self._sentence_end(parser, begin + 1)
                    said = line.text[tokens[begin].start : tokens[ending - 1].end]
                    if prose.replaces_former(fold(said).split()):
                        parser.at = ending
                        part.end = line.start + tokens[ending - 1].end
                        parts.append(part)
                        self.replaced.append(part.start)
                        sentence += 1
                        continue
                against = prose.objection(words, self.reader.places)
                if against:
                    return [self._whole_refused(line, against, self._shaped(parser, begin))], against
                part.shaped = self._shaped(parser, begin) and not error.message.startswith(SAYS_NOTHING)
                if (
                    not part.shaped
                    and error.span[0] == tokens[begin].start
                    and not self._verb_follows(parser, begin, error)
                ):
                    message = f"this is not understood as an order{self._example()}"
                    error = OrderTextError(error.text, error.span, message, (), error.kind)
                part.error = _within(error, line.text, tokens[begin].start, tokens[stop - 1].end)
                if not part.shaped:
                    parser.at = self._sentence_end(parser, stop)
                if sum(1 for p in parts if p.error) >= MOST_FAULTS:
                    break
            part.end = line.start + tokens[parser.at - 1].end
            if part.orders:
                parser.claimed += _claims(part.orders)
                self.reader.remember(line.text, self.phase, self.section, part, parser, line)
                self.ordered |= {province_of(o.at): o for o in part.orders if hasattr(o, "at")}
            parts.append(part)
            sentence += tokens[parser.at - 1].stop
        return self._collapsed(line, parts), ""

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

    def _verb_follows(self, parser: Parser, begin: int, error: OrderTextError) -> bool:
        """Whether what is no place stands where a unit does, before a verb."""
        after = next((t.text for t in parser.tokens[begin:] if t.start >= error.span[1]), "")
        return after in parser.reader.verbs

    def _opens(self, parser: Parser) -> bool:
        """Whether what may join orders begins one here (``+A par``)."""
        opening = self.reader.openings.get(parser.peek())
        return opening is not None and opening.fits(parser)

    def _collapsed(self, line: Line, parts: list[_Part]) -> list[_Part]:
        """Sentences with a part that looks like no order are refused whole."""
        spoiled = {part.sentence: part.error for part in parts if part.error is not None and not part.shaped}
        if not spoiled:
            return parts
        result: list[_Part] = []
        for part in parts:
            if part.sentence not in spoiled:
                result.append(part)
            elif result and result[-1].sentence == part.sentence:
                result[-1].end = part.end
            else:
                result.append(_Part(part.start, part.end, [], spoiled[part.sentence], False, part.sentence))
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
                part.error = OrderTextError(
                    written[:300], (0, min(len(written), 300)), message, error.suggestions, error.kind
                )
        return result

    def _whole_refused(self, line: Line, message: str, shaped: bool) -> _Part:
        part = self._part_refused(line, message)
        part.shaped = shaped
        return part

    def _struck_parts(self, line: Line) -> tuple[list[_Part], str]:
        """A line of which something is struck out: whole parts may be, half an order may not."""
        parts: list[_Part] = []
        at = 0
        for match in [*_STRUCK.finditer(line.text), None]:
            stop = match.start() if match else len(line.text)
            between = line.text[at:stop].strip(" ,;.")
            if between:
                start = line.text.index(between, at)
                inner = msgspec.structs.replace(line, start=line.start + start, text=between)
                if STRUCK in between:
                    return [self._part_refused(line, "it is struck out in part")], ""
                inner_parts, against = self._parts(inner)
                if against or any(p.error is not None for p in inner_parts):
                    return [self._part_refused(line, "it is struck out in part")], against
                parts += inner_parts
            if match:
                error = OrderTextError(match.group()[:300], (0, min(len(match.group()), 300)), "it is struck out")
                parts.append(_Part(line.start + match.start(), line.start + match.end(), [], error))
                at = match.end()
        return parts, ""

    def _sentence_end(self, parser: Parser, at: int) -> int:
        while at < len(parser.tokens) and not parser.tokens[at - 1].stop:
            at += 1
        return at

    def _part_end(self, parser: Parser, begin: int, at: int) -> int:
        """Where a part that cannot be read ends: at the end of its sentence, or before a joint after which an order
        begins."""
        tokens = parser.tokens
        k = max(at, begin + 1)
        while k < len(tokens):
            if tokens[k - 1].stop and not _abbreviates(self.reader, tokens[k - 1].text):
                return k
            word = tokens[k].text
            if word in (";", "|"):
                return k
            if word in JOINTS and self._order_begins(parser, k + 1):
                return k
            k += 1
        return len(tokens)

    def _order_begins(self, parser: Parser, at: int) -> bool:
        """Whether an order seems to begin at a token."""
        tokens = parser.tokens
        while at < len(tokens) and tokens[at].text in JOINTS:
            at += 1
        return at < len(tokens) and self._shaped(parser, at)

    def _shaped(self, parser: Parser, begin: int) -> bool:
        """Whether what begins at a token looks like an order: a unit and something it does, or a word with which orders
        begin and a unit."""
        before = parser.at
        parser.at = begin
        try:
            word = parser.peek()
            opening = self.reader.openings.get(word)
            if opening is not None and opening.fits(parser):
                parser.at += 1
                parser.take(":")
                return parser.names_unit() or len(parser.tokens) - parser.at <= 3 or self._place_comes(parser)
            has_kind = parser.names_unit()
            if has_kind:
                parser.skip(("the", "my", "our"))
                parser.owner()
                parser.kind()
                parser.skip(("in", "at", "of", "("))
            if self._place_comes(parser):
                return has_kind or any(
                    t.text in self.reader.verbs or t.text == ":" for t in parser.tokens[parser.at + 1 : parser.at + 6]
                )
            signs = [t.text for t in parser.tokens[parser.at + 1 : parser.at + 4]]
            return has_kind and (
                "-" in signs or any(w in self.reader.verbs and w not in ("to", "into", "stop") for w in signs)
            )
        finally:
            parser.at = before

    def _place_comes(self, parser: Parser) -> bool:
        for length in (1, 2, 3):
            words = " ".join(parser.peek(i) for i in range(length))
            if self.reader.places.meaning(words, self.section).keys:
                return True
        return False


def _claims(orders: Sequence[Order]) -> int:
    """How many builds orders take up."""
    return sum(isinstance(order, Build | Waive) for order in orders)


def _may_go_on(order: Order) -> bool:
    """Whether the unit that follows may belong to the order: ``S Eng F nth`` may name a power and its unit."""
    return isinstance(order, SupportHold) and not order.target_kind


def _abbreviates(reader: Reader, word: str) -> bool:
    """Whether a word with a full stop may be a part of a name (``St. Petersburg``)."""
    return len(word) <= 2 and word not in reader.verbs and word not in SHORT_WORDS


def _breaks_off(part: _Part, line: Line) -> bool:
    """Whether an order lacks its end."""
    return part.error is not None and part.error.span[0] >= len(part.error.text)


def _within(error: OrderTextError, text: str, start: int, end: int) -> OrderTextError:
    """The error about a line as one about a part of it."""
    written = text[start:end]
    first = min(max(error.span[0] - start, 0), len(written))
    last = min(max(error.span[1] - start, first), len(written))
    return OrderTextError(written, (first, last), error.message, error.suggestions, error.kind)


def _build(parser: Parser, subject: Subject) -> Order:
    return Build(subject.kind, subject.at)


def _remove(parser: Parser, subject: Subject) -> Order:
    return Disband(subject.kind, subject.at) if parser.phase is Phase.RETREATS else Remove(subject.kind, subject.at)


def _hold(parser: Parser, subject: Subject) -> Order:
    return Hold(subject.kind, subject.at)


def _unclear(parser: Parser, subject: Subject) -> Order:
    """A unit after a dash, which may be a bullet or take the unit away."""
    parser.fail(f"{SAYS_NOTHING}; write {parser.reader.verbs_shown[parser.phase]}")


_DEEDS: dict[str, tuple[Callable[[Parser, Subject], Order], tuple[Phase, ...]]] = {
    "build": (_build, (Phase.ADJUSTMENTS, Phase.PLACEMENT)),
    "remove": (_remove, (Phase.MOVEMENT, Phase.RETREATS, Phase.ADJUSTMENTS, Phase.PLACEMENT)),
    "hold": (_hold, (Phase.MOVEMENT,)),
}
"""What a heading says of the units below it, and when."""
