"""Games between bots, and how strong one is among others.

``python -m legation.bots.matches VARIANT BOT OTHER --games 30``.

Each game seats one bot among others of a kind; the seat goes round the powers. What is counted: games won alone, and
the share of the sum of squares of centers at the end, which is one part in the number of powers for an equal."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from random import Random

import msgspec

from legation.bots import Bot, bot
from legation.bots.chance import plausible_sheets
from legation.game.scores import square_shares
from legation.judge import Resolution, Ruleset, resolve
from legation.position import Position
from legation.variants import load, names


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


class Strength(msgspec.Struct, frozen=True):
    """How one bot fared among others: games, games won alone, games in which it was left without a unit or center, and
    its shares."""

    games: int
    solos: int
    lost: int
    shares: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean share."""
        return sum(self.shares) / len(self.shares)


def one_among(rules: Ruleset, one: Bot, others: Bot, games: int, seed: str = "1", turns: int = 300) -> Strength:
    """``one`` in a seat that goes round the powers, against ``others`` in all the rest."""
    solos = lost = 0
    shares: list[float] = []
    powers = list(rules.powers)
    for number in range(games):
        seat = powers[number % len(powers)]
        seats = {power: one if power == seat else others for power in powers}
        *_, last = match(rules, seats, f"{seed}: {number}", turns)
        ending = last.ending
        won = ending is not None and ending.kind == "solo" and seat in ending.powers
        solos += won
        lost += seat not in last.after.survivors()
        shares.append(share(last.after, seat))
    return Strength(games, solos, lost, tuple(shares))


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(prog="python -m legation.bots.matches", description="How strong a bot is.")
    parser.add_argument("variant", choices=names())
    parser.add_argument("one", type=bot, metavar="BOT")
    parser.add_argument("others", type=bot, metavar="OTHER")
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--turns", type=int, default=300, help="the most turns of a game")
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    rules = load(given.variant)
    score = one_among(rules, given.one, given.others, given.games, given.seed, given.turns)
    print(  # noqa: T201
        f"{score.games} games: {score.solos} won alone, {score.lost} lost; mean share {100 * score.mean:.1f} % "
        f"(an equal has {100 / len(rules.powers):.1f} %)"
    )


if __name__ == "__main__":
    main()
