"""The kinds of order. Locations are canonical (``par``, ``spa/sc``); a destination without a coast is ``spa``."""

from __future__ import annotations

from typing import TypeAlias

import msgspec


class Hold(msgspec.Struct, frozen=True, tag=True):
    """``A par H``."""

    kind: str
    at: str


class Move(msgspec.Struct, frozen=True, tag=True):
    """``A par - bur``, ``A lon - nwy via convoy``, ``A lon - nth - nwy``.

    ``via_convoy``: written so. ``route``: the fleets' provinces, where the writer named them. ``ferry``: the moving fleet's province and the
    sea it carries the army to (``A lon - nwy by ferry F nth - nwg``, K-9b).
    """

    kind: str
    at: str
    to: str
    via_convoy: bool = False
    route: tuple[str, ...] = ()
    ferry: tuple[str, str] | None = None


class SupportHold(msgspec.Struct, frozen=True, tag=True):
    """``A mar S A par``: to a unit that holds, supports, convoys or converts. ``power`` is the supported unit's, where it was written."""

    kind: str
    at: str
    target_kind: str
    target: str
    power: str = ""


class SupportMove(msgspec.Struct, frozen=True, tag=True):
    """``A mar S A par - bur``."""

    kind: str
    at: str
    target_kind: str
    target: str
    to: str
    power: str = ""


class Convoy(msgspec.Struct, frozen=True, tag=True):
    """``F nth C A lon - nwy``."""

    kind: str
    at: str
    target_kind: str
    target: str
    to: str
    power: str = ""


class Ferry(msgspec.Struct, frozen=True, tag=True):
    """``F nth - nwg ferries A lon - nwy``: a fleet that moves and carries an army with it (K-9b)."""

    kind: str
    at: str
    to: str
    target_kind: str
    target: str
    target_to: str


class Convert(msgspec.Struct, frozen=True, tag=True):
    """``A bri converts to F`` (``A caern converts to F nc`` where there are several coasts); ``to`` is the new kind, ``coast`` its coast (W-11)."""

    kind: str
    at: str
    to: str
    coast: str = ""


class Proxy(msgspec.Struct, frozen=True, tag=True):
    """``A lon under Argyll``: the unit obeys another power's order this season (W-12)."""

    kind: str
    at: str
    power: str


class Retreat(msgspec.Struct, frozen=True, tag=True):
    """``A tri R vie``."""

    kind: str
    at: str
    to: str


class Disband(msgspec.Struct, frozen=True, tag=True):
    """``A tri disband``: a dislodged unit leaves the board."""

    kind: str
    at: str


class Build(msgspec.Struct, frozen=True, tag=True):
    """``build F stp/nc``: in adjustments, and in placement."""

    kind: str
    at: str


class Remove(msgspec.Struct, frozen=True, tag=True):
    """``remove A par``."""

    kind: str
    at: str


class Waive(msgspec.Struct, frozen=True, tag=True):
    """``waive``: a build that is not used."""


class Send(msgspec.Struct, frozen=True, tag=True):
    """``send 2 to Argyll``: supply for a year (W-13)."""

    count: int
    power: str


class VoteDraw(msgspec.Struct, frozen=True, tag=True):
    """``draw``: the power agrees that the game ends in a draw with this turn."""


UnitOrder: TypeAlias = (
    Hold | Move | SupportHold | SupportMove | Convoy | Ferry | Convert | Proxy | Retreat | Disband | Build | Remove
)
Order: TypeAlias = UnitOrder | Waive | Send | VoteDraw


class Sheet(msgspec.Struct, frozen=True):
    """The orders of one power for one turn, in the order they were written."""

    power: str
    orders: tuple[Order, ...] = ()
