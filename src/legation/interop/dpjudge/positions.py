"""Where places lie on the pictures of the DPjudge (PostScript) and of MILA (SVG).

The PostScript is read as text, for its block of comments and its lists; nothing of it is run."""

import re
from contextlib import suppress
from itertools import product

from legation.interop.coasts import WORDS
from legation.interop.record import SourcePicture
from legation.interop.sources import ForeignFileError, Source
from legation.interop.svg import picture_of_svg

INFO = re.compile(r"%\s+(-?\d+)\s+(-?\d+)\s+([A-Za-z0-9]{3})(?:/([A-Za-z]{2}))?\s+\S", re.MULTILINE)
TERRITORY = re.compile(
    r"^[ \t]*\(([A-Za-z0-9]{3})(?:/([A-Za-z]{2}))?\)[ \t]+(-?\d+)[ \t]+(-?\d+)[ \t]+[a-z]\s*$", re.MULTILINE
)


def positions_beside(source: Source, entry: str, others: list[str]) -> tuple[SourcePicture, str] | None:
    """The picture that lies beside a map, by the map's name or that of one whose picture it takes; None without one."""
    stems = [name.rpartition("/")[2].rpartition(".")[0] for name in (entry, *others)]
    for stem, folder, ending in product(stems, ("", "svg/", "psmaps/"), (".svg", ".ps")):
        if (found := source.look(entry, f"{folder}{stem}{ending}")) is None:
            continue
        with suppress(ForeignFileError):  # a broken picture: another one, or none
            picture = picture_of_svg(source, found) if ending == ".svg" else _postscript(source.text(found))
            if picture.units or picture.shapes:
                return picture, found
    return None


def _postscript(text: str) -> SourcePicture:
    """Positions of a PostScript map, y turned down."""
    units: dict[str, tuple[float, float]] = {}
    block = text.partition("% INFO")[2].partition("% MAP")[0] or text
    for pattern, part, order in ((INFO, block, (1, 2, 3, 4)), (TERRITORY, text, (3, 4, 1, 2))):
        for match in pattern.finditer(part):
            x, y, code, coast = (match[i] for i in order)
            at = code.lower() + (f"/{WORDS.get(coast.lower(), coast.lower())}" if coast else "")
            units.setdefault(at, (float(x), -float(y)))
    return SourcePicture(units=units)
