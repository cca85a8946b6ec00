"""What a file says wrongly, twice or in its own way is told: nothing is lost, or read as more, in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from legation.interop import Written, report_text
from legation.variants import load_file
from tests.interop import toy
from tests.interop.test_field import bordered, jdip, judge_map, not_taken, settings_of


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
    assert f"BORDER b of cap, from {start.replace('-', '/')}: is " in not_taken(written)


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
        ('<GAME_LENGTH value="35"/>', '<HOLD_CAPITALS value="3"/>', "HOLD_CAPITALS 3: is no condition that is known"),
        ('<GAME_LENGTH value="35"/>', '<GAME_LENGTH value="long"/>', "GAME_LENGTH long: is no condition that is known"),
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
        ("VICTORY TWO\n", "VICTORY TWO: toy.map:23: is no list of numbers of centers"),
        ("NORTH\nA ALP DUN\n", "A alp dun: toy.map:24: a unit stands in one place"),
        ("DUNES = dun sand?\n", "sand? of dun: a name that means another place, too"),
        ("UNOWNED DUN\nINHABITS DUN\n", "INHABITS DUN: says what a power's homes are, but names none"),
        ("AMEND BAY ABUTS ODE(ALP,XYZ)\n", "bay ABUTS ODE(ALP,XYZ): open only to the owner of xyz, which is no place"),
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
