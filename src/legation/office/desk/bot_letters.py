"""What bots write: offers when a movement turn opens, and answers to letters of players (:mod:`legation.bots.talking`).

The levels for people write, in games with private letters. What a bot agrees to it sends as new orders, in nine cases
of ten."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from legation.bots import levels, talking
from legation.notation import write
from legation.office.context import CommandContext, GameContext, by_clock
from legation.office.desk import letters
from legation.office.desk.proposed_orders import lock_proposal, proposed_to
from legation.office.errors import OfficeError
from legation.office.game.submission_records import NewSubmission
from legation.office.game.turns import position_of
from legation.office.office import Office
from legation.office.orders.bot_orders import BotSheet, ask_again, send_bot_orders
from legation.office.orders.filing import store_submission
from legation.office.store.rows import GameRow, LetterRow, SeatRow, TurnRow
from legation.orders import Order, Sheet
from legation.position import Phase, Position

SPEAKERS = levels.LEVELS


def order_and_write(act: CommandContext, facts: dict[str, Any], sheets: dict[int, BotSheet]) -> None:
    """Have the bots of a turn send their orders, and then write what they offer the players."""
    send_bot_orders(act, facts, sheets)
    turn = act.tx.get(TurnRow, facts["turn"])
    scene = GameContext(act, act.tx.get(GameRow, turn.game))
    position = _spoken_of(scene, turn)
    if position is None:
        return
    people = [seat.power for seat in scene.seats.values() if seat.person is not None]
    for seat in scene.seats.values():
        sheet = sheets.get(seat.id)
        if sheet is None or not _speaks(seat, turn, sheet):
            continue
        view = scene.rules.seen(position, seat.power)
        random = Random(act.office.random_source.bytes(16))
        try:
            offers = talking.offers(scene.rules, view, _sheet(scene, seat, sheet, view), people, random)
        except Exception as error:  # whatever keeps a bot from writing, its orders are sent
            act.office.log.warning("bot wrote no letters", bot=seat.bot, why=type(error).__name__)
            continue
        for offer in offers:
            _write(scene, seat, scene.seats[offer.to], offer.text, offer.orders)


def ask_for_answer(office: Office, facts: dict[str, Any]) -> BotSheet | None:
    """Ask the bot that got a letter for its sheet, outside a transaction, as this takes long; None for one that writes
    no letters. Raises UnavailableError when the bot can only be asked later."""
    with by_clock(office, write=False) as act:
        scene, turn = _scene(act, facts)
        seat = act.tx.get(SeatRow, facts["seat"])
        if _spoken_of(scene, turn) is None or seat.bot not in SPEAKERS:
            return None
        ask = ask_again(act, turn, seat)
    return ask()


def answer_letter(act: CommandContext, facts: dict[str, Any], sheet: BotSheet | None) -> None:
    """Have a bot answer a letter, and mostly keep what it agrees to."""
    scene, turn = _scene(act, facts, lock=True)
    seat = next(one for one in scene.seats.values() if one.id == facts["seat"])
    position = _spoken_of(scene, turn)
    if sheet is None or position is None or not _speaks(seat, turn, sheet):
        return
    letter = act.tx.get(LetterRow, facts["letter"])
    sender = next(one for one in scene.seats.values() if one.id == letter.sender)
    random = Random(act.office.random_source.bytes(16))
    view = scene.rules.seen(position, seat.power)
    mine = act.tx.all(LetterRow, game=scene.row.id, turn=turn.id, sender=seat.id)
    promised = [text for row in mine for text in proposed_to(scene, row, seat.power)]
    own = talking.agreed(_sheet(scene, seat, sheet, view), _orders(scene, seat, promised, view))
    asked = _orders(scene, seat, proposed_to(scene, letter, seat.power), view)
    text = letters.text_of(scene, letter)
    reply = talking.reply(scene.rules, view, own, sender.power, asked, text, random)
    _write(scene, seat, sender, reply.text, {seat.power: reply.orders} if reply.orders else {}, letter.id)
    if reply.agrees and random.random() < talking.KEEPS:
        kept = "\n".join(map(write, talking.agreed(own, reply.orders).orders))
        scene.seat = seat
        store_submission(scene, NewSubmission(channel="bot", received=act.now, text=kept, entered_by="bot"))


def _scene(act: CommandContext, facts: dict[str, Any], *, lock: bool = False) -> tuple[GameContext, TurnRow]:
    letter = act.tx.get(LetterRow, facts["letter"])
    turn = act.tx.get(TurnRow, letter.turn, lock=lock)
    return GameContext(act, act.tx.get(GameRow, letter.game, lock=lock)), turn


def _spoken_of(scene: GameContext, turn: TurnRow) -> Position | None:
    """The position of a movement turn that is open, in a game whose players write each other."""
    if turn.state not in ("open", "waiting") or scene.row.turn != turn.number or "private" not in scene.settings.press:
        return None
    position = position_of(scene.rules, turn.position)
    return position if position.turn.phase is Phase.MOVEMENT else None


def _speaks(seat: SeatRow, turn: TurnRow, sheet: BotSheet) -> bool:
    """Whether a bot writes letters. One that stands in since this turn opened doesn't: a player's orders may stand for
    it, which no letter may change, and whether they do is nobody's business."""
    came_late = seat.stand_in and (seat.since or 0) > turn.opened
    return seat.bot in SPEAKERS and sheet.bot == seat.bot and not sheet.fault and not came_late


def _sheet(scene: GameContext, seat: SeatRow, sheet: BotSheet, view: Position) -> Sheet:
    return Sheet(seat.power, tuple(_orders(scene, seat, sheet.text.splitlines(), view)))


def _orders(scene: GameContext, seat: SeatRow, texts: Sequence[str], view: Position) -> list[Order]:
    return [scene.rules.reader.order(text, view.turn.phase, seat.power) for text in texts]


def _write(
    scene: GameContext, seat: SeatRow, to: SeatRow, text: str, orders: Mapping[str, Sequence[Order]], answers: int = 0
) -> None:
    """Send a letter from a bot; one whose orders can't be proposed isn't sent."""
    scene.seat = seat
    lines = "\n".join(f"{power}: {', '.join(map(write, listed))}" for power, listed in orders.items())
    try:
        proposal = lock_proposal(scene, lines, answers) if lines else None
    except OfficeError:
        return
    letters.deliver(scene, [to], text, proposal)
