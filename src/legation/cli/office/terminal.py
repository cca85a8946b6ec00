"""What the commands of ``legation office`` share: how they are declared, the open office, who acts, tables, JSON."""

import contextlib
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from legation.cli.app import Json, office_group
from legation.cli.serving import refuse_root, tell_new
from legation.cli.terminal import say, write_json
from legation.game.report import count
from legation.office.context import Actor
from legation.office.errors import NotFoundError
from legation.office.identity import people
from legation.office.monitoring import logs
from legation.office.office import Office, is_office, open_office
from legation.office.operation import work
from legation.office.records import AddressRecord

P = ParamSpec("P")
WIDTH = 160  # columns, where the output is no terminal


class Answer(msgspec.Struct, frozen=True):
    """What a command answers: records, which ``--json`` prints, and how they are told otherwise; before them what was
    done, where anything was."""

    records: Any
    tell: Callable[[], None]
    done: str = ""


class By(NamedTuple):
    """The office that is open, and who acts in it: what every command of an office begins with."""

    office: Office
    actor: Actor


R = TypeVar("R", bound=str | Answer | None)
Carried = Callable[Concatenate[By, P], R]


def command(
    *examples: str, name: str = "", new: bool = False, group: typer.Typer = office_group
) -> Callable[[Carried[P, R]], Carried[P, R]]:
    """Declare a command of an open office, with examples of what follows the group's name.

    It answers with a line to print, with an :class:`Answer` (it has an option ``--json`` then), or with nothing. The
    office is that of the group's folder; with ``new`` one is made if there is none."""

    def declare(function: Carried[P, R]) -> Carried[P, R]:
        signature = inspect.signature(function, eval_str=True)
        by, *own = signature.parameters.values()
        answers = signature.return_annotation is Answer
        if answers:
            own.append(inspect.Parameter("as_json", by.KEYWORD_ONLY, default=False, annotation=Json))

        def run(context: typer.Context, **given: Any) -> None:
            as_json = answers and given.pop("as_json")
            with opened(context, new=new) as by:
                answer = function(by, **given)  # type: ignore[call-arg]  # as Typer read them
                if isinstance(answer, str):
                    return say(answer)
                if isinstance(answer, Answer):
                    if answer.done:
                        say(answer.done, err=as_json)
                    write_json(answer.records) if as_json else answer.tell()

        asked = by.replace(name="context", annotation=typer.Context)
        run.__signature__ = inspect.Signature([asked, *own])  # type: ignore[attr-defined]  # which Typer reads
        run.__name__, run.__doc__ = function.__name__, function.__doc__
        told = " ; ".join(f"legation {group.info.name} {example}" for example in examples)
        group.command(name or None, epilog=f"Example: {told}")(run)
        return function

    return declare


@contextlib.contextmanager
def opened(context: typer.Context, *, new: bool = False) -> Iterator[By]:
    """The office of the folder (with ``new`` one is made if there is none), and who acts; refusals end in a line
    each."""
    logs.configure(plain=True)
    folder, acting = context.obj
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
        yield By(office, actor)
    finally:
        office.close()


def listing(
    records: Any, columns: Sequence[str], rows: Iterable[Sequence[object]], empty: str = "", done: str = ""
) -> Answer:
    """Records, told as the rows of a table."""
    return Answer(records, lambda: table(columns, rows, empty), done)


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], empty: str = "") -> None:
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


def do_what_is_due(office: Office) -> None:
    """Run all work that is due, and say how much that was."""
    done = work.run_due(office)
    ran = "was due and is done" if done == 1 else "were due and are done"
    say("Done." if not done else f"Done; {count(done, 'further step')} {ran}.")
