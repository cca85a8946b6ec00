"""Where letters to the office come in: whose they are, and that each is taken once.

A mail acts for a seat if it comes from its holder's address *and* that can be believed: it was sent to the seat's own
reply address (whose token only the holder has been given), or the sender's domain is vouched for. A mail of which one
half is missing waits, locked, until the holder releases it by a link that goes to the known address. The mail counter
asks here; nothing of a mail's content is looked at.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Sequence
from datetime import datetime

import msgspec

from legation.office import seals
from legation.office.act import Act
from legation.office.actor import Actor
from legation.office.clock import micros, moment
from legation.office.errors import NotFound
from legation.office.office import Office
from legation.office.permissions import ALIVE
from legation.office.store import Transaction
from legation.office.store.rows import ArrivalRow, GameRow, PersonRow, SeatRow

TOKEN = re.compile(r"([0-9a-z]{1,10})-([a-z2-7]{12})")
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class Held(msgspec.Struct, frozen=True):
    """A seat: the game's key and name, and the power."""

    game: str
    name: str
    variant: str
    power: str


class Sender(msgspec.Struct, frozen=True):
    """Who a mail is from.

    ``seat`` is the one whose reply address it was sent to; ``sure`` tells whether it may act; ``holder`` is who may
    release it if not.
    """

    person: int | None
    seats: tuple[Held, ...]
    seat: Held | None
    sure: bool
    holder: int | None


class Arrival(msgspec.Struct, frozen=True):
    """A mail that was recorded. ``new`` is False if it had come before."""

    id: int
    at: datetime
    new: bool
    state: str


def reply_address(office: Office, game: str, power: str) -> str:
    """The address to which a seat's holder writes orders; it changes with the holder."""
    with office.store.transaction(write=False) as tx:
        row = tx.find(GameRow, key=game)
        seat = tx.find(SeatRow, game=row.id, power=power) if row is not None else None
        return office.settings.orders_address if seat is None else _address(office, seat)


def _address(office: Office, seat: SeatRow) -> str:
    local, _, domain = office.settings.orders_address.partition("@")
    return f"{local}+{_digits(seat.id)}-{_mac(office, seat)}@{domain}"


def _mac(office: Office, seat: SeatRow) -> str:
    facts = f"mail seat {seat.id} person {seat.person} since {seat.since}"
    digest = hmac.new(office.cabinet, facts.encode(), hashlib.sha256).digest()
    return base64.b32encode(digest)[:12].decode().lower()


def _digits(number: int) -> str:
    text = ""
    while number:
        number, digit = divmod(number, 36)
        text = DIGITS[digit] + text
    return text or "0"


def identify(office: Office, sender: str, addressed: Sequence[str], *, vouched: bool, must_vouch: bool) -> Sender:
    """Whose a mail is.

    ``vouched``: the sender's domain is vouched for; ``must_vouch``: a token alone is not enough, because a server here
    can vouch.
    """
    with office.store.transaction(write=False) as tx:
        person = tx.find(PersonRow, email=sender.casefold()) if sender else None
        seat = _by_token(office, tx, addressed)
        named = _held(tx.get(GameRow, seat.game), seat) if seat is not None else None
    if person is None:
        return Sender(None, (), named, False, seat.person if seat else None)
    running = seats_of(office, person.id)
    if seat is not None:
        own = seat.person == person.id
        return Sender(person.id, running, named, own and (vouched or not must_vouch), seat.person)
    return Sender(person.id, running, None, vouched, person.id)


def seats_of(office: Office, person: int) -> tuple[Held, ...]:
    """The seats of a person in games that run."""
    with office.store.transaction(write=False) as tx:
        seats = tx.all(SeatRow, person=person)
        games = {g.id: g for g in tx.all(GameRow, id=[s.game for s in seats])} if seats else {}
        return tuple(_held(games[s.game], s) for s in seats if games[s.game].state in ALIVE)


def _held(game: GameRow, seat: SeatRow) -> Held:
    return Held(game.key, game.name, game.variant, seat.power)


def _by_token(office: Office, tx: Transaction, addressed: Sequence[str]) -> SeatRow | None:
    """The seat whose reply address is among those that a mail was sent to."""
    local, _, domain = office.settings.orders_address.casefold().partition("@")
    for address in addressed:
        name, _, host = address.casefold().partition("@")
        match = TOKEN.fullmatch(name.removeprefix(f"{local}+"))
        if match is None or host != domain or not name.startswith(f"{local}+"):
            continue
        seat = tx.find(SeatRow, id=int(match[1], 36) % (1 << 62))
        if seat is not None and seat.person is not None and hmac.compare_digest(_mac(office, seat), match[2]):
            return seat
    return None


def arrived_before(office: Office, message_id: str, data: bytes) -> bool:
    """Whether a mail was recorded already."""
    digest = hashlib.sha256(message_id.encode() or data).hexdigest()
    with office.store.transaction(write=False) as tx:
        return tx.find(ArrivalRow, digest=digest) is not None


def record(office: Office, message_id: str, data: bytes, state: str, sender: Sender | None = None) -> Arrival:
    """Note that a mail came.

    One that ``waits`` or is ``unmatched`` is kept, locked; of the others only the digest of their Message-ID.
    """
    digest = hashlib.sha256(message_id.encode() or data).hexdigest()
    kept = state in ("waits", "unmatched")
    with office.store.transaction(write=False) as tx:
        known = tx.find(ArrivalRow, digest=digest)
    stored = office.files.put(seals.lock(office.cabinet, data)) if kept and known is None else ""
    with office.store.transaction() as tx:
        now = micros(office.clock.now())
        known = tx.find(ArrivalRow, digest=digest, lock=True)
        if known is not None:
            return Arrival(known.id, moment(known.at), False, known.state)
        person = (sender.holder if sender.holder is not None else sender.person) if sender else None
        row = tx.add(ArrivalRow(digest=digest, at=now, state=state, person=person, stored=stored))
        return Arrival(row.id, moment(row.at), True, state)


def ask_release(office: Office, arrival: Arrival, sender_address: str, subject: str) -> None:
    """Send the holder, at the address that is known, a link that releases a mail which waits."""
    with office.store.transaction() as tx:
        row = tx.get(ArrivalRow, arrival.id)
        if row.person is None or row.secret:
            return
        act = Act(office, Actor.clock(), tx, "mailroom.ask_release", office.clock.now())
        secret = base64.urlsafe_b64encode(office.chance.bytes(24)).decode()
        tx.change(row, secret=hashlib.sha256(secret.encode()).hexdigest())
        person = tx.get(PersonRow, row.person)
        came = moment(row.at).isoformat()
        act.mail("release", person, secret=secret, at=came, sender=sender_address, subject=subject[:200])


def waits_since(office: Office, secret: str) -> datetime:
    """When the mail came that waits for a link; nothing is done.

    :raises NotFound: for a secret that never was, or was used.
    """
    with office.store.transaction(write=False) as tx:
        return moment(_waiting(tx, secret).at)


def _waiting(tx: Transaction, secret: str) -> ArrivalRow:
    row = tx.find(ArrivalRow, secret=hashlib.sha256(secret.encode()).hexdigest(), lock=tx.writes) if secret else None
    if row is None or row.state != "waits":
        raise NotFound("There is no mail that waits for this link, or it was released already.")
    return row


def release(office: Office, secret: str) -> datetime:
    """Let a mail that waits act for who was asked; it counts as of when it came. The answer is that time.

    :raises NotFound: for a secret that never was, or was used.
    """
    with office.store.transaction() as tx:
        row = _waiting(tx, secret)
        tx.change(row, state="released", secret="")
        return moment(row.at)


def released(office: Office) -> list[tuple[Arrival, int, bytes]]:
    """The mails that were released and not yet taken: each with who released it and its content."""
    with office.store.transaction(write=False) as tx:
        rows = tx.all(ArrivalRow, state="released")
    return [
        (
            Arrival(row.id, moment(row.at), True, row.state),
            row.person or 0,
            seals.unlock(office.cabinet, office.files.get(row.stored)),
        )
        for row in rows
    ]


def taken(office: Office, arrival: Arrival) -> None:
    """A mail was acted on; its locked copy is not needed any more."""
    with office.store.transaction() as tx:
        row = tx.get(ArrivalRow, arrival.id, lock=True)
        tx.change(row, state="taken", stored="", secret="")
    if row.stored:
        office.files.remove(row.stored)
