"""Verdicts: what became of an order, and why."""

import enum
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias, overload

import msgspec

from legation.notation import write
from legation.orders import Order, Sheet, UnitOrder, VoteDraw


class Outcome(enum.Enum):
    """The outcome of an order; there are no others."""

    SUCCEEDS = "succeeds"
    BOUNCED = "bounced"
    CUT = "cut"
    DISRUPTED = "disrupted"
    NO_CONVOY = "no convoy"
    VOID = "void"
    ILLEGAL = "illegal"
    DISBANDED = "disbanded"
    IGNORED = "ignored"

    __hash__ = object.__hash__  # the one by name, of every enumeration, is slow


class Cause(msgspec.Struct, frozen=True, gc=False):
    """The reason for an outcome: its ``kind``, the order ``by`` which it happened, the strengths compared (halves are
    possible), or a plain ``reason``."""

    kind: str
    by: Order | None = None
    strength: float = 0
    against: float = 0
    reason: str = ""


class Verdict(msgspec.Struct, frozen=True, gc=False):
    """The outcome of one order of ``power``.

    ``dislodged_from`` is where the attack came from that dislodged the unit, whatever became of its order."""

    power: str
    order: Order
    outcome: Outcome
    cause: Cause | None = None
    dislodged_from: str | None = None

    @property
    def explanation(self) -> str:
        """The verdict in a sentence: "A par - bur bounced: strength 1 against A mun - bur, strength 1"."""
        return explain(self)


Rewritten: TypeAlias = tuple[tuple[Sheet, ...], tuple[Verdict, ...]]
"""Sheets as they are to be judged, and the verdicts on orders that were taken off them."""


class Verdicts(Sequence[Verdict]):
    """Verdicts that are made when they are first looked at; otherwise the same as a tuple of them."""

    __slots__ = ("_told",)

    def __init__(self, judged: Callable[[], Iterable[Verdict]]) -> None:
        self._told: tuple[Verdict, ...] | Callable[[], Iterable[Verdict]] = judged

    def _all(self) -> tuple[Verdict, ...]:
        told = self._told
        if not isinstance(told, tuple):  # threads that both make them come to the same
            told = self._told = tuple(told())
        return told

    def __len__(self) -> int:
        return len(self._all())

    def __iter__(self) -> Iterator[Verdict]:
        return iter(self._all())

    @overload
    def __getitem__(self, index: int) -> Verdict: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Verdict, ...]: ...
    def __getitem__(self, index: int | slice) -> Verdict | tuple[Verdict, ...]:
        return self._all()[index]

    def __eq__(self, other: object) -> bool:
        return self._all() == (other._all() if isinstance(other, Verdicts) else other)

    def __hash__(self) -> int:
        return hash(self._all())

    def __repr__(self) -> str:
        return repr(self._all())

    def __reduce__(self) -> tuple[type[tuple[Verdict, ...]], tuple[tuple[Verdict, ...]]]:
        return tuple, (self._all(),)


def explain(verdict: Verdict) -> str:
    """Return a verdict in one sentence."""
    cause = verdict.cause
    return explain_written(verdict, write(verdict.order), "" if cause is None or cause.by is None else write(cause.by))


def explain_written(verdict: Verdict, order: str, by: str) -> str:
    """Return a verdict in a sentence, from the texts of its order and of the one that decided it (empty if none)."""
    cause = verdict.cause
    idle = type(verdict.order) is VoteDraw and verdict.outcome is Outcome.SUCCEEDS and cause is not None
    phrase = ENDED_NOTHING if idle else PHRASES[verdict.outcome]
    because = "" if cause is None else _because(cause, by)
    text = f"{order} {phrase}: {because}" if because else f"{order} {phrase}"
    if verdict.dislodged_from:
        attack = f"dislodged by an attack from {verdict.dislodged_from}"
        text += f"; {attack}"
    return text


def explain_cause(
    cause: Cause | None, say: Callable[[Order], str] = write, unit: Callable[[str, str], str] | None = None
) -> str:
    """Return what decided, in a clause; empty where nothing is to be said.

    ``say`` writes the order by which it happened, ``unit`` its unit, by kind and place. With ``unit``, the unit stands
    for its order wherever that is clear, since sentences do not go into a sentence."""
    if cause is None:
        return ""
    if cause.by is None:
        return _because(cause, "")
    if unit is None:
        return _because(cause, say(cause.by))
    its_unit = _unit_of(cause.by, unit)
    return _because(cause, say(cause.by) if cause.kind in _BY_ORDER else its_unit, its_unit)


def _unit_of(order: Order, unit: Callable[[str, str], str] | None = None) -> str:
    if not isinstance(order, UnitOrder) or not (order.kind and order.at):
        return write(order)
    return unit(order.kind, order.at) if unit else f"{order.kind} {order.at}"


def _because(cause: Cause, by: str, unit: str = "") -> str:
    text = CAUSES[cause.kind]
    if text is _COMPARED:  # the commonest
        return f"strength {cause.strength} against {by}, strength {cause.against}"
    if "{" not in text:
        return text
    if "{unit}" in text:  # and nothing else
        return text.replace("{unit}", unit or (_unit_of(cause.by) if cause.by else ""))
    if text.endswith("{by}"):  # likewise
        return text[:-4] + by
    return text.format(by=by, strength=cause.strength, against=cause.against, why=cause.reason)


ENDED_NOTHING = "had no effect"
"""The words for a vote for a draw that not everyone cast."""
PHRASES = {
    Outcome.SUCCEEDS: "succeeds",
    Outcome.BOUNCED: "bounced",
    Outcome.CUT: "is cut",
    Outcome.DISRUPTED: "is disrupted",
    Outcome.NO_CONVOY: "stays",
    Outcome.VOID: "is void",
    Outcome.ILLEGAL: "is illegal",
    Outcome.DISBANDED: "leads to disbandment",
    Outcome.IGNORED: "is ignored",
}

_BY_ORDER = frozenset(["not matched", "not legal"])  # what is told of an order, not of its unit
_COMPARED = "strength {strength} against {by}, strength {against}"
CAUSES = {
    "unopposed": "nothing stands against it",
    "stronger": _COMPARED,
    "vacated": "{unit} moved away",
    "circle": "it moves in a circle with {by}",
    "prevented": _COMPARED,
    "held": _COMPARED,
    "head to head": "strength {strength} head to head against {by}, strength {against}",
    "own unit": "it cannot dislodge {unit}, a unit of its own power",
    "own support": "strength {strength} against {by}, strength {against}; support from the power that would be "
    "dislodged doesn't count",
    "attacked": "attacked by {by}",
    "weakened": "attacked by {by}, it still gives {strength}",
    "dislodged": "dislodged by {by}",
    "fleet dislodged": "a fleet of its convoy was dislodged by {by}",
    "ferry failed": "the fleet that was to carry it did not move ({by})",
    "paradox": "a convoy paradox: the convoy would undo the condition it depends on, so it fails",
    "no route": "no complete convoy was ordered for it",
    "not ordered": "that order was not given",
    "not matched": "the order was {by}",
    "not legal": "the order {by} is illegal",
    "no order": "it was given no order",
    "refused": "{why}",
    "clash": "{unit} retreats to the same province",
    "no retreat": "it has nowhere to go",
    "civil disorder": "too few valid removals were ordered, so it was removed {why}",
    "by lot": "{why}",
    "fact": "{why}",
}
