"""The case files, run once for the tests of what is told of their turns."""

from functools import cache
from typing import Any

import pytest

from legation.conformance import cases
from legation.judge import Resolution, Ruleset, Verdict, resolve
from tests.judge.reasons import UNKNOWN, untrue
from tests.sampling import some

PARTS_OF_CASES = some(range(6), 6)


class CaseRunner:
    """Runs cases, and keeps all their verdicts and the reasons that are untrue."""

    def __init__(self) -> None:
        self.verdicts: list[Verdict] = []
        self.untrue: list[str] = []

    def resolve(self, rules: Ruleset, position: Any, sheets: Any = (), seed: str = "") -> Resolution:
        sheets = tuple(sheets)
        resolution = resolve(rules, position, sheets, seed)
        self.verdicts.extend(resolution.verdicts)
        faults = (fault for fault in untrue(rules, sheets, resolution) if not fault.startswith(UNKNOWN))
        self.untrue += [f"{position.turn}: {fault}" for fault in faults]
        return resolution

    def run(self, part: int, parts: int) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(cases, "resolve", self.resolve)
            for case in (case for path in cases.find_cases()[part::parts] for case in cases.read_cases(path)):
                cases.run_case(case)


@cache
def told_in_cases(part: int, parts: int) -> CaseRunner:
    """The verdicts and untrue reasons of a part of the case files, which are run once a process."""
    runner = CaseRunner()
    runner.run(part, parts)
    return runner
