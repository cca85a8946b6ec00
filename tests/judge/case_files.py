"""All case files, run once for the tests of what is told of their turns."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from legation.conformance import cases
from legation.judge import Resolution, Ruleset, Verdict, resolve
from tests.judge.reasons import UNKNOWN, untrue


class Listener:
    """Runs cases and hears what is told in them: all verdicts, and what is not so."""

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

    def run(self) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(cases, "resolve", self.resolve)
            for case in (case for path in cases.find_cases() for case in cases.read_cases(path)):
                cases.run_case(case)


@cache
def heard_in_cases() -> Listener:
    """What was heard in all cases; they are run at the first call in a process."""
    listener = Listener()
    listener.run()
    return listener
