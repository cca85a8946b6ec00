"""Backups: everything of an office in one file, made while it runs, but for keys and for the settings' keys and
passwords. Back the folder of keys up apart, or orders of open turns are lost."""

import contextlib
import io
import os
import re
import sqlite3
import tarfile
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from legation.board.toml_text import toml_document
from legation.formats import FormatError, read_toml
from legation.game.report import count
from legation.notation import listed
from legation.office.context import Actor
from legation.office.errors import ConflictError, InvalidInputError, NotFoundError
from legation.office.game.chain import left_for
from legation.office.game.judging import RULES_CHANGED
from legation.office.hosting import games
from legation.office.keys.keeper import write_private
from legation.office.office import DATABASE, FILES, KEYS, MASTER_KEY, Office, database_url, open_office
from legation.office.settings import FILE, Settings, read_settings
from legation.office.store.files import Files
from legation.office.store.migrating import copy, newest, open_store, reach_store, version
from legation.office.store.rows import ArrivalRow, GameRow, LetterRow, MailingRow, TurnRow
from legation.office.store.store import Store

MANIFEST = "legation-office-backup-1"
RESTORED = "The office was restored from a backup."
NOT_KEPT = "not in backups"
SECRET = tuple(name for name, field in Settings.model_fields.items() if not field.repr)
PASSWORD = re.compile(r"(://[^/:]*):.+@", re.DOTALL)  # of an address, whatever it is made of


class Restored(msgspec.Struct, frozen=True):
    """The result of a restore: the rows, what cannot be read without the keys that are gone (empty: nothing), how many
    games were paused, and which left for another office since the backup."""

    rows: int
    unreadable: str = ""
    paused: int = 0
    left: tuple[str, ...] = ()


def backup(folder: Path, to: Path, settings: Settings | None = None) -> int:
    """Back up an office of any version and return its rows (ConflictError: the file exists, or another PostgreSQL)."""
    settings = settings or read_settings(folder)
    if to.exists():
        raise ConflictError(f"{to} is there already.")
    if not to.parent.is_dir():
        raise NotFoundError(f"There is no folder {to.parent}.")
    part, files = to.with_name(to.name + ".part"), Files(settings.files or folder / FILES)
    with tempfile.TemporaryDirectory(dir=to.parent) as place:
        with contextlib.closing(reach_store(database_url(settings, folder))) as store:
            rows = _copy_database(store, Path(place) / DATABASE)
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
            with tarfile.open(fileobj=out, mode="w:gz", compresslevel=3) as archive:
                _add(archive, MANIFEST, b"")
                archive.add(Path(place) / DATABASE, DATABASE)
                for name, _ in files.names():
                    _add(archive, f"{FILES}/{name}", files.get(name))
                if (folder / FILE).exists():
                    _add(archive, FILE, without_keys((folder / FILE).read_text(encoding="utf-8")).encode())
            out.flush()
            os.fsync(out.fileno())
    part.replace(to)
    return rows


def backup_before_upgrade(folder: Path, settings: Settings) -> Path | None:
    """Back up an office that this version will change; return the file, None if there's nothing to do."""
    if settings.database or not (folder / DATABASE).exists():
        return None
    with contextlib.closing(reach_store(database_url(settings, folder))) as store:
        before = version(store)
    if before is None or before == newest():
        return None
    place = folder / "backups"
    place.mkdir(mode=0o700, exist_ok=True)
    file = place / f"before-{newest()}-{datetime.now(UTC):%Y%m%d-%H%M%S}.tar.gz"
    backup(folder, file, settings)
    return file


def _copy_database(store: Store, to: Path) -> int:
    if store.sqlite:
        with store.engine.connect() as connection, contextlib.closing(sqlite3.connect(to)) as copied:
            source: Any = connection.connection.dbapi_connection
            try:
                source.backup(copied, pages=2000, sleep=0.01)
                (told,) = copied.execute("PRAGMA quick_check(1)").fetchone()
            except sqlite3.DatabaseError as error:
                told = error
            if str(told) != "ok":
                found = " ".join(str(told).split())[:200]
                raise InvalidInputError(
                    f"The database is damaged ({found}), so it can't be backed up. Restore an earlier backup."
                )
            tables = [name for (name,) in copied.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            counts = [copied.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in tables]
            return sum(count for count, name in zip(counts, tables, strict=True) if name != "alembic_version")
    if version(store) != newest():
        raise ConflictError(
            "The database is from another version of the program: use pg_dump, or that version of the program."
        )
    with contextlib.closing(open_store(f"sqlite:///{to.resolve()}")) as copied_store:
        rows = copy(store, copied_store)
        with copied_store.engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        return rows


def without_keys(settings: str) -> str:
    """A file of settings without keys of the office, passwords of addresses, and comments, which may tell them; a
    comment says what was left out. Of one that cannot be read nothing is left."""
    try:
        table = read_toml(settings)
    except FormatError:
        return f"# settings: {NOT_KEPT}\n"
    kept = _without_keys(table)
    told = f"# keys, and passwords of addresses: {NOT_KEPT}\n" if kept != table else ""
    return told + toml_document(kept)


def _without_keys(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_keys(inner) for name, inner in value.items() if name not in SECRET}
    if isinstance(value, list):
        return [_without_keys(inner) for inner in value]
    return PASSWORD.sub(r"\1@", value) if isinstance(value, str) else value


def restore(
    source: Path, folder: Path, *, keys: Path | None = None, without_keys: bool = False, paused: bool = False
) -> Restored:
    """Make an office in an empty folder (or, where its settings name a database, in that) from a backup. ``keys``: the
    copy of the folder of keys, unless that is in its place already. ``without_keys`` goes on without, and tells what
    nobody will be able to read. ``paused``: running games wait until they are resumed. Raises InvalidInputError for a
    file that isn't a backup, or where the keys are not there. Raises ConflictError when the office there is not
    empty."""
    if (folder / DATABASE).exists():
        raise ConflictError(f"There is an office in {folder} already.")
    with tempfile.TemporaryDirectory() as place:
        _unpack(source, Path(place))
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if (Path(place) / FILE).exists() and not (folder / FILE).exists():
            write_private(folder / FILE, (Path(place) / FILE).read_bytes())
        settings = read_settings(folder)
        if keys is not None:
            _put_keys(keys, folder / KEYS)
        has_key = settings.cabinet_key or (folder / KEYS / MASTER_KEY).exists()
        with contextlib.closing(open_store(f"sqlite:///{Path(place) / DATABASE}")) as kept:
            lost = "" if has_key else _locked_things(kept)
            if lost and not without_keys:
                raise InvalidInputError(
                    f"The keys are not in {folder / KEYS}: put the copy of that folder there, or name it with --keys. "
                    f"Without them (--without-keys) nobody can ever read {lost}."
                )
            return _restore(Path(place), folder, kept, settings, lost, paused)


def _put_keys(keys: Path, place: Path) -> None:
    if not (keys / MASTER_KEY).is_file():
        raise InvalidInputError(f"{keys} isn't a folder of keys: there is no {MASTER_KEY} in it.")
    place.mkdir(mode=0o700, exist_ok=True)
    for file in sorted(keys.rglob("*")):  # in folders: the last heads that were signed, games that left
        if file.is_file():
            (place / file.relative_to(keys)).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_private(place / file.relative_to(keys), file.read_bytes())


def _locked_things(store: Store) -> str:
    with store.transaction(write=False) as tx:
        found = {
            "letter": tx.count(LetterRow),
            "waiting mail": tx.count(MailingRow, state="waiting") + tx.count(ArrivalRow, state=["waits", "aside"]),
        }
        turns = tx.count(TurnRow, state=["open", "waiting", "closed"])
    told = [count(number, what) for what, number in found.items() if number]
    return listed([*told, *([f"the orders of {count(turns, 'open turn')}"] if turns else [])]) if told or turns else ""


def _unpack(source: Path, place: Path) -> None:
    try:
        with tarfile.open(source, "r:gz") as archive:
            if MANIFEST not in archive.getnames():
                raise InvalidInputError(f"{source} isn't a backup of an office.")
            archive.extractall(place, filter="data")
    except FileNotFoundError:
        raise NotFoundError(f"There is no file {source}.") from None
    except (tarfile.TarError, OSError, EOFError) as error:
        raise InvalidInputError(f"{source} cannot be read as a backup: {error}") from None


def _restore(place: Path, folder: Path, kept: Store, settings: Settings, lost: str, paused: bool) -> Restored:
    with contextlib.closing(open_office(folder, settings, new_key=True)) as office:
        rows = copy(kept, office.store)
        files = place / FILES
        for file in sorted(files.iterdir()) if files.exists() else ():
            office.files.put(file.read_bytes())
        with office.store.transaction() as tx:
            there = tx.all(GameRow, state=["running", "paused"])
            left = [tx.change(game, state="moved").name for game in there if left_for(office, game.ref)]
            running = [game.key for game in tx.all(GameRow, state="running")] if paused else []
        for key in running:
            games.pause(office, Actor.console(), key, RESTORED)
        return Restored(rows, lost, len(running), tuple(left))


def resume_all(office: Office, actor: Actor, reason: str) -> list[str]:
    """Resume all games that were paused by a restore or changed rules; return their keys."""
    with office.store.transaction(write=False) as tx:
        paused = [g for g in tx.all(GameRow, state="paused") if g.pause_reason.endswith((RESTORED, RULES_CHANGED))]
    for game in paused:
        games.resume(office, actor, game.key, reason)
    return [game.key for game in paused]


def move(office: Office, url: str) -> int:
    """Copy a stopped office's database to another, to be named in its settings; ConflictError unless that is empty."""
    with contextlib.closing(open_store(url)) as target:
        return copy(office.store, target)


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    info = tarfile.TarInfo(name)
    info.size = len(content)
    info.mode = 0o600
    archive.addfile(info, io.BytesIO(content))
