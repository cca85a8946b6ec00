"""What ``legation adjudicate``, ``orders`` and ``replay`` do."""

import codecs
import gc
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from legation.cli.app import Json, PlaceNames, Source, app
from legation.cli.positions import is_variant, read_sheets, standing
from legation.cli.terminal import (
    by_unit,
    columns,
    fail,
    faults_as_lines,
    indented,
    known_variants,
    load_variant,
    read_json,
    say,
    say_report,
    shown,
    write_file,
    write_json,
)
from legation.game import DocumentError, SavedGameError, Task, answer_document, read_task, save_game
from legation.game import replay as replay_document
from legation.game.documents import after_document, warnings
from legation.game.json_text import decode
from legation.game.reading_documents import with_implied_units
from legation.game.report import count, turn_report
from legation.judge import legal_orders, resolve
from legation.notation import OrderTextError, write

LONGEST_LINE = 16 * 1024 * 1024
COLLECTED_AFTER = 50_000  # new objects; Python's own threshold is 700


@app.command(
    epilog="Example: legation adjudicate turn.json --orders france.txt mail.txt --text --next turn2.json; "
    "cat turns.jsonl | legation adjudicate --jsonl -"
)
def adjudicate(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A position document, or an earlier answer; '-' is standard input.")
    ],
    sheets: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SHEET]...", help="Order sheets, or folders of them, as for --orders."),
    ] = None,
    orders: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SHEET...",
            help="An order sheet or a folder of them; each has headings with its powers, or is named after one.",
        ),
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="Print a report for people.")] = False,
    names: PlaceNames = "full",
    next_file: Annotated[
        Path | None, typer.Option("--next", metavar="FILE", help="Write the next position here.")
    ] = None,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="Read one document a line, write one answer a line.")] = False,
) -> None:
    """Judge a turn.

    Prints the verdicts with their causes, dislodged units, and the next position."""
    if text and jsonl:
        raise typer.BadParameter("--text and --jsonl exclude each other")
    texts = [*(orders or []), *(sheets or [])]
    if jsonl and (texts or next_file is not None):
        raise typer.BadParameter("--jsonl takes the orders from its documents, and its answers hold the next positions")
    if [file, *texts].count("-") > 1:
        raise typer.BadParameter("only one of the files can be standard input")
    if jsonl:
        adjudicate_lines(file)
        return
    document = read_json(file)
    with faults_as_lines(DocumentError, of=shown(file)):
        task = read_task(document, known_variants(), sheets_follow=bool(texts))
        if texts:
            task = with_implied_units(_with_sheets(task, file, texts))
    resolution = resolve(task.rules, task.position, task.sheets, task.seed)
    if text:
        say_report(turn_report(task.rules, resolution, task.unread, names=names))
        for warning in warnings(task, resolution):
            typer.echo(f"legation: {warning}", err=True)
    else:
        write_json(answer_document(task, resolution))
    if next_file is not None:
        after = after_document(task.rules, resolution.after, resolution.ending)
        write_file(next_file, indented({**after, "seed": task.seed} if task.seed else after))


def _with_sheets(task: Task, source: str, files: Sequence[str]) -> Task:
    """A task with the orders of texts beside its own; no power may have orders in both."""
    sheets, unread = read_sheets(task.rules, task.position, files)
    own = {sheet.power: sheet for sheet in task.sheets if sheet.orders}
    twice = [power for power in own if power in sheets]
    if twice:
        fail(*(f"{shown(source)}: {power} has orders in it, and a sheet beside it; leave one out" for power in twice))
    every = tuple({**own, **sheets}.values())
    return msgspec.structs.replace(task, sheets=every, unread=(*task.unread, *unread))


def lines_of(source: str) -> Iterator[bytes]:
    """The lines of a file or of standard input, one at a time; a line that is too long comes as its beginning."""
    stream = sys.stdin.buffer if source == "-" else Path(source).open("rb")  # noqa: SIM115 - closed below
    try:
        while line := stream.readline(LONGEST_LINE + 1):
            rest = line
            while len(rest) > LONGEST_LINE and not rest.endswith(b"\n"):
                rest = stream.readline(LONGEST_LINE + 1)
            yield line
    finally:
        if source != "-":
            stream.close()


def adjudicate_lines(source: str) -> None:
    """Judge one document a line; a faulty line is answered with its fault and the rest goes on."""
    encode = msgspec.json.Encoder().encode
    out = sys.stdout.buffer
    variants = known_variants()
    gc.set_threshold(
        COLLECTED_AFTER
    )  # documents and positions hold no cycles, so that looking for some often is in vain
    faulty = 0
    number = 0
    for line in lines_of(source):
        number += 1
        if not line.strip():
            continue
        try:
            if len(line) > LONGEST_LINE:
                raise DocumentError([f"the line is longer than {LONGEST_LINE // 1024 // 1024} MB"])
            task = read_task(decode(line.removeprefix(codecs.BOM_UTF8) if number == 1 else line), variants)
            answer = answer_document(task, resolve(task.rules, task.position, task.sheets, task.seed))
        except DocumentError as error:
            faulty += 1
            answer = {"error": str(error), "line": number}
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            faulty += 1
            answer = {"error": f"no JSON document: {error}", "line": number}
        out.write(encode(answer) + b"\n")
        out.flush()  # whoever asks through a pipe waits for this line
    if faulty:
        say(f"legation: {faulty} of {number} lines have errors", err=True)
        raise typer.Exit(1)


@app.command("orders", epilog="Example: legation orders hundred --power France; legation orders turn.json")
def show_orders(
    variant: Source,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A position document; '-' is standard input; 'start' is the opening.")
    ] = "start",
    power: Annotated[str, typer.Option(help="Only the orders of this power.")] = "",
    as_json: Json = False,
) -> None:
    """List all legal orders of a position."""
    if file == "start":
        rules, position, _ = standing(variant)
    else:
        wanted = load_variant(variant).name if is_variant(variant) else variant
        rules, position, _ = standing(file, variant=wanted)
        if wanted != rules.name:
            fail(f"{shown(file)}: is a position of {rules.name!r}, not of {wanted!r}")
    with faults_as_lines(OrderTextError, of="--power"):
        powers = (rules.reader.power(power),) if power else tuple(rules.powers)
    legal = legal_orders(rules, position)
    listed_by_power = {power: [write(o) for o in legal[power]] for power in powers if legal[power]}
    if as_json:
        return write_json(listed_by_power)
    if not listed_by_power:
        say(f"{', '.join(powers) if power else 'Nobody'}: nothing to order in {position.turn}")
    for number, (name, listed) in enumerate(listed_by_power.items()):
        say(("\n" if number else "") + f"{name} ({len(listed)})")
        say(columns(by_unit(listed)))


@app.command(epilog="Example: legation replay game.json")
def replay(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A saved game; '-' is standard input.")],
    text: Annotated[bool, typer.Option("--text", help="Print the report of every turn.")] = False,
    names: PlaceNames = "full",
    turns: Annotated[int | None, typer.Option(min=1, help="With --text: only this many turns from the first.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the game with its new results, in the current format.")
    ] = None,
) -> None:
    """Judge a saved game again and report any difference."""
    if turns is not None and not text:
        raise typer.BadParameter("says how many reports to print; give --text too", param_hint="--turns")
    with faults_as_lines(SavedGameError, of=shown(file)):
        game, differences = replay_document(read_json(file), known_variants())
    if text:
        for turn in game.turns[:turns]:
            say_report(turn_report(game.rules, turn.resolution, turn.unread, names=names))
            say()
    if output is not None:
        write_file(output, indented(save_game(game)))
    for turn in game.turns:
        if turn.resumed:
            say(f"legation: {shown(file)}: {turn.resolution.before.turn}: {turn.resumed}", err=True)
    changed = [d for d in differences if d.what.startswith("rules (")]  # which is no fault of the game's
    for difference in changed:
        say(f"legation: {shown(file)}: {difference}", err=True)
    if len(differences) > len(changed):
        fail(*(f"{shown(file)}: {d}" for d in differences if d not in changed))
    orders = sum(len(t.resolution.verdicts) for t in game.turns)
    say(f"{shown(file)}: {count(len(game.turns), 'turn')} with {count(orders, 'order')} replay to the same outcomes")
