"""Tournaments: results of boards from a table (CSV), standings by a scoring system, the best player of each power; and
the seating of a round, as :mod:`.seating_solver` finds it."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

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


class PlayerStanding(msgspec.Struct, frozen=True):
    """A player's place, the sum of the points that count, and the points of every round that was played."""

    place: int
    player: str
    total: float
    rounds: Mapping[str, float]


class Seating(msgspec.Struct, frozen=True):
    """Boards, each a list of people by power; what comes again by them, ``powers`` and ``meetings`` (each counted as
    often as it was before), their ``cost``, and the ``least`` that any seating costs, as far as was proved."""

    boards: list[list[int]]
    powers: int
    meetings: int
    cost: float
    least: float


class ResultsError(ValueError):
    """Raised for a table of results with faults, all at once, each with its line."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = tuple(faults)


class Line(msgspec.Struct, frozen=True):
    """The result of a power. ``out``: the year in which it was eliminated, as the game counts years, 0 for none said;
    ``result``: "won", "draw", or nothing."""

    centers: int
    out: int = 0
    result: str = ""


def outcome_of_lines(lines: Mapping[str, Line], total: int, first_year: int) -> Outcome:
    """Return the outcome of a board with so many centers, whose game began in a year, from each power's result."""
    year = {power: max(1, line.out - first_year + 1) if line.out else 1 for power, line in lines.items()}
    return Outcome(
        {power: line.centers for power, line in lines.items()},
        total,
        max(year.values()),
        {power: year[power] for power, line in lines.items() if not line.centers},
        tuple(power for power, line in lines.items() if line.result == "won"),
        tuple(power for power, line in lines.items() if line.result == "draw"),
    )


def read_results(text: str, total: int, first_year: int) -> list[Board]:
    """Return the boards of a table of results, for boards with so many centers whose games began in a year.

    :raises ResultsError: with all that is wrong."""
    faults: list[str] = []
    lines = read_csv(text)
    _, columns = next(lines, (1, []))
    if missing := [name for name in COLUMNS if name not in columns]:
        raise ResultsError([f"line 1: no column {name}" for name in missing])
    boards: dict[tuple[str, str], list[tuple[int, str, str, Line]]] = defaultdict(list)
    seated: dict[tuple[str, str], int] = {}
    for number, cells in lines:
        if not cells:
            continue
        told = dict.fromkeys(columns, "") | {n: c.strip() for n, c in zip(columns, cells, strict=False)}
        result, player = _read_line(told, number, faults), told["player"]
        boards[told["round"], told["board"]].append((number, told["power"], player, result))
        if (before := seated.setdefault((told["round"], player), number)) != number:
            faults.append(f"line {number}: {player} plays in round {told['round']} already, on line {before}")
    found = []
    for where, rows in boards.items():
        results = {power: result for _, power, _, result in rows}
        if len(results) < len(rows) or sum(result.centers for result in results.values()) > total:
            faults.append(f"line {rows[0][0]}: board {where[1]} names a power twice, or more than {total} centers")
        players = {power: player for _, power, player, _ in rows}
        found.append(Board(*where, players, outcome_of_lines(results, total, first_year)))
    if faults:
        raise ResultsError(faults)
    return found


def _read_line(told: Mapping[str, str], line: int, faults: list[str]) -> Line:
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
    return Line(numbers["centers"], numbers["out"], told.get("result", ""))


class Played(msgspec.Struct, frozen=True):
    """A game as it counts for one of its players."""

    points: float
    power: str
    outcome: Outcome


def _by_rounds(points: Sequence[float]) -> object:
    """Points of rounds, the best first; a round that wasn't played counts as one without points."""
    lost = [value for value in points if value < 0]
    return [value for value in points if value > 0], -len(lost), lost


TIE_BREAKS: Mapping[str, tuple[str, Callable[[Sequence[Played]], object]]] = {
    "rounds": ("the best round, then the second best, and so on", lambda games: _by_rounds([g.points for g in games])),
    "wins": ("games won", lambda games: sum(g.power in g.outcome.winners for g in games)),
    "leads": ("boards led, alone or with others", lambda games: sum(g.power in g.outcome.leaders for g in games)),
    "centers": ("centers in all games", lambda games: sum(g.outcome.centers[g.power] for g in games)),
}
"""What tells players with the same total apart: in words, and of the games of one, the best first; more is better."""


def standings(
    boards: Iterable[Board], system: System, best: int = 0, ties: Sequence[str] = ("rounds",)
) -> list[PlayerStanding]:
    """Return the players by the sum of their points, of their ``best`` rounds only if that is given. Who is equal is
    told apart by ``ties``, one after another (``TIE_BREAKS``); who is equal in all shares a place."""
    rounds: dict[str, dict[str, Played]] = defaultdict(dict)
    for board in boards:
        for power, points in system.score(board.outcome).items():
            if power in board.players:
                rounds[board.players[power]][board.round] = Played(points, power, board.outcome)
    ordered = {p: sorted(games.values(), key=lambda g: g.points, reverse=True) for p, games in rounds.items()}
    totals = {p: round(sum(game.points for game in games[: best or None]), 6) for p, games in ordered.items()}
    keys = {p: [totals[p], *(TIE_BREAKS[name][1](games) for name in ties)] for p, games in ordered.items()}
    places = sorted(keys.values(), reverse=True)
    found = [
        PlayerStanding(places.index(keys[p]) + 1, p, totals[p], {name: game.points for name, game in games.items()})
        for p, games in rounds.items()
    ]
    return sorted(found, key=lambda standing: (standing.place, standing.player))


def best_of_powers(boards: Iterable[Board], system: System) -> dict[str, tuple[float, int, str]]:
    """Return by power the best game: its points, its centers, and who played it; the first in the table of equal
    ones."""
    found: dict[str, tuple[float, int, str]] = {}
    for board in boards:
        for power, points in system.score(board.outcome).items():
            if power not in board.players:  # a bot played it
                continue
            game = (points, board.outcome.centers[power], board.players[power])
            if power not in found or game[:2] > found[power][:2]:
                found[power] = game
    return found
