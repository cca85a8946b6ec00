"""``legation office ...``: the coordinator at a terminal of the office's machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

OF_ALL = ("--as", "--folder", "-C")
"""Options of the whole group, which may stand anywhere in a line."""


class OfficeGroup(TyperGroup):
    """The commands of ``legation office``; its own options may also stand behind a command."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Move the group's own options to the front."""
        own: list[str] = []
        rest: list[str] = []
        words = iter(args)
        for word in words:
            if word == "--":
                rest += [word, *words]
            elif word in OF_ALL:
                own += [word, *(value for value in (next(words, None),) if value is not None)]
            elif word.startswith(("--as=", "--folder=")):
                own.append(word)
            else:
                rest.append(word)
        return super().parse_args(ctx, own + rest)


office = typer.Typer(
    name="office",
    cls=OfficeGroup,
    help="Manage an office's people and games.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Game = Annotated[str, typer.Argument(metavar="GAME", help="A game's name or key.")]
PowerName = Annotated[str, typer.Argument(metavar="POWER", help="A power, by any of its names.")]
Item = Annotated[int, typer.Argument(metavar="ITEM", help="The item's number on the desk.")]
Reason = Annotated[str, typer.Argument(metavar="REASON", help="Why; all players read it.")]
Note = Annotated[str, typer.Argument(metavar="NOTE", help="A few words, for the record.")]
TurnName = Annotated[
    str, typer.Argument(metavar="TURN", help="A turn's number, name or key; 'last' is the last with results.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@office.callback()
def root(
    context: typer.Context,
    folder: Annotated[
        Path, typer.Option("--folder", "-C", envvar="LEGATION_FOLDER", help="The office's folder.")
    ] = Path("office"),
    acting: Annotated[
        str, typer.Option("--as", metavar="EMAIL", help="Act as this person instead of the operator.")
    ] = "",
) -> None:
    """The coordinator at a terminal."""
    context.obj = (folder, acting)
