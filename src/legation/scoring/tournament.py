"""Tournaments: results of boards from a table (CSV), standings by a scoring system, the best player of each power."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from legation.formats import read_csv
from legation.scoring.outcome import Outcome
from legation.scoring.systems import System

COLUMNS = ("round", "board", "power", "player", "centers")
"""The columns that results must have; ``out`` (the year of the elimination) and ``result`` (``won`` or ``draw``) may be
left out."""


class Board(msgspec.Struct, frozen=True):
    """The result of a board in a round, and who played which power."""

    round: str
    name: str
    players: Mapping[str, str]
    outcome: Outcome


class Standing(msgspec.Struct, frozen=True):
    """A player's place, the sum of the points that count, and the points of every round that was played."""

    place: int
    player: str
    total: float
    rounds: Mapping[str, float]


class ResultsError(ValueError):
    """Raised for a table of results with faults, all at once, each with its line."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = tuple(faults)


class _Row(msgspec.Struct, frozen=True):
    line: int
    power: str
    player: str
    centers: int
    out: int
    result: str


def read_results(text: str, total: int, first_year: int) -> list[Board]:
    """Return the boards of a table of results, for boards with so many centers whose games began in a year.

    :raises ResultsError: with all that is wrong.
    """
    faults: list[str] = []
    lines = read_csv(text)
    _, columns = next(lines, (1, []))
    if missing := [name for name in COLUMNS if name not in columns]:
        raise ResultsError([f"line 1: no column {name}" for name in missing])
    boards: dict[tuple[str, str], list[_Row]] = defaultdict(list)
    seated: dict[tuple[str, str], int] = {}
    for number, cells in lines:
        if not cells:
            continue
        told = dict.fromkeys(columns, "") | {n: c.strip() for n, c in zip(columns, cells, strict=False)}
        row = _read_row(told, number, first_year, faults)
        boards[told["round"], told["board"]].append(row)
        if (before := seated.setdefault((told["round"], row.player), number)) != number:
            faults.append(f"line {number}: {row.player} plays in round {told['round']} already, on line {before}")
    found = [_board(where, rows, total, faults) for where, rows in boards.items()]
    if faults:
        raise ResultsError(faults)
    return found


def _read_row(told: Mapping[str, str], line: int, first_year: int, faults: list[str]) -> _Row:
    numbers = {}
    for name in ("centers", "out"):
        value = told.get(name, "")
        numbers[name] = int(value) if value.isdecimal() and len(value) < 6 else 0
        if value and not value.isdecimal():
            faults.append(f"line {line}: {name} is a number, not {value[:20]!r}")
    if not told["player"] or not told["power"]:
        faults.append(f"line {line}: name the player and the power")
    if told.get("result", "") not in ("", "won", "draw"):
        faults.append(f"line {line}: result is won, draw or nothing, not {told['result'][:20]!r}")
    year = max(1, numbers["out"] - first_year + 1) if numbers["out"] else 1
    return _Row(line, told["power"], told["player"], numbers["centers"], year, told.get("result", ""))


def _board(where: tuple[str, str], rows: Sequence[_Row], total: int, faults: list[str]) -> Board:
    centers = {row.power: row.centers for row in rows}
    if len(centers) < len(rows) or sum(centers.values()) > total:
        faults.append(f"line {rows[0].line}: board {where[1]} names a power twice, or more than {total} centers")
    outcome = Outcome(
        centers,
        total,
        max(row.out for row in rows),
        {row.power: row.out for row in rows if not row.centers},
        tuple(row.power for row in rows if row.result == "won"),
        tuple(row.power for row in rows if row.result == "draw"),
    )
    return Board(*where, {row.power: row.player for row in rows}, outcome)


def standings(boards: Iterable[Board], system: System, best: int = 0) -> list[Standing]:
    """Return the players by the sum of their points, of their ``best`` rounds only if that is given. Who is equal is
    told apart by the best round, then by the second best, and so on; who is equal in all shares a place."""
    rounds: dict[str, dict[str, float]] = defaultdict(dict)
    for board in boards:
        for power, points in system.score(board.outcome).items():
            rounds[board.players[power]][board.round] = points
    ordered = {player: sorted(points.values(), reverse=True) for player, points in rounds.items()}
    keys = {p: (round(sum(listed[: best or None]), 6), [v for v in listed if v]) for p, listed in ordered.items()}
    places = sorted(keys.values(), reverse=True)
    found = [
        Standing(places.index(keys[player]) + 1, player, keys[player][0], points) for player, points in rounds.items()
    ]
    return sorted(found, key=lambda standing: (standing.place, standing.player))


def best_of_powers(boards: Iterable[Board], system: System) -> dict[str, tuple[float, int, str]]:
    """Return by power the best game: its points, its centers, and who played it; the first in the table of equal
    ones."""
    found: dict[str, tuple[float, int, str]] = {}
    for board in boards:
        for power, points in system.score(board.outcome).items():
            game = (points, board.outcome.centers[power], board.players[power])
            if power not in found or game[:2] > found[power][:2]:
                found[power] = game
    return found
