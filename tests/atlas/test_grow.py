"""Growing: the example of the manual as a whole, and the steps on maps made for them."""

import csv
import json
import math
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
import shapely
from shapely.geometry import LineString, Point, Polygon, box

from legation.atlas.grow.__main__ import main
from legation.atlas.grow.coastline import main as pack_land
from legation.atlas.grow.coastline import pack, read_land, shipped_land, unpack
from legation.atlas.grow.ground import cut_ground
from legation.atlas.grow.growing import Grown, grow, write
from legation.atlas.grow.labels import _parabola
from legation.atlas.grow.natural import _fits, _natural
from legation.atlas.grow.partition import Piece, divide
from legation.atlas.grow.places import _arrange, _raster
from legation.atlas.grow.plan import Plan, PlanError, Seed, read_plan
from legation.atlas.grow.projection import RADIUS, Frame, Laea
from legation.atlas.grow.topology import Arc, Line, _contract
from legation.atlas.shapes import Shapes, contacts, owners, read_shapes, sides
from legation.board.model import Province
from tests.atlas.made_up import DRAWN, stored
from tests.board.folders import LAKE
from tests.sampling import some

LAND = ("--land", str(LAKE / "land.geojson"))


@pytest.fixture(scope="module")
def grown() -> Grown:
    return grow(read_plan(LAKE), read_land(LAKE / "land.geojson"))


def polygons(shapes: Shapes) -> dict[str, list[Polygon]]:
    found = {}
    for name, bodies in owners(shapes).items():
        lines = [[line(shapes, ring) for ring in rings] for rings in bodies]
        found[name] = [Polygon(shore, holes) for shore, *holes in lines]
    return found


def owner_at(pieces: Sequence[Piece], x: float, y: float) -> str:
    """Whose the spot is, so many km east and north of the middle."""
    (found,) = [piece.owner for piece in pieces if piece.shape.contains(Point(100 + x, 100 - y))]
    return found


def line(shapes: Shapes, ring: list[int]) -> list[tuple[float, float]]:
    arcs = [shapes.line(number) for number in [*ring, ring[0]]]
    assert all(one[-1] == other[0] for one, other in pairwise(arcs)), "the arcs of a ring follow each other"
    return shapes.ring(ring)


def sound(shapes: Shapes) -> None:
    """Every arc lies between two owners or on the frame; the owners cover the frame once; no two arcs cross."""
    for arc, beside in zip(shapes.arcs, sides(shapes), strict=True):
        on_frame = all(x in (0, shapes.width) or y in (0, shapes.height) for x, y in arc) and len(beside) == 1
        assert len(beside) == 2 or on_frame
        assert len(set(beside)) == len(beside)
    area = 0.0
    for parts in polygons(shapes).values():
        for part in parts:
            assert part.is_valid
            area += part.area
    assert area == pytest.approx(shapes.width * shapes.height, rel=1e-9)
    lines = [LineString(arc) for arc in shapes.arcs]
    tree = shapely.STRtree(lines)
    for a, b in tree.query(lines, predicate="intersects").T:
        if a < b:
            ends = {*lines[a].boundary.geoms, *lines[b].boundary.geoms} or {Point(lines[a].coords[0])}
            common = lines[a].intersection(lines[b])
            assert all(Point(p) in ends for p in shapely.get_coordinates(common)), (a, b)


@pytest.mark.parametrize("folder", some([LAKE, *DRAWN], 3), ids=lambda p: p.name)
def test_stored_shapes_are_a_sound_map(folder: Path) -> None:
    sound(stored(folder))


@pytest.mark.parametrize("folder", some([LAKE, *DRAWN], 3), ids=lambda p: p.name)
def test_places_lie_in_their_provinces(folder: Path) -> None:
    shapes = stored(folder)
    drawn = polygons(shapes)
    moved = {(row["id"], row["what"]) for row in rows(folder, "places")}
    for name, shape in shapes.provinces.items():
        for what, place in (("label", shape.label), ("unit", shape.unit), ("center", shape.center)):
            if (name, what) not in moved:
                assert any(part.buffer(0.3).contains(Point(place)) for part in drawn[name]), (name, what)


@pytest.mark.parametrize("folder", DRAWN, ids=lambda p: p.name)
def test_every_province_of_ours_has_points_of_its_own(folder: Path) -> None:
    read_plan(folder)


def rows(folder: Path, table: str) -> list[dict[str, str]]:
    path = folder / f"{table}.csv"
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines())) if path.exists() else []


def test_the_example_of_the_manual_grows_as_it_is_stored(grown: Grown, tmp_path: Path) -> None:
    sound(grown.shapes)
    assert grown.warnings == []
    assert grown.shapes.provinces.keys() == stored(LAKE).provinces.keys()
    measured, kept = contacts(grown.shapes), contacts(stored(LAKE))
    assert measured.keys() == kept.keys()
    for pair, length in measured.items():
        assert length == pytest.approx(kept[pair], rel=0.02, abs=0.5)
    (tmp_path / "shapes.json").write_text(write(grown.shapes), encoding="utf-8")
    assert read_shapes(tmp_path) == grown.shapes, "what is written can be read back"


def test_its_circle_bridge_barrier_and_coasts_are_drawn(grown: Grown) -> None:
    shapes = grown.shapes
    isle = shapes.provinces["mon"]
    assert isle.circle is not None
    x, y, r = isle.circle
    assert r == 8
    (body,) = polygons(shapes)["mon"]
    assert all(math.dist((x, y), p) == pytest.approx(r, abs=0.15) for p in body.exterior.coords)
    kinds = {(link.a, link.b): link for link in shapes.links}
    assert {pair: link.kind for pair, link in kinds.items()} == {("gre", "wes"): "bridge", ("est", "hig"): "barrier"}
    common = sum(math.dist(p, q) for p, q in pairwise(kinds["est", "hig"].line))
    assert common == pytest.approx(contacts(shapes)["est", "hig"], rel=0.02)
    start, end = kinds["gre", "wes"].line
    drawn = polygons(shapes)
    ends = {name for name in ("gre", "wes") for p in drawn[name] for at in (start, end) if p.contains(Point(at))}
    assert ends == {"gre", "wes"}
    great = shapes.provinces["gre"]
    assert great.coasts["nc"][1] < great.coasts["sc"][1]
    assert any(scene.kind == "land" for scene in shapes.scenery)


@pytest.mark.long
def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    made = []
    for seed in ("1", "2"):
        folder = tmp_path / seed
        shutil.copytree(LAKE, folder)
        command = [sys.executable, "-m", "legation.atlas.grow", str(folder), *LAND, "--borders"]
        done = subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        made.append([(folder / name).read_bytes() for name in ("shapes.json", "borders.csv")])
    assert made[0] == made[1]
    assert made[0][1] == (LAKE / "borders.csv").read_bytes()


def test_differences_are_printed_and_set_the_exit_status(lake: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = lake / "borders.csv"
    table.write_text(table.read_text().replace("est,sou,1,1\n", ""))
    assert main([str(lake), *LAND]) == 1
    out = capsys.readouterr().out
    assert "est and sou touch for" in out
    assert "2 differences" in out


WRONG = {
    "board.toml": (
        "least_border = 3 ",
        'last_sea = 2\nroughness = nan\nleast_border = "3" ',
        "unknown key 'last_sea'; the keys are coastline, least_border, ",
        "roughness must be a number of 0 or more, not nan",
        "least_border must be a number of 0 or more, not '3'",
    ),
    "carve.csv": (
        "",
        "kind,form,points,width\nair,line,9 49.9; 9.1 49.9,\nland,dot,9 49.9; 9.1 49.9,x\n"
        "water,area,9 49.9; 9.1 49.9,\n",
        "carve.csv:2: kind must be land or water, not 'air'",
        "carve.csv:2: a line needs a width in km",
        "carve.csv:3: form must be line or area, not 'dot'",
        "carve.csv:3: width must be a number, not 'x'",
        "carve.csv:4: a line needs two points or more, an area three",
    ),
    "void.csv": ("marsh,land", "marsh,sand", "kind must be land or water, not 'sand'"),
    "land.csv": (
        "hig,Highfell,,,",
        "bad,Badland,,,0,9.85/50.25,\nhig,Highfell,,circle,",
        "land.csv:3: the point '9.85/50.25' is not ",
        "land.csv:3: 'bad' has no points",
        "a circle has one point with its radius in km: '-1.3 ",
    ),
    "sea.csv": ("9.9 49.8", "9.85 50.25", "a point of low is also a point of upp; move one of them"),
    "seas_of_coasts.csv": ("gre,south,low", "gre,west,fow", "no sea 'fow'", "'gre' has no coast 'west'"),
    "places.csv": (
        "",
        "id,what,point\nzzz,label,10 50\ngre,ec,10 50\n",
        "places.csv:2: no province 'zzz'",
        "places.csv:3: what must be label, unit, center or a coast of gre, not 'ec'",
    ),
    "links.csv": (
        "hig,army,remove,the fells have no pass,barrier",
        "wes/nc,army,drop,the fells have no pass,wall\nwes,nowhere,armies,add,,",
        "'wes' has no coast 'nc'; the codes are ",
        "change must be add or remove, not 'drop'",
        "draw must be bridge, barrier or none, not 'wall'",
        "links.csv:4: no province 'nowhere'",
        "links.csv:4: kind must be army, fleet or both, not 'armies'",
    ),
}


def test_each_fault_of_a_table_has_its_place(lake: Path) -> None:
    wanted = []
    for file, (old, new, *told) in WRONG.items():
        path = lake / file
        text = path.read_text() if old else ""
        assert old in text
        path.write_text(text.replace(old, new, 1) if old else new)
        wanted += told
    faults = faults_of(lake)
    assert [words for words in wanted if not any(words in fault for fault in faults)] == []
    assert len(faults) == len(wanted), faults


def faults_of(folder: Path) -> list[str]:
    with pytest.raises(PlanError) as caught:
        read_plan(folder)
    return [str(fault) for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("lon = 10", 'lon = "x"', "board.toml:projection: needs kind = "),
        ("west = 8.9", "", "board.toml:frame: needs west, east, south and north: km from the middle, or degrees with "),
        ("west = 8.9", "west = 18.9", "board.toml:frame: west must be less than east, south less than north"),
        ("frame", "window", "board.toml: 'frame' must be a table ([frame])"),
    ],
)
def test_a_projection_or_frame_that_is_none_is_a_fault(lake: Path, old: str, new: str, told: str) -> None:
    head = (lake / "board.toml").read_text()
    (lake / "board.toml").write_text("frame = 3\n" * (new == "window") + head.replace(old, new))
    assert any(fault.startswith(told) for fault in faults_of(lake))


def test_what_cannot_be_written_or_laid_out_is_one_line(
    tmp_path: Path, lake: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def told(*words: str, folder: Path = lake) -> str:
        assert main([str(folder), *words]) == 1
        return capsys.readouterr().err

    missing = told(folder=tmp_path)
    assert missing.startswith("board.toml: is missing") and "\nland.csv: the board has no provinces\n" in missing
    borders = (lake / "borders.csv").read_text()
    (lake / "borders.csv").write_text(borders + "est,zzzz,1,0\n")
    line = borders.count("\n") + 1
    assert told(*LAND) == f"borders.csv:{line}: no province 'zzzz'; add it to land.csv or sea.csv\n"
    assert told("--layout") == f"borders.csv:{line}: no province 'zzzz'; add it to land.csv or sea.csv\n"
    (lake / "borders.csv").write_text(borders)
    for name, words in (("layout.json", ("--layout",)), ("shapes.json", LAND)):
        (lake / name).unlink()
        (lake / name).mkdir()
        assert told(*words) == f"{lake / name}: Is a directory\n"
        (lake / name).rmdir()
    (lake / "shapes.json").write_text("{")
    assert told("--layout").count("\n") == 1
    (lake / "shapes.json").unlink()
    assert told("--layout") == f"{lake} has no shapes yet; leave --layout out to grow them\n"


def test_places_that_are_given_are_taken(lake: Path) -> None:
    (lake / "places.csv").write_text("id,what,point\ngre,nc,9.85 50.25\ngre,label,10 50\n")
    (lake / "links.csv").write_text(
        "a,b,kind,change,reason,draw\nwes,gre,army,add,the causeway,\ngre,wes,fleet,add,the causeway,bridge\n"
        "est,hig,army,remove,the fells have no pass,\nest,nor,fleet,remove,the mole,\nnor,hig,army,add,,bridge\n"
    )
    plan = read_plan(lake)
    shapes = grow(plan, read_land(LAKE / "land.geojson")).shapes
    at = {what: tuple(round(v, 1) for v in plan.places["gre", what]) for what in ("nc", "label")}
    great = shapes.provinces["gre"]
    assert (great.coasts["nc"], great.label) == (at["nc"], at["label"])
    # a way over water is a bridge and a closed border a barrier, if the row does not say; two that touch need no bridge
    kinds = {(link.a, link.b): link.kind for link in shapes.links}
    assert kinds == {("gre", "wes"): "bridge", ("est", "hig"): "barrier"}


def test_a_province_off_the_map_is_a_fault() -> None:
    plan = read_plan(LAKE)
    plan.land = [s if s.owner != "sou" else Seed("sou", 9000.0, 50.0, 0.0, s.place) for s in plan.land]
    with pytest.raises(PlanError, match="sou has no place on the map"):
        grow(plan, [])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "cannot be read as GeoJSON"),
        ("[]", "holds no polygons"),
        ('{"features": [1]}', "isn't a GeoJSON feature"),
        ('{"type": "x"}', "isn't a GeoJSON feature"),
    ],
)
def test_land_that_is_no_geojson_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    (tmp_path / "land.json").write_text(text)
    assert main([str(LAKE), "--land", str(tmp_path / "land.json")]) == 1
    assert message in capsys.readouterr().err


# The steps


def plan_of(tmp_path: Path, land: str, sea: str = "", **more: str) -> Plan:
    """A board of 200 by 200 km around 0 E 0 N, where a degree is 111.2 km."""
    (tmp_path / "board.toml").write_text(
        'name = "t"\ntitle = "T"\n[projection]\nkind = "laea"\nlon = 0\nlat = 0\n'
        "[frame]\nwest = -100\neast = 100\nsouth = -100\nnorth = 100\n[grow]\nislet = 20\nreach = 30\n"
    )
    (tmp_path / "land.csv").write_text("id,name,form,coasts,points\n" + land)
    (tmp_path / "sea.csv").write_text("id,name,points\n" + sea)
    for name, text in more.items():
        (tmp_path / f"{name}.csv").write_text(text)
    return read_plan(tmp_path)


def ground(*shapes: Polygon) -> list[list[np.ndarray]]:
    """Land given in km from the middle, as longitude and latitude."""
    degree = math.radians(1) * RADIUS
    return [[np.array(s.segmentize(10).exterior.coords) / degree] for s in shapes]


def test_a_piece_cut_off_from_its_point_goes_to_the_neighbor(tmp_path: Path) -> None:
    # a comb: two tongues of land joined at the bottom; A's point is in the left one and nearer to the tip of the right
    # one than B's
    comb = Polygon(
        [(-90, -90), (90, -90), (90, -60), (30, -60), (30, 80), (10, 80), (10, -60), (-10, -60), (-10, 80), (-90, 80)]
    )
    plan = plan_of(tmp_path, "aa,A,,single,-0.1 0.6\nbb,B,,single,0.6 -0.7\n", "ss,S,0 0.3; 0.7 0\n")
    parted = divide(plan, cut_ground(plan, ground(comb)))
    assert owner_at(parted.pieces, 20, 70) == "bb"
    assert sum(p.owner == "aa" for p in parted.pieces) == 1


def test_islands_without_a_point(tmp_path: Path) -> None:
    """Specks vanish; an island off a shore goes to it; one far out is scenery."""
    main_land = Polygon([(-90, -90), (-20, -90), (-20, 90), (-90, 90)])
    near, far, speck = box(-10, -10, 0, 0), box(60, 60, 75, 75), box(40, -40, 42, -38)
    plan = plan_of(tmp_path, "aa,A,,single,-0.5 0\n", "ss,S,0.4 0\n")
    pieces = divide(plan, cut_ground(plan, ground(main_land, near, far, speck))).pieces
    assert owner_at(pieces, -5, -5) == "aa"
    assert owner_at(pieces, 67, 67) == "~land"
    assert owner_at(pieces, 41, -39) == "ss"


def test_an_island_in_a_sea_that_its_shore_does_not_touch_is_scenery(tmp_path: Path) -> None:
    main_land = Polygon([(-90, -90), (-20, -90), (-20, 90), (-90, 90)])
    plan = plan_of(
        tmp_path, "aa,A,,single,-0.5 0\n", "ss,S,-0.15 0; -0.15 0.7; -0.15 -0.7\ntt,T,0.05 0; 0.05 0.7; 0.05 -0.7\n"
    )
    parted = divide(plan, cut_ground(plan, ground(main_land, box(0, -5, 8, 5))))
    assert owner_at(parted.pieces, 4, 0) == "~land"


def test_carving_opens_a_strait_and_makes_land(tmp_path: Path) -> None:
    plan = plan_of(
        tmp_path,
        "aa,A,,single,-0.4 0\nbb,B,,single,0.4 0\n",
        "ss,S,0 0.7\n",
        carve="kind,form,points,width\nwater,line,0 -1.5; 0 1.5,6\n"
        "land,area,-0.7 0.6; -0.6 0.6; -0.6 0.85; -0.7 0.85,\n",
    )
    grown = grow(plan, ground(box(-80, -95, 80, 70)))
    sound(grown.shapes)
    measured = contacts(grown.shapes)
    assert ("aa", "bb") not in measured
    assert measured["aa", "ss"] > 250


def test_circles_with_one_middle_are_told_and_points_off_the_land_do_nothing(tmp_path: Path) -> None:
    land = "aa,A,circle,,0 0 r20\nbb,B,circle,,0.5 0 r10\ncc,C,,single,-0.5 -0.5; 0.89 -0.89\n"
    plan = plan_of(tmp_path, land, "ss,S,0.8 0.8\n")
    (one,) = [seed for seed in plan.land if seed.owner == "aa"]
    plan.land = [Seed("bb", one.x, one.y, 10, s.place) if s.owner == "bb" else s for s in plan.land]
    far = Polygon([(3000, 3000), (3010, 3000), (3010, 3010)])
    told = [str(w) for w in divide(plan, cut_ground(plan, ground(box(-70, -70, 70, 70), far))).warnings]
    assert "land.csv: the circles of aa and bb have the same center; move one of them" in told
    (off,) = [text for text in told if "lies" in text]
    assert off.startswith("land.csv:4: a point of cc lies ") and off.endswith(
        " km from any land; move it, carve, or take another coastline (coastline in [grow], or --land)"
    )


def test_overlapping_circles_are_parted(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, "aa,A,circle,,0 0 r20\nbb,B,circle,,0.2 0 r20\ncc,C,,single,-0.5 -0.5\n", "ss,S,0.8 0.8\n")
    grown = grow(plan, ground(box(-80, -80, 80, 80)))
    sound(grown.shapes)
    measured = contacts(grown.shapes)
    apart = 0.2 * math.radians(1) * RADIUS
    assert measured["aa", "bb"] == pytest.approx(2 * math.sqrt(20**2 - (apart / 2) ** 2), rel=0.02)


def test_land_shut_in_between_circles_does_not_become_sea(tmp_path: Path) -> None:
    plan = plan_of(
        tmp_path,
        "aa,A,circle,,0 0 r21\nbb,B,circle,,0.36 0 r21\ncc,C,circle,,0.18 0.3 r21\ndd,D,,single,-0.5 -0.5\n",
        "ss,S,0.8 0.8\n",
    )
    grown = grow(plan, ground(box(-80, -80, 80, 80)))
    sound(grown.shapes)
    assert {pair for pair in contacts(grown.shapes) if "ss" in pair} == {("dd", "ss")}


def test_a_contact_too_short_to_count_shrinks_to_a_point(tmp_path: Path) -> None:
    # four points at the corners of a square, one a little off: two opposite lands would touch for a moment
    land = "aa,A,,,-0.4 0.4\nbb,B,,,0.4 0.42\ncc,C,,,0.4 -0.4\ndd,D,,,-0.4 -0.4\n"
    plan = plan_of(tmp_path, land, "ss,S,0 0.88\n")
    grown = grow(plan, ground(box(-95, -95, 95, 85)))
    sound(grown.shapes)
    assert {("aa", "cc"), ("bb", "dd")}.isdisjoint(contacts(grown.shapes))
    ends = [p for arc in grown.shapes.arcs for p in (arc[0], arc[-1])]
    assert max(ends.count(p) for p in ends) == 4
    plan.least = type(plan.least)(border=0.1)
    assert not {("aa", "cc"), ("bb", "dd")}.isdisjoint(contacts(grow(plan, ground(box(-95, -95, 95, 85))).shapes))


def test_points_outside_the_frame_work_on_what_is_inside(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, "aa,A,,single,0 0\n", "ss,S,0.8 0\ntt,T,-2 0\n")
    grown = grow(plan, ground(box(-20, -20, 20, 20)))
    assert contacts(grown.shapes)["ss", "tt"] > 100


def test_a_coast_without_a_sea_of_its_own_is_told_by_the_borders(tmp_path: Path) -> None:
    """A lies between two seas and touches the western one north and south of a peninsula P, as Spain does around
    Portugal."""
    land = "aa,A,,nc|sc,0.3 0\npp,P,,single,-0.3 0; -0.5 0\n"
    borders = "a,b,army,fleet\naa/nc,ww,0,1\naa/sc,ww,0,1\naa/sc,ee,0,1\n"
    plan = plan_of(
        tmp_path, land, "ww,W,-0.8 0; -0.5 0.6; -0.5 -0.6; 0 0.6; 0 -0.6\nee,E,0.8 -0.6; 0.6 -0.8\n", borders=borders
    )
    shape = grow(plan, ground(box(-60, -40, 60, 40))).shapes.provinces["aa"]
    assert shape.coasts["nc"][1] < 60  # above the land
    assert shape.coasts["sc"][0] > 100  # on the eastern sea


def test_the_projection_keeps_areas() -> None:
    flat = Laea(12, 52)
    for lon, lat in ((12.0, 52.0), (-20.0, 65.0), (40.0, 35.0)):
        d = 0.01
        square = np.array([[lon, lat], [lon + d, lat], [lon + d, lat + d], [lon, lat + d]])
        true = math.radians(d) * (math.sin(math.radians(lat + d)) - math.sin(math.radians(lat))) * RADIUS**2
        assert Polygon(flat.project(square)).area == pytest.approx(true, rel=1e-6)
    assert Frame(-10, -20, 30, 40).place(np.array([[-10.0, 40.0], [30.0, -20.0]])).tolist() == [[0, 0], [40, 60]]


def test_the_shipped_coastline_knows_land_from_sea() -> None:
    land = [Polygon(rings[0], rings[1:]) for rings in shipped_land("europe")]
    for lon, lat, dry in ((2.3, 48.9, True), (-0.1, 51.6, True), (3, 56, False), (18, 38, False), (29.0, 40.0, True)):
        assert any(p.contains(Point(lon, lat)) for p in land) == dry


def test_packing_is_deterministic_and_close() -> None:
    packed = pack(LAKE / "land.geojson")
    assert packed == pack(LAKE / "land.geojson")
    given = shapely.union_all([Polygon(r[0], r[1:]) for r in read_land(LAKE / "land.geojson")])
    kept = shapely.union_all([Polygon(r[0], r[1:]) for r in unpack(packed)])
    assert given.boundary.hausdorff_distance(kept.boundary) < 0.003


def test_the_coastline_of_the_package_is_packed_by_a_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    islands = [[[[0, 0], [1, 0], [1, 1], [0, 0]]], [[[5, 5], [6, 5], [6, 6], [5, 5]]]]
    land = tmp_path / "land.geojson"
    land.write_text(json.dumps({"type": "MultiPolygon", "coordinates": islands}))
    monkeypatch.setattr(sys, "argv", ["coastline", str(land), "-o", str(tmp_path / "land.json.gz")])
    pack_land()
    kept = [Polygon(rings[0]) for rings in unpack((tmp_path / "land.json.gz").read_bytes())]
    assert sorted(round(p.area, 2) for p in kept) == [0.5, 0.5]
    land.write_text("[]")
    with pytest.raises(SystemExit):
        pack_land()
    assert "holds no polygons" in capsys.readouterr().err


def test_without_the_geometry_libraries_one_line_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "shapely.py").write_text("raise ImportError('no shapely here')")
    command = [sys.executable, "-m", "legation.atlas.grow", str(LAKE)]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == "growing needs the geometry libraries (no shapely here): pip install 'legation[authoring]'\n"


def test_a_border_keeps_clear_of_the_coast_and_of_islands(tmp_path: Path) -> None:
    # inlets end half a kilometer beside the line between A and B, and islands lie strewn along the line at sea
    degree = math.radians(1) * RADIUS
    coast = box(-90, -90, 90, 20)
    for x in range(-80, 81, 20):
        coast = coast.difference(box(x, -0.5 * degree + 0.5, x + 2, 30))
    skerries = [box(x, 0.5 * degree - 3, x + 6, 0.5 * degree + 3) for x in range(-80, 81, 20)]
    plan = plan_of(tmp_path, "aa,A,,single,0 -0.3\nbb,B,,single,0 -0.7\n", "ss,S,0 0.3\ntt,T,0 0.7\n")
    free = grow(plan, ground(box(-90, -90, 90, 20))).shapes
    (bent,) = [a for a, beside in zip(free.arcs, sides(free), strict=True) if set(beside) == {"aa", "bb"}]
    assert max(abs(y - (100 + 0.5 * degree)) for _, y in bent) > 0.6, "left to itself it strays into the inlets"
    sound(grow(plan, ground(coast, *skerries)).shapes)


def test_a_province_within_another_is_rounded(tmp_path: Path) -> None:
    """A line without ends has no fixed point: an inner province keeps no corner of the partition."""
    land = "aa,A,,,0 0\nbb,B,,,0 0.3; 0.3 0; 0 -0.3; -0.3 0; 0.6 0.6\n"
    shapes = grow(plan_of(tmp_path, land, "ss,S,0 0.88\n"), ground(box(-95, -95, 95, 85))).shapes
    sound(shapes)
    (ring,) = [arc for arc, beside in zip(shapes.arcs, sides(shapes), strict=True) if "aa" in beside]
    half = 0.15 * math.radians(1) * RADIUS  # the partition gives a square of this half width
    assert max(math.dist((100, 100), p) for p in ring) < 1.3 * half


def test_seas_of_areas_have_their_contacts_written_and_warnings_are_printed(
    lake: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (lake / "sea.csv").write_text(
        "id,name,area,kind,points\nupp,Upper Water,Lake,primary,9.85 50.25\n"
        "low,Lower Water,Lake,local,9.9 49.8; 10.45 49.5\n"
    )
    assert main([str(lake), *LAND, "--borders"]) == 0
    assert "sea.csv:3: a point of low lies " in capsys.readouterr().err
    assert {tuple(row.values()) for row in rows(lake, "touching")} >= {("est", "low"), ("low", "upp")}


def test_a_pond_goes_to_the_nearest_sea_and_land_of_nobody_stays_so(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, "aa,A,,single,0 0.3\n", "ss,S,0.8 0\n", void="id,kind,points\nwaste,land,0 -0.4\n")
    shore = np.array(box(-60, -60, 60, 60).segmentize(10).exterior.coords)
    pond = np.array(box(20, 20, 50, 50).segmentize(10).exterior.coords)
    degree = math.radians(1) * RADIUS
    parted = divide(plan, cut_ground(plan, [[shore / degree, pond / degree], *ground(box(80, 80, 90, 90))]))
    assert (owner_at(parted.pieces, 35, 35), owner_at(parted.pieces, 0, -50)) == ("ss", "~land")


def test_a_coast_that_no_sea_of_its_own_washes_has_no_place(tmp_path: Path) -> None:
    seas = "id,coast,seas\naa,nc,ss\naa,sc,tt\n"
    land = "aa,A,,nc|sc,0 0.4\nbb,B,,single,0 -0.4\n"
    plan = plan_of(tmp_path, land, "ss,S,0 0.85\ntt,T,0 -0.85\n", seas_of_coasts=seas)
    shape = grow(plan, ground(box(-99, -60, 99, 60))).shapes.provinces["aa"]
    assert list(shape.coasts) == ["nc"]


# Lines that may not be moved as wished


def frame_of(width: float) -> Plan:
    return cast("Plan", SimpleNamespace(frame=Frame(0, 0, width, width), detail=0.1, roughness=0.1))


OLD: Line = [(100, 100), (300, 100)]


@pytest.mark.parametrize(
    ("new", "others", "fits"),
    [
        ([(100, 100), (200, 130), (300, 100)], [], True),
        ([(100, 100)], [], False),
        ([(100, 100), (200, 130), (300, 110)], [], False),
        ([(100, 100), (200, 130), (100, 100)], [], False),
        ([(100, 100), (250, 130), (250, 90), (150, 130), (300, 100)], [], False),  # crosses itself
        ([(100, 100), (200, -10), (300, 100)], [], False),  # leaves the map
        ([(100, 100), (200, 130), (300, 100)], [[(200, 110), (210, 110)]], False),  # sweeps over another
        ([(100, 100), (200, 130), (300, 100)], [[(300, 100), (400, 100)]], True),  # which goes on where it ends
        ([(100, 100), (200, 130), (300, 100)], [[(100, 100), (300, 100)]], False),  # runs along another
    ],
)
def test_a_line_is_replaced_only_where_nothing_is_in_the_way(new: Line, others: list[Line], fits: bool) -> None:
    assert _fits(OLD, new, [LineString(line) for line in others], frame_of(100)) is fits


def test_a_line_too_short_to_be_drawn_anew_stays_and_narrow_waters_keep_near_theirs() -> None:
    short = Arc([(100, 100), (101, 101)], "aa", "bb")
    assert _natural(short, "land", 1.0, frame_of(100)) == short.line
    bent = Arc([(100 + 10 * i, 100 + 20 * (i % 2)) for i in range(41)], "ss", "tt")
    strays = {
        share: LineString(_natural(bent, "sea", share, frame_of(100))).hausdorff_distance(LineString(bent.line))
        for share in (1.0, 0.5, 0.0)
    }
    assert strays[1.0] > strays[0.5] >= strays[0.0] > 0


def test_a_contact_between_fixed_ends_or_with_something_in_the_way_stays() -> None:
    def least(a: str, b: str) -> float:
        return 0.0 if "coast" in (a, b) else 2.0

    contact = Arc([(100, 100), (110, 100)], "aa", "bb")

    def bundle(*kinds: tuple[str, str]) -> list[Arc]:
        here, there = (100, 100), (110, 100)
        ends: list[Line] = [[(0, 0), here], [(0, 200), here], [there, (210, 0)], [there, (210, 200)]]
        return [contact, *(Arc(line, *kind) for line, kind in zip(ends, kinds, strict=True))]

    soft, firm = ("cc", "dd"), ("cc", "coast")
    assert contact not in _contract(bundle(soft, soft, soft, soft), least)
    assert contact not in _contract(bundle(firm, soft, soft, soft), least)
    assert contact in _contract(bundle(firm, soft, firm, soft), least)
    wall = Arc([(104, 90), (104, 99), (106, 99), (106, 90)], "ee", "coast")
    across = Arc([(106, 101), (112, 101), (112, 110), (106, 110)], "ee", "coast")
    assert contact in _contract([*bundle(firm, soft, soft, soft), wall, across], least)
    crossing = Arc([(110, 100), (130, 110), (112, 109), (112, 102)], "cc", "dd")  # would cross itself
    assert contact in _contract([*bundle(firm, soft, soft, soft), crossing], least)
    ring = Arc([(100, 100), (110, 100)], "cc", "dd")  # beside the contact: nothing of it would be left
    assert contact in _contract([*bundle(firm, soft, soft, soft), ring], least)


def test_a_province_hardly_there_has_its_places_at_one_spot() -> None:
    body = Polygon([(0, 0), (0.05, 0), (0, 0.05)])
    (spot,) = _raster(body)
    assert body.contains(Point(spot))
    label, unit, center = _arrange(body, Province(id="now", name="Nowhere"), 100.0)
    assert all(body.contains(Point(at)) for at in (label[0], unit, center))


def test_points_above_each_other_make_no_curve() -> None:
    assert _parabola([(3.0, 1.0), (3.0, 2.0), (3.0, 5.0)]) is None
    assert _parabola([(0.0, 1.0), (1.0, 2.0), (2.0, 5.0)]) == pytest.approx((1, 0, 1))


def test_an_inlet_that_was_cut_off_belongs_to_the_sea_beside_it_and_a_lake_to_none(tmp_path: Path) -> None:
    """Not to the sea whose point is nearest, which may lie behind the land."""
    main_land = Polygon([(-100, -90), (100, -90), (100, 0), (-100, 0)])
    inlet, lake = box(-60, -25, -50, -15), box(40, -50, 50, -40)
    dry = main_land.difference(shapely.union_all([inlet, lake]))
    plan = plan_of(tmp_path, "aa,A,,single,0 -0.3\n", "nn,N,-0.6 0.8\nss,S,-0.5 -0.86\n")
    placed = shapely.transform(dry, lambda at: np.column_stack([at[:, 0] + 100, 100 - at[:, 1]]))
    pieces = divide(plan, placed).pieces
    assert (owner_at(pieces, -55, -20), owner_at(pieces, 45, -45)) == ("nn", "~water")
