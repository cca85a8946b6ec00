"""Sentences of everyday English that nobody here wrote, those of the standard library's own documentation, beside legal
sheets.

No order changes for one; at most one pair of a sentence and a place in a hundred stops an order, and each that does
names an act."""

import ast
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
import pytest

from legation.judge import Ruleset
from legation.notation import write
from legation.notation.acts import KINDS
from legation.position import Position, Turn
from legation.variants import load

SHORTEST, LONGEST = 3, 40  # words of a sentence, of three letters or more
PLACES = ("above", "between", "behind", "below")
ACTS = frozenset([*KINDS, "stopped", "taken back", "corrected", "other turn", "which order", "letter", "below"])
"""Reason codes of acts that may stop an order."""
_BOUNDARY = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'(])")
_PROSE = re.compile(r"[A-Z][\w\s,.;:!?'\"()/*`&%-]*[.!?:]")

SHEETS = (
    ("standard", "Spring 1901 Movement", "France", "A par - bur\nF bre - mao\nA mar S A par - bur"),
    ("standard", "Spring 1901 Movement", "Turkey", "Army Constantinople to Bulgaria\nFleet Ankara - Constantinople"),
    ("standard", "Autumn 1902 Retreats", "Austria", "A vie R tyr\nA bud disband"),
    ("standard", "Winter 1901 Adjustments", "Germany", "build A mun\nbuild F kie"),
    ("hundred", "", "France", "A par - nmd\nA dau H"),
    ("three-kingdoms", "", "Crown", "A oxon S A worcs - warks\nA worcs - warks\nF bristl H"),
)
"""Board, turn (the opening's if it is empty), power and orders, one a line."""


@cache
def sentences(nth: int = 1) -> tuple[str, ...]:
    """Return the sentences of the docstrings in each ``nth`` file of the standard library, each sentence once."""
    found: dict[str, None] = {}
    root = Path(ast.__file__).parent
    for path in sorted(root.rglob("*.py"))[::nth]:
        if "site-packages" in path.parts:
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of escapes that are written badly
                tree = ast.parse(path.read_text(encoding="utf-8"))
        except (SyntaxError, UnicodeDecodeError):
            continue
        for docstring in _docstrings(tree):
            for paragraph in re.split(r"\n\s*\n", docstring):
                for said in _BOUNDARY.split(" ".join(paragraph.split())):
                    words = [word for word in said.split() if len(word) > 2]
                    if _PROSE.fullmatch(said) and SHORTEST <= len(words) <= LONGEST:
                        found.setdefault(said)
    return tuple(found)


def _docstrings(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            said = ast.get_docstring(node)
            if said:
                yield said


class Legal(msgspec.Struct, frozen=True):
    """A legal sheet: its lines, and the orders that it gives."""

    rules: Ruleset
    position: Position
    power: str
    lines: list[str]
    orders: Counter[str]

    def read(self, text: str) -> tuple[Counter[str], list[str]]:
        """Return the orders of a text, and the codes of what is told."""
        passages = self.rules.reader.sheet(text, self.position.turn.phase, self.power, self.position)
        orders = Counter(write(p.order) for p in passages if p.order is not None)
        return orders, [p.error.code for p in passages if p.error is not None]

    def beside(self, said: str, place: str) -> str:
        """Return the sheet with a sentence at one of ``PLACES``."""
        first, *rest = self.lines
        if place == "above":
            return "\n".join([said, *self.lines])
        if place == "between":
            return "\n".join([first, said, *rest])
        if place == "behind":
            return "\n".join([*self.lines[:-1], f"{self.lines[-1]}. {said}"])
        return "\n".join([*self.lines, said])


@cache
def sheets() -> tuple[Legal, ...]:
    """Return the legal sheets."""
    found = []
    for board, turn, power, text in SHEETS:
        rules = load(board)
        position = rules.opening()
        if turn:
            position = msgspec.structs.replace(position, turn=Turn.parse(turn))
        sheet = Legal(rules, position, power, text.split("\n"), Counter())
        orders, codes = sheet.read(text)
        assert not codes and sum(orders.values()) == len(sheet.lines), (board, orders, codes)
        found.append(msgspec.structs.replace(sheet, orders=orders))
    return tuple(found)


MOST = 0.01  # of the sentences may stop an order
QUICK = 60  # each so many files of the standard library


def held(nth: int) -> None:
    """Put the sentences of each ``nth`` file at places of sheets, which take turns."""
    turns = [(place, sheet) for place in PLACES for sheet in sheets()]
    stops, wrong = 0, []
    for i, said in enumerate(sentences(nth)):
        place, sheet = turns[i % len(turns)]
        orders, codes = sheet.read(sheet.beside(said, place))
        stops += orders != sheet.orders
        named = orders == sheet.orders or not ACTS.isdisjoint(codes)
        if orders - sheet.orders or not named:
            wrong.append((said, place, sheet.power, orders, codes))
    assert wrong == [], "an order is new, or is stopped by no act"
    assert stops <= MOST * len(sentences(nth))


def test_foreign_sentences_change_no_order_and_hardly_stop_one() -> None:
    assert len(sentences(QUICK)) > 150
    held(QUICK)


@pytest.mark.longest
def test_nor_do_those_of_the_whole_standard_library() -> None:
    assert len(sentences()) > 10_000
    held(1)
