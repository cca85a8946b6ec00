"""What the commands of ``legation catalog`` do."""

from __future__ import annotations

from pathlib import Path

import msgspec

from legation.cli.office_terminal import Place, opened, print_json, table
from legation.cli.packages import package_of
from legation.cli.terminal import fail, say, write_file
from legation.office.errors import InvalidInputError
from legation.office.hosting import catalog, ratings
from legation.office.hosting.package_checks import read_and_try
from legation.office.records import CatalogEntry
from legation.variants.packages import (
    Package,
    PackageError,
    install,
    write_package,
)

RATED = "{:.1f} of 5 ({})"


def add(place: Place, path: Path, said: dict[str, str], trust: bool) -> None:
    """List a variant in an office; one with rules in Python goes into the office's own folder of variants."""
    try:
        package = package_of(path)
        about = msgspec.structs.replace(package.about, **said)
        if package.programs and trust:
            _install(place, Package(about, package.files))
            return
        checked = read_and_try(write_package(about, package.files))
    except PackageError as error:
        fail(*(f"{path}: {fault}" for fault in error.faults))
    with opened(place, new=True) as (office, actor):
        listed = catalog.add(office, actor, checked)
        say(f"{listed.title} {listed.version} is in the catalog as {listed.name}.")


def _install(place: Place, package: Package) -> None:
    with opened(place, new=True) as (office, _):
        if not office.settings.variants:
            raise InvalidInputError(
                "Rules in Python are run by the office, from its own folder of variants, and it has none. Write "
                'variants = "variants" into its office.toml first.'
            )
        try:
            names = install(package, place[0] / office.settings.variants, replace=True, trust=True)
        except PackageError as error:
            fail(*error.faults)
        say(f"{', '.join(names)}: installed in {place[0] / office.settings.variants}. Restart the office to play it.")


def list_entries(place: Place, as_json: bool) -> None:
    """List the variants of the catalog, with their ratings."""
    with opened(place) as (office, actor):
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


def show(place: Place, name: str, as_json: bool) -> None:
    """Show a variant and its versions."""
    with opened(place) as (office, actor):
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


def remove(place: Place, name: str, reason: str) -> None:
    """Take a variant off the catalog."""
    with opened(place) as (office, actor):
        gone = catalog.remove(office, actor, name, reason)
        say(f"{gone.title} is no longer listed; games of it go on.")


def proposals(place: Place, as_json: bool) -> None:
    """List the proposals that wait."""
    with opened(place) as (office, actor):
        waiting = catalog.proposals(office, actor)
        if as_json:
            return print_json(waiting)
        rows = ((one.number, one.name, one.version, one.title, one.proposer, one.made, one.license) for one in waiting)
        columns = ("number", "name", "version", "title", "proposed by", "when", "license")
        table(columns, rows, "No proposal waits.")


def take(place: Place, number: int) -> None:
    """Take a proposal in."""
    with opened(place) as (office, actor):
        listed = catalog.take_in(office, actor, number)
        say(f"{listed.title} {listed.version} is in the catalog as {listed.name}.")


def refuse(place: Place, number: int, reason: str) -> None:
    """Refuse a proposal."""
    with opened(place) as (office, actor):
        refused = catalog.refuse(office, actor, number, reason)
        say(f"{refused.title} {refused.version} is refused; {refused.proposer or 'who proposed it'} is told why.")


def save(place: Place, number: int, output: Path) -> None:
    """Save a proposal's package."""
    with opened(place) as (office, actor):
        _, _, content = catalog.proposed_package(office, actor, number)
        write_file(output, content)
        say(f"{output}: {len(content):,} bytes")
