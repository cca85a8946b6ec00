"""Holders of seats: somebody takes one, leaves it or loses it, a bot stands in. The dated list of holders is kept."""

from collections.abc import Callable, Iterable
from typing import Any

from legation.bots import levels
from legation.notation import capital
from legation.office.clock import moment
from legation.office.context import CommandContext, GameContext, by_clock
from legation.office.errors import ConflictError, InvalidInputError
from legation.office.game import chain
from legation.office.game.turns import ask_bots_now, open_turn, opening_of
from legation.office.keys.keeper import tell_keeper
from legation.office.keys.notices import GivenKey, Notice
from legation.office.office import Office
from legation.office.permissions import ALIVE
from legation.office.records import LostSeat
from legation.office.store.packing import unpack
from legation.office.store.rows import DeskRow, GameRow, HoldingRow, JournalRow, MuteRow, PersonRow, SeatRow, SignUpRow
from legation.office.terms import invariants
from legation.proofs import kinds
from legation.proofs.lots import DEAL, deal, lot_seed, turn_secret

SOON = 60  # seconds after which those who wait are told of a free seat: somebody may be seated there at once


def is_vacant(seat: SeatRow) -> bool:
    """Return whether somebody may take a seat: nobody holds it, or a bot does until somebody takes over."""
    return seat.state in ("open", "civil disorder", "left") or seat.stand_in


def has_player(scene: GameContext, power: str) -> ConflictError:
    """The refusal of a seat that is taken."""
    taken = scene.named(power)
    return ConflictError(capital(f"{taken} {taken:has|have} a player."))


def take_seat(scene: GameContext, seat: SeatRow, person: int, why: str, *, shares_address: bool = False) -> None:
    """Seat a person, in the dated list too. ``shares_address``: players of a game by post may see theirs (W-23)."""
    if not is_vacant(seat):
        raise has_player(scene, seat.power)
    if seat.stand_in:
        leave(scene, seat, "left", "somebody took over")
        seat = scene.seats[seat.power]
    shares = shares_address and scene.settings.shows_addresses()
    _hold(scene, seat, why, state="held", person=person, shares_address=shares)
    scene.act.close_tasks("seated", seat=seat.id, kind="replace")
    scene.append_journal("seated", seat=scene.seats[seat.power], role="clock", why=why)


def _hold(
    scene: GameContext, seat: SeatRow, why: str, *, person: int | None = None, bot: str = "", **more: Any
) -> None:
    at = scene.at
    held = scene.tx.change(seat, person=person, bot=bot, since=at, missed=0, **more)
    scene.seats[seat.power] = held
    scene.tx.add(HoldingRow(seat=seat.id, person=person, bot=bot, since=at, why=why))
    chain.holds(scene, held)


def lose(scene: GameContext, seat: SeatRow, state: str, why: str, how: str) -> None:
    """Remove the holder of a seat against their will, and notify them."""
    if seat.person is not None:
        holder, turn = scene.tx.get(PersonRow, seat.person), scene.turn()
        scene.act.mail("seat lost", holder, game=scene.row, turn=turn, power=seat.power, how=how, why=why)
    leave(scene, seat, state, why)


def leave(scene: GameContext, seat: SeatRow, state: str, why: str) -> None:
    """Take the holder from a seat; the dated list of holders is kept, and what was sent stays."""
    holding = scene.tx.find(HoldingRow, seat=seat.id, until=None)
    if holding is not None:
        scene.tx.change(holding, until=scene.at, why=why)
    scene.seats[seat.power] = scene.tx.change(
        seat, state=state, person=None, bot="", since=scene.at, key="", machine=False, stand_in=False
    )
    scene.tx.remove(MuteRow, seat=seat.id)
    if scene.row.state in ALIVE and waiting_for_seats(scene):
        name, soon = f"game {scene.row.id} waiting list", scene.act.later(seconds=SOON)
        scene.act.schedule_job("tell waiting", name, soon, scene.row, game=scene.row.id)
    if seat.key:
        chain.tell_key(scene, scene.seats[seat.power])
    chain.holds(scene, scene.seats[seat.power])


def waiting_for_seats(scene: GameContext) -> list[SignUpRow]:
    """Return the sign-ups of those who wait for a seat, the first first: who has held none since they signed up."""
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
    person = scene.actor.person
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


LOSSES = ("civil disorder", "resigned", "replaced", "voted out")  # lines of the journal that tell how a seat was lost
ENDS = {
    ("civil disorder", "clock"): "disorder",
    ("voted out", "clock"): "voted",
    ("resigned", "holder"): "resigned",
    ("replaced", "coordinator"): "replaced",
    ("replaced", "console"): "replaced",
}
"""How a seat was lost, by the line of the journal that tells it and the role of who did it; else it was vacated."""


def _refuse_unknown_bot(name: str) -> None:
    if name not in levels.names():
        raise InvalidInputError(
            f"There is no bot {name[:40]!r}.", suggestions=levels.names(), faults=[f"bot: not {name[:40]!r}"]
        )


def seat_bot_now(scene: GameContext, power: str, name: str) -> None:
    """Seat a bot at a free power, in a game whose permission was asked."""
    _refuse_unknown_bot(name)
    seat = scene.seats[power]
    if seat.state == "held":
        raise has_player(scene, power)
    if seat.state == "bot":
        leave(scene, seat, "open", "another bot")
        seat = scene.seats[power]
    _hold(scene, seat, "bot", state="bot", bot=name)
    scene.append_journal("bot seated", seat=seat, bot=name)


def have_bot_stand_in(scene: GameContext, power: str) -> None:
    """Have the bot of the game's settings play on for a player who has gone, until somebody takes over."""
    seat, name = scene.seats[power], scene.settings.stand_in
    if name not in levels.names() or not seat.survives or scene.row.state not in ALIVE:
        return
    _hold(scene, seat, "stands in", state="bot", bot=name, stand_in=True)
    scene.append_journal("stand-in", seat=seat, bot=name, role="clock")
    ask_bots_now(scene, scene.turn())


START = "start"  # the item on the desk of a game that can begin


def deal_key(game_key: str) -> str:
    """The name at the keeper of the key that seals the seed of the deal."""
    return f"{game_key}.deal"


def start_if_full(scene: GameContext) -> None:
    """Start a game that runs itself when every seat can be filled; that another can begin is on the desk meanwhile."""
    if scene.row.state != "gathering":
        return
    act, game = scene.act, scene.row
    if lacking(scene):
        act.close_tasks("somebody left", game=game.id, kind=START)
    elif not scene.settings.coordinated:
        act.schedule_job("start game", f"game {game.id} start", scene.at, game, game=game.id)
    elif not scene.tx.count(DeskRow, game=game.id, kind=START, done=None):
        act.add_task(START, game)


def lacking(scene: GameContext) -> int:
    """Return the number of open seats that nobody has signed up for."""
    free = sum(seat.state == "open" for seat in scene.seats.values())
    return max(0, free - len(waiting_for_seats(scene)))


def prepare_deal(office: Office, facts: dict[str, Any]) -> GivenKey | None:
    """The keeper's part of the deal; None, and it stays with the keeper, where the game cannot begin."""
    with by_clock(office, write=False) as act:
        row = act.tx.get(GameRow, facts["game"])
        scene = GameContext(act, row)
        ready = row.state == "gathering" and not lacking(scene)
    return release_deal(office, row) if ready else None


def release_deal(office: Office, row: GameRow) -> GivenKey:
    """Tell the keeper that the game begins, and return its part of the lots by which powers are dealt."""
    notice = Notice(deal_key(row.key), 1, row.deal_commitment, row.created, "dealt")
    tell_keeper(office.keeper, office.signing_keys(), notice)
    return office.keeper.key(notice.name)


def start_when_full(act: CommandContext, facts: dict[str, Any], key: GivenKey | None) -> None:
    """Start a game that runs itself, if it is still full."""
    scene = GameContext(act, act.tx.get(GameRow, facts["game"], lock=True))
    if key is not None and scene.row.state == "gathering" and not lacking(scene):
        start_game(scene, lambda: key)


def start_game(scene: GameContext, key: Callable[[], GivenKey], bots: str = "") -> None:
    """Deal the open seats by lot, give those left to ``bots``, and open the first turn; ``key``, called last, has the
    keeper give its part."""
    if bots:
        _refuse_unknown_bot(bots)
    elif missing := lacking(scene):
        raise ConflictError(f"{missing} of {len(scene.seats)} powers have no player yet; invite more, or seat bots.")
    invariants.check(scene.tx, [scene.row.id])
    free = [s.power for s in scene.seats.values() if s.state == "open"]
    wishes = {sign_up_number(scene, row): row for row in waiting_for_seats(scene)}
    given = key()
    secret = turn_secret(chain.secret_of(scene), DEAL)
    seed = lot_seed(secret, given.part, [])
    listed = {f"sign-up {number}": wishes_of(row) for number, row in sorted(wishes.items())}
    dealt = deal(seed, scene.row.name, listed, free)
    for sign, power in dealt.items():
        row = wishes[int(sign.removeprefix("sign-up "))]
        why, shares = "assigned when the game began", row.shares_address
        take_seat(scene, scene.seats[power], row.person, why, shares_address=shares)
    for power in free:
        if power not in dealt.values():
            seat_bot_now(scene, power, bots)
    line = kinds.DealtLine(
        name=scene.row.name,
        free=free,
        secret=secret,
        part=given.part,
        sign_ups=[kinds.SignUp(number=sign, wishes=list(wishes), nonce="") for sign, wishes in listed.items()],
        dealt=[kinds.DealtSeat(number=sign, seat=power) for sign, power in dealt.items()],
    )
    chain.write(scene, "dealt", line)
    told = {"seed": seed, "commitment": scene.row.deal_commitment, "sign_ups": listed, "free": free, "dealt": dealt}
    scene.append_journal("seats dealt", role="clock", **told)
    scene.row = scene.tx.change(scene.row, state="running", started=scene.at)
    scene.append_journal("game started", role="clock")
    scene.act.close_tasks(game=scene.row.id, kind=START)
    for row in waiting_for_seats(scene):  # more came than there are seats
        scene.act.mail("waiting list", scene.tx.get(PersonRow, row.person), game=scene.row)
    opening = opening_of(scene)
    scene.mail("game started", open_turn(scene, opening, 1, scene.at))


def sign_up_number(scene: GameContext, row: SignUpRow) -> int:
    """The number by which the deal names a sign-up: it doesn't tell who came first, or when anybody came."""
    return scene.office.numbers.shown("sign-up", row.id)


def wishes_of(row: SignUpRow) -> list[str]:
    """The powers that somebody prefers, the most wanted first."""
    return list(unpack(row.preferences))
