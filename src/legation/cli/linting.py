"""``legation lint``."""

from __future__ import annotations

from pathlib import Path

import typer

from legation.board.lint import lint
from legation.cli.terminal import fail
from legation.variants import VariantError, load


def lint_path(path: Path) -> None:
    """Print every fault of a board folder or variant file."""
    if path.suffix == ".toml" and path.name != "board.toml":
        try:
            rules = load(str(path))
        except VariantError as error:
            fail(*error.faults)
        typer.echo(f"{path}: {rules.title}: no finding")
        return
    if path.name == "board.toml":
        path = path.parent
    if not path.is_dir():
        fail(f"{path}: give a board folder or a variant file")
    faults = [str(fault) for fault in lint(path)]
    if faults:
        fail(*(f"{path}: {fault}" for fault in faults))
    typer.echo(f"{path}: no finding")
