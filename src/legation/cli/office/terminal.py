"""What the commands of ``legation office`` share: the open office, who acts, tables, JSON, texts of files."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from legation.cli.serving import refusals_as_lines, refuse_root, tell_new
from legation.cli.terminal import fail, read_bytes, say, write_json
from legation.game.report import count
from legation.office.context import Actor
from legation.office.errors import NotFoundError
from legation.office.identity import people
from legation.office.monitoring import logs
from legation.office.office import Office, is_office, open_office
from legation.office.operation import work
from legation.office.records import AddressRecord

WIDTH = 160  # columns, where the output is no terminal


@contextlib.contextmanager
def opened(context: typer.Context, *, new: bool = False) -> Iterator[tuple[Office, Actor]]:
    """The office of the folder (with ``new`` one is made if there is none), and who acts; refusals end in a line
    each."""
    logs.configure(plain=True)
    folder, acting = context.obj
    with refusals_as_lines():
        if not new and not is_office(folder):
            raise NotFoundError(
                f"There is no office in {folder}. Name its folder with -C, or LEGATION_FOLDER; 'legation serve FOLDER' "
                "creates one."
            )
        refuse_root(folder)
        tell_new(folder, err=True)
        office = open_office(folder)
        try:
            actor = Actor.console()
            if acting:
                actor = people.as_person(office, people.find(office, actor, acting).id)
            yield office, actor
        finally:
            office.close()


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], empty: str) -> None:
    """Print rows as a table, or a sentence where there are none."""
    shown = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        shown.add_column(column, overflow="fold")
    count = 0
    for row in rows:
        shown.add_row(*(cell(value) for value in row))
        count += 1
    if not count:
        say(empty)
        return
    Console(width=None if sys.stdout.isatty() else WIDTH, highlight=False, markup=False).print(shown)


def cell(value: object) -> str:
    """A value as a cell of a table: yes or no, times in UTC, ``-`` for none."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M} UTC"
    return str(value)


def written(address: AddressRecord | None) -> str | None:
    """A postal address in a line, with its days."""
    if address is None:
        return None
    days = " ".join(f"{word} {day}" for word, day in (("from", address.first), ("to", address.last)) if day is not None)
    return ", ".join((*address.lines, address.country)) + (f" ({days})" if days else "")


def print_json(value: Any) -> None:
    """Print records as JSON."""
    write_json(msgspec.to_builtins(value))


def text_of(file: str) -> str:
    """The text of a file, or of standard input for ``-``."""
    try:
        return read_bytes(file).decode("utf-8-sig")
    except UnicodeDecodeError:
        fail(f"{file}: is not UTF-8")


def do_what_is_due(office: Office) -> None:
    """Run all work that is due, and say how much that was."""
    done = work.run_due(office)
    ran = "was due and is done" if done == 1 else "were due and are done"
    say("Done." if not done else f"Done; {count(done, 'further step')} {ran}.")
