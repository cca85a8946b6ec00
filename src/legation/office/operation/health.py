"""State of the office, for ``/health``, ``/ready`` and ``/metrics``, and for whoever is called at night.

Numbers and names only, of the whole office."""

import contextlib
import shutil
from pathlib import Path

import msgspec
from prometheus_client import CollectorRegistry, Gauge, generate_latest

from legation.office.clock import micros
from legation.office.errors import OfficeError, UnavailableError
from legation.office.hosting import retrospects
from legation.office.keys.keeper import withholds_keys
from legation.office.office import Office
from legation.office.operation.work import LANES
from legation.office.records import Record
from legation.office.store import queries
from legation.office.store.rows import ArrivalRow, DeskRow, GameRow, MailingRow, WorkRow

LATE_SECONDS = 120
OLD_MAIL_SECONDS = 3600
SILENT_SECONDS = 900  # of a thread: longer than a mail, a turn or a wait for news takes
LONG_SECONDS = {"bots": 3600, "analyses": retrospects.LONGEST}  # of a thread whose work may take long
LEAST_DISK = 200_000_000  # bytes


class Check(msgspec.Struct, frozen=True):
    """Check of one part of the office: its name, whether it is, and the figure or word behind it."""

    name: str
    good: bool
    is_: str | float | int = msgspec.field(name="is", default="")


class Health(Record, frozen=True, kw_only=True):
    """``good``: games go on. ``late``, ``oldest_mail``: seconds that the longest waiting work or mail has been due."""

    good: bool
    store: bool
    keeper: bool
    running: int = 0
    late: float = 0.0
    failed: int = 0
    mails: int = 0
    oldest_mail: float = 0.0
    aside: int = 0
    desk: int = 0
    checks: tuple[Check, ...] = ()


def health(office: Office) -> Health:
    """Look at the store, the disk, the keeper, this process's threads, due work, the outbox, the relay, the mailbox."""
    keeper, jumped = False, getattr(office.clock, "jumped", None)
    with contextlib.suppress(UnavailableError, OSError):
        keeper = withholds_keys(office.keeper)
    steady = Check("clock", jumped is None, jumped.total_seconds() if jumped is not None else "steady")
    checks = [Check("keeper", keeper), steady, *live(office), *_disk(office)]
    try:
        with office.store.transaction() as tx:
            tx.change_where(WorkRow, {"error": ""}, id=-1)  # no row: only whether it may
        checks += [Check("store", True), Check("store writes", True)]
    except OfficeError as error:
        checks += [Check("store writes", False, error.message)]
    try:
        with office.store.transaction(write=False) as tx:
            now = micros(office.clock.now())
            due = queries.next_due(tx, LANES["analyses"])
            oldest = next((mail.due for mail in tx.all(MailingRow, state="waiting", order="due", limit=1)), None)
            relay = any(row.kind == "relay" for row in tx.all(DeskRow, game=None, done=None))
            late, old = (max(0.0, (now - at) / 1e6) if at is not None else 0.0 for at in (due, oldest))
            checks += [
                Check("work", late < LATE_SECONDS, late),
                Check("mail", old < OLD_MAIL_SECONDS, old),
                Check("relay", not relay, "away" if relay else "as far as known"),
            ]
            figures = {
                "running": tx.count(GameRow, state="running"),
                "failed": tx.count(WorkRow, state="failed"),
                "mails": tx.count(MailingRow, state="waiting"),
                "aside": tx.count(ArrivalRow, state="aside"),
                "desk": tx.count(DeskRow, done=None),
            }
    except OfficeError:
        return Health(good=False, store=False, keeper=keeper, checks=(*checks, Check("store", False)))
    checks += [
        Check("mailbox", not pulse.failures, pulse.error or "as far as known")
        for pulse in office.pulses.all()
        if pulse.name == "mailbox"
    ]
    vital = ("keeper", "store", "store writes", "work", "disk")
    good = all(check.good for check in checks if check.name in vital or check.name.startswith("thread "))
    return Health(good=good, store=True, keeper=keeper, late=late, oldest_mail=old, checks=tuple(checks), **figures)


def live(office: Office) -> tuple[Check, ...]:
    """The threads of this process; without a question to anything outside it."""
    checks = []
    for pulse in office.pulses.all():
        good = pulse.seconds < LONG_SECONDS.get(pulse.name, SILENT_SECONDS)
        checks.append(Check(f"thread {pulse.name}", good, round(pulse.seconds, 1)))
    return tuple(checks)


def _disk(office: Office) -> list[Check]:
    path = office.store.engine.url.database if office.store.sqlite else None
    if not path:
        return []
    try:
        free = shutil.disk_usage(Path(path).parent).free
    except OSError as error:
        return [Check("disk", False, error.strerror or "away")]
    return [Check("disk", free > LEAST_DISK, free)]


def metrics(office: Office) -> bytes:
    """Return the office's figures and this process's counters in Prometheus's text format."""
    state, registry = health(office), CollectorRegistry()
    connections = getattr(office.store.engine.pool, "checkedout", lambda: 0)
    for name, value, meaning in (
        ("up", state.good, "Whether games go on."),
        ("store_up", state.store, "Whether the database answers."),
        ("keeper_up", state.keeper, "Whether the keeper answers."),
        ("games_running", state.running, "Running games."),
        ("work_late_seconds", state.late, "For how long the longest waiting work has been due."),
        ("work_failed", state.failed, "Work that failed five times."),
        ("mailings_waiting", state.mails, "Messages that wait to be sent."),
        ("mailings_late_seconds", state.oldest_mail, "For how long the longest waiting message has been due."),
        ("mails_put_aside", state.aside, "Mails that could not be read."),
        ("desk_items", state.desk, "What waits for coordinators."),
        ("connections_used", connections(), "Connections to the database that are in use."),
    ):
        Gauge(f"legation_{name}", meaning, registry=registry).set(float(value))
    good = Gauge("legation_check", "Whether each check of /ready is good.", ("name",), registry=registry)
    for check in state.checks:
        good.labels(check.name).set(float(check.good))
    for figure, meaning in (("seconds", "Since it last did its work."), ("failures", "In a row.")):
        gauge = Gauge(f"legation_thread_{figure}", meaning, ("thread",), registry=registry)
        for pulse in office.pulses.all():
            gauge.labels(pulse.name).set(float(getattr(pulse, figure)))
    return generate_latest(registry) + generate_latest(office.figures.registry)
