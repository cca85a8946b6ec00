"""The rules that a game is pinned to, kept with it when it begins; the variants of the catalog, for the registry."""

import contextlib
import time
import zlib
from collections.abc import Mapping

import msgspec
import structlog

from legation.judge import Ruleset, changes
from legation.office.errors import DamagedError, OfficeError
from legation.office.monitoring.logs import told_of
from legation.office.store.packing import unpack
from legation.office.store.rows import CatalogPackageRow, CatalogRow, GameRow, KeptRulesRow
from legation.office.store.store import Store
from legation.office.store.transaction import DuplicateRowError, Transaction
from legation.variants import KeptVariant, Registry, VariantError, read_kept

log = structlog.get_logger("legation.office")


def pinned_rules(store: Store, variants: Registry, game: GameRow) -> Ruleset:
    """The rules that a game is pinned to, else its variant's present ones; DamagedError if unreadable."""
    options = unpack(game.options)
    try:
        rules = variants.load(game.variant, options)
    except VariantError as error:
        kept = _kept_rules(store, variants, game, options)
        if kept is None:
            raise DamagedError(f"The variant of {game.name} cannot be read: {error}") from None
        return kept
    if not changes(game.rules_digest, rules):
        return rules
    return _kept_rules(store, variants, game, options) or rules


def _kept_rules(store: Store, variants: Registry, game: GameRow, options: Mapping[str, object]) -> Ruleset | None:
    """The rules that were kept with a game; None where a rule's older version isn't at hand, or the judge changed."""
    if not game.kept or game.kept in variants.unusable:
        return None
    try:
        if not variants.knows(game.kept):
            with store.transaction(write=False) as tx:
                row = tx.find(KeptRulesRow, address=game.kept)
            if row is None:
                return None
            variants.add_kept(read_kept(zlib.decompress(row.content)))
        rules = variants.load(game.kept, options)
    except (VariantError, ValueError, OSError, zlib.error) as error:
        variants.unusable.add(game.kept)
        log.warning("kept rules cannot be used", rules=game.kept, **told_of(error))
        return None
    return None if changes(game.rules_digest, rules) else rules


def rules_content(tx: Transaction, variants: Registry, game: GameRow) -> bytes:
    """The variant of a game as it was when it began, to be read by another process."""
    kept = tx.find(KeptRulesRow, address=game.kept) if game.kept else None
    return zlib.decompress(kept.content) if kept is not None else variants.as_it_is(game.variant).content()


def keep_rules(tx: Transaction, variants: Registry, game: GameRow) -> str:
    """Keep the rules of a game while they are its variant's present ones; the answer is their address."""
    try:
        if changes(game.rules_digest, variants.load(game.variant, unpack(game.options))):
            return game.kept
        kept = variants.as_it_is(game.variant)
    except VariantError:
        return game.kept
    if kept.address != game.kept and tx.find(KeptRulesRow, address=kept.address) is None:
        with contextlib.suppress(DuplicateRowError):
            tx.add(KeptRulesRow(address=kept.address, content=_packed(kept.content())))
    return kept.address


def _packed(content: bytes) -> bytes:
    return zlib.compress(content, 6)


PAUSE = 1.0  # seconds between two looks at what other processes have listed
SHOWN = ("listed", "earlier")  # versions that anybody may see


class DamagedPackageError(Exception):
    """A package of the catalog that is gone or can't be read; the message says which."""


def read_package(version: CatalogRow, package: CatalogPackageRow | None) -> KeptVariant:
    """Return the variant of a version in the catalog; DamagedPackageError where its package doesn't hold it."""
    if package is None:
        raise DamagedPackageError("its package is gone")
    try:
        kept = read_kept(zlib.decompress(package.rules))
    except (zlib.error, msgspec.MsgspecError, ValueError) as error:
        raise DamagedPackageError(f"its package cannot be read ({type(error).__name__})") from error
    if kept.address != version.address:
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
                version = tx.find(CatalogRow, address=address, state=list(SHOWN))
                row = tx.find(CatalogPackageRow, digest=version.package) if version is not None else None
            return read_package(version, row) if version is not None else None
        except (OfficeError, DamagedPackageError) as error:
            if address not in self._told:
                why = str(error) if isinstance(error, DamagedPackageError) else ""
                log.warning("a variant of the catalog cannot be read", variant=address, why=why, **told_of(error))
            self._told.add(address)
            return None
