"""What a rule comes to in dense games, which the lab plays by the thousand.

Most of a rule is read out of it when a variant's tables are made: who may enter where, which kinds are built on which
sites, how the calendar runs. :class:`DenseForm` holds what no table tells."""

from collections.abc import Callable, Mapping, Sequence

import msgspec

from legation.orders import Order
from legation.position import Turn


class DenseForm(msgspec.Struct, frozen=True):
    """What a rule adds to the dense games of a variant; nothing where the tables made from its answers say all.

    A rule without a dense form (its :meth:`~legation.judge.rule.Rule.dense` returns None) is played by
    the judge, turn by turn."""

    marks: Mapping[str, int] = {}
    """The centers with which each power wins."""
    capitals: Sequence[Sequence[str]] = ()
    """Groups of centers of each of which the winner owns at least one."""
    votes: bool = False
    """The survivors may agree to a draw."""
    draw_capitals: Sequence[Sequence[str]] = ()
    """Groups of centers: a draw may be agreed when each survivor owns the whole of one."""
    survivors: int = 0
    """The game ends when no more powers than these own centers."""
    last_turn: Turn | None = None
    """After this turn the game ends."""
    single: Sequence[str] = ()
    """Kinds of which a power has one unit at most."""
    mercy: bool = False
    """A power without centers keeps one unit."""
    anarchy: bool = False
    """A power without homes has a season's grace, then its units hold."""
    homes_fixed: Turn | None = None
    """Homes are chosen in placement; what a power owns in this turn's adjustments are its homes for good."""
    always_adjusts: bool = False
    """Adjustments are never passed over."""
    conversion_turns: int = 0
    """How many turns a conversion takes; 0 where there are none."""
    conversions: Mapping[tuple[str, str], Sequence[tuple[str, str]]] = {}
    """By a unit's kind and province: the kinds and locations that it may become."""
    across_winter: bool = True
    """A conversion goes on over adjustments."""
    ferry: bool = False
    """A fleet that moves may carry an army."""
    records: Mapping[str, Callable[..., Order]] = {}
    """How the orders that the rule brings are made: ``convert(kind, at, new kind, coast)``, ``ride(kind, at, to,
    (start, sea))`` and ``carry(kind, at, sea, kind of the army, its place, its goal)``."""
