"""godip's variants: its JSON, and its sources in Go: a graph of nodes with coasts."""

from collections.abc import Mapping
from typing import Any

from legation.interop import godip_source
from legation.interop.calendars import start_in_cycle
from legation.interop.coasts import coast_codes, convoying
from legation.interop.json_variants import PHASES, UNITS, DocumentReader, array, read_json, table, text
from legation.interop.record import ForeignVariant, Nation, Place, StartingUnit, clean
from legation.interop.sources import ForeignFileError, Source, by_marks

NAME = "godip"
TITLE = "godip variants (JSON, Go)"
FLAGS = {"Anywhere": ("build_anywhere", {}), "AnyHomeCenter": ("build_where", {"sites": "any home"})}
"""Flags of a variant's state that are rules here."""
_graphs = by_marks((".json",), b'"Graph"', b'"Nodes"')


def recognize(source: Source) -> list[str]:
    """JSON files with a graph, and Go files with a variant."""
    return _graphs(source) or godip_source.recognize(source)


def read(source: Source, entry: str) -> list[ForeignVariant]:
    """The variant of a file.

    :raises ForeignFileError: if it has no graph."""
    go = entry.lower().endswith(".go")
    document = godip_source.document_of(source, entry) if go else read_json(source, entry)
    reader = _Reader(source, entry, document, TITLE)
    reader.run()
    reader.variant.take_passive("Neutral")
    reader.picture()
    return [reader.variant]


class _Reader(DocumentReader):
    def run(self) -> None:
        document, variant = self.document, self.variant
        nodes = table(document.get("Graph"), "Nodes")
        if not nodes:
            raise ForeignFileError(f"{self.entry}: Graph.Nodes holds no provinces")
        long_names = table(document, "ProvinceLongNames")
        nations = self.nations({"name": name, "non_playable": name == godip_source.NEUTRAL} for name in self.named())
        for name, color in table(document, "NationColors").items():
            if name in nations and isinstance(color, str):
                nations[name].color = color
        subs = {key.lower(): _subs(node) for key, node in nodes.items() if isinstance(node, dict)}
        self.coasts = {key: coast_codes(variant, key, [name for name in found if name]) for key, found in subs.items()}
        for key, node in nodes.items():
            if isinstance(node, dict):
                name = clean(str(long_names.get(key, key)), 60)
                self.node(key.lower(), name, node.get("SC"), subs[key.lower()], nations)
        if lent := text(document, "Lent"):
            others = ", ".join(map(str, array(document, "Others")))
            told = f"; homes of {others} are nobody's, as this variant has no such powers" if others else ""
            self.took("Graph", f"is that of {lent}{told}")
        self.drop_vague_coasts()
        convoying(variant, "Convoyable")
        self.game(nations)

    def named(self) -> list[str]:
        """The nations, and the one of the neutral units if there are any."""
        names = [name for name in array(self.document, "Nations") if isinstance(name, str)]
        units = table(table(self.document, "Start"), "Units").values()
        owners = {text(unit, "Nation") for unit in units if isinstance(unit, dict)}
        return [*names, *({godip_source.NEUTRAL} & owners - {*names})]

    def node(
        self, key: str, name: str, center: Any, subs: Mapping[str, Mapping[str, Any]], nations: Mapping[str, Nation]
    ) -> None:
        main = _flags(subs.get("", {}))
        sea = "Sea" in main and "Land" not in main
        self.variant.places[key] = Place(
            key=key,
            name=name,
            sea=sea,
            shore=not sea and "Sea" in main,
            coasts=list(self.coasts[key].values()),
            center=isinstance(center, str),
            convoys="Convoyable" in main and not sea and not self.coasts[key],
        )
        if isinstance(center, str) and center in nations:
            nations[center].homes.append(key)
        elif isinstance(center, str) and center not in ("", godip_source.NEUTRAL, *array(self.document, "Others")):
            self.left(f"SC of {key}", f"is home of {clean(center, 40)}, which isn't a nation")
        for coast, sub in subs.items():
            for to, edge in table(sub, "Edges").items():
                flags = _flags(edge if isinstance(edge, dict) else {})
                here, there = self.at(f"{key}/{coast}" if coast else key), self.at(str(to))
                if "Land" in flags:
                    self.variant.army.add((key, there.partition("/")[0]))
                if "Sea" in flags:
                    self.variant.fleet.add((here, there))
                if not flags & {"Land", "Sea"}:
                    self.left(f"{here} - {there}", "a border without the flag Land or Sea")

    def game(self, nations: Mapping[str, Nation]) -> None:
        document, variant = self.document, self.variant
        start = table(document, "Start")
        for at, unit in table(start, "Units").items():
            nation = nations.get(text(unit, "Nation")) if isinstance(unit, dict) else None
            if nation is not None:
                nation.units.append(StartingUnit(UNITS.get(text(unit, "Type"), text(unit, "Type")), self.at(str(at))))
            else:
                self.left(f"unit {clean(str(at), 20)}", "belongs to no nation that is played")
        centers = table(start, "SupplyCenters") or table(start, "SCs")
        for key, name in centers.items():
            if isinstance(name, str) and name in nations:
                nations[name].own(self.at(str(key)))
            elif name != godip_source.NEUTRAL:
                told = f"belongs to {clean(str(name), 40)}, which isn't a nation"
                self.left(f"center {clean(str(key), 20)}", told)
        for nation in variant.nations:
            if not centers:
                nation.owned = None
            elif nation.owned and nation.played and not nation.homes:
                nation.homes = list(nation.owned)
                self.guess(f"homes of {nation.name}", "are the centers owned at the start, as the graph names none")
        self.calendar(start)
        winner = document.get("SoloSupplyCenters")
        if isinstance(winner, int):
            variant.to_win = winner
        else:
            self.guess("centers to win", "godip's export leaves them out; half of all and one more")
        if rules := text(document, "Rules"):
            self.left("Rules", f"text; read it with the variant: {clean(rules, 300)}")
        for flag in array(document, "Flags"):
            if flag in FLAGS:
                variant.rules[FLAGS[flag][0]] = dict(FLAGS[flag][1])
                self.took(f"flag {flag}", f"the rule {FLAGS[flag][0]}")
            else:
                self.left(f"flag {clean(str(flag), 40)}", "is not known")
        for program in array(document, "Programs"):
            self.left(clean(str(program), 60), "a function of the variant's own, which is not read")
        start_in_cycle(variant)

    def calendar(self, start: Mapping[str, Any]) -> None:
        """The first turn; what follows it stands in functions."""
        variant = self.variant
        year, season = start.get("Year"), text(start, "Season") or "Spring"
        if not isinstance(year, int) or year < 1:
            self.left(f"year {year}", "years are counted from 1 here")
            year = 1
        phase = PHASES.get(text(start, "Type", "Phase"), "Movement")
        variant.first = f"{season if season in ('Spring', 'Fall') else 'Spring'} {year} {phase}"
        self.guess("calendar", "what follows what stands in the program; the usual one is used")


def _subs(node: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    return {str(k).rpartition("/")[2].lower(): v for k, v in table(node, "Subs").items() if isinstance(v, dict)}


def _flags(item: Mapping[str, Any]) -> set[str]:
    return {str(k) for k, on in table(item, "Flags").items() if on} | {str(flag) for flag in array(item, "Flags")}
