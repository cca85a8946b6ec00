"""The chart of the centers that each power had over the years."""

import msgspec

from legation.office.errors import ConflictError
from legation.office.hosting import exports
from legation.web.play.shown_game import PUBLISHED, GamePage

NAMES_APART = 28  # in the units of the chart's field
LONGEST_NAME = 12  # letters


def centers_over_time(shown: GamePage) -> list[tuple[str, dict[str, int]]]:
    """Return how many centers each power had at the beginning of each year, and has now; nothing where the rules hide
    it."""
    count = sum(t.state in PUBLISHED for t in shown.turns)
    if not count:
        return []
    try:
        saved = exports.saved_game(*shown.of)
    except ConflictError:  # not everybody sees everything in this game
        return []
    years: dict[str, dict[str, int]] = {}
    for document in [turn["position"] for turn in saved["turns"]] + [saved["after"]]:
        year = next((word for word in document["turn"].split() if word.isdecimal()), document["turn"])
        years.setdefault(year, {p: len(document["centers"].get(p, ())) for p in shown.rules.powers})
    last = saved["after"]
    years["now"] = {p: len(last["centers"].get(p, ())) for p in shown.rules.powers}
    return list(years.items())


class ChartLine(msgspec.Struct, frozen=True):
    """A power's line in the chart: an SVG path in a field of 600 by 240, its name, where that stands, and a path that
    leads to it from the line's end."""

    power: str
    path: str
    lead: str
    name: str
    name_at: float


def chart_lines(standing: list[tuple[str, dict[str, int]]], powers: list[str]) -> list[ChartLine]:
    """The line of each power in the chart; a long name is told by its first word."""
    if len(standing) < 2:
        return []
    most = max(max(counts.values()) for _, counts in standing) or 1
    across = 600 / (len(standing) - 1)
    paths, ends = {}, {}
    for n, power in enumerate(powers):
        apart = 3 * (n - len(powers) / 2)  # so that equal powers do not hide each other
        heights = [240 - counts[power] * 240 / most + apart for _, counts in standing]
        paths[power] = "M" + "L".join(f"{i * across:.1f} {y:.1f}" for i, y in enumerate(heights))
        ends[power] = heights[-1]
    names = _names_apart(ends)
    short = {power: power if len(power) <= LONGEST_NAME else power.split()[0] for power in powers}
    leads = {power: f"M600 {ends[power]:.1f}L622 {names[power]:.1f}" for power in powers}
    return [ChartLine(power, paths[power], leads[power], short[power], names[power]) for power in powers]


def _names_apart(ends: dict[str, float]) -> dict[str, float]:
    """Where names stand beside the ends of their lines so that none covers another, and none falls below the chart."""
    placed: dict[str, float] = {}
    below = -float("inf")
    for power, y in sorted(ends.items(), key=lambda item: item[1]):
        placed[power] = below = max(y, below + NAMES_APART)
    low = 240.0
    for power in reversed(placed):
        placed[power] = low = min(placed[power], low)
        low -= NAMES_APART
    return placed
