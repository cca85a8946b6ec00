"""The commands of ``legation`` itself, in the order of the help, and the groups that stand in folders and modules here.

It is long because each command is declared once, with its arguments, options and examples; none of them has code.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

import typer

from legation.cli.commands.catalog import catalog
from legation.cli.commands.lab import lab
from legation.cli.commands.office import office
from legation.cli.commands.variant import variant

app = typer.Typer(
    name="legation",
    help="Run games of Diplomacy and its variants.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Variant = Annotated[
    str,
    typer.Argument(metavar="VARIANT", help="A variant's name (see 'legation variants') or the path of a variant file."),
]
Names = Annotated[
    Literal["full", "short"],
    typer.Option(case_sensitive=False, help="In reports: full names of places, or abbreviations."),
]
Source = Annotated[
    str,
    typer.Argument(
        metavar="VARIANT|FILE",
        help="A variant (its opening), a position, an answer (the position after it), or a saved game.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Choices = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=READING", help="An option of the game; repeat it for more."),
]


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
    variants: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="PATH",
            envvar="LEGATION_VARIANTS",
            help="A variant file, or a folder of variants, boards and rules, to use by name; repeat it for more.",
        ),
    ] = None,
) -> None:
    """Run games of Diplomacy and its variants."""
    if version:
        from legation import __version__

        typer.echo(f"legation {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        context.fail("name a command")
    if variants:
        from legation.cli.terminal import make_known

        for path in variants:
            make_known(path)
        source = context.get_parameter_source("variants")
        if source and source.name == "COMMANDLINE" and context.invoked_subcommand in OF_AN_OFFICE:
            _give_to_office(variants)


OF_AN_OFFICE = ("serve", "worker", "restore", "doctor", "office", "catalog")


def _give_to_office(paths: list[Path]) -> None:
    """Have the office of this command play the variants of a folder, as its setting ``variants`` does."""
    from legation.cli.terminal import fail

    if len(paths) > 1 or not paths[0].is_dir():
        fail("an office uses one folder of variants: give --variants once, with a folder")
    os.environ["LEGATION_VARIANTS"] = str(paths[0].absolute())


@app.command(epilog="Example: legation variants --json")
def variants(as_json: Json = False) -> None:
    """List the variants that can be played."""
    from legation.cli.lists import list_variants

    list_variants(as_json)


@app.command(epilog="Example: legation rules hundred")
def rules(
    variant: Variant,
    as_json: Json = False,
    option: Choices = None,
    places: Annotated[bool, typer.Option("--places", help="Show the sources of the board's places instead.")] = False,
) -> None:
    """Show the rules of a variant.

    The basics, differences from the standard game, how to write orders, and the options.
    """
    from legation.cli.rulebook import show_rules

    show_rules(variant, as_json, option, places)


@app.command(epilog="Example: legation moves hundred 'English Channel'; legation moves hundred 'A par'")
def moves(
    variant: Variant,
    place: Annotated[str, typer.Argument(help="A province or coast by any of its names, or a unit in it.")],
    as_json: Json = False,
) -> None:
    """Show where an army or a fleet can move from a place."""
    from legation.cli.lists import show_moves

    show_moves(variant, place, as_json)


@app.command(
    epilog="Example: legation adjudicate turn.json --orders france.txt mail.txt --text --next turn2.json; "
    "cat turns.jsonl | legation adjudicate --jsonl -"
)
def adjudicate(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A position document, or an earlier answer; '-' is standard input."),
    ],
    sheets: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SHEET]...", help="Order sheets, or folders of them, as for --orders."),
    ] = None,
    orders: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SHEET...",
            help="An order sheet or a folder of them; each has headings with its powers, or is named after one.",
        ),
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="Print a report for people.")] = False,
    names: Names = "full",
    next_file: Annotated[
        Path | None, typer.Option("--next", metavar="FILE", help="Write the next position here.")
    ] = None,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="Read one document a line, write one answer a line.")] = False,
) -> None:
    """Judge a turn.

    Prints the verdicts with their causes, dislodged units, and the next position.
    """
    from legation.cli.judging import adjudicate_file, adjudicate_lines

    if text and jsonl:
        raise typer.BadParameter("--text and --jsonl exclude each other")
    texts = [*(orders or []), *(sheets or [])]
    if jsonl and (texts or next_file is not None):
        raise typer.BadParameter("--jsonl takes the orders from its documents, and its answers hold the next positions")
    if [file, *texts].count("-") > 1:
        raise typer.BadParameter("only one of the files can be standard input")
    if jsonl:
        adjudicate_lines(file)
    else:
        adjudicate_file(file, text, names, texts, next_file)


@app.command(epilog="Example: legation position hundred > turn.json")
def position(source: Source, option: Choices = None) -> None:
    """Print a position as a document.

    The opening of a variant, the position after a turn, or that of a saved game.
    """
    from legation.cli.positions import print_position

    print_position(source, option)


@app.command(epilog="Example: legation orders hundred --power France; legation orders turn.json")
def orders(
    variant: Source,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A position document; '-' is standard input; 'start' is the opening.")
    ] = "start",
    power: Annotated[str, typer.Option(help="Only the orders of this power.")] = "",
    as_json: Json = False,
) -> None:
    """List all legal orders of a position."""
    from legation.cli.judging import show_orders

    show_orders(variant, file, power, as_json)


@app.command(epilog="Example: legation replay game.json")
def replay(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A saved game; '-' is standard input.")],
    text: Annotated[bool, typer.Option("--text", help="Print the report of every turn.")] = False,
    names: Names = "full",
    turns: Annotated[int | None, typer.Option(min=1, help="With --text: only this many turns from the first.")] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the game with its new results, in the current format."),
    ] = None,
) -> None:
    """Judge a saved game again and report any difference."""
    from legation.cli.judging import replay_file

    if turns is not None and not text:
        raise typer.BadParameter("says how many reports to print; give --text too", param_hint="--turns")
    replay_file(file, text, turns, output, names)


@app.command(epilog="Example: legation analyze game.json -o game.html")
def analyze(
    file: Annotated[str, typer.Argument(metavar="GAME", help="A finished saved game; '-' is standard input.")],
    turn: Annotated[str, typer.Option(help="Analyze the orders of one turn only: its number or name.")] = "",
    over: Annotated[
        bool, typer.Option("--over", help="Treat the game as finished although the file has no ending.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write an .html or a .pdf file.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Analyze a finished game: turning points and mistakes."""
    from legation.cli.analyzing import analyze_file

    analyze_file(file, turn, over, output, as_json)


@app.command("import", epilog="Example: legation import sailho.zip -o variants; legation import game.json -o games")
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE|FOLDER|ZIP", help="A variant or game of another system.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="The folder for the result.")],
    format_: Annotated[str, typer.Option("--format", metavar="FORMAT", help="The format, if it isn't detected.")] = "",
    picture: Annotated[bool, typer.Option(help="Draw the board's map.")] = True,
    variant: Annotated[str, typer.Option(help="For a game: its variant, if the file doesn't name it.")] = "",
) -> None:
    """Import variants and games of other systems.

    A report lists what was imported, left out and guessed. Games are judged again, and every difference from the
    record is reported.
    """
    from legation.cli.importing import import_path

    import_path(file, output, format_, picture, variant)


@app.command(epilog="Example: legation export game.json --format mila -o mila.json")
def export(
    file: Annotated[str, typer.Argument(metavar="GAME", help="A saved game; '-' is standard input.")],
    format_: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="text, mila, diplicity-game, godip-game or judge-mail.")
    ] = "text",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="The file to write; the terminal by default.")
    ] = None,
) -> None:
    """Write a saved game in the format of another system.

    Lists what that format can't express.
    """
    from legation.cli.importing import export_path

    export_path(file, format_, output)


@app.command(
    epilog="Example: legation office proof powick-bridge > game.jsonl; legation verify game.jsonl --receipt mine.txt"
)
def verify(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The transcript of a game; '-' is standard input.")],
    key: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY", help="The office's public key, from a mail with results; repeat it for more."),
    ] = None,
    receipt: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="A receipt, refusal or signed head that you saved; repeat it for more."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Check a game from its transcript.

    Checks the closing of each turn, the orders that counted, and every result.
    """
    from legation.cli.verifying import verify_file

    verify_file(file, key or [], receipt or [], as_json)


@app.command(epilog="Example: legation play hundred --save mygame.json")
def play(
    variant: Annotated[
        str,
        typer.Argument(metavar="[VARIANT]", help="A variant's name or file; not needed with --resume."),
    ] = "",
    save: Annotated[Path | None, typer.Option(help="Save the game here after every turn.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Continue a saved game.")] = None,
    seed: Annotated[str, typer.Option(help="The seed for random draws; random by default.")] = "",
    option: Choices = None,
    me: Annotated[
        list[str] | None,
        typer.Option(help="A power that you play; repeat it for more. Bots play the others."),
    ] = None,
    bot: Annotated[
        str, typer.Option(help="With --me: the bot for the other powers (dumbbot, random or hold).")
    ] = "dumbbot",
) -> None:
    """Play in one terminal, with all powers or against bots."""
    from legation.cli.hotseat import play_game

    if not variant and resume is None:
        raise typer.BadParameter("name a variant (see 'legation variants'), or a saved game with --resume")
    play_game(variant, save, resume, seed, option, me, bot)


@app.command(epilog="Example: legation check VARIANT orders.txt --power NAME")
def check(
    source: Source,
    sheet: Annotated[str, typer.Argument(metavar="SHEET", help="A file with orders; '-' is standard input.")],
    power: Annotated[str, typer.Option(help="The power, if the text has no headings with powers.")] = "",
    as_json: Json = False,
) -> None:
    """Check orders before you send them.

    Shows how each line is understood, what's wrong, and what's missing.
    """
    from legation.cli.checking import check_file

    check_file(source, sheet, power, as_json)


@app.command(epilog="Example: legation lint myboard/")
def lint(
    path: Annotated[
        str, typer.Argument(metavar="PATH|VARIANT", help="A board folder, a variant file (.toml), or a variant's name.")
    ],
) -> None:
    """Check a board or variant of your own.

    Lists all errors with their places.
    """
    from legation.cli.linting import lint_named

    lint_named(path)


@app.command(epilog="Example: legation conformance --datc")
def conformance(
    datc: Annotated[bool, typer.Option("--datc", help="Run the Diplomacy Adjudicator Test Cases.")] = False,
    clauses: Annotated[bool, typer.Option("--clauses", help="List every clause of the rules with its tests.")] = False,
    part: Annotated[Literal["game", "service"] | None, typer.Option(help="Only clauses of this part.")] = None,
    as_json: Json = False,
) -> None:
    """Run the case files and list the rules they prove."""
    from legation.cli.proof import show_conformance

    show_conformance(datc, clauses, part, as_json)


@app.command(
    name="map",
    epilog='Example: legation map VARIANT -o board.svg; legation map game.json --turn "Fall 1905" -o turn.pdf',
)
def draw_map(
    source: Annotated[str, typer.Argument(metavar="VARIANT|FILE", help="A variant, a position, or a saved game.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write: .svg, .png or .pdf.")],
    theme: Annotated[
        Literal["light", "dark"], typer.Option(case_sensitive=False, help="Light or dark colors.")
    ] = "light",
    control: Annotated[bool, typer.Option("--control/--no-control", help="Show who owns what.")] = True,
    units: Annotated[bool, typer.Option("--units/--no-units", help="Show the units.")] = True,
    patterns: Annotated[bool, typer.Option("--patterns", help="Use patterns as well as colors for powers.")] = False,
    paper: Annotated[
        Literal["A4", "A3", "A2"],
        typer.Option(case_sensitive=False, help="For PDF: A4 (a report page), A3 or A2 (a printable board)."),
    ] = "A4",
    width: Annotated[int, typer.Option(min=100, max=20000, help="For PNG: width in pixels.")] = 1600,
    turn: Annotated[
        str, typer.Option(help="For a saved game: a turn's number or name, or 'now'; the last turn by default.")
    ] = "",
    power: Annotated[str, typer.Option(help="Show only what this power can see.")] = "",
    after: Annotated[bool, typer.Option("--after", help="Show the result of the turn instead of its orders.")] = False,
    names: Names = "full",
    language: Annotated[str, typer.Option(help="Use names in this language, if the board has them: de, fr.")] = "",
) -> None:
    """Draw a board, a position, or a turn with its orders."""
    from legation.cli.drawing import KINDS, draw

    if output.suffix.lower() not in KINDS:
        raise typer.BadParameter(f"the ending tells what to write; use {', '.join(KINDS)}", param_hint="--output")
    draw(source, output, theme, control, units, patterns, paper, width, turn, power, after, names, language)


@app.command(epilog="Example: legation site VARIANT -o site/")
def site(
    variant: Variant,
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to write the page to.")],
) -> None:
    """Write a web page that shows where units can move."""
    from legation.cli.drawing import write_site

    write_site(variant, output)


Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="The office's folder; created if missing.")]
Host = Annotated[str, typer.Option(help="The address to listen on.")]


@app.command(epilog="Example: legation serve myoffice --demo --port 8080")
def serve(
    folder: Folder,
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on.")] = 8000,
    host: Host = "127.0.0.1",
    demo: Annotated[bool, typer.Option("--demo", help="First create a demo game of every variant.")] = False,
    plain_logs: Annotated[bool, typer.Option("--plain-logs", help="Write a readable log instead of JSON.")] = False,
    no_worker: Annotated[bool, typer.Option("--no-worker", help="Leave due work to 'legation worker'.")] = False,
    no_mail: Annotated[bool, typer.Option("--no-mail", help="Don't receive or send mail here.")] = False,
) -> None:
    """Run an office.

    Pages, API, mail and worker in one process.
    """
    from legation.cli.serving import serve as run

    run(folder, host, port, demo, plain_logs, works=not no_worker, mails=not no_mail)


@app.command(epilog="Example: legation worker myoffice")
def worker(
    folder: Folder,
    once: Annotated[bool, typer.Option("--once", help="Do what is due, then stop.")] = False,
    plain_logs: Annotated[bool, typer.Option("--plain-logs", help="Write a readable log instead of JSON.")] = False,
    no_mail: Annotated[bool, typer.Option("--no-mail", help="Don't send mail; another process does.")] = False,
) -> None:
    """Do due work and send mails, alongside other workers."""
    from legation.cli.serving import run_worker

    run_worker(folder, once, plain_logs, mails=not no_mail)


@app.command(epilog="Example: LEGATION_KEEPER_TOKEN=... legation keeper keys/ --host 10.0.0.2")
def keeper(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of keys.")],
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on.")] = 8010,
    host: Host = "127.0.0.1",
    believes: Annotated[
        bool,
        typer.Option("--believes-ready", help="Believe the office when it says that all are ready."),
    ] = False,
) -> None:
    """Keep the keys of turns on a separate machine.

    Releases each key after its deadline.
    """
    from legation.cli.serving import run_keeper

    run_keeper(folder, host, port, believes=believes)


@app.command(epilog="Example: legation backup myoffice office-2027-01-15.tar.gz")
def backup(folder: Folder, to: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")]) -> None:
    """Back up an office while it runs (without its keys)."""
    from legation.cli.serving import make_backup

    make_backup(folder, to)


@app.command(epilog="Example: legation restore office-2027-01-15.tar.gz myoffice --keys /mnt/safe/keys --paused")
def restore(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.")],
    folder: Folder,
    keys: Annotated[Path | None, typer.Option(help="A copy of the office's folder of keys.")] = None,
    without_keys: Annotated[
        bool, typer.Option("--without-keys", help="Restore without the keys; sealed orders and letters stay sealed.")
    ] = False,
    paused: Annotated[
        bool, typer.Option("--paused", help="Pause all running games, until 'legation office resume-all'.")
    ] = False,
) -> None:
    """Restore an office from a backup and its keys."""
    from legation.cli.serving import restore_backup

    restore_backup(source, folder, keys, without_keys, paused)


@app.command(epilog="Example: legation doctor myoffice")
def doctor(folder: Folder, as_json: Json = False) -> None:
    """Check an office and say how to fix problems.

    Checks keys, permissions, settings, database, relay, mailbox, keeper, clock, files and games.
    """
    from legation.cli.serving import doctor as run

    run(folder, as_json)


@app.command(epilog="Example: LEGATION_TOKEN=... legation mcp https://games.example.org/games/naseby")
def mcp(
    game: Annotated[str, typer.Argument(metavar="ADDRESS", help="The address of the game's page.")],
    power: Annotated[str, typer.Option(help="The power to play, if you have several.")] = "",
) -> None:
    """Let a language model play a seat.

    Uses the Model Context Protocol on standard input and output.
    """
    from legation.cli.machines import serve_tools

    serve_tools(game, power)


@app.command(epilog="Example: legation daide standard --port 16713 --seats 1 --bot dumbbot -o game.json")
def daide(
    variant: Annotated[str, typer.Argument(metavar="VARIANT", help="A variant's name or the path of its file.")],
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port for programs; 0 for any free one.")] = 16713,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    seats: Annotated[int, typer.Option(min=1, help="How many powers programs play.")] = 1,
    bot: Annotated[str, typer.Option(help="The bot for the other powers.")] = "dumbbot",
    seconds: Annotated[float, typer.Option(min=0.1, help="Seconds that programs have for a turn.")] = 60.0,
    press: Annotated[int, typer.Option(help="0 for none, 10 for peace, alliances and draws.")] = 0,
    turns: Annotated[int, typer.Option(min=1, max=5000, help="The maximum number of turns.")] = 500,
    seed: Annotated[str, typer.Option(help="The seed for assigning powers, and for bots.")] = "",
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Save the game here.")] = None,
) -> None:
    """Host a game over TCP for programs that use DAIDE."""
    from legation.cli.machines import serve_daide

    serve_daide(variant, host, port, seats, bot, seconds, press, turns, seed, output)


app.add_typer(catalog)
app.add_typer(lab)
app.add_typer(office)
app.add_typer(variant)
