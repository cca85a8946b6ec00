"""Which way is up on a board without positions: known by the places that have their names on our own boards and
templates, else by the names that say where they lie (North Sea, Western Ocean)."""

import functools
import math
import re
from collections.abc import Mapping

import numpy as np

from legation.atlas.table.starting import template_registry, templates
from legation.board.files import BoardFiles, read_points
from legation.board.model import fold
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
    boards = [folder for _, folder in sorted(find_boards().items())]
    for files in map(BoardFiles, (*boards, *map(template_registry().folder_of, templates()))):
        if files.head.get("projection", {}).get("kind") == "plane":
            continue
        for row in (*files.rows("land"), *files.rows("sea")):
            points, _ = read_points(row["points"])
            if points and row["form"] != "box":
                longitude, latitude, _ = points[0]
                at = longitude, -math.degrees(math.asinh(math.tan(math.radians(latitude))))
                for word in (row["name"], *row["aliases"].split("|")):
                    known.setdefault(fold(word.partition("@")[0]), at)
    return known


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
