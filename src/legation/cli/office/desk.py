"""What the commands of ``legation office`` do at the desk, and with what came in; scans of opened letters, sorted by
the codes of the sheets; bridges to other services; reports of people."""

import re
from pathlib import Path
from typing import Annotated, Literal

import typer

from legation.cli.app import Game, Note, PowerName, Reason, TurnName
from legation.cli.office.terminal import Answer, By, cell, command, do_what_is_due, listing, table
from legation.cli.terminal import fail, read_bytes, say, text_of
from legation.game.report import count
from legation.office.desk import bridges, mailroom, readings
from legation.office.desk import desk as desk_room
from legation.office.desk import postbag as postbag_room
from legation.office.hosting import games, moderation
from legation.office.operation import work
from legation.office.orders import submissions as submissions_room
from legation.office.orders.order_codes import scanned_pages
from legation.office.orders.pictures import take_pictures
from legation.office.records import Checked, DeskItem, Postbag, Report

Item = Annotated[int, typer.Argument(metavar="ITEM", help="The item's number on the desk.")]
OrdersFile = Annotated[str, typer.Argument(help="A file with the orders; '-' is standard input.")]


@command("submissions powick-bridge")
def submissions(by: By, game: Game) -> Answer:
    """List the submissions of this turn with time and channel, never their content."""
    sheets = submissions_room.overview(*by, game)
    rows = ((s.power, s.version, s.channel, s.kind, s.received, s.standing, s.commitment[:16]) for s in sheets)
    columns = ("power", "version", "by", "kind", "received", "standing", "commitment")
    return listing(sheets, columns, rows, "Nothing has come in yet.")


@command("posted powick-bridge Crown 'blue envelope'")
def posted(by: By, game: Game, power: PowerName, note: Note = "") -> None:
    """Register an envelope that came by post, unopened."""
    sheet = submissions_room.register_posted(*by, game, power, note)
    version = f"version {sheet.version}, " if sheet.version else ""  # 0 in a game that hides who sends
    say(f"{sheet.power}: {version}registered {cell(sheet.received)}.")


@command("desk")
def desk(by: By, game: Annotated[str, typer.Argument(metavar="GAME", help="Only this game's.")] = "") -> Answer:
    """List the open items for the coordinator."""
    waiting = desk_room.items(*by, game)
    rows = ((i.id, i.game, i.turn, i.opened, i.text) for i in waiting)
    return listing(waiting, ("item", "game", "turn", "since", "needed"), rows, "The desk is empty.")


@command("look 12 -o pictures/")
def look(
    by: By,
    item: Item,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write its pictures into this folder.")] = None,
) -> None:
    """Show an item on the desk: the versions to choose from, the pictures to read."""
    entry = desk_room.item(*by, item)
    say(f"{entry.game} {entry.turn}: {entry.text} {entry.otherwise}".rstrip())
    if reason := entry.facts.get("reason"):
        say(f"Reason: {reason}")
    sheets = _sheets(by, entry)
    for number, (version, text) in zip(entry.submissions, entry.facts.get("texts", {}).items(), strict=False):
        shown = bool(entry.facts.get("pictures", {}).get(version))
        here = " counts now, and is to be read" if entry.facts.get("version") == int(version) else ""
        say(f"\nversion {version} (submission {number}), {sheets.get(version, '')}{here}:")
        if text:
            say(f"beside the photographs, which alone are read as orders:\n{text}" if shown else text)
    for which, text in zip(("first", "second"), entry.facts.get("readings", ()), strict=False):
        say(f"\n{which} reading:\n{text}")
    for listed in entry.facts.get("entries", ()):
        say("  " + ", ".join(f"{name} {value}" for name, value in listed.items()))
    for place, (digest, version) in enumerate(pictures_of(entry).items(), 1):
        name, kind, content = readings.picture(*by, item, digest)
        whose = f"version {version}, {sheets.get(version, '')}" if version else "the opened letter"
        say(f"{whose}: {name} ({kind}, {len(content)} bytes)")
        if output is not None:
            output.mkdir(parents=True, exist_ok=True)
            told = f"{place} {entry.power} {whose.replace(':', '.')} {Path(name).stem[:40]}"
            target = output / (re.sub(r"[^\w.]+", "-", told) + Path(name).suffix[:8])
            target.write_bytes(content)
            say(f"  written to {target}")


def _sheets(by: By, item: DeskItem) -> dict[str, str]:
    """What each version of an item's seat is and when it came, where the actor may know that."""
    if not item.game or "submissions.overview" not in games.game(*by, item.game).may:
        return {}
    kinds = {"text": "text", "pictures": "photographs", "posted": "a posted sheet"}
    sheets = submissions_room.overview(*by, item.game)
    own = (sheet for sheet in sheets if sheet.power == item.power)
    return {str(sheet.version): f"{kinds[sheet.kind]}, {cell(sheet.received)}" for sheet in own}


def _go_on(by: By, item: int) -> None:
    """Do what is due, and say what waits next in the item's game."""
    do_what_is_due(by.office)
    game = games.game(*by, desk_room.item(*by, item).game)
    deputy = "deputy" in game.roles
    waiting = desk_room.items(*by, game.key)
    if own := [i for i in waiting if deputy or i.kind != "confirm"]:
        say(f"Next on the desk: item {own[0].id}. {own[0].text}")
    elif waiting:
        say(f"{game.deputy} has still to read {count(len(waiting), 'sheet')}; there's nothing for you to do.")
    else:
        say("The desk has nothing for you to do.")


def pictures_of(item: DeskItem) -> dict[str, str]:
    """All pictures of a thing on the desk, each with its version: those to read first; of an opened letter empty."""
    versions = item.facts.get("pictures", {}).items()
    known = {digest: version for version, digests in versions for digest in digests}
    return {digest: known.get(digest, "") for digest in [*item.facts.get("files", ()), *known]}


@command("choose 12 345 'as the instructions say'")
def choose(
    by: By,
    item: Item,
    submission: Annotated[int, typer.Argument(help="The number of the submission; 'look' lists them.")],
    reason: Reason,
) -> None:
    """Choose which of several versions counts, also while one is transcribed whose sheet says that another does."""
    readings.choose(*by, item, submission, reason)
    _go_on(by, item)


@command("accept 12 'the post was on strike'", "accept 12 'none came' --no")
def accept(
    by: By,
    item: Item,
    reason: Reason,
    yes: Annotated[bool, typer.Option("--yes/--no", help="Accept or refuse.")] = True,
) -> None:
    """Accept or refuse a revision whose posted sheet never came."""
    readings.decide_unposted(*by, item, yes, reason)
    _go_on(by, item)


@command("photographs powick-bridge 3 Crown front.jpg back.jpg")
def photographs(
    by: By,
    game: Game,
    turn: TurnName,
    power: PowerName,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="JPEG, PNG, HEIC or PDF.")],
) -> None:
    """Add photographs of an opened letter; all players get them with the copies of the orders."""
    pictures = [(p.name, p.data, p.kind) for file in files for p in take_pictures(file.name, read_bytes(str(file)))]
    kept = postbag_room.add_copies(*by, game, power, turn, pictures)
    say(f"{len(kept)} {'photograph' if len(kept) == 1 else 'photographs'} of this letter; players get them all.")


@command("settle 12 'called her'", "settle 13 --retry")
def settle(
    by: By, item: Item, note: Note = "", retry: Annotated[bool, typer.Option("--retry", help="Try it again.")] = False
) -> None:
    """Close an item that needs nothing more."""
    desk_room.settle(*by, item, note, retry)
    do_what_is_due(by.office)


@command("assign 12 powick-bridge Crown --mail 7")
def assign(
    by: By,
    item: Item,
    game: Game,
    power: PowerName,
    mail: Annotated[int, typer.Option(help="The number of the mail, if the item lists several.")] = 0,
) -> None:
    """Match a mail to a seat, if the office couldn't."""
    mailroom.assign(*by, game, power, item, mail)
    do_what_is_due(by.office)


@command("retry --all", name="retry")
def retry_all(
    by: By,
    everything: Annotated[
        bool, typer.Option("--all", help="Work, mails that weren't delivered, mails put aside.")
    ] = False,
) -> None:
    """Retry everything that failed, in the whole office."""
    if not everything:
        raise typer.BadParameter("add --all; to retry one item, use 'settle ITEM --retry'")
    count = desk_room.retry_all(*by)
    say(f"{count} failures are tried again; mails leave with 'legation serve' or 'legation worker'.")
    do_what_is_due(by.office)


@command("transcribe 12 sheet.txt")
def transcribe(
    by: By,
    item: Item,
    file: OrdersFile = "-",
    try_it: Annotated[bool, typer.Option("--try", help="Only show how it's understood.")] = False,
) -> None:
    """Transcribe a picture or a posted sheet, as the coordinator or the deputy."""
    text = text_of(file)
    if try_it:
        return _reading(readings.suggest(*by, item, text))
    sign = readings.confirm if desk_room.item(*by, item).kind == "confirm" else readings.transcribe
    _reading(sign(*by, item, text))
    _go_on(by, item)


@command("decide 14 sheet.txt 'the third word is Bristol'")
def decide(by: By, item: Item, file: OrdersFile, reason: Reason) -> None:
    """Decide between two readings of a sheet ('look' shows both)."""
    text = text_of(file)
    _reading(readings.decide(*by, item, text, reason))
    _go_on(by, item)


@command("correct powick-bridge 3 Crown sheet.txt 'it says Oxford'")
def correct(by: By, game: Game, turn: TurnName, power: PowerName, file: OrdersFile, reason: Reason) -> None:
    """Correct a transcription until the results are final."""
    text = text_of(file)
    _reading(readings.correct(*by, game, power, turn, text, reason))
    work.run_due(by.office)
    if deputy := games.game(*by, game).deputy:
        say(f"{deputy} reads it, too, before it counts.")
    say(f"To review it: legation office preview {game}. To mail it: legation office publish {game}.")


def _reading(checked: Checked) -> None:
    for line in checked.lines:
        mark = line.order or "?"
        said = f"  ({line.problem}: {line.message})" if line.problem else ""
        hint = f"  did you mean {' or '.join(line.suggestions)}?" if line.suggestions else ""
        say(f"{line.line:>3}  {line.text.strip()[:60]:<40}  {mark}{said}{hint}")
    for ahead in checked.ahead:
        say(f"{ahead.line:>3}  {ahead.text.strip()[:60]:<40}  for later: {ahead.then or ahead.message}")
    if checked.missing:
        say(f"Without orders: {', '.join(checked.missing)}")


PageNumber = Annotated[int, typer.Argument(metavar="PAGE", help="Its number, as 'postbag' lists it.")]


@command("postbag powick-bridge letters.pdf")
def postbag(
    by: By,
    game: Game,
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="FILE...", help="PDF, JPEG, PNG or HEIC; without any, list.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the pages that wait into this folder.")
    ] = None,
) -> None:
    """Sort a scan of all opened letters by the codes of the sheets, and list the pages that wait to be named."""
    bag = postbag_room.postbag(*by, game)  # refused before the deadline: nothing is read until then
    if files:
        pages = scanned_pages([(file.name, read_bytes(str(file))) for file in files])
        bag = postbag_room.file_pages(*by, game, pages)
    for page in bag.waiting if output is not None else ():
        name, _, content = postbag_room.page_picture(*by, game, page.page)
        assert output is not None
        output.mkdir(parents=True, exist_ok=True)
        (output / f"{page.page}-{Path(name).stem[:40]}").write_bytes(content)
    _show(bag)


@command("name-page powick-bridge 7 Crown", name="name-page")
def name_page(
    by: By,
    game: Game,
    page: PageNumber,
    power: Annotated[str, typer.Argument(metavar="POWER", help="Whose letter it is of.")] = "",
    version: Annotated[int, typer.Option(help="Of which letter, where several came from the power.")] = 0,
    drop: Annotated[bool, typer.Option("--drop", help="It belongs to no letter.")] = False,
) -> None:
    """Say whose letter a scanned page is of."""
    if not (power or drop):
        raise typer.BadParameter("name the power, or add --drop")
    if drop:
        postbag_room.drop_page(*by, game, page)
        return say("The page is put away.")
    _show(postbag_room.name_page(*by, game, page, power, version))


def _show(bag: Postbag) -> None:
    for power, pages in bag.filed.items():
        say(f"{power}: {count(pages, 'page')} filed with the orders of {bag.turn}.")
    table(
        ("page", "name", "why it waits"),
        ((page.page, page.name, page.why) for page in bag.waiting),
        "No page waits to be named.",
    )


# What goes over bridges, and what administrators decide


@command("bridges powick-bridge --add - < address.txt", name="bridges")
def of_game(
    by: By,
    game: Game,
    add: Annotated[
        str,
        typer.Option(
            "--add",
            metavar="FILE",
            help="Add the bridge whose address is in a file; '-' is standard input, since addresses hold secrets.",
        ),
    ] = "",
    tells: Annotated[
        str, typer.Option("--tells", metavar="PARTS", help="What goes over it: results, deadlines, letters.")
    ] = "results deadlines",
    test: Annotated[int | None, typer.Option("--test", metavar="NUMBER", help="Send a test over a bridge.")] = None,
    remove: Annotated[int | None, typer.Option("--remove", metavar="NUMBER", help="Remove a bridge.")] = None,
) -> Answer:
    """List, add, test or remove the bridges of a game: webhooks and channels of chat services."""
    done = ""
    if add:
        made = bridges.add(*by, game, text_of(add).strip(), tells.replace(",", " ").split())
        done = f"A test goes to {made.host}; nothing else goes there before it is taken."
        if made.secret:
            done += f"\nThe secret that signs what goes there, shown once: {made.secret}"
    if test is not None:
        bridges.test(*by, game, test)
    if remove is not None:
        bridges.remove(*by, game, remove)
    listed = bridges.bridges(*by, game)
    rows = [(b.id, b.kind, b.host, ", ".join(b.tells), b.confirmed is not None, b.last_sent) for b in listed]
    return listing(listed, ("number", "service", "host", "tells", "taken", "last"), rows, "There are no bridges.", done)


Decided = Annotated[
    Literal["nothing", "warning", "suspension"] | None,
    typer.Option("--decide", metavar="DECISION", help="Decide on it: 'nothing', 'warning' or 'suspension'."),
]


@command("reports 81 --decide warning --reason 'insults'")
def reports(
    by: By,
    number: Annotated[int | None, typer.Argument(metavar="[NUMBER]", help="Show this report.")] = None,
    decision: Decided = None,
    reason: Annotated[str, typer.Option("--reason", help="Why; who is warned or suspended reads it.")] = "",
    days: Annotated[int, typer.Option("--days", min=0, help="How long a suspension lasts.")] = 0,
) -> Answer:
    """List reports of people, show one, or decide on it."""
    if decision is not None:
        if number is None:
            fail("name the report")
        moderation.decide(*by, number, decision, reason, days)
    listed = [one for one in moderation.reports(*by) if number in (None, one.id)]
    return Answer(listed, lambda: _tell_reports(listed, whole=number is not None))


def _tell_reports(listed: list[Report], *, whole: bool) -> None:
    rows = [(one.id, one.at, one.name, one.game, one.decision or "-") for one in listed]
    table(("number", "when", "about", "game", "decision"), rows, "There are no reports.")
    for one in listed if whole else ():
        say(f"\n{one.text}" + (f"\n\nThe letter that was shown:\n{one.evidence}" if one.evidence else ""))
