"""``legation office reports``: reports of people, and what is decided, at a terminal."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from legation.cli.app import Json, office_group
from legation.cli.office.terminal import opened, print_json, table
from legation.cli.terminal import fail, say
from legation.office.hosting import moderation

Decided = Annotated[
    Literal["nothing", "warning", "suspension"] | None,
    typer.Option("--decide", metavar="DECISION", help="Decide on it: 'nothing', 'warning' or 'suspension'."),
]


@office_group.command("reports", epilog="Example: legation office reports 81 --decide warning --reason 'insults'")
def reports(
    context: typer.Context,
    number: Annotated[int | None, typer.Argument(metavar="[NUMBER]", help="Show this report.")] = None,
    decision: Decided = None,
    reason: Annotated[str, typer.Option("--reason", help="Why; who is warned or suspended reads it.")] = "",
    days: Annotated[int, typer.Option("--days", min=0, help="How long a suspension lasts.")] = 0,
    as_json: Json = False,
) -> None:
    """List reports of people, show one, or decide on it."""
    with opened(context) as (office, actor):
        if decision is not None:
            if number is None:
                fail("name the report")
            moderation.decide(office, actor, number, decision, reason, days)
        listed = [one for one in moderation.reports(office, actor) if number in (None, one.id)]
        if as_json:
            return print_json(listed)
        rows = [(one.id, one.at, one.name, one.game, one.decision or "-") for one in listed]
        table(("number", "when", "about", "game", "decision"), rows, "There are no reports.")
        for one in listed if number is not None else ():
            say(f"\n{one.text}" + (f"\n\nThe letter that was shown:\n{one.evidence}" if one.evidence else ""))
