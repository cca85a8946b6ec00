"""Browsers that get notifications (web push): asked for by their owner, bounded, and gone with the sign-in. A
subscription is taken at a public https address alone, which :mod:`legation.public_calls` checks again (RFC 8292)."""

import base64
import hashlib
from datetime import datetime

import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from legation.formats import decode_json
from legation.office.context import CommandContext, command, given_label, query
from legation.office.errors import NotAllowedError, NotFoundError, refuse_faults
from legation.office.keys import seals
from legation.office.office import Office
from legation.office.permissions import Call
from legation.office.records import Record, record_of
from legation.office.store.rows import BrowserRow, CredentialRow
from legation.public_calls import address_fault

MOST = 10  # of one person; another takes the place of the oldest
POINT, AUTH = 65, 16  # bytes of a browser's public key and of its secret


class Browser(Record, frozen=True, kw_only=True):
    """A browser that gets notifications; ``asking``: with the sign-in by which this is asked."""

    id: int
    label: str
    made: datetime
    last_sent: datetime | None
    asking: bool


class Subscription(msgspec.Struct, frozen=True):
    """Push subscription of a browser: an address, its public key and a secret, both in base64url."""

    endpoint: str
    p256dh: str
    auth: str


@command("me", "POST /me/browsers", Call(largest=10_000), person="any")
def subscribe(act: CommandContext, endpoint: str, p256dh: str, auth: str, label: str = "") -> Browser:
    """Subscribe a browser to notifications, for as long as its sign-in lasts.

    :raises InvalidInputError: for what isn't a subscription at a push service."""
    if not act.office.settings.push:
        raise NotAllowedError("This office doesn't send browser notifications.")
    given = Subscription(endpoint, p256dh, auth)
    refuse_faults("This isn't a browser subscription", subscription_faults(given))
    digest = act.office.keyed("endpoint", endpoint.encode()).hex()
    act.tx.remove(BrowserRow, digest=digest)  # it is the browser of whoever uses it now
    for oldest in act.tx.all(BrowserRow, person=act.person, order="-id")[MOST - 1 :]:
        act.tx.remove(BrowserRow, id=oldest.id)
    row = act.tx.add(
        BrowserRow(
            person=act.person,
            session=_sign_in(act),
            digest=digest,
            content=seals.lock(act.office.master_key, msgspec.json.encode(given)),
            label=given_label(label) or "a browser",
            made=act.at,
        )
    )
    return _browser(act, row)


@command("me", "DELETE /me/browsers/{browser}", guest="any", person="any")
def remove(act: CommandContext, browser: int) -> None:
    """Stop sending notifications to a browser."""
    if not act.tx.remove(BrowserRow, id=act.office.numbers.row("browser", browser), person=act.person):
        raise NotFoundError("This browser isn't registered.")


@query("me", "GET /me/browsers", guest="any", person="any")
def browsers(act: CommandContext) -> list[Browser]:
    """Return the actor's browsers that get notifications."""
    return [_browser(act, row) for row in act.tx.all(BrowserRow, person=act.person) if is_signed_in(act, row)]


def is_signed_in(act: CommandContext, row: BrowserRow) -> bool:
    """Return whether the sign-in lasts with which a browser was subscribed."""
    if row.session is None:
        return True
    session = act.tx.find(CredentialRow, id=row.session)
    return session is not None and session.ended is None and (session.expires is None or session.expires > act.at)


def read_subscription(office: Office, row: BrowserRow) -> Subscription:
    """A stored subscription."""
    return decode_json(seals.unlock(office.master_key, row.content), type=Subscription)


def subscription_faults(given: Subscription) -> list[str]:
    """Return a subscription's faults, each with its place."""
    faults = []
    if reason := address_fault(given.endpoint, meant="a push service"):
        faults.append(f"endpoint: {reason}")
    point, secret = _bytes(given.p256dh), _bytes(given.auth)
    try:
        if len(point) != POINT:
            raise ValueError
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        faults.append("p256dh: no point of P-256")
    if len(secret) != AUTH:
        faults.append(f"auth: not {AUTH} bytes")
    return faults


def _bytes(text: str) -> bytes:
    text = text[:200]  # of a longer one no length is right
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except ValueError:
        return b""


def _sign_in(act: CommandContext) -> int | None:
    kind, _, number = act.actor.via.partition(" ")  # a token is ended as a session is
    return int(number) if kind in ("session", "token") and number.isdecimal() else None


def _browser(act: CommandContext, row: BrowserRow) -> Browser:
    asking = row.session is not None and row.session == _sign_in(act)
    return record_of(Browser, row, id=act.office.numbers.shown("browser", row.id), asking=asking)


ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of P-256


def private_key(office: Office) -> ec.EllipticCurvePrivateKey:
    """The office's key for notifications."""
    seed = hashlib.sha512(b"legation/push/1\n" + office.push_seed).digest()
    return ec.derive_private_key(int.from_bytes(seed) % (ORDER - 1) + 1, ec.SECP256R1())


def public_key(office: Office) -> str:
    """Its public half as browsers want it (``applicationServerKey``): an uncompressed point in base64url."""
    point = private_key(office).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()
