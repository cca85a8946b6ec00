"""What the commands of ``legation office`` do at the desk, and with what came in."""

from __future__ import annotations

from pathlib import Path

from legation.cli.office_terminal import Place, cell, do_what_is_due, opened, print_json, table, text_of
from legation.cli.terminal import say
from legation.game.report import count
from legation.office.context import Actor
from legation.office.desk import desk as desk_room
from legation.office.desk import readings, unmatched
from legation.office.hosting import games
from legation.office.office import Office
from legation.office.operation import work
from legation.office.orders import submissions as submissions_room
from legation.office.records import Checked, DeskItem


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
        version = f"version {sheet.version}, " if sheet.version else ""  # 0 in a game that hides who sends
        say(f"{sheet.power}: {version}registered {cell(sheet.received)}.")


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
    """Show an item on the desk: the versions to choose from, the pictures to read."""
    with opened(place) as (office, actor):
        entry = desk_room.item(office, actor, item)
        say(f"{entry.game} {entry.turn}: {entry.text} {entry.otherwise}".rstrip())
        if reason := entry.facts.get("reason"):
            say(f"Reason: {reason}")
        sheets = _sheets(office, actor, entry.game)
        for number, (version, text) in zip(entry.submissions, entry.facts.get("texts", {}).items(), strict=False):
            shown = bool(entry.facts.get("pictures", {}).get(version))
            say(f"\nversion {version} (submission {number}){sheets.get(number, '')}:")
            if text:
                say(f"beside the photographs, which alone are read as orders:\n{text}" if shown else text)
        for which, text in zip(("first", "second"), entry.facts.get("readings", ()), strict=False):
            say(f"\n{which} reading:\n{text}")
        for listed in entry.facts.get("entries", ()):
            say("  " + ", ".join(f"{name} {value}" for name, value in listed.items()))
        for digest in pictures_of(entry):
            name, kind, content = readings.picture(office, actor, item, digest)
            say(f"{name} ({kind}, {len(content)} bytes)")
            if output is not None:
                output.mkdir(parents=True, exist_ok=True)
                target = output / f"{digest[:12]}{Path(name).suffix[:8]}"
                target.write_bytes(content)
                say(f"  written to {target}")


def _sheets(office: Office, actor: Actor, game: str) -> dict[int, str]:
    """What each submission of a turn is and when it came, where the actor may know that."""
    if not game or "submissions.overview" not in games.game(office, actor, game).may:
        return {}
    kinds = {"text": "text", "pictures": "photographs", "posted": "a posted sheet"}
    sheets = submissions_room.overview(office, actor, game)
    return {sheet.id: f", {kinds[sheet.kind]}, {cell(sheet.received)}" for sheet in sheets}


def _go_on(office: Office, actor: Actor, item: int) -> None:
    """Do what is due, and say what waits next in the item's game."""
    do_what_is_due(office)
    game = games.game(office, actor, desk_room.item(office, actor, item).game)
    deputy = "deputy" in game.roles
    waiting = desk_room.items(office, actor, game.key)
    if own := [i for i in waiting if deputy or i.kind != "confirm"]:
        say(f"Next on the desk: item {own[0].id}. {own[0].text}")
    elif waiting:
        say(f"{game.deputy} has still to read {count(len(waiting), 'sheet')}; there's nothing for you to do.")
    else:
        say("The desk has nothing for you to do.")


def pictures_of(item: DeskItem) -> list[str]:
    """All pictures of a thing on the desk: those to read, and those of the versions among which to choose."""
    versions = item.facts.get("pictures", {})
    return list(dict.fromkeys([*item.facts.get("files", ()), *(d for digests in versions.values() for d in digests)]))


def choose(place: Place, item: int, submission: int, reason: str) -> None:
    """Choose which of several versions counts."""
    with opened(place) as (office, actor):
        readings.choose(office, actor, item, submission, reason)
        _go_on(office, actor, item)


def accept(place: Place, item: int, yes: bool, reason: str) -> None:
    """Accept or refuse a revision whose posted sheet never came."""
    with opened(place) as (office, actor):
        readings.decide_unposted(office, actor, item, yes, reason)
        _go_on(office, actor, item)


def settle(place: Place, item: int, note: str, retry: bool) -> None:
    """Close an item that needs nothing more."""
    with opened(place) as (office, actor):
        desk_room.settle(office, actor, item, note, retry)
        do_what_is_due(office)


def assign(place: Place, item: int, game: str, power: str, mail: int) -> None:
    """Say whose a mail is."""
    with opened(place) as (office, actor):
        unmatched.assign(office, actor, item, game, power, mail)
        do_what_is_due(office)


def retry_all(place: Place) -> None:
    """Try everything again that failed."""
    with opened(place) as (office, actor):
        count = desk_room.retry_all(office, actor)
        say(f"{count} failures are tried again; mails leave with 'legation serve' or 'legation worker'.")
        do_what_is_due(office)


def transcribe(place: Place, item: int, file: str, try_it: bool) -> None:
    """Write down what a picture or a posted sheet says, and sign it off: first as the coordinator, then as the
    deputy."""
    text = text_of(file)
    with opened(place) as (office, actor):
        if try_it:
            _reading(readings.suggest(office, actor, item, text))
            return
        sign = readings.confirm if desk_room.item(office, actor, item).kind == "confirm" else readings.transcribe
        _reading(sign(office, actor, item, text))
        _go_on(office, actor, item)


def decide(place: Place, item: int, file: str, reason: str) -> None:
    """Say how a sheet reads of which there are two readings."""
    text = text_of(file)
    with opened(place) as (office, actor):
        _reading(readings.decide(office, actor, item, text, reason))
        _go_on(office, actor, item)


def correct(place: Place, game: str, turn: str, power: str, file: str, reason: str) -> None:
    """Correct a transcription until the results are final."""
    text = text_of(file)
    with opened(place) as (office, actor):
        _reading(readings.correct(office, actor, game, turn, power, text, reason))
        work.run_due(office)
        if deputy := games.game(office, actor, game).deputy:
            say(f"{deputy} reads it, too, before it counts.")
        say(f"To review it: legation office preview {game}. To mail it: legation office publish {game}.")


def _reading(checked: Checked) -> None:
    """How a sheet reads, line by line."""
    for line in checked.lines:
        mark = line.order or "?"
        said = f"  ({line.problem}: {line.message})" if line.problem else ""
        hint = f"  did you mean {' or '.join(line.suggestions)}?" if line.suggestions else ""
        say(f"{line.line:>3}  {line.text.strip()[:60]:<40}  {mark}{said}{hint}")
    if checked.missing:
        say(f"Without orders: {', '.join(checked.missing)}")
