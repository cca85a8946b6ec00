"""Every regular expression of the rooms that read what strangers write takes time in proportion to the text, or is held
against short texts only. What child processes alone read (boards, variants) has their limits of time instead."""

import ast
import importlib
import pkgutil
import re
import time
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

import legation.feeds
import legation.game
import legation.interop
import legation.mail
import legation.notation
import legation.office
import legation.position
import legation.print
import legation.proofs
import legation.rules
import legation.web
from legation.game.sheets import LONGEST_CONDITION, LONGEST_HEADING
from legation.mail.html_text import html_as_text
from tests.sampling import some

SHORT, LONG = 1_000, 4_000  # characters
MOST_GROWTH = 8.0  # four times the text in at most eight times the time; a square takes sixteen
NOTICEABLE = 0.02  # seconds of processor time; less says nothing of growth
ENDLESS = 0.5  # seconds for the short text already
TRIES = 5  # the least of so many is what counts, where the first took too long: the machine may be busy
WHOLE = ("match", "fullmatch")
METHODS = (*WHOLE, "search", "split", "sub", "finditer", "findall", "compile")
PIECES = (
    " ", "\t", "a", "a ", "0", "-", ">", "> ", "=", "~", "(", '"', "<", "<a ", "<!--", "&", "#", "*", "_", ".", "\n",
    "A par - bur ", "re: ", "1. ", "wrote: ", ", ", "a@", "--",
)  # fmt: skip


PARTS = 5  # one of them is tried at once
ROOMS = (
    legation.mail, legation.notation, legation.game, legation.position, legation.proofs, legation.office, legation.web,
    legation.feeds, legation.print, legation.interop, legation.rules,
)  # fmt: skip
GUARDED = {
    "legation.game.sheets.CONDITION": LONGEST_CONDITION,
    "legation.game.sheets.OR_ELSE": LONGEST_CONDITION,
    "legation.game.sheets.RETREATS_TO": LONGEST_CONDITION,
    "legation.game.sheets.HEADING": LONGEST_HEADING,
}
"""The most characters that some patterns are held against."""


def modules() -> Iterator[str]:
    for room in ROOMS:
        yield room.__name__
        for found in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            if ".migrations" not in found.name:
                yield found.name


@cache
def patterns() -> dict[str, tuple[re.Pattern[str], bool]]:
    """All of them, those that modules keep and those that are written where they are used; and whether they are looked
    for within a text, or held against its beginning only."""
    trees = {
        name: ast.parse(Path(str(importlib.import_module(name).__file__)).read_text("utf-8")) for name in modules()
    }
    calls = [node for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.Call)]
    used = [(n.func.value, n.func.attr) for n in calls if isinstance(n.func, ast.Attribute) and n.func.attr in METHODS]
    within = {getattr(of, "attr", getattr(of, "id", "")) for of, method in used if method not in WHOLE}
    found: dict[str, tuple[re.Pattern[str], bool]] = {}
    for name, tree in trees.items():
        for key, value in vars(importlib.import_module(name)).items():
            if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
                found[f"{name}.{key}"] = value, key in within
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in METHODS):
                continue
            of, first = node.func.value, next(iter(node.args), None)
            written = isinstance(first, ast.Constant) and isinstance(first.value, str)
            if isinstance(of, ast.Name) and of.id == "re" and written and node.func.attr != "compile":
                assert isinstance(first, ast.Constant)
                made = re.compile(str(first.value), re.IGNORECASE)
                found[f"{name}:{node.lineno}"] = made, node.func.attr not in WHOLE
    return found


def words_of(pattern: str) -> list[str]:
    """Words that a pattern may begin with, so that a text comes into the midst of it."""
    return sorted(set(re.findall(r"[A-Za-z]{2,12}", pattern)), key=len)[:4]


def seconds(pattern: re.Pattern[str], text: str, *, within: bool) -> float:
    begun = time.process_time()
    pattern.match(text)
    pattern.fullmatch(text)
    if within:
        for _ in pattern.finditer(text):
            pass
    return time.process_time() - begun


def least(pattern: re.Pattern[str], text: str, *, within: bool, most: float) -> float:
    """The least time of several tries, of which the first that takes no more than `most` ends the trying."""
    best = seconds(pattern, text, within=within)
    for _ in range(TRIES):
        if best <= most:
            break
        best = min(best, seconds(pattern, text, within=within))
    return best


def test_the_patterns_are_found() -> None:
    assert len(patterns()) > 25
    assert any(name.startswith("legation.notation.layout") for name in patterns())
    assert any(name.startswith("legation.mail.subjects") for name in patterns())


@pytest.mark.parametrize("part", some(range(PARTS), PARTS))
@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.__name__)
def test_time_grows_with_the_text_and_no_faster(room: ModuleType, part: int) -> None:
    pieces = PIECES[part::PARTS]
    for name, (pattern, within) in patterns().items():
        if not name.startswith(f"{room.__name__}."):
            continue
        if (most := GUARDED.get(name)) is not None:
            texts = [(piece * most)[:most] + "b" for piece in pieces]
            assert max(least(pattern, text, within=within, most=ENDLESS) for text in texts) <= ENDLESS, name
        else:
            assert slow_texts(pattern, pieces, within=within) == [], name


def slow_texts(pattern: re.Pattern[str], pieces: Sequence[str], *, within: bool) -> list[tuple[str, str, float]]:
    """Texts that take a pattern too long, as lead and piece, with the seconds."""
    slow = []
    for lead in ("", *words_of(pattern.pattern)):
        for piece in pieces:
            short, long = (f"{lead} {piece * (size // len(piece))}b" for size in (SHORT, LONG))
            first = least(pattern, short, within=within, most=ENDLESS)
            if first > ENDLESS:
                slow.append((lead, piece, first))
                break
            most = max(NOTICEABLE, MOST_GROWTH * first)
            took = least(pattern, long, within=within, most=most)
            if took > most:
                slow.append((lead, piece, took))
    return slow


@pytest.mark.parametrize("piece", ["<!--", "<![", "<a ", "<?", "</", "<s>", "<script>", "<a b=", "<table>"])
def test_broken_html_takes_time_in_proportion(piece: str) -> None:
    def took(size: int) -> float:
        text = f"<p>A par H</p>{piece * (size // len(piece))}"
        begun = time.process_time()
        html_as_text(text)
        return time.process_time() - begun

    short = took(25_000)
    most = max(NOTICEABLE, MOST_GROWTH * short)
    assert any(took(100_000) <= most for _ in range(TRIES))
