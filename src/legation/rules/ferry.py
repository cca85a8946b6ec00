"""The fast ferry: a fleet carries an army while moving (K-9). All of it is here: the two orders, how they are read,
written and drawn, when they are legal, and their effect.

It is long because a rule and its orders are in one file, and this one has two orders that depend on each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from legation.board import ARMY, province_of
from legation.judge import Cause, DenseForm, Judged, Option, Refusal, Rule, Situation
from legation.judge.core import CONVOY, MOVE
from legation.notation import Drawn, Gesture, OnPaper, Opening, OrderKind, OrderTextError, Phrases, Subject, Verb, write
from legation.notation.forms.moves import goal
from legation.notation.forms.voyages import LANDS, LANDS_ELSEWHERE, read_voyage
from legation.notation.order_kinds import write_unit
from legation.orders import Convoy, Move, Moving, Order, Sheet
from legation.position import Phase

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from legation.judge import Ruleset, Verdict
    from legation.judge.matching import Matching
    from legation.notation.parsing import Parser
    from legation.position import Position, Unit


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

STEPS = 2  # seas of a ferry's route: where the fleet stands, and where it moves
FERRIES = frozenset(["ferries", "ferry", "ferrying", "carrying", "taking"])
BOARDS = frozenset(["boards", "board", "embarks", "embark", "aboard"])


def _ride(p: Parser) -> tuple[str, str]:
    """The fleet and where it moves: ``F nth - nwg``."""
    fleet = p.unit()
    return fleet.at, _one_step(p, fleet)


def _one_step(p: Parser, unit: Subject) -> str:
    """Where a unit goes, without anything between."""
    begin = p.at
    route, to = goal(p, unit)
    if route:
        p.fail("name one destination", begin)
    return to


def _after_move(p: Parser, move: Move) -> Order | None:
    if p.stopped:
        return None
    if p.peek() == "," and p.peek(1) == "ferried":
        p.at += 1
    if len(move.route) == STEPS and p.peek() in ("by", "via") and p.peek(1 + (p.peek(1) == "fast")) in FERRIES:
        p.at += 2 + (p.peek(1) == "fast")
        if p.ended:  # A ber - nwg - ice - rey by ferry
            return Ride(move.kind, move.at, move.to, ferry=(move.route[0], move.route[1]))
        p.at -= 2 + (p.peek(-2) == "fast")
    if p.peek() == "ferried" and p.peek(1) == "by":
        p.at += 2
        return Ride(move.kind, move.at, move.to, route=move.route, ferry=_ride(p))
    bracket = p.peek() == "("
    if p.peek(int(bracket)) == "by" and _fleet_moves(p, 1 + bracket) and not _is_fleet(p, move):  # by F nth - nwg
        p.at += 1 + bracket
        return _ridden(p, move, bracket=bracket)
    if p.peek() in ("by", "via", "with", "(", "on", "aboard") and not (bracket and _is_fleet(p, move)):
        ahead = 1
        while p.peek(ahead) in ("the", "fast", "a", "by", "via"):
            ahead += 1
        aboard = p.peek() == "aboard" or (p.peek() == "on" and p.peek(1) == "board")
        if (p.peek(ahead) not in FERRIES or p.peek(ahead + 1) == ")") and not aboard:
            return None
        if bracket and p.peek(1) in ("ferries", "ferrying", "carrying"):  # said of the fleet, not of an army
            return None
        p.at += ahead + 1 if not aboard else 1 + (p.peek() == "on")
        p.take_one(("of", "on", "with", "by", "using"))
        return _ridden(p, move, bracket=bracket or p.take("("))
    return _carrying(p, move, bracket=bracket)


def _carrying(p: Parser, move: Move, *, bracket: bool) -> Order | None:
    """A move that goes on with "ferries": of the fleet that does so, or of the army that it takes along."""
    if p.peek() in FERRIES or (p.peek() in ("and", ",", "(") and p.peek(1) in FERRIES):
        if bracket and not _is_fleet(p, move):
            return None
        p.at += 1 if p.peek() in FERRIES else 2
        if move.kind == "A":  # what an army can do with a ferry is to ride on it
            return Ride(move.kind, move.at, move.to, route=move.route, ferry=_ride(p))
        army = p.unit()
        if move.route:
            p.fail("a ferry moves to one sea")
        ferry = Ferry(move.kind, move.at, move.to, army.kind, army.at, _landing(p, army, (move.at, move.to)))
        if bracket and not p.take(")"):
            p.fail("a closing bracket is missing")
        return ferry
    return None


def _landing(p: Parser, army: Subject, ferry: tuple[str, str]) -> str:
    """Where a ferry's army lands, as is said next or, where nothing is, as its own order on the sheet says."""
    if not p.ended:
        return _one_step(p, army)
    order = p.ordered.get(province_of(army.at))
    p.context_counted = True
    seas = tuple(map(province_of, ferry))
    agrees = isinstance(order, Ride) and order.ferry == seas
    agrees = agrees or (type(order) is Move and not order.via_convoy and order.route in ((), seas))
    if not agrees or not isinstance(order, Move) or p.reader.board.provinces[province_of(order.to)].sea:
        p.fail(LANDS_ELSEWHERE)
    return order.to


def _ridden(p: Parser, move: Move, *, bracket: bool) -> Ride:
    """The ride of an army on the fleet that comes next."""
    ride = Ride(move.kind, move.at, move.to, route=move.route, ferry=_ride(p))
    if bracket and not p.take(")"):
        p.fail("a closing bracket is missing")
    return ride


def _is_fleet(p: Parser, move: Move) -> bool:
    stands = p.standing.get(province_of(move.at))
    p.context_counted = p.context_counted or not move.kind
    return (move.kind or (stands.kind if stands else "")) == "F"


def _fleet_moves(p: Parser, ahead: int) -> bool:
    """Whether a fleet is named so far ahead, and that it goes somewhere."""
    end = p.longest_name(p.at + ahead + 1)[1]
    named = p.reader.kinds.get(p.peek(ahead)) == "F" and end > p.at + ahead + 1
    return named and end < len(p.tokens) and p.tokens[end].text in ("-", "to")


def _ferried(p: Parser, subject: Subject, word: str) -> Order:
    """``A lon ferried by F nth - nwg to nwy``, ``is ferried by F nth, which moves to nwg, and lands in nwy``."""
    if not p.take("by"):
        p.fail("say by which fleet")
    fleet = p.unit()
    told = p.peek() != "-"
    start = p.at
    sea, to = read_voyage(p, subject, fleet)
    if told:
        _order_fleet(p, fleet, sea, start)
    return Ride(subject.kind, subject.at, to, ferry=(fleet.at, sea))


def _only_sea(p: Parser, fleet: Subject) -> str:
    """The sea that alone is named next, to which a fleet moves: ``F nth ferries A mal to nwg``; empty, and nothing is
    stepped over, where something else comes."""
    start = p.at
    if p.take_one(("-", "to")):
        try:
            sea = p.place(p.reaches(fleet))
            if p.ended and p.reader.board.provinces[province_of(sea)].sea:
                return sea
        except OrderTextError:
            pass
    p.at = start
    return ""


def _ferries(p: Parser, subject: Subject, word: str) -> Order:
    """``F nth ferries A lon to nwy via nwg``, ``..., moving to nwg``; a convoy where no ferries are played."""
    army = p.unit()
    if Ferry not in p.reader.played:
        return Convoy(subject.kind, subject.at, army.kind, army.at, _one_step(p, army))
    start = p.at
    try:
        sea, to = read_voyage(p, army, subject)
    except OrderTextError:
        p.at = start
        if sea := _only_sea(p, subject):
            return Ferry(subject.kind, subject.at, sea, army.kind, army.at, _landing(p, army, (subject.at, sea)))
        p.fail("say where the fleet moves, as in 'F ... - ... ferries A ... - ...'", start)
    if p.present()(sea):  # another fleet's sea, by which a convoy could go
        p.fail("say where the fleet moves, as in 'F ... - ... ferries A ... - ...'", start)
    p.context_counted = True
    lands = any(token.text in LANDS for token in p.tokens[start : p.at])  # ..., and the army lands in nwy
    if lands and p.present("", p.power)(province_of(army.at)) and province_of(army.at) not in p.ordered:
        p.also.append(Ride(army.kind, army.at, to, ferry=(subject.at, sea)))
    return Ferry(subject.kind, subject.at, sea, army.kind, army.at, to)


def _carried_to_sea(p: Parser, convoy: Convoy) -> Order | None:
    """``F enc carries A lon to mao, A lon lands in lim``: no convoy, since armies are carried to coasts."""
    if not p.reader.board.provinces[province_of(convoy.to)].sea or Ferry not in p.reader.played:
        return None
    army = Subject(convoy.target_kind, convoy.target)
    _, to = read_voyage(p, army, Subject(convoy.kind, convoy.at), convoy.to)
    p.also.append(Ride(army.kind, army.at, to, ferry=(convoy.at, convoy.to)))
    return Move(convoy.kind, convoy.at, convoy.to)


def _order_fleet(p: Parser, fleet: Subject, sea: str, start: int) -> None:
    """Order an own fleet to move as is said of it, if it has no order yet."""
    p.context_counted = True
    if not p.present("", p.power)(province_of(fleet.at)):
        return
    given = p.ordered.get(province_of(fleet.at))
    if given is None:
        p.also.append(Move("F", fleet.at, sea))
    elif (getattr(given, "at", ""), getattr(given, "to", "")) != (fleet.at, sea):
        p.fail("the fleet is ordered twice", start)


def _boards(p: Parser, subject: Subject, word: str) -> Order:
    """``A lon boards F nth, which moves to nwg, and lands in nwy``; ``A lon boards F nth, F nth - nwg, A lon lands in
    nwy``."""
    p.skip(("on", "onto", "upon", "aboard"))
    fleet = p.unit()
    again = p.at
    sea, to = read_voyage(p, subject, fleet)
    _order_fleet(p, fleet, sea, again)
    return Ride(subject.kind, subject.at, to, ferry=(fleet.at, sea))


def _lands(p: Parser, subject: Subject, word: str) -> Order:
    """``A lon lands in nwy``, by itself."""
    p.fail(f"say by which fleet, as in '{subject.kind or 'A'} {subject.at} - ... by ferry F ... - ...'")


def _ferry_first(p: Parser, word: str) -> list[Order]:
    """``Ferry: A lon - enc - mao - com``, ``fast ferry: A lon boards F enc, ...``."""
    p.skip(("fast", "ferry", ":"))
    army = p.subject()
    if p.peek() not in ("-", "to"):
        order = p.verb_of(army, p.at)
        also, p.also = p.also, []
        return [order, *also]
    places: list[str] = []
    while p.take_one(("-", "to")):
        p.kind()
        places.append(p.place() if len(places) < STEPS else p.place(p.lands(army)))
    if len(places) != STEPS + 1:
        p.fail("name the sea of the fleet, the sea that it moves to and the coast where the army lands")
    return [Ride(army.kind, army.at, places[-1], ferry=(places[0], places[1]))]


def _ferry_fits(p: Parser) -> bool:
    """Whether a ferry is announced: ``Ferry:``, ``Fast ferry:``."""
    ahead = int(p.peek() == "fast")
    return p.peek(ahead) == "ferry" and p.peek(ahead + 1) == ":"


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
    verbs=(
        Verb(frozenset(["ferried"]), _ferried),
        Verb(frozenset(["ferries"]), _ferries),
        Verb(BOARDS, _boards),
        Verb(LANDS, _lands),
    ),
    openings=(Opening(frozenset(["ferry", "fast"]), _ferry_first, _ferry_fits),),
    after_convoy=_carried_to_sea,
    after_move=_after_move,
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

    def rewrite(
        self, rules: Ruleset, position: Position, sheets: tuple[Sheet, ...]
    ) -> tuple[tuple[Sheet, ...], tuple[Verdict, ...]]:
        """An army that is ordered to where one fleet of its own power is to ferry it goes by that ferry, though its
        order does not say so.

        No other power's order has a part in this (K-9e). Only legal orders count, and convoys only where they make a
        whole way without a fleet that moves: else they may be links of the ferry's chain.
        """
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
            if isinstance(effect, Ferry) and not _rides(matching, effect):
                alone.add(i)
                why = _why_alone(matching, effect)
                matching.remarks[i] = Cause("fact", reason=f"it moves alone, because {why}")
        for i, effect in enumerate(matching.effects):
            if isinstance(effect, Ride):
                _keep_to_chain(matching, i, effect)
                f = _carrier(matching, i, effect.ferry, alone)
                if f >= 0:
                    matching.carry(i, f)
                else:
                    matching.strand(i, _why_stranded(matching, i, effect.ferry))

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
            "and "
            "the army lands on a coast adjacent to that: 'A lon - nwy by ferry F nth - nwg', and for the fleet 'F nth "
            "- nwg ferries A lon - nwy' (a plain move will do for a fleet of the same power).",
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
        chains = situation.chains_without({without, sea})
        met = {chains[other] for other in by_sea[sea] if other in chains}
        known = by_sea[sea].union(*(by_sea[link] for chain in met for link in chain.seas))
        situation.notes["ferry", sea, without] = known
    return known


def _leads(rules: Ruleset, passage: tuple[str, str], fleets: set[str]) -> bool:
    """Whether fleets that stay make a whole way from one coast to the other."""
    by_sea = rules.tables.by_sea
    left = set(fleets)
    reached = {passage[0]}
    while further := {sea for sea in left if by_sea[sea] & reached}:
        left -= further
        reached |= further
    return any(passage[1] in by_sea[sea] for sea in reached - {passage[0]})


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
    for f, helped in enumerate(matching.helped_unit):
        if helped != i or matching.order[f] != CONVOY:
            continue
        if (matching.units[f].province not in named) if named else (matching.owner[f] != matching.owner[i]):
            matching.set_aside(f, "the army goes by other fleets")


def _rides(matching: Matching, ferry: Ferry) -> bool:
    """Whether the army that a fleet would ferry is ordered to ride on it."""
    move = matching.effects[matching.unit_at(ferry.target)]
    return isinstance(move, Ride) and move.ferry == (ferry.at, ferry.to) and move.to == ferry.target_to


def _why_alone(matching: Matching, ferry: Ferry) -> str:
    """Why the army that a fleet would ferry is not aboard."""
    instead = matching.instead(matching.unit_at(ferry.target)).by
    if instead is None:
        return "no such order was given to the army"
    unnamed = type(instead) is Move and province_of(instead.to) == ferry.target_to
    return f"{write(instead)} {'does not name this ferry' if unnamed else 'was ordered'}"


def _carrier(matching: Matching, i: int, ferry: tuple[str, str], alone: set[int]) -> int:
    """The fleet that moves as army ``i`` says and may take it along; -1 if there is none."""
    f = _moving_fleet(matching, ferry)
    if f < 0:
        return -1
    fleet = matching.effects[f]
    if isinstance(fleet, Ferry):
        return f if f not in alone and matching.unit_at(fleet.target) == i else -1
    # a plain move will do for a fleet of the army's own power, unless several armies would ride on it
    riders = [
        j
        for j, other in enumerate(matching.effects)
        if isinstance(other, Ride) and other.ferry == ferry and matching.owner[j] == matching.owner[f]
    ]
    return f if riders == [i] else -1


def _moving_fleet(matching: Matching, ferry: tuple[str, str]) -> int:
    start, sea = ferry
    f = matching.unit_at(start)
    return f if f >= 0 and matching.order[f] == MOVE and matching.target[f] == matching.index[sea] else -1


def _why_stranded(matching: Matching, i: int, ferry: tuple[str, str]) -> str:
    """Why the fleet that an army was to ride on does not take it."""
    f = _moving_fleet(matching, ferry)
    if f < 0:
        return "no fleet was ordered to move with it"
    unit = matching.units[f]
    if isinstance(matching.effects[f], Ferry):
        return f"{unit.kind} {unit.at} was ordered to ferry another army, or to another coast"
    if matching.owner[f] != matching.owner[i]:
        return f"{unit.kind} {unit.at} of {unit.power} makes that move, but was not ordered to ferry it"
    return f"{unit.kind} {unit.at} cannot take two armies, and takes neither"
