"""What of a map reads badly: a center's symbol across a border, a unit upon a center, a name across its border.

All of it is measured on the layout that is drawn, in drawing units, without a picture."""

import math
from collections.abc import Iterator, Mapping

from legation.atlas.letters import Label
from legation.atlas.outlines import BoardGeometry
from legation.atlas.sites import Disc, around

TOUCH = 0.6
"""Units by which a symbol may come over a line before it reads so: half the width of a border."""
ACROSS = 0.25
"""The share of a name that may stand on other ground before it reads as theirs."""
SAMPLES = 24
"""How many spots of a line of lettering are looked at."""


def badly_read(geometry: BoardGeometry, labels: Mapping[str, Label]) -> list[tuple[str, str]]:
    """What reads badly: each province with a sentence and the mend."""
    return [(name, text) for name in geometry.board.provinces for text in _of_province(geometry, name, labels[name])]


def _of_province(geometry: BoardGeometry, name: str, label: Label) -> Iterator[str]:
    discs = [disc for disc in geometry.discs if disc.province == name]
    title = geometry.board.provinces[name].name
    centers = [disc for disc in discs if disc.kind == "center"]
    for center in centers:
        if name not in geometry.rings and on_border(geometry, center):
            yield f"the center of {title} stands on its border; {_MEND.format('center')}"
        for unit in discs:
            if unit.kind == "unit" and math.dist((unit.x, unit.y), (center.x, center.y)) < unit.r + center.r - TOUCH:
                yield f"the unit of {title} covers its center; {_MEND.format('unit')}"
    if not label.beside and not label.ground and _abroad(geometry, name, label) > ACROSS:
        yield f"the name of {title} runs over its border; {_MEND.format('label')}"


_MEND = "give the province more room, or its {} a place in places.csv"


def on_border(geometry: BoardGeometry, disc: Disc) -> bool:
    """Whether a symbol lies across the line between its province and another land, or beside its province. Where an
    island is smaller than the symbol, that comes over its shore, which nobody can mistake."""
    if not geometry.contains(disc.province, disc.x, disc.y):
        return True
    board = geometry.board
    lands = [other for other in board.adjacent(disc.province) if not board.provinces[other].sea]
    rim = around((disc.x, disc.y), disc.r - TOUCH)
    return any(geometry.contains(other, *spot) for other in lands for spot in rim)


def _abroad(geometry: BoardGeometry, name: str, label: Label) -> float:
    """The share of a name's middle line that lies outside its province."""
    outside = 0
    for a, b, c, d in label.boxes:
        begin, end = ((a[0] + d[0]) / 2, (a[1] + d[1]) / 2), ((b[0] + c[0]) / 2, (b[1] + c[1]) / 2)
        for step in range(SAMPLES):
            t = (step + 0.5) / SAMPLES
            spot = begin[0] + t * (end[0] - begin[0]), begin[1] + t * (end[1] - begin[1])
            outside += not geometry.contains(name, *spot)
    return outside / (SAMPLES * len(label.boxes)) if label.boxes else 0.0
