"""Opening a store: its database reached, its tables brought to this version."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy.exc import ArgumentError, InterfaceError, OperationalError

from legation.office.errors import Busy, Unfit
from legation.office.store.migrating import upgrade
from legation.office.store.store import Store

KINDS = ("sqlite:///", "postgresql://", "postgres://", "postgresql+psycopg://")


def open_store(url: str) -> Store:
    """A store whose tables are there and of this version.

    :raises Unfit: for an address of another kind of database.
    :raises Busy: when the database cannot be reached.
    """
    if not url.startswith(KINDS):
        mend = "A database is named as postgresql://user:password@host/name or sqlite:////path/office.db."
        raise Unfit(mend, faults=["database: another kind of address"])
    if url.startswith("sqlite:///"):
        Path(url.removeprefix("sqlite:///")).parent.mkdir(parents=True, exist_ok=True)
    try:
        store = Store(url)
        upgrade(store)
    except (ArgumentError, ValueError):
        raise Unfit("The address of the database cannot be read.", faults=["database: cannot be read"]) from None
    except (OperationalError, InterfaceError) as error:
        raise Busy(f"The database cannot be opened: {' '.join(str(error.orig).split())}") from error
    return store
