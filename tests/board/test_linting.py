"""The linter: what it finds beyond the reader, where, and that it finds all of it at once."""

import shutil
from pathlib import Path

import pytest

from legation.board import BoardFileError, read_board
from legation.board.lint import lint
from tests.board.folders import board

DOCS = Path(__file__).parents[2] / "docs" / "boards.md"


def found(folder: Path) -> list[str]:
    return [str(fault) for fault in lint(folder)]


SOUND = {
    "land": """
        id,name,aliases,form,coasts,center,capital,points
        nor,Northshore,Norland@Reds,,single,1,1,0 52; 1 52.5
        nck,The Neck,Norland@Blues,county,east|west,0,,0.5 51
        cas,Castle,,circle,single,1,,0.25 51.5 r4
    """,
    "sea": """
        id,name,points
        pon,The Pond,1.5 51
        lak,West Lake,-1 51; -1.5 51
    """,
    "borders": """
        a,b,army,fleet
        nor,nck,1,0
        nck/ec,nor,0,1
        nor,pon,0,1
        pon,nck/ec,0,1
        lak,nck/wc,0,1
        cas,nor,1,0
        cas,pon,0,1
    """,
}


def with_row(table: str, row: str) -> dict[str, str]:
    return {**SOUND, table: SOUND[table].rstrip() + "\n" + row}


def test_several_provinces_may_list_an_alias(tmp_path: Path) -> None:
    """It means the one in reach; a name of another's own, or an alias of one power, may not be listed again."""
    shared = SOUND["land"].replace("Northshore,", "Northshore,Shore|", 1)
    assert shared != SOUND["land"], "the board of these tests has changed"
    again = {"land": shared.replace("The Neck,", "The Neck,shore|", 1)}
    assert again["land"].count("hore|") == 2
    assert found(board(tmp_path, **SOUND | again)) == []


@pytest.mark.parametrize(
    ("table", "row", "fault"),
    [
        ("land", "isl,Island,,,single,0,,", "land.csv:5: Island has no border; add rows to borders.csv"),
        ("land", "isl,nck,,,,0,,", "land.csv:5: 'nck' is the id of The Neck (nck) too; remove it from one of them"),
        ("land", "isl,Island,NECK,,,0,,", "land.csv:5: 'NECK' means The Neck (nck) too; remove it from one of them"),
        ("land", "isl,Island,norland@Reds,,,0,,", "land.csv:5: 'norland' means Northshore (nor) too; remove it"),
        ("land", "isl,Island,the,,,0,,", "land.csv:5: the name 'the' says nothing; leave it out"),
        ("land", "isl,Island,,square,,0,,", "land.csv:5: form must be county, circle or box, not 'square'"),
        ("land", "isl,Island,,,,0,1,", "land.csv:5: Island is a capital but no center; set center to 1"),
        ("land", "isl,Island,,,,0,,east 4", "land.csv:5: the point 'east 4' is not 'longitude latitude' in degrees"),
        ("land", "isl,Island,,,,0,,0 95", "land.csv:5: the point '0 95' is not 'longitude latitude' in degrees"),
        ("land", "isl,Island,,,,0,,0 51 0 52", "land.csv:5: the point '0 51 0 52' is not 'longitude latitude'"),
        ("land", "isl,Island,,,,0,,0 51 r3", "land.csv:5: only a circle has a radius; set form to circle, or drop"),
        ("land", "isl,Island,,circle,,0,,0 51", "land.csv:5: a circle has one point with its radius in km"),
        ("borders", "cas,nck,1,0\nnck/wc,cas,0,1", "borders.csv:10: no sea touches both cas and nck/wc; set fleet"),
    ],
)
def test_one_fault(tmp_path: Path, table: str, row: str, fault: str) -> None:
    assert any(line.startswith(fault) for line in found(board(tmp_path, **with_row(table, row))))


def test_a_declared_connection_needs_no_sea(tmp_path: Path) -> None:
    tables = with_row("borders", "nck/wc,cas,0,1")
    assert len(found(board(tmp_path, **tables))) == 1
    links = "a,b,kind,change,reason\ncas,nck/wc,fleet,add,a canal\n"
    assert found(board(tmp_path, **tables, links=links)) == []


def test_shores_without_a_sea_and_coasts_without_a_fleet(tmp_path: Path) -> None:
    borders = "a,b,army,fleet\nnor,nck,1,0\nnor,nck/ec,0,1\nnor,cas,1,1\npon,lak,0,1"
    assert found(board(tmp_path, **{**SOUND, "borders": borders})) == [
        "land.csv:2: nor touches no sea; add a border to one, or leave its coasts empty",
        "land.csv:3: nck/ec touches no sea; add a border to one, or leave its coasts empty",
        "land.csv:3: no fleet can reach nck/wc; add a border or remove the coast",
        "land.csv:4: cas touches no sea; add a border to one, or leave its coasts empty",
        "sea.csv:3: no unit can reach lak, pon from the rest of the board; add a border",
    ]


def test_a_coast_that_fleets_enter_and_never_leave(tmp_path: Path) -> None:
    head, *rows = SOUND["borders"].split()
    ways = [f"{row},{int(row.startswith('lak,nck/wc'))}" for row in rows]
    borders = "\n".join([f"{head},one_way", *ways])
    assert found(board(tmp_path, **{**SOUND, "borders": borders})) == [
        "land.csv:3: fleets can come to nck/wc and never leave it; add a border that leads out"
    ]


def test_a_sea_may_be_a_center_but_has_no_coasts(tmp_path: Path) -> None:
    sea = "id,name,center,coasts\npon,The Pond,1,\nlak,West Lake,0,"
    assert found(board(tmp_path, **{**SOUND, "sea": sea})) == [
        "sea.csv:1: unknown column 'coasts'; the columns of sea are aliases, area, center, form, id, kind, name, note, "
        "points, source"
    ]
    sea = "id,name,center\npon,The Pond,1\nlak,West Lake,0"
    assert found(board(tmp_path, **{**SOUND, "sea": sea})) == []


def test_files_that_nobody_would_read(tmp_path: Path) -> None:
    folder = board(tmp_path, **SOUND, boarders="a,b\nnor,nck", notes="x\ny")
    assert [line.partition(";")[0] for line in found(folder)] == [
        "boarders.csv: isn't a table of a board",
        "notes.csv: isn't a table of a board",
    ]
    assert "did you mean borders.csv?" in found(folder)[0]


def test_the_tables_of_the_authoring_tools_are_read_too(tmp_path: Path) -> None:
    folder = board(
        tmp_path, **SOUND, links="a,b,kind,change,why\nnor,nck,army,add,x", void="id,kind,points\nx,land,here"
    )
    read_board(folder)  # the game needs none of them
    assert [line.partition(" in degrees")[0] for line in found(folder)] == [
        "links.csv:1: unknown column 'why'; the columns of links are a, b, change, draw, kind, reason",
        "void.csv:2: the point 'here' is not 'longitude latitude'",
    ]


def test_faults_come_in_the_order_of_the_files(tmp_path: Path) -> None:
    """What the reader refuses and what only the linter minds stand side by side; line 10 comes after line 9."""
    land = "id,name,center\n" + "".join(f"p{n},Place {n},{'x' if n in (8, 9) else 0}\n" for n in range(1, 10))
    borders = "a,b,army,fleet\n" + "".join(f"p{n},p{n + 1},1,0\n" for n in range(1, 10))
    assert [line.partition(" ")[0] for line in found(board(tmp_path, 'title = "T"\n', land=land, borders=borders))] == [
        "board.toml:",
        "land.csv:9:",
        "land.csv:10:",
        "borders.csv:10:",
    ]


AREAS = {
    "land": "id,name,coasts\nisl,Island,single\ncap,Cape,single",
    "sea": """
        id,name,area,kind
        wig,Wight,Wight,primary
        sol,Solent,Wight,local
        por,Portland,Portland,primary
    """,
    "borders": "a,b,army,fleet\nisl,cap,1,0",
    "touching": "a,b\nsol,isl\nwig,por\npor,cap",
}


def test_areas(tmp_path: Path) -> None:
    assert found(board(tmp_path / "sound", **AREAS)) == []
    sea = AREAS["sea"].replace("Wight,primary", "Wight,local").replace("Portland,primary", "Portland,main")
    assert found(board(tmp_path / "none", **{**AREAS, "sea": sea})) == [
        "sea.csv:2: the area 'Wight' needs one primary region and has none; set kind",
        "sea.csv:4: kind must be primary or local, not 'main'",
        "sea.csv:4: the area 'Portland' needs one primary region and has none; set kind",
    ]
    sea = AREAS["sea"].replace("Wight,local", "Wight,")
    assert found(board(tmp_path / "part", **{**AREAS, "sea": sea})) == [
        "sea.csv:3: Solent is in the area 'Wight'; set kind to primary or local",
    ]
    sea = AREAS["sea"].replace("Wight,local", "Wight,primary").replace("Portland,Portland,primary", "Portland,,local")
    assert found(board(tmp_path / "two", **{**AREAS, "sea": sea})) == [
        "sea.csv:3: the area 'Wight' needs one primary region and has 2: wig, sol; set kind",
        "sea.csv:4: Portland is local of no area; name its area, or leave kind empty",
    ]
    sea = AREAS["sea"].replace("sol,", "xx/sol,")
    wrong = found(board(tmp_path / "slash", **{**AREAS, "sea": sea}))
    assert "sea.csv:3: the id 'xx/sol' must be 2 to 8 lower-case letters or digits" in wrong
    missing = found(board(tmp_path / "untouched", **{k: v for k, v in AREAS.items() if k != "touching"}))
    assert "touching.csv: the seas form areas, so the board needs touching.csv; add it" in missing


def test_what_touches(tmp_path: Path) -> None:
    land = AREAS["land"] + "\nbay,Bay,north|south\nhil,Hills,"
    touching = AREAS["touching"] + "\nisl,cap\nsol,bay\nsol,hil\nisl,sol\nsol,bay/nc\nwig,bay/sc\nsol,sol"
    borders = AREAS["borders"] + "\nisl,hil,1,0\nwig,isl,0,1\nbay,hil,1,0"
    folder = board(tmp_path, **{**AREAS, "land": land, "touching": touching, "borders": borders})
    assert found(folder) == [
        "borders.csv:4: wig - isl follows from touching.csv; leave the row out of borders.csv",
        "touching.csv:5: neither cap nor isl is sea; borders on land belong in borders.csv",
        "touching.csv:6: bay has several coasts; say which one fleets use: bay/nc or bay/sc",
        "touching.csv:7: fleets cannot pass at hil; give it coasts ('single') if it has a shore",
        "touching.csv:8: isl - sol is listed twice (first in touching.csv:2); leave one out",
        "touching.csv:11: sol borders on itself; name two provinces",
    ]


def test_the_example_of_the_documentation_is_a_sound_board() -> None:
    pond = DOCS.parent / "examples" / "pond"
    assert found(pond) == []
    made = read_board(pond)
    assert (len(made.provinces), made.centers) == (5, ("nor", "hil"))
    assert made.reach("fleet", "nck/ec") == {"nor", "pon"}


def test_the_example_of_the_documentation_can_be_drawn(tmp_path: Path) -> None:
    pytest.importorskip("shapely", reason="growing a board needs the extra 'authoring'")
    from legation.atlas.grow.__main__ import main

    folder = shutil.copytree(DOCS.parent / "examples" / "pond", tmp_path / "pond")
    assert main([str(folder), "--land", str(folder / "land.geojson")]) == 0
    assert found(folder) == []
    assert (folder / "shapes.json").exists() and (folder / "layout.json").exists()


def test_the_documentation_shows_what_the_linter_says() -> None:
    folder = DOCS.parent / "examples" / "puddle"
    assert found(folder) == (folder / "findings.txt").read_text(encoding="utf-8").splitlines()
    with pytest.raises(BoardFileError):
        read_board(folder)


def test_every_column_and_key_is_documented() -> None:
    from legation.board.files import BOARD_KEYS, COLUMNS

    tables = (DOCS.parent / "tables" / f"{name}.csv" for name in ("board-keys", "land-columns"))
    text = "".join(page.read_text(encoding="utf-8") for page in (DOCS, *tables))
    for word in (*BOARD_KEYS, *COLUMNS["land"], *COLUMNS["sea"]):
        assert f"`{word}`" in text or f"`[{word}]`" in text, word


def test_names_in_other_languages_are_read_and_mean_one_province_each(tmp_path: Path) -> None:
    rows = """
        id,language,name
        nor,de,Nordufer
        cas,de,Burg
        cas,fr,Château
    """
    folder = board(tmp_path, **SOUND, names=rows)
    assert found(folder) == []
    german = read_board(folder).in_language("de")
    assert [german.provinces[p].name for p in ("nor", "nck", "cas")] == ["Nordufer", "The Neck", "Burg"]
    assert german.borders == read_board(folder).borders and list(german.translations) == ["de", "fr"]
    wrong = """
        id,language,name,forms
        nor,de,Castle,
        nro,de,Norden,
        nck,German,Enge,
        cas,fr,Château,le Château;;au Château
        cas,fr,Le Fort,
    """
    assert found(board(tmp_path / "wrong", **SOUND, names=wrong)) == [
        "land.csv:4: 'Castle' means Northshore (nor) too; remove it from one of them",
        "names.csv:3: no province 'nro'; add it to land.csv or sea.csv",
        "names.csv:4: 'German' isn't a language; write its tag, in small letters: de, pt-br",
        "names.csv:5: an empty form stands between two ';' or at an end; fill it or leave it out",
        "names.csv:6: 'cas' has two names in 'fr'; keep one",
    ]
