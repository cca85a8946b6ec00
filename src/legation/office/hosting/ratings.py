"""What people make of variants: ratings, 1 to 5, one from each person who held a seat in a game that has ended, told as
mean and number alone; and how powers fared in finished, listed games of this office, if not too few to tell of one."""

from collections import defaultdict

from legation.bots.balance import Balance, PowerBalance
from legation.game.scores import square_shares
from legation.office.context import CommandContext, command, query
from legation.office.errors import InvalidInputError, NotAllowedError, NotFoundError
from legation.office.records import Rating
from legation.office.store import queries
from legation.office.store.packing import unpack_facts
from legation.office.store.rows import GameRow, RatingRow, SeatRow
from legation.variants import VariantError, plain_name

LEAST, MOST = 1, 5
LEAST_GAMES = 3  # from how many games on there is a report
PEOPLE = "people"


@command("play", "PUT /ratings/{variant}", person="any")
def rate(act: CommandContext, variant: str, stars: int) -> Rating:
    """Rate a variant, 1 to 5; a later rating takes the place of an earlier one.

    :raises NotAllowedError: for who held no seat in a game of it that has ended."""
    name = name_of(act, variant)
    if not LEAST <= stars <= MOST:
        raise InvalidInputError(f"A rating is a number from {LEAST} to {MOST}.", faults=[f"stars: {LEAST} to {MOST}"])
    if name.casefold() not in _played(act):
        raise NotAllowedError("To rate this variant, first finish a game of it.")
    act.tx.put(RatingRow(person=act.person, variant=name, stars=stars, at=act.at), "person variant", ("stars", "at"))
    return _rating(act, name)


@command("play", "DELETE /ratings/{variant}", person="any")
def take_back(act: CommandContext, variant: str) -> Rating:
    """Withdraw one's rating of a variant."""
    name = name_of(act, variant)
    act.tx.remove(RatingRow, person=act.person, variant=name)
    return _rating(act, name)


@query("read", "GET /ratings/{variant}", visitor="any")
def rating(act: CommandContext, variant: str) -> Rating:
    """Return how a variant is rated, and what the reader gave it."""
    return _rating(act, name_of(act, variant))


@query("read", "GET /ratings", visitor="any")
def ratings(act: CommandContext) -> list[Rating]:
    """Return how all variants are rated that are, by name."""
    rows = queries.mean_ratings(act.tx).items()
    return [Rating(variant=name, mean=round(mean, 1), count=count) for name, (mean, count) in sorted(rows)]


def name_of(act: CommandContext, variant: str) -> str:
    """Return a variant's name, whichever version is meant. Raises NotFoundError for none."""
    try:
        return plain_name(act.office.variants.name(variant))
    except VariantError:
        raise NotFoundError(f"There is no variant {variant[:60]!r}.") from None


def _played(act: CommandContext) -> set[str]:
    """The variants of which the actor held a seat in a game that has ended."""
    return {plain_name(name).strip().casefold() for name in queries.variants_played(act.tx, act.person)}


def _rating(act: CommandContext, name: str) -> Rating:
    mean, count = queries.mean_ratings(act.tx, name).get(name, (0.0, 0))
    own = act.tx.find(RatingRow, person=act.person, variant=name)
    stars, may_rate = own.stars if own is not None else 0, "person" in act.roles() and name.casefold() in _played(act)
    return Rating(variant=name, mean=round(mean, 1), count=count, own=stars, may_rate=may_rate)


@query("read", "GET /played/{variant}", visitor="any")
def balance(act: CommandContext, variant: str) -> Balance | None:
    """Return how the powers fared in games that are over and that people played; None where there are too few of them.

    A game counts that anybody may see, that was not cancelled, and in which people held half of the seats or more at
    the end."""
    name = name_of(act, variant)
    latest = queries.latest_ended(act.tx, name)
    listed = [row for row in latest if unpack_facts(row.settings).get("listed", True)]
    games = {row.id: row for row in listed if plain_name(row.variant).casefold() == name.casefold()}
    seats: dict[int, list[SeatRow]] = defaultdict(list)
    for seat in act.tx.all(SeatRow, game=list(games)):
        seats[seat.game].append(seat)
    people = {game: sum(not seat.bot and not seat.machine for seat in own) for game, own in seats.items()}
    counted = [(games[game], own) for game, own in seats.items() if 2 * people[game] >= len(own)]
    return report(counted) if len(counted) >= LEAST_GAMES else None


def report(games: list[tuple[GameRow, list[SeatRow]]]) -> Balance:
    """How balanced some games were; each is given with its seats."""
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
