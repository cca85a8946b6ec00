"""News over real connections: two hundred watch while a turn is judged; who was away is told of what was missed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import httpx2 as httpx

from legation.office import Office, SimulatedClock, journal, submissions, work
from legation.web import create_app
from tests.office.playing import begin
from tests.serving import served

WATCHERS = 200


def apart(run: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run in a thread of its own: tests in a browser may have left a loop running in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(run())).result()


async def events(site: httpx.AsyncClient, address: str, **headers: str) -> AsyncGenerator[dict[str, str], None]:
    """The events of a stream, as their fields."""
    async with site.stream("GET", address, headers=headers) as stream:
        assert stream.status_code == 200
        told: dict[str, str] = {}
        async for line in stream.aiter_lines():
            name, _, value = line.partition(": ")
            if line:
                told[name] = value
            else:
                yield told
                told = {}


def test_many_watch_while_a_turn_is_judged(office: Office, clock: SimulatedClock) -> None:
    game, _, _ = begin(office)
    app = create_app(office)

    def judge() -> None:
        clock.advance(timedelta(days=1, minutes=1))
        work.run_due(office)

    async def watch() -> None:
        ready = asyncio.Barrier(WATCHERS + 1)
        async with httpx.AsyncClient(limits=httpx.Limits(max_connections=WATCHERS), timeout=60) as site:

            async def one() -> str:
                stream = events(site, f"{here}/games/{game.key}/live")
                await anext(stream)
                await ready.wait()
                heard = await anext(stream)
                await stream.aclose()
                return heard["event"]

            watching = [asyncio.create_task(one()) for _ in range(WATCHERS)]
            await asyncio.wait_for(ready.wait(), 60)
            assert len(app.state.follower.watchers[game.key]) == WATCHERS
            await asyncio.to_thread(judge)
            heard = await asyncio.wait_for(asyncio.gather(*watching), 60)
            assert heard == ["news"] * WATCHERS

    with served(app) as here:
        apart(watch)


def test_who_was_away_is_told_of_what_was_missed(office: Office) -> None:
    game, players, _ = begin(office)

    async def watch() -> None:
        async with httpx.AsyncClient(timeout=60) as site:
            address = f"{here}/games/{game.key}/live"
            stream = events(site, address)
            begun = await anext(stream)
            await stream.aclose()
            quiet = events(site, address, **{"last-event-id": begun["id"]})
            assert "event" not in await anext(quiet)
            waiting = asyncio.ensure_future(anext(quiet))
            await asyncio.sleep(0.05)
            assert not waiting.done()
            submissions.submit(office, players["France"], game.key, "France", "A par H")
            assert (await waiting)["event"] == "news"
            again = events(site, address, **{"last-event-id": begun["id"]})
            told = [await anext(again), await anext(again)]
            assert told[1]["event"] == "news" and told[1]["id"] != begun["id"]
            early = events(site, f"{address}?after={begun['id']}")
            told_again = journal.read_mark(office, (await anext(early))["id"])
            assert told_again == journal.read_mark(office, begun["id"])  # so that it is told again, should it break off
            assert (await anext(early))["event"] == "news"
            odd = events(site, address, **{"last-event-id": "not a number"})
            assert "event" not in await anext(odd)
            for stream in (quiet, again, early, odd):
                await stream.aclose()

    with served(create_app(office)) as here:
        apart(watch)
