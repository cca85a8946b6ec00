"""Every verdict says why, in every case of the case files."""

import pytest

from legation.judge import Outcome, Verdict
from legation.notation import write
from legation.orders import Hold, Move
from tests.judge.case_files import PARTS_OF_CASES, told_in_cases


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


def test_strengths_are_those_of_the_outcome(verdicts: list[Verdict]) -> None:
    for verdict in verdicts:
        if (cause := verdict.cause) is None:
            continue
        if cause.kind in ("stronger", "prevented", "held", "head to head", "own support"):
            assert cause.by is not None, verdict.explanation
            if verdict.outcome is Outcome.SUCCEEDS:
                assert cause.strength > cause.against >= 0, verdict.explanation
            else:
                assert 0 <= cause.strength <= cause.against, verdict.explanation
                if cause.kind != "own support":
                    assert cause.against >= 1, verdict.explanation


def test_who_is_named_gave_another_order(verdicts: list[Verdict]) -> None:
    for verdict in verdicts:
        if verdict.cause is not None and verdict.cause.by is not None:
            assert verdict.cause.by != verdict.order or isinstance(verdict.order, Hold), verdict.explanation
