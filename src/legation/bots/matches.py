"""Games between bots, and games by chance."""

from collections.abc import Iterator, Mapping
from random import Random

from legation.bots import Bot
from legation.bots.chance import plausible_sheets
from legation.game.scores import square_shares
from legation.judge import Resolution, Ruleset, resolve
from legation.position import Position


def random_game(rules: Ruleset, seed: int, turns: int = 60) -> Iterator[Resolution]:
    """A game by chance, all powers' orders made together, until it ends or ``turns`` have been played; the same seed
    gives the same game."""
    random = Random(seed)
    position = rules.opening()
    for _ in range(turns):
        resolution = resolve(rules, position, plausible_sheets(rules, position, random), f"seed {seed}")
        yield resolution
        if resolution.ending is not None:
            return
        position = resolution.after


def match(rules: Ruleset, seats: Mapping[str, Bot], seed: str, turns: int = 300) -> Iterator[Resolution]:
    """A game of bots, by power, until it ends or ``turns`` have been played; the same seed gives the same game."""
    position = rules.opening()
    for _ in range(turns):
        chance = {power: Random(f"{seed}: {position.turn}: {power}") for power in seats}
        sheets = [play(rules, position, power, chance[power]) for power, play in seats.items()]
        resolution = resolve(rules, position, sheets, f"{seed}: {position.turn}")
        yield resolution
        if resolution.ending is not None:
            return
        position = resolution.after


def share(position: Position, power: str) -> float:
    """A power's part of the sum of squares of centers; 0 where nobody owns any."""
    return square_shares({p: len(position.centers_of(p)) for p in {*position.survivors(), power}})[power]
