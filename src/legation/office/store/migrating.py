"""Upgrading: the tables of a database are brought to this version's, from whichever version they are (Alembic).

And copying a whole database: for backups, for restoring them, and for moving from SQLite to PostgreSQL."""

import contextlib
import os
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy.exc import ArgumentError, DatabaseError, InterfaceError, OperationalError

from legation.office.errors import ConflictError, InvalidInputError, UnavailableError
from legation.office.store.queries import number_on
from legation.office.store.rows import TABLES, metadata
from legation.office.store.store import Store

MIGRATIONS = str(files("legation.office.store") / "migrations")
VERSION_TABLE = "alembic_version"  # Alembic's own


def _configuration() -> Config:
    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    config.set_main_option("version_path_separator", "os")
    return config


@cache
def _revisions() -> tuple[str, ...]:
    scripts = ScriptDirectory.from_config(_configuration())
    return tuple(revision.revision for revision in scripts.walk_revisions())


def version(store: Store) -> str | None:
    """The version of the tables of a database; None for an empty one."""
    with store.engine.connect() as connection:
        if not sa.inspect(connection).has_table(VERSION_TABLE):
            return None
        found: str | None = connection.exec_driver_sql(f"SELECT version_num FROM {VERSION_TABLE}").scalar()
        return found


def newest() -> str:
    """The version of the tables that this program has."""
    return _revisions()[0]


def is_known(store: Store) -> bool:
    """Return whether the tables are of a version that this program knows: not of a newer one, or of a preview."""
    present = version(store)
    return present is None or present in _revisions()


def upgrade(store: Store) -> None:
    """Make the tables, or bring them to this version."""
    if version(store) != newest():
        config = _configuration()
        config.attributes["engine"] = store.engine
        command.upgrade(config, "head")


AT_ONCE = 500  # rows


def copy(source: Store, target: Store) -> int:
    """Copy all rows as they are at one moment; the answer is how many. The target has been opened (its tables are
    there) and is empty. Raises ConflictError when it is not, or is of another version."""
    if version(source) != version(target):
        raise ConflictError("The two databases are of different versions; open the older one with this version first.")
    copied = 0
    with source.engine.connect() as reader, target.transaction() as tx:
        if source.sqlite:
            reader.exec_driver_sql("BEGIN")
        else:
            reader = reader.execution_options(isolation_level="REPEATABLE READ")
        if any(tx.count(kind) for kind in TABLES):
            raise ConflictError("The destination isn't empty.")
        for table in metadata.sorted_tables:
            for part in (
                reader.execution_options(yield_per=AT_ONCE)
                .execute(sa.select(table).order_by(table.c.id))
                .mappings()
                .partitions()
            ):
                tx.connection.execute(sa.insert(table), [dict(row) for row in part])
                copied += len(part)
            number_on(tx.connection, table)
    return copied


KINDS = ("sqlite:///", "postgresql://", "postgres://", "postgresql+psycopg://")


def open_store(url: str) -> Store:
    """A store whose tables are there and of this version. Raises InvalidInputError for another kind of database, one of
    an unknown version, or a damaged one, UnavailableError when it cannot be reached."""
    store = reach_store(url)
    with _told():
        upgrade(store)
    return store


def reach_store(url: str) -> Store:
    """A store as it is, whatever version its tables are of; refused as :func:`open_store` does."""
    if not url.startswith(KINDS):
        mend = "A database is named as postgresql://user:password@host/name or sqlite:////path/office.db."
        raise InvalidInputError(mend, faults=["database: another kind of address"])
    if url.startswith("sqlite:///"):
        path = Path(url.removeprefix("sqlite:///"))
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _for_its_owner_alone(path)
    with _told():
        store = Store(url)
        if not is_known(store):
            raise InvalidInputError(
                f"The database is of version {version(store)}, and this program's newest is {newest()}: it was "
                "made by a newer program, or by a preview of the first release. Install that one, or restore a backup.",
                faults=["database: of a newer version, or a preview's"],
            )
    return store


@contextlib.contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except (ArgumentError, ValueError):
        raise InvalidInputError(
            "The address of the database cannot be read.", faults=["database: cannot be read"]
        ) from None
    except (OperationalError, InterfaceError) as error:
        raise UnavailableError(f"The database cannot be opened: {' '.join(str(error.orig).split())}") from error
    except DatabaseError as error:
        raise InvalidInputError(
            f"The database is damaged ({' '.join(str(error.orig).split())}): put it aside and restore a backup.",
            faults=["database: damaged"],
        ) from error


def _for_its_owner_alone(path: Path) -> None:
    """Have a file of SQLite be read by its owner alone, whatever the umask; those beside it are made like it."""
    with contextlib.suppress(OSError):  # an unreachable place is told when the database is opened
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        for file in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
            if file.exists():
                file.chmod(0o600)
