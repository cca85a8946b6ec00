"""News over real connections: two hundred watch while a turn is judged; who was away is told of what was missed."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import httpx2 as httpx
import pytest

from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import letters
from legation.office.errors import UnavailableError
from legation.office.game import journal
from legation.office.hosting import votes
from legation.office.monitoring import processes
from legation.office.office import Office
from legation.office.operation import health
from legation.office.orders import submissions
from legation.web import create_app
from legation.web.play import live
from tests.apart import run_apart
from tests.office.playing import begin, passes
from tests.rules.small_variant import write_foggy
from tests.serving import served
from tests.web.clients import client_of

WATCHERS = 200


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


def test_a_silent_stream_says_that_it_is_alive_at_even_times_whatever_others_do(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sheet that somebody sends where senders are hidden wakes every watcher, who may not be told: were the pause
    begun anew by that, its length would tell when the sheet came."""
    monkeypatch.setattr(live, "STILL_HERE", 1.0)
    record, _, _ = begin(office, shows_senders="nobody")

    async def watch() -> None:
        follower = live.Follower(office)
        monkeypatch.setattr(follower, "_told", lambda *_: False)
        stream = follower.watch(record.key, Actor.visitor())
        assert (await anext(stream)).startswith(b"retry: 5000")

        async def others_send() -> None:
            while True:
                for watcher in follower.watchers[record.key]:
                    watcher.set()
                await asyncio.sleep(0.01)

        sending = asyncio.create_task(others_send())
        assert await asyncio.wait_for(anext(stream), 60) == b": still here\n\n"
        sending.cancel()
        await stream.aclose()

    run_apart(watch())


@pytest.mark.long
def test_many_watch_while_a_turn_is_judged(office: Office, clock: SimulatedClock) -> None:
    game, _, _ = begin(office)
    app = create_app(office)

    def judge() -> None:
        passes(office, clock, timedelta(days=1, minutes=1))

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
        run_apart(watch())


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
        run_apart(watch())


def test_whoever_follows_the_news_goes_on_after_a_fault_and_after_its_death(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database is away for two looks, then the task dies: each is begun anew, tells what came meanwhile, and how it
    does is a figure."""
    monkeypatch.setattr(live, "PAUSES", (0.01,))
    monkeypatch.setattr(live, "PAUSE", 0.01)
    monkeypatch.setattr(live, "STILL_HERE", 0.2)
    game, players, _ = begin(office)
    away = [0]
    follow = journal.follow

    def look(asked: Office, after: int) -> tuple[int, tuple[str, ...]]:
        if away[0]:
            away[0] -= 1
            raise UnavailableError("The database is away.")
        return follow(asked, after)

    monkeypatch.setattr(journal, "follow", look)
    failed = Mock(wraps=office.pulses.failed)
    monkeypatch.setattr(office.pulses, "failed", failed)

    def how() -> processes.Pulse | None:
        return next((pulse for pulse in office.pulses.all() if pulse.name == live.NAME), None)

    async def news(stream: AsyncIterator[bytes]) -> None:
        while b"event: news" not in await asyncio.wait_for(anext(stream), 60):
            pass

    async def watch() -> None:
        follower = live.Follower(office)
        stream = follower.watch(game.key, Actor.visitor())
        await anext(stream)
        away[0] = 2
        while away[0]:
            await asyncio.sleep(0.01)
        submissions.submit(office, players["France"], game.key, "France", "A par H")
        await news(stream)
        pulse = how()
        assert pulse is not None and (pulse.failures, failed.call_count) == (0, 2)
        assert f"thread {live.NAME}" in {check.name for check in health.live(office)}
        assert f'legation_thread_failures{{thread="{live.NAME}"}} 0.0' in health.metrics(office).decode()
        dead = follower.task
        assert dead is not None
        dead.cancel()
        await asyncio.wait([dead])
        submissions.submit(office, players["England"], game.key, "England", "F lon H")
        await news(stream)
        assert follower.task is not dead
        await stream.aclose()
        last = follower.task
        if last is not None:
            await asyncio.wait_for(last, 60)
        assert how() is None and follower.task is None, "nobody watches"

    run_apart(watch())


def test_news_are_told_in_the_language_of_the_page(office: Office) -> None:
    game, players, _ = begin(office, ready_ends=False)
    before = journal.mark(office)
    submissions.submit(office, players["England"], game.key, "England", "A cal H")
    site = client_of(create_app(office), office, players["France"])
    told = site.get(f"/games/{game.key}/news?after={before}", headers={"accept-language": "de"}).json()
    assert told["lines"] == ["Von England kam Fassung 1."] and told["owed"] == "Befehle fällig"


def test_in_the_fog_what_others_do_is_no_news(
    make_office: Callable[..., Office], tmp_path: Path, clock: SimulatedClock
) -> None:
    write_foggy(tmp_path)
    office = make_office(variants=str(tmp_path))
    game, players, host = begin(office, variant="foggy", powers=3, ready_ends=False)
    one, two, three = players
    readers = {"visitor": Actor.visitor(), "player": players[three], "host": host}
    app = create_app(office)
    acts: list[Callable[[], object]] = [
        lambda: submissions.submit(office, players[one], game.key, one, "# I hold"),
        lambda: submissions.ready(office, players[one], game.key, one),
        lambda: submissions.not_ready(office, players[one], game.key, one),
        lambda: submissions.withdraw(
            office, players[one], submissions.mine(office, players[one], game.key, one)[-1].id
        ),
        lambda: votes.vote(office, players[one], game.key, one, "cancel"),
        lambda: votes.take_back(office, players[one], game.key, one, "cancel"),
        lambda: letters.write(office, players[one], game.key, one, [two], "Where are you?"),
    ]

    def shown() -> dict[str, dict[str, Any]]:
        at = f"/games/{game.key}/news?after={before}"
        told = {name: client_of(app, office, actor).get(at).json() for name, actor in readers.items()}
        return {name: {key: value for key, value in news.items() if key != "last"} for name, news in told.items()}

    votes.vote(office, players[two], game.key, two, "cancel")  # that a vote began is told to all
    before = journal.mark(office)
    pages = shown()
    for act in acts:
        act()
        heard = {name: journal.is_news(office, actor, game.key, before) for name, actor in readers.items()}
        assert heard == dict.fromkeys(readers, False)
    assert shown() == pages
    assert journal.is_news(office, players[one], game.key, before)
    assert journal.mark(office) != journal.mark(office), "nor does it tell that any line was written"
