"""Runs of many games between bots, played in pieces on any machine.

A run is a :class:`RunPlan`. Its games are numbered; the plan and its number determine a game, so each can be played
again. A piece is several consecutive games, played by :func:`record_piece` here or on another machine."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np

from legation.bots.seats import BotSeats
from legation.game import Game
from legation.judge import Ending, Ruleset
from legation.lab.dense.layout import DUMB, HOLDER, RANDOM_MOVER, ROW_GAME, ROW_OUT, ROW_POWERS, ROW_TURN
from legation.lab.dense.tables import turns_of, why_interpreted
from legation.lab.games import Games
from legation.lab.history import History, read_games, read_log
from legation.lab.tactician import SECONDS, work_of
from legation.variants import load

DENSE_BOTS = {"hold": (HOLDER, 0), "random": (RANDOM_MOVER, 0), "dumbbot": (DUMB, 0), "tactician": (DUMB, SECONDS)}
"""Bots that have a dense form: their number there, and about how many seconds they search for a turn."""


QUICK_GAMES = 50
"""Games in a piece of work, where bots don't search and the compiled code plays."""


def _seated(rules: Ruleset, seats: Sequence[Sequence[str]]) -> tuple[Any, Any]:
    """Bots and the work of their search as dense games take them, games x powers."""
    bots = np.array([[DENSE_BOTS[name][0] for name in of_game] for of_game in seats], np.int64)
    work = [[work_of(rules, DENSE_BOTS[name][1]) for name in of_game] for of_game in seats]
    return bots, np.array(work, np.int64)


class RunError(ValueError):
    """Raised for a run that can't be played, or for results that can't be used."""


class RunPlan(msgspec.Struct, frozen=True):
    """What a run plays: a variant (by name, with options), bots for the seats, the numbers of games and turns.

    If there are fewer bots than seats, they repeat; in each game every bot moves one seat further, unless ``fixed``."""

    variant: str
    bots: tuple[str, ...]
    games: int
    seed: str
    turns: int = 300
    piece: int = QUICK_GAMES
    fixed: bool = False
    seconds: float = 5.0
    options: Mapping[str, str | bool | int] = {}
    rules: str = ""
    """The digest of the rules, to notice if they have changed."""
    record: bool = False
    """Whether orders, changes of owner, contacts and openings are also recorded (:mod:`legation.lab.history`)."""

    def seats(self, powers: Sequence[str], number: int) -> tuple[str, ...]:
        """Return the bot of each power in a game, in order."""
        turned = 0 if self.fixed else number
        return tuple(self.bots[(seat + turned) % len(self.bots)] for seat in range(len(powers)))

    def seed_of(self, number: int) -> str:
        """Return the seed of a game."""
        return f"{self.seed}: {number}"

    @property
    def pieces(self) -> int:
        """The number of pieces."""
        return -(-self.games // self.piece)

    def numbers(self, piece: int) -> range:
        """Return the numbers of the games in a piece."""
        return range(piece * self.piece, min(self.games, (piece + 1) * self.piece))


class Standing(NamedTuple):
    """How all powers stood after a turn; ``dislodged`` are the units of all that are still to retreat."""

    turn: str
    year: int
    centers: tuple[int, ...]
    units: tuple[int, ...]
    dislodged: int


class PlayedGame(msgspec.Struct):
    """The result of one game: its ending, and how every power stood after each turn."""

    number: int
    seats: tuple[str, ...]
    ending: Ending | None
    turns: list[Standing]
    survivors: tuple[str, ...]
    faults: Mapping[str, int] = {}
    """By power, how often its bot lost its move."""
    reasons: Mapping[str, str] = {}
    """By power, when and why its bot lost its last move."""


def why_not_dense(rules: Ruleset, bots: Sequence[str]) -> str:
    """Return why the judge plays a run turn by turn; empty if its games are dense."""
    slow = [name for name in dict.fromkeys(bots) if name not in DENSE_BOTS]
    if slow:
        return f"{', '.join(slow)} {'has' if len(slow) == 1 else 'have'} no dense form"
    return why_interpreted(rules)


def piece_for(rules: Ruleset, bots: Sequence[str]) -> int:
    """Return how many games of these bots make a piece: one where a game takes seconds, so that progress shows soon
    and a run that is stopped loses little."""
    slow = why_not_dense(rules, bots) or any(DENSE_BOTS[name][1] for name in bots)
    return 1 if slow else QUICK_GAMES


def record_piece(plan: RunPlan, piece: int, rules: Ruleset | None = None) -> tuple[list[PlayedGame], History | None]:
    """Play the games of one piece; return them with their history, or None if the plan doesn't record it."""
    rules = rules or load(plan.variant, dict(plan.options))
    numbers = plan.numbers(piece)
    if not why_not_dense(rules, plan.bots):
        return _play_dense(plan, rules, numbers)
    judged = [_judged(plan, rules, number) for number in numbers]
    played = [_follow_up(plan, rules, number, *result) for number, result in zip(numbers, judged, strict=True)]
    games = [(number, game) for number, (game, _) in zip(numbers, judged, strict=True)]
    return played, read_games(rules, games) if plan.record else None


def _play_dense(plan: RunPlan, rules: Ruleset, numbers: Sequence[int]) -> tuple[list[PlayedGame], History | None]:
    games = Games(rules, [plan.seed_of(number) for number in numbers])
    powers = list(rules.powers)
    units_from = ROW_POWERS + len(powers)
    seats = [plan.seats(powers, number) for number in numbers]
    codes, work = _seated(rules, seats)
    calendar = turns_of(rules)
    standings: list[list[Standing]] = [[] for _ in numbers]
    pieces: list[tuple[Any, Any, Any]] = []
    for piece in games.play_seats(codes, plan.turns, work, logged=plan.record):
        pieces += [piece] if plan.record else []
        for row in piece[0].tolist():
            turn, centers, units = calendar[row[ROW_TURN]], tuple(row[ROW_POWERS:units_from]), tuple(row[units_from:])
            standings[row[ROW_GAME]].append(Standing(str(turn), turn.year, centers, units, row[ROW_OUT]))
    played = [
        PlayedGame(number, seats[g], games.ending(g), standings[g], games.position(g).survivors())
        for g, number in enumerate(numbers)
    ]
    return played, read_log(games.codec, numbers, pieces) if plan.record else None


def _follow_up(plan: RunPlan, rules: Ruleset, number: int, game: Game, table: BotSeats) -> PlayedGame:
    """How all powers stood after each turn of a judged game, and what its bots lost."""
    powers = list(rules.powers)
    standings = [
        Standing(
            str(turn.resolution.before.turn),
            turn.resolution.before.turn.year,
            tuple(len(turn.resolution.after.centers_of(power)) for power in powers),
            tuple(len(turn.resolution.after.units_of(power)) for power in powers),
            len(turn.resolution.after.dislodged),
        )
        for turn in game.turns
    ]
    seats, survivors = plan.seats(powers, number), game.position.survivors()
    return PlayedGame(number, seats, game.ending, standings, survivors, table.faults, table.reasons)


def _judged(plan: RunPlan, rules: Ruleset, number: int) -> tuple[Game, BotSeats]:
    """One game of a run, judged turn by turn, and the bots that sat at its seats."""
    seats = dict(zip(rules.powers, plan.seats(list(rules.powers), number), strict=True))
    game = Game(rules, name=f"game {number}, seed {plan.seed}", seed=plan.seed_of(number))
    with BotSeats(rules, seats, seconds=plan.seconds, variant=plan.variant) as table:
        while game.ending is None and len(game.turns) < plan.turns:
            game.play(table.sheets(game.position, game.seed))
    return game, table


def replay(plan: RunPlan, number: int, rules: Ruleset | None = None) -> Game:
    """Play one game of a run again with the judge, and return it as an ordinary game.

    :raises RunError: if the result differs."""
    rules = rules or load(plan.variant, dict(plan.options))
    if why_not_dense(rules, plan.bots):
        return _judged(plan, rules, number)[0]
    game = Game(rules, name=f"game {number}, seed {plan.seed}", seed=plan.seed_of(number))
    games = Games(rules, [plan.seed_of(number)])
    codes, work = _seated(rules, [plan.seats(list(rules.powers), number)])
    while not games.ended(0) and len(game.turns) < plan.turns:
        ordered = games.order_seats(0, codes, work)
        game.play(games.sheets(0, ordered))
        games.play_turn(0, ordered)
        if set(game.position.units) != set(games.position(0).units):
            raise RunError(f"game {number} has a different result than before, before {game.position.turn}")
    return game
