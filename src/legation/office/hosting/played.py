"""Results of the powers of a variant in games of this office that are over, listed, and not too few to tell of one."""

from __future__ import annotations

from collections import defaultdict

from legation.bots.balance import Balance, PowerBalance
from legation.game.scores import square_shares
from legation.office.context import CommandContext, query
from legation.office.hosting.ratings import name_of
from legation.office.store import queries
from legation.office.store.queries import EndedSeat
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
    games: dict[int, list[EndedSeat]] = defaultdict(list)
    for seat in queries.seats_of_ended(act.tx, name):
        if plain_name(seat.variant).casefold() == name.casefold() and seat.listed:
            games[seat.game].append(seat)
    counted = [seats for seats in games.values() if 2 * sum(seat.human for seat in seats) >= len(seats)]
    return report(counted) if len(counted) >= LEAST_GAMES else None


def report(games: list[list[EndedSeat]]) -> Balance:
    """The figures of some games."""
    sums: dict[str, list[float]] = {}
    for seats in games:
        shares = square_shares({seat.power: seat.centers for seat in seats})
        for seat in seats:
            named = seat.power in seat.winners
            score = float(named) if seat.solo else shares[seat.power]
            figures = (named and seat.solo, named and not seat.solo, seat.survives, seat.centers, score)
            held = sums.setdefault(seat.power, [0.0] * len(figures))
            sums[seat.power] = [a + b for a, b in zip(held, figures, strict=True)]
    count = len(games)
    length = sum(seats[0].turns for seats in games) / count
    powers = tuple(PowerBalance(power, *(value / count for value in values)) for power, values in sums.items())
    return Balance(PEOPLE, count, max(seats[0].turns for seats in games), length, powers)
