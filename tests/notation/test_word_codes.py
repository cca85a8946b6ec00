"""Provinces whose code is a word of everyday language, as imported boards have them: where such a word may be either,
units and centers decide; what is left open is told, or is the word."""

import re
import shutil
from pathlib import Path

import pytest

from legation.board import read_board
from legation.notation import Reader, write
from legation.position import Position, Turn, Unit
from legation.variants import find_boards, load

CODES = {"bel": "and", "hol": "all", "den": "hold", "nwy": "not", "swe": "now"}
RULES = load("standard")
UNITS = ("F and", "A all", "A bur", "F now", "F not", "A hold")


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """The standard board, with other codes."""
    folder = tmp_path_factory.mktemp("board") / "standard"
    shutil.copytree(Path(str(find_boards()["standard"])), folder)
    for table in folder.glob("*.csv"):
        text = table.read_text(encoding="utf-8")
        for code, word in CODES.items():
            text = re.sub(rf"(?m)(?<=^){code}(?=,)|(?<=,){code}(?=,)", word, text)
        table.write_text(text, encoding="utf-8")
    return Reader(read_board(folder), list(RULES.powers.values()), RULES.kinds)


def read(reader: Reader, text: str, turn: str = "Fall 1902 Movement") -> list[str]:
    """The orders of a text, and the codes of what is told."""
    own = tuple(Unit(*reader.unit(unit), "France") for unit in UNITS)
    centers = dict.fromkeys(("and", "all", "par", "bre", "mar"), "France")
    position = Position(Turn.parse(turn), own if turn.endswith("Movement") else own[2:3], owners=centers)
    passages = reader.sheet(text, position.turn.phase, "France", position)
    told = [f"! {p.error.code}" for p in passages if p.error is not None]
    return [*(write(p.order) for p in passages if p.order is not None), *told]


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("F and - nth", ["F and - nth"]),
        ("and - nth", ["and - nth"]),
        ("bur S and", ["bur S and"]),
        ("A bur S F and", ["A bur S F and"]),
        ("A bur hold\nand hold", ["A bur H", "and H"]),
        ("Bur, And and All hold", ["bur H", "and H", "all H"]),
        ("A bur - par and F and - nth", ["A bur - par", "F and - nth"]),
        ("A bur - par, and A all H", ["A bur - par", "A all H"]),
        ("A hold H", ["A hold H"]),
        ("F not - nth", ["F not - nth"]),
        ("F now - bal", ["F now - bal"]),
        ("A bur H. And now for something else.", ["A bur H"]),
    ],
)
def test_a_place_is_meant_where_it_fits(reader: Reader, text: str, orders: list[str]) -> None:
    assert read(reader, text) == orders


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("F and, A all", ["build F and", "build A all"]),
        ("And A\nAll A", ["build A and", "build A all"]),
        ("Fleets: Bre, And. Armies: Par, All.", ["build F bre", "build F and", "build A par", "build A all"]),
        ("Fleets: Bre and And", ["build F bre", "build F and"]),
        ("FLEETS: BRE, AND, ALL", ["build F bre", "build F and", "build F all"]),
        ("A par, F bre and A mar", ["build A par", "build F bre", "build A mar"]),
        ("F bre, and\nA par", ["build F bre", "build A par"]),
    ],
)
def test_a_build_is_meant_where_a_center_is_free(reader: Reader, text: str, orders: list[str]) -> None:
    assert read(reader, text, "Winter 1902 Adjustments") == orders
