"""The toy board from every format: one board, the same powers and start, and a true report."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from shapely import Polygon, box

from legation.atlas import outlines
from legation.board import Travel, read_board
from legation.board.lint import lint
from legation.cli.linting import picture_faults
from legation.interop import ForeignFileError, Written, open_source, read_variants, report_text, write_variants
from legation.interop.drawing.shaped import land_of
from legation.interop.record import ForeignVariant, Nation, Place, StartingUnit
from legation.interop.settling import settle
from legation.position import Unit
from legation.variants import find_boards, load_file, shipped_board
from tests.interop import toy

BORDERS = {
    ("alp", "dun", True, False),
    ("bay", "cap", False, True),
    ("bay", "dun/nc", False, True),
    ("bay", "ode", False, True),
    ("cap", "dun", True, False),
    ("cap", "dun/nc", False, True),
    ("cap", "dun/sc", False, True),
    ("cap", "ode", False, True),
    ("dun/sc", "ode", False, True),
}


def brought(path: Path, out: Path, picture: bool = False) -> Written:
    [written] = write_variants(read_variants(open_source(path)), out, picture)
    return written


@pytest.mark.parametrize("kind", toy.FORMATS)
def test_one_board_from_every_format(kind: str, tmp_path: Path) -> None:
    written = brought(toy.write(tmp_path / "in", kind), tmp_path / "out")
    board = read_board(written.board)
    assert {(b.a, b.b, b.army, b.fleet) for b in board.borders} == BORDERS
    assert not any(b.one_way for b in board.borders)
    assert board.centers == ("alp", "dun", "cap")
    assert board.provinces["dun"].coasts == ("nc", "sc")
    rules = load_file(written.file)
    assert {p.name: p.homes for p in rules.powers.values()} == {
        "North": ("alp",),
        "South": ("cap",),
    } or kind == "njudge"
    assert {(u.kind, u.at) for u in rules.start} == {("A", "alp"), ("F", "cap")}
    assert dict(rules.start_owners) == {"alp": rules.start[0].power, "cap": rules.start[1].power}
    assert str(rules.first_turn()) == "Spring 1700 Movement"
    assert list(lint(written.board)) == []


@pytest.mark.parametrize(("kind", "origin"), [("jdip", "shapes"), ("webdiplomacy", "positions"), ("njudge", "borders")])
def test_each_kind_of_picture_agrees_with_the_borders(kind: str, origin: str, tmp_path: Path) -> None:
    written = brought(toy.write(tmp_path / "in", kind), tmp_path / "out", picture=True)
    assert written.origin == origin
    assert [*lint(written.board), *picture_faults(written.board)] == []
    assert (written.board / "layout.json").exists()


def test_what_is_not_taken_is_told_by_its_name(tmp_path: Path) -> None:
    path = toy.write(tmp_path, "dpjudge")
    path.write_text(
        path.read_text()
        + "RULE ORDER_ANY\nTEAMS NORTH-SOUTH\nRESERVES 2\nMISSPELT\nAMEND BAY ABUTS EI:ALP\nIN FALL: WATER CAP\n"
    )
    report = report_text(brought(path, tmp_path / "out"))
    for word in ("ORDER_ANY", "TEAMS", "RESERVES", "IN FALL"):
        assert word in report.partition("Not taken")[2], word


def test_lines_that_name_no_power_are_told(tmp_path: Path) -> None:
    path = toy.write(tmp_path, "dpjudge")
    path.write_text(path.read_text() + "VICTROY 7\n")
    written = brought(path, tmp_path / "out")
    assert "VICTROY 7: toy.map:23: neither a directive nor a power" in report_text(written).partition("Not taken")[2]
    assert list(load_file(written.file).powers) == ["North", "South"]


def test_a_border_in_one_direction_stays_one_way(tmp_path: Path) -> None:
    path = toy.write(tmp_path, "dpjudge")
    path.write_text(path.read_text().replace("WATER BAY    ABUTS CAP DUN/NC ODE", "WATER BAY    ABUTS CAP DUN/NC :ODE"))
    written = brought(path, tmp_path / "out", picture=True)
    board = read_board(written.board)
    assert "ode" not in board.reach("fleet", "bay")
    assert "bay" in board.reach("fleet", "ode")
    assert picture_faults(written.board) == []


def test_ports_convoy(tmp_path: Path) -> None:
    path = toy.write(tmp_path, "dpjudge")
    path.write_text(path.read_text().replace("COAST CAP ", "PORT CAP "))
    rules = load_file(brought(path, tmp_path / "out").file)
    assert rules.tables.convoying == {"bay", "ode", "cap"}


def test_impassable_provinces_are_off_the_board(tmp_path: Path) -> None:
    path = toy.write(tmp_path, "dpjudge")
    path.write_text(path.read_text() + "ROCK = roc\nSHUT ROC\n")
    written = brought(path, tmp_path / "out")
    assert "roc" not in read_board(written.board).provinces
    assert "SHUT roc" in report_text(written)


def test_two_variants_on_boards_that_differ_keep_both(tmp_path: Path) -> None:
    folder = toy.write(tmp_path / "in", "jdip")
    text = toy.VARIANTS_XML
    again = text[text.index(" <VARIANT ") : text.index("</VARIANTS>")].replace('"Toy"', '"Toy Two"')
    again = again.replace('<SUPPLYCENTER province="dun"/>', "")
    (folder / "variants.xml").write_text(text.replace("</VARIANTS>", again + "</VARIANTS>"))
    first, second = write_variants(read_variants(open_source(folder)), tmp_path / "out", picture=False)
    assert read_board(first.board).centers == ("alp", "dun", "cap")
    assert read_board(second.board).centers == ("alp", "cap")


def test_the_older_diplicity_format_has_no_borders_and_says_so(tmp_path: Path) -> None:
    file = tmp_path / "old.json"
    file.write_text(
        '{"id":"x","name":"X","nations":[{"name":"N","color":"#808080"}],"provinces":[{"id":"alp","name":"A","type":"land","supply_center":true}]}'
    )
    with pytest.raises(ForeignFileError, match="holds no borders"):
        read_variants(open_source(file))


def test_a_unit_without_its_coast_gets_one_and_that_is_told(tmp_path: Path) -> None:
    path = toy.write(tmp_path, "njudge")
    (tmp_path / "seed.toy").write_text("S1700M\nN: F Dunes\n-1\n-1\n")
    written = brought(path, tmp_path / "out")
    assert list(load_file(written.file).start) == [Unit("F", "dun/nc", load_file(written.file).start[0].power)]
    assert "no coast is named" in report_text(written)


def rules_of(path: Path, out: Path) -> dict[str, Any]:
    rules: dict[str, Any] = tomllib.loads(brought(path, out).file.read_text())["rules"]
    return rules


def test_borders_with_terms_of_the_dpjudge(tmp_path: Path) -> None:
    path = toy.write(tmp_path, "dpjudge")
    text = toy.JUDGE.replace("LAND  ALP    ABUTS dun", "LAND  ALP    ABUTS ~dun")
    text = text.replace("COAST CAP    ABUTS BAY ODE", "COAST CAP    ABUTS S:BAY ODE(ALP,CAP)")
    path.write_text(text)
    terms = rules_of(path, tmp_path / "out")["border_terms"]
    assert terms["weak"] == [{"from": "alp", "to": "dun"}]
    assert terms["closed"] == [
        {"from": "cap", "to": "ode", "owners": ["alp", "cap"]},
        {"from": "cap", "to": "bay", "except": ["South"]},
    ]


def test_borders_with_terms_of_jdip(tmp_path: Path) -> None:
    folder = toy.write(tmp_path / "in", "jdip")
    definitions = """<BORDER_DEFINITIONS>
      <BORDER id="ice" description="ice" season="fall" unitTypes="fleet" phase="movement"/>
      <BORDER id="river" description="a river" from="alp" baseMoveModifier="-1"/>
      <BORDER id="idle" description="nothing" from="alp"/>
    </BORDER_DEFINITIONS>"""
    text = toy.ADJACENCY_XML.replace("<PROVINCES>", f"<PROVINCES>{definitions}")
    text = text.replace('shortname="bay"', 'shortname="bay" borders="ice"')
    text = text.replace('shortname="dun"', 'shortname="dun" borders="river idle"')
    (folder / "toy_adjacency.xml").write_text(text)
    written = brought(folder, tmp_path / "out")
    terms = tomllib.loads(written.file.read_text())["rules"]["border_terms"]
    assert terms["closed"] == [{"to": "bay", "kinds": ["F"], "seasons": ["Fall"], "phases": ["Movement"]}]
    assert terms["weak"] == [{"from": "alp", "to": "dun"}]
    assert "forbids nothing" in report_text(written)


def test_borders_with_terms_of_njudge(tmp_path: Path) -> None:
    path = toy.write(tmp_path, "njudge")
    text = toy.NJUDGE.replace("Ocean,  w ode", "Ocean,  v ode").replace("alp-mv: dun", "alp-mv: dun/mx")
    path.write_text(text)
    terms = rules_of(path, tmp_path / "out")["border_terms"]
    assert terms["weak"] == [{"from": "alp", "to": "dun", "kinds": ["A"]}]
    assert {"to": "ode", "seasons": ["Fall"]} in terms["closed"]
    assert {"from": "ode", "to": "dun", "seasons": ["Fall"]} in terms["closed"]
    path.write_text(toy.NJUDGE.replace("alp-mv: dun", "alp-mv: dun/h").replace("cap-mv: dun", "cap-mv: dun/l"))
    terms = rules_of(path, tmp_path / "half")["border_terms"]
    assert {"from": "alp", "to": "dun"} in terms["half"]
    assert {"from": "cap", "to": "dun", "convoyed": True} in terms["half"]


def test_a_flow_of_years_with_adjustments_in_some(tmp_path: Path) -> None:
    path = toy.write(tmp_path, "dpjudge")
    flow = "FLOW\nFLOW YEAR:MOVEMENT,RETREATS IFYEARDIV:10=5 WINTER:ADJUSTMENTS NEWYEAR:5\n"
    path.write_text(toy.JUDGE.replace("BEGIN SPRING 1700", "BEGIN YEAR 1700") + flow.replace(" IFYEARDIV:10=5", ""))
    calendar = rules_of(path, tmp_path / "out")["calendar"]
    assert calendar["first"] == "Year 1700 Movement"
    assert calendar["cycle"] == ["Year Movement", "Year Retreats", "Winter Adjustments"]
    assert calendar["years"] == 5


def test_powers_that_nobody_plays(tmp_path: Path) -> None:
    path = toy.write(tmp_path, "dpjudge")
    path.write_text(toy.JUDGE + "DUMMY SOUTH\n")
    assert rules_of(path, tmp_path / "out")["passive_powers"] == {"powers": ["South"]}
    folder = toy.write(tmp_path / "php", "webdiplomacy")
    text = toy.PRE_GAME_PHP.replace("'South' =>", "'Neutral units' => array('Dun' => 'Army'),\n\t\t'South' =>")
    (folder / "classes/adjudicatorPreGame.php").write_text(text)
    assert rules_of(folder, tmp_path / "out2")["passive_powers"] == {"powers": ["Neutral"]}


def test_builds_and_endings_of_jdip(tmp_path: Path) -> None:
    folder = toy.write(tmp_path / "in", "jdip")
    options = '<RULEOPTIONS><RULEOPTION name="OPTION_BUILDS" value="VALUE_BUILDS_ANY_IF_HOME_OWNED"/></RULEOPTIONS>'
    text = toy.VARIANTS_XML.replace('  <POWER name="North"', f'  {options}<POWER name="North"')
    (folder / "variants.xml").write_text(text.replace('GAME_LENGTH value="35"', 'GAME_LENGTH value="9"'))
    rules = rules_of(folder, tmp_path / "out")
    assert rules["build_where"] == {"sites": "while home"}
    assert rules["year_limit"] == {"last": "Winter 1708 Adjustments"}


def test_an_end_by_most_centers(tmp_path: Path) -> None:
    document = toy.document()
    document["victoryConditions"] = [{"type": "timed-resolution", "year": 1720, "resolution": "most-supply-centers"}]
    (tmp_path / "toy.json").write_text(json.dumps(document))
    assert rules_of(tmp_path / "toy.json", tmp_path / "out")["most_centers"] == {"last": "Fall 1720 Adjustments"}


@pytest.mark.parametrize("kind", ["njudge", "jdip"])
def test_a_fleets_border_without_its_coast(kind: str, tmp_path: Path) -> None:
    path = toy.write(tmp_path / "in", kind)
    if kind == "njudge":
        path.write_text(toy.NJUDGE.replace("bay-xc: cap ode dun/nc", "bay-xc: cap ode dun"))
    else:
        (path / "toy_adjacency.xml").write_text(
            toy.ADJACENCY_XML.replace('refs="cap, ode, dun-nc"', 'refs="cap, ode, dun"')
        )
    board = read_board(brought(path, tmp_path / "out").board)
    assert {(b.a, b.b, b.army, b.fleet) for b in board.borders} == BORDERS


def test_without_the_geometry_libraries_there_is_no_picture_and_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [n for n in sys.modules if n.startswith(("shapely", "networkx", "legation.interop.drawing"))]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("shapely", "networkx"):
        monkeypatch.setitem(sys.modules, name, None)
    written = brought(toy.write(tmp_path / "in", "dpjudge"), tmp_path / "out", picture=True)
    assert "pip install" in report_text(written)
    assert not (written.board / "shapes.json").exists()
    assert lint(written.board) == []


def test_winning_by_listed_provinces(tmp_path: Path) -> None:
    document = toy.document()
    document["victoryConditions"] = [{"type": "province-control", "provinces": ["dun", "cap"], "year": 1710}]
    (tmp_path / "toy.json").write_text(json.dumps(document))
    rules = rules_of(tmp_path / "toy.json", tmp_path / "out")
    assert rules["held_centers"] == {"centers": ["dun", "cap"], "from_year": 1710}


def test_a_center_that_does_not_count_for_its_neighbor(tmp_path: Path) -> None:
    path = toy.write(tmp_path, "njudge")
    path.write_text(
        toy.NJUDGE.replace("#End of center ordering\n", "#End of center ordering\nHongKong\n N: dun\n#end\n")
    )
    assert [*rules_of(path, tmp_path / "out")["uncounted_centers"]["centers"].values()] == [["dun"]]


def test_seas_without_shapes_are_drawn_where_their_units_stand(tmp_path: Path) -> None:
    folder = toy.write(tmp_path / "in", "jdip")
    text = toy.SVG.replace('<path id="_bay"', '<path id="_x1"').replace('<path id="_ode"', '<path id="_x2"')
    spots = "".join(
        f'<jdipNS:PROVINCE name="{key}"><jdipNS:UNIT x="250" y="{y}"/></jdipNS:PROVINCE>'
        for key, y in (("bay", 60), ("ode", 240))
    )
    text = text.replace("</jdipNS:PROVINCE_DATA>", f"{spots}</jdipNS:PROVINCE_DATA>")
    text = text.replace(
        ' id="_cap" class="nopower" x="300" y="200" width="200"',
        ' id="_cap" class="nopower" x="300" y="200" width="150"',
    )
    text = text.replace('<g id="MapLayer"', '<g id="Frame"><path id="x3" d="M0,0 H400 V300 H0 Z"/></g><g id="MapLayer"')
    (folder / "toy.svg").write_text(text)
    written = brought(folder, tmp_path / "out", picture=True)
    assert written.origin == "shapes"
    assert picture_faults(written.board) == []


def test_positions_in_a_picture_of_godip(tmp_path: Path) -> None:
    from legation.interop.svg import picture_of_svg

    (tmp_path / "x.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg"><g id="provinces"><path id="alp" d="M0,0 H10 V10 H0 Z"/></g>'
        '<g id="province-centers"><circle id="alpCenter" cx="4" cy="6" r="2"/>'
        '<path id="dun/ncCenter" d="M20,20 h4 v4 h-4 z"/></g></svg>'
    )
    picture = picture_of_svg(open_source(tmp_path / "x.svg"), "x.svg")
    assert set(picture.shapes) == {"alp"}
    assert picture.units["alp"] == pytest.approx((4, 6), abs=0.1)
    assert picture.units["dun/nc"] == pytest.approx((22, 22))


def test_a_board_that_comes_with_legation_is_that_board(tmp_path: Path) -> None:
    folder = toy.write(tmp_path / "in", "dpjudge")
    folder.with_name("hundred.map").write_text(toy.judge_map("hundred", {"par": "pas", "orl": "orx"}))
    written = brought(folder.with_name("hundred.map"), tmp_path / "out")
    assert written.file.name == "hundred-dpjudge.toml"
    rules = load_file(written.file)
    assert rules.board.name == "hundred"
    assert rules.powers["France"].homes == ("par", "orl")
    assert str(rules.start[0]) == "A par"
    report = report_text(written)
    assert "is the board 'hundred' that comes with Legation" in report
    assert "orx is orl, pas is par" in report.partition("Not taken")[2]
    assert list((tmp_path / "out").iterdir()) == [written.file]


def test_another_board_of_a_name_that_is_taken_is_its_own(tmp_path: Path) -> None:
    path = toy.write(tmp_path / "in", "dpjudge").rename(tmp_path / "in/standard.map")
    written = brought(path, tmp_path / "out")
    assert written.file.name == "standard-dpjudge.toml"
    assert set(load_file(written.file).board.provinces) == {"alp", "dun", "cap", "bay", "ode"}


def test_what_is_not_sound_is_told_in_the_words_of_the_source(tmp_path: Path) -> None:
    map_file = toy.write(tmp_path / "in", "dpjudge")
    map_file.write_text(map_file.read_text().replace("SOUTH (SOUTHERN:S)", "@!"))
    with pytest.raises(ForeignFileError, match="the variant is not sound: power @!: name: ") as refused:
        write_variants(read_variants(open_source(map_file)), tmp_path / "out", picture=False)
    assert not any(".csv" in fault or ".toml" in fault for fault in refused.value.faults)


def test_one_bad_variant_of_a_package_does_not_take_the_others_with_it(tmp_path: Path) -> None:
    folder = toy.write(tmp_path / "in", "jdip")
    text = toy.VARIANTS_XML
    again = text[text.index(" <VARIANT ") : text.index("</VARIANTS>")].replace('"Toy"', '"Toy Two"')
    again = re.sub(r"<POWER [^>]*>", "", again)
    (folder / "variants.xml").write_text(text.replace("</VARIANTS>", again + "</VARIANTS>"))
    written = brought(folder, tmp_path / "out")
    assert "the variant Toy Two: refused" in report_text(written).partition("Not taken")[2]


def test_classes_are_told_by_what_they_change(tmp_path: Path) -> None:
    folder = toy.write(tmp_path / "in", "webdiplomacy")
    text = toy.VARIANT_PHP.replace("drawMap", "processMembers")
    text = text.replace("supplyCenterTarget = 2", "supplyCenterTarget = 1")
    (folder / "variant.php").write_text(text)
    winner = "<?php class ToyVariant_processMembers extends processMembers { function checkForWinner() { return 0; } }"
    (folder / "classes/processMembers.php").write_text(winner)
    report = report_text(brought(folder, tmp_path / "out"))
    assert "class processMembers: changes who wins, and with how many centers in checkForWinner" in report
    assert "class adjudicatorPreGame: the starting units of 2 countries" in report.partition("Not taken")[0]
    assert "1 are what a power has at the start" in report


def test_rules_of_the_dpjudge_become_rules_of_ours(tmp_path: Path) -> None:
    path = toy.write(tmp_path, "dpjudge")
    text = path.read_text().replace("(NORTHERN:N) ALP\n", "(NORTHERN:N) ALP *CAP @DUN(ALP)\nRESERVES 2\n")
    text = text.replace("(SOUTHERN:S) CAP\n", "(SOUTHERN:S) CAP\nMILITIA\n").replace("VICTORY 2", "VICTORY 3 2")
    path.write_text(text + "RULES HOLD_WIN NO_RETREAT GARRISON NO_UNITS_SEE BLIND\nNEWHOMES 1702\n")
    written = brought(path, tmp_path / "out")
    settings = {module.key: dict(module.settings) for module in load_file(written.file).modules}
    assert settings["solo_terms"] == {
        "centers": (3, 2),
        "hold": 2,
        "shared": False,
        "lead": 0,
        "allies": None,
        "counted": None,
    }
    assert "solo" not in settings
    assert settings["extra_units"] == {"reserves": {"North": 2}, "militia": ("South",), "garrison": True}
    assert settings["further_sites"] == {
        "always": None,
        "partisans": {"North": ("cap",)},
        "instead": None,
        "alternatives": {"North": {"dun": ("alp",)}},
    }
    assert settings["blind_game"] == {"places": "homes", "units": False, "others": "all", "owners": "seen"}
    assert settings["gained_homes"]["years"] == (1702,)
    assert "no_retreats" in settings
    assert "nothing; everything in the source has a counterpart" in report_text(written)


def test_further_rules_of_the_dpjudge(tmp_path: Path) -> None:
    path = toy.write(tmp_path, "dpjudge")
    text = path.read_text().replace("(NORTHERN:N) ALP\n", "(NORTHERN:N) ALP &DUN\n")
    text = text.replace("(SOUTHERN:S) CAP\n", "(SOUTHERN:S) CAP\nOWNS CAP SC!\n")
    names = "FRIENDLY_FIRE COASTAL_CRAWL WEAK_BOUNCES CD_BUILDS CD_SUPPORTS BLIND SEE_NO_UNITS SEE_ALL_SCS MOBILIZE"
    path.write_text(f"{text}RULES {names}\n")
    written = brought(path, tmp_path / "out")
    rules = load_file(written.file)
    settings = {module.key: dict(module.settings) for module in rules.modules}
    assert {"friendly_fire", "coastal_crawl", "weak_bounces", "mobilization"} <= settings.keys()
    assert settings["disorder"] == {"supports": True, "retreats": False, "builds": True}
    assert settings["blind_game"]["others"] == "none" and settings["blind_game"]["owners"] == "all"
    assert settings["mobilization"] == {"units": 1, "powers": {"South": 1}}
    assert settings["gained_homes"]["claims"] == {"North": ("dun",)}
    assert str(rules.first_turn()) == "Winter 1699 Adjustments"
    assert "nothing; everything in the source has a counterpart" in report_text(written)


@pytest.mark.parametrize(("year", "first"), [("-480", "Spring 480 Movement"), ("-20", "Spring 1 Movement")])
def test_years_before_christ_are_counted_down(year: str, first: str, tmp_path: Path) -> None:
    path = toy.write(tmp_path, "dpjudge")
    path.write_text(path.read_text().replace("BEGIN SPRING 1700", f"BEGIN SPRING {year}"))
    written = brought(path, tmp_path / "out")
    rules = load_file(written.file)
    assert str(rules.first_turn()) == first
    assert ("B.C." in report_text(written).partition("Not taken")[2]) is (year == "-20")


def test_classes_that_transform_units(tmp_path: Path) -> None:
    folder = toy.write(tmp_path / "in", "webdiplomacy")
    (folder / "variant.php").write_text(toy.VARIANT_PHP.replace("drawMap", "userOrderDiplomacy"))
    orders = "<?php class X extends userOrderDiplomacy { function typeCheck() { return 'Transform_1'; } }"
    (folder / "classes/userOrderDiplomacy.php").write_text(orders)
    written = brought(folder, tmp_path / "out")
    settings = {module.key: module.settings for module in load_file(written.file).modules}
    assert settings["conversion"]["where"] == "centers" and settings["conversion"]["turns"] == 1
    assert "orders to transform" in report_text(written)


def test_land_whose_outline_is_not_quite_the_frame_reaches_it() -> None:
    """Else a strip of water lies along the frame, and a sea there seems to touch lands that are far from it."""
    frame = box(0, 0, 300, 200)
    land = land_of([Polygon([(0, 0), (300, 3), (297.5, 120), (0, 120)])], [box(0, 120, 300, 200)], frame)
    strip = box(0, 0, 300, 110).difference(land)
    assert strip.area < 1, strip.area
    assert land.intersection(box(0, 140, 300, 200)).is_empty
    island = land_of([box(20, 20, 280, 180)], [], frame)
    assert not island.intersects(frame.boundary)


@pytest.mark.parametrize(
    ("arc", "along"),
    [
        ([(0, 500), (3, 0), (900, 2)], True),  # around a corner
        ([(0, 500), (0, 0)], True),
        ([(0, 500), (500, 0)], False),  # from side to side
        ([(0, 500), (40, 250), (0, 0)], False),
    ],
)
def test_a_shore_along_the_frame_is_no_coast(arc: list[tuple[int, int]], along: bool) -> None:
    assert outlines._on_frame(arc, (0.0, 0.0, 1000.0, 800.0)) is along


@pytest.mark.parametrize(("every", "ours"), [(2, "standard"), (1, "")])
def test_our_board_in_another_language_is_ours_if_half_of_it_is_named_as_here(every: int, ours: str) -> None:
    board = shipped_board(find_boards()["standard"])
    strange = {key: f"x{number}" for number, key in enumerate(board.provinces) if number % every == every - 1}
    strange |= {"nwg": "nrs", "nwy": "nwg"}  # codes that mean other provinces here

    def at(location: str) -> str:
        key, slash, coast = location.partition("/")
        return strange.get(key, key) + slash + coast

    def ways(travel: Travel) -> set[tuple[str, str]]:
        return {(at(a), at(b)) for a in board.locations for b in board.reach(travel, a)}

    places = {
        at(p.id): Place(
            key=at(p.id),
            name=f"Place {p.id}" if p.id in strange else p.name,
            sea=p.sea,
            shore=p.shore,
            coasts=list(p.coasts),
            center=p.center,
        )
        for p in board.provinces.values()
    }
    nations = [Nation(name="Italy", homes=[at("rom")], units=[StartingUnit("fleet", at("bul/ec"))])]
    found = settle(
        ForeignVariant(
            name="other",
            title="Other",
            format="",
            file="",
            places=places,
            army=ways("army"),
            fleet=ways("fleet"),
            nations=nations,
        )
    )
    assert found.ours == ours
    if ours:
        assert [unit.at for unit in found.nations[0].units] == ["bul/ec"] and found.nations[0].homes == ["rom"]
        assert "names: of the source that this board does not know: Place " in report_text(
            Written(Path(), Path(), "", found)
        )
