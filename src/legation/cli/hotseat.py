"""``legation play``: one terminal, all powers by turns."""

from __future__ import annotations

import secrets
from pathlib import Path
from random import Random

import msgspec
import typer

from legation.board import province_of
from legation.bots import NoSuchBotError, bot
from legation.cli.terminal import fail, known_variants, load_variant, read_choices, read_json
from legation.game import Game, SavedGameError, check_orders, check_sheet, load_game, save_game
from legation.game.report import business, standing, turn_report
from legation.judge import Ruleset, legal_orders
from legation.notation import OrderTextError, write
from legation.orders import Build, Convoy, Move, Order, Retreat, Sheet, SupportMove
from legation.position import Phase, Position

HELP = """Write orders one a line{examples}; an empty line ends the sheet. A later order for a unit replaces the earlier one.
  ?           the legal orders of this power     ? PLACE only those of the unit in a place
  units       where everybody stands             clear   begin the sheet again
  pass        end the sheet                      quit    stop the game (a saved game can be resumed)"""


def play_game(
    variant: str,
    save: Path | None,
    resume: Path | None,
    seed: str,
    option: list[str] | None,
    me: list[str] | None,
    against: str,
) -> None:
    """Play until the game ends or somebody quits; the powers of ``me`` by hand and the others by the bot ``against``, or all by hand."""
    try:
        play = bot(against)
    except NoSuchBotError as error:
        fail(f"--bot: {error}")
    if resume is not None:
        wanted = load_variant(variant).name
        try:
            game = load_game(read_json(str(resume)), known_variants())
        except SavedGameError as error:
            fail(*(f"{resume}: {fault}" for fault in error.faults))
        if game.rules.name != wanted:
            fail(f"{resume} is a game of {game.rules.name}, not of {variant}")
        if seed or option:
            fail(f"the seed and the options of {resume} are fixed; leave out --seed and --option")
        save = save or resume
    else:
        game = Game(load_variant(variant, read_choices(option)), seed=seed or secrets.token_hex(16))
        if save is not None:
            if save.exists():
                fail(f"{save} is there already; go on with it by --resume {save}, or name another file")
            _write(save, game)
    if game.ending is not None:
        typer.echo(
            f"The game has ended: {game.ending.kind} for {', '.join(game.ending.powers)} ({game.ending.reason})."
        )
        return
    mine = _mine(game.rules, me)
    for warning in game.warnings:
        typer.echo(f"Note: {warning}.")
    typer.echo(f"{game.rules.title}. {_help(game.rules, game.position)}\n")
    while game.ending is None:
        if game.turns and not mine & set(game.position.survivors()):
            typer.echo("No power of yours is left; the game stops here.")
            return
        try:
            sheets = collect(game.rules, game.position, mine)
        except (EOFError, KeyboardInterrupt, typer.Abort):
            typer.echo(
                "\nThe game stops here." + (f" Go on with: legation play {variant} --resume {save}" if save else "")
            )
            return
        for power in game.rules.powers:
            if power not in mine:
                chance = Random(f"{game.seed}: {game.position.turn}: {power}")
                sheets.append(play(game.rules, game.position, power, chance))
        resolution = game.play(sheets)
        typer.echo("\n" + turn_report(game.rules, resolution) + "\n")
        if save is not None:
            _write(save, game)


def _mine(rules: Ruleset, me: list[str] | None) -> frozenset[str]:
    """The powers that are played by hand."""
    try:
        return frozenset(rules.reader.power(name) for name in me) if me else frozenset(rules.powers)
    except OrderTextError as error:
        fail(f"--me: {error}")


def _write(path: Path, game: Game) -> None:
    """Write the game beside the old file and put it in its place, so that a crash leaves one of them whole."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(msgspec.json.format(msgspec.json.encode(save_game(game)), indent=1))
        part.replace(path)
    except OSError as error:
        fail(f"{path}: {error.strerror or error}")


def collect(rules: Ruleset, position: Position, mine: frozenset[str]) -> list[Sheet]:
    """Ask each of these powers that has anything to order for its sheet; in movement every survivor, who may agree to a draw."""
    sheets: list[Sheet] = []
    possible = legal_orders(rules, position)
    alive = position.survivors() if position.turn.phase is Phase.MOVEMENT else ()
    for power in rules.powers:
        if power not in mine or (not possible[power] and power not in alive):
            continue
        typer.echo(f"{position.turn}: {power}")
        if position.turn.phase in (Phase.ADJUSTMENTS, Phase.PLACEMENT):
            typer.echo(f"  {business(rules, position, power)}")
        else:
            listed = [d.unit for d in position.dislodged] if position.turn.phase is Phase.RETREATS else position.units
            typer.echo("  " + ", ".join(str(u) for u in listed if u.power == power))
        sheets.append(Sheet(power, tuple(_sheet(rules, position, power, possible[power]))))
    return sheets


def _help(rules: Ruleset, position: Position) -> str:
    """How orders are written, with examples from the position at hand."""
    legal = [order for orders in legal_orders(rules, position).values() for order in orders]
    examples = []
    for kind in (Build, Retreat, Move, SupportMove, Convoy):
        order = next((o for o in legal if isinstance(o, kind)), None)
        if order is not None:
            examples.append(write(order))
    return HELP.format(examples=f" ({'; '.join(examples)})" if examples else "")


def _sheet(rules: Ruleset, position: Position, power: str, possible: list[Order]) -> list[Order]:
    orders: list[Order] = []
    while True:
        line = typer.prompt(f"  {power}", default="", show_default=False, prompt_suffix="> ").strip()
        word = line.lower()
        if word in ("", "pass", "done"):
            missing = check_orders(rules, position, power, orders).missing
            if orders and missing:
                typer.echo(f"    no order for {', '.join(missing)}")
            return orders
        if word == "quit":
            raise EOFError
        if word in ("help", "h"):
            typer.echo(_help(rules, position))
        elif word == "units":
            for other in rules.powers:
                typer.echo(f"    {other}: " + ", ".join(str(u) for u in position.units_of(other)))
            typer.echo(standing(rules, position))
        elif word == "clear":
            orders.clear()
        elif word.startswith("?"):
            _list(rules, possible, word[1:].strip())
        else:
            _enter(rules, position, power, orders, line)


def _enter(rules: Ruleset, position: Position, power: str, orders: list[Order], line: str) -> None:
    """Add what a line orders; a later order for a unit replaces the earlier one, and says so."""
    sheet = "\n".join([*(write(order) for order in orders), line])
    check = check_sheet(rules, position, power, sheet)
    for entry in check.entries[len(orders) :]:
        problem = entry.problem
        if entry.given is None:
            if problem is not None:
                hint = f": did you mean {' or '.join(problem.suggestions)}?" if problem.suggestions else ""
                typer.echo(f"    {problem.message} in {' '.join(entry.text[:100].split())!r}{hint}")
            continue
        remarks = [f"  ({hint})" for hint in entry.hints]
        if problem is not None and problem.kind != "superseded":
            remarks.append(f"  (as things stand: {problem.message})")
        place = province_of(getattr(entry.given, "at", ""))
        before = [o for o in orders if place and province_of(getattr(o, "at", "")) == place]
        for order in before:
            orders.remove(order)
            if order != entry.given:
                remarks.append(f"  (instead of {write(order)})")
        orders.append(entry.given)
        typer.echo(f"    {entry.order}{''.join(remarks)}")


def _list(rules: Ruleset, possible: list[Order], place: str) -> None:
    if place:
        try:
            place = rules.reader.location(place).partition("/")[0]
        except OrderTextError as error:
            typer.echo(f"    {error}")
            return
    for order in possible:
        if not place or str(getattr(order, "at", "")).partition("/")[0] == place:
            typer.echo(f"    {write(order)}")
