"""``legation office postbag``: scans of opened letters, sorted by the codes of the sheets."""

from pathlib import Path
from typing import Annotated

import typer

from legation.cli.app import Game
from legation.cli.office.terminal import By, command, table
from legation.cli.terminal import read_bytes, say
from legation.game.report import count
from legation.office.desk import postbag as postbag_room
from legation.office.orders.order_codes import scanned_pages
from legation.office.records import Postbag

PageNumber = Annotated[int, typer.Argument(metavar="PAGE", help="Its number, as 'postbag' lists it.")]


@command("postbag powick-bridge letters.pdf")
def postbag(
    by: By,
    game: Game,
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="FILE...", help="PDF, JPEG, PNG or HEIC; without any, list.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the pages that wait into this folder.")
    ] = None,
) -> None:
    """Sort a scan of all opened letters by the codes of the sheets, and list the pages that wait to be named."""
    bag = postbag_room.postbag(*by, game)  # refused before the deadline: nothing is read until then
    if files:
        scans = scanned_pages([(file.name, read_bytes(str(file))) for file in files])
        pages = [(page.name, page.data, page.kind, page.code) for page in scans]
        bag = postbag_room.file_pages(*by, game, pages)
    for page in bag.waiting if output is not None else ():
        name, _, content = postbag_room.page_picture(*by, game, page.page)
        assert output is not None
        output.mkdir(parents=True, exist_ok=True)
        (output / f"{page.page}-{Path(name).stem[:40]}").write_bytes(content)
    _show(bag)


@command("name-page powick-bridge 7 Crown", name="name-page")
def name_page(
    by: By,
    game: Game,
    page: PageNumber,
    power: Annotated[str, typer.Argument(metavar="POWER", help="Whose letter it is of.")] = "",
    version: Annotated[int, typer.Option(help="Of which letter, where several came from the power.")] = 0,
    drop: Annotated[bool, typer.Option("--drop", help="It belongs to no letter.")] = False,
) -> None:
    """Say whose letter a scanned page is of."""
    if not (power or drop):
        raise typer.BadParameter("name the power, or add --drop")
    if drop:
        postbag_room.drop_page(*by, game, page)
        return say("The page is put away.")
    _show(postbag_room.name_page(*by, game, page, power, version))


def _show(bag: Postbag) -> None:
    for power, pages in bag.filed.items():
        say(f"{power}: {count(pages, 'page')} filed with the orders of {bag.turn}.")
    table(
        ("page", "name", "why it waits"),
        ((page.page, page.name, page.why) for page in bag.waiting),
        "No page waits to be named.",
    )
