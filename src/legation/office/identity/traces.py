"""Signals that one person may hold several seats of a game, for administrators: who came by the same network, or the
same device in it, on the same day.

No address is kept: of each only a digest, keyed by the office and by a salt of the day that is forgotten when the day
is over, so it can be compared with others of that day and with nothing else. Digests are kept for two weeks."""

import contextlib
from collections import defaultdict
from datetime import timedelta

from legation.office.clock import micros
from legation.office.context import CommandContext, command, query
from legation.office.records import Signal
from legation.office.store import queries
from legation.office.store.rows import GameRow, PersonRow, SeatRow, SharedRow, TraceRow
from legation.office.store.transaction import DuplicateRowError

KEPT = timedelta(days=14)
NETWORK, DEVICE = "network", "device"


# No route: for the pages, when somebody has signed in or sent orders.
@command("me", clock="any")
def note(act: CommandContext, person: int, network: str, device: str) -> None:
    """Note by which network and device somebody came today."""
    if not network:
        return
    day, salt = f"{act.now:%Y-%m-%d}", _salt(act)
    for kind, what in ((NETWORK, network), (DEVICE, f"{network}\0{device}")):
        digest = act.office.keyed(f"trace {kind}", salt + what.encode()).hex()[:32]
        with contextlib.suppress(DuplicateRowError):  # they came so before, or come twice at the same moment
            act.tx.add(TraceRow(person=person, day=day, kind=kind, digest=digest))


def _salt(act: CommandContext) -> bytes:
    """The day's salt; when the day is over, the daily sweep takes it away."""
    name = f"salt of {act.now:%Y-%m-%d}"
    known = act.tx.find(SharedRow, name=name)
    if known is None:
        midnight = act.now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
        act.tx.remove(SharedRow, kind="salt")  # of days that are over
        salt = act.office.random_source.bytes(32)
        try:
            known = act.tx.add(SharedRow(kind="salt", name=name, until=micros(midnight), content=salt))
        except DuplicateRowError:  # another process made it meanwhile
            known = act.wanted(SharedRow, "no salt", name=name)
    return known.content


def first_kept(act: CommandContext) -> str:
    """The day before which traces are forgotten."""
    return f"{act.now - KEPT:%Y-%m-%d}"


@query("coordinate", "GET /signals", administrator="any", console="any")
def signals(act: CommandContext) -> list[Signal]:
    """Return people of one running game who came by the same network or device on a day of the last two weeks; no game
    in which the administrator plays. It proves nothing: a household has one network, and so may a university."""
    days: dict[tuple[int, int], dict[str, set[str]]] = defaultdict(lambda: {NETWORK: set(), DEVICE: set()})
    for one, other, kind, day in queries.alike_traces(act.tx):
        if day >= first_kept(act):
            days[one, other][kind].add(day)
    people = sorted({person for pair in days for person in pair})
    playing: dict[int, set[int]] = defaultdict(set)
    for seat in act.tx.all(SeatRow, person=people):
        playing[seat.person or 0].add(seat.game)
    own = {seat.game for seat in act.tx.all(SeatRow, person=act.person)}
    shared = {pair: (playing[pair[0]] & playing[pair[1]]) - own for pair in days}
    wanted = sorted({game for games in shared.values() for game in games})
    keys = {game.id: game.key for game in act.tx.all(GameRow, id=wanted, state=["running", "paused"])}
    names = {row.id: row.name for row in act.tx.all(PersonRow, id=people)}
    return [
        Signal(
            people=(act.office.numbers.shown("person", one), act.office.numbers.shown("person", other)),
            names=(names[one], names[other]),
            games=tuple(sorted(keys[game] for game in shared[one, other] if game in keys)),
            network=tuple(sorted(found[NETWORK])),
            device=tuple(sorted(found[DEVICE])),
        )
        for (one, other), found in sorted(days.items())
        if any(game in keys for game in shared[one, other])
    ]
