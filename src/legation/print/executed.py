"""Copies of all executed orders of a turn, with their pictures, so that every player can verify them (W-21a)."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from datetime import date

import msgspec

from legation.formats import open_picture
from legation.languages import ENGLISH, said_in
from legation.print.records import GameName
from legation.print.typesetting import one_line, typeset

SIDE = 1400  # pixels of a picture's longer side: handwriting stays legible
QUALITY = 70
WIDTH, HIGHEST = 165, 150  # of a picture on paper, in millimeters


class ExecutedSheet(msgspec.Struct, frozen=True):
    """The orders of a power that counted: how they came, what it says, what is to be noted, and its pictures."""

    power: str
    how: str
    lines: tuple[str, ...] = ()
    note: str = ""
    pictures: tuple[bytes, ...] = ()


def executed_orders(
    game: GameName, turn: str, state: str, sheets: Sequence[ExecutedSheet], day: date, language: str = ENGLISH
) -> bytes:
    """Return the copies as a PDF; ``state`` is that of the results, draft or final. Pictures that cannot be read
    are left out.

    :raises UnprintableError: for text that cannot be printed."""
    pictures: dict[str, str] = {}
    listed, said = [], said_in(language)
    for sheet in sheets:
        shown = []
        for picture in sheet.pictures:
            smaller = _smaller(picture)
            if smaller is not None:
                svg, ratio = smaller
                name = f"picture-{len(pictures) + 1}.svg"
                pictures[name] = svg
                shown.append({"name": name, "height": min(WIDTH * ratio, HIGHEST)})
        told = {"power": said(sheet.power), "how": said(sheet.how), "note": said(sheet.note)}
        listed.append({**told, "lines": sheet.lines, "pictures": shown})
    name = one_line(game.name, "the game")
    data: Mapping[str, object] = {
        "title": f"{name}: orders of {turn}",
        "game": name,
        "turn": turn,
        "state": state,
        "sheets": listed,
    }
    return typeset("orders.typ", data, day, pictures, language)


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
