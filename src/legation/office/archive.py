"""Backups: everything of an office in one file, made while it runs.

The keys are not in it, those among the settings neither: whoever has a backup has no orders. Back the folder of keys
up apart, or orders of open turns are lost.
"""

from __future__ import annotations

import io
import re
import tarfile
import tempfile
from pathlib import Path

from legation.office.errors import Conflict, NotFound, Unfit
from legation.office.office import DATABASE, FILES, Office, open_office
from legation.office.settings import FILE, Settings, read_settings
from legation.office.store import open_store
from legation.office.store.copying import copy

MANIFEST = "legation-office-backup-1"


def backup(office: Office, folder: Path, to: Path) -> int:
    """Write a backup of an office (its database as SQLite, its files, its settings) to a file; the answer is how many
    rows it has.

    :raises Conflict: when there is a file of that name.
    """
    if to.exists():
        raise Conflict(f"{to} is there already.")
    part = to.with_name(to.name + ".part")
    with tempfile.TemporaryDirectory(dir=to.parent) as place:
        copied = open_store(f"sqlite:///{Path(place).resolve()}/{DATABASE}")
        rows = copy(office.store, copied)
        with copied.engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        copied.close()
        with tarfile.open(part, "w:gz", compresslevel=3) as archive:
            _add(archive, MANIFEST, b"")
            archive.add(Path(place) / DATABASE, DATABASE)
            for name, _ in office.files.names():
                _add(archive, f"{FILES}/{name}", office.files.get(name))
            if (folder / FILE).exists():
                _add(archive, FILE, without_keys((folder / FILE).read_text(encoding="utf-8")).encode())
    part.chmod(0o600)
    part.replace(to)
    return rows


def without_keys(settings: str) -> str:
    """The text of a file of settings, with a comment in the place of each line that holds a key of the office."""
    keys = "|".join(name for name, field in Settings.model_fields.items() if not field.repr)
    return re.sub(rf"(?m)^[ \t]*[\"']?({keys})[\"']?[ \t]*=.*$", r"# \1: not in backups", settings)


def restore(source: Path, folder: Path) -> int:
    """Make an office in an empty folder (or, where its settings name a database, in that) from a backup; the answer is
    how many rows it has.

    :raises Unfit: for a file that is no backup.
    :raises Conflict: when the office there is not empty.
    """
    if (folder / DATABASE).exists():
        raise Conflict(f"There is an office in {folder} already.")
    with tempfile.TemporaryDirectory() as place:
        _unpack(source, Path(place))
        return _restore(Path(place), folder)


def _unpack(source: Path, place: Path) -> None:
    try:
        with tarfile.open(source, "r:gz") as archive:
            if MANIFEST not in archive.getnames():
                raise Unfit(f"{source} is no backup of an office.")
            archive.extractall(place, filter="data")
    except FileNotFoundError:
        raise NotFound(f"There is no file {source}.") from None
    except (tarfile.TarError, OSError, EOFError) as error:
        raise Unfit(f"{source} cannot be read as a backup: {error}") from None


def _restore(place: Path, folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    if (place / FILE).exists() and not (folder / FILE).exists():
        (folder / FILE).write_bytes((place / FILE).read_bytes())
    kept = open_store(f"sqlite:///{place / DATABASE}")
    office = open_office(folder, read_settings(folder))
    try:
        rows = copy(kept, office.store)
        files = place / FILES
        for file in sorted(files.iterdir()) if files.exists() else ():
            office.files.put(file.read_bytes())
    finally:
        kept.close()
        office.close()
    return rows


def move(office: Office, url: str) -> int:
    """Copy an office's database to another (SQLite to PostgreSQL); stop the office first, and name the new database in
    its settings afterwards.

    :raises Conflict: when the other is not empty.
    """
    target = open_store(url)
    try:
        return copy(office.store, target)
    finally:
        target.close()


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    info = tarfile.TarInfo(name)
    info.size = len(content)
    info.mode = 0o600
    archive.addfile(info, io.BytesIO(content))
