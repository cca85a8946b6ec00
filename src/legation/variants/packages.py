"""Packages: a variant with its board, its rules and its texts as one file (``NAME.legation``, a zip archive).

In a package lie ``package.json`` (:class:`About`), the variant's file and its editions, the folder of each board that
does not come with Legation, and, in ``rules``, rule modules in Python, which are run where the package is used."""

import io
import re
import shutil
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import msgspec

from legation.board.folders import TextFolder, write_folder
from legation.formats import FormatError, decode_json, zip_entries
from legation.variants.loader import VariantError, findings, read_facts
from legation.variants.registry import RULES, Registry, find_boards
from legation.version import VERSION

SUFFIX = ".legation"
ABOUT = "package.json"
MOST_FILES = 200
MOST_BYTES = 24 * 1024 * 1024  # of all files together, unpacked
NAMES = re.compile(r"([\w][\w -]{0,60}/)?[\w][\w .-]{0,60}\.(toml|csv|md|json|geojson|py)")
VERSIONS = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6}){0,5}")
KEPT = "packages"  # the folder in a folder of variants that keeps what each package said of itself
STAMP = (2000, 1, 1, 0, 0, 0)  # the same content gives the same bytes


class PackageError(ValueError):
    """A package that cannot be read, made or installed; ``faults`` lists all that is wrong."""

    def __init__(self, *faults: str) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


class About(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a package says of itself (``package.json``). ``version`` is numbers with points between; ``source`` is where
    the variant comes from; ``notes`` say what changed."""

    name: str
    title: str = ""
    version: str = "1.0"
    license: str = ""
    authors: str = ""
    source: str = ""
    credits: str = ""
    notes: str = ""
    made_with: str = ""


class Package(msgspec.Struct, frozen=True):
    """A package, read: what it says of itself, and its files by their paths in it."""

    about: About
    files: Mapping[str, str]

    @property
    def variants(self) -> list[str]:
        """The files of its variants."""
        return sorted(name for name in self.files if "/" not in name and name.endswith(".toml"))

    @property
    def programs(self) -> list[str]:
        """The files that are run."""
        return sorted(name for name in self.files if name.endswith(".py"))


def collect(registry: Registry, name: str) -> dict[str, str]:
    """Return the files of a variant that do not come with Legation, by their paths in a package: its own file, those
    of variants that it builds on, their boards, and the rule modules beside them.

    :raises PackageError: if the variant comes with Legation, so that there is nothing to pack.
    :raises VariantError: for an unknown variant, or a file that cannot be read."""
    files: dict[str, str] = {}
    waiting, seen = [name], set[str]()
    while waiting:
        source = registry.find_source(waiting.pop())
        if source.shipped or source.name in seen:
            continue
        seen.add(source.name)
        file = registry.file_of(source.name)
        files[file.name] = file.read_text(encoding="utf-8")
        facts = read_facts(file, file.name)
        waiting += [facts[key] for key in ("extends", "rules_of") if isinstance(facts.get(key), str)]
        board = registry.folder_of(source.name)
        if board not in find_boards().values():
            files |= _texts(board, board.name)
        files |= _texts(file.parent / RULES, RULES, ".py")
    if not files:
        raise PackageError(f"{name} comes with Legation: there is nothing to pack. Copy it by 'legation variant new'.")
    return files


def _texts(folder: Path | TextFolder, name: str, ending: str = "") -> dict[str, str]:
    found = sorted(folder.iterdir(), key=lambda file: file.name) if folder.is_dir() else []
    return {
        path: file.read_text(encoding="utf-8")
        for file in found
        if NAMES.fullmatch(path := f"{name}/{file.name}") and path.endswith(ending)
    }


def write_package(about: About, files: Mapping[str, str]) -> bytes:
    """Return a package; the same content gives the same bytes.

    :raises PackageError: for a version or file names that packages do not have."""
    faults = [f"{name}: isn't a name of a file in a package" for name in files if not NAMES.fullmatch(name)]
    if not VERSIONS.fullmatch(about.version):
        faults.append(f"version: numbers with points between, as in '1.2', not {about.version!r}")
    if faults:
        raise PackageError(*faults)
    about = msgspec.structs.replace(about, made_with=f"legation {VERSION}")
    texts = {ABOUT: msgspec.json.format(msgspec.json.encode(about)).decode() + "\n", **files}
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", compresslevel=6) as archive:  # noqa: TID251 (written)
        for path, text in sorted(texts.items()):
            entry = zipfile.ZipInfo(path, STAMP)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, text.encode())
    return made.getvalue()


def read_package(content: bytes) -> Package:
    """Read a package. Nothing is written or run.

    :raises PackageError: for anything that isn't a package, or more than one may hold."""
    files: dict[str, str] = {}
    room = MOST_BYTES
    try:
        entries = zip_entries(content)
        if len(entries) > MOST_FILES:
            raise PackageError(f"more than {MOST_FILES} files")
        for entry in entries:
            if not NAMES.fullmatch(entry.name) or entry.name.startswith(f"{KEPT}/"):
                raise PackageError(f"{entry.name[:80]!r}: isn't a name of a file in a package")
            data = entry.read(room + 1)
            room -= len(data)
            if room < 0:
                raise PackageError(f"unpacked more than {MOST_BYTES // 1024 // 1024} MB")
            files[entry.name] = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise PackageError("a file in it is not UTF-8") from None
    except FormatError as error:
        raise PackageError(f"isn't a zip archive that can be read: {error}") from None
    if ABOUT not in files:
        raise PackageError(f"there is no {ABOUT} in it, so it isn't a package; 'legation variant pack' makes one")
    try:
        about = decode_json(files.pop(ABOUT), type=About)
    except msgspec.MsgspecError as error:
        raise PackageError(f"{ABOUT}: {error}") from None
    if f"{about.name}.toml" not in files:
        raise PackageError(f"{ABOUT}: names {about.name!r}, and there is no {about.name}.toml")
    return Package(about, files)


def install(package: Package, folder: Path, *, replace: bool = False, trust: bool = False) -> list[str]:
    """Put a package's files into a folder of variants, if everything in it can be used; return the names of its
    variants. Nothing is changed if it cannot.

    ``replace`` allows it to take the place of an earlier version; ``trust`` allows rule modules, which are run.

    :raises PackageError: with all that is wrong."""
    if package.programs and not trust:
        raise PackageError(
            f"brings Python that is run: {', '.join(package.programs)}. If you trust where it comes from, say so "
            "with --trust."
        )
    there = sorted(name for name in _tops(package) if (folder / name).exists())
    if there and not replace:
        mend = "is there already; --replace puts this one in its place"
        raise PackageError(*(f"{folder / name} {mend}" for name in there))
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".installing-") as made:
        stage = Path(made) / "variants"
        write_folder(package.files, stage)
        names = _try_out(stage, package)
        for name in _tops(package):
            if name == RULES:
                (folder / RULES).mkdir(exist_ok=True)
                for path in (stage / RULES).iterdir():
                    path.replace(folder / RULES / path.name)
                continue
            if (folder / name).is_dir():
                shutil.rmtree(folder / name)
            (stage / name).replace(folder / name)
        (folder / KEPT).mkdir(exist_ok=True)
        for name in names:
            (folder / KEPT / f"{name}.json").write_bytes(msgspec.json.encode(package.about))
    return names


def about_of(registry: Registry, name: str) -> About | None:
    """Return what the package of a variant said of itself; None if it came in none.

    :raises VariantError: for an unknown variant."""
    source = registry.find_source(name)
    if source.path is None:
        return None
    path = source.path.parent / KEPT / f"{name}.json"
    try:
        return decode_json(path.read_bytes(), type=About)
    except (OSError, msgspec.MsgspecError):
        return None


def _tops(package: Package) -> list[str]:
    """The files and folders that a package puts into the folder of variants; the folder of rules last."""
    return sorted({name.partition("/")[0] for name in package.files}, key=lambda name: (name == RULES, name))


def _try_out(stage: Path, package: Package) -> list[str]:
    try:
        registry = Registry(stage)
        loaded = [registry.load(Path(name).stem) for name in package.variants]
    except VariantError as error:
        raise PackageError(*(fault.replace(f"{stage}/", "") for fault in error.faults)) from None
    if found := [f"{rules.name}: {finding}" for rules in loaded for finding in findings(rules)]:
        raise PackageError(*found)
    return [rules.name for rules in loaded]
