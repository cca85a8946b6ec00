"""The lexicon holds the reader's words: none stands in code, and none stands twice in a class."""

import ast
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

import legation.notation
from legation.notation.grammar import FOUND, productions
from legation.notation.lexicon import lexicon, table

ROOM = Path(legation.notation.__file__).parent
MODULES = sorted(ROOM.rglob("*.py"))
NAMES = frozenset(["word", "words", "sign", "after", "before", "written", "folded"])
"""What code calls words of a text."""


def words_in(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The strings that code compares with words of a text: each with its line."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Compare):
            continue
        parts = [*ast.walk(node)]
        named = {part.attr if isinstance(part, ast.Attribute) else getattr(part, "id", "") for part in parts}
        if named & NAMES:
            for part in parts:
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.lineno, part.value


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_no_word_of_the_lexicon_stands_in_code(path: Path) -> None:
    every = {word for name, _ in table() for word in lexicon().words(name.partition("=")[0])}
    found = [
        (line, word)
        for line, word in words_in(ast.parse(path.read_text(encoding="utf-8")))
        if len(word) > 1 and word.isalpha() and word.islower() and word in every
    ]
    assert found == []


def test_no_word_stands_twice_in_a_class() -> None:
    counts: Counter[tuple[str, str]] = Counter()
    for name, words in table():
        listed = words.replace('","', "\0").split(",")
        counts.update((name, word.strip()) for word in listed)
    assert [twice for twice, count in counts.items() if count > 1] == []


def test_grammar_and_code_name_classes_that_there_are() -> None:
    """Capitals in the grammar are classes of the lexicon, or what the board tells."""
    classes = {name.partition("=")[0] for name, _ in table()} | FOUND
    lines = productions(files("legation.notation").joinpath("grammar.txt").read_text(encoding="utf-8"))
    named = {
        word.partition("=")[2] or word
        for parts in lines.values()
        for word in parts.replace("(", " ").replace(")", " ").replace("?", " ").replace("*", " ").split()
        if (word.partition("=")[2] or word).isupper() and '"' not in word
    }
    assert len(named) > 40
    assert {name.rstrip("!") for name in named} <= classes
