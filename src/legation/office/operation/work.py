"""Due work: what happens because it is time. A worker claims a row in the transaction that does its effect, so that a
worker killed anywhere leaves it to another, and nothing happens twice.

What needs the keeper is asked before the transaction (``prepare``), so that nobody waits for a slow keeper. Work that
fails waits, longer each time; after five failures it goes to the desk with its error.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

import msgspec

from legation.office.accounts import seats
from legation.office.act import CommandContext
from legation.office.actor import Actor
from legation.office.clock import micros, moment_or_none
from legation.office.errors import OfficeError, UnavailableError
from legation.office.hosting import retrospects
from legation.office.messages import mailings
from legation.office.monitoring.logs import told_of, where
from legation.office.office import Office
from legation.office.operation import sweeping
from legation.office.orders import bot_orders
from legation.office.processing import closing, judging, publishing, skipping, unsealing
from legation.office.store import queries, unpack
from legation.office.store.rows import GameRow, WorkRow
from legation.office.terms import invariants

ATTEMPTS = 5
PAUSES = (10, 60, 300, 1800)  # seconds after the first, second, ... failure
BUSY = 30
"""Attempts after which a bot that is busy goes to the desk: it is so for seconds, while others ask it or its code is
compiled, and a guest waits for it."""
AT_ONCE = 50
LANES: dict[str, tuple[str, ...]] = {"work": (), "bots": ("bot orders",), "analyses": ("analyze",)}
"""The threads that do work, with the kinds that each does alone; ``work`` does all others. What may take long has one
of its own, so that no deadline waits for a bot, and no bot for an analysis."""
SLOW = LANES["bots"] + LANES["analyses"]

Prepare = Callable[[Office, dict[str, Any]], Any]
Do = Callable[[CommandContext, dict[str, Any], Any], None]


class Kind(msgspec.Struct, frozen=True):
    """How a kind of work is done: ``prepare`` outside any transaction (its answer is given to ``do``), ``do`` inside
    one."""

    do: Do
    prepare: Prepare | None = None


def _kinds() -> dict[str, Kind]:
    return {
        "start game": Kind(seats.start_when_full, seats.prepare_deal),
        "close turn": Kind(closing.close_turn, closing.ask_time),
        "end early": Kind(closing.end_early, closing.ask_keeper),
        "notice": Kind(closing.witness, closing.give_notice),
        "open seals": Kind(unsealing.open_seals, unsealing.fetch_key),
        "open skipped": Kind(skipping.open_skipped, skipping.give_keys),
        "judge": Kind(judging.judge),
        "publish": Kind(publishing.publish),
        "next turn": Kind(publishing.next_turn),
        "remind": Kind(mailings.remind),
        "bot orders": Kind(bot_orders.send_bot_orders, bot_orders.ask_bots),
        "analyze": Kind(retrospects.note_analysis, retrospects.analyze_game),
        "sweep": Kind(sweeping.sweep, sweeping.orphans),
    }


def run_due(office: Office, limit: int = 10_000, stop: threading.Event | None = None, *, lane: str = "") -> int:
    """Do all work that is due, and what becomes due by it, until told to stop; the answer is how much was done.

    ``lane``: only what that thread of ``LANES`` does.
    """
    kinds, only = _kinds(), LANES.get(lane, ())
    but = SLOW if lane and not only else ()
    done = 0
    while done < limit:
        with office.store.transaction(write=False) as tx:
            rows = queries.due_work(tx, micros(office.clock.now()), AT_ONCE, only, but)
        worked = 0
        for row in rows:
            if stop is not None and stop.is_set():
                return done + worked
            worked += _attempt(office, kinds, row)
        done += worked
        if not worked:
            break
    return done


def run_forever(
    office: Office,
    stop: threading.Event,
    pause: float = 1.0,
    beat: Callable[[], None] = lambda: None,
    *,
    lane: str = "",
) -> None:
    """Do work as it falls due until told to stop: it looks when there is news, and every ``pause`` seconds. A database
    that is away is waited for."""
    with office.waiter("work") as wait:
        while not stop.is_set():
            try:
                run_due(office, stop=stop, lane=lane)
                beat()
            except UnavailableError:
                office.log.warning("the store cannot be reached")
                stop.wait(pause)
            wait(pause)


def next_due(office: Office) -> datetime | None:
    """When the next work is due; None if none is."""
    with office.store.transaction(write=False) as tx:
        return moment_or_none(queries.next_due(tx))


def _attempt(office: Office, kinds: dict[str, Kind], row: WorkRow) -> bool:
    """Try a piece of work; False if another worker has it or it failed."""
    try:
        kind = kinds[row.kind]
        facts = unpack(row.facts)
        begun = time.perf_counter()
        prepared = kind.prepare(office, facts) if kind.prepare else None
        with office.store.transaction() as tx:
            now = office.clock.now()
            if queries.claim_work(tx, row.id, micros(now)) is None:
                return False
            act = CommandContext(office, Actor.clock(), tx, f"work.{row.kind}", now)
            kind.do(act, facts, prepared)
            invariants.check(tx, act.games)
        office.figures.work.labels(row.kind).observe(time.perf_counter() - begun)
        return True
    except UnavailableError as error:
        _fail(office, row, error, lasting=False)
    except OfficeError as error:
        _fail(office, row, error)
    except Exception as error:  # whatever it is, it is the desk's, and nothing else stops
        office.log.error("work failed", kind=row.kind, work=row.id, **told_of(error))
        _fail(office, row, error)
    return False


def _fail(office: Office, row: WorkRow, error: Exception, *, lasting: bool = True) -> None:
    """Note a failure. What is only away for a while (``lasting`` False) is tried on and on."""
    office.figures.failures.labels("work", row.kind).inc()
    with office.store.transaction() as tx:
        act = CommandContext(office, Actor.clock(), tx, "work", office.clock.now())
        present = tx.find(WorkRow, id=row.id, state="waiting", lock=True)
        if present is None:
            return
        attempts = present.attempts + 1
        text = (
            error.message[:500] if isinstance(error, OfficeError) else f"{type(error).__name__} at {where(error)[-1]}"
        )
        failed = lasting and attempts >= ATTEMPTS
        soon = not lasting and row.kind in LANES["bots"]
        pause = PAUSES[0] if soon else PAUSES[min(attempts, len(PAUSES)) - 1]
        tx.change(
            present,
            attempts=attempts,
            error=text,
            due=act.later(seconds=pause),
            state="failed" if failed else "waiting",
        )
        if failed or (not lasting and attempts == (BUSY if soon else ATTEMPTS)):
            game = tx.get(GameRow, row.game) if row.game is not None else None
            act.add_task("failed", game, work=row.id, what=row.kind, error=text)
