"""Outcomes of orders, as far as they are drawn differently."""

from __future__ import annotations

import re
from typing import Any, Protocol

from legation.orders import Order

BROKEN = ("disrupted", "no convoy")
IDLE = ("void", "illegal", "ignored")
DONE = ("succeeds", "")


class VerdictLike(Protocol):
    """What is asked of a verdict here; ``outcome`` is a word of the closed list, or an enumeration of such words."""

    @property
    def power(self) -> str:
        """The power that gave the order."""

    @property
    def order(self) -> Order:
        """The order as it was given."""

    @property
    def outcome(self) -> Any:
        """What became of the order."""

    @property
    def dislodged_from(self) -> str | None:
        """The location of the attacker that dislodged the unit; None where it was not dislodged."""


def outcome_of(verdict: VerdictLike) -> str:
    """The outcome as a word."""
    return str(getattr(verdict.outcome, "value", verdict.outcome))


def outcome_class(outcome: str) -> str:
    """An outcome as the name of a class."""
    return re.sub(r"\W+", "-", outcome)
