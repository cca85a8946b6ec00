"""The orders of one position drawn on a canvas; :mod:`legation.atlas.order_forms` says how each kind is drawn."""

import math

from legation.atlas.canvas import Canvas, VerdictLike
from legation.atlas.marks import place_tags
from legation.atlas.order_forms import OrderForm, form_of
from legation.board import province_of
from legation.orders import province_at


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
    place_tags(canvas, tags)


def _draw_one(canvas: Canvas, form: OrderForm, verdict: VerdictLike) -> None:
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


def _length(canvas: Canvas, verdict: VerdictLike, form: OrderForm | None) -> float:
    """How long an order's way is; infinite where it has none."""
    if form is None or form.course is None:
        return math.inf
    return canvas.course(getattr(verdict.order, "at", ""), getattr(verdict.order, "to", "")).length
