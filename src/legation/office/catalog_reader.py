"""Variants of the office's catalog, for its registry: read from the records, whichever process wrote them."""

from __future__ import annotations

import time
import zlib
from collections.abc import Mapping

import msgspec
import structlog

from legation.office.errors import OfficeError
from legation.office.monitoring.logs import told_of
from legation.office.store.rows import CatalogPackageRow, CatalogRow
from legation.office.store.store import Store
from legation.office.store.transaction import Transaction
from legation.variants import KeptVariant, is_old_address, plain_name, read_kept

log = structlog.get_logger("legation.office")

PAUSE = 1.0  # seconds between two looks at what other processes have listed
SHOWN = ("listed", "earlier")  # versions that anybody may see


class DamagedPackageError(Exception):
    """A package of the catalog that is gone or can't be read; the message says which."""


def read_package(version: CatalogRow, package: CatalogPackageRow | None) -> KeptVariant:
    """Return the variant of a version in the catalog. Raises DamagedPackageError where its package is gone or damaged,
    or holds another variant."""
    if package is None:
        raise DamagedPackageError("its package is gone")
    try:
        kept = read_kept(zlib.decompress(package.rules))
    except (zlib.error, msgspec.MsgspecError, ValueError) as error:
        raise DamagedPackageError(f"its package cannot be read ({type(error).__name__})") from error
    if not kept.address.startswith(version.address):  # of before, addresses may be shortened
        raise DamagedPackageError("its package holds another variant")
    return kept


class CatalogReader:
    """Reader of the catalog: answers at most a second old, of what is committed. What is damaged isn't listed."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._addresses: dict[str, str] = {}
        self._sound: set[str] = set()  # addresses whose variants were read
        self._told: set[str] = set()  # those of which it was told that they cannot be read
        self._looked: float | None = None

    def addresses(self) -> Mapping[str, str]:
        """The address of each variant that is listed, by its name."""
        if self._looked is None or time.monotonic() - self._looked >= PAUSE:
            self.look()
        return self._addresses

    def look(self) -> None:
        """Refresh the list."""
        try:
            with self._store.apart() as tx:
                listed = {row.name: row.address for row in tx.all(CatalogRow, state="listed")}
            unread = {*listed.values()} - self._sound
            self._sound |= {address for address in unread if self.read(address) is not None}
            self._addresses = {name: address for name, address in listed.items() if address in self._sound}
        except OfficeError as error:  # what was known stands until the records are there again
            log.warning("the catalog cannot be read", **told_of(error))
        self._looked = time.monotonic()

    def read(self, address: str) -> KeptVariant | None:
        """The variant at an address; None where there is none that anybody may see."""
        try:
            with self._store.apart() as tx:
                version = tx.find(CatalogRow, address=_present(tx, address), state=list(SHOWN))
                row = tx.find(CatalogPackageRow, digest=version.package) if version is not None else None
            return read_package(version, row) if version is not None else None
        except (OfficeError, DamagedPackageError) as error:
            if address not in self._told:
                why = str(error) if isinstance(error, DamagedPackageError) else ""
                log.warning("a variant of the catalog cannot be read", variant=address, why=why, **told_of(error))
            self._told.add(address)
            return None


def _present(tx: Transaction, address: str) -> str:
    """Return the full address for a shortened one of before, where it fits one variant only."""
    if not is_old_address(address):
        return address
    rows = tx.all(CatalogRow, name=plain_name(address), state=list(SHOWN))
    found = {row.address for row in rows if row.address.startswith(address)}
    return found.pop() if len(found) == 1 else address
