"""``legation office ...``: the coordinator at a terminal of the office's machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

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
    help="The coordinator at a terminal: games, seats, what came in, the desk, deadlines, results, proofs.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Game = Annotated[str, typer.Argument(metavar="GAME", help="A game's name or key.")]
PowerName = Annotated[str, typer.Argument(metavar="POWER", help="A power, by any of its names.")]
Item = Annotated[int, typer.Argument(metavar="ITEM", help="The number on the desk.")]
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
        str, typer.Option("--as", metavar="EMAIL", help="Act as this person, instead of the console.")
    ] = "",
) -> None:
    """The coordinator at a terminal."""
    context.obj = (folder, acting)


@office.command(epilog="Example: legation office -C myoffice person 'Anna Ash' anna@example.org --token")
def person(
    context: typer.Context,
    name: str,
    email: str,
    token: Annotated[bool, typer.Option("--token", help="Make a token for the API and print it.")] = False,
    administrator: Annotated[bool, typer.Option("--administrator", help="May see the whole office.")] = False,
) -> None:
    """Make somebody known to the office."""
    from legation.cli import coordinating

    coordinating.person(context.obj, name, email, token, administrator)


@office.command(epilog="Example: legation office readdress anna@example.org anna@example.net")
def readdress(context: typer.Context, email: str, to: str) -> None:
    """Change the address of somebody who can't read mail at the old one.

    Pages change an address only by a link to the old one. Be sure that it's them: both addresses are told, and all
    sessions and tokens end.
    """
    from legation.cli import coordinating

    coordinating.readdress(context.obj, email, to)


@office.command(epilog="Example: legation office games --state running")
def games(
    context: typer.Context,
    state: Annotated[
        Literal["gathering", "running", "paused", "ended", "cancelled", "moved"] | None,
        typer.Option(help="Only those."),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the games."""
    from legation.cli import coordinating

    coordinating.list_games(context.obj, state, as_json)


@office.command(
    epilog="Example: legation office create --name 'Powick Bridge' --variant three-kingdoms --schedule three-kingdoms "
    "--coordinated --as anna@example.org"
)
def create(
    context: typer.Context,
    file: Annotated[Path | None, typer.Argument(help="The game's plan: TOML or JSON.")] = None,
    name: Annotated[str, typer.Option(help="The game's name.")] = "",
    variant: Annotated[str, typer.Option(help="Its variant.")] = "",
    schedule: Annotated[
        str, typer.Option(help="A schedule that ships, or one as it is written: '36 h', 'Mon Thu 20:00 Europe/London'.")
    ] = "",
    coordinated: Annotated[bool, typer.Option("--coordinated", help="A person runs it.")] = False,
) -> None:
    """Make a game, from a plan or from options.

    --schedule three-kingdoms --coordinated is the rulebook's game by post: first orders by letter, revisions as
    photographs, draft results that you approve. What the plan says goes before.
    """
    from legation.cli import coordinating

    coordinating.create(context.obj, file, name, variant, schedule, coordinated)


@office.command(epilog="Example: legation office show powick-bridge")
def show(context: typer.Context, game: Game, as_json: Json = False) -> None:
    """Show a game: its seats, who has sent, what comes next."""
    from legation.cli import coordinating

    coordinating.show(context.obj, game, as_json)


@office.command(epilog="Example: legation office invite powick-bridge anna@example.org --power Crown")
def invite(
    context: typer.Context,
    game: Game,
    email: Annotated[str, typer.Argument(help="Where to send it; left out, only the link is printed.")] = "",
    power: Annotated[str, typer.Option(help="A seat of their own.")] = "",
) -> None:
    """Invite somebody, and print the link."""
    from legation.cli import coordinating

    coordinating.invite(context.obj, game, email, power)


@office.command(epilog="Example: legation office start powick-bridge")
def start(context: typer.Context, game: Game) -> None:
    """Deal the powers by lot and open the first turn."""
    from legation.cli import coordinating

    coordinating.start(context.obj, game)


@office.command(epilog="Example: legation office bot powick-bridge Crown dumbbot")
def bot(
    context: typer.Context,
    game: Game,
    power: PowerName,
    name: Annotated[str, typer.Argument(metavar="BOT", help="hold, random or dumbbot.")] = "hold",
) -> None:
    """Have a bot play a power that nobody holds."""
    from legation.cli import coordinating

    coordinating.seat_bot(context.obj, game, power, name)


@office.command(epilog="Example: legation office replace powick-bridge Crown ben@example.org 'moved abroad'")
def replace(context: typer.Context, game: Game, power: PowerName, email: str, reason: Note = "") -> None:
    """Put another player on a seat."""
    from legation.cli import coordinating

    coordinating.replace(context.obj, game, power, email, reason)


@office.command(epilog="Example: legation office vacate powick-bridge Crown 'has not answered for a month'")
def vacate(context: typer.Context, game: Game, power: PowerName, reason: Reason) -> None:
    """Take a seat from its player; its units stand in civil disorder until somebody has it."""
    from legation.cli import coordinating

    coordinating.vacate(context.obj, game, power, reason)


@office.command(epilog="Example: legation office cancel powick-bridge 'too few players'")
def cancel(context: typer.Context, game: Game, reason: Reason) -> None:
    """Cancel a game for good."""
    from legation.cli import coordinating

    coordinating.cancel(context.obj, game, reason)


@office.command(epilog="Example: legation office settings powick-bridge post_days=7 missing=wait")
def settings(
    context: typer.Context,
    game: Game,
    changes: Annotated[
        list[str] | None, typer.Argument(metavar="NAME=VALUE", help="What to change; without any, all are shown.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show a game's settings, or change some."""
    from legation.cli import coordinating

    coordinating.settings(context.obj, game, changes or [], as_json)


@office.command(epilog="Example: legation office address '12 Mill Lane' Worcester --country England --as a@example.org")
def address(
    context: typer.Context,
    lines: Annotated[list[str], typer.Argument(metavar="LINE", help="The lines of the address, without the name.")],
    country: Annotated[str, typer.Option(help="The country.")],
    first: Annotated[str, typer.Option("--from", metavar="DAY", help="Preferred from this day, as 2027-01-15.")] = "",
    last: Annotated[str, typer.Option("--to", metavar="DAY", help="Preferred to this day.")] = "",
) -> None:
    """Add a postal address of yours (say who you are with --as); without days it becomes your usual one."""
    from legation.cli import coordinating

    coordinating.address(context.obj, lines, country, first, last)


@office.command(epilog="Example: legation office share powick-bridge Crown --as ada@example.org")
def share(
    context: typer.Context,
    game: Game,
    power: PowerName,
    on: Annotated[bool, typer.Option("--on/--off", help="Share it, or no longer.")] = True,
) -> None:
    """Let the players of a game see your postal address (say who you are with --as)."""
    from legation.cli import coordinating

    coordinating.share(context.obj, game, power, on)


@office.command(
    epilog="Example: legation office deputy powick-bridge ann@example.org ; legation office deputy powick-bridge"
)
def deputy(
    context: typer.Context,
    game: Game,
    email: Annotated[str, typer.Argument(help="Whose; without it one reading is enough again.")] = "",
) -> None:
    """Have somebody read each transcription a second time."""
    from legation.cli import coordinating

    coordinating.deputy(context.obj, game, email)


@office.command(epilog="Example: legation office submissions powick-bridge")
def submissions(context: typer.Context, game: Game, as_json: Json = False) -> None:
    """List what has come in for this turn: when, by which channel; never what it says."""
    from legation.cli import coordinating

    coordinating.submissions(context.obj, game, as_json)


@office.command(epilog="Example: legation office posted powick-bridge Crown 'blue envelope'")
def posted(context: typer.Context, game: Game, power: PowerName, note: Note = "") -> None:
    """Register an envelope that came by post, unopened."""
    from legation.cli import coordinating

    coordinating.posted(context.obj, game, power, note)


@office.command(epilog="Example: legation office desk")
def desk(
    context: typer.Context, game: Annotated[str, typer.Argument(metavar="GAME")] = "", as_json: Json = False
) -> None:
    """List what waits for a coordinator."""
    from legation.cli import coordinating

    coordinating.desk(context.obj, game, as_json)


@office.command(epilog="Example: legation office look 12 -o pictures/")
def look(
    context: typer.Context,
    item: Item,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write its pictures into this folder.")] = None,
) -> None:
    """Show one thing on the desk: the versions to choose from, the pictures to read."""
    from legation.cli import coordinating

    coordinating.look(context.obj, item, output)


@office.command(epilog="Example: legation office choose 12 345 'as the instructions say'")
def choose(context: typer.Context, item: Item, submission: int, reason: Reason) -> None:
    """Say which of several versions counts."""
    from legation.cli import coordinating

    coordinating.choose(context.obj, item, submission, reason)


@office.command(epilog="Example: legation office transcribe 12 sheet.txt")
def transcribe(
    context: typer.Context,
    item: Item,
    file: Annotated[str, typer.Argument(help="The orders as a text; '-' is standard input.")] = "-",
    try_it: Annotated[bool, typer.Option("--try", help="Only show how it reads.")] = False,
) -> None:
    """Write down what a picture or a posted sheet says, and sign it off."""
    from legation.cli import coordinating

    coordinating.transcribe(context.obj, item, file, try_it)


@office.command(epilog="Example: legation office decide 14 sheet.txt 'the third word is Bristol'")
def decide(context: typer.Context, item: Item, file: str, reason: Reason) -> None:
    """Say how a sheet reads that two persons read otherwise ('look' shows both readings)."""
    from legation.cli import coordinating

    coordinating.decide(context.obj, item, file, reason)


@office.command(
    epilog="Example: legation office accept 12 'the post was on strike' ; legation office accept 12 'none came' --no"
)
def accept(
    context: typer.Context,
    item: Item,
    reason: Reason,
    yes: Annotated[bool, typer.Option("--yes/--no", help="Accept or refuse.")] = True,
) -> None:
    """Accept or refuse a revision whose posted sheet never came."""
    from legation.cli import coordinating

    coordinating.accept(context.obj, item, yes, reason)


@office.command(epilog="Example: legation office correct powick-bridge 3 Crown sheet.txt 'it says Oxford'")
def correct(context: typer.Context, game: Game, turn: TurnName, power: PowerName, file: str, reason: Reason) -> None:
    """Correct a transcription until the results are final."""
    from legation.cli import coordinating

    coordinating.correct(context.obj, game, turn, power, file, reason)


@office.command(epilog="Example: legation office photographs powick-bridge 3 Crown front.jpg back.jpg")
def photographs(
    context: typer.Context,
    game: Game,
    turn: TurnName,
    power: PowerName,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="JPEG, PNG, HEIC or PDF.")],
) -> None:
    """Add photographs of an opened letter; all players get them with the copies of the orders."""
    from legation.cli import posting

    posting.photographs(context.obj, game, turn, power, files)


@office.command(epilog="Example: legation office calendar powick-bridge -o powick-bridge.ics")
def calendar(
    context: typer.Context,
    game: Game,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write it to this file.")] = None,
) -> None:
    """Print a game's deadlines as a calendar (iCalendar)."""
    from legation.cli import posting

    posting.calendar(context.obj, game, output)


@office.command(epilog="Example: legation office settle 12 'called her' ; legation office settle 13 --retry")
def settle(
    context: typer.Context,
    item: Item,
    note: Note = "",
    retry: Annotated[bool, typer.Option("--retry", help="Try it again.")] = False,
) -> None:
    """Put something away that needs no more."""
    from legation.cli import coordinating

    coordinating.settle(context.obj, item, note, retry)


@office.command(name="resume-all", epilog="Example: legation office resume-all 'the server is back'")
def resume_all(context: typer.Context, reason: Reason) -> None:
    """Let all games go on that were paused by a restore, or because their rules were changed."""
    from legation.cli import coordinating

    coordinating.resume_all(context.obj, reason)


@office.command(epilog="Example: legation office reopen powick-bridge now 'the disk with the keys died'")
def reopen(context: typer.Context, game: Game, turn: TurnName, reason: Reason) -> None:
    """Open a turn anew whose key is lost.

    What was sent for it before is opened by nobody; everybody is told and sends again. Put a copy of the keys back
    instead, if you have one.
    """
    from legation.cli import coordinating

    coordinating.reopen(context.obj, game, turn, reason)


@office.command(name="reopen-all", epilog="Example: legation office reopen-all 'the disk with the keys died'")
def reopen_all(context: typer.Context, reason: Reason) -> None:
    """Open every turn anew whose key is lost, in all games."""
    from legation.cli import coordinating

    coordinating.reopen_all(context.obj, reason)


@office.command(epilog="Example: legation office assign 12 powick-bridge Crown --mail 7")
def assign(
    context: typer.Context,
    item: Item,
    game: Game,
    power: PowerName,
    mail: Annotated[int, typer.Option(help="The number of the mail, where an item lists several.")] = 0,
) -> None:
    """Say whose a mail is that could not be matched to a seat."""
    from legation.cli import coordinating

    coordinating.assign(context.obj, item, game, power, mail)


@office.command(epilog="Example: legation office retry --all")
def retry(
    context: typer.Context,
    everything: Annotated[
        bool, typer.Option("--all", help="Work, mails that did not arrive, mails put aside.")
    ] = False,
) -> None:
    """Try everything again that failed, in the whole office."""
    from legation.cli import coordinating

    if not everything:
        raise typer.BadParameter("say --all; one item of the desk is tried again by 'settle ITEM --retry'")
    coordinating.retry_all(context.obj)


@office.command(epilog="Example: legation office process powick-bridge")
def process(context: typer.Context, game: Game) -> None:
    """Go on with a turn that waits, and do all work that is due."""
    from legation.cli import coordinating

    coordinating.process(context.obj, game)


@office.command(epilog="Example: legation office preview powick-bridge")
def preview(context: typer.Context, game: Game) -> None:
    """Show what will be published."""
    from legation.cli import coordinating

    coordinating.preview(context.obj, game)


@office.command(epilog="Example: legation office publish powick-bridge ; legation office publish powick-bridge --final")
def publish(
    context: typer.Context,
    game: Game,
    final: Annotated[bool, typer.Option("--final", help="Make the season's drafts final.")] = False,
) -> None:
    """Publish what was judged."""
    from legation.cli import coordinating

    coordinating.publish(context.obj, game, final)


@office.command(name="take-back", epilog="Example: legation office take-back powick-bridge 'one sheet was misread'")
def take_back(context: typer.Context, game: Game, reason: Reason) -> None:
    """Take draft results back."""
    from legation.cli import coordinating

    coordinating.take_back(context.obj, game, reason)


@office.command(epilog="Example: legation office extend powick-bridge '2027-01-15 07:00' 'the post is on strike'")
def extend(
    context: typer.Context,
    game: Game,
    until: Annotated[str, typer.Argument(help="A time, as '2027-01-15 07:00' (UTC) or with an offset.")],
    reason: Reason,
) -> None:
    """Move a deadline later."""
    from legation.cli import coordinating

    coordinating.extend(context.obj, game, until, reason)


@office.command(epilog="Example: legation office pause powick-bridge 'the coordinator is ill'")
def pause(context: typer.Context, game: Game, reason: Reason) -> None:
    """Stop a game's clock."""
    from legation.cli import coordinating

    coordinating.pause(context.obj, game, reason)


@office.command(epilog="Example: legation office resume powick-bridge")
def resume(context: typer.Context, game: Game) -> None:
    """Let a paused game go on."""
    from legation.cli import coordinating

    coordinating.resume(context.obj, game)


VoteKind = Annotated[
    Literal["pause", "resume", "extend", "cancel", "replace"], typer.Argument(metavar="QUESTION", help="What on.")
]
Hours = Annotated[int, typer.Option("--hours", help="How much later the deadline is to be, to extend it.")]
Whom = Annotated[str, typer.Option("--whom", metavar="POWER", help="The power whose player is to be replaced.")]
WhyOption = Annotated[str, typer.Option("--reason", help="Why; all players read it.")]


@office.command(epilog="Example: legation office votes powick-bridge")
def votes(context: typer.Context, game: Game, as_json: Json = False) -> None:
    """Print what the players of a game can vote on, and how it stands."""
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
    """Put a question to the players, as the host of a game that runs itself (with --as)."""
    from legation.cli import voting

    voting.ask(context.obj, game, question, hours, whom, reason)


@office.command(epilog="Example: legation office result powick-bridge 3")
def result(context: typer.Context, game: Game, turn: TurnName = "last", as_json: Json = False) -> None:
    """Print the results of a turn."""
    from legation.cli import coordinating

    coordinating.result(context.obj, game, turn, as_json)


@office.command(epilog="Example: legation office journal powick-bridge")
def journal(context: typer.Context, game: Game, as_json: Json = False) -> None:
    """Print a game's journal."""
    from legation.cli import coordinating

    coordinating.journal(context.obj, game, as_json)


@office.command(epilog="Example: legation office roster powick-bridge --on 2027-01-15")
def roster(context: typer.Context, game: Game, on: str = "", as_json: Json = False) -> None:
    """Print who plays which power, and the addresses of a day."""
    from legation.cli import coordinating

    coordinating.roster(context.obj, game, on, as_json)


@office.command(
    name="print",
    epilog="Example: legation office print powick-bridge letters -o letters/ --note note.txt --as you@example.org",
)
def print_papers(
    context: typer.Context,
    game: Game,
    what: Annotated[
        Literal["packets", "letters", "labels", "envelopes", "roster", "orders", "maps"],
        typer.Argument(
            help="Turn packets, year-end letters, address labels, envelopes, the roster, copies of the orders "
            "executed last, or the set of maps."
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to write to.")],
    power: Annotated[str, typer.Option(help="Of packets and letters: only this power's.")] = "",
    form: Annotated[str, typer.Option(help="Labels: 3x7, 2x7 or 2x4. Envelopes: C5 or DL.")] = "",
    skip: Annotated[int, typer.Option(min=0, help="Labels that are gone from the first sheet.")] = 0,
    post: Annotated[
        int | None, typer.Option(min=0, max=60, help="How many days a letter is on its way, if not as the game is set.")
    ] = None,
    note: Annotated[Path | None, typer.Option(help="What the letters say; paragraphs apart by an empty line.")] = None,
    sender: Annotated[
        list[str] | None,
        typer.Option(help="Your name, then the lines of your address; repeat it. Else your own address in the office."),
    ] = None,
) -> None:
    """Write what goes on paper, as PDF files in a folder."""
    from legation.cli.printing import print_papers as write

    write(context.obj, game, what, output, power, form, skip, post, note, sender)


@office.command(epilog="Example: legation office verify powick-bridge")
def verify(context: typer.Context, game: Game, as_json: Json = False) -> None:
    """Repeat every check of what was committed to, and play the game again from its journal."""
    from legation.cli import coordinating

    coordinating.verify(context.obj, game, as_json)


@office.command(epilog="Example: legation office proof powick-bridge > powick-bridge.transcript.jsonl")
def proof(
    context: typer.Context,
    game: Game,
    turn: Annotated[str, typer.Argument(metavar="TURN", help="Only what proves this turn in the first format.")] = "",
) -> None:
    """Print the transcript of a game, for 'legation verify'."""
    from legation.cli import coordinating

    coordinating.proof(context.obj, game, turn)


@office.command(epilog="Example: legation office export powick-bridge > game.json")
def export(
    context: typer.Context,
    game: Game,
    everything: Annotated[bool, typer.Option("--all", help="All of it, for 'import' in another office.")] = False,
) -> None:
    """Print a game as a saved game, or all that is kept of it."""
    from legation.cli import coordinating

    coordinating.export(context.obj, game, everything)


@office.command(
    name="import",
    epilog="Example: legation office -C otheroffice import game.json; legation office import game.txt --plan plan.toml",
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
        typer.Option(help="Of another system's game: its plan (.toml), with the addresses to invite under [seats]."),
    ] = None,
    name: Annotated[str, typer.Option(help="Of another system's game: what it is called here.")] = "",
    variant: Annotated[str, typer.Option(help="The variant that it is of, if the file does not say.")] = "",
) -> None:
    """Take a game in that another office exported whole: its past is kept and checked. A game of another system goes on
    from where it stands, and those whom the plan names are invited by mail."""
    from legation.cli import moving_in

    moving_in.import_game(context.obj, file, plan, name, variant)


@office.command(epilog="Example: legation office card > card.json")
def card(context: typer.Context) -> None:
    """Print this office's card, with which another office can hand a game over to it."""
    from legation.cli import coordinating

    coordinating.card(context.obj)


@office.command(epilog="Example: legation office leave powick-bridge card.json")
def leave(
    context: typer.Context,
    game: Game,
    file: Annotated[str, typer.Argument(metavar="CARD", help="What 'card' printed there; '-' is standard input.")] = "",
    stay: Annotated[bool, typer.Option("--stay", help="Not after all.")] = False,
) -> None:
    """Hand a game over to another office when its season is over; then 'export --all' has it, for 'import' there."""
    from legation.cli import coordinating

    coordinating.leave(context.obj, game, file, stay)


@office.command(name="renew-key", epilog="Example: legation office renew-key")
def renew_key(
    context: typer.Context,
    lost: Annotated[bool, typer.Option("--lost", help="Make none: the office has another key already.")] = False,
) -> None:
    """Have the office sign with a new key, and tell so in the journals of all games. Stop the office meanwhile."""
    from legation.cli import coordinating

    coordinating.renew_key(context.obj, lost)


@office.command(epilog="Example: legation office move postgresql://user@host/legation")
def move(context: typer.Context, url: str) -> None:
    """Copy the office's database to another, such as from SQLite to PostgreSQL."""
    from legation.cli import coordinating

    coordinating.move(context.obj, url)
