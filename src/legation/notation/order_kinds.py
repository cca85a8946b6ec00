"""A kind of order: how it is read, written, explained and drawn."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args

import msgspec

from legation.notation.gestures import Gesture as Gesture
from legation.notation.gestures import Phrases as Phrases
from legation.notation.gestures import Stroke
from legation.orders import Move, Moving, Order, UnitOrder
from legation.position import Phase

Place = Literal["says", "opens", "groups", "beside"]
Slots: TypeAlias = Mapping[str, Sequence[Any]]


class Production(msgspec.Struct, frozen=True):
    """A way of writing orders: the production ``name`` of a grammar, and how orders are made of what it keeps.

    ``place``: it stands behind a unit (``says``; ``build(text, unit, slots)``), by itself (``opens``; ``build(text,
    slots)``), or behind another order (``beside``; ``build(text, order, slots)``). ``build`` returns orders, or None
    where what was written is none; it raises :class:`OrderTextError` where it is one that cannot be meant so.
    ``shared``: it may be said of several units at once; ``general``: it is said of all units; ``stays``: a unit of
    which it is said holds; ``far``: how far-fetched it is."""

    name: str
    place: Place
    build: Callable[..., Any]
    phases: tuple[Phase, ...] = ()
    shared: bool = False
    stays: bool = False
    general: bool = False
    far: float = 0.0


Strokes = Literal["", "arrow", "hollow arrow", "ring", "ring with a plus", "cross", "turning arrows"]
STROKES: tuple[Strokes, ...] = get_args(Strokes)


class Drawn(msgspec.Struct, frozen=True, kw_only=True):
    """How a kind of order is drawn on maps. What is left out is told in words below the map.

    ``strokes`` names what the atlas draws (one of ``STROKES``; an arrow leads from ``at`` to ``to``, turning arrows
    show a unit of the kind ``to``). ``legend`` is what the legend says of them, or, without strokes, of the tag;
    ``through`` gives the seas over which an arrow leads; ``tag`` gives a few words beside the unit, of the verdict and
    its order; ``reach`` is how far the marks reach about the unit, in its radius; ``words`` says in words what a power
    orders, for what has no place on the map."""

    strokes: Strokes = ""
    legend: str = ""
    through: Callable[[Any], Sequence[str]] | None = None
    tag: Callable[[Any, Any], str] | None = None
    reach: float = 1.0
    words: Callable[[str, Any], str] | None = None

    def __post_init__(self) -> None:
        if self.strokes not in STROKES:
            raise ValueError(f"strokes: the atlas has no {self.strokes!r}; it has {', '.join(filter(None, STROKES))}")


class OnPaper(msgspec.Struct, frozen=True, kw_only=True):
    """Text for order sheets and letters about a rule's own kind of order.

    ``places`` heads the places where a unit may go by it (``by ferry``); ``reminder`` is a sentence on what a player
    may forget, ``rows`` are words that begin lines left empty for such orders; ``lends`` begins a line that puts all
    one's units under the orders of the power named behind it; ``told`` heads those that were carried
    out in a letter, and words one of them; ``received`` does so for the power that
    ``receives`` something by it, with the power that ordered it."""

    places: str = ""
    reminder: str = ""
    rows: tuple[str, ...] = ()
    lends: str = ""
    told: tuple[str, Callable[[Any], str]] | None = None
    receives: Callable[[Any], str] | None = None
    received: tuple[str, Callable[[str, Any], str]] | None = None


class OrderKind(msgspec.Struct, frozen=True):
    """One kind of order: everything that is known of it but what its rule decides.

    ``record`` is what the order is kept as; ``noun`` names the kind within a sentence (``the fast ferry``); ``phases``
    are those in which it may be given. ``short`` and ``sentence`` write it. ``grammar`` has lines of productions (see
    :mod:`.grammar`), ``words`` pairs of a class and its words, which these may use, and ``productions`` those by which
    the order is read. For rulebooks ``title`` heads it, ``meaning`` tells in a sentence what it does, ``ways`` are
    texts that make it, and ``examples`` gives such orders on a game's own board, of its ruleset and its provinces on
    land, the best known first. ``shown`` is the sign for it in a list of what a unit can do in the phase ``shown_in``,
    ``drawn`` how it is drawn: None for a record that is drawn as the one that it extends, or in the atlas's own way.
    ``gesture`` is how it is given on a map, which may depend on the order; without one it is picked from a list, or
    tapped like a move if its record moves a unit. ``paper`` is what sheets and letters say of it. ``becomes`` is the
    kind and location that it makes of its unit, for bots to weigh: the unit's own where it stays as it is. ``left``
    counts how many more a power could give, of the ruleset, the position, the power and its orders so far."""

    record: type[Order]
    noun: str
    short: Callable[[Any], str]
    sentence: Callable[[Any, Phrases], str]
    grammar: str = ""
    words: Sequence[tuple[str, str]] = ()
    productions: Sequence[Production] = ()
    shown: str = ""
    shown_in: Phase = Phase.MOVEMENT
    phases: tuple[Phase, ...] = ()
    title: str = ""
    meaning: str = ""
    ways: tuple[str, ...] = ()
    examples: Callable[[Any, Sequence[str]], Sequence[Order]] | None = None
    drawn: Drawn | None = None
    gesture: Gesture | Callable[[Any], Gesture] | None = None
    paper: OnPaper | None = None
    becomes: Callable[[Any], tuple[str, str]] | None = None
    left: Callable[[Any, Any, str, Sequence[Order]], int] | None = None


_KINDS: dict[type[Order], OrderKind] = {}


def register(*kinds: OrderKind) -> None:
    """Register kinds of order, so that their orders can be written and drawn without a ruleset."""
    for kind in kinds:
        _KINDS[kind.record] = kind


def find_kind(record: type) -> OrderKind | None:
    """Return the kind of order that was registered for a record; None if there is none."""
    return _KINDS.get(record)


def kind_of(order: Order) -> OrderKind:
    """Return the kind of an order.

    :raises TypeError: for a record that no kind was registered for."""
    try:
        return _KINDS[type(order)]
    except KeyError:
        message = f"{type(order).__name__} isn't a kind of order: its rule lists an OrderKind with this record"
        raise TypeError(message) from None


def gesture_of(order: Order) -> Gesture:
    """Return how an order is given on a map: as its kind says, else as suits its record.

    :raises TypeError: for a record that no kind was registered for."""
    kind = kind_of(order)
    if kind.gesture is not None:
        return kind.gesture if isinstance(kind.gesture, Gesture) else kind.gesture(order)
    return _usual_gesture(kind)


def _usual_gesture(kind: OrderKind) -> Gesture:
    """Return the gesture of a kind that names none: a move is tapped to its place, all else is picked from a list."""
    name = kind.record.__name__.lower()
    stroke: Stroke = kind.drawn.strokes if kind.drawn is not None else ""
    if issubclass(kind.record, Moving):
        rank = 3 if issubclass(kind.record, Move) else 4
        return Gesture(name=name, taps="place", label=kind.sentence, rank=rank, stroke=stroke or "arrow")
    group = "" if issubclass(kind.record, UnitOrder) else kind.title
    return Gesture(name=name, label=kind.sentence, group=group, stroke=stroke)


def write_unit(kind: str, at: str) -> str:
    """Return a unit in short style: ``A par``; its place alone if the kind is empty."""
    return f"{kind} {at}" if kind else at


def of(power: str) -> str:
    """Return what stands before another power's unit: the power and a space; empty if it wasn't written."""
    return f"{power} " if power else ""
