"""Files of the systems themselves, where they are at hand (``LEGATION_INTEROP`` names their folder)."""

import os
from pathlib import Path

import pytest

from legation.board import read_board
from legation.cli.linting import picture_faults
from legation.interop import ForeignFileError, Written, open_source, read_variants, write_variants
from legation.interop.games import judge_as_recorded, read_games
from legation.variants import board_folder, load
from tests.interop.same import differences

FOLDER = Path(os.environ.get("LEGATION_INTEROP", ""))
pytestmark = pytest.mark.skipif(
    not os.environ.get("LEGATION_INTEROP"), reason="LEGATION_INTEROP names no folder of samples"
)


def bring(name: str, out: Path, *, picture: bool = False) -> list[Written]:
    return write_variants(read_variants(open_source(FOLDER / name)), out, picture)


@pytest.mark.parametrize(
    ("name", "provinces", "centers"),
    [
        ("mila/ancmed.map", 79, 34),
        ("dpjudge/britain.map", 75, 37),
        ("dpjudge/youngstown.map", 180, 72),
        ("jdip/sailho", 60, 16),
        ("njudge/map.loeb9", 86, 38),
        ("njudge/map.youngstown", 180, 72),
        ("diplicity/harness-classical.json", 75, 34),
        ("webdiplomacy/ColdWar", 90, 27),
        ("vdiplomacy/Lepanto", 98, 38),
    ],
)
def test_all_come_in(name: str, provinces: int, centers: int, tmp_path: Path) -> None:
    written = bring(name, tmp_path)
    board = read_board(written[0].board)
    assert (len(board.provinces), len(board.centers)) == (provinces, centers)


@pytest.mark.long
@pytest.mark.parametrize("name", ["jdip/sailho", "dpjudge/britain.map", "njudge/map.loeb9", "mila/ancmed.map"])
def test_their_maps_agree_with_their_borders(name: str, tmp_path: Path) -> None:
    for written in bring(name, tmp_path, picture=True):
        assert written.origin
        assert picture_faults(written.board) == []


@pytest.mark.parametrize("name", ["diplicity/canton.json", "diplicity/north-sea-wars.json"])
def test_files_without_borders_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ForeignFileError, match="no borders"):
        bring(name, tmp_path)


@pytest.mark.parametrize("name", ["dpjudge/standard.map", "diplicity/harness-classical.json"])
def test_the_standard_board_is_ours(name: str, tmp_path: Path) -> None:
    [written] = bring(name, tmp_path)
    assert differences(read_board(written.board), read_board(board_folder("standard"))) == []


def test_youngstown_is_the_same_from_two_systems(tmp_path: Path) -> None:
    [one] = bring("dpjudge/youngstown.map", tmp_path / "one")
    [other] = bring("njudge/map.youngstown", tmp_path / "other")
    told = differences(read_board(one.board), read_board(other.board))
    assert all("jor" in line for line in told), told  # njudge gives Jordan one more coast on the same sea


def test_a_recorded_game_is_judged_alike() -> None:
    [record] = read_games(open_source(FOLDER / "mila/saved-game-3.json"))
    judged, took = judge_as_recorded(record, lambda options: load("standard", options))
    assert judged.differences == []
    assert judged.agreed == judged.turns == 51
    assert str(judged.stands.turn) == "Fall 1913 Movement"  # for which nobody has ordered anything yet
    assert took == ["via_convoy_fallback = True"]
