"""The seals: what was sent is opened after the deadline, and of each power the version is chosen that counts."""

from __future__ import annotations

from typing import Any

import msgspec

from legation.office import seals
from legation.office.act import Act, Scene
from legation.office.chosen import READINGS, Chosen
from legation.office.office import Office
from legation.office.seals import Content
from legation.office.store import pack
from legation.office.store.rows import DeskRow, FileRow, GameRow, SeatRow, SubmissionRow, TurnRow
from legation.office.turns import key_name, phase_of, results_due, scene_of
from legation.position import Phase


def fetch_key(office: Office, facts: dict[str, Any]) -> bytes:
    """The turn's private key from the keeper."""
    with office.store.transaction(write=False) as tx:
        turn = tx.get(TurnRow, facts["turn"])
        game = tx.get(GameRow, turn.game)
    return office.keeper.key(key_name(game.key, turn.number))


def open_seals(act: Act, facts: dict[str, Any], key: bytes) -> None:
    """Open what was sent, and choose of each power the version that counts."""
    scene, turn = scene_of(act, facts["turn"])
    if turn.state != "closed":
        return
    by_seat: dict[int, list[SubmissionRow]] = {}
    for row in act.tx.all(SubmissionRow, order="version", turn=turn.id):
        readable = (
            row.kind == "text" or scene.settings.coordinated
        )  # a game that runs itself has nobody to read pictures
        if row.withdrawn is None and row.counts and readable:
            by_seat.setdefault(row.seat, []).append(row)
    chosen: dict[str, Chosen] = {}
    for power, seat in scene.seats.items():
        rows = by_seat.get(seat.id, [])
        chosen[power] = _choose(act, scene, turn, seat, rows, key) if rows else Chosen()
    turn = act.tx.change(
        turn, state="opened", sheets=pack(msgspec.to_builtins(chosen)), drawn=seals.unseal(key, turn.seed).decode()
    )
    scene.note("seals opened", turn=turn, role="clock", name=turn.name, why="the deadline has passed")
    go_on_if_clear(act, scene, turn)


def _choose(act: Act, scene: Scene, turn: TurnRow, seat: SeatRow, rows: list[SubmissionRow], key: bytes) -> Chosen:
    """The last version, unless instructions about versions, pictures or an envelope need the desk."""
    asks = [row for row in rows if row.asks]
    late_envelope = rows[-1].kind == "posted"  # it may have been written before what came by other ways
    if (asks or late_envelope) and len(rows) > 1 and scene.settings.coordinated:
        opened = {str(row.version): _open(act, scene, turn, seat, row, key) for row in rows}
        texts = {version: "\n\n".join(filter(None, (c.text, c.note))) for version, c in opened.items()}
        files = {str(row.version): _digests(act, row) for row in rows}
        act.desk(
            "choose",
            scene.row,
            turn=turn,
            seat=seat,
            due=results_due(scene, turn),
            submissions=[r.id for r in rows],
            texts=texts,
            pictures=files,
        )
    if (
        scene.settings.opening_by_post
        and phase_of(turn) == Phase.MOVEMENT.value
        and not any(r.kind == "posted" for r in rows)
    ):
        due = results_due(scene, turn)
        act.desk("unposted", scene.row, turn=turn, seat=seat, due=due, submissions=[r.id for r in rows])
    last = rows[-1]
    content = _open(act, scene, turn, seat, last, key)
    return take(act, scene, turn, seat, last, content)


def take(act: Act, scene: Scene, turn: TurnRow, seat: SeatRow, row: SubmissionRow, content: Content) -> Chosen:
    """Have a version count; pictures and envelopes wait at the desk for their text."""
    act.tx.change_where(SubmissionRow, {"chosen": False}, turn=turn.id, seat=seat.id)
    act.tx.change(row, chosen=True)
    seat = scene.seats[seat.power] = act.tx.change(seat, missed=0)
    other = {"done": act.at, "note": "another version"}
    act.tx.change_where(DeskRow, other, turn=turn.id, seat=seat.id, kind=list(READINGS), done=None)
    if row.kind != "text":
        act.desk(
            "transcribe",
            scene.row,
            turn=turn,
            seat=seat,
            due=results_due(scene, turn),
            submissions=[row.id],
            files=_digests(act, row),
            posted=row.kind == "posted",
        )
    return Chosen(
        submission=row.id, text=content.text, salt=content.salt, commitment=row.commitment, version=row.version,
        channel=row.channel, received=row.received, files=content.files, missing=False,
    )  # fmt: skip


def _digests(act: Act, row: SubmissionRow) -> list[str]:
    return [file.digest for file in act.tx.all(FileRow, submission=row.id)]


def _open(act: Act, scene: Scene, turn: TurnRow, seat: SeatRow, row: SubmissionRow, key: bytes) -> Content:
    content = msgspec.json.decode(seals.unseal(key, row.sealed), type=Content)
    scene.note(
        "opened", turn=turn, seat=seat, seen_by="seat", role="clock", power=seat.power, version=row.version,
        why="the deadline has passed",
    )  # fmt: skip
    return content


def go_on_if_clear(act: Act, scene: Scene, turn: TurnRow) -> None:
    """Have the turn judged once nothing of it waits at the desk."""
    if not act.tx.count(DeskRow, turn=turn.id, kind=["choose", "unposted", *READINGS], done=None):
        act.due("judge", f"turn {turn.id} judge", act.at, scene.row, turn=turn.id)
