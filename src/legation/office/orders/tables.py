"""A table at which one person orders for all powers: around one device, alone, or to show a game."""

from legation.notation import write
from legation.office.context import GameContext, command
from legation.office.errors import ConflictError, TooLateError, refuse_faults
from legation.office.game.readiness import end_if_ready
from legation.office.game.submission_records import NewSubmission
from legation.office.game.turns import awaited_seats, position_of
from legation.office.orders.contents import read_by_power, refuse_long
from legation.office.orders.filing import store_submission
from legation.office.orders.submissions import say_ready
from legation.office.permissions import CREATES
from legation.office.records import Receipt


@command("play", "POST /games/{game}/table", CREATES, player="alive", lock=True)
def order_all(scene: GameContext, text: str, ready: bool = True) -> list[Receipt]:
    """Send the orders of all powers, in a game in which one person orders for all: each power's under its name, or by
    whose unit it is. Powers without any send an empty sheet. With ``ready`` the turn is judged at once.

    :raises ConflictError: in any other game.
    :raises InvalidInputError: with all that isn't an order, or can't be one."""
    if not scene.settings.one_orders_all:
        raise ConflictError("Each power of this game has a player of its own.")
    turn = scene.turn(lock=True)
    if turn.state not in ("open", "waiting"):
        raise TooLateError(f"{turn.name} is closed.")
    refuse_long(scene.act, text)
    orders, faults = read_by_power(scene.rules, position_of(scene.rules, turn.position), text)
    seats = [seat for seat in awaited_seats(scene, turn) if not seat.bot]
    due = {seat.power for seat in seats}
    faults += [f"{power}: has nothing to order" for power in orders if power not in due]
    refuse_faults("Nothing was sent", faults)
    receipts = []
    for seat in seats:
        scene.seat = seat
        sheet = "\n".join(write(order) for order in orders.get(seat.power, ())) or "# nothing"
        sent = NewSubmission(channel=scene.actor.channel, received=scene.actor.received or scene.now, text=sheet)
        receipts.append(store_submission(scene, sent))
    if ready and turn.state == "open":
        for seat in seats:
            scene.seat = seat
            say_ready(scene, turn)
        end_if_ready(scene, turn)
    return receipts
