"""What an order comes to: as it takes effect, or why it is illegal; and plain orders, for which this is judged once for
all positions of a board.

Whether a hold, a move by land or a support is legal depends on the unit it is for, the one it helps, and the board; on
nothing else, unless a rule looks at more. Over the sea, a move and its supports depend on chains of fleets, too."""

from typing import TypeAlias, final

import msgspec

from legation.orders import Hold, Move, Order, SupportHold, SupportMove

MOST_PLAIN = 50_000  # kept, some hundred bytes each; when there are more, all are forgotten


@final
class Refusal(msgspec.Struct, frozen=True):
    """Why an order is illegal; asked for in inner loops by ``type(answer) is Refusal``, which takes a tenth of
    ``isinstance``."""

    reason: str


Judged: TypeAlias = Order | Refusal


class Ordered(msgspec.Struct, frozen=True, gc=False):
    """What one unit is to do: the order as written (if any) and as it takes effect, or why it does not.

    ``torn``: it was given different legal orders, so that none of them counts."""

    written: Order | None
    effect: Order
    refusal: str | None = None
    torn: bool = False


class PlainOrder(Ordered, frozen=True, gc=False):
    """An order that is legal wherever its unit, and the one it helps, stand as it says; with ``by_sea``, where
    fleets, without one in ``province``, could convoy the unit that moves from ``start`` to that province.

    ``unit`` and ``helped`` (or ``unit`` again) are their places among
    :attr:`~legation.judge.made_orders.MadeOrders.standing`, ``province`` and ``start`` are where they stand."""

    province: str = ""
    unit: int = -1
    helped: int = -1
    start: str = ""
    by_sea: str = ""


PlainOrders = dict[Order, PlainOrder]
"""By order as it was written."""


def units_named(order: Order) -> tuple[tuple[str, str], ...]:
    """The kind and location of the units that an order names, where it may be plain: its own and then the one it helps;
    none where it never is."""
    if type(order) is Hold or (type(order) is Move and not order.route):
        return ((order.kind, order.at),)
    if (type(order) is SupportHold or type(order) is SupportMove) and not order.power:
        return (order.kind, order.at), (order.target_kind, order.target)
    return ()
