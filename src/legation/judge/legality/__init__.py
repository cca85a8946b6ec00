"""Legality: what an order means in a position, and whether it is legal.

:class:`Situation` asks, for each kind of order, the function of its subject (:mod:`.movement`, :mod:`.retreats`,
:mod:`.adjustments`) or the rule that brought the kind; :mod:`.reach` tells who can go where."""

from legation.judge.legality.situation import Situation

__all__ = ["Situation"]
