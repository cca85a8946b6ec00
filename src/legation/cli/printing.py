"""``legation office print``: what goes on paper for a game, as PDF files in a folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from legation.atlas import NoMapError
from legation.atlas.pictures import PicturesMissingError
from legation.cli.office_terminal import Place, opened, text_of
from legation.cli.terminal import fail, say
from legation.office.hosting import games
from legation.print import Address, UnprintableError
from legation.print import games as papers


def print_papers(
    place: Place,
    game: str,
    what: str,
    output: Path,
    power: str,
    form: str,
    skip: int,
    post_days: int | None,
    note: Path | None,
    sender: list[str] | None,
) -> None:
    """Write the papers of one kind, and say where."""
    own = Address(sender[0], tuple(sender[1:])) if sender else None
    with opened(place) as (office, actor):
        without = papers.without_address(office, actor, game, post_days)
        posted = what in ("letters", "envelopes", "labels") or (
            what == "packets" and not power and papers.is_by_post(games.game(office, actor, game))
        )
        try:
            pdfs: Mapping[str, bytes]
            match what:
                case "packets" if power:
                    pdfs = {power: papers.packet_of(office, actor, game, power, post_days)}
                case "packets":
                    pdfs = papers.packets(office, actor, game, post_days)
                case "letters":
                    text = text_of(str(note)) if note else ""
                    pdfs = papers.year_end_letters(office, actor, game, text, own, post_days)
                    if power and power not in pdfs:
                        fail(f"there is no letter for {power!r}, only for {', '.join(pdfs) or 'nobody'}")
                    pdfs = {power: pdfs[power]} if power else pdfs
                case "labels":
                    pdfs = {"": papers.address_labels(office, actor, game, form or "3x7", skip, post_days)}
                case "envelopes":
                    pdfs = {form or "C5": papers.game_envelopes(office, actor, game, form or "C5", own, post_days)}
                case "orders":
                    pdfs = {"": papers.orders_of_turn(office, actor, game)}
                case "roster":
                    pdfs = {"": papers.game_roster(office, actor, game, post_days)}
                case _:
                    pdfs = papers.game_maps(office, actor, game)
        except (UnprintableError, NoMapError, PicturesMissingError, ValueError) as error:
            fail(str(error))
    if posted and without:
        say(f"No postal address is known for {', '.join(without)}, so nothing is printed for them.")
    if not pdfs:
        fail(f"there is nothing to print: no player of {game} is known with what {what} need")
    _write(output, what, pdfs)


def _write(output: Path, what: str, pdfs: Mapping[str, bytes]) -> None:
    try:
        output.mkdir(parents=True, exist_ok=True)
        for name, pdf in pdfs.items():
            path = output / f"{'-'.join(filter(None, (what, _plain(name))))}.pdf"
            path.write_bytes(pdf)
            say(str(path))
    except OSError as error:
        fail(f"{error.filename or output}: {error.strerror or error}")


def _plain(name: str) -> str:
    """A power's name as part of a file's."""
    return "".join(c if c.isalnum() or c == "-" else "-" for c in name).strip("-")
