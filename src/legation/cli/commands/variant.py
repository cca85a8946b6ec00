"""``legation variant``: variants as packages, to begin, to hand on, to install and to compare."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

variant = typer.Typer(
    name="variant",
    help="Create, pack, install and compare variants.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@variant.command(epilog="Example: legation variant new mine --from standard -o variants")
def new(
    name: Annotated[str, typer.Argument(help="The new variant's name in lower case; also the name of its file.")],
    source: Annotated[
        str, typer.Option("--from", metavar="VARIANT", help="The variant to copy; standard by default.")
    ] = "",
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder of variants.")] = Path("variants"),
    board: Annotated[bool, typer.Option("--board", help="Also copy the board, to change it.")] = False,
) -> None:
    """Create a variant from another: copy its file, and with --board its board."""
    from legation.cli.packages import begin

    begin(name, source, output, board)


@variant.command(epilog="Example: legation variant pack variants/mine.toml --license CC-BY-4.0")
def pack(
    source: Annotated[str, typer.Argument(metavar="VARIANT|FILE", help="A variant's name, or its file.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="[default: NAME.legation]")] = None,
    version: Annotated[str, typer.Option(help="The version, as in 1.2.")] = "1.0",
    license: Annotated[str, typer.Option(help="Its license, as in CC-BY-4.0.")] = "",
    authors: Annotated[str, typer.Option(help="Its authors.")] = "",
    origin: Annotated[str, typer.Option("--source", help="Its source: a book, a club, an address.")] = "",
    notes: Annotated[str, typer.Option(help="What's new in this version.")] = "",
) -> None:
    """Pack a variant with its board and rules into one file."""
    from legation.cli.packages import pack_variant

    said = {"version": version, "license": license, "authors": authors, "source": origin, "notes": notes}
    pack_variant(source, output, said)


@variant.command("install", epilog="Example: legation variant install mine.legation -o variants")
def install_(
    path: Annotated[
        Path, typer.Argument(metavar="FILE|FOLDER", help="A package, a variant file, or a folder with one variant.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder of variants.")] = Path("variants"),
    replace: Annotated[bool, typer.Option("--replace", help="Replace an earlier version.")] = False,
    trust: Annotated[bool, typer.Option("--trust", help="Allow rules in Python, which are run.")] = False,
) -> None:
    """Install a package into a folder of variants, if all of it can be used."""
    from legation.cli.packages import install_package

    install_package(path, output, replace, trust)


@variant.command(epilog="Example: legation variant diff standard variants/mine.toml -o changed.svg")
def diff(
    before: Annotated[str, typer.Argument(metavar="VARIANT|FILE", help="The old variant.")],
    after: Annotated[str, typer.Argument(metavar="VARIANT|FILE", help="The new variant.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A map with the changes: .svg, .png, .pdf.")
    ] = None,
) -> None:
    """List the differences between two variants, and draw them on the map of the second."""
    from legation.cli.packages import tell_differences

    tell_differences(before, after, output)
