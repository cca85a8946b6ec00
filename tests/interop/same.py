"""Whether two boards are one, whatever their provinces are called: matched by id, else by name, else by neighbors.

``python -m tests.interop.same BOARD_FOLDER BOARD_FOLDER`` prints the differences.
"""

from __future__ import annotations

import sys
from pathlib import Path

from legation.board import Board, read_board
from legation.board.spelling import fold


def matched(one: Board, other: Board) -> dict[str, str]:
    """For ids of one board those of the other."""
    found = {key: key for key in one.provinces if key in other.provinces}
    names = {fold(n): p.id for p in other.provinces.values() for n in (p.name, *p.aliases)}
    for key, province in one.provinces.items():
        said = [names[fold(n)] for n in (province.name, *province.aliases) if fold(n) in names]
        if said and (key not in found or (fold(province.name) in names and names[fold(province.name)] != key)):
            found[key] = said[0]
    taken = set(found.values())
    for _ in range(4):
        for key in [k for k in one.provinces if k not in found]:
            near = {found[n] for n in one.adjacent(key) if n in found}
            fitting = [
                k for k in other.provinces if k not in taken and len(near) > 1 and near <= set(other.adjacent(k))
            ]
            if len(fitting) == 1:
                found[key] = fitting[0]
                taken.add(fitting[0])
    return found


def differences(one: Board, other: Board) -> list[str]:
    """How two boards differ: provinces, kinds, coasts, centers, borders."""
    match = matched(one, other)
    told = [f"{key} has no counterpart" for key in one.provinces if key not in match]
    told += [f"{key} has no counterpart (second)" for key in other.provinces if key not in match.values()]
    for key, there in match.items():
        a, b = one.provinces[key], other.provinces[there]
        for what, x, y in (
            ("sea", a.sea, b.sea),
            ("shore", a.shore, b.shore),
            ("coasts", sorted(a.coasts), sorted(b.coasts)),
            ("center", a.center, b.center),
        ):
            if x != y:
                told.append(f"{key}: {what} {x} and {y}")

    def ways(board: Board, names: dict[str, str]) -> set[tuple[str, str, str]]:
        found = set()
        for travel in ("army", "fleet"):
            for at in board.locations:
                for to in board.reach(travel, at):
                    ends = [names.get(e.partition("/")[0], "?") + e[len(e.partition("/")[0]) :] for e in (at, to)]
                    found.add((travel, ends[0], ends[1]))
        return {way for way in found if "?" not in way[1] + way[2]}

    first, second = ways(one, match), ways(other, {v: v for v in match.values()})
    told += [f"only the first: {' '.join(way)}" for way in sorted(first - second)]
    told += [f"only the second: {' '.join(way)}" for way in sorted(second - first)]
    return told


if __name__ == "__main__":
    boards = [read_board(Path(name)) for name in sys.argv[1:3]]
    faults = differences(*boards)
    sys.stdout.write("".join(f"{fault}\n" for fault in faults) or "the same board\n")
    sys.exit(1 if faults else 0)
