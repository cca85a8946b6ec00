"""What an author states about the picture of a board: projection, frame, seed points, void, carvings, corrections.

Read from the board folder's ``board.toml`` and tables (``docs/drawing-boards.md`` describes them); here everything is
put on the map: km from the frame's top left, y down."""

import math
import re
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from legation.atlas.contacts import Link, read_links
from legation.atlas.grow import EUROPE, NONE, SHIPPED
from legation.atlas.grow.projection import Frame, Laea, Plane, Projection, frame_of_degrees
from legation.atlas.grow.windows import Window, meet, read_windows, within
from legation.atlas.shapes import Least
from legation.board.files import COAST_CODES, BoardFileError, BoardFiles, TableRow, read_points
from legation.board.model import COAST_NAMES, Province

LAND, WATER = "~land", "~water"
"""The owners of what is off the board."""


class PlanError(BoardFileError):
    """A board that cannot be grown."""


class Seed(msgspec.Struct, frozen=True):
    """A point that claims the land or water around it for its owner; with ``r`` (km) it is the middle of a circle."""

    owner: str
    x: float
    y: float
    r: float
    place: str


class Patch(msgspec.Struct, frozen=True):
    """A change of the coastline: land or water along a line of a width in km, or within an area."""

    water: bool
    area: bool
    points: tuple[tuple[float, float], ...]
    width: float


class Rim(msgspec.Struct, frozen=True):
    """A line that borders follow: a ``river``, ``mountains``, or a ``border`` that is not drawn itself; ``stops`` says
    whom the borders along it stop."""

    kind: str
    points: tuple[tuple[float, float], ...]
    stops: str
    place: str


class Plan(msgspec.Struct, kw_only=True):
    """All that growing needs to know of a board, in km on the map."""

    coastline: str
    """The coastline that the board is cut from: a name of the package's, ``none``, or a file of the board's folder."""
    projection: Projection
    frame: Frame
    insets: list[Window]
    least: Least
    detail: float
    islet: float
    narrow: float
    reach: float
    roughness: float
    plots: dict[str, Province] = {}
    land: list[Seed] = []
    sea: list[Seed] = []
    patches: list[Patch] = []
    rims: list[Rim] = []
    boxes: dict[str, tuple[float, float, float, float]] = {}
    """Provinces off the board: left, top, right and bottom of their boxes."""
    links: list[Link] = []
    seas_of_coasts: dict[tuple[str, str], frozenset[str]] = {}
    places: dict[tuple[str, str], tuple[float, float]] = {}


FILE = re.compile(r"\w[\w.-]{0,60}\.(geojson|json)")
"""What a coastline beside the board may be called."""
RIMS, TRAVELERS = ("river", "mountains", "border"), ("army", "fleet", "both")
NUMBERS = ("least_border", "least_sea", "least_coast", "detail", "islet", "narrow", "reach", "roughness")


def read_plan(folder: Traversable | Path) -> Plan:
    """Read the authoring side of a board folder.

    :raises PlanError: with every fault at once, each with its place."""
    files = BoardFiles(folder)
    plan = read_unfinished_plan(files)
    if not plan.plots:
        files.fault("land.csv", "the board has no provinces")
    if files.faults:
        raise PlanError(list(dict.fromkeys(files.faults)))
    return plan


def read_unfinished_plan(files: BoardFiles) -> Plan:
    """The plan of a board that may be at fault, or may hold nothing yet; what is wrong is noted with the files."""
    reader = _PlanReader(files)
    reader.read_plots()
    reader.read_void()
    reader.read_patches()
    reader.read_rims()
    reader.read_links()
    reader.read_seas_of_coasts()
    reader.read_places()
    reader.part_points()
    plan = reader.plan
    plan.narrow = reader.settings.get("narrow", _narrow(plan))
    plan.coastline = _coastline(files, plan.projection)
    files.rows("touching")  # which growing does not need: what is wrong there is noted too
    return plan


class _PlanReader:
    """Reads the tables of a board folder into a plan, one by one; what is wrong is noted with the files."""

    def __init__(self, files: BoardFiles) -> None:
        self.files = files
        projection = _projection(files)
        frame = _frame(files, projection)
        insets = read_windows(files, projection, frame)
        self.settings = settings = _settings(files)
        self.plan = Plan(
            coastline="",
            projection=projection,
            frame=frame,
            insets=insets,
            least=Least(
                border=settings.get("least_border", 5.0),
                sea=settings.get("least_sea", 2.0),
                coast=settings.get("least_coast", 2.0),
            ),
            detail=settings.get("detail", 0.0002 * frame.width),
            islet=settings.get("islet", (0.003 * frame.width) ** 2),
            narrow=0.0,
            reach=settings.get("reach", 0.012 * frame.width),
            roughness=settings.get("roughness", 0.055),
        )

    def _put(self, row: TableRow, column: str, *, claims: bool = False) -> list[tuple[float, float, float]]:
        """The points of a cell on the map, each with its radius; one that ``claims`` ground must not lie under an
        inset."""
        points, faults = read_points(row[column], plane=isinstance(self.plan.projection, Plane))
        for fault in faults:
            self.files.fault(row.place, fault)
        return [self._placed(row, *point, claims) for point in points]

    def _placed(self, row: TableRow, lon: float, lat: float, radius: float, claims: bool) -> tuple[float, float, float]:
        plan = self.plan
        x, y = plan.frame.place(plan.projection.project(np.array([[lon, lat]])))[0].tolist()
        scale = 1.0
        if within((0.0, 0.0, plan.frame.width, plan.frame.height), x, y):
            under = next((w for w in plan.insets if within(w.drawn.box, x, y)), None)
            if claims and under:
                self.files.fault(
                    row.place, f"the point {lon:g} {lat:g} lies under the inset of {under.place}; move one"
                )
        else:
            for inset in plan.insets:
                if inset.far and (spot := inset.put(lon, lat)):
                    (x, y), scale = spot, inset.drawn.scale
                    break
        return round(x, 3), round(y, 3), round(radius * scale, 3)

    def read_plots(self) -> None:
        """``land.csv`` and ``sea.csv``: provinces and their seeds."""
        for table, seeds in (("land", self.plan.land), ("sea", self.plan.sea)):
            for row in self.files.rows(table):
                points = self._put(row, "points", claims=row["form"] != "box")
                if not points:
                    self.files.fault(row.place, f"{row['id']!r} has no points; give at least one 'longitude latitude'")
                self.files.check_circle(row, points)
                if row["form"] == "box":
                    self._box(row, points)
                else:
                    seeds += [Seed(row["id"], x, y, r, row.place) for x, y, r in points]
                coasts = [] if row["coasts"] in ("", "single") else row["coasts"].split("|")
                self.plan.plots[row["id"]] = Province(
                    id=row["id"],
                    name=row["name"],
                    sea=table == "sea",
                    shore=bool(row["coasts"]),
                    coasts=tuple(COAST_CODES.get(c, c) for c in coasts),
                )

    def _box(self, row: TableRow, points: list[tuple[float, float, float]]) -> None:
        """A box has two opposite corners; it lies within the frame and has some size."""
        plan = self.plan
        spots = points[:2] if len(points) >= 2 else [(0.0, 0.0, 0.0), (0.0, 0.0, 0.0)]
        xs, ys = sorted(x for x, _, _ in spots), sorted(y for _, y, _ in spots)
        left, right = max(xs[0], 0.0), min(xs[1], plan.frame.width)
        top, bottom = max(ys[0], 0.0), min(ys[1], plan.frame.height)
        if len(points) != 2 or right - left < 1 or bottom - top < 1:
            self.files.fault(row.place, "a box has two points, its opposite corners, a km or more apart in the frame")
            return
        for other, (ol, ot, o_right, ob) in plan.boxes.items():
            if left < o_right and ol < right and top < ob and ot < bottom:
                self.files.fault(row.place, f"the box of {row['id']} lies on that of {other}; move one of them")
                return
        if under := next((w for w in plan.insets if meet(w.drawn.box, (left, top, right, bottom))), None):
            self.files.fault(row.place, f"the box of {row['id']} lies on the inset of {under.place}; move one of them")
            return
        plan.boxes[row["id"]] = (round(left, 1), round(top, 1), round(right, 1), round(bottom, 1))

    def read_rims(self) -> None:
        """``lines.csv``."""
        for row in self.files.rows("lines"):
            points = tuple((x, y) for x, y, _ in self._put(row, "points"))
            if not (self.files.one_of(row, "kind", RIMS) and self.files.one_of(row, "stops", ("", *TRAVELERS))):
                continue
            if len(points) < 2:
                self.files.fault(row.place, "a line needs two points or more")
            else:
                self.plan.rims.append(Rim(row["kind"], points, row["stops"], row.place))

    def read_void(self) -> None:
        """``void.csv``: further seeds of nobody."""
        for row in self.files.rows("void"):
            self.files.one_of(row, "kind", ("land", "water"))
            owner, seeds = (WATER, self.plan.sea) if row["kind"] == "water" else (LAND, self.plan.land)
            seeds += [Seed(owner, x, y, 0.0, row.place) for x, y, _ in self._put(row, "points", claims=True)]

    def read_patches(self) -> None:
        """``carve.csv``."""
        for row in self.files.rows("carve"):
            points = tuple((x, y) for x, y, _ in self._put(row, "points"))
            self.files.one_of(row, "kind", ("land", "water"))
            self.files.one_of(row, "form", ("line", "area"))
            area = row["form"] == "area"
            if few := len(points) < (3 if area else 2):
                self.files.fault(row.place, "a line needs two points or more, an area three")
            width = 0.0
            try:
                width = float(row["width"] or 0)
            except ValueError:
                self.files.fault(row.place, f"width must be a number, not {row['width']!r}")
            if row["form"] == "line" and not width:
                self.files.fault(row.place, "a line needs a width in km")
            if not few:
                self.plan.patches.append(Patch(row["kind"] == "water", area, points, width))

    def read_links(self) -> None:
        """``links.csv``."""
        for row in self.files.rows("links"):
            for end in (row["a"], row["b"]):
                province, _, coast = end.partition("/")
                if province not in self.plan.plots:
                    self.files.fault(row.place, f"no province {province!r}")
                elif coast and coast not in self.plan.plots[province].coasts:
                    codes = ", ".join(COAST_NAMES)
                    self.files.fault(row.place, f"{province!r} has no coast {coast!r}; the codes are {codes}")
            self.files.one_of(row, "kind", TRAVELERS)
            self.files.one_of(row, "change", ("add", "remove"))
            self.files.one_of(row, "draw", ("", "bridge", "barrier", "none"))
        self.plan.links = read_links(self.files, self.plan.plots)

    def read_seas_of_coasts(self) -> None:
        """``seas_of_coasts.csv``; where it is silent, ``borders.csv`` may tell."""
        plots, seas = self.plan.plots, dict[tuple[str, str], frozenset[str]]()
        for row in self.files.rows("seas_of_coasts"):
            names = frozenset(row["seas"].split("|"))
            strange = {name for name in names if name not in plots or not plots[name].sea}
            for name in sorted(strange):
                self.files.fault(row.place, f"no sea {name!r}")
            code = COAST_CODES.get(row["coast"], row["coast"])
            if row["id"] not in plots or code not in plots[row["id"]].coasts:
                self.files.fault(row.place, f"{row['id']!r} has no coast {row['coast']!r}")
            seas[row["id"], code] = names - strange
        touched: dict[tuple[str, str], set[str]] = {}
        for row in self.files.rows("borders"):
            for here, there in ((row["a"], row["b"]), (row["b"], row["a"])):
                province, _, coast = here.partition("/")
                if coast and there in plots and plots[there].sea and province in plots:
                    touched.setdefault((province, coast), set()).add(there)
        self.plan.seas_of_coasts = {coast: frozenset(names) for coast, names in touched.items()} | seas

    def read_places(self) -> None:
        """``places.csv``."""
        for row in self.files.rows("places"):
            plot, what = self.plan.plots.get(row["id"]), row["what"]
            if plot is None:
                self.files.fault(row.place, f"no province {row['id']!r}")
            elif what not in ("label", "unit", "center", *plot.coasts):
                self.files.fault(row.place, f"what must be label, unit, center or a coast of {plot.id}, not {what!r}")
            for x, y, _ in self._put(row, "point"):
                self.plan.places[row["id"], what] = (x, y)

    def part_points(self) -> None:
        """No two owners have one point."""
        taken: dict[tuple[float, float], str] = {}
        for seeds in (self.plan.land, self.plan.sea):
            for seed in list(seeds):
                other = taken.setdefault((seed.x, seed.y), seed.owner)
                if other != seed.owner:
                    fault = f"a point of {seed.owner} is also a point of {other}; move one of them"
                    self.files.fault(seed.place, fault)
                    seeds.remove(seed)


def _narrow(plan: Plan) -> float:
    """How narrow (km) an inlet is of which only two shores' lines would be seen: the share of a land's usual width that
    such lines take, in one digit, so that one province more seldom changes the coast."""
    lands = len({seed.owner for seed in plan.land if seed.owner != LAND and not seed.r})
    frame = plan.frame
    usual = math.sqrt(LAND_SHARE * frame.width * frame.height / max(lands, 1))
    narrow = min(usual / 45, 0.003 * frame.width)
    return round(narrow, -math.floor(math.log10(narrow)))


LAND_SHARE = 0.45
"""How much of a map is land, as a rule."""


def _settings(files: BoardFiles) -> dict[str, float]:
    settings: dict[str, float] = {}
    for key, value in _table(files, "grow").items():
        if key == "coastline":
            continue
        if key not in NUMBERS:
            files.fault("board.toml:grow", f"unknown key {key!r}; the keys are coastline, {', '.join(NUMBERS)}")
        elif isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e300:
            files.fault("board.toml:grow", f"{key} must be a number of 0 or more, not {value!r}")
        else:
            settings[key] = float(value)
    return settings


def _coastline(files: BoardFiles, projection: Projection) -> str:
    usual = NONE if isinstance(projection, Plane) else EUROPE
    named = str(_table(files, "grow").get("coastline", usual))
    if named in SHIPPED and isinstance(projection, Plane):
        files.fault("board.toml:grow", f'{named!r} is on Earth; a plane needs a coastline of your own, or "none"')
    elif named not in SHIPPED and named != NONE and not FILE.fullmatch(named):
        what = ", ".join(f'"{name}"' for name in (*SHIPPED, NONE))
        files.fault("board.toml:grow", f"coastline must be {what}, or a GeoJSON file beside it (land.geojson)")
        return usual
    return named


def _table(files: BoardFiles, key: str) -> dict[str, Any]:
    value = files.head.get(key, {})
    if not isinstance(value, dict):
        files.fault("board.toml", f"{key!r} must be a table ([{key}])")
        return {}
    return value


def _projection(files: BoardFiles) -> Projection:
    try:
        stated: Projection = msgspec.convert(_table(files, "projection"), Projection)
    except msgspec.ValidationError:
        files.fault(
            "board.toml:projection",
            'needs kind = "laea" and the middle of the map: lon = 12, lat = 52 (or kind = "equal-earth" and its lon, '
            'for the whole world; or kind = "plane", for points in km)',
        )
        return Laea(0.0, 0.0)
    return stated


def _frame(files: BoardFiles, projection: Projection) -> Frame:
    table = _table(files, "frame")
    unit, fault = table.get("unit", "km"), "west must be less than east, south less than north"
    try:
        frame = msgspec.convert(table, Frame)
    except msgspec.ValidationError:
        frame = None
    if frame is None or unit not in ("km", "degrees"):
        fault = 'needs west, east, south and north: km from the middle, or degrees with unit = "degrees"'
        frame = None
    if frame is None or frame.west >= frame.east or frame.south >= frame.north:
        files.fault("board.toml:frame", fault)
        return Frame(-100.0, -100.0, 100.0, 100.0)
    if unit == "degrees" and not isinstance(projection, Plane):
        return frame_of_degrees(projection, *msgspec.structs.astuple(frame))
    if unit == "degrees":
        files.fault("board.toml:frame", "a plane has no degrees; leave unit out")
    return frame
