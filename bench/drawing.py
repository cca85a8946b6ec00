"""The drawing table's speed: ``python -m bench.drawing``. Boards of 60 and 200 provinces on the coasts of Europe, grown
as a table's child process grows them: coarse while a point is dragged, whole when it is let go. Then 500 edits in one
process, and its memory. Then the pages of a running game with nobody at a table, and with two at once.

Times of growing are processor milliseconds of one process; those of pages are told by the clock, from outside the
server, and are more on a machine that is busy with other things.
"""

import argparse
import itertools
import multiprocessing
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

import httpx2 as httpx
import msgspec
import numpy as np
from tests.serving import served

from bench.pages import GAME, Club, heads, row
from legation.atlas.grow.coastline import shipped_land
from legation.atlas.grow.ground import cut_ground
from legation.atlas.grow.plan import read_unfinished_plan
from legation.atlas.table.answering import answer
from legation.atlas.table.document import write_files
from legation.atlas.table.starting import Region, from_region
from legation.board.files import BoardFiles
from legation.board.folders import TextFolder
from legation.web import create_app

GOALS = {60: (300, 3_000), 200: (600, 20_000)}
"""Milliseconds for a coarse and a whole growth, by provinces."""
EDITS, PAGES, TIMES = 500, 400, 1.5
STARTED = 5
"""Seconds for two processes to start."""
HEADERS = {"accept": "application/json", "sec-fetch-site": "same-origin"}


def board_of(count: int, seed: int = 1) -> dict[str, Any]:
    """A board of so many provinces, three of five on land, spread evenly over Europe and its seas."""
    from shapely import Point, prepare

    document = from_region(Region(west=-11, south=35, east=40, north=65, coastline="europe"))
    plan = read_unfinished_plan(BoardFiles(TextFolder(write_files(document))))
    ground = cut_ground(plan, shipped_land("europe"))
    prepare(ground)
    random, frame = Random(seed), plan.frame
    rows: dict[str, list[dict[str, str]]] = {"land": [], "sea": []}
    for table, wanted in (("land", count * 3 // 5), ("sea", count - count * 3 // 5)):
        chosen: list[tuple[float, float]] = []
        while len(chosen) < wanted:  # of some candidates the one that lies farthest from all that are chosen
            candidates: list[tuple[float, float]] = []
            while len(candidates) < 12:
                spot = random.uniform(frame.west, frame.east), random.uniform(frame.south, frame.north)
                if ground.contains(Point(*spot)) == (table == "land"):
                    candidates.append(spot)
            chosen.append(max(candidates, key=lambda c: min((distance(c, o) for o in chosen), default=0.0)))
        for number, spot in enumerate(chosen):
            lon, lat = plan.projection.unproject(np.array([spot]))[0]
            name = f"{table[0]}{number:03}"
            row = {"id": name, "name": f"{table.title()} {number}", "points": f"{lon:.4f} {lat:.4f}"}
            rows[table].append(row | ({"coasts": "single"} if table == "land" else {}))
    document.board |= rows
    made: dict[str, Any] = msgspec.to_builtins(document)
    return made


def distance(a: tuple[float, float], b: tuple[float, float]) -> float:
    """The square of the distance of two places."""
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def dragged(document: dict[str, Any], step: int) -> None:
    """Move a point of one province a little, as a hand does."""
    row = document["board"]["land"][step % len(document["board"]["land"])]
    lon, lat = map(float, row["points"].split())
    row["points"] = f"{lon + (0.03 if step % 2 else -0.03):.4f} {lat:.4f}"


def took(document: dict[str, Any], stage: str) -> float:
    """Processor milliseconds of a growth."""
    start = time.process_time()
    answer(document, stage)
    return 1000 * (time.process_time() - start)


def growing() -> bool:
    """Coarse and whole growths; whether all are within the goals."""
    heads("Growing, ms of processor time", "median", "worst", "goal")
    good = True
    for count, goals in GOALS.items():
        document = board_of(count)
        answer(document, "coarse"), answer(document, "full")  # the coastline is read once for all
        for stage, times, goal in (("coarse", 15, goals[0]), ("full", 3, goals[1])):
            measured = []
            for step in range(times):
                dragged(document, step)
                measured.append(took(document, stage))
            worst = max(measured)
            good &= worst < goal
            row(f"{count} provinces, {stage}", f"{statistics.median(measured):.0f}", f"{worst:.0f}", goal)
    return good


def memory() -> bool:
    """What a process holds after some edits, and after many; whether it is flat."""
    document, held = board_of(60), []
    for step in range(EDITS):
        dragged(document, step)
        answer(document, "full" if step % 25 == 24 else "coarse")
        if step + 1 in (100, EDITS):
            held.append(resident())
    heads("Memory of a table's process, MB", "after 100 edits", f"after {EDITS}")
    row("60 provinces", *(f"{mb:.0f}" for mb in held))
    return held[1] < 1.05 * held[0] + 5


def resident() -> float:
    """Memory that this process holds now, in MB."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * resource.getpagesize() / 1e6
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def beside_games() -> bool:
    """The pages of a game, alone and beside two tables; whether the slowest stay about as quick."""
    document = board_of(60)
    with tempfile.TemporaryDirectory() as folder:
        club = Club(Path(folder), "standard")
        club.turn()
        session = {"session": club.session(next(iter(club.players.values())))}
        with served(create_app(club.office)) as address:
            visit(address, session, 40)
            with httpx.Client(base_url=address, timeout=120) as client:
                for _ in range(2):  # the children are started, and know the coast
                    grow_once(client, document, "full")
            alone = visit(address, session, PAGES)
            processes = multiprocessing.get_context("spawn")  # a browser takes no time of the server's process
            tables = [processes.Process(target=table, args=(address, document, seed)) for seed in (1, 2)]
            for one in tables:
                one.start()
            time.sleep(STARTED)
            beside = visit(address, session, PAGES)
            for one in tables:
                one.terminate()
                one.join()
        club.office.close()
    heads("Pages of a game, ms by the clock", "median", "p99")
    for what, times in (("alone", alone), ("beside two tables", beside)):
        row(what, f"{statistics.median(times):.0f}", f"{p99(times):.0f}")
    print(f"\np99 beside two tables: {p99(beside) / p99(alone):.2f} times; the goal is {TIMES}")
    return p99(beside) <= TIMES * p99(alone)


def p99(times: list[float]) -> float:
    """What 99 of 100 are below."""
    return statistics.quantiles(times, n=100)[98]


def visit(address: str, session: dict[str, str], times: int) -> list[float]:
    """Open a game's pages one after the other, with a short breath between."""
    paths = [f"/games/{GAME}", f"/games/{GAME}/results", f"/games/{GAME}/powers", f"/games/{GAME}/letters"]
    measured = []
    with httpx.Client(base_url=address, cookies=session, timeout=60) as client:
        for number in range(times):
            start = time.perf_counter()
            client.get(paths[number % len(paths)]).raise_for_status()
            measured.append(1000 * (time.perf_counter() - start))
            time.sleep(0.01)
    return measured


def grow_once(client: httpx.Client, document: dict[str, Any], stage: str) -> None:
    """Have the site grow a board."""
    body = {"document": document, "stage": stage}
    client.post("/table/grow", json=body, headers={**HEADERS, "origin": str(client.base_url).rstrip("/")})


def table(address: str, document: dict[str, Any], seed: int) -> None:
    """A designer at the drawing table who drags points until the process ends. Like a browser's, the connection is
    kept: a new client for each growth takes 20 ms of the processor, which the server would miss.
    """
    with httpx.Client(base_url=address, timeout=120) as client:
        for step in itertools.count():
            dragged(document, step * (2 + seed))
            grow_once(client, document, "full" if step % 8 == 7 else "coarse")


def main() -> int:
    """Measure; the exit status tells whether all goals are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="*", choices=["growing", "memory", "games", []], help="only these")
    chosen = parser.parse_args().what or ["growing", "memory", "games"]
    parts = {"growing": growing, "memory": memory, "games": beside_games}
    met = [parts[name]() for name in chosen]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
