"""Retreats, disbandments, builds, removals and waivers in writing."""

from legation.board import province_of
from legation.notation.errors import refuse
from legation.notation.forms.movement import moved_unit, picked
from legation.notation.gestures import Gesture
from legation.notation.order_kinds import OrderKind, Production, Slots, write_unit
from legation.notation.reading_text import ANYWHERE, Mention, Subject, Text
from legation.orders import Build, Disband, Hold, Order, Remove, Retreat, Waive
from legation.position import Phase

RETREATS = (Phase.RETREATS,)
ADJUSTMENTS = (Phase.ADJUSTMENTS,)
BUILDING = (Phase.ADJUSTMENTS, Phase.PLACEMENT)
MOST_WAIVERS = 20


def _retreat(text: Text, unit: Subject, slots: Slots) -> Retreat:
    to = picked(text, slots["to"][0], text.lands(unit.kind, unit.at), text.reaches(unit.kind, unit.at))
    return Retreat(unit.kind, unit.at, to)


def _retreat_elsewhere(text: Text, unit: Subject, slots: Slots) -> Order | None:
    """A retreat that is not called one, and so leads elsewhere."""
    made = _retreat(text, unit, slots)
    return None if province_of(made.to) == province_of(unit.at) else made


def _retreat_first(text: Text, slots: Slots) -> Order | None:
    unit = moved_unit(text, slots)
    return _retreat_elsewhere(text, unit, slots) if unit is not None else None


def _gone(text: Text, unit: Subject, _: Slots | None = None) -> Order | None:
    """A removal where units are built, a disbandment otherwise."""
    building = text.phase is Phase.PLACEMENT or text.units_over() < 0
    away = building if text.phase in BUILDING else bool(text.standing)
    if away and not unit.kind and province_of(unit.at) not in text.standing:
        return None  # mer D, where D is a kind of unit; the goal of a retreat
    kind = Remove if text.phase in BUILDING else Disband
    return kind(unit.kind, unit.at)


def _counted(text: Text, slots: Slots, named: int) -> None:
    said = [unit.count for unit in slots.get("unit", ()) if unit.count]
    if said and sum(said) != named and said != [named]:
        raise refuse("counts", text.text, said=sum(said), named=named)


def _leave_first(text: Text, slots: Slots) -> list[Order] | None:
    units = [text.own_unit(one) for one in slots["unit"]]
    if not all(units):
        return None
    _counted(text, slots, len(units))
    gone = [_gone(text, unit) for unit in units if unit is not None]
    return [order for order in gone if order is not None] if all(gone) else None


def _minus(text: Text, slots: Slots) -> list[Order] | None:
    """``-A wal, -F bis`` where units must go."""
    return _leave_first(text, slots) if text.units_over() > 0 else None


def _leave_all(text: Text, slots: Slots) -> list[Order] | None:
    kind = slots.get("kind", [""])[0]
    units = text.own_units(kind)
    if "both" in slots and len(units) != 2:
        raise refuse("counts", text.text, said=2, named=len(units))
    gone = [_gone(text, Subject(u.kind, ANYWHERE, at=u.at)) for u in units]
    return [order for order in gone if order is not None] or None


def site_of(text: Text, mention: Mention, kind: str) -> str:
    """Return where a unit is built."""
    provinces = text.reader.board.provinces
    return picked(
        text,
        mention,
        text.stands(kind),
        lambda p: not provinces[p].sea,
        lambda p: p in text.centers or text.phase is Phase.PLACEMENT,
        lambda p: provinces[p].center,
    )


def _build_first(text: Text, slots: Slots) -> list[Order] | None:
    """``Build A par, F bre``, ``builds armies in Par and Mar``: where no kind is named, it is the one before."""
    orders: list[Order] = []
    kind = next(iter(slots.get("kind", ())), "")
    if kind and slots["unit"][0].kind not in ("", kind):
        return None  # a fleet (Bre) - an army (Par)
    for unit in slots["unit"]:
        kind = unit.kind or kind
        orders.append(Build(kind, site_of(text, unit.place, kind)))
    counts = [*slots.get("count", ()), *(unit.count for unit in slots["unit"] if unit.count)]
    if counts and sum(counts) != len(orders) and max(counts) != len(orders):
        raise refuse("counts", text.text, said=max(counts), named=len(orders))
    return orders


def _make(text: Text, slots: Slots) -> list[Order] | None:
    """``Make that F bre``, where no unit has to go."""
    return _build_first(text, slots) if text.units_over() <= 0 else None


def _build(text: Text, unit: Subject, slots: Slots) -> Order | None:
    kind = slots.get("kind", [unit.kind])[0]
    if unit.place is ANYWHERE or unit.kind not in ("", kind):
        return None  # all units stand already; army in Nap and Rom, one fleet
    mine = text.position is None or province_of(unit.at) in text.centers
    if not mine and text.phase is Phase.ADJUSTMENTS and not kind:
        return None
    return Build(kind, unit.at)


def bare(text: Text, unit: Subject) -> Order | None:
    """A unit of which nothing is said is built where none stands in an own center."""
    if unit.place.misspelled and not unit.kind:
        return None
    if text.phase is Phase.PLACEMENT:
        return Build(unit.kind, unit.at)
    place = province_of(unit.at)
    if text.phase is not Phase.ADJUSTMENTS or place in text.standing:
        return None
    return Build(unit.kind, unit.at) if place in text.centers else None


def section_bare(section: str, text: Text, unit: Subject) -> Order | None:
    """The order of a unit of which nothing is said below a heading (``Builds:``, ``Removals:``, ``Hold:``)."""
    if section == "build" and text.phase in BUILDING and unit.place is not ANYWHERE:
        return Build(unit.kind, unit.at)
    if section == "remove":
        return _gone(text, unit)
    if section == "hold" and text.phase is Phase.MOVEMENT:
        return Hold(unit.kind, unit.at)
    return bare(text, unit) if unit.kind or section != "other" else None


def _build_each(text: Text, slots: Slots) -> list[Order] | None:
    """``An army and a fleet in Par and Bre``, as many kinds as places."""
    kinds, units = slots["kind"], slots["unit"]
    if len(kinds) != len(units):
        raise refuse("counts", text.text, said=len(kinds), named=len(units))
    if any(unit.kind for unit in units):
        return None
    return [Build(kind, site_of(text, unit.place, kind)) for kind, unit in zip(kinds, units, strict=True)]


def open_builds(text: Text) -> int:
    """How many builds the power's centers leave, less those that the sheet has named; at least one, so that the waiver
    is seen."""
    return max(-text.units_over() - text.claimed, 1)


def _waive(text: Text, slots: Slots) -> list[Order] | None:
    if "all" in slots:
        return [Waive()] * min(open_builds(text), MOST_WAIVERS)
    said = len(slots["again"]) if "again" in slots else sum(slots.get("count", [1]))
    return [Waive()] * max(1, min(said, MOST_WAIVERS))


def _waived(text: Text, unit: Subject, slots: Slots) -> Order | None:
    """``Munich waived``: the build in an own center where none stands."""
    place = province_of(unit.at)
    return Waive() if place in text.centers and place not in text.standing and not unit.kind else None


RETREAT = OrderKind(
    Retreat,
    "a retreat",
    lambda o: f"{write_unit(o.kind, o.at)} R {o.to}",
    lambda o, w: f"{w.unit(o.kind, o.at)} retreats to {w.place(o.to)}",
    productions=(
        Production("retreat", "says", _retreat, RETREATS),
        Production("unsaid", "says", _retreat_elsewhere, RETREATS, far=0.5),
        Production("retreat_first", "opens", _retreat_first, RETREATS),
        Production("move_first", "opens", _retreat_first, RETREATS),
    ),
    shown="R",
    shown_in=Phase.RETREATS,
    gesture=Gesture(name="retreat", taps="place", label="To {to}", asks="{unit} R {to}", stroke="broken arrow"),
)
DISBAND = OrderKind(
    Disband,
    "a disbandment",
    lambda o: f"{write_unit(o.kind, o.at)} disband",
    lambda o, w: f"{w.unit(o.kind, o.at)} disbands",
    productions=(
        Production("leave", "says", _gone, shared=True, far=0.05),
        Production("goes_away", "says", _gone, ADJUSTMENTS, shared=True, far=0.1),
    ),
    shown="D",
    shown_in=Phase.RETREATS,
    gesture=Gesture(name="disband", taps="again", label="Disband", key="h", stroke="cross"),
)
REMOVE = OrderKind(
    Remove,
    "a removal",
    lambda o: f"remove {write_unit(o.kind, o.at)}",
    lambda o, w: f"Remove {w.unit(o.kind, o.at)}",
    productions=(
        Production("leave_first", "opens", _leave_first, (Phase.RETREATS, *BUILDING)),
        Production("minus", "opens", _minus, ADJUSTMENTS),
        Production("leave_all", "opens", _leave_all, (Phase.RETREATS, *BUILDING)),
    ),
    shown="'remove'",
    shown_in=Phase.ADJUSTMENTS,
    gesture=Gesture(
        name="remove", taps="again", label="Remove", asks="remove {unit}", counts="removal", stroke="cross"
    ),
)
BUILD = OrderKind(
    Build,
    "a build",
    lambda o: f"build {write_unit(o.kind, o.at)}",
    lambda o, w: f"Build {w.unit(o.kind, o.at)}",
    productions=(
        Production("build_first", "opens", _build_first),
        Production("make_first", "opens", _make, BUILDING),
        Production("build_list", "opens", _build_first, BUILDING, far=0.2),
        Production("build", "says", _build, BUILDING, shared=True),
        Production("build_each", "opens", _build_each, BUILDING),
        Production("choose_first", "opens", _build_first, (Phase.PLACEMENT,)),
    ),
    shown="'build'",
    shown_in=Phase.ADJUSTMENTS,
    gesture=Gesture(
        name="build",
        taps="site",
        whom=lambda o: o.kind,
        label=lambda o, w: f"{w.unit(o.kind, o.at)}",
        counts="build",
        asks="build {whom} {to}",
        stroke="ring with a plus",
    ),
)
WAIVE = OrderKind(
    Waive,
    "a waiver",
    lambda o: "waive",
    lambda o, w: "Waive",
    productions=(
        Production("waive_first", "opens", _waive, BUILDING),
        Production("waived", "says", _waived, ADJUSTMENTS),
    ),
    gesture=Gesture(name="waive", label="Waive one", counts="build", repeats=True),
)
KINDS = (RETREAT, DISBAND, REMOVE, BUILD, WAIVE)
