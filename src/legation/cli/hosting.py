"""What the commands of ``legation office`` do about people, games, seats and settings."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec

from legation.cli.office_terminal import Place, cell, do_what_is_due, opened, print_json, table, text_of
from legation.cli.terminal import fail, read_json, say
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
from legation.office.records import GameRecord, GameSummary
from legation.office.terms.plans import GameSettings, preset_for


def person(place: Place, name: str, email: str, token: bool, administrator: bool) -> None:
    """Add a person to the office."""
    with opened(place, new=True) as (office, _):
        known = people.register(office, Actor.console(), name, email)
        if administrator:
            people.make_administrator(office, Actor.console(), known.id)
        say(f"{known.name} <{known.email}>")
        if token:
            say(people.token_for(office, Actor.console(), known.id, "made at the console").secret)


def readdress(place: Place, email: str, to: str) -> None:
    """Change the address of somebody who lost the old one."""
    with opened(place) as (office, _):
        known = people.readdress(office, Actor.console(), email, to)
        say(f"Mail for {known.name} goes to {known.email}. All their sessions and tokens have ended.")


def list_games(place: Place, state: str | None, as_json: bool) -> None:
    """List the games."""
    with opened(place) as (office, actor):
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
            plan = tomllib.loads(text_of(str(file)))
        except tomllib.TOMLDecodeError as error:
            fail(f"{file}: {error}")
    else:
        plan = read_json(str(file))
    if not isinstance(plan, dict):
        fail(f"{file}: a plan is a table with 'name' and 'variant'")
    return plan


def create(place: Place, file: Path | None, name: str, variant: str, schedule: str, coordinated: bool) -> None:
    """Create a game, from a plan or from options."""
    plan = read_plan(file) if file is not None else {}
    for key, value in (("name", name), ("variant", variant)):
        if value:
            plan[key] = value
        if key not in plan:
            fail(f"name the game's {key}, with --{key} or in a plan")
    given = {**({"schedule": schedule} if schedule else {}), **({"coordinated": True} if coordinated else {})}
    if given and isinstance(kept := plan.get("settings", {}), dict):  # else it is told to be no table
        plan["settings"] = {**preset_for(schedule, coordinated=coordinated), **kept, **given}
    with opened(place, new=True) as (office, actor):
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


def show(place: Place, game: str, as_json: bool) -> None:
    """Show a game: its seats, who has sent, what comes next."""
    with opened(place) as (office, actor):
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


def invite(place: Place, game: str, email: str, power: str) -> None:
    """Invite somebody, and print the link."""
    with opened(place) as (office, actor):
        invited = games.invite(office, actor, game, email, power)
        say(f"{office.settings.address or ''}/games/{games.game(office, actor, game).key}/invitation/{invited.secret}")


def start(place: Place, game: str) -> None:
    """Assign the powers at random and open the first turn."""
    with opened(place) as (office, actor):
        _warn_without_address(office, actor, games.start(office, actor, game))
    show(place, game, False)


def seat_bot(place: Place, game: str, power: str, name: str) -> None:
    """Seat a bot at a vacant power."""
    with opened(place) as (office, actor):
        seats.seat_bot(office, actor, game, power, name)
        seat = _named(office, actor, game, power)
        say(capital(f"{seat} {seat:is|are} played by {name}."))


def replace(place: Place, game: str, power: str, email: str, reason: str) -> None:
    """Give a seat to another player."""
    with opened(place) as (office, actor):
        seats.replace(office, actor, game, power, email, reason)
        seat = _named(office, actor, game, power)
        say(capital(f"{seat} {seat:has|have} a new player."))


def vacate(place: Place, game: str, power: str, reason: str) -> None:
    """Take a seat from its player."""
    with opened(place) as (office, actor):
        seats.vacate(office, actor, game, power, reason)
        seat = _named(office, actor, game, power)
        say(capital(f"{seat} {seat:has|have} no player and {seat:is|are} in civil disorder."))


def _named(office: Office, actor: Actor, game: str, power: str) -> Power:
    """A power of a game by any of its names, to be named in a sentence."""
    record = games.game(office, actor, game)
    rules = office.variants.load(record.variant, record.options)
    return rules.named(rules.reader.power(power))


def cancel(place: Place, game: str, reason: str) -> None:
    """Cancel a game for good."""
    with opened(place) as (office, actor):
        say(f"{games.cancel(office, actor, game, reason).name} is cancelled.")


def settings(place: Place, game: str, changes: list[str], as_json: bool) -> None:
    """Show a game's settings, or change some."""
    read: dict[str, Any] = {}
    for change in changes:
        name, given, value = change.partition("=")
        if not given:
            fail(f"write {change!r} as NAME=VALUE, such as post_days=7")
        try:
            read[name.strip()] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            read[name.strip()] = value.strip()
    with opened(place) as (office, actor):
        record = games.set_settings(office, actor, game, read) if read else games.game(office, actor, game)
        if as_json:
            return print_json(record.settings)
        rows = ((name, msgspec.json.encode(value).decode()) for name, value in record.settings.items())
        table(("setting", "value"), rows, "")


def address(place: Place, lines: list[str], country: str, first: str, last: str) -> None:
    """Add a postal address of the person who acts."""
    with opened(place) as (office, actor):
        primary = not (first or last)
        added = roster_room.add_address(office, actor, lines, country, first or None, last or None, primary)
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


def share(place: Place, game: str, power: str, on: bool) -> None:
    """Share one's postal address with the players of a game, or no longer."""
    with opened(place) as (office, actor):
        roster_room.share_address(office, actor, game, power, on)
        seen = "see" if on else "no longer see"
        say(f"Players of {game} {seen} the postal address of {_named(office, actor, game, power)}.")


def deputy(place: Place, game: str, email: str) -> None:
    """Name who reads transcriptions a second time, or nobody."""
    with opened(place) as (office, actor):
        named = games.name_deputy(office, actor, game, email).deputy
        say(f"{named} is the second reader of transcriptions." if named else "The game no longer has a second reader.")
        do_what_is_due(office)


def roster(place: Place, game: str, on: str, as_json: bool) -> None:
    """Print who plays which power, with the addresses of a day."""
    with opened(place) as (office, actor):
        lines = roster_room.roster(office, actor, game, on)
        if as_json:
            return print_json(lines)
        rows = (
            (r.power, r.name, r.email, ", ".join((*r.address.lines, r.address.country)) if r.address else None)
            for r in lines
        )
        table(("power", "player", "mail", "address"), rows, "Nobody plays yet.")
        known = roster_room.orders_address(office, actor, game)
        if known is not None:
            say(f"Orders are posted to {', '.join((known.name, *known.address.lines, known.address.country))}.")
