"""An order's answer: as it takes effect, or why it is illegal."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from legation.orders import Order


class Refusal(msgspec.Struct, frozen=True):
    """Why an order is illegal."""

    reason: str


Judged: TypeAlias = Order | Refusal
