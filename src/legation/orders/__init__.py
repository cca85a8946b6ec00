"""Orders: one frozen record for each kind, without behavior. Those that a rule adds stand in that rule's file.

Every order to a unit names it by ``kind`` and ``at`` (its location as the writer gave it; ``kind`` is empty when it was
not written). Who issued an order is on the :class:`Sheet`."""

from legation.orders.records import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Moving,
    Order,
    Remove,
    Retreat,
    Sheet,
    SupportHold,
    SupportMove,
    UnitOrder,
    VoteDraw,
    Waive,
    kind_and_provinces,
    province_at,
)

__all__ = [
    "Build",
    "Convoy",
    "Disband",
    "Hold",
    "Move",
    "Moving",
    "Order",
    "Remove",
    "Retreat",
    "Sheet",
    "SupportHold",
    "SupportMove",
    "UnitOrder",
    "VoteDraw",
    "Waive",
    "kind_and_provinces",
    "province_at",
]
