"""Tests that are marked with the clauses of the service that they prove: ``@pytest.mark.clause("W-22")``.

They are found by reading the test files, without importing them, and run by pytest in a process of its own. The tests
stand in a checkout only; where they, or pytest, are not at hand, nothing is proved."""

import ast
import re
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[3]
OUTCOME = re.compile(r"^(\S+?::[\w:]+)(?:\[.*\])? (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b", re.MULTILINE)
"""A line of pytest's: the name of a test, and what came of it in one of its forms."""

Marks = dict[str, list[str]]  # clause -> the names of tests, as pytest writes them: tests/office/test_roster.py::test_x


def find_marked(root: Path = ROOT) -> Marks:
    """The tests of a checkout that name clauses, on a function, a class, or in ``pytestmark`` for a whole file."""
    marks: Marks = {}
    for path in sorted((root / "tests").rglob("test_*.py")):
        source = path.read_text(encoding="utf-8")
        if "mark.clause" not in source:
            continue
        for name, clauses in _tests(ast.parse(source), path.relative_to(root).as_posix(), ()):
            for clause in clauses:
                marks.setdefault(clause, []).append(name)
    return marks


def run_marked(clauses: Collection[str], root: Path = ROOT) -> dict[str, Mapping[str, bool | None]]:
    """What came of the tests that name one of the clauses: clause -> test -> passed in all its forms, or None where one
    did not run and none failed."""
    marks = {clause: names for clause, names in find_marked(root).items() if clause in clauses}
    names = sorted({name for listed in marks.values() for name in listed})
    if not names or find_spec("pytest") is None:
        return {clause: dict.fromkeys(listed) for clause, listed in marks.items()}
    command = [sys.executable, "-m", "pytest", "-vv", "--tb=no", "-p", "no:cacheprovider", *names]
    told = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False).stdout
    outcomes: dict[str, bool | None] = {}
    for name, word in OUTCOME.findall(told):
        passed = {"PASSED": True, "XPASS": True, "FAILED": False, "ERROR": False}.get(word)
        before = outcomes.get(name, True)
        outcomes[name] = False if False in (before, passed) else None if None in (before, passed) else True
    return {clause: {name: outcomes.get(name) for name in listed} for clause, listed in marks.items()}


def _tests(
    tree: ast.Module | ast.ClassDef, place: str, above: tuple[str, ...]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "pytestmark" for t in node.targets):
            above = (*above, *_named(node.value))
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            clauses = (*above, *(c for decorator in node.decorator_list for c in _named(decorator)))
            if isinstance(node, ast.ClassDef):
                yield from _tests(node, f"{place}::{node.name}", clauses)
            elif node.name.startswith("test"):
                yield f"{place}::{node.name}", clauses


def _named(node: ast.AST) -> list[str]:
    """The clauses in every ``mark.clause(...)`` of an expression."""
    return [
        argument.value
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("mark.clause")
        for argument in call.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    ]
