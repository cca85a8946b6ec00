"""People: accounts, sign-in, tokens, passkeys.

A person is an address. Signing in is a link sent to it (used once, within 15 minutes) or a passkey; the answer is a
session. Programs use tokens with scopes; calendars use feed secrets. Of every secret only a digest is kept."""

import hashlib
import hmac
import re
from collections.abc import Iterable
from typing import Any

import msgspec

from legation.languages import ENGLISH, languages
from legation.office.clock import micros
from legation.office.context import (
    EVERYTHING,
    Actor,
    CommandContext,
    GameContext,
    command,
    given_label,
    is_guest,
    query,
)
from legation.office.errors import (
    ConflictError,
    InvalidInputError,
    LimitExceededError,
    NotAllowedError,
    NotFoundError,
    SignInNeededError,
)
from legation.office.identity.credentials import (
    DAYS_TO_CONFIRM,
    UNKNOWN_PASSKEY,
    challenge_signer,
    credential_for,
    credential_record,
    make_credential,
    refuse_more_credentials,
    secret_digest,
    use_credential,
    use_up,
    use_up_challenge,
)
from legation.office.identity.personal_data import personal_data
from legation.office.office import Office
from legation.office.permissions import CREATES, SCOPES, Call
from legation.office.preferences import change_preferences, read_preferences
from legation.office.records import Credential, Person, record_of
from legation.office.store.packing import pack, unpack
from legation.office.store.rows import ArrivalRow, CredentialRow, GameRow, PersonRow, RatedPlayerRow
from legation.office.terms.plans import game_key

ADDRESS = re.compile(r"[^\s@<>()\[\],;:\"\\\x00-\x1f]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?")
LINK_MINUTES = 15
SESSION_DAYS = 60
FIRST = "first sign in"
MOST_GOOD_LINKS = 15  # to one address, whoever asks: its owner has that many to use
HOUR = 60 * 60 * 1_000_000  # microseconds
OLD_LINK = "This link was used already, or is older than 15 minutes; ask for another one."
NEW_NAME = "New player"  # what somebody is called until they choose a name; never a part of their address
LISTED = ("session", "token", "feed", "passkey")


def fold_email(email: str) -> str:
    """Return an e-mail address as it is stored and compared; InvalidInputError if it is none."""
    plain = email.strip()
    if not ADDRESS.fullmatch(plain) or ".." in plain:
        faults = ["email: write it as name@example.org"]
        raise InvalidInputError(f"{email[:80]!r} isn't an e-mail address.", faults=faults)
    return plain.encode().lower().decode()  # ASCII letters alone: no other letter becomes one of somebody else's


def fold_name(name: str) -> str:
    """A name by which the same one is found again, however it is written."""
    return " ".join(name.casefold().split())


def _clean_name(name: str) -> str:
    plain = " ".join(name.split())
    if not 1 <= len(plain) <= 80 or not plain.isprintable():
        raise InvalidInputError("A name has 1 to 80 characters.", faults=["name: 1 to 80 printable characters"])
    return plain


# No route: for the console; others join.
@command("me", console="any")
def register(act: CommandContext, name: str, email: str) -> Person:
    """Register a person from the console; return an existing account unchanged."""
    known = person_at(act, email)
    return _person(act, known if known.confirmed else act.tx.change(known, name=_clean_name(name), confirmed=True))


@command("me", "POST /people", visitor="any")
def join(act: CommandContext, name: str, email: str) -> None:
    """Ask for an account: mail a sign-in link to the address, which creates the account when it is used.

    Who is known already gets such a link, too, and keeps the old name: the answer does not tell whether they were."""
    _send_link(act, person_at(act, email, _clean_name(name)), "")


@command("me", "POST /sign-in-links", visitor="any")
def ask_link(act: CommandContext, email: str, next_page: str = "") -> None:
    """Mail a sign-in link to an address; for an unknown one, using the link creates an account.

    The answer does not tell whether it was known."""
    _send_link(act, person_at(act, email), next_page)


def _send_link(act: CommandContext, person: PersonRow, next_page: str) -> None:
    """Mail a link that signs in, then leads to ``next_page``, if that is a path of this site."""
    links = act.tx.all(CredentialRow, person=person.id, kind="link", label="sign in", ended=None)
    good = [c for c in links if c.expires is not None and c.expires > act.at and c.last_used is None]
    asked = f"{act.actor.via} {act.office.address_digest(person.email or '')}"
    if len(good) >= MOST_GOOD_LINKS or not act.office.links_asked.take(asked):
        raise LimitExceededError(
            "We have already sent several links to this address. Check your mail, or try again in an hour."
        )
    secret = make_credential(act, person.id, "link", "sign in", EVERYTHING, minutes=LINK_MINUTES).secret
    act.mail("sign in", person, secret=secret, next=next_page if is_path(next_page) else "", minutes=LINK_MINUTES)


def first_link(act: CommandContext, email: str, days: int) -> str:
    """Return the secret of a mailed link that signs in a newcomer; empty for others, because mails are handed on."""
    person = person_at(act, email)
    if person.confirmed:
        return ""
    return make_credential(act, person.id, "link", FIRST, EVERYTHING, minutes=days * 24 * 60).secret


def is_path(text: str) -> bool:
    """Return whether a text is a local path, safe to redirect to."""
    leads_away = text.startswith(("//", "/\\")) or "\\" in text
    return text.startswith("/") and not leads_away and text.isprintable() and len(text) <= 500


@command("me", "POST /sessions", visitor="any")
def use_link(act: CommandContext, secret: str, label: str = "", name: str = "") -> Credential:
    """Sign in with a mailed link, once, and return a session. A new account chooses by ``name`` what others
    call it.

    :raises SignInNeededError: for a link that was used, is too old, or never was.
    :raises InvalidInputError: for a new account without a name; the link stays good."""
    row = _open_link(act, secret)
    person = act.tx.get(PersonRow, row.person)
    new = not person.confirmed
    if new:
        chosen = name or (person.name if person.name != NEW_NAME else "")
        if not chosen:
            raise InvalidInputError("Choose the name other players will see.", faults=["name: missing"])
        act.tx.change(person, confirmed=True, name=_clean_name(chosen))
    if not use_up(act, row):
        raise SignInNeededError(OLD_LINK)
    if new:
        act.tx.change_where(CredentialRow, {"ended": act.at}, person=person.id, kind="link", label=FIRST, ended=None)
    return make_credential(act, person.id, "session", label or "web", EVERYTHING, minutes=SESSION_DAYS * 24 * 60)


# No route: for the page that a link opens.
@query("me", visitor="any")
def name_for_link(act: CommandContext, secret: str) -> str | None:
    """Return what a new account that a link signs in would be called (empty: it has to choose); None for one that has a
    name.

    :raises SignInNeededError: for a link that was used, is too old, or never was."""
    person = act.tx.get(PersonRow, _open_link(act, secret).person)
    if person.confirmed:
        return None
    return person.name if person.name != NEW_NAME else ""


def _open_link(act: CommandContext, secret: str) -> CredentialRow:
    row = act.tx.find(CredentialRow, digest=secret_digest(secret), kind="link", ended=None)
    if row is None or (row.expires or 0) < act.at:
        raise SignInNeededError(OLD_LINK)
    return row


# No route: for a channel that has recognized somebody.
@command("me", clock="any")
def start_session(act: CommandContext, person: int, label: str = "", days: int = SESSION_DAYS) -> Credential:
    """Return a session for a person whom a channel has authenticated."""
    return make_credential(act, person, "session", label or "web", EVERYTHING, minutes=days * 24 * 60)


@command("me", "POST /me/tokens", CREATES, person="any")
def make_token(act: CommandContext, label: str, scopes: tuple[str, ...], days: int | None = None) -> Credential:
    """Return a new token for programs, with scopes out of ``read``, ``play``, ``coordinate``, ``me``.

    It has no scope that the credential which makes it lacks, and expires with that if it is a token too. Its secret is
    only in this answer."""
    wrong = [s for s in scopes if s not in SCOPES]
    if wrong or not scopes:
        raise InvalidInputError(
            f"Scopes are {', '.join(SCOPES)}.", faults=[f"scopes: not {s!r}" for s in wrong] or ["scopes: name one"]
        )
    if days is not None and not 1 <= days <= 3660:
        raise InvalidInputError("A token lasts from 1 to 3660 days.", faults=["days: 1 to 3660"])
    return _grant(act, act.person, "token", label, tuple(dict.fromkeys(scopes)), days)


@command("me", "POST /me/feeds", CREATES, person="any")
def make_feed(act: CommandContext, label: str = "calendar", game: str = "") -> Credential:
    """Return a new secret for the address of a personal calendar, or of the calendar of one ``game`` only.

    It can be revoked like any other."""
    facts = {"game": GameContext.authorized(act, game).row.id} if game else {}
    return _grant(act, act.allow(), "feed", label, ("read",), None, **facts)


def _grant(
    act: CommandContext, person: int, kind: str, label: str, scopes: tuple[str, ...], days: int | None, **facts: int
) -> Credential:
    more = [scope for scope in scopes if not {scope, "everything"} & set(act.actor.scopes)]
    if more:
        raise NotAllowedError(f"This token does not have the scope {more[0]!r}, and cannot give it.")
    refuse_more_credentials(act, person)
    minutes = days * 24 * 60 if days else None
    came, _, number = act.actor.via.partition(" ")
    if came != "token":
        return make_credential(act, person, kind, label, scopes, minutes, **facts)
    maker = act.tx.get(CredentialRow, int(number))
    facts["made_by"] = maker.id
    return make_credential(act, person, kind, label, scopes, minutes, ends=maker.expires, **facts)


# No route: for the console.
@command("me", console="any")
def token_for(act: CommandContext, person: int, label: str, scopes: tuple[str, ...] = EVERYTHING) -> Credential:
    """Return a new token for a person, made at the console."""
    act.tx.get(PersonRow, person)
    return make_credential(act, person, "token", label, tuple(scopes), minutes=None)


# No route: for the console.
@command("me", console="any")
def make_administrator(act: CommandContext, person: int) -> Person:
    """Make a person an administrator, who sees the whole office."""
    return _person(act, act.tx.change(act.tx.get(PersonRow, person), administrator=True))


# No route: for the pages, which make the passkey with the browser.
@command("me", person="any")
def keep_passkey(act: CommandContext, label: str, key_id: str, facts: dict[str, Any], challenge: bytes) -> Credential:
    """Store a passkey for signing in on the pages: its id, and what checks it. ``challenge`` is what it signed.

    :raises ConflictError: when the challenge was used, is too old or was somebody else's, or the passkey is kept
        already."""
    if "everything" not in act.actor.scopes:
        raise NotAllowedError("A token can't register a passkey. Sign in first.")
    refuse_more_credentials(act, act.person)
    use_up_challenge(act, challenge, act.person)
    row = CredentialRow(
        person=act.person,
        kind="passkey",
        label=given_label(label),
        digest=secret_digest(f"passkey {key_id}"),
        scopes=" ".join(EVERYTHING),
        made=act.at,
        facts=pack({"key_id": key_id, **facts}),
    )
    return credential_record(act.office, act.add_only(row, "This passkey is already registered."))


# No route: for a channel that has checked a passkey.
@command("me", clock="any")
def use_passkey(
    act: CommandContext, key_id: str, facts: dict[str, Any], challenge: bytes, label: str = ""
) -> Credential:
    """Sign in with a passkey that a channel has checked, noting what changed about it (its count). The answer is a
    session.

    :raises ConflictError: when the challenge was used, or is too old.
    :raises SignInNeededError: when the passkey is not known."""
    use_up_challenge(act, challenge, 0)
    row = act.tx.find(CredentialRow, digest=secret_digest(f"passkey {key_id}"), ended=None)
    if row is None:
        raise SignInNeededError(UNKNOWN_PASSKEY)
    act.tx.change(row, last_used=act.at, facts=pack({**unpack(row.facts), **facts}))
    minutes = SESSION_DAYS * 24 * 60
    return make_credential(act, row.person, "session", label or "web", EVERYTHING, minutes, made_by=row.id)


@command("me", "DELETE /me/credentials/{credential}", guest="any", person="any")
def end(act: CommandContext, credential: int) -> None:
    """Revoke a session, token, feed or passkey, and what was made with it: the sessions of a passkey, too."""
    number = act.office.numbers.row("credential", credential)
    ending = [act.wanted(CredentialRow, "There is no such session or token.", id=number, person=act.person)]
    living = act.tx.all(CredentialRow, person=act.person, kind=["session", "token", "feed"], ended=None)
    for parent in ending:  # grows by what was made with each
        ending += [c for c in living if c.facts and unpack(c.facts).get("made_by") == parent.id]
        if parent.ended is None:
            act.tx.change(parent, ended=act.at)


@command("me", "DELETE /sessions", guest="any", person="any")
def end_all_sessions(act: CommandContext) -> None:
    """Sign out everywhere."""
    act.tx.change_where(CredentialRow, {"ended": act.at}, person=act.person, kind="session", ended=None)


@command("me", "PUT /me/name", person="any")
def rename(act: CommandContext, name: str) -> Person:
    """Change the name by which others know a person."""
    return _person(act, act.tx.change(act.tx.get(PersonRow, act.person), name=_clean_name(name)))


@command("me", "POST /me/address-changes", person="any")
def ask_change(act: CommandContext, email: str) -> Person:
    """Ask to change the e-mail address; a link is mailed to the old one.

    The answer does not tell whether the other address is known."""
    person = act.tx.get(PersonRow, act.person)
    folded = fold_email(email)
    pending = {"kind": ["approval", "address"], "person": person.id, "ended": None}
    act.tx.change_where(CredentialRow, {"ended": act.at}, **pending)
    secret = credential_for(act, person.id, "approval", "change of address", {"email": folded})
    act.mail("approve address", person, secret=secret, email=folded, days=DAYS_TO_CONFIRM)
    return _person(act, person)


@command("me", "POST /address-approvals", visitor="any")
def approve_change(act: CommandContext, secret: str) -> str:
    """Use the link mailed to the old address, once: mail a link to the new one, and return it.

    :raises SignInNeededError: for a link that was used, is too old, or never was."""
    number, facts = use_credential(act, secret, "approval")
    person, email = act.tx.get(PersonRow, number), str(facts["email"])
    act.refuse_unwanted_mail(number, "confirm address", email)
    link = credential_for(act, number, "address", "change of address", facts)
    act.mail("confirm address", None, address=email, secret=link, name=person.name, days=DAYS_TO_CONFIRM)
    return email


@command("me", "POST /address-confirmations", visitor="any")
def confirm_change(act: CommandContext, secret: str) -> Person:
    """Use the link mailed to a new address, once: it replaces the old one, and both are notified.

    :raises SignInNeededError: for a link that was used, is too old, or never was."""
    number, facts = use_credential(act, secret, "address")
    return _change_address(act, act.tx.get(PersonRow, number), str(facts["email"]))


# No route: for the console.
@command("me", console="any")
def readdress(act: CommandContext, email: str, to: str) -> Person:
    """Change the address of someone who can no longer read mail at the old one; at the console, by whoever is sure
    that it is them. Both addresses are told.

    Somebody else may read mail at the old address by now: all that signs in or acts for the person ends (sessions,
    tokens, passkeys, calendar addresses), and so does every link that went there."""
    person = act.wanted(PersonRow, "Nobody here uses this address.", email=fold_email(email))
    act.tx.change_where(CredentialRow, {"ended": act.at}, person=person.id, ended=None)
    act.tx.change_where(ArrivalRow, {"secret": ""}, person=person.id, state="waits")
    return _change_address(act, person, fold_email(to))


def _change_address(act: CommandContext, person: PersonRow, folded: str) -> Person:
    if act.tx.find(PersonRow, email=folded) is not None:
        raise ConflictError("That address belongs to another account.")
    act.tx.change_where(CredentialRow, {"ended": act.at}, person=person.id, kind="link", ended=None)
    for address in (person.email or "", folded):
        act.mail("address changed", person, address=address, email=folded)
    return _person(act, act.tx.change(person, email=folded, confirmed=True))


@command("me", "PUT /me/preferences", Call(body="preferences", largest=10_000), person="any")
def set_preferences(act: CommandContext, preferences: dict[str, Any]) -> Person:
    """Change a person's preferences; those not named stay. See ``preferences``.

    :raises InvalidInputError: for what is not known, or has another type."""
    row = act.tx.get(PersonRow, act.person)
    changed = act.tx.change(row, preferences=change_preferences(row.preferences, preferences))
    if "ranked" in preferences:
        act.tx.change_where(RatedPlayerRow, {"shown": bool(preferences["ranked"])}, person=row.id)
    return _person(act, changed)


# No route: for a channel that has checked the link in a mail.
@command("me", clock="any")
def unsubscribe(act: CommandContext, person: int, kind: str) -> None:
    """Stop sending a kind of mailing, from the link in one."""
    row = act.tx.get(PersonRow, person)
    quiet = sorted({*read_preferences(row.preferences).quiet, kind})
    act.tx.change(row, preferences=change_preferences(row.preferences, {"quiet": quiet}))


@query("me", "GET /me", guest="any", person="any")
def me(act: CommandContext) -> Person:
    """Return the person behind the request."""
    return _person(act, act.tx.get(PersonRow, act.person))


def language_of(office: Office, person: Actor | None, page: str = "") -> str:
    """Return the language in which somebody gets mails and papers: their own, else that of a page, else English."""
    chosen = ""
    if person is not None and person.person is not None:
        chosen = str(me(office, person).preferences.get("language", ""))
    return next((language for language in (chosen, page) if language in languages()), ENGLISH)


def person_at(act: CommandContext, email: str, name: str = NEW_NAME) -> PersonRow:
    """Return the person with an address, registered now if the address is new."""
    folded = fold_email(email)
    known = act.tx.find(PersonRow, email=folded)
    return known or act.tx.add(PersonRow(name=name, email=folded, since=act.at))


# No route: for channels and the console.
@query("me", console="any", clock="any")
def find(act: CommandContext, email: str) -> Person:
    """Return a person by address, for the console and for channels that match mail."""
    row = act.wanted(PersonRow, "Nobody here uses this address.", email=fold_email(email))
    return _person(act, row)


@query("me", "GET /me/credentials", guest="any", person="any")
def credentials(act: CommandContext) -> list[Credential]:
    """Return a person's sessions, tokens, feeds and passkeys that have not ended."""
    rows = act.tx.all(CredentialRow, person=act.person, kind=list(LISTED), ended=None)
    return [credential_record(act.office, row) for row in rows if row.expires is None or row.expires > act.at]


# No route: for the pages, which make the passkey with the browser.
@query("me", person="any")
def passkeys(act: CommandContext) -> list[str]:
    """Return the ids of a person's passkeys, so that a device which has one is not asked to make another."""
    rows = act.tx.all(CredentialRow, person=act.person, kind="passkey", ended=None)
    return [unpack(row.facts)["key_id"] for row in rows]


@query("me", "GET /me/export", guest="any", person="any")
def export(act: CommandContext) -> dict[str, Any]:
    """Return all that is stored about a person, as data."""
    row = act.tx.get(PersonRow, act.person)
    return personal_data(act, row, _person(act, row))


# Who calls


def by_secret(office: Office, secret: str, kinds: tuple[str, ...] = ("session", "token")) -> Actor:
    """Return the actor of a session's, token's or feed's secret; SignInNeededError for one that isn't good."""
    with office.store.transaction(write=False) as tx:
        row = tx.find(CredentialRow, digest=secret_digest(secret), kind=list(kinds), ended=None)
        now = micros(office.clock.now())
        if row is None or (row.expires is not None and row.expires < now):
            raise SignInNeededError("Your session or token has expired. Sign in again.")
        person = tx.get(PersonRow, row.person)
    if row.last_used is None or now - row.last_used > HOUR:
        with office.store.transaction() as tx:
            tx.change(row, last_used=now)
    via = f"{row.kind} {row.id}"
    return Actor("person", person.id, person.name, tuple(row.scopes.split()), via=via, guest=is_guest(person))


def by_feed(office: Office, secret: str, game: str = "") -> Actor:
    """Return the actor of a feed's secret for the calendar of a game, or for that of all games of a person. Raises
    SignInNeededError for a secret that is unknown or ended. Raises NotFoundError for one that was made for the calendar
    of another game."""
    actor = by_secret(office, secret, ("feed",))
    with office.store.transaction(write=False) as tx:
        only = unpack(tx.get(CredentialRow, int(actor.via.removeprefix("feed "))).facts).get("game")
        asked = tx.find(GameRow, key=game_key(game)) if game else None
    if only is not None and (asked is None or asked.id != only):
        raise NotFoundError("This address is for the calendar of one game.")
    return actor


def own_credential(office: Office, actor: Actor) -> int:
    """Return the number of the session or token of a request; 0 for none."""
    kind, _, row = actor.via.partition(" ")
    return office.numbers.shown("credential", int(row)) if kind in ("session", "token") else 0


def as_person(office: Office, person: int) -> Actor:
    """Return the actor for a person whom a channel has authenticated by other means, such as the sender of a mail."""
    with office.store.transaction(write=False) as tx:
        row = tx.find(PersonRow, id=person)
    if row is None or row.email is None:
        raise NotFoundError("There is no such person.")
    return Actor("person", row.id, row.name, via="mail")


def passkey(office: Office, key_id: str) -> dict[str, Any]:
    """Return the stored record of a passkey, for verification. Raises SignInNeededError if it is not known."""
    with office.store.transaction(write=False) as tx:
        row = tx.find(CredentialRow, digest=secret_digest(f"passkey {key_id}"), ended=None)
    if row is None:
        raise SignInNeededError(UNKNOWN_PASSKEY)
    facts: dict[str, Any] = unpack(row.facts)
    return facts


def passkey_challenge(office: Office, person: int = 0) -> bytes:
    """Return what a passkey of a person (0: to sign in) signs, good once, for five minutes; nothing is kept."""
    made = [person, micros(office.clock.now()), office.random_source.bytes(16).hex()]
    return str(challenge_signer(office).dumps(made)).encode()


def passkey_owner(office: Office, person: int) -> bytes:
    """Return the user id under which devices store a person's passkeys: stable, and unrelated to the person's data."""
    return hmac.new(office.master_key, f"passkeys of {person}".encode(), hashlib.sha256).digest()


def _person(act: CommandContext, row: PersonRow) -> Person:
    preferences = msgspec.to_builtins(read_preferences(row.preferences))
    return record_of(Person, row, id=act.shown_person(row.id), email=row.email or "", preferences=preferences)


def profile_of(act: CommandContext, person: PersonRow | None) -> int | None:
    """Return the number by which a person's profile is found; None for who shows none."""
    if person is None or not person.confirmed or not read_preferences(person.preferences).profile:
        return None
    return act.office.numbers.shown("person", person.id)


def profiles_of(act: CommandContext, people: Iterable[int | None]) -> dict[int, int]:
    """Return the numbers of the profiles of some people, by the people's rows; those who show none are left out."""
    wanted = sorted({person for person in people if person is not None})
    rows = act.tx.all(PersonRow, id=wanted)
    return {row.id: number for row in rows if (number := profile_of(act, row)) is not None}
