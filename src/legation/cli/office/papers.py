"""``legation office print`` and ``gazette``: what goes on paper for a game, as PDF files in a folder; the text of its
year's letter; its calendar."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

import typer

from legation.cli.app import Game
from legation.cli.files import replace_file
from legation.cli.office.terminal import By, command, table, written
from legation.cli.terminal import fail, faults_as_lines, say, text_of, write_file
from legation.feeds.games import game_calendar
from legation.office.hosting import roster, year_letters
from legation.print.games import PAPERS, GamePapers, PaperOptions
from legation.print.records import Address

TOLD = "is told from the records again"


@command("print powick-bridge letters -o letters/ --note note.txt --as you@example.org", name="print")
def print_papers(
    by: By,
    game: Game,
    what: Annotated[
        Literal["packets", "letters", "labels", "envelopes", "roster", "cards", "orders", "lending", "maps"],
        typer.Argument(
            help="Turn packets, year-end letters, address labels, envelopes, the roster, a card for each person, "
            "copies of the last executed orders, the sheet by which an ally orders a power's units, or a set of maps."
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to write to.")],
    power: Annotated[str, typer.Option(help="For packets, letters, labels and lending: this power's.")] = "",
    form: Annotated[str, typer.Option(help="For labels: 3x7, 2x7 or 2x4; for envelopes: C5 or DL.")] = "",
    skip: Annotated[int, typer.Option(min=0, help="How many labels of the first sheet are already used.")] = 0,
    post: Annotated[
        int | None, typer.Option(min=0, max=60, help="How many days a letter takes; the game's setting by default.")
    ] = None,
    note: Annotated[
        Path | None, typer.Option(help="A file with a note for the letters; empty lines separate paragraphs.")
    ] = None,
    sender: Annotated[
        list[str] | None,
        typer.Option(help="Your name, then each line of your address; your address in the office by default."),
    ] = None,
) -> None:
    """Write printable papers, as PDF files in a folder."""
    own = Address(sender[0], tuple(sender[1:])) if sender else None
    papers = GamePapers(*by, game, post)
    without = papers.without_address()
    posted = what in ("letters", "envelopes", "labels") or (
        what == "packets" and not power and papers.settings.is_postal()
    )
    options = PaperOptions(power=power, form=form, skip=skip, note=text_of(str(note)) if note else "", sender=own)
    with faults_as_lines(ValueError):
        pdfs = PAPERS[what](papers, options)
        if what == "letters" and power and not pdfs:
            known = papers.letters(sender=own)
            fail(f"there is no letter for {power!r}, only for {', '.join(known) or 'nobody'}")
    if posted and without:
        say(f"No postal address is known for {', '.join(without)}, so nothing is printed for them.")
    if not pdfs:
        fail(f"there is nothing to print: no player of {game} is known with what {what} need")
    _write(output, what, pdfs)


@command("letters naseby", "letters naseby Crown --on 2027-01-20")
def letters(
    by: By,
    game: Game,
    power: Annotated[str, typer.Argument(help="Whose letter is posted; without it, only list them.")] = "",
    on: Annotated[str, typer.Option(help="The day on which it was posted; today by default.")] = "",
) -> None:
    """List the letters at the year's end, or say that one is posted."""
    if power:
        year_letters.posted_letter(*by, game, power, on)
    told = year_letters.year_letters(*by, game)
    if told is None:
        fail("no year of this game has ended")
    say(f"{told.game}, {told.turn}: a letter, a label, the map and what goes with it (legation office print).")
    known = {line.power: line.address for line in roster.roster(*by, game)}
    rows = ((one.power, one.name, written(known.get(one.power)), one.posted) for one in told.letters)
    table(("power", "player", "address", "posted on"), rows, "Nobody plays.")


@command("gazette powick-bridge > year.txt", "gazette powick-bridge year.txt")
def gazette(
    by: By,
    game: Game,
    file: Annotated[str, typer.Argument(help="A file with another text; '-' is standard input.")] = "",
    reset: Annotated[bool, typer.Option("--reset", help="Have the records tell the year again.")] = False,
) -> None:
    """Show the text of the year's letter, or replace it by yours.

    It tells the last year that has ended from the game's records. Empty lines separate paragraphs, and a line that
    begins with # is a heading. What you write is kept, and printed in the letters."""
    if file and reset:
        raise typer.BadParameter("name a file, or --reset")
    text = text_of(file) if file else ""
    if file or reset:
        told = year_letters.edit_gazette(*by, game, text)
        say(f"The letter on the year that ends with {told.turn} {'has your text' if told.edited else TOLD}.")
    else:
        say(year_letters.gazette(*by, game).text)


def _write(output: Path, what: str, pdfs: Mapping[str, bytes]) -> None:
    output.mkdir(parents=True, exist_ok=True)
    for name, pdf in pdfs.items():
        plain = "".join(c if c.isalnum() or c == "-" else "-" for c in name).strip("-")
        path = output / f"{'-'.join(filter(None, (what, plain)))}.pdf"
        write_file(path, pdf)
        say(str(path))


@command("calendar powick-bridge -o powick-bridge.ics")
def calendar(
    by: By,
    game: Game,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write it to this file.")] = None,
) -> None:
    """Print a game's deadlines as a calendar (iCalendar)."""
    document = game_calendar(*by, game)
    if output is None:
        say(document.decode().replace("\r\n", "\n").rstrip("\n"))
    else:
        replace_file(output, document)
        say(str(output))
