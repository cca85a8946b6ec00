"""All case files, run once for the tests of what is told of their turns."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from legation.conformance import cases
from legation.judge import Resolution, Ruleset, Verdict, resolve
from tests.judge.reasons import UNKNOWN, untrue


class Listener:
    """Runs cases and hears what is told in them: all verdicts, what is not so, and what nothing here can weigh."""

    def __init__(self) -> None:
        self.verdicts: list[Verdict] = []
        self.untrue: list[str] = []
        self.told: dict[str, list[str]] = {}

    def resolve(self, rules: Ruleset, position: Any, sheets: Any = (), seed: str = "") -> Resolution:
        sheets = tuple(sheets)
        resolution = resolve(rules, position, sheets, seed)
        self.verdicts.extend(resolution.verdicts)
        for fault in untrue(rules, sheets, resolution):
            (self.lines if fault.startswith(UNKNOWN) else self.untrue).append(f"{position.turn}: {fault}")
        for module in rules.modules:
            self.lines += [f"{position.turn}: {sentence}" for sentence in module.news(rules, resolution)]
        if resolution.ending is not None:
            self.lines.append(f"{position.turn}: {resolution.ending.kind}: {resolution.ending.reason}")
        return resolution

    def run(self) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(cases, "resolve", self.resolve)
            for case in (case for path in cases.find_cases() for case in cases.read_cases(path)):
                self.lines = self.told.setdefault(case.name, [])
                cases.run_case(case)

    def document(self) -> str:
        return "\n".join(f"# {name}\n" + "".join(f"{x}\n" for x in lines) for name, lines in self.told.items() if lines)


@cache
def heard_in_cases() -> Listener:
    """What was heard in all cases; they are run at the first call in a process."""
    listener = Listener()
    listener.run()
    return listener
