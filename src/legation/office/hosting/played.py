"""Results of the powers of a variant in games of this office that are over, listed, and not too few to tell of one."""

from __future__ import annotations

from collections import defaultdict

from legation.bots.balance import Balance, PowerBalance
from legation.game.scores import square_shares
from legation.office.context import CommandContext, query
from legation.office.hosting.ratings import name_of
from legation.office.store import queries
from legation.office.store.packing import unpack_facts
from legation.office.store.rows import GameRow, SeatRow
from legation.variants import plain_name

LEAST_GAMES = 3  # from how many games on there is a report
PEOPLE = "people"


@query("read", "GET /played/{variant}", visitor="any")
def balance(act: CommandContext, variant: str) -> Balance | None:
    """Return how the powers fared in games that are over and that people played; None where there are too few of them.

    A game counts that anybody may see, that was not cancelled, and in which people held half of the seats or more at
    the end."""
    act.allow()
    name = name_of(act, variant)
    latest = queries.latest_ended(act.tx, name)
    listed = [row for row in latest if unpack_facts(row.settings).get("listed", True)]
    games = {row.id: row for row in listed if plain_name(row.variant).casefold() == name.casefold()}
    seats: dict[int, list[SeatRow]] = defaultdict(list)
    for seat in act.tx.all(SeatRow, game=list(games)):
        seats[seat.game].append(seat)
    counted = [(games[game], own) for game, own in seats.items() if 2 * sum(map(_is_human, own)) >= len(own)]
    return report(counted) if len(counted) >= LEAST_GAMES else None


def _is_human(seat: SeatRow) -> bool:
    return not seat.bot and not seat.machine


def report(games: list[tuple[GameRow, list[SeatRow]]]) -> Balance:
    """The figures of some games, each with its seats."""
    sums: dict[str, list[float]] = {}
    for game, seats in games:
        shares, winners = square_shares({seat.power: seat.centers for seat in seats}), unpack_facts(game.ending)
        solo = winners.get("kind") == "solo"
        for seat in seats:
            named = seat.power in winners.get("powers", ())
            score = float(named) if solo else shares[seat.power]
            figures = (named and solo, named and not solo, seat.survives, seat.centers, score)
            held = sums.setdefault(seat.power, [0.0] * len(figures))
            sums[seat.power] = [a + b for a, b in zip(held, figures, strict=True)]
    count, turns = len(games), [game.turn or 0 for game, _ in games]
    powers = tuple(PowerBalance(power, *(value / count for value in values)) for power, values in sums.items())
    return Balance(PEOPLE, count, max(turns), sum(turns) / count, powers)
