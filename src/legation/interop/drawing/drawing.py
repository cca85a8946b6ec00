"""The picture of an imported board: its shapes, and the links that declare where picture and borders differ."""

from collections.abc import Mapping

import msgspec
import numpy as np
import shapely
from shapely.affinity import scale as scaled
from shapely.geometry import Point, box
from shapely.geometry.base import BaseGeometry

from legation.atlas.contacts import Link, drawn_for_fleets, measure_contacts
from legation.atlas.grow import NONE
from legation.atlas.grow.growing import grow
from legation.atlas.grow.plan import LAND, WATER, Plan, PlanError, Seed
from legation.atlas.grow.projection import Frame, Plane
from legation.atlas.shapes import Least, Shapes, contacts
from legation.atlas.table.document import TableDocument
from legation.board.model import Board
from legation.board.seas import lonely_passages
from legation.interop.drawing.compass import turned
from legation.interop.drawing.crowded import insets_of
from legation.interop.drawing.embedding import positions
from legation.interop.drawing.pointed import ground_of_points
from legation.interop.drawing.shaped import COAST, Ground, Scale, geojson, ground_of_shapes, seed, table_on_plane
from legation.interop.record import Place, SourcePicture

Pair = tuple[str, str]
SHAPES_NEEDED = 0.6
"""The share of provinces that must have shapes for the shapes to be the picture."""


POSITIONS_NEEDED = 0.8
MOST_POINTS = 1500
"""Of a province on a drawing table, about."""


class DrawnMap(msgspec.Struct, frozen=True):
    """The shapes, the links that they need to agree with the borders, and how they came about (``shapes``,
    ``positions`` or ``borders``)."""

    shapes: Shapes
    links: list[Link]
    origin: str
    plan: Plan
    land: BaseGeometry

    def add_points(self, document: TableDocument) -> None:
        """Add to a board what it was grown from, so that it can be gone on with at the drawing table."""
        plan = msgspec.structs.asdict(self.plan)
        points: dict[str, list[str]] = {}
        for point in (*self.plan.land, *self.plan.sea):
            points.setdefault(point.owner, []).append(f"{point.x:.1f} {self.plan.frame.height - point.y:.1f}")
        cells = {owner: "; ".join(found[:: 1 + len(found) // MOST_POINTS]) for owner, found in points.items()}
        for row in (*document.board["land"], *document.board.get("sea", ())):
            row["points"] = cells[row["id"]]
        edges = [min(inset.drawn.box[1] for inset in self.plan.insets)] if self.plan.insets else []
        for edge in edges:
            self._add_insets(document, cells, edge)
        kinds = {"land": cells.get(LAND), "water": cells.get(WATER)}
        document.board |= table_on_plane(self.plan.frame.width, self.plan.frame.height)
        document.board["grow"] |= {
            "coastline": COAST,
            **{f"least_{kind}": length for kind, length in msgspec.structs.asdict(self.plan.least).items()},
            **{name: plan[name] for name in ("detail", "islet", "narrow", "reach", "roughness")},
        }
        void = [{"id": f"off-{kind}", "kind": kind, "points": cell} for kind, cell in kinds.items() if cell]
        document.board |= {"void": void} if void else {}
        land = shapely.union_all([self.land, *(scaled(self.land, yfact=-1, origin=(0, edge)) for edge in edges)])
        document.files[COAST] = geojson(land, self.plan.frame.height)

    def _add_insets(self, document: TableDocument, cells: dict[str, str], edge: float) -> None:
        """Add the insets, and keep the provinces above an edge from the ground beside them: what lies near the edge
        lies beyond it once more, and is nobody's."""
        height = self.plan.frame.height
        insets = shapely.union_all([box(*inset.drawn.field).buffer(edge / 50) for inset in self.plan.insets])
        for kind, points in ((LAND, self.plan.land), (WATER, self.plan.sea)):
            beyond = [(p.x, 2 * edge - p.y) for p in points if p.y > 0.9 * edge]
            free = [(x, y) for x, y in beyond if not insets.contains(Point(x, y))]
            found = (f"{x:.1f} {height - y:.1f}" for x, y in free[:: 1 + len(free) // MOST_POINTS])
            cells[kind] = "; ".join(filter(None, (cells.get(kind), *found)))
        document.board["insets"] = [
            {
                "title": "",
                "window": f"{left} {height - top:.1f}; {right} {height - bottom:.1f}",
                "at": f"{x} {height - y:.1f}",
                "scale": f"{inset.drawn.scale}",
            }
            for inset in self.plan.insets
            if inset.drawn.window
            for (left, top, right, bottom), (x, y, *_) in ((inset.drawn.window, inset.drawn.field),)
        ]


def draw(board: Board, places: Mapping[str, Place], picture: SourcePicture) -> DrawnMap:
    """Draw a board; places and picture are by the board's ids and locations.

    :raises ValueError: if no picture can be grown; one line."""
    pairs = {border.pair for border in board.borders}
    firm = {border.pair for border in board.borders if border.army}
    faults: list[str] = []
    for origin in ("shapes", "positions", "borders"):
        try:
            found = _ground(origin, places, picture, pairs, firm)
            if found is not None:
                return _grown(board, picture, *found, origin)
        except PlanError as error:
            faults.append(str(error.faults[0]))
        except (ValueError, IndexError, KeyError, shapely.errors.ShapelyError, np.linalg.LinAlgError) as error:
            faults.append(f"{type(error).__name__}: {error}")
    raise ValueError("; ".join(faults)[:400])


def _grown(board: Board, picture: SourcePicture, ground: Ground, scale: Scale, origin: str) -> DrawnMap:
    coasts = ((p.id, coast) for p in board.provinces.values() for coast in p.coasts if scale.factor)
    spots = {(key, coast): picture.units.get(f"{key}/{coast}") for key, coast in coasts}
    plan = _plan(board, ground, {where: scale.place(*spot) for where, spot in spots.items() if spot is not None})
    parts = [part for part in shapely.get_parts(ground.land) if part.area]
    land = [[np.asarray(ring.coords) * [1, -1] for ring in (part.exterior, *part.interiors)] for part in parts]
    declared: list[Link] = []

    def declare(shapes: Shapes) -> list[Link]:
        declared.extend(differences(board, shapes))
        return declared

    return DrawnMap(grow(plan, land, declare).shapes, declared, origin, plan, ground.land)


def _ground(
    origin: str, places: Mapping[str, Place], picture: SourcePicture, pairs: set[Pair], firm: set[Pair]
) -> tuple[Ground, Scale] | None:
    """The ground by shapes, by positions or by borders alone; None if the source has not enough of them."""
    if origin == "shapes":
        shaped = {key: shape for key, shape in picture.shapes.items() if key in places and shape}
        if len(shaped) < SHAPES_NEEDED * len(places):
            return None
        missing = {key: picture.units[key] for key in places if key not in shaped and key in picture.units}
        ground, scale = ground_of_shapes(places, shaped, picture.off_board, pairs, missing.values())
        ground.seeds += _between({key: scale.place(*spot) for key, spot in missing.items()}, pairs)
        drawn = {point.owner for point in ground.seeds}
        return (ground, scale) if all(key in drawn for key in places) else None
    if origin == "positions":
        at = {key: picture.units[key] for key in places if key in picture.units}
        if len(at) < POSITIONS_NEEDED * len(places):
            return None
        return ground_of_points(places, _all_placed(places, at, pairs), pairs, picture.waste)
    ground, _ = ground_of_points(places, turned(places, positions(list(places), pairs, firm)), pairs)
    return ground, Scale(0, 0, 0)


def _between(spots: Mapping[str, tuple[float, float]], pairs: set[Pair]) -> list[Seed]:
    """Seeds of provinces that have a place but no shape: there, and on half of the ways to others of them."""
    found = [(key, x, y) for key, (x, y) in spots.items()]
    for a, b in sorted(pairs):
        if a in spots and b in spots:
            (ax, ay), (bx, by) = spots[a], spots[b]
            for share in (0.15, 0.3, 0.45):
                found.append((a, ax + share * (bx - ax), ay + share * (by - ay)))
                found.append((b, bx + share * (ax - bx), by + share * (ay - by)))
    return [seed(*at) for at in found]


def _all_placed(
    places: Mapping[str, Place], at: dict[str, tuple[float, float]], pairs: set[Pair]
) -> dict[str, tuple[float, float]]:
    """Positions for the few that have none: among their neighbors."""
    low = max((y for _, y in at.values()), default=0.0)
    step = 0.05 * (low or 1.0)
    for number, key in enumerate(key for key in places if key not in at):
        near = [at[b if a == key else a] for a, b in pairs if key in (a, b) and (b if a == key else a) in at]
        x, y = np.mean(near, axis=0) + 0.1 * step if near else (step * (number + 1), low + step)
        at[key] = float(x), float(y)
    return at


def _plan(board: Board, ground: Ground, chosen: dict[tuple[str, str], tuple[float, float]]) -> Plan:
    """The plan by which a board is grown; ``chosen``: where the source puts the units of separate coasts."""
    ground.seeds = seeds = _sound_seeds(ground)
    insets = insets_of(ground)
    width, height = ground.width, insets[0].frame.height if insets else ground.height
    inside = {key: spot for key, spot in chosen.items() if 0 < spot[0] < width and 0 < spot[1] < ground.height}
    return Plan(
        coastline=NONE,
        projection=Plane(),
        frame=Frame(0.0, -height, width, 0.0),
        plots=dict(board.provinces),
        land=[point for point in seeds if point.owner not in ground.waters],
        sea=[point for point in seeds if point.owner in ground.waters],
        seas_of_coasts={
            (key, coast): board.seas[f"{key}/{coast}"]
            for key, province in board.provinces.items()
            for coast in province.coasts
            if board.seas[f"{key}/{coast}"]
        },
        places=inside if ground.faithful else {},
        least=Least(border=6.0, sea=6.0, coast=5.0),
        detail=0.5,
        islet=30.0,
        narrow=0.0,
        reach=20.0,
        roughness=0.0 if ground.faithful else 0.055,
        insets=insets,
    )


def _sound_seeds(ground: Ground) -> list[Seed]:
    """The seeds that lie on land or water as they should, and all of an owner that has none so; the first of those in
    one spot."""
    shapely.prepare(ground.land)
    seeds, waters = ground.seeds, ground.waters
    dry = shapely.contains_xy(ground.land, [s.x for s in seeds], [s.y for s in seeds])
    right = [s for s, on_land in zip(seeds, dry, strict=True) if bool(on_land) != (s.owner in waters)]
    known = {s.owner for s in right}
    distinct: dict[tuple[float, float], Seed] = {}
    for s in (*right, *(s for s in seeds if s.owner not in known)):
        distinct.setdefault((round(s.x, 1), round(s.y, 1)), s)
    return [*distinct.values()]


def differences(board: Board, shapes: Shapes) -> list[Link]:
    """The links that declare every difference between a picture and the borders of a board."""
    measured = measure_contacts(board.provinces, shapes)
    drawn = {"army": {*measured.lands}, "fleet": drawn_for_fleets(board.provinces, measured)}
    coastless = {*measured.shores} - drawn["fleet"]
    stated = {"army": {b.pair for b in board.borders if b.army}, "fleet": {b.pair for b in board.borders if b.fleet}}
    declared = {border.pair for border in lonely_passages(board)}
    added = {"army": stated["army"] - drawn["army"], "fleet": (stated["fleet"] - drawn["fleet"]) | declared}
    removed = {"army": drawn["army"] - stated["army"], "fleet": (drawn["fleet"] - stated["fleet"]) | coastless}
    links: list[Link] = []
    touching = contacts(shapes)
    for pairs, add, how in ((added, True, "bridge"), (removed, False, "barrier")):
        for pair in sorted(pairs["army"] | pairs["fleet"]):
            there = drawn if add else stated
            known = pair in there["army"] | there["fleet"] or (add and touching.get(pair, 0.0) > 3.0)
            links.append(Link(*pair, pair in pairs["army"], pair in pairs["fleet"], add, "none" if known else how))
    return links
