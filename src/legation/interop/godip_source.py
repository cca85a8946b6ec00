"""godip's variants as they are written in Go: the graph, the start, the names. Read as data; nothing is executed.

What a variant's own functions do is not read; which of them there are is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import msgspec

from legation.interop.errors import ForeignFileError
from legation.interop.sources import Source

TOKENS = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)
    |(?P<string>"(?:[^"\\\n]|\\.)*"|`[^`]*`)
    |(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)
    |(?P<number>-?\d+)
    |(?P<mark>.)""",
    re.VERBOSE | re.DOTALL,
)
MOST_TOKENS = 400_000
MOST_OTHERS = 20
MOST_CALLS = 8
MOST_ARGUMENTS = 200
FLAGS = {"Coast": ("Sea", "Land"), "Archipelago": ("Sea", "Land", "Convoyable")}
NEUTRAL = "Neutral"
USUAL = frozenset(["classical.Seasons", "cla.Seasons", "classical.NewPhase", "classical.Phase", "classical.PhaseTypes"])
PROGRAMS = {
    "Phase": "how phases follow each other",
    "Seasons": "the seasons",
    "SoloWinner": "who wins",
    "SoloSCCount": "how many centers win",
    "NeutralOrders": "the orders of neutral units",
}
"""What a variant may give functions of its own for."""


class Token(msgspec.Struct, frozen=True):
    """A token: its kind (``string``, ``name``, ``number``, ``mark``) and its text; of a string what it says."""

    kind: str
    text: str

    @property
    def last(self) -> str:
        """A name without its package."""
        return self.text.rpartition(".")[2] if self.kind == "name" else ""


def recognize(source: Source) -> list[str]:
    """Go files with a variant of godip's, in packages with a graph."""
    files = [name for name in source.ending(".go") if not name.endswith("_test.go")]
    graphs = {_folder(name) for name in files if b"Prov(" in source.head(name)}
    return [name for name in files if _folder(name) in graphs and re.search(rb"\bVariant\{", source.head(name))]


def _folder(name: str) -> str:
    return name.rpartition("/")[0]


def _files(source: Source, entry: str) -> list[str]:
    """A variant's file, and the others of its package, if they are few."""
    others = [
        name
        for name in source.ending(".go")
        if name != entry and _folder(name) == _folder(entry) and not name.endswith(("_test.go", "bindata.go"))
    ]
    return [entry, *(others if len(others) <= MOST_OTHERS else ())]


def document_of(source: Source, entry: str) -> dict[str, Any]:
    """A variant in the shape of godip's JSON.

    :raises ForeignFileError: if it has no graph that is data.
    """
    return _Reader([token for name in _files(source, entry) for token in _tokens(source.text(name), name)], entry).run()


def _tokens(text: str, where: str) -> Iterator[Token]:
    for number, match in enumerate(TOKENS.finditer(text)):
        if number > MOST_TOKENS:
            raise ForeignFileError(f"{where}: is longer than a variant may be")
        kind = match.lastgroup or "mark"
        if kind == "string":
            yield Token(kind, _unquoted(match[0]))
        elif kind != "space":
            yield Token(kind, match[0])


def _unquoted(text: str) -> str:
    body = text[1:-1]
    return body if text[0] == "`" else body.replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")


class _Reader:
    """Looks for what a variant says among the tokens of its package."""

    def __init__(self, tokens: Sequence[Token], entry: str) -> None:
        self.tokens = tokens
        self.entry = entry
        self.constants = {
            here.text: value.text
            for here, kind, equals, value in self.windows(4)
            if kind.last == "Nation" and equals.text == "=" and value.kind == "string"
        }

    def windows(self, size: int) -> Iterator[Sequence[Token]]:
        """All runs of so many tokens."""
        return zip(*(self.tokens[i:] for i in range(size)), strict=False)

    def run(self) -> dict[str, Any]:
        """The variant."""
        nodes = self.nodes()
        if not nodes:
            raise ForeignFileError(
                f"{self.entry}: its graph is made by a program or stands in another package; give the folder that "
                "holds it, or godip's JSON"
            )
        units, centers = self.units(), self.centers()
        named = self.nations() or list(dict.fromkeys(self.constants.values()))
        season, year, phase = self.first_turn()
        document: dict[str, Any] = {
            "Name": self.said("Name"),
            "CreatedBy": self.said("CreatedBy"),
            "Description": self.said("Description"),
            "Rules": self.said("Rules"),
            "Nations": named,
            "ProvinceLongNames": self.long_names(),
            "Graph": {"Nodes": nodes},
            "Start": {"Season": season, "Year": year, "Type": phase, "Units": units, "SupplyCenters": centers},
            "Flags": sorted(self.flags()),
            "Programs": sorted(self.programs()),
        }
        wins = [b for a, _, b in self.windows(3) if a.last == "SCCountWinner" and b.kind == "number"]
        if wins:
            document["SoloSupplyCenters"] = int(wins[0].text)
        return document

    def nation(self, token: Token) -> str:
        """What a nation is called that is written as a constant."""
        return self.constants.get(token.last, token.last) if token.kind == "name" else token.text

    def nodes(self) -> dict[str, Any]:
        """The graph: ``Prov("a").Conn("b", godip.Sea).Flag(godip.Coast...).SC(England)`` and so on."""
        nodes: dict[str, Any] = {}
        sub: dict[str, Any] = {}
        key = ""
        for i, token in enumerate(self.tokens[:-2]):
            if token.last not in ("Prov", "Conn", "Flag", "SC") or self.tokens[i + 1].text != "(":
                continue
            first, *others = self.arguments(i + 2) or [Token("mark", "")]
            if token.last == "Prov" and first.kind == "string":
                key, _, coast = first.text.lower().partition("/")
                sub = {"Edges": {}, "Flags": {}}
                nodes.setdefault(key, {"Subs": {}, "SC": None})["Subs"][coast] = sub
            elif key and token.last == "Conn" and first.kind == "string":
                edge = sub["Edges"].setdefault(first.text.lower(), {"Flags": {}})
                edge["Flags"].update(dict.fromkeys(_flags(others), True))
            elif key and token.last == "Flag":
                sub["Flags"].update(dict.fromkeys(_flags([first, *others]), True))
            elif key and token.last == "SC" and first.kind == "name":
                name = self.nation(first)
                nodes[key]["SC"] = "" if name == NEUTRAL else name
        return nodes

    def arguments(self, at: int) -> list[Token]:
        """The names and strings up to the bracket that closes."""
        found: list[Token] = []
        for token in self.tokens[at : at + MOST_ARGUMENTS]:
            if token.kind != "mark":
                found.append(token)
            elif token.text in (")", ";", "}"):
                break
        return found

    def inside(self, name: str) -> Iterator[Sequence[Token]]:
        """The tokens of the first calls of a function, up to the bracket that closes it."""
        called = (i for i, (here, after) in enumerate(self.windows(2)) if here.last == name and after.text == "(")
        for i in islice(called, MOST_CALLS):
            depth, at = 0, i + 1
            while at < len(self.tokens):
                mark = self.tokens[at].text if self.tokens[at].kind == "mark" else ""
                depth += (mark in ("(", "{")) - (mark in (")", "}"))
                at += 1
                if depth == 0:
                    break
            yield self.tokens[i + 1 : at]

    def units(self) -> dict[str, Any]:
        """``"lon": godip.Unit{godip.Fleet, England}``"""
        found: dict[str, Any] = {}
        for tokens in self.inside("SetUnits"):
            for i, token in enumerate(tokens[:-1]):
                if token.kind != "string" or tokens[i + 1].text != ":":
                    continue
                names: list[Token] = []
                for after in tokens[i + 2 : i + 14]:
                    if after.text == "}":
                        break
                    if after.kind in ("name", "string") and after.last not in ("Unit", "Type", "Nation"):
                        names.append(after)
                if len(names) == 2:
                    found[token.text.lower()] = {"Type": names[0].last, "Nation": self.nation(names[1])}
        return found

    def centers(self) -> dict[str, str]:
        """``"lon": England`` of the centers owned at the start."""
        return {
            key.text.lower(): self.nation(value)
            for tokens in self.inside("SetSupplyCenters")
            for key, colon, value in zip(tokens, tokens[1:], tokens[2:], strict=False)
            if key.kind == "string" and colon.text == ":"
        }

    def nations(self) -> list[str]:
        """``Nations = []godip.Nation{England, France}``"""
        for i, token in enumerate(self.tokens[:-6]):
            if token.text == "Nations" and [t.text for t in self.tokens[i + 1 : i + 4]] == ["=", "[", "]"]:
                return [self.nation(t) for t in self.arguments(i + 6) if t.kind == "name"]
        return []

    def first_turn(self) -> tuple[str, int, str]:
        """Season, year and phase of ``NewPhase(1901, godip.Spring, godip.Movement)``."""
        for call, bracket, year, comma, season, _, phase in self.windows(7):
            if call.last.endswith("Phase") and (bracket.text, comma.text) == ("(", ",") and year.kind == "number":
                return season.last.removesuffix("Season"), int(year.text), phase.last
        return "", 0, ""

    def flags(self) -> set[str]:
        """The flags that are switched on: ``godip.Anywhere: true``."""
        on = (here for here, colon, value in self.windows(3) if (colon.text, value.text) == (":", "true"))
        return {token.last for token in on if token.text.startswith("godip.")}

    def said(self, key: str) -> str:
        """A text of the variant's record, put together of its parts."""
        for i, token in enumerate(self.tokens[:-2]):
            if token.text == key and self.tokens[i + 1].text == ":" and self.tokens[i + 2].kind == "string":
                parts = [self.tokens[i + 2].text]
                at = i + 3
                while at + 1 < len(self.tokens) and self.tokens[at].text == "+" and len(parts) < 200:
                    parts.append(self.tokens[at + 1].text)
                    at += 2
                return "".join(parts)
        return ""

    def long_names(self) -> dict[str, str]:
        """The names of provinces: pairs of strings."""
        return {
            key.text.lower(): value.text
            for key, colon, value in self.windows(3)
            if key.kind == value.kind == "string" and colon.text == ":"
        }

    def programs(self) -> Iterator[str]:
        """What of the variant is a function of its own."""
        for key, colon, value in self.windows(3):
            if key.text in PROGRAMS and colon.text == ":" and value.kind == "name":
                counted = value.last == "SCCountWinner" or (key.text == "SoloSCCount" and value.text == "func")
                if value.text not in USUAL and value.last not in ("Seasons", "PhaseTypes") and not counted:
                    yield f"{key.text}: {PROGRAMS[key.text]} ({value.text})"


def _flags(tokens: Sequence[Token]) -> list[str]:
    return [flag for token in tokens for flag in FLAGS.get(token.last, (token.last,)) if flag]
