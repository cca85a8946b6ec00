"""What files of the field say that the toy boards do not: each way of writing was seen in them."""

import re
from pathlib import Path

import pytest

from legation.board.lint import lint
from legation.game import Game
from legation.interop import open_source, read_variants, write_variants
from legation.interop.games import judge_again, read_games
from legation.interop.games.record import RecordedUnit
from legation.interop.record import ForeignVariant
from legation.orders import Move, Sheet
from legation.position import Phase
from legation.variants import find_boards, load
from tests.interop import toy
from tests.interop.bringing import Brought, bring, brought, brought_all, changed
from tests.interop.same import variant_differences


def put(folder: Path, **texts: str) -> Path:
    """PHP files of a variant, by their names."""
    for name, text in texts.items():
        file = folder / ("classes/" * (name not in ("variant", "install")) + f"{name}.php")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"<?php {text}")
    return folder


def read_only(folder: Path, *changes: tuple[str, str]) -> ForeignVariant:
    """The toy variant of vDiplomacy as it is read."""
    [variant] = read_variants(open_source(changed(folder, "webdiplomacy", *changes)))
    return variant


# --- vDiplomacy and webDiplomacy


def test_names_escaped_for_html_and_sql_are_read_as_people_read_them(tmp_path: Path) -> None:
    """The database compares names without case."""
    changes = (("'Alp' =>", "'&eacute;l D\\\\\\'Alp' =>"), ("'Alp',", "'&Eacute;l d\\\\\\'Alp',"))
    found = bring(tmp_path, "webdiplomacy", *changes)
    [army] = [unit for unit in found.rules.start if unit.kind == "A"]
    assert found.rules.board.provinces[army.at].name == "Él d'Alp"


def test_names_with_signs_that_part_keys(tmp_path: Path) -> None:
    rules = bring(tmp_path, "webdiplomacy", ("'Alp'", "'Alp/Low @ 3'")).rules
    assert "Alp/Low at 3" in {province.name for province in rules.board.provinces.values()} and len(rules.start) == 2


@pytest.mark.parametrize(
    ("columns", "used", "alps", "bay"),
    [
        ("$from, $to, $fleets, $armies", "$fleets,$armies", True, True),
        ("$from, $to, $armies, $fleets", "$fleets,$armies", False, False),
        ("$from, $to, $fleets, $armies", "'No','Yes'", True, False),
    ],
)
def test_the_program_says_what_columns_of_borders_mean(
    columns: str, used: str, alps: bool, bay: bool, tmp_path: Path
) -> None:
    loop = f"""foreach($bordersRawData as $borderRawRow)
{{
	list({columns})=$borderRawRow;
	// InstallTerritory::$Territories[$to]->addBorder(InstallTerritory::$Territories[$from],'Yes','Yes');
	InstallTerritory::$Territories[$to]  ->addBorder(InstallTerritory::$Territories[$from],{used});
}}
?>"""
    variant = read_only(tmp_path, ("?>", loop))
    assert (("Alp", "Dun") in variant.army, ("Bay", "Ode") in variant.fleet) == (alps, bay)


def test_ways_that_are_deleted_from_the_tables_are_one_way(tmp_path: Path) -> None:
    """A row deletes from one end to the other: 3 is the north coast, 6 the bay, 1 and 2 an army's two ends."""
    said = "$DB->sql_put('{} wD_{}Borders WHERE mapID='.$this->mapID.' AND fromTerrID={} AND toTerrID={}');"
    lines = [
        said.format("DELETE FROM", "Coastal", 3, 6),
        said.format("DELETE FROM", "Coastal", 1, 2),
        said.format("DELETE FROM", "", 5, 7),  # of the provinces' table alone, which no move asks
        "// " + said.format("DELETE FROM", "Coastal", 7, 6),
        "$DB->sql_put('DELETE FROM wD_CoastalBorders WHERE mapID='.$this->mapID.' AND toTerrID=7');",
        "$DB->sql_put('UPDATE wD_Territories SET type=1');",
    ]
    found = bring(tmp_path, "webdiplomacy", ("?>", "\n".join(lines) + "\n?>"))
    one_way = {(b.a, b.b) for b in found.rules.board.borders if b.one_way}
    assert one_way == {("dun", "alp"), ("bay", "dun/nc"), ("ode", "bay"), ("ode", "cap"), ("ode", "dun/sc")}
    assert {(a, b) for a, b, army, _ in found.borders if army} == {("dun", "alp"), ("cap", "dun")}
    assert "changes the tables of the map: 'UPDATE" in found.lost


def test_names_of_squares_are_written_together(tmp_path: Path) -> None:
    rules = bring(tmp_path, "webdiplomacy", ("'Alp'", "'B 7'")).rules
    assert rules.reader.order("A B7 - Dun", Phase.MOVEMENT) == Move("A", "b7", "dun")
    assert rules.board.provinces["b7"].name == "B7"


TODAY = {
    "processOrderBuilds": "class B extends processOrderBuilds { public function create() {} public function apply() "
    "{ $q = 'WHERE t.supply = 0 ORDER BY RAND() LIMIT 1'; } } class C extends B { protected $countryUnits = "
    "array('North' => array('Alp' => 'Army')); public function create() { parent::create(); } }",
    "userOrderBuilds": "class X extends userOrderBuilds { protected function toTerrIDCheck() { return $this->sqlCheck("
    "'SELECT t.id WHERE ts.countryID = '.$this->countryID.' AND t.supply = 1'); } }",
    "userOrderDiplomacy": "class X extends userOrderDiplomacy { protected function typeCheck() { return "
    "strrpos($this->type,'Transform_1') !== false; } public function commit() { return parent::commit(); } }",
    "processOrderDiplomacy": "class X extends processOrderDiplomacy { public function apply($s) { $DB->sql_put("
    "'UPDATE wD_Units u SET u.type = IF(u.type=1,2,1)'); } }",
    "adjudicatorPreGame": "class X extends adjudicatorPreGame { protected function assignUnits() {} }",
}
"""Classes as vDiplomacy's newer variants have them, each in one file with what it builds on."""


@pytest.mark.parametrize("owner", ["'Toy'", "$this->name"])
def test_classes_of_a_variant_that_another_one_extends(owner: str, tmp_path: Path) -> None:
    """A class is in the folder that the program names; ``$this->name`` is the name of whoever extends it."""
    brings = "".join(f"\t\t$this->variantClasses['{name}'] = {owner};\n" for name in TODAY)
    line = "\t\t$this->variantClasses['adjudicatorPreGame'] = 'Toy';\n"
    put(changed(tmp_path, "webdiplomacy", (line, brings)).rename(tmp_path / "Toy"), **TODAY)
    own = toy.INSTALL_PHP.removeprefix("<?php")
    put(tmp_path / "Other", variant="class OtherVariant extends ToyVariant { public $name = 'Other'; }", install=own)
    found = {one.written.file.stem: one for one in brought_all(tmp_path)}
    rules = {name: {module.key: module.settings for module in one.rules.modules} for name, one in found.items()}
    told = {name: one.lost.partition("Guessed")[0] for name, one in found.items()}
    assert "class " not in told["toy"]
    assert {"build_anywhere", "conversion", "default_builds"} <= rules["toy"].keys()
    if owner == "'Toy'":
        assert rules["other"] == rules["toy"] and "class " not in told["other"]
    else:
        assert "build_anywhere" not in rules["other"]
        assert "class userOrderBuilds: changes where builds may go; its file is not here" in told["other"]


def test_a_start_without_units_is_not_that_of_the_variant_it_extends(tmp_path: Path) -> None:
    toy.write(tmp_path / "Toy", "webdiplomacy")
    put(
        tmp_path / "Other",
        variant="class OtherVariant extends ToyVariant { public $name = 'Other';\n function __construct() {"
        " $this->variantClasses['adjudicatorPreGame'] = 'Other'; } }",
        install="require_once('variants/Toy/install.php');",
        adjudicatorPreGame="class O extends P { protected function assignUnits() { } }",
    )
    units = {one.written.variant.name: len(one.start) for one in brought_all(tmp_path)}
    assert units == {"Other": 0, "Toy": 2}


@pytest.mark.parametrize(("own", "units"), [("", 22), ("function assignUnits() { }", 0)])
def test_a_variant_of_classic_alone_is_one_of_the_standard_game(own: str, units: int, tmp_path: Path) -> None:
    folder = put(
        tmp_path / "Mine",
        variant="class MineVariant extends ClassicVariant { public $name = 'Mine'; }",
        install="require_once('variants/Classic/install.php');",
        adjudicatorPreGame=f"class M extends A {{ {own} }}",
    )
    found = brought(folder)
    assert found.written.board == find_boards()["standard"] and len(found.rules.start) == units
    assert variant_differences(found.rules, load("standard")) == [] or not units
    assert str(found.rules.first_turn()) == ("Spring 1901 Movement" if units else "Winter 1900 Adjustments")


def test_a_row_that_stands_for_a_center_at_sea(tmp_path: Path) -> None:
    row = "array('Ode', 'Sea', 'No', 0, 250, 250, 125, 125)"
    stand_in = "array('Ode (fake SC)', 'Land', 'Yes', 0, 240, 240, 120, 120)"
    found = bring(tmp_path, "webdiplomacy", (row, f"{row},\n{stand_in}"))
    board = found.rules.board
    assert set(board.centers) == {"alp", "dun", "cap", "ode"} and board.provinces["ode"].sea
    assert lint(found.written.board) == []
    assert "Ode (fake SC): stands for the supply center at sea in Ode" in found.taken
    game = Game(found.rules)
    game.play([Sheet("South", (Move("F", "cap", "ode"),))])
    while game.position.turn.phase is not Phase.ADJUSTMENTS:
        game.play([])
    assert game.position.owners["ode"] == "South"


def test_abbreviations_behind_the_names(tmp_path: Path) -> None:
    codes = {"ice": "Alp", "due": "Dun", "cpe": "Cap", "wby": "Bay", "sea": "Ode"}
    changes = [
        ("'Dun (", "'Dun (DUE) ("),
        *((f"'{name}'", f"'{name} ({code.upper()})'") for code, name in codes.items()),
    ]
    board = bring(tmp_path, "webdiplomacy", *changes).rules.board
    assert {p.id: p.name for p in board.provinces.values()} == codes
    assert board.provinces["due"].coasts == ("nc", "sc") and "Alp (ICE)" in board.provinces["ice"].aliases


def test_rows_that_are_put_behind_a_table_count(tmp_path: Path) -> None:
    last = "array('Bay','Ode','Yes','No')\n);"
    more = "array_push($bordersRawData, ['Alp','Ode','No','Yes'], ['Dun','Alp','No','Yes']);"
    variant = read_only(tmp_path, (last, f"{last}\n$bordersRawData[]=array('Alp','Cap','No','Yes');\n{more}"))
    assert ("Cap", "Alp") in variant.army


def test_every_table_that_a_loop_makes_borders_of_counts(tmp_path: Path) -> None:
    loop = """foreach({} as $row) {{
 list($from, $to, $fleets, $armies) = $row;
 InstallTerritory::$Territories[$to]->addBorder(InstallTerritory::$Territories[$from], $fleets, $armies);
}}
?>"""
    more = "$landBorders = array(array('Alp','Cap','No','Yes'));\n" + loop.format("$landBorders")
    assert ("Cap", "Alp") in read_only(tmp_path, ("?>", more)).army
    found = bring(tmp_path / "made", "webdiplomacy", ("?>", loop.format("$made")))
    assert "$made: borders that are made by a program" in found.lost


# --- njudge and the DPjudge


def test_a_rule_that_does_not_fit_the_board_is_left_out_and_told(tmp_path: Path) -> None:
    [variant] = read_variants(open_source(toy.write(tmp_path, "dpjudge")))
    variant.rules["convoying_coasts"] = {"provinces": ["@alp"]}
    [written] = write_variants([variant], tmp_path / "out", picture=False)
    found = Brought(written)
    assert "the rule convoying_coasts" in found.lost and "isn't a coast" in found.lost
    assert "convoying_coasts" not in found.said


def test_a_place_written_in_capitals_has_no_coasts_any_more(tmp_path: Path) -> None:
    more = "COAST DUN ABUTS ALP CAP BAY\nAMEND ODE ABUTS -DUN\nAMEND BAY ABUTS DUN\n"
    dunes = bring(tmp_path, "dpjudge", more=more).rules.board.provinces["dun"]
    assert dunes.shore and not dunes.coasts


def test_years_of_a_flow_that_count_down(tmp_path: Path) -> None:
    more = "BEGIN B.C. 273 MOVEMENT\nFLOW\nFLOW NEWYEAR:-1 B.C.:MOVEMENT,RETREATS IFYEARDIV:2 B.C.:ADJUSTMENTS\n"
    rules = bring(tmp_path, "dpjudge", more=more).rules
    turn, turns = rules.first_turn(), []
    for _ in range(7):
        turns.append(str(turn))
        turn = rules.next_turn(turn)
    years = ("273 Movement", "273 Retreats", "272 Movement", "272 Retreats", "272 Adjustments", "271 Movement")
    assert turns == [*years, "271 Retreats"]


def test_a_map_without_a_name_is_that_of_the_standard_game(tmp_path: Path) -> None:
    path = toy.write(tmp_path, "njudge").rename(tmp_path / "map")
    (tmp_path / "seed.toy").rename(tmp_path / "seed.standard")
    found = brought(path)
    assert "18, as njudge's program has it for standard" in found.taken
    assert found.rules.start


def test_an_abbreviation_that_orders_leave_out_is_another_one(tmp_path: Path) -> None:
    path = toy.write(tmp_path, "njudge")
    path.write_text(re.sub(r"\bdun\b", "the", path.read_text()).replace("Dunes", "Thebes"))
    found = brought(path)
    assert found.rules.board.provinces["thb"].name == "Thebes"
    assert "the is thb" in found.lost


# --- jDip


def test_powers_by_their_other_names_and_a_letter_of_an_older_editor(tmp_path: Path) -> None:
    folder = toy.write(tmp_path / "in", "jdip")
    text = toy.VARIANTS_XML.replace('"South"', '"midday"').replace('"south"', '"midday"')
    text = text.replace(
        'name="midday" adjective="Southern"', 'name="South" adjective="S\xf8uthern" altnames="Midday, So"'
    )
    (folder / "variants.xml").write_bytes(text.encode("latin-1"))
    rules = brought(folder).rules
    assert rules.powers["South"].homes == ("cap",)
    assert {(unit.power, unit.at) for unit in rules.start} == {("North", "alp"), ("South", "cap")}
    assert rules.powers["South"].adjective == "Søuthern"


def test_colors_of_jdips_powers_are_kept_as_css_names_them(tmp_path: Path) -> None:
    colors = '<POWERCOLORS><POWERCOLOR power="north" color="royalblue"/><POWERCOLOR power="south" color="#f80"/>'
    data = "<jdipNS:PROVINCE_DATA>"
    powers = bring(tmp_path, "jdip", (data, f"{colors}</POWERCOLORS>{data}")).rules.powers
    assert [power.color for power in powers.values()][:2] == ["#4169e1", "#ff8800"]


@pytest.mark.parametrize(
    "arcs", ["a50,50 0 01100,0", "a50 50 0 0 1 100 0", "A50 50 0 01200 200", "a50,50,0,0,1,50-50 50 50 0 0150 50"]
)
def test_arcs_whose_flags_stand_close_to_what_follows(arcs: str, tmp_path: Path) -> None:
    folder = changed(tmp_path, "jdip", ("M100,200 l100,0 v100 h-100 z", f"M100,200{arcs}v100h-100z"))
    [variant] = read_variants(open_source(folder))
    [[ring]] = variant.picture.shapes["alp"]
    xs, ys = zip(*ring, strict=True)
    found = (min(xs), max(xs), min(ys), max(ys))
    assert found == pytest.approx((0, 100, 50, 200), abs=1)


# --- games of godip


def phase(name: str, position: str, orders: str) -> str:
    """A phase of a game of godip."""
    lines = (["POSITIONS", *position.split(", ")], ["ORDERS", *orders.split(", ")])
    return "\n".join([f"PHASE {name}", *("\n\t".join(part) for part in lines)]) + "\n"


CENTERS = "North: supply alp, South: supply cap"
RECORD = [
    phase("0 Spring Movement", f"North: army alp, South: fleet cap, {CENTERS}", "alp move dun, cap hold"),
    phase("0 Fall Movement", f"North: army dun, North: army dun, South: fleet cap, {CENTERS}", "dun hold"),
    phase(
        "0 Fall Adjustment",
        f"North: army dun, South: fleet cap, North: supply dun, {CENTERS}",
        "build anywhere Army alp",
    ),
    phase(
        "1 Spring Movement",
        f"North: army dun, North: army alp, South: fleet cap, North: supply dun, {CENTERS}",
        "dun move cap",
    ),
]


def test_orders_that_do_not_say_whose_they_are(tmp_path: Path) -> None:
    """As godip's own games have them; a year 0 begins, and a unit stands in it twice."""
    rules = bring(tmp_path, "dpjudge", ("VICTORY 2", "VICTORY 3")).rules
    (tmp_path / "toy/games").mkdir(parents=True)
    (tmp_path / "toy/games/game_1.txt").write_text("".join(RECORD))
    [record] = read_games(open_source(tmp_path / "toy"))
    assert record.board == "toy"
    judged = judge_again(record, rules, lambda options: rules)
    assert (judged.differences, judged.unread, judged.agreed) == ([], [], 4)
    assert [turn.sheets[0].power for turn in judged.game.turns] == ["North"] * 4


def test_a_unit_that_a_position_leaves_out_because_it_disbands(tmp_path: Path) -> None:
    retreats = phase("0 Fall Retreat", f"North: army dun, North: army cap, {CENTERS}", "remove cap")
    (tmp_path / "game.txt").write_text("".join([*RECORD[:2], retreats]))
    [record] = read_games(open_source(tmp_path))
    assert record.phases[-1].dislodged == [RecordedUnit("South", "F", "cap")]
    assert record.phases[-1].orders == {"South": ["remove cap"]}
