"""The toy board from every format: one board, the same powers and start, and a true report."""

import re
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from shapely import Polygon, box

from legation.atlas import outlines
from legation.board import Board, Travel
from legation.board.lint import lint
from legation.cli.linting import picture_faults
from legation.game import Game
from legation.interop import Written, open_source, report_text, write_variants
from legation.interop.drawing.shaped import land_of
from legation.interop.record import ForeignVariant, Nation, Place, StartingUnit
from legation.interop.renaming import rename_places
from legation.interop.settling import settle
from legation.interop.svg import picture_of_svg
from legation.variants import find_boards, load, shipped_board
from tests.interop import toy
from tests.interop.bringing import BORDERS, Brought, bring, brought, brought_all, changed

AGAIN = toy.VARIANTS_XML[toy.VARIANTS_XML.index(" <VARIANT ") : toy.VARIANTS_XML.index("</VARIANTS>")].replace(
    '"Toy"', '"Toy Two"'
)
"""The toy as a second variant of its package."""


@pytest.mark.parametrize("kind", toy.FORMATS)
def test_one_board_from_every_format(kind: str, tmp_path: Path) -> None:
    found = brought(toy.write(tmp_path / "in", kind))
    rules, board = found.rules, found.rules.board
    assert found.borders == BORDERS and not any(b.one_way for b in board.borders)
    assert board.centers == ("alp", "dun", "cap")
    assert board.provinces["dun"].coasts == ("nc", "sc")
    homes = {p.name: p.homes for p in rules.powers.values()}
    assert homes == {"North": ("alp",), "South": ("cap",)} or kind == "njudge"
    assert found.start == {("A", "alp"), ("F", "cap")}
    assert dict(rules.start_owners) == {"alp": rules.start[0].power, "cap": rules.start[1].power}
    assert str(rules.first_turn()) == "Spring 1700 Movement"
    assert list(lint(found.written.board)) == []


@pytest.mark.parametrize(("kind", "origin"), [("jdip", "shapes"), ("webdiplomacy", "positions"), ("njudge", "borders")])
def test_each_kind_of_picture_agrees_with_the_borders(kind: str, origin: str, tmp_path: Path) -> None:
    written = brought(toy.write(tmp_path / "in", kind), picture=True).written
    assert written.origin == origin
    assert [*lint(written.board), *picture_faults(written.board)] == []
    assert (written.board / "layout.json").exists()


def test_a_border_in_one_direction_stays_one_way(tmp_path: Path) -> None:
    found = brought(changed(tmp_path, "dpjudge", ("ABUTS CAP DUN/NC ODE", "ABUTS CAP DUN/NC :ODE")), picture=True)
    assert "ode" not in found.rules.board.reach("fleet", "bay")
    assert "bay" in found.rules.board.reach("fleet", "ode")
    assert picture_faults(found.written.board) == []


def test_two_variants_on_boards_that_differ_keep_both(tmp_path: Path) -> None:
    again = AGAIN.replace('<SUPPLYCENTER province="dun"/>', "")
    first, second = brought_all(changed(tmp_path, "jdip", ("</VARIANTS>", f"{again}</VARIANTS>")))
    assert first.rules.board.centers == ("alp", "dun", "cap")
    assert second.rules.board.centers == ("alp", "cap")


def test_one_bad_variant_of_a_package_does_not_take_the_others_with_it(tmp_path: Path) -> None:
    again = re.sub(r"<POWER [^>]*>", "", AGAIN)
    assert "the variant Toy Two: refused" in bring(tmp_path, "jdip", ("</VARIANTS>", f"{again}</VARIANTS>")).lost


@pytest.mark.parametrize("word", ["USE", "MAP"])
def test_a_map_that_only_takes_another_is_a_variant_beside_it(word: str, tmp_path: Path) -> None:
    toy.write(tmp_path / "in", "dpjudge")
    (tmp_path / "in" / "short.map").write_text(f"{word} toy\n")
    (tmp_path / "in" / "other.map").write_text("A file of another program.\n")
    assert len(brought_all(tmp_path / "in")) == 2


def test_a_block_of_some_turns_ends_with_its_file(tmp_path: Path) -> None:
    base = changed(tmp_path, "dpjudge", more="FROM S1904M\nWATER ALP\n")
    (base.parent / "short.map").write_text("USE toy\nVICTORY 3\n")
    found = brought(base.parent / "short.map")
    assert "VICTORY 3: 3 centers to win" in found.taken and "WATER ALP" in found.lost


def test_without_the_geometry_libraries_there_is_no_picture_and_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [n for n in sys.modules if n.startswith(("shapely", "networkx", "legation.interop.drawing"))]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("shapely", "networkx"):
        monkeypatch.setitem(sys.modules, name, None)
    found = brought(toy.write(tmp_path / "in", "dpjudge"), picture=True)
    assert "pip install" in found.report
    assert not (found.written.board / "shapes.json").exists()
    assert lint(found.written.board) == []


def test_seas_without_shapes_are_drawn_where_their_units_stand(tmp_path: Path) -> None:
    spots = "".join(
        f'<jdipNS:PROVINCE name="{key}"><jdipNS:UNIT x="250" y="{y}"/></jdipNS:PROVINCE>'
        for key, y in (("bay", 60), ("ode", 240))
    )
    folder = changed(
        tmp_path,
        "jdip",
        ('<path id="_bay"', '<path id="_x1"'),
        ('<path id="_ode"', '<path id="_x2"'),
        ("</jdipNS:PROVINCE_DATA>", f"{spots}</jdipNS:PROVINCE_DATA>"),
        ('x="300" y="200" width="200"', 'x="300" y="200" width="150"'),
        ('<g id="MapLayer"', '<g id="Frame"><path id="x3" d="M0,0 H400 V300 H0 Z"/></g><g id="MapLayer"'),
    )
    written = brought(folder, picture=True).written
    assert written.origin == "shapes"
    assert picture_faults(written.board) == []


def test_positions_in_a_picture_of_godip(tmp_path: Path) -> None:
    (tmp_path / "x.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg"><g id="provinces"><path id="alp" d="M0,0 H10 V10 H0 Z"/></g>'
        '<g id="province-centers"><circle id="alpCenter" cx="4" cy="6" r="2"/>'
        '<path id="dun/ncCenter" d="M20,20 h4 v4 h-4 z"/></g></svg>'
    )
    picture = picture_of_svg(open_source(tmp_path / "x.svg"), "x.svg")
    assert set(picture.shapes) == {"alp"}
    assert picture.units["alp"] == pytest.approx((4, 6), abs=0.1)
    assert picture.units["dun/nc"] == pytest.approx((22, 22))


def foreign(board: Board, strange: Mapping[str, str], *nations: Nation) -> ForeignVariant:
    """A board of ours as it would be read from elsewhere, where some provinces have other codes."""

    def at(location: str) -> str:
        key, slash, coast = location.partition("/")
        return strange.get(key, key) + slash + coast

    def ways(travel: Travel) -> set[tuple[str, str]]:
        return {(at(a), at(b)) for a in board.locations for b in board.reach(travel, a)}

    variant = ForeignVariant(name=board.name, title="Other", format="other", file="", nations=list(nations))
    variant.army, variant.fleet = ways("army"), ways("fleet")
    for p in board.provinces.values():
        variant.places[at(p.id)] = Place(
            key=at(p.id), name=p.name, sea=p.sea, shore=p.shore, coasts=list(p.coasts), center=p.center
        )
    return variant


def test_a_board_that_comes_with_legation_is_that_board(tmp_path: Path) -> None:
    board = load("hundred").board
    france = Nation(name="France", homes=["pas", "dij"], units=[StartingUnit("army", "pas")])
    variant = foreign(board, {"par": "pas", "orl": "orx"}, france)
    [found] = map(Brought, write_variants([variant], tmp_path))
    assert found.written.file.name == "hundred-other.toml"
    assert found.rules.board.name == "hundred"
    assert {*found.rules.powers["France"].homes} == {"par", "dij"} and found.start == {("A", "par")}
    assert "is the board 'hundred' that comes with Legation" in found.report
    assert "orx is orl, pas is par" in found.lost
    assert list(tmp_path.iterdir()) == [found.written.file]


def test_another_board_of_a_name_that_is_taken_is_its_own(tmp_path: Path) -> None:
    found = brought(toy.write(tmp_path, "dpjudge").rename(tmp_path / "standard.map"))
    assert found.written.file.name == "standard-dpjudge.toml"
    assert set(found.rules.board.provinces) == {"alp", "dun", "cap", "bay", "ode"}


@pytest.mark.parametrize(
    ("kind", "changes", "more"),
    [
        ("diplicity", [('"phase": {"season": "Spring"', '"phase": {"season": "Fall"')], ""),
        ("dpjudge", [], "BEGIN FALL 1700 MOVEMENT\nFLOW SPRING:M,R FALL:M,R FALL:A NEWYEAR\n"),
    ],
)
def test_a_game_that_begins_in_fall_has_its_year_and_the_next_begins_in_spring(
    kind: str, changes: list[tuple[str, str]], more: str, tmp_path: Path
) -> None:
    found = bring(tmp_path, kind, *changes, more=more)
    game = Game(found.rules)
    turns: list[str] = []
    while len(turns) < 3:
        turns.append(str(game.position.turn))
        game.play([])
    assert turns == ["Fall 1700 Movement", "Spring 1701 Movement", "Fall 1701 Movement"]
    assert "the year changes" not in found.report


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
    rome, bulgaria = strange.get("rom", "rom"), strange.get("bul", "bul")
    italy = Nation(name="Italy", homes=[rome], units=[StartingUnit("fleet", f"{bulgaria}/ec")])
    variant = foreign(board, strange, italy)
    for key, code in strange.items():
        variant.places[code].name = f"Place {key}"
    found = settle(variant)
    assert found.ours == ours
    if ours:
        assert [unit.at for unit in found.nations[0].units] == ["bul/ec"] and found.nations[0].homes == ["rom"]
        report = report_text(Written(Path(), Path(), "", found))
        assert "names: of the source that this board does not know: Place " in report


def test_a_coast_that_has_another_code_has_it_in_the_settings_of_rules_too() -> None:
    places = {"dun": Place(key="dun", name="Dunes", coasts=["nc", "sc"])}
    variant = ForeignVariant(name="x", title="X", format="x", file="x", places=places)
    variant.rules = {"default_builds": {"units": {"North": ["F @dun/nc", "A @dun", "A @gone"]}}}
    rename_places(variant, {"dun": "due", "dun/nc": "due/ec", "dun/sc": "due/sc"})
    assert variant.rules == {"default_builds": {"units": {"North": ["F @due/ec", "A @due"]}}}
    assert variant.places["due"].coasts == ["ec", "sc"]
