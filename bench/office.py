"""The office's speed: ``python -m bench.office``. One process on SQLite, many running games, many past turns; prints
medians. Times depend on the machine.

Games are made by the office's own commands; past turns are copies of a real one, written straight into the store.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import sqlalchemy as sa

from legation.office import (
    Actor,
    Office,
    SeededChance,
    Settings,
    SimulatedClock,
    games,
    mailings,
    open_office,
    people,
    seats,
    submissions,
    work,
)
from legation.office.store.rows import TurnRow
from legation.office.store.tables import TABLES

SHEET = "A par - orl\nA dau - can\nA tou S A dau - can\nA orl H"
DUE = 100


def median(times: int, do: Callable[[int], object]) -> float:
    """The median of so many calls, in milliseconds."""
    taken = []
    for number in range(times):
        start = time.perf_counter()
        do(number)
        taken.append((time.perf_counter() - start) * 1000)
    return statistics.median(taken)


def fill(office: Office, clock: SimulatedClock, count: int) -> tuple[Actor, list[str]]:
    """Make the games, each with a person as France and bots beside, and start them.

    The first hundred are due a day before the others.
    """
    known = people.register(office, Actor.console(), "Anna", "anna@example.org")
    anna = people.as_person(office, known.id)
    keys = []
    for number in range(count):
        if number == DUE:
            work.run_due(office)
            clock.advance(timedelta(days=1) - timedelta(minutes=1))
        chairs = {"England": "bot:hold", "Burgundy": "bot:hold"}
        plan = {"name": f"Game {number:04}", "variant": "hundred", "seats": chairs, "settings": {"ready_ends": False}}
        made = games.create(office, Actor.console(), plan)
        seats.sign_up(office, anna, made.key, ["France"])
        keys.append(made.key)
    work.run_due(office)
    return anna, keys


def _past(office: Office, row: dict[str, object], count: int, past: int) -> None:
    del row["id"]
    with office.store.transaction() as tx:
        for game in range(1, count + 1):
            old = [
                {
                    **row,
                    "game": game,
                    "number": -n,
                    "state": "final",
                    "result": row["position"],
                    "sheets": row["position"],
                }
                for n in range(1, past + 1)
            ]
            tx.connection.execute(sa.insert(TABLES[TurnRow]), old)


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--past", type=int, default=100, help="past turns of each game")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        clock = SimulatedClock(datetime(2026, 3, 2, 12, tzinfo=UTC))
        folder, settings = Path(place), Settings(settling=0, most_games=10**6)
        office = open_office(folder, settings, clock, SeededChance(1))
        begin = time.perf_counter()
        anna, keys = fill(office, clock, options.games)
        with office.store.transaction(write=False) as tx:
            row = msgspec.structs.asdict(tx.all(TurnRow, number=1, limit=1)[0])
        _past(office, row, options.games, options.past)
        print(
            f"{options.games} running games, {options.games * options.past} past turns, made in "
            f"{time.perf_counter() - begin:.0f} s"
        )
        office.close()
        begin = time.perf_counter()
        office = open_office(folder, settings, clock, SeededChance(2))
        games.game(office, anna, keys[0])
        print(f"open, first page's data: {time.perf_counter() - begin:.2f} s")
        last = keys[-300:]
        print(f"a player's game data: {median(300, lambda n: games.game(office, anna, last[n % len(last)])):.1f} ms")
        print(
            f"the list of own games, 50 of them: {median(20, lambda n: games.list_games(office, anna, mine=True)):.1f} "
            "ms"
        )
        print(
            "a sheet submitted, with receipt: "
            f"{median(300, lambda n: submissions.submit(office, anna, last[n % len(last)], 'France', SHEET)):.1f} ms"
        )
        clock.set(datetime(2026, 3, 3, 12, tzinfo=UTC))
        begin = time.perf_counter()
        steps = work.run_due(office)
        queued = 0
        while batch := mailings.claim(office, limit=50):
            queued += sum(mailings.sent(office, mailing) for mailing in batch)
        print(f"what fell due: {steps} steps and {queued} mails in {time.perf_counter() - begin:.1f} s")
        judged = sum(games.game(office, anna, key).turn.number > 1 for key in keys[:DUE])  # type: ignore[union-attr]
        print(f"turns judged: {judged}; memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
        office.close()


if __name__ == "__main__":
    main()
