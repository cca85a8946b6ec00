"""What the commands of ``legation office`` do about people, games, seats and settings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import typer

from legation.cli.app import Game, Json, Note, PowerName, Reason, office_group
from legation.cli.office.terminal import cell, do_what_is_due, opened, print_json, table, text_of, written
from legation.cli.terminal import fail, read_json, say
from legation.formats import FormatError, decode_json, read_toml
from legation.game.documents import ending_in_words
from legation.judge import Power
from legation.notation import capital
from legation.office.context import Actor
from legation.office.game import seats
from legation.office.hosting import games
from legation.office.hosting import roster as roster_room
from legation.office.identity import people
from legation.office.office import Office
from legation.office.permissions import IN_WORDS
from legation.office.records import GameRecord, GameSummary, RosterLine
from legation.office.terms.plans import GameSettings, preset_for


@office_group.command(epilog="Example: legation office -C myoffice person 'Anna Ash' anna@example.org --token")
def person(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The person's public name.")],
    email: Annotated[str, typer.Argument(help="The person's e-mail address.")],
    token: Annotated[bool, typer.Option("--token", help="Make a token for the API and print it.")] = False,
    administrator: Annotated[bool, typer.Option("--administrator", help="Make the person an administrator.")] = False,
) -> None:
    """Add a person to the office."""
    with opened(context, new=True) as (office, _):
        known = people.register(office, Actor.console(), name, email)
        if administrator:
            people.make_administrator(office, Actor.console(), known.id)
        say(f"{known.name} <{known.email}>")
        if token:
            say(people.token_for(office, Actor.console(), known.id, "made at the console").secret)


@office_group.command(epilog="Example: legation office readdress anna@example.org anna@example.net")
def readdress(
    context: typer.Context,
    email: Annotated[str, typer.Argument(help="The old address.")],
    to: Annotated[str, typer.Argument(help="The new address.")],
) -> None:
    """Change the e-mail address of someone who can't read mail at the old one.

    First make sure that it's them. Both addresses are notified, and all their sessions, tokens, passkeys,
    calendar addresses and links end.
    """
    with opened(context) as (office, _):
        known = people.readdress(office, Actor.console(), email, to)
        say(f"Mail for {known.name} goes to {known.email}. All their sessions and tokens have ended.")


@office_group.command("games", epilog="Example: legation office games --state running")
def list_games(
    context: typer.Context,
    state: Annotated[
        Literal["gathering", "running", "paused", "ended", "cancelled", "moved"] | None,
        typer.Option(help="Only games in this state."),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the games."""
    with opened(context) as (office, actor):
        listed: list[GameSummary] = []
        while more := games.list_games(office, actor, state, after=listed[-1].key if listed else "", limit=200):
            listed += more
        if as_json:
            return print_json(listed)
        rows = (
            (
                g.key,
                g.variant,
                IN_WORDS.get(g.state, g.state),
                g.turn,
                g.deadline,
                f"{g.seats - g.open_seats} of {g.seats}",
            )
            for g in listed
        )
        table(
            ("game", "variant", "state", "turn", "due", "seats held"),
            rows,
            f"There are no games that are {state}." if state else "There are no games yet.",
        )


def read_plan(file: Path) -> dict[str, Any]:
    """Read the plan of a game from a TOML or JSON file."""
    plan: Any
    if file.suffix == ".toml":
        try:
            plan = read_toml(text_of(str(file)))
        except FormatError as error:
            fail(f"{file}: {error}")
    else:
        plan = read_json(str(file))
    if not isinstance(plan, dict):
        fail(f"{file}: a plan is a table with 'name' and 'variant'")
    return plan


@office_group.command(
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
    plan = read_plan(file) if file is not None else {}
    for key, value in (("name", name), ("variant", variant)):
        if value:
            plan[key] = value
        if key not in plan:
            fail(f"name the game's {key}, with --{key} or in a plan")
    given = {**({"schedule": schedule} if schedule else {}), **({"coordinated": True} if coordinated else {})}
    if given and isinstance(kept := plan.get("settings", {}), dict):  # else it is told to be no table
        plan["settings"] = {**preset_for(schedule, coordinated=coordinated), **kept, **given}
    with opened(context, new=True) as (office, actor):
        game = games.create(office, actor, plan)
        say(f"{game.key}: {game.title}, {len(game.seats)} powers; deal committed to by {game.deal_commitment}")
        say(how_it_is_run(msgspec.convert(game.settings, GameSettings)))
        _warn_without_address(office, actor, game)


def how_it_is_run(settings: GameSettings) -> str:
    """How a game is run, in a sentence: ``three-kingdoms, coordinated, first orders by post, draft results``."""
    schedule = settings.schedule if isinstance(settings.schedule, str) else "a schedule of its own"
    said = {
        "coordinated": settings.coordinated,
        "first orders by post": settings.opening_by_post,
        "orders on paper or as photographs only": settings.photographs_only,
        "draft results": settings.drafts,
        "results approved by the coordinator": settings.approve,
    }
    return "; ".join([f"schedule {schedule}", *(words for words, holds in said.items() if holds)])


def _warn_without_address(office: Office, actor: Actor, game: GameRecord) -> None:
    """Say that players cannot post orders, where nobody knows where to."""
    settings = msgspec.convert(game.settings, GameSettings)
    if settings.opening_by_post and roster_room.orders_address(office, actor, game.key) is None:
        say(
            f"The coordinator of {game.name} has no postal address, so players can't post orders. Add it with "
            "'legation office address', or on your page."
        )


@office_group.command("show", epilog="Example: legation office show powick-bridge")
def show(context: typer.Context, game: Game, as_json: Json = False) -> None:
    """Show a game: its seats, who has sent orders, what's next."""
    with opened(context) as (office, actor):
        view = games.game(office, actor, game)
        if as_json:
            return print_json(view)
        say(
            f"{view.name}: {view.title}, {IN_WORDS.get(view.state, view.state)}"
            + (f" ({view.paused})" if view.paused else "")
        )
        if view.turn is not None:
            say(f"{view.turn.name}, {view.turn.state}, due {cell(view.turn.deadline)}. {view.turn.note}".rstrip())
        if view.ending:
            rules = office.variants.load(view.variant, view.options)
            say(f"Ended. {ending_in_words(rules, view.ending)}: {view.ending['reason']}.")
        rows = ((s.power, s.holder or s.bot or "-", s.state, s.centers, s.units, s.sent, s.ready) for s in view.seats)
        table(("power", "player", "seat", "centers", "units", "sent", "ready"), rows, "")


@office_group.command(epilog="Example: legation office invite powick-bridge anna@example.org --power Crown")
def invite(
    context: typer.Context,
    game: Game,
    email: Annotated[
        str, typer.Argument(help="Where to send the invitation; otherwise only the link is printed.")
    ] = "",
    power: Annotated[str, typer.Option(help="The seat to offer.")] = "",
) -> None:
    """Invite a player, and print the link."""
    with opened(context) as (office, actor):
        invited = games.invite(office, actor, game, email, power)
        say(f"{office.settings.address or ''}/games/{games.game(office, actor, game).key}/invitation/{invited.secret}")


@office_group.command(epilog="Example: legation office start powick-bridge")
def start(context: typer.Context, game: Game) -> None:
    """Assign the powers at random and open the first turn."""
    with opened(context) as (office, actor):
        _warn_without_address(office, actor, games.start(office, actor, game))
    show(context, game)


@office_group.command(epilog="Example: legation office bot powick-bridge Crown dumbbot")
def bot(
    context: typer.Context,
    game: Game,
    power: PowerName,
    name: Annotated[
        str,
        typer.Argument(
            metavar="BOT",
            help="hold, random or dumbbot; with the extra 'lab' also beginner, casual, club, strong or strongest.",
        ),
    ] = "hold",
) -> None:
    """Give a vacant seat to a bot."""
    with opened(context) as (office, actor):
        seats.seat_bot(office, actor, game, power, name)
        seat = _named(office, actor, game, power)
        say(capital(f"{seat} {seat:is|are} played by {name}."))


@office_group.command(epilog="Example: legation office replace powick-bridge Crown ben@example.org 'moved abroad'")
def replace(
    context: typer.Context,
    game: Game,
    power: PowerName,
    email: Annotated[str, typer.Argument(help="The new player's address.")],
    reason: Note = "",
) -> None:
    """Give a seat to another player."""
    with opened(context) as (office, actor):
        seats.replace(office, actor, game, power, email, reason)
        seat = _named(office, actor, game, power)
        say(capital(f"{seat} {seat:has|have} a new player."))


@office_group.command(epilog="Example: legation office vacate powick-bridge Crown 'has not answered for a month'")
def vacate(context: typer.Context, game: Game, power: PowerName, reason: Reason) -> None:
    """Take a seat from its player; its power is in civil disorder until someone takes over."""
    with opened(context) as (office, actor):
        seats.vacate(office, actor, game, power, reason)
        seat = _named(office, actor, game, power)
        say(capital(f"{seat} {seat:has|have} no player and {seat:is|are} in civil disorder."))


def _named(office: Office, actor: Actor, game: str, power: str) -> Power:
    """A power of a game by any of its names, to be named in a sentence."""
    record = games.game(office, actor, game)
    rules = office.variants.load(record.variant, record.options)
    return rules.named(rules.reader.power(power))


@office_group.command(epilog="Example: legation office cancel powick-bridge 'too few players'")
def cancel(context: typer.Context, game: Game, reason: Reason) -> None:
    """Cancel a game for good."""
    with opened(context) as (office, actor):
        say(f"{games.cancel(office, actor, game, reason).name} is cancelled.")


@office_group.command("settings", epilog="Example: legation office settings powick-bridge post_days=7 missing=wait")
def settings(
    context: typer.Context,
    game: Game,
    changes: Annotated[
        list[str] | None, typer.Argument(metavar="NAME=VALUE", help="Settings to change; without any, all are shown.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show a game's settings, or change some."""
    changes = changes or []
    read: dict[str, Any] = {}
    for change in changes:
        name, given, value = change.partition("=")
        if not given:
            fail(f"write {change!r} as NAME=VALUE, such as post_days=7")
        try:
            read[name.strip()] = decode_json(value)
        except msgspec.DecodeError:
            read[name.strip()] = value.strip()
    with opened(context) as (office, actor):
        record = games.set_settings(office, actor, game, read) if read else games.game(office, actor, game)
        if as_json:
            return print_json(record.settings)
        rows = ((name, msgspec.json.encode(value).decode()) for name, value in record.settings.items())
        table(("setting", "value"), rows, "")


@office_group.command(
    epilog="Example: legation office address '12 Mill Lane' Worcester --country England --as a@example.org"
)
def address(
    context: typer.Context,
    lines: Annotated[list[str], typer.Argument(metavar="LINE", help="The lines of the address, without the name.")],
    country: Annotated[str, typer.Option(help="The country.")],
    first: Annotated[str, typer.Option("--from", metavar="DAY", help="Use it from this day on, as 2027-01-15.")] = "",
    last: Annotated[str, typer.Option("--to", metavar="DAY", help="Use it until this day.")] = "",
    days: Annotated[
        int | None, typer.Option(min=0, max=60, help="How many days a letter takes, if not as usual for the country.")
    ] = None,
) -> None:
    """Add a postal address of your own (with --as); without days it becomes your usual one."""
    with opened(context) as (office, actor):
        primary = not (first or last)
        added = roster_room.add_address(office, actor, lines, country, first or None, last or None, primary, days)
        when = (
            "always"
            if added.primary
            else " ".join(
                part
                for part in (f"from {added.first}" if added.first else "", f"to {added.last}" if added.last else "")
                if part
            )
        )
        say(f"{', '.join((*added.lines, added.country))}: {when}")


@office_group.command(epilog="Example: legation office share powick-bridge Crown --as ada@example.org")
def share(
    context: typer.Context,
    game: Game,
    power: PowerName,
    on: Annotated[bool, typer.Option("--on/--off", help="Share it, or stop sharing it.")] = True,
) -> None:
    """Share your postal address with the players of a game (with --as)."""
    with opened(context) as (office, actor):
        roster_room.share_address(office, actor, game, power, on)
        seen = "see" if on else "no longer see"
        say(f"Players of {game} {seen} the postal address of {_named(office, actor, game, power)}.")


@office_group.command(
    epilog="Example: legation office deputy powick-bridge ann@example.org ; legation office deputy powick-bridge"
)
def deputy(
    context: typer.Context,
    game: Game,
    email: Annotated[str, typer.Argument(help="The deputy; without it, the deputy is removed.")] = "",
) -> None:
    """Name a deputy who reads each sheet a second time."""
    with opened(context) as (office, actor):
        named = games.name_deputy(office, actor, game, email).deputy
        say(f"{named} is the second reader of transcriptions." if named else "The game no longer has a second reader.")
        do_what_is_due(office)


@office_group.command(epilog="Example: legation office roster powick-bridge --on 2027-01-15")
def roster(
    context: typer.Context,
    game: Game,
    on: Annotated[str, typer.Option(help="The addresses of this day, as 2027-01-15; today's by default.")] = "",
    as_json: Json = False,
) -> None:
    """Print who plays which power, with postal addresses."""
    with opened(context) as (office, actor):
        lines = roster_room.roster(office, actor, game, on)
        if as_json:
            return print_json(lines)
        _roster_table(lines)
        this, *others = roster_room.rosters(office, actor, game)
        if (known := this.orders_to) is not None:
            say(f"Orders are posted to {', '.join((known.name, *known.address.lines, known.address.country))}.")
        for other in others:
            say(f"\n{other.name}:")
            _roster_table(other.lines)


def _roster_table(lines: Sequence[RosterLine]) -> None:
    rows = (
        (
            r.power,
            r.name,
            r.email,
            written(r.address),
            "\n".join(written(a) or "" for a in r.alternatives),
            r.days if r.then else "",
        )
        for r in lines
    )
    table(("power", "player", "mail", "address", "on other days", "days in the post"), rows, "Nobody plays yet.")
