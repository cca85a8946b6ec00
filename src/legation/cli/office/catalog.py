"""What the commands of ``legation catalog`` do."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from legation.cli.app import Json, catalog_group
from legation.cli.office.terminal import opened, print_json, table
from legation.cli.terminal import fail, say, write_file
from legation.cli.variant import package_of
from legation.office.errors import InvalidInputError
from legation.office.hosting import catalog, ratings
from legation.office.hosting.catalog import read_and_try
from legation.office.records import CatalogEntry
from legation.variants.packages import Package, PackageError, install, write_package

Name = Annotated[str, typer.Argument(help="The variant's name.")]
Number = Annotated[int, typer.Argument(help="The proposal's number: see 'legation catalog proposals'.")]
RATED = "{:.1f} of 5 ({})"


@catalog_group.command(epilog="Example: legation catalog -C myoffice add mine.legation")
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
    said = {"version": version, "license": license, "authors": authors, "source": source, "notes": notes}
    said = {name: text for name, text in said.items() if text}
    try:
        package = package_of(path)
        about = msgspec.structs.replace(package.about, **said)
        if package.programs and trust:
            _install(context, Package(about, package.files))
            return
        checked = read_and_try(write_package(about, package.files))
    except PackageError as error:
        fail(*(f"{path}: {fault}" for fault in error.faults))
    with opened(context, new=True) as (office, actor):
        listed = catalog.add(office, actor, checked)
        say(f"{listed.title} {listed.version} is in the catalog as {listed.name}.")


def _install(context: typer.Context, package: Package) -> None:
    with opened(context, new=True) as (office, _):
        if not office.settings.variants:
            raise InvalidInputError(
                "Rules in Python are run by the office, from its own folder of variants, and it has none. Write "
                'variants = "variants" into its office.toml first.'
            )
        try:
            folder = context.obj[0] / office.settings.variants
            names = install(package, folder, replace=True, trust=True)
        except PackageError as error:
            fail(*error.faults)
        say(f"{', '.join(names)}: installed in {folder}. Restart the office to play it.")


@catalog_group.command("list", epilog="Example: legation catalog list")
def list_(context: typer.Context, as_json: Json = False) -> None:
    """List the variants in the catalog, with ratings."""
    with opened(context) as (office, actor):
        entries = catalog.entries(office, actor)
        if as_json:
            return print_json(entries)
        rated = {one.variant: RATED.format(one.mean, one.count) for one in ratings.ratings(office, actor)}
        rows = (
            (one.name, one.version, one.title, one.powers, one.provinces, one.license, rated.get(one.name, "-"))
            for one in entries
        )
        columns = ("name", "version", "title", "powers", "provinces", "license", "rated")
        table(columns, rows, "The catalog is empty: see 'legation catalog add'.")


@catalog_group.command(epilog="Example: legation catalog show mine")
def show(context: typer.Context, name: Name, as_json: Json = False) -> None:
    """Show a variant with its versions."""
    with opened(context) as (office, actor):
        versions = catalog.versions(office, actor, name)
        if not versions:
            fail(f"the catalog lists no {name!r}: see 'legation catalog list'")
        if as_json:
            return print_json(versions)
        _tell(versions[0])
        rating = ratings.rating(office, actor, name)
        say(f"Rated: {RATED.format(rating.mean, rating.count) if rating.count else 'by nobody yet'}")
        rows = ((one.version, one.decided or one.made, one.address, one.notes) for one in versions)
        table(("version", "listed", "address", "what is new"), rows, "")


def _tell(entry: CatalogEntry) -> None:
    say(f"{entry.title} {entry.version} ({entry.name}): {entry.summary}")
    say(f"{entry.powers} powers, {entry.centers} centers, {entry.provinces} provinces")
    for word in ("authors", "license", "source"):
        say(f"{word.capitalize()}: {getattr(entry, word) or 'not given'}")


@catalog_group.command(epilog="Example: legation catalog remove mine 'its author asked for it'")
def remove(
    context: typer.Context, name: Name, reason: Annotated[str, typer.Argument(help="For the office's log.")]
) -> None:
    """Remove a variant from the catalog. Its games continue, but no new ones can start."""
    with opened(context) as (office, actor):
        gone = catalog.remove(office, actor, name, reason)
        say(f"{gone.title} is no longer listed; games of it go on.")


@catalog_group.command(epilog="Example: legation catalog proposals")
def proposals(context: typer.Context, as_json: Json = False) -> None:
    """List the proposals that are waiting for review."""
    with opened(context) as (office, actor):
        waiting = catalog.proposals(office, actor)
        if as_json:
            return print_json(waiting)
        rows = ((one.number, one.name, one.version, one.title, one.proposer, one.made, one.license) for one in waiting)
        columns = ("number", "name", "version", "title", "proposed by", "when", "license")
        table(columns, rows, "No proposal waits.")


@catalog_group.command(epilog="Example: legation catalog take 7")
def take(context: typer.Context, number: Number) -> None:
    """Accept a proposal."""
    with opened(context) as (office, actor):
        listed = catalog.take_in(office, actor, number)
        say(f"{listed.title} {listed.version} is in the catalog as {listed.name}.")


@catalog_group.command(epilog="Example: legation catalog refuse 7 'the map has no license'")
def refuse(
    context: typer.Context, number: Number, reason: Annotated[str, typer.Argument(help="Sent to the proposer.")]
) -> None:
    """Reject a proposal and delete its files."""
    with opened(context) as (office, actor):
        refused = catalog.refuse(office, actor, number, reason)
        say(f"{refused.title} {refused.version} is refused; {refused.proposer or 'who proposed it'} is told why.")


@catalog_group.command(epilog="Example: legation catalog save 7 -o looked-at.legation")
def save(
    context: typer.Context,
    number: Number,
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write.")] = Path("proposal.legation"),
) -> None:
    """Save the package of a proposal, to try it with 'legation variant install'."""
    with opened(context) as (office, actor):
        _, _, content = catalog.proposed_package(office, actor, number)
        write_file(output, content)
        say(f"{output}: {len(content):,} bytes")
