"""The calendar of a webDiplomacy or vDiplomacy variant: what its ``turnAsDate`` says of the number of a turn."""

import re
from collections.abc import Iterable

from legation.interop.calendars import take_cycle
from legation.interop.record import ForeignVariant

TURN_SEASONS = re.compile(
    r"""\$turn\s*%\s*2\s*\?\s*(?:l_t\()?["'](\w+)[,\s]*["']\)?(?:\s*\.\s*["'][,\s]*["'])?\s*"""
    r""":\s*(?:l_t\()?["'](\w+)[,\s]*["']"""
)
TURN_YEAR = re.compile(r"floor\(\s*\$turn\s*/\s*2\s*\)\s*(?:\*\s*([1-9]\d{0,2})\s*)?(?:\+\s*(\d{1,4})|(?=\)\s*;))")
TURN_YEAR_DOWN = re.compile(
    r"-\s*1\s*\*\s*\(\s*floor\(\s*\$turn\s*/\s*2\s*\)\s*-\s*([1-9]\d{0,3})\s*\)"
    r"|(?<![\d*/])([1-9]\d{0,3})\s*-\s*floor\(\s*\$turn\s*/\s*2\s*\)"
)
"""Years before Christ."""
TURNS_BEFORE = re.compile(r"\$turn\s*==\s*(\d)\s*\)\s*(?:\{\s*)?return")
"""Turns with names of their own, before the first year."""
TURN_YEARS = re.compile(r"\(\s*(?:floor\s*)?\(?\s*\$turn\s*\*\s*([1-9]\d{0,2})\s*\)?\s*\+\s*(\d{1,4})")
"""Turns of some years each."""


def take_years(variant: ForeignVariant, texts: Iterable[str]) -> None:
    """What ``turnAsDate`` says, if it says it as most do; ``texts`` are the files, the variant's own first."""
    for text in texts:
        body = re.search(r"function\s+turnAsDate\s*\(.*?\n\s*(?:public\s+)?function", text + "\nfunction", re.DOTALL)
        if body is None:
            continue
        seasons = TURN_SEASONS.search(body[0])
        year = TURN_YEAR.search(body[0])
        down = TURN_YEAR_DOWN.search(body[0])
        if down and year and not year[2]:
            year = None
        before = [int(n) + 1 for n in TURNS_BEFORE.findall(body[0])]
        past = max(before, default=0) // 2
        if seasons and (year or down):
            second, first = seasons[1], seasons[2]
            variant.years = int(year[1] or 1) if year else 1
            start = int(year[2] or 0) + past * variant.years if year else 1
            if down:
                variant.before_christ = max(int(down[1] or down[2]) - past, 1)
            if start < 1:
                variant.left(f"year {start}", "years are counted from 1 here")
            variant.first = f"{first} {max(start, 1)} Movement"
            builds = second if "Winter" in (first, second) else "Winter"
            moving = [f"{season} {phase}" for season in (first, second) for phase in ("Movement", "Retreats")]
            variant.cycle = [*moving, f"{builds} Adjustments"]
            variant.took("turnAsDate", f"the game begins with {variant.first}")
        elif not seasons and (year := TURN_YEARS.search(body[0])):
            step = int(year[1])
            turns = [(0, "Movement"), (0, "Retreats"), (step, "Movement"), (step, "Retreats"), (step, "Adjustments")]
            take_cycle(variant, [("", n, phase) for n, phase in turns], int(year[2]), 2 * step, "turnAsDate")
        else:
            variant.left("turnAsDate", "names of turns made by a program; the usual calendar from 1901 holds")
        return
    variant.cycle[2:4] = ["Autumn Movement", "Autumn Retreats"]
