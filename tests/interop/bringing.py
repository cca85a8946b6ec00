"""Bringing a variant in, most often the toy board with some of its text changed, and what came of it."""

import tomllib
from functools import cached_property
from pathlib import Path
from typing import Any

from legation.interop import Written, open_source, read_variants, report_text, write_variants
from legation.judge import Ruleset
from legation.variants import load_file
from tests.interop import toy

BORDERS = {
    ("alp", "dun", True, False),
    ("bay", "cap", False, True),
    ("bay", "dun/nc", False, True),
    ("bay", "ode", False, True),
    ("cap", "dun", True, False),
    ("cap", "dun/nc", False, True),
    ("cap", "dun/sc", False, True),
    ("cap", "ode", False, True),
    ("dun/sc", "ode", False, True),
}
"""The toy board's: from where to where, whether armies pass, whether fleets do."""


class Brought:
    """A variant that was brought in: its files, and what they and the report say."""

    def __init__(self, written: Written) -> None:
        self.written = written
        self.report = report_text(written)
        self.taken, _, self.lost = self.report.partition("Not taken")
        self.guessed = self.report.partition("Guessed")[2]

    @cached_property
    def rules(self) -> Ruleset:
        """The variant as it is played, with its board."""
        return load_file(self.written.file)

    @cached_property
    def said(self) -> dict[str, Any]:
        """The rules as the variant's file says them."""
        said: dict[str, Any] = tomllib.loads(self.written.file.read_text())["rules"]
        return said

    @property
    def start(self) -> set[tuple[str, str]]:
        """The kinds and places of the units at the start."""
        return {(unit.kind, unit.at) for unit in self.rules.start}

    @property
    def borders(self) -> set[tuple[str, str, bool, bool]]:
        """The board's borders as :data:`BORDERS` are."""
        return {(b.a, b.b, b.army, b.fleet) for b in self.rules.board.borders}


def brought_all(path: Path, picture: bool = False) -> list[Brought]:
    """Every variant of a path, written beside it."""
    out = path.with_name(f"{path.name}-out")
    return [Brought(written) for written in write_variants(read_variants(open_source(path)), out, picture)]


def brought(path: Path, picture: bool = False) -> Brought:
    """The one variant of a path."""
    [only] = brought_all(path, picture)
    return only


def changed(
    folder: Path, kind: str, *changes: tuple[str, str], more: str = "", classes: dict[str, str] | None = None
) -> Path:
    """The toy board in a format: texts replaced wherever they stand in its files, lines behind its main file, and
    classes of its own in PHP."""
    path = toy.write(folder / "in", kind)
    texts = {file: file.read_text() for file in (folder / "in").rglob("*") if file.is_file()}
    for old, new in changes:
        assert any(old in text for text in texts.values()), old
        texts = {file: text.replace(old, new) for file, text in texts.items()}
    for name, code in (classes or {}).items():
        line = f"parent::__construct();\n$this->variantClasses['{name}'] = $this->name;"
        texts[path / "variant.php"] = texts[path / "variant.php"].replace("parent::__construct();", line, 1)
        texts[path / f"classes/{name}.php"] = f"<?php\n{code}"
    for file, text in texts.items():
        file.write_text(text + (more if file == path else ""))
    return path


def bring(
    folder: Path, kind: str, *changes: tuple[str, str], more: str = "", classes: dict[str, str] | None = None
) -> Brought:
    """Bring in what :func:`changed` makes."""
    return brought(changed(folder, kind, *changes, more=more, classes=classes))
