"""What notation knows of a kind of order: the words that say it, how it is read, how it is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from legation.orders import Order
from legation.position import Phase

if TYPE_CHECKING:
    from legation.notation.parsing import Parser, Subject


class Phrases(Protocol):
    """How places, units and kinds are written out in sentences."""

    def place(self, location: str) -> str:
        """``Spain (south coast)``."""

    def unit(self, kind: str, at: str) -> str:
        """``Army Paris``."""

    def kind(self, code: str) -> str:
        """``army``."""


class Verb(msgspec.Struct, frozen=True):
    """Words that follow a unit and how the order goes on after them; ``shared``: it may be said of several units at once; ``stays``: a unit of which it is said holds."""

    words: frozenset[str]
    read: Callable[[Parser, Subject, str], Order]
    shared: bool = False
    stays: bool = False


def _always(parser: Parser) -> bool:
    return True


class Opening(msgspec.Struct, frozen=True):
    """Words that begin an order, how it goes on, and whether they do begin one here."""

    words: frozenset[str]
    read: Callable[[Parser, str], list[Order]]
    fits: Callable[[Parser], bool] = _always


class OrderForm(msgspec.Struct, frozen=True):
    """One kind of order in writing: everything that the reader and the writers need to know of it.

    ``after_move`` reads what may follow a move (``ferries A lon - nwy``): it gives the order that is made of it, or None if nothing of its own follows.
    ``bare`` reads a unit of which nothing is said, in some phase; ``unsaid`` one after which only a place is named. ``shown`` is the sign for it in a list of what a unit can do.
    """

    record: type[Order]
    noun: str
    short: Callable[[Any], str]
    sentence: Callable[[Any, Phrases], str]
    verbs: Sequence[Verb] = ()
    openings: Sequence[Opening] = ()
    after_move: Callable[[Parser, Any], Order | None] | None = None
    bare: Mapping[Phase, Callable[[Parser, Subject], Order]] = {}
    unsaid: Callable[[Parser, Subject], Order] | None = None
    shown: str = ""


def unit(kind: str, at: str) -> str:
    """A unit in short style."""
    return f"{kind} {at}" if kind else at


def of(power: str) -> str:
    """A power before a unit, where it was written."""
    return f"{power} " if power else ""
