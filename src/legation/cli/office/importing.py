"""``legation office import``: games that come from elsewhere, another office or another system."""

from pathlib import Path
from typing import Annotated, Any, cast

import typer

from legation.children import ChildError, Children
from legation.cli.app import office_group
from legation.cli.office.games import read_plan
from legation.cli.office.terminal import By, opened
from legation.cli.terminal import fail, faults_as_lines, read_bytes, read_json, say, shown
from legation.interop.tasks import ImportedGame
from legation.office.hosting import games, imports, transfer
from legation.office.hosting.games import BegunElsewhere
from legation.office.settings import read_settings

IMPORTERS = Children(most=1, seconds=120, megabytes=1500)


@office_group.command(
    name="import",
    epilog="Example: legation office -C otheroffice import game.json; legation office import game.txt --plan plan.toml"
    "; legation office import old.json --ended 2019-05-01 --player France=Anna",
)
def import_game(
    context: typer.Context,
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="What 'export --all' printed, or another system's game; '-' is standard input."
        ),
    ],
    plan: Annotated[
        Path | None,
        typer.Option(help="For a game of another system: its plan (.toml), with players' addresses under [seats]."),
    ] = None,
    name: Annotated[str, typer.Option(help="For a game of another system: its name here.")] = "",
    variant: Annotated[str, typer.Option(help="Its variant, if the file doesn't name it.")] = "",
    ended: Annotated[
        str, typer.Option(metavar="DATE", help="The game is over: keep it whole in the archive. The day it ended.")
    ] = "",
    source: Annotated[str, typer.Option(help="With --ended: where it was played.")] = "",
    player: Annotated[
        list[str] | None, typer.Option(metavar="POWER=NAME", help="With --ended: who played a power, as text.")
    ] = None,
    person: Annotated[
        list[str] | None, typer.Option(metavar="POWER=ADDRESS", help="With --ended: whose account here that is.")
    ] = None,
    draw: Annotated[str, typer.Option(metavar="POWERS", help="With --ended: who shared a draw, with commas.")] = "",
) -> None:
    """Import a game that another office exported, and check its history. A game of another system continues from its
    current position, and the players in the plan are invited by mail; one that is over, or a saved game, goes whole
    into the archive (--ended)."""
    content = read_bytes(file)
    if ended:
        own = b'"legation game ' in content[:2000]
        begun = None if own else _read(context.obj[0], file, content, variant)
        record = {
            "document": begun.saved if begun else read_json(file),
            "source": source or (begun.source.partition(":")[0] if begun else ""),
            "ended": ended,
            "name": name or (begun.title if begun else ""),
            "names": _pairs(player),
            "people": _pairs(person),
            "draw": [power.strip() for power in draw.split(",") if power.strip()],
        }
        with opened(context, new=True) as by:
            kept = imports.bring(*by, record)
            say(f"{kept.name} is in the archive as {kept.key}.")
        return
    if b'"legation ' in content[:2000] or file == "-":  # one of our own documents
        if plan is not None or name or variant:
            fail(f"{shown(file)}: was exported from an office with its plan, name and variant; leave out these options")
        _take_in(context, read_json(file))
        return
    begun = _read(context.obj[0], file, content, variant)
    if begun.over:
        fail(f"{shown(file)}: the game is over ({begun.over}); --ended DATE keeps it in the archive")
    given = read_plan(plan) if plan is not None else {}
    made: dict[str, Any] = {"name": name or begun.title, **given, "variant": begun.variant, "options": begun.options}
    if name:
        made["name"] = name
    with opened(context, new=True) as by:
        _begin(by, made, begun)


def _pairs(given: list[str] | None) -> dict[str, str]:
    """``France=Anna`` as a power and what is said of it."""
    return {power.strip(): said.strip() for power, _, said in (pair.partition("=") for pair in given or ())}


def _read(place: Path, file: str, content: bytes, variant: str) -> ImportedGame:
    """Read and judge the file in a child process."""
    folder = read_settings(place).variants  # no office is made for a game that cannot be read
    where = str(place / folder) if folder else ""
    with faults_as_lines(ChildError, of=shown(file)):
        return IMPORTERS.call(
            ImportedGame, "legation.interop.tasks:import_game", [(Path(file).name, content)], variant, {}, where
        )


def _begin(by: By, plan: dict[str, Any], begun: ImportedGame) -> None:
    elsewhere = BegunElsewhere(source=begun.source, file=begun.file, turns=begun.turns, position=begun.position)
    game = games.create(*by, plan, elsewhere)
    say(begun.report.rstrip())
    say(f"{game.name} is here as {game.key}; it goes on from {begun.position['turn']} when its seats are taken.")
    if begun.differences:
        say("Its result differs from the record; it continues from the recorded position.")
    invited = [power for power, who in plan.get("seats", {}).items() if who and not str(who).startswith("bot:")]
    if invited:
        say(f"Invited by mail: {', '.join(invited)}.")
    empty = [seat.power for seat in game.seats if seat.state == "open" and seat.power not in invited]
    if empty:
        say(f"No player is invited for {', '.join(empty)}: see 'legation office invite'.")


def _take_in(context: typer.Context, document: object) -> None:
    with opened(context, new=True) as by:
        game = transfer.take_in(*by, cast(Any, document))
        say(f"{game.name} is here as {game.key}; it is {game.state}.")
        empty = [seat.power for seat in game.seats if seat.state == "left"]
        if empty:
            say(f"No known player here plays {', '.join(empty)}: see 'legation office replace'.")
        if game.state == "paused":
            say(f"When all is ready: legation office resume {game.key}")
