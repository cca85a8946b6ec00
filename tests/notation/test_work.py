"""Reading a long line takes work in proportion to its length, whatever the line repeats.

Calls of functions are counted, not seconds.
"""

from __future__ import annotations

import sys
from types import FrameType

import pytest

from legation.variants import load

SHORT, LONG = 1_500, 6_000  # characters; a line is at most 6,000 long
MOST = 1.5  # times as much work for each character of the long line

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


def calls(text: str) -> int:
    """Count the calls of functions that reading a sheet takes, after it was read once."""
    rules = load("three-kingdoms")
    position = rules.opening()
    counted = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal counted
        counted += event == "call"

    rules.reader.sheet(text, position.turn.phase, "Crown", position)
    before = sys.getprofile()
    sys.setprofile(count)
    try:
        rules.reader.sheet(text, position.turn.phase, "Crown", position)
    finally:
        sys.setprofile(before)
    return counted


@pytest.mark.parametrize("repeated", REPEATED)
def test_a_line_costs_in_proportion_to_its_length(repeated: str) -> None:
    short, long = ((repeated * length)[:length].rstrip() for length in (SHORT, LONG))
    assert calls(long) < MOST * calls(short) * LONG / SHORT
