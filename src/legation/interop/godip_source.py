"""godip's variants as they are written in Go: the graph, the start, the names. Read as data; nothing is executed.

What a variant's own functions do is not read; which of them there are is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import msgspec

from legation.board import province_of
from legation.interop.sources import ForeignFileError, Source
from legation.variants import STANDARD, load

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
MOST_CALLS = 100
MOST_ARGUMENTS = 200
FLAGS = {"Coast": ("Sea", "Land"), "Archipelago": ("Sea", "Land", "Convoyable")}
NEUTRAL = "Neutral"
CLASSICAL = "classical"
CODES = {"nao": "nat", "nwg": "nrg", "mao": "mid", "lyo": "gol"}
"""godip's codes of the standard board, where they aren't ours."""
PARENTS = re.compile(r'"[^"\s]{0,80}\bvariants/([\w/]{1,60})"')
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
    """Go files with a variant of godip's, in packages with a graph, or with that of another package of variants."""
    files = [name for name in source.ending(".go") if not name.endswith("_test.go")]
    graphs = {_folder(name) for name in files if b"Prov(" in source.head(name)}
    return [
        name
        for name in files
        if re.search(rb"\bVariant\{", source.head(name))
        and (_folder(name) in graphs or (b"Graph:" in source.head(name) and _parents(source.glance(name))))
    ]


def _parents(text: str) -> list[str]:
    """The packages of other variants that a file imports, as paths below ``variants``."""
    return [path for path in PARENTS.findall(text) if path != "common"]


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
    own = _Reader(_all_tokens(source, _files(source, entry)), entry)
    parents = _parents(source.text(entry))
    if own.nodes() or not parents:
        return own.run()
    if any(path.partition("/")[0] == CLASSICAL for path in parents):
        return own.run(_classical())
    inside = [
        name
        for name in source.ending(".go")
        if any(f"/{path}/" in f"/{name}" for path in parents) and not name.endswith(("_test.go", "bindata.go"))
    ]
    parent = _Reader(_all_tokens(source, inside[:MOST_OTHERS]), entry)
    if parent.nodes():
        return own.run(parent.run())
    raise ForeignFileError(
        f"{entry}: takes its graph from the variant {parents[0]}, which is not here; give the folder that holds both"
    )


def _all_tokens(source: Source, names: Sequence[str]) -> list[Token]:
    return [token for name in names for token in _tokens(source.text(name), name)]


def _classical() -> dict[str, Any]:
    """The standard game as a document, by godip's codes."""
    rules = load(STANDARD)
    board, homes = rules.board, {home: power.name for power in rules.powers.values() for home in power.homes}

    def code(location: str) -> str:
        key, slash, coast = location.partition("/")
        return CODES.get(key, key) + slash + coast

    nodes: dict[str, Any] = {}
    for at in board.locations:
        province = board.provinces[province_of(at)]
        ways = {"Land": set(board.reach("army", at)), "Sea": set(board.reach("fleet", at))}
        kinds = {"Sea"} if province.sea or "/" in at else {"Land", "Sea"} if ways["Sea"] else {"Land"}
        edges = {to: {kind: True for kind, goals in ways.items() if to in goals} for to in ways["Land"] | ways["Sea"]}
        center = homes.get(province.id, "") if province.center else None
        node = nodes.setdefault(code(province.id), {"Subs": {}, "SC": center})
        node["Subs"][at.partition("/")[2]] = {
            "Edges": {code(to): {"Flags": flags} for to, flags in edges.items()},
            "Flags": dict.fromkeys(kinds, True),
        }
    kinds_of = {"A": "Army", "F": "Fleet"}
    return {
        "Name": f"{CLASSICAL}, which is our standard board",
        "Nations": list(rules.powers),
        "ProvinceLongNames": {code(p.id): p.name for p in board.provinces.values()},
        "Graph": {"Nodes": nodes},
        "Start": {
            "Season": "Spring",
            "Year": 1901,
            "Type": "Movement",
            "Units": {code(u.at): {"Type": kinds_of[u.kind], "Nation": u.power} for u in rules.start},
            "SupplyCenters": {code(home): power for home, power in homes.items()},
        },
    }


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

    def run(self, parent: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The variant; what its files leave to those of another one is its ``parent``'s."""
        lent = parent or {"Graph": {"Nodes": {}}, "Nations": [], "ProvinceLongNames": {}, "Start": {}}
        begun = lent["Start"] if self.begins_as_parent() or not (self.units() or self.centers()) else {}
        own = self.nodes()
        nodes = own or lent["Graph"]["Nodes"]
        if not nodes:
            raise ForeignFileError(
                f"{self.entry}: its graph is made by a program or stands in another package; give the folder that "
                "holds it, or godip's JSON"
            )
        units = self.single_units(self.units() or dict(begun.get("Units", {})))
        centers = self.centers() or begun.get("SupplyCenters", {})
        named = self.nations() or list(dict.fromkeys(self.constants.values())) or lent["Nations"]
        season, year, phase = self.first_turn()
        if not year and lent["Start"]:
            season, year, phase = (lent["Start"][key] for key in ("Season", "Year", "Type"))
        document: dict[str, Any] = {
            "Name": self.said("Name"),
            "CreatedBy": self.said("CreatedBy"),
            "Description": self.said("Description"),
            "Rules": self.said("Rules"),
            "Nations": named,
            "ProvinceLongNames": lent["ProvinceLongNames"] | self.long_names(),
            "Graph": {"Nodes": nodes},
            "Start": {"Season": season, "Year": year, "Type": phase, "Units": units, "SupplyCenters": centers},
            "Flags": sorted(self.flags()),
            "Lent": "" if own else lent.get("Name", ""),
            "Others": sorted(set(lent["Nations"]) - set(named)),
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

    def begins_as_parent(self) -> bool:
        """Whether the start is that of another variant, as far as it is not changed: ``classical.Start``."""
        return any(token.last == "Start" and "." in token.text for token in self.tokens)

    def single_units(self, units: dict[str, Any]) -> dict[str, Any]:
        """The units with those that are set or taken away one by one: ``SetUnit("rom", godip.Unit{..})``."""
        for tokens in self.inside("RemoveUnit"):
            units.pop(next((token.text.lower() for token in tokens if token.kind == "string"), ""), None)
        for tokens in self.inside("SetUnit"):
            said = [token for token in tokens if token.kind in ("name", "string")]
            at, *names = [token for token in said if token.last not in ("Province", "Unit", "Type", "Nation")]
            if len(names) == 2:
                units[at.text.lower()] = {"Type": names[0].last, "Nation": self.nation(names[1])}
        return units

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
            if token.text == "Nations" and [t.text for t in self.tokens[i + 2 : i + 4]] == ["[", "]"]:
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
