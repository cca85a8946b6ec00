"""Holders of seats: somebody takes one, leaves it or loses it, a bot stands in. The dated list of holders is kept."""

from __future__ import annotations

from collections.abc import Iterable

from legation.bots import levels
from legation.notation import capital
from legation.office.clock import moment
from legation.office.context import CommandContext, GameContext
from legation.office.errors import ConflictError, InvalidInputError
from legation.office.game import chain
from legation.office.permissions import ALIVE
from legation.office.records import LostSeat
from legation.office.store.rows import DeskRow, HoldingRow, JournalRow, MuteRow, PersonRow, SeatRow, SignUpRow

SOON = 60
"""Seconds after which those who wait are told of a free seat: somebody may be seated there at once."""


def is_vacant(seat: SeatRow) -> bool:
    """Return whether somebody may take a seat: nobody holds it, or a bot does until somebody takes over."""
    return seat.state in ("open", "civil disorder", "left") or seat.stand_in


def has_player(scene: GameContext, power: str) -> ConflictError:
    """The refusal of a seat that is taken."""
    taken = scene.named(power)
    return ConflictError(capital(f"{taken} {taken:has|have} a player."))


def take_seat(
    act: CommandContext, scene: GameContext, seat: SeatRow, person: int, why: str, *, shares_address: bool = False
) -> None:
    """Seat a person; the dated list of holders is kept. ``shares_address``: whether the person, who was asked, lets
    the players of a game by post see the postal address (W-23)."""
    if not is_vacant(seat):
        raise has_player(scene, seat.power)
    if seat.stand_in:
        leave(act, scene, seat, "left", "somebody took over")
        seat = scene.seats[seat.power]
    scene.seats[seat.power] = act.tx.change(
        seat,
        state="held",
        person=person,
        bot="",
        since=act.at,
        missed=0,
        shares_address=shares_address and scene.settings.shows_addresses(),
    )
    act.tx.add(HoldingRow(seat=seat.id, person=person, bot="", since=act.at, why=why))
    need_no_player(act, seat)
    chain.holds(scene, scene.seats[seat.power])
    scene.append_journal("seated", seat=scene.seats[seat.power], role="clock", why=why)


def need_no_player(act: CommandContext, seat: SeatRow) -> None:
    """Close what waits on the desk for a new player of a seat that has one again."""
    act.tx.change_where(DeskRow, {"done": act.at, "note": "seated"}, seat=seat.id, kind="replace", done=None)


def lose(act: CommandContext, scene: GameContext, seat: SeatRow, state: str, why: str, how: str) -> None:
    """Remove the holder of a seat against their will, and notify them."""
    if seat.person is not None:
        holder, turn = act.tx.get(PersonRow, seat.person), scene.turn()
        act.mail("seat lost", holder, game=scene.row, turn=turn, power=seat.power, how=how, why=why)
    leave(act, scene, seat, state, why)


def leave(act: CommandContext, scene: GameContext, seat: SeatRow, state: str, why: str) -> None:
    """Take the holder from a seat; the dated list of holders is kept, and what was sent stays."""
    holding = act.tx.find(HoldingRow, seat=seat.id, until=None)
    if holding is not None:
        act.tx.change(holding, until=act.at, why=why)
    scene.seats[seat.power] = act.tx.change(
        seat, state=state, person=None, bot="", since=act.at, key="", machine=False, stand_in=False
    )
    act.tx.remove(MuteRow, seat=seat.id)
    if scene.row.state in ALIVE and waiting_for_seats(scene):
        name = f"game {scene.row.id} waiting list"
        act.schedule_job("tell waiting", name, act.later(seconds=SOON), scene.row, game=scene.row.id)
    if seat.key:
        chain.tell_key(scene, scene.seats[seat.power])
    chain.holds(scene, scene.seats[seat.power])


def waiting_for_seats(scene: GameContext) -> list[SignUpRow]:
    """Return the sign-ups of those who wait for a seat of a game that has begun, the first first: who has held none
    since they signed up."""
    playing = {seat.person for seat in scene.seats.values()}
    signed = scene.tx.all(SignUpRow, game=scene.row.id, withdrawn=None, order="at")
    rows = [row for row in signed if row.person not in playing]
    held: dict[int, int] = {}
    for past in scene.tx.all(HoldingRow, seat=[seat.id for seat in scene.seats.values()]) if rows else []:
        if past.person is not None:
            held[past.person] = max(held.get(past.person, 0), past.since if past.until is None else past.until)
    return [row for row in rows if held.get(row.person, -1) < row.at]


def lost_seats(scene: GameContext) -> Iterable[LostSeat]:
    """The seats that the reader held in a game that has begun and holds no more, the last first."""
    person = scene.act.actor.person
    if person is None or scene.own or scene.row.turn is None:
        return
    powers = {seat.id: power for power, seat in scene.seats.items()}
    for row in scene.tx.all(HoldingRow, person=person, seat=list(powers), order="-until"):
        seat = scene.seats[powers[row.seat]]
        ends = scene.tx.all(JournalRow, seat=seat.id, at=row.until, kind=list(LOSSES))
        if ends:
            how = ENDS.get((ends[-1].kind, ends[-1].role), "vacated")
            vacant = is_vacant(seat) and seat.survives
            yield LostSeat(power=seat.power, how=how, why=row.why, at=moment(row.until or 0), vacant=vacant)


LOSSES = ("civil disorder", "resigned", "replaced", "voted out")
"""Lines of the journal that tell how a seat was lost."""
ENDS = {
    ("civil disorder", "clock"): "disorder",
    ("voted out", "clock"): "voted",
    ("resigned", "holder"): "resigned",
    ("replaced", "coordinator"): "replaced",
    ("replaced", "console"): "replaced",
}
"""How a seat was lost, by the line of the journal that tells it and the role of who did it; else it was vacated."""


def seat_bot_now(act: CommandContext, scene: GameContext, power: str, name: str) -> None:
    """Seat a bot at a free power, in a game whose permission was asked."""
    if name not in levels.names():
        raise InvalidInputError(
            f"There is no bot {name[:40]!r}.", suggestions=levels.names(), faults=[f"bot: not {name[:40]!r}"]
        )
    seat = scene.seats[power]
    if seat.state == "held":
        raise has_player(scene, power)
    if seat.state == "bot":
        leave(act, scene, seat, "open", "another bot")
        seat = scene.seats[power]
    scene.seats[power] = act.tx.change(seat, state="bot", person=None, bot=name, since=act.at, missed=0)
    act.tx.add(HoldingRow(seat=seat.id, person=None, bot=name, since=act.at, why="bot"))
    chain.holds(scene, scene.seats[power])
    scene.append_journal("bot seated", seat=seat, bot=name)


def have_bot_stand_in(act: CommandContext, scene: GameContext, power: str) -> None:
    """Have the bot of the game's settings play on for a player who has gone, until somebody takes over."""
    seat, name = scene.seats[power], scene.settings.stand_in
    if name not in levels.names() or not seat.survives or scene.row.state not in ALIVE:
        return
    scene.seats[power] = act.tx.change(seat, state="bot", bot=name, since=act.at, missed=0, stand_in=True)
    act.tx.add(HoldingRow(seat=seat.id, person=None, bot=name, since=act.at, why="stands in"))
    chain.holds(scene, scene.seats[power])
    scene.append_journal("stand-in", seat=seat, bot=name, role="clock")
    turn = scene.turn()
    act.schedule_job("bot orders", f"turn {turn.id} bots", act.at, scene.row, turn=turn.id)
