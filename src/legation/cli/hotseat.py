"""``legation play``: one terminal, all powers by turns."""

from __future__ import annotations

import secrets
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from legation.atlas import NoMapError, for_variant
from legation.bots import NoSuchBotError, is_foreign
from legation.bots import bot as bot_named
from legation.bots.seats import BotSeats
from legation.cli.app import Choices, app
from legation.cli.files import FileChangedError, KeptFile
from legation.cli.terminal import (
    by_unit,
    columns,
    fail,
    faults_as_lines,
    indented,
    known_variants,
    lacks,
    load_variant,
    read_choices,
    read_game,
    say,
    say_report,
    wipe,
    wrapped,
    write_file,
)
from legation.game import Game, PlayedTurn, SheetCheck, check_orders, check_sheet, save_game
from legation.game.report import business, count, ended, standing, turn_report
from legation.game.views import seen_turn
from legation.judge import Ruleset, legal_orders
from legation.notation import OrderTextError, agrees, possessive, write
from legation.notation.errors import said_of
from legation.orders import Build, Convoy, Move, Order, Retreat, Sheet, SupportMove, province_at
from legation.position import Phase, Position

HELP = (
    "Write one order on each line{examples}; a later order for a unit replaces the earlier one. "
    "An empty line ends the sheet; if a unit has no order, enter a second one."
)
COMMANDS = (
    "?        the legal orders",
    "? PLACE  the legal orders of the unit there",
    "orders   the orders on the sheet",
    "units    the positions of all units",
    "map      draw the map to a file",
    "undo     take back the last line",
    "clear    start the sheet again",
    "pass     end the sheet at once",
    "help     this text",
    "quit     stop; you can continue later",
)


@app.command(epilog="Example: legation play hundred --save mygame.json")
def play(
    variant: Annotated[
        str, typer.Argument(metavar="[VARIANT]", help="A variant's name or file; not needed with --resume.")
    ] = "",
    save: Annotated[Path | None, typer.Option(help="Save the game here after every turn.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Continue a saved game.")] = None,
    seed: Annotated[str, typer.Option(help="The seed for random draws; random by default.")] = "",
    option: Choices = None,
    me: Annotated[
        list[str] | None, typer.Option(help="A power that you play; repeat it for more. Bots play the others.")
    ] = None,
    bot: Annotated[
        str, typer.Option(help="With --me: the bot for the other powers (dumbbot, random or hold).")
    ] = "dumbbot",
) -> None:
    """Play in one terminal, with all powers or against bots."""
    if not variant and resume is None:
        raise typer.BadParameter("name a variant (see 'legation variants'), or a saved game with --resume")
    with faults_as_lines(NoSuchBotError, of="--bot"):
        if not is_foreign(bot):
            bot_named(bot)
    game, kept = _begin(variant, save, resume, seed, option)
    if game.ending is not None:
        say(ended(game.rules, game.ending))
        return
    mine = _mine(game.rules, me)
    for warning in game.warnings:
        say(f"Note: {warning}.")
    sight = game.rules.seen(game.position, min(mine, key=list(game.rules.powers).index))
    say(f"{game.rules.title}\n{_help(game.rules, sight)}\n")
    others = dict.fromkeys((power for power in game.rules.powers if power not in mine), bot)
    with BotSeats(game.rules, others, variant=variant) as table:
        _play_on(game, mine, table, kept, _again(game.rules, variant, mine, bot))
        if table.faults:
            lost = ", ".join(f"{power} {count(number, 'move')}" for power, number in table.faults.items())
            say(f"The bot {bot} lost moves: {lost}.")


def _play_on(game: Game, mine: frozenset[str], table: BotSeats, kept: _Save | None, again: list[str]) -> None:
    while game.ending is None:
        if game.turns and not mine & set(game.position.survivors()):
            say("All your powers are eliminated; the game stops here.")
            return
        try:
            sheets = collect(game.rules, game.position, mine, drafts := _drafts(game), game.turns[-1:])
        except (EOFError, KeyboardInterrupt, typer.Abort):
            _stop(game, drafts, kept, again)
            return
        reasons = dict(table.reasons)
        sheets += table.sheets(game.position, game.seed)
        for power, why in table.reasons.items():
            if reasons.get(power) != why and not _hidden(game.rules, game.position, mine):
                say(wrapped(f"{possessive(power)} bot lost its move, and its units hold: {why}"))
        before, resolution = game.position, game.play(sheets)
        if game.ending is not None or not _hidden(game.rules, before, mine):
            say()
            say_report(turn_report(game.rules, resolution))
            say()
        if kept is not None:
            kept.write(game)


def _begin(
    variant: str, save: Path | None, resume: Path | None, seed: str, option: list[str] | None
) -> tuple[Game, _Save | None]:
    """A new game, or the one to go on with; and the file that it is kept in."""
    if resume is None:
        game = Game(load_variant(variant, read_choices(option)), seed=seed or secrets.token_hex(16))
        if save is None:
            return game, None
        new = _new(save)
        new.write(game, first=True)
        return game, new
    kept = _Save(resume)
    wanted = load_variant(variant).name if variant else ""
    game = read_game(str(resume))
    if wanted and game.rules.name != wanted:
        fail(f"{resume} is a game of {game.rules.name}, not of {variant}")
    if seed or option:
        fail(f"the seed and the options of {resume} are fixed; leave out --seed and --option")
    if save is not None and save.resolve() != resume.resolve():
        kept = _new(save)
    return game, kept


def _stop(game: Game, drafts: dict[str, list[Order]], kept: _Save | None, again: list[str]) -> None:
    """Keep the game with what was written for this turn; a game without
    a file gets one, so that nothing typed is lost."""
    game.drafts = {power: [write(order) for order in orders] for power, orders in drafts.items() if orders}
    if kept is None and (game.turns or game.drafts):
        names = (f"{game.rules.name}-game{number}.json" for number in ("", *(f"-{n}" for n in range(2, 10_000))))
        kept = _new(next(path for name in names if not (path := Path(name)).exists()))
    if kept is None:
        say("\nThe game stops here.")
        return
    kept.write(game)
    say(f"\nThe game stops here. Continue with: {shlex.join([*again, '--resume', str(kept.file.path)])}")


def _again(rules: Ruleset, variant: str, mine: frozenset[str], against: str) -> list[str]:
    """The command that goes on with a game as it is played: by the same people, against the same bot."""
    own = [variant] if variant.endswith(".toml") else []  # a variant that is known by its file alone
    by_hand = [word for power in rules.powers if power in mine for word in ("--me", power)]
    machines = [*by_hand, "--bot", against] if len(mine) < len(rules.powers) else []
    return ["legation", "play", *own, *machines]


def _hidden(rules: Ruleset, position: Position, mine: frozenset[str]) -> bool:
    """Whether one of these powers does not see all: then each is told for itself."""
    return any(rules.visible_provinces(position, power) is not None for power in mine)


def _mine(rules: Ruleset, me: list[str] | None) -> frozenset[str]:
    with faults_as_lines(OrderTextError, of="--me"):
        return frozenset(rules.reader.power(name) for name in me) if me else frozenset(rules.powers)


class _Save:
    """The file of a game.

    What was played and typed goes into it, or into one beside it; it is never lost without a word."""

    def __init__(self, path: Path) -> None:
        self.file = KeptFile(path)

    def write(self, game: Game, *, first: bool = False) -> None:
        """Save the game; where somebody else has written the file meanwhile, under a new name beside it."""
        content = indented(save_game(game))
        try:
            self.file.write(content)
        except FileChangedError:
            taken = self.file.path
            beside = next(p for n in range(2, 10_000) if not (p := taken.with_stem(f"{taken.stem}-{n}")).exists())
            self.file = KeptFile(beside)
            say(f"{taken} was changed by another program and isn't overwritten; this game is saved as {beside}.")
            self.write(game)
        except OSError as error:
            told = f"{self.file.path}: {error.strerror or error}"
            if first:
                fail(told)
            say(f"legation: {told}; the file is as it was before, and so is the game", err=True)
            if typer.confirm("Try to save it again?", default=True):
                self.write(game)


def _new(path: Path) -> _Save:
    if path.exists():
        fail(f"{path} already exists; continue it with --resume {path}, or name another file")
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
    rules: Ruleset,
    position: Position,
    mine: frozenset[str],
    drafts: dict[str, list[Order]] | None = None,
    last: Sequence[PlayedTurn] = (),
) -> list[Sheet]:
    """Ask each of these powers that has anything to order for its sheet; in movement every survivor, who may agree to a
    draw.

    What is typed stands in ``drafts``, whatever ends the asking; what stands there already is where the sheet goes on.
    Each power is shown what it may see; of the ``last`` turn it gets its own report where not all see all. Where
    several play, nobody sees another's sheet."""
    drafts = {} if drafts is None else drafts
    sheets: list[Sheet] = []
    alive = position.survivors() if position.turn.phase is Phase.MOVEMENT else ()
    views = {power: rules.seen(position, power) for power in rules.powers if power in mine}
    legal = {power: legal_orders(rules, view, (power,))[power] for power, view in views.items()}
    asked = [power for power in views if legal[power] or power in alive]
    hidden = _hidden(rules, position, mine)
    for number, power in enumerate(asked):
        if len(asked) > 1 and (number or hidden):
            _hand_over(power)
        if hidden:
            for turn in last:
                say_report(turn_report(rules, seen_turn(rules, turn, power).resolution, power=power) + "\n")
        orders = drafts.setdefault(power, [])
        _introduce(rules, views[power], power, orders)
        _Sheet(rules, views[power], power, legal[power], orders).take()
        sheets.append(Sheet(power, tuple(orders)))
    if len(asked) > 1:
        wipe()
    return sheets


def _hand_over(power: str) -> None:
    """Let the next power sit down at a screen on which nothing is left of the last one's sheet."""
    wipe()
    if sys.stdin.isatty():
        typer.prompt(
            f"{power} {agrees(power, 'is', 'are')} next; press Enter", default="", show_default=False, prompt_suffix=" "
        )


def _introduce(rules: Ruleset, position: Position, power: str, orders: list[Order]) -> None:
    say(f"{position.turn}: {power}")
    if position.turn.phase in (Phase.ADJUSTMENTS, Phase.PLACEMENT):
        say(wrapped(business(rules, position, power), "  "))
    elif position.turn.phase in (Phase.MOVEMENT, Phase.RETREATS):
        listed = [d.unit for d in position.dislodged] if position.turn.phase is Phase.RETREATS else position.units
        say(wrapped(", ".join(str(u) for u in listed if u.power == power), "  "))
    if orders:
        say(wrapped("; ".join(write(order) for order in orders), "  written already: ", 4))


def _help(rules: Ruleset, position: Position) -> str:
    legal = [order for orders in legal_orders(rules, position).values() for order in orders]
    examples = []
    for kind in (Build, Retreat, Move, SupportMove, Convoy):
        order = next((o for o in legal if isinstance(o, kind)), None)
        if order is not None:
            examples.append(write(order))
    text = HELP.format(examples=f" ({'; '.join(examples)})" if examples else "")
    return f"{wrapped(text)}\n{columns(COMMANDS)}"


MOST_FAULTY = 10  # lines that can't be read, which are kept while a sheet is written


class _Sheet:
    """A sheet while it is written. ``orders`` are those that stand on it."""

    def __init__(
        self, rules: Ruleset, position: Position, power: str, possible: list[Order], orders: list[Order]
    ) -> None:
        self.rules = rules
        self.position = position
        self.power = power
        self.possible = possible
        self.orders = orders
        self.lines = [write(order) for order in orders]
        self.earlier: list[list[str]] = []  # what stood on it before each line

    def take(self) -> None:
        """Take lines until the sheet is closed.

        A sheet with something left out is summed up first, and closed when that is said again."""
        warned = False
        while True:
            line = typer.prompt(f"  {self.power}", default="", show_default=False, prompt_suffix="> ").strip()
            lacking = [] if line else lacks(check_orders(self.rules, self.position, self.power, self.orders))
            if line.lower() in ("pass", "done") or (not line and (warned or not lacking)):
                return
            warned = not line
            if line:
                self._line(line)
                continue
            self.lines.append("")
            self._show()
            say(wrapped("; ".join(lacking), "    "))
            say("    Write on, or press Enter again to close the sheet.")

    def _show(self) -> None:
        for order in self.orders:
            say(f"    {write(order)}")
        if not self.orders:
            say("    nothing is on the sheet")

    def _line(self, line: str) -> None:
        """What a line asks for, or orders."""
        word = line.lower()
        if word == "quit":
            raise EOFError
        if word in ("help", "h"):
            say(_help(self.rules, self.position))
        elif word == "units":
            for other in self.rules.powers:
                if units := self.position.units_of(other):
                    say(wrapped(", ".join(map(str, units)), f"    {other}: ", 6))
            say_report(standing(self.rules, self.position, self.power))
        elif word == "orders":
            self._show()
        elif word == "map":
            self._map()
        elif word == "undo":
            if self.earlier:
                self._set(self.earlier.pop())
                self._show()
            else:
                say("    there is nothing to take back")
        elif word == "clear":
            self.earlier.append(self.lines)
            self._set([])
        elif word.startswith("?"):
            self._list(line[1:].strip())
        else:
            self._enter(line)

    def _set(self, lines: list[str]) -> SheetCheck:
        """Let these lines stand on the sheet; of several orders for a unit the last counts."""
        check = check_sheet(self.rules, self.position, self.power, "\n".join(lines))
        last: dict[object, Order] = {}
        for number, entry in enumerate(check.entries):
            if entry.given is not None:
                key = province_at(entry.given) or number
                last.pop(key, None)
                last[key] = entry.given
        faults = sorted({entry.line for entry in check.entries if entry.problem is not None and entry.given is None})
        self.lines = [line for number, line in enumerate(lines, 1) if number not in faults[:-MOST_FAULTY]]
        self.orders[:] = last.values()
        return check

    def _map(self) -> None:
        try:
            atlas = for_variant(self.rules.name, known_variants())
        except NoMapError as error:
            say(f"    {error}")
            return
        hidden = self.rules.hidden_provinces(self.position, self.power)
        picture = atlas.svg(self.position, title=f"{self.position.turn}: {self.power}", hidden=hidden)
        path = Path(f"{self.rules.name}-map.svg")
        write_file(path, picture.encode())
        say(f"    {path}: open it in a browser")

    def _enter(self, line: str) -> None:
        """Add what a line orders, below what was typed before; a later order for a unit replaces the earlier one, and
        says so."""
        before = list(self.orders)
        above = sum(len(text) + 1 for text in self.lines)
        lines = self.lines
        check = self._set([*self.lines, line])
        if self.orders != before:
            self.earlier.append(lines)
        read = {id(order) for order in self.orders if order not in before}  # of earlier lines, too
        entries = [entry for entry in check.entries if entry.span[1] > above or id(entry.given) in read]
        replaced = {province_at(entry.given) for entry in entries if entry.given is not None} - {""}
        for order in before:
            if order not in self.orders and province_at(order) not in replaced:
                say(f"    {write(order)} is off the sheet")
        for entry in entries:
            problem = entry.problem
            if entry.given is None:
                if problem is not None:
                    say(wrapped(said_of(entry.text, problem.message, tuple(problem.suggestions)), "    ", 6))
                continue
            remarks = [f"  ({hint})" for hint in entry.hints]
            if problem is not None and problem.kind != "superseded":
                remarks.append(f"  (as things stand: {problem.message})")
            earlier = [
                order for order in before if province_at(order) and province_at(order) == province_at(entry.given)
            ]
            remarks += [f"  (instead of {write(order)})" for order in earlier if order != entry.given]
            say(f"    {entry.order}{''.join(remarks)}")
        if not any(entry.given for entry in entries) and any(
            entry.given for entry in check_sheet(self.rules, self.position, self.power, line).entries
        ):
            say("    by itself it can be read: press Enter and type it again")

    def _list(self, place: str) -> None:
        if place:
            try:
                place = self.rules.reader.location(place).partition("/")[0]
            except OrderTextError as error:
                say(f"    {error}")
                return
        listed = [o for o in self.possible if not place or province_at(o) == place]
        say(columns(by_unit(write(order) for order in listed), 4) or "    none")
