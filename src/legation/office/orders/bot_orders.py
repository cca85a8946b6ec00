"""The orders of bots that hold seats."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec

from legation.bots import holding, levels
from legation.notation import write
from legation.office.context import CommandContext, GameContext, by_clock, is_guest
from legation.office.errors import UnavailableError
from legation.office.game.readiness import end_if_ready
from legation.office.game.submission_records import NewSubmission
from legation.office.game.turns import ask_bots_now, bots_work, position_of, scene_of
from legation.office.office import Office
from legation.office.orders.filing import store_submission
from legation.office.pinned_rules import rules_content
from legation.office.store.packing import unpack
from legation.office.store.rows import GameRow, JournalRow, SeatRow, SubmissionRow, TurnRow, WorkRow
from legation.office.store.transaction import Transaction

LATE = "This turn can’t be processed yet"
WHY = "They’re still starting up, which takes a minute or two."
STAND_IN = "dumbbot"
STOOD_IN = "bots stood in for"


class BotSheet(msgspec.Struct, frozen=True):
    """A bot's orders, and why it lost its move, if it did: units hold. ``stood_in``: DumbBot ordered for it."""

    bot: str
    text: str
    fault: str = ""
    stood_in: bool = False


def ask_bots(office: Office, facts: dict[str, Any]) -> dict[int, BotSheet]:
    """Return the sheets of a turn's bots by seat, before the transaction that sends them: some take their time. A guest
    does not wait for bots that can only be asked later: DumbBot orders for them. Raises UnavailableError when a bot can
    only be asked later."""
    with by_clock(office, write=False) as act:
        scene, turn = scene_of(act, facts["turn"], lock=False)
        due = _due(scene, turn)
        ask = _asking(scene, turn, due)
        of_guests = any(is_guest(person) for _, person in scene.people())
    sheets: dict[int, BotSheet] = {}
    for seat in due:
        try:
            sheet = ask(seat, seat.bot in levels.LEVELS and any(sheet.stood_in for sheet in sheets.values()))
        except UnavailableError:
            if not of_guests:
                raise
            sheet = ask(seat, True)
        sheets[seat.id] = sheet
    return sheets


def ask_again(act: CommandContext, turn: TurnRow, seat: SeatRow) -> Callable[[], BotSheet]:
    """Return what asks a bot for another sheet, outside the transaction (UnavailableError: only later)."""
    ask = _asking(GameContext(act, act.tx.get(GameRow, turn.game)), turn, [seat])
    return lambda: ask(seat, False)


def _asking(scene: GameContext, turn: TurnRow, seats: Sequence[SeatRow]) -> Callable[[SeatRow, bool], BotSheet]:
    """Read in a transaction with what bots are asked; return what asks the bot of a seat after it, or DumbBot in its
    place."""
    office, rules = scene.office, scene.rules
    position = position_of(rules, turn.position)
    searches = any(seat.bot in levels.LEVELS for seat in seats)
    folders = tuple(str(folder) for folder in office.variants.folders)
    kept = levels.KeptRules(rules_content(scene.tx, office.variants, scene.row) if searches else b"", folders)

    def ask(seat: SeatRow, instead: bool) -> BotSheet:
        view, fault = rules.seen(position, seat.power), ""
        try:
            seed = office.random_source.bytes(16).hex()
            sheet = levels.ask(STAND_IN if instead else seat.bot, rules, view, seat.power, seed, lambda: kept)
        except levels.BusyError as error:
            raise UnavailableError(f"{LATE}: {error}.") from None
        except levels.LostMoveError as error:
            fault = str(error)
            office.figures.failures.labels("bot", seat.bot).inc()
            # not whose seat it is: that its units hold is as secret as all orders are
            office.log.warning("bot lost its move", bot=seat.bot, why=fault)
            sheet = holding.orders(rules, view, seat.power, Random(0))
        return BotSheet(seat.bot, "\n".join(write(order) for order in sheet.orders), fault, instead)

    return ask


def why_late(tx: Transaction, turn: TurnRow) -> str:
    """Return why a turn's bots could not be asked yet, in a sentence; empty where they could."""
    row = tx.find(WorkRow, name=bots_work(turn))
    return row.error if row is not None and row.state == "waiting" and row.error.startswith(LATE) else ""


def who_stands_in(scene: GameContext, turn: TurnRow) -> str:
    """Return that DumbBot orders for other bots in a turn, in a sentence; empty where each orders itself."""
    if not any(seat.bot in levels.LEVELS for seat in scene.seats.values()):
        return ""
    rows = scene.tx.all(JournalRow, game=turn.game, turn=turn.id, kind=STOOD_IN)
    return f"DumbBot orders for the {unpack(rows[0].facts)['bots']} bots this turn. {WHY}" if rows else ""


def send_bot_orders(act: CommandContext, facts: dict[str, Any], sheets: dict[int, BotSheet]) -> None:
    """Have the bots of a turn send their orders: sealed like everybody's. Why one lost its move is sealed with them."""
    scene, turn = scene_of(act, facts["turn"])
    stood_in: set[str] = set()
    for seat in _due(scene, turn):
        sheet = sheets.get(seat.id)
        if sheet is None or sheet.bot != seat.bot:  # it was seated meanwhile
            ask_bots_now(scene, turn)
            continue
        scene.seat = seat
        note = f"The bot {sheet.bot} lost its move: {sheet.fault}." if sheet.fault else ""
        sent = NewSubmission(channel="bot", received=act.now, text=sheet.text, note=note, entered_by="bot")
        store_submission(scene, sent)
        stood_in |= {sheet.bot} if sheet.stood_in else set()
    if stood_in:
        scene.append_journal(STOOD_IN, turn=turn, name=turn.name, bots=" and ".join(sorted(stood_in)))
    if turn.state in ("open", "waiting"):
        end_if_ready(scene, turn)


def _due(scene: GameContext, turn: TurnRow) -> list[SeatRow]:
    """The seats whose bots have not ordered yet; what a player sent before a bot stood in stays and counts."""
    if turn.state not in ("open", "waiting") or scene.row.turn != turn.number:
        return []
    due = []
    for power in turn.awaited.split("\n"):
        seat = scene.seats.get(power)
        if seat is None or not seat.bot:
            continue
        sent = scene.tx.all(SubmissionRow, turn=turn.id, seat=seat.id, withdrawn=None)
        if not any(seat.stand_in or (row.entered_by == "bot" and row.received >= (seat.since or 0)) for row in sent):
            due.append(seat)
    return due
