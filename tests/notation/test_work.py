"""Reading a long line takes work in proportion to its length, whatever the line repeats, and reading many lines takes
no more than reading each.

Calls of functions are counted, not seconds."""

import cProfile
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from legation.notation.forms import GRAMMAR
from legation.notation.grammar import Grammar, productions
from legation.position import Phase
from legation.variants import load
from tests.sampling import some

SHORT, LONG = 1_500, 6_000  # characters; a line is at most 6,000 long
MOST = 1.5  # times as much work for each character of the long line, or for each of several lines
WHOLE = 60_000  # characters; a sheet is at most so long
MOST_CALLS = 1_800_000  # for a whole sheet

REPEATED = [
    "s ",
    "c ",
    "a ",
    "my ",
    "both ",
    "ps: ",
    '"a" ',
    "(( ",
    "if ",
    "not ",
    "? ",
    "1) ",
    ", ",
    "- ",
    "| ",
    "{",
    "London ",
    "London and ",
    "A oxon-warks, ",
    "A oxon S warks - ",
    "A oxon (supported by ",
    "(A oxon-warks), ",
    "don't move A oxon. ",
    "could you please ",
    "with support from ",
    "the rest hold except ",
    "St. ",
    "armylondon ",
    "Crown: ",
    "xyzzy ",
]


DOCUMENTS = [
    ("standard", "Retreats", 40, "removals. "),
    ("standard", "Movement", 300, "retirada "),
    ("standard", "Movement", 5_990, "A bud - ser F tri tyrolia A bud S F tri; "),
    ("standard", "Movement", 60_000, "A vie muenchen and "),
    ("standard", "Adjustments", 60_000, "✗, "),
    ("hundred", "Movement", 1_200, "A dij S A dau - cha A fla mantiene A lux, "),
    ("1000ad", "Movement", 300, "holding "),
    ("1897", "Placement", 5_990, "A adr for one year; "),
    ("three-kingdoms", "Movement", 5_990, "my "),
    ("standard", "Movement", 70, "the second one "),
    ("standard", "Adjustments", 200, "ec pays bas "),
    ("three-kingdoms", "Adjustments", 5_990, "sole iof pick "),
    ("three-kingdoms", "Adjustments", 70, "the "),
    ("three-kingdoms", "Movement", 200, "le havre dublin bay F "),
    ("standard", "Adjustments", 200, "1 F Mid-Atl Ocean "),
    ("standard", "Retreats", 200, "nrg, "),
]
"""The slowest sheets that were found: variant, phase, length of a line, and the text repeated on it."""


def calls(text: str, variant: str = "three-kingdoms", phase: str = "Movement") -> int:
    """Count the calls of functions that reading a sheet takes, after it was read once."""
    rules = load(variant)
    position = rules.opening()
    power = next(iter(rules.powers))
    rules.reader.sheet(text, Phase(phase), power, position)
    counter = cProfile.Profile(subcalls=False, builtins=False)
    counter.enable()
    try:
        rules.reader.sheet(text, Phase(phase), power, position)
    finally:
        counter.disable()
    return sum(entry.callcount for entry in counter.getstats())


@pytest.mark.parametrize("repeated", some(REPEATED, 6))
def test_a_line_costs_in_proportion_to_its_length(repeated: str) -> None:
    short, long = ((repeated * (length // len(repeated))).rstrip() for length in (SHORT, LONG))
    assert calls(long) < MOST * calls(short) * LONG / SHORT


@pytest.mark.parametrize("repeated", ["my ", "s "])
def test_several_lines_cost_no_more_than_each_of_them(repeated: str) -> None:
    line = (repeated * SHORT)[:SHORT].rstrip()
    assert calls(f"{line}\n" * 8) < MOST * 8 * calls(line)


@pytest.mark.parametrize(
    ("variant", "phase", "length", "repeated"), some((pytest.param(*document) for document in DOCUMENTS), 6)
)
def test_a_whole_sheet_costs_a_bounded_number_of_calls(variant: str, phase: str, length: int, repeated: str) -> None:
    line = (repeated * length)[: min(length, LONG - 1)].rstrip()
    assert calls((f"{line}\n" * WHOLE)[:WHOLE], variant, phase) < MOST_CALLS


@pytest.mark.parametrize(
    ("production", "required"),
    [
        ("MOVE? UNIT TO", {"TO"}),
        ('(MOVE | "-") TO*', {"MOVE", '"-"'}),
        ("MOVE TO (HOLD | STILL)", {"MOVE"}),
        ("MOVE | UNIT", None),
        ("MOVE? TO*", None),
        ("UNIT END", None),
        ("other HOLD*", {"VIA"}),
    ],
)
def test_what_a_production_cannot_do_without_is_worked_out_of_it(production: str, required: set[str] | None) -> None:
    """It is sought in no text without that."""
    found = Grammar({"one": production, "other": "slot=VIA"}).node("one").required
    assert found == (None if required is None else frozenset(required))


def test_threads_may_read_at_once_what_nobody_read_before() -> None:
    """A reader is shared by the threads of a server; its productions are compiled when they are first wanted."""
    grammar = Grammar(productions(GRAMMAR))
    names = sorted(grammar.productions)
    start = Barrier(8)

    def compile_all(first: int) -> int:
        start.wait()
        return sum(not grammar.node(name).empty for name in (*names[first:], *names[:first]))

    switching = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            assert len(set(pool.map(compile_all, range(0, 80, 10)))) == 1
    finally:
        sys.setswitchinterval(switching)
