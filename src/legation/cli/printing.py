"""``legation office print``: what goes on paper for a game, as PDF files in a folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from legation.atlas import NoMapError
from legation.atlas.pictures import PicturesMissingError
from legation.cli.coordinating import Place, opened
from legation.cli.terminal import fail, read_bytes, say
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
    post_days: int,
    note: Path | None,
    sender: list[str] | None,
) -> None:
    """Write the papers of one kind, and say where."""
    own = Address(sender[0], tuple(sender[1:])) if sender else None
    with opened(place) as (office, actor):
        try:
            made: Mapping[str, bytes]
            match what:
                case "packets" if power:
                    made = {power: papers.packet_of(office, actor, game, power, post_days)}
                case "packets":
                    made = papers.packets(office, actor, game, post_days)
                case "letters":
                    text = read_bytes(str(note)).decode(errors="replace") if note else ""
                    made = papers.year_end_letters(office, actor, game, text, own, post_days)
                    made = {p: pdf for p, pdf in made.items() if power in ("", p)}
                case "labels":
                    made = {"": papers.address_labels(office, actor, game, form or "3x7", skip, post_days)}
                case "envelopes":
                    made = {form or "C5": papers.game_envelopes(office, actor, game, form or "C5", own, post_days)}
                case "roster":
                    made = {"": papers.game_roster(office, actor, game, post_days)}
                case _:
                    made = papers.game_maps(office, actor, game)
        except (UnprintableError, NoMapError, PicturesMissingError, ValueError) as error:
            fail(str(error))
    if not made:
        fail(f"there is nothing to print: no player of {game} is known with what {what} need")
    _write(output, what, made)


def _write(output: Path, what: str, made: Mapping[str, bytes]) -> None:
    try:
        output.mkdir(parents=True, exist_ok=True)
        for name, pdf in made.items():
            path = output / f"{'-'.join(filter(None, (what, _plain(name))))}.pdf"
            path.write_bytes(pdf)
            say(str(path))
    except OSError as error:
        fail(f"{error.filename or output}: {error.strerror or error}")


def _plain(name: str) -> str:
    """A power's name as part of a file's."""
    return "".join(c if c.isalnum() or c == "-" else "-" for c in name).strip("-")
