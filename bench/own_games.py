"""What a person's own games take to list in an office with very many: ``python -m bench.office --own-games 100000``."""

import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import sqlalchemy as sa

from legation.office.clock import SeededRandomSource, SystemClock
from legation.office.context import Actor
from legation.office.game import seats
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.office import Office, open_office
from legation.office.operation import work
from legation.office.settings import Settings
from legation.office.store.rows import TABLES, GameRow, Row, SeatRow, TurnRow

OWN = 20  # games of the person who asks
AT_ONCE = 2000  # games written in one statement
TIMES = 200
POWERS = ("France", "England", "Burgundy")


def measure(count: int) -> None:
    """Print what the list of 20 own games takes among ``count`` running games of others: processor time, as a median
    and the slowest of a hundred."""
    with tempfile.TemporaryDirectory() as folder:
        office = open_office(Path(folder), Settings(most_games=10**6), SystemClock(), SeededRandomSource(1))
        people_of = [people.register(office, Actor.console(), name, f"{name}@example.org") for name in "ABCDEF"]
        actors = [people.as_person(office, person.id) for person in people_of]
        for number in range(OWN + 1):
            plan = {"name": f"Game {number}", "variant": "hundred", "settings": {"ready_ends": False}}
            key = games.create(office, Actor.console(), plan).key
            for actor, power in zip(actors[:3] if number < OWN else actors[3:], POWERS, strict=True):
                seats.sign_up(office, actor, key, [power])
        work.run_due(office)
        _copy(office, count - OWN - 1)
        _time("the list of own games", count, lambda: games.list_games(office, actors[0], mine=True))
        office.close()


def _time(what: str, count: int, ask: Callable[[], Sequence[object]]) -> None:
    taken = []
    for _ in range(TIMES):
        begin = time.process_time()
        found = ask()
        taken.append((time.process_time() - begin) * 1000)
        assert len(found) == OWN
    usual, slowest = statistics.median(taken), statistics.quantiles(taken, n=100)[98]
    print(f"{what}, {OWN} of {count}: {usual:.1f} ms (one of a hundred over {slowest:.1f} ms)", flush=True)


def _copy(office: Office, count: int) -> None:
    """Write copies of the last game, which others play."""
    with office.store.transaction(write=False) as tx:
        (game,) = tx.all(GameRow, order="-id", limit=1)
        held, (turn,) = tx.all(SeatRow, game=game.id), tx.all(TurnRow, game=game.id)
    for first in range(0, count, AT_ONCE):
        ids = [game.id + 1 + n for n in range(first, min(first + AT_ONCE, count))]
        with office.store.transaction() as tx:
            for kind, rows in (
                (GameRow, [{**_fields(game), "id": own, "key": f"copy-{own}"} for own in ids]),
                (SeatRow, [{**_fields(seat), "game": own} for own in ids for seat in held]),
                (TurnRow, [{**_fields(turn), "game": own} for own in ids]),
            ):
                tx.connection.execute(sa.insert(TABLES[kind]), rows)


def _fields(row: Row) -> dict[str, object]:
    fields = msgspec.structs.asdict(row)
    del fields["id"]
    return fields
