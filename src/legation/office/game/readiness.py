"""Who is ready, and whether a turn ends early by it; whose envelope is to come (W-20a); who sent nothing, and then."""

from legation.game.report import count
from legation.office.context import GameContext
from legation.office.game import chain
from legation.office.game.judging import orders_ahead
from legation.office.game.seat_holders import have_bot_stand_in, lose
from legation.office.game.turns import awaited_seats, early_seats, phase_of
from legation.office.keys.notices import SaidReady
from legation.office.store.rows import HoldingRow, JournalRow, ReadinessRow, SeatRow, SubmissionRow, TurnRow
from legation.office.store.transaction import Transaction
from legation.position import Phase
from legation.proofs import kinds


def times_ready(tx: Transaction, turn: TurnRow, seat: SeatRow) -> int:
    """Return how often a seat has said "ready" in a turn, which is a part of what it signs."""
    lost = [row.id for row in tx.all(TurnRow, game=turn.game, state="lost") if row.name == turn.name]
    return tx.count(JournalRow, game=turn.game, kind="ready", turn=[turn.id, *lost], seat=seat.id)


def said_ready(tx: Transaction, turn: TurnRow) -> list[SaidReady]:
    """Return what the seats said that are ready, as they signed it: for the keeper, who takes nobody else's word."""
    words = []
    for row in tx.all(ReadinessRow, turn=turn.id):
        seat = tx.get(SeatRow, row.seat)
        words.append(SaidReady(seat.power, row.version, times_ready(tx, turn, seat) - 1, row.signature))
    return words


def take_back_ready(scene: GameContext, turn: TurnRow, seat: SeatRow) -> bool:
    """Take a seat's "ready" back, if it has said so: its holder asks for that, or it was said of other orders."""
    if not scene.tx.remove(ReadinessRow, turn=turn.id, seat=seat.id):
        return False
    if chain.shows_senders(scene):
        chain.write(scene, "not ready", kinds.SeatLine(turn=turn.name, seat=seat.power), turn)
    seen = "all" if scene.settings.shows_senders == "all" else "seat"
    scene.append_journal("not ready", turn=turn, seat=seat, seen_by=seen)
    return True


def end_if_ready(scene: GameContext, turn: TurnRow) -> bool:
    """Have the turn ended if all are ready whom its opening awaited."""
    if not all_ready(scene, turn):
        return False
    scene.act.schedule_job("end early", f"turn {turn.id} early", scene.at, scene.row, turn=turn.id)
    return True


def all_ready(scene: GameContext, turn: TurnRow) -> bool:
    """Return whether a turn may end before its deadline: who held the seats when it opened holds them still, and has
    said "ready" (a bot: has sent its orders), whatever a coordinator does. A turn in which bots alone have something to
    order ends so too, but not where nobody else is left: such a game would run away."""
    if turn.state != "open" or scene.row.state != "running":
        return False
    tx, seats = scene.tx, early_seats(scene, turn)
    people = [seat for seat in scene.seats.values() if seat.person is not None]
    if not seats or not any(seat.survives or seat in seats.values() for seat in people):
        return False
    said = {r.seat for r in tx.all(ReadinessRow, turn=turn.id)}
    sent = {s.seat for s in tx.all(SubmissionRow, turn=turn.id, withdrawn=None)}
    for holding, seat in seats.items():
        present = tx.find(HoldingRow, seat=seat.id, until=None)
        if present is None or present.id != holding or seat.id not in (sent if seat.bot else said):
            return False
    return True


def lacks_envelope(scene: GameContext, turn: TurnRow, seat: int) -> bool:
    """Return whether a seat is to post its orders of a turn, and none has come."""
    if not scene.settings.wants_envelope(phase_of(turn)):
        return False
    return not scene.tx.count(SubmissionRow, turn=turn.id, seat=seat, kind="posted", withdrawn=None)


def still_missing(scene: GameContext, turn: TurnRow) -> list[SeatRow]:
    """Return the seats whose orders are awaited and have sent nothing for this turn, sealed sheets unread."""
    rows = [row for row in scene.tx.all(SubmissionRow, order="version", turn=turn.id) if row.withdrawn is None]
    sent = {s.seat for s in rows if s.entered_by != "assigned" or s.confirmed is not None}
    return [s for s in awaited_seats(scene, turn) if s.id not in sent]


def note_missing(scene: GameContext, turn: TurnRow) -> None:
    """Note of each power that sent nothing, now or ahead, that it missed the turn, and do what the settings say."""
    if chain.hides(scene) and phase_of(turn) not in (Phase.MOVEMENT.value, Phase.PLACEMENT.value):
        return  # what comes of it would tell who had anything to order
    for seat in still_missing(scene, turn):
        held_then = (seat.since or 0) <= (turn.closed or 0)
        if held_then and not orders_ahead(scene, turn, seat.power):
            _missed(scene, turn, seat)


def _missed(scene: GameContext, turn: TurnRow, seat: SeatRow) -> None:
    missed = seat.missed + 1
    seat = scene.seats[seat.power] = scene.tx.change(seat, missed=missed)
    scene.append_journal("missed", turn=turn, seat=seat, role="clock", seen_by="coordinator", missed=missed)
    if missed < scene.settings.missing_after or seat.bot:
        return
    if scene.settings.missing == "disorder":
        why = f"no orders came for {count(missed, 'turn')}"
        lose(scene, seat, "civil disorder", why, "disorder")
        scene.append_journal("civil disorder", turn=turn, seat=scene.seats[seat.power], role="clock")
        have_bot_stand_in(scene, seat.power)
    elif scene.settings.missing == "replace" and missed == scene.settings.missing_after:
        if scene.settings.coordinated:
            scene.act.add_task("replace", scene.row, turn=turn, seat=seat, missed=missed)
        elif not chain.hides(scene):
            words = f"to replace {scene.named(seat.power).whose} player"
            why = f"No orders came for {count(missed, 'turn')}."
            scene.mail("vote", turn, what="replace", whom=seat.power, hours=0, words=words, reason=why)
        scene.append_journal("replacement wanted", turn=turn, seat=seat, role="clock")
