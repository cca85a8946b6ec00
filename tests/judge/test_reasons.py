"""Every reason is true: in the case files, in the example games, in random turns, and in the recorded games where they
are at hand (``LEGATION_GAMES``).

Reasons that only a variant's own rules know, and what these tell everybody, are not weighed but kept word for word,
case by case, in ``told_in_cases.txt``; ``python -m tests.judge.test_reasons`` writes it anew, and the difference is to
be read before it is kept.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from legation.game import documents, read_task, replay
from legation.interop.games.recorded_phases import recorded_games
from legation.judge import Resolution, Ruleset, resolve
from legation.variants import load
from tests.judge.case_files import heard_in_cases
from tests.judge.positions import convoy_position, document, random_position
from tests.judge.reasons import untrue
from tests.judge.test_games import FOLDER
from tests.judge.test_games import replay as play_record

KEPT = Path(__file__).with_name("told_in_cases.txt")
EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.json"))
SEEDS = range(60)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What is not so in the turns that are judged meanwhile."""
    found: list[str] = []

    def noted(rules: Ruleset, position: Any, sheets: Any = (), seed: str = "") -> Resolution:
        sheets = tuple(sheets)
        resolution = resolve(rules, position, sheets, seed)
        found.extend(f"{rules.name} {position.turn}: {fault}" for fault in untrue(rules, sheets, resolution))
        return resolution

    monkeypatch.setattr(documents, "resolve", noted)
    yield found


def kept() -> dict[str, list[str]]:
    """What was told in each case when it was looked over."""
    found: dict[str, list[str]] = {}
    for line in KEPT.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            lines = found.setdefault(line.removeprefix("# "), [])
        elif line:
            lines.append(line)
    return found


def test_in_the_case_files() -> None:
    listener = heard_in_cases()
    assert listener.untrue == []
    wanted = {name: lines for name, lines in kept().items() if name in listener.told}
    assert {name: listener.told[name] for name in wanted} == wanted


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_in_the_example_games(path: Path) -> None:
    game, differences = replay(json.loads(path.read_text(encoding="utf-8")))
    assert not differences
    for turn in game.turns:
        assert untrue(game.rules, turn.sheets, turn.resolution) == []


@pytest.mark.parametrize("variant", ["standard", "hundred"])
@pytest.mark.parametrize("make", [random_position, convoy_position])
def test_in_random_turns(variant: str, make: Any) -> None:
    rules = load(variant)
    turn = str(rules.opening().turn)
    for seed in SEEDS:
        task = read_task(document(variant, turn, make(rules.board, tuple(rules.powers)[:4], seed)))
        resolution = resolve(task.rules, task.position, task.sheets, task.seed)
        assert untrue(task.rules, task.sheets, resolution) == [], seed


@pytest.mark.long
@pytest.mark.skipif(not FOLDER, reason="the recorded games are not at hand (LEGATION_GAMES is not set)")
def test_in_the_recorded_games(told: list[str]) -> None:
    counted: Counter[str] = Counter()
    for path in sorted(Path(FOLDER).glob("*.jsonl.gz")):
        for game in recorded_games(path):
            play_record(game, counted)
    assert told == []
    assert counted["Movement"] > 0


if __name__ == "__main__":
    KEPT.write_text(heard_in_cases().document(), encoding="utf-8")
