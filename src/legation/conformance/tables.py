"""The tables of conformance: every clause in every variant with its tests, and every case of the Adjudicator Test
Cases."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from legation.conformance.cases import CaseResult, run_cases
from legation.conformance.checks import CHECKS
from legation.conformance.marked import run_marked
from legation.variants import all_clauses

NOWHERE = "field"  # in place of a variant: rules that only other systems' variants have
DATC = re.compile(r"DATC (6\.[A-Z]\.\d+)\Z")


def clause_table(part: str | None = None, variant: str | None = None) -> list[dict[str, Any]]:
    """Every clause (of one part, ``game`` or ``service``) in every variant in which it holds, or in one, with its
    proofs.

    A clause of the game is proved by cases and checks that ran on the variant as it is shipped. Cases on a variant that
    was made up for them are listed behind, and must pass, but are not enough; a clause that no variant which ships has
    is proved by those alone. A clause of the service is proved by tests that are marked with it. ``passed`` is None
    where no proof is named, or no test can be run here."""
    pairs = [
        (clause, name)
        for clause in all_clauses()
        for name in clause.variants or (NOWHERE,)
        if part in (None, clause.part) and variant in (None, name)
    ]
    asked = {name for clause, name in pairs if clause.part == "game"}
    results = run_cases(asked) if asked else []
    marked = run_marked({clause.id for clause, _ in pairs if clause.part == "service"})
    return [
        {
            "id": clause.id,
            "variants": [name],
            "kind": clause.kind,
            "summary": clause.summary,
            **(_proofs(clause.id, name, results) if clause.part == "game" else _row(marked.get(clause.id, {}))),
        }
        for clause, name in pairs
    ]


def _proofs(clause: str, variant: str, results: Iterable[CaseResult]) -> dict[str, Any]:
    proving = [r for r in results if clause in r.case.clauses]
    proofs: dict[str, bool | None] = {
        r.case.name: r.passed for r in proving if r.case.variant == variant or variant == NOWHERE
    }
    for name, check in CHECKS.get(clause, {}).items():
        proofs[name] = not check(variant)
    return _row(proofs, {r.case.name: r.passed for r in proving if not r.case.shipped})


def _row(proofs: Mapping[str, bool | None], supporting: Mapping[str, bool] | None = None) -> dict[str, Any]:
    """The tests of a row, and whether they pass; None if there are none, but supporting ones, or one has no result."""
    listed = {**proofs, **(supporting or {})}
    if not proofs or (None in proofs.values() and False not in listed.values()):
        return {"tests": list(listed), "passed": None}
    return {"tests": list(listed), "passed": all(listed.values())}


def datc_table() -> list[dict[str, Any]]:
    """Every case of the Adjudicator Test Cases and whether it passes."""
    proofs: dict[str, list[CaseResult]] = {}
    for result in run_cases():
        for clause in result.case.clauses:
            if match := DATC.match(clause):
                proofs.setdefault(match[1], []).append(result)
    rows = []
    for name in sorted(proofs, key=lambda n: (n.split(".")[1], int(n.split(".")[2]))):
        results = proofs[name]
        problems = "; ".join(p for r in results for p in r.problems)
        notes = "; ".join(r.case.note for r in results if r.case.note)
        rows.append(
            {
                "id": name,
                "title": results[0].case.title,
                "passed": not problems,
                "note": problems or notes or None,
            }
        )
    return rows
