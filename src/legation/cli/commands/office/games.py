"""Commands of ``legation office``: people, games, seats, settings and votes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from legation.cli.commands.office.group import Game, Json, Note, PowerName, Reason, office

VoteKind = Annotated[
    Literal["pause", "resume", "extend", "cancel", "replace"],
    typer.Argument(metavar="QUESTION", help="What to vote on."),
]
Hours = Annotated[int, typer.Option("--hours", help="To extend: how many hours to move the deadline.")]
Whom = Annotated[str, typer.Option("--whom", metavar="POWER", help="To replace: the power whose player is replaced.")]
WhyOption = Annotated[str, typer.Option("--reason", help="Why; all players read it.")]


@office.command(epilog="Example: legation office -C myoffice person 'Anna Ash' anna@example.org --token")
def person(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The person's public name.")],
    email: Annotated[str, typer.Argument(help="The person's e-mail address.")],
    token: Annotated[bool, typer.Option("--token", help="Make a token for the API and print it.")] = False,
    administrator: Annotated[bool, typer.Option("--administrator", help="Make the person an administrator.")] = False,
) -> None:
    """Add a person to the office."""
    from legation.cli import hosting

    hosting.person(context.obj, name, email, token, administrator)


@office.command(epilog="Example: legation office readdress anna@example.org anna@example.net")
def readdress(
    context: typer.Context,
    email: Annotated[str, typer.Argument(help="The old address.")],
    to: Annotated[str, typer.Argument(help="The new address.")],
) -> None:
    """Change the e-mail address of someone who can't read mail at the old one.

    First make sure that it's them. Both addresses are notified, and all their sessions, tokens, passkeys,
    calendar addresses and links end.
    """
    from legation.cli import hosting

    hosting.readdress(context.obj, email, to)


@office.command(epilog="Example: legation office games --state running")
def games(
    context: typer.Context,
    state: Annotated[
        Literal["gathering", "running", "paused", "ended", "cancelled", "moved"] | None,
        typer.Option(help="Only games in this state."),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the games."""
    from legation.cli import hosting

    hosting.list_games(context.obj, state, as_json)


@office.command(
    epilog="Example: legation office create --name 'Powick Bridge' --variant three-kingdoms --schedule three-kingdoms "
    "--coordinated --as anna@example.org"
)
def create(
    context: typer.Context,
    file: Annotated[Path | None, typer.Argument(help="The game's plan: TOML or JSON.")] = None,
    name: Annotated[str, typer.Option(help="The game's name.")] = "",
    variant: Annotated[str, typer.Option(help="The variant.")] = "",
    schedule: Annotated[
        str, typer.Option(help="The name of a schedule, or a text: '36 h', 'Mon Thu 20:00 Europe/London'.")
    ] = "",
    coordinated: Annotated[bool, typer.Option("--coordinated", help="Have a coordinator run the game.")] = False,
) -> None:
    """Create a game, from a plan or from options.

    --schedule three-kingdoms --coordinated sets up the rulebook's game by post: first orders by letter, revisions
    as photographs, draft results that you approve. Settings in a plan override these.
    """
    from legation.cli import hosting

    hosting.create(context.obj, file, name, variant, schedule, coordinated)


@office.command(epilog="Example: legation office show powick-bridge")
def show(context: typer.Context, game: Game, as_json: Json = False) -> None:
    """Show a game: its seats, who has sent orders, what's next."""
    from legation.cli import hosting

    hosting.show(context.obj, game, as_json)


@office.command(epilog="Example: legation office invite powick-bridge anna@example.org --power Crown")
def invite(
    context: typer.Context,
    game: Game,
    email: Annotated[
        str, typer.Argument(help="Where to send the invitation; otherwise only the link is printed.")
    ] = "",
    power: Annotated[str, typer.Option(help="The seat to offer.")] = "",
) -> None:
    """Invite a player, and print the link."""
    from legation.cli import hosting

    hosting.invite(context.obj, game, email, power)


@office.command(epilog="Example: legation office start powick-bridge")
def start(context: typer.Context, game: Game) -> None:
    """Assign the powers at random and open the first turn."""
    from legation.cli import hosting

    hosting.start(context.obj, game)


@office.command(epilog="Example: legation office bot powick-bridge Crown dumbbot")
def bot(
    context: typer.Context,
    game: Game,
    power: PowerName,
    name: Annotated[
        str,
        typer.Argument(metavar="BOT", help="hold, random or dumbbot; with the extra 'lab' also easy, medium or hard."),
    ] = "hold",
) -> None:
    """Give a vacant seat to a bot."""
    from legation.cli import hosting

    hosting.seat_bot(context.obj, game, power, name)


@office.command(epilog="Example: legation office replace powick-bridge Crown ben@example.org 'moved abroad'")
def replace(
    context: typer.Context,
    game: Game,
    power: PowerName,
    email: Annotated[str, typer.Argument(help="The new player's address.")],
    reason: Note = "",
) -> None:
    """Give a seat to another player."""
    from legation.cli import hosting

    hosting.replace(context.obj, game, power, email, reason)


@office.command(epilog="Example: legation office vacate powick-bridge Crown 'has not answered for a month'")
def vacate(context: typer.Context, game: Game, power: PowerName, reason: Reason) -> None:
    """Take a seat from its player; its power is in civil disorder until someone takes over."""
    from legation.cli import hosting

    hosting.vacate(context.obj, game, power, reason)


@office.command(epilog="Example: legation office cancel powick-bridge 'too few players'")
def cancel(context: typer.Context, game: Game, reason: Reason) -> None:
    """Cancel a game for good."""
    from legation.cli import hosting

    hosting.cancel(context.obj, game, reason)


@office.command(epilog="Example: legation office settings powick-bridge post_days=7 missing=wait")
def settings(
    context: typer.Context,
    game: Game,
    changes: Annotated[
        list[str] | None, typer.Argument(metavar="NAME=VALUE", help="Settings to change; without any, all are shown.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show a game's settings, or change some."""
    from legation.cli import hosting

    hosting.settings(context.obj, game, changes or [], as_json)


@office.command(epilog="Example: legation office address '12 Mill Lane' Worcester --country England --as a@example.org")
def address(
    context: typer.Context,
    lines: Annotated[list[str], typer.Argument(metavar="LINE", help="The lines of the address, without the name.")],
    country: Annotated[str, typer.Option(help="The country.")],
    first: Annotated[str, typer.Option("--from", metavar="DAY", help="Use it from this day on, as 2027-01-15.")] = "",
    last: Annotated[str, typer.Option("--to", metavar="DAY", help="Use it until this day.")] = "",
) -> None:
    """Add a postal address of your own (with --as); without days it becomes your usual one."""
    from legation.cli import hosting

    hosting.address(context.obj, lines, country, first, last)


@office.command(epilog="Example: legation office share powick-bridge Crown --as ada@example.org")
def share(
    context: typer.Context,
    game: Game,
    power: PowerName,
    on: Annotated[bool, typer.Option("--on/--off", help="Share it, or stop sharing it.")] = True,
) -> None:
    """Share your postal address with the players of a game (with --as)."""
    from legation.cli import hosting

    hosting.share(context.obj, game, power, on)


@office.command(
    epilog="Example: legation office deputy powick-bridge ann@example.org ; legation office deputy powick-bridge"
)
def deputy(
    context: typer.Context,
    game: Game,
    email: Annotated[str, typer.Argument(help="The deputy; without it, the deputy is removed.")] = "",
) -> None:
    """Name a deputy who reads each sheet a second time."""
    from legation.cli import hosting

    hosting.deputy(context.obj, game, email)


@office.command(epilog="Example: legation office roster powick-bridge --on 2027-01-15")
def roster(
    context: typer.Context,
    game: Game,
    on: Annotated[str, typer.Option(help="The addresses of this day, as 2027-01-15; today's by default.")] = "",
    as_json: Json = False,
) -> None:
    """Print who plays which power, with postal addresses."""
    from legation.cli import hosting

    hosting.roster(context.obj, game, on, as_json)


@office.command(epilog="Example: legation office votes powick-bridge")
def votes(context: typer.Context, game: Game, as_json: Json = False) -> None:
    """Print what players can vote on, and the votes so far."""
    from legation.cli import voting

    voting.standing(context.obj, game, as_json)


@office.command(epilog="Example: legation office vote powick-bridge Crown extend --hours 48 --as anna@example.org")
def vote(
    context: typer.Context,
    game: Game,
    power: PowerName,
    question: VoteKind,
    hours: Hours = 0,
    whom: Whom = "",
    reason: WhyOption = "",
    take_back: Annotated[bool, typer.Option("--take-back", help="Take the vote back.")] = False,
) -> None:
    """Vote on a question, as the player of a power (with --as)."""
    from legation.cli import voting

    voting.vote(context.obj, game, power, question, hours, whom, reason, take_back)


@office.command(epilog="Example: legation office ask powick-bridge pause --reason 'a holiday' --as anna@example.org")
def ask(
    context: typer.Context, game: Game, question: VoteKind, hours: Hours = 0, whom: Whom = "", reason: WhyOption = ""
) -> None:
    """Start a vote, as the host of a game without a coordinator (with --as)."""
    from legation.cli import voting

    voting.ask(context.obj, game, question, hours, whom, reason)
