"""Due work: what happens because it is time. A worker claims a row in the transaction that does its effect, so that one
killed anywhere leaves it to another, and nothing happens twice.

The keeper is asked before the transaction (``prepare``). Work that fails waits, longer each time, and after five
failures goes to the desk. What is due at once by a piece of work is done in the same transaction, as a part that can be
undone; the same step of many turns is one transaction, of bounded length, so that the disk is waited for once."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

import msgspec

from legation.office.clock import micros, moment_or_none
from legation.office.context import GUESTS, Actor, CommandContext, by_clock
from legation.office.desk import bot_letters, mailings
from legation.office.desk.tasks import close_about
from legation.office.errors import OfficeError, UnavailableError
from legation.office.game import closing, judging, orders_ahead, publishing, seat_holders, unsealing, waiting_lists
from legation.office.hosting import erasing, openings, player_ratings, retrospects, rounds, standings
from legation.office.identity import traces
from legation.office.monitoring.logs import told_of, where
from legation.office.office import Office
from legation.office.orders import bot_orders
from legation.office.store import queries
from legation.office.store.packing import unpack
from legation.office.store.rows import (
    NAME_FILES,
    AbsenceRow,
    AddressRow,
    AnswerRow,
    BrowserRow,
    CredentialRow,
    GameRow,
    JournalRow,
    MailingRow,
    PersonRow,
    SharedRow,
    SignUpRow,
    TraceRow,
    TurnRow,
    WorkRow,
)
from legation.office.store.transaction import Before, Not, Transaction
from legation.office.terms import invariants

ATTEMPTS = 5
PAUSES = (10, 60, 300, 1800)  # seconds after the first, second, ... failure
BUSY = 30
"""Attempts after which a bot that is busy goes to the desk: it is so for seconds, while others ask it or its code is
compiled, and a guest waits for it."""
AT_ONCE = 50
TOGETHER = 10
"""Turns of which a step is one transaction, on SQLite. On PostgreSQL other workers share the work, and would wait for
the games that are locked."""
LONGEST = 0.2  # seconds after which no other turn is begun in such a transaction: a page that writes waits for it
LANES: dict[str, tuple[str, ...]] = {
    "work": (),
    "bots": ("bot orders", "bot letter"),
    "analyses": ("analyze",),
    "seatings": ("seat round",),
}
"""The threads that do work, with the kinds that each does alone; ``work`` does all others. What may take long has one
of its own, so that no deadline waits for a bot, and no bot for an analysis."""
SLOW = LANES["bots"] + LANES["analyses"] + LANES["seatings"]

Prepare = Callable[[Office, dict[str, Any]], Any]
Do = Callable[[CommandContext, dict[str, Any], Any], object]


class Kind(msgspec.Struct, frozen=True):
    """Handler of a kind of work: ``prepare`` outside any transaction, whose answer is given to ``do`` inside one."""

    do: Do
    prepare: Prepare | None = None


def _kinds() -> dict[str, Kind]:
    return {
        "start game": Kind(seat_holders.start_when_full, seat_holders.prepare_deal),
        "close turn": Kind(closing.close_turn, closing.ask_time),
        "end early": Kind(closing.end_early, closing.ask_keeper),
        "notice": Kind(closing.witness, closing.give_notice),
        "open seals": Kind(unsealing.open_seals, unsealing.fetch_key),
        "open skipped": Kind(orders_ahead.open_skipped, orders_ahead.give_keys),
        "judge": Kind(judging.judge),
        "publish": Kind(publishing.publish),
        "next turn": Kind(publishing.next_turn),
        "remind": Kind(mailings.remind),
        "desk mail": Kind(mailings.write_desk_mail),
        "bot orders": Kind(bot_letters.order_and_write, bot_orders.ask_bots),
        "bot letter": Kind(bot_letters.answer_letter, bot_letters.ask_for_answer),
        "analyze": Kind(lambda *_: None, retrospects.analyze_game),
        "archive": Kind(openings.archive_game),
        "rate": Kind(player_ratings.rate_game),
        "rate all": Kind(lambda act, *_: player_ratings.rate_all(act)),
        "seat round": Kind(rounds.write_seating, rounds.draw_seating),
        "count board": Kind(rounds.count_board),
        "tell waiting": Kind(waiting_lists.tell_waiting),
        "tell standings": Kind(standings.mail_standings),
        "sweep": Kind(sweep, orphans),
    }


def run_due(office: Office, *, stop: threading.Event | None = None, lane: str = "") -> int:
    """Do what is due, and what becomes due by it (of a ``lane`` alone), until told to stop; return how much."""
    done = 0
    only: dict[str, Any] = {"kind": LANES[lane] or Not(SLOW)} if lane else {}
    while True:
        with office.store.transaction(write=False) as tx:
            now = Before(micros(office.clock.now()) + 1)
            rows = tx.all(WorkRow, order="due", limit=AT_ONCE, state="waiting", due=now, **only)
        worked = 0
        for together in _together(rows, TOGETHER if office.store.sqlite else 1):
            if stop is not None and stop.is_set():
                return done + worked
            worked += _attempt_all(office, together)
        done += worked
        if not worked:
            return done


def run_forever(
    office: Office, stop: threading.Event, beat: Callable[[], None], *, lane: str = "", pause: float = 1.0
) -> None:
    """Do work as it falls due, at news and every ``pause`` seconds, until told to stop; wait out lost databases."""
    with office.store.notifier.waiter("work") as wait:
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
    for kind, alike in groupby(rows, lambda row: row.kind):
        listed, size = list(alike), most if kind in mailings.TURNS else 1
        yield from (listed[at : at + size] for at in range(0, len(listed), size))


def _attempt_all(office: Office, rows: list[WorkRow]) -> int:
    done = tried = 0
    if len(rows) > 1:
        prepare = _kinds()[rows[0].kind].prepare
        with contextlib.suppress(Exception):  # all is undone; tried by itself, what fails tells why
            with office.store.reading():
                with office.store.transaction(write=False) as tx:
                    _read_games(tx, rows)
                prepared = [prepare(office, unpack(row.facts)) if prepare else None for row in rows]
            while tried < len(rows):
                with office.store.transaction() as tx:
                    worked, number = _do(office, tx, rows[tried:], prepared[tried:])
                done, tried = done + worked, tried + number
    return done + sum(_attempt(office, row) for row in rows[tried:])


def _attempt(office: Office, row: WorkRow) -> int:
    try:
        prepare = _kinds()[row.kind].prepare
        prepared = prepare(office, unpack(row.facts)) if prepare else None
        with office.store.transaction() as tx:
            return _do(office, tx, [row], [prepared])[0]
    except Exception as error:  # whatever it is, it is the desk's, and nothing else stops
        if not isinstance(error, OfficeError):
            office.log.error("work failed", kind=row.kind, work=row.id, **told_of(error))
        _fail(office, row, error)
    return 0


def _do(office: Office, tx: Transaction, rows: Sequence[WorkRow], prepared: Sequence[Any]) -> tuple[int, int]:
    """Do work and what is due by it in one bounded transaction; return how much was done, and tried."""
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
            done += _carry_out(office, tx, row, given, now)
        tried += 1
    return done, tried


def _read_games(tx: Transaction, rows: Sequence[WorkRow]) -> None:
    if len(rows) > 1 and not tx.locks:
        tx.all(TurnRow, id=[unpack(row.facts)["turn"] for row in rows])
        tx.all(GameRow, id=[row.game for row in rows])


def _carry_out(office: Office, tx: Transaction, row: WorkRow, prepared: Any, now: datetime) -> int:
    begun, kinds = time.perf_counter(), _kinds()
    act = CommandContext(office, Actor.clock(), tx, f"work.{row.kind}", now)
    kinds[row.kind].do(act, unpack(row.facts), prepared)
    invariants.check(tx, act.games, act.tournaments)
    if row.attempts >= ATTEMPTS:
        close_about(act, "failed", "it was done in the end", work=row.id)
    office.figures.work.labels(row.kind).observe(time.perf_counter() - begun)
    return 1 + sum(_go_on(office, due) for due in act.due_now if kinds[due.kind].prepare is None)


def _go_on(office: Office, row: WorkRow) -> int:
    try:
        with office.store.transaction() as part:
            part.enter(msgspec.structs.replace(row, state="done"))  # nobody else knows of it yet
            return _carry_out(office, part, row, None, office.clock.now())
    except Exception:  # it is undone, and waits: tried by itself, it tells why it fails
        return 0


def _fail(office: Office, row: WorkRow, error: Exception) -> None:
    office.figures.failures.labels("work", row.kind).inc()
    with by_clock(office) as act:
        present = act.tx.find(WorkRow, id=row.id, state="waiting", lock=True)
        if present is None:
            return
        attempts = present.attempts + 1
        text = (
            error.message[:500] if isinstance(error, OfficeError) else f"{type(error).__name__} at {where(error)[-1]}"
        )
        lasting = not isinstance(error, UnavailableError)
        failed = lasting and attempts >= ATTEMPTS
        soon = not lasting and row.kind in LANES["bots"]
        pause = PAUSES[0] if soon else PAUSES[min(attempts, len(PAUSES)) - 1]
        state, due = "failed" if failed else "waiting", act.later(seconds=pause)
        act.tx.change(present, attempts=attempts, error=text, due=due, state=state)
        if failed or (not lasting and attempts == (BUSY if soon else ATTEMPTS)):
            game = act.tx.find(GameRow, id=row.game)
            act.add_task("failed", game, work=row.id, what=row.kind, error=text)


ANSWERS_KEPT = timedelta(days=30)
GUESTS_KEPT = timedelta(days=2)  # their sessions last for one
UNCONFIRMED_KEPT = timedelta(days=7)
FILES_AT_ONCE = 500  # names of files in one question
ORPHANS_KEPT = timedelta(days=1)  # a file is written before its row; never sweep what may be on its way


def sweep(act: CommandContext, facts: dict[str, Any], files: list[str]) -> None:
    """Sweep once a day."""
    act.tx.remove(AnswerRow, at=Before(micros(act.now - ANSWERS_KEPT)))
    act.tx.remove(SharedRow, until=Before(act.at))
    sweep_guests(act)
    for person in queries.never_confirmed(act.tx, micros(act.now - UNCONFIRMED_KEPT)):
        _take_away(act, person)
    erasing.forget_sheets(act)
    act.tx.remove(TraceRow, day=Before(traces.first_kept(act)))
    for name in _unnamed(act.office, files):
        act.office.files.remove(name)
    act.office.outbox_keys.forget(act.at)
    mailings.write_missing_desk_mails(act)
    act.schedule_job("sweep", "sweep", act.later(days=1))


def sweep_guests(act: CommandContext) -> int:
    """Delete guests whose day is over, with the games that were theirs alone; return how many."""
    gone = 0
    for guest in queries.guests(act.tx, GUESTS, micros(act.now - GUESTS_KEPT)):
        own = {game.id for game in act.tx.all(GameRow, coordinator=guest)}
        if queries.games_of(act.tx, guest) - own or any(queries.people_of(act.tx, game) - {guest} for game in own):
            continue
        act.append_journal("guest gone", seen_by="office")  # first, so that the journal's last number never falls
        for game in own:
            queries.forget_game(act.tx, game)
        _take_away(act, guest)
        gone += 1
    return gone


def _take_away(act: CommandContext, person: int) -> None:
    """Delete a guest or an unused account that is in no game, with all that is kept of it."""
    for kind in (CredentialRow, BrowserRow, AddressRow, AbsenceRow, SignUpRow, MailingRow, JournalRow):
        act.tx.remove(kind, person=person)
    act.tx.remove(AnswerRow, actor=f"person {person}")
    erasing.forget_moderation(act, person)
    act.tx.remove(PersonRow, id=person)


def orphans(office: Office, _: object = None) -> list[str]:
    """The files that no row names and that are older than a day: looked for outside any transaction, many at a time."""
    before = office.clock.now() - ORPHANS_KEPT
    return _unnamed(office, [name for name, written in office.files.names() if written < before])


def _unnamed(office: Office, names: list[str]) -> list[str]:
    named: set[str] = set()
    for start in range(0, len(names), FILES_AT_ONCE):
        with office.store.transaction(write=False) as tx:
            asked = names[start : start + FILES_AT_ONCE]
            named |= {row.stored for kind in NAME_FILES for row in tx.all(kind, stored=asked)}
    return [name for name in names if name not in named]


def start_sweeping(office: Office) -> None:
    """Schedule the daily sweep."""
    with by_clock(office) as act:
        act.schedule_job("sweep", "sweep", act.at)
