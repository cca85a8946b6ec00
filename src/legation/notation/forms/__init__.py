"""The kinds of order that every game has, one record each; a rule that brings its own registers it the same way."""

from importlib.resources import files

import msgspec

from legation.board import province_of
from legation.notation.errors import refuse
from legation.notation.forms import adjusting, helping, movement
from legation.notation.gestures import Gesture
from legation.notation.order_kinds import OrderKind, Production, Slots, register
from legation.notation.reading_text import ANYWHERE, Subject, Text
from legation.orders import Hold, Order, VoteDraw
from legation.position import Phase

GRAMMAR = files("legation.notation").joinpath("grammar.txt").read_text(encoding="utf-8")


def own_units(text: Text, kind: str, *, rest: bool) -> list[Subject]:
    """Return all units of this power, of one kind if it is given, or those of them that are not ordered yet."""
    mine = (u for u in text.own_units(kind) if not (rest and u.province in text.ordered))
    return [Subject(u.kind, ANYWHERE, at=u.at) for u in mine]


def own_group(text: Text, slots: Slots) -> list[Subject] | None:
    """The own units that ``all``, ``the rest``, ``my fleets`` mean, less those that are left out."""
    if text.position is None or not text.power:
        return None
    kind = next(iter(slots.get("kind", ())), "")
    rest = "rest" in slots
    named = [text.own_unit(one) for one in slots.get("named", ())]
    left = {province_of(one.at) for one in map(text.own_unit, slots.get("left", ())) if one}
    units = [unit for unit in own_units(text, kind, rest=rest) if province_of(unit.at) not in left]
    said = 2 if "both" in slots else next(iter(slots.get("count", ())), 0)
    if said and "rest" not in slots and said != len(units):
        raise refuse("counts", text.text, said=said, named=len(units))
    if named and {province_of(one.at) for one in named if one} != {province_of(unit.at) for unit in units}:
        raise refuse("counts", text.text, said=len(named), named=len(units))
    return units


def _hold_all(text: Text, slots: Slots) -> list[Order] | None:
    """``Hold everything``: as what is said of all units, but for those that have an order of their own."""
    units = own_group(text, slots)
    return None if units is None else [Hold(unit.kind, unit.at) for unit in units] or None


def _own_holds(text: Text, slots: Slots) -> list[Order] | None:
    """``Italy holds``, ``we hold``: all units of this power do; ``Hold.`` the only one."""
    units = own_units(text, "", rest=False)
    if slots.get("power", [text.power])[0] != text.power or ("said" not in slots and len(units) != 1):
        return None
    return _hold_all(text, {})


def _draw(text: Text, slots: Slots) -> list[Order]:
    return [VoteDraw()]


DRAW = OrderKind(
    VoteDraw,
    "a vote for a draw",
    lambda o: "draw",
    lambda o, w: "Vote for a draw",
    productions=(
        Production("draw_first", "opens", _draw),
        Production("all_first", "groups", own_group),
        Production("own_holds", "opens", _own_holds, (Phase.MOVEMENT,), far=0.3, general=True),
        Production("hold_all", "opens", _hold_all, (Phase.MOVEMENT,), general=True),
    ),
    gesture=Gesture(
        name="draw", label="Vote for a draw", note="If every player votes for it in the same turn, the game is drawn."
    ),
)
_PARTS = (movement, helping, adjusting)
KINDS: tuple[OrderKind, ...] = tuple(
    msgspec.structs.replace(kind, grammar=GRAMMAR) for kind in (*(k for part in _PARTS for k in part.KINDS), DRAW)
)
register(*KINDS)
