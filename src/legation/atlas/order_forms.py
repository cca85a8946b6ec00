"""How each kind of order is drawn: one table; and the orders of one position, drawn on a canvas.

=================  =====================================================================================
move               arrow in the power's color; bounced: dashed, ends in a bar before its aim
convoyed move      the same, bent through the fleets that carry it; it breaks off before the fleet that failed
support            dotted, to a knob on the supported arrow or a cup at the supported unit; cut: crossed through
convoy             waves beside the fleet; disrupted: crossed through
hollow arrow       the same: the fleet goes with what it carries
hold               a ring
void, ignored      thin dots to what was meant; a crossed ring at the unit that would move, else at their end
retreat            arrow with an open head; disband, remove: crossed out
build              a ring with a plus; failed: with a cross
turning arrows     about the unit, with what it becomes; failed: broken and struck
tag                a few words beside the unit
=================  =====================================================================================

No meaning rests on color alone. A kind of order that a rule brings says itself by which of these forms it is drawn
(:class:`legation.notation.Drawn`, ``STROKES``); one that says nothing is drawn as the kind that it extends, or told in
words below the map, so that nothing is lost."""

import math
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import msgspec

from legation.atlas import arrows, marks, supports
from legation.atlas.canvas import Canvas
from legation.atlas.curves import Curve
from legation.board import province_of
from legation.judge import Verdict
from legation.notation import Drawn, find_kind
from legation.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
    VoteDraw,
    Waive,
    province_at,
)


class OrderForm(msgspec.Struct, frozen=True, kw_only=True):
    """How one kind of order is drawn. All functions take the canvas, or the verdict, and the order."""

    draw: Callable[[Canvas, Verdict, Any], None] | None = None
    """Draws it."""
    course: Callable[[Canvas, Any], Curve] | None = None
    """The line of its unit's way over the map, which other orders may point at."""
    tag: Callable[[Verdict, Any], str] | None = None
    """A few words beside its unit; empty for none."""
    reach: float = 1.0
    """How far its marks reach about the unit, in the unit's radius."""
    words: Callable[[str, Any], str] | None = None
    """What is said of it below the map, of a power and its order."""
    key: str = ""
    """Which sample the legend shows for it: that of its strokes or, if it has none, of its tag."""
    legend: str = ""
    """What the legend says of these, if something of its own."""
    note: str = ""
    """What the title of its unit tells."""


FORMS: Mapping[type, OrderForm] = {
    Move: OrderForm(draw=arrows.draw_move, course=arrows.course_of_move),
    Retreat: OrderForm(draw=arrows.draw_retreat, course=arrows.course_of_retreat),
    SupportMove: OrderForm(draw=supports.draw_support_of_move),
    SupportHold: OrderForm(draw=supports.draw_support_to_hold),
    Convoy: OrderForm(draw=supports.draw_convoy),
    Hold: OrderForm(draw=marks.draw_hold),
    Disband: OrderForm(draw=marks.draw_disband),
    Remove: OrderForm(draw=marks.draw_remove),
    Build: OrderForm(draw=marks.draw_build),
    Waive: OrderForm(words=lambda power, order: f"{power}: a build waived"),
    VoteDraw: OrderForm(words=lambda power, order: f"{power}: a vote for a draw"),
}
"""Every kind of order that all games have."""

STROKES: Mapping[str, OrderForm] = {
    "arrow": OrderForm(draw=arrows.draw_move, course=arrows.course_of_move, key="move"),
    "hollow arrow": OrderForm(draw=arrows.draw_hollow_arrow, course=arrows.course_of_hollow_arrow, key="hollow arrow"),
    "ring": OrderForm(draw=marks.draw_hold, key="hold"),
    "ring with a plus": OrderForm(draw=marks.draw_build, key="build"),
    "cross": OrderForm(draw=marks.draw_remove, key="remove"),
    "turning arrows": OrderForm(draw=marks.draw_turning_arrows, key="turning arrows"),
    "": OrderForm(key="tag"),
}
"""What a rule may name for its kinds of order: arrows go from the order's ``at`` to its ``to``, a ring with a plus
shows the unit ``kind`` that is to be, turning arrows the one named by ``to``."""


@cache
def _drawn(drawn: Drawn) -> OrderForm:
    stroke = STROKES[drawn.strokes]
    through, course = drawn.through, stroke.course
    if through is not None:
        course = lambda canvas, order: arrows.course_through(canvas, order, list(through(order)))  # noqa: E731
    return msgspec.structs.replace(
        stroke,
        course=course,
        tag=drawn.tag,
        reach=drawn.reach,
        words=drawn.words,
        legend=drawn.legend,
        note=drawn.legend if drawn.strokes else "",
    )


def form_of(order: object) -> OrderForm | None:
    """How an order is drawn; None where it is told as it is written."""
    return form_for(type(order))


def form_for(record: type) -> OrderForm | None:
    """How a kind of order is drawn: as its rule says, else as its own form or that of a kind it extends."""
    kind = find_kind(record)
    if kind is not None and kind.drawn is not None:
        return _drawn(kind.drawn)
    return next((FORMS[known] for known in record.__mro__ if known in FORMS), None)


def draw_orders(canvas: Canvas) -> None:
    """Draw all orders: first those that help, then the arrows, the longest first; tags last."""
    forms = [(verdict, form_of(verdict.order)) for verdict in canvas.verdicts]
    for verdict, form in forms:
        if form and form.course:
            key = province_at(verdict.order), province_of(getattr(verdict.order, "to", ""))
            canvas.curves[key] = form.course(canvas, verdict.order)
    tags = []
    for verdict, form in sorted(forms, key=lambda one: -_length(canvas, *one)):
        order = verdict.order
        if form and form.draw:
            _draw_one(canvas, form, verdict)
        elif not (form and form.tag):
            canvas.add_remark(verdict, form.words(verdict.power, order) if form and form.words else "")
    for verdict, form in forms:
        if form and form.tag and (text := form.tag(verdict, verdict.order)):
            if not form.draw:
                canvas.used.add(_meant(form, form.key))
            tags.append((verdict, str(getattr(verdict.order, "at", "")), text, form.reach))
    marks.place_tags(canvas, tags)


def _draw_one(canvas: Canvas, form: OrderForm, verdict: Verdict) -> None:
    """Draw an order; a form with words of its own for the legend is not mixed up with that whose strokes it has."""
    assert form.draw is not None
    before, canvas.used = canvas.used, set()
    form.draw(canvas, verdict, verdict.order)
    canvas.used = {_meant(form, used) for used in canvas.used} | before


def _meant(form: OrderForm, used: str) -> str:
    """A form of the legend, with what this kind of order says of its own strokes or tag."""
    if form.legend and used in (form.key, f"{form.key} failed"):
        return f"{used}:{form.legend}{' (failed)' * used.endswith(' failed')}"
    return used


def _length(canvas: Canvas, verdict: Verdict, form: OrderForm | None) -> float:
    """How long an order's way is; infinite where it has none."""
    if form is None or form.course is None:
        return math.inf
    return canvas.course(getattr(verdict.order, "at", ""), getattr(verdict.order, "to", "")).length
