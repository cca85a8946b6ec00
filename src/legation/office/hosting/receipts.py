"""Signatures of a player's own device before a sheet is sent, and the standing of a receipt that was kept."""

from __future__ import annotations

import re

from legation.game.sheets import later_turns, split_sheet
from legation.office.context import CommandContext, query
from legation.office.errors import InvalidInputError
from legation.office.game.readiness import times_ready
from legation.office.hosting import proofs
from legation.office.keys import seals
from legation.office.orders.contents import refuse_long
from legation.office.records import ReceiptStanding, ToSign
from legation.office.store import queries
from legation.position import Turn
from legation.proofs.receipts import ReceiptError, read_receipt
from legation.proofs.verifying import verify

MARK = re.compile("[0-9a-f]{64}")


@query("play", "POST /games/{game}/seats/{power}/to-sign", holder="alive")
def to_sign(act: CommandContext, game: str, power: str, text: str) -> ToSign:
    """Return what the seat's key signs of a sheet: its parts for each turn of the season. Nothing is kept."""
    scene = act.authorize_game(game, power)
    turn = scene.turn()
    now = Turn.parse(turn.name)
    refuse_long(act, text)
    parts = split_sheet(seals.at_the_door(text), now, later_turns(scene.rules, now))
    return ToSign(
        game=scene.row.ref,
        seat=scene.held.power,
        turn=turn.name,
        key=scene.held.key,
        version=1 + queries.last_version(act.tx, turn, scene.held.id),
        again=times_ready(scene.tx, turn, scene.held),
        parts=tuple({"turn": name, "text": part} for name, part in parts.items()),
    )


@query("read", "POST /games/{game}/receipt", visitor="any")
def standing(act: CommandContext, game: str, receipt: str) -> ReceiptStanding:
    """Return what the game's journal says of a receipt, a refusal or a signed head that somebody kept, or of the mark
    (commitment) of a sheet, photograph or envelope. No turn is judged again for that.

    :raises InvalidInputError: for what is none of these."""
    scene = act.authorize_game(game)
    mark = "".join(receipt.split()).lower()
    try:
        kept = [] if MARK.fullmatch(mark) else [read_receipt(receipt)]
    except ReceiptError as error:
        raise InvalidInputError(str(error), faults=["receipt: cannot be read"]) from None
    data = proofs.written(scene).encode()
    marks = [] if kept else [mark]
    report = verify(data, [act.office.public_key], kept, act.office.variants, marks=marks, judges=False)
    found = report.receipts[0] if report.receipts else None
    return ReceiptStanding(
        holds=report.holds and found is not None and found.holds,
        what=found.what if found is not None else f"{report.failures[0].what}. {report.failures[0].meaning}",
        failures=tuple(f"{failure}. {failure.meaning}" for failure in report.failures),
    )
