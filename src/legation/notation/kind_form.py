"""The form of kinds of order: which functions they bring, and what each is called with."""

from collections.abc import Iterator, Mapping, Sequence
from types import FunctionType
from typing import get_args

from legation.notation.lexicon import table
from legation.notation.order_kinds import OrderKind, Place

CALLED_WITH: Mapping[str, tuple[str, ...]] = {
    "short": ("order",),
    "sentence": ("order", "names"),
    "examples": ("rules", "land"),
    "becomes": ("order",),
    "left": ("rules", "position", "power", "orders"),
    "says": ("text", "unit", "slots"),
    "opens": ("text", "slots"),
    "groups": ("text", "slots"),
    "beside": ("text", "order", "slots"),
    "drawn.through": ("order",),
    "drawn.tag": ("verdict", "order"),
    "drawn.words": ("power", "order"),
    "gesture": ("order",),
    "gesture.whom": ("order",),
    "gesture.to": ("order",),
    "gesture.label": ("order", "names"),
    "paper.receives": ("order",),
    "paper.told": ("order",),
    "paper.received": ("power", "order"),
}
"""By the place of each function in an :class:`OrderKind`, what it is called with."""


DRAWN_FROM: Mapping[str, Sequence[str]] = {
    "arrow": ("at", "to"),
    "hollow arrow": ("at", "to"),
    "ring": ("at",),
    "ring with a plus": ("kind", "at"),
    "cross": ("at",),
    "turning arrows": ("at", "to"),
}
"""The fields of an order that each of the atlas's strokes is drawn from."""


def check_kind(kind: OrderKind) -> list[str]:
    """Return what is wrong with a kind of order: productions at a place that doesn't exist, each function that can't be
    called as it will be, strokes for which its record lacks a field, and classes of words that are called like the
    reader's own."""
    shared = {row.partition("=")[0] for row, _ in kind.words} & {row.partition("=")[0] for row, _ in table()}
    faults = [
        f"words of {kind.noun}: {name!r} is a class of the reader's own; choose another" for name in sorted(shared)
    ]
    places = get_args(Place)
    for one in kind.productions:
        if one.place not in places:
            faults.append(
                f"productions of {kind.noun}: {one.name!r} has the place {one.place!r}; choose from {', '.join(places)}"
            )
    strokes = kind.drawn.strokes if kind.drawn is not None else ""
    for field in DRAWN_FROM.get(strokes, ()):
        if field not in kind.record.__struct_fields__:
            faults.append(f"drawn of {kind.noun}: {strokes!r} is drawn from the order's {field!r}, which it lacks")
    for place, function in _functions(kind):
        wanted = CALLED_WITH[place]
        if isinstance(function, FunctionType) and not _takes(function, len(wanted)):
            faults.append(f"{place} of {kind.noun} is called with ({', '.join(wanted)})")
    return faults


def _functions(kind: OrderKind) -> Iterator[tuple[str, object]]:
    """Give what stands at the places of functions; what is left out there, or is a text, isn't a function."""
    for place in CALLED_WITH:
        yield from ((place, production.build) for production in kind.productions if production.place == place)
        found: object = kind
        for name in place.split("."):
            found = getattr(found, name, None)
        yield place, found[1] if isinstance(found, tuple) else found  # what is told has a heading


def _takes(function: FunctionType, count: int) -> bool:
    """Whether a function can be called with so many arguments; its code is read sooner than a signature."""
    code = function.__code__
    at_least = code.co_argcount - len(function.__defaults__ or ())
    takes_more = bool(code.co_flags & 0x04)  # it has ``*arguments``
    return at_least <= count and (takes_more or count <= code.co_argcount) and not _needs_keywords(function)


def _needs_keywords(function: FunctionType) -> bool:
    return function.__code__.co_kwonlyargcount > len(function.__kwdefaults__ or ())
