"""What ``legation conformance`` does: the tables of what is proved."""

from typing import Annotated, Literal

import typer

from legation.cli.app import Json, app
from legation.cli.terminal import say, write_json
from legation.conformance import clause_table, datc_table


@app.command(epilog="Example: legation conformance --datc")
def conformance(
    datc: Annotated[bool, typer.Option("--datc", help="Run the Diplomacy Adjudicator Test Cases.")] = False,
    clauses: Annotated[bool, typer.Option("--clauses", help="List every clause of the rules with its tests.")] = False,
    part: Annotated[Literal["game", "service"] | None, typer.Option(help="Only clauses of this part.")] = None,
    as_json: Json = False,
) -> None:
    """Run the case files and list the rules they prove."""
    if datc == clauses:
        datc = clauses = True
    tables = []
    if datc:
        tables.append(datc_table())
    if clauses:
        tables.append(clause_table(part))
    if as_json:
        write_json(tables[0] if len(tables) == 1 else {"datc": tables[0], "clauses": tables[1]})
    bad = 0
    for rows in tables:
        passed = 0
        for row in rows:
            text = row.get("kind") == "text"
            good = bool(row["passed"]) or text
            passed += good
            if not as_json:
                mark = "text" if text else "pass" if row["passed"] else "FAIL" if row["passed"] is False else "MISSING"
                about = row.get("title") or row.get("summary") or ""
                tests = row.get("tests")
                proof = f"  [{len(tests)} tests]" if tests is not None else ""
                note = f"  ({row['note']})" if row.get("note") else ""
                where = f" {row['variants'][0]:<14}" if "variants" in row else ""
                say(f"{row['id']:<8}{where} {mark:<8} {about}{proof}{note}")
        bad += len(rows) - passed
        if not as_json:
            say(f"{passed} of {len(rows)}\n")
    if bad:
        raise typer.Exit(1)
