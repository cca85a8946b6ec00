"""Checks of ``legation doctor``: keys, permissions, settings, the database's version, keeper, clock, files, and the
games that cannot be judged, each with what to do about it. Nothing is changed."""

import contextlib
import pwd
import stat
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import ParamSpec

import msgspec
import sqlalchemy as sa

from legation.game.report import count
from legation.judge import changes
from legation.office.clock import SystemClock, SystemRandomSource, micros, moment
from legation.office.errors import DamagedError, OfficeError
from legation.office.game.orders_ahead import later_keys
from legation.office.keys import seals
from legation.office.keys.keeper import IDENTITY, Keeper, withholds_keys
from legation.office.keys.remote_keeper import remote_keeper
from legation.office.office import DATABASE, FILES, KEYS, MASTER_KEY, PUSH_KEY, database_url, read_variants
from legation.office.pinned_rules import SHOWN, DamagedPackageError, pinned_rules, read_package
from legation.office.settings import FILE, Settings, read_settings, refuse_unknown_variables
from legation.office.store import queries, rows
from legation.office.store.files import Files
from legation.office.store.migrating import newest, reach_store, version
from legation.office.store.store import Store
from legation.office.store.transaction import Transaction
from legation.variants import Registry

MOST_TOLD = 20


class Finding(msgspec.Struct, frozen=True):
    """Something that was looked at: its name, whether it is as it should be, and what was found or is to be done."""

    name: str
    good: bool
    text: str


def examine(folder: Path) -> list[Finding]:
    """Examine an office. Findings come in the order in which they are mended."""
    try:
        settings = read_settings(folder)
        refuse_unknown_variables()
    except OfficeError as error:
        return [Finding("settings", False, fault) for fault in error.faults or (error.message,)]
    findings = [Finding("settings", True, "all settings are known")]
    findings += _permissions(folder, settings)
    try:
        store = reach_store(database_url(settings, folder))
    except OfficeError as error:
        return [*findings, Finding("database", False, error.message)]
    with contextlib.closing(store):
        present, wanted = version(store), newest()
        if present != wanted:
            text = f"version {present}; 'legation serve' saves it and brings it to {wanted}"
            return [*findings, Finding("database", False, text)]
        findings += _safely(_database, store, present)
        for look in (_keys, _clock, _files, _variants, _catalog, _games, _work):
            findings += _safely(look, folder, settings, store)
    return findings


P = ParamSpec("P")


def _safely(look: Callable[P, Iterator[Finding]], *what: P.args, **named: P.kwargs) -> list[Finding]:
    try:
        return list(look(*what, **named))
    except OfficeError as error:
        return [Finding(look.__name__.lstrip("_"), False, error.message)]
    except OSError as error:
        return [Finding(look.__name__.lstrip("_"), False, f"{error.filename}: {error.strerror}")]
    except Exception as error:
        return [Finding(look.__name__.lstrip("_"), False, f"it cannot be looked at ({type(error).__name__})")]


def name_of_user(number: int) -> str:
    """Return the name of a user of this machine; its number where it has none."""
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def _database(store: Store, present: str) -> Iterator[Finding]:
    if store.sqlite:
        with store.transaction(write=False) as tx:
            told = [str(line) for line in tx.ask(sa.text("PRAGMA quick_check(3)")).scalars()]
        if told != ["ok"]:
            found = " ".join("; ".join(told).split())[:200]
            yield Finding("database", False, f"it is damaged ({found}): stop the office and restore a backup")
            return
    yield Finding("database", True, f"version {present}")


def _permissions(folder: Path, settings: Settings) -> Iterator[Finding]:
    wrong = []
    owner = folder.stat().st_uid
    places = [(folder, 0o700), (folder / KEYS, 0o700), (folder / FILE, 0o600)]
    places += [(path, 0o600) for path in sorted(folder.glob(f"{DATABASE}*"))]
    places += [(path, 0o700 if path.is_dir() else 0o600) for path in sorted((folder / KEYS).rglob("*"))]
    for path, most in places:
        if path.exists() and (mode := stat.S_IMODE(path.stat().st_mode)) & ~most:
            wrong.append(f"chmod {most:o} {path} (it is {mode:o})")
        if path.exists() and (other := path.stat().st_uid) != owner:
            wrong.append(f"chown {name_of_user(owner)} {path} (it belongs to {name_of_user(other)})")
    text = "; ".join(wrong[:MOST_TOLD]) or "nobody else may read what is private"
    yield Finding("permissions", not wrong, text)


def _keys(folder: Path, settings: Settings, store: Store) -> Iterator[Finding]:
    """Try the office's own key on what is locked with it; ask the keeper for the keys of turns that need them."""
    path = folder / KEYS / MASTER_KEY
    if not settings.cabinet_key and not path.exists():
        yield Finding("keys", False, f"{path} is missing: restore it from your copy of the keys")
        return
    master_key = bytes.fromhex(settings.cabinet_key) if settings.cabinet_key else path.read_bytes()
    with store.transaction(write=False) as tx:
        locked = [row.locked for row in tx.all(rows.LetterRow, limit=3)]
        locked += [row.secret for row in tx.all(rows.GameRow, order="-id", limit=3)]
        turns = tx.all(rows.TurnRow, state=["open", "waiting", "closed"])
        wanted = {turn.sealed_by: turn.public_key.hex() for turn in turns}
        ahead = [(turn, name) for turn in turns for name in later_keys(turn)]
        sealed = queries.sealed_ahead(tx)
        sent = {turn.id: turn for turn in tx.all(rows.TurnRow, id=sorted({turn for turn, _ in sealed}))}
        ahead += [(sent[turn], name) for turn, name in sealed]
        later = {key.name: key.public for turn, name in ahead if (key := later_keys(turn).get(name)) is not None}
    fits = all(seals.opens(master_key, sealed) for sealed in locked)
    another = f"{path} is not the key of this office: put the copy of the folder of keys back"
    yield Finding("keys", fits, "the office's own key opens what it locked" if fits else another)
    yield from _push_key(folder, settings, store)
    keeper = Keeper(folder / KEYS, SystemClock(), SystemRandomSource())
    if settings.keeper:
        found = _asked_keeper(settings)
        if not found.good:
            yield found
            return
        keeper = remote_keeper(settings.keeper, settings.keeper_token)
    lost = [name for name, public in (later | wanted).items() if keeper.public(name) != public]
    more = count(len(later.keys() - wanted), "later turn")
    text = f"the keys of {count(len(wanted), 'open turn')} are there, and of {more} for which orders may come ahead"
    if lost:
        back = "put the copy of the folder of keys back"
        if settings.keeper:
            new = f"{IDENTITY} and *.key of {folder / KEYS}"
            back = f"put the copy of the keeper's folder back, or, if it is a new keeper, {new} into its folder"
        text = (
            f"no key {', '.join(sorted(lost)[:MOST_TOLD])}: {back}; if there is none, "
            "'legation office reopen-all REASON' gives up what they sealed"
        )
    yield Finding("keeper", not lost, text)


def _push_key(folder: Path, settings: Settings, store: Store) -> Iterator[Finding]:
    if not settings.push:
        yield Finding("notifications", True, "none are sent (push = false)")
        return
    with store.transaction(write=False) as tx:
        browsers = tx.count(rows.BrowserRow)
    path = folder / KEYS / PUSH_KEY
    if browsers and not settings.cabinet_key and (not path.exists() or len(path.read_bytes()) != 32):
        yield Finding("notifications", False, f"{path} is missing: restore it from your copy of the keys")
        return
    yield Finding("notifications", True, f"{count(browsers, 'browser')} registered")


def _asked_keeper(settings: Settings) -> Finding:
    try:
        if withholds_keys(remote_keeper(settings.keeper, settings.keeper_token)):
            return Finding("keeper", True, "it answers, and gives no key early")
    except OfficeError as error:
        return Finding("keeper", False, f"{settings.keeper}: {error.message}")
    return Finding("keeper", False, "it gave a key that it should have withheld")


def _clock(folder: Path, settings: Settings, store: Store) -> Iterator[Finding]:
    with store.transaction(write=False) as tx:
        last = tx.all(rows.JournalRow, order="-id", limit=1)
    now = datetime.now(UTC)
    text, ahead = f"{now:%d %b %Y %H:%M} UTC", False
    if last and last[0].at > micros(now + timedelta(minutes=2)):
        ahead, entry = True, f"{moment(last[0].at):%d %b %Y %H:%M}"
        text = f"the last entry is of {entry} UTC, and it is {now:%H:%M} here: set the clock"
    yield Finding("clock", not ahead, text)


def _files(folder: Path, settings: Settings, store: Store) -> Iterator[Finding]:
    kept = {name for name, _ in Files(settings.files or folder / FILES).names()}
    with store.transaction(write=False) as tx:
        named = {row.stored for kind in rows.NAME_FILES for row in tx.all(kind)}
    gone = named - kept - {""}
    yield Finding("files", not gone, f"{len(gone)} are gone that rows name" if gone else f"{len(kept)} are there")


def _variants(folder: Path, settings: Settings, store: Store) -> Iterator[Finding]:
    troubles = read_variants(settings, folder).troubles
    yield Finding("variants", not troubles, "; ".join(troubles[:MOST_TOLD]) or "all can be read")


def _catalog(folder: Path, settings: Settings, store: Store) -> Iterator[Finding]:
    faults = []
    with store.transaction(write=False) as tx:
        versions = tx.all(rows.CatalogRow, state=["proposed", *SHOWN], order="id")
        for version in versions:
            try:
                read_package(version, tx.find(rows.CatalogPackageRow, digest=version.package))
            except DamagedPackageError as error:
                faults.append(f"{version.name} {version.version}: {error}")
    mend = ": restore a backup, or propose them again"
    text = "; ".join(faults[:MOST_TOLD]) + mend if faults else f"{count(len(versions), 'package')} can be read"
    yield Finding("catalog", not faults, text)


def _games(folder: Path, settings: Settings, store: Store) -> Iterator[Finding]:
    registry = read_variants(settings, folder)
    with store.transaction(write=False) as tx:
        alive = tx.all(rows.GameRow, state=["running", "paused"])
        faults = [f"{game.key}: {fault}" for game in alive if (fault := _fault(store, registry, game, tx))]
    yield Finding("games", not faults, "; ".join(faults[:MOST_TOLD]) or f"{len(alive)} can be judged")


def _fault(store: Store, registry: Registry, game: rows.GameRow, tx: Transaction) -> str:
    try:
        rules = pinned_rules(store, registry, game)
    except DamagedError as error:
        return error.message
    except Exception as error:
        return f"its row cannot be read ({type(error).__name__})"
    if changes(game.rules_digest, rules):
        return "its rules were changed since it began, and are not at hand any more"
    return "" if tx.find(rows.TurnRow, game=game.id, number=game.turn) is not None else "its present turn is gone"


def _work(folder: Path, settings: Settings, store: Store) -> Iterator[Finding]:
    with store.transaction(write=False) as tx:
        failed = tx.all(rows.WorkRow, state="failed", limit=MOST_TOLD)
        mails, aside = tx.count(rows.MailingRow, state="failed"), tx.count(rows.ArrivalRow, state="aside")
        due = queries.next_due(tx)
    wrong = [f"{row.kind}: {row.error}" for row in failed]
    if due is not None and micros(datetime.now(UTC)) - due > 120_000_000:
        wrong.insert(0, f"due since {moment(due):%d %b %H:%M} UTC: does 'legation serve' or 'legation worker' run?")
    yield Finding("work", not wrong, "; ".join(wrong) or "none failed")
    again = "; 'legation office retry --all' tries them again" if mails or aside else ""
    yield Finding("mails", not mails + aside, f"{mails} failed, {aside} were put aside{again}")
