"""Orders: one frozen record for each kind, without behavior. Those here are of every game; those that a rule adds stand
in that rule's file and extend :class:`Order`, :class:`UnitOrder` or :class:`Moving`.

Every order to a unit names it by ``kind`` and ``at`` (its location as the writer gave it; ``kind`` is empty when it was
not written). Locations are canonical (``par``, ``spa/sc``); a destination without a coast is ``spa``. Who issued an
order is on the :class:`Sheet`."""

import msgspec

from legation.board import province_of


class Order(msgspec.Struct, frozen=True, tag=True, gc=False, cache_hash=True):
    """An order of any kind, made of texts.

    A rule's own kind of order extends this class, :class:`UnitOrder` or :class:`Moving`, in the rule's file."""


class UnitOrder(Order, frozen=True):
    """An order to the unit at ``at``; ``kind`` is empty if it wasn't written."""

    kind: str
    at: str


class Moving(UnitOrder, frozen=True):
    """An order that moves a unit to ``to`` in a movement turn."""

    to: str


class Hold(UnitOrder, frozen=True):
    """``A par H``."""


class Move(Moving, frozen=True):
    """``A par - bur``, ``A lon - nwy via convoy``, ``A lon - nth - nwy``.

    ``via_convoy``: whether the order says so. ``route``: the provinces of the fleets, if it names them."""

    via_convoy: bool = False
    route: tuple[str, ...] = ()


class SupportHold(UnitOrder, frozen=True):
    """``A mar S A par``: to a unit that holds, supports or convoys.

    ``power`` is the supported unit's, where it was written."""

    target_kind: str
    target: str
    power: str = ""


class SupportMove(UnitOrder, frozen=True):
    """``A mar S A par - bur``."""

    target_kind: str
    target: str
    to: str
    power: str = ""


class Convoy(UnitOrder, frozen=True):
    """``F nth C A lon - nwy``."""

    target_kind: str
    target: str
    to: str
    power: str = ""


class Retreat(UnitOrder, frozen=True):
    """``A tri R vie``."""

    to: str


class Disband(UnitOrder, frozen=True):
    """``A tri disband``: a dislodged unit leaves the board."""


class Build(UnitOrder, frozen=True):
    """``build F stp/nc``: in adjustments, and in placement."""


class Remove(UnitOrder, frozen=True):
    """``remove A par``."""


class Waive(Order, frozen=True):
    """``waive``: a build that is not used."""


class VoteDraw(Order, frozen=True):
    """``draw``: the power votes for a draw with this turn."""


class Sheet(msgspec.Struct, frozen=True):
    """The orders of one power for one turn, in the order they were written."""

    power: str
    orders: tuple[Order, ...] = ()


def province_at(order: Order | None) -> str:
    """Return the province at which an order is, that of its unit; nothing for one that is at none."""
    return province_of(getattr(order, "at", ""))


def kind_and_provinces(order: Order) -> tuple[str, ...]:
    """Return an order's type and the provinces of its unit, destination and target, without coasts and unit kinds."""
    return type(order).__name__, *(province_of(str(getattr(order, name, ""))) for name in ("at", "to", "target"))
