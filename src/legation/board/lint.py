"""Checks a board: everything the reader would refuse, and whatever a designer would want to know before anybody plays on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from legation.board.files import BoardFault, BoardFiles, understand
from legation.board.model import Board, Province, province_of
from legation.board.seas import derive_sea_borders

if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.resources.abc import Traversable
    from pathlib import Path


Fault: TypeAlias = "Callable[[str, str], None]"


def lint(folder: Traversable | Path) -> list[BoardFault]:
    """All faults of a board folder at once, each with its place and the mend; an empty list for a sound board."""
    files = BoardFiles(folder)
    board = understand(files)
    places = {row["id"]: row.place for table in ("land", "sea") for row in files.rows(table)} if files.head else {}
    faults = list(dict.fromkeys(files.faults))

    def fault(province: str, message: str) -> None:
        faults.append(BoardFault(places.get(province, "board"), message))

    _names(board, fault)
    for province in board.provinces.values():
        _shore(board, province, fault)
    _points(files, faults)
    _seas(files, board, faults)
    return faults


def _names(board: Board, fault: Fault) -> None:
    """No name may mean two provinces, unless it is for different powers only."""
    seen: dict[tuple[str, str], str] = {}
    for province in board.provinces.values():
        for written in (province.id, province.name, *province.aliases):
            name, _, power = written.partition("@")
            key = (" ".join(name.casefold().split()), power)
            other = seen.setdefault(key, province.id)
            if other != province.id:
                fault(province.id, f"the name {name!r} means {other} too; drop it from one of them")


def _shore(board: Board, province: Province, fault: Fault) -> None:
    if not board.adjacent(province.id):
        fault(province.id, f"{province.name} has no border; add rows to borders.csv")
        return
    if province.center and province.sea:
        fault(province.id, f"{province.name} is sea and cannot be a supply center")
    if province.capital and not province.center:
        fault(province.id, f"{province.name} is a capital but no center; set center to 1")
    if province.sea or province.shore:
        for location in province.locations:
            reach = board.reach("fleet", location)
            if not reach:
                fault(province.id, f"no fleet can come to {location}; add a border or leave the coast out")
            elif province.shore and not any(board.provinces[province_of(to)].sea for to in reach):
                fault(province.id, f"{location} touches no sea; add a border to one, or leave its coasts empty")


def _points(files: BoardFiles, faults: list[BoardFault]) -> None:
    """Seed points are ``lon lat`` pairs in degrees, a circle's with a radius behind."""
    for table in ("land", "sea"):
        for row in files.rows(table):
            for point in filter(None, (p.strip() for p in row["points"].split(";"))):
                words = point.split()
                try:
                    lon, lat = (float(w) for w in words[:2])
                    radius = [float(w.removeprefix("r")) for w in words[2:]]
                    sound = len(radius) <= 1 and abs(lon) <= 180 and abs(lat) <= 90
                except ValueError:
                    sound = False
                if not sound:
                    faults.append(
                        BoardFault(row.place, f"the point {point!r} is not 'lon lat' in degrees (or 'lon lat rKM')")
                    )


def _seas(files: BoardFiles, board: Board, faults: list[BoardFault]) -> None:
    """Every sea area has one primary region, and the derived borders are what W-8b and W-8c say."""
    areas: dict[str, list[Province]] = {}
    for province in board.provinces.values():
        if province.area:
            areas.setdefault(province.area, []).append(province)
    for area, members in areas.items():
        primaries = [p.id for p in members if p.primary]
        if len(primaries) != 1:
            faults.append(
                BoardFault(
                    "sea.csv",
                    f"the area {area!r} needs one primary region and has {len(primaries)}: {', '.join(primaries) or 'none'}",
                )
            )
    pairs = [(row["a"], row["b"]) for row in files.rows("touching")]
    if not pairs or faults:
        return
    derived = {frozenset((b.a, b.b)) for b in derive_sea_borders(board.provinces, pairs)}
    for a, b in sorted(_disagreements(board, pairs, derived)):
        faults.append(BoardFault("touching.csv", f"{a} - {b} is derived otherwise than the rule of sea areas says"))


def _disagreements(board: Board, pairs: list[tuple[str, str]], derived: set[frozenset[str]]) -> set[tuple[str, str]]:
    """Pairs for which the definition of W-8b and W-8c, asked for each pair by itself, says something else than the derivation."""
    seas = [p for p in board.provinces.values() if p.sea]
    touch: dict[str, set[str]] = {}
    for a, b in pairs:
        touch.setdefault(a, set()).add(b)
        touch.setdefault(b, set()).add(a)
    group = {p.id: p.area or p.id for p in seas}
    members: dict[str, set[str]] = {}
    for sea, area in group.items():
        members.setdefault(area, set()).add(sea)
    lead = {p.id for p in seas if p.primary or not p.area}
    around = {area: set().union(*(touch.get(m, set()) for m in inside)) for area, inside in members.items()}
    wrong: set[tuple[str, str]] = set()
    coasts = {end for pair in pairs for end in pair if province_of(end) not in group}
    for a in group:
        for b in group:
            if a >= b:
                continue
            same = group[a] == group[b]
            # a primary region stands for its whole area, a local one for itself
            near = around[group[a]] if a in lead else touch.get(a, set())
            target = members[group[b]] if b in lead else {b}
            if (same or bool(near & target)) != (frozenset((a, b)) in derived):
                wrong.add((a, b))
        for coast in coasts:
            near = around[group[a]] if a in lead else touch.get(a, set())
            if (coast in near) != (frozenset((a, coast)) in derived):
                wrong.add((a, coast))
    return wrong
