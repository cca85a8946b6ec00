"""``legation check``: a sheet looked at before it is sent."""

from typing import Annotated

import typer

from legation.cli.app import Json, Source, app
from legation.cli.positions import standing
from legation.cli.terminal import fail, faults_as_lines, lacks, read_bytes, say, shown, write_json
from legation.game.sheets import Understood, interpret_message, interpret_sheet, understood_document
from legation.notation import OrderTextError


@app.command("check", epilog="Example: legation check VARIANT orders.txt --power NAME")
def check_file(
    source: Source,
    sheet: Annotated[str, typer.Argument(metavar="SHEET", help="A file with orders; '-' is standard input.")],
    power: Annotated[str, typer.Option(help="The power, if the text has no headings with powers.")] = "",
    as_json: Json = False,
) -> None:
    """Check orders before you send them.

    Shows how each line is understood, what's wrong, and what's missing."""
    if source == sheet == "-":
        raise typer.BadParameter("only one of the files can be standard input")
    rules, position, _ = standing(source)
    name = ""
    if power:
        with faults_as_lines(OrderTextError, of="--power"):
            name = rules.reader.power(power)
    text = read_bytes(sheet).decode("utf-8-sig", errors="replace")
    sheets = (interpret_sheet(rules, position, name, text),) if name else interpret_message(rules, position, text)
    if not sheets:
        fail(
            f"{shown(sheet)}: no heading names the power of these orders; give --power with one of "
            f"{', '.join(rules.powers)}"
        )
    if as_json:
        documents = [understood_document(understood) for understood in sheets]
        write_json(documents[0] if name else documents)
    else:
        for understood in sheets:
            say(f"{position.turn}: {understood.check.power}")
            say(sheet_report(understood))
    if any(understood.check.problems or any(not a.then for a in understood.ahead) for understood in sheets):
        raise typer.Exit(1)


def sheet_report(understood: Understood) -> str:
    """A checked sheet for people, a line an entry."""
    check = understood.check
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
    for ahead in understood.ahead:
        hint = f"; did you mean {' or '.join(ahead.suggestions)}?" if ahead.suggestions else ""
        lines.append(f"{ahead.line:>4}  {ahead.then or f'{ahead.text[:80]}  not understood: {ahead.message}{hint}'}")
    lines += [f"      for the coordinator: {text[:80]}" for text in understood.parts.instructions]
    return "\n".join([*lines, *(f"      {lack}" for lack in lacks(check))])
