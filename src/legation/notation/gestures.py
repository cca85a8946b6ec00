"""How a kind of order is given on a map or from a list, as data that any page can follow without knowing the rule."""

from collections.abc import Callable
from typing import Any, Literal, Protocol

import msgspec

Taps = Literal["", "again", "place", "helped", "site"]
Stroke = Literal[
    "",
    "arrow",
    "dashed arrow",
    "broken arrow",
    "hollow arrow",
    "dotted line",
    "wavy line",
    "ring",
    "ring with a plus",
    "cross",
    "turning arrows",
]


class Phrases(Protocol):
    """How places, units and kinds are written out in sentences."""

    def place(self, location: str) -> str:
        """``Spain (south coast)``."""

    def unit(self, kind: str, at: str) -> str:
        """``Army Paris``."""

    def kind(self, code: str) -> str:
        """``army``."""


def _target(order: Any) -> str:
    return str(getattr(order, "target", ""))


def _goal(order: Any) -> str:
    return str(getattr(order, "to", ""))


class Gesture(msgspec.Struct, frozen=True, kw_only=True):
    """How one kind of order is given by tapping, and how it looks before it is sent.

    ``name`` tells it from other gestures of a game. ``taps`` is what is tapped after the order's own unit: ``again``
    the unit itself, ``place`` where it goes, ``helped`` another unit and then where that one goes (or that unit, if
    it stays); ``site`` an empty place where a unit is to be; nothing where the order is picked from a list. ``whom``
    and ``to`` give the second and third part of an order: provinces where they are tapped, else any words.

    ``label`` is what a button or list says of one order: a text in which ``{at}``, ``{whom}`` and ``{to}`` stand for
    the names of places, and a part in brackets falls away where its place is empty; or a function of the order.
    ``group`` heads many of them in one control (``Support``). ``rank`` decides between gestures that fit the same
    taps: the lowest comes first, the others are offered beside it. ``key`` is the letter that chooses it. ``asks``
    writes an order that is not in the list, so that the reason can be asked for: ``{unit}``, ``{whom}`` (the unit)
    and ``{to}``, with brackets likewise; of a site ``{whom}`` is the kind of unit; without it a legal
    order is asked for with other places in it. ``counts`` says
    what it uses up: a ``build`` or a ``removal``. ``repeats``: it may be given several times. ``note`` is a sentence
    beside it. ``carries``: the unit that is helped goes where it could not walk. ``stroke`` is how it is drawn until it
    is sent."""

    name: str
    taps: Taps = ""
    whom: Callable[[Any], str] = _target
    to: Callable[[Any], str] = _goal
    label: str | Callable[[Any, Phrases], str]
    group: str = ""
    rank: int = 0
    key: str = ""
    asks: str = ""
    counts: Literal["", "build", "removal"] = ""
    repeats: bool = False
    carries: bool = False
    note: str = ""
    stroke: Stroke = ""

    def facts(self) -> dict[str, Any]:
        """Return what a page needs of it beside the orders: JSON, without what is empty."""
        kept = {name: getattr(self, name) for name in _FACTS}
        return {name: value for name, value in kept.items() if value and not callable(value)}


_FACTS = "taps label group rank key asks counts repeats carries note stroke".split()
