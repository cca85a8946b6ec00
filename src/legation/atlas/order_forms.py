"""How each kind of order is drawn: one table.

=================  =====================================================================================
move               arrow in the power's color; bounced: dashed, ends in a bar before its aim
convoyed move      the same, bent through the fleets that carry it; it breaks off before the fleet that failed
support            dotted, to a knob on the supported arrow or a cup at the supported unit; cut: crossed through
convoy             waves beside the fleet; disrupted: crossed through
ferry              the same, and a hollow arrow
hold               a ring
void, ignored      thin dots to what was meant; a crossed ring at the unit that would move, else at their end
retreat            arrow with an open head; disband, remove: crossed out
build              a ring with a plus; failed: with a cross
convert            arrows that turn about the unit, and what it becomes; failed: broken and struck
proxy              a tag with the name of the power that commands
=================  =====================================================================================

No meaning rests on color alone. An order of a kind that is not in the table is told in words below the map, so that
nothing is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from legation.atlas import arrows, marks, supports
from legation.atlas.curves import Curve
from legation.atlas.outcomes import VerdictLike
from legation.orders import (
    Build,
    Convert,
    Convoy,
    Disband,
    Ferry,
    Hold,
    Move,
    Proxy,
    Remove,
    Retreat,
    Send,
    SupportHold,
    SupportMove,
    VoteDraw,
    Waive,
)

if TYPE_CHECKING:
    from legation.atlas.order_painter import OrderPainter


class OrderForm(msgspec.Struct, frozen=True, kw_only=True):
    """How one kind of order is drawn. All functions take the painter, or the verdict, and the order."""

    draw: Callable[[OrderPainter, VerdictLike, Any], None] | None = None
    """Draws it."""
    course: Callable[[OrderPainter, Any], Curve] | None = None
    """The line of its unit's way over the map, which other orders may point at."""
    tag: Callable[[VerdictLike, Any], str] | None = None
    """A few words beside its unit; empty for none."""
    tag_key: str = ""
    """The form of the legend that explains the tag."""
    reach: float = 1.0
    """How far its marks reach about the unit, in the unit's radius."""
    words: Callable[[str, Any], str] | None = None
    """What is said of it below the map, of a power and its order."""


FORMS: Mapping[type, OrderForm] = {
    Move: OrderForm(draw=arrows.draw_move, course=arrows.course_of_move),
    Ferry: OrderForm(draw=arrows.draw_ferry, course=arrows.course_of_ferry),
    Retreat: OrderForm(draw=arrows.draw_retreat, course=arrows.course_of_retreat),
    SupportMove: OrderForm(draw=supports.draw_support_of_move),
    SupportHold: OrderForm(draw=supports.draw_support_to_hold),
    Convoy: OrderForm(draw=supports.draw_convoy),
    Hold: OrderForm(draw=marks.draw_hold),
    Convert: OrderForm(draw=marks.draw_convert, tag=marks.tag_of_convert, tag_key="conversion", reach=1.75),
    Proxy: OrderForm(tag=marks.tag_of_proxy, tag_key="proxy"),
    Disband: OrderForm(draw=marks.draw_disband),
    Remove: OrderForm(draw=marks.draw_remove),
    Build: OrderForm(draw=marks.draw_build),
    Waive: OrderForm(words=lambda power, order: f"{power} waives a build"),
    Send: OrderForm(words=lambda power, order: f"{power} sends {order.count} to {order.power}"),
    VoteDraw: OrderForm(words=lambda power, order: f"{power} votes for a draw"),
}
"""Every kind of order that is drawn or told in its own words."""


def form_of(order: object) -> OrderForm | None:
    """How an order is drawn: its kind's own form, else that of a kind it extends; None where it is told as it is
    written."""
    return next((FORMS[kind] for kind in type(order).__mro__ if kind in FORMS), None)
