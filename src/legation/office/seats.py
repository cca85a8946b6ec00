"""Seats: invitations, sign-ups, the deal by lot, replacement, resignation, civil disorder, bots."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from legation.bots import BOTS
from legation.judge import draw
from legation.office import seals
from legation.office.act import Act, Scene, command, query
from legation.office.clock import moment, moment_or_none
from legation.office.errors import Conflict, NotFound, Unfit
from legation.office.office import Office
from legation.office.people import person_at
from legation.office.records import Credential, LostSeat, Record
from legation.office.store import pack, unpack
from legation.office.store.rows import (
    DraftRow,
    GameRow,
    HoldingRow,
    InvitationRow,
    JournalRow,
    PersonRow,
    SeatRow,
    SignUpRow,
)
from legation.office.turns import open_turn


class SignUp(Record, frozen=True, kw_only=True):
    """A wish to play."""

    number: int
    name: str
    person: int
    preferences: tuple[str, ...]


class Holding(Record, frozen=True, kw_only=True):
    """Who held a power, from when to when."""

    power: str
    holder: str | None
    bot: str
    since: Any
    until: Any
    why: str


def deal_key(game_key: str) -> str:
    """The name at the keeper of the key that seals the seed of the deal."""
    return f"{game_key}.deal"


# Coming in


def invite_person(act: Act, scene: Scene, email: str, power: str) -> Credential:
    """Make an invitation, and mail it where there is an address."""
    if power and scene.seats[power].state not in ("open", "civil disorder", "left"):
        raise Conflict(f"{power} has a player.")
    secret = base64.urlsafe_b64encode(act.office.chance.bytes(18)).decode()
    row = act.tx.add(InvitationRow(game=scene.row.id, digest=_digest(secret), email=email, power=power, made=act.at))
    scene.note("invited", seen_by="coordinator", power=power)
    if email:
        person = act.tx.find(PersonRow, email=email)
        act.mail("invitation", person, address=email, game=scene.row, power=power, secret=secret)
    return Credential(
        id=row.id, kind="invitation", label=power, scopes=(), made=act.now, expires=None, last_used=None, secret=secret
    )  # fmt: skip


def _digest(secret: str) -> str:
    return hashlib.sha256(f"invitation {secret}".encode()).hexdigest()


def _invitation(act: Act, game: str, secret: str) -> InvitationRow | None:
    """The invitation that a link stands for; None without a link."""
    if not secret:
        return None
    row = act.tx.find(InvitationRow, digest=_digest(secret), lock=True)
    if row is None or (row.used is not None and row.person != act.actor.person):
        raise NotFound("This invitation was used already, or never made; ask for another one.")
    return row


@command
def sign_up(act: Act, game: str, preferences: Sequence[str] = (), invitation: str = "") -> SignUp:
    """Wish to play, with the powers in order of preference (those left out come last, by lot). A game that is not
    listed needs an invitation.

    An invitation to a power seats its bearer there at once.
    """
    link = _invitation(act, game, invitation)
    row = act.tx.find(GameRow, id=link.game) if link is not None else None
    if (
        row is not None
        and act.actor.person is not None
        and act.tx.find(SignUpRow, game=row.id, person=act.actor.person) is None
    ):
        act.tx.add(
            SignUpRow(game=row.id, person=act.actor.person, preferences=b"", at=act.at)
        )  # so that the game may be seen
    scene = act.scene(row) if row is not None else act.game(game)
    person = act.actor.person
    assert person is not None
    _may_play(scene, person)
    if scene.own:
        raise Conflict(f"You play {scene.own[0]} already.")
    wishes = tuple(dict.fromkeys(scene.power(name) for name in preferences))
    known = act.tx.find(SignUpRow, game=scene.row.id, person=person, lock=True)
    if known is not None:
        sign = act.tx.change(known, preferences=pack(list(wishes)), withdrawn=None, at=known.at)
    else:
        sign = act.tx.add(SignUpRow(game=scene.row.id, person=person, preferences=pack(list(wishes)), at=act.at))
    scene.note("signed up", role="person")
    if link is not None:
        act.tx.change(link, used=act.at, person=person)
        if link.power:
            take_seat(act, scene, scene.seats[link.power], person, "invited")
    start_if_full(act, scene)
    return SignUp(number=sign.id, name=act.actor.name, person=person, preferences=wishes)


@command
def withdraw_sign_up(act: Act, game: str) -> None:
    """Take the wish back, before the game begins."""
    scene = act.game(game)
    person = act.actor.person
    for power in scene.own:
        leave(act, scene, scene.seats[power], "open", "withdrew before the game began")
    act.tx.change_where(SignUpRow, {"withdrawn": act.at}, game=scene.row.id, person=person, withdrawn=None)
    scene.note("sign-up withdrawn", role="person")


@query
def sign_ups(act: Act, game: str) -> list[SignUp]:
    """Who wishes to play, for whoever deals."""
    scene = act.game(game)
    return [
        SignUp(
            number=row.id,
            name=act.tx.get(PersonRow, row.person).name,
            person=row.person,
            preferences=tuple(_wishes(row)),
        )
        for row in act.tx.all(SignUpRow, game=scene.row.id, withdrawn=None)
    ]


def _wishes(row: SignUpRow) -> list[str]:
    return list(unpack(row.preferences)) if row.preferences else []


def own_wishes(scene: Scene) -> tuple[str, ...] | None:
    """What the reader wished when signing up for a game that gathers; None for who has not signed up."""
    person = scene.act.actor.person
    if person is None or scene.row.state != "gathering":
        return None
    row = scene.tx.find(SignUpRow, game=scene.row.id, person=person, withdrawn=None)
    return tuple(_wishes(row)) if row is not None else None


def start_if_full(act: Act, scene: Scene) -> None:
    """A game that runs itself starts when every seat can be filled."""
    if scene.settings.coordinated or scene.row.state != "gathering":
        return
    free = sum(s.state == "open" for s in scene.seats.values())
    if len(waiting(act, scene)) >= free:
        act.due("start game", f"game {scene.row.id} start", act.at, scene.row, game=scene.row.id)


def waiting(act: Act, scene: Scene) -> list[SignUpRow]:
    """The sign-ups that have no seat yet, the first first."""
    seated = {s.person for s in scene.seats.values()}
    return [r for r in act.tx.all(SignUpRow, game=scene.row.id, withdrawn=None) if r.person not in seated]


# The deal


def prepare_deal(office: Office, facts: dict[str, Any], row: GameRow | None = None) -> bytes:
    """The key that opens the seed of the deal: the keeper gives it when the office says that the game begins."""
    if row is None:
        with office.store.transaction(write=False) as tx:
            row = tx.get(GameRow, facts["game"])
    name = deal_key(row.key)
    office.keeper.release(name, "the powers are dealt")
    return office.keeper.key(name)


def start_when_full(act: Act, facts: dict[str, Any], key: bytes) -> None:
    """Start a game that runs itself, if it is still full."""
    scene = Scene(act, act.tx.get(GameRow, facts["game"], lock=True))
    free = sum(s.state == "open" for s in scene.seats.values())
    if scene.row.state == "gathering" and len(waiting(act, scene)) >= free:
        start_game(act, scene, key)


def start_game(act: Act, scene: Scene, key: bytes) -> None:
    """Deal the open seats by lot among those who wait, and open the first turn."""
    free = [s.power for s in scene.seats.values() if s.state == "open"]
    wishes = {row.id: row for row in waiting(act, scene)}
    if len(wishes) < len(free):
        lacking = len(free) - len(wishes)
        raise Conflict(f"{lacking} of {len(scene.seats)} powers have no player yet; invite more, or seat bots.")
    seed = seals.unseal(key, scene.row.deal_seed).decode()
    listed = {f"sign-up {number}": _wishes(row) for number, row in wishes.items()}
    dealt = deal(seed, scene.row.name, listed, free)
    for sign, power in dealt.items():
        row = wishes[int(sign.removeprefix("sign-up "))]
        take_seat(act, scene, scene.seats[power], row.person, "dealt by lot")
    scene.note(
        "seats dealt",
        role="clock",
        seed=seed,
        commitment=scene.row.deal_commitment,
        sign_ups=listed,
        free=free,
        dealt=dealt,
    )
    scene.row = act.tx.change(scene.row, state="running", started=act.at)
    scene.note("game started", role="clock")
    opening = scene.rules.opening()
    turn = open_turn(act, scene, opening, 1, act.at)
    for seat, person in scene.people():
        act.mail("game started", person, game=scene.row, turn=turn, power=seat.power)


def deal(seed: str, game: str, sign_ups: Mapping[str, Sequence[str]], powers: Sequence[str]) -> dict[str, str]:
    """Who gets which power. The label of the lot holds the digest of all wishes, so that nobody who knows the seed
    could have wished by it.

    A lot puts the sign-ups in order; in that order each takes the first power of its list that is still free; those
    left without get the rest by a second lot.
    """
    listing = "\n".join(f"{sign}: {', '.join(wishes)}" for sign, wishes in sorted(sign_ups.items()))
    label = f"{game}: deal of the powers: {hashlib.sha256(listing.encode()).hexdigest()}"
    order = draw(seed, label, sorted(sign_ups))[: len(powers)]
    free = list(powers)
    dealt: dict[str, str] = {}
    for sign in order:
        wish = next((p for p in sign_ups[sign] if p in free), None)
        if wish is not None:
            dealt[sign] = wish
            free.remove(wish)
    rest = draw(seed, f"{label}: the rest", free)
    for sign in order:
        if sign not in dealt:
            dealt[sign] = rest.pop(0)
    return dealt


# Coming and going


def _may_play(scene: Scene, person: int) -> None:
    """Refuse a seat to those who see what others ordered before it is shown."""
    if person == scene.row.coordinator and scene.settings.coordinated:
        raise Conflict("Who coordinates a game does not play in it.")
    if person == scene.row.deputy:
        raise Conflict("Who reads the sheets of a game does not play in it.")


def take_seat(act: Act, scene: Scene, seat: SeatRow, person: int, why: str) -> None:
    """Seat a person; the dated list of holders is kept."""
    if seat.state not in ("open", "civil disorder", "left"):
        raise Conflict(f"{seat.power} has a player.")
    scene.seats[seat.power] = act.tx.change(seat, state="held", person=person, bot="", since=act.at, missed=0)
    act.tx.add(HoldingRow(seat=seat.id, person=person, bot="", since=act.at, why=why))
    scene.note("seated", seat=scene.seats[seat.power], role="clock", power=seat.power, why=why)


def lose(act: Act, scene: Scene, seat: SeatRow, state: str, why: str, how: str) -> None:
    """Take a seat from its holder, who did not ask for it and is told."""
    if seat.person is not None:
        holder, turn = act.tx.get(PersonRow, seat.person), scene.turn()
        act.mail("seat lost", holder, game=scene.row, turn=turn, power=seat.power, how=how, why=why)
    leave(act, scene, seat, state, why)


def lost_seats(scene: Scene) -> Iterable[LostSeat]:
    """The seats that the reader held in a game that has begun and holds no more, the last first."""
    person = scene.act.actor.person
    if person is None or scene.own or scene.row.turn is None:
        return
    powers = {seat.id: power for power, seat in scene.seats.items()}
    for row in scene.tx.all(HoldingRow, person=person, seat=list(powers), order="-until"):
        seat = scene.seats[powers[row.seat]]
        ends = scene.tx.all(JournalRow, seat=seat.id, at=row.until, kind=["civil disorder", "resigned", "replaced"])
        if ends:
            how = ENDS.get((ends[-1].kind, ends[-1].role), "vacated")
            vacant = seat.state in ("open", "civil disorder", "left") and seat.survives
            yield LostSeat(power=seat.power, how=how, why=row.why, at=moment(row.until or 0), vacant=vacant)


ENDS = {
    ("civil disorder", "clock"): "disorder",
    ("resigned", "holder"): "resigned",
    ("replaced", "coordinator"): "replaced",
    ("replaced", "console"): "replaced",
}
"""How a seat was lost, by the line of the journal that tells it and the role of who did it; else it was vacated."""


def leave(act: Act, scene: Scene, seat: SeatRow, state: str, why: str) -> None:
    """Take the holder from a seat, and what the holder was writing; the dated list of holders is kept."""
    act.tx.remove(DraftRow, seat=seat.id)
    holding = act.tx.find(HoldingRow, seat=seat.id, until=None)
    if holding is not None:
        act.tx.change(holding, until=act.at, why=why)
    scene.seats[seat.power] = act.tx.change(seat, state=state, person=None, bot="", since=act.at)


@command
def take_over(act: Act, game: str, power: str, invitation: str = "") -> None:
    """Take a seat that nobody holds in a running game; in a coordinated game by invitation."""
    link = _invitation(act, game, invitation)
    row = act.tx.find(GameRow, id=link.game) if link is not None else None
    if (
        row is not None
        and act.actor.person is not None
        and act.tx.find(SignUpRow, game=row.id, person=act.actor.person) is None
    ):
        act.tx.add(SignUpRow(game=row.id, person=act.actor.person, preferences=b"", at=act.at))
    scene = act.scene(row, power) if row is not None else act.game(game, power)
    if link is None and scene.settings.coordinated:
        raise Conflict("In this game the coordinator fills empty seats; ask for an invitation.")
    if scene.own:
        raise Conflict(f"You play {scene.own[0]} already.")
    seat = scene.held
    if not seat.survives:
        raise Conflict(f"{seat.power} is out of the game.")
    assert act.actor.person is not None
    _may_play(scene, act.actor.person)
    take_seat(act, scene, seat, act.actor.person, "took over")
    if link is not None:
        act.tx.change(link, used=act.at, person=act.actor.person)


@command
def resign(act: Act, game: str, power: str, reason: str = "") -> None:
    """Give a seat up. What was sent for this turn stays and counts."""
    scene = act.game(game, power)
    seat = scene.held
    leave(act, scene, seat, "left", reason[:300] or "resigned")
    scene.note("resigned", seat=seat, power=seat.power)
    if scene.settings.coordinated:
        act.desk("replace", scene.row, turn=scene.turn(), seat=seat, reason=reason[:300])


@command
def replace(act: Act, game: str, power: str, email: str, reason: str = "") -> None:
    """Put another player on a seat: who holds it now loses it; the new one is seated at once, and told."""
    scene = act.game(game, power)
    person = person_at(act, email)
    if person.id in {s.person for s in scene.seats.values()}:
        raise Conflict(f"{person.name} plays in this game already.")
    _may_play(scene, person.id)
    seat = scene.held
    if seat.state in ("held", "bot"):
        lose(act, scene, seat, "left", reason[:300] or "replaced", "replaced")
    take_seat(act, scene, scene.seats[seat.power], person.id, reason[:300] or "replacement")
    scene.note("replaced", seat=seat, power=seat.power, reason=reason[:300])
    act.mail("seated", person, game=scene.row, turn=scene.turn(), power=seat.power)


@command
def vacate(act: Act, game: str, power: str, reason: str, disorder: bool = True) -> None:
    """Take a seat from its holder; its units stand in civil disorder until somebody takes it over."""
    scene = act.game(game, power)
    seat = scene.held
    if seat.state not in ("held", "bot"):
        raise Conflict(f"{seat.power} has no player.")
    lose(act, scene, seat, "civil disorder" if disorder else "left", reason[:300], "vacated")
    scene.note("civil disorder" if disorder else "resigned", seat=seat, power=seat.power, reason=reason[:300])


@query
def holders(act: Act, game: str) -> list[Holding]:
    """Who held which power, with dates; without names where the game is anonymous and not over."""
    scene = act.game(game)
    named = not scene.settings.anonymous or scene.runs_it or scene.row.state == "ended"
    holdings = []
    for power, seat in scene.seats.items():
        for row in act.tx.all(HoldingRow, seat=seat.id):
            name = act.tx.get(PersonRow, row.person).name if named and row.person is not None else None
            holdings.append(
                Holding(
                    power=power,
                    holder=name,
                    bot=row.bot if named else "",
                    since=moment(row.since),
                    until=moment_or_none(row.until),
                    why=row.why,
                )
            )
    return holdings


# Bots


def bot_names() -> tuple[str, ...]:
    """The bots that there are."""
    return tuple(BOTS)


@command
def seat_bot(act: Act, game: str, power: str, bot: str = "hold") -> None:
    """Have a bot play a power that nobody holds."""
    scene = act.game(game, power)
    seat_bot_now(act, scene, scene.held.power, bot)
    if scene.row.turn is not None:
        turn = scene.turn()
        act.due("bot orders", f"turn {turn.id} bots", act.at, scene.row, turn=turn.id)
    start_if_full(act, scene)


def seat_bot_now(act: Act, scene: Scene, power: str, name: str) -> None:
    """The same, for a scene that was asked for."""
    if name not in BOTS:
        raise Unfit(f"There is no bot {name[:40]!r}.", suggestions=bot_names(), faults=[f"bot: not {name[:40]!r}"])
    seat = scene.seats[power]
    if seat.state == "held":
        raise Conflict(f"{power} has a player.")
    if seat.state == "bot":
        leave(act, scene, seat, "open", "another bot")
    scene.seats[power] = act.tx.change(seat, state="bot", person=None, bot=name, since=act.at, missed=0)
    act.tx.add(HoldingRow(seat=seat.id, person=None, bot=name, since=act.at, why="bot"))
    seen = "coordinator" if scene.settings.anonymous else "all"
    scene.note("bot seated", seat=seat, power=power, bot=name, seen_by=seen)
