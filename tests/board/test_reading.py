"""The reader: what it makes of tables, and that it names all faults at once with their places."""

from pathlib import Path

import pytest

from legation.board import ARMY, FLEET, BoardFileError, read_board
from tests.board.folders import HEAD, board

LAND = """
    id,name,coasts,center
    nor,Northshore,single,1
    nck,The Neck,east|west,0
    hil,Hills,,1
"""
SEA = """
    id,name
    pon,The Pond
    lak,West Lake
"""
BORDERS = """
    a,b,army,fleet
    nor,nck,1,0
    nck/ec,nor,0,1
    hil,nck,1,
    nor,pon,,1
    pon,nck/ec,0,1
    lak,nck/wc,0,1
"""


def faults(folder: Path) -> list[str]:
    with pytest.raises(BoardFileError) as caught:
        read_board(folder)
    return [str(fault) for fault in caught.value.faults]


def test_a_sound_board(tmp_path: Path) -> None:
    made = read_board(board(tmp_path, land=LAND, sea=SEA, borders=BORDERS))
    assert (made.name, made.title, made.centers) == ("made-up", "Made up", ("nor", "hil"))
    assert made.locations == ("nor", "nck", "hil", "pon", "lak", "nck/ec", "nck/wc")
    assert made.reach(ARMY, "nck") == {"nor", "hil"}
    assert made.reach(FLEET, "nck/ec") == {"nor", "pon"}
    assert made.reach(FLEET, "nck/wc") == {"lak"}
    assert made.reach(FLEET, "nck") == frozenset()
    assert made.adjacent("nck") == {"nor", "hil", "pon", "lak"}
    assert made.stands(FLEET, "nck/wc")
    assert not made.stands(FLEET, "nck")
    assert not made.stands(FLEET, "hil")
    assert not made.stands(ARMY, "pon")
    assert not made.stands(ARMY, "nowhere")
    assert made.provinces["hil"].inland
    assert made.name_of("nck/ec") == "The Neck (east coast)"


def test_tables_in_board_toml_read_the_same(tmp_path: Path) -> None:
    """Numbers, true and lists are what the cells would say."""
    toml = HEAD + "".join(
        f"[[land]]\n{row}\n"
        for row in (
            'id = "nor"\nname = "Northshore"\ncoasts = "single"\ncenter = true',
            'id = "nck"\nname = "The Neck"\ncoasts = ["east", "west"]',
            'id = "hil"\nname = "Hills"\ncenter = 1',
        )
    )
    one = read_board(board(tmp_path / "one", toml, sea=SEA, borders=BORDERS))
    other = read_board(board(tmp_path / "other", land=LAND, sea=SEA, borders=BORDERS))
    assert one.provinces == other.provinces
    assert one.borders == other.borders


def test_files_of_a_spreadsheet_are_read(tmp_path: Path) -> None:
    """A mark before the text, other line ends, blank lines, empty columns left out."""
    folder = board(tmp_path, sea=SEA, borders=BORDERS)
    text = "\ufeff" + LAND.strip().replace("\n    ", "\r\n") + "\r\n,,,\r\n\r\n"
    (folder / "land.csv").write_bytes(text.encode())
    assert read_board(folder).centers == ("nor", "hil")


def test_all_faults_at_once_with_their_places(tmp_path: Path) -> None:
    folder = board(
        tmp_path,
        'name = "made-up"\ncolour = "red"\n',
        land="""
            id,name,coasts,center
            nor,Northshore,north,1
            Nck,The Neck,east|upper,0
            hil,,,yes
            nor,Norland,single,0
            sou,Southshore,north|south,0
            ,Nobody,,
        """,
        sea=SEA,
        borders="""
            a,b,army,fleet
            nor,sou,1,0
            sou,nor,0,1
            nor,nor,1,0
            nor,zzz,1,0
            hil,pon,1,1
            Southshore,hil,1,0
            sou/ec,pon,0,1
            sou,pon,0,1
            sou/nc,hil,1,0
            lak,pon,0,0
            pon,,0,1
            lak,nor,2,0
            hil/nc,lak,0,1
            nck/,nor/,0,1
            sou/,pon,0,1
        """,
    )
    codes = "north, south, east, west, northeast, northwest, southeast, southwest"
    assert faults(folder) == [
        "board.toml: unknown key 'colour'; the keys are credits, frame, grow, name, projection, reconstructed, title",
        "board.toml: needs a text 'title'; add title = \"...\"",
        "land.csv:4: 'name' is empty; every row of land needs it",
        "land.csv:7: 'id' is empty; every row of land needs it",
        "land.csv:2: one coast is written 'single'; names are for provinces with several",
        f"land.csv:3: unknown coast 'upper'; use {codes}, or 'single'",
        "land.csv:3: the id 'Nck' must be 2 to 8 lower-case letters or digits",
        "land.csv:4: center must be 0 or 1, not 'yes'",
        "land.csv:5: the id 'nor' is used twice (first in land.csv:2); give one of them another id",
        "borders.csv:12: 'b' is empty; every row of borders needs it",
        "borders.csv:3: the border nor - sou is listed twice (first in borders.csv:2 with other units); one row is for "
        "both ways",
        "borders.csv:4: nor borders on itself; name two provinces",
        "borders.csv:5: no province 'zzz'; add it to land.csv or sea.csv",
        "borders.csv:6: fleets cannot pass at hil; give it coasts ('single') if it has a shore",
        "borders.csv:6: armies cannot pass at pon, which is sea; set army to 0",
        "borders.csv:7: no province 'Southshore'; did you mean 'sou'?",
        "borders.csv:8: 'sou' has no coast 'ec'; there are sou/nc and sou/sc",
        "borders.csv:9: sou has several coasts; say which one fleets use: sou/nc or sou/sc",
        "borders.csv:10: armies cannot pass at sou/nc; give them a row of their own that says 'sou'",
        "borders.csv:11: neither army nor fleet passes here; set one to 1 or leave the row out",
        "borders.csv:13: army must be 0 or 1, not '2'",
        "borders.csv:13: neither army nor fleet passes here; set one to 1 or leave the row out",
        "borders.csv:14: 'hil' has no coast 'nc'; write 'hil' alone",
        "borders.csv:15: no province 'nck'; did you mean 'Nck'?",
        "borders.csv:15: 'nor' has no coast ''; there are nor/nc",
        "borders.csv:16: 'sou' has no coast ''; there are sou/nc and sou/sc",
    ]


@pytest.mark.parametrize(
    ("file", "content", "fault"),
    [
        ("board.toml", b"name = ", "board.toml: cannot be read: Invalid value"),
        ("board.toml", b"\xff\xfe", "board.toml: is not UTF-8 (invalid start byte at byte 0); save it as UTF-8"),
        ("board.toml", HEAD.encode() + b"land = 3\n", "board.toml:land: must be an array of tables; write [[land]]"),
        ("board.toml", HEAD.encode() + b'land = ["nor"]\n', "board.toml:land: must be an array of tables"),
        ("board.toml", HEAD.encode() + b'[[land]]\nid = {x = 1}\nname = "N"\n', "board.toml:land[1]: id must be text,"),
        ("board.toml", HEAD.encode() + b"credits = 4\n", "board.toml: 'credits' must be a text, not 4"),
        ("board.toml", HEAD.encode() + b'[[sea]]\nid = "x"\n', "sea.csv: the table sea is in board.toml too; keep"),
        ("land.csv", b"id,nam,coasts\nnor,N,single\n", "land.csv:1: unknown column 'nam'; did you mean 'name'?"),
        ("land.csv", b"id,nam,coasts\nnor,N,single\n", "land.csv:1: the first line has no column 'name'; add it"),
        ("land.csv", b"id,id,name\nnor,nor,N\n", "land.csv:1: the column 'id' is named twice; keep one"),
        ("land.csv", b"id,name\nnor,N\nsou,S, the south\n", "land.csv:3: has more cells than the first line"),
        ("land.csv", b'id,name\nnor,N\nsou,"S\n', "land.csv:3: cannot be read (unexpected end of data); close every"),
        ("land.csv", "id,name\nnor,Nörd\n".encode("latin-1"), "land.csv: is not UTF-8 (invalid start byte at byte 13)"),
        ("land.csv", b"id,name\nnor,N\x07rd\n", "land.csv:2: holds the control character '\\x07', which no map"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, file: str, content: bytes, fault: str) -> None:
    folder = board(tmp_path, land=LAND, sea=SEA, borders=BORDERS)
    (folder / file).write_bytes(content)
    assert any(found.startswith(fault) for found in faults(folder)), faults(folder)


def test_an_id_that_orders_leave_out_is_told(tmp_path: Path) -> None:
    folder = board(tmp_path, land=LAND.replace("hil,", "the,"), sea=SEA, borders=BORDERS.replace("hil", "the"))
    assert faults(folder) == ["land.csv:4: the id 'the' is a word that orders leave out; choose another"]


def test_a_table_that_is_no_file_and_a_coast_named_twice_are_told(tmp_path: Path) -> None:
    folder = board(tmp_path, land="id,name,coasts\nnor,Northshore,north|nc|south", sea=SEA)
    (folder / "borders.csv").mkdir()
    told = faults(folder)
    assert "borders.csv: cannot be read: Is a directory" in told
    assert "land.csv:2: the coast 'nc' is named twice; keep one" in told


def test_notes_in_other_languages_stand_beside_the_board_s_own(tmp_path: Path) -> None:
    folder = board(tmp_path, land=LAND, sea=SEA, borders=BORDERS)
    for name, text in (("notes.md", "Drawn anew."), ("notes.de.md", "Neu gezeichnet."), ("notes.pt-br.md", "Novo.")):
        (folder / name).write_text(text, encoding="utf-8")
    read = read_board(folder).in_language("de")
    told = [read.notes_in(language) for language in ("en", "de", "pt-br", "fr")]
    assert told == ["Drawn anew.", "Neu gezeichnet.", "Novo.", "Drawn anew."]
    (folder / "notes.German.md").write_text("Neu gezeichnet.", encoding="utf-8")
    mend = "name it by its tag, in small letters: notes.de.md"
    assert faults(folder) == [f"notes.German.md: 'German' isn't a language; {mend}"]


def test_a_folder_without_a_board(tmp_path: Path) -> None:
    assert faults(tmp_path) == ["board.toml: is missing; a board is a folder with a board.toml"]
    assert faults(tmp_path / "nowhere") == ["board.toml: is missing; a board is a folder with a board.toml"]
    assert faults(board(tmp_path)) == ["land.csv: the board has no provinces; add a row for each"]
