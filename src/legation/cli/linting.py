"""What ``legation lint`` does: the findings on boards and variants."""

from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated

import typer

from legation.atlas.contacts import compare, read_links
from legation.atlas.layout import checked_layout
from legation.atlas.legibility import badly_read
from legation.atlas.outlines import BoardGeometry
from legation.atlas.relief import read_relief
from legation.atlas.shapes import PictureFileError, read_shapes
from legation.board import BoardFault, read_board
from legation.board.files import BoardFiles
from legation.board.lint import lint
from legation.bots.trial import try_out
from legation.cli.app import app
from legation.cli.terminal import fail, known_variants, load_variant, say
from legation.variants import VariantError, find_boards, findings, variant_files


def picture_faults(folder: Traversable | Path) -> list[BoardFault]:
    """Where the picture of a sound board and its borders differ, whether its layout is an earlier one, and what of it
    reads badly; nothing for a board without a picture."""
    try:
        shapes = read_shapes(folder)
    except PictureFileError as error:
        return [BoardFault(*str(error).split(": ", 1))]
    if shapes is None:
        return []
    board = read_board(folder)
    faults = compare(board, shapes, read_links(BoardFiles(folder)))
    try:
        read_relief(folder)
    except PictureFileError as error:
        faults.append(BoardFault(*str(error).split(": ", 1)))
    try:
        layout = checked_layout(folder, board, shapes)
    except PictureFileError as error:
        return [*faults, BoardFault(*str(error).split(": ", 1))]
    if layout is not None:
        try:
            read = badly_read(BoardGeometry(board, shapes, layout.sites), layout.labels)
        except ValueError as error:
            return [*faults, BoardFault("shapes.json", str(error))]
        faults += [BoardFault("layout.json", text) for _, text in read]
    return faults


@app.command("lint", epilog="Example: legation lint myboard/")
def lint_named(
    path: Annotated[
        str, typer.Argument(metavar="PATH|VARIANT", help="A board folder, a variant file (.toml), or a variant's name.")
    ],
) -> None:
    """Check a board or variant of your own.

    Lists all errors with their places."""
    if Path(path).exists() or path.endswith(".toml") or "/" in path:
        lint_path(Path(path))
        return
    rules = load_variant(path)
    folder = known_variants().folder_of(rules.name)
    if faults := lint(folder) or picture_faults(folder):
        fail(*(f"{folder}: {fault}" for fault in faults))
    if found := findings(rules) or try_out(rules):
        fail(*(f"{rules.name}: {finding}" for finding in found))
    say(f"{rules.name}: {rules.title}: no problems")


def lint_path(path: Path) -> None:
    """Print every fault of a board folder, of a variant file and the board beside it, or of a folder with such."""
    if path.name == "board.toml":
        path = path.parent
    if not path.is_dir() and path.suffix != ".toml":
        fail(f"{path}: give a board folder, a variant file, or a folder of such")
    all_faults: list[str] = []
    for one in _within(path):
        if one.suffix == ".toml":
            title, faults = _variant_faults(one)
        else:
            title, faults = "", [f"{one}: {fault}" for fault in lint(one) or picture_faults(one)]
        if faults:
            all_faults += faults
        else:
            say(f"{one}: {title}: no problems" if title else f"{one}: no problems")
    if all_faults:
        fail(*all_faults)


def _within(path: Path) -> list[Path]:
    """The variant files and board folders that lie in a folder; a file, or a board's folder, is itself."""
    if not path.is_dir() or (path / "board.toml").exists():
        return [path]
    files = [*variant_files(path), *sorted(board.parent for board in path.glob("*/board.toml"))]
    return files or [path]


def _variant_faults(path: Path) -> tuple[str, list[str]]:
    try:
        known = known_variants()  # with what --variants makes known
        rules = known.load(known.add_file(path, replace=True))  # it may be a changed copy of a known one
        folder = known.folder_of(rules.name)
    except VariantError as error:
        own = path.parent / "rules"
        if own.is_dir() and any(": no rule " in fault for fault in error.faults):
            mend = f"legation --variants {path.parent} lint {path}"
            return "", [
                *error.faults,
                f"{own}: these rules are not known here, as they would be run; {mend} knows them",
            ]
        return "", list(error.faults)
    if folder not in find_boards().values() and (drawn := picture_faults(folder)):
        return "", [f"{folder}: {fault}" for fault in drawn]
    return rules.title, [f"{path}: {finding}" for finding in findings(rules) or try_out(rules)]
