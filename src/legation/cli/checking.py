"""``legation check``: a sheet looked at before it is sent."""

from __future__ import annotations

from typing import Annotated

import typer

from legation.cli.app import (
    Json,
    Source,
    app,
)
from legation.cli.positions import position_of
from legation.cli.terminal import fail, read_bytes, say, shown, write_json
from legation.game import SheetCheck, check_document, check_message, check_sheet
from legation.notation import OrderTextError


@app.command("check", epilog="Example: legation check VARIANT orders.txt --power NAME")
def check_file(
    source: Source,
    sheet: Annotated[str, typer.Argument(metavar="SHEET", help="A file with orders; '-' is standard input.")],
    power: Annotated[str, typer.Option(help="The power, if the text has no headings with powers.")] = "",
    as_json: Json = False,
) -> None:
    """Check orders before you send them.

    Shows how each line is understood, what's wrong, and what's missing.
    """
    rules, position = position_of(source)
    name = ""
    if power:
        try:
            name = rules.reader.power(power)
        except OrderTextError as error:
            fail(f"--power: {error}")
    text = read_bytes(sheet).decode("utf-8-sig", errors="replace")
    checks = (check_sheet(rules, position, name, text),) if name else check_message(rules, position, text)
    if not checks:
        fail(
            f"{shown(sheet)}: no heading names the power of these orders; give --power with one of "
            f"{', '.join(rules.powers)}"
        )
    if as_json:
        write_json([check_document(check) for check in checks] if not name else check_document(checks[0]))
    else:
        for check in checks:
            say(f"{position.turn}: {check.power}")
            say(sheet_report(check))
    if any(check.problems for check in checks):
        raise typer.Exit(1)


def sheet_report(check: SheetCheck) -> str:
    """A checked sheet for people, a line an entry."""
    lines = []
    for entry in check.entries:
        if entry.order is None and entry.problem is None:
            continue
        shown = entry.order or " ".join(entry.text[:80].split())
        line = f"{entry.line:>4}  {shown}"
        if entry.problem is not None:
            line += f"  {entry.problem.kind}: {entry.problem.message}"
            if entry.problem.suggestions:
                line += f"; did you mean {' or '.join(entry.problem.suggestions)}?"
        for hint in entry.hints:
            line += f"  ({hint})"
        lines.append(line)
    if check.missing:
        lines.append(f"      no order for {', '.join(check.missing)}")
    if check.builds_left:
        lines.append(f"      builds left: {check.builds_left}")
    if check.removals_due:
        lines.append(f"      removals due: {check.removals_due}")
    return "\n".join(lines)
