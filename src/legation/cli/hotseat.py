"""``legation play``: one terminal, all powers by turns."""

from __future__ import annotations

import secrets
from pathlib import Path
from random import Random

import typer

from legation.board import province_of
from legation.bots import NoSuchBotError, bot
from legation.cli.files import FileChangedError, KeptFile
from legation.cli.terminal import fail, indented, known_variants, load_variant, read_choices, read_json, say
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
    kept: _Save | None = None
    if resume is not None:
        kept = _Save(resume)
        wanted = load_variant(variant).name
        try:
            game = load_game(read_json(str(resume)), known_variants())
        except SavedGameError as error:
            fail(*(f"{resume}: {fault}" for fault in error.faults))
        if game.rules.name != wanted:
            fail(f"{resume} is a game of {game.rules.name}, not of {variant}")
        if seed or option:
            fail(f"the seed and the options of {resume} are fixed; leave out --seed and --option")
        if save is not None and save.resolve() != resume.resolve():
            kept = _new(save)
    else:
        game = Game(load_variant(variant, read_choices(option)), seed=seed or secrets.token_hex(16))
        if save is not None:
            kept = _new(save)
            kept.write(game, first=True)
    if game.ending is not None:
        say(f"The game has ended: {game.ending.kind} for {', '.join(game.ending.powers)} ({game.ending.reason}).")
        return
    mine = _mine(game.rules, me)
    for warning in game.warnings:
        say(f"Note: {warning}.")
    say(f"{game.rules.title}. {_help(game.rules, game.position)}\n")
    while game.ending is None:
        if game.turns and not mine & set(game.position.survivors()):
            say("No power of yours is left; the game stops here.")
            return
        try:
            sheets = collect(game.rules, game.position, mine, drafts := _drafts(game))
        except (EOFError, KeyboardInterrupt, typer.Abort):
            game.drafts = {power: [write(order) for order in orders] for power, orders in drafts.items() if orders}
            if kept is not None:
                kept.write(game)
            again = f" Go on with: legation play {variant} --resume {kept.path}" if kept else ""
            say(f"\nThe game stops here.{again}")
            return
        for power in game.rules.powers:
            if power not in mine:
                chance = Random(f"{game.seed}: {game.position.turn}: {power}")
                sheets.append(play(game.rules, game.position, power, chance))
        resolution = game.play(sheets)
        say("\n" + turn_report(game.rules, resolution) + "\n")
        if kept is not None:
            kept.write(game)


def _mine(rules: Ruleset, me: list[str] | None) -> frozenset[str]:
    """The powers that are played by hand."""
    try:
        return frozenset(rules.reader.power(name) for name in me) if me else frozenset(rules.powers)
    except OrderTextError as error:
        fail(f"--me: {error}")


class _Save:
    """The file of a game. What was played and typed goes into it, or into one beside it; it is never lost without a word."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file = KeptFile(path)
        self._note()

    def _note(self) -> None:
        try:
            self.file.note()
        except OSError as error:
            fail(f"{self.path}: {error.strerror or error}")

    def write(self, game: Game, *, first: bool = False) -> None:
        """Save the game; where somebody else has written the file meanwhile, under a new name beside it."""
        content = indented(save_game(game))
        try:
            self.file.write(content)
        except FileChangedError:
            taken = self.path
            self.path = next(p for n in range(2, 10_000) if not (p := taken.with_stem(f"{taken.stem}-{n}")).exists())
            self.file = KeptFile(self.path)
            self._note()
            say(
                f"{taken} was changed by somebody else meanwhile and is left as it is; this game is saved as {self.path}."
            )
            self.write(game)
        except OSError as error:
            if first:
                fail(f"{self.path}: {error.strerror or error}")
            say(
                f"legation: {self.path}: {error.strerror or error}; the file is as it was before, and so is the game",
                err=True,
            )
            if typer.confirm("Try to save it again?", default=True):
                self.write(game)


def _new(path: Path) -> _Save:
    """A file for a new game."""
    if path.exists():
        fail(f"{path} is there already; go on with it by --resume {path}, or name another file")
    return _Save(path)


def _drafts(game: Game) -> dict[str, list[Order]]:
    """What was written for this turn when the game was left."""
    rules, phase = game.rules, game.position.turn.phase
    drafts: dict[str, list[Order]] = {}
    for power, texts in game.drafts.items():
        if power in rules.powers:
            drafts[power], lost = rules.reader.orders("\n".join(texts), phase, power)
            for error in lost:
                say(f"{power}: {error}")
    return drafts


def collect(
    rules: Ruleset, position: Position, mine: frozenset[str], drafts: dict[str, list[Order]] | None = None
) -> list[Sheet]:
    """Ask each of these powers that has anything to order for its sheet; in movement every survivor, who may agree to a draw.

    What is typed stands in ``drafts``, whatever ends the asking; what stands there already is where the sheet goes on.
    """
    drafts = {} if drafts is None else drafts
    sheets: list[Sheet] = []
    possible = legal_orders(rules, position)
    alive = position.survivors() if position.turn.phase is Phase.MOVEMENT else ()
    for power in rules.powers:
        if power not in mine or (not possible[power] and power not in alive):
            continue
        say(f"{position.turn}: {power}")
        if position.turn.phase in (Phase.ADJUSTMENTS, Phase.PLACEMENT):
            say(f"  {business(rules, position, power)}")
        else:
            listed = [d.unit for d in position.dislodged] if position.turn.phase is Phase.RETREATS else position.units
            say("  " + ", ".join(str(u) for u in listed if u.power == power))
        orders = drafts.setdefault(power, [])
        if orders:
            say(f"  written already: {'; '.join(write(order) for order in orders)}")
        _sheet(rules, position, power, possible[power], orders)
        sheets.append(Sheet(power, tuple(orders)))
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


def _sheet(rules: Ruleset, position: Position, power: str, possible: list[Order], orders: list[Order]) -> None:
    """Take the lines of a sheet until it is closed; ``orders`` are those that stand on it."""
    while True:
        line = typer.prompt(f"  {power}", default="", show_default=False, prompt_suffix="> ").strip()
        word = line.lower()
        if word in ("", "pass", "done"):
            missing = check_orders(rules, position, power, orders).missing
            if orders and missing:
                say(f"    no order for {', '.join(missing)}")
            return
        if word == "quit":
            raise EOFError
        if word in ("help", "h"):
            say(_help(rules, position))
        elif word == "units":
            for other in rules.powers:
                say(f"    {other}: " + ", ".join(str(u) for u in position.units_of(other)))
            say(standing(rules, position))
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
                say(f"    {problem.message} in {' '.join(entry.text[:100].split())!r}{hint}")
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
        say(f"    {entry.order}{''.join(remarks)}")


def _list(rules: Ruleset, possible: list[Order], place: str) -> None:
    if place:
        try:
            place = rules.reader.location(place).partition("/")[0]
        except OrderTextError as error:
            say(f"    {error}")
            return
    for order in possible:
        if not place or str(getattr(order, "at", "")).partition("/")[0] == place:
            say(f"    {write(order)}")
