"""Every verdict says why, and every reason is true: in the case files, in the example games, in random turns, and in
the recorded games where they are at hand (``LEGATION_GAMES``)."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from legation.game import documents, read_task, replay
from legation.interop.games.recorded_phases import recorded_games
from legation.judge import Outcome, Resolution, Ruleset, Verdict, resolve
from legation.notation import write
from legation.orders import Move
from legation.variants import load
from tests.judge.case_files import PARTS_OF_CASES, told_in_cases
from tests.judge.positions import convoy_position, document, first_turn_of, random_position
from tests.judge.reasons import untrue
from tests.judge.test_games import FOLDER
from tests.judge.test_games import replay as play_record
from tests.sampling import some

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


@pytest.fixture(params=PARTS_OF_CASES)
def verdicts(request: pytest.FixtureRequest) -> list[Verdict]:
    return told_in_cases(request.param, len(PARTS_OF_CASES)).verdicts


def test_what_failed_has_a_cause(verdicts: list[Verdict]) -> None:
    assert len(verdicts) > 100
    silent = [v.explanation for v in verdicts if v.outcome is not Outcome.SUCCEEDS and ": " not in v.explanation]
    assert silent == []
    moves = [v for v in verdicts if v.outcome is Outcome.SUCCEEDS and isinstance(v.order, Move)]
    assert [v.explanation for v in moves if ": " not in v.explanation] == []


def test_an_explanation_is_a_sentence_about_its_order(verdicts: list[Verdict]) -> None:
    for verdict in verdicts:
        text = verdict.explanation
        assert text.startswith(write(verdict.order)), text
        assert not any(sign in text for sign in ("None", "  ", "()", "[]", ": ;", " ,", "<")), text
        assert text == text.strip() and not text.endswith(":"), text


@pytest.mark.parametrize("part", PARTS_OF_CASES)
def test_in_the_case_files(part: int) -> None:
    assert told_in_cases(part, len(PARTS_OF_CASES)).untrue == []


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_in_the_example_games(path: Path) -> None:
    game, differences = replay(json.loads(path.read_text(encoding="utf-8")))
    assert not differences
    for turn in game.turns:
        assert untrue(game.rules, turn.sheets, turn.resolution) == []


@pytest.mark.parametrize("variant", ["standard", "hundred", "hundred1", "three-kingdoms"])
@pytest.mark.parametrize("make", some([random_position, convoy_position], 2))
def test_in_random_turns(variant: str, make: Any) -> None:
    rules = load(variant)
    turn = str(first_turn_of(rules))
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
