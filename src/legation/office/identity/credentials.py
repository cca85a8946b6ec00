"""Credentials: sessions, tokens, feeds, passkeys, and links that are good once. Of every secret only a digest is
kept."""

import base64
import hashlib
from typing import Any

import msgspec
from itsdangerous import BadSignature, URLSafeSerializer

from legation.office.context import CommandContext, given_label
from legation.office.errors import ConflictError, LimitExceededError, SignInNeededError
from legation.office.office import Office
from legation.office.records import Credential, record_of
from legation.office.store.packing import pack, unpack
from legation.office.store.rows import AnswerRow, CredentialRow

PASSKEY_MINUTES = 5
DAYS_TO_CONFIRM = 3
UNKNOWN_PASSKEY = "This passkey is not known here: it was removed, or made elsewhere."
MOST_CREDENTIALS = 50  # tokens, feeds and passkeys of one person


def refuse_more_credentials(act: CommandContext, person: int) -> None:
    """Refuse another token, feed or passkey to who has many. Raises LimitExceededError, which says so."""
    if act.tx.count(CredentialRow, person=person, kind=["token", "feed", "passkey"], ended=None) >= MOST_CREDENTIALS:
        raise LimitExceededError(
            f"You have {MOST_CREDENTIALS} tokens, calendar addresses and passkeys. End one of them first."
        )


def credential_for(act: CommandContext, person: int, kind: str, label: str, facts: dict[str, Any]) -> str:
    """The secret of a link that is good once, within some days, for what the ``facts`` say."""
    return make_credential(act, person, kind, label, (), DAYS_TO_CONFIRM * 24 * 60, **facts).secret


def use_credential(act: CommandContext, secret: str, kind: str) -> tuple[int, dict[str, Any]]:
    """Use such a link up; return whose it was, and its facts. SignInNeededError for one that isn't good."""
    row = act.tx.find(CredentialRow, digest=secret_digest(secret), kind=kind)
    if row is None or (row.expires or 0) < act.at or not use_up(act, row):
        raise SignInNeededError("This link was already used or has expired. Ask for a new one.")
    return row.person, unpack(row.facts)


def use_up(act: CommandContext, row: CredentialRow) -> bool:
    """End a credential that is good once; False if it was used before."""
    return act.tx.change_where(CredentialRow, {"ended": act.at, "last_used": act.at}, id=row.id, ended=None) == 1


def use_up_challenge(act: CommandContext, challenge: bytes, person: int) -> None:
    """Take a challenge as signed; nothing else is ever done for it."""
    try:
        whose, made, _ = challenge_signer(act.office).loads(challenge)
    except BadSignature:
        raise ConflictError("This request wasn't started here. Try again.") from None
    if whose != person or made < act.at - PASSKEY_MINUTES * 60_000_000:
        raise ConflictError(f"This took longer than {PASSKEY_MINUTES} minutes; try again.")
    name = secret_digest(challenge.decode())
    used = AnswerRow(actor="passkey", name=name, command=act.name, asked="", answer=b"", at=act.at)
    act.add_only(used, "This was already used. Try again.")


def challenge_signer(office: Office) -> URLSafeSerializer:
    """Return the signer of passkey challenges."""
    return URLSafeSerializer(office.master_key.hex(), salt="passkey")


def make_credential(
    act: CommandContext,
    person: int,
    kind: str,
    label: str,
    scopes: tuple[str, ...],
    minutes: int | None,
    ends: int | None = None,
    **facts: Any,
) -> Credential:
    """Make a credential for so many minutes (None: without an end), but not beyond ``ends``."""
    limits = [limit for limit in (act.later(minutes=minutes) if minutes is not None else None, ends) if limit]
    secret = base64.urlsafe_b64encode(act.office.random_source.bytes(24)).decode()
    row = act.tx.add(
        CredentialRow(
            person=person,
            kind=kind,
            label=given_label(label),
            digest=secret_digest(secret),
            scopes=" ".join(scopes),
            made=act.at,
            expires=min(limits, default=None),
            facts=pack(facts) if facts else b"",
        )
    )
    return msgspec.structs.replace(credential_record(act.office, row), secret=secret)


def secret_digest(secret: str) -> str:
    """Return a secret's SHA-256 in hexadecimal, which is all that is stored of it."""
    return hashlib.sha256(secret.encode()).hexdigest()


def credential_record(office: Office, row: CredentialRow) -> Credential:
    """A credential as its owner sees it, without its secret."""
    return record_of(Credential, row, id=office.numbers.shown("credential", row.id), scopes=tuple(row.scopes.split()))
