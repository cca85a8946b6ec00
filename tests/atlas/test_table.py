"""The drawing table: a document is the files of a folder, and what is grown of it is what the commands make."""

import copy
import re
import shutil
import tomllib
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import msgspec
import numpy as np
import pytest

from legation.atlas.grow.__main__ import main
from legation.atlas.grow.coastline import find_land, shipped_land
from legation.atlas.grow.ground import cut_ground, draw_land
from legation.atlas.grow.plan import read_plan, read_unfinished_plan
from legation.atlas.grow.projection import RADIUS, EqualEarth, Frame, Laea
from legation.atlas.table import answering
from legation.atlas.table.answering import answer, grown_files
from legation.atlas.table.document import (
    TableDocument,
    TableDocumentError,
    document_of,
    files_of,
    read_document,
    read_files,
    write_files,
)
from legation.atlas.table.starting import (
    PlaneStart,
    Region,
    described_templates,
    from_folder,
    from_plane,
    from_region,
    from_template,
    from_variant,
    template_registry,
    templates,
    world_map,
)
from legation.board.files import BoardFiles
from legation.board.folders import TextFolder
from legation.board.toml_text import toml_document
from legation.variants import USUAL, Registry, find_boards
from legation.variants import names as variant_names
from legation.variants.packages import About, Package, collect, install
from tests.board.folders import LAKE


def lake() -> dict[str, Any]:
    """The example of the manual as a document, without its borders: those follow from the picture."""
    document: dict[str, Any] = msgspec.to_builtins(from_folder(LAKE))
    del document["board"]["borders"]
    document["borders"] = "picture"
    return document


# Documents and files


@pytest.mark.parametrize("name", sorted(find_boards()))
def test_a_board_comes_back_from_its_files_as_it_was(name: str) -> None:
    document = from_folder(find_boards()[name])
    again, faults = read_files(write_files(document))
    assert (again, faults) == (document, [])
    assert document.borders == "stated" and len(document.board["land"]) > 20


@pytest.mark.parametrize("name", variant_names())
def test_a_variant_is_written_as_it_is_read(name: str) -> None:
    facts = USUAL.facts(name)
    assert tomllib.loads(toml_document(facts)) == facts


def test_what_no_cell_can_hold_is_made_fit_and_strange_cells_are_kept(tmp_path: Path) -> None:
    land = [{"id": "aa", "name": 'Two\nlines, and a "quote"', "points": "1 2", "colour": "red", "center": True}]
    texts = files_of({"board": {"name": "b", "title": "ß", "land": land}, "variant": {"title": "T"}})
    assert texts["land.csv"] == 'id,name,center,points,colour\naa,"Two lines, and a ""quote""",1,1 2,red\n'
    assert tomllib.loads(texts["b.toml"]) == {"title": "T", "board": "b"}
    back = document_of(texts)
    assert back["document"]["variant"] == {"title": "T", "board": "b"}
    assert [f["place"] for f in back["findings"]] == ["land.csv:1"]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "a document"),
        ({"board": {"land": {}}}, "the table land isn't a list of rows"),
        ({"board": {"sea": [{}] * 7000}}, "7000 rows"),
        ({"board": {"land": [{"id": "x" * 30_000}]}}, "more than 20000 characters"),
        ({"editions": {"../up": {}}}, "an edition cannot be called '../up'"),
        ({"files": {"../../etc/x.json": ""}}, "cannot be called"),
        ({"files": {"shapes.json": "{}"}}, "cannot be called 'shapes.json'"),
        ({"files": {"land.csv": ""}}, "cannot be called 'land.csv'"),
        ({"files": {"rules.py": ""}}, "cannot be called 'rules.py'"),
    ],
)
def test_what_is_no_document_is_refused_in_a_sentence(value: object, message: str) -> None:
    with pytest.raises(TableDocumentError, match=message):
        read_document(value)


def test_nesting_without_end_is_refused() -> None:
    deep: dict[str, Any] = {}
    for _ in range(60):
        deep = {"a": deep}
    for document in ({"board": deep}, {"variant": {"title": [[[[[[[[[[[1]]]]]]]]]]]}}):
        with pytest.raises(TableDocumentError, match="nested too deeply"):
            files_of(document)


# Growing


def test_what_is_grown_is_what_the_command_makes_byte_for_byte(tmp_path: Path) -> None:
    shutil.copytree(LAKE, tmp_path, dirs_exist_ok=True)
    assert main([str(tmp_path), "--borders"]) == 0
    made = answer(lake(), "full")
    assert made["findings"] == []
    assert made["files"].keys() == {"shapes.json", "layout.json", "borders.csv"}
    for name, text in made["files"].items():
        assert text == (tmp_path / name).read_text(encoding="utf-8"), name
    assert "data-at" in made["drawn"]["svg"] and made["drawn"]["scale"] > 0
    assert grown_files(lake()).keys() >= {"board.toml", "shapes.json", "land.geojson"}


def test_a_coarse_growth_shows_the_same_board() -> None:
    document = lake()
    coarse, whole = answer(document, "coarse"), answer(document, "full")
    assert "files" not in coarse and "drawn" not in coarse
    borders = [{(b["a"], b["b"], b["army"], b["fleet"]) for b in made["borders"]} for made in (coarse, whole)]
    assert borders[0] == borders[1]
    why = {(b["a"], b["b"]): b["why"] for b in coarse["borders"]}
    assert why["gre", "wes"] == "the causeway"
    assert why["for", "wes"].endswith("km of common border; both on Lower Water")
    (closed,) = coarse["near"]
    assert (closed["a"], closed["b"], closed["why"], closed["kind"]) == ("est", "hig", "the fells have no pass", "land")
    fewer, more = (sum(len(p["path"]) for p in made["provinces"].values()) for made in (coarse, whole))
    assert fewer < more
    shores = whole["shores"]["gre"]
    assert [stretch["seas"] for stretch in shores] == [["low", "upp"]]  # an island: its shore is one


def test_the_table_of_borders_is_kept_where_it_is_stated() -> None:
    document: dict[str, Any] = msgspec.to_builtins(from_folder(LAKE))
    assert document["borders"] == "stated"
    document["board"]["borders"] = [row for row in document["board"]["borders"] if row != {"a": "for", "b": "sou"}][3:]
    made = answer(document, "coarse")
    told = {(f["level"], f["table"], tuple(f["provinces"])) for f in made["findings"]}
    assert ("difference", "borders", ("est", "low")) in told
    (place,) = [f["at"] for f in made["findings"] if f["provinces"] == ["est", "low"]]
    assert 100 < place[0] < 150


def test_an_unfinished_board_is_grown_as_far_as_it_goes() -> None:
    document = lake()
    document["board"]["land"] += [
        {"id": "far", "name": "Faraway", "points": "11.9 50.9"},
        {"id": "non", "name": "Nowhere"},
        {"id": "twi", "name": "Twin", "points": "9.15 50.1"},
    ]
    document["board"]["links"].append({"a": "far", "b": "xyz", "kind": "army", "change": "add", "draw": "bridge"})
    document["board"]["seas_of_coasts"].append({"id": "gre", "coast": "north", "seas": "xyz"})
    made = answer(document, "full")
    assert made["provinces"].keys() == {row["id"] for t in ("land", "sea") for row in lake()["board"][t]}
    told = {(f["place"], tuple(f["provinces"])) for f in made["findings"] if f["level"] == "fault"}
    assert {("land.csv:11", ("non",)), ("land.csv:12", ("twi", "wes"))} <= told
    assert any(place == "links.csv:4" for place, _ in told)
    assert "drawn" not in made and "shapes.json" not in made["files"]


def test_what_the_linter_and_the_plan_both_find_is_told_once() -> None:
    document = lake()
    next(row for row in document["board"]["land"] if row["id"] == "hig")["form"] = "circle"
    told = [finding["text"] for finding in answer(document, "full")["findings"]]
    assert told == ["a circle has one point with its radius in km: '-1.3 52.7 r4'"]


@pytest.mark.parametrize("stage", ["coarse", "full"])
def test_a_board_without_a_province_shows_its_coast(stage: str) -> None:
    made = answer(msgspec.to_builtins(from_region(Region(west=-78, south=16, east=-65, north=21))), stage)
    assert made["provinces"] == {} and {scene["kind"] for scene in made["scenery"]} == {"land", "water"}
    assert len(made["scenery"]) > 4


@pytest.mark.long
def test_what_is_kept_of_earlier_growths_changes_no_later_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Land is drawn once for all that is carved from it or laid over it, and anew for another frame, grain or place."""
    caribbean = msgspec.to_builtins(from_region(Region(west=-78, south=16, east=-65, north=21)))
    beside = msgspec.to_builtins(from_region(Region(west=-86, south=16, east=-73, north=21)))
    carved, framed, laid, narrower = (copy.deepcopy(caribbean) for _ in range(4))
    narrower["board"]["frame"]["west"] += 3
    carved["board"]["carve"] = [{"kind": "water", "form": "line", "width": "30", "points": "-72 18;-72 20"}]
    framed["board"]["insets"] = [{"title": "A corner", "at": "-77 20.5", "window": "-73 19; -72 20", "scale": "1.2"}]
    laid["board"]["insets"] = [{"title": "Beyond", "at": "-77 20.5", "window": "-62 14; -61 15", "scale": "1"}]
    documents = [caribbean, carved, framed, laid, narrower, beside]
    alone = []

    def forget() -> None:
        for latest in (answering._lands, answering._drawn_lands, answering._grounds):
            latest.kept.clear()

    for document in documents:
        forget()
        alone.append(answer(document, "coarse"))
    draw = Mock(side_effect=draw_land)
    monkeypatch.setattr(answering, "draw_land", draw)
    forget()
    assert [answer(document, "coarse") for document in documents] == alone
    assert len({str(one["scenery"]) + str(one["insets"]) for one in alone}) == len(documents)
    assert draw.call_count == 4  # the map, what lies beyond it, and the other two maps


def lake_variant(unit: str, **more: str) -> dict[str, Any]:
    """A variant of two powers on the example of the manual; the first begins with a unit."""
    facts = {"title": "Lake", "rules_of": "standard", "rules": {"solo": {"centers": 3}}, **more}
    north = {"name": "North", "homes": ["nor"], "units": [unit]}
    return {**facts, "powers": [north, {"name": "South", "homes": ["sou"], "units": ["A sou"]}]}


def test_a_variant_on_the_table_is_tried_and_drawn() -> None:
    editions = {"two": lake_variant("F hig")}
    made = answer({**lake(), "variant": lake_variant("F nor"), "editions": editions}, "full")
    assert 'data-at="nor"' in made["drawn"]["state"]
    assert [f["place"] for f in made["findings"]] == ["two.toml"] and "hig" in made["findings"][0]["text"]


def test_an_edition_is_drawn_in_another_language() -> None:
    document = {**lake(), "variant": lake_variant("F nor"), "editions": {"late": lake_variant("A nor", title="Late")}}
    document["board"]["names"] = [{"id": "nor", "language": "de", "name": "Nordland"}]
    plain = answer(document, "full")
    late = answer({**document, "shown": "late", "language": "de"}, "full")
    assert plain["findings"] == late["findings"] == []
    assert plain["files"] == late["files"]  # what is kept is the board's own
    assert 'data-name="Nordland"' in late["drawn"]["svg"] and 'data-name="Norland"' in plain["drawn"]["svg"]
    army, fleet = (re.search('<g[^>]*data-at="nor"[^>]*>', made["drawn"]["state"]) for made in (late, plain))
    assert army is not None and fleet is not None and army[0] == fleet[0]  # symbols stand where they did
    assert late["drawn"]["state"] != plain["drawn"]["state"]
    files = grown_files({**document, "shown": "late"})
    assert "late.toml" in files and "lake.toml" not in files
    assert {"late.toml", "lake.toml", "names.csv"} <= grown_files(document, every=True).keys()


def test_a_plane_has_land_where_it_is_drawn() -> None:
    document = from_plane(PlaneStart(width=400, height=300))
    document.board |= {
        "carve": [{"kind": "land", "form": "area", "points": "50 50; 350 60; 340 250; 60 240"}],
        "land": [
            {"id": "wst", "name": "West", "points": "100 150"},
            {"id": "est", "name": "East", "points": "300 150"},
        ],
        "sea": [{"id": "sea", "name": "The Sea", "points": "10 10"}],
    }
    made = answer(msgspec.to_builtins(document), "full")
    assert made["provinces"]["wst"]["area"] > 20_000
    assert {(b["a"], b["b"]) for b in made["borders"]} == {("est", "wst")}
    assert {n["why"] for n in made["near"]} == {"West is inland; give it a coast", "East is inland; give it a coast"}
    document.board["land"][0]["points"] = "100 90000"
    findings = answer(msgspec.to_builtins(document), "coarse")["findings"]
    assert "is not 'x y' in km" in next(f["text"] for f in findings if f["place"] == "land.csv:2")


# Lines and boxes


def test_a_border_follows_a_line_and_is_closed_by_it() -> None:
    document = lake()
    plain = {(b["a"], b["b"]): b for b in answer(document, "full")["borders"]}
    fells = {"kind": "mountains", "points": "10.6 50.6; 10.75 50.45; 10.75 50.3; 10.85 50.2"}
    document["board"]["lines"] = [fells]
    followed = answer(document, "full")
    (border,) = [b for b in followed["borders"] if (b["a"], b["b"]) == ("hig", "nor")]
    assert border["army"] and border["path"] != plain["hig", "nor"]["path"]
    (drawn,) = [link for link in followed["links"] if link["kind"] == "mountains"]
    assert sum(point in drawn["path"] for point in border["path"][1:].split("L")) > 5
    for stops, passes in (("fleet", True), ("army", False), ("both", False)):
        document["board"]["lines"] = [{**fells, "stops": stops}]
        made = answer(document, "full")
        assert (("hig", "nor") in {(b["a"], b["b"]) for b in made["borders"]}) is passes
        assert ("mountains" in {n["why"] for n in made["near"]}) is not passes
        assert [f["text"] for f in made["findings"] if f["level"] == "difference"] == []
    river = {"kind": "river", "points": "10.6 49.3; 10.5 49.5; 10.35 49.75"}
    document["board"]["lines"] = [river, {"kind": "moat", "points": "9 50"}, {**river, "points": "9 50"}]
    made = answer(document, "full")
    assert [f["place"] for f in made["findings"]] == ["lines.csv:3", "lines.csv:4"]
    (drawn,) = [link for link in made["links"] if link["kind"] == "river"]
    assert {(b["a"], b["b"]) for b in made["borders"]} == plain.keys()  # within a province it parts nothing


def two_lands(west: str, east: str, ocean: str) -> dict[str, Any]:
    """An island on a plane with the points of its two lands."""
    document: dict[str, Any] = msgspec.to_builtins(from_plane(PlaneStart(width=400, height=300)))
    document["board"] |= {
        "carve": [{"kind": "land", "form": "area", "points": "20 20; 380 20; 380 280; 20 280"}],
        "land": [
            {"id": "wst", "name": "West", "points": west, "coasts": "single"},
            {"id": "est", "name": "East", "points": east, "coasts": "single"},
        ],
        "sea": [{"id": "oce", "name": "Ocean", "points": ocean}],
    }
    return document


def test_a_river_between_two_points_moves_the_border_to_itself() -> None:
    document = two_lands("100 150", "300 150", "5 5")
    even = answer(document, "full")["provinces"]
    assert abs(even["wst"]["area"] - even["est"]["area"]) < 2000
    document["board"]["lines"] = [{"kind": "border", "points": "120 0; 130 150; 120 300"}]
    made = answer(document, "full")
    assert made["findings"] == [] and made["links"] == []
    assert abs(made["provinces"]["wst"]["area"] - 106 * 260) < 1000


def test_points_that_come_to_one_spot_of_a_shore_are_no_crash() -> None:
    document = two_lands("100 150; 16 16", "300 150; 15 15", "200 5")  # both come to the corner
    made = answer(document, "coarse")
    assert made["provinces"].keys() == {"wst", "est", "oce"}
    assert made["provinces"]["wst"]["area"] == pytest.approx(made["provinces"]["est"]["area"], rel=0.1)


def test_a_box_has_the_borders_that_are_declared_and_no_others() -> None:
    document = lake()
    corners = "8.95 49.95; 9.25 49.75"
    document["board"]["sea"].append({"id": "oce", "name": "Far Ocean", "form": "box", "points": corners})
    link = {"a": "oce", "b": "low", "kind": "fleet", "change": "add", "reason": "the long voyage"}
    document["board"]["links"].append(link)
    for stage in ("coarse", "full"):
        made = answer(document, stage)
        assert made["findings"] == []
        (border,) = [b for b in made["borders"] if "oce" in (b["a"], b["b"])]
        assert (border["a"], border["b"], border["kind"]) == ("low", "oce", "link")
        left, top, right, bottom = made["provinces"]["oce"]["box"]
        assert made["provinces"]["oce"]["area"] == pytest.approx((right - left) * (bottom - top), rel=0.01)
        assert not [n for n in made["near"] if "oce" in (n["a"], n["b"])]
    for points in ("9 50", "9 50; 9 50", "30 50; 31 51"):
        document["board"]["sea"][-1]["points"] = points
        assert any("opposite corners" in f["text"] for f in answer(document, "coarse")["findings"]), points


# The world


def test_places_come_back_from_every_projection() -> None:
    spots = np.array([[-120.0, 40.0], [10.0, -33.0], [60.0, 5.0], [-30.0, 80.0]])
    for projection in (Laea(-40, 20), EqualEarth(-20)):
        assert np.allclose(projection.unproject(projection.project(spots)), spots, atol=1e-6)
    whole = EqualEarth(0).project(np.array([[180.0, 0.0], [0.0, 90.0]]))
    assert np.allclose(whole / RADIUS, [[2.7066, 0], [0, 1.3173]], atol=1e-3)  # the figures of its authors


@pytest.mark.parametrize(
    ("projection", "frame", "share"),
    [
        (Laea(178, -17), Frame(-900, -700, 900, 700), (0.004, 0.02)),  # Fiji lies across the date line
        (Laea(0, -90), Frame(-4500, -4500, 4500, 4500), (0.13, 0.19)),  # Antarctica round its pole
        pytest.param(Laea(0, 90), Frame(-3000, -3000, 3000, 3000), (0.4, 0.6), marks=pytest.mark.long),
        pytest.param(EqualEarth(-160), Frame(-17300, -7200, 17300, 8400), (0.24, 0.30), marks=pytest.mark.long),
    ],
)
def test_the_world_is_whole_wherever_the_map_is_cut(
    projection: Laea | EqualEarth, frame: Frame, share: tuple[float, float]
) -> None:
    plan = read_plan(LAKE)
    plan.projection, plan.frame, plan.coastline, plan.detail = projection, frame, "world-50m", 20.0
    ground = cut_ground(plan, shipped_land("world-50m"))
    assert ground.is_valid
    assert share[0] < ground.area / (frame.width * frame.height) < share[1]


def test_a_region_has_the_projection_and_coastline_of_its_size() -> None:
    fiji = from_region(Region(west=174, south=-22, east=-176, north=-12)).board
    assert fiji["projection"] == {"kind": "laea", "lon": 179, "lat": -17} and fiji["grow"]["coastline"] == "world-10m"
    assert fiji["frame"]["west"] == 174 and fiji["frame"]["east"] == 184
    world = from_region(Region(west=-170, south=-58, east=190, north=84)).board
    assert world["projection"]["kind"] == "equal-earth" and world["grow"]["coastline"] == "world-50m"
    assert world["grow"]["least_border"] > 10 * fiji["grow"]["least_border"]
    for wrong in (Region(west=0, south=5, east=1, north=5), Region(west=500, south=0, east=501, north=1)):
        with pytest.raises(TableDocumentError):
            from_region(wrong)
    assert world_map()["path"].count("M") > 100


@pytest.mark.long
def test_a_copied_variant_grows_into_what_it_was() -> None:
    document = from_variant("hundred", USUAL)
    assert document.name == document.variant["board"] == "my-hundred"
    assert document.variant["title"] == f"My {USUAL.load('hundred').title}"
    made = answer(msgspec.to_builtins(document), "full")
    assert made["findings"] == []
    shapes = (find_boards()["hundred"] / "shapes.json").read_text(encoding="utf-8")
    assert made["files"]["shapes.json"] == shapes
    assert 'data-at="par"' in made["drawn"]["state"]


def test_a_copied_variant_brings_its_notes_in_every_language(tmp_path: Path) -> None:
    files = collect(template_registry(), "free-city") | {"free-city/notes.de.md": "Neu gezeichnet."}
    install(Package(About(name="free-city"), files), tmp_path)
    document = from_variant("free-city", Registry(tmp_path, installed=False))
    written = files_of(msgspec.to_builtins(document))
    assert written["notes.de.md"] == "Neu gezeichnet."
    assert document_of(written)["document"]["files"] == document.files


def test_a_board_names_no_file_outside_its_folder(tmp_path: Path) -> None:
    """A pack that brings nothing to be run would else show whoever begins with its variant any file of the machine."""
    (tmp_path / "key.json").write_text('{"private": "key"}', encoding="utf-8")
    files = collect(template_registry(), "free-city")
    for coastline in (f"{tmp_path}/key.json", "../../key.json", "x/../../../key.json"):
        head = re.sub("coastline = .*", f'coastline = "{coastline}"', files["free-city/board.toml"])
        package = Package(About(name="free-city"), {**files, "free-city/board.toml": head})
        install(package, tmp_path / "variants", replace=True)
        variants = Registry(tmp_path / "variants", installed=False)
        assert from_variant("free-city", variants).files == {}, coastline
        kept = variants.add_kept(variants.as_it_is("free-city"))
        assert from_variant(kept, variants).files == {}, coastline


def test_a_coastline_must_be_one(tmp_path: Path) -> None:
    document = lake()
    wrong = "coastline must be"
    for coastline, message in (("mars", wrong), ("../x.json", wrong), (["a.json"], wrong), ("no.json", "no.json")):
        changed = copy.deepcopy(document)
        changed["board"]["grow"]["coastline"] = coastline
        assert any(message in f["text"] for f in answer(changed, "coarse")["findings"]), coastline
    changed["board"] |= {"projection": {"kind": "plane"}, "grow": {"coastline": "europe"}}
    assert any("is on Earth" in f["text"] for f in answer(changed, "coarse")["findings"])
    assert find_land(tmp_path, "none") == []
    files = BoardFiles(TextFolder({"board.toml": '[projection]\nkind = "plane"'}))
    assert read_unfinished_plan(files).coastline == "none"
    assert TableDocument().name == TableDocument(board={"name": "board"}).name == "my-board"
    listed, _ = read_files({"board.toml": '[grow]\ncoastline = ["a.json"]', "a.json": "{}"})
    assert listed.files == {}


def test_coasts_follow_from_the_compass_where_the_picture_tells_them() -> None:
    document = lake()
    stated = document["board"].pop("seas_of_coasts")
    made = answer(document, "full")
    assert made["findings"] == []
    assert [(b["a"], b["b"]) for b in made["borders"] if "/" in b["a"]] == [("gre/nc", "upp"), ("gre/sc", "low")]
    assert made["provinces"]["gre"]["coasts"].keys() == {"nc", "sc"}
    document["board"]["land"][6]["coasts"] = "north|south|east"  # three coasts on two seas: somebody must say it
    told = [f for f in answer(document, "full")["findings"] if f["place"] == "land.csv:8"]
    assert any("add rows to seas_of_coasts.csv (gre,nc,..., gre,sc,..., gre,ec,...)" in f["text"] for f in told)
    assert stated


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow) if n in ("world", "spice-islands") else n for n in templates()]
)
def test_a_template_is_sound(name: str) -> None:
    document = from_template(name)
    made = answer(msgspec.to_builtins(document), "full")
    assert made["findings"] == []
    assert len(made["provinces"]) >= 30 and 'class="u' in made["drawn"]["state"]
    assert document.variant["board"] == name == document.name
    place = template_registry().folder_of(name)
    for file in ("shapes.json", "layout.json", "borders.csv"):  # what its small picture is drawn from
        assert made["files"][file] == place.joinpath(file).read_text(encoding="utf-8"), file


def test_the_templates_are_of_five_kinds() -> None:
    assert tuple(facts["name"] for facts in described_templates()) == templates()
    assert len(templates()) >= 5
    projections = {from_template(name).board["projection"]["kind"] for name in templates()}
    assert projections == {"laea", "equal-earth", "plane"}
