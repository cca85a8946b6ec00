"""Tests that are marked with the clauses of the service that they prove: ``@pytest.mark.clause("W-22")``.

They are found by reading the test files, without importing them, and run by pytest in a process of its own. The tests
stand in a checkout only; where they, or pytest, are not at hand, nothing is proved."""

import ast
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

from legation.formats import LARGEST_JSON, read_file
from legation.interop.xml_tree import parse_xml

ROOT = Path(__file__).parents[3]

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
    """What came of the tests that name one of the clauses: clause -> test -> passed, or None where it did not run."""
    marks = {clause: names for clause, names in find_marked(root).items() if clause in clauses}
    names = sorted({name for listed in marks.values() for name in listed})
    if not names or find_spec("pytest") is None:
        return {clause: dict.fromkeys(listed) for clause, listed in marks.items()}
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", *names]
        subprocess.run(command, cwd=root, capture_output=True, check=False)
        outcomes = _outcomes(report) if report.exists() else {}
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


def _outcomes(report: Path) -> dict[str, bool | None]:
    """Test -> passed in all its forms; None if one was skipped and none failed."""
    outcomes: dict[str, bool | None] = {}
    for case in parse_xml(read_file(report, LARGEST_JSON), report.name).all("testcase"):
        parts = case.get("classname", "").split(".")
        end = next((i for i, part in enumerate(parts, 1) if part.startswith("test_")), len(parts))
        name = "::".join(["/".join(parts[:end]) + ".py", *parts[end:], case.get("name", "").partition("[")[0]])
        kinds = {child.name for child in case.children}
        passed = False if kinds & {"failure", "error"} else None if "skipped" in kinds else True
        before = outcomes.get(name, True)
        outcomes[name] = False if False in (before, passed) else None if None in (before, passed) else True
    return outcomes
