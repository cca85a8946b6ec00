"""Positions in which puzzles are looked for: those of recorded games, and of games that a bot plays in every seat."""

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from legation.bots import bot
from legation.bots.matches import match
from legation.interop.games.recorded_phases import RecordedPhases, recorded_games
from legation.judge import Ruleset
from legation.lessons.puzzles import Puzzle, find
from legation.position import Phase, Position

FIRST = 2  # movement turns of a game that are left out, as they look alike in all
TURNS = 40
BOT = "dumbbot"


def find_puzzles(rules: Ruleset, files: Sequence[Path], seed: str) -> Iterator[Puzzle]:
    """Yield puzzles, at most one of a power in a position, and no place with the same solutions twice: of one turn of
    each game of ``files`` or, where there are none, of games between bots without an end."""
    random = Random(f"{rules.name} {seed}")
    known: set[tuple[object, ...]] = set()
    for position, source in _recorded(rules, files, random) if files else _played(rules, seed, random):
        for _, found in itertools.groupby(find(rules, position, source), lambda puzzle: puzzle.power):
            best = max(found, key=lambda puzzle: puzzle.tempting / len(puzzle.solutions))
            if (told := (best.power, best.place, best.solutions)) not in known:
                known.add(told)
                yield best


def _recorded(rules: Ruleset, files: Sequence[Path], random: Random) -> Iterator[tuple[Position, str]]:
    reader = RecordedPhases(rules)
    for game in itertools.chain.from_iterable(recorded_games(file) for file in files):
        if turns := [phase for phase in game["phases"] if phase["type"] == "Movement"][FIRST:]:
            yield reader.position(random.choice(turns)), str(game.get("source", ""))


def _played(rules: Ruleset, seed: str, random: Random) -> Iterator[tuple[Position, str]]:
    seats = dict.fromkeys(rules.powers, bot(BOT))
    for number in itertools.count():
        played = [turn.before for turn in match(rules, seats, f"puzzles {seed} {number}", TURNS)]
        turns = [position for position in played if position.turn.phase is Phase.MOVEMENT][FIRST:]
        if turns:
            yield random.choice(turns), ""
