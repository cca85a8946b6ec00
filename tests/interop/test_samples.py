"""Files of the systems themselves, where they are at hand (``LEGATION_INTEROP`` names their folder).

Their borders are held against checkers that share no code with the importers: each finds them in the files by a few
patterns of its own, by province, and knows nothing of coasts, marks and rules."""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from legation.board import Board, province_of, read_board
from legation.board.model import Travel, fold
from legation.cli.linting import picture_faults
from legation.interop import ForeignFileError, Written, open_source, read_variants, write_variants
from legation.interop.games import judge_as_recorded, read_games
from legation.variants import USUAL, load
from tests.interop.same import differences

FOLDER = Path(os.environ.get("LEGATION_INTEROP", ""))
pytestmark = pytest.mark.skipif(
    not os.environ.get("LEGATION_INTEROP"), reason="LEGATION_INTEROP names no folder of samples"
)


def bring(name: str, out: Path, *, picture: bool = False) -> list[Written]:
    return write_variants(read_variants(open_source(FOLDER / name)), out, picture)


Way = tuple[str, str, str]
"""Who passes, from where, to where; places as the source calls them."""


def dpjudge(folder: Path) -> Iterator[Way]:
    text = "".join(
        file.read_text(errors="replace") for file in folder.iterdir() if file.suffix in (".map", ".geography")
    )
    rows = re.findall(r"(?m)^\s*(WATER|LAND|COAST|PORT|AMEND)\s+(\S+)\s+ABUTS\s+(.+)$", text)
    kinds = {start[:3].lower(): terrain for terrain, start, _ in rows if terrain != "AMEND"}
    for _, start, listed in rows:
        for end in re.findall(r"(?<!\S)[A-Za-z]{3}(?:/[A-Z]{2})?(?!\S)", listed):
            both = {kinds.get(start[:3].lower()), kinds.get(end[:3].lower())}
            if not end[:3].islower() and (start[:3].isupper() or "/" in start) and not both & {"LAND", None}:
                yield "fleet", start, end
            if "/" not in start and (end.islower() or end[:3].isupper()) and not both & {"WATER", None}:
                yield "army", start, end


def njudge(folder: Path) -> Iterator[Way]:
    [text] = (file.read_text() for file in folder.iterdir() if file.name.startswith("map"))
    for start, kind, listed in re.findall(r"(?m)^(\w+)-(mv|xc|nc|sc|ec|wc):\s*(.+)$", text.split("\n-1")[1]):
        yield from (("army" if kind == "mv" else "fleet", start, end.partition("/")[0]) for end in listed.split())


def jdip(folder: Path) -> Iterator[Way]:
    for file in folder.glob("*.xml"):
        for place in ElementTree.fromstring(file.read_text()).iter("PROVINCE"):
            for near in place.iter("ADJACENCY"):
                travel = "army" if near.get("type", "mv") == "mv" else "fleet"
                for end in re.split(r"[,\s]+", near.get("refs", "").strip()):
                    yield travel, place.get("shortname", ""), re.sub(r"-[nsew]c$", "", end)


def webdiplomacy(folder: Path) -> Iterator[Way]:
    text = re.sub(r"(?s)/\*.*?\*/", "", (folder / "install.php").read_text())
    word = r"""\s*['"]([^'"]+)['"]\s*"""
    for a, b, fleets, armies in re.findall(rf"(?:array\(|\[){word},{word},{word},{word}[)\]]", text):
        for start, end in ((a, b), (b, a)):
            yield from (("fleet", start, end),) if fleets == "Yes" else ()
            yield from (("army", start, end),) if armies == "Yes" else ()


CHECKERS: dict[str, Callable[[Path], Iterator[Way]]] = {
    "dpjudge": dpjudge, "njudge": njudge, "jdip": jdip, "webdiplomacy": webdiplomacy
}  # fmt: skip


def apart(board: Board, ways: Iterator[Way]) -> set[Way]:
    """The ways that are only in the file or only on the board, without coasts and without armies at sea."""
    names = {fold(word): p.id for p in board.provinces.values() for word in (p.id, p.name, *p.aliases)}

    def place(written: str) -> str:
        plain = re.sub(r"\s*\([^()]* Coast\)", "", written, flags=re.IGNORECASE).partition("/")[0]
        return names.get(fold(plain), f"? {plain}")

    found = {(travel, place(a), place(b)) for travel, a, b in ways}
    wet = {p.id for p in board.provinces.values() if p.sea}
    found = {(travel, a, b) for travel, a, b in found if a != b and not (travel == "army" and {a, b} & wet)}
    kinds: tuple[Travel, ...] = ("army", "fleet")
    ours = {(t, province_of(at), province_of(to)) for t in kinds for at in board.locations for to in board.reach(t, at)}
    return found ^ ours


@pytest.mark.parametrize(
    ("name", "kind", "provinces", "centers"),
    [
        ("mila/ancmed.map", "dpjudge", 79, 34),
        ("dpjudge/britain.map", "", 75, 37),
        ("dpjudge/standard.map", "dpjudge", 75, 34),
        ("dpjudge/youngstown.map", "dpjudge", 180, 72),
        ("jdip/sailho", "jdip", 60, 16),
        ("njudge/map.loeb9", "njudge", 86, 38),
        ("njudge/map.youngstown", "njudge", 180, 72),
        ("diplicity/harness-classical.json", "", 75, 34),
        ("webdiplomacy/ColdWar", "webdiplomacy", 90, 27),
        ("vdiplomacy/Lepanto", "webdiplomacy", 98, 38),
    ],
)
def test_all_come_in_with_the_borders_of_their_files(
    name: str, kind: str, provinces: int, centers: int, tmp_path: Path
) -> None:
    board = read_board(bring(name, tmp_path / "out")[0].board)
    assert (len(board.provinces), len(board.centers)) == (provinces, centers)
    files = [*(FOLDER / name).glob("*.*"), *FOLDER.glob(name), *FOLDER.glob(name.replace(".map", ".geography"))]
    for file in (file for file in files if kind and file.is_file()):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    assert not kind or apart(board, CHECKERS[kind](tmp_path)) == set()


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
    assert differences(read_board(written.board), read_board(USUAL.folder_of("standard"))) == []


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
