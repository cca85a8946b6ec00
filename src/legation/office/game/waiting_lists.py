"""Waiting lists: who wants a seat of a game that has begun is mailed when one is free; who comes first has it."""

from typing import Any

from legation.notation import listed
from legation.office.context import CommandContext, GameContext, command
from legation.office.errors import ConflictError
from legation.office.game.reliability import refuse_unfit
from legation.office.game.seat_holders import is_vacant, waiting_for_seats
from legation.office.permissions import ALIVE
from legation.office.store.packing import pack
from legation.office.store.rows import BoardRow, GameRow, PersonRow, SeatRow, SignUpRow

MOST = 50


@command("play", "POST /games/{game}/waiting", person="alive")
def wait(scene: GameContext) -> None:
    """Wait for a seat of a game that runs itself and has begun: a mail tells when one is free."""
    if scene.own:
        raise ConflictError(f"You already play {scene.named(scene.own[0])}.")
    if scene.settings.coordinated or scene.settings.one_orders_all or scene.tx.count(BoardRow, game=scene.row.id):
        raise ConflictError("Seats of this game aren’t open to everyone; ask who runs it.")
    if free_seats(scene):
        raise ConflictError("There is a free seat. Take it.")
    refuse_unfit(scene)
    person = scene.actor.person
    assert person is not None
    waiting = {row.person for row in waiting_for_seats(scene)}
    if person not in waiting and len(waiting) >= MOST:
        raise ConflictError(f"{MOST} people wait already, the most allowed.")
    row = SignUpRow(game=scene.row.id, person=person, preferences=pack([]), at=scene.at)
    scene.tx.put(row, "game person", ("at", "withdrawn"))


@command("play", "DELETE /games/{game}/waiting", person="any")
def stop(scene: GameContext) -> None:
    """Wait for a seat of a game no more."""
    rows = [row for row in waiting_for_seats(scene) if row.person == scene.actor.person]
    if not rows:
        raise ConflictError("You aren’t waiting for a seat.")
    scene.tx.change(rows[0], withdrawn=scene.at)


def free_seats(scene: GameContext) -> list[SeatRow]:
    """Return the seats that anybody may take; where rules hide who is out of the game, those of the dead, too."""
    hidden = bool(scene.rules.steps["visible_provinces"])
    return [seat for seat in scene.seats.values() if is_vacant(seat) and (seat.survives or hidden)]


def tell_waiting(act: CommandContext, facts: dict[str, Any], _: object) -> None:
    """Mail those who wait that a seat is free, if one still is."""
    scene = GameContext(act, act.tx.get(GameRow, facts["game"]))
    free = free_seats(scene) if scene.row.state in ALIVE else []
    if not free or scene.settings.coordinated or act.tx.count(BoardRow, game=scene.row.id):
        return
    told = listed([scene.named(seat.power).called for seat in free])
    for row in waiting_for_seats(scene):
        act.mail("seat free", act.tx.get(PersonRow, row.person), game=scene.row, turn=scene.turn(), seats=told)
