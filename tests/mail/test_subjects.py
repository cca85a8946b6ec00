"""Subject lines as W-20c wants them, as people garble them, and as they come from cameras, scanners and phones."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legation.mail.subjects import GameNames, MailSubject, read_subject
from legation.position import Phase

SEASONS = ("Spring", "Summer", "Autumn", "Winter")
POWERS = ("Crown", "Newcastle", "Manchester", "Montrose", "Argyll", "Confederacy")
GAMES = (
    GameNames("powick-bridge", "Powick Bridge", POWERS, (("english", "Crown"),), SEASONS, (1642, 1742)),
    GameNames("marston-moor", "Marston Moor", POWERS, (), SEASONS, (1642, 1742)),
    GameNames("valmy", "Valmy", ("England", "France", "Burgundy"), (("french", "France"),), ("",), (1425, 1525)),
)
M = Phase.MOVEMENT
CASES = [
    line.split("\t")
    for line in Path(__file__).with_name("subjects.tsv").read_text(encoding="utf-8").splitlines()[1:]
    if not line.startswith("#")
]
"""What each subject means, as it was written down first; "-" stands for nothing."""


@pytest.mark.clause("W-20c")
@pytest.mark.parametrize("case", CASES, ids=[case[-1] for case in CASES])
def test_a_subject_means_what_its_writer_meant(case: list[str]) -> None:
    *meant, text = case
    found = read_subject(text, GAMES)
    read = (found.game, found.power, found.season, found.year, found.phase and found.phase.value, found.version)
    assert [str(part or "-") for part in read] == meant


@pytest.mark.clause("W-20c")
def test_names_are_taken_for_the_only_near_one_or_none() -> None:
    found = read_subject("Powik Brigde - Newcastel - Summer 1642 - Movement Orders", GAMES)
    assert (found.game, found.power) == ("powick-bridge", "Newcastle")
    assert len(found.guessed) == 2
    games = (GameNames("first-field", "First Field"), GameNames("fifth-field", "Fifth Field"))
    assert read_subject("Fieth Field - orders", games).game == ""
    assert read_subject("Powick Bridge - Crown and Newcastle - Movement", GAMES).power == ""


def test_versions_and_their_instructions_are_kept_in_their_own_words() -> None:
    found = read_subject(
        "Powick Bridge - Crown - Summer 1642 - Movement Orders - Version 2 (replaces v1 only if post is late)", GAMES
    )
    assert found.version == 2
    assert found.instruction == "replaces v1 only if post is late"
    found = read_subject("v2 replaces v1 only if it came in time", GAMES)
    assert (found.version, found.instruction) == (2, "replaces v1 only if it came in time")
    # a version without a number is the coordinator s to read
    found = read_subject("Powick Bridge - Crown - final version, replaces all others", GAMES)
    assert found.version is None and found.instruction.startswith("final version") and "replaces" in found.instruction
    # the phase may follow the version
    found = read_subject("Powick Bridge Crown v2 - Movement Orders", GAMES)
    assert (found.version, found.phase, found.instruction) == (2, M, "")
    found = read_subject("Powick Bridge Crown S1642M movement orders v2", GAMES)
    assert (found.season, found.year, found.phase, found.version) == ("Spring", 1642, M, 2) and not found.unread


def test_what_is_not_understood_is_told() -> None:
    assert "tomorrow" in read_subject("Powick Bridge - Crown - tomorrow", GAMES).unread
    assert read_subject("Crown IMG_2041", GAMES).unread == ("IMG_2041",)
    assert read_subject("", GAMES) == MailSubject()


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    assert isinstance(read_subject(text, GAMES), MailSubject)


def test_a_letter_names_a_power_only_where_it_stands_alone() -> None:
    games = (GameNames("edge", "Edge", ("Austria", "Burgundy"), (("A", "Austria"), ("B", "Burgundy")), SEASONS),)
    assert read_subject("A new set of orders", games).power == ""
    assert read_subject("Plan B", games).power == ""
    assert read_subject("Edge - B - orders", games).power == "Burgundy"
    assert read_subject("Edge/A", games).power == "Austria"


@pytest.mark.clause("W-20c")
@pytest.mark.parametrize(
    ("text", "seasons"),
    [
        ("Powick Bridge Crown S1642", ("Spring", "Summer")),  # as a sheet's heading has it
        ("Powick Bridge Crown Su1642", ("Summer", "")),
        ("Powick Bridge Crown S1643M", ("Spring", "")),
        ("Powick Bridge Crown F1642", ("Autumn", "")),
        ("Powick Bridge Crown X1642", ("", "")),
    ],
)
def test_a_code_means_the_seasons_that_it_means_on_a_sheet(text: str, seasons: tuple[str, str]) -> None:
    found = read_subject(text, GAMES)
    assert (found.season, found.or_season) == seasons


def test_without_known_years_a_number_counts_only_beside_something_understood() -> None:
    games = (GameNames("powick-bridge", "Powick Bridge", POWERS, (), SEASONS),)
    assert read_subject("2041", games).year is None
    assert read_subject("Crown 1642", games).year == 1642
    assert read_subject("IMG_2041 Crown", games).year is None
