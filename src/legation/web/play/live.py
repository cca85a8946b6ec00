"""Server-sent events for game updates: a stream that says "there is news", and the news, as far as the reader may know
them.

The office's notifications name the games that have news; one task also looks into the journal, for what other processes
write (SQLite notifies no other process). A watcher costs an open connection and nothing else."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Annotated, Any

import structlog
from fastapi import Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response, StreamingResponse

from legation.judge import Ruleset
from legation.notation import capital, listed
from legation.office.context import Actor
from legation.office.errors import OfficeError
from legation.office.game import journal
from legation.office.hosting import games
from legation.office.monitoring.logs import told_of
from legation.office.monitoring.processes import PAUSES
from legation.office.office import Office
from legation.office.records import Entry, GameRecord
from legation.web.public.lobby import owed_in
from legation.web.public.maps import LiveMap
from legation.web.serving.pages import PageRouter, ReadingRoute
from legation.web.serving.sessions import actor_of, chosen_language, office_of

router = PageRouter(route_class=ReadingRoute)
log = structlog.get_logger("legation.web")
NAME = "live news"  # among the threads of which /health tells
Mark = Annotated[str, Query(max_length=200)]  # of a line of the journal
PAUSE = 1.0  # seconds between two looks into the journal
STILL_HERE = 25.0  # seconds after which a silent stream says that it is alive
QUIET = frozenset(["submitted", "ready", "not ready", "withdrawn", "opened", "letter"])
"""What a reader did alone; it is no news to them."""
JUDGED = frozenset(["turn opened", "draft results", "final results", "game ended"])
"""Journal entries after which a waiting page goes on."""
TURNING = JUDGED | {"draft taken back", "corrected", "deadline moved", "keys lost", "game paused", "game resumed"}
"""Journal entries after which an open page must be reloaded."""


class Follower:
    """Follows the journal while anybody watches a game."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self.watchers: dict[str, set[asyncio.Event]] = {}
        self.task: asyncio.Task[None] | None = None
        self.heard: set[str] = set()  # the games of which the office told
        self.awake = asyncio.Event()
        self.last = 0  # line of the journal

    async def watch(self, game: str, actor: Actor, after: int = 0) -> AsyncGenerator[bytes, None]:
        """The stream of one watcher of a game. Who comes back names the line of the journal ``after`` which they heard
        nothing, and is told at once if anything came meanwhile. What the actor may not read is no news to them."""
        news = asyncio.Event()
        self.watchers.setdefault(game, set()).add(news)
        try:
            heard = now = await run_in_threadpool(journal.last_entry, self.office)
            if self.task is None:
                self.last = now
            self._keep_following()
            if after and game in (await self._look(after))[1]:
                news.set()
                heard = after  # until the news are told
            yield b"retry: 5000\nid: %s\n\n" % self._mark(heard)
            clock = asyncio.get_running_loop().time
            beat = clock() + STILL_HERE  # whatever happens: a pause that begins anew would tell when others sent
            while True:
                try:
                    await asyncio.wait_for(news.wait(), max(0.0, beat - clock()))
                    news.clear()
                    last = max(now, self.last)
                    if await run_in_threadpool(self._told, game, actor, self._mark(heard).decode()):
                        yield b"event: news\nid: %s\ndata: yes\n\n" % self._mark(last)
                    heard = last
                except TimeoutError:
                    beat += STILL_HERE
                    self._keep_following()
                    yield b": still here\n\n"
        finally:
            self.watchers[game].discard(news)
            if not self.watchers[game]:
                del self.watchers[game]

    def _mark(self, line: int) -> bytes:
        return journal.mark(self.office, line).encode()

    def _told(self, game: str, actor: Actor, since: str) -> bool:
        try:
            return journal.is_news(self.office, actor, game, since)
        except OfficeError:  # not for them any more: the page will say so
            return True

    async def _look(self, after: int) -> tuple[int, tuple[str, ...]]:
        return await run_in_threadpool(journal.follow, self.office, after)

    def _keep_following(self) -> None:
        """Start following unless running; after a crash resume from the last line seen."""
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self._follow())

    async def _follow(self) -> None:
        """Follow the news of games while anybody watches. A failure is counted; it is tried again after a pause."""
        pulses = self.office.pulses
        pulses.beat(NAME)
        while self.watchers:
            try:
                await self._tell_changes()
            except Exception as error:  # away for the moment, or whatever it is: the next look tells all since
                failures = pulses.failed(NAME, type(error).__name__)
                log.error("thread failed", thread=NAME, failures=failures, **told_of(error))
                await asyncio.sleep(PAUSES[min(failures, len(PAUSES)) - 1])
        pulses.ended(NAME)
        self.task = None

    async def _tell_changes(self) -> None:
        loop = asyncio.get_running_loop()

        def hear(what: str) -> None:  # in any thread
            with suppress(RuntimeError):  # the loop is closed: nobody watches any more
                loop.call_soon_threadsafe(self._hear, what)

        deaf = self.office.store.notifier.listen(hear)
        try:
            while self.watchers:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self.awake.wait(), PAUSE)
                self.awake.clear()
                self.last, changed = await self._look(self.last)
                self.office.pulses.beat(NAME)
                news, self.heard = {*changed, *self.heard}, set()
                for game in news:
                    for watcher in self.watchers.get(game, ()):
                        watcher.set()
        finally:
            deaf()

    def _hear(self, what: str) -> None:
        kind, _, game = what.partition(" ")
        if kind == "game" and game in self.watchers:
            self.heard.add(game)
            self.awake.set()


@router.get("/games/{game}/live")
async def live(request: Request, game: str, after: Mark = "") -> Response:
    """A stream of server-sent events for who may see the game; it tells only that something happened, since the line of
    the journal ``after`` or the last one that was heard of."""
    office = office_of(request)
    actor = await run_in_threadpool(actor_of, request)
    record: GameRecord = await run_in_threadpool(games.game, office, actor, game)
    follower: Follower | None = getattr(request.app.state, "follower", None)
    if follower is None:
        follower = request.app.state.follower = Follower(office)
    headers = {"cache-control": "no-store", "content-encoding": "identity", "x-accel-buffering": "no"}
    since = journal.read_mark(office, request.headers.get("last-event-id", "")[:200] or after)
    return StreamingResponse(follower.watch(record.key, actor, since), media_type="text/event-stream", headers=headers)


@router.get("/clock")
def clock(request: Request) -> Response:
    """Return the office's time in milliseconds, by which pages count what is left of a phase."""
    now = office_of(request).clock.now().timestamp()
    return JSONResponse({"now": round(1000 * now)}, headers={"cache-control": "no-store"})


@router.get("/games/{game}/news")
def news(request: Request, game: str, after: Mark = "") -> Response:
    """Return what happened after a line of the journal, as far as the reader may know it."""
    office, actor = office_of(request), actor_of(request)
    record = games.game(office, actor, game)
    last = journal.mark(office)
    entries = journal.entries(office, actor, game, since=after, limit=100)
    others = [entry for entry in entries if not (entry.kind in QUIET and entry.power in record.powers)]
    own = record.powers[0] if record.powers else ""
    live: LiveMap = request.app.state.variant_uploads.map_of(record.variant).for_reader(request)
    said = live.said_in(chosen_language(request))
    answer: dict[str, Any] = {
        "last": last,
        "lines": [said(line) for line in _sentences(others, live.rules)[-5:]],
        "stale": any(entry.kind in TURNING for entry in others),
        "judged": any(entry.kind in JUDGED for entry in others),
        "unread": record.unread,
        "owed": said(owed_in(record)[0]) if own else "",
    }
    return JSONResponse(answer)


def _sentences(entries: list[Entry], rules: Ruleset) -> list[str]:
    """What entries say, each sentence once; several powers that sent orders are told in one, where the last did."""
    sent = [entry for entry in entries if entry.kind == "submitted" and "power" in entry.facts]
    powers = list(dict.fromkeys(entry.facts["power"] for entry in sent))
    if len(powers) < 2:
        return list(dict.fromkeys(entry.text for entry in entries))
    together = capital(f"{listed([rules.named(power).called for power in powers])} sent orders.")
    told = [together if entry is sent[-1] else entry.text for entry in entries if entry not in sent[:-1]]
    return list(dict.fromkeys(told))
