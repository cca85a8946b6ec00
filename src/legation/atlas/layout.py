"""The layout of a board's map: where symbols and names stand. It is made when a board is authored and kept beside its
shapes, as ``layout.json``."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib.resources.abc import Traversable
from pathlib import Path

import msgspec

from legation.atlas.letters import Label
from legation.atlas.lines import Point
from legation.atlas.outlines import LARGEST
from legation.atlas.shapes import PictureFileError, Shapes, read_beside
from legation.atlas.sites import Site
from legation.board import Board
from legation.board.model import fold

FILE = "layout.json"
GREATEST_SIZE = 4.0  # of symbols; 1 is full size
GREATEST_LETTERS = 200.0  # units
MOST_LINES = 12  # of one name
VERSION = 1
"""Counts up when the same board is to be laid out otherwise."""


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """Where the symbols and the names of every province stand, in drawing units; ``digest`` tells of what this is the
    layout."""

    digest: str
    sites: Mapping[str, Site]
    labels: Mapping[str, Label]


def forms(board: Board) -> dict[str, list[str]]:
    """What may be lettered for each province, best first: its name, then those of its aliases that are parts of it and
    mean no other place."""
    everything = Counter(
        folded for p in board.provinces.values() for folded in {fold(name) for name in (p.name, *p.aliases)}
    )
    spellings = {}
    for province in board.provinces.values():
        fitting = (alias for alias in province.aliases if 4 <= len(alias) < len(province.name))
        short = [alias for alias in fitting if everything[fold(alias)] == 1 and _is_part(alias, province.name)]
        spellings[province.id] = [province.name, *short]
    return spellings


def _is_part(alias: str, name: str) -> bool:
    """Whether the words of an alias stand in a name, in its order; one of several stands there in the plural."""
    words, whole = (text.replace("-", " ").split(" ") for text in (alias, name))
    rest = iter(whole)
    return all(any(there in (word, word + "s") for there in rest) for word in words)


def digest_of(board: Board, shapes: Shapes) -> str:
    """16 hexadecimal digits of all that a layout depends on: the shapes; of the provinces what may be lettered, their
    kinds and neighbors."""
    lettered = forms(board)
    provinces = [
        (p.id, lettered[p.id], p.sea, p.shore, p.center, sorted(board.adjacent(p.id))) for p in board.provinces.values()
    ]
    facts = json.dumps((VERSION, provinces)).encode()
    return hashlib.sha256(facts + msgspec.json.encode(shapes)).hexdigest()[:16]


def read_layout(folder: Traversable | Path, board: Board, shapes: Shapes) -> Layout | None:
    """The layout in a board folder; None where there is none that fits the board: then the map is laid out anew when it
    is drawn."""
    try:
        return checked_layout(folder, board, shapes)
    except PictureFileError:
        return None


def checked_layout(folder: Traversable | Path, board: Board, shapes: Shapes) -> Layout | None:
    """The layout in a board folder; None where there is none.

    :raises PictureFileError: when it cannot be read, or is that of another state of the board."""
    layout = read_beside(folder, FILE, Layout, _MEND)
    if layout and (fault := next(_faults(layout, board, shapes), None)):
        raise PictureFileError(f"{FILE}: {fault}; {_MEND}")
    return layout


def _faults(layout: Layout, board: Board, shapes: Shapes) -> Iterator[str]:
    def off(*points: Point) -> bool:
        return not all(abs(c) <= 2 * LARGEST for point in points for c in point)

    if layout.digest != digest_of(board, shapes):
        yield "holds the names and symbols of an earlier state of the board"
    if not (layout.sites.keys() == layout.labels.keys() == board.provinces.keys()):
        yield "lacks provinces of the board"
    for name, site in layout.sites.items():
        if off(site.unit, site.center, *site.coasts.values()):
            yield f"the symbols of {name} are not on the map"
        if not 0 < site.size <= GREATEST_SIZE:
            yield f"the symbols of {name} have the size {site.size:g}"
    for name, label in layout.labels.items():
        corners = [corner for box in label.boxes for corner in box]
        if off(*label.at, *(label.curve or ()), *(label.leader or ()), *corners):
            yield f"the name of {name} is not on the map"
        if not 0 < label.size <= GREATEST_LETTERS or not abs(label.angle) <= 360:
            yield f"the name of {name} has the size {label.size:g} and is turned by {label.angle:g} degrees"
        if not 0 < len(label.at) == len(label.lines) <= MOST_LINES:
            yield f"the name of {name} stands in {len(label.lines)} lines at {len(label.at)} places"


_MEND = "lay them out anew: python -m legation.atlas.grow --layout BOARD_FOLDER"
