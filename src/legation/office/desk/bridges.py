"""Bridges: what all of a game are told goes where its people are, to a webhook or a channel of a chat service.

A game's bridges are its host's or coordinator's, and its journal tells of them; a person's own tell of the games that
they play. Only what all of the game are told goes over one: a message is read as a visitor, when it is given out to who
sends it. An address is checked as browsers' are. Nothing goes but a test before the other side has taken that, so
nobody's machine gets messages that never answered."""

import base64
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from legation.formats import decode_json
from legation.office.clock import moment, moment_in_words, time_zone
from legation.office.context import DAY, Actor, CommandContext, GameContext, by_clock, command, query
from legation.office.desk.letters import public_letter
from legation.office.desk.mailings import claim_messages, finish, try_later
from legation.office.errors import ConflictError, LimitExceededError, NotAllowedError
from legation.office.game.results import result_record
from legation.office.keys import seals
from legation.office.office import Office
from legation.office.permissions import Call
from legation.office.records import Bridge, record_of
from legation.office.store.rows import BridgeRow, GameRow, MailingRow, PersonRow, SeatRow, TurnRow
from legation.office.store.transaction import Transaction
from legation.office.terms.bridge_targets import TEST, Target, read_target, read_tells
from legation.public_calls import Outcome

MOST = 5  # of one game, or of one person
USUAL = ("results", "deadlines")
CREATES = Call(creates=True, largest=10_000)


class Leads(msgspec.Struct, frozen=True):
    """Where a bridge leads, and the secret that signs what goes there: what its row keeps locked."""

    target: Target
    secret: str


@command("coordinate", "POST /games/{game}/bridges", CREATES, host="gathering alive", coordinator="gathering alive")
def add(scene: GameContext, address: str, tells: Sequence[str] = USUAL) -> Bridge:
    """Add a bridge of a game. ``address`` is a webhook's (``https://``), or a channel's of Discord, Slack, Telegram
    (``telegram://TOKEN/CHAT``) or Matrix (``matrix://TOKEN@SERVER/!ROOM``). A test goes there first, and nothing else
    before that is taken. ``tells``: ``results``, ``deadlines``, ``letters`` (those to all).

    The secret by which a webhook's messages are signed is in the answer.

    :raises InvalidInputError: for an address of no such form, or inside a private network."""
    made = _add(scene.act, address, tells, game=scene.row.id, person=scene.actor.person)
    scene.append_journal("bridge added", service=made.kind, tells=", ".join(made.tells))
    return made


@query("coordinate", "GET /games/{game}/bridges", host="any", coordinator="any")
def bridges(scene: GameContext) -> list[Bridge]:
    """Return the bridges of a game; of their addresses only the hosts."""
    return [_bridge(scene.act, row) for row in scene.tx.all(BridgeRow, game=scene.row.id)]


@command("coordinate", "DELETE /games/{game}/bridges/{bridge}", host="any", coordinator="any")
def remove(scene: GameContext, bridge: int) -> None:
    """Remove a bridge of a game."""
    row = _found(scene.act, bridge, game=scene.row.id)
    scene.tx.remove(BridgeRow, id=row.id)
    scene.append_journal("bridge removed", service=row.kind)


@command("coordinate", "POST /games/{game}/bridges/{bridge}/test", host="any", coordinator="any")
def test(scene: GameContext, bridge: int) -> None:
    """Send a test over a bridge of a game."""
    _test(scene.act, _found(scene.act, bridge, game=scene.row.id))


@command("me", "POST /me/bridges", CREATES, person="any")
def add_own(act: CommandContext, address: str, tells: Sequence[str] = USUAL) -> Bridge:
    """Add a bridge of one's own, as :func:`add` does: over it goes what all are told of the games that one plays."""
    return _add(act, address, tells, game=None, person=act.person)


@query("me", "GET /me/bridges", person="any")
def own(act: CommandContext) -> list[Bridge]:
    """Return the actor's own bridges; of their addresses only the hosts."""
    return [_bridge(act, row) for row in act.tx.all(BridgeRow, game=None, person=act.person)]


@command("me", "DELETE /me/bridges/{bridge}", person="any")
def remove_own(act: CommandContext, bridge: int) -> None:
    """Remove a bridge of one's own."""
    act.tx.remove(BridgeRow, id=_found(act, bridge, game=None, person=act.person).id)


@command("me", "POST /me/bridges/{bridge}/test", person="any")
def test_own(act: CommandContext, bridge: int) -> None:
    """Send a test over a bridge of one's own."""
    _test(act, _found(act, bridge, game=None, person=act.person))


def _add(act: CommandContext, address: str, tells: Sequence[str], *, game: int | None, person: int | None) -> Bridge:
    if not act.office.settings.bridges:
        raise NotAllowedError("This office has no bridges to other services.")
    target, wanted = read_target(address), read_tells(tells)
    whose = {"game": game} if game is not None else {"game": None, "person": person}
    if act.tx.count(BridgeRow, **whose) >= MOST:
        raise LimitExceededError(f"There are {MOST} bridges, the most allowed. Remove one first.")
    secret = "whsec_" + base64.b64encode(act.office.random_source.bytes(32)).decode()
    content = seals.lock(act.office.master_key, msgspec.json.encode(Leads(target, secret)))
    values: dict[str, Any] = {"kind": target.kind, "host": target.host, "tells": " ".join(wanted), "content": content}
    row = act.tx.add(BridgeRow(game=game, person=person, made=act.at, **values))
    act.send_over(row, TEST)
    return msgspec.structs.replace(_bridge(act, row), secret=secret if target.kind == "webhook" else "")


def _found(act: CommandContext, bridge: int, **whose: Any) -> BridgeRow:
    return act.wanted(BridgeRow, "There is no such bridge.", id=act.office.numbers.row("bridge", bridge), **whose)


def _test(act: CommandContext, row: BridgeRow) -> None:
    if not act.office.settings.bridges:
        raise ConflictError("This office has no bridges to other services.")
    act.send_over(row, TEST)


def _bridge(act: CommandContext, row: BridgeRow) -> Bridge:
    return record_of(Bridge, row, id=act.office.numbers.shown("bridge", row.id), tells=tuple(row.tells.split()))


def end_bridge(act: CommandContext, row: BridgeRow, why: str) -> None:
    """Remove a bridge that leads nowhere any more, and tell who made it."""
    act.tx.remove(BridgeRow, id=row.id)
    person = act.tx.find(PersonRow, id=row.person)
    if person is not None:
        act.mail("bridge ended", person, service=row.kind, host=row.host, why=why)


# Messages: given out to who sends them, and what came of each


KEPT = 3 * DAY
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
    if bridge is None or (act.at - row.made > KEPT and row.kind != TEST):
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
    return Delivery(row.id, row.address, row.lease, leads.target, leads.secret, message)


def _message(office: Office, tx: Transaction, row: MailingRow, game: GameRow) -> BridgeMessage:
    act = CommandContext(office, Actor.visitor(), tx, "bridges", office.clock.now())
    scene, turn = GameContext(act, game), tx.find(TurnRow, id=row.turn)
    key = office.outbox_keys.find(row.made)
    facts: dict[str, Any] = decode_json(seals.unlock_padded(key, row.facts)) if key is not None else {}
    url = office.link(f"/games/{game.key}")
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
    """Note the outcome: ``reached``, ``gone`` (the bridge is removed) or ``failed`` (tried again, later each time)."""
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
