"""Versions that came in, as readers are told of them: their commitments, whose they are, which counts."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from legation.office.clock import moment
from legation.office.context import GameContext
from legation.office.game.submission_records import is_own
from legation.office.game.views import OVER, viewpoint
from legation.office.records import SubmissionRecord
from legation.office.store.packing import unpack
from legation.office.store.rows import FileRow, JournalRow, PersonRow, SeatRow, SubmissionRow, TurnRow

SEALED = ("open", "waiting", "closed", "aside", "lost")
"""States of a turn in which nothing is known of what was sent for it."""
ENTERED_BY_COORDINATOR = ("coordinator", "coordinator after the opening")


def may_know_senders(scene: GameContext, turn: TurnRow, seat: SeatRow) -> bool:
    """Return whether the reader may know if a power has sent anything in this turn."""
    if seat.power in scene.own:
        return True
    if viewpoint(scene) is not None:
        return False  # who has anything to order tells where there are units
    if turn.state in ("draft", "final") or (scene.runs_it and turn.state not in SEALED):
        return True
    shown = scene.settings.shows_senders
    return shown == "all" or (shown == "coordinator" and scene.runs_it)


def may_know_version(scene: GameContext, turn: TurnRow, seat: SeatRow, row: SubmissionRow) -> bool:
    """Return whether the reader may know that this version came."""
    return may_know_senders(scene, turn, seat) or (scene.runs_it and row.entered_by in ENTERED_BY_COORDINATOR)


def committed_to(scene: GameContext, turn: TurnRow) -> list[SubmissionRow]:
    """The versions of a turn whose commitments the reader may have now. How many were sent, and when, is told by
    each: so where senders are hidden all enter at the closing, in an order that tells nothing (:mod:`chain`), and
    where rules hide positions a player has the own ones alone."""
    seats = {seat.id: seat for seat in scene.seats.values()}
    told = turn.state not in ("open", "waiting", "aside") and viewpoint(scene) is None
    rows = scene.tx.all(SubmissionRow, turn=turn.id)
    known = [row for row in rows if may_know_version(scene, turn, seats[row.seat], row)]
    numbers = {row.id for row in known}
    others = [row for row in rows if row.id not in numbers] if told else []
    return known + sorted(others, key=lambda row: row.commitment)


def _beside(row: SubmissionRow, among: Sequence[SubmissionRow]) -> str:
    """What another version of the seat makes of this one, by :func:`legation.proofs.records.choose_version`."""
    others = [r for r in among if r.seat == row.seat and r.id != row.id and r.counts and r.withdrawn is None]
    own = [r.version for r in others if is_own(r)]
    entered = [r.version for r in others if not is_own(r) and r.entered_by in ENTERED_BY_COORDINATOR]
    if any(version > row.version for version in (own if own or is_own(row) else entered)):
        return "replaced"
    return "waits for you" if own and not is_own(row) else ""


def submission_records(
    scene: GameContext, turn: TurnRow, seats: list[SeatRow], *, sender: bool
) -> list[SubmissionRecord]:
    """Return the versions of some seats in a turn that the reader may know of; ``sender``: with senders' names."""
    by_id = {seat.id: seat for seat in seats}
    rows = scene.tx.all(SubmissionRow, turn=turn.id, seat=list(by_id))
    rows = [row for row in rows if may_know_version(scene, turn, by_id[row.seat], row)]
    ids = [r.person for r in rows if r.person is not None]
    names = {p.id: p.name for p in scene.tx.all(PersonRow, id=ids)} if sender and ids else {}
    told = [submission_record(row, scene, turn, by_id[row.seat], names, sender=sender, among=rows) for row in rows]
    unsigned = _unsigned(scene, turn, by_id) if sender else set()
    return [
        msgspec.structs.replace(record, unsigned=(row.seat, row.version) in unsigned)
        for row, record in zip(rows, told, strict=True)
    ]


def _unsigned(scene: GameContext, turn: TurnRow, seats: Collection[int]) -> set[tuple[int, int]]:
    rows = scene.tx.all(JournalRow, game=scene.row.id, kind="submitted", turn=turn.id)
    told = [(row.seat, unpack(row.facts)) for row in rows if row.seat in seats]
    return {(seat, facts["version"]) for seat, facts in told if seat is not None and facts.get("unsigned")}


def submission_record(
    row: SubmissionRow,
    scene: GameContext,
    turn: TurnRow,
    seat: SeatRow,
    names: dict[int, str],
    *,
    sender: bool,
    among: Sequence[SubmissionRow] = (),
) -> SubmissionRecord:
    """Return a version of a sheet as far as the reader may know it. ``among``: all versions of its seat in the turn."""
    knows = may_know_version(scene, turn, seat, row)
    own = knows and (seat.power in scene.own or scene.runs_it)
    told = knows and (own or not scene.settings.anonymous or scene.row.state in OVER)
    standing = "counts" if row.counts else "nothing understood"
    if row.entered_by == "assigned" and row.confirmed is None:
        standing = "waits for you"
    if row.withdrawn is not None:
        standing = "withdrawn"
    elif row.counts and standing == "counts" and (known := _beside(row, among)):
        standing = known
    elif row.asks:
        standing = "asks"
    if turn.state in ("judged", "draft", "final") and row.counts and row.withdrawn is None:
        standing = "counts" if row.chosen else "replaced"
    hide_name = scene.settings.anonymous and not own
    return SubmissionRecord(
        id=scene.act.office.numbers.shown("submission", row.id) if own else 0,
        power=seat.power if knows else "",
        turn=turn.name,
        version=row.version if may_know_senders(scene, turn, seat) else 0,  # from 2 on it tells of others
        channel=row.channel if own else "",
        kind=row.kind if own else "",
        received=moment(row.received) if told else None,
        commitment=row.commitment,
        standing=standing if own or turn.state in ("judged", "draft", "final") else "",
        files=scene.tx.count(FileRow, submission=row.id) if own else 0,
        sender=names.get(row.person or 0) if sender and not hide_name else None,
        entered_by=row.entered_by if own or turn.state not in SEALED else "",
    )
