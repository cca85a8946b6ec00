"""The seals: what was sent is opened once the turn is closed for good, and the version that counts is chosen."""

from typing import Any

import msgspec

from legation.game.sheets import interpret_sheet, take_apart
from legation.office.context import CommandContext, GameContext
from legation.office.game import chain
from legation.office.game.judging import READINGS, Chosen
from legation.office.game.orders_ahead import keep_opening, open_records, reading_of
from legation.office.game.readiness import note_missing
from legation.office.game.submission_records import ENTERED, own_text
from legation.office.game.turns import phase_of, position_of, results_due, scene_of, turn_of
from legation.office.keys import seals
from legation.office.keys.notices import GivenKey
from legation.office.keys.seals import SealContent
from legation.office.office import Office
from legation.office.records import Readers, record_of
from legation.office.store.packing import pack
from legation.office.store.rows import DeskRow, FileRow, RecordRow, SeatRow, SubmissionRow, TurnRow
from legation.position import Turn
from legation.proofs import kinds
from legation.proofs.lots import lot_seed, turn_secret
from legation.proofs.records import Version, choose_version, read_record


def fetch_key(office: Office, facts: dict[str, Any]) -> GivenKey:
    """The turn's private key from the keeper, which was told that the turn is closed."""
    return office.keeper.key(turn_of(office, facts).sealed_by)


class UnsealedVersion(msgspec.Struct, frozen=True):
    """A version whose seal is open: its row, what was in it, and what of its text is for the turn itself."""

    row: SubmissionRow
    content: SealContent
    text: str


def open_seals(act: CommandContext, facts: dict[str, Any], key: GivenKey) -> None:
    """Open what was sent, and choose of each power the version that counts."""
    scene, turn = scene_of(act, facts["turn"])
    if turn.state != "closed" or not turn.witness:
        return
    opened: dict[str, list[UnsealedVersion]] = {power: [] for power in scene.seats}
    powers, nonces = {seat.id: power for power, seat in scene.seats.items()}, []
    for row in act.tx.all(SubmissionRow, order="version", turn=turn.id):
        content = seals.open_content(key.private, act.office.master_key, row.sealed)
        records = [read_record(data) for data in content.records]
        for record in records:
            (kept,) = act.tx.all(RecordRow, submission=row.id, commitment=record.commitment)
            keep_opening(act.tx, act.office, kept, record)
        nonces += [r.submission.nonce for r in records[:1] if r.submission.entered_by == "holder"]
        opened[powers[row.seat]].append(_weigh(scene, turn, row, content))
        if row.entered_by == "bot" and content.note:
            seen: Readers = "coordinator" if chain.hides(scene) else "all"
            seat = scene.seats[powers[row.seat]]
            scene.append_journal("bot failed", turn=turn, seat=seat, seen_by=seen, role="clock", why=content.note)
    chosen = {power: _choose(scene, turn, seat, opened[power]) for power, seat in scene.seats.items()}
    chain.write(scene, "opened", kinds.OpenedLine(turn=turn.name, part=key.part), turn)
    for ahead in open_records(act.tx, act.office, scene.row.id, turn.name, key.private):
        if text := reading_of(act.office, ahead):
            sent = act.tx.get(SubmissionRow, ahead.submission)
            reason = f"read with what was sent for {act.tx.get(TurnRow, sent.turn).name}"
            write_transcribed(scene, turn, scene.seats[powers[sent.seat]], sent, ahead.commitment, text, reason)
    drawn = lot_seed(turn_secret(chain.secret_of(scene), turn.name), key.part, nonces)
    turn = act.tx.change(turn, state="opened", sheets=pack(chosen), drawn=drawn, part=key.part)
    scene.append_journal("seals opened", turn=turn, role="clock", name=turn.name, why="the turn is closed")
    note_missing(scene, turn)
    go_on_if_clear(scene, turn)


def write_transcribed(
    scene: GameContext,
    turn: TurnRow,
    seat: SeatRow,
    sent: SubmissionRow | Chosen,
    commitment: str,
    text: str,
    reason: str,
) -> None:
    """Write into the chain the text that was read in pictures."""
    line = kinds.TranscribedLine(
        turn=turn.name,
        seat=seat.power,
        version=sent.version,
        commitment=commitment,
        text=text,
        opened_after=sent.entered_by == "coordinator after the opening",
        reason=reason,
    )
    write_reading(scene, turn, "transcribed", line, seat)


def write_reading(
    scene: GameContext, turn: TurnRow, kind: str, line: kinds.TranscribedLine | kinds.ChosenLine, seat: SeatRow
) -> None:
    """Write what was read or chosen of a seat's sheet; where rules hide positions with what counts."""
    if chain.hides(scene):
        chain.hold_back(scene, turn, kind, line, seat)
    elif kind == "chosen":
        chain.write(scene, kind, line, turn)
    else:
        chain.write_private_line(scene, [(kind, line, None)], turn)


def _weigh(scene: GameContext, turn: TurnRow, row: SubmissionRow, content: SealContent) -> UnsealedVersion:
    rules, power, text = scene.rules, content.power, own_text(content)
    interpreted = interpret_sheet(rules, rules.seen(position_of(rules, turn.position), power), power, text)
    asks = interpreted.parts.instructions or take_apart(content.note, Turn.parse(turn.name)).instructions
    means = interpreted.anything or bool(content.files)
    counts = means and (row.entered_by != "assigned" or row.confirmed is not None)
    return UnsealedVersion(scene.tx.change(row, understood=means, asks=bool(asks), counts=counts), content, text)


def _choose(scene: GameContext, turn: TurnRow, seat: SeatRow, sent: list[UnsealedVersion]) -> Chosen:
    """The last version that the holder sent, or confirmed, unless it has to be chosen or read at the desk."""
    readable = [one for one in sent if one.row.kind == "text" or scene.settings.coordinated]
    versions = [
        Version(
            number=row.version,
            entered_by=ENTERED.get(row.entered_by, row.entered_by),
            says_anything=row.understood,
            withdrawn=row.withdrawn is not None,
            refused=False,
            confirmed=row.confirmed is not None,
        )
        for row in (one.row for one in readable)
    ]
    number = choose_version(versions)
    standing = [one for one in readable if one.row.withdrawn is None and one.row.counts]
    if not number:
        return Chosen()
    rows = [one.row for one in standing]
    posted = any(row.kind == "posted" for row in rows)
    late_envelope = rows[-1].kind == "posted"  # it may have been written before what came by other ways
    unread = rows[-1].kind == "text" and any(row.kind != "text" for row in rows)  # paper may say that it counts (W-20e)
    among = {
        "submissions": [row.id for row in rows],
        "texts": {str(o.row.version): "\n\n".join(filter(None, (o.content.text, o.content.note))) for o in standing},
        "pictures": {str(one.row.version): list(one.content.files) for one in standing},
    }
    if (any(row.asks for row in rows) or late_envelope or unread) and len(rows) > 1 and scene.settings.coordinated:
        scene.act.add_task("choose", scene.row, turn=turn, seat=seat, due=results_due(scene, turn), **among)
    by_person = any(row.entered_by != "bot" for row in rows)  # bots post nothing
    if scene.settings.wants_envelope(phase_of(turn)) and by_person and not posted:
        due = results_due(scene, turn)
        scene.act.add_task("unposted", scene.row, turn=turn, seat=seat, due=due, submissions=[r.id for r in rows])
    last = next(one for one in standing if one.row.version == number)
    return take(scene, turn, seat, last.row, last.content, among)


def take(
    scene: GameContext, turn: TurnRow, seat: SeatRow, row: SubmissionRow, content: SealContent, among: dict[str, Any]
) -> Chosen:
    """Have a version count; paper is read at the desk, with all versions ``among`` which it may choose (W-20e)."""
    scene.tx.change_where(SubmissionRow, {"chosen": False}, turn=turn.id, seat=seat.id)
    scene.tx.change(row, chosen=True)
    seat = scene.seats[seat.power] = scene.tx.change(seat, missed=0)
    scene.act.close_tasks("another version", turn=turn.id, seat=seat.id, kind=list(READINGS))
    if row.kind != "text":
        facts = {"files": list(content.files), "posted": row.kind == "posted", "version": row.version, **among}
        scene.act.add_task("transcribe", scene.row, turn=turn, seat=seat, due=results_due(scene, turn), **facts)
    copies = tuple(file.digest for file in scene.tx.all(FileRow, submission=row.id) if file.digest)
    said = {"text": own_text(content), "files": content.files, "copies": copies}
    return record_of(Chosen, row, submission=row.id, missing=False, chosen="", **said)


def go_on_if_clear(scene: GameContext, turn: TurnRow) -> None:
    """Have the turn judged once nothing of it waits at the desk."""
    if not scene.tx.count(DeskRow, turn=turn.id, kind=["choose", "unposted", *READINGS], done=None):
        scene.act.schedule_job("judge", f"turn {turn.id} judge", scene.at, scene.row, turn=turn.id)
