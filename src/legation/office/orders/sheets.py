"""What people are told of a sheet that was read."""

from __future__ import annotations

from collections.abc import Iterable

from legation.game import SheetCheck
from legation.game.sheets import Understood
from legation.notation import write
from legation.office.records import Checked, CheckedLine


def checked(game: str, turn: str, interpreted: Understood, deadline: object) -> Checked:
    """What people are told of a sheet."""
    check = interpreted.check
    return Checked(
        game=game,
        power=check.power,
        turn=turn,
        lines=tuple(_lines(check)),
        orders=tuple(write(o) for o in check.sheet.orders),
        missing=check.missing,
        builds_left=check.builds_left,
        removals_due=check.removals_due,
        sends_left=check.sends_left,
        ahead=interpreted.ahead,
        instructions=interpreted.parts.instructions,
        deadline=deadline,  # type: ignore[arg-type]
    )


def _lines(check: SheetCheck) -> Iterable[CheckedLine]:
    for entry in check.entries:
        problem = entry.problem
        yield CheckedLine(
            line=entry.line,
            span=entry.span,
            text=entry.text,
            order=entry.order,
            problem=problem.kind if problem else None,
            message=problem.message if problem else "",
            suggestions=problem.suggestions if problem else (),
            hints=entry.hints,
            at=problem.span if problem else None,
        )
