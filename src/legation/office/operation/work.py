"""Due work: what happens because it is time. A worker claims a row in the transaction that does its effect, so that a
worker killed anywhere leaves it to another, and nothing happens twice.

What needs the keeper is asked before the transaction (``prepare``), so that nobody waits for a slow keeper. Work that
fails waits, longer each time; after five failures it goes to the desk with its error.

What is due at once by a piece of work and needs no preparation is done in the same transaction, as a part of its own:
a turn whose seals are opened is judged and published with it. Where such a part fails it is undone and waits, to be
tried by itself.

Where turns of many games fall due together, the same step of some is one transaction, so that the disk is waited for
once, for as long as others who want to write can wait. Where one of them fails all are undone, and each is tried by
itself.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

import msgspec

from legation.office.clock import micros, moment_or_none
from legation.office.context import Actor, CommandContext, by_clock
from legation.office.desk import mailings
from legation.office.errors import OfficeError, UnavailableError
from legation.office.game import closing, dealing, judging, publishing, skipped_turns, unsealing, waiting_lists
from legation.office.hosting import player_ratings, retrospects, round_seating, rounds, tournament_mails
from legation.office.monitoring.logs import told_of, where
from legation.office.office import Office
from legation.office.operation import sweeping
from legation.office.orders import bot_orders
from legation.office.store import queries
from legation.office.store.packing import unpack
from legation.office.store.rows import DeskRow, GameRow, TurnRow, WorkRow
from legation.office.store.transaction import Transaction
from legation.office.terms import invariants, tournament_invariants

ATTEMPTS = 5
PAUSES = (10, 60, 300, 1800)  # seconds after the first, second, ... failure
BUSY = 30
"""Attempts after which a bot that is busy goes to the desk: it is so for seconds, while others ask it or its code is
compiled, and a guest waits for it."""
AT_ONCE = 50
TOGETHER = 10
"""Turns of which a step is one transaction, on SQLite. On PostgreSQL other workers share the work, and would wait for
the games that are locked."""
LONGEST = 0.2
"""Seconds after which no other turn is begun in such a transaction: a page that writes waits for it."""
LANES: dict[str, tuple[str, ...]] = {
    "work": (),
    "bots": ("bot orders",),
    "analyses": ("analyze",),
    "seatings": ("seat round",),
}
"""The threads that do work, with the kinds that each does alone; ``work`` does all others. What may take long has one
of its own, so that no deadline waits for a bot, and no bot for an analysis."""
SLOW = LANES["bots"] + LANES["analyses"] + LANES["seatings"]

Prepare = Callable[[Office, dict[str, Any]], Any]
Do = Callable[[CommandContext, dict[str, Any], Any], None]


class Kind(msgspec.Struct, frozen=True):
    """Handler of a kind of work: ``prepare`` outside any transaction (its answer is given to ``do``), ``do`` inside
    one."""

    do: Do
    prepare: Prepare | None = None


def _kinds() -> dict[str, Kind]:
    return {
        "start game": Kind(dealing.start_when_full, dealing.prepare_deal),
        "close turn": Kind(closing.close_turn, closing.ask_time),
        "end early": Kind(closing.end_early, closing.ask_keeper),
        "notice": Kind(closing.witness, closing.give_notice),
        "open seals": Kind(unsealing.open_seals, unsealing.fetch_key),
        "open skipped": Kind(skipped_turns.open_skipped, skipped_turns.give_keys),
        "judge": Kind(judging.judge),
        "publish": Kind(publishing.publish),
        "next turn": Kind(publishing.next_turn),
        "remind": Kind(mailings.remind),
        "desk mail": Kind(mailings.write_desk_mail),
        "bot orders": Kind(bot_orders.send_bot_orders, bot_orders.ask_bots),
        "analyze": Kind(retrospects.note_analysis, retrospects.analyze_game),
        "rate": Kind(player_ratings.rate_game),
        "seat round": Kind(round_seating.write_seating, round_seating.draw_seating),
        "count board": Kind(rounds.count_board),
        "tell waiting": Kind(waiting_lists.tell_waiting),
        "tell standings": Kind(tournament_mails.mail_standings),
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
        for together in _together(rows, TOGETHER if office.store.sqlite else 1):
            if stop is not None and stop.is_set():
                return done + worked
            worked += _attempt_all(office, kinds, together)
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
    """Return the time at which the next work is due; None if none is."""
    with office.store.transaction(write=False) as tx:
        return moment_or_none(queries.next_due(tx))


def _together(rows: Sequence[WorkRow], most: int) -> Iterator[list[WorkRow]]:
    """What is done in one transaction: the same step of several turns, and anything else by itself."""
    for kind, alike in groupby(rows, lambda row: row.kind):
        listed, size = list(alike), most if kind in mailings.TURNS else 1
        yield from (listed[at : at + size] for at in range(0, len(listed), size))


def _attempt_all(office: Office, kinds: dict[str, Kind], rows: list[WorkRow]) -> int:
    """Try pieces of work of one kind, and what is due by them; the answer is how much was done."""
    done = tried = 0
    if len(rows) > 1:
        kind = kinds[rows[0].kind]
        with contextlib.suppress(Exception):  # all is undone; tried by itself, what fails tells why
            with office.store.reading():
                with office.store.transaction(write=False) as tx:
                    _read_games(tx, rows)
                prepared = [kind.prepare(office, unpack(row.facts)) if kind.prepare else None for row in rows]
            while tried < len(rows):
                with office.store.transaction() as tx:
                    worked, number = _do(office, tx, kinds, rows[tried:], prepared[tried:])
                done, tried = done + worked, tried + number
    return done + sum(_attempt(office, kinds, row) for row in rows[tried:])


def _attempt(office: Office, kinds: dict[str, Kind], row: WorkRow) -> int:
    """Try a piece of work, and what is due by it; the answer is how much was done: none if another worker has it or it
    failed."""
    try:
        kind = kinds[row.kind]
        prepared = kind.prepare(office, unpack(row.facts)) if kind.prepare else None
        with office.store.transaction() as tx:
            return _do(office, tx, kinds, [row], [prepared])[0]
    except UnavailableError as error:
        _fail(office, row, error, lasting=False)
    except OfficeError as error:
        _fail(office, row, error)
    except Exception as error:  # whatever it is, it is the desk's, and nothing else stops
        office.log.error("work failed", kind=row.kind, work=row.id, **told_of(error))
        _fail(office, row, error)
    return 0


def _do(
    office: Office, tx: Transaction, kinds: dict[str, Kind], rows: Sequence[WorkRow], prepared: Sequence[Any]
) -> tuple[int, int]:
    """Do pieces of work in a transaction, and what is due by them, until it has lasted for long enough; how much was
    done, and how many of the pieces were tried. The others wait as before."""
    now, begun = office.clock.now(), time.monotonic()
    claimed = queries.claim_work(tx, [row.id for row in rows], micros(now))
    _read_games(tx, rows)
    done = tried = 0
    for row, given in zip(rows, prepared, strict=True):
        if tried and time.monotonic() - begun > LONGEST:
            later = [row.id for row in rows[tried:] if row.id in claimed]
            tx.change_where(WorkRow, {"state": "waiting"}, id=later)
            break
        if row.id in claimed:
            done += _carry_out(office, tx, kinds, row, given, now)
        tried += 1
    return done, tried


def _read_games(tx: Transaction, rows: Sequence[WorkRow]) -> None:
    """Read the turns and the games of work that is done together, once for all of it."""
    if len(rows) > 1 and not tx.locks:
        tx.all(TurnRow, id=[unpack(row.facts)["turn"] for row in rows])
        tx.all(GameRow, id=[row.game for row in rows])


def _carry_out(
    office: Office, tx: Transaction, kinds: dict[str, Kind], row: WorkRow, prepared: Any, now: datetime
) -> int:
    begun = time.perf_counter()
    act = CommandContext(office, Actor.clock(), tx, f"work.{row.kind}", now)
    kinds[row.kind].do(act, unpack(row.facts), prepared)
    invariants.check(tx, act.games)
    tournament_invariants.check(tx, act.tournaments)
    if row.attempts >= ATTEMPTS:
        _close_failed(act, row)
    office.figures.work.labels(row.kind).observe(time.perf_counter() - begun)
    return 1 + sum(_go_on(office, kinds, due) for due in act.due_now if kinds[due.kind].prepare is None)


def _close_failed(act: CommandContext, row: WorkRow) -> None:
    """Close what the desk tells of work that failed again and again, and has been done now."""
    for item in act.tx.all(DeskRow, kind="failed", game=row.game, done=None):
        if unpack(item.facts).get("work") == row.id:
            act.tx.change(item, done=act.at, note="it was done in the end")


def _go_on(office: Office, kinds: dict[str, Kind], row: WorkRow) -> int:
    """Do what is due by the work that is being done, as a part of its transaction; how much was done."""
    try:
        with office.store.transaction() as part:
            queries.schedule_work(part, msgspec.structs.replace(row, state="done"))  # nobody else knows of it yet
            return _carry_out(office, part, kinds, row, None, office.clock.now())
    except Exception:  # it is undone, and waits: tried by itself, it tells why it fails
        return 0


def _fail(office: Office, row: WorkRow, error: Exception, *, lasting: bool = True) -> None:
    """Note a failure. What is only away for a while (``lasting`` False) is tried on and on."""
    office.figures.failures.labels("work", row.kind).inc()
    with by_clock(office) as act:
        present = act.tx.find(WorkRow, id=row.id, state="waiting", lock=True)
        if present is None:
            return
        attempts = present.attempts + 1
        text = (
            error.message[:500] if isinstance(error, OfficeError) else f"{type(error).__name__} at {where(error)[-1]}"
        )
        failed = lasting and attempts >= ATTEMPTS
        soon = not lasting and row.kind in LANES["bots"]
        pause = PAUSES[0] if soon else PAUSES[min(attempts, len(PAUSES)) - 1]
        act.tx.change(
            present,
            attempts=attempts,
            error=text,
            due=act.later(seconds=pause),
            state="failed" if failed else "waiting",
        )
        if failed or (not lasting and attempts == (BUSY if soon else ATTEMPTS)):
            game = act.tx.get(GameRow, row.game) if row.game is not None else None
            act.add_task("failed", game, work=row.id, what=row.kind, error=text)
