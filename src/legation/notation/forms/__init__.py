"""The kinds of order in writing: one form for each, used by the reader and the writers alike."""

from legation.notation.forms import adjustments, conversion, ferry, movement, proxy, retreats, supply
from legation.notation.forms.form import Opening, OrderForm, Phrases, Verb

FORMS: tuple[OrderForm, ...] = (
    *movement.FORMS,
    *retreats.FORMS,
    *adjustments.FORMS,
    *ferry.FORMS,
    *conversion.FORMS,
    *proxy.FORMS,
    *supply.FORMS,
)

__all__ = ["FORMS", "Opening", "OrderForm", "Phrases", "Verb"]
