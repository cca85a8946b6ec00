"""How the office is: for ``/health`` and ``/metrics``, and for whoever is called at night.

Numbers only, of the whole office.
"""

from __future__ import annotations

from legation.office.clock import micros
from legation.office.errors import Busy, OfficeError, Sealed
from legation.office.office import Office
from legation.office.records import Record
from legation.office.store import queries
from legation.office.store.rows import DeskRow, GameRow, MailingRow, WorkRow

LATE_SECONDS = 120
PROBE = "health.probe"


class Health(Record, frozen=True, kw_only=True):
    """``good`` is whether games go on. ``late`` is for how many seconds the longest waiting work has been due."""

    good: bool
    store: bool
    keeper: bool
    running: int = 0
    late: float = 0.0
    failed: int = 0
    mails: int = 0
    desk: int = 0


def health(office: Office) -> Health:
    """Look at store, keeper, work and outbox."""
    keeper = _keeper_answers(office)
    try:
        with office.store.transaction(write=False) as tx:
            now = micros(office.clock.now())
            due = queries.next_due(tx)
            late = max(0.0, (now - due) / 1e6) if due is not None else 0.0
            return Health(
                good=keeper and late < LATE_SECONDS, store=True, keeper=keeper,
                running=tx.count(GameRow, state="running"), late=late, failed=tx.count(WorkRow, state="failed"),
                mails=tx.count(MailingRow, state="waiting"), desk=tx.count(DeskRow, done=None),
            )  # fmt: skip
    except OfficeError:
        return Health(good=False, store=False, keeper=keeper)


def _keeper_answers(office: Office) -> bool:
    try:
        office.keeper.make(PROBE, None)
        office.keeper.key(PROBE)
    except Sealed:
        return True
    except Busy:
        return False
    return False  # it gave a key that it should not give


def metrics(office: Office) -> bytes:
    """The same for Prometheus, in its text form."""
    from prometheus_client import CollectorRegistry, Gauge, generate_latest

    state = health(office)
    registry = CollectorRegistry()
    for name, value, meaning in (
        ("up", state.good, "Whether games go on."),
        ("store_up", state.store, "Whether the database answers."),
        ("keeper_up", state.keeper, "Whether the keeper answers."),
        ("games_running", state.running, "Running games."),
        ("work_late_seconds", state.late, "For how long the longest waiting work has been due."),
        ("work_failed", state.failed, "Work that failed five times."),
        ("mailings_waiting", state.mails, "Messages that wait to be sent."),
        ("desk_items", state.desk, "What waits for coordinators."),
    ):
        Gauge(f"legation_{name}", meaning, registry=registry).set(float(value))
    return generate_latest(registry)
