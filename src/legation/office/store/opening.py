"""Opening a store: its database reached, its tables brought to this version."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy.exc import ArgumentError, DatabaseError, InterfaceError, OperationalError

from legation.office.errors import InvalidInputError, UnavailableError
from legation.office.store.migrating import is_known, newest, upgrade, version
from legation.office.store.store import Store

KINDS = ("sqlite:///", "postgresql://", "postgres://", "postgresql+psycopg://")


def open_store(url: str) -> Store:
    """A store whose tables are there and of this version. Raises InvalidInputError for an address of another kind of
    database, or a database of a version that this program does not know, or that is damaged. Raises UnavailableError
    when the database cannot be reached."""
    store = reach_store(url)
    with _told():
        upgrade(store)
    return store


def reach_store(url: str) -> Store:
    """A store as it is, whatever version its tables are of. Raises InvalidInputError as :func:`open_store`. Raises
    UnavailableError as :func:`open_store`."""
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
