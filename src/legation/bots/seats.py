"""The bots at the seats of one game: called in their turn, held to what is legal, and never let to stop a run.

A bot that raises, answers with anything but orders, takes too long or orders what is illegal loses its move: its units
hold. Its faults are counted by power."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Mapping
from random import Random
from types import TracebackType

from legation.bots import Bot, bot, is_foreign
from legation.bots.programs import Program
from legation.judge import Refusal, Ruleset, Situation
from legation.orders import Sheet
from legation.position import Position


class BotSeats:
    """The players of one game, by power; programs are started with it and ended with it.

    ``names`` are bots by name, or programs as ``run: COMMAND``. Bots of other packages are programs too, as they could
    hang or end this process; they load the rules anew, by ``variant`` where that is not their own name. ``faults``
    counts how often each power's player lost its move; ``reasons`` keeps the last of them."""

    def __init__(self, rules: Ruleset, names: Mapping[str, str], *, seconds: float = 5.0, variant: str = "") -> None:
        self.rules = rules
        self.faults: Counter[str] = Counter()
        self.reasons: dict[str, str] = {}
        self._players: dict[str, Bot] = {}
        self._open = contextlib.ExitStack()
        for power, name in names.items():
            if name.startswith(PROGRAM):
                self._seat(Program(name.removeprefix(PROGRAM), rules, power, seconds=seconds, variant=variant))
            elif is_foreign(name):
                self._seat(Program.of_bot(name, rules, power, seconds=seconds, variant=variant))
            else:
                self._players[power] = bot(name)

    def _seat(self, program: Program) -> None:
        self._open.callback(program.close)
        self._players[program.power] = program

    def __enter__(self) -> BotSeats:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def sheets(self, position: Position, seed: str) -> list[Sheet]:
        """Every player's orders for a turn; a player sees the position as its power does."""
        return [self._sheet(position, power, Random(f"{seed}: {position.turn}: {power}")) for power in self._players]

    def _sheet(self, position: Position, power: str, random: Random) -> Sheet:
        try:
            sheet = self._players[power](self.rules, self.rules.seen(position, power), power, random)
            if not isinstance(sheet, Sheet) or sheet.power != power:
                raise TypeError(f"answered {sheet!r:.80} instead of a sheet of {power}")
            refuse_illegal(self.rules, position, sheet)
        except Exception as error:  # whatever a bot does, the run goes on
            self.faults[power] += 1
            self.reasons[power] = f"{position.turn}: {error or type(error).__name__}"
            return Sheet(power)
        return sheet


def refuse_illegal(rules: Ruleset, position: Position, sheet: Sheet) -> None:
    """Check a sheet.

    :raises ValueError: naming an order that is illegal."""
    situation = Situation(rules, position)
    for order in sheet.orders:
        effect = situation.interpret(sheet.power, order)
        if isinstance(effect, Refusal):
            raise ValueError(f"ordered what is illegal: {order} ({effect.reason})")


PROGRAM = "run:"
"""How a program is told from a bot: ``run: ./mybot``."""
