"""Conformance: case files that prove the rules, their runner, and the tables of clauses and of the Adjudicator Test
Cases."""

from legation.conformance.cases import Case, CaseFault, CaseResult, find_cases, read_cases, run_case, run_cases
from legation.conformance.tables import clause_table, datc_table

__all__ = [
    "Case",
    "CaseFault",
    "CaseResult",
    "clause_table",
    "datc_table",
    "find_cases",
    "read_cases",
    "run_case",
    "run_cases",
]
