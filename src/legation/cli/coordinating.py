"""What the commands of ``legation office`` do: they call the office as its other counters do, and print what it
answers."""

from __future__ import annotations

import contextlib
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from legation.cli.serving import refusals_as_lines
from legation.cli.terminal import fail, read_bytes, read_json, say, write_json
from legation.office import (
    Actor,
    Office,
    archive,
    exports,
    games,
    lost_keys,
    moving,
    open_office,
    people,
    processing,
    proofs,
    seats,
    transfer,
    work,
)
from legation.office import desk as desk_room
from legation.office import journal as journal_room
from legation.office import roster as roster_room
from legation.office import submissions as submissions_room
from legation.office.errors import NotFoundError
from legation.office.hosting import deadlines
from legation.office.monitoring import logs
from legation.office.office import is_office
from legation.office.records import Checked, DeskItem, Entry, GameLine, GameRecord, TurnResult
from legation.office.terms.plans import GameSettings
from legation.office.terms.presets import preset_for
from legation.proofs.canonical import encode

Place = tuple[Path, str]

WIDTH = 160  # columns, where the output is no terminal


@contextlib.contextmanager
def opened(place: Place, *, new: bool = False) -> Iterator[tuple[Office, Actor]]:
    """The office of the folder (with ``new`` one is made if there is none), and who acts; refusals end in a line
    each."""
    logs.configure(plain=True)
    folder, acting = place
    with refusals_as_lines():
        if not new and not is_office(folder):
            raise NotFoundError(
                f"There is no office in {folder}. Name its folder with -C, or LEGATION_FOLDER; 'legation serve FOLDER' "
                "opens one."
            )
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
        shown.add_row(*(_cell(value) for value in row))
        count += 1
    if not count:
        say(empty)
        return
    Console(width=None if sys.stdout.isatty() else WIDTH, highlight=False, markup=False).print(shown)


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M} UTC"
    return str(value)


def print_json(value: Any) -> None:
    """Print records as JSON."""
    write_json(msgspec.to_builtins(value))


# People and games


def person(place: Place, name: str, email: str, token: bool, administrator: bool) -> None:
    """Make somebody known to the office."""
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
        say(f"Mail for {known.name} goes to {known.email}. All sessions and tokens have ended.")


def list_games(place: Place, state: str | None, as_json: bool) -> None:
    """List the games."""
    with opened(place) as (office, actor):
        listed: list[GameLine] = []
        while more := games.list_games(office, actor, state, after=listed[-1].key if listed else "", limit=200):
            listed += more
        if as_json:
            return print_json(listed)
        rows = (
            (g.key, g.variant, g.state, g.turn, g.deadline, f"{g.seats - g.open_seats} of {g.seats}") for g in listed
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
    """Make a game, from a plan or from options."""
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
        say(f"{view.name}: {view.title}, {view.state}" + (f" ({view.paused})" if view.paused else ""))
        if view.turn is not None:
            say(f"{view.turn.name}, {view.turn.state}, due {_cell(view.turn.deadline)}. {view.turn.note}".rstrip())
        if view.ending:
            say(f"Ended: {view.ending['kind']} for {', '.join(view.ending['powers'])} ({view.ending['reason']}).")
        rows = ((s.power, s.holder or s.bot or "-", s.state, s.centers, s.units, s.sent, s.ready) for s in view.seats)
        table(("power", "player", "seat", "centers", "units", "sent", "ready"), rows, "")


def invite(place: Place, game: str, email: str, power: str) -> None:
    """Invite somebody, and print the link."""
    with opened(place) as (office, actor):
        invited = games.invite(office, actor, game, email, power)
        say(f"{office.settings.address or ''}/games/{games.game(office, actor, game).key}/invitation/{invited.secret}")


def start(place: Place, game: str) -> None:
    """Deal the powers by lot and open the first turn."""
    with opened(place) as (office, actor):
        _warn_without_address(office, actor, games.start(office, actor, game))
    show(place, game, False)


def seat_bot(place: Place, game: str, power: str, name: str) -> None:
    """Have a bot play a power that nobody holds."""
    with opened(place) as (office, actor):
        seats.seat_bot(office, actor, game, power, name)
        say(f"{power} is played by {name}.")


def replace(place: Place, game: str, power: str, email: str, reason: str) -> None:
    """Put another player on a seat."""
    with opened(place) as (office, actor):
        seats.replace(office, actor, game, power, email, reason)
        say(f"{power} has a new player.")


def vacate(place: Place, game: str, power: str, reason: str) -> None:
    """Take a seat from its player."""
    with opened(place) as (office, actor):
        seats.vacate(office, actor, game, power, reason)
        say(f"{power} has no player; its units stand in civil disorder.")


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
        when = "always" if added.primary else " ".join(
            part for part in (f"from {added.first}" if added.first else "", f"to {added.last}" if added.last else "")
            if part
        )  # fmt: skip
        say(f"{', '.join((*added.lines, added.country))}: {when}")


def share(place: Place, game: str, power: str, on: bool) -> None:
    """Share one's postal address with the players of a game, or no longer."""
    with opened(place) as (office, actor):
        roster_room.share_address(office, actor, game, power, on)
        say(f"Players of {game} {'see' if on else 'no longer see'} the postal address of {power}.")


def deputy(place: Place, game: str, email: str) -> None:
    """Name who reads transcriptions a second time, or nobody."""
    with opened(place) as (office, actor):
        named = games.name_deputy(office, actor, game, email).deputy
        say(f"{named} reads what is transcribed a second time." if named else "One reading is enough.")
        _do_what_is_due(office)


# What came in


def submissions(place: Place, game: str, as_json: bool) -> None:
    """List what has come in for this turn: when, by which channel; never what it says."""
    with opened(place) as (office, actor):
        sheets = submissions_room.overview(office, actor, game)
        if as_json:
            return print_json(sheets)
        rows = ((s.power, s.version, s.channel, s.kind, s.received, s.standing, s.commitment[:16]) for s in sheets)
        table(
            ("power", "version", "by", "kind", "received", "standing", "commitment"), rows, "Nothing has come in yet."
        )


def posted(place: Place, game: str, power: str, note: str) -> None:
    """Register an envelope that came by post, unopened."""
    with opened(place) as (office, actor):
        sheet = submissions_room.register_posted(office, actor, game, power, note)
        say(f"{sheet.power}: version {sheet.version}, registered {_cell(sheet.received)}.")


# The desk


def desk(place: Place, game: str, as_json: bool) -> None:
    """List what waits for a coordinator."""
    with opened(place) as (office, actor):
        waiting = desk_room.items(office, actor, game)
        if as_json:
            return print_json(waiting)
        table(
            ("item", "game", "turn", "since", "needed"),
            ((i.id, i.game, i.turn, i.opened, i.text) for i in waiting),
            "The desk is empty.",
        )


def look(place: Place, item: int, output: Path | None) -> None:
    """Show one thing on the desk: the versions to choose from, the pictures to read."""
    with opened(place) as (office, actor):
        entry = desk_room.item(office, actor, item)
        say(f"{entry.game} {entry.turn}: {entry.text}")
        for number, text in zip(entry.submissions, entry.facts.get("texts", {}).items(), strict=False):
            say(f"\nversion {text[0]} (submission {number}):\n{text[1]}")
        for which, text in zip(("first", "second"), entry.facts.get("readings", ()), strict=False):
            say(f"\n{which} reading:\n{text}")
        for listed in entry.facts.get("entries", ()):
            say("  " + ", ".join(f"{name} {value}" for name, value in listed.items()))
        for digest in pictures_of(entry):
            name, kind, content = desk_room.picture(office, actor, item, digest)
            say(f"{name} ({kind}, {len(content)} bytes)")
            if output is not None:
                output.mkdir(parents=True, exist_ok=True)
                target = output / f"{digest[:12]}{Path(name).suffix[:8]}"
                target.write_bytes(content)
                say(f"  written to {target}")


def pictures_of(item: DeskItem) -> list[str]:
    """All pictures of a thing on the desk: those to read, and those of the versions among which to choose."""
    versions = item.facts.get("pictures", {})
    return list(dict.fromkeys([*item.facts.get("files", ()), *(d for digests in versions.values() for d in digests)]))


def choose(place: Place, item: int, submission: int, reason: str) -> None:
    """Say which of several versions counts."""
    with opened(place) as (office, actor):
        desk_room.choose(office, actor, item, submission, reason)
        _do_what_is_due(office)


def accept(place: Place, item: int, yes: bool, reason: str) -> None:
    """Accept or refuse a revision whose posted sheet never came."""
    with opened(place) as (office, actor):
        desk_room.decide_unposted(office, actor, item, yes, reason)
        _do_what_is_due(office)


def settle(place: Place, item: int, note: str, retry: bool) -> None:
    """Put something away that needs no more."""
    with opened(place) as (office, actor):
        desk_room.settle(office, actor, item, note, retry)
        _do_what_is_due(office)


def assign(place: Place, item: int, game: str, power: str, mail: int) -> None:
    """Say whose a mail is."""
    with opened(place) as (office, actor):
        desk_room.assign(office, actor, item, game, power, mail)
        _do_what_is_due(office)


def resume_all(place: Place, reason: str) -> None:
    """Let all games go on that the office itself has paused."""
    from legation.office import archive

    with opened(place) as (office, actor):
        resumed = archive.resume_all(office, actor, reason)
        say(f"{len(resumed)} games go on: {', '.join(resumed)}" if resumed else "No game waits for this.")


def reopen(place: Place, game: str, turn: str, reason: str) -> None:
    """Open a turn anew whose key is lost."""
    with opened(place) as (office, actor):
        done = lost_keys.reopen(office, actor, game, turn, reason)
        say(f"{done.name} is open until {done.deadline:%d %b %Y, %H:%M} UTC; everybody is told to send again.")


def reopen_all(place: Place, reason: str) -> None:
    """Open every turn anew whose key is lost."""
    with opened(place) as (office, actor):
        done = lost_keys.reopen_all(office, actor, reason)
        say("\n".join(done) if done else "No game has lost a key.")


def retry_all(place: Place) -> None:
    """Try everything again that failed."""
    with opened(place) as (office, actor):
        count = desk_room.retry_all(office, actor)
        say(f"{count} failures are tried again; mails leave with 'legation serve' or 'legation worker'.")
        _do_what_is_due(office)


def _do_what_is_due(office: Office) -> None:
    done = work.run_due(office)
    say("Done." if not done else f"Done; {done} further steps were due and are done.")


def transcribe(place: Place, item: int, file: str, try_it: bool) -> None:
    """Write down what a picture or a posted sheet says, and sign it off."""
    text = text_of(file)
    with opened(place) as (office, actor):
        if try_it:
            _reading(desk_room.suggest(office, actor, item, text))
            return
        _reading(desk_room.transcribe(office, actor, item, text))
        _do_what_is_due(office)


def decide(place: Place, item: int, file: str, reason: str) -> None:
    """Say how a sheet reads of which there are two readings."""
    text = text_of(file)
    with opened(place) as (office, actor):
        _reading(desk_room.decide(office, actor, item, text, reason))
        _do_what_is_due(office)


def correct(place: Place, game: str, turn: str, power: str, file: str, reason: str) -> None:
    """Correct a transcription until the results are final."""
    text = text_of(file)
    with opened(place) as (office, actor):
        _reading(desk_room.correct(office, actor, game, turn, power, text, reason))
        work.run_due(office)
        say(f"To look it over: legation office preview {game}. To mail it: legation office publish {game}.")


def text_of(file: str) -> str:
    """The text of a file, or of standard input for ``-``."""
    try:
        return read_bytes(file).decode("utf-8-sig")
    except UnicodeDecodeError:
        fail(f"{file}: is not UTF-8")


def _reading(checked: Checked) -> None:
    """How a sheet reads, line by line."""
    for line in checked.lines:
        mark = line.order or "?"
        said = f"  ({line.problem}: {line.message})" if line.problem else ""
        hint = f"  did you mean {' or '.join(line.suggestions)}?" if line.suggestions else ""
        say(f"{line.line:>3}  {line.text.strip()[:60]:<40}  {mark}{said}{hint}")
    if checked.missing:
        say(f"Without orders: {', '.join(checked.missing)}")


# Time and results


def process(place: Place, game: str) -> None:
    """Go on with a turn that waits, and do all work that is due."""
    from legation.office.errors import ConflictError

    with opened(place) as (office, actor):
        done = work.run_due(office)
        with contextlib.suppress(ConflictError) if done else contextlib.nullcontext():
            processing.process_now(office, actor, game)
        done += work.run_due(office)
        say("1 step done." if done == 1 else f"{done} steps done.")
    show(place, game, False)


def preview(place: Place, game: str) -> None:
    """Show what will be published."""
    with opened(place) as (office, actor):
        _report(processing.preview(office, actor, game))


def publish(place: Place, game: str, final: bool) -> None:
    """Publish what was judged."""
    with opened(place) as (office, actor):
        turn = (processing.publish_final if final else processing.publish_draft)(office, actor, game)
        work.run_due(office)
        say(f"{turn.name} is {turn.state}.")


def take_back(place: Place, game: str, reason: str) -> None:
    """Take draft results back."""
    with opened(place) as (office, actor):
        say(f"{processing.take_back_draft(office, actor, game, reason).name} is taken back.")


def extend(place: Place, game: str, until: str, reason: str) -> None:
    """Move a deadline later."""
    try:
        at = datetime.fromisoformat(until)
    except ValueError:
        fail(f"{until!r} is no time; write it as '2027-01-15 07:00' (UTC) or '2027-01-15T07:00+01:00'")
    with opened(place) as (office, actor):
        turn = deadlines.extend(office, actor, game, at if at.tzinfo else at.replace(tzinfo=UTC), reason)
        say(f"{turn.name} is due {_cell(turn.deadline)}.")


def pause(place: Place, game: str, reason: str) -> None:
    """Stop a game's clock."""
    with opened(place) as (office, actor):
        say(f"{games.pause(office, actor, game, reason).name} is paused.")


def resume(place: Place, game: str) -> None:
    """Let a paused game go on."""
    with opened(place) as (office, actor):
        resumed = games.resume(office, actor, game)
        say(
            f"{resumed.name} goes on"
            + (f"; {resumed.turn.name} is due {_cell(resumed.turn.deadline)}." if resumed.turn else ".")
        )


def result(place: Place, game: str, turn: str, as_json: bool) -> None:
    """Print the results of a turn."""
    with opened(place) as (office, actor):
        results = games.result(office, actor, game, turn)
        if as_json:
            return print_json(results)
        _report(results)


def _report(results: TurnResult) -> None:
    say(f"{results.name}, {results.state}\n")
    for sheet in results.sheets:
        if sheet.before:
            say("\n".join((f"Corrected, {sheet.power} ({sheet.reason}):", *sheet.changes(), "")))
    say(results.report)


def journal(place: Place, game: str, as_json: bool) -> None:
    """Print a game's journal."""
    with opened(place) as (office, actor):
        entries: list[Entry] = []
        while more := journal_room.entries(office, actor, game, entries[-1].id if entries else 0, 1000):
            entries += more
        if as_json:
            return print_json(entries)
        table(("when", "who", "what"), ((e.at, e.who, e.text) for e in entries), "The journal is empty.")


def roster(place: Place, game: str, on: str, as_json: bool) -> None:
    """Print who plays which power, and the addresses of a day."""
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


# Proofs and exports


def verify(place: Place, game: str, as_json: bool) -> None:
    """Repeat every check of what was committed to, and play the game again from its journal."""
    with opened(place) as (office, actor):
        checks = proofs.verify(office, actor, game)
        again = exports.rebuild(office, Actor.console(), game)
        if as_json:
            print_json({"proofs": msgspec.to_builtins(checks), "replay": again})
        else:
            table(
                ("turn", "what", "holds", "detail"),
                ((p.turn, p.what, p.holds if p.checked else "", p.detail) for p in checks),
                "Nothing was committed to yet.",
            )
            say("\n".join(again) or "Played again from its journal, the game is the same.")
        if again or not all(p.holds for p in checks):
            raise typer.Exit(1)


def proof(place: Place, game: str, turn: str) -> None:
    """Print the transcript of a game, or what proves a turn in the first format, as JSON."""
    with opened(place) as (office, actor):
        if turn:
            print_json(proofs.published(office, actor, game, turn))
        else:
            typer.echo(proofs.transcript(office, actor, game), nl=False)


def export(place: Place, game: str, everything: bool) -> None:
    """Print a game as a saved game, or all that is kept of it."""
    with opened(place) as (office, actor):
        print_json(transfer.whole_game(office, actor, game) if everything else exports.saved_game(office, actor, game))


def card(place: Place) -> None:
    """Print this office's card."""
    with opened(place) as (office, actor):
        typer.echo(encode(moving.card(office, actor)).decode())


def leave(place: Place, game: str, file: str, stay: bool) -> None:
    """Hand a game over to the office whose card is in a file, or have it stay after all."""
    if bool(file) is stay:
        fail("Name the file with the other office's card, or say --stay.")
    with opened(place) as (office, actor):
        if stay:
            say(f"{moving.stay(office, actor, game).name} stays.")
            return
        record = moving.leave(office, actor, game, read_bytes(file).decode("utf-8", "replace"))
        if record.state == "moved":
            say(f"{record.name} has left: 'legation office export {record.key} --all' prints it for 'import' there.")
        else:
            say(f"{record.name} leaves when its season is over. All players are told.")


def renew_key(place: Place, lost: bool) -> None:
    """Make a new signing key, unless there is one already, and tell so in all journals."""
    with opened(place) as (office, actor):
        if not lost:
            moving.new_signing_key(office)
        told = moving.renew(office, actor)
        say(f"The office signs with {office.public_key}, as the journals of {told} games say. Tell it to your players.")


def move(place: Place, url: str) -> None:
    """Copy the office's database to another, such as from SQLite to PostgreSQL."""
    with opened(place) as (office, _):
        rows = archive.move(office, url)
        say(
            f"{rows} rows copied. Write 'database' into {place[0] / 'office.toml'}, or set LEGATION_DATABASE; keys and "
            "files stay where they are. An office that ran meanwhile goes on in the old database until it is stopped: "
            "stop it first, and copy into an empty one."
        )
