"""One order, all of whose words must be understood.

Each layer stands on the one before: the words one after the other (:mod:`.stream`), kinds of units and full names
(:mod:`.kinds`), places (:mod:`.places`), powers and units (:mod:`.units`), what a unit does (:mod:`.saying`), which own
unit is meant (:mod:`.own_units`), orders (:mod:`.orders`). What an order says after its unit is the business of its
kind (:mod:`legation.notation.forms`).
"""

from legation.notation.parsing.orders import Parser
from legation.notation.subjects import Subject

__all__ = ["Parser", "Subject"]
