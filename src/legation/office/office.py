"""The office object: everything that a command needs, passed explicitly."""

import hashlib
import hmac
import re
import time
from collections.abc import Callable
from pathlib import Path

import structlog

from legation.judge import Power, Ruleset
from legation.office.clock import Clock, RandomSource, SystemClock, SystemRandomSource
from legation.office.errors import DamagedError, InvalidInputError
from legation.office.keys.day_keys import DayKeys
from legation.office.keys.keeper import Keeper, lasting_secret
from legation.office.keys.public_numbers import PublicNumbers
from legation.office.keys.remote_keeper import remote_keeper
from legation.office.monitoring.processes import Metrics, Pulses
from legation.office.monitoring.rate_limits import Allowance, SharedAllowance
from legation.office.pinned_rules import CatalogReader, pinned_rules
from legation.office.settings import Settings, read_settings
from legation.office.store.files import Files
from legation.office.store.migrating import open_store
from legation.office.store.rows import GameRow, PersonRow
from legation.office.store.shared_values import Shared
from legation.proofs.signing import public_key
from legation.variants import USUAL, ListedVariants, Registry, VariantError

DATABASE = "office.db"
KEYS = "keys"
MASTER_KEY = "cabinet"  # the office's own key, among the keys
LINKS_AN_HOUR = 5  # mails with a link to sign in that one network has sent to one address
MAILED_TO_A_DAY = 100  # mails that one person may have the office send to addresses of their choice
OWN_PAGES = {"terms": "Terms", "privacy": "Privacy"}
"""Pages that an office may have, from Markdown files of these names in its folder, with their titles."""
LONGEST_PAGE = 200_000  # bytes
SIGNING = "signing"  # the key that it signs with; older ones are kept beside it
PUSH_KEY = "push"  # the seed of the key for notifications, there, too
FILES = "files"


class Office:
    """The office in a folder: its store, the keeper of its keys, its clock and randomness, its files, its settings, and
    the variants that are played in it: those that it is given, and those that its ``catalog`` lists. ``pulses`` are
    those of the threads that work for it, ``figures`` what this process counts. ``master_key`` (32 bytes) locks what is
    the office's own: letters, mailings that wait, and what is sealed already. ``signing`` is the seed of the Ed25519
    key with which it signs, ``push_seed`` that of the P-256 key by which browsers know who sends them notifications
    (VAPID): files among the ``keys``, or made of the key that several machines share. Where there are rows and the
    office's own key is gone, a new one is made only if ``new_key``."""

    def __init__(
        self, folder: Path, settings: Settings, clock: Clock, random_source: RandomSource, *, new_key: bool = False
    ) -> None:
        variants = read_variants(settings, folder)
        self.store = open_store(database_url(settings, folder))
        self.keys = keys = folder / KEYS
        token = settings.keeper_token
        self.keeper = remote_keeper(settings.keeper, token) if settings.keeper else Keeper(keys, clock, random_source)
        self.clock = clock
        self.random_source = random_source
        self.files = Files(settings.files or folder / FILES)
        self.settings = settings
        with self.store.transaction(write=False) as tx:
            new = new_key or not tx.all(PersonRow, limit=1)
        self.master_key = _read_master_key(settings, keys, random_source, new=new)
        self.catalog = CatalogReader(self.store)
        self.variants: Registry = ListedVariants(variants, self.catalog)
        self.signing = self._own_key(SIGNING)
        self.push_seed = self._own_key(PUSH_KEY)
        self.numbers = PublicNumbers(self.keyed("numbers", b""))
        own = None if settings.cabinet_key else keys
        self.outbox_keys = DayKeys(own, random_source, lambda day: self.keyed("outbox", day))
        self.shared = Shared(self.store, lambda name: self.keyed("shared", name.encode()).hex(), clock.now)
        self.mailed_to = self.allowance("mailed to", MAILED_TO_A_DAY, 86_400)
        self.links_asked = self.allowance("links asked", LINKS_AN_HOUR, 3600, lambda: clock.now().timestamp())
        self.pulses = Pulses()
        self.figures = Metrics()
        self.log = structlog.get_logger("legation.office")
        self.store.notifier.failed = self._missed_news

    def _own_key(self, name: str) -> bytes:
        return (
            self.keyed(name, b"") if self.settings.cabinet_key else lasting_secret(self.keys / name, self.random_source)
        )

    def _missed_news(self, error: Exception) -> None:
        self.figures.failures.labels("notifications", type(error).__name__).inc()
        self.log.warning("notifications do not come", error=type(error).__name__)

    def allowance(self, what: str, most: int, seconds: float, now: Callable[[], float] = time.monotonic) -> Allowance:
        """Return how often each caller may do something, counted by all processes together if there may be several."""
        if self.store.sqlite:
            return Allowance(most, seconds, now)
        return SharedAllowance(self.shared, what, most, seconds, now)

    def link(self, path: str) -> str:
        """Return the address of a page of the office, from its path."""
        return self.settings.address.rstrip("/") + path

    def keyed(self, what: str, content: bytes) -> bytes:
        """A digest (32 bytes) by the office's own key: the only kind that is kept of what people send."""
        return hmac.new(self.master_key, what.encode() + b"\n" + content, hashlib.sha256).digest()

    def address_digest(self, address: str) -> str:
        """By what an address is remembered whose owner wants no invitations."""
        return self.keyed("address", address.encode()).hex()

    @property
    def public_key(self) -> str:
        """The public half of the key with which the office signs, in hexadecimal."""
        return public_key(self.signing)

    def signing_keys(self) -> list[bytes]:
        """The key with which the office signs, and those with which it did before, the newest first."""
        before = sorted(self.keys.glob(f"{SIGNING}.before.*"), reverse=True)
        return [self.signing, *(path.read_bytes() for path in before)]

    def rules(self, game: GameRow) -> Ruleset:
        """The rules that a game is pinned to, else its variant's present ones; DamagedError if unreadable."""
        return pinned_rules(self.store, self.variants, game)

    def named(self, game: GameRow, power: str) -> Power:
        """Return a power of a game, to be named in a sentence; by its name alone if its variant cannot be read."""
        try:
            return self.rules(game).named(power)
        except DamagedError:
            return Power(power)

    def variant_of(self, game: GameRow) -> str:
        """The name by which a game's rules and map are found among ``variants``."""
        try:
            return self.rules(game).name
        except DamagedError:
            return game.variant

    def without_reply_addresses(self, text: str) -> str:
        """A text in which the secret reply addresses of seats, quoted from a mail, are the office's own."""
        own = self.settings.orders_address
        local, _, domain = map(re.escape, own.partition("@"))
        return re.sub(rf"{local}\+[0-9a-z]{{1,20}}-[a-z2-7]{{12}}@{domain}", own, text, flags=re.IGNORECASE)

    def own_page(self, name: str) -> str | None:
        """Return the Markdown of a page that the office has filled in (``OWN_PAGES``), or None."""
        path = self.keys.parent / f"{name}.md"
        try:
            with path.open("rb") as file:
                return file.read(LONGEST_PAGE).decode("utf-8-sig", "replace")
        except OSError:
            return None

    def own_pages(self) -> list[str]:
        """Return the names of the pages that the office has filled in."""
        return [name for name in OWN_PAGES if (self.keys.parent / f"{name}.md").is_file()]

    def close(self) -> None:
        """Dispose of the database's engine."""
        self.store.close()


def open_office(
    folder: Path | str,
    settings: Settings | None = None,
    clock: Clock | None = None,
    random_source: RandomSource | None = None,
    *,
    new_key: bool = False,
) -> Office:
    """The office in a folder, made if there is none: the database, the keys (mode 600) and the files live there unless
    the settings name other places. Raises InvalidInputError when the settings cannot be used, or the office's own key
    is gone. Raises UnavailableError when the database cannot be reached."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    settings = settings or read_settings(folder)
    return Office(folder, settings, clock or SystemClock(), random_source or SystemRandomSource(), new_key=new_key)


def database_url(settings: Settings, folder: Path) -> str:
    """The URL of the database of the office in a folder."""
    return settings.database or f"sqlite:///{(folder / DATABASE).resolve()}"


def is_office(folder: Path) -> bool:
    """Return whether there is an office in a folder: its database, or settings that name one elsewhere."""
    return (folder / DATABASE).exists() or bool(read_settings(folder).database)


def read_variants(settings: Settings, folder: Path) -> Registry:
    """The variants that come with the project and are installed, and those of the office's own folder."""
    if not settings.variants:
        return USUAL
    try:
        return Registry(folder / settings.variants, tolerant=True)
    except VariantError as error:
        raise InvalidInputError(f"The office's variants cannot be used: {error}", faults=error.faults) from None


def _read_master_key(settings: Settings, keys: Path, random_source: RandomSource, *, new: bool) -> bytes:
    if settings.cabinet_key:
        return bytes.fromhex(settings.cabinet_key)
    keys.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not new and not (keys / MASTER_KEY).exists():
        raise InvalidInputError(
            f"The office's own key, {keys / MASTER_KEY}, is gone, and letters and mails are locked with it. Put "
            "it back from your copy of the folder of keys.",
            faults=["keys: gone"],
        )
    return lasting_secret(keys / MASTER_KEY, random_source)
