"""What the commands of ``legation lab`` do."""

import math
import tempfile
from itertools import islice
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from legation.bots import bot, is_foreign
from legation.bots.balance import Balance
from legation.bots.programs import check_command
from legation.bots.seats import PROGRAM
from legation.cli.app import Json, lab_group
from legation.cli.terminal import (
    check_output,
    fail,
    faults_as_lines,
    indented,
    load_variant,
    say,
    show_progress,
    variant_name,
    write_file,
    write_json,
)
from legation.game import save_game
from legation.game.report import count
from legation.judge import Ruleset, changes
from legation.lab.balance import measure
from legation.lab.comparing import compare
from legation.lab.games import compile_all
from legation.lab.policy.examples import prepare, prepare_played
from legation.lab.puzzles import find_puzzles
from legation.lab.report import report_on
from legation.lab.report.document import write_document
from legation.lab.results import Results
from legation.lab.running import run
from legation.lab.runs import RunPlan, piece_for, replay, why_not_dense
from legation.variants import STANDARD

BotsVariant = Annotated[str, typer.Argument(metavar="VARIANT", help="A variant's name or the path of its file.")]
Games = Annotated[int, typer.Option(min=1, max=10_000_000, help="The number of games.")]
Turns = Annotated[int, typer.Option(min=1, max=5000, help="The maximum number of turns in a game.")]
Seed = Annotated[str, typer.Option(help="The same seed plays the same games.")]
Jobs = Annotated[int, typer.Option(min=1, max=1024, help="Processes on this machine.")]
Seconds = Annotated[float, typer.Option(min=0.01, help="Seconds that a program has for each answer.")]

JUDGES = ("dumbbot", "random")


@lab_group.command(epilog="Example: legation lab balance hundred --bot dumbbot --games 200")
def balance(
    variant: BotsVariant,
    bots: Annotated[
        list[str] | None, typer.Option("--bot", help="A bot that plays all seats; repeat it for more.")
    ] = None,
    games: Games = 100,
    turns: Turns = 300,
    seed: Seed = "balance",
    jobs: Jobs = 1,
    as_json: Json = False,
) -> None:
    """Measure the balance of a variant between bots."""
    reports = []
    for name in bots or JUDGES:
        rules, plan = _plan(variant, (name,), games, seed, turns, 5.0, False)
        reports.append(measure(rules, plan, jobs=jobs))
    if as_json:
        return write_json(reports)
    for report in reports:
        for line in _lines(rules.title, report):
            say(line)


def _lines(title: str, report: Balance) -> list[str]:
    width = max(len(row.power) for row in report.powers)
    lines = [
        f"{title}: {report.games} games of {report.bot}, {report.mean_turns:.0f} turns on average",
        "",
        f"  {'':<{width}}  alone (95 %)           shared  survives  centers   score",
    ]
    for row in report.powers:
        parts = f"{row.draws:7.0%} {row.survives:9.0%} {row.centers:8.1f} {row.score:7.1%}"
        lines.append(f"  {row.power:<{width}} {_share(row.solos, report.interval(row)):22} {parts}")
    lines += [
        "",
        f"An even score is {report.even:.1%}; unevenness {report.unevenness:.2f} (0: even, 1: one takes all).",
    ]
    if report.unfinished:
        lines.append(f"{report.unfinished} games had not ended after {report.most_turns} turns.")
    return [*lines, "Bots are not people.", ""]


@lab_group.command(epilog="Example: legation lab play standard --bots dumbbot --games 1000 --seed 1 -o results")
def play(
    variant: BotsVariant,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="The folder for the results.")],
    bots: Annotated[
        str,
        typer.Option(
            help="Bots separated by commas, one for all seats or several that rotate: dumbbot,random. "
            "A program of your own is 'run: COMMAND'."
        ),
    ] = "dumbbot",
    games: Games = 100,
    seed: Seed = "1",
    turns: Turns = 300,
    jobs: Jobs = 1,
    scheduler: Annotated[
        str, typer.Option(metavar="ADDRESS", help="A dask.distributed scheduler to use: tcp://host:8786.")
    ] = "",
    seconds: Seconds = 5.0,
    fixed: Annotated[bool, typer.Option("--fixed", help="Keep every bot in the same seat in all games.")] = False,
    plain: Annotated[
        bool,
        typer.Option("--plain", help="Don't store orders, borders, contacts and openings; reports then lack them."),
    ] = False,
) -> None:
    """Play games between bots and store the results as Parquet. If stopped, the same command continues."""
    named = tuple(name.strip() for name in bots.split(",") if name.strip())
    rules, plan = _plan(variant, named, games, seed, turns, seconds, fixed)
    plan = msgspec.structs.replace(plan, record=not plain)
    _carry_out(Results.begin(output, plan), rules, jobs, scheduler)


@lab_group.command("compare", epilog="Example: legation lab compare dumbbot random --variant hundred --games 200")
def compare_bots(
    bots: Annotated[list[str], typer.Argument(metavar="BOT...", help="Two or more bots.")],
    variant: Annotated[str, typer.Option(metavar="VARIANT", help="The variant; standard by default.")] = "",
    games: Games = 100,
    seed: Seed = "1",
    turns: Turns = 300,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FOLDER", help="Store the results, to continue later.")
    ] = None,
    jobs: Jobs = 1,
    seconds: Seconds = 5.0,
    as_json: Json = False,
) -> None:
    """Play bots against each other in all seats, and rate them."""
    variant = variant or STANDARD
    if len(set(bots)) < 2:
        fail("name two or more bots to compare")
    rules, plan = _plan(variant, tuple(bots), games, seed, turns, seconds, False)
    with tempfile.TemporaryDirectory() as folder:
        results = Results.begin(output or Path(folder), plan)
        _carry_out(results, rules, jobs, "", kept=output is not None)
        standings = compare(results)
    if as_json:
        return write_json(standings)
    equal = 1 / len(rules.powers)
    width = max(len(standing.bot) for standing in standings)
    say(f"{rules.title}: {games} games; an equal has {equal:.1%} of each game.\n")
    say(f"  {'':<{width}}  seats  alone (95 %)           survives (95 %)        score a seat    rating         faults")
    for s in standings:
        half = "" if math.isinf(s.score_half) else f"+-{100 * s.score_half:.1f}"
        say(
            f"  {s.bot:<{width}} {s.seats:6} {_share(s.solos, s.solos_interval):22} "
            f"{_share(s.survives, s.survives_interval):22} {100 * s.score:5.1f} %{half:<7} "
            f"{s.rating:6.1f} +-{s.rating_error:4.1f} {s.faults:6}"
        )


def _share(share: float, interval: tuple[float, float]) -> str:
    return f"{share:6.1%} ({interval[0]:.1%}-{interval[1]:.1%})"


@lab_group.command("game", epilog="Example: legation lab game results 17 -o game17.json")
def save_played(
    folder: Annotated[Path, typer.Argument(metavar="RESULTS", help="A folder of results.")],
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="The number of a game.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="The file to write.")] = None,
) -> None:
    """Play one game of the results again and save it as an ordinary game."""
    plan = Results.read(folder).plan
    if not 0 <= number < plan.games:
        fail(f"{folder} has games 0 to {plan.games - 1}, not {number}")
    rules = load_variant(plan.variant)
    if changes(plan.rules, rules):
        fail(f"the rules of {plan.variant} have changed since the games in {folder} were played")
    game = replay(plan, number, rules)
    saved = save_game(game)
    if output is None:
        return write_json(saved)
    write_file(output, indented(saved))
    say(f"{output}: {count(len(game.turns), 'turn')} of {rules.title}; legation replay {output}")


@lab_group.command("report", epilog="Example: legation lab report results -o report.html")
def report_results(
    folder: Annotated[Path, typer.Argument(metavar="RESULTS", help="A folder of results.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="An .html or a .pdf file.")],
    other: Annotated[
        Path | None, typer.Argument(metavar="[OTHER]", help="Other results of the same powers, to compare.")
    ] = None,
) -> None:
    """Write a report on results with figures and tables."""
    check_output(output, ".html", ".pdf")
    write_document(report_on(Results.read(folder), Results.read(other) if other is not None else None), output)
    say(str(output))


def _plan(
    variant: str, bots: tuple[str, ...], games: int, seed: str, turns: int, seconds: float, fixed: bool
) -> tuple[Ruleset, RunPlan]:
    rules = load_variant(variant)
    if not bots or len(bots) > len(rules.powers):
        fail(f"{rules.title} has {len(rules.powers)} seats; name from 1 to {len(rules.powers)} bots")
    for name in bots:
        if name.startswith(PROGRAM):
            check_command(name.removeprefix(PROGRAM))
        elif not is_foreign(name):
            bot(name)
    name = variant_name(variant)
    piece = piece_for(rules, bots)
    plan = RunPlan(name, bots, games, seed, turns, piece=piece, fixed=fixed, seconds=seconds, rules=rules.digest)
    return rules, plan


def _carry_out(results: Results, rules: Ruleset, jobs: int, scheduler: str, *, kept: bool = True) -> None:
    """Play what is left, with a line of progress; stopped by Ctrl-C, what is done is kept, where results are kept."""
    reason = why_not_dense(rules, results.plan.bots)
    if reason and results.left:
        say(f"Played by the judge, turn by turn, which is slower: {reason}.", err=True)
    progress = None
    if not reason and results.left:
        compile_all(_show_compiling)
    if results.left:
        show_progress(f"0 of {results.plan.games} games")
    try:
        for progress in run(results, rules, jobs=jobs, scheduler=scheduler):
            show_progress(str(progress))
    except KeyboardInterrupt:
        left = f": {len(results.left)} of {results.plan.pieces} pieces are left; the same command goes on"
        say(f"\nStopped{left if kept else '; with -o FOLDER the games would have been kept'}.", err=True)
        raise SystemExit(130) from None
    show_progress("")
    where = f"{results.folder}: " if kept else ""
    say(f"{where}{progress or 'all games were there already'}", err=True)
    if progress is not None:
        for name, count in progress.faults.items():
            say(f"{name} lost {count} moves, the last in {progress.reasons[name]}", err=True)


@lab_group.command(name="compile", epilog="Example: legation lab compile")
def compile_games() -> None:
    """Compile the lab and the strong bots in advance: half a minute, once."""
    compile_all(_show_compiling)
    say("The lab and its bots are compiled.")


def _show_compiling(done: int, functions: int) -> None:
    if done == 0:
        say("Compiling the lab for this machine, once.", err=True)
    show_progress(f"[{'#' * (30 * done // functions):.<30}]" if done < functions else "")


@lab_group.command("train", epilog="Example: legation lab train games.jsonl.xz --also hundred -o trained --seed 1")
def train_policy(
    games: Annotated[
        list[Path], typer.Argument(metavar="GAMES...", help="Recorded games: one a line as JSON, packed by gzip or xz.")
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="The folder for examples, weights and report.")
    ],
    variant: Annotated[str, typer.Option(metavar="VARIANT", help="Their variant; standard by default.")] = STANDARD,
    also: Annotated[
        list[str] | None, typer.Option(metavar="VARIANT", help="Learn from games of a bot in this variant, too.")
    ] = None,
    epochs: Annotated[int, typer.Option(min=1, max=1000, help="How often each game is learned from.")] = 3,
    share: Annotated[
        float, typer.Option(min=0.01, max=1.0, help="The part of the recorded positions in an epoch.")
    ] = 1.0,
    rate: Annotated[float, typer.Option(min=1e-6, max=1.0, help="The greatest step of learning.")] = 2e-3,
    begun: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Go on from these weights (a weights.npz).")
    ] = None,
    keep: Annotated[
        float, typer.Option(min=0.0, max=0.99, help="The part of those weights in the mean that is written.")
    ] = 0.0,
    seed: Annotated[int, typer.Option(help="The same seed gives the same weights.")] = 1,
) -> None:
    """Train the policy of human orders on recorded games; needs the extra 'train'."""
    try:
        from legation.lab.policy import training
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        fail("training needs PyTorch; install it with: pip install 'legation[train]'")
    for path in (*games, *([begun] if begun is not None else [])):
        if not path.is_file():
            fail(f"there is no file {path}")
    output.mkdir(parents=True, exist_ok=True)
    say("Reading the games.", err=True)
    with faults_as_lines(ValueError):
        examples = {variant: prepare(variant, games, output)}
    examples |= {name: prepare_played(name, output) for name in also or ()}

    def told(epoch: int, step: int, loss: float) -> None:
        say(f"epoch {epoch + 1}, step {step}: loss {loss:.3f}", err=True)

    plan = training.TrainingPlan(epochs=epochs, rate=rate, seed=seed, share=share, keep=keep)
    weights = training.read_weights(begun) if begun is not None else None
    report = training.train_policy(output, plan, examples, told, weights)
    for what, number in (*report.learned.items(), *report.held_out.items()):
        say(f"{what}: {number:,}" if isinstance(number, int) else f"{what}: {number:.4f}")
    say(f"{output}: weights.npz and report.json")


@lab_group.command(epilog="Example: legation lab puzzles hundred --count 20 -o puzzles.jsonl")
def puzzles(
    variant: BotsVariant,
    games: Annotated[
        list[Path] | None,
        typer.Option("--games", help="Recorded games, one as JSON a line (.gz, .xz); repeatable. Without, bots play."),
    ] = None,
    count: Annotated[int, typer.Option(min=1, max=100_000, help="The number of puzzles.")] = 10,
    seed: Seed = "1",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="A file; otherwise the screen.")] = None,
) -> None:
    """Find puzzles: places that a power can take or keep whatever the others order."""
    if output is not None:
        check_output(output)
    rules = load_variant(variant)
    found = [msgspec.json.encode(puzzle) for puzzle in islice(find_puzzles(rules, games or [], seed), count)]
    if output is None:
        for line in found:
            say(line.decode())
    else:
        write_file(output, b"".join(line + b"\n" for line in found))
