"""Seats: invitations, sign-ups, replacement, resignation, civil disorder, bots."""

import base64
import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from legation.notation import capital
from legation.office.context import (
    CommandContext,
    GameContext,
    SeatContext,
    by_clock,
    called,
    command,
    game_settings,
    given_note,
    given_reason,
    query,
)
from legation.office.errors import ConflictError, InvalidInputError, NotAllowedError, NotFoundError, SignInNeededError
from legation.office.game.reliability import refuse_unfit
from legation.office.game.seat_holders import (
    has_player,
    have_bot_stand_in,
    is_vacant,
    leave,
    lose,
    seat_bot_now,
    sign_up_number,
    start_if_full,
    take_seat,
    wishes_of,
)
from legation.office.game.turns import ask_bots_now
from legation.office.identity.credentials import credential_for, use_credential
from legation.office.identity.people import first_link, person_at
from legation.office.office import Office
from legation.office.permissions import ALIVE, CREATES
from legation.office.records import Credential, Record, record_of
from legation.office.store.packing import pack
from legation.office.store.rows import BlockRow, GameRow, HoldingRow, InvitationRow, PersonRow, SeatRow, SignUpRow


class SignUp(Record, frozen=True, kw_only=True):
    """A sign-up; without name and person if the reader can't know who plays what."""

    number: int
    name: str
    person: int
    preferences: tuple[str, ...]


class Invitation(Record, frozen=True, kw_only=True):
    """Game or seat of an invitation; ``power`` is empty where it is to the game, and ``called`` its name in a sentence.
    ``state``: the game's. ``by_post``: its players see each other's postal addresses, unless one says no."""

    game: str
    name: str
    state: str
    power: str
    called: str
    expires: datetime
    by_post: bool


class Holding(Record, frozen=True, kw_only=True):
    """Holder of a power, with the times."""

    power: str
    holder: str | None
    bot: str
    since: datetime
    until: datetime | None
    why: str


INVITATION_DAYS = 30


def invite_person(scene: GameContext, email: str, power: str) -> Credential:
    """Make an invitation, and mail it where there is an address. It is good once, for a month, for the seat that it
    names (before the game begins it may name none) and for the person it was mailed to; another to the seat ends it."""
    act = scene.act
    if not power and scene.row.turn is not None:
        raise InvalidInputError("Name the power; the game has begun.", faults=["power: missing"])
    if power and not is_vacant(scene.seats[power]):
        raise has_player(scene, power)
    if email:
        act.refuse_unwanted_mail(act.actor.person, "invitation", email, scene.row)
    if power:
        scene.tx.change_where(InvitationRow, {"expires": act.at}, game=scene.row.id, power=power, used=None)
    secret = base64.urlsafe_b64encode(act.office.random_source.bytes(18)).decode()
    digest, expires = _digest(secret), act.later(days=INVITATION_DAYS)
    row = InvitationRow(game=scene.row.id, digest=digest, email=email, power=power, made=act.at, expires=expires)
    row = scene.tx.add(row)
    scene.append_journal("invited", seen_by="host", power=power)
    if email:
        person = scene.tx.find(PersonRow, email=email)
        act.mail(
            "invitation",
            person,
            address=email,
            game=scene.row,
            power=power,
            called=scene.named(power).called,
            secret=secret,
            sign_in=first_link(act, email, INVITATION_DAYS),
            name=scene.row.name,
            variant=scene.rules.title,
            rules=act.office.variant_of(scene.row),
            host=scene.tx.get(PersonRow, scene.row.coordinator).name if scene.row.coordinator is not None else "",
            pace=scene.settings.plan().title,
            by_post=scene.settings.opening_by_post,
            days=INVITATION_DAYS,
        )
    number = act.office.numbers.shown("invitation", row.id)
    about = {"kind": "invitation", "label": power, "scopes": (), "last_used": None}
    return record_of(Credential, row, id=number, secret=secret, **about)


def _digest(secret: str) -> str:
    return hashlib.sha256(f"invitation {secret}".encode()).hexdigest()


def _invited(act: CommandContext, game: str, secret: str, power: str = "") -> tuple[GameContext, InvitationRow | None]:
    """The game that the actor asks for, with the invitation that lets them in: that of the link, or one mailed to them;
    None where they came without one. Permission is asked as of everybody; the invitation only shows the game."""
    found = _good_invitation(act, game, secret)
    if found is None:
        if secret:
            raise USED
        return GameContext.authorized(act, game, power), None
    link, row = found
    scene = act.scene(row, power, invited=True)
    if link.email and link.email != act.tx.get(PersonRow, act.actor.person).email:
        raise NotAllowedError("This invitation went to another address. Sign in with that one.")
    return scene, link


def _good_invitation(
    act: CommandContext, game: str, secret: str, email: str = ""
) -> tuple[InvitationRow, GameRow] | None:
    rows, known = {row.id: row for row in called(act.tx, GameRow, game)}, list[InvitationRow]()
    person = act.tx.find(PersonRow, id=act.actor.person)
    email = email or (person.email or "" if person is not None else "")
    if secret:
        known = act.tx.all(InvitationRow, game=[*rows], digest=_digest(secret), lock=act.tx.writes)
    elif email:
        known = act.tx.all(InvitationRow, game=[*rows], order="-id", email=email, lock=act.tx.writes)
    again = act.actor.person if act.done_before else None  # the kept answer is given
    for link in known:
        if (link.used is None and link.expires >= act.at) or link.person == again is not None:
            return link, rows[link.game]
    return None


USED = NotFoundError("This invitation was already used or has expired. Ask for another one.")


# No route: for the page that an invitation opens.
@query("read", visitor="any")
def invitation(act: CommandContext, game: str, secret: str = "") -> Invitation:
    """Return the game or seat that an invitation is for: a link, or one that was mailed to the actor.

    :raises NotFoundError: if it was used, is too old, or never was."""
    act.allow()
    if (found := _good_invitation(act, game, secret)) is None:
        raise USED
    link, row = found
    called = act.office.named(row, link.power).called if link.power else ""
    by_post = game_settings(row).shows_addresses()
    return record_of(Invitation, link, game=row.key, name=row.name, state=row.state, called=called, by_post=by_post)


def welcome(office: Office, game: str, secret: str, email: str) -> int:
    """Return the person who answers an invitation by a sure mail, registered if new; 0 for who wasn't invited."""
    with by_clock(office) as act:
        if (found := _good_invitation(act, game, secret, email)) is None:
            return 0
        if found[0].email:
            act.tx.change(found[0], email=email)
        return person_at(act, email).id


@command("play", "POST /games/{game}/sign-ups", CREATES, person="gathering", clock="gathering")
def sign_up(
    act: CommandContext,
    game: str,
    preferences: Sequence[str] = (),
    invitation: str = "",
    share_address: bool | None = None,
) -> SignUp:
    """Sign up for a game, with the powers in order of preference (those left out come last, by lot). A game that is not
    listed needs an invitation. In a game by post its players see one's postal address, unless ``share_address`` says
    no, now or before (W-23).

    An invitation to a power seats its bearer there at once."""
    scene, link = _invited(act, game, invitation)
    if len(preferences) > len(scene.seats):
        raise InvalidInputError(f"There are {len(scene.seats)} powers.", faults=["preferences: too many"])
    person = _who_comes(scene, link)
    wishes = tuple(dict.fromkeys(scene.power(name) for name in preferences))
    known = act.tx.find(SignUpRow, game=scene.row.id, person=person, lock=True)
    if share_address is None:
        share_address = known is None or known.shares_address
    told: dict[str, Any] = {"preferences": pack(list(wishes)), "shares_address": share_address}
    if known is not None:
        at = known.at if known.withdrawn is None else act.at
        sign = act.tx.change(known, **told, at=at, withdrawn=None)
    else:
        sign = act.tx.add(SignUpRow(game=scene.row.id, person=person, at=act.at, **told))
    scene.append_journal("signed up", role="person")
    if link is not None:
        act.tx.change(link, used=act.at, person=person)
        if link.power:
            take_seat(scene, scene.seats[link.power], person, "invited", shares_address=share_address)
    start_if_full(scene)
    number = sign_up_number(scene, sign)
    return SignUp(number=number, name=act.actor.name, person=act.shown_person(person), preferences=wishes)


def _who_comes(scene: GameContext, link: InvitationRow | None) -> int:
    """Return who wants a seat; refused if they have one, are blocked, or come without an invitation and don't fit."""
    person = scene.actor.person
    assert person is not None
    if scene.own:
        raise ConflictError(f"You already play {scene.named(scene.own[0])}.")
    refuse_blocked(scene.act, scene.row.coordinator, "You can’t join this game.")
    if link is None:
        refuse_unfit(scene)
    return person


def refuse_blocked(act: CommandContext, host: int | None, refusal: str) -> None:
    """Refuse whom the host has blocked (NotAllowedError)."""
    if act.tx.count(BlockRow, person=host or 0, blocked=act.person):
        raise NotAllowedError(refusal)


@command("play", "DELETE /games/{game}/sign-ups/mine", person="gathering")
def withdraw_sign_up(scene: GameContext) -> None:
    """Withdraw a sign-up before the game begins."""
    person = scene.actor.person
    for power in scene.own:
        leave(scene, scene.seats[power], "open", "withdrew before the game began")
    if not scene.tx.change_where(SignUpRow, {"withdrawn": scene.at}, game=scene.row.id, person=person, withdrawn=None):
        raise ConflictError("You have not signed up for this game.")
    scene.append_journal("sign-up withdrawn", role="person")
    start_if_full(scene)


@query("read", "GET /games/{game}/sign-ups", host="any", coordinator="any")
def sign_ups(scene: GameContext) -> list[SignUp]:
    """Return the people who have signed up, for the dealer; without their names, and until the deal without their
    numbers, where players are anonymous and the reader may play with them: the deal tells all which power each number
    got, and a number that appears when somebody is known to have come is theirs."""
    named = not scene.settings.anonymous or scene.runs_it or scene.row.state == "ended"
    dealt = scene.row.state != "gathering"
    listed = [
        SignUp(
            number=sign_up_number(scene, row) if named or dealt else 0,
            name=scene.tx.get(PersonRow, row.person).name if named else "",
            person=scene.act.shown_person(row.person) if named else 0,
            preferences=tuple(wishes_of(row)) if named or dealt else (),
        )
        for row in scene.tx.all(SignUpRow, game=scene.row.id, order="id", withdrawn=None)
    ]
    return listed if named else sorted(listed, key=lambda sign: sign.number)


def own_wishes(scene: GameContext) -> tuple[str, ...] | None:
    """Return what the reader wished when signing up for a game that gathers; None for who has not signed up."""
    person = scene.actor.person
    if person is None or scene.row.state != "gathering":
        return None
    row = scene.tx.find(SignUpRow, game=scene.row.id, person=person, withdrawn=None)
    return tuple(wishes_of(row)) if row is not None else None


@command("play", "POST /games/{game}/seats/{power}/take-over", person="alive")
def take_over(act: CommandContext, game: str, power: str, invitation: str = "", share_address: bool = True) -> None:
    """Take a vacant seat in a running game; in a coordinated game by an invitation to it. ``share_address`` as in
    :func:`sign_up`."""
    scene, link = _invited(act, game, invitation, power)
    if link is None and scene.settings.coordinated:
        raise ConflictError("In this game the coordinator fills empty seats; ask for an invitation.")
    if link is not None and link.power != scene.held.power:
        meant = scene.named(link.power) if link.power else "a game that had not begun"
        raise NotAllowedError(f"This invitation is for {meant}.")
    person = _who_comes(scene, link)
    if not scene.held.survives:
        out = scene.named(scene.held.power)
        raise ConflictError(capital(f"{out} {out:is|are} out of the game."))
    take_seat(scene, scene.held, person, "took over", shares_address=share_address)
    if link is not None:
        act.tx.change(link, used=act.at, person=person)


@command("play", "POST /games/{game}/seats/{power}/resign", holder="alive")
def resign(scene: SeatContext, reason: str = "") -> None:
    """Resign a seat. Orders sent for this turn still count. The person is told by mail."""
    _resign(scene, given_note(reason))


def _resign(scene: GameContext, reason: str) -> None:
    seat = scene.held
    holder = scene.tx.get(PersonRow, seat.person)
    leave(scene, seat, "left", reason or "resigned")
    scene.append_journal("resigned", seat=seat, role="holder")
    scene.act.mail("seat lost", holder, game=scene.row, turn=scene.turn(), power=seat.power, how="resigned", why="")
    have_bot_stand_in(scene, seat.power)
    if scene.settings.coordinated:
        scene.act.add_task("replace", scene.row, turn=scene.turn(), seat=seat, reason=reason)


# No route: for a channel that cannot be sure of who asks.
@command("play", holder="alive")
def ask_resign(scene: SeatContext) -> None:
    """Ask to resign a seat, by a channel that can't authenticate the sender (a mail): a link is mailed to the person's
    address, and nothing happens until it is used."""
    holder = scene.tx.get(PersonRow, scene.held.person)
    secret = credential_for(
        scene.act, holder.id, "resign", "resignation", {"seat": scene.held.id, "since": scene.held.since}
    )
    scene.act.mail("confirm resignation", holder, game=scene.row, power=scene.held.power, secret=secret)


@command("play", "POST /resignations", visitor="any")
def confirm_resign(act: CommandContext, secret: str) -> str:
    """Resign a seat by its mailed link, once, and return the power. A link dies with the seat.

    :raises SignInNeededError: for a link that was used, is too old, or never was, and for a
    seat that is another's by now."""
    person, facts = use_credential(act, secret, "resign")
    seat = act.tx.find(SeatRow, id=facts["seat"], person=person, since=facts["since"])
    game = act.tx.get(GameRow, seat.game) if seat is not None else None
    if seat is None or game is None or game.state not in ALIVE:
        raise SignInNeededError("This link was for a seat you no longer hold.")
    act.actor = msgspec.structs.replace(act.actor, person=person)
    _resign(GameContext(act, game, seat.power), "by mail")
    return seat.power


@command("coordinate", "POST /games/{game}/seats/{power}/replace", coordinator="alive")
def replace(scene: SeatContext, email: str, reason: str = "") -> None:
    """Replace the holder of a seat: the new player is seated and notified at once."""
    reason = given_note(reason)
    person = person_at(scene.act, email)
    if person.id in {s.person for s in scene.seats.values()}:
        raise ConflictError(f"{person.name} plays in this game already.")
    scene.act.refuse_unwanted_mail(scene.actor.person, "seated", person.email or "", scene.row)
    seat = scene.held
    if seat.state in ("held", "bot"):
        lose(scene, seat, "left", reason or "replaced", "replaced")
    take_seat(scene, scene.seats[seat.power], person.id, reason or "replacement")
    scene.append_journal("replaced", seat=seat, reason=reason)
    scene.act.mail("seated", person, game=scene.row, turn=scene.turn(), power=seat.power)


@command("coordinate", "POST /games/{game}/seats/{power}/vacate", coordinator="alive")
def vacate(scene: SeatContext, reason: str, disorder: bool = True) -> None:
    """Take a seat from its holder. With ``disorder`` its units stand in civil disorder until somebody takes it over; a
    bot stands in where the game is so set."""
    reason = given_reason(reason, "it is kept with the seat")
    seat = scene.held
    if seat.state not in ("held", "bot"):
        empty = scene.named(seat.power)
        raise ConflictError(capital(f"{empty} {empty:has|have} no player."))
    lose(scene, seat, "civil disorder" if disorder else "left", reason, "vacated")
    scene.append_journal("civil disorder" if disorder else "resigned", seat=seat, reason=reason)
    have_bot_stand_in(scene, seat.power)


@command("play", "PUT /games/{game}/seats/{power}/machine", holder="gathering alive")
def declare_machine(scene: SeatContext) -> None:
    """Declare that a program plays one's seat, as long as one holds it: all are told.

    :raises NotAllowedError: where the game takes no programs."""
    if not scene.settings.machines:
        raise NotAllowedError("Programs can't play in this game unless its host allows them.")
    if scene.held.machine:
        return
    scene.seats[scene.held.power] = scene.tx.change(scene.held, machine=True)
    scene.append_journal("machine", seat=scene.held)


@query("read", "GET /games/{game}/holders", visitor="any")
def holders(scene: GameContext) -> list[Holding]:
    """Return who held which power, with dates; without players' names where the game is anonymous and not over."""
    if scene.row.source:
        return []  # an imported record has one player for each power, as its seats say
    named = not scene.settings.anonymous or scene.runs_it or scene.row.state == "ended"
    rows = scene.tx.all(HoldingRow, seat=[seat.id for seat in scene.seats.values()])
    known = {row.person for row in rows if named and row.person is not None}
    names = {person.id: person.name for person in scene.tx.all(PersonRow, id=sorted(known))}
    return [
        record_of(Holding, row, power=power, holder=names[row.person] if named and row.person is not None else None)
        for power, seat in scene.seats.items()
        for row in rows
        if row.seat == seat.id
    ]


@command("coordinate", "PUT /games/{game}/seats/{power}/bot", host="gathering", coordinator="gathering alive")
def seat_bot(scene: SeatContext, bot: str = "hold") -> None:
    """Seat a bot at a vacant power."""
    seat_bot_now(scene, scene.held.power, bot)
    scene.act.close_tasks("seated", seat=scene.held.id, kind="replace")
    if scene.row.turn is not None:
        ask_bots_now(scene, scene.turn())
    start_if_full(scene)
