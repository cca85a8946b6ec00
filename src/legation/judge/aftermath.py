"""The mutable result of a phase, on which the rules work in turn."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, TypeVar

import msgspec

from legation.judge.lots import Lot
from legation.judge.lots import draw as draw_lots
from legation.judge.verdicts import Outcome, Verdict
from legation.orders import Order, Sheet
from legation.position import Dislodged, Position, Unit

T = TypeVar("T", bound=Order)


class Aftermath(msgspec.Struct, dict=True):
    """The result of a phase before centers change hands and the turn advances.

    ``sheets`` has the orders that were not illegal: of the others nothing comes. ``judged`` makes the verdicts, before
    rules add theirs. ``retreats`` gives for each dislodged unit's province where it may go. ``attacks`` maps a province
    to the powers whose units attacked it with a route that stood (movement only, where a rule works on what it led to).
    ``seed`` is the seed for lots, ``lots`` what was drawn with it; ``limits`` are the bounds of the judge's work that
    were reached."""

    before: Position
    sheets: tuple[Sheet, ...]
    seed: str
    units: list[Unit]
    slices: dict[str, Any]
    judged: Callable[[], list[Verdict]] = list
    dislodged: list[Dislodged] = []
    retreats: dict[str, tuple[str, ...]] = {}
    contested: frozenset[str] = frozenset()
    attacks: dict[str, frozenset[str]] = {}
    lots: list[Lot] = []
    owners: dict[str, str] = {}
    limits: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.owners = dict(self.before.owners)

    @cached_property
    def verdicts(self) -> list[Verdict]:
        """What became of each order, made when it is first asked for."""
        return self.judged()

    def successful(self, kind: type[T]) -> Iterator[tuple[str, T]]:
        """Yield the successful orders of a kind, each with its power."""
        for verdict in self.verdicts:
            if isinstance(verdict.order, kind) and verdict.outcome is Outcome.SUCCEEDS:
                yield verdict.power, verdict.order

    def draw(self, purpose: str, items: Sequence[str]) -> tuple[str, ...]:
        """Draw lots in this turn: all items in the order in which they come. The draw is recorded (W-14)."""
        label = f"{self.before.turn}: {purpose}"
        order = tuple(draw_lots(self.seed, label, items))
        self.lots.append(Lot(label, tuple(items), order))
        return order

    @property
    def position(self) -> Position:
        """The position as it stands now, still in the turn that was played."""
        return Position(
            turn=self.before.turn,
            units=tuple(self.units),
            dislodged=tuple(self.dislodged),
            contested=self.contested,
            owners=self.owners,
            slices=self.slices,
        )
