"""What the commands of ``legation office`` do about people, games, seats and settings."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from legation.cli.app import Game, Note, PowerName, Reason
from legation.cli.office.terminal import Answer, By, cell, command, do_what_is_due, listing, table, written
from legation.cli.terminal import fail, faults_as_lines, read_json, say, text_of
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
from legation.office.records import GameRecord, GameRoster, GameState, GameSummary, HowEnded, RosterLine
from legation.office.terms.plans import GameSettings, preset_for, settings_of


@command("-C myoffice person 'Anna Ash' anna@example.org --token", new=True)
def person(
    by: By,
    name: Annotated[str, typer.Argument(help="The person's public name.")],
    email: Annotated[str, typer.Argument(help="The person's e-mail address.")],
    token: Annotated[bool, typer.Option("--token", help="Make a token for the API and print it.")] = False,
    administrator: Annotated[bool, typer.Option("--administrator", help="Make the person an administrator.")] = False,
) -> None:
    """Add a person to the office."""
    office, console = by.office, Actor.console()
    known = people.register(office, console, name, email)
    if administrator:
        people.make_administrator(office, console, known.id)
    say(f"{known.name} <{known.email}>")
    if token:
        say(people.token_for(office, console, known.id, "made at the console").secret)


@command("readdress anna@example.org anna@example.net")
def readdress(
    by: By,
    email: Annotated[str, typer.Argument(help="The old address.")],
    to: Annotated[str, typer.Argument(help="The new address.")],
) -> None:
    """Change the e-mail address of someone who can't read mail at the old one.

    First make sure that it's them. Both addresses are notified, and all their sessions, tokens, passkeys,
    calendar addresses and links end."""
    known = people.readdress(by.office, Actor.console(), email, to)
    say(f"Mail for {known.name} goes to {known.email}. All their sessions and tokens have ended.")


@command("games --state running", name="games")
def list_games(
    by: By,
    state: Annotated[
        GameState | None,
        typer.Option(help="Only games in this state."),
    ] = None,
    variant: Annotated[str, typer.Option(help="Only of this variant.")] = "",
    how: Annotated[HowEnded | None, typer.Option(help="Only finished games that ended so.")] = None,
    player: Annotated[str, typer.Option(metavar="NAME", help="Only finished games of somebody.")] = "",
    turns: Annotated[str, typer.Option(metavar="FROM-TO", help="Only finished games of so many turns.")] = "",
) -> Answer:
    """List the games. A player is found by the name of a public profile, or one in an imported record."""
    listed: list[GameSummary] = []
    first, _, last = turns.partition("-")
    if turns and not (first.isdecimal() and (last.isdecimal() or last == "")):
        fail("--turns: write a number, or two as 10-20")
    length = {"turns_from": int(first or 0), "turns_to": int(last or (0 if "-" in turns else first or 0))}
    asked: dict[str, Any] = {"variant": variant, "how": how or "", "player": player, **length}
    while more := games.list_games(*by, state, after=listed[-1].key if listed else "", limit=200, **asked):
        listed += more
    held = {g.key: f"{g.seats - g.open_seats} of {g.seats}" for g in listed}
    rows = ((g.key, g.variant, IN_WORDS.get(g.state, g.state), g.turn, g.deadline, held[g.key]) for g in listed)
    columns = ("game", "variant", "state", "turn", "due", "seats held")
    return listing(listed, columns, rows, f"There are no games {f'that are {state}' if state else 'yet'}.")


def read_plan(file: Path) -> dict[str, Any]:
    """Read the plan of a game from a TOML or JSON file."""
    plan: Any
    if file.suffix == ".toml":
        with faults_as_lines(FormatError, of=file):
            plan = read_toml(text_of(str(file)))
    else:
        plan = read_json(str(file))
    if not isinstance(plan, dict):
        fail(f"{file}: a plan is a table with 'name' and 'variant'")
    return plan


@command(
    "create --name 'Powick Bridge' --variant three-kingdoms --schedule three-kingdoms --coordinated "
    "--as anna@example.org",
    new=True,
)
def create(
    by: By,
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
    as photographs, draft results that you approve. Settings in a plan override these."""
    plan = read_plan(file) if file is not None else {}
    for key, value in (("name", name), ("variant", variant)):
        if value:
            plan[key] = value
        if key not in plan:
            fail(f"name the game's {key}, with --{key} or in a plan")
    given = {**({"schedule": schedule} if schedule else {}), **({"coordinated": True} if coordinated else {})}
    if given and isinstance(kept := plan.get("settings", {}), dict):  # else it is told to be no table
        plan["settings"] = {**preset_for(schedule, coordinated=coordinated), **kept, **given}
    game = games.create(*by, plan)
    say(f"{game.key}: {game.title}, {len(game.seats)} powers; deal committed to by {game.deal_commitment}")
    say(how_it_is_run(settings_of(game)))
    _warn_without_address(by, game)


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


def _warn_without_address(by: By, game: GameRecord) -> None:
    """Say that players cannot post orders, where nobody knows where to."""
    settings = settings_of(game)
    if settings.opening_by_post and roster_room.orders_address(*by, game.key) is None:
        say(
            f"The coordinator of {game.name} has no postal address, so players can't post orders. Add it with "
            "'legation office address', or on your page."
        )


@command("show powick-bridge")
def show(by: By, game: Game) -> Answer:
    """Show a game: its seats, who has sent orders, what's next."""
    view = games.game(*by, game)
    return Answer(view, lambda: _tell(by.office, view))


def _tell(office: Office, view: GameRecord) -> None:
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
    table(("power", "player", "seat", "centers", "units", "sent", "ready"), rows)


@command("invite powick-bridge anna@example.org --power Crown")
def invite(
    by: By,
    game: Game,
    email: Annotated[
        str, typer.Argument(help="Where to send the invitation; otherwise only the link is printed.")
    ] = "",
    power: Annotated[str, typer.Option(help="The seat to offer.")] = "",
) -> None:
    """Invite a player, and print the link."""
    invited = games.invite(*by, game, email, power)
    say(by.office.link(f"/games/{games.game(*by, game).key}/invitation/{invited.secret}"))


@command("start powick-bridge")
def start(
    by: By, game: Game, bots: Annotated[str, typer.Option(help="The bot that gets the seats that are left.")] = ""
) -> None:
    """Assign the powers at random and open the first turn."""
    _warn_without_address(by, games.start(*by, game, bots))
    show(by, game).tell()


@command("bot powick-bridge Crown dumbbot")
def bot(
    by: By,
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
    seats.seat_bot(*by, game, power, name)
    seat = _named(by, game, power)
    say(capital(f"{seat} {seat:is|are} played by {name}."))


@command("replace powick-bridge Crown ben@example.org 'moved abroad'")
def replace(
    by: By,
    game: Game,
    power: PowerName,
    email: Annotated[str, typer.Argument(help="The new player's address.")],
    reason: Note = "",
) -> None:
    """Give a seat to another player."""
    seats.replace(*by, game, power, email, reason)
    seat = _named(by, game, power)
    say(capital(f"{seat} {seat:has|have} a new player."))


@command("vacate powick-bridge Crown 'has not answered for a month'")
def vacate(by: By, game: Game, power: PowerName, reason: Reason) -> None:
    """Take a seat from its player; its power is in civil disorder until someone takes over."""
    seats.vacate(*by, game, power, reason)
    seat = _named(by, game, power)
    say(capital(f"{seat} {seat:has|have} no player and {seat:is|are} in civil disorder."))


def _named(by: By, game: str, power: str) -> Power:
    """A power of a game by any of its names, to be named in a sentence."""
    record = games.game(*by, game)
    rules = by.office.variants.load(record.variant, record.options)
    return rules.named(rules.reader.power(power))


@command("cancel powick-bridge 'too few players'")
def cancel(by: By, game: Game, reason: Reason) -> None:
    """Cancel a game for good."""
    say(f"{games.cancel(*by, game, reason).name} is cancelled.")


@command("settings powick-bridge post_days=7 missing=wait")
def settings(
    by: By,
    game: Game,
    changes: Annotated[
        list[str] | None, typer.Argument(metavar="NAME=VALUE", help="Settings to change; without any, all are shown.")
    ] = None,
) -> Answer:
    """Show a game's settings, or change some."""
    read: dict[str, Any] = {}
    for change in changes or ():
        name, given, value = change.partition("=")
        if not given:
            fail(f"write {change!r} as NAME=VALUE, such as post_days=7")
        try:
            read[name.strip()] = decode_json(value)
        except msgspec.DecodeError:
            read[name.strip()] = value.strip()
    record = games.set_settings(*by, game, read) if read else games.game(*by, game)
    rows = ((name, msgspec.json.encode(value).decode()) for name, value in record.settings.items())
    return listing(record.settings, ("setting", "value"), rows)


@command("address '12 Mill Lane' Worcester --country England --as a@example.org")
def address(
    by: By,
    lines: Annotated[list[str], typer.Argument(metavar="LINE", help="The lines of the address, without the name.")],
    country: Annotated[str, typer.Option(help="The country.")],
    first: Annotated[str, typer.Option("--from", metavar="DAY", help="Use it from this day on, as 2027-01-15.")] = "",
    last: Annotated[str, typer.Option("--to", metavar="DAY", help="Use it until this day.")] = "",
    days: Annotated[
        int | None, typer.Option(min=0, max=60, help="How many days a letter takes, if not as usual for the country.")
    ] = None,
) -> None:
    """Add a postal address of your own (with --as); without days it becomes your usual one."""
    primary = not (first or last)
    added = roster_room.add_address(*by, lines, country, first or None, last or None, primary, days)
    days_told = " ".join(f"{word} {day}" for word, day in (("from", added.first), ("to", added.last)) if day)
    say(f"{', '.join((*added.lines, added.country))}: {'always' if added.primary else days_told}")


@command("share powick-bridge Crown --as ada@example.org")
def share(
    by: By,
    game: Game,
    power: PowerName,
    on: Annotated[bool, typer.Option("--on/--off", help="Share it, or stop sharing it.")] = True,
) -> None:
    """Share your postal address with the players of a game (with --as)."""
    roster_room.share_address(*by, game, power, on)
    seen = "see" if on else "no longer see"
    say(f"Players of {game} {seen} the postal address of {_named(by, game, power)}.")


@command("deputy powick-bridge ann@example.org", "deputy powick-bridge")
def deputy(
    by: By,
    game: Game,
    email: Annotated[str, typer.Argument(help="The deputy; without it, the deputy is removed.")] = "",
) -> None:
    """Name a deputy who reads each sheet a second time."""
    named = games.name_deputy(*by, game, email).deputy
    say(f"{named} is the second reader of transcriptions." if named else "The game no longer has a second reader.")
    do_what_is_due(by.office)


@command("roster powick-bridge --on 2027-01-15")
def roster(
    by: By,
    game: Game,
    on: Annotated[str, typer.Option(help="The addresses of this day, as 2027-01-15; today's by default.")] = "",
) -> Answer:
    """Print who plays which power, with postal addresses."""
    lines = roster_room.roster(*by, game, on)
    return Answer(lines, lambda: _tell_roster(lines, roster_room.rosters(*by, game)))


def _tell_roster(lines: Sequence[RosterLine], rosters: Sequence[GameRoster]) -> None:
    _roster_table(lines)
    this, *others = rosters
    if (known := this.orders_to) is not None:
        say(f"Orders are posted to {', '.join((known.name, *known.address.lines, known.address.country))}.")
    for other in others:
        say(f"\n{other.name}:")
        _roster_table(other.lines)


def _roster_table(lines: Sequence[RosterLine]) -> None:
    others = {r.power: "\n".join(written(a) or "" for a in r.alternatives) for r in lines}
    rows = ((r.power, r.name, r.email, written(r.address), others[r.power], r.days if r.then else "") for r in lines)
    table(("power", "player", "mail", "address", "on other days", "days in the post"), rows, "Nobody plays yet.")
