"""What files of the field say that the toy boards do not: each way of writing was seen in them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from legation.board import read_board
from legation.board.lint import lint
from legation.game import Game
from legation.interop import ForeignFileError, Written, open_source, read_variants, report_text, write_variants
from legation.interop.games import judge_again, read_games
from legation.interop.games.record import RecordedUnit
from legation.orders import Move, Sheet
from legation.position import Phase
from legation.rules.border_terms import HalfBorder
from legation.variants import board_folder, load, load_file
from tests.interop import toy
from tests.interop.same import variant_differences


def brought(path: Path, out: Path) -> Written:
    [written] = write_variants(read_variants(open_source(path)), out, picture=False)
    return written


def taken(written: Written) -> str:
    return report_text(written).partition("Not taken")[0]


def not_taken(written: Written) -> str:
    return report_text(written).partition("Not taken")[2]


def php(folder: Path, *, classes: dict[str, str] | None = None, **changes: tuple[str, str]) -> Path:
    """The toy variant of vDiplomacy, with texts replaced in its files and classes of its own."""
    toy.write(folder, "webdiplomacy")
    for name, (old, new) in changes.items():
        path = folder / ("classes/adjudicatorPreGame.php" if name == "units" else f"{name}.php")
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))
    for name, text in (classes or {}).items():
        (folder / "classes" / f"{name}.php").write_text(f"<?php\n{text}")
        own = (folder / "variant.php").read_text()
        line = f"$this->variantClasses['{name}'] = $this->name;"
        (folder / "variant.php").write_text(own.replace("parent::__construct();", f"parent::__construct();\n{line}", 1))
    return folder


# --- vDiplomacy and webDiplomacy


def test_names_escaped_for_html_and_sql_are_read_as_people_read_them(tmp_path: Path) -> None:
    folder = php(
        tmp_path / "in",
        install=("'Alp'", "'&Eacute;l d\\\\\\'Alp'"),
        units=("'Alp'", "'&eacute;l D\\\\\\'Alp'"),  # the database compares names without case
    )
    written = brought(folder, tmp_path / "out")
    board = read_board(written.board)
    assert "Él d'Alp" in {p.name for p in board.provinces.values()}
    [army] = [unit for unit in load_file(written.file).start if unit.kind == "A"]
    assert board.provinces[army.at].name == "Él d'Alp"


@pytest.mark.parametrize(
    ("said", "first", "years"),
    [
        ('l_t("Autumn").", " : l_t("Spring").", " ).(floor($turn/2) + 1914)', "Spring 1914 Movement", 1),
        ('"Autumn, " : "Spring, " ).(floor($turn/2) * 5 + 1450)', "Spring 1450 Movement", 5),
        ('"Autumn, " : "Spring, " ).(floor($turn/2))', "Spring 1 Movement", 1),
    ],
)
def test_names_of_turns(said: str, first: str, years: int, tmp_path: Path) -> None:
    usual = '"Autumn, " : "Spring, " ).(floor($turn/2) + 1700)'
    written = brought(php(tmp_path / "in", variant=(usual, said)), tmp_path / "out")
    calendar = tomllib.loads(written.file.read_text())["rules"]["calendar"]
    assert (calendar["first"], calendar.get("years", 1)) == (first, years)
    assert "turnAsDate" in taken(written)


def test_names_with_signs_that_part_keys(tmp_path: Path) -> None:
    folder = php(tmp_path / "in", install=("'Alp'", "'Alp/Low @ 3'"), units=("'Alp'", "'Alp/Low @ 3'"))
    rules = load_file(brought(folder, tmp_path / "out").file)
    assert "Alp/Low at 3" in {province.name for province in rules.board.provinces.values()} and len(rules.start) == 2
    path = toy.write(tmp_path / "njudge", "njudge")
    path.write_text(re.sub(r"\balp\b", "al/p", path.read_text()))
    with pytest.raises(ForeignFileError, match="the code 'al/p' has a slash, which parts codes from coasts"):
        brought(path, tmp_path / "out")


def test_centers_that_are_made_for_an_index_are_none(tmp_path: Path) -> None:
    made = "InstallTerritory::$Territories['Bay']->supply='Yes'; // a name\n"
    back = "$DB->sql_put('UPDATE wD_Territories SET supply=\"No\" WHERE countryID > 7;');\n?>"
    written = brought(php(tmp_path / "in", install=("?>", made + back)), tmp_path / "out")
    assert "supply" not in not_taken(written) and not read_board(written.board).provinces["bay"].center
    written = brought(php(tmp_path / "kept", install=("?>", made + "?>")), tmp_path / "out2")
    assert "Bay->supply: made a center after the table" in taken(written)
    assert read_board(written.board).provinces["bay"].center


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
    [variant] = read_variants(open_source(php(tmp_path / "in", install=("?>", loop))))
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
    written = brought(php(tmp_path / "in", install=("?>", "\n".join(lines) + "\n?>")), tmp_path / "out")
    borders = {(b.a, b.b): (b.army, b.fleet) for b in read_board(written.board).borders if b.one_way}
    assert borders == {
        ("dun", "alp"): (True, False),
        ("bay", "dun/nc"): (False, True),
        ("ode", "bay"): (False, True),
        ("ode", "cap"): (False, True),
        ("ode", "dun/sc"): (False, True),
    }
    assert "changes the tables of the map: 'UPDATE" in report_text(written)


def test_names_of_squares_are_written_together(tmp_path: Path) -> None:
    folder = php(tmp_path / "in", install=("'Alp'", "'B 7'"), units=("'Alp'", "'B 7'"))
    rules = load_file(brought(folder, tmp_path / "out").file)
    assert rules.reader.order("A B7 - Dun", Phase.MOVEMENT) == Move("A", "b7", "dun")
    assert rules.board.provinces["b7"].name == "B7"


def test_turns_that_are_years(tmp_path: Path) -> None:
    usual = '( $turn % 2 ? "Autumn, " : "Spring, " ).(floor($turn/2) + 1700)'
    written = brought(php(tmp_path / "in", variant=(usual, '"Year: " . round( ( $turn * 5 ) + 1425 )')), tmp_path / "o")
    calendar = tomllib.loads(written.file.read_text())["rules"]["calendar"]
    assert calendar["first"] == "1425 Movement" and calendar["years"] == 10
    assert calendar["cycle"] == ["+0 Movement", "+0 Retreats", "+5 Movement", "+5 Retreats", "+5 Adjustments"]


CONVOYS = """class CoastConvoy_userOrderDiplomacy extends userOrderDiplomacy {
 function typeCheck() { return true; } function checkConvoyPath($a, $b) { return true; } }"""


def test_coasts_that_convoy_are_listed_by_their_rows(tmp_path: Path) -> None:
    listed = ("public $countries", "public $convoyCoasts = array ('3', '5');\n\tpublic $countries")
    written = brought(php(tmp_path / "in", variant=listed, classes={"userOrderDiplomacy": CONVOYS}), tmp_path / "out")
    settings = {module.key: dict(module.settings) for module in load_file(written.file).modules}
    assert settings["convoying_coasts"]["provinces"] == ("cap",)
    assert "convoyCoasts: Dun" in not_taken(written)  # it has two coasts, and a fleet on one reaches one sea
    assert "userOrderDiplomacy" not in not_taken(written)


FIRST_BUILDS = """class CustomStart_processGame extends processGame { protected function changePhase() {
 if( $this->phase == 'Pre-game' )
 {
  // Builds first
  $this->setPhase('Builds'); return false; } return parent::changePhase(); } }"""


def test_builds_before_the_first_turn_beside_units(tmp_path: Path) -> None:
    default = (
        "class X extends Y { protected $countryUnits = array('South' => array('Cap' => 'Fleet', 'Ode' => 'Fleet')); }"
    )
    folder = php(
        tmp_path / "in",
        units=("'South' => array('Cap' => 'Fleet')", "'South' => array()"),
        classes={"processGame": FIRST_BUILDS, "processOrderBuilds": default},
    )
    written = brought(folder, tmp_path / "out")
    rules = load_file(written.file)
    assert str(rules.first_turn()) == "Winter 1699 Adjustments"
    assert [unit.at for unit in rules.start] == ["alp"]
    settings = {module.key: dict(module.settings) for module in rules.modules}
    assert settings["default_builds"]["units"] == {"South": ("F cap",)}
    assert "processGame" in taken(written) and "processGame" not in not_taken(written)
    assert "Ode is none of its centers" in not_taken(written)


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
    place = tmp_path / "in"
    folder = toy.write(place / "Toy", "webdiplomacy")
    brings = "".join(f"\t\t$this->variantClasses['{name}'] = {owner};\n" for name in TODAY)
    text = toy.VARIANT_PHP.replace("\t\t$this->variantClasses['adjudicatorPreGame'] = 'Toy';\n", brings)
    (folder / "variant.php").write_text(text)
    for name, code in TODAY.items():
        (folder / f"classes/{name}.php").write_text(f"<?php {code} ?>")
    (place / "Other").mkdir()
    (place / "Other/install.php").write_text(toy.INSTALL_PHP)
    (place / "Other/variant.php").write_text("<?php class OtherVariant extends ToyVariant { public $name = 'Other'; }")
    reports = {
        w.file.stem: (w, not_taken(w)) for w in write_variants(read_variants(open_source(place)), tmp_path / "out")
    }
    parent, told = reports["toy"]
    assert "class " not in told.partition("Guessed")[0]
    rules = {module.key: module.settings for module in load_file(parent.file).modules}
    assert {"build_anywhere", "conversion", "default_builds"} <= rules.keys()
    child, told = reports["other"]
    missing = "class userOrderBuilds: changes where builds may go; its file is not here"
    if owner == "'Toy'":
        assert {module.key: module.settings for module in load_file(child.file).modules} == rules
        assert "class " not in told.partition("Guessed")[0]
    else:
        assert "build_anywhere" not in {module.key for module in load_file(child.file).modules}
        assert missing in told


def test_a_start_without_units_is_not_that_of_the_variant_it_extends(tmp_path: Path) -> None:
    php(tmp_path / "in/Toy")
    other = tmp_path / "in/Other"
    (other / "classes").mkdir(parents=True)
    (other / "variant.php").write_text(
        "<?php class OtherVariant extends ToyVariant { public $name = 'Other';\n function __construct() {"
        " $this->variantClasses['adjudicatorPreGame'] = 'Other'; } }"
    )
    (other / "install.php").write_text("<?php require_once('variants/Toy/install.php');")
    empty = "<?php class O extends P { protected function assignUnits() { } }"
    (other / "classes/adjudicatorPreGame.php").write_text(empty)
    written = {
        w.variant.name: w for w in write_variants(read_variants(open_source(tmp_path / "in")), tmp_path / "o", False)
    }
    assert load_file(written["Other"].file).start == ()
    assert len(load_file(written["Toy"].file).start) == 2


def test_rules_that_a_variant_switches_on(tmp_path: Path) -> None:
    line = "$this->rules[RULE_BUILD_ANYHWERE] = true; $this->rules[RULE_CUSTOM_MAP] = true; $r = array(RULE_X => true);"
    written = brought(
        php(tmp_path / "in", variant=("parent::__construct();", f"parent::__construct(); {line}")), tmp_path / "out"
    )
    assert "build_anywhere" in {rule.key for rule in load_file(written.file).modules}
    assert "RULE_X" in not_taken(written) and "CUSTOM" not in report_text(written)


def test_units_of_a_misspelled_country_are_nobodys(tmp_path: Path) -> None:
    written = brought(php(tmp_path / "in", units=("'South'", "'Sooth'")), tmp_path / "out")
    assert "units of Sooth" in not_taken(written)
    assert {unit.power for unit in load_file(written.file).start} == {"North"}


def test_a_territory_that_stands_for_an_order_is_no_place(tmp_path: Path) -> None:
    last = "array('Ode', 'Sea', 'No', 0, 250, 250, 125, 125)"
    order = "array('-=> Transform <=-', 'Coast', 'No', 0, 0, 0, 0, 0)"
    written = brought(php(tmp_path / "in", install=(last, f"{last},\n{order}")), tmp_path / "out")
    assert "Transform" in not_taken(written)
    assert set(read_board(written.board).provinces) == {"alp", "dun", "cap", "bay", "ode"}


@pytest.mark.parametrize(("own", "units"), [("", 22), ("function assignUnits() { }", 0)])
def test_a_variant_of_classic_alone_is_one_of_the_standard_game(own: str, units: int, tmp_path: Path) -> None:
    folder = tmp_path / "Mine"
    (folder / "classes").mkdir(parents=True)
    (folder / "variant.php").write_text("<?php class MineVariant extends ClassicVariant { public $name = 'Mine'; }")
    (folder / "install.php").write_text("<?php require_once('variants/Classic/install.php');")
    (folder / "classes/adjudicatorPreGame.php").write_text(f"<?php class M extends A {{ {own} }}")
    written = brought(folder, tmp_path / "out")
    rules = load_file(written.file)
    assert written.board == board_folder("standard") and len(rules.start) == units
    assert variant_differences(rules, load("standard")) == [] or not units
    assert str(rules.first_turn()) == ("Spring 1901 Movement" if units else "Winter 1900 Adjustments")


# --- njudge and the DPjudge


def judged(folder: Path, *changes: tuple[str, str]) -> Written:
    path = toy.write(folder, "njudge")
    for old, new in changes:
        seed = folder / "seed.toy"
        assert old in path.read_text() or old in seed.read_text()
        for file in (path, seed):
            file.write_text(file.read_text().replace(old, new))
    return brought(path, folder / "out")


def test_a_line_of_borders_without_its_colon(tmp_path: Path) -> None:
    written = judged(tmp_path, ("bay-xc: ", "bay-xc "))
    borders = {(b.a, b.b) for b in read_board(written.board).borders if b.fleet and not b.one_way}
    assert {("bay", "cap"), ("bay", "dun/nc"), ("bay", "ode")} <= borders


def test_digits_are_letters_of_powers_that_are_called_by_their_homes(tmp_path: Path) -> None:
    written = judged(tmp_path, ("Alps,   N", "Alps,   3"), ("N: A", "3: A"))
    rules = load_file(written.file)
    assert {p.name: p.homes for p in rules.powers.values()} == {"Alps": ("alp",), "Cape": ("cap",)}
    assert {(u.power, u.at) for u in rules.start} == {("Alps", "alp"), ("Cape", "cap")}


def test_places_of_machiavelli_are_centers_if_they_have_a_city(tmp_path: Path) -> None:
    written = judged(
        tmp_path,
        ("Alps,   N alp", "Alps,   N0. alp"),
        ("Dunes,  x dun", "Dunes,  x2P dun"),
        ("Cape,   S cap", "Cape,   S1f cap"),
        ("N: A Alps", "Nm A Alps\n&m G Dunes"),
        ("S: F Cape", "Sm F Cape"),
    )
    assert read_board(written.board).centers == ("dun", "cap")
    assert {(u.kind, u.at) for u in load_file(written.file).start} == {("A", "alp"), ("F", "cap")}
    assert "a center: alp" in not_taken(written) and "&m G Dunes" in not_taken(written)


def test_a_home_that_nobody_owns_at_the_start_stays_home(tmp_path: Path) -> None:
    path = toy.write(tmp_path, "dpjudge")
    text = path.read_text().replace("(NORTHERN:N) ALP\n", "(NORTHERN:N) ALP DUN\nOWNS ALP\n")
    path.write_text(text)
    assert "UNOWNED DUN" in text.partition("OWNS ALP")[2]
    rules = load_file(brought(path, tmp_path / "out").file)
    assert rules.powers["North"].homes == ("alp", "dun")
    assert dict(rules.start_owners) == {"alp": "North", "cap": "South"}


def test_a_rule_that_does_not_fit_the_board_is_left_out_and_told(tmp_path: Path) -> None:
    path = toy.write(tmp_path, "dpjudge")
    [variant] = read_variants(open_source(path))
    variant.rules["convoying_coasts"] = {"provinces": ["@alp"]}
    [written] = write_variants([variant], tmp_path / "out", picture=False)
    assert "the rule convoying_coasts" in not_taken(written) and "isn't a coast" in not_taken(written)
    assert "convoying_coasts" not in {rule.key for rule in load_file(written.file).modules}


# --- jDip


def test_powers_by_their_other_names_and_a_letter_of_an_older_editor(tmp_path: Path) -> None:
    folder = toy.write(tmp_path / "in", "jdip")
    text = toy.VARIANTS_XML.replace('adjective="Southern"', 'adjective="Southern" altnames="Midday, The South"')
    head, power, rest = text.partition('altnames="Midday, The South"/>')
    rest = rest.replace('"South"', '"midday"').replace('"south"', '"midday"')
    assert "midday" in rest and power
    described = f"{head}{power}{rest}".replace('adjective="Northern"', 'adjective="N\xf8rthern"')
    (folder / "variants.xml").write_bytes(described.encode("latin-1"))
    rules = load_file(brought(folder, tmp_path / "out").file)
    assert rules.powers["South"].homes == ("cap",)
    assert {(unit.power, unit.at) for unit in rules.start} == {("North", "alp"), ("South", "cap")}
    assert rules.powers["North"].adjective == "Nørthern"


def jdip(tmp_path: Path, adjacency: str, variants: str = toy.VARIANTS_XML) -> Written:
    folder = toy.write(tmp_path / "in", "jdip")
    (folder / "toy_adjacency.xml").write_text(adjacency)
    (folder / "variants.xml").write_text(variants)
    return brought(folder, tmp_path / "out")


def test_colors_of_jdips_powers_are_kept_as_css_names_them(tmp_path: Path) -> None:
    folder = toy.write(tmp_path / "in", "jdip")
    colors = '<POWERCOLORS><POWERCOLOR power="north" color="royalblue"/><POWERCOLOR power="south" color="#f80"/>'
    svg = folder / "toy.svg"
    svg.write_text(svg.read_text().replace("<jdipNS:PROVINCE_DATA>", f"{colors}</POWERCOLORS><jdipNS:PROVINCE_DATA>"))
    powers = load_file(brought(folder, tmp_path / "out").file).powers
    assert [power.color for power in powers.values()][:2] == ["#4169e1", "#ff8800"]


def test_a_country_is_known_by_its_letters(tmp_path: Path) -> None:
    folder = php(tmp_path / "in", install=("'Land', 'Yes', 1,", "'Land', 'Yes', 'N+ORTH',"))
    assert load_file(brought(folder, tmp_path / "out").file).powers["North"].homes


def test_borders_and_centers_of_jdip_name_provinces_by_their_other_names(tmp_path: Path) -> None:
    adjacency = toy.ADJACENCY_XML
    for old, new in (('refs="dun"', 'refs="DUNES"'), ("dun-nc", "dunes-nc"), ("dun-sc", "dunes-sc")):
        assert old in adjacency
        adjacency = adjacency.replace(old, new)
    adjacency = adjacency.replace('refs="cap bay', 'refs="Cape bay')
    variants = toy.VARIANTS_XML.replace('"dun"', '"Dunes"').replace('"alp" power', '"Alps" power')
    assert "Dunes" in variants and "Alps" in variants
    written = jdip(tmp_path / "other", adjacency, variants)
    plain = jdip(tmp_path / "plain", toy.ADJACENCY_XML)
    one, other = load_file(plain.file), load_file(written.file)
    assert {*one.board.borders} == {*other.board.borders}
    assert (other.board.centers, other.start) == (one.board.centers, one.start)
    assert "no province" not in report_text(written)


def test_fleets_do_not_go_where_jdip_states_no_coast(tmp_path: Path) -> None:
    adjacency = toy.ADJACENCY_XML.replace('refs="cap, ode, dun-nc"', 'refs="cap, ode, dun-nc alp"')
    written = jdip(tmp_path, adjacency)
    assert "bay xc alp: no fleet can go there: it states no coast of its own" in not_taken(written)
    board = load_file(written.file).board
    assert not board.provinces["alp"].shore
    assert board.reach("fleet", "bay") == load_file(jdip(tmp_path / "plain", toy.ADJACENCY_XML).file).board.reach(
        "fleet", "bay"
    )


@pytest.mark.parametrize(
    ("terms", "rule"),
    [
        ('orderTypes="dip.order.Move"', {"to": "dun", "phases": ("Movement",)}),
        ('orderTypes="dip.order.Move, dip.order.Retreat"', {"to": "dun"}),
        ('year="-9999,1914"', {"to": "dun", "years": "0-1914"}),
        ('year="1914"', {"to": "dun", "years": "1914-1914"}),
        ('unitTypes="Fleet, Wing" from="Cape"', {"start": "cap", "to": "dun", "kinds": ("F",)}),
    ],
)
def test_criteria_of_borders_of_jdip(terms: str, rule: dict[str, object], tmp_path: Path) -> None:
    [closed] = settings_of(jdip(tmp_path, bordered(terms)))["border_terms"]["closed"]
    assert {name: value for name in closed.__struct_fields__ if (value := getattr(closed, name))} == rule


@pytest.mark.parametrize("terms", ['unitTypes="Wing" season="Fall"', 'year="-30,-20"', 'year="soon"'])
def test_borders_of_jdip_that_our_rule_cannot_say_are_told(terms: str, tmp_path: Path) -> None:
    written = jdip(tmp_path, bordered(terms))
    assert "border_terms" not in settings_of(written)
    assert "BORDER b of dun" in not_taken(written)


def bordered(terms: str) -> str:
    """The toy board of jDip with a border of its own around the Dunes."""
    border = f'<PROVINCES><BORDER_DEFINITIONS><BORDER id="b" description="x" {terms}/></BORDER_DEFINITIONS>'
    text = toy.ADJACENCY_XML.replace("<PROVINCES>", border)
    return text.replace('fullname="Dunes"', 'fullname="Dunes" borders="b"')


# --- godip


def test_what_a_variant_in_go_leaves_to_functions_is_told(tmp_path: Path) -> None:
    path = toy.write(tmp_path, "go")
    text = path.read_text().replace("Phase:      classical.NewPhase", "Phase:      OwnPhase")
    text = text.replace("SCCountWinner(2)", "OwnWinner").replace('"alp": godip.Unit', '"dun": godip.Unit')
    text = text.replace("{godip.Army, North}", "{godip.Army, godip.Neutral}")
    path.write_text(text + "// map[godip.Flag]bool{godip.Anywhere: false}\nvar f = x{godip.Anywhere: true}\n")
    written = brought(path, tmp_path / "out")
    told = not_taken(written)
    assert "Phase: how phases follow each other (OwnPhase)" in told
    assert "SoloWinner: who wins" in told and "One rule and another." in told
    settings = {module.key: dict(module.settings) for module in load_file(written.file).modules}
    assert settings["passive_powers"]["powers"] == ("Neutral",) and "build_anywhere" in settings


def test_a_graph_that_stands_elsewhere_is_refused(tmp_path: Path) -> None:
    path = toy.write(tmp_path, "go")
    path.write_text(path.read_text().partition("func ToyGraph")[0] + '// Prov("alp")\n')
    with pytest.raises(ForeignFileError, match="another package"):
        brought(path, tmp_path / "out")


RECORD = """PHASE 0 Spring Movement
POSITIONS
\tNorth: army alp
\tSouth: fleet cap
\tNorth: supply alp
\tSouth: supply cap
ORDERS
\talp move dun
\tcap hold
PHASE 0 Fall Movement
POSITIONS
\tNorth: army dun
\tNorth: army dun
\tSouth: fleet cap
\tNorth: supply alp
\tSouth: supply cap
ORDERS
\tdun hold
PHASE 0 Fall Adjustment
POSITIONS
\tNorth: army dun
\tSouth: fleet cap
\tNorth: supply alp
\tNorth: supply dun
\tSouth: supply cap
ORDERS
\tbuild anywhere Army alp
PHASE 1 Spring Movement
POSITIONS
\tNorth: army dun
\tNorth: army alp
\tSouth: fleet cap
\tNorth: supply alp
\tNorth: supply dun
\tSouth: supply cap
ORDERS
\tdun move cap
"""


def test_orders_that_do_not_say_whose_they_are(tmp_path: Path) -> None:
    """As godip's own games have them; a year 0 begins, and a unit stands in it twice."""
    path = toy.write(tmp_path, "dpjudge")
    path.write_text(path.read_text().replace("VICTORY 2", "VICTORY 3"))
    written = brought(path, tmp_path / "out")
    (tmp_path / "toy/games").mkdir(parents=True)
    (tmp_path / "toy/games/game_1.txt").write_text(RECORD)
    [record] = read_games(open_source(tmp_path / "toy"))
    assert record.board == "toy"
    rules = load_file(written.file)
    judged = judge_again(record, rules, lambda options: rules)
    assert (judged.differences, judged.unread, judged.agreed) == ([], [], 4)
    assert [turn.sheets[0].power for turn in judged.game.turns] == ["North"] * 4


def test_a_unit_that_a_position_leaves_out_because_it_disbands(tmp_path: Path) -> None:
    lines = RECORD.partition("PHASE 1")[0].replace("PHASE 0 Fall Adjustment", "PHASE 0 Fall Retreat")
    (tmp_path / "game.txt").write_text(
        lines.replace("\tSouth: fleet cap\n", "\tNorth: army cap\n")
        .replace("PHASE 0 Fall Movement\nPOSITIONS\n", "PHASE 0 Fall Movement\nPOSITIONS\n\tSouth: fleet cap\n", 1)
        .replace("build anywhere Army alp", "remove cap")
    )
    [record] = read_games(open_source(tmp_path))
    retreats = record.phases[-1]
    assert retreats.dislodged == [RecordedUnit("South", "F", "cap")]
    assert retreats.orders == {"South": ["remove cap"]}


# --- the DPjudge


def judge_map(tmp_path: Path, *changes: tuple[str, str], more: str = "") -> Written:
    """The toy map of the DPjudge with texts replaced, and lines behind it."""
    path = toy.write(tmp_path, "dpjudge")
    text = path.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text + more)
    return brought(path, tmp_path / "out")


def settings_of(written: Written) -> dict[str, dict[str, Any]]:
    return {module.key: dict(module.settings) for module in load_file(written.file).modules}


def test_an_alternative_home_is_a_center_of_its_power_and_makes_no_further_builds(tmp_path: Path) -> None:
    written = judge_map(tmp_path, ("(NORTHERN:N) ALP", "(NORTHERN:N:NO) ALP ~@DUN &SC"), ("UNOWNED DUN", "UNOWNED"))
    rules = load_file(written.file)
    assert rules.powers["North"].homes == ("alp", "dun") and "dun" in rules.board.centers
    assert rules.powers["North"].aliases == ("N",)
    settings = settings_of(written)
    assert settings["further_sites"]["alternatives"] == {"North": {"dun": ()}}
    assert settings["gained_homes"]["any_claims"] == {"North": 1}
    assert list(settings["hidden_builds"]["provinces"]) == ["dun"]


def test_water_that_is_shut_but_in_spring(tmp_path: Path) -> None:
    more = "IN SPRING: WATER BAY\nSHUT BAY\nRULE HIBERNATE NO_DRAW\n"
    written = judge_map(tmp_path, more=more)
    assert load_file(written.file).board.provinces["bay"].sea
    settings = settings_of(written)
    [shut] = list(settings["border_terms"]["shut"])
    assert (shut.to, list(shut.seasons)) == ("bay", ["Fall"])
    assert "draw_by_vote" not in settings
    assert "nothing; everything in the source has a counterpart" in report_text(written)


def test_half_borders_directives_and_leagues_of_the_dpjudge(tmp_path: Path) -> None:
    more = (
        "DIRECTIVES\nRULE HOLD_WIN\nEND DIRECTIVES\nPAYOLA DIRECTIVES\nRULE NO_SAVINGS\nEND DIRECTIVES\n"
        "NORTH\nLEAGUE RED STRICT\nSOUTH\nLEAGUE RED STRICT\n"
    )
    written = judge_map(tmp_path, more=more + "AMEND BAY ABUTS *ODE\nAMEND ODE ABUTS *BAY\n")
    settings = settings_of(written)
    half: list[HalfBorder] = list(settings["border_terms"]["half"])
    assert {(border.start, border.to, border.convoyed) for border in half} == {
        ("bay", "ode", True),
        ("ode", "bay", True),
    }
    assert settings["solo_terms"]["hold"] == 2
    assert settings["leagues"]["leagues"] == (("North", "South"),)
    assert "stands inside PAYOLA DIRECTIVES" in not_taken(written)


def test_a_power_that_is_set_up_anew_is_not_told_as_left_out(tmp_path: Path) -> None:
    written = judge_map(tmp_path, more="UNPLAYED NORTH, SOUTH\nNORTH (NORTHERN:N) DUN\nA DUN\n")
    told = taken(written)
    assert "UNPLAYED NORTH: what stood before is forgotten; the map sets the power up anew" in told
    assert "UNPLAYED SOUTH: the power is left out, and its centers belong to nobody" in told
    rules = load_file(written.file)
    assert [*rules.powers] == ["North"]
    assert rules.powers["North"].homes == ("dun",)


def test_leagues_whose_powers_differ_are_told(tmp_path: Path) -> None:
    written = judge_map(tmp_path, more="NORTH\nLEAGUE RED STRICT\nSOUTH\nLEAGUE RED\n")
    assert "LEAGUE RED (North, South): restricts supports and convoys of its powers in different" in not_taken(written)
    free = judge_map(tmp_path / "free", more="NORTH\nLEAGUE RED\nSOUTH\nLEAGUE BLUE\n")
    assert "LEAGUE BLUE (South): restricts no power" in taken(free)


def test_a_place_written_in_capitals_has_no_coasts_any_more(tmp_path: Path) -> None:
    written = judge_map(tmp_path, more="COAST DUN ABUTS ALP CAP BAY\nAMEND ODE ABUTS -DUN\nAMEND BAY ABUTS DUN\n")
    dunes = load_file(written.file).board.provinces["dun"]
    assert dunes.shore and not dunes.coasts


def test_years_of_a_flow_that_count_down(tmp_path: Path) -> None:
    more = "BEGIN B.C. 273 MOVEMENT\nFLOW\nFLOW NEWYEAR:-1 B.C.:MOVEMENT,RETREATS IFYEARDIV:2 B.C.:ADJUSTMENTS\n"
    rules = load_file(judge_map(tmp_path, more=more).file)
    turn, turns = rules.first_turn(), []
    for _ in range(7):
        turns.append(str(turn))
        turn = rules.next_turn(turn)
    years = ("273 Movement", "273 Retreats", "272 Movement", "272 Retreats", "272 Adjustments", "271 Movement")
    assert turns == [*years, "271 Retreats"]


# --- vDiplomacy: centers at sea and neutral units that support each other


def test_a_row_that_stands_for_a_center_at_sea(tmp_path: Path) -> None:
    row = "array('Ode', 'Sea', 'No', 0, 250, 250, 125, 125)"
    stand_in = "array('Ode (fake SC)', 'Land', 'Yes', 0, 240, 240, 120, 120)"
    written = brought(php(tmp_path / "in", install=(row, f"{row},\n{stand_in}")), tmp_path / "out")
    rules = load_file(written.file)
    assert set(rules.board.centers) == {"alp", "dun", "cap", "ode"} and rules.board.provinces["ode"].sea
    assert lint(written.board) == [] and "Ode (fake SC): stands for the supply center at sea in Ode" in taken(written)
    game = Game(rules)
    game.play([Sheet("South", (Move("F", "cap", "ode"),))])
    while game.position.turn.phase is not Phase.ADJUSTMENTS:
        game.play([])
    assert game.position.owners["ode"] == "South"


def test_years_before_christ_and_turns_before_the_first_year(tmp_path: Path) -> None:
    down = ("(floor($turn/2) + 1700)", '(-1*(floor($turn/2) - 480))." BC."')
    written = brought(php(tmp_path / "in", variant=down), tmp_path / "out")
    rules = load_file(written.file)
    assert str(rules.first_turn()) == "Spring 480 Movement" and settings_of(written)["calendar"]["down"]
    bids = ('"Pre-game";', '"Pre-game";\nif ( $turn==0  ) return "Bidding";\nif ( $turn==1  ) return "Initial Builds";')
    written = brought(php(tmp_path / "bids", variant=bids), tmp_path / "out2")
    assert str(load_file(written.file).first_turn()) == "Spring 1701 Movement"


def test_abbreviations_behind_the_names(tmp_path: Path) -> None:
    folder = toy.write(tmp_path / "in", "webdiplomacy")
    codes = {"ice": "Alp", "due": "Dun", "cpe": "Cap", "wby": "Bay", "sea": "Ode"}
    for file in (folder / "install.php", folder / "classes" / "adjudicatorPreGame.php"):
        text = file.read_text().replace("'Dun (", "'Dun (DUE) (")
        for code, name in codes.items():
            text = text.replace(f"'{name}'", f"'{name} ({code.upper()})'")
        file.write_text(text)
    board = load_file(brought(folder, tmp_path / "out").file).board
    assert {p.id: p.name for p in board.provinces.values()} == codes
    assert board.provinces["due"].coasts == ("nc", "sc") and "Alp (ICE)" in board.provinces["ice"].aliases


def test_rows_that_name_countries_beside_the_map(tmp_path: Path) -> None:
    row = "array('Ode', 'Sea', 'No', 0, 250, 250, 125, 125)"
    label = "array('north', 'Coast', 'No', 0, 390, 10, 195, 5), array('sou', 'Coast', 'No', 2, 390, 30, 195, 15)"
    written = brought(php(tmp_path / "in", install=(row, f"{label},\n{row}")), tmp_path / "out")
    assert "north: names a country beside the map" in taken(written)
    assert "sou: names a country beside the map" in taken(written) and "called a coast" not in report_text(written)
    assert not written.variant.picture.waste


def test_neutral_units_that_support_each_other_by_their_rows(tmp_path: Path) -> None:
    start = "'South' => array('Cap' => 'Fleet')"
    folder = php(
        tmp_path / "in",
        units=(start, "'South' => array(), 'Black' => array('Cap' => 'Fleet', 'Bay' => 'Fleet')"),
        install=("'Cap', 'Coast', 'Yes', 2,", "'Cap', 'Coast', 'Yes', 'Black',"),
        variant=(
            "public $id = 900;",
            "public $neutralHold = array('5' => '6', '6' => '5');\n"
            "function countryID($countryName) { if ($countryName == 'Black') return 3; }",
        ),
    )
    written = brought(folder, tmp_path / "out")
    assert settings_of(written)["passive_powers"]["supports"] == {"cap": "bay", "bay": "cap"}
    assert "Black" not in not_taken(written)


NO_MOVE = """class X extends userOrderDiplomacy { protected function typeCheck() {
  if (in_array($this->Unit->terrID,array(1,'5')) && $this->type == 'Move') return false;
  return parent::typeCheck(); } }"""
NO_REMOVAL = """class X extends userOrderBuilds { protected function toTerrIDCheck() {
  if ( $this->type == 'Destroy' ) { if ( $this->toTerrID == 1 || $this->toTerrID == 5) return false; }
  if( $this->type == 'Build Army' ) return $this->sqlCheck("ts.countryID = ".$this->countryID." AND t.supply = 'Yes'");
  } }"""


def test_units_that_never_move_and_armies_alone_that_are_built(tmp_path: Path) -> None:
    folder = php(tmp_path / "in", classes={"userOrderDiplomacy": NO_MOVE, "userOrderBuilds": NO_REMOVAL})
    written = brought(folder, tmp_path / "out")
    settings = settings_of(written)
    assert settings["fixed_units"] == {"provinces": ("alp", "cap"), "kept": True}
    assert settings["built_kinds"] == {"kinds": ("A",)}
    assert "userOrderDiplomacy" not in not_taken(written)
    both = NO_REMOVAL.replace("} }", "else return false; } }")
    written = brought(php(tmp_path / "else", classes={"userOrderBuilds": both}), tmp_path / "both")
    assert "built_kinds" not in settings_of(written)
    assert "units in Alp, Cap cannot be removed there" in not_taken(written)


def test_the_one_unit_that_never_moves(tmp_path: Path) -> None:
    kept = "function adjudicate() { $DB->sql_put('INSERT SELECT occupyingUnitID FROM wD_TerrStatus WHERE terrID=5'); }"
    shown = "class X extends OrderInterface { function a() { str_replace('NoMove('.$nomove.');', $script); } }"
    written = brought(
        php(tmp_path / "in", classes={"OrderInterface": shown}, units=("protected", f"{kept} protected")),
        tmp_path / "out",
    )
    assert settings_of(written)["fixed_units"] == {"provinces": ("cap",), "kept": False}
    assert "the unit that stands in Cap at the start never moves" in not_taken(written)


def test_a_class_that_is_not_called_a_variant_tells_what_it_extends(tmp_path: Path) -> None:
    folder = php(tmp_path / "in", variant=("ToyVariant extends WDVariant", "Toy extends OtherVariant"))
    assert "extends OtherVariant: the variant Other is not here" in not_taken(brought(folder, tmp_path / "out"))


# --- njudge


def test_sections_of_njudge_whose_lines_begin_with_capitals(tmp_path: Path) -> None:
    path = toy.write(tmp_path, "njudge")
    text = path.read_text()
    assert text.count("\n-1") == 3
    more = "HongKong setting\nN: DUN\n#end\n\nGateway\nSC:Dun bay ode\n#end\n\nRailway\nTSR:N Alp Dun Cap\n#end\n\n-1"
    text = text.replace("\n-1", "\nRailway line,\tr TSR\nA Canal, g SC\n-1", 1)
    path.write_text(text[: text.rindex("-1")] + more + "\n")
    written = brought(path, tmp_path / "out")
    settings = settings_of(written)
    [north] = [power for power, keys in settings["uncounted_centers"]["centers"].items() if keys == ("dun",)]
    assert settings["railways"] == {"lines": (("alp", "dun", "cap"),), "powers": (north,)}
    assert "Gateway" in not_taken(written)
    assert "tsr" not in load_file(written.file).board.provinces


def test_the_guard_of_a_conduit_is_a_neighbor_too(tmp_path: Path) -> None:
    path = toy.write(tmp_path, "njudge")
    text = path.read_text()
    assert "bay-xc: cap ode dun/nc\n" in text
    plain = load_file(brought(path, tmp_path / "plain").file).board
    path.write_text(text.replace("bay-xc: cap ode dun/nc\n", "bay-xc: ode/cc cap dun/nc\n"))
    written = brought(path, tmp_path / "out")
    assert "a conduit, guarded by Cape: units always pass, as in njudge's judging" in not_taken(written)
    assert load_file(written.file).board.borders == plain.borders
    path.write_text(text.replace("bay-xc: cap ode dun/nc\n", "bay-xc:\nbay-xc: cap ode dun/nc\n"))
    assert load_file(brought(path, tmp_path / "line").file).board.borders == plain.borders


def test_a_map_without_a_name_is_that_of_the_standard_game(tmp_path: Path) -> None:
    path = toy.write(tmp_path, "njudge")
    for old, new in (("map.toy", "map"), ("seed.toy", "seed.standard")):
        (path.parent / old).rename(path.parent / new)
    written = brought(path.parent / "map", tmp_path / "out")
    assert "18, as njudge's program has it for standard" in taken(written)
    assert load_file(written.file).start


def test_borders_of_two_places_with_one_code_are_refused(tmp_path: Path) -> None:
    path = toy.write(tmp_path, "njudge")
    text = path.read_text()
    plain = load_file(brought(path, tmp_path / "plain").file).board
    path.write_text(text.replace("dun dunes", "dun dunes ode", 1))  # a further code gives way
    assert load_file(brought(path, tmp_path / "out").file).board.borders == plain.borders
    path.write_text(text.replace(" bay", " bay dun", 1).replace("bay-xc", "dun-xc", 1))
    with pytest.raises(ForeignFileError, match=r"map\.toy:\d+: dun is the code of Dunes and Bay; give each a code"):
        brought(path, tmp_path / "out")


def test_an_abbreviation_that_orders_leave_out_is_another_one(tmp_path: Path) -> None:
    path = toy.write(tmp_path, "njudge")
    for file in path.parent.iterdir():
        file.write_text(re.sub(r"\bdun\b", "the", file.read_text()).replace("Dunes", "Thebes"))
    written = brought(path, tmp_path / "out")
    assert load_file(written.file).board.provinces["thb"].name == "Thebes"
    assert "the is thb" in not_taken(written)


@pytest.mark.parametrize("seed", ["F1900B", "F1453A", "W1900A"])
def test_games_of_njudge_that_begin_with_builds(seed: str, tmp_path: Path) -> None:
    path = toy.write(tmp_path, "njudge")
    start = next(path.parent.glob("seed.*"))
    start.write_text(f"{seed}\n-1\n-1\n")
    rules = load_file(brought(path, tmp_path / "out").file)
    assert str(rules.first_turn()) == f"Winter {seed[1:5]} Adjustments"
    assert rules.start == ()


FOUR = "array('Bay','Ode','Yes','No')\n);"
"""The end of the toy's table of borders."""
CONSTANT = "define('L','Land');\n$territoryRawData=array(\n\tarray('Alp', L"
TYPED = "const string N = 'North';\n\tpublic $countries = array(ToyVariant::N,"


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("install", "array('Alp',", "array('A' . 'lp',"),
        ("install", "50, 150, 25, 75", "'50', '150', '25', '75'"),
        ("install", "'Yes', 1, 50", "'Yes', '1', 50"),
        ("install", "array('Alp', 'Land'", "1=>array('Alp', 'Land'"),
        ("install", "array('Alp', 'Land'", "0=>array('Alp', 'Land'"),
        ("install", "$territoryRawData=array(\n\tarray('Alp', 'Land'", CONSTANT),
        ("install", "array('Alp','Dun','No','Yes'),", "array('Dun','Cap','No','Yes'),"),
        ("variant", "public $countries = array('North',", "const N = 'North';\n\tpublic $countries = array(self::N,"),
        ("variant", "public $countries = array('North',", TYPED),
        ("variant", "public $countries = array('North', 'South')", "public $countries = [1 => 'North', 2 => 'South']"),
        ("variant", "public $countries", 'public $description = <<<TEXT\nIt\'s a "toy"\nTEXT;\n\tpublic $countries'),
        ("variant", "public $countries", "public $description = <<<'TEXT'\n  It's $one\n  TEXT;\n\tpublic $countries"),
    ],
)
def test_tables_in_the_styles_of_many_hands(file: str, old: str, new: str, tmp_path: Path) -> None:
    plain = load_file(brought(php(tmp_path / "plain"), tmp_path / "out").file)
    changes: dict[str, Any] = {file: (old, new)}
    folder = php(tmp_path / "in", **changes)
    if "'Dun','Cap','No'" in new:  # a border that is put behind the table
        install = folder / "install.php"
        install.write_text(
            install.read_text().replace(FOUR, f"{FOUR}\n$bordersRawData[] = array('Alp','Dun','No','Yes');")
        )
    assert variant_differences(plain, load_file(brought(folder, tmp_path / "out2").file)) == []


def test_rows_that_are_put_behind_a_table_count(tmp_path: Path) -> None:
    more = (
        "$bordersRawData[]=array('Alp','Cap','No','Yes');\n"
        "array_push($bordersRawData, ['Alp','Ode','No','Yes'], ['Dun','Alp','No','Yes']);"
    )
    [variant] = read_variants(open_source(php(tmp_path / "in", install=(FOUR, f"{FOUR}\n{more}"))))
    assert ("Cap", "Alp") in variant.army
    made = f"{FOUR}\n$bordersRawData[]=array('Alp',$other,'No','Yes');"
    with pytest.raises(ForeignFileError, match="the table of borders holds more than data"):
        read_variants(open_source(php(tmp_path / "made", install=(FOUR, made))))


@pytest.mark.parametrize("change", ["unset($bordersRawData[0]);", "$bordersRawData[0]=array('Alp','Cap','No','Yes');"])
def test_a_table_that_a_program_changes_is_told(change: str, tmp_path: Path) -> None:
    written = brought(php(tmp_path / "in", install=(FOUR, f"{FOUR}\n{change}")), tmp_path / "out")
    assert "the table of borders is changed by a program" in not_taken(written)


def test_every_table_that_a_loop_makes_borders_of_counts(tmp_path: Path) -> None:
    loop = """foreach({} as $row) {{
 list($from, $to, $fleets, $armies) = $row;
 InstallTerritory::$Territories[$to]->addBorder(InstallTerritory::$Territories[$from], $fleets, $armies);
}}
?>"""
    more = "$landBorders = array(array('Alp','Cap','No','Yes'));\n" + loop.format("$landBorders")
    [variant] = read_variants(open_source(php(tmp_path / "in", install=("?>", more))))
    assert ("Cap", "Alp") in variant.army
    written = brought(php(tmp_path / "made", install=("?>", loop.format("$made"))), tmp_path / "out")
    assert "$made: borders that are made by a program" in not_taken(written)


def test_starting_units_that_are_set_one_by_one(tmp_path: Path) -> None:
    said = """<?php
class ToyVariant_adjudicatorPreGame {
 protected $countryUnits = array();
 function x() {
  $this->countryUnits['North']['Alp'] = 'Army';
  $this->countryUnits['South']['Cap'] = $kind;
 }
}"""
    folder = php(tmp_path / "in")
    (folder / "classes" / "adjudicatorPreGame.php").write_text(said)
    written = brought(folder, tmp_path / "out")
    assert [str(unit.at) for unit in load_file(written.file).start] == ["alp"]
    assert "countryUnits of South: units made by a program" in not_taken(written)


@pytest.mark.parametrize(
    "arcs", ["a50,50 0 01100,0", "a50 50 0 0 1 100 0", "A50 50 0 01200 200", "a50,50,0,0,1,50-50 50 50 0 0150 50"]
)
def test_arcs_whose_flags_stand_close_to_what_follows(arcs: str, tmp_path: Path) -> None:
    folder = toy.write(tmp_path / "in", "jdip")
    old = "M100,200 l100,0 v100 h-100 z"
    assert old in toy.SVG
    (folder / "toy.svg").write_text(toy.SVG.replace(old, f"M100,200{arcs}v100h-100z"))
    [variant] = read_variants(open_source(folder))
    [[ring]] = variant.picture.shapes["alp"]
    xs, ys = zip(*ring, strict=True)
    found = (min(xs), max(xs), min(ys), max(ys))
    assert found == pytest.approx((0, 100, 50, 200), abs=1)
