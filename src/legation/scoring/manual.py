"""The manual's page of scoring systems, from their declarations."""

from collections.abc import Iterator

from legation.scoring.outcome import Outcome
from legation.scoring.systems import SYSTEMS, System

SAMPLES = {
    "Three powers, 12 centers": Outcome({"1": 7, "2": 4, "3": 1}, 12, 6),
    "Ten powers, 56 centers": Outcome(
        dict(zip("1 2 3 4 5 6 7 8 9 10".split(), (16, 12, 9, 7, 6, 4, 2, 0, 0, 0), strict=True)),
        56,
        9,
        {"8": 8, "9": 5, "10": 3},
    ),
}
"""Results by which the page shows a system on boards of other sizes."""


def page() -> str:
    """The page in Markdown."""
    begins = (
        "# Scoring systems\n\n"
        "`legation score GAME --system NAME` scores a saved game, finished or as it stands; an office shows the "
        "points of a finished game on its page. A host chooses a system when a game is created. Numbers are as "
        "published for seven powers and 34 centers; what changes on other boards is said for each. In a game that "
        "goes on, or that ended without a named winner or draw, all surviving powers share the draw. Where a game’s "
        "rules rank its powers, that ranking decides the places. Years are counted as the game names them."
    )
    return "\n".join([begins, *(line for system in SYSTEMS.values() for line in _told(system))])


def _told(system: System) -> Iterator[str]:
    yield from ("", f"## {system.name}", "", f"`{system.key}`: {system.formula}", "")
    yield f"Source: {'; '.join(system.sources)}."
    if system.differs:
        yield f"Sources differ: {system.differs}"
    total = "the same in every game that nobody wins" if system.constant else "different from game to game"
    yield f"The sum of the points is {total}{', and a solo takes all' if system.takes_all else ''}."
    yield ""
    example = system.example
    origin = f" ({example.source})" if example.source else " (worked out from the formula)"
    yield from _table(f"Example{origin}", example.outcome(), system, dated=bool(example.out))
    yield from ("", f"Other boards: {system.sizes}", "")
    for title, outcome in SAMPLES.items():
        yield from (*_table(title, outcome, system), "")


def _table(title: str, outcome: Outcome, system: System, *, dated: bool = True) -> Iterator[str]:
    points, out = system.score(outcome), outcome.out if dated else {}
    centers = [f"0 (out in year {out[p]})" if p in out else str(count) for p, count in outcome.centers.items()]
    yield f"{title}:"
    yield ""
    yield "| centers | " + " | ".join(centers) + " |"
    yield "|---|" + "---:|" * len(outcome.centers)
    yield "| points | " + " | ".join(f"{points[power]:.6g}" for power in outcome.centers) + " |"
