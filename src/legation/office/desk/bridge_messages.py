"""Messages that wait to go over bridges: given out to who sends them, and what came of each.

What one says is read as a visitor, so it holds nothing that isn't public to all of the game."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec

from legation.formats import decode_json
from legation.office.clock import moment, moment_in_words, time_zone
from legation.office.context import Actor, CommandContext, GameContext, by_clock
from legation.office.desk.bridges import Leads, end_bridge
from legation.office.desk.letters import public_letter
from legation.office.desk.mailings import claim_messages, finish, try_later
from legation.office.game.results import result_record
from legation.office.keys import seals
from legation.office.office import Office
from legation.office.store.rows import BridgeRow, GameRow, MailingRow, SeatRow, TurnRow
from legation.office.store.transaction import Transaction
from legation.office.terms.bridge_targets import TEST, Target
from legation.public_calls import Outcome

KEPT = timedelta(days=3)
PAUSES = (10, 300, 1800, 7200, 18_000, 36_000, 50_400)  # seconds after the first, second, ... failure; a day in all
MOST_FAILURES = 30  # in a row, until a bridge is removed


class BridgeMessage(msgspec.Struct, frozen=True):
    """What goes over a bridge. ``id`` is the same whenever it is tried."""

    id: str
    kind: str
    at: datetime
    text: str
    game: str = ""
    name: str = ""
    turn: str = ""
    url: str = ""


class Delivery(msgspec.Struct, frozen=True):
    """A message with where it goes; it is its sender's for ten minutes."""

    row: int
    bridge: str
    lease: str
    attempts: int
    target: Target
    secret: str
    message: BridgeMessage


def claim(office: Office, limit: int = 20, but: Sequence[str] = ()) -> list[Delivery]:
    """Messages to send now, of all bridges ``but`` some."""
    return claim_messages(office, "bridge", _read, limit, but)


def bridge_of(tx: Transaction, row: MailingRow) -> BridgeRow | None:
    """Return the bridge of a message, if it is still there."""
    return tx.find(BridgeRow, id=int(row.address.removeprefix("bridge ")))


def _read(act: CommandContext, row: MailingRow) -> Delivery | None:
    office, tx = act.office, act.tx
    bridge = bridge_of(tx, row)
    late = act.at - row.made > KEPT / timedelta(microseconds=1)
    if bridge is None or (late and row.kind != TEST):
        return None
    leads = decode_json(seals.unlock(office.master_key, bridge.content), type=Leads)
    game = tx.find(GameRow, id=row.game)
    if game is None:
        about = tx.get(GameRow, bridge.game).name if bridge.game is not None else "your games"
        text = f"This is a test from {office.settings.name}. Messages about {about} will come here."
        message = BridgeMessage(row.message_id, TEST, moment(row.made), text)
    elif bridge.game is None and not tx.count(SeatRow, game=game.id, person=bridge.person):
        return None  # who doesn't play any more isn't told
    else:
        message = _message(office, tx, row, game)
    return Delivery(row.id, row.address, row.lease, row.attempts, leads.target, leads.secret, message)


def _message(office: Office, tx: Transaction, row: MailingRow, game: GameRow) -> BridgeMessage:
    act = CommandContext(office, Actor.visitor(), tx, "bridges", office.clock.now())
    scene, turn = GameContext(act, game), tx.find(TurnRow, id=row.turn)
    key = office.outbox_keys.find(row.made)
    facts: dict[str, Any] = decode_json(seals.unlock_padded(key, row.facts)) if key is not None else {}
    url = f"{office.settings.address.rstrip('/')}/games/{game.key}"
    told = _text(scene, row.kind, turn, facts)
    name = turn.name if turn is not None else ""
    return BridgeMessage(row.message_id, row.kind, moment(row.made), told, game.key, game.name, name, url)


def _text(scene: GameContext, kind: str, turn: TurnRow | None, facts: dict[str, Any]) -> str:
    """What a message says, in plain text; how its game and turn stand when it is sent."""
    game, reason, which = scene.row.name, str(facts.get("reason", "")), turn.name if turn is not None else ""
    if kind == "letter":
        letter = public_letter(scene, int(facts["letter"]))
        return f"{game}, {letter.turn}: {letter.sender or 'an anonymous player'} to all\n\n{letter.text}"
    if kind in ("results", "draft results") and turn is not None:
        if turn.state not in ("draft", "final"):  # taken back meanwhile
            return f"{game}: the results of {which} were withdrawn."
        return f"{game}: {kind} of {which}\n\n{result_record(scene, turn).report}\n\n{_due(scene)}".rstrip()
    because = f": {reason}" if reason else "."
    return {
        "game started": f"{game} has begun. {_due(scene)}",
        "turn opened": f"{game}: {which} is open. {_due(scene)}",
        "reminder": f"{game}: {_due(scene)}",
        "deadline moved": f"{game}: the deadline was moved{because}\n{_due(scene)}",
        "game paused": f"{game} is paused{because}",
        "game resumed": f"{game} goes on{because}\n{_due(scene)}",
        "game cancelled": f"{game} was cancelled{because}",
        "game ended": f"{game} has ended.",
    }[kind].rstrip()


def _due(scene: GameContext) -> str:
    """When the present turn is due, in the zone of the game's schedule; nothing where none is."""
    turn = scene.turn() if scene.row.turn is not None and scene.row.state == "running" else None
    if turn is None or turn.state != "open":
        return ""
    zone = time_zone(scene.settings.plan().zone)
    return f"Orders for {turn.name} are due {moment_in_words(moment(turn.deadline), zone)}."


def sent(office: Office, delivery: Delivery, outcome: Outcome) -> None:
    """Say what came of a message: it was ``reached``; the address is ``gone`` and its bridge is removed; or it
    ``failed`` and is tried again, later each time."""
    with by_clock(office) as act:
        row = act.tx.find(MailingRow, id=delivery.row, lease=delivery.lease, state="waiting", lock=True)
        bridge = bridge_of(act.tx, row) if row is not None else None
        if row is None or bridge is None:
            return
        if outcome == "reached":
            act.tx.change(bridge, last_sent=act.at, failures=0, confirmed=bridge.confirmed or act.at)
            finish(act, row, "sent")
            return
        if over := not try_later(act, row, PAUSES):
            finish(act, row, "failed")
        failures = bridge.failures + 1
        if outcome == "gone":
            end_bridge(act, bridge, "its address is gone")
        elif failures >= MOST_FAILURES or (over and bridge.confirmed is None):
            end_bridge(act, bridge, "no message could be delivered")
        else:
            act.tx.change(bridge, failures=failures)
