"""godip's variants as they are written in Go: the graph, the start, the names. Read as data; nothing is executed.

What a variant's own functions do is not read; which of them there are is told."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from legation.board import province_of
from legation.interop.record import KINDS
from legation.interop.sources import ForeignFileError, Source
from legation.variants import STANDARD, load

COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|("(?:[^"\\\n]|\\.)*"|`[^`]*`)', re.DOTALL)
LONGEST = 4_000_000
WORD = r'"\d+"|[A-Za-z_]\w*(?:\.\w+)*'
UNIT = r'("\d+")\s*:\s*[\w.]*\s*\{([^{}]{0,400})\}'
MOST_OTHERS = 20
MOST_CALLS = 100
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


def recognize(source: Source) -> list[str]:
    """Go files with a variant of godip's, in packages with a graph, or with that of another package of variants."""
    files = _files(source)
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


def _files(source: Source) -> list[str]:
    """The Go files without tests and pictures."""
    return [name for name in source.ending(".go") if not name.endswith(("_test.go", "bindata.go"))]


def document_of(source: Source, entry: str) -> dict[str, Any]:
    """A variant in the shape of godip's JSON.

    :raises ForeignFileError: if it has no graph that is data."""
    files = _files(source)
    others = [name for name in files if name != entry and _folder(name) == _folder(entry)]
    own = _Reader(source, [entry, *(others if len(others) <= MOST_OTHERS else ())], entry)
    parents = _parents(source.text(entry))
    if own.nodes() or not parents:
        return own.run()
    if any(path.partition("/")[0] == CLASSICAL for path in parents):
        return own.run(_classical())
    inside = [name for name in files if any(f"/{path}/" in f"/{name}" for path in parents)]
    parent = _Reader(source, inside[:MOST_OTHERS], entry)
    if parent.nodes():
        return own.run(parent.run())
    raise ForeignFileError(
        f"{entry}: takes its graph from the variant {parents[0]}, which is not here; give the folder that holds both"
    )


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
    return {
        "Name": f"{CLASSICAL}, which is our standard board",
        "Nations": list(rules.powers),
        "ProvinceLongNames": {code(p.id): p.name for p in board.provinces.values()},
        "Graph": {"Nodes": nodes},
        "Start": {
            "Season": "Spring",
            "Year": 1901,
            "Type": "Movement",
            "Units": {code(u.at): {"Type": KINDS[u.kind].title(), "Nation": u.power} for u in rules.start},
            "SupplyCenters": {code(home): power for home, power in homes.items()},
        },
    }


class _Reader:
    """Finds what the files of a package say. In their text a string is its number among all strings, in quotes."""

    def __init__(self, source: Source, names: Sequence[str], entry: str) -> None:
        self.entry = entry
        self.strings: list[str] = []
        self.text = "\n".join(COMMENT_OR_STRING.sub(self._numbered, source.text(name, LONGEST)) for name in names)
        self.constants = {name: self.word(said) for name, said in self.found(r'(\w+)\s+[\w.]*\bNation\s*=\s*("\d+")')}

    def _numbered(self, match: re.Match[str]) -> str:
        if not (written := match[1]):
            return " "
        body = written[1:-1]
        raw = written[0] == "`"
        plain = body if raw else body.replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")
        self.strings.append(plain)
        return f'"{len(self.strings) - 1}"'

    def found(self, pattern: str, text: str | None = None) -> list[Any]:
        """All that a pattern finds, in the whole text or in a part of it."""
        return re.findall(pattern, self.text if text is None else text)

    def word(self, written: str) -> str:
        """What a string says, or a name without its package."""
        return self.strings[int(written[1:-1])] if written[0] == '"' else written.rpartition(".")[2]

    def nation(self, written: str) -> str:
        """What a nation is called, which may be written as a constant."""
        return self.constants.get(word := self.word(written), word)

    def run(self, parent: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The variant; what its files leave to those of another one is its ``parent``'s."""
        lent = parent or {"Graph": {"Nodes": {}}, "Nations": [], "ProvinceLongNames": {}, "Start": {}}
        units, centers, own = self.units(), self.centers(), self.nodes()
        begun = lent["Start"] if self.found(r"\w\.Start\b") or not (units or centers) else {}
        nodes = own or lent["Graph"]["Nodes"]
        if not nodes:
            raise ForeignFileError(
                f"{self.entry}: its graph is made by a program or stands in another package; give the folder that "
                "holds it, or godip's JSON"
            )
        named = self.nations() or list(dict.fromkeys(self.constants.values())) or lent["Nations"]
        turns = self.found(r"\w*Phase\s*\(\s*(-?\d+)\s*,\s*([\w.]+)\s*,\s*([\w.]+)")
        year, season, phase = turns[0] if turns else ("0", "", "")
        start = {
            "Season": self.word(season or "x").removesuffix("Season"),
            "Year": int(year),
            "Type": self.word(phase or "x"),
        }
        if not start["Year"]:
            start = {key: lent["Start"].get(key, "") for key in ("Season", "Year", "Type")}
        start["Units"] = self.single_units(units or dict(begun.get("Units", {})))
        start["SupplyCenters"] = centers or begun.get("SupplyCenters", {})
        document: dict[str, Any] = {
            **{key: self.said(key) for key in ("Name", "CreatedBy", "Description", "Rules")},
            "Nations": named,
            "ProvinceLongNames": lent["ProvinceLongNames"] | self.table('"\\d+"'),
            "Graph": {"Nodes": nodes},
            "Start": start,
            "Flags": sorted({flag.rpartition(".")[2] for flag in self.found(r"\bgodip\.([\w.]+)\s*:\s*true\b")}),
            "Lent": "" if own else lent.get("Name", ""),
            "Others": sorted(set(lent["Nations"]) - set(named)),
            "Programs": sorted(self.programs()),
        }
        if wins := self.found(r"\bSCCountWinner\s*\(\s*(\d+)"):
            document["SoloSupplyCenters"] = int(wins[0])
        return document

    def table(self, value: str, text: str | None = None) -> dict[str, str]:
        """The rows of tables with strings for keys: ``"lon": England``."""
        return {
            self.word(key).lower(): self.nation(said) for key, said in self.found(rf'("\d+")\s*:\s*({value})', text)
        }

    def nodes(self) -> dict[str, Any]:
        """The graph: ``Prov("a").Conn("b", godip.Sea).Flag(godip.Coast...).SC(England)`` and so on."""
        nodes: dict[str, Any] = {}
        sub: dict[str, Any] = {}
        key = ""
        for call, listed in self.found(r"\b(Prov|Conn|Flag|SC)\s*\(([^);}]{0,4000})"):
            first, *others = self.found(WORD, listed) or ["x"]
            word = self.word(first).lower()
            if call == "Prov" and first[0] == '"':
                key, _, coast = word.partition("/")
                sub = {"Edges": {}, "Flags": {}}
                nodes.setdefault(key, {"Subs": {}, "SC": None})["Subs"][coast] = sub
            elif key and call == "Conn" and first[0] == '"':
                edge = sub["Edges"].setdefault(word, {"Flags": {}})
                edge["Flags"].update(self.flags(others))
            elif key and call == "Flag":
                sub["Flags"].update(self.flags([first, *others]))
            elif key and call == "SC" and first[0] != '"':
                name = self.nation(first)
                nodes[key]["SC"] = "" if name == NEUTRAL else name
        return nodes

    def flags(self, written: Sequence[str]) -> dict[str, bool]:
        return {flag: True for word in map(self.word, written) for flag in FLAGS.get(word, (word,))}

    def inside(self, name: str) -> Iterator[str]:
        """What stands in the first calls of a function, up to the bracket that closes each."""
        for call in islice(re.finditer(rf"\b{name}\s*(?=\()", self.text), MOST_CALLS):
            depth, end = 0, len(self.text)
            for mark in re.compile(r"[(){}]").finditer(self.text, call.end()):
                depth += 1 if mark[0] in "({" else -1
                if depth == 0:
                    end = mark.end()
                    break
            yield self.text[call.end() : end]

    def units(self) -> dict[str, Any]:
        """``"lon": godip.Unit{godip.Fleet, England}``"""
        rows = (row for text in self.inside("SetUnits") for row in self.found(UNIT, text))
        return {self.word(at).lower(): unit for at, listed in rows if (unit := self.unit(listed))}

    def unit(self, listed: str) -> dict[str, str] | None:
        words = [
            word for word in self.found(WORD, listed) if self.word(word) not in ("Province", "Unit", "Type", "Nation")
        ]
        return {"Type": self.word(words[0]), "Nation": self.nation(words[1])} if len(words) == 2 else None

    def single_units(self, units: dict[str, Any]) -> dict[str, Any]:
        """The units with those that are set or taken away one by one: ``SetUnit("rom", godip.Unit{..})``."""
        for text in self.inside("RemoveUnit"):
            units.pop(next((self.word(at).lower() for at in self.found('"\\d+"', text)), ""), None)
        for text in self.inside("SetUnit"):
            at, *_ = self.found('"\\d+"', text) or [""]
            if at and (unit := self.unit(text.partition(at)[2])):
                units[self.word(at).lower()] = unit
        return units

    def centers(self) -> dict[str, str]:
        """``"lon": England`` of the centers owned at the start."""
        return {at: name for text in self.inside("SetSupplyCenters") for at, name in self.table(WORD, text).items()}

    def nations(self) -> list[str]:
        """``Nations = []godip.Nation{England, France}``"""
        listed = self.found(r"\bNations\s*[:=]\s*\[\s*\]\s*[\w.]+\s*\{([^});]*)")
        return [self.nation(name) for name in self.found(r"[A-Za-z_][\w.]*", listed[0])] if listed else []

    def said(self, key: str) -> str:
        """A text of the variant's record, put together of its parts."""
        texts = self.found(rf'\b{key}\s*:\s*("\d+"(?:\s*\+\s*"\d+")*)')
        return "".join(map(self.word, self.found('"\\d+"', texts[0]))) if texts else ""

    def programs(self) -> Iterator[str]:
        """What of the variant is a function of its own."""
        for key, value in self.found(r"(?<![\w.])(\w+)\s*:\s*([A-Za-z_][\w.]*)"):
            last = self.word(value)
            counted = last == "SCCountWinner" or (key == "SoloSCCount" and value == "func")
            if key in PROGRAMS and value not in USUAL and last not in ("Seasons", "PhaseTypes") and not counted:
                yield f"{key}: {PROGRAMS[key]} ({value})"
