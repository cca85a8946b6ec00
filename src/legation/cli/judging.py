"""``legation adjudicate``, ``orders`` and ``replay``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import typer

from legation.cli.terminal import (
    fail,
    indented,
    known_variants,
    load_variant,
    read_json,
    say,
    shown,
    write_file,
    write_json,
)
from legation.game import DocumentError, SavedGameError, answer_document, read_task, save_game
from legation.game import replay as replay_document
from legation.game.documents import warnings
from legation.game.json_text import decode
from legation.game.report import Names, turn_report
from legation.judge import legal_orders, resolve
from legation.notation import write

LONGEST_LINE = 16 * 1024 * 1024


def adjudicate_file(source: str, text: bool, names: Names = "full") -> None:
    """Judge one document."""
    document = read_json(source)
    try:
        task = read_task(document, known_variants())
    except DocumentError as error:
        fail(*(f"{shown(source)}: {fault}" for fault in error.faults))
    resolution = resolve(task.rules, task.position, task.sheets, task.seed)
    if text:
        say(turn_report(task.rules, resolution, task.unread, names=names))
        for warning in warnings(task, resolution):
            typer.echo(f"legation: {warning}", err=True)
    else:
        write_json(answer_document(task, resolution))


def lines_of(source: str) -> Iterator[bytes]:
    """The lines of a file or of standard input, one at a time; a line that is too long comes as its beginning."""
    try:
        stream = sys.stdin.buffer if source == "-" else Path(source).open("rb")  # noqa: SIM115 - closed below
    except OSError as error:
        fail(f"{shown(source)}: {error.strerror or error}")
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
    faulty = 0
    number = 0
    for line in lines_of(source):
        number += 1
        if not line.strip():
            continue
        try:
            if len(line) > LONGEST_LINE:
                raise DocumentError([f"the line is longer than {LONGEST_LINE // 1024 // 1024} MB"])
            task = read_task(decode(line), variants)
            answer = answer_document(task, resolve(task.rules, task.position, task.sheets, task.seed))
        except DocumentError as error:
            faulty += 1
            answer = {"error": str(error), "line": number}
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            faulty += 1
            answer = {"error": f"no JSON document: {error}", "line": number}
        out.write(encode(answer))
        out.write(b"\n")
        out.flush()  # whoever asks through a pipe waits for this line
    if faulty:
        say(f"legation: {faulty} of {number} lines are faulty", err=True)
        raise typer.Exit(1)


def show_orders(variant: str, source: str, as_json: bool) -> None:
    """Print every legal order of a position."""
    rules = load_variant(variant)
    position = rules.opening()
    if source != "start":
        document = read_json(source)
        if isinstance(document, dict):
            named = document.get("variant", rules.name)
            if isinstance(named, str) and named.strip().casefold() != rules.name.casefold():
                fail(f"{shown(source)}: is a position of {named[:60]!r}, not of {rules.name!r}")
            document = {**document, "variant": named, "orders": {}}
        try:
            task = read_task(document, known_variants())
        except DocumentError as error:
            fail(*(f"{shown(source)}: {fault}" for fault in error.faults))
        rules, position = task.rules, task.position
    found = {power: [write(o) for o in listed] for power, listed in legal_orders(rules, position).items() if listed}
    if as_json:
        write_json(found)
        return
    for power, listed in found.items():
        say(f"{power} ({len(listed)})")
        for order in listed:
            say(f"  {order}")


def replay_file(source: str, text: bool, turns: int | None, output: Path | None) -> None:
    """Replay a saved game; ``turns`` limits the reports. What came out is written to ``output``."""
    try:
        game, differences = replay_document(read_json(source), known_variants())
    except SavedGameError as error:
        fail(*(f"{shown(source)}: {fault}" for fault in error.faults))
    if text:
        for turn in game.turns[:turns]:
            say(turn_report(game.rules, turn.resolution, turn.unread))
            say()
    if output is not None:
        write_file(output, indented(save_game(game)))
    changed = [d for d in differences if d.what.startswith("rules (")]  # which is no fault of the game's
    for difference in changed:
        say(f"legation: {source}: {difference}", err=True)
    if len(differences) > len(changed):
        fail(*(f"{shown(source)}: {d}" for d in differences if d not in changed))
    orders = sum(len(t.resolution.verdicts) for t in game.turns)
    say(f"{shown(source)}: {len(game.turns)} turns with {orders} orders replay to the same outcomes")
