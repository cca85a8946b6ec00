"""Copies of all executed orders of a turn, with their pictures, so that every player can verify them (W-21a)."""

import base64
import io
from collections.abc import Mapping, Sequence
from datetime import date

from legation.formats import open_picture
from legation.languages import ENGLISH, said_in
from legation.office.clock import moment_in_words
from legation.office.records import Executed, TurnResult
from legation.print.records import GameName
from legation.print.typesetting import one_line, typeset

SIDE = 1400  # pixels of a picture's longer side: handwriting stays legible
QUALITY = 70
WIDTH, HIGHEST = 165, 150  # of a picture on paper, in millimeters


def executed_orders(
    game: GameName, result: TurnResult, pictures: Mapping[str, Sequence[bytes]], day: date, language: str = ENGLISH
) -> bytes:
    """Return the copies as a PDF: of each power how its orders came, what they say and what is to be noted, with its
    ``pictures``. Those that cannot be read are left out.

    :raises UnprintableError: for text that cannot be printed."""
    files: dict[str, str] = {}
    listed, said = [], said_in(language)
    for sheet in result.sheets:
        shown = []
        for svg, ratio in filter(None, map(_smaller, pictures[sheet.power])):
            name = f"picture-{len(files) + 1}.svg"
            files[name] = svg
            shown.append({"name": name, "height": min(WIDTH * ratio, HIGHEST)})
        told = {"power": said(sheet.power), "how": said(_how_it_came(sheet)), "note": said(_note_on(sheet))}
        lines = [line for line in sheet.text.splitlines() if line.strip()] or sheet.orders
        listed.append({**told, "lines": lines, "pictures": shown})
    name, turn = one_line(game.name, "the game"), result.name
    data: Mapping[str, object] = {
        "title": f"{name}: orders of {turn}",
        "game": name,
        "turn": turn,
        "state": result.state,
        "sheets": listed,
    }
    return typeset("orders.typ", data, day, files, language)


def _how_it_came(sheet: Executed) -> str:
    if sheet.missing or not sheet.version:
        return ""
    if sheet.received is None:
        return f"version {sheet.version}"
    way = {"mail": "by e-mail", "post": "by post", "web": "on the page", "api": "by program", "bot": "by a bot"}
    return f"version {sheet.version}, {way.get(sheet.channel, sheet.channel)}, {moment_in_words(sheet.received)}"


def _note_on(sheet: Executed) -> str:
    if sheet.missing:
        return "Nothing came in time."
    if sheet.version and not sheet.text and not sheet.files and not sheet.copies:
        return "The sheet also has orders for later turns of the season, and is shown when they are over."
    notes = ((f"Chosen from several: {sheet.chosen}", sheet.chosen), (f"Corrected: {sheet.reason}", sheet.reason))
    return "; ".join(note for note, told in notes if told)


def _smaller(picture: bytes) -> tuple[str, float] | None:
    """A picture at a size that a mail can bear, within an SVG, as typst takes it, and its height in widths; None if it
    cannot be read."""
    try:
        with open_picture(picture) as opened:
            opened.draft("RGB", (SIDE, SIDE))  # a large JPEG is read at a fraction of its size
            plain = opened.convert("RGB")
    except (OSError, ValueError):
        return None
    plain.thumbnail((SIDE, SIDE))
    out = io.BytesIO()
    plain.save(out, "JPEG", quality=QUALITY)
    data, (wide, high) = base64.b64encode(out.getvalue()).decode(), plain.size
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}">'
        f'<image width="{wide}" height="{high}" href="data:image/jpeg;base64,{data}"/></svg>'
    )
    return svg, high / wide
