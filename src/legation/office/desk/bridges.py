"""Bridges: what all of a game are told goes where its people are, to a webhook or a channel of a chat service.

A game's bridges are its host's or coordinator's, and its journal tells of them; a person's own tell of the games that
they play. Only what all of the game are told goes over one; an address is checked as browsers' are. Nothing goes but a
test before the other side has taken that, so nobody's machine gets messages that never answered."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

import msgspec

from legation.office.context import CommandContext, command, query
from legation.office.errors import ConflictError, LimitExceededError, NotAllowedError
from legation.office.keys import seals
from legation.office.permissions import Call
from legation.office.records import Bridge, record_of
from legation.office.store.rows import BridgeRow, PersonRow
from legation.office.terms.bridge_targets import TEST, Target, read_target, read_tells

MOST = 5  # of one game, or of one person
USUAL = ("results", "deadlines")
CREATES = Call(creates=True, largest=10_000)


class Leads(msgspec.Struct, frozen=True):
    """Where a bridge leads, and the secret that signs what goes there: what its row keeps locked."""

    target: Target
    secret: str


@command("coordinate", "POST /games/{game}/bridges", CREATES, host="gathering alive", coordinator="gathering alive")
def add(act: CommandContext, game: str, address: str, tells: Sequence[str] = USUAL) -> Bridge:
    """Add a bridge of a game. ``address`` is a webhook's (``https://``), or a channel's of Discord, Slack, Telegram
    (``telegram://TOKEN/CHAT``) or Matrix (``matrix://TOKEN@SERVER/!ROOM``). A test goes there first, and nothing else
    before that is taken. ``tells``: ``results``, ``deadlines``, ``letters`` (those to all).

    The secret by which a webhook's messages are signed is in the answer.

    :raises InvalidInputError: for an address of no such form, or inside a private network."""
    scene = act.authorize_game(game)
    made = _add(act, address, tells, game=scene.row.id, person=act.actor.person)
    scene.append_journal("bridge added", service=made.kind, tells=", ".join(made.tells))
    return made


@query("coordinate", "GET /games/{game}/bridges", host="any", coordinator="any")
def bridges(act: CommandContext, game: str) -> list[Bridge]:
    """Return the bridges of a game; of their addresses only the hosts."""
    scene = act.authorize_game(game)
    return [_bridge(act, row) for row in act.tx.all(BridgeRow, game=scene.row.id)]


@command("coordinate", "DELETE /games/{game}/bridges/{bridge}", host="any", coordinator="any")
def remove(act: CommandContext, game: str, bridge: int) -> None:
    """Remove a bridge of a game."""
    scene = act.authorize_game(game)
    row = _found(act, bridge, game=scene.row.id)
    act.tx.remove(BridgeRow, id=row.id)
    scene.append_journal("bridge removed", service=row.kind)


@command("coordinate", "POST /games/{game}/bridges/{bridge}/test", host="any", coordinator="any")
def test(act: CommandContext, game: str, bridge: int) -> None:
    """Send a test over a bridge of a game."""
    _test(act, _found(act, bridge, game=act.authorize_game(game).row.id))


@command("me", "POST /me/bridges", CREATES, person="any")
def add_own(act: CommandContext, address: str, tells: Sequence[str] = USUAL) -> Bridge:
    """Add a bridge of one's own, as :func:`add` does: over it goes what all are told of the games that one plays."""
    return _add(act, address, tells, game=None, person=act.allow())


@query("me", "GET /me/bridges", person="any")
def own(act: CommandContext) -> list[Bridge]:
    """Return the actor's own bridges; of their addresses only the hosts."""
    return [_bridge(act, row) for row in act.tx.all(BridgeRow, game=None, person=act.allow())]


@command("me", "DELETE /me/bridges/{bridge}", person="any")
def remove_own(act: CommandContext, bridge: int) -> None:
    """Remove a bridge of one's own."""
    act.tx.remove(BridgeRow, id=_found(act, bridge, game=None, person=act.allow()).id)


@command("me", "POST /me/bridges/{bridge}/test", person="any")
def test_own(act: CommandContext, bridge: int) -> None:
    """Send a test over a bridge of one's own."""
    _test(act, _found(act, bridge, game=None, person=act.allow()))


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
