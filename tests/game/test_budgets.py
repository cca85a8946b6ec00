"""Bad input costs little, however much of it there is: at most 50 faults are told, then how many more, and a kilobyte
of a long document takes no more work than one of a short.

Work is counted in calls of functions, which no clock and no busy machine changes."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from legation.board import BoardFileError, read_board
from legation.board.lint import lint
from legation.faults import MOST_FAULTS
from legation.game import DocumentError, SavedGameError, load_game, read_task
from legation.game.checking import check_sheet
from legation.variants import Registry, VariantError, load
from tests.sampling import some

SHORTEST, LONGEST = 400, 1600
GROWTH = 1.1  # how much dearer a kilobyte may be in the longest than in the shortest
BOUNDED = 0.5  # the same where looking for the mend is what costs, and ends after so many faults
STANDARD = {"variant": "standard", "turn": "Spring 1901 Movement"}

POSITIONS: dict[str, Callable[[int], dict[str, Any]]] = {
    "units that are none": lambda n: {"units": {"France": [f"A nowhere {i}" for i in range(n)]}},
    "units nearly right": lambda n: {"units": {"France": [f"A pariss{i % 7}" for i in range(n)]}},
    "units of other types": lambda n: {"units": {"France": list(range(n))}},
    "the same unit": lambda n: {"units": {"France": ["A par"] * n}},
    "units of nobody": lambda n: {"units": {f"Francia {i}": ["A par"] for i in range(n)}},
    "centers that are none": lambda n: {"units": {}, "centers": {"France": [f"paris {i}" for i in range(n)]}},
    "contested nowhere": lambda n: {"units": {}, "contested": [f"paris {i}" for i in range(n)]},
    "dislodged nowhere": lambda n: {"units": {}, "dislodged": {"France": [f"A paris {i}" for i in range(n)]}},
    "attackers from nowhere": lambda n: {
        "units": {},
        "dislodged": {"France": [{"unit": "A par", "attacker_from": f"x{i}"} for i in range(n)]},
    },
    "unknown keys": lambda n: {f"unit{i}": 1 for i in range(n)},
    "state of no rule": lambda n: {"units": {}, "state": {f"rule {i}": [1] for i in range(n)}},
    "orders of nobody": lambda n: {"units": {}, "orders": {f"Francia {i}": ["A par H"] for i in range(n)}},
    "orders that are none": lambda n: {"orders": {"France": [f"A pariss - {i}" for i in range(n)]}},
    "options": lambda n: {"units": {}, "options": {f"option {i}": True for i in range(n)}},
}
MENDED = {
    "units that are none",
    "units nearly right",
    "centers that are none",
    "contested nowhere",
    "dislodged nowhere",
    "orders of nobody",
    "orders that are none",
}


def calls_a_kilobyte(make: Callable[[int], Any], read: Callable[[Any], object], size: int) -> float:
    """The calls of functions, Python's and C's, for a kilobyte."""
    given = make(size)
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        read(given)
    finally:
        sys.setprofile(before)
    return calls / (len(json.dumps(given)) / 1000)


def check_growth(make: Callable[[int], Any], read: Callable[[Any], object], growth: float = GROWTH) -> None:
    calls_a_kilobyte(make, read, 10)  # what is made once
    short, long = (calls_a_kilobyte(make, read, size) for size in (SHORTEST, LONGEST))
    assert long <= growth * short, f"{long / short:.2f} times as dear"


def position_faults(document: dict[str, Any]) -> list[str]:
    try:
        read_task({**STANDARD, **document})
    except DocumentError as error:
        return error.faults
    return []


@pytest.mark.parametrize("name", POSITIONS)
def test_a_bad_position_costs_little(name: str) -> None:
    make = POSITIONS[name]
    check_growth(make, position_faults, BOUNDED if name in MENDED else GROWTH)
    faults = position_faults(make(2000))
    assert len(faults) <= MOST_FAULTS + 1
    if name in ("units that are none", "units of other types", "the same unit", "centers that are none"):
        assert faults[-1] in ("and 1950 more", "and 1949 more")


def saved(n: int) -> dict[str, Any]:
    return {"format": "legation game 2", "variant": "standard", "turns": [{"position": {}}] * n, "after": {}}


def saved_faults(document: dict[str, Any]) -> list[str]:
    with pytest.raises(SavedGameError) as caught:
        load_game(document)
    return caught.value.faults


def test_a_bad_saved_game_costs_little() -> None:
    check_growth(saved, saved_faults)
    assert len(saved_faults(saved(5000))) == MOST_FAULTS + 1
    assert saved_faults(saved(5000))[-1] == "and 4950 more"


SHEETS: dict[str, Callable[[int], str]] = {
    "lines that are none": lambda n: "\n".join(f"Harry up nowhere {i}" for i in range(n)),
    "orders nearly right": lambda n: "\n".join(f"A pariss{i} - bur" for i in range(n)),
    "one long line": lambda n: "A par - bur " * n,
    "signs": lambda n: "-(,;:" * n,
}


@pytest.mark.parametrize("name", SHEETS)
def test_a_bad_sheet_costs_little(name: str) -> None:
    rules = load("standard")
    check_growth(SHEETS[name], lambda text: check_sheet(rules, rules.opening(), "France", text))


HEAD = 'name = "x"\ntitle = "X"\n'
BOARDS: dict[str, Callable[[int], dict[str, str]]] = {
    "borders of nothing": lambda n: {
        "land.csv": "id,name\n" + "".join(f"l{i},Land {i}\n" for i in range(60)),
        "borders.csv": "a,b,army,fleet\n" + "".join(f"lx{i},ly{i},1,0\n" for i in range(n)),
    },
    "unknown columns": lambda n: {"land.csv": "id,name," + ",".join(f"nam{i}" for i in range(n)) + "\n"},
    "columns named twice": lambda n: {"land.csv": "id,name" + ",note" * n + "\n"},
    "unknown keys": lambda n: {"board.toml": HEAD + "".join(f"titel{i} = 1\n" for i in range(n))},
    "ids that are none": lambda n: {"land.csv": "id,name\n" + "".join(f"LAND {i},x\n" for i in range(n))},
}


@pytest.mark.parametrize("name", BOARDS)
def test_a_bad_board_costs_little(tmp_path: Path, name: str) -> None:
    def faults(files: dict[str, str]) -> int:
        for file, text in {"board.toml": HEAD, **files}.items():
            (tmp_path / file).write_text(text, encoding="utf-8")
        with pytest.raises(BoardFileError) as caught:
            read_board(tmp_path)
        return len(caught.value.faults)

    check_growth(BOARDS[name], faults)
    assert faults(BOARDS[name](SHORTEST)) <= MOST_FAULTS + 1
    assert len(lint(tmp_path)) <= MOST_FAULTS + 1


POWER = '[[powers]]\nname = "P{i}"\nhomes = ["xx{i}"]\n'
VARIANTS: dict[str, Callable[[int], str]] = {
    "unknown keys": lambda n: "".join(f"titel{i} = 1\n" for i in range(n)),
    "powers without homes": lambda n: "".join(POWER.format(i=i) for i in range(n)),
    "powers of one name": lambda n: '[[powers]]\nname = "P"\n' * n,
    "unknown rules": lambda n: "".join(f"[rules.rule{i}]\n" for i in range(n)),
    "units nowhere": lambda n: f'[[powers]]\nname = "P"\nunits = {[f"A x{i}" for i in range(n)]}\n',
}


@pytest.mark.parametrize("name", some(VARIANTS, 4))
def test_a_bad_variant_costs_little(tmp_path: Path, name: str) -> None:
    def faults(text: str) -> int:
        (tmp_path / "mine.toml").write_text('title = "X"\nboard = "standard"\nrules_of = "standard"\n' + text)
        with pytest.raises(VariantError) as caught:
            Registry(tmp_path).load("mine")
        return len(caught.value.faults)

    check_growth(VARIANTS[name], faults)
    assert faults(VARIANTS[name](SHORTEST)) <= MOST_FAULTS + 1
