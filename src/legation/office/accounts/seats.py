"""Seats: invitations, sign-ups, the deal by lot, replacement, resignation, civil disorder, bots."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

import msgspec

from legation.bots import levels
from legation.office.accounts.people import credential_for, person_at, use_credential
from legation.office.act import CommandContext, GameContext, command, query
from legation.office.actor import Actor
from legation.office.clock import moment, moment_or_none
from legation.office.errors import ConflictError, InvalidInputError, NotAllowedError, NotFoundError, SignInNeededError
from legation.office.keys import seals
from legation.office.keys.keeper import GivenKey, Notice, tell_keeper
from legation.office.office import Office
from legation.office.permissions import ALIVE
from legation.office.records import Credential, LostSeat, Record
from legation.office.store import pack, unpack
from legation.office.store.rows import GameRow, HoldingRow, InvitationRow, JournalRow, PersonRow, SeatRow, SignUpRow
from legation.office.terms import invariants
from legation.office.terms.plans import game_key
from legation.office.turn import chain
from legation.office.turn.turns import open_turn, opening_of
from legation.proofs import kinds
from legation.proofs.lots import DEAL, deal, lot_seed, turn_secret


class SignUp(Record, frozen=True, kw_only=True):
    """A wish to play."""

    number: int
    name: str
    person: int
    preferences: tuple[str, ...]


class Invitation(Record, frozen=True, kw_only=True):
    """What an invitation is to; ``power`` is empty where it is to the game, whose ``state`` is told."""

    game: str
    name: str
    state: str
    power: str
    expires: datetime


class Holding(Record, frozen=True, kw_only=True):
    """Who held a power, from when to when."""

    power: str
    holder: str | None
    bot: str
    since: Any
    until: Any
    why: str


INVITATION_DAYS = 30


def deal_key(game_key: str) -> str:
    """The name at the keeper of the key that seals the seed of the deal."""
    return f"{game_key}.deal"


# Coming in


def _host(act: CommandContext, scene: GameContext) -> str:
    """The name of who runs a game; empty where nobody does."""
    runs = scene.row.coordinator
    return act.tx.get(PersonRow, runs).name if runs is not None else ""


def invite_person(act: CommandContext, scene: GameContext, email: str, power: str) -> Credential:
    """Make an invitation, and mail it where there is an address.

    It is good once, for a month, for the seat that it names (before the game begins it may name none), and where it
    went to an address, for the person with that address. Another invitation to the same seat takes its place.
    """
    if not power and scene.row.turn is not None:
        raise InvalidInputError("Name the power; the game has begun.", faults=["power: missing"])
    if power and not is_vacant(scene.seats[power]):
        raise ConflictError(f"{power} has a player.")
    if power:
        act.tx.change_where(InvitationRow, {"expires": act.at}, game=scene.row.id, power=power, used=None)
    secret = base64.urlsafe_b64encode(act.office.random_source.bytes(18)).decode()
    row = act.tx.add(
        InvitationRow(
            game=scene.row.id,
            digest=_digest(secret),
            email=email,
            power=power,
            made=act.at,
            expires=act.later(days=INVITATION_DAYS),
        )
    )
    scene.append_journal("invited", seen_by="coordinator", power=power)
    if email:
        person = act.tx.find(PersonRow, email=email)
        act.mail(
            "invitation",
            person,
            address=email,
            game=scene.row,
            power=power,
            secret=secret,
            name=scene.row.name,
            variant=scene.rules.title,
            host=_host(act, scene),
            days=INVITATION_DAYS,
        )
    return Credential(
        id=act.office.numbers.shown("invitation", row.id),
        kind="invitation",
        label=power,
        scopes=(),
        made=act.now,
        expires=moment(row.expires),
        last_used=None,
        secret=secret,
    )


def _digest(secret: str) -> str:
    return hashlib.sha256(f"invitation {secret}".encode()).hexdigest()


def _invited(act: CommandContext, game: str, secret: str, power: str = "") -> tuple[GameContext, InvitationRow | None]:
    """The game that the actor asks for, with the invitation that lets them in; None where they came without one.

    Permission is asked as of everybody; the invitation only shows the game.
    """
    if not secret:
        return act.authorize_game(game, power), None
    link = act.tx.find(InvitationRow, digest=_digest(secret), lock=True)
    row = act.tx.get(GameRow, link.game) if link is not None else None
    if link is None or row is None or row.key != game_key(game) or link.used is not None or link.expires < act.at:
        raise NotFoundError("This invitation was used, is too old, or never was; ask for another one.")
    scene = act.scene(row, power, invited=True)
    person = act.tx.get(PersonRow, act.actor.person)
    if link.email and link.email != person.email:
        raise NotAllowedError("This invitation is for another address; sign in with the one that it went to.")
    return scene, link


@query
def invitation(act: CommandContext, game: str, secret: str) -> Invitation:
    """What an invitation is to, for whoever has it.

    :raises NotFoundError: if it was used, is too old, or never was.
    """
    act.allow()
    link = act.tx.find(InvitationRow, digest=_digest(secret))
    row = act.tx.get(GameRow, link.game) if link is not None else None
    if link is None or row is None or row.key != game_key(game) or link.used is not None or link.expires < act.at:
        raise NotFoundError("This invitation was used, is too old, or never was; ask for another one.")
    return Invitation(game=row.key, name=row.name, state=row.state, power=link.power, expires=moment(link.expires))


@command
def sign_up(act: CommandContext, game: str, preferences: Sequence[str] = (), invitation: str = "") -> SignUp:
    """Wish to play, with the powers in order of preference (those left out come last, by lot). A game that is not
    listed needs an invitation.

    An invitation to a power seats its bearer there at once.
    """
    scene, link = _invited(act, game, invitation)
    person = act.actor.person
    assert person is not None
    if len(preferences) > len(scene.seats):
        raise InvalidInputError(f"There are {len(scene.seats)} powers.", faults=["preferences: too many"])
    if scene.own:
        raise ConflictError(f"You play {scene.own[0]} already.")
    wishes = tuple(dict.fromkeys(scene.power(name) for name in preferences))
    known = act.tx.find(SignUpRow, game=scene.row.id, person=person, lock=True)
    if known is not None:
        sign = act.tx.change(known, preferences=pack(list(wishes)), withdrawn=None, at=known.at)
    else:
        sign = act.tx.add(SignUpRow(game=scene.row.id, person=person, preferences=pack(list(wishes)), at=act.at))
    scene.append_journal("signed up", role="person")
    if link is not None:
        act.tx.change(link, used=act.at, person=person)
        if link.power:
            take_seat(act, scene, scene.seats[link.power], person, "invited")
    start_if_full(act, scene)
    number = _sign_up_numbers(scene)[sign.id]
    return SignUp(number=number, name=act.actor.name, person=person, preferences=wishes)


@command
def withdraw_sign_up(act: CommandContext, game: str) -> None:
    """Withdraw a sign-up before the game begins."""
    scene = act.authorize_game(game)
    person = act.actor.person
    for power in scene.own:
        leave(act, scene, scene.seats[power], "open", "withdrew before the game began")
    act.tx.change_where(SignUpRow, {"withdrawn": act.at}, game=scene.row.id, person=person, withdrawn=None)
    scene.append_journal("sign-up withdrawn", role="person")


@query
def sign_ups(act: CommandContext, game: str) -> list[SignUp]:
    """Who wishes to play, for whoever deals."""
    scene = act.authorize_game(game)
    numbers = _sign_up_numbers(scene)
    return [
        SignUp(
            number=numbers[row.id],
            name=act.tx.get(PersonRow, row.person).name,
            person=row.person,
            preferences=tuple(_wishes(row)),
        )
        for row in act.tx.all(SignUpRow, game=scene.row.id, withdrawn=None)
    ]


def _sign_up_numbers(scene: GameContext) -> dict[int, int]:
    """The numbers of a game's sign-ups, counted in this game alone, by those of their rows; withdrawn ones too."""
    rows = scene.tx.all(SignUpRow, game=scene.row.id, order="id")
    return {row.id: number for number, row in enumerate(rows, 1)}


def _wishes(row: SignUpRow) -> list[str]:
    return list(unpack(row.preferences)) if row.preferences else []


def own_wishes(scene: GameContext) -> tuple[str, ...] | None:
    """What the reader wished when signing up for a game that gathers; None for who has not signed up."""
    person = scene.act.actor.person
    if person is None or scene.row.state != "gathering":
        return None
    row = scene.tx.find(SignUpRow, game=scene.row.id, person=person, withdrawn=None)
    return tuple(_wishes(row)) if row is not None else None


def start_if_full(act: CommandContext, scene: GameContext) -> None:
    """A game that runs itself starts when every seat can be filled."""
    if scene.settings.coordinated or scene.row.state != "gathering":
        return
    if not lacking(scene):
        act.schedule_job("start game", f"game {scene.row.id} start", act.at, scene.row, game=scene.row.id)


def waiting(act: CommandContext, scene: GameContext) -> list[SignUpRow]:
    """The sign-ups that have no seat yet, the first first."""
    seated = {s.person for s in scene.seats.values()}
    return [r for r in act.tx.all(SignUpRow, game=scene.row.id, withdrawn=None) if r.person not in seated]


def lacking(scene: GameContext) -> int:
    """How many open seats nobody waits for."""
    free = sum(seat.state == "open" for seat in scene.seats.values())
    return max(0, free - len(waiting(scene.act, scene)))


# The deal


def prepare_deal(office: Office, facts: dict[str, Any]) -> GivenKey | None:
    """The keeper's part of the deal; None, and it stays with the keeper, where the game cannot begin."""
    with office.store.transaction(write=False) as tx:
        row = tx.get(GameRow, facts["game"])
        scene = GameContext(CommandContext(office, Actor.clock(), tx, "prepare deal", office.clock.now()), row)
        ready = row.state == "gathering" and not lacking(scene)
    return release_deal(office, row) if ready else None


def release_deal(office: Office, row: GameRow) -> GivenKey:
    """Have the keeper give its part of the deal, because the game begins."""
    notice = Notice(deal_key(row.key), 1, row.deal_commitment, row.created, "dealt")
    tell_keeper(office.keeper, office.signing_keys(), notice)
    return office.keeper.key(notice.name)


def start_when_full(act: CommandContext, facts: dict[str, Any], key: GivenKey | None) -> None:
    """Start a game that runs itself, if it is still full."""
    scene = GameContext(act, act.tx.get(GameRow, facts["game"], lock=True))
    if key is not None and scene.row.state == "gathering" and not lacking(scene):
        start_game(act, scene, lambda: key)


def start_game(act: CommandContext, scene: GameContext, key: Callable[[], GivenKey]) -> None:
    """Deal the open seats by lot among those who wait, and open the first turn. ``key`` has the keeper give its part:
    it is called when nothing stands in the way any more."""
    if missing := lacking(scene):
        raise ConflictError(f"{missing} of {len(scene.seats)} powers have no player yet; invite more, or seat bots.")
    invariants.check(act.tx, [scene.row.id])
    free = [s.power for s in scene.seats.values() if s.state == "open"]
    numbers = _sign_up_numbers(scene)
    wishes = {numbers[row.id]: row for row in waiting(act, scene)}
    given = key()
    seed, secret = _deal_seed(scene, given)
    listed = {f"sign-up {number}": _wishes(row) for number, row in wishes.items()}
    dealt = deal(seed, scene.row.name, listed, free)
    for sign, power in dealt.items():
        row = wishes[int(sign.removeprefix("sign-up "))]
        take_seat(act, scene, scene.seats[power], row.person, "dealt by lot")
    if secret:
        chain.write(
            scene,
            "dealt",
            kinds.DealtLine(
                name=scene.row.name,
                free=free,
                secret=secret,
                part=given.part,
                sign_ups=[kinds.SignUp(number=sign, wishes=list(wishes), nonce="") for sign, wishes in listed.items()],
                dealt=[kinds.DealtSeat(number=sign, seat=power) for sign, power in dealt.items()],
            ),
        )
    scene.append_journal(
        "seats dealt",
        role="clock",
        seed=seed,
        chained=bool(secret),
        commitment=scene.row.deal_commitment,
        sign_ups=listed,
        free=free,
        dealt=dealt,
    )
    scene.row = act.tx.change(scene.row, state="running", started=act.at)
    scene.append_journal("game started", role="clock")
    opening = opening_of(scene)
    turn = open_turn(act, scene, opening, 1, act.at)
    for seat, person in scene.people():
        act.mail("game started", person, game=scene.row, turn=turn, power=seat.power)


def _deal_seed(scene: GameContext, given: GivenKey) -> tuple[str, str]:
    """The seed of the deal, and the secret that it is made from; that is empty for a game that was made before lots had
    secrets."""
    if scene.row.deal_seed:
        return seals.unseal(given.private, scene.row.deal_seed).decode(), ""
    secret = turn_secret(chain.secret_of(scene), DEAL)
    return lot_seed(secret, given.part, []), secret


# Coming and going


def is_vacant(seat: SeatRow) -> bool:
    """Whether somebody may take a seat: nobody holds it, or a bot does until somebody takes over."""
    return seat.state in ("open", "civil disorder", "left") or seat.stand_in


def take_seat(act: CommandContext, scene: GameContext, seat: SeatRow, person: int, why: str) -> None:
    """Seat a person; the dated list of holders is kept."""
    if not is_vacant(seat):
        raise ConflictError(f"{seat.power} has a player.")
    if seat.stand_in:
        leave(act, scene, seat, "left", "somebody took over")
        seat = scene.seats[seat.power]
    scene.seats[seat.power] = act.tx.change(
        seat, state="held", person=person, bot="", since=act.at, missed=0, shares_address=False
    )
    act.tx.add(HoldingRow(seat=seat.id, person=person, bot="", since=act.at, why=why))
    chain.holds(scene, scene.seats[seat.power])
    scene.append_journal("seated", seat=scene.seats[seat.power], role="clock", power=seat.power, why=why)


def lose(act: CommandContext, scene: GameContext, seat: SeatRow, state: str, why: str, how: str) -> None:
    """Take a seat from its holder, who did not ask for it and is told."""
    if seat.person is not None:
        holder, turn = act.tx.get(PersonRow, seat.person), scene.turn()
        act.mail("seat lost", holder, game=scene.row, turn=turn, power=seat.power, how=how, why=why)
    leave(act, scene, seat, state, why)


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


def leave(act: CommandContext, scene: GameContext, seat: SeatRow, state: str, why: str) -> None:
    """Take the holder from a seat; the dated list of holders is kept, and what was sent stays."""
    holding = act.tx.find(HoldingRow, seat=seat.id, until=None)
    if holding is not None:
        act.tx.change(holding, until=act.at, why=why)
    scene.seats[seat.power] = act.tx.change(
        seat, state=state, person=None, bot="", since=act.at, key="", machine=False, stand_in=False
    )
    if seat.key:
        chain.write(scene, "seat key", kinds.SeatKeyLine(seat=seat.power, key=""))
    chain.holds(scene, scene.seats[seat.power])


@command
def take_over(act: CommandContext, game: str, power: str, invitation: str = "") -> None:
    """Take a seat that nobody holds in a running game; in a coordinated game by an invitation to it."""
    scene, link = _invited(act, game, invitation, power)
    if link is None and scene.settings.coordinated:
        raise ConflictError("In this game the coordinator fills empty seats; ask for an invitation.")
    if link is not None and link.power != scene.held.power:
        raise NotAllowedError(f"This invitation is for {link.power or 'a game that had not begun'}.")
    if scene.own:
        raise ConflictError(f"You play {scene.own[0]} already.")
    if not scene.held.survives:
        raise ConflictError(f"{scene.held.power} is out of the game.")
    person = act.actor.person
    assert person is not None
    take_seat(act, scene, scene.held, person, "took over")
    if link is not None:
        act.tx.change(link, used=act.at, person=person)


@command
def resign(act: CommandContext, game: str, power: str, reason: str = "") -> None:
    """Give a seat up. What was sent for this turn stays and counts. The person is told by mail."""
    scene = act.authorize_game(game, power)
    _resign(act, scene, reason)


def _resign(act: CommandContext, scene: GameContext, reason: str) -> None:
    seat = scene.held
    holder = act.tx.get(PersonRow, seat.person)
    leave(act, scene, seat, "left", reason[:300] or "resigned")
    scene.append_journal("resigned", seat=seat, power=seat.power, role="holder")
    act.mail("seat lost", holder, game=scene.row, turn=scene.turn(), power=seat.power, how="resigned", why="")
    have_bot_stand_in(act, scene, seat.power)
    if scene.settings.coordinated:
        act.add_task("replace", scene.row, turn=scene.turn(), seat=seat, reason=reason[:300])


@command
def ask_resign(act: CommandContext, game: str, power: str) -> None:
    """Ask to give a seat up, by a counter that cannot be sure of who asks (a mail): a link goes to the person's
    address, and nothing happens until it is used."""
    scene = act.authorize_game(game, power)
    holder = act.tx.get(PersonRow, scene.held.person)
    secret = credential_for(act, holder.id, "resign", "resignation", {"seat": scene.held.id, "since": scene.held.since})
    act.mail("confirm resignation", holder, game=scene.row, power=scene.held.power, secret=secret)


@command
def confirm_resign(act: CommandContext, secret: str) -> str:
    """Give a seat up by the link that was sent, once; the answer is the power. A link dies with the seat.

    :raises SignInNeededError: for a link that was used, is too old, or never was, and for a
    seat that is another's by now.
    """
    act.allow()
    person, facts = use_credential(act, secret, "resign")
    seat = act.tx.find(SeatRow, id=facts["seat"], person=person, since=facts["since"])
    game = act.tx.get(GameRow, seat.game) if seat is not None else None
    if seat is None or game is None or game.state not in ALIVE:
        raise SignInNeededError("This link was for a seat that you do not hold any more.")
    act.actor = msgspec.structs.replace(act.actor, person=person)
    _resign(act, GameContext(act, game, seat.power), "by mail")
    return seat.power


@command
def replace(act: CommandContext, game: str, power: str, email: str, reason: str = "") -> None:
    """Put another player on a seat: who holds it now loses it; the new one is seated at once, and told."""
    scene = act.authorize_game(game, power)
    person = person_at(act, email)
    if person.id in {s.person for s in scene.seats.values()}:
        raise ConflictError(f"{person.name} plays in this game already.")
    seat = scene.held
    if seat.state in ("held", "bot"):
        lose(act, scene, seat, "left", reason[:300] or "replaced", "replaced")
    take_seat(act, scene, scene.seats[seat.power], person.id, reason[:300] or "replacement")
    scene.append_journal("replaced", seat=seat, power=seat.power, reason=reason[:300])
    act.mail("seated", person, game=scene.row, turn=scene.turn(), power=seat.power)


@command
def vacate(act: CommandContext, game: str, power: str, reason: str, disorder: bool = True) -> None:
    """Take a seat from its holder; its units stand in civil disorder until somebody takes it over."""
    scene = act.authorize_game(game, power)
    seat = scene.held
    if seat.state not in ("held", "bot"):
        raise ConflictError(f"{seat.power} has no player.")
    lose(act, scene, seat, "civil disorder" if disorder else "left", reason[:300], "vacated")
    scene.append_journal("civil disorder" if disorder else "resigned", seat=seat, power=seat.power, reason=reason[:300])
    have_bot_stand_in(act, scene, seat.power)


@command
def declare_machine(act: CommandContext, game: str, power: str) -> None:
    """Say that a program plays one's seat, as long as one holds it: all are told.

    :raises NotAllowedError: where the game takes no programs.
    """
    scene = act.authorize_game(game, power)
    if not scene.settings.machines:
        raise NotAllowedError("In this game no programs play; its host can allow them.")
    if scene.held.machine:
        return
    scene.seats[scene.held.power] = act.tx.change(scene.held, machine=True)
    scene.append_journal("machine", seat=scene.held, power=scene.held.power)


@query
def holders(act: CommandContext, game: str) -> list[Holding]:
    """Who held which power, with dates; without names where the game is anonymous and not over."""
    scene = act.authorize_game(game)
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
    return levels.names()


@command
def seat_bot(act: CommandContext, game: str, power: str, bot: str = "hold") -> None:
    """Have a bot play a power that nobody holds."""
    scene = act.authorize_game(game, power)
    seat_bot_now(act, scene, scene.held.power, bot)
    if scene.row.turn is not None:
        turn = scene.turn()
        act.schedule_job("bot orders", f"turn {turn.id} bots", act.at, scene.row, turn=turn.id)
    start_if_full(act, scene)


def seat_bot_now(act: CommandContext, scene: GameContext, power: str, name: str) -> None:
    """Have a bot play a free power, in a game whose permission was asked."""
    if name not in bot_names():
        raise InvalidInputError(
            f"There is no bot {name[:40]!r}.", suggestions=bot_names(), faults=[f"bot: not {name[:40]!r}"]
        )
    seat = scene.seats[power]
    if seat.state == "held":
        raise ConflictError(f"{power} has a player.")
    if seat.state == "bot":
        leave(act, scene, seat, "open", "another bot")
        seat = scene.seats[power]
    scene.seats[power] = act.tx.change(seat, state="bot", person=None, bot=name, since=act.at, missed=0)
    act.tx.add(HoldingRow(seat=seat.id, person=None, bot=name, since=act.at, why="bot"))
    chain.holds(scene, scene.seats[power])
    seen = "coordinator" if scene.settings.anonymous else "all"
    scene.append_journal("bot seated", seat=seat, power=power, bot=name, seen_by=seen)


def have_bot_stand_in(act: CommandContext, scene: GameContext, power: str) -> None:
    """Have the bot of the game's settings play on for a player who has gone, until somebody takes over."""
    seat, name = scene.seats[power], scene.settings.stand_in
    if name not in bot_names() or not seat.survives or scene.row.state not in ALIVE:
        return
    scene.seats[power] = act.tx.change(seat, state="bot", bot=name, since=act.at, missed=0, stand_in=True)
    act.tx.add(HoldingRow(seat=seat.id, person=None, bot=name, since=act.at, why="stands in"))
    chain.holds(scene, scene.seats[power])
    scene.append_journal("stand-in", seat=seat, power=power, bot=name, role="clock")
    turn = scene.turn()
    act.schedule_job("bot orders", f"turn {turn.id} bots", act.at, scene.row, turn=turn.id)
