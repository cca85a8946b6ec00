"""What a file says wrongly, twice or in its own way is told: nothing is lost, or read as more, in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from legation.interop import report_text
from legation.variants import load_file
from tests.interop import toy
from tests.interop.test_field import bordered, jdip, not_taken, settings_of

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
