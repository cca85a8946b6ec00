"""The fast ferry: a fleet carries an army while moving (K-9). All of it is here: the two orders, how they are read,
written and drawn, when they are legal, and their effect.

It is long because a rule and its orders are in one file, and this one has two orders that depend on each other."""

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

import msgspec

from legation.board import ARMY, province_of
from legation.judge import DenseForm, Judged, Matching, Option, Refusal, Rewritten, Rule, Ruleset, Situation
from legation.notation import (
    Drawn,
    Gesture,
    OnPaper,
    OrderKind,
    Phrases,
    Production,
    Slots,
    Subject,
    Text,
    refuse,
    write,
    write_unit,
)
from legation.notation.forms import GRAMMAR as CORE_GRAMMAR
from legation.notation.forms.movement import picked, route_of
from legation.orders import Convoy, Move, Moving, Order, Sheet
from legation.position import Phase, Position, Unit


class Ferry(Moving, frozen=True):
    """``F nth - nwg ferries A lon - nwy``: a fleet that moves and carries an army with it (K-9b)."""

    target_kind: str
    target: str
    target_to: str


class Ride(Move, frozen=True, kw_only=True):
    """``A lon - nwy by ferry F nth - nwg``: the army's side; ``ferry`` is where the fleet stands and the sea that it
    moves to."""

    ferry: tuple[str, str]


# In writing

GRAMMAR = """
links = ("," | ";" | "(" | ")" | AND | "then" | "which" | "who" | "that" | IT | "where" | WITH | "the" | ABOARD | AUX)*
sails = links (UNIT "-" | UNIT? (GOESTO | TO | VIA | OVER)) TOWARDS? sea=PLACE
lands = links UNIT? (LANDS (IN | TO | "on")* | AUX* LANDS (IN | TO | "on")* | TO | "-" | TOWARDS) land=PLACE
voyage = sails lands ")"? | lands sails ")"?
hull = ("," | "(" | AND)? (HULL | FERRYING) (HULL | "the" | "a" | "fast" | "of" | FERRYING | "board" | "(")*
ferry = go to=PLACE (AND | "(")? (FERRIES | CARRYING) target=UNIT (go land=PLACE)? ")"?
ride = go to=PLACE ("-" to=PLACE)* hull fleet=UNIT go sea=PLACE ")"?
ride_route = go to=PLACE "-" to=PLACE "-" to=PLACE hull END
ferried = AUX* FERRIED "by" fleet=UNIT voyage
ferried_by = AUX* FERRIED "by" fleet=UNIT "-" sea=PLACE (TO | TOWARDS | "-") to=PLACE
no_landing = AUX* FERRIED "by"? UNIT (sails | "-" PLACE)? END
ferry_over = FERRIES target=UNIT voyage | FERRIES target=UNIT (go sea=PLACE)? END
    | CONVOY target=UNIT go sea=PLACE lands
board = BOARDS ("on" | "onto" | "upon" | "aboard")? fleet=UNIT voyage
ferry_first = "fast"? FERRYING ":" unit=UNIT ("-" | TO) KIND? to=PLACE ("-" | TO) KIND? to=PLACE ("-" | TO) to=PLACE
"""
WORDS = (
    ("FERRIES", "ferries, ferry, ferrying"),
    ("CARRYING", "carrying, taking"),
    ("FERRYING", "ferry, ferries, fast ferry, ferrying"),
    ("FERRIED", "ferried, carried, taken"),
    ("BOARDS", "boards, board, embarks, embark, aboard"),
    ("LANDS", "lands, land, landing, disembarks, disembark, disembarking, debarks, goes ashore, go ashore, "
     "going ashore, "
     "steps ashore, gets off, is landed, is put ashore, is set down, sets it down, puts it ashore, puts it down, "
     "lands it, landing it"),
    ("GOESTO", "moves, move, moving, goes, go, going, sails, sail, sailing, proceeds, steams, heads, moves to, "
     "goes to"),
    ("HULL", "by, with, via, on, aboard, using, ferry, by ferry, by fast ferry, ferried by, carried by, on board"),
    ("ABOARD", "army, fleet, ship, ships, men, troops, both, they"),
)  # fmt: skip


def _named(text: Text, subject: Subject) -> Subject:
    """A unit, with where it stands."""
    at = picked(text, subject.place, text.stands(subject.kind), text.present(subject.kind, subject.power))
    return msgspec.structs.replace(subject, at=at)


def _voyage(text: Text, army: Subject, fleet: Subject, slots: Slots) -> tuple[str, str]:
    """The sea to which the fleet moves, and the coast where the army lands."""
    sea = picked(text, slots["sea"][0], text.reaches("F", fleet.at))
    land = picked(text, slots["land"][0], text.lands(army.kind or "A", army.at))
    provinces = text.reader.board.provinces
    if not provinces[province_of(sea)].sea:
        raise refuse("say ferry", text.text)
    if provinces[province_of(land)].sea:
        raise refuse("landing", text.text)
    return sea, land


def _is_fleet(text: Text, unit: Subject) -> bool:
    stands = text.standing.get(province_of(unit.at))
    return (unit.kind or (stands.kind if stands else "")) == "F"


def _ferry(text: Text, unit: Subject, slots: Slots) -> Order | None:
    """``F nth - nwg ferries A lon - nwy``; where the army lands may stand in its own order."""
    if not _is_fleet(text, unit):
        return None
    army = _named(text, slots["target"][0])
    to = picked(text, slots["to"][0], text.reaches("F", unit.at))
    land = picked(text, slots["land"][0], text.lands("A", army.at)) if "land" in slots else ""
    return Ferry(unit.kind, unit.at, to, army.kind, army.at, land or _landing(text, army, (unit.at, to)))


def _landing(text: Text, army: Subject, ferry: tuple[str, str]) -> str:
    """Where a ferry's army lands, as its own order on the sheet says."""
    order = text.ordered.get(province_of(army.at))
    seas = tuple(map(province_of, ferry))
    agrees = isinstance(order, Ride) and order.ferry == seas
    agrees = agrees or (type(order) is Move and not order.via_convoy and order.route in ((), seas))
    if not agrees or not isinstance(order, Move) or text.reader.board.provinces[province_of(order.to)].sea:
        raise refuse("landing", text.text)
    return order.to


def _ride(text: Text, unit: Subject, slots: Slots) -> Order | None:
    """``A lon - nwy by ferry F nth - nwg``."""
    fleet = _named(text, slots["fleet"][0])
    if _is_fleet(text, unit) or not _is_fleet(text, fleet):
        return None
    *seas, last = slots["to"]
    to = picked(text, last, text.lands("A", unit.at))
    sea = picked(text, slots["sea"][0], text.reaches("F", fleet.at))
    return Ride(unit.kind, unit.at, to, route=route_of(text, unit, seas), ferry=(fleet.at, sea))


def _ride_route(text: Text, unit: Subject, slots: Slots) -> Order | None:
    """``A ber - nwg - ice - rey by ferry``."""
    first, second, last = (picked(text, place) for place in slots["to"])
    ends = any(text.at[i].keys() & {"FERRYING"} for i in range(slots["to"][-1].last, len(text.tokens)))
    return Ride(unit.kind, unit.at, last, ferry=(first, second)) if ends else None


def _ferried(text: Text, unit: Subject, slots: Slots) -> list[Order] | None:
    """``A lon boards F nth, which moves to nwg, and lands in nwy``: the ride, and the order of an own fleet that has
    none yet."""
    fleet = _named(text, slots["fleet"][0])
    sea, land = _voyage(text, unit, fleet, slots)
    given = text.ordered.get(province_of(fleet.at))
    ride = Ride(unit.kind, unit.at, land, ferry=(fleet.at, sea))
    if given is not None and (getattr(given, "at", ""), getattr(given, "to", "")) != (fleet.at, sea):
        raise refuse("unclear", text.text)
    own = given is None and text.own(province_of(fleet.at))
    return [ride, Move("F", fleet.at, sea)] if own else [ride]


def _no_landing(text: Text, unit: Subject, slots: Slots) -> Order:
    """``A lon ferried by F nth - nwg``."""
    raise refuse("landing", text.text)


def _ferry_over(text: Text, unit: Subject, slots: Slots) -> list[Order] | None:
    """``F nth ferries A lon to nwy via nwg``, ``..., and the army lands in nwy``; a convoy where no ferries are
    played."""
    army = _named(text, slots["target"][0])
    sea = slots["sea"][0] if "sea" in slots else None
    if Ferry not in text.reader.played:
        return None if sea is None else [Convoy(unit.kind, unit.at, army.kind, army.at, picked(text, sea))]
    if sea is None:
        raise refuse("say ferry", text.text)
    to = picked(text, sea, text.reaches("F", unit.at))
    if not text.reader.board.provinces[province_of(to)].sea or text.present()(province_of(to)):
        raise refuse("say ferry", text.text)
    if "land" not in slots:
        return [Ferry(unit.kind, unit.at, to, army.kind, army.at, _landing(text, army, (unit.at, to)))]
    _, land = _voyage(text, army, unit, slots)
    made: list[Order] = [Ferry(unit.kind, unit.at, to, army.kind, army.at, land)]
    told = any("LANDS" in classes for classes in text.at)
    if told and text.own(province_of(army.at)) and province_of(army.at) not in text.ordered:
        made.append(Ride(army.kind, army.at, land, ferry=(unit.at, to)))
    return made


def _ferry_first(text: Text, slots: Slots) -> Order | None:
    """``Ferry: A lon - enc - mao - com``."""
    army = _named(text, slots["unit"][0])
    first, second, last = (picked(text, place) for place in slots["to"])
    return Ride(army.kind, army.at, last, ferry=(first, second))


def _say_ferry(o: Ferry, w: Phrases) -> str:
    army = w.unit(o.target_kind, o.target)
    return f"{w.unit(o.kind, o.at)} moves to {w.place(o.to)} and ferries {army} to {w.place(o.target_to)}"


def _write_ride(o: Ride) -> str:
    steps = " - ".join((*o.route, o.to))
    return f"{write_unit(o.kind, o.at)} - {steps} by ferry F {o.ferry[0]} - {o.ferry[1]}"


def _say_ride(o: Ride, w: Phrases) -> str:
    steps = " - ".join(w.place(p) for p in (*o.route, o.to))
    fleet = f"Fleet {w.place(o.ferry[0])} - {w.place(o.ferry[1])}"
    return f"{w.unit(o.kind, o.at)} moves to {steps} by ferry {fleet}"


def _examples(rules: Ruleset, land: Sequence[str]) -> list[Order]:
    """A ride over two neighboring seas to a coast that an army can reach in no other way."""
    tables = rules.tables
    for start in land:
        for sea in sorted(tables.by_sea[start] & tables.sea):
            for beyond in sorted(tables.fleet[sea] & tables.sea):
                shores = tables.by_sea[beyond] - tables.by_sea[sea] - tables.army[start] - tables.sea
                for end in sorted(shores):
                    ride = Ride("A", start, end, ferry=(sea, beyond))
                    return [ride, Ferry("F", sea, beyond, "A", start, end)]
    return []


FERRY = OrderKind(
    Ferry,
    "the fast ferry",
    lambda o: f"{write_unit(o.kind, o.at)} - {o.to} ferries {write_unit(o.target_kind, o.target)} - {o.target_to}",
    _say_ferry,
    grammar=CORE_GRAMMAR + GRAMMAR,
    words=WORDS,
    productions=(
        Production("ferry", "says", _ferry),
        Production("ride", "says", _ride),
        Production("ride_route", "says", _ride_route),
        Production("ferried", "says", _ferried),
        Production("ferried_by", "says", _ride),
        Production("no_landing", "says", _no_landing),
        Production("board", "says", _ferried),
        Production("ferry_over", "says", _ferry_over),
        Production("ferry_first", "opens", _ferry_first),
    ),
    phases=(Phase.MOVEMENT,),
    title="Ferry",
    meaning="A fleet that moves takes an army along.",
    ways=("A lon - fri by ferry F enc - nth", "F enc - nth ferries A lon - fri"),
    examples=_examples,
    drawn=Drawn(strokes="hollow arrow", legend="ferries: moves and carries"),
    gesture=Gesture(
        name="carry",
        taps="helped",
        to=lambda o: o.target_to,
        label=_say_ferry,
        group="Ferry",
        key="f",
        rank=2,
        asks="{unit} C {whom}[ - {to}]",
        carries=True,
        stroke="hollow arrow",
    ),
)
RIDE = OrderKind(
    Ride,
    "the fast ferry",
    _write_ride,
    _say_ride,
    phases=(Phase.MOVEMENT,),
    drawn=Drawn(strokes="arrow", through=lambda o: o.ferry),
    gesture=Gesture(name="ferry", taps="place", label=_say_ride, group="By ferry", rank=2, stroke="dashed arrow"),
    paper=OnPaper(places="by ferry"),
)


# The rule


class FastFerry(Rule):
    """A fleet can carry an army while it moves; the option ``ferry`` turns this off."""

    key = "ferry"
    version = 2
    options = (Option("ferry", "K-9", (True, False), "Whether a fleet that moves may carry an army with it."),)
    orders: ClassVar[tuple[OrderKind, ...]] = (FERRY, RIDE)
    runs_after = ("fog_of_war", "proxy")  # a fleet lent to another is ordered by that power's sheet

    def order_kinds(self, rules: Ruleset, phase: Phase) -> tuple[type[Order], ...]:
        return super().order_kinds(rules, phase) if rules.options["ferry"] is True else ()

    # Legality

    def interpret(self, situation: Situation, power: str, order: Order) -> Judged:
        """A fleet's order is legal if the fleet can move so and there is such an army; an army's if such a fleet can
        bring it there (K-9b to K-9d)."""
        assert isinstance(order, Ferry | Ride)
        named = situation.unit(power, order)
        if isinstance(named, Refusal):
            return named
        return (
            _legal_ferry(situation, named, order) if isinstance(order, Ferry) else _legal_ride(situation, named, order)
        )

    def supports_arrival(self, rules: Ruleset, situation: Situation, unit: Unit, province: str) -> bool:
        """Between shores a ferry may bring an army anywhere; whether
        one was ordered is seen when orders are matched."""
        provinces = rules.board.provinces
        return rules.options["ferry"] is True and provinces[province_of(unit.at)].shore and provinces[province].shore

    def legal_cooperation(self, situation: Situation, listed: Mapping[str, list[Order]]) -> Mapping[str, Iterable[str]]:
        """Rides of one fleet (K-9b); chains of several fleets are legal too but too many to list."""
        rules = situation.rules
        landings: dict[str, set[str]] = {}
        if situation.position.turn.phase is not Phase.MOVEMENT or rules.options["ferry"] is not True:
            return landings
        tables = rules.tables
        armies = [
            unit
            for unit in situation.position.units
            if rules.kinds[unit.kind].convoyed and unit.power not in situation.silenced
        ]
        shores: dict[str, list[str]] = {}  # by sea: where a fleet there lands armies
        barred = {
            (army.at, to)
            for army in armies
            for to in _landings(situation, army)
            if to == army.at or rules.refuses_entry(situation.position, army, to)
        }
        for fleet in situation.position.units:
            if not rules.kinds[fleet.kind].convoys or fleet.at not in tables.sea:
                continue
            boarding = [army for army in armies if army.at in tables.by_sea[fleet.at]]
            for sea in sorted(tables.fleet[fleet.at] & tables.sea) if boarding else ():
                if sea not in shores:
                    shores[sea] = sorted(tables.by_sea[sea] - tables.sea)
                ferry = (fleet.at, sea)
                for army in boarding:
                    goals = [to for to in shores[sea] if (army.at, to) not in barred]
                    rides, ferries = listed.get(army.power), listed.get(fleet.power)
                    for to in goals:
                        if rides is not None:
                            rides.append(Ride(army.kind, army.at, to, ferry=ferry))
                        if ferries is not None:
                            ferries.append(Ferry(fleet.kind, *ferry, army.kind, army.at, to))
                    landings.setdefault(army.at, set()).update(goals)
        return landings

    # What comes of it

    def rewrite(self, rules: Ruleset, position: Position, sheets: tuple[Sheet, ...]) -> Rewritten:
        """An army that is ordered to where one fleet of its own power is to ferry it goes by that ferry, though its
        order does not say so.

        No other power's order has a part in this (K-9e). Only legal orders count, and convoys only where they make a
        whole way without a fleet that moves: else they may be links of the ferry's chain."""
        if position.turn.phase is not Phase.MOVEMENT or rules.options["ferry"] is not True:
            return sheets, ()
        if not any(isinstance(order, Ferry) for sheet in sheets for order in sheet.orders):
            return sheets, ()
        situation = Situation(rules, position)
        return tuple(Sheet(s.power, _aboard(situation, s)) for s in sheets), ()

    def match(self, rules: Ruleset, matching: Matching) -> None:
        """Each rider boards the fleet that moves as its order says, if that fleet takes it (K-9b), and goes by the
        fleets of its chain alone (K-9e); a fleet without its army moves alone."""
        alone: set[int] = set()
        for i, effect in enumerate(matching.effects):
            if isinstance(effect, Ferry) and (why := _why_alone(matching, effect)):
                alone.add(i)
                matching.remark(i, f"it moves alone, because {why}")
        for i, effect in enumerate(matching.effects):
            if isinstance(effect, Ride):
                _keep_to_chain(matching, i, effect)
                carrier = _carrier(matching, i, effect.ferry, alone)
                if isinstance(carrier, int):
                    matching.carry(i, carrier)
                else:
                    matching.strand(i, carrier)

    def dense(self, rules: Ruleset) -> DenseForm:
        return DenseForm(
            ferry=rules.options["ferry"] is True,
            records={
                "ride": lambda kind, at, to, ferry: Ride(kind, at, to, ferry=ferry),
                "carry": Ferry,
            },
        )

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        if rules.options["ferry"] is not True:
            return ("Armies cross the sea by convoy only; the fast ferry is not played.",)
        return (
            "Fast ferry: in one turn an army boards a fleet in an adjacent sea, the fleet moves to an adjacent sea, "
            "and the army lands on a coast adjacent to that: 'A lon - nwy by ferry F nth - nwg', and for the fleet "
            "'F nth - nwg ferries A lon - nwy' (a plain move will do for a fleet of the same power).",
            "Decided: where a fleet is ordered to ferry an army of its own power, the army's order need not say so: "
            "'A lon - nwy' will do, unless the army can walk there, is convoyed all the way by its own power, or is "
            "offered several rides. The ferry of another power must be named by the army, and be ordered for it. A "
            "fleet that two armies would ride on takes neither.",
            "Several fleets may ferry one army in a chain; one of them moves, the others convoy. Ferrying fleets are "
            "at sea and stay at sea.",
            "Decided: the other fleets of the chain are those that the army's order names ('A lon - nth - nwg - tdh by "
            "ferry F nao - nwg'), or, where it names none, those of its own power that are ordered to convoy it. No "
            "other fleet has a part in the ferry, whatever becomes of it.",
            "Decided: the army lands only if every fleet of its chain is undislodged and the moving fleet's move "
            "succeeds; else it stays where it was. The landing is an ordinary attack.",
        )


# Legality


def _legal_ferry(situation: Situation, fleet: Unit, order: Ferry) -> Judged:
    sea = situation.rules.tables.sea
    to = province_of(order.to)
    if not situation.kinds[fleet.kind].convoys or fleet.at not in sea or to not in sea:
        return Refusal("a fleet that ferries starts and ends its move at sea")
    if to not in situation.reach(fleet):
        return Refusal(f"{fleet} cannot reach {to}")
    army = situation.units.get(province_of(order.target))
    if army is None or not situation.kinds[army.kind].convoyed:
        return Refusal(f"there is no army in {province_of(order.target)} to ferry")
    return Ferry(fleet.kind, fleet.at, to, army.kind, army.at, province_of(order.target_to))


def _legal_ride(situation: Situation, army: Unit, order: Ride) -> Judged:
    refusal = situation.refuses_move(army, order)
    if refusal is not None:
        return refusal
    if not situation.kinds[army.kind].convoyed:
        return Refusal(f"{situation.kinds[army.kind].one} cannot be ferried")
    start, sea = map(province_of, order.ferry)
    tables = situation.rules.tables
    if start not in tables.sea or sea not in tables.sea:
        return Refusal("a fleet that ferries starts and ends its move at sea")
    fleet = situation.units.get(start)
    if fleet is None or not situation.kinds[fleet.kind].convoys:
        return Refusal(f"there is no fleet in {start}")
    if sea not in tables.by_sea[start]:
        return Refusal(f"a fleet in {start} cannot reach {sea}")
    to = province_of(order.to)
    boards = _ends(situation, start)
    lands = _ends(situation, sea, without=start)
    if army.at not in boards or to not in lands or to in tables.sea:
        return Refusal(f"no ferry by {fleet} to {sea} can bring {army} to {to}")
    return Ride(army.kind, army.at, to, route=order.route, ferry=(start, sea))


def _landings(situation: Situation, army: Unit) -> set[str]:
    """Where fleets that an army can board might land it, if they move to a neighboring sea."""
    tables = situation.rules.tables
    seas = {sea for start in tables.by_sea[army.at] & tables.sea for sea in tables.fleet[start] & tables.sea}
    return {to for sea in seas for to in tables.by_sea[sea] - tables.sea}


def _ends(situation: Situation, sea: str, without: str = "") -> frozenset[str]:
    """The provinces that can be reached from a fleet in ``sea``, directly or over other fleets."""
    known: frozenset[str] | None = situation.notes.get(("ferry", sea, without))
    if known is None:
        by_sea = situation.rules.tables.by_sea
        met = situation.chains_without({without, sea}).touching(sea)
        known = by_sea[sea].union(*(by_sea[link] for chain in met for link in chain.seas))
        situation.notes["ferry", sea, without] = known
    return known


def _leads(rules: Ruleset, passage: tuple[str, str], fleets: set[str]) -> bool:
    return any(passage[1] in chain.shores for chain in rules.chains.formed_by(frozenset(fleets)).touching(passage[0]))


# Who rides on whom


def _aboard(situation: Situation, sheet: Sheet) -> tuple[Order, ...]:
    """A power's orders, with those of its armies that a fleet of its own is to ferry as orders to ride on it."""
    rides: dict[tuple[str, str], set[tuple[str, str]]] = {}  # by army and goal: the fleets' moves
    convoys: dict[tuple[str, str], set[str]] = {}  # the same: where the fleets are
    for order in sheet.orders:
        if isinstance(order, Ferry | Convoy):
            effect = situation.interpret(sheet.power, order)
            if isinstance(effect, Ferry):
                rides.setdefault((effect.target, effect.target_to), set()).add((effect.at, effect.to))
            elif isinstance(effect, Convoy):
                convoys.setdefault((effect.target, effect.to), set()).add(effect.at)

    def aboard(order: Order) -> Order:
        if type(order) is not Move or order.route or order.via_convoy:
            return order
        passage = province_of(order.at), province_of(order.to)
        if passage not in rides or passage[1] in situation.rules.board.reach(ARMY, passage[0]):
            return order
        if _leads(situation.rules, passage, convoys.get(passage, set())):
            return order
        ways = [Ride(order.kind, order.at, order.to, ferry=ride) for ride in sorted(rides[passage])]
        possible = [way for way in ways if not isinstance(situation.interpret(sheet.power, way), Refusal)]
        return possible[0] if len(possible) == 1 else order

    return tuple(map(aboard, sheet.orders))


def _keep_to_chain(matching: Matching, i: int, ride: Ride) -> None:
    """Leave out fleets that convoy army ``i`` and are not of its chain: those that its order names beside the ferry,
    or, where it names none, those of its own power (K-9e)."""
    named = {province_of(sea) for sea in ride.route} - set(ride.ferry)
    for f, fleet in enumerate(matching.units):
        if matching.convoys(f) != i:
            continue
        if (fleet.province not in named) if named else (fleet.power != matching.units[i].power):
            matching.set_aside(f, "the army goes by other fleets")


def _why_alone(matching: Matching, ferry: Ferry) -> str:
    """Why the army that a fleet would ferry does not ride on it; empty if it does."""
    army = matching.unit_at(ferry.target)
    ride = matching.effects[army]
    if isinstance(ride, Ride) and ride.ferry == (ferry.at, ferry.to) and ride.to == ferry.target_to:
        return ""
    instead = matching.instead(army).by
    if instead is None:
        return "no such order was given to the army"
    unnamed = type(instead) is Move and province_of(instead.to) == ferry.target_to
    return f"{write(instead)} {'does not name this ferry' if unnamed else 'was ordered'}"


def _carrier(matching: Matching, i: int, ferry: tuple[str, str], alone: set[int]) -> int | str:
    """The fleet that moves as army ``i`` says and takes it along, or why none does."""
    start, sea = ferry
    f = matching.unit_at(start)
    if f < 0 or not matching.moves(f) or province_of(matching.arrives[f]) != sea:
        return "no fleet was ordered to move with it"
    unit, order = matching.units[f], matching.effects[f]
    if isinstance(order, Ferry):
        if f not in alone and matching.unit_at(order.target) == i:
            return f
        return f"{unit.kind} {unit.at} was ordered to ferry another army, or to another coast"
    if unit.power != matching.units[i].power:
        return f"{unit.kind} {unit.at} of {unit.power} makes that move, but was not ordered to ferry it"
    # a plain move will do for a fleet of the army's own power, unless several armies would ride on it
    riders = [
        j
        for j, other in enumerate(matching.effects)
        if isinstance(other, Ride) and other.ferry == ferry and matching.units[j].power == unit.power
    ]
    return f if riders == [i] else f"{unit.kind} {unit.at} cannot take two armies, and takes neither"
