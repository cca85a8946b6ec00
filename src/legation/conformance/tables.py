"""The tables of conformance: every clause with its tests, and every case of the Adjudicator Test Cases."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from legation.conformance.cases import CaseResult, run_cases
from legation.conformance.checks import CHECKS

DATC = re.compile(r"DATC (6\.[A-Z]\.\d+)\Z")


@cache
def _clauses() -> list[dict[str, Any]]:
    text = files("legation.conformance").joinpath("clauses.toml").read_text(encoding="utf-8")
    return list(tomllib.loads(text)["clause"])


def clauses_of(variant: str) -> list[dict[str, Any]]:
    """The clauses that hold in a variant, in the order of the rules."""
    return [c for c in _clauses() if variant in c["variants"]]


def clause_table(part: str | None = None) -> list[dict[str, Any]]:
    """Every clause (of one part, ``game`` or ``service``) with the cases and checks that prove it and whether they pass.

    ``passed`` is None where there is none.
    """
    results = run_cases()
    rows = []
    for clause in _clauses():
        if part is not None and clause["part"] != part:
            continue
        proofs = {r.case.id: r.passed for r in results if clause["id"] in r.case.clauses}
        for name, check in CHECKS.get(clause["id"], {}).items():
            proofs[name] = not any(check(variant) for variant in clause["variants"])
        rows.append(
            {
                "id": clause["id"],
                "variants": clause["variants"],
                "kind": clause["kind"],
                "summary": clause["summary"],
                "tests": list(proofs),
                "passed": all(proofs.values()) if proofs else None,
            }
        )
    return rows


def datc_table() -> list[dict[str, Any]]:
    """Every case of the Adjudicator Test Cases and whether it passes."""
    proofs: dict[str, list[CaseResult]] = {}
    for result in run_cases():
        for clause in result.case.clauses:
            if match := DATC.match(clause):
                proofs.setdefault(match[1], []).append(result)
    rows = []
    for name in sorted(proofs, key=lambda n: (n.split(".")[1], int(n.split(".")[2]))):
        found = proofs[name]
        problems = "; ".join(p for r in found for p in r.problems)
        notes = "; ".join(r.case.note for r in found if r.case.note)
        rows.append(
            {
                "id": name,
                "title": found[0].case.title,
                "passed": not problems,
                "note": problems or notes or None,
            }
        )
    return rows
