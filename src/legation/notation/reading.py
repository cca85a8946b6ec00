"""Text to orders: one small grammar for short style, the Judge's style and sentences.

An order is cut into words and signs; places are recognized by the longest name that fits (so that dashes inside names do no harm), and what stands between the places decides
the kind of order. The commonest short orders take a quick way without the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn, TypeVar

import msgspec

from legation.board import Board
from legation.notation.errors import OrderTextError
from legation.notation.names import COASTS, Named, UnknownNameError, fold, place_names, power_names
from legation.notation.writing import KindName
from legation.orders import (
    Build,
    Convert,
    Convoy,
    Disband,
    Ferry,
    Hold,
    Move,
    Order,
    Proxy,
    Remove,
    Retreat,
    Send,
    SupportHold,
    SupportMove,
    VoteDraw,
    Waive,
)
from legation.position import Phase, Position

T = TypeVar("T")

LONGEST_ORDER = 300  # characters
LONGEST_SHEET = 60_000
CACHED_TEXTS = 20_000

MOVES = frozenset(["-", "to", "moves", "move", "goes", "go", "attacks", "attack", "into"])
SUPPORTS = frozenset(["s", "sup", "supp", "support", "supports", "supporting"])
CONVOYS = frozenset(["c", "con", "conv", "convoy", "convoys", "convoying", "transports", "transport"])
FERRIES = frozenset(["ferries", "ferry", "ferrying"])
HOLDS = frozenset(["h", "hold", "holds", "holding", "stand", "stands", "hld"])
RETREATS = frozenset(["r", "ret", "retreat", "retreats"])
LEAVES = frozenset(["d", "disband", "disbands", "disbanded", "remove", "removes", "removed", "off"])
CONVERTS = frozenset(["convert", "converts", "converting", "becomes", "become"])
UNDER = frozenset(["under", "obeys", "obey"])
BUILDS = frozenset(["build", "builds", "bld", "raise", "raises", "place", "places", "b"])
REMOVES = frozenset(["remove", "removes", "disband", "disbands", "rem"])
WAIVES = frozenset(["waive", "waives", "waived"])
SENDS = frozenset(["send", "sends", "transfer", "transfers", "give", "gives"])
VERBS = MOVES | SUPPORTS | CONVOYS | FERRIES | HOLDS | RETREATS | LEAVES | CONVERTS | UNDER
ENDS_NAME = (VERBS | {"via", "by", "is", "and"}) - {"d", "b"}

_TOKEN = re.compile(r"[^\W_]+(?:['’`´.][^\W_]+)*['’.]?|&|[-/(),;:<>=]|\S", re.UNICODE)
_ARROWS = re.compile(r"-+>|=+>|[\u2010-\u2015\u2212\u2190-\u21ff\u27f5-\u27ff\u2794\u2799-\u27be]|~>|>")
_SEPARATORS = re.compile(r"[\n\r;]+")


class Token(msgspec.Struct, frozen=True):
    """A word or sign with its place in the text."""

    text: str  # folded
    start: int
    end: int


class Passage(msgspec.Struct, frozen=True):
    """A part of a sheet, ``text[start:end]``: an order, or why it is none (``error``, whose span counts from ``start``), or neither (a heading, a comment)."""

    start: int
    end: int
    line: int
    order: Order | None = None
    error: OrderTextError | None = None


class Reader:
    """Reads orders, units, places and powers of one variant.

    ``kinds`` maps the codes of units to records with ``name`` and ``travel``.
    """

    def __init__(self, board: Board, powers: Sequence[Named], kinds: Mapping[str, KindName]) -> None:
        self.board = board
        self.places = place_names(board)
        self.powers = power_names(powers)
        self.kinds: dict[str, str] = {}
        for code, kind in kinds.items():
            self.kinds[code.casefold()] = code
            self.kinds[fold(kind.name)] = code
            self.kinds[fold(kind.name) + "s"] = code
        if "D" in kinds:
            self.kinds["3d"] = "D"
        self._codes = frozenset(kinds)
        self._locations = frozenset(board.locations)
        self._cache: dict[tuple[str, Phase, str], Order] = {}
        self._units: dict[tuple[str, str], tuple[str, str]] = {}

    # The public ways in

    def order(self, text: str, phase: Phase = Phase.MOVEMENT, power: str = "") -> Order:
        """Read one order of ``power``.

        :raises OrderTextError: with the span that is not understood and the nearest names.
        """
        key = (text, phase, power)
        known = self._cache.get(key)
        if known is not None:
            return known
        order = self._quick(text, phase) or self._parse(text, power, lambda p: p.order(phase))
        if len(self._cache) >= CACHED_TEXTS:
            self._cache.clear()
        self._cache[key] = order
        return order

    def unit(self, text: str, power: str = "") -> tuple[str, str]:
        """Read a unit: its kind (empty if it is not written) and location.

        :raises OrderTextError: as :meth:`order`.
        """
        known = self._units.get((text, power))
        if known is None:
            kind, _, at = text.partition(" ")
            if kind in self._codes and at in self._locations:
                known = (kind, at)
            else:
                known = self._parse(text, power, lambda p: p.unit()[:2])
            if len(self._units) >= CACHED_TEXTS:
                self._units.clear()
            self._units[text, power] = known
        return known

    def location(self, text: str, power: str = "") -> str:
        """Read a place: a province or one of its coasts.

        :raises OrderTextError: as :meth:`order`.
        """
        if text in self._locations:
            return text
        return self._parse(text, power, lambda p: p.place())

    def power(self, text: str) -> str:
        """Read the name of a power.

        :raises OrderTextError: as :meth:`order`.
        """
        try:
            return self.powers.find(text[:LONGEST_ORDER])
        except UnknownNameError as error:
            message = "several powers are meant" if error.ambiguous else "there is no such power"
            raise OrderTextError(text, (0, len(text)), message, error.candidates) from None

    def orders(
        self, text: str, phase: Phase = Phase.MOVEMENT, power: str = ""
    ) -> tuple[list[Order], list[OrderTextError]]:
        """Read a whole sheet of one power; what cannot be read is returned beside what can.

        Orders stand on lines of their own or between semicolons, or between commas and full stops. ``#`` begins a comment. A heading may name the power.
        """
        found: list[Order] = []
        errors: list[OrderTextError] = []
        if len(text) > LONGEST_SHEET:
            message = f"a sheet is at most {LONGEST_SHEET} characters long; what comes after them is not read"
            errors.append(OrderTextError(text[LONGEST_SHEET:][:80], (0, 80), message))
        for line in self._lines(text[:LONGEST_SHEET]):
            named, rest = self._heading(line)
            if named is not None and power and named != power:
                errors.append(OrderTextError(line, (0, len(line)), f"this sheet is {power}'s, not {named}'s"))
                continue
            if rest:
                self._line(rest, phase, power or named or "", found, errors)
        return found, errors

    def sheet(
        self, text: str, phase: Phase = Phase.MOVEMENT, power: str = "", position: Position | None = None
    ) -> tuple[Passage, ...]:
        """Read a whole sheet of one power into passages, in the order of the text."""
        found: list[Passage] = []
        number, counted = 1, 0
        for match in re.finditer(r"[^\n\r;]+", text[:LONGEST_SHEET]):
            line = match.group()
            start = match.start() + len(line) - len(line.lstrip())
            number += text.count("\n", counted, start)
            counted = start
            end = match.start() + len(line.rstrip())
            if start >= end:
                continue
            orders, errors = self.orders(line, phase, power)
            found += [Passage(start, end, number, order) for order in orders]
            found += [Passage(start, end, number, error=error) for error in errors]
            if not orders and not errors:
                found.append(Passage(start, end, number))
        return tuple(found)

    def sheets(self, text: str, phase: Phase = Phase.MOVEMENT) -> dict[str, tuple[list[Order], list[OrderTextError]]]:
        """Read a message with the sheets of several powers, each under a heading that names the power; what stands above any heading is under ``""``."""
        result: dict[str, tuple[list[Order], list[OrderTextError]]] = {}
        power = ""
        for line in self._lines(text):
            named, rest = self._heading(line)
            if named is not None:
                power = named
                result.setdefault(power, ([], []))
            if rest:
                orders, errors = result.setdefault(power, ([], []))
                self._line(rest, phase, power, orders, errors)
        return result

    # Lines

    def _lines(self, text: str) -> list[str]:
        lines = []
        for line in _SEPARATORS.split(text):
            plain = line.partition("#")[0].strip()
            if plain:
                lines.append(plain)
        return lines

    def _heading(self, line: str) -> tuple[str | None, str]:
        """The power that a line names before a colon, or as a whole, and what follows it."""
        head, colon, rest = line.partition(":")
        if len(head) > 60:
            return None, line
        if colon or not any(c in line for c in "-–→>"):
            named = self.powers.exact(fold(head))
            if named is not None and (colon or len(fold(head)) > 2):
                return named, rest.strip()
        return None, line

    def _line(self, line: str, phase: Phase, power: str, found: list[Order], errors: list[OrderTextError]) -> None:
        try:
            found.append(self.order(line, phase, power))
            return
        except OrderTextError as error:
            whole = error
        for pattern in (r",", r"\.(?:\s|$)", r"[,.]\s*"):
            parts = [p.strip() for p in re.split(pattern, line[: LONGEST_ORDER * 40]) if p.strip()]
            if len(parts) < 2 or len(line) > LONGEST_ORDER * 40:
                continue
            read: list[Order] = []
            bad: list[OrderTextError] = []
            for part in parts:
                try:
                    read.append(self.order(part, phase, power))
                except OrderTextError as error:
                    bad.append(error)
            if read:
                found += read
                errors += bad
                return
        errors.append(whole)

    # The quick way

    def _quick(self, text: str, phase: Phase) -> Order | None:
        """Canonical short orders to plain places; None sends everything else through the grammar."""
        words = text.split()
        n = len(words)
        if n < 3 or n > 9 or words[0] not in self._codes or words[1] not in self._locations:
            return None
        kind, at, verb = words[0], words[1], words[2]
        places = self._locations
        if verb == "-":
            if phase is Phase.RETREATS or n < 4 or words[3] not in places:
                return None
            if n == 4:
                return Move(kind, at, words[3])
            if n == 6 and words[4] == "via" and words[5] == "convoy":
                return Move(kind, at, words[3], via_convoy=True)
            return None
        if verb == "H" and n == 3:
            return Hold(kind, at)
        if verb == "S" and n >= 5 and words[3] in self._codes and words[4] in places:
            if n == 5:
                return SupportHold(kind, at, words[3], words[4])
            if n == 7 and words[5] == "-" and words[6] in places:
                return SupportMove(kind, at, words[3], words[4], words[6])
            return None
        if (
            verb == "C"
            and n == 7
            and words[3] in self._codes
            and words[4] in places
            and words[5] == "-"
            and words[6] in places
        ):
            return Convoy(kind, at, words[3], words[4], words[6])
        return None

    def _parse(self, text: str, power: str, rule: Callable[[_Parser], T]) -> T:
        if len(text) > LONGEST_ORDER:
            raise OrderTextError(
                text[:80], (0, 80), f"an order is at most {LONGEST_ORDER} characters long; this is longer"
            )
        parser = _Parser(self, text, power)
        result = rule(parser)
        parser.finish()
        return result


class _Parser:
    """One text on its way to an order."""

    def __init__(self, reader: Reader, text: str, power: str) -> None:
        self.reader = reader
        self.text = text
        self.power = power
        plain = _ARROWS.sub(lambda m: "-" * len(m.group()), text)
        self.tokens: list[Token] = []
        for match in _TOKEN.finditer(plain):
            folded = match.group() if match.group() in "-/(),;:&" else fold(match.group())
            if folded == "-" and self.tokens and self.tokens[-1].text == "-":
                continue
            if folded or match.group().casefold() == "the":
                self.tokens.append(Token(folded or "the", match.start(), match.end()))
        while self.tokens and self.tokens[-1].text in ",;.:":
            self.tokens.pop()
        self.tokens = [t for t in self.tokens if t.text != "."]
        self.at = 0

    # Small steps

    def peek(self, ahead: int = 0) -> str:
        i = self.at + ahead
        return self.tokens[i].text if i < len(self.tokens) else ""

    def take(self, *words: str) -> bool:
        """Step over the words if they come next."""
        if all(self.peek(i) == w for i, w in enumerate(words)):
            self.at += len(words)
            return True
        return False

    def skip(self, *words: str) -> None:
        while self.peek() and self.peek() in words:
            self.at += 1

    def fail(self, message: str, start: int | None = None, suggestions: tuple[str, ...] = ()) -> NoReturn:
        first = self.at if start is None else start
        if first < len(self.tokens):
            last = max(self.at, first + 1) - 1
            span = (self.tokens[first].start, self.tokens[min(last, len(self.tokens) - 1)].end)
        else:
            span = (len(self.text), len(self.text))
        raise OrderTextError(self.text, span, message, suggestions)

    def finish(self) -> None:
        if self.at < len(self.tokens):
            begin = self.at
            self.at = len(self.tokens)
            rest = self.text[self.tokens[begin].start :]
            self.fail(f"cannot read {rest[:60]!r}", begin)

    # Phrases

    def kind(self) -> str:
        """A kind of unit, or nothing."""
        kinds = self.reader.kinds
        if self.peek() in ("a", "an", "the") and (
            (self.peek(1) in kinds and len(self.peek(1)) > 1) or f"{self.peek(1)} {self.peek(2)}" in kinds
        ):
            self.at += 1
        pair = f"{self.peek()} {self.peek(1)}"
        if pair in kinds:
            self.at += 2
            return kinds[pair]
        word = self.peek()
        if word in kinds and self.peek(1) not in ("", "-", "/"):
            self.at += 1
            return kinds[word]
        return ""

    def place(self) -> str:
        """A place: the longest name that fits, with a coast if one follows."""
        self.skip("the")
        names = self.reader.places
        start = self.at
        best: tuple[int, str] | None = None
        words: list[str] = []
        i = self.at
        while i < len(self.tokens) and len(words) < names.longest + 2:
            word = self.tokens[i].text
            if word == "(" and words:  # a name may end in a parenthesis: Portland (Dorset)
                inner = [t.text for t in self.tokens[i + 1 : i + 6]]
                if ")" in inner:
                    inner = inner[: inner.index(")")]
                    found = names.exact(" ".join([*words, *inner]), self.power)
                    if found is not None:
                        best = (i + len(inner) + 2, found)
            if word in "();:/" or (word == "," and not words):  # a name may hold a comma: Rouen, in French Normandy
                break
            if word == "-" and not words:
                break
            if word not in ("-", ",", "the"):
                words.append("and" if word == "&" else word)
                found = names.exact(" ".join(words), self.power)
                if found is not None:
                    best = (i + 1, found)
            i += 1
        if best is not None:
            self.at = best[0]
            return self._coast(best[1])
        i = start
        while (
            i < len(self.tokens)
            and self.tokens[i].text not in "(),;:/-"
            and (i == start or self.tokens[i].text not in ENDS_NAME)
        ):
            i += 1
        if i == start:
            self.fail(
                "a place is missing" if start >= len(self.tokens) else f"cannot read {self.tokens[start].text!r}", start
            )
        for end in range(i, start, -1):
            written = self.text[self.tokens[start].start : self.tokens[end - 1].end]
            try:
                found = names.find(written, self.power)
            except UnknownNameError as error:
                if end > start + 1 and not error.ambiguous:
                    rest = [t.text for t in self.tokens[end - 1 : i]]
                    if " ".join(rest) in COASTS or rest[0] in COASTS:
                        continue
                self.at = i
                written = self.text[self.tokens[start].start : self.tokens[i - 1].end]
                word = "is ambiguous" if error.ambiguous else "is no place on this board"
                self.fail(f"{written!r} {word}", start, error.candidates)
            self.at = end
            return self._coast(found)
        raise AssertionError

    def _coast(self, province: str) -> str:
        """The coast that follows a province, if any; a parenthesis that is no coast is a hint for readers and passed over."""
        if self.peek() == "/" and self.peek(1):
            code = COASTS.get(self.peek(1), self.peek(1)[:4])
            self.at += 2
            return f"{province}/{code}"
        if self.peek() == "(":
            inner = []
            i = self.at + 1
            while i < len(self.tokens) and self.tokens[i].text != ")":
                inner.append(self.tokens[i].text)
                i += 1
            if i < len(self.tokens):
                code = COASTS.get(" ".join(inner), "")
                self.at = i + 1
                return f"{province}/{code}" if code else province
        pair = f"{self.peek()} {self.peek(1)}"
        if pair in COASTS:
            self.at += 2
            return f"{province}/{COASTS[pair]}"
        if self.peek() in COASTS and len(self.peek()) < 4:
            code = COASTS[self.peek()]
            self.at += 1
            return f"{province}/{code}"
        return province

    def owner(self) -> str:
        """A power or its adjective before a unit, or nothing."""
        names = self.reader.powers
        for length in range(min(names.longest, 6), 0, -1):
            words = [self.peek(i) for i in range(length)]
            if not all(words) or self.peek(length) in ("", "-"):
                continue
            phrase = fold(" ".join("and" if w == "&" else w for w in words))
            found = names.exact(phrase) or (
                names.exact(phrase[:-1]) if phrase.endswith("s") and len(phrase) > 4 else None
            )
            if found is None or len(phrase) <= 2:
                continue
            if self.reader.places.exact(phrase, self.power) is None or self._unit_follows(length):
                self.at += length
                return found
        return ""

    def _unit_follows(self, ahead: int) -> bool:
        """Whether a kind of unit and a place come after so many words: in ``Argyll A kinty`` the power is meant, not the place of that name."""
        if self.peek(ahead) == "the":
            ahead += 1
        return self.peek(ahead) in self.reader.kinds and self.peek(ahead + 1) not in VERBS | {"", "/"}

    def unit(self) -> tuple[str, str, str]:
        """A unit: kind, location, and the power that was named with it."""
        self.skip("the")
        owner = self.owner()
        kind = self.kind()
        self.skip("in", "at", "of", "from")
        return kind, self.place(), owner

    def rest_power(self) -> str:
        """The power that the rest of the text names."""
        start = self.at
        if start >= len(self.tokens):
            self.fail("a power is missing")
        written = self.text[self.tokens[start].start : self.tokens[-1].end]
        self.at = len(self.tokens)
        for ending in ("'s", "’s"):
            written = written.removesuffix(ending)
        try:
            return self.reader.powers.find(written)
        except UnknownNameError as error:
            word = "is ambiguous" if error.ambiguous else "is no power of this game"
            self.fail(f"{written!r} {word}", start, error.candidates)

    # Orders

    def order(self, phase: Phase) -> Order:
        if not self.tokens:
            self.fail("there is no order")
        word = self.peek()
        if word in WAIVES:
            self.at = len(self.tokens) if self.peek(1) in ("", "build", "a", "builds", "one") else self.at + 1
            return Waive()
        if self.take("draw") or self.take("vote", "draw") or self.take("agree", "to", "a", "draw"):
            return VoteDraw()
        if word in SENDS:
            return self._send()
        if word == "command" and self.peek(1) == "of":
            self.at += 2
            kind, at, _ = self.unit()
            self.skip("is", "offered", "given", "to")
            return Proxy(kind, at, self.rest_power())
        if word in BUILDS and self.peek(1) not in ("", "-"):
            self.at += 1
            return self._build()
        if word in CONVERTS:
            self.at += 1
            kind, at, _ = self.unit()
            return self._convert(kind, at)
        if word in REMOVES:
            self.at += 1
            kind, at, _ = self.unit()
            return Disband(kind, at) if phase is Phase.RETREATS else Remove(kind, at)
        kind, at, _ = self.unit()
        return self._verb(kind, at, phase)

    def _send(self) -> Order:
        self.at += 1
        self.skip("the", "supply", "of", "for")
        start = self.at
        numbers = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "a": 1, "an": 1}
        word = self.peek()
        count = int(word) if word.isdecimal() and len(word) < 4 else numbers.get(word, 0)
        self.at += 1
        if count < 1:
            self.fail("say how many units' supply to send, as in 'send 2 to ...'", start)
        self.skip("unit", "units", "s", "supply", "supplies", "of", "center", "centers", "centre", "centres")
        if not self.take("to"):
            self.fail("say to whom, as in 'send 2 to ...'")
        return Send(count, self.rest_power())

    def _build(self) -> Order:
        kind = self.kind()
        self.skip("in", "at", "of", "on")
        if not kind and self.peek() in ("a", "an") and self.peek(1):
            self.at += 1
        at = self.place()
        if not kind and self.peek() in self.reader.kinds and not self.peek(1):
            kind = self.reader.kinds[self.peek()]
            self.at += 1
        return Build(kind, at)

    def _verb(self, kind: str, at: str, phase: Phase) -> Order:
        if self.peek() == "is" or self.peek() == "will":
            self.at += 1
        word = self.peek()
        if not word:
            self.fail("the order does not say what the unit is to do")
        if word == "," and self.peek(1):
            self.at += 1
            word = self.peek()
        if word in HOLDS:
            self.at += 1
            self.skip("position", "in", "place")
            return Hold(kind, at)
        if word in RETREATS:
            self.at += 1
            self.skip("-", "to")
            return Retreat(kind, at, self.place())
        if word in LEAVES:
            self.at += 1
            return Remove(kind, at) if phase is Phase.ADJUSTMENTS else Disband(kind, at)
        if word in CONVERTS:
            self.at += 1
            return self._convert(kind, at)
        if word in ("placed", "put") and self.peek(1) in UNDER:
            self.at += 1
            word = self.peek()
        if word in UNDER:
            self.at += 1
            self.skip("the", "orders", "order", "command", "of")
            if self.tokens[-1].text in ("orders", "command") and self.at < len(self.tokens) - 1:  # Argyll's orders
                self.tokens.pop()
            return Proxy(kind, at, self.rest_power())
        if word in SUPPORTS:
            self.at += 1
            self.skip("of")
            target_kind, target, owner = self.unit()
            if (
                not self.peek()
                or self.peek() in HOLDS
                or (self.peek() in ("to", "in", "-") and self.peek(1) in HOLDS | {"place"})
            ):
                self.at = len(self.tokens)
                return SupportHold(kind, at, target_kind, target, owner)
            if self.peek() in CONVERTS:  # a converting unit holds
                self.at += 1
                self._convert(target_kind, target)
                return SupportHold(kind, at, target_kind, target, owner)
            return SupportMove(kind, at, target_kind, target, self._goal()[-1], owner)
        if word == "ferried" and self.peek(1) == "by":
            self.at += 2
            _, fleet, _ = self.unit()
            sea, *landing = self._goal()
            if not landing:
                self.fail("say where the army lands, as in 'A lon ferried by F nth - nwg to nwy'")
            return Move(kind, at, landing[-1], ferry=(fleet, sea))
        if word in CONVOYS:
            self.at += 1
            target_kind, target, owner = self.unit()
            return Convoy(kind, at, target_kind, target, self._goal()[-1], owner)
        if word in MOVES:
            return self._move(kind, at, phase)
        self.at += 1
        self.fail(f"{word!r} is nothing that a unit can do; write - , S, C or H", self.at - 1)

    def _goal(self) -> list[str]:
        """``- b``, ``to b``, ``- x - y - b``: the places moved through, the destination last."""
        steps: list[str] = []
        if self.peek() not in MOVES:
            self.fail("say where it goes, as in '- bur'")
        while self.peek() in MOVES:
            while self.peek() in MOVES:
                self.at += 1
            steps.append(self.place())
        if self.peek() in ("via", "by") and self.peek(1) in ("convoy", "sea"):
            self.at += 2
        return steps

    def _move(self, kind: str, at: str, phase: Phase) -> Order:
        steps: list[str] = []
        while self.peek() in MOVES:
            while self.peek() in MOVES:
                self.at += 1
            steps.append(self.place())
        *route, to = steps
        if phase is Phase.RETREATS:
            return Retreat(kind, at, to)
        via = False
        ferry: tuple[str, str] | None = None
        if self.peek() in ("via", "by", "using", "with") and self.peek(1) in ("convoy", "sea", "convoys"):
            self.at += 2
            via = True
        elif self._by_ferry():
            ferry = self._ride()
        elif self.peek() == "via" and not self.peek(1):
            self.at += 1
            via = True
        if self.peek() in FERRIES or (self.peek() == "and" and self.peek(1) in FERRIES):
            self.skip("and")
            self.at += 1
            if kind == "A":  # what an army can do with a ferry is to ride on it
                return Move(kind, at, to, route=tuple(route), ferry=self._ride())
            army, start, _ = self.unit()
            return Ferry(kind, at, to, army, start, self._goal()[-1])
        return Move(kind, at, to, via_convoy=via, route=tuple(route), ferry=ferry)

    def _by_ferry(self) -> bool:
        """Step over ``by ferry``, ``via the fast ferry`` and the like, if they come next."""
        if self.peek() not in ("by", "via"):
            return False
        ahead = 1
        while self.peek(ahead) in ("the", "fast", "a"):
            ahead += 1
        if self.peek(ahead) not in FERRIES:
            return False
        self.at += ahead + 1
        self.skip("of", "on")
        return True

    def _ride(self) -> tuple[str, str]:
        """The fleet and where it moves: ``F nth - nwg``."""
        _, fleet, _ = self.unit()
        return fleet, self._goal()[-1]

    def _convert(self, kind: str, at: str) -> Order:
        others = [code for code in self.reader._codes if code != kind]
        if not self.peek() and kind and len(others) == 1:  # there is only one thing that it can become
            return Convert(kind, at, others[0])
        self.skip("to", "into", "the")
        start = self.at
        if self.peek() in ("a", "an") and self.peek(1) in self.reader.kinds:
            self.at += 1
        new = self.reader.kinds.get(self.peek())
        self.at += 1
        if new is None:
            self.fail("say what it converts to, as in 'converts to F'", start)
        self.skip("on", ",", "the")
        if (
            self.peek() not in ("", "/", "(")
            and self.peek() not in COASTS
            and f"{self.peek()} {self.peek(1)}" not in COASTS
        ):
            self.skip("in", "at", "on")
            coast = self.place()  # F caern/nc
        else:
            coast = self._coast("")
        return Convert(kind, at, new, coast.partition("/")[2])
