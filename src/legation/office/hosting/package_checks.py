"""Packages that are to come into the catalog: read, loaded and drawn by a child process with limits, before anything of
them is kept. A package with rules in Python never comes in this way: nothing of it is run."""

from __future__ import annotations

import hashlib
import re
import tempfile
import zlib
from importlib.resources.abc import Traversable
from pathlib import Path

import msgspec

from legation.atlas import Atlas
from legation.atlas.shapes import ShapesError, read_shapes
from legation.board import BoardFileError
from legation.board.lint import lint
from legation.children import ChildError, Children
from legation.judge import Ruleset
from legation.office.errors import InvalidInputError, LimitExceededError, UnavailableError
from legation.variants import Registry, VariantError, find_boards, findings
from legation.variants.packages import About, Package, PackageError, lay_out, read_package

CHECKERS = Children(most=1, seconds=20, megabytes=1200, nice=10, patience=20)
MOST_BYTES = 6 * 1024 * 1024  # of a package, as it comes
MOST_PROVINCES = 1200
LARGEST_SHAPES = 2 * 1024 * 1024
MOST_FAULTS = 8
NAMES = re.compile(r"[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?")
RESERVED = ("bench-",)  # how names begin that pages give to other things
NOTES = "notes.md"
LINES = {"title": 120, "version": 40, "license": 120, "authors": 300, "source": 300}
TEXTS = {"credits": 2000, "notes": 2000}
"""How long what a package says of itself may be, in characters."""


class CheckedPackage(msgspec.Struct, frozen=True):
    """A package that can be used: what it says of itself, a few facts, and its rules, packed, with their address."""

    about: About
    title: str
    summary: str
    powers: int
    centers: int
    provinces: int
    address: str
    rules: bytes
    content: bytes

    @property
    def digest(self) -> str:
        """The SHA-256 of the package as it came."""
        return hashlib.sha256(self.content).hexdigest()


def check_package(content: bytes) -> CheckedPackage:
    """Return what is known of a package that can be used. Raises InvalidInputError with all that is wrong with it.
    Raises UnavailableError while others are being read."""
    if len(content) > MOST_BYTES:
        raise LimitExceededError(f"A package for the catalog has at most {MOST_BYTES // 1024 // 1024} MB.")
    try:
        return CHECKERS.call(CheckedPackage, f"{__name__}:read_and_try", content)
    except ChildError as error:
        if error.reason == "away":
            raise UnavailableError("Other variants are being read right now. Try again in a minute.") from None
        known = error.reason == "failed" and error.kind == PackageError.__name__
        faults = str(error).splitlines() if known else ["it takes too long, or too much memory"]
        if error.reason == "failed" and not known:
            faults = [f"it cannot be read ({error.kind})"]
        message = f"This package can’t be used: {'; '.join(faults[:MOST_FAULTS])}."
        raise InvalidInputError(message, faults=faults) from None


def read_and_try(content: bytes) -> CheckedPackage:
    """Read a package, load its variant and draw its map; run in a child. Raises PackageError with all that is wrong."""
    package = read_package(content)
    if package.programs:
        raise PackageError(
            f"brings Python that is run: {', '.join(package.programs)}. It can be taken in only at the terminal, by "
            "who runs the office: 'legation catalog add FILE --trust'"
        )
    if faults := about_faults(package.about):
        raise PackageError(*faults)
    with tempfile.TemporaryDirectory(prefix="legation-catalog-") as made:
        stage = Path(made) / "variants"
        lay_out(package, stage)
        try:
            return _tried(package, stage, content)
        except VariantError as error:
            raise PackageError(*(fault.replace(f"{stage}/", "") for fault in error.faults)) from None
        except BoardFileError as error:
            raise PackageError(*map(str, error.faults)) from None


def about_faults(about: About) -> list[str]:
    """Return the faults of a package's description."""
    faults = []
    if not NAMES.fullmatch(about.name) or about.name.startswith(RESERVED):
        faults.append(
            f"name: {about.name[:60]!r} isn't a name for the catalog: small letters, digits and hyphens, at most 40"
        )
    for field, most in {**LINES, **TEXTS}.items():
        text = getattr(about, field)
        if len(text) > most:
            faults.append(f"{field}: longer than {most} characters")
        if not (text.replace("\n", " ") if field in TEXTS else text).isprintable():
            faults.append(f"{field}: has characters that cannot be shown")
    return faults


def _tried(package: Package, stage: Path, content: bytes) -> CheckedPackage:
    name = package.about.name
    registry = Registry(stage, installed=False)
    rules = registry.load(name)
    faults = [f"{name}: {finding}" for finding in findings(rules)]
    folder = registry.folder_of(name)
    if folder not in find_boards().values():
        faults += [str(fault) for fault in lint(folder)]
    faults += _name_faults(rules, str(registry.facts(name).get("summary", "")))
    faults += _picture_faults(rules, folder)
    if faults:
        raise PackageError(*faults)
    kept = registry.as_it_is(name)
    if (folder / NOTES).is_file():
        kept = msgspec.structs.replace(kept, board={**kept.board, NOTES: (folder / NOTES).read_text("utf-8")})
    facts = registry.facts(name)
    return CheckedPackage(
        about=package.about,
        title=rules.title,
        summary=str(facts.get("summary", ""))[:1000],
        powers=len(rules.powers),
        centers=len(rules.board.centers),
        provinces=len(rules.board.provinces),
        address=kept.address,
        rules=zlib.compress(kept.content(), 6),
        content=content,
    )


def _name_faults(rules: Ruleset, summary: str) -> list[str]:
    named = [("title", rules.title), ("summary", summary.replace("\n", " "))]
    named += [("power", power.name) for power in rules.powers.values()]
    named += [("province", province.name) for province in rules.board.provinces.values()]
    faults = [
        f"{what}: {text[:40]!r} has characters that cannot be shown" for what, text in named if not text.isprintable()
    ]
    if len(rules.title) > LINES["title"]:
        faults.append(f"title: longer than {LINES['title']} characters")
    return faults


def _picture_faults(rules: Ruleset, folder: Traversable) -> list[str]:
    if len(rules.board.provinces) > MOST_PROVINCES:
        return [f"the board has more than {MOST_PROVINCES} provinces"]
    drawn = folder / "shapes.json"
    if not drawn.is_file():
        return ["shapes.json is missing: the catalog shows every variant on its map"]
    if len(drawn.read_bytes()) > LARGEST_SHAPES:
        return [f"shapes.json is larger than {LARGEST_SHAPES // 1024 // 1024} MB"]
    try:
        shapes = read_shapes(folder)
        assert shapes is not None
        atlas = Atlas(rules.board, shapes, tuple(rules.powers.values()), rules.title, None, rules.kinds.values())
        atlas.svg(rules.opening(), interactive=False)
    except (ShapesError, ValueError, ZeroDivisionError, IndexError, KeyError) as error:
        return [f"the board cannot be drawn: {error}"]
    return []
