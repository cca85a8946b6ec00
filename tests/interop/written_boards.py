"""Boards of ours in formats of which no whole boards are held against checkers (``test_checked.py``), by writers of
these tests: no importer is used."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from itertools import product
from string import ascii_lowercase

from legation.board import Travel, province_of
from legation.judge import Ruleset

Files = dict[str, str]
COASTS = {"nc": "North Coast", "sc": "South Coast", "ec": "East Coast", "wc": "West Coast"}
TRAVELS: tuple[Travel, ...] = ("army", "fleet")


class Written:
    """A variant as writers need it: codes of three letters, plain names, kinds of provinces, and powers with homes,
    which they own at the start, and units."""

    def __init__(self, rules: Ruleset) -> None:
        self.board, places = rules.board, rules.board.provinces
        free = (f"q{a}{b}" for a, b in product(ascii_lowercase, repeat=2) if f"q{a}{b}" not in places)
        self.codes = {key: key if len(key) == 3 else next(free) for key in places}
        self.names = {key: re.sub(r"[^\w &.-]", "", place.name) for key, place in places.items()}
        self.kinds = {k: "sea" if p.sea else "coastal" if p.shore or p.coasts else "land" for k, p in places.items()}
        owned = {name: [c for c, owner in rules.start_owners.items() if owner == name] for name in rules.powers}
        self.homes = {name: list(power.homes) or owned[name] for name, power in rules.powers.items()}
        self.units = {name: [(u.kind, u.at) for u in rules.start if u.power == name] for name in rules.powers}
        self.owner = {home: name for name, homes in self.homes.items() for home in homes}

    def code(self, place: str, sign: str = "/") -> str:
        key, slash, coast = place.partition("/")
        return self.codes[key] + slash.replace("/", sign) + coast

    def name(self, place: str) -> str:
        key, _, coast = place.partition("/")
        return self.names[key] + (f" ({COASTS[coast]})" if coast else "")

    def reach(self, travel: Travel, place: str) -> list[str]:
        return sorted(self.board.reach(travel, place))

    def near(self, at: str) -> dict[str, list[Travel]]:
        """Where one can go from a place, and who can."""
        return {to: [t for t in TRAVELS if to in self.board.reach(t, at)] for t in TRAVELS for to in self.reach(t, at)}


def diplicity(v: Written) -> Files:
    ids = {power: power.lower().replace(" ", "-") for power in v.homes}

    def near(at: str) -> list[dict[str, str]]:
        return [{"to": v.code(to), "pass": "both" if len(how) > 1 else how[0]} for to, how in v.near(at).items()]

    provinces = [
        {"id": v.codes[key], "name": name, "type": v.kinds[key], "supplyCenter": key in v.board.centers,
         **({"homeNation": ids[v.owner[key]]} if key in v.owner else {}), "adjacencies": near(key)}
        for key, name in v.names.items()
    ]  # fmt: skip
    coasts = [
        {"id": v.code(at), "name": v.name(at), "parentProvince": v.codes[province_of(at)], "adjacencies": near(at)}
        for at in v.board.locations
        if "/" in at
    ]
    units = [
        {"nation": ids[power], "type": "Army" if kind == "A" else "Fleet", "location": v.code(at)}
        for power, listed in v.units.items()
        for kind, at in listed
    ]
    steps = [("Spring Movement", "Spring Retreat"), ("Spring Retreat", "Fall Movement"),
             ("Fall Movement", "Fall Retreat"), ("Fall Retreat", "Fall Adjustment"),
             ("Fall Adjustment", "Spring Movement")]  # fmt: skip
    transitions = [
        {"from": dict(zip(("season", "type"), a.split(), strict=True)),
         "to": {**dict(zip(("season", "type"), b.split(), strict=True)), "yearDelta": int(a == "Fall Adjustment")}}
        for a, b in steps
    ]  # fmt: skip
    document = {
        "schemaVersion": 1, "id": "board", "name": "Board", "description": "", "author": "",
        "victoryConditions": [{"type": "supply-center-majority", "supplyCenters": 9}],
        "phaseProgression": {"seasons": ["Spring", "Fall"], "transitions": transitions},
        "nations": [{"id": key, "name": power, "color": "#F44336"} for power, key in ids.items()],
        "provinces": provinces,
        "namedCoasts": coasts,
        "initialState": {
            "phase": {"season": "Spring", "year": 1901, "type": "Movement"},
            "units": units,
            "supplyCenters": [{"nation": ids[owner], "province": v.codes[home]} for home, owner in v.owner.items()],
        },
    }  # fmt: skip
    return {"board.json": json.dumps(document)}


def _flags(kind: str) -> list[str]:
    return {"sea": ["Sea"], "land": ["Land"], "coastal": ["Land", "Sea"]}[kind]


def godip(v: Written) -> Files:
    def sub(at: str, flags: list[str]) -> dict[str, object]:
        edges: dict[str, dict[str, bool]] = {}
        for travel in TRAVELS:
            for to in v.reach(travel, at):
                edges.setdefault(v.code(to), {})["Land" if travel == "army" else "Sea"] = True
        return {"Edges": {to: {"Flags": how} for to, how in edges.items()}, "Flags": dict.fromkeys(flags, True)}

    nodes = {}
    for key, province in v.board.provinces.items():
        subs = {"": sub(key, ["Land"] if province.coasts else _flags(v.kinds[key]))}
        subs |= {coast: sub(f"{key}/{coast}", ["Sea"]) for coast in province.coasts}
        nodes[v.codes[key]] = {"Subs": subs, "SC": v.owner.get(key, "") if province.center else None}
    start = {
        "Season": "Spring",
        "Year": 1901,
        "Units": {
            v.code(at): {"Type": "Army" if kind == "A" else "Fleet", "Nation": power}
            for power, units in v.units.items()
            for kind, at in units
        },
        "SupplyCenters": {v.codes[home]: owner for home, owner in v.owner.items()},
    }
    names = {v.codes[key]: name for key, name in v.names.items()}
    document = {"Name": "Board", "Nations": list(v.homes), "ProvinceLongNames": names, "Graph": {"Nodes": nodes}}
    return {"board.json": json.dumps({**document, "Start": start})}


def go(v: Written) -> Files:
    nations = {power: re.sub(r"\W", "", power) for power in v.homes}
    graph = []
    for at in v.board.locations:
        key, _, coast = at.partition("/")
        words = {("army",): "godip.Land", ("fleet",): "godip.Sea", TRAVELS: "godip.Coast..."}
        row = "".join(f'.Conn("{v.code(to)}", {words[tuple(how)]})' for to, how in v.near(at).items())
        kind = "sea" if coast else "land" if v.board.provinces[key].coasts else v.kinds[key]
        flag = {"sea": "godip.Sea", "land": "godip.Land", "coastal": "godip.Coast..."}[kind]
        center = f".SC({nations.get(v.owner.get(key, ''), 'godip.Neutral')})" if at in v.board.centers else ""
        graph.append(f'Prov("{v.code(at)}"){row}.Flag({flag}){center}.')
    units = "".join(
        f'"{v.code(at)}": {{godip.{"Army" if kind == "A" else "Fleet"}, {nations[power]}}},\n'
        for power, listed in v.units.items()
        for kind, at in listed
    )
    owners = ", ".join(f'"{v.codes[home]}": {nations[owner]}' for home, owner in v.owner.items())
    consts = "\n".join(f'{word} godip.Nation = "{power}"' for power, word in nations.items())
    names = "".join(f'"{v.codes[key]}": "{name}",\n' for key, name in v.names.items())
    text = f"""package board
const (
{consts}
)
var Nations = []godip.Nation{{{", ".join(nations.values())}}}
var BoardVariant = common.Variant{{
	Name: "Board",
	Graph: func() godip.Graph {{ return BoardGraph() }},
	Nations: Nations,
	SoloWinner: common.SCCountWinner(9),
}}
func BoardStart() (result *state.State, err error) {{
	startPhase := classical.NewPhase(1901, godip.Spring, godip.Movement)
	if err = result.SetUnits(map[godip.Province]godip.Unit{{
{units}}}); err != nil {{ return }}
	result.SetSupplyCenters(map[godip.Province]godip.Nation{{{owners}}})
	return
}}
func BoardGraph() *graph.Graph {{
	return graph.New().
{chr(10).join(graph)}
Done()
}}
var provinceLongNames = map[godip.Province]string{{
{names}}}
"""
    return {"board.go": text}


FORMATS: Mapping[str, Callable[[Written], Files]] = {"diplicity": diplicity, "godip": godip, "go": go}
