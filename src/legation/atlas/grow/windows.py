"""The insets of a board, as ``insets.csv`` states them: which window of the world stands where on the map, and how
large.

A window within the frame is shown once more, larger. One outside of it lies in a projection of its own, so that north
is up there too, and is a part of the map like any other."""

import msgspec
import numpy as np

from legation.atlas.grow.projection import EqualEarth, Frame, Laea, Plane, Projection, frame_of_degrees
from legation.atlas.shapes import LARGEST_SCALE, Edges, Inset, Place
from legation.board.files import BoardFiles, TableRow, read_points

MARGIN = 0.006
"""The margin around an inset, as a share of the map's longer side."""
HEAD = 0.018
"""The margin above an inset, where its title stands, as the same share."""
LEAST = 0.03
"""The shorter side of the smallest inset, likewise."""
MOST = 20


class Window(msgspec.Struct, frozen=True, kw_only=True):
    """One inset; ``drawn`` is what ``shapes.json`` says of it."""

    drawn: Inset
    projection: Projection
    frame: Frame
    """The window in its projection; of one on the map, the map's."""
    place: str
    row: int
    """Which row of ``insets.csv`` it is, from 0."""

    @property
    def far(self) -> bool:
        """Whether it shows what lies beyond the map."""
        return self.drawn.window is None

    def put(self, lon: float, lat: float) -> Place | None:
        """Where a point of the files lies in a far inset; None outside of its window."""
        x, y = self.frame.place(self.projection.project(np.array([[lon, lat]])))[0].tolist()
        if not within((0.0, 0.0, self.frame.width, self.frame.height), x, y):
            return None
        left, top, _, _ = self.drawn.field
        return left + x * self.drawn.scale, top + y * self.drawn.scale

    def enlarged(self, x: float, y: float) -> Place | None:
        """Where a place on the map is shown larger; None outside of the window."""
        window, (left, top, _, _) = self.drawn.window, self.drawn.field
        if window is None or not within(window, x, y):
            return None
        return left + (x - window[0]) * self.drawn.scale, top + (y - window[1]) * self.drawn.scale


def within(edges: Edges, x: float, y: float) -> bool:
    """Whether a place lies in a box."""
    left, top, right, bottom = edges
    return left <= x <= right and top <= y <= bottom


def meet(a: Edges, b: Edges) -> bool:
    """Whether two boxes have ground in common."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def read_windows(files: BoardFiles, projection: Projection, frame: Frame) -> list[Window]:
    """The insets of a board; what is wrong is noted with the files."""
    windows: list[Window] = []
    for number, row in enumerate(files.rows("insets")):
        if len(windows) == MOST:
            files.fault(row.place, f"a map has {MOST} insets at most")
            break
        window = _read(files, row, number, projection, frame)
        if window is None:
            continue
        if other := next((w for w in windows if _in_the_way(w.drawn, window.drawn)), None):
            files.fault(row.place, f"the inset lies on that of {other.place}, or on its window; move one of them")
        else:
            windows.append(window)
    return windows


def _read(files: BoardFiles, row: TableRow, number: int, projection: Projection, frame: Frame) -> Window | None:
    plane = isinstance(projection, Plane)
    corners, faults = read_points(row["window"], plane=plane)
    spots, more = read_points(row["at"], plane=plane)
    for fault in (*faults, *more):
        files.fault(row.place, fault)
    scale = _scale(files, row)
    if faults or more or not scale:
        return None
    if len(corners) != 2 or len(spots) != 1:
        files.fault(row.place, "an inset has two points in window, opposite corners, and one in at: its upper left one")
        return None
    (a_lon, a_lat, _), (b_lon, b_lat, _) = corners
    ways = np.array([*((lon, lat) for lon in (a_lon, b_lon) for lat in (a_lat, b_lat)), spots[0][:2]])
    *on_map, (left, top) = frame.place(projection.project(ways)).tolist()
    whole = (0.0, 0.0, frame.width, frame.height)
    seen = [within(whole, x, y) for x, y in on_map]
    if any(seen) and not all(seen):
        files.fault(row.place, "the window lies across the edge of the map; move it inside, or outside")
        return None
    shown: Edges | None = None
    if all(seen):
        (ax, ay), (bx, by) = on_map[0], on_map[3]
        shown = rounded(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))
        wide, high = shown[2] - shown[0], shown[3] - shown[1]
    else:
        projection, frame = _apart(projection, (a_lon, a_lat), (b_lon, b_lat))
        wide, high = frame.width, frame.height
    size = max(whole)
    field = rounded(left, top, left + wide * scale, top + high * scale)
    margin, head = MARGIN * size, (HEAD if row["title"] else MARGIN) * size
    box = rounded(field[0] - margin, field[1] - head, field[2] + margin, field[3] + margin)
    if fault := _misplaced(box, field, shown, whole):
        files.fault(row.place, fault)
        return None
    drawn = Inset(title=row["title"], box=box, field=field, scale=scale, window=shown)
    return Window(drawn=drawn, projection=projection, frame=frame, place=row.place, row=number)


def _in_the_way(a: Inset, b: Inset) -> bool:
    """Whether one of two insets lies on the other, or on what the other shows larger."""
    return any(meet(one.box, edges) for one, other in ((a, b), (b, a)) for edges in (other.box, other.window) if edges)


def _misplaced(box: Edges, field: Edges, shown: Edges | None, whole: Edges) -> str:
    if min(field[2] - field[0], field[3] - field[1]) < LEAST * max(whole):
        return f"the inset is too small to be read: {LEAST:.0%} of the map's longer side is the least; enlarge scale"
    if not (within(whole, *box[:2]) and within(whole, *box[2:])):
        return (
            f"the inset does not fit on the map: it is {field[2] - field[0]:,.0f} km wide and "
            f"{field[3] - field[1]:,.0f} km high there; move it (at), or make scale smaller"
        )
    if shown and meet(box, shown):
        return "the inset lies on its own window; move one of them"
    return ""


def _scale(files: BoardFiles, row: TableRow) -> float:
    try:
        scale = float(row["scale"])
    except ValueError:
        scale = 0.0
    if not 0 < scale <= LARGEST_SCALE:
        files.fault(row.place, f"scale must be a number above 0, {LARGEST_SCALE:g} at most, not {row['scale'][:40]!r}")
        return 0.0
    return scale


def _apart(projection: Projection, a: Place, b: Place) -> tuple[Projection, Frame]:
    (west, east), (south, north) = sorted((a[0], b[0])), sorted((a[1], b[1]))
    if isinstance(projection, Plane):
        return projection, Frame(west, south, east, north)
    if east - west > 180:  # across the date line
        west, east = east, west + 360
    own: Laea | EqualEarth = Laea(round((west + east) / 2, 3), round((south + north) / 2, 3))
    return own, frame_of_degrees(own, west, south, east, north)


def rounded(left: float, top: float, right: float, bottom: float) -> Edges:
    """Edges to a tenth of a kilometer."""
    return round(left, 1), round(top, 1), round(right, 1), round(bottom, 1)
