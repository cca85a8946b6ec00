"""Productions: what may be written, as data, and how a text is matched against it.

A production is a line such as ``move = go to=PLACE ("-" to=PLACE)* over?``. Small letters name a further production,
capitals a class of the lexicon (``TO``) or what is found on the board (``PLACE``, ``UNIT``, ``POWER``, ``KIND``,
``NUM``; ``NAME`` is what nothing is called), quotation marks a sign; ``?`` is at most once, ``*`` any number of times,
``|`` a choice, ``to=`` keeps what is matched, ``!`` marks what is far-fetched. A match tries all ways: each gives where
it ends, what it keeps and how far-fetched it is."""

import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from threading import RLock
from typing import Any

import msgspec

Slots = tuple[tuple[str, Any], ...]
Match = tuple[int, Slots, float]
Matcher = Callable[[Any, int], list[Match]]
FOUND = frozenset(["PLACE", "UNIT", "POWER", "KIND", "NUM", "NAME", "END"])
"""What the board and its powers tell, and no table of words; ``END`` is where what is said may end."""
SEEN = frozenset(["KIND", "NUM"])
"""What of these is seen at a word without a search, so that it stands among what a text may begin with there."""
ODD = 0.3  # how far-fetched a part is that is marked with ``!``
SURE = 3.0  # how far-fetched the name of a power may be
MOST = 8  # times that a part is repeated
_TOKEN = re.compile(r'\s*(?:(?P<slot>[a-z_]+)=(?!=))?(?:"(?P<sign>[^"]+)"|(?P<name>\w+)|(?P<mark>[()|?*!]))')


class GrammarError(ValueError):
    """Raised for a production that cannot be read."""


class Node(msgspec.Struct, frozen=True, eq=False):
    """A compiled part of a production: how it is matched, and the classes and signs with which it may begin.

    ``first`` holds names of classes, signs in quotation marks and names of :data:`FOUND`; ``empty``: it may match
    nothing. ``required``: classes and signs of which one stands in whatever it matches; None where that isn't known."""

    match: Matcher
    first: frozenset[str]
    empty: bool = False
    required: frozenset[str] | None = None

    @property
    def needs(self) -> frozenset[str] | None:
        """Classes and signs of which one must stand where it begins; None where that isn't known. To look there first
        is what makes a search for an order cheap: most words begin few productions."""
        return None if self.empty or self.first & (FOUND - SEEN) else self.first


class Grammar:
    """Productions by name."""

    def __init__(self, productions: Mapping[str, str]) -> None:
        self.productions = dict(productions)
        self._nodes: dict[str, Node] = {}
        self._pending: list[str] = []
        self._compiling = RLock()  # readers are shared by threads

    def node(self, name: str) -> Node:
        """Return a production, compiled.

        :raises GrammarError: if it is missing, calls itself or cannot be read."""
        if name not in self._nodes:
            with self._compiling:
                self._add(name)
        return self._nodes[name]

    def _add(self, name: str) -> None:
        if name in self._nodes:
            return
        if name in self._pending or name not in self.productions:
            raise GrammarError(f"{name}: {'calls itself' if name in self._pending else 'there is no such part'}")
        self._pending.append(name)
        try:
            self._nodes[name] = _memoized(name, self._compile(name, self.productions[name]))
        finally:
            self._pending.pop()

    def _compile(self, name: str, text: str) -> Node:
        tokens: deque[tuple[str, str]] = deque()
        at = 0
        text = text.strip()
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                raise GrammarError(f"{name}: {text[at : at + 20]!r} cannot be read")
            if found["slot"]:
                tokens.append(("slot", found["slot"]))
            kind = "sign" if found["sign"] else "name" if found["name"] else "mark"
            tokens.append((kind, found["sign"] or found["name"] or found["mark"]))
            at = found.end()
        node = self._choice(name, tokens)
        if tokens:
            raise GrammarError(f"{name}: {tokens[0][1]!r} is out of place")
        return node

    def _choice(self, name: str, tokens: deque[tuple[str, str]]) -> Node:
        parts = [self._sequence(name, tokens)]
        while _mark(tokens, "|"):
            parts.append(self._sequence(name, tokens))
        return _either(parts) if len(parts) > 1 else parts[0]

    def _sequence(self, name: str, tokens: deque[tuple[str, str]]) -> Node:
        parts: list[Node] = []
        while tokens and tokens[0] not in (("mark", "|"), ("mark", ")")):
            slot = tokens.popleft()[1] if tokens[0][0] == "slot" else ""
            kind, said = tokens.popleft()
            if (kind, said) == ("mark", "("):
                node = self._choice(name, tokens)
                if not _mark(tokens, ")"):
                    raise GrammarError(f"{name}: a bracket is not closed")
                node = _kept(node, slot) if slot else node
            elif kind == "sign":
                node = _sign(said, slot)
            elif kind == "name":
                node = _found(said, slot) if said in FOUND else _word(said, slot) if said.isupper() else self.node(said)
            else:
                raise GrammarError(f"{name}: {said!r} is out of place")
            while mark := _mark(tokens, "?*!"):
                node = _odd(node) if mark == "!" else _repeated(node, 1 if mark == "?" else MOST)
            parts.append(node)
        if not parts:
            raise GrammarError(f"{name}: a part is empty")
        return _sequence(parts) if len(parts) > 1 else parts[0]


def _mark(tokens: deque[tuple[str, str]], marks: str) -> str:
    """Take the mark that comes next if it is one of these, and return it; empty if none of them comes."""
    comes = tokens and tokens[0][0] == "mark" and tokens[0][1] in marks
    return tokens.popleft()[1] if comes else ""


def _sign(sign: str, slot: str) -> Node:
    slots: Slots = ((slot, sign),) if slot else ()

    def match(w: Any, i: int) -> list[Match]:
        return [(i + 1, slots, 0.0)] if w.words[i] == sign else []

    first = frozenset([f'"{sign}"'])
    return Node(match, first, required=first)


def _word(name: str, slot: str) -> Node:
    def match(w: Any, i: int) -> list[Match]:
        said = w.at[i].get(name)
        if said is None:
            return []
        return [(i + length, ((slot, says or name),) if slot else (), 0.0) for length, says in said]

    first = frozenset([name])
    return Node(match, first, required=first)


def _found(name: str, slot: str) -> Node:
    if name == "END":
        return Node(lambda w, i: [(i, (), 0.0)] if w.ends(i) else [], frozenset(), True)
    method = name.lower() + "s"
    far = SURE if name == "POWER" else float("inf")  # to whom units are lent is never guessed

    def match(w: Any, i: int) -> list[Match]:
        return [
            (end, ((slot, value),) if slot else (), cost) for end, value, cost in getattr(w, method)(i) if cost < far
        ]

    first = frozenset([name])
    return Node(match, first, required=first if name in SEEN else None)


def _kept(node: Node, slot: str) -> Node:
    def match(w: Any, i: int) -> list[Match]:
        return [(end, (*slots, (slot, True)), cost) for end, slots, cost in node.match(w, i)]

    return msgspec.structs.replace(node, match=match)


def _odd(node: Node) -> Node:
    def match(w: Any, i: int) -> list[Match]:
        return [(end, slots, cost + ODD) for end, slots, cost in node.match(w, i)]

    return msgspec.structs.replace(node, match=match)


def _either(parts: list[Node]) -> Node:
    matches = [(part.match, part.needs) for part in parts]

    def match(w: Any, i: int) -> list[Match]:
        begins = w.begins[i]
        return [found for one, needs in matches if needs is None or not needs.isdisjoint(begins) for found in one(w, i)]

    required = [part.required for part in parts if part.required is not None]
    return Node(
        match,
        frozenset().union(*(part.first for part in parts)),
        any(part.empty for part in parts),
        frozenset().union(*required) if len(required) == len(parts) else None,
    )


def _sequence(parts: list[Node]) -> Node:
    matches = [(part.match, part.needs) for part in parts]
    first: frozenset[str] = frozenset()
    for part in parts:
        first |= part.first
        if not part.empty:
            break

    def match(w: Any, i: int) -> list[Match]:
        found: list[Match] = [(i, (), 0.0)]
        for one, needs in matches:
            found = [
                (end, slots + more if more else slots, cost + further)
                for at, slots, cost in found
                if needs is None or not needs.isdisjoint(w.begins[at])
                for end, more, further in one(w, at)
            ]
            if not found:
                break
        return found

    required = min((part.required for part in parts if part.required is not None), key=len, default=None)
    return Node(match, first, all(part.empty for part in parts), required)


def _repeated(node: Node, most: int) -> Node:
    one, needs = node.match, node.needs

    def match(w: Any, i: int) -> list[Match]:
        found: list[Match] = [(i, (), 0.0)]
        edge = found
        for _ in range(most):
            edge = [
                (end, slots + more if more else slots, cost + further)
                for at, slots, cost in edge
                if needs is None or not needs.isdisjoint(w.begins[at])
                for end, more, further in one(w, at)
                if end > at
            ]
            if not edge:
                break
            if len(edge) > 1:
                edge = _distinct(edge)
            found = [*edge, *found]
        return found

    return Node(match, node.first, True)


def _distinct(matches: list[Match]) -> list[Match]:
    """The matches without repetitions: of those that end alike and keep the same, the least far-fetched one."""
    best: dict[tuple[int, Slots], Match] = {}
    for one in matches:
        if one[:2] not in best or one[2] < best[one[:2]][2]:
            best[one[:2]] = one
    return list(best.values())


def _memoized(name: str, node: Node) -> Node:
    inner = node.match

    def match(w: Any, i: int) -> list[Match]:
        known: list[Match] | None = w.matched.get((name, i))
        if known is None:
            known = w.matched[name, i] = inner(w, i)
        return known

    return msgspec.structs.replace(node, match=match)


def productions(text: str) -> dict[str, str]:
    """Read lines ``name = parts``; lines that are set in go on with the one before."""
    found: dict[str, str] = {}
    name = ""
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line[0].isspace():
            found[name] += " " + line.strip()
        else:
            name, _, parts = line.partition("=")
            name = name.strip()
            found[name] = parts.strip()
    return found


def slots_of(slots: Slots) -> dict[str, list[Any]]:
    """Return what was kept, by name, in the order of the text; under ``""`` all of it, as pairs."""
    kept: dict[str, list[Any]] = {"": [*slots]}
    for name, value in slots:
        kept.setdefault(name, []).append(value)
    return kept


class Index:
    """Productions by the classes and signs with which they begin."""

    def __init__(self, nodes: Iterable[tuple[Any, Node]]) -> None:
        self._by_first: dict[str, list[tuple[Any, Node]]] = {}
        self._found: list[tuple[Any, Node]] = []
        for key, node in nodes:
            if node.first & FOUND:
                self._found.append((key, node))
            for first in node.first - FOUND:
                self._by_first.setdefault(first, []).append((key, node))
        wanted = FOUND & frozenset().union(*(node.first for _, node in self._found))
        self._looked_up = [(name, f"{name.lower()}s") for name in sorted(wanted - SEEN)]

    def at(self, w: Any, i: int) -> list[tuple[Any, Node]]:
        """Return the productions that may begin at a place, those that begin with words of their own first."""
        known: list[tuple[Any, Node]] | None = w.matched.get((self, i))
        if known is None:
            known = w.matched[self, i] = self._sought(w, i) if i < len(w.words) else []
        return known

    def _sought(self, w: Any, i: int) -> list[tuple[Any, Node]]:
        by_first, begins = self._by_first, w.begins[i]
        found = list(by_first.get(f'"{w.words[i]}"', ()))
        for name in w.at[i]:
            found += by_first.get(name, ())
        found = _possible(found, w.says)
        if further := _possible(self._found, w.says):
            begins = begins.union([name for name, method in self._looked_up if getattr(w, method)(i)])
            found += [one for one in further if one[1].empty or not begins.isdisjoint(one[1].first)]
        return list(dict.fromkeys(found))


def _possible(nodes: list[tuple[Any, Node]], says: frozenset[str]) -> list[tuple[Any, Node]]:
    """Those that a text of these classes and signs may match."""
    return [one for one in nodes if one[1].required is None or not one[1].required.isdisjoint(says)]
