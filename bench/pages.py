"""The pages' speed: ``python -m bench.pages``. A game of the largest variant after some turns, in a real server and in
Chromium (a phone with a processor four times slower); prints what a reader waits for. Times depend on the machine.

Server times are processor milliseconds of the whole process for one answer: the first one, and the best of those that
follow. Each page is opened so many times as ``--repeat`` says, and the least is told: by the clock its largest paint
and, where orders are given, the answer to the first tap on a unit, which comes as soon as the page's scripts are there;
of the processor's own time what all its tasks took, the longest, and what that one did (``bench.renderer``). Sizes are
gzipped.
"""

import argparse
import asyncio
import gzip
import logging
import resource
import statistics
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import httpx2 as httpx
import msgspec
import structlog
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright
from starlette.testclient import TestClient
from tests.browser import SHELL, opened
from tests.office.playing import person
from tests.serving import served

from bench.renderer import Trace, traced
from legation.bots import bot
from legation.game import position_document, read_position
from legation.judge import Ruleset
from legation.mail.results import preview
from legation.notation import write
from legation.office.clock import SeededRandomSource, SimulatedClock
from legation.office.context import Actor
from legation.office.errors import OfficeError
from legation.office.game import processing, seats
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.office import Office, open_office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.settings import Settings
from legation.position import Unit
from legation.web import create_app

VARIANT = "three-kingdoms"
GAME = "powick-bridge"
PHONE: ViewportSize = {"width": 390, "height": 844}
SLOWER = 4
WATCHERS = 200
UNITS = 100
SLOW_LINE = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}
"""A phone's line: milliseconds there and back, and bytes a second (1.6 Mb/s)."""
WATCH = """() => {
    window.seen = { lcp: 0, cls: 0, tap: 0, board: 0 };
    new MutationObserver((_, watch) => {
        if (!document.querySelector('#chart[data-ready]')) return;
        watch.disconnect();
        requestAnimationFrame(() => setTimeout(() => { seen.board = performance.now(); }));
    }).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-ready'] });
    const watch = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take))
        .observe({ type, buffered: true });
    watch('largest-contentful-paint', (entry) => { seen.lcp = entry.startTime; });
    watch('layout-shift', (entry) => { if (!entry.hadRecentInput) seen.cls += entry.value; });
    addEventListener('legation-tap', () => {
        const answered = new MutationObserver(() => { seen.tap ||= performance.now(); });
        answered.observe(document.getElementById('status'), { childList: true });
    });
}"""
FIRST = """() => {
    const { chart, entry } = window.legation ?? {};
    if (!entry) return null;
    dispatchEvent(new Event('legation-tap'));
    const own = [...entry.units].filter(([, unit]) => unit.choices.length).map(([place]) => place);
    const map = chart.sheet.getBoundingClientRect();
    const spots = [...own, ...entry.sites.keys()].map((place) => {
        const { x, y } = new DOMPoint(...chart.spot(place)).matrixTransform(chart.svg.getScreenCTM());
        return [x, y];
    });
    const shown = ([x, y]) => x > map.left + 20 && x < map.right - 80 && y > map.top + 20 && y < map.bottom - 140;
    return spots.find(shown) ?? null;
}"""
"""Where the first unit in view stands, that can be ordered; from now on the page's answer to a tap is awaited."""
TAP = """async (places) => {
    const { chart, entry } = legation;
    const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    for (const place of places) {
        entry.back();
        entry.back();
        await painted();
        chart.dispatch('pick', place);
        await painted();
    }
}"""

BOARD = """() => {
    const [visit] = performance.getEntriesByType('navigation');
    const sizes = [visit, ...performance.getEntriesByType('resource')].map((entry) => entry.encodedBodySize);
    return { byte: visit.responseStart, size: sizes.reduce((all, size) => all + size, 0) };
}"""
"""When the first byte came, and how much was fetched."""
SHARE = "window.legation ? (legation.chart.high - legation.chart.covered) / innerHeight : 0"
"""What share of the window's height the board has."""
PAINTED = """async () => {
    while (window.legation && !legation.chart.painted) await new Promise((done) => setTimeout(done, 100));
}"""
STYLED = """(text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets = [sheet];
}"""


class Club:
    """An office with a coordinated game, of the largest variant if no other is named; all seats held by people."""

    def __init__(self, folder: Path, variant: str = VARIANT) -> None:
        self.clock = SimulatedClock(datetime(2026, 3, 2, 12, tzinfo=UTC))
        self.office: Office = open_office(folder, Settings(settling=0), self.clock, SeededRandomSource(1))
        self.variant = variant
        self.rules: Ruleset = self.office.variants.load(variant)
        self.host = person(self.office, "Host")
        settings = {"coordinated": True, "drafts": True, "approve": True, "ready_ends": False, "schedule": "daily"}
        games.create(self.office, self.host, {"name": "Powick Bridge", "variant": variant, "settings": settings})
        self.players = {power: person(self.office, power.replace(" ", "-")) for power in self.rules.powers}
        for power, actor in self.players.items():
            seats.sign_up(self.office, actor, GAME, [power])
        games.start(self.office, self.host, GAME)
        work.run_due(self.office)

    def session(self, actor: Actor) -> str:
        """Sign somebody in, and return the secret of the session."""
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
    game, desk, variant = f"/games/{GAME}", f"/desk/{GAME}", f"/variants/{club.variant}"
    visits = {
        None: [
            "/", "/games", "/variants", variant, f"{variant}/rules", f"{variant}/moves?place=london",
            f"{variant}/print", "/rules/verdicts", "/sandbox", "/designer", game,
        ],
        club.players[next(iter(club.players))]: [
            game, f"{game}/results", f"{game}/{turns[0]}", f"{game}/{turns[0]}/shown.json", f"{game}/powers",
            f"{game}/letters", f"{game}/proofs", "/me",
        ],
        club.host: [
            "/desk", desk, f"{desk}/results", f"{desk}/players", f"{desk}/paper", f"{desk}/record",
            f"/games/new?variant={club.variant}",
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


@dataclass
class Visit:
    """One visit to a page: milliseconds from navigation to the largest paint and to the answer to the first tap (0 if
    nothing is tapped), how much the layout shifted, and what the processor did."""

    lcp: float
    tap: float
    cls: float
    trace: Trace
    board: float = 0.0
    facts: dict[str, float] = field(default_factory=dict)


def visit(browser: Browser, address: str, secret: str = "", *, line: bool = False) -> Visit:
    """Open a page on a slow phone as for the first time, on a slow ``line`` if that is asked for."""
    context = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True, device_scale_factor=2)
    if secret:
        context.add_cookies([{"name": "session", "value": secret, "url": address}])
    page = context.new_page()
    page.add_init_script(f"({WATCH})()")
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    if line:
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", SLOW_LINE)

    shares = [0.0]

    def read() -> None:
        page.goto(address)
        if page.locator("#chart").count():
            page.wait_for_selector("html[data-ready]")
            shares.append(page.evaluate(SHARE))  # at rest: a unit that is tapped brings the sheet up
            spot = page.evaluate(FIRST)
            while spot and not page.evaluate("seen.tap"):
                page.touchscreen.tap(*spot)
            page.evaluate(PAINTED)
        page.wait_for_timeout(1500)

    trace = traced(browser, page, read)
    seen = page.evaluate("window.seen")
    facts = page.evaluate(BOARD) | {"share": shares[-1]} if line else {}
    context.close()
    return Visit(seen["lcp"], seen["tap"], seen["cls"], trace, seen["board"], facts)


def every_board(here: str, variants: Iterable[str], repeat: int) -> None:
    """Each shipped board in the sandbox on a slow phone and a slow line, as for the first time."""
    with chromium() as browser:
        heads(
            "Board on a slow phone and line, cold",
            *("board seen, ms", "tap lights, ms after the first byte", "longest task, ms", "kB", "share of the height"),
        )
        for variant in variants:
            made = httpx.get(f"{here}/sandbox/new", params={"variant": variant}, timeout=60)
            visits = [visit(browser, here + made.headers["location"], line=True) for _ in range(repeat)]
            row(
                variant,
                f"{min(seen.board for seen in visits):.0f}",
                f"{min(seen.tap - seen.facts['byte'] for seen in visits):.0f}",
                f"{min(seen.trace.longest().cpu for seen in visits):.0f}",
                f"{max(seen.facts['size'] for seen in visits) / 1000:.0f}",
                f"{min(seen.facts['share'] for seen in visits):.0%}",
            )


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser of the tests."""
    with sync_playwright() as playwright, opened(playwright, SHELL) as browser:
        yield browser


def in_chromium(club: Club, here: str, position: str, repeat: int) -> None:
    """Largest paint, tasks and shifts at a phone's size; sizes of the first view and of later turns; taps."""
    with chromium() as browser:
        heads(
            "Page on a phone, processor 4 times slower",
            *("LCP, ms", "first tap answered, ms", "CLS", "all tasks, ms", "longest, ms", "which"),
        )
        player = club.session(club.players[next(iter(club.players))])
        host = club.session(club.host)
        game = f"/games/{GAME}"
        for name, path, secret in (
            ("Welcome", "/", ""),
            ("Variants", "/variants", ""),
            ("Rules, largest board", f"/variants/{club.variant}/rules", ""),
            ("Games", "/games", ""),
            ("Sandbox, largest board", position, ""),
            ("Game, own sheet", game, player),
            ("Game, results", f"{game}/results", player),
            ("Desk, results", f"/desk/{GAME}/results", host),
        ):
            visits = [visit(browser, here + path, secret) for _ in range(repeat)]
            longest = min((seen.trace.longest() for seen in visits), key=lambda task: task.cpu)
            lcp, all_tasks = min(seen.lcp for seen in visits), min(seen.trace.cpu() for seen in visits)
            shifts = max(seen.cls for seen in visits)
            tap = f"{min(seen.tap for seen in visits):.0f}" if any(seen.tap for seen in visits) else ""
            row(name, f"{lcp:.0f}", tap, f"{shifts:.3f}", f"{all_tasks:.0f}", f"{longest.cpu:.0f}", longest.told())
        sizes(browser.new_page(), club, here)
        taps(browser, here + position)


def sizes(page: Page, club: Club, here: str) -> None:
    """What is fetched for the first view of the largest board, and for each turn after it."""
    page.context.add_cookies([{"name": "session", "value": club.session(club.host), "url": here}])
    urls: list[str] = []
    page.on("response", lambda answer: urls.append(answer.url))
    page.goto(f"{here}/games/{GAME}/results")
    page.wait_for_selector("html[data-ready]")
    site = httpx.Client(headers={"accept-encoding": "gzip"}, cookies={"session": club.session(club.host)})
    fetched = {url: gzipped(site, url) for url in dict.fromkeys(urls) if "/live" not in url}
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


def taps(browser: Browser, address: str) -> None:
    """From a tap on a unit to its choices painted, on a board of over 300 regions with 100 units: processor time of the
    page's main thread, and of the threads that paint."""
    page = browser.new_page(viewport=PHONE)
    page.goto(address)
    page.wait_for_selector("html[data-ready]")
    page.evaluate(PAINTED)
    places = page.evaluate("[...legation.entry.units].filter(([, u]) => u.choices.length).map(([p]) => p)")
    regions = page.evaluate("Object.keys(legation.chart.places).length")
    heads(
        f"Tap to lit choices, {regions} regions, {len(places)} units",
        "ms a tap",
        "longest task, ms",
        "painting, ms a tap",
    )
    for name, style in (
        ("as it is", ""),
        ("without the veil", ".chart svg.lg .lit > .veil { display: none }"),
        ("veil without its mask", ".chart svg.lg .lit > .veil { mask: none }"),
    ):
        page.evaluate(
            STYLED,
            style,
        )
        trace = traced(browser, page, lambda: page.evaluate(TAP, places))
        row(name, f"{trace.cpu() / len(places):.1f}", f"{trace.longest().cpu:.1f}", f"{trace.raster / len(places):.1f}")


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
    parser.add_argument("--repeat", type=int, default=3, help="how often each page is opened")
    parser.add_argument("--variant", default=VARIANT)
    parser.add_argument("--pages", action="store_true", help="only what Chromium does")
    parser.add_argument("--boards", action="store_true", help="only every shipped board on a slow phone and line")
    options = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))  # no line a request
    with tempfile.TemporaryDirectory() as place:
        club = Club(Path(place), options.variant)
        for _ in range(options.turns):
            club.turn()
        app = create_app(club.office, mails=preview)
        if not (options.pages or options.boards):
            server_times(club, app)
        with served(app) as here:
            every_board(here, club.office.variants.names(), options.repeat)
            if not options.boards:
                if not options.pages:
                    watched(club, here)
                club.publish()
                made = httpx.post(f"{here}/sandbox", data={"text": crowded(club.rules)}, timeout=60)
                in_chromium(club, here, made.headers["location"], options.repeat)
        club.office.close()


if __name__ == "__main__":
    main()
