"""The pages' speed: ``python -m bench.pages``. A game of the largest variant after some turns, in a real server and in
Chromium (a phone with a processor four times slower); prints what a reader waits for. Times depend on the machine.

Server times are processor milliseconds of the whole process for one answer: the first one, and the best of those that
follow. ``blocked`` is what tasks took beyond 50 ms each. Sizes are gzipped. What Chromium waits for is told by the
clock: on a busy machine it is more.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import resource
import shutil
import socket
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import httpx2 as httpx
import msgspec
import uvicorn
from playwright.sync_api import Page, sync_playwright
from starlette.testclient import TestClient

from legation import mail
from legation.bots import bot
from legation.game import position_document, read_position
from legation.judge import Ruleset
from legation.notation import write
from legation.office import (
    Actor,
    Office,
    SeededRandomSource,
    Settings,
    SimulatedClock,
    games,
    open_office,
    people,
    processing,
    seats,
    submissions,
    work,
)
from legation.office.errors import OfficeError
from legation.position import Unit
from legation.web import create_app

VARIANT = "three-kingdoms"
GAME = "powick-bridge"
PHONE = {"width": 390, "height": 844}
SLOWER = 4
WATCHERS = 200
UNITS = 100
WATCH = """() => {
    window.seen = { lcp: 0, cls: 0, blocked: 0 };
    const watch = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take))
        .observe({ type, buffered: true });
    watch('largest-contentful-paint', (entry) => { seen.lcp = entry.startTime; });
    watch('layout-shift', (entry) => { if (!entry.hadRecentInput) seen.cls += entry.value; });
    watch('longtask', (entry) => { seen.blocked += Math.max(0, entry.duration - 50); });
}"""
TAP = """async (places) => {
    const { chart, entry } = legation, times = [];
    const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    for (const place of places) {
        entry.back();
        entry.back();
        await painted();
        const start = performance.now();
        chart.dispatch('pick', place);
        const ready = performance.now();
        await painted();
        times.push([ready - start, performance.now() - start]);
    }
    return times;
}"""


class Club:
    """An office with a coordinated game, of the largest variant if no other is named; all seats held by people."""

    def __init__(self, folder: Path, variant: str = VARIANT) -> None:
        self.clock = SimulatedClock(datetime(2026, 3, 2, 12, tzinfo=UTC))
        self.office: Office = open_office(folder, Settings(settling=0), self.clock, SeededRandomSource(1))
        self.rules: Ruleset = self.office.variants.load(variant)
        self.host = self.person("Host")
        settings = {"coordinated": True, "drafts": True, "approve": True, "ready_ends": False, "schedule": "daily"}
        games.create(self.office, self.host, {"name": "Powick Bridge", "variant": variant, "settings": settings})
        self.players = {power: self.person(power) for power in self.rules.powers}
        for power, actor in self.players.items():
            seats.sign_up(self.office, actor, GAME, [power])
        games.start(self.office, self.host, GAME)
        work.run_due(self.office)

    def person(self, name: str) -> Actor:
        address = f"{name.lower().replace(' ', '-')}@example.org"
        return people.as_person(self.office, people.register(self.office, Actor.console(), name, address).id)

    def session(self, actor: Actor) -> str:
        assert actor.person is not None
        return people.start_session(self.office, Actor.clock(), actor.person, "bench").secret

    def publish(self) -> None:
        """Let out what is judged."""
        for command in (processing.publish_draft, processing.publish_final):
            try:
                command(self.office, self.host, GAME)
            except OfficeError:
                continue  # there is nothing to let out
        work.run_due(self.office)

    def turn(self) -> None:
        """All send the sheets of a bot, and a day passes."""
        self.publish()
        game = games.game(self.office, self.host, GAME)
        faults: list[str] = []
        position = read_position(self.rules, games.position(self.office, Actor.console(), GAME), faults)
        for seat in game.seats:
            if seat.sent is False:
                sheet = bot("random")(self.rules, position, seat.power, Random(f"{seat.power} {position.turn}"))
                text = "\n".join(write(order) for order in sheet.orders)
                submissions.submit(self.office, self.players[seat.power], GAME, seat.power, text or "# nothing")
        self.clock.advance(timedelta(days=1, minutes=1))
        work.run_due(self.office)


@contextmanager
def listening(app: Any) -> Iterator[str]:
    """The site at an address of its own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = server.force_exit = True
        thread.join(10)


def row(*cells: object) -> None:
    """A row of a table."""
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def heads(*names: str) -> None:
    """The head of a table."""
    print()
    row(*names)
    row(*("---" if n == 0 else "--:" for n in range(len(names))))


# On the server


def server_times(club: Club, app: Any) -> None:
    """Every page of the largest game, and those of the variant."""
    turns = [t.key for t in games.turns(club.office, club.host, GAME) if t.state in ("draft", "final")]
    game, desk, variant = f"/games/{GAME}", f"/desk/{GAME}", f"/variants/{VARIANT}"
    visits = {
        None: [
            "/", "/games", "/variants", variant, f"{variant}/rules", f"{variant}/moves?place=london",
            f"{variant}/print", "/rules/verdicts", "/sandbox", "/bench", game,
        ],
        club.players[next(iter(club.players))]: [
            game, f"{game}/results", f"{game}/{turns[0]}", f"{game}/{turns[0]}/shown.json", f"{game}/powers",
            f"{game}/letters", f"{game}/proofs", "/me",
        ],
        club.host: [
            "/desk", desk, f"{desk}/results", f"{desk}/players", f"{desk}/paper", f"{desk}/record",
            f"/games/new?variant={VARIANT}",
        ],
    }  # fmt: skip
    heads("Page on the server, ms", "first", "then")
    for actor, paths in visits.items():
        site = TestClient(app)
        if actor is not None:
            site.cookies.set("session", club.session(actor))
        for path in paths:
            times = [processor_time(site, path) for _ in range(6)]
            row(path, f"{times[0]:.0f}", f"{min(times[1:]):.0f}")


def processor_time(site: TestClient, path: str) -> float:
    """What one answer costs, in milliseconds."""
    start = time.process_time()
    answer = site.get(path)
    assert answer.status_code == 200, (path, answer.status_code)
    return (time.process_time() - start) * 1000


# In Chromium


def visit(page: Page, address: str) -> dict[str, float]:
    """Open a page as for the first time; what its reader waits for."""
    page.goto(address)
    if page.locator("#chart").count():
        page.wait_for_selector("html[data-ready], #chart[data-ready]")
    page.wait_for_timeout(1500)
    seen: dict[str, float] = page.evaluate("window.seen")
    return seen


def in_chromium(club: Club, here: str, position: str) -> None:
    """LCP, CLS and blocking time at a phone's size; sizes of the first view and of later turns; taps."""
    with sync_playwright() as playwright:
        path = next(found for name in ("chromium", "google-chrome") if (found := shutil.which(name)))
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        heads("Page on a phone, processor 4 times slower", "LCP, ms", "CLS", "blocked, ms")
        player = club.players[next(iter(club.players))]
        game = f"/games/{GAME}"
        for name, path, actor in (
            ("Welcome", "/", None), ("Variants", "/variants", None),
            ("Rules, largest board", f"/variants/{VARIANT}/rules", None), ("Games", "/games", None),
            ("Sandbox, largest board", position, None), ("Game, own sheet", game, player),
            ("Game, results", f"{game}/results", player), ("Desk, results", f"/desk/{GAME}/results", club.host),
        ):  # fmt: skip
            context = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True, device_scale_factor=2)  # type: ignore[arg-type]
            if actor is not None:
                context.add_cookies([{"name": "session", "value": club.session(actor), "url": here}])
            page = context.new_page()
            page.add_init_script(f"({WATCH})()")
            page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
            seen = visit(page, here + path)
            row(name, f"{seen['lcp']:.0f}", f"{seen['cls']:.3f}", f"{seen['blocked']:.0f}")
            context.close()
        sizes(browser.new_page(), club, here)
        taps(browser.new_page(viewport=PHONE), here + position)  # type: ignore[arg-type]
        browser.close()


def sizes(page: Page, club: Club, here: str) -> None:
    """What is fetched for the first view of the largest board, and for each turn after it."""
    page.context.add_cookies([{"name": "session", "value": club.session(club.host), "url": here}])
    urls: list[str] = []
    page.on("response", lambda answer: urls.append(answer.url))
    page.goto(f"{here}/games/{GAME}/results")
    page.wait_for_selector("html[data-ready]")
    site = httpx.Client(headers={"accept-encoding": "gzip"}, cookies={"session": club.session(club.host)})
    fetched = {url: gzipped(site, url) for url in dict.fromkeys(urls) if not url.endswith("/live")}
    heads("First view of the largest board", "kB")
    for url, size in sorted(fetched.items(), key=lambda item: -item[1])[:8]:
        row(url.rpartition("/")[2], f"{size / 1000:.0f}")
    row("all", f"{sum(fetched.values()) / 1000:.0f}")
    turns = [t.key for t in games.turns(club.office, club.host, GAME) if t.state in ("draft", "final")]
    later = [gzipped(site, f"{here}/games/{GAME}/{key}/shown.json") for key in turns]
    row("a later turn, the largest", f"{max(later) / 1000:.0f}")
    row("a later turn, median", f"{statistics.median(later) / 1000:.0f}")


def gzipped(site: Any, url: str) -> int:
    """Bytes of an answer on the wire, as gzip packs it."""
    answer = site.get(url)
    packed = answer.headers.get("content-encoding") == "gzip" or "font" in answer.headers.get("content-type", "")
    length = int(answer.headers.get("content-length", 0))
    return length if packed and length else len(gzip.compress(answer.content, 6))


def taps(page: Page, address: str) -> None:
    """From a tap on a unit to its choices lit, on a board of over 300 regions with 100 units."""
    page.goto(address)
    page.wait_for_selector("html[data-ready]")
    places = page.evaluate("[...legation.entry.units].filter(([, u]) => u.choices.length).map(([p]) => p)")
    regions = page.evaluate("Object.keys(legation.chart.places).length")
    times = page.evaluate(TAP, places)
    heads(f"Tap to lit choices, {regions} regions, {len(places)} units, ms", "median", "most")
    for name, index in (("choices lit", 0), ("painted", 1)):
        taken = [pair[index] for pair in times]
        row(name, f"{statistics.median(taken):.1f}", f"{max(taken):.1f}")


def crowded(rules: Ruleset) -> str:
    """The opening with armies on empty land until there are so many units, as a document."""
    opening = rules.opening()
    taken = {unit.province for unit in opening.units}
    free = [place.id for place in rules.board.provinces.values() if not place.sea and place.id not in taken]
    Random(1).shuffle(free)
    powers = list(rules.powers)
    more = [Unit("A", place, powers[n % len(powers)]) for n, place in enumerate(free[: UNITS - len(opening.units)])]
    full = msgspec.structs.replace(opening, units=(*opening.units, *more))
    return msgspec.json.encode(position_document(rules, full)).decode()


# Watchers


def watched(club: Club, here: str) -> None:
    """So many connections while a turn is judged and let out: who hears of it, and when."""
    secret = club.session(club.host)

    async def one(site: Any, ready: asyncio.Event, heard: list[float]) -> None:
        async with site.stream("GET", f"{here}/games/{GAME}/live") as stream:
            async for line in stream.aiter_lines():
                if line.startswith("retry"):
                    ready.set()
                if line == "event: news":
                    heard.append(time.perf_counter())
                    return

    async def all_of_them() -> tuple[list[float], float, float]:
        heard: list[float] = []
        limits = httpx.Limits(max_connections=WATCHERS + 10)
        async with httpx.AsyncClient(cookies={"session": secret}, limits=limits, timeout=60) as site:
            ready = [asyncio.Event() for _ in range(WATCHERS)]
            watching = [asyncio.create_task(one(site, bell, heard)) for bell in ready]
            await asyncio.gather(*(bell.wait() for bell in ready))
            await asyncio.sleep(1.2)  # the follower has had its first look
            start = time.perf_counter()
            await asyncio.to_thread(club.turn)
            judged = time.perf_counter()
            await asyncio.wait_for(asyncio.gather(*watching), 60)
        return heard, start, judged

    before = memory()
    heard, start, judged = asyncio.run(all_of_them())
    heads(f"{WATCHERS} watchers while a turn is judged", "")
    row("told", len(heard))
    row("first told after, s", f"{min(heard) - start:.1f}")
    row("last told after, s", f"{max(heard) - start:.1f}")
    row("the turn itself, s", f"{judged - start:.1f}")
    row("memory, MB more (server and watchers)", f"{memory() - before:.0f}")


def memory() -> float:
    """The most memory this process has taken, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=8, help="turns of the game that are over")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        club = Club(Path(place))
        for _ in range(options.turns):
            club.turn()
        app = create_app(club.office, mails=mail.preview)
        server_times(club, app)
        with listening(app) as here:
            watched(club, here)
            club.publish()
            made = httpx.post(f"{here}/sandbox", data={"text": crowded(club.rules)}, timeout=60)
            in_chromium(club, here, made.headers["location"])
        club.office.close()


if __name__ == "__main__":
    main()
