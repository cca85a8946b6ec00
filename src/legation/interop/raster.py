"""Regions in a picture that is made of dots: what a color poured in at a province's place fills, as the programs that
show such maps color them."""

from __future__ import annotations  # which name numpy, without which the module is read, too

from collections.abc import Mapping

from legation.formats import FormatError, open_picture
from legation.interop.record import Place, Polygons, SourcePicture
from legation.interop.sources import ForeignFileError

try:
    import numpy as np
    import shapely
    from PIL import Image, ImageDraw
except ImportError:  # without them no board is drawn, and nobody needs its picture
    READS_DOTS = False
else:
    READS_DOTS = True

MOST_DOTS = 6_000_000
FEWEST, MOST = 12, 0.4
"""How many dots a region has at least, and which share of the picture at most."""
LETTERS = 1.5
"""Dots: half the breadth of the lines that letters and symbols in a region are made of."""
LINES = 3.0
"""Dots: half the breadth of what is no field between regions, but their outlines and letters."""
LARGEST_HOLE = 150
"""Pixels: a smaller area is a symbol on the map, and no region."""


def take_regions(picture: SourcePicture, data: bytes, name: str, places: Mapping[str, Place]) -> None:
    """Take the regions around the places of provinces, and what lies between them off the board; one that two share, or
    that is next to nothing or most of the picture, is none.

    :raises ForeignFileError: if the picture can't be read."""
    if not READS_DOTS:
        raise ForeignFileError(f"{name}: reading it needs drawing libraries: pip install 'legation[authoring]'")
    try:
        with open_picture(data, ("PNG", "GIF")) as opened:
            colors = np.asarray(opened.convert("RGB"), dtype=np.int32)
    except (FormatError, OSError, ValueError, SyntaxError) as error:  # what decoders raise on broken data
        raise ForeignFileError(f"{name}: {error}") from None
    if colors.size > 3 * MOST_DOTS:
        raise ForeignFileError(f"{name}: has more than {MOST_DOTS:,} dots")
    image = Image.fromarray(colors @ np.array([65536, 256, 1], dtype=np.int32))
    filled: dict[int, list[str]] = {}
    waters: set[int] = set()
    for number, (key, place) in enumerate(places.items(), 1):
        x, y = map(int, picture.units[key])
        if 0 <= x < image.width and 0 <= y < image.height:
            here = int(np.asarray(image.crop((x, y, x + 1, y + 1)))[0, 0])
            if here >= 0:
                ImageDraw.floodfill(image, (x, y), -number)
                waters |= {here} if place.sea else set()
                here = -number
            filled.setdefault(-here, []).append(key)
    dots = np.asarray(image)
    for number, keys in filled.items():
        if len(keys) == 1 and (polygons := _outlined(dots == -number, LETTERS)):
            picture.shapes[keys[0]] = polygons
    wet = np.isin(dots, list(waters))
    for kind, mask in (("water", wet), ("land", (dots >= 0) & ~wet)):
        if polygons := _outlined(mask, -LINES):
            picture.off_board.append((kind, polygons))


def _outlined(mask: np.ndarray, margin: float) -> Polygons:
    """The outlines of the dots that are set, smoothed; none where they are no region. A ``margin`` closes gaps twice as
    wide, one below 0 leaves out what is no wider."""
    if not FEWEST <= mask.sum() <= MOST * mask.size:
        return []
    turns = np.diff(np.pad(mask, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    rows, begins = np.nonzero(turns == 1)
    ends = np.nonzero(turns == -1)[1]
    dots = shapely.union_all(shapely.box(begins, rows, ends, rows + 1))
    shape = dots.buffer(margin, join_style="mitre").buffer(-margin, join_style="mitre").simplify(1.0)
    return [
        [
            [*part.exterior.coords],
            *([*hole.coords] for hole in part.interiors if shapely.Polygon(hole).area > LARGEST_HOLE),
        ]
        for part in shapely.get_parts(shape)
    ]
