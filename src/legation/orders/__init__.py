"""Orders: one frozen record for each kind, without behavior.

Every order to a unit names it by ``kind`` and ``at`` (its location as the writer gave it; ``kind`` is empty when it was not written).
Who issued an order is on the :class:`Sheet`.
"""

from legation.orders.records import (
    Build,
    Convert,
    Convoy,
    Disband,
    Ferry,
    Hold,
    Move,
    Order,
    Proxy,
    Remove,
    Retreat,
    Send,
    Sheet,
    SupportHold,
    SupportMove,
    UnitOrder,
    VoteDraw,
    Waive,
)

__all__ = [
    "Build",
    "Convert",
    "Convoy",
    "Disband",
    "Ferry",
    "Hold",
    "Move",
    "Order",
    "Proxy",
    "Remove",
    "Retreat",
    "Send",
    "Sheet",
    "SupportHold",
    "SupportMove",
    "UnitOrder",
    "VoteDraw",
    "Waive",
]
