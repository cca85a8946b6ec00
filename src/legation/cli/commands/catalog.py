"""``legation catalog``: the variants that an office lists, at a terminal of its machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

catalog = typer.Typer(
    name="catalog",
    help="Manage an office's catalog of variants and proposals.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Name = Annotated[str, typer.Argument(help="The variant's name.")]
Number = Annotated[int, typer.Argument(help="The proposal's number: see 'legation catalog proposals'.")]


@catalog.callback()
def root(
    context: typer.Context,
    folder: Annotated[
        Path, typer.Option("--folder", "-C", envvar="LEGATION_FOLDER", help="The office's folder.")
    ] = Path("office"),
) -> None:
    """The variants of an office."""
    context.obj = (folder, "")


@catalog.command(epilog="Example: legation catalog -C myoffice add mine.legation")
def add(
    context: typer.Context,
    path: Annotated[
        Path, typer.Argument(metavar="FOLDER|FILE", help="A package, a variant file, or a folder with one variant.")
    ],
    version: Annotated[str, typer.Option(help="The version, as in 1.2; for a package, its own by default.")] = "",
    license: Annotated[str, typer.Option(help="Its license, as in CC-BY-4.0.")] = "",
    authors: Annotated[str, typer.Option(help="Its authors.")] = "",
    source: Annotated[str, typer.Option(help="Its source: a book, a club, an address.")] = "",
    notes: Annotated[str, typer.Option(help="What's new in this version.")] = "",
    trust: Annotated[
        bool,
        typer.Option(
            "--trust", help="Allow rules in Python, which are run; they go to the office's folder of variants."
        ),
    ] = False,
) -> None:
    """Add a variant that everyone can play at once. A new version replaces the previous one; games keep
    theirs."""
    from legation.cli import catalog as work

    said = {"version": version, "license": license, "authors": authors, "source": source, "notes": notes}
    work.add(context.obj, path, {name: text for name, text in said.items() if text}, trust)


@catalog.command("list", epilog="Example: legation catalog list")
def list_(context: typer.Context, as_json: Json = False) -> None:
    """List the variants in the catalog, with ratings."""
    from legation.cli import catalog as work

    work.list_entries(context.obj, as_json)


@catalog.command(epilog="Example: legation catalog show mine")
def show(context: typer.Context, name: Name, as_json: Json = False) -> None:
    """Show a variant with its versions."""
    from legation.cli import catalog as work

    work.show(context.obj, name, as_json)


@catalog.command(epilog="Example: legation catalog remove mine 'its author asked for it'")
def remove(
    context: typer.Context, name: Name, reason: Annotated[str, typer.Argument(help="For the office's log.")]
) -> None:
    """Remove a variant from the catalog. Its games continue, but no new ones can start."""
    from legation.cli import catalog as work

    work.remove(context.obj, name, reason)


@catalog.command(epilog="Example: legation catalog proposals")
def proposals(context: typer.Context, as_json: Json = False) -> None:
    """List the proposals that are waiting for review."""
    from legation.cli import catalog as work

    work.proposals(context.obj, as_json)


@catalog.command(epilog="Example: legation catalog take 7")
def take(context: typer.Context, number: Number) -> None:
    """Accept a proposal."""
    from legation.cli import catalog as work

    work.take(context.obj, number)


@catalog.command(epilog="Example: legation catalog refuse 7 'the map has no license'")
def refuse(
    context: typer.Context, number: Number, reason: Annotated[str, typer.Argument(help="Sent to the proposer.")]
) -> None:
    """Reject a proposal and delete its files."""
    from legation.cli import catalog as work

    work.refuse(context.obj, number, reason)


@catalog.command(epilog="Example: legation catalog save 7 -o looked-at.legation")
def save(
    context: typer.Context,
    number: Number,
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write.")] = Path("proposal.legation"),
) -> None:
    """Save the package of a proposal, to try it with 'legation variant install'."""
    from legation.cli import catalog as work

    work.save(context.obj, number, output)
