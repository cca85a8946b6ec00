"""Many people at one web process: ``python -m bench.load`` prints how long 50 of them wait for a page of a game, and
``python -m bench.load --requests 100000`` whether the process grows with what is asked of it.

One process on SQLite serves games of the standard board that are some turns old. Each person holds seats in several of
them and, in the first measurement, asks for the next page a second after the last has come; in the second nobody waits,
and every kind of page and document of a game is asked for in turn. Times are the clock's, so they are the machine's and
of whatever else it does: the processor time that a page costs stands beside them.
"""

import argparse
import contextlib
import http.client
import itertools
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import msgspec
from tests.serving import free_port

from bench.office import answers, processor_time
from legation.bots import bot
from legation.game import read_position
from legation.notation import write
from legation.office.clock import SeededRandomSource, SimulatedClock
from legation.office.context import Actor
from legation.office.game import seats
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.office import open_office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.settings import Settings
from legation.variants import load
from legation.web.play.shown_game import TABS

PEOPLE, GAMES, TURNS = 50, 24, 4
PAGE_BAR = 400.0  # milliseconds that one page in a hundred may take and no longer
MEMORY_BAR = 0.05  # by which the process may have grown since the first tenth
QUIET = 0.05  # seconds of processor time in a second
PARTS = 10  # looks at the memory
POWERS = 7
OTHERS = ("sheet", "analysis", "roster")  # tabs that are the page itself, or not for players of a running game


class Asked(msgspec.Struct, frozen=True):
    """What a person asks for, and the cookie of their session."""

    path: str
    cookie: str


def fill(folder: Path) -> list[list[str]]:
    """Make the games and play a few turns of them; the answer is, for each person, their cookie and their games."""
    clock = SimulatedClock(datetime.now(UTC) - timedelta(days=2 * TURNS))
    office = open_office(folder, Settings(settling=0, most_games=10**6), clock, SeededRandomSource(1))
    known = [people.register(office, Actor.console(), f"P{n}", f"p{n}@example.org") for n in range(PEOPLE)]
    actors = [people.as_person(office, person.id) for person in known]
    held: list[list[str]] = [[] for _ in known]
    for number in range(GAMES):
        plan = {"name": f"Game {number}", "variant": "standard", "settings": {"ready_ends": False}}
        made = games.create(office, Actor.console(), plan)
        for place, seat in enumerate(made.seats):
            person = (number * POWERS + place) % PEOPLE
            seats.sign_up(office, actors[person], made.key, [seat.power])
            held[person].append(made.key)
    rules, play = load("standard"), bot("random")
    for _ in range(TURNS):
        work.run_due(office)
        for actor, (_, *keys) in zip(actors, held, strict=True):
            for key in keys:
                position = read_position(rules, games.position(office, actor, key), [])
                for power in games.game(office, actor, key).powers:
                    text = "\n".join(write(o) for o in play(rules, position, power, Random(f"{key} {power}")).orders)
                    submissions.submit(office, actor, key, power, text or "# nothing")
        clock.advance(timedelta(days=1))
    clock.set(datetime.now(UTC))
    told = [
        [people.start_session(office, Actor.clock(), person.id, "bench", 1).secret, *keys]
        for person, keys in zip(known, held, strict=True)
    ]
    office.close()
    return told


def kinds(key: str) -> list[str]:
    """What of a game is asked for: its page, its tabs, what its script fetches, its files."""
    tabs = ("", *(f"/{tab}" for tab in TABS if tab not in OTHERS), "/news?after=0")
    files = ("/1901-spring-movement/shown.json", "/1901-spring-movement", "/saved.json", "/transcript.jsonl")
    return [f"/games/{key}{end}" for end in (*tabs, *files)] + [f"/api/v1/games/{key}", "/games", "/", "/me"]


class Caller:
    """One connection, kept open."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)

    def get(self, asked: Asked) -> int:
        """Ask; the answer's status."""
        headers = {"Cookie": f"session={asked.cookie}", "Accept-Encoding": "gzip"}
        for last in (False, True):
            try:
                self.connection.request("GET", asked.path, headers=headers)
                answer = self.connection.getresponse()
                answer.read()
                return answer.status
            except (http.client.HTTPException, ConnectionError):  # a connection that was closed while nobody asked
                self.connection.close()
                if last:
                    raise
        raise AssertionError


def at_once(threads: int, call: Callable[[int], None]) -> None:
    """Have so many callers call, each with its number."""
    failed: list[BaseException] = []

    def run(number: int) -> None:
        try:
            call(number)
        except BaseException as error:
            failed.append(error)

    started = [threading.Thread(target=run, args=(number,)) for number in range(threads)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    if failed:
        raise failed[0]


def pages(port: int, told: list[list[str]], each: int, pause: float) -> list[float]:
    """The milliseconds that each page took of those that all people ask for, each as many; sorted."""
    taken: list[float] = []

    def read(number: int) -> None:
        cookie, *own = told[number]
        caller, random = Caller(port), Random(number)
        time.sleep(random.uniform(0, pause))
        for key in itertools.islice(itertools.cycle(own), each):
            begin = time.perf_counter()
            status = caller.get(Asked(f"/games/{key}", cookie))
            taken.append((time.perf_counter() - begin) * 1000)
            assert status == 200, (key, status)
            time.sleep(random.uniform(0.5, 1.5) * pause)

    at_once(len(told), read)
    return sorted(taken)


def memory_of(process: int) -> int:
    """What a process takes now, in kB."""
    status = Path(f"/proc/{process}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


def many(port: int, told: list[list[str]], count: int, process: int) -> list[int]:
    """Ask for so many things; the process's memory (kB) after each tenth."""
    everything = [Asked(path, cookie) for cookie, *own in told for key in own for path in kinds(key)]
    Random(1).shuffle(everything)
    found = []
    for _ in range(PARTS):
        numbers = itertools.count()

        def ask(_: int, numbers: Iterator[int] = numbers) -> None:
            caller = Caller(port)
            while (number := next(numbers)) < count // PARTS:
                asked = everything[number % len(everything)]
                status = caller.get(asked)
                assert status == 200, (asked.path, status)

        at_once(4, ask)
        found.append(memory_of(process))
        print(f"{len(found) * (count // PARTS):,} requests: {found[-1] // 1024} MB", flush=True)
    return found


@contextlib.contextmanager
def site(place: Path) -> Iterator[tuple[int, subprocess.Popen[bytes], list[list[str]]]]:
    """A web process without limits of rate: its port, the process, and who may ask for what."""
    folder = place / "office"
    told = fill(folder)
    (folder / "office.toml").write_text("[web]\nbounded = false\n")
    (folder / "office.toml").chmod(0o600)
    port = free_port()
    command = ("legation", "serve", str(folder), "--no-worker", "--no-mail", "--port", str(port))
    with (place / "log").open("wb") as log:
        process = subprocess.Popen([sys.executable, "-m", *command], stdout=log, stderr=log)
        try:
            answers(port)
            yield port, process, told
        finally:
            process.terminate()
            process.wait(60)


def prepared(port: int, told: list[list[str]], process: subprocess.Popen[bytes]) -> None:
    """Ask for some pages, and wait until the process has nothing left of what it does when it starts (maps that the
    first visitors ask for are drawn)."""
    pages(port, told, 3, 1.0)
    used = 1.0
    while used > QUIET:
        before = processor_time([process])
        time.sleep(1)
        used = processor_time([process]) - before


def verdict(holds: bool) -> str:
    """Whether a bar is met, in words."""
    return "met" if holds else "NOT met"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure."""
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    parser.add_argument("--requests", type=int, help="look at the memory while so many things are asked for")
    parser.add_argument("--each", type=int, default=60, help="pages that each person asks for")
    parser.add_argument("--pause", type=float, default=1.0, help="seconds between two pages of a person")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as place, site(Path(place)) as (port, process, told):
        if options.requests:
            found = many(port, told, options.requests, process.pid)
            growth = found[-1] / found[0] - 1
            bar = f"bar {MEMORY_BAR:.0%}, {verdict(growth <= MEMORY_BAR)}"
            print(f"memory over {options.requests:,} requests: {growth:+.1%} since the first tenth ({bar})")
            return
        prepared(port, told, process)
        used, begin = processor_time([process]), time.perf_counter()
        taken = pages(port, told, options.each, options.pause)
        passed, used = time.perf_counter() - begin, processor_time([process]) - used
        usual, slowest = statistics.median(taken), statistics.quantiles(taken, n=100)[98]
        bar = f"bar {PAGE_BAR:.0f} ms, {verdict(slowest <= PAGE_BAR)}"
        print(f"{len(taken)} pages of games for {PEOPLE} people, {len(taken) / passed:.0f} a second")
        print(f"usually {usual:.0f} ms; one in a hundred takes over {slowest:.0f} ms ({bar})")
        print(f"{used / len(taken) * 1000:.1f} ms of processor time for each")


if __name__ == "__main__":
    main()
