"""Which variants there are: those that come with the project, those of installed packages, and files and folders that
somebody chose to add.

A document says only a variant's name; what the name means is up to the :class:`Registry` it is read with. Nothing that
a document says opens a file. Each variant and each board is read once, and shared: they cannot be changed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from importlib.resources import files
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from legation.board import Board, BoardFileError, read_board
from legation.board.folders import TextFolder
from legation.faults import near
from legation.judge import OptionError, Rule, RulesError, Ruleset
from legation.rules import add_version, modules, modules_in, older_versions
from legation.variants.keeping import KeptVariant, as_it_is, read_kept
from legation.variants.loader import VariantError, extended, prepare, read_facts, run_file

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")

DATA = Path(str(files("legation.variants") / "data"))
BOARDS = Path(str(files("legation.variants") / "boards"))
STANDARD = "standard"  # the game that every variant amends: what differs is told beside it
RULES = "rules"  # the folder of a folder of variants that holds rule modules
GROUPS = ("legation.rules", "legation.boards", "legation.variants")
MOST_LOADED = 256  # rulesets that are kept ready, by variant and options


class VariantSource(msgspec.Struct, frozen=True):
    """Where a variant is found: its file, and whether that came with the project; or what was kept of it, with its
    board."""

    name: str
    path: Path | None
    shipped: bool = False
    kept: KeptVariant | None = None
    board: TextFolder | None = None


class Registry:
    """Variants by name.

    ``folders`` hold variant files (``*.toml``), boards (folders with a ``board.toml``) and, in a folder ``rules``, rule
    modules in Python: a folder that is added is trusted as a program is. ``installed`` packages add theirs by entry
    points: ``legation.variants`` and ``legation.boards`` name a package with such files, ``legation.rules`` a Python
    module with rule modules. They are looked for only when a name is not known otherwise.

    A ``tolerant`` registry holds what is faulty in its folders as findings (``troubles``) and serves the rest: a
    variant that cannot be read is not listed, and says why when it is asked for.

    :raises VariantError: when a folder cannot be used, or two variants have one name."""

    def __init__(self, *folders: Path, installed: bool = True, tolerant: bool = False) -> None:
        self._lock = RLock()
        self._sources: dict[str, VariantSource] = {}  # by the name without regard to capitals
        self._boards: dict[str, Path] = find_boards()
        self._modules: dict[str, type[Rule]] = dict(modules())
        self._older: dict[tuple[str, int], type[Rule]] = dict(older_versions())
        self._as_is: dict[str, KeptVariant] = {}
        self._groups = [*GROUPS] if installed else []  # of entry points, as long as installed packages were not asked
        self._facts_read: dict[str, dict[str, Any]] = {}
        self._prepared: dict[str, Mapping[str, Any]] = {}
        self._loaded: dict[tuple[str, tuple[tuple[str, str], ...]], Ruleset] = {}
        self._read: dict[Path | TextFolder, Board] = {}
        self.troubles: list[str] = []
        """What is wrong with installed packages, and with the folders of a tolerant registry; their other variants,
        boards and rules can be used."""
        self.unusable: set[str] = set()
        """Kept variants that were tried and cannot be loaded: an older version of a rule is not at hand."""
        self.folders = folders
        self.tolerant = tolerant
        self._faulty: set[str] = set()  # variants that are not listed
        for path in variant_files(DATA):
            self._sources[path.stem.casefold()] = VariantSource(path.stem, path, shipped=True)
        for folder in folders:
            self.add_folder(folder)

    # What there is

    def names(self) -> list[str]:
        """All variants, in the order of the alphabet."""
        self._ask_installed()
        with self._lock:
            sources = [*self._sources.values()]
        return sorted(source.name for source in sources if source.name not in self._faulty and source.kept is None)

    def versions(self, name: str) -> list[str]:
        """The variant as it is, and as it was: the names by which each is loaded.

        :raises VariantError: for an unknown variant."""
        plain = self.name(name)
        return [plain, *(s.name for s in self._sources.values() if s.kept is not None and s.kept.name == plain)]

    def knows(self, name: str) -> bool:
        """Whether there is a variant of exactly this name, listed or kept."""
        source = self._found(name)
        return source is not None and source.name == name and name not in self._faulty

    def finds(self, name: str) -> bool:
        """Whether a variant is found by this name, listed or kept, whether it can be read or not."""
        return self._found(name) is not None

    def _found(self, text: str) -> VariantSource | None:
        wanted = text.strip().casefold()
        with self._lock:
            if wanted not in self._sources:
                self._ask_installed()
            return self._sources.get(wanted)

    @property
    def shared(self) -> Registry:
        """The registry that holds what :meth:`name` names: what is made of a variant is kept by both."""
        return self

    def boards(self) -> dict[str, Path]:
        """The boards that any variant may name, and their folders."""
        self._ask_installed()
        return dict(self._boards)

    def rules(self) -> dict[str, type[Rule]]:
        """All rule modules by key."""
        self._ask_installed()
        return dict(self._modules)

    def name(self, text: str) -> str:
        """The name of the variant that is meant; capitals do not matter.

        :raises VariantError: for an unknown variant, with the nearest."""
        return self.find_source(text).name

    def find_source(self, text: str) -> VariantSource:
        """Return where a variant is found.

        :raises VariantError: for an unknown variant, with the nearest."""
        if (source := self._found(text)) is not None:
            return source
        mend = near(text.strip().casefold()[:60], self.names())
        if text.strip().casefold().endswith(".toml"):
            mend = (
                "; a variant is told by its name, and a file of one's own is made known with 'legation --variants FILE'"
            )
        raise VariantError([f"unknown variant {text[:60]!r}{mend}"])

    def file_of(self, name: str) -> Path:
        """Return the file of a variant.

        :raises VariantError: for an unknown variant, or one of which no file is here, only what was kept of it."""
        return _file(self.find_source(name))

    # Adding

    def add_file(self, path: Path, *, replace: bool = False) -> str:
        """Make a variant file known; its name is the file's. A file that is known already stays what it is.

        :raises VariantError: when another variant has this name, unless it is to ``replace`` it."""
        with self._lock:
            if replace and (known := self._sources.pop(path.stem.casefold(), None)) is not None:
                self._facts_read.pop(known.name, None)
                self._as_is.pop(known.name, None)
                self._prepared.pop(known.name, None)
                for key in [key for key in self._loaded if key[0] == known.name]:
                    del self._loaded[key]
            return self._add(VariantSource(path.stem, path))

    def as_it_is(self, name: str) -> KeptVariant:
        """All that decides a game of a variant that starts now, to be kept with the game.

        :raises VariantError: for an unknown variant, or a file that cannot be read."""
        source = self.find_source(name)
        if source.kept is not None:
            return source.kept
        with self._lock:
            if source.name not in self._as_is:
                facts = self.facts(source.name)
                other = self.facts(facts["rules_of"]) if facts.get("rules_of") else {}
                versions = {key: kind.version for key, kind in self._modules.items()}
                board = self._find_board(source, str(facts.get("board", "")))
                try:
                    self._as_is[source.name] = as_it_is(source.name, facts, other, versions, board)
                except (OSError, ValueError) as error:
                    raise VariantError([f"{source.name}: {error}"]) from None
            return self._as_is[source.name]

    def add_kept(self, kept: KeptVariant) -> str:
        """Make a variant known as it was at one time, without listing it; the answer is the name that loads it."""
        with self._lock:
            if kept.address.casefold() not in self._sources:
                board = TextFolder(kept.board, kept.address)
                self._sources[kept.address.casefold()] = VariantSource(kept.address, None, kept=kept, board=board)
            return kept.address

    @classmethod
    def with_kept(cls, content: bytes, folders: Iterable[str]) -> tuple[Registry, str]:
        """Return a registry that knows a kept variant and the rules in these folders, and the name that loads the
        variant: for a child process, which has no registry of its parent's."""
        registry = cls(*map(Path, folders), tolerant=True)
        return registry, registry.add_kept(read_kept(content))

    def add_folder(self, folder: Path) -> None:
        """Make the variants, boards and rules in a folder known.

        :raises VariantError: when there is no such folder, or a name is taken."""
        try:
            there = folder.is_dir()
        except (OSError, ValueError):
            there = False
        if not there:
            raise VariantError([f"{str(folder)[:200]}: there is no such folder"])
        with self._lock:
            for file in sorted((folder / RULES).glob("*.py")):
                self._told(partial(self._add_rules_of, file))
            for path in sorted(folder.glob("*/board.toml")):
                self._told(partial(self._add_board, path))
            for path in variant_files(folder):
                added = self._told(partial(self._add, VariantSource(path.stem, path)))
                if self.tolerant and added and self._told(partial(self.load, path.stem)) is None:
                    self._faulty.add(path.stem)

    def _told(self, do: Callable[[], T], point: EntryPoint | None = None) -> T | None:
        """Do something that may find a fault, which is only noted in a tolerant registry, and of an entry point."""
        if not self.tolerant and point is None:
            return do()
        package = "" if point is None else f"{_package(point)}: "
        try:
            return do()
        except VariantError as error:
            self.troubles += [f"{package}{fault}" for fault in error.faults]
        except Exception as error:  # an odd file, or a package of somebody else, may fail in any way
            where = "" if point is None else f"{point.value}: "
            self.troubles.append(f"{package}{where}{type(error).__name__}: {error}")
        return None

    def _add(self, source: VariantSource) -> str:
        known = self._sources.get(source.name.casefold())
        if known is None:
            self._sources[source.name.casefold()] = source
        elif known.path is None or source.path is None or known.path.resolve() != source.path.resolve():
            where = "comes with Legation" if known.shipped else f"is {known.path or 'kept here'}"
            raise VariantError([f"{source.path}: the variant {known.name!r} {where}; give this file another name"])
        return source.name if known is None else known.name

    def _add_board(self, path: Path) -> None:
        known = self._boards.setdefault(path.parent.name, path.parent)
        if known.resolve() != path.parent.resolve():
            where = "which comes with Legation; give this folder another name" if known.parent == BOARDS else known
            raise VariantError([f"{path.parent}: there is a board {path.parent.name!r} already, {where}"])

    def _add_rules_of(self, file: Path) -> None:
        self._add_rules(file.stem, run_file(file), str(file))

    def _add_rules(self, name: str, source: ModuleType, where: str) -> None:
        try:
            added = modules_in(source)
        except RulesError as error:
            raise VariantError([f"{where}: {error}"]) from None
        for key, kind in added.items():
            known = add_version(kind, self._modules, self._older)
            if known is not None and known is not kind:
                raise VariantError([f"{where}: there is a rule {key!r} already, in {known.__module__}"])

    def _ask_installed(self) -> None:
        """Look what installed packages add, once."""
        with self._lock:
            if not self._groups:
                return
            groups, points = [*self._groups], _entry_points(tuple(sys.path))
            self._groups.clear()
            for group in groups:
                for point in points[group]:
                    self._told(partial(self._add_installed, group, point), point)

    def _add_installed(self, group: str, point: EntryPoint) -> None:
        package = point.load()
        if group == "legation.rules":
            self._add_rules(point.name, package, point.value)
            return
        folder = Path(str(files(package)))
        for path in sorted(folder.glob("*/board.toml")):
            self._add_board(path)
        if group == "legation.variants":
            for path in variant_files(folder):
                self._add(VariantSource(path.stem, path))

    # Loading

    def facts(self, name: str) -> dict[str, Any]:
        """The variant file as it was when it was first read, with what it takes from the variant that it extends.

        :raises VariantError: for an unknown variant, or a file that cannot be read."""
        return self._facts(self.find_source(name), ())

    def _facts(self, source: VariantSource, extending: tuple[str, ...]) -> dict[str, Any]:
        if source.kept is not None:
            return dict(source.kept.facts)
        with self._lock:
            if source.name not in self._facts_read:
                self._facts_read[source.name] = self._read_facts(source, extending)
            return dict(self._facts_read[source.name])

    def _read_facts(self, source: VariantSource, extending: tuple[str, ...]) -> dict[str, Any]:
        facts = read_facts(_file(source), _shown(source))
        if "extends" not in facts:
            return facts
        faults: list[str] = []

        def facts_of(name: str) -> dict[str, Any]:
            other = self.find_source(name)
            if other.name in (*extending, source.name):
                raise VariantError([f"extends: {other.name!r} is extended by this one"])
            return self._facts(other, (*extending, source.name))

        try:
            facts = extended(facts, facts_of, faults)
        except VariantError as error:
            faults += error.faults
        if faults:
            raise VariantError([f"{_shown(source)}: {fault}" for fault in faults])
        return facts

    def load(self, name: str, options: Mapping[str, object] | None = None) -> Ruleset:
        """The ruleset of a variant with a game's options; one and the same for all who ask for it.

        :raises VariantError: for an unknown variant, a faulty file, or options that do not exist."""
        source = self.find_source(name)
        key = (source.name, tuple(sorted((k, repr(v)) for k, v in (options or {}).items())))
        known = self._loaded.get(key)
        if known is not None:
            return known
        with self._lock:
            if key not in self._loaded:
                rules = self._make(source, options or {})
                if len(self._loaded) >= MOST_LOADED:
                    del self._loaded[next(iter(self._loaded))]
                self._loaded[key] = rules
            return self._loaded[key]

    def _make(self, source: VariantSource, options: Mapping[str, object]) -> Ruleset:
        parts = self._prepared.get(source.name)
        if parts is None:
            facts = self._facts(source, ())
            rules = facts.get("rules")
            if isinstance(rules, dict) and not rules.keys() <= self._modules.keys():
                self._ask_installed()

            def board(named: str) -> Board:
                return self._board(self._board_of(source, named), named)

            parts = prepare(source.name, _shown(source), facts, self._rules_of(source), board, self.facts)
            self._prepared[source.name] = parts
        try:
            ruleset = Ruleset(**parts, options=options)
            ruleset.opening()  # two readings may not fit together
        except (OptionError, RulesError) as error:
            raise VariantError([f"options: {error}"]) from None
        return ruleset

    def _rules_of(self, source: VariantSource) -> Mapping[str, type[Rule]]:
        """The rules by key that a variant may name: of what was kept, those of the versions that it had, as far as they
        are at hand."""
        if source.kept is None:
            return self._modules
        return {
            key: kind
            for key, newest in self._modules.items()
            if (wanted := source.kept.versions.get(key)) is not None
            and (kind := newest if newest.version == wanted else self._older.get((key, wanted))) is not None
        }

    # Boards

    def folder_of(self, variant: str) -> Path | TextFolder:
        """Return the folder of a variant's board, with its shapes; one in memory if the variant was kept with a game.

        :raises VariantError: for an unknown variant or board."""
        source = self.find_source(variant)
        return self._board_of(source, str(self.facts(variant).get("board", "")))

    def _board_of(self, source: VariantSource, named: str) -> Path | TextFolder:
        return self._find_board(source, named) if source.board is None else source.board

    def _find_board(self, source: VariantSource, name: str) -> Path:
        """The folder of a board: one that is known, or one beside a variant file."""
        if name not in self._boards:
            self._ask_installed()
        if name in self._boards:
            return self._boards[name]
        plain = name not in ("", ".", "..") and not set(name) & {"/", "\\", "\0"} and len(name) <= 200
        if plain and not source.shipped and (beside := _file(source).parent / name).is_dir():
            return beside
        raise VariantError([f"there is no board {name[:60]!r}{near(name[:60], self._boards)}"])

    def _board(self, folder: Path | TextFolder, name: str) -> Board:
        if folder not in self._read:
            try:
                if isinstance(folder, Path) and folder.parent == BOARDS:
                    self._read[folder] = shipped_board(folder)
                else:
                    self._read[folder] = read_board(folder)
            except BoardFileError as error:
                raise VariantError([f"board {name!r}: {fault}" for fault in error.faults]) from None
        return self._read[folder]


_shipped_boards: dict[Path, Board] = {}


def shipped_board(folder: Path) -> Board:
    """A board of the project, read once: it is the same for all."""
    board = _shipped_boards.get(folder)
    return board if board is not None else _shipped_boards.setdefault(folder, read_board(folder))


def variant_files(folder: Path) -> list[Path]:
    """The variant files in a folder: every TOML file that is neither a board's nor holds a variant's clauses."""
    files = sorted(folder.glob("*.toml"))
    return [path for path in files if path.name != "board.toml" and not path.name.endswith(".clauses.toml")]


def find_boards() -> dict[str, Path]:
    """The boards that come with the project, and their folders."""
    return {folder.name: folder for folder in sorted(BOARDS.iterdir()) if folder.is_dir()}


def _file(source: VariantSource) -> Path:
    """The file of a variant.

    :raises VariantError: where only what was kept of it is here."""
    if source.path is None:
        raise VariantError([f"{source.name}: no file of it is here"])
    return source.path


def _shown(source: VariantSource) -> str:
    return f"{source.name}.toml"


@lru_cache(maxsize=1)
def _entry_points(path: tuple[str, ...]) -> dict[str, list[EntryPoint]]:
    """What the packages on a path add, by group: to read all that they say takes longer than to load a variant."""
    from importlib.metadata import entry_points  # which takes longer to import than all of this module

    points = entry_points()
    return {group: sorted(points.select(group=group), key=lambda point: point.name) for group in GROUPS}


def _package(point: EntryPoint) -> str:
    return f"the package {point.dist.name}" if point.dist is not None else f"the entry point {point.name}"


USUAL = Registry()
"""The registry that is used where none is given: what comes with the project, and installed packages."""
