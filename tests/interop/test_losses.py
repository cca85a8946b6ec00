"""What a file says wrongly, twice or in its own way is told: nothing is lost, or read as more, in silence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from legation.game import Game
from legation.interop import ForeignFileError, Written, report_text
from legation.interop.record import ForeignVariant, Place
from legation.interop.renaming import rename_places
from legation.variants import load_file
from tests.interop import toy
from tests.interop.test_field import bordered, brought, jdip, judge_map, not_taken, php, settings_of


def json_file(folder: Path, kind: str, document: dict[str, Any]) -> Written:
    path = toy.write(folder, kind)
    path.write_text(json.dumps(document))
    return brought(path, folder / "out")


def njudge(folder: Path, text: str = toy.NJUDGE, seed: str = toy.SEED) -> Written:
    """The toy map of njudge with other texts."""
    path = toy.write(folder, "njudge")
    path.write_text(text)
    (folder / "seed.toy").write_text(seed)
    return brought(path, folder / "out")


def guessed(written: Written) -> str:
    return report_text(written).partition("Guessed")[2]


# --- jDip


def test_a_border_of_jdip_that_weakens_and_closes_does_both(tmp_path: Path) -> None:
    terms = settings_of(jdip(tmp_path, bordered('from="cap" season="Fall" baseMoveModifier="-1"')))["border_terms"]
    [weak], [closed] = terms["weak"], terms["closed"]
    assert (weak.start, weak.to) == (closed.start, closed.to) == ("cap", "dun")
    assert list(closed.seasons) == ["Fall"]


@pytest.mark.parametrize("start", ["nowhere", "dun-nc"])
def test_a_border_of_jdip_from_elsewhere_is_not_closed_to_all(start: str, tmp_path: Path) -> None:
    border = bordered(f'from="{start}" season="Fall"').replace(' borders="b"', "").replace('"cap"', '"cap" borders="b"')
    written = jdip(tmp_path, border)
    assert "border_terms" not in settings_of(written)
    assert f"BORDER b of cap, from {start.replace('-', '/')}: is" in not_taken(written)


def test_a_border_from_a_place_off_the_board_is_not_closed_to_all(tmp_path: Path) -> None:
    isle = '<PROVINCE shortname="isl" fullname="Isle"><ADJACENCY type="mv" refs="isl"/></PROVINCE></PROVINCES>'
    adjacency = bordered('from="isl" season="Fall"').replace("</PROVINCES>", isle)
    assert "border_terms" not in settings_of(jdip(tmp_path, adjacency))


def test_two_lists_of_neighbors_of_one_kind_both_count(tmp_path: Path) -> None:
    two = 'type="mv" refs="alp"/><ADJACENCY type="mv" refs="cap"'
    written = jdip(tmp_path / "two", toy.ADJACENCY_XML.replace('type="mv" refs="alp cap"', two))
    assert "dun mv: toy_adjacency.xml:5: a second list of one kind; both count here" in not_taken(written)
    plain = jdip(tmp_path / "plain", toy.ADJACENCY_XML)
    assert {*load_file(written.file).board.borders} == {*load_file(plain.file).board.borders}


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('<GAME_LENGTH value="35"/>', '<HOLD_CAPITALS value="3"/>', "HOLD_CAPITALS 3: isn't a known condition"),
        ('<GAME_LENGTH value="35"/>', '<GAME_LENGTH value="long"/>', "GAME_LENGTH long: isn't a known condition"),
        ('province="dun"/>', 'province="dun" homepower="any"/>', "homepower any of dun: a center of every power's"),
    ],
)
def test_what_a_variant_of_jdip_says_in_words_of_its_own_is_told(old: str, new: str, told: str, tmp_path: Path) -> None:
    assert old in toy.VARIANTS_XML
    written = jdip(tmp_path, toy.ADJACENCY_XML, toy.VARIANTS_XML.replace(old, new))
    assert told in not_taken(written), report_text(written)


# --- DPjudge


def test_homes_with_marks_that_a_power_inhabits_are_its_homes(tmp_path: Path) -> None:
    written = judge_map(tmp_path, ("(NORTHERN:N) ALP", "(NORTHERN:N) ALP\nINHABITS ALP ~DUN"))
    assert load_file(written.file).powers["North"].homes == ("alp", "dun")


def test_a_site_of_builds_has_its_new_code_and_its_power_the_new_name(tmp_path: Path) -> None:
    more = "CAPE -> KAP = kap\nNORTH -> NORD (NORDIC:N)\n"
    written = judge_map(tmp_path, ("(NORTHERN:N) ALP", "(NORTHERN:N) ALP +CAP"), more=more)
    assert settings_of(written)["further_sites"]["always"] == {"Nord": ("kap",)}


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("COST CAP ABUTS BAY\n", "COST CAP ABUTS BAY: toy.map:23: neither a directive nor a power"),
        ("VICTORY TWO\n", "VICTORY TWO: toy.map:23: isn't a list of numbers of centers"),
        ("NORTH\nA ALP DUN\n", "A alp dun: toy.map:24: a unit stands in one place"),
        ("DUNES = dun sand?\n", "sand? of dun: a name that means another place, too"),
        ("UNOWNED DUN\nINHABITS DUN\n", "INHABITS DUN: says what a power's homes are, but names none"),
        (
            "AMEND BAY ABUTS ODE(ALP,XYZ)\n",
            "bay ABUTS ODE(ALP,XYZ): open only to the owner of xyz, which isn't a place",
        ),
    ],
)
def test_lines_that_cannot_be_read_are_told_and_change_nothing(more: str, told: str, tmp_path: Path) -> None:
    written = judge_map(tmp_path / "more", more=more)
    assert told in not_taken(written)
    plain = load_file(judge_map(tmp_path / "plain").file)
    rules = load_file(written.file)
    assert (rules.powers, rules.start, rules.board.centers) == (plain.powers, plain.start, plain.board.centers)
    assert {*rules.board.borders} == {*plain.board.borders}


def test_a_power_that_may_be_a_misspelled_directive_is_told(tmp_path: Path) -> None:
    assert "Unowmed: is a power, as its line begins with no directive" in guessed(
        judge_map(tmp_path, more="UNOWMED DUN\n")
    )


def test_rules_of_the_dpjudge_in_small_letters(tmp_path: Path) -> None:
    assert "build_anywhere" in settings_of(judge_map(tmp_path, more="rule build_any\n"))


# --- njudge


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("Ocean,  w ode", "Ocean,  wl ode", "wl of ode: map.toy:5: water that armies enter"),
        ("#End of", "Railway\nfoo bar\n#End of", "foo bar: map.toy:19: isn't a line of that section"),
        ("#End of", "HongKong\nfoo bar\n#End of", "foo bar: map.toy:19: isn't a line of that section"),
    ],
)
def test_lines_of_njudge_that_are_not_read_are_told(old: str, new: str, told: str, tmp_path: Path) -> None:
    assert told in not_taken(njudge(tmp_path, text=toy.NJUDGE.replace(old, new)))


@pytest.mark.parametrize(
    ("owners", "owned", "told"),
    [
        (
            "NNSN.S",
            {"alp": "Alps", "dun": "Alps", "cap": "Cape"},
            "seed.toy: owners of bay, gat: which aren't centers",
        ),  # gat, on no border, is no place
        ("NS", {"alp": "Alps", "dun": "Cape"}, "seed.toy: owners: are 2, and places 6: the rest is nobody's"),
    ],
)
def test_owners_of_what_is_no_center_are_told(owners: str, owned: dict[str, str], told: str, tmp_path: Path) -> None:
    text = toy.NJUDGE.replace("Ocean,  w ode\n", "Ocean,  w ode\nGate,  g gat\n")
    written = njudge(tmp_path, text=text, seed=toy.SEED.replace("-1 Null ownership", f"-1\n{owners}"))
    assert told in not_taken(written)
    assert dict(load_file(written.file).start_owners) == owned


def test_units_of_a_power_without_homes_and_a_seed_in_retreats(tmp_path: Path) -> None:
    written = njudge(tmp_path, seed=toy.SEED.replace("S1700M", "F1700R").replace("S: F", "Q: F"))
    assert "seed.toy: Q: the map has no home of this letter" in guessed(written)
    assert str(load_file(written.file).first_turn()) == "Fall 1700 Retreats"


# --- diplicity, godip


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("nations", {"capital": "alp"}, "nations: capital of north: isn't a key of the schema"),
        ("provinces", {"fortress": True}, "provinces: fortress of alp: isn't a key of the schema"),
        ("namedCoasts", {"port": True}, "namedCoasts: port of dun/nc: isn't a key of the schema"),
        ("nations", {"id": "south"}, "nation south: has no name, or an id that another nation has"),
        ("victoryConditions", {"supplyCenters": "2"}, "supply-center-majority: isn't known"),
        ("victoryConditions", {"type": "timed-resolution", "year": 1710, "resolution": "lot"}, "timed-resolution: is"),
    ],
)
def test_what_the_schema_does_not_know_is_told(key: str, value: dict[str, object], told: str, tmp_path: Path) -> None:
    document: dict[str, Any] = toy.document()
    document[key][0].update(value)
    assert told in not_taken(json_file(tmp_path, "diplicity", document))


def test_a_center_that_is_neither_true_nor_false_is_refused(tmp_path: Path) -> None:
    document: dict[str, Any] = toy.document()
    document["provinces"][1]["supplyCenter"] = "true"
    with pytest.raises(ForeignFileError, match=r"provinces\.dun: supplyCenter is 'true'; true or false"):
        json_file(tmp_path, "diplicity", document)


def test_a_center_that_is_owned_but_not_called_one_is_told(tmp_path: Path) -> None:
    document: dict[str, Any] = toy.document()
    document["initialState"]["supplyCenters"].append({"nation": "north", "province": "ode"})
    assert "center ode: is owned at the start, and so is a center" in guessed(
        json_file(tmp_path, "diplicity", document)
    )


@pytest.mark.parametrize(
    ("where", "value", "told"),
    [
        (("Start", "SupplyCenters"), {"dun": "East"}, "center dun: belongs to East, which isn't a nation"),
        (("Graph", "Nodes", "dun"), {"SC": "East"}, "SC of dun: is home of East, which isn't a nation"),
        (
            ("Graph", "Nodes", "alp", "Subs", "", "Edges"),
            {"cap": {}},
            "alp - cap: a border without the flag Land or Sea",
        ),
        ((), {"Flags": ["Anywhere", "Elsewhere"]}, "flag Elsewhere: is not known"),
    ],
)
def test_what_is_not_known_in_a_file_of_godip_is_told(
    where: tuple[str, ...], value: dict[str, object], told: str, tmp_path: Path
) -> None:
    document: dict[str, Any] = toy.godip()
    at = document
    for key in where:
        at = at[key]
    at.update(value)
    assert told in not_taken(json_file(tmp_path, "godip", document))


def test_a_variant_in_go_begins_with_its_phase_and_its_unknown_flags_are_told(tmp_path: Path) -> None:
    start = "classical.NewPhase(1700, godip.Fall, godip.Adjustment)\n\tflags := {godip.Elsewhere: true}"
    path = toy.write(tmp_path, "go")
    path.write_text(toy.GO.replace("classical.NewPhase(1700, godip.Spring, godip.Movement)", start))
    written = brought(path, tmp_path / "out")
    assert str(load_file(written.file).first_turn()) == "Winter 1700 Adjustments"
    assert "flag Elsewhere: is not known" in not_taken(written)


# --- webDiplomacy


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("variant", "supplyCenterTarget = 2", "supplyCenterTarget = 1+1", "supplyCenterTarget: is made by a program"),
        ("variant", "parent::initialize();", "$this->countries[] = 'East';", "countries: are changed by a program"),
        (
            "install",
            "?>",
            "InstallTerritory::$Territories[$a]->addBorder(InstallTerritory::$Territories['Cap'],'No','Yes');\n?>",
            "addBorder 'Cap', 'No', 'Yes': install.php:27: a border that is made by a program",
        ),
    ],
)
def test_what_a_program_makes_is_told(file: str, old: str, new: str, told: str, tmp_path: Path) -> None:
    assert told in not_taken(brought(php(tmp_path / "in", classes=None, **{file: (old, new)}), tmp_path / "out"))


def test_a_loop_that_makes_the_borders_of_the_table_is_no_loss(tmp_path: Path) -> None:
    loop = (
        "foreach($bordersRawData as $borderRawRow) {\n\tlist($from, $to, $fleets, $armies)=$borderRawRow;\n"
        "\tInstallTerritory::$Territories[$from]->addBorder(InstallTerritory::$Territories[$to],$fleets,'No');\n}\n?>"
    )
    assert "addBorder" not in not_taken(brought(php(tmp_path / "in", install=("?>", loop)), tmp_path / "out"))


# --- calendars


@pytest.mark.parametrize("kind", ["diplicity", "dpjudge"])
def test_a_game_that_begins_in_fall_has_its_year_and_the_next_begins_in_spring(kind: str, tmp_path: Path) -> None:
    if kind == "dpjudge":
        flow = "BEGIN FALL 1700 MOVEMENT\nFLOW SPRING:M,R FALL:M,R FALL:A NEWYEAR\n"
        written = judge_map(tmp_path, more=flow)
    else:
        document: dict[str, Any] = toy.document()
        document["initialState"]["phase"]["season"] = "Fall"
        written = json_file(tmp_path, kind, document)
    game = Game(load_file(written.file))
    turns: list[str] = []
    while len(turns) < 3:
        turns.append(str(game.position.turn))
        game.play([])
    assert turns == ["Fall 1700 Movement", "Spring 1701 Movement", "Fall 1701 Movement"]
    assert "the year changes" not in report_text(written)


# --- keys


def test_a_coast_that_has_another_code_has_it_in_the_settings_of_rules_too() -> None:
    places = {"dun": Place(key="dun", name="Dunes", coasts=["nc", "sc"])}
    variant = ForeignVariant(name="x", title="X", format="x", file="x", places=places)
    variant.rules = {"default_builds": {"units": {"North": ["F @dun/nc", "A @dun", "A @gone"]}}}
    rename_places(variant, {"dun": "due", "dun/nc": "due/ec", "dun/sc": "due/sc"})
    assert variant.rules == {"default_builds": {"units": {"North": ["F @due/ec", "A @due"]}}}
    assert variant.places["due"].coasts == ["ec", "sc"]
