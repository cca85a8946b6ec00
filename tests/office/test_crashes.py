"""Workers that die at any moment: nothing is lost and nothing happens twice.

Once a worker is killed after a random number of statements, and others go on where it stopped. Once three workers are
at it together, sending mails to a relay, and one, two or all are killed at random moments; then journal, outbox and
what the relay accepted are compared. ``python -m tests.office.test_crashes --rounds 200`` is the long run.

One thing can happen twice, because no two machines can agree in one step: a mail that the relay has accepted from a
worker that dies before it has noted so is sent again, ten minutes later, with the same Message-ID, so that mail
programs show it once. The checker wants a killing for each such mail."""

import argparse
import contextlib
import os
import tempfile
import time
from collections import Counter
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
import sqlalchemy as sa

from legation.office.clock import Clock, SeededRandomSource, SimulatedClock, micros
from legation.office.desk.mailings import REMINDERS
from legation.office.desk_readers import MAILS
from legation.office.game import journal
from legation.office.hosting import exports, games
from legation.office.office import Office, open_office
from legation.office.operation import work
from legation.office.records import Entry
from legation.office.settings import Settings
from legation.office.store import queries
from legation.office.store.rows import DeskRow, GameRow, MailingRow, SeatRow, TurnRow, WorkRow
from tests.office.crashing import GIVE_UP, SENDERS, Accepted, Relay, SharedClock, Workers, run_alone
from tests.office.fixtures import START, postgres_server
from tests.office.playing import CONSOLE, begin, send_all, stored, the

ROUNDS = 5
ON_ITS_WAY = 1.0  # seconds: the relay may write down a mail a moment after its sender was killed
LEASE = timedelta(minutes=11)


# One worker, between any two statements


def work_and_die(folder: Path, settings: Settings, clock: Clock, after: int) -> bool:
    """Have a child do the due work and die after so many statements; False if it got done before."""
    child = os.fork()
    if child == 0:
        try:
            office = open_office(folder, settings, clock, SeededRandomSource(os.urandom(8)))
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
    entries: list[Entry] = []
    while more := journal.entries(office, CONSOLE, key, entries[-1].id if entries else 0, 1000):
        entries += more
    for kind in ("turn opened", "turn closed", "seals opened", "judged", "final results"):
        counted = Counter(e.turn for e in entries if e.kind == kind)
        assert set(counted.values()) == {1}, (kind, counted)
        assert len(counted) >= turns
    game = the(office, GameRow, key=key).id
    sent = Counter((m.kind, m.turn, m.person) for m in stored(office, MailingRow, game=game, kind="results"))
    assert set(sent.values()) == {1}
    players = [s for s in stored(office, SeatRow, game=game) if s.person is not None]
    published = [e for e in entries if e.kind == "final results"]
    assert len(sent) == len(published) * len(players)
    assert all(t.state == "final" for t in stored(office, TurnRow, order="number", game=game)[:-1])
    assert exports.rebuild(office, CONSOLE, key) == []


def crash_one(folder: Path, database: str, rounds: int, seed: int = 1) -> int:
    """Play games until so many workers have died; the answer is how many did."""
    settings = Settings(database=database, settling=0)
    clock = SimulatedClock(START)
    office = open_office(folder, settings, clock, SeededRandomSource("parent"))
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


# Three workers at once, and a relay


def compare(office: Office, accepted: list[Accepted], killed: list[float]) -> int:
    """The outbox and what the relay accepted: every mailing left for its address, and none twice unless a worker was
    killed meanwhile, a killing for each; the answer is how many were sent twice."""
    needless = stored(office, MailingRow, state="needless")  # a reminder, or of a desk, that was true no more
    assert {m.kind for m in needless} <= {*MAILS, *REMINDERS}
    outbox = {m.message_id: m for m in stored(office, MailingRow) if m.state != "needless"}
    assert not stored(office, WorkRow, state="failed"), "work was given up"
    assert not stored(office, DeskRow, kind="failed"), "something failed at the desk"
    arrived: dict[str, list[Accepted]] = {}
    for mail in accepted:
        arrived.setdefault(mail.message_id, []).append(mail)
    lost = [(m.kind, m.state, m.attempts, m.error) for name, m in outbox.items() if name not in arrived]
    assert (lost, arrived.keys() - outbox.keys()) == ([], set())  # nothing that nobody queued, either
    unused = sorted(killed * SENDERS)  # each was sending so many at the same time
    again = sorted((m[n + 1].at, m[n].at) for m in arrived.values() for n in range(len(m) - 1))
    for second, first in again:
        cause = next((k for k in unused if first - ON_ITS_WAY <= k <= second), None)
        assert cause is not None, f"a mail was sent at {first} and {second}, and none of {unused} is the cause"
        unused.remove(cause)
    for message_id, mailing in outbox.items():
        assert mailing.state == "sent"
        assert {mail.to for mail in arrived[message_id]} == {mailing.address}
    return len(again)


def settle(office: Office, clock: SharedClock, team: Workers) -> None:
    """Wait until nothing is left to do; what a dead worker had begun to send is free again after ten minutes.

    What is given out may be on its way, so the workers have a while for it before they are relieved: a longer one each
    time, or on a busy machine new ones would be relieved again and again before their first mail. It gives up when
    nothing gets done for long, not where there is much to do."""
    since = idle = time.monotonic()  # when something got done; when something was due
    left: list[object] = []
    patience = 0.05  # seconds
    while time.monotonic() < since + GIVE_UP:
        now = micros(clock.now())
        with office.store.transaction(write=False) as tx:
            mails = tx.all(MailingRow, state="waiting")
            tried = [row for row in tx.all(WorkRow, state="waiting") if row.attempts]
            busy = (queries.next_due(tx) or now + 1) <= now or any(m.due <= now for m in mails)
            todo = [*(m.id for m in mails), *((row.id, row.attempts) for row in tx.all(WorkRow, state="waiting"))]
        if todo != left:
            left, since = todo, time.monotonic()
        if busy:
            idle = time.monotonic()
            time.sleep(0.03)
        elif (mails or tried) and time.monotonic() < idle + patience:
            time.sleep(0.01)
        elif mails or tried:
            team.relieve(LEASE)
            patience *= 2
        else:
            return
    raise TimeoutError("the workers do not get done")


def crash_three(folder: Path, database: str, rounds: int, seed: int = 1) -> tuple[int, int, int]:
    """Play games at the same time until workers were killed so many times; the answer is how many died, how many mails
    were accepted, and how many of them twice."""
    folder.mkdir(parents=True, exist_ok=True)
    clock = SharedClock(START)
    random = Random(seed)
    with contextlib.closing(Relay(folder / "accepted")) as relay:
        settings = Settings(database=database, settling=0, smtp=relay.url)
        with contextlib.closing(open_office(folder, settings, clock, SeededRandomSource("parent"))) as office:
            with contextlib.closing(Workers(office, folder, settings, clock)) as team:
                done = games_played = 0
                while done < rounds:
                    games_played += 1
                    done += _season(office, clock, team, rounds - done, f"{games_played}", random)
                settle(office, clock, team)
            return len(team.killed), len(relay.accepted()), compare(office, relay.accepted(), team.killed)


def _season(office: Office, clock: SharedClock, team: Workers, rounds: int, name: str, random: Random) -> int:
    """Play three games to their end, or until workers were killed so many times; the answer is how many times."""
    begun = [
        begin(office, name=f"Game {name} {letter}", powers=2, coordinated=True, missing_after=20) for letter in "abc"
    ]
    settle(office, clock, team)  # before a day passes, or what is on its way would be free to be sent again
    done, turns, span = 0, Counter[str](), 1.0
    while done < rounds:
        running = [game for game in begun if games.game(office, game[2], game[0].key).state == "running"]
        if not running:
            break
        for record, players, _ in running:
            send_all(office, record, players, f"{name} {turns[record.key]}")
            turns[record.key] += 1
        clock.advance(timedelta(days=1))
        start = time.monotonic()
        for _ in range(min(random.randint(1, 3), rounds - done)):
            time.sleep(random.uniform(0, span))
            team.kill(random.randint(1, 3), random)
            done += 1
        settle(office, clock, team)
        span = min(max(0.1, (span + (time.monotonic() - start) / 3) / 2), 2.0)
    for record, _, _ in begun:
        check(office, record.key, turns[record.key])
    return done


@pytest.mark.long
@pytest.mark.parametrize("database", ["SQLite", "PostgreSQL"])
def test_workers_die_and_others_go_on_and_every_mail_leaves_once(database: str) -> None:
    told = run_alone("tests.office.test_crashes", "--rounds", str(ROUNDS), "--database", database)
    assert told.count("nothing lost") == 2, told


def main() -> None:
    """The long run, on SQLite and on PostgreSQL."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", choices=["SQLite", "PostgreSQL"], help="only this one")
    options = parser.parse_args()
    chosen = [options.database] if options.database else ["SQLite", "PostgreSQL"]
    with tempfile.TemporaryDirectory() as place, contextlib.ExitStack() as stack:
        for name in chosen:
            make = stack.enter_context(postgres_server()) if name == "PostgreSQL" else str
            died, mails, twice = crash_three(Path(place) / name, make(), options.rounds, options.seed)
            print(
                f"{name}, three workers, killed {options.rounds} times: {died} died, {mails} mails accepted, {twice} "
                "of them twice, each by a worker that died in between; nothing lost, nothing else doubled",
                flush=True,
            )
            died = crash_one(Path(place) / f"{name} one", make(), options.rounds, options.seed)
            assert died >= options.rounds
            print(f"{name}, one worker, between statements: {died} died; nothing lost, nothing doubled", flush=True)


if __name__ == "__main__":
    main()
