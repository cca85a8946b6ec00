"""``legation office reports``: reports of people, and what is decided, at a terminal."""

from typing import Annotated, Literal

import typer

from legation.cli.office.terminal import Answer, By, command, table
from legation.cli.terminal import fail, say
from legation.office.hosting import moderation
from legation.office.records import Report

Decided = Annotated[
    Literal["nothing", "warning", "suspension"] | None,
    typer.Option("--decide", metavar="DECISION", help="Decide on it: 'nothing', 'warning' or 'suspension'."),
]


@command("reports 81 --decide warning --reason 'insults'")
def reports(
    by: By,
    number: Annotated[int | None, typer.Argument(metavar="[NUMBER]", help="Show this report.")] = None,
    decision: Decided = None,
    reason: Annotated[str, typer.Option("--reason", help="Why; who is warned or suspended reads it.")] = "",
    days: Annotated[int, typer.Option("--days", min=0, help="How long a suspension lasts.")] = 0,
) -> Answer:
    """List reports of people, show one, or decide on it."""
    if decision is not None:
        if number is None:
            fail("name the report")
        moderation.decide(*by, number, decision, reason, days)
    listed = [one for one in moderation.reports(*by) if number in (None, one.id)]
    return Answer(listed, lambda: _tell(listed, whole=number is not None))


def _tell(listed: list[Report], *, whole: bool) -> None:
    rows = [(one.id, one.at, one.name, one.game, one.decision or "-") for one in listed]
    table(("number", "when", "about", "game", "decision"), rows, "There are no reports.")
    for one in listed if whole else ():
        say(f"\n{one.text}" + (f"\n\nThe letter that was shown:\n{one.evidence}" if one.evidence else ""))
