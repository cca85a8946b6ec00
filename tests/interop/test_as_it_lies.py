"""Folders as they lie there, variants that build on others, and slips of a source that its other rows correct."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from legation.interop import ForeignFileError, open_source
from legation.interop.games import read_games
from legation.interop.webdiplomacy import classic
from legation.interop.webdiplomacy.php import NOTHING, Php
from legation.notation import write
from legation.position import Phase
from legation.variants import STANDARD, USUAL, load
from tests.interop import toy
from tests.interop.bringing import bring, brought, brought_all, changed


def files_below(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())


# --- folders, archives, repositories


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("kind", ["jdip", "webdiplomacy", "njudge", "dpjudge"])
def test_what_lies_beside_a_variant_is_left_alone(kind: str, packed: bool, tmp_path: Path) -> None:
    place = tmp_path / "repository"
    toy.write(place / "Toy", kind)
    for name in ("resources/map.png", "resources/map.js", "map.exe", "cache/map.old", ".git/map.pack", "seed.old"):
        file = place / "Toy" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"\x89PNG\0\xff\xfe" * 30)
    (place / "Toy" / "broken.zip").write_bytes(b"PK\3\4 nothing")
    if packed:
        with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
            for path in files_below(place):
                archive.write(path, path.relative_to(place))
        place = tmp_path / "all.zip"
    assert not read_games(open_source(place))
    assert len(brought(place).rules.board.provinces) == 5


def test_many_variants_of_a_folder_come_each_on_its_own(tmp_path: Path) -> None:
    for number in range(12):
        folder = toy.write(tmp_path / f"Toy{number}", "webdiplomacy")
        facts = toy.VARIANT_PHP.replace("'Toy';\n\tpublic $fullName", f"'Toy{number}';\n\tpublic $fullName")
        (folder / "variant.php").write_text(facts)
        if number == 4:
            (folder / "install.php").write_text("<?php $territoryRawData = array(array(made(), 'Land'));")
    found = brought_all(tmp_path)
    assert [one.written.file.stem for one in found] == [f"toy{n}" for n in (0, 1, 10, 11, 2, 3, 5, 6, 7, 8, 9)]
    assert "Toy4/install.php" in found[0].lost


def test_archives_of_a_folder_are_looked_into(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in ("one", "two"):
        (tmp_path / "in" / f"{name}.zip").write_bytes(toy.write(tmp_path / name, "jdip-zip").read_bytes())
    assert [one.written.file.stem for one in brought_all(tmp_path / "in")] == ["toy", "toy-jdip"]


# --- variants that build on others


def standard_php(folder: Path) -> Path:
    """A folder of vDiplomacy's with the tables of the standard board, by a later version of a variant elsewhere."""
    said = {True: "Yes", False: "No"}
    rows = [f"array('{name}','{kind}','{said[center]}',0,1,1,1,1)" for name, kind, center, _ in classic.territories()]
    borders = [f"array('{a}','{b}','{said[fleet]}','{said[army]}')" for a, b, fleet, army in classic.pairs()]
    folder.mkdir(parents=True)
    (folder / "install.php").write_text(
        f"<?php $territoryRawData=array({','.join(rows)}); // InstallTerritory\n"
        f"$bordersRawData=array({','.join(borders)});"
    )
    (folder / "variant.php").write_text(
        "<?php class LaterVariant extends EarlierVariant { public $name='Later'; public $fullName='Later'; }"
    )
    return folder


def test_powers_that_stand_in_no_file_are_those_of_our_board(tmp_path: Path) -> None:
    found = brought(standard_php(tmp_path / "Later"))
    assert found.written.board == USUAL.folder_of(STANDARD)
    assert found.rules.powers.keys() == load(STANDARD).powers.keys()


FLEET_ROME = """package fleetrome
import (
	"github.com/zond/godip"
	"github.com/zond/godip/variants/{parent}"
	"github.com/zond/godip/variants/common"
)
var FleetRomeVariant = common.Variant{{
	Name: "Fleet Rome",
	Graph: func() godip.Graph {{ return {parent}.Graph() }},
	Start: func() (result *state.State, err error) {{
		if result, err = {parent}.Start(); err != nil {{ return }}
		result.RemoveUnit(godip.Province("{at}"))
		result.SetUnit(godip.Province("{at}"), godip.Unit{{Type: godip.Fleet, Nation: godip.{nation}}})
		return
	}},
	Nations: {parent}.Nations,
	SoloWinner: common.SCCountWinner(18),
}}
"""


def test_a_variant_in_go_on_the_standard_map(tmp_path: Path) -> None:
    (tmp_path / "fleetrome.go").write_text(FLEET_ROME.format(parent="classical", at="rom", nation="Italy"))
    found = brought(tmp_path)
    assert found.written.board == USUAL.folder_of(STANDARD)
    ours = {("F" if u.at == "rom" else u.kind, u.at, u.power) for u in load(STANDARD).start}
    assert {(u.kind, u.at, u.power) for u in found.rules.start} == ours


def test_a_variant_in_go_takes_its_graph_from_another_one_that_is_here(tmp_path: Path) -> None:
    place = tmp_path / "variants"
    toy.write(place / "toy", "go")
    (place / "later").mkdir()
    (place / "later" / "later.go").write_text(FLEET_ROME.format(parent="toy", at="cap", nation="South"))
    assert [len(one.rules.board.provinces) for one in brought_all(tmp_path)] == [5, 5]
    with pytest.raises(ForeignFileError, match="takes its graph from the variant toy, which is not here"):
        brought(place / "later")


def test_a_document_without_borders_by_codes_of_its_own_has_those_of_our_board(tmp_path: Path) -> None:
    codes, rules = {"mao": "mid", "nao": "nat", "nwg": "nrg", "lyo": "gol"}, load(STANDARD)
    provinces: list[dict[str, object]] = []
    for p in rules.board.provinces.values():
        key = codes.get(p.id, p.id)
        kind = "sea" if p.sea else "coastal" if p.shore or p.coasts else "land"
        provinces.append({"id": key, "name": p.name, "type": kind, "supply_center": p.center})
        provinces += [{"id": f"{key}/{c}", "name": p.name, "type": "named_coast", "parent": key} for c in p.coasts]
    document = {
        "id": "france-austria",
        "name": "France vs Austria",
        "nations": [{"name": "France"}, {"name": "Austria"}],
        "provinces": provinces,
        "initial_phase": {"season": "Spring", "year": 1901, "type": "Movement"},
        "initial_units": [
            {"type": "Fleet", "nation": "France", "province": "mid"},
            {"type": "Army", "nation": "Austria", "province": "vie"},
        ],
        "initial_supply_centers": [{"nation": "France", "province": "bre"}, {"nation": "Austria", "province": "vie"}],
    }
    (tmp_path / "france-austria.json").write_text(json.dumps(document))
    found = brought(tmp_path / "france-austria.json")
    assert found.written.board == USUAL.folder_of(STANDARD)
    assert found.start == {("F", "mao"), ("A", "vie")}


# --- slips


def test_shifted_numbers() -> None:
    values = Php("<?php $a = 1<<2; $b = 1 << 90; $c = array(3, 1<<1);", "x").assigned("a", "b", "c")
    assert [value for _, value, _ in values] == [4, NOTHING, [3, 2]]


def test_places_apart_from_the_map_are_off_it_unless_somebody_is_there(tmp_path: Path) -> None:
    goods = "array('Silk','Land','Yes',0,1,1,1,1), array('Salt','Land','Yes',0,1,1,1,1)"
    changes = (
        ("array('Alp', 'Land'", f"{goods},\n\tarray('Alp', 'Land'"),
        ("array('Alp','Dun'", "array('Silk','Salt','No','Yes'),\n\tarray('Alp','Dun'"),
    )
    found = bring(tmp_path, "webdiplomacy", *changes)
    assert "Salt, Silk: no unit can reach them from the rest of the board; they are off it" in found.lost
    assert len(found.rules.board.provinces) == 5
    held = ("'Alp' => 'Army'", "'Alp' => 'Army', 'Silk' => 'Army'")
    with pytest.raises(ForeignFileError, match="no unit can reach Salt, Silk from the rest of the board"):
        bring(tmp_path / "held", "webdiplomacy", *changes, held)


@pytest.mark.parametrize(
    ("sheet", "orders"),
    [
        ("nav hold\nand hold", ["nav H", "and H"]),
        ("A nav - and\nA and - now", ["A nav - and", "A and - now"]),
        ("A not S A all - nav, A and hold", ["A not S A all - nav", "A and H"]),
        ("nav and now hold", ["nav H", "now H"]),
        ("A all - pho\nA hold hold", ["A all - pho", "A pho H"]),
    ],
)
def test_codes_that_are_words_of_orders_are_read_by_where_they_stand(
    sheet: str, orders: list[str], tmp_path: Path
) -> None:
    codes = ["and", "not", "now", "all", "nav", "the", "hold"]
    places = [
        f'<PROVINCE shortname="{code}" fullname="Place {code.title()}ia"><ADJACENCY type="mv" refs="{before} {after}"/>'
        "</PROVINCE>"
        for before, code, after in zip([codes[-1], *codes], codes, [*codes[1:], codes[0]], strict=False)
    ]
    folder = changed(tmp_path, "jdip", ('"alp"', '"nav"'), ('"cap"', '"now"'), ('"dun"', '"and"'), ("fleet", "army"))
    (folder / "toy_adjacency.xml").write_text(f"<?xml version='1.0'?>\n<PROVINCES>{''.join(places)}</PROVINCES>")
    found = brought(folder)
    assert "the is pth" in found.report, "which is no word in a name"
    assert "the code hold: is a word of orders; Place Holdia is pho here" in found.report, "as in nav - hold"
    rules = found.rules
    assert "hold" in rules.board.provinces["pho"].aliases
    passages = rules.reader.sheet(sheet, Phase.MOVEMENT, "North", None)
    assert [write(p.order) for p in passages if p.order is not None] == orders
    assert not [p.error for p in passages if p.error is not None]
