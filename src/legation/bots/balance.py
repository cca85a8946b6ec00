"""The balance of a variant between bots: what each power wins when the same bot plays all seats.

Results of bots differ from those of people, and from bot to bot; a report names its bot."""

import time
from collections.abc import Callable
from importlib.resources import files
from statistics import NormalDist, fmean

import msgspec
from msgspec.structs import astuple

from legation.bots import bot
from legation.bots.intervals import wilson
from legation.bots.matches import match, share
from legation.formats import decode_json
from legation.judge import Resolution, Ruleset

STORED = files("legation.bots") / "balance.json"
FAR = 3
"""A power is far from even with less than an even score by this, or more than one times it."""


class PowerBalance(msgspec.Struct, frozen=True):
    """How one power fared, in shares of the games: won alone, part of a draw or a ranking, still there at the end; its
    mean centers; its mean score (1 for a solo, 0 where another won, else its share of the squares of centers)."""

    power: str
    solos: float
    draws: float
    survives: float
    centers: float
    score: float


class Balance(msgspec.Struct, frozen=True):
    """A report: the bot, how many games of how many turns at most, the mean length in turns, each power, and how many
    games had not ended when their turns ran out."""

    bot: str
    games: int
    most_turns: int
    mean_turns: float
    powers: tuple[PowerBalance, ...]
    unfinished: int = 0

    @property
    def even(self) -> float:
        """The score of a power where all are alike."""
        return 1 / len(self.powers)

    @property
    def unevenness(self) -> float:
        """How far the scores lie from equal ones: 0 for even, 1 where one power takes all.

        Half the sum of the distances, over its greatest value."""
        return sum(abs(p.score - self.even) for p in self.powers) / 2 / (1 - self.even)

    @property
    def won(self) -> int:
        """How many games were won alone."""
        return round(sum(row.solos for row in self.powers) * self.games)

    def interval(self, row: PowerBalance) -> tuple[float, float]:
        """Return Wilson's interval of a power's solos, at 95 % for all powers together."""
        z = NormalDist().inv_cdf(1 - 0.05 / (2 * len(self.powers)))
        return wilson(round(row.solos * self.games), self.games, z)

    @property
    def weak(self) -> list[str]:
        """The powers with less than a third of an even score."""
        return [row.power for row in self.powers if row.score < self.even / FAR]

    @property
    def strong(self) -> list[str]:
        """The powers with more than three times an even score."""
        return [row.power for row in self.powers if row.score > FAR * self.even]


def play_one(
    rules: Ruleset, name: str, seed: str, *, turns: int = 200, watch: Callable[[Resolution], object] | None = None
) -> Balance:
    """Play a game in which every seat has the same bot and return its report. ``watch`` is called with every turn.

    :raises legation.bots.NoSuchBotError: for a name that no bot has."""
    play, length = bot(name), 0
    for last in match(rules, dict.fromkeys(rules.powers, play), seed, turns):
        length += 1
        if watch is not None:
            watch(last)
    ending, after, survivors = last.ending, last.after, last.after.survivors()
    solo = ending is not None and ending.kind == "solo"
    rows = []
    for power in rules.powers:
        named = ending is not None and power in ending.powers
        score = float(named) if solo else share(after, power)
        fared = (named and solo, named and not solo, power in survivors, len(after.centers_of(power)), score)
        rows.append(PowerBalance(power, *map(float, fared)))
    return Balance(name, 1, turns, length, tuple(rows), int(ending is None))


def measure(
    rules: Ruleset, name: str, games: int, *, turns: int = 200, seed: str = "balance", seconds: float | None = None
) -> Balance:
    """Return the report on so many games; ``seconds`` ends it early, after at least one game.

    :raises legation.bots.NoSuchBotError: for a name that no bot has."""
    begun = time.monotonic()
    played = [play_one(rules, name, f"{seed}: 0", turns=turns)]
    while len(played) < games and (seconds is None or time.monotonic() - begun <= seconds):
        played.append(play_one(rules, name, f"{seed}: {len(played)}", turns=turns))
    powers = tuple(
        PowerBalance(rows[0].power, *(fmean(astuple(row)[n] for row in rows) for n in range(1, 6)))
        for rows in zip(*(game.powers for game in played), strict=True)
    )
    length, unfinished = fmean(game.mean_turns for game in played), sum(game.unfinished for game in played)
    return Balance(name, len(played), turns, length, powers, unfinished)


def stored(variant: str) -> tuple[Balance, ...]:
    """The reports that were measured for a variant that comes along (``python -m legation.lab.balance``); empty where
    there are none."""
    return read_stored().get(variant, ())


def read_stored() -> dict[str, tuple[Balance, ...]]:
    """Return all reports that come along, by variant."""
    return decode_json(STORED.read_bytes(), type=dict[str, tuple[Balance, ...]])
