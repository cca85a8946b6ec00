"""Which tests to try first on a mutant: those that run its line where a map of that was made (``--map``), then those
that speak of the changed function, of what calls it, or of its file."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec

from tests.mutants.code import ROOT, Mutant
from tests.mutants.reach import kept_reach

DEAR = ("test_crashes", "test_random", "test_every_page", "test_fuzz")  # each of their tests takes long: they come last


class Test(msgspec.Struct, frozen=True):
    """A test function: its file within the project, its name, the words in it with how often each stands there."""

    path: str
    name: str
    words: dict[str, int]


@cache
def all_tests(folder: str) -> tuple[Test, ...]:
    """The test functions of a folder or file of ``tests``."""
    place = ROOT / "tests" / folder
    found = []
    for path in sorted(place.rglob("test_*.py")) if place.is_dir() else [place]:
        text = path.read_text(encoding="utf-8")
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                body = ast.get_source_segment(text, node) or ""
                words: dict[str, int] = {}
                for word in re.findall(r"[A-Za-z_]\w*", body):
                    words[word] = words.get(word, 0) + 1
                found.append(Test(path.relative_to(ROOT).as_posix(), node.name, words))
    return tuple(found)


def nearest(mutant: Mutant, folders: Sequence[str]) -> list[str]:
    """All tests of these folders by node, the nearest first; a test of an earlier folder before one as near of a
    later."""
    path, names = ROOT / mutant.path, _names_around(mutant)
    mapped = [test for reach in kept_reach() for test in reach.tests_of(mutant.path, mutant.line, mutant.line)]
    scored: dict[str, float] = {}
    for place, folder in enumerate(folders):
        for test in all_tests(folder):
            node = f"{test.path}::{test.name}"
            told = sum(weight * min(test.words.get(name, 0), 3) for name, weight in names.items())
            told += path.stem in Path(test.path).stem
            dear = Path(test.path).stem.startswith(DEAR)  # the first folder is the room's own
            scored.setdefault(node, -1000 if dear else (told if place == 0 else told / 2 - 1) - place / 100)
    first = list(dict.fromkeys(node.partition("[")[0] for node in mapped))
    near = sorted(scored, key=lambda node: -scored[node])
    return [node for node in first if node in scored] + [node for node in near if node not in first]


def _names_around(mutant: Mutant) -> dict[str, float]:
    """The names by which a test may speak of what is changed: the function's and its class's, those of the functions of
    the same file that come to call it, and the file's."""
    path = ROOT / mutant.path
    own = [name for name in mutant.where.split(".") if name != "module" and name.isidentifier()]
    if path.suffix != ".py":
        return dict.fromkeys([*own, path.stem], 1.0)
    bodies: dict[str, set[str]] = {}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            bodies[node.name] = {
                n.id if isinstance(n, ast.Name) else n.attr
                for n in ast.walk(node)
                if isinstance(n, ast.Name | ast.Attribute)
            }
    weights, asked, weight = {path.stem: 0.5}, set(own[-1:]), 4.0
    while asked and weight > 0.4:
        weights |= {name: weight for name in asked if name not in weights}
        asked = {name for name, used in bodies.items() if used & asked and name not in weights}
        weight /= 2
    return {**dict.fromkeys(own[:-1], 1.0), **weights}
