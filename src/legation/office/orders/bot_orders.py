"""The orders of bots that hold seats."""

from __future__ import annotations

from random import Random
from typing import Any

from legation.bots import bot
from legation.notation import write
from legation.office.act import CommandContext, GameContext
from legation.office.orders.submissions import store_submission
from legation.office.store.rows import GameRow, SubmissionRow, TurnRow
from legation.office.turn.readiness import end_if_ready
from legation.office.turn.turns import position_of


def send_bot_orders(act: CommandContext, facts: dict[str, Any], _: object) -> None:
    """Have the bots of a turn send their orders: sealed like everybody's."""
    turn = act.tx.get(TurnRow, facts["turn"], lock=True)
    scene = GameContext(act, act.tx.get(GameRow, turn.game, lock=True))
    if turn.state not in ("open", "waiting") or scene.row.turn != turn.number:
        return
    position = position_of(scene.rules, turn.position)
    for power in turn.awaited.split("\n"):
        seat = scene.seats.get(power)
        if seat is None or not seat.bot:
            continue
        if seat.stand_in and act.tx.count(SubmissionRow, turn=turn.id, seat=seat.id, withdrawn=None):
            continue  # what its player sent before going stays and counts
        random = Random(act.office.random_source.bytes(16))
        sheet = bot(seat.bot)(scene.rules, scene.rules.seen(position, power), power, random)
        scene.seat = seat
        store_submission(act, scene, "\n".join(write(order) for order in sheet.orders), "bot", entered_by="bot")
    end_if_ready(act, scene, turn)
