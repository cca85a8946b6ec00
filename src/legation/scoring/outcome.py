"""What a scoring system needs to know of a game: centers, who is out since when, who won or shares a draw."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any

import msgspec

from legation.game import Game
from legation.judge import Ending
from legation.position import Position

Places = tuple[tuple[str, ...], ...]
"""Powers by place, the first place first; those that share a place stand together."""


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended, or stands.

    ``centers``: how many each power owns. ``total``: how many the board has. ``years``: that were played, the present
    one included. ``out``: by power that is out of the game, the year in which it was eliminated (1: the first).
    ``winners``: who won alone, nobody in a draw or a game that goes on. ``sharing``: who shares the draw; empty for
    all who survive. ``ranked``: the places of a game whose rules rank its powers."""

    centers: Mapping[str, int]
    total: int
    years: int = 1
    out: Mapping[str, int] = {}
    winners: tuple[str, ...] = ()
    sharing: tuple[str, ...] = ()
    ranked: Places = ()

    @property
    def alive(self) -> tuple[str, ...]:
        """The powers that are still in the game."""
        return tuple(power for power in self.centers if power not in self.out)

    @property
    def drawn(self) -> tuple[str, ...]:
        """The powers that share the draw."""
        return self.sharing or self.alive or tuple(self.centers)

    @property
    def most(self) -> int:
        """The centers of the largest power."""
        return max(self.centers.values())

    @property
    def leaders(self) -> tuple[str, ...]:
        """The powers with the most centers."""
        return tuple(power for power, count in self.centers.items() if count == self.most)

    @property
    def lead(self) -> int:
        """The leader's centers beyond those of the next power; 0 for a shared lead."""
        first, second = [*sorted(self.centers.values(), reverse=True), 0][:2]
        return first - second

    def places(self, *, dead_equal: bool = False) -> Places:
        """Return the powers by place: by the game's own ranking if there is one, else winners, then survivors by
        centers, then those eliminated, the last first or (``dead_equal``) all in one place."""
        rank = {power: -place for place, powers in enumerate(self.ranked) for power in powers}

        def key(power: str) -> tuple[int, ...]:
            if power in rank:
                return (rank[power],)
            year = 0 if dead_equal else self.out.get(power, 0)
            return -len(self.ranked), power in self.winners, power not in self.out, self.centers[power], year

        return tuple(tuple(tied) for _, tied in groupby(sorted(self.centers, key=key, reverse=True), key))


def by_place(places: Places, worth: Sequence[float], *, lower: bool = False) -> dict[str, float]:
    """Return each power's points for its place. Those that share places share their points, or (``lower``) get those
    of the lowest each; places beyond ``worth`` are worth nothing."""
    points: dict[str, float] = {}
    first = 0
    for tied in places:
        of_places = [*worth[first : first + len(tied)], *[0.0] * len(tied)][: len(tied)]
        points |= dict.fromkeys(tied, of_places[-1] if lower else sum(of_places) / len(tied))
        first += len(tied)
    return points


class Standing(msgspec.Struct, frozen=True):
    """A position as scoring sees it: its year, and of the powers that are in the game, the centers."""

    year: int
    centers: Mapping[str, int]


def outcome_of(powers: Iterable[str], total: int, standings: Sequence[Standing], ending: Ending | None) -> Outcome:
    """Return the outcome of a game that went through these positions; a power was eliminated in the year of the last
    position that it is in."""
    powers = tuple(powers)
    years = list(dict.fromkeys(standing.year for standing in standings))
    last = standings[-1]
    out: dict[str, int] = {}
    for before, after in pairwise(standings):
        for power in before.centers.keys() - after.centers.keys():
            out[power] = years.index(before.year) + 1
        for power in after.centers:
            out.pop(power, None)
    out |= {power: 1 for power in powers if power not in last.centers and power not in out}
    return Outcome(
        {power: last.centers.get(power, 0) for power in powers},
        total,
        max(1, len(dict.fromkeys(standing.year for standing in standings[:-1]))),
        {power: out[power] for power in powers if power in out},
        **decided_by(ending),
    )


def decided_by(ending: Ending | None) -> dict[str, Any]:
    """Return what an ending decides of an outcome: who won, who shares the draw, or the places of a ranking."""
    if ending is None:
        return {}
    if ending.kind == "ranking":
        tied = {power: group for group in ending.tied for power in group}
        return {"ranked": tuple(dict.fromkeys(tied.get(power, (power,)) for power in ending.powers))}
    return {"winners" if ending.kind == "solo" else "sharing": ending.powers}


def outcome_of_game(game: Game) -> Outcome:
    """Return the outcome of a game as it stands."""
    positions = [turn.resolution.before for turn in game.turns] + [game.position]
    standings = [standing_of(position) for position in positions]
    return outcome_of(game.rules.played, len(game.rules.board.centers), standings, game.ending)


def standing_of(position: Position) -> Standing:
    """Return a position as scoring sees it."""
    return Standing(position.turn.year, {power: len(position.centers_of(power)) for power in position.survivors()})
