"""Sheets as the office reads them, and what people are told of it."""

from __future__ import annotations

from collections.abc import Iterable

from legation.game import SheetCheck
from legation.game.sheets import Understood, interpret_sheet
from legation.notation import write
from legation.office.clock import moment
from legation.office.context import CommandContext, GameContext
from legation.office.errors import InvalidInputError
from legation.office.game.turns import position_of
from legation.office.records import Checked, CheckedLine
from legation.office.store.rows import TurnRow


def read_sheet(scene: GameContext, turn: TurnRow, power: str, text: str) -> Understood:
    """Read a sheet of a power, in the position that it sees."""
    rules = scene.rules
    return interpret_sheet(rules, rules.seen(position_of(rules, turn.position), power), power, text)


def refuse_long(act: CommandContext, text: str) -> None:
    """Refuse a text that is longer than the office takes sheets. Raises InvalidInputError with how long they may be."""
    most = act.office.settings.largest_sheet
    if len(text) > most:
        raise InvalidInputError(f"A sheet has at most {most:,} characters.", faults=["text: too long"])


def checked(scene: GameContext, turn: TurnRow, understood: Understood) -> Checked:
    """Return what people are told of a sheet."""
    check = understood.check
    return Checked(
        game=scene.row.key,
        power=check.power,
        turn=turn.name,
        lines=tuple(_lines(check)),
        orders=tuple(write(o) for o in check.sheet.orders),
        missing=check.missing,
        builds_left=check.builds_left,
        removals_due=check.removals_due,
        sends_left=check.sends_left,
        ahead=understood.ahead,
        instructions=understood.parts.instructions,
        deadline=moment(turn.deadline),
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
