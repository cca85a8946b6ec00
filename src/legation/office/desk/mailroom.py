"""Arrivals of mails: whose they are, and that each is taken once. Nothing of a mail's content is looked at here.

A mail acts for a person if it comes from their address and its domain is vouched for; else, from the holder's address
to the seat's own reply address, as a player. Any other waits, locked, until the holder of the seat releases it by a
link; one that fits no seat is listed on the desk, and passed on, unread, to the holder whose it may be."""

import base64
import contextlib
import hmac
import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal

import msgspec

from legation.notation import capital
from legation.office.clock import micros, moment
from legation.office.context import Actor, CommandContext, GameContext, SeatContext, by_clock, command, game_settings
from legation.office.desk.tasks import add_to_group, item_record
from legation.office.errors import ConflictError, NotFoundError
from legation.office.game.turns import turn_record
from legation.office.identity.credentials import secret_digest
from legation.office.identity.people import ADDRESS
from legation.office.keys import seals
from legation.office.office import Office
from legation.office.permissions import ALIVE
from legation.office.records import ArrivalState, DeskItem, TurnRecord
from legation.office.store.packing import pack, unpack
from legation.office.store.rows import ArrivalRow, DeskRow, GameRow, PersonRow, SeatRow, TurnRow
from legation.office.store.transaction import DuplicateRowError, Transaction
from legation.office.terms.plans import game_key

TOKEN = re.compile(r"([0-9]{1,18})-([a-z2-7]{12})")
UNMATCHED = ("unmatched mail", "unmatched mails")

Reach = Literal["all", "player", "sheet"]


class SeatRef(msgspec.Struct, frozen=True):
    """A seat: the game's key and name, and the power."""

    game: str
    name: str
    variant: str
    power: str


class MailSender(msgspec.Struct, frozen=True):
    """Sender of a mail. ``seat`` is the one whose reply address it was sent to; ``sure`` tells whether it may act;
    ``holder`` is who may release it if not. ``reach``: how far it may act: for all that the person may do, as a player,
    or (``sheet``) by orders for that seat alone."""

    person: int | None
    seats: tuple[SeatRef, ...]
    seat: SeatRef | None
    sure: bool
    holder: int | None
    reach: Reach = "player"


class Arrival(msgspec.Struct, frozen=True):
    """A mail that was recorded. ``new`` is False if it had come before; ``person`` is who may say that it is theirs."""

    id: int
    at: datetime
    new: bool
    person: int | None = None


def reply_address(office: Office, game: str, power: str, person: int | None) -> str:
    """Return the secret address to which a person writes orders for a seat, while they hold it; else the office's."""
    with office.store.transaction(write=False) as tx:
        row = tx.find(GameRow, key=game)
        seat = tx.find(SeatRow, game=row.id, power=power) if row is not None else None
    if seat is None or person is None or seat.person != person:
        return office.settings.orders_address
    local, _, domain = office.settings.orders_address.partition("@")
    return f"{local}+{seat.id}-{_mac(office, seat)}@{domain}"


def _mac(office: Office, seat: SeatRow) -> str:
    digest = office.keyed("mail seat", f"{seat.id} person {seat.person} since {seat.since}".encode())
    return base64.b32encode(digest)[:12].decode().lower()


def look_up(
    office: Office, marks: Sequence[bytes], sender: str, addressed: Sequence[str], *, vouched: bool
) -> tuple[MailSender, list[bool]]:
    """Return the sender of a mail, and which of the ``marks`` by which it is known (:func:`record`) came before.
    ``vouched``: the trusted mail server vouches for the address."""
    with office.store.reading(), office.store.transaction(write=False) as tx:
        known = [tx.find(ArrivalRow, digest=_digest(office, mark)) is not None for mark in marks]
        return _sender(office, tx, sender, addressed, vouched=vouched), known


def _sender(office: Office, tx: Transaction, sender: str, addressed: Sequence[str], *, vouched: bool) -> MailSender:
    person = tx.find(PersonRow, email=sender) if sender else None
    running = _seats_of(office, tx, person.id) if person is not None else ()
    written_to = _by_tokens(office, tx, addressed)
    seat = written_to[0] if written_to else None
    refs = tuple(_held(office, tx.get(GameRow, one.game), one) for one in written_to)
    named = refs[0] if refs else None
    if person is None:
        return MailSender(None, (), named, False, seat.person if seat else None)
    reach: Reach = "all" if vouched else "player"
    if len(refs) > 1 and all(one.person == person.id for one in written_to):  # which one is meant is asked
        return MailSender(person.id, refs, None, True, person.id, reach)
    if seat is not None:
        return MailSender(person.id, running, named, seat.person == person.id, seat.person, reach)
    return MailSender(person.id, running, None, vouched, person.id, reach)


def seats_of(office: Office, person: int | None) -> tuple[SeatRef, ...]:
    """The seats of a person in games that run."""
    with office.store.reading(), office.store.transaction(write=False) as tx:
        return _seats_of(office, tx, person or 0)


def _seats_of(office: Office, tx: Transaction, person: int) -> tuple[SeatRef, ...]:
    seats = tx.all(SeatRow, person=person)
    games = {g.id: g for g in tx.all(GameRow, id=[s.game for s in seats])}
    return tuple(_held(office, games[s.game], s) for s in seats if games[s.game].state in ALIVE)


def _held(office: Office, game: GameRow, seat: SeatRow) -> SeatRef:
    return SeatRef(game.key, game.name, office.variant_of(game), seat.power)


def _by_tokens(office: Office, tx: Transaction, addressed: Sequence[str]) -> list[SeatRow]:
    seats: dict[int, SeatRow] = {}
    local, _, domain = office.settings.orders_address.casefold().partition("@")
    for address in addressed:
        name, _, host = address.casefold().partition("@")
        match = TOKEN.fullmatch(name.removeprefix(f"{local}+"))
        if match is None or host != domain or not name.startswith(f"{local}+"):
            continue
        seat = tx.find(SeatRow, id=int(match[1]))
        if seat is not None and seat.person is not None and hmac.compare_digest(_mac(office, seat), match[2]):
            seats[seat.id] = seat
    return list(seats.values())


def present_turn(office: Office, seat: SeatRef) -> TurnRecord:
    """The turn that orders for a seat are for now, as all of its game may know it."""
    with office.store.transaction(write=False) as tx:
        game = tx.find(GameRow, key=seat.game)
        turn = tx.find(TurnRow, game=game.id, number=game.turn) if game is not None else None
    if turn is None:
        raise NotFoundError(f"{seat.name} is no longer running." if game is None else f"{seat.name} has not begun.")
    return turn_record(turn)


def _digest(office: Office, mark: bytes) -> str:
    return office.keyed("arrival", mark).hex()


def keep(office: Office, data: bytes) -> str:
    """Store an encrypted copy of a mail, before the row that names it is written, and return its name."""
    return office.files.put(seals.lock_padded(office.master_key, data))


def record(
    office: Office,
    marks: Sequence[bytes],
    state: ArrivalState,
    sender: MailSender | None = None,
    stored: str = "",
    at: datetime | None = None,
) -> Arrival:
    """Note that a mail came, by the first of the ``marks`` by which it is known again; only digests of them are kept.
    ``stored``: its locked copy."""
    with office.store.transaction() as tx:
        now = micros(at or office.clock.now())
        digest = _digest(office, marks[0])
        person = (sender.holder if sender.holder is not None else sender.person) if sender else None
        try:
            row = tx.add(ArrivalRow(digest=digest, at=now, state=state, person=person, stored=stored))
        except DuplicateRowError:
            known = tx.find(ArrivalRow, digest=digest, lock=True)
            if known is None:
                raise
            return Arrival(known.id, moment(known.at), False)
        _note_known(office, tx, marks[1:], now)
        return Arrival(row.id, moment(row.at), True, person)


def _note_known(office: Office, tx: Transaction, marks: Sequence[bytes], now: int) -> None:
    for mark in marks:
        with contextlib.suppress(DuplicateRowError):
            tx.add(ArrivalRow(digest=_digest(office, mark), at=now, state="ignored"))


def put_aside(office: Office, marks: Sequence[bytes], data: bytes, why: str, at: datetime | None = None) -> None:
    """Keep a mail, locked, that could not be read, and tell the administrators; retried, it counts from ``at``."""
    stored = keep(office, data)
    with by_clock(office) as act:
        arrival = record(office, marks, "aside", stored=stored, at=at)
        row = act.tx.get(ArrivalRow, arrival.id)
        if not arrival.new:
            act.tx.change(row, state="aside", stored=stored)
            _note_known(office, act.tx, marks[1:], row.at)
        add_to_group(act, "unread mails", entry={"arrival": arrival.id, "bytes": len(data)}, why=why[:200])


def note_unreadable(office: Office, arrival: Arrival, why: str) -> None:
    """Put a mail aside that was kept and cannot be read or acted on now."""
    with by_clock(office) as act:
        act.tx.change(act.tx.get(ArrivalRow, arrival.id, lock=True), state="aside", secret="")
        add_to_group(act, "unread mails", entry={"arrival": arrival.id}, why=why[:200])


def note_too_large(office: Office, size: int) -> None:
    """Tell the administrators of a mail that stays in its mailbox because it is too large."""
    with by_clock(office) as act:
        add_to_group(act, "unread mails", entry={"bytes": size}, why="it is too large, and stays in the mailbox")


def note_unmatched(office: Office, arrival: Arrival, sender: str, why: str) -> None:
    """List an unmatched mail on the desk by sender and time; one that is only counted there is not kept."""
    with by_clock(office) as act:
        item = add_to_group(act, "unmatched mails", entry={"arrival": arrival.id, "sender": sender[:254]}, why=why)
        row = act.tx.get(ArrivalRow, arrival.id)
        if not row.secret and not _entry(unpack(item.facts), row.id):
            act.tx.change(row, state="ignored", stored="")


def named_game(office: Office, text: str, reader: Actor | None = None, states: Sequence[str] = ALIVE) -> str:
    """Return the key of the one game that a text names, of those that a reader knows, own ones first; or nothing."""
    words = f"-{game_key(text)}-"
    with office.store.transaction(write=False) as tx:
        act = CommandContext(office, reader or Actor.clock(), tx, "mailroom.named_game", office.clock.now())
        found = [
            (GameContext(act, row), name)
            for row in tx.all(GameRow, state=list(states))
            for name in {row.key, game_key(row.name)}
            if f"-{name}-" in words
        ]
        known = [(scene, name) for scene, name in found if scene.is_known()]
        names = {name for _, name in known}
        longest = {name for name in names if not any(name != other and f"-{name}-" in f"-{other}-" for other in names)}
        meant = {scene.row.key: scene for scene, name in known if name in longest}
        own = [key for key, scene in meant.items() if scene.is_own()] or [*meant]
    return own[0] if len(own) == 1 else ""


def ask_release(office: Office, arrival: Arrival, sender_address: str, subject: str) -> None:
    """Send the holder, at the address that is known, a link that releases a mail which waits."""
    with by_clock(office) as act:
        row = act.tx.get(ArrivalRow, arrival.id)
        if row.person is not None and not row.secret:
            _ask(act, row, sender_address, subject)


def _ask(act: CommandContext, row: ArrivalRow, sender: str, subject: str) -> None:
    secret = base64.urlsafe_b64encode(act.office.random_source.bytes(24)).decode()
    act.tx.change(row, secret=secret_digest(secret))
    came = moment(row.at).isoformat()
    person = act.tx.get(PersonRow, row.person)
    act.mail("release", person, secret=secret, at=came, sender=sender, subject=subject[:200])


def waits_since(office: Office, secret: str) -> datetime:
    """Return when the mail came that waits for a link; NotFoundError for a secret that isn't good."""
    with office.store.transaction(write=False) as tx:
        return moment(_waiting(tx, secret).at)


def _waiting(tx: Transaction, secret: str) -> ArrivalRow:
    row = tx.find(ArrivalRow, secret=secret_digest(secret), lock=tx.writes) if secret else None
    if row is None or row.state != "waits":
        raise NotFoundError("No mail is waiting for this link; it may already have been confirmed.")
    return row


def release(office: Office, secret: str) -> datetime:
    """Let a mail that waits act as of when it came, and return that; NotFoundError for a secret that isn't good."""
    with office.store.transaction() as tx:
        row = _waiting(tx, secret)
        tx.change(row, state="released", secret="")
        return moment(row.at)


def disown(office: Office, secret: str) -> None:
    """Say that a mail that waits isn't one's own: back to the desk; NotFoundError for a secret that isn't good."""
    with office.store.transaction() as tx:
        _give_back(tx, _waiting(tx, secret), "The player of the seat said it isn't theirs.")


def _give_back(tx: Transaction, arrival: ArrivalRow, why: str) -> None:
    tx.change(arrival, state="unmatched", person=None, seat=None, secret="")
    for item, facts in on_desk(tx, arrival.id):
        told = facts if item.kind == "unmatched mail" else _entry(facts, arrival.id)
        told |= {"assigned": "", "why": why}
        tx.change(item, facts=pack(facts))


def on_desk(tx: Transaction, arrival: int) -> list[tuple[DeskRow, dict[str, Any]]]:
    """Return the desk's items about a mail, each with its facts."""
    waiting = [(item, unpack(item.facts)) for item in tx.all(DeskRow, kind=list(UNMATCHED), done=None)]
    return [(item, facts) for item, facts in waiting if facts.get("arrival") == arrival or _entry(facts, arrival)]


def _entry(facts: dict[str, Any], arrival: int) -> dict[str, Any]:
    return next((entry for entry in facts.get("entries", ()) if entry.get("arrival") == arrival), {})


def _off_desk(tx: Transaction, arrival: ArrivalRow, at: int) -> None:
    for item, facts in on_desk(tx, arrival.id):
        if entry := _entry(facts, arrival.id):
            facts["entries"].remove(entry)
            facts["count"] -= 1
            item = tx.change(item, facts=pack(facts))
        if not facts.get("count"):
            tx.change(item, done=at, person=arrival.person, note="its apparent sender has confirmed it")


def to_act_on(office: Office) -> list[tuple[Arrival, MailSender | None]]:
    """The mails that were released and not yet taken, each with whose it is, and the seat where that was said: what the
    desk has passed on to a seat is a sheet at most. One whose seat its holder has left meanwhile acts for nobody, and
    lies on the desk again. All seats of the sender are asked for when it is acted on (:func:`seats_of`). With nobody:
    those that were put aside and are to be tried again."""
    told: list[tuple[Arrival, MailSender | None]] = []
    left: list[ArrivalRow] = []
    with office.store.transaction(write=False) as tx:
        for row in tx.all(ArrivalRow, state=["released", "again"]):
            arrival = Arrival(row.id, moment(row.at), True)
            if row.state != "released":
                told.append((arrival, None))
                continue
            seat = tx.find(SeatRow, id=row.seat, person=row.person) if row.seat is not None else None
            if row.seat is not None and seat is None:
                left.append(row)
                continue
            held = _held(office, tx.get(GameRow, seat.game), seat) if seat is not None else None
            reach: Reach = "all" if held is None else "sheet"
            told.append((arrival, MailSender(row.person, (), held, True, row.person, reach)))
    if left:
        with office.store.transaction() as tx:
            for row in left:
                _give_back(
                    tx, tx.get(ArrivalRow, row.id, lock=True), "The person who confirmed it no longer has the seat."
                )
    return told


def content(office: Office, arrival: Arrival) -> bytes:
    """Return a mail of which a locked copy is kept (NotFoundError, KeyNotReleasedError where it can't be read)."""
    with office.store.transaction(write=False) as tx:
        stored = tx.get(ArrivalRow, arrival.id).stored
    return seals.unlock_padded(office.master_key, office.files.get(stored))


def forget(office: Office, arrival: Arrival) -> None:
    """Forget that a mail came, so that it can be taken in again; its locked copy stays for whoever has to sweep."""
    with office.store.transaction() as tx:
        tx.remove(ArrivalRow, id=arrival.id)


def taken(office: Office, arrival: Arrival) -> str | None:
    """Note that a mail which was released is acted on; the answer is the name of its locked copy, which is not needed
    any more once this lasts, or None where somebody else has taken it meanwhile."""
    with office.store.transaction() as tx:
        row = tx.get(ArrivalRow, arrival.id, lock=True)
        if row.state != "released":
            return None
        tx.change(row, state="taken", stored="", secret="")
        _off_desk(tx, row, micros(office.clock.now()))
        return row.stored


# Mails that fit no seat


def file_mail(office: Office, arrival: Arrival, sender: str, game: str = "", power: str = "", why: str = "") -> int:
    """Put a mail on the desk that fits no seat: only who sent it and when is told. The answer is the item's number.
    ``game`` and ``power``: what it names. A mail that seems to be a player's is on the office's own desk where nobody
    is shown who has sent orders."""
    with by_clock(office) as act:
        row = act.tx.find(GameRow, key=game) if game else None
        if row is not None and power and game_settings(row).shows_senders == "nobody":
            row, power = None, ""
        mail: dict[str, Any] = {"arrival": arrival.id, "received": arrival.at.isoformat(), "sender": sender[:254]}
        item = act.add_task("unmatched mail", row, **mail, likely=power, why=why[:300])
        return office.numbers.shown("desk item", item.id)


@command("coordinate", "POST /desk/{item}/assign", coordinator="alive", administrator="alive")
def assign(scene: SeatContext, item: int, arrival: int = 0) -> DeskItem:
    """Assign an unmatched mail to a seat. It stays locked, and on the desk, until the holder of that seat confirms it
    by a link; then its orders count for that seat, as of when it came, if the seals are not open yet. Its sender is
    told.

    ``arrival``: the number of the mail, where an item lists several.

    :raises NotFoundError: for a coordinator, where it does not name the own game."""
    act = scene.act
    row = act.tx.find(DeskRow, id=act.office.numbers.row("desk item", item), kind=list(UNMATCHED), done=None, lock=True)
    if row is None or not (scene.roles & {"administrator", "console"} or row.game == scene.row.id):
        raise NotFoundError("This item isn't on the desk.")
    facts = unpack(row.facts)
    mail = _entry(facts, act.office.numbers.row("mail", arrival)) or facts
    waiting = act.tx.find(ArrivalRow, id=mail.get("arrival", 0), lock=True)
    if waiting is None or waiting.state not in ("unmatched", "waits"):
        raise ConflictError("This mail can no longer be passed on. Ask its sender to send it again.")
    if scene.held.person is None:
        empty = scene.named(scene.held.power)
        raise ConflictError(capital(f"{empty} {empty:has|have} no player who could confirm it."))
    waiting = act.tx.change(waiting, state="waits", person=scene.held.person, seat=scene.held.id)
    _ask(act, waiting, mail["sender"], "")
    if ADDRESS.fullmatch(mail["sender"]) and "assigned" not in mail:
        act.mail("mail passed on", None, address=mail["sender"], at=moment(waiting.at).isoformat())
    scene.append_journal("mail assigned", seat=scene.held, seen_by="coordinator")
    mail["assigned"] = f"{scene.held.power} in {scene.row.name}"
    return item_record(act, act.tx.change(row, facts=pack(facts)))
