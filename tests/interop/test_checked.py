"""Borders of every system against checkers that share no code with the importers: each finds them in the files by a few
patterns of its own, by province, and knows nothing of coasts, marks and rules."""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from legation.board import Board, province_of, read_board
from legation.board.model import Travel, fold
from legation.interop import open_source, read_variants, write_variants

FOLDER = Path(os.environ.get("LEGATION_INTEROP", ""))
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


@pytest.mark.skipif(not os.environ.get("LEGATION_INTEROP"), reason="LEGATION_INTEROP names no folder of samples")
@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("dpjudge", "mila/ancmed.map"),
        ("dpjudge", "dpjudge/standard.map"),
        ("dpjudge", "dpjudge/youngstown.map"),
        ("njudge", "njudge/map.loeb9"),
        ("njudge", "njudge/map.youngstown"),
        ("jdip", "jdip/sailho"),
        ("webdiplomacy", "webdiplomacy/ColdWar"),
        ("webdiplomacy", "vdiplomacy/Lepanto"),
    ],
)
def test_boards_of_the_systems_have_the_borders_of_their_files(kind: str, name: str, tmp_path: Path) -> None:
    files = [*(FOLDER / name).glob("*.*"), *FOLDER.glob(name), *FOLDER.glob(name.replace(".map", ".geography"))]
    for file in (file for file in files if file.is_file()):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    written = write_variants(read_variants(open_source(FOLDER / name)), tmp_path / "out", picture=False)[0]
    assert apart(read_board(written.board), CHECKERS[kind](tmp_path)) == set()
