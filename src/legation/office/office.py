"""The office: what every command needs, passed in explicitly."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import structlog

from legation.judge import Ruleset
from legation.office.clock import Chance, Clock, SystemChance, SystemClock
from legation.office.errors import Unfit
from legation.office.filing import Files
from legation.office.keeper import FolderKeeper, Keeper, write_private
from legation.office.settings import Settings, read_settings
from legation.office.store import Store, open_store, unpack
from legation.office.store.rows import GameRow
from legation.variants import USUAL, Registry, VariantError

DATABASE = "office.db"
KEYS = "keys"
FILES = "files"


class Office:
    """An office: its store, the keeper of its keys, its clock, its chance, its files, its settings, and the variants
    that are played in it.

    ``cabinet`` is the key (32 bytes) with which the office locks what is its own: letters, drafts, mailings that wait.
    """

    def __init__(
        self,
        store: Store,
        keeper: Keeper,
        clock: Clock,
        chance: Chance,
        files: Files,
        settings: Settings,
        cabinet: bytes,
        variants: Registry = USUAL,
    ) -> None:
        self.store = store
        self.keeper = keeper
        self.clock = clock
        self.chance = chance
        self.files = files
        self.settings = settings
        self.cabinet = cabinet
        self.variants = variants
        self.log = structlog.get_logger("legation.office")

    def rules(self, game: GameRow) -> Ruleset:
        """The rules of a game."""
        return self.variants.load(game.variant, unpack(game.options))

    def waiter(self, *what: str) -> contextlib.AbstractContextManager[Callable[[float], bool]]:
        """Within a block, a function that waits so many seconds, or until there is news of this kind: ``work``,
        ``mail``, ``game KEY``; it tells whether there is."""
        return self.store.bell.waiter(*what)

    def listen(self, heard: Callable[[str], None]) -> Callable[[], None]:
        """Have ``heard`` called with the kind of all news, in any thread (empty: some may have been missed); the answer
        ends it."""
        return self.store.bell.listen(heard)

    def close(self) -> None:
        """Let go of the database."""
        self.store.close()


def open_office(
    folder: Path | str, settings: Settings | None = None, clock: Clock | None = None, chance: Chance | None = None
) -> Office:
    """The office in a folder, made if there is none: the database, the keys (mode 600) and the files live there unless
    the settings name other places.

    :raises Unfit: when the settings cannot be used.
    :raises Busy: when the database cannot be reached.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    settings = settings or read_settings(folder)
    clock = clock or SystemClock()
    chance = chance or SystemChance()
    variants = _variants(settings, folder)
    store = open_store(settings.database or f"sqlite:///{(folder / DATABASE).resolve()}")
    keys = folder / KEYS
    keeper: Keeper
    if settings.keeper:
        from legation.office.keeping import RemoteKeeper

        keeper = RemoteKeeper(settings.keeper, settings.keeper_token)
    else:
        keeper = FolderKeeper(keys, clock, chance)
    files = Files.at(settings.files or folder / FILES)
    return Office(store, keeper, clock, chance, files, settings, _cabinet_key(settings, keys, chance), variants)


def is_office(folder: Path) -> bool:
    """Whether there is an office in a folder: its database, or settings that name one elsewhere."""
    return (folder / DATABASE).exists() or bool(read_settings(folder).database)


def _variants(settings: Settings, folder: Path) -> Registry:
    """The variants that come with the project and are installed, and those of the office's own folder."""
    if not settings.variants:
        return USUAL
    try:
        return Registry(folder / settings.variants)
    except VariantError as error:
        raise Unfit(f"The office's variants cannot be used: {error}", faults=error.faults) from None


def _cabinet_key(settings: Settings, keys: Path, chance: Chance) -> bytes:
    """The office's own key: of the settings where several machines share it, else of the folder."""
    if settings.cabinet_key:
        return bytes.fromhex(settings.cabinet_key)
    keys.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = keys / "cabinet"
    with contextlib.suppress(FileExistsError):
        write_private(path, chance.bytes(32), new=True)
    return path.read_bytes()
