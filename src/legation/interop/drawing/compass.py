"""Which way is up on a board without positions: known by the places that have their names on our own boards and
templates, else by the names that say where they lie (North Sea, Western Ocean)."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable

import numpy as np

from legation.board.model import fold
from legation.formats import read_rows, read_toml
from legation.interop.record import Place
from legation.variants import find_boards

Spots = dict[str, tuple[float, float]]
Pairs = list[tuple[tuple[float, float], tuple[float, float]]]
"""Where places lie in a layout, and where on the earth."""
FEWEST = 6
"""How many places must be known."""
SAID = re.compile(r"(?P<y>north|south)?(?P<x>east|west)?(ern)?")
"""The first word of a name that says where it lies."""
LEAST = 0.5
"""How well the known places must lie as on the earth, from 0 to 1."""
HEIGHT = 0.8
"""How high a layout is, as a share of its width."""


@functools.cache
def known_places() -> Mapping[str, tuple[float, float]]:
    """Places by their folded names: x to the right, y down, of one size on the map of the world."""
    known: dict[str, tuple[float, float]] = {}
    for folder in _folders():
        for table in ("land", "sea"):
            text = folder.joinpath(f"{table}.csv").read_text(encoding="utf-8")
            for row in read_rows(text):
                at = _point(row.get("points") or "")
                if at is not None and row.get("form") != "box":
                    for word in (row["name"], *(row.get("aliases") or "").split("|")):
                        known.setdefault(fold(word.partition("@")[0]), at)
    return known


def _folders() -> Iterator[Traversable]:
    """The boards that come with Legation, then the templates that lie on the earth."""
    boards = find_boards()
    yield from (boards[name] for name in sorted(boards))
    templates = files("legation.atlas.table").joinpath("templates").iterdir()
    for folder in sorted((t for t in templates if t.is_dir()), key=lambda t: t.name):
        head = read_toml(folder.joinpath("board.toml").read_text(encoding="utf-8"))
        if head["projection"]["kind"] != "plane":
            yield folder


def _point(points: str) -> tuple[float, float] | None:
    try:
        longitude, latitude = (float(number) for number in points.partition(";")[0].split()[:2])
    except ValueError:
        return None
    return longitude, -math.degrees(math.asinh(math.tan(math.radians(latitude))))


def turned(places: Mapping[str, Place], at: Spots) -> Spots:
    """A layout, turned and mirrored so that what is known of its places lies as on the earth; as it was, if too little
    is known."""
    known = known_places()
    pairs = [(at[key], known[fold(place.name)]) for key, place in places.items() if fold(place.name) in known]
    said = [(at[key], spot) for key, place in places.items() if (spot := _said(place.name))]
    return _fitted(at, pairs) or _fitted(at, said) or at


def _said(name: str) -> tuple[float, float] | None:
    """Where a name says that its place lies, if it does."""
    match = SAID.fullmatch(fold(name).partition(" ")[0])
    if match is None or not match[0] or match[0] == "ern":
        return None
    return {"west": -1.0, "east": 1.0}.get(match["x"], 0.0), {"north": -1.0, "south": 1.0}.get(match["y"], 0.0)


def _fitted(at: Spots, pairs: Pairs) -> Spots | None:
    """A layout, turned and mirrored until its places lie as they should; None if they are few, or do not fit."""
    if len(pairs) < FEWEST:
        return None
    here = np.array([(x, y / HEIGHT) for (x, y), _ in pairs])
    there = np.array([spot for _, spot in pairs])
    middle = here.mean(axis=0)
    here, there = here - middle, there - there.mean(axis=0)
    u, sizes, v = np.linalg.svd(here.T @ there)
    if sizes.sum() < LEAST * np.linalg.norm(here) * np.linalg.norm(there):
        return None
    every = (np.array([(x, y / HEIGHT) for x, y in at.values()]) - middle) @ (u @ v)
    every -= every.min(axis=0)
    return {key: (float(x), float(y * HEIGHT)) for key, (x, y) in zip(at, every, strict=True)}
