"""Holds and moves in writing: where a unit goes, over which seas, and what stays."""

from collections.abc import Sequence
from typing import Any

from legation.board import ARMY, province_of
from legation.notation.errors import refuse
from legation.notation.gestures import Gesture, Phrases
from legation.notation.order_kinds import OrderKind, Production, Slots, write_unit
from legation.notation.reading_text import Mention, Subject, Text
from legation.orders import Hold, Move, Order
from legation.position import Phase

MOVEMENT = (Phase.MOVEMENT,)


def goal(text: Text, unit: Subject, mention: Mention, helper: Subject | None = None) -> str:
    """Return where a unit goes: the place that it can get to, if the name may mean several.

    :raises OrderTextError: if it isn't clear."""
    tests = [text.lands(unit.kind, unit.at), text.reaches(unit.kind, unit.at)]
    tests += [text.reaches(helper.kind, helper.at)] if helper is not None else []
    return picked(text, mention, *tests)


def picked(text: Text, mention: Mention, *tests: Any) -> str:
    """Return the location that a name means.

    :raises OrderTextError: if several are left, if a misspelled name fits nothing, or if it has no such coast."""
    at = text.pick(mention, *tests)
    span = text.span(mention.first, mention.last)
    if at is None:
        code = "unknown place" if mention.misspelled else "ambiguous"
        said = repr(text.written(mention.first, mention.last)[:60])
        raise refuse(code, text.text, span, text.reader.places.shown(mention.meaning.keys), said=said)
    province = text.reader.board.provinces[province_of(at)]
    if mention.coast and province.coasts and mention.coast not in province.coasts:
        raise refuse("no coast", text.text, span, province.locations, coasts=", ".join(province.locations))
    return at


def is_army(text: Text, unit: Subject) -> bool:
    """Whether a unit is an army of some kind: it can be convoyed, and convoys nobody."""
    stands = text.standing.get(province_of(unit.at))
    return text.reader.travel.get(unit.kind or (stands.kind if stands else "")) == ARMY


def route_of(text: Text, unit: Subject, mentions: Sequence[Mention]) -> tuple[str, ...]:
    """Return the seas that an order names on the way.

    :raises OrderTextError: if one of them is no sea, or may be another goal of a fleet: ``F bre - mao (eng)``."""
    board = text.reader.board
    sails = bool(unit.kind or text.standing) and not is_army(text, unit)
    route: list[str] = []
    for mention in mentions:
        last = province_of(route[-1] if route else unit.at)
        beside = board.adjacent(last)
        at = picked(text, mention, lambda p: board.provinces[p].sea, beside.__contains__, text.present())
        if not board.provinces[province_of(at)].sea or (sails and text.words[mention.first - 1] == "("):
            span = text.span(mention.first, mention.last)
            raise refuse("sea only", text.text, span, said=board.provinces[province_of(at)].name)
        route.append(at)
    return tuple(route)


def move(text: Text, unit: Subject, slots: Slots) -> Order | None:
    """Return the move of a unit to the last place that is named."""
    if any(province_of(unit.at) not in place.meaning.keys for place in slots.get("from", ())):
        return None
    *seas, last = slots["to"]
    to = goal(text, unit, last)
    seas = [sea for sea in (*seas, *slots.get("sea", ())) if sea.meaning.keys[:1] != (province_of(to),)]
    route = route_of(text, unit, seas)
    return Move(unit.kind, unit.at, to, via_convoy="convoy" in slots and not route, route=route)


def _into(text: Text, unit: Subject, slots: Slots) -> Order | None:
    """``Rumania in Black Sea``: another place in the unit's reach."""
    keys = slots["to"][0].meaning.keys
    near = text.reaches(unit.kind, unit.at)
    fits = text.present()(province_of(unit.at)) and any(near(key) and key != province_of(unit.at) for key in keys)
    return move(text, unit, slots) if fits else None


def _unsaid(text: Text, unit: Subject, slots: Slots) -> Order | None:
    """``A par bur``: a place in the reach of an own unit, and no further unit of a list."""
    mention = slots["to"][0]
    if mention.misspelled or text.words[mention.first - 1] == ",":
        return None
    if not (text.ends(mention.last) or text.kinds(mention.last) or "sea" in slots or "convoy" in slots):
        return None
    near = text.reaches(unit.kind, unit.at)
    carried = {
        province_of(o.to) for o in text.ordered.values() if getattr(o, "target", "") == unit.at and hasattr(o, "to")
    }
    keys = [key for key in mention.meaning.keys if near(key) or key in carried]
    if not keys and text.standing and not (unit.kind and text.own(province_of(unit.at))):
        return None
    if not unit.kind and (not text.own(province_of(unit.at)) or not keys):
        return None
    return move(text, unit, slots)


def _move_at_unit(text: Text, unit: Subject, slots: Slots) -> Order | None:
    """``attacks the German army in Munich``: where such a unit of another power stands."""
    kind, power = slots.get("kind", [""])[0], slots.get("power", [""])[0]
    there = text.present(kind, power)
    keys = slots["to"][0].meaning.keys
    return move(text, unit, slots) if any(there(key) and not text.own(key) for key in keys) else None


def moved_unit(text: Text, slots: Slots) -> Subject | None:
    """Return the unit that is to go, or that stands where it is to go from."""
    return text.own_unit(slots["unit"][0] if "unit" in slots else Subject("", slots["moved"][0]))


def _moved_from(text: Text, slots: Slots) -> Order | None:
    """``Move Paris to Gascony``, ``from Paris to Gascony``."""
    unit = moved_unit(text, slots)
    return move(text, unit, slots) if unit is not None else None


def _backwards(text: Text, unit: Subject, slots: Slots) -> Order | None:
    """``Burgundy <- Paris``, ``Warwickshire is to be entered by Army Worcestershire``: the move of the other unit."""
    moved = text.own_unit(slots["moved"][0])
    if moved is None or unit.kind or unit.power or not text.own(province_of(moved.at)):
        return None
    to = unit.at
    return Move(moved.kind, moved.at, to) if text.reaches(moved.kind, moved.at)(province_of(to)) else None


def hold(text: Text, unit: Subject, slots: Slots) -> Order | None:
    """Return the hold of a unit, if the place that is named again is its own."""
    if any(province_of(unit.at) not in place.meaning.keys for place in slots.get("at", ())):
        return None
    if "named" in slots and not _named_alike(text, slots["named"], slots.get("of", [unit])):
        return None
    if text.phase in (Phase.ADJUSTMENTS, Phase.PLACEMENT) and text.position is not None:
        raise refuse("only stays", text.text)
    return Hold(unit.kind, unit.at)


def _named_alike(text: Text, named: Sequence[Subject], units: Sequence[Subject]) -> bool:
    """Whether a list names just the units of which something is said: ``the others hold (Vistula, Prague)``."""
    found = {province_of(one.at) for one in (text.own_unit(subject) for subject in named) if one is not None}
    return found == {province_of(unit.at) for unit in units} and len(found) == len(named)


def _slashed(text: Text, unit: Subject, slots: Slots) -> Order | None:
    """``A par/gas``: an own unit goes to a place in its reach where no other stands that has no order."""
    near = text.reaches(unit.kind, unit.at)
    to = text.pick(slots["to"][0], near)
    if to is None or not (text.own(province_of(unit.at)) and near(province_of(to))):
        return None
    return None if text.own(to) and to not in text.ordered else move(text, unit, slots)


def hold_first(text: Text, slots: Slots) -> list[Order] | None:
    """``Hold Paris and Brest``, ``Leave Paris where it is``."""
    units = [text.own_unit(one) for one in slots["unit"]]
    if text.standing and not all(one is not None and text.own(province_of(one.at)) for one in units):
        return None
    return [Hold(one.kind, one.at) for one in units if one is not None]


def _write_move(o: Move) -> str:
    steps = " - ".join((*o.route, o.to))
    return f"{write_unit(o.kind, o.at)} - {steps}{' via convoy' if o.via_convoy else ''}"


def _say_move(o: Move, w: Phrases) -> str:
    steps = " - ".join(w.place(p) for p in (*o.route, o.to))
    return f"{w.unit(o.kind, o.at)} moves to {steps}{' via convoy' if o.via_convoy else ''}"


MOVE_GESTURE = Gesture(name="move", taps="place", label="To {to}", asks="{unit} - {to}", stroke="arrow")
CONVOYED_GESTURE = Gesture(
    name="via", taps="place", label="To {to} by convoy", group="By convoy", key="v", rank=1, stroke="dashed arrow"
)
MOVE = OrderKind(
    Move,
    "a move",
    _write_move,
    _say_move,
    productions=(
        Production("move", "says", move, MOVEMENT),
        Production("move_together", "says", move, MOVEMENT, shared=True),
        Production("move_unit", "says", _move_at_unit, MOVEMENT, far=0.4),
        Production("into_place", "says", _into, MOVEMENT, far=0.6),
        Production("unsaid", "says", _unsaid, MOVEMENT, far=1.0),
        Production("slash", "says", _slashed, MOVEMENT, far=0.3),
        Production("backwards", "says", _backwards, MOVEMENT),
        Production("attacked", "says", _backwards, MOVEMENT, far=0.3),
        Production("move_first", "opens", _moved_from, MOVEMENT),
    ),
    shown="-",
    gesture=lambda o: CONVOYED_GESTURE if o.via_convoy or o.route else MOVE_GESTURE,
)
HOLD = OrderKind(
    Hold,
    "a hold",
    lambda o: f"{write_unit(o.kind, o.at)} H",
    lambda o, w: f"{w.unit(o.kind, o.at)} holds",
    productions=(
        Production("hold", "says", hold, shared=True, stays=True),
        Production("hold_first", "opens", hold_first, MOVEMENT),
        Production("keep_first", "opens", hold_first, MOVEMENT),
    ),
    shown="H",
    gesture=Gesture(name="hold", taps="again", label="Hold", asks="{unit} H", key="h", stroke="ring"),
)
KINDS = (HOLD, MOVE)
