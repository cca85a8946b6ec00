"""Powers that sent nothing for a turn, and what comes of it."""

from __future__ import annotations

from legation.game.report import count
from legation.office.context import CommandContext, GameContext
from legation.office.game import chain
from legation.office.game.judging import orders_ahead
from legation.office.game.seat_holders import have_bot_stand_in, lose
from legation.office.game.turns import awaited_seats, phase_of
from legation.office.store.rows import SeatRow, SubmissionRow, TurnRow
from legation.position import Phase


def still_missing(scene: GameContext, turn: TurnRow) -> list[SeatRow]:
    """Return the seats whose orders are awaited and have sent nothing for this turn, sealed sheets unread."""
    rows = [row for row in scene.tx.all(SubmissionRow, order="version", turn=turn.id) if row.withdrawn is None]
    sent = {s.seat for s in rows if s.entered_by != "assigned" or s.confirmed is not None}
    return [s for s in awaited_seats(scene, turn) if s.id not in sent]


def note_missing(act: CommandContext, scene: GameContext, turn: TurnRow) -> None:
    """Note of each power that sent nothing, now or ahead, that it missed the turn, and do what the settings say."""
    if chain.hides(scene) and phase_of(turn) not in (Phase.MOVEMENT.value, Phase.PLACEMENT.value):
        return  # what comes of it would tell who had anything to order
    for seat in still_missing(scene, turn):
        held_then = (seat.since or 0) <= (turn.closed or 0)
        if held_then and not orders_ahead(scene, turn, seat.power):
            _missed(act, scene, turn, seat)


def _missed(act: CommandContext, scene: GameContext, turn: TurnRow, seat: SeatRow) -> None:
    missed = seat.missed + 1
    seat = scene.seats[seat.power] = act.tx.change(seat, missed=missed)
    scene.append_journal("missed", turn=turn, seat=seat, role="clock", seen_by="coordinator", missed=missed)
    if missed < scene.settings.missing_after or seat.bot:
        return
    if scene.settings.missing == "disorder":
        why = f"no orders came for {count(missed, 'turn')}"
        lose(act, scene, seat, "civil disorder", why, "disorder")
        scene.append_journal("civil disorder", turn=turn, seat=scene.seats[seat.power], role="clock")
        have_bot_stand_in(act, scene, seat.power)
    elif scene.settings.missing == "replace" and missed == scene.settings.missing_after:
        if scene.settings.coordinated:
            act.add_task("replace", scene.row, turn=turn, seat=seat, missed=missed)
        elif not chain.hides(scene):
            _ask_players(scene, turn, seat, missed)
        scene.append_journal("replacement wanted", turn=turn, seat=seat, role="clock")


def _ask_players(scene: GameContext, turn: TurnRow, seat: SeatRow, missed: int) -> None:
    words, why = f"to replace {scene.named(seat.power).whose} player", f"No orders came for {count(missed, 'turn')}."
    scene.mail("vote", turn, what="replace", whom=seat.power, hours=0, words=words, reason=why)
