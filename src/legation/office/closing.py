"""The deadline: a turn is closed, or waits for what is missing."""

from __future__ import annotations

from typing import Any

from legation.game.report import count
from legation.office.act import Act, Scene
from legation.office.errors import Sealed
from legation.office.judging import orders_ahead
from legation.office.office import Office
from legation.office.seats import lose
from legation.office.store.rows import DeskRow, GameRow, JournalRow, SeatRow, SubmissionRow, TurnRow
from legation.office.turns import awaited_seats, key_name, scene_of


def close_turn(act: Act, facts: dict[str, Any], _: object) -> None:
    """The deadline has passed: nothing more is taken, or the game waits for what is missing."""
    scene, turn = scene_of(act, facts["turn"])
    due = turn.deadline + scene.settings.grace * 60_000_000
    if turn.state not in ("open", "waiting") or scene.row.state != "running":
        return
    if act.at < due:
        act.due("close turn", f"turn {turn.id} close", due, scene.row, turn=turn.id)
        return
    _close_or_wait(act, scene, turn)


def release_key(office: Office, facts: dict[str, Any]) -> bool:
    """Tell the keeper that every seat is ready; False from one that takes nobody's word for it."""
    with office.store.transaction(write=False) as tx:
        turn = tx.get(TurnRow, facts["turn"])
        game = tx.get(GameRow, turn.game)
    if turn.state == "open":
        try:
            office.keeper.release(key_name(game.key, turn.number), "every seat is ready")
        except Sealed:
            return False
    return True


def end_early(act: Act, facts: dict[str, Any], released: bool) -> None:
    """All are ready: the turn ends now, if the keeper gives its key."""
    scene, turn = scene_of(act, facts["turn"])
    if turn.state != "open" or scene.row.state != "running":
        return
    if not released:
        if not act.tx.count(JournalRow, turn=turn.id, kind="keeper waits"):
            scene.note("keeper waits", turn=turn, role="clock")
    else:
        _close_or_wait(act, scene, turn, early=True)


def still_missing(scene: Scene, turn: TurnRow) -> list[SeatRow]:
    """The seats whose orders are awaited and have sent nothing that can count."""
    sent = {s.seat for s in scene.tx.all(SubmissionRow, turn=turn.id, counts=True, withdrawn=None)}
    missing = [s for s in awaited_seats(scene, turn) if s.id not in sent]
    return [s for s in missing if not (scene.settings.missing != "wait" and _given_ahead(scene, turn, s))]


def _given_ahead(scene: Scene, turn: TurnRow, seat: SeatRow) -> bool:
    """Whether orders for this turn were given ahead, in an earlier turn of the season."""
    return bool(orders_ahead(scene, turn, seat.power))


def _close_or_wait(act: Act, scene: Scene, turn: TurnRow, *, early: bool = False) -> None:
    missing = still_missing(scene, turn)
    if missing and scene.settings.missing == "wait":
        if turn.state != "waiting":
            turn = act.tx.change(turn, state="waiting")
            scene.note("waiting", turn=turn, role="clock", seats=len(missing))
            act.desk("wait", scene.row, turn=turn, powers=[s.power for s in missing])
            for seat, person in scene.people():
                if seat in missing:
                    act.mail("orders missing", person, game=scene.row, turn=turn, power=seat.power)
        return
    settle = 0 if early else act.office.settings.settling * 1_000_000
    close(act, scene, turn, missing, settle, role="clock", early=early)


def close(act: Act, scene: Scene, turn: TurnRow, missing: list[SeatRow], settle: int = 0, **noted: Any) -> TurnRow:
    """Take nothing more for a turn, and have its seals opened after ``settle`` microseconds; ``noted`` goes into the
    journal."""
    turn = act.tx.change(turn, state="closed", closed=act.at)
    act.tx.change_where(DeskRow, {"done": act.at}, turn=turn.id, kind="wait", done=None)
    scene.note("turn closed", turn=turn, name=turn.name, **noted)
    for seat in missing:
        _missed(act, scene, turn, seat)
    act.due("open seals", f"turn {turn.id} seals", act.at + settle, scene.row, turn=turn.id)
    return turn


def _missed(act: Act, scene: Scene, turn: TurnRow, seat: SeatRow) -> None:
    """A power sent nothing: what the game's settings say happens."""
    missed = seat.missed + 1
    seat = scene.seats[seat.power] = act.tx.change(seat, missed=missed)
    scene.note("missed", turn=turn, seat=seat, role="clock", seen_by="coordinator", power=seat.power, missed=missed)
    if missed < scene.settings.missing_after or seat.bot:
        return
    if scene.settings.missing == "disorder":
        why = f"nothing came for {count(missed, 'turn')}"
        lose(act, scene, seat, "civil disorder", why, "disorder")
        scene.note("civil disorder", turn=turn, seat=scene.seats[seat.power], role="clock", power=seat.power)
    elif scene.settings.missing == "replace" and missed == scene.settings.missing_after:
        act.desk("replace", scene.row, turn=turn, seat=seat, missed=missed)
        scene.note("replacement wanted", turn=turn, seat=seat, role="clock", power=seat.power)
