"""Mutants of the code: one small change each, made by mutmut's operators and a few more.

mutmut's own runner keeps every mutant of a file in one file behind trampolines, inside functions only. It would leave
the tables and settings of modules alone, and the judge's core, which numba compiles as well, does not live behind
trampolines. So mutmut makes the changes, and :mod:`tests.mutants.running` tries them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import libcst as cst
import msgspec
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators, operator_string

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
ROOMS = ("rules", "judge", "office", "proofs")
LEFT_OUT = ("migrations",)  # folders: what is run once, on an office of before


class Mutant(msgspec.Struct, frozen=True):
    """One change in a file: what stood in the line, and what stands there now."""

    path: str  # within the project
    line: int
    where: str  # the function, the class, or the row and column
    old: str
    new: str
    text: str  # the whole file

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What names it, wherever the line has moved to."""
        return self.path, self.where, self.old, self.new

    @property
    def sound(self) -> bool:
        """Whether the file can be compiled, if it is code."""
        if not self.path.endswith(".py"):
            return True
        try:
            compile(self.text, self.path, "exec", dont_inherit=True)
        except SyntaxError:
            return False
        return True

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.where}\n    - {self.old}\n    + {self.new}"


def source_files() -> list[Path]:
    """The modules that are mutated."""
    rooms = [path for room in ROOMS for path in sorted((SOURCE / "legation" / room).rglob("*.py"))]
    return [path for path in rooms if not set(LEFT_OUT) & set(path.parts)]


def mutants_of(path: Path) -> list[Mutant]:
    """Every mutant of a file."""
    text = path.read_text(encoding="utf-8")
    finder = _Finder(text)
    MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True).visit(finder)
    lines = text.splitlines()
    mutants = {}
    for (first, start), (last, end), where, new in finder.found:
        before, after = lines[first - 1][:start], lines[last - 1][end:]
        changed = [*lines[: first - 1], *f"{before}{new}{after}".split("\n"), *lines[last:], ""]
        old = _flat(lines[first - 1 : last])
        mutant = Mutant(
            path=path.relative_to(ROOT).as_posix(),
            line=first,
            where=where,
            old=old,
            new=_flat(f"{before}{new}{after}".split("\n")),
            text="\n".join(changed),
        )
        if mutant.new != old:
            mutants[mutant.key] = mutant
    return list(mutants.values())


def _flat(lines: Iterable[str]) -> str:
    return " ".join(" ".join(lines).split())


def _negated(node: cst.If | cst.While | cst.CompIf) -> Iterator[cst.CSTNode]:
    test = node.test.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    yield node.with_changes(test=cst.UnaryOperation(operator=cst.Not(), expression=test))


def _emptied(node: cst.SimpleStatementLine) -> Iterator[cst.CSTNode]:
    """Leave out a call, a return, an augmented assignment, a ``continue``."""
    [small, *rest] = node.body
    call = isinstance(small, cst.Expr) and isinstance(small.value, cst.Call | cst.Yield)
    if not rest and (call or isinstance(small, cst.AugAssign | cst.Return | cst.Continue)):
        yield node.with_changes(body=[cst.Pass()])


def _less(node: cst.Integer) -> Iterator[cst.CSTNode]:
    yield cst.parse_expression(repr(node.evaluated_value - 1))


def _unfiltered(node: cst.CompFor) -> Iterator[cst.CSTNode]:
    if node.ifs:
        yield node.with_changes(ifs=node.ifs[1:])


def _string(node: cst.SimpleString) -> Iterator[cst.CSTNode]:
    if " " not in node.value:  # sentences are read by people, and no rule hangs on them
        yield from list(operator_string(node))[:1]  # not the same word in capitals as well


OPERATORS: list[tuple[Any, Any]] = [
    *((kind, operator) for kind, operator in mutation_operators if operator is not operator_string),
    (cst.SimpleString, _string),
    (cst.Integer, _less),
    (cst.If, _negated),
    (cst.While, _negated),
    (cst.CompIf, _negated),
    (cst.CompFor, _unfiltered),
    (cst.SimpleStatementLine, _emptied),
]


class _Finder(cst.CSTVisitor):
    """Collects every change, with its place. What is not run, or only describes, is passed over."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, text: str) -> None:
        super().__init__()
        self.lines = text.splitlines()
        self.found: list[tuple[tuple[int, int], tuple[int, int], str, str]] = []
        self.names: list[str] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.Annotation | cst.Import | cst.ImportFrom | cst.Decorator | cst.FormattedString):
            return False
        if isinstance(node, cst.If) and cst.Module([]).code_for_node(node.test) == "TYPE_CHECKING":
            return False
        if isinstance(node, cst.AnnAssign) and cst.Module([]).code_for_node(node.annotation.annotation) == "TypeAlias":
            return False
        if isinstance(node, cst.Expr) and isinstance(node.value, cst.SimpleString | cst.ConcatenatedString):
            return False
        if isinstance(node, cst.Assign) and isinstance(node.targets[0].target, cst.Name):
            if node.targets[0].target.value == "__all__":
                return False
        if isinstance(node, cst.FunctionDef | cst.ClassDef):
            self.names.append(node.name.value)
        for kind, operator in OPERATORS:
            if isinstance(node, kind):
                for changed in operator(node):
                    self._note(node, changed)
        return True

    def on_leave(self, node: cst.CSTNode) -> None:
        if isinstance(node, cst.FunctionDef | cst.ClassDef):
            self.names.pop()

    def _note(self, node: cst.CSTNode, changed: cst.CSTNode) -> None:
        span = self.get_metadata(PositionProvider, node)
        if isinstance(node, cst.If | cst.While):  # only the head is written anew
            assert isinstance(changed, cst.If | cst.While)
            span, changed = self.get_metadata(PositionProvider, node.test), changed.test
        new = cst.Module([]).code_for_node(changed)
        if isinstance(node, cst.SimpleStatementLine):
            new = new.strip()
        place = ".".join(self.names) or "module"
        self.found.append(
            ((span.start.line, span.start.column), (span.end.line, span.end.column), place, new),
        )
