"""What the commands of ``legation catalog`` do."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from legation.cli.app import catalog_group
from legation.cli.office.terminal import Answer, By, command, listing, table
from legation.cli.terminal import fail, faults_as_lines, say, write_file
from legation.cli.variant import package_of
from legation.office.errors import InvalidInputError
from legation.office.hosting import catalog, ratings
from legation.office.hosting.catalog import read_and_try
from legation.office.office import Office
from legation.office.records import CatalogEntry, Rating
from legation.variants.packages import Package, PackageError, install, write_package

Name = Annotated[str, typer.Argument(help="The variant's name.")]
Number = Annotated[int, typer.Argument(help="The proposal's number: see 'legation catalog proposals'.")]
RATED = "{:.1f} of 5 ({})"


@command("-C myoffice add mine.legation", new=True, group=catalog_group)
def add(
    by: By,
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
) -> str:
    """Add a variant that everyone can play at once. A new version replaces the previous one; games keep
    theirs."""
    said = {"version": version, "license": license, "authors": authors, "source": source, "notes": notes}
    said = {name: text for name, text in said.items() if text}
    with faults_as_lines(PackageError, of=path):
        package = package_of(path)
        about = msgspec.structs.replace(package.about, **said)
        if package.programs and trust:
            return _install(by.office, Package(about, package.files))
        checked = read_and_try(write_package(about, package.files))
    listed = catalog.add(*by, checked)
    return f"{listed.title} {listed.version} is in the catalog as {listed.name}."


def _install(office: Office, package: Package) -> str:
    if not office.settings.variants:
        raise InvalidInputError(
            "Rules in Python are run by the office, from its own folder of variants, and it has none. Write "
            'variants = "variants" into its office.toml first.'
        )
    folder = office.keys.parent / office.settings.variants
    names = install(package, folder, replace=True, trust=True)
    return f"{', '.join(names)}: installed in {folder}. Restart the office to play it."


@command("list", name="list", group=catalog_group)
def list_(by: By) -> Answer:
    """List the variants in the catalog, with ratings."""
    entries = catalog.entries(*by)
    rated = {one.variant: RATED.format(one.mean, one.count) for one in ratings.ratings(*by)}
    rows = (
        (one.name, one.version, one.title, one.powers, one.provinces, one.license, rated.get(one.name, "-"))
        for one in entries
    )
    columns = ("name", "version", "title", "powers", "provinces", "license", "rated")
    return listing(entries, columns, rows, "The catalog is empty: see 'legation catalog add'.")


@command("show mine", group=catalog_group)
def show(by: By, name: Name) -> Answer:
    """Show a variant with its versions."""
    versions = catalog.versions(*by, name)
    if not versions:
        fail(f"the catalog lists no {name!r}: see 'legation catalog list'")
    return Answer(versions, lambda: _tell(versions, ratings.rating(*by, name)))


def _tell(versions: Sequence[CatalogEntry], rating: Rating) -> None:
    entry = versions[0]
    say(f"{entry.title} {entry.version} ({entry.name}): {entry.summary}")
    say(f"{entry.powers} powers, {entry.centers} centers, {entry.provinces} provinces")
    for word in ("authors", "license", "source"):
        say(f"{word.capitalize()}: {getattr(entry, word) or 'not given'}")
    say(f"Rated: {RATED.format(rating.mean, rating.count) if rating.count else 'by nobody yet'}")
    table(
        ("version", "listed", "address", "what is new"),
        ((one.version, one.decided or one.made, one.address, one.notes) for one in versions),
    )


@command("remove mine 'its author asked for it'", group=catalog_group)
def remove(by: By, name: Name, reason: Annotated[str, typer.Argument(help="For the office's log.")]) -> None:
    """Remove a variant from the catalog. Its games continue, but no new ones can start."""
    gone = catalog.remove(*by, name, reason)
    say(f"{gone.title} is no longer listed; games of it go on.")


@command("proposals", group=catalog_group)
def proposals(by: By) -> Answer:
    """List the proposals that are waiting for review."""
    waiting = catalog.proposals(*by)
    rows = ((one.number, one.name, one.version, one.title, one.proposer, one.made, one.license) for one in waiting)
    columns = ("number", "name", "version", "title", "proposed by", "when", "license")
    return listing(waiting, columns, rows, "No proposal waits.")


@command("take 7", group=catalog_group)
def take(by: By, number: Number) -> None:
    """Accept a proposal."""
    listed = catalog.take_in(*by, number)
    say(f"{listed.title} {listed.version} is in the catalog as {listed.name}.")


@command("refuse 7 'the map has no license'", group=catalog_group)
def refuse(by: By, number: Number, reason: Annotated[str, typer.Argument(help="Sent to the proposer.")]) -> None:
    """Reject a proposal and delete its files."""
    refused = catalog.refuse(*by, number, reason)
    say(f"{refused.title} {refused.version} is refused; {refused.proposer or 'who proposed it'} is told why.")


@command("save 7 -o looked-at.legation", group=catalog_group)
def save(
    by: By,
    number: Number,
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write.")] = Path("proposal.legation"),
) -> None:
    """Save the package of a proposal, to try it with 'legation variant install'."""
    _, _, content = catalog.proposed_package(*by, number)
    write_file(output, content)
    say(f"{output}: {len(content):,} bytes")
