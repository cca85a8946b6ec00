"""A slow, plain judge of movement, written from the rules and from the conditions of DATC 5.B; it shares nothing with
the project but the board.

What can succeed is guessed: every assignment of "moves or not" to the moving units is tried, and the conditions say
whether it is consistent. Moves that cannot influence each other are taken apart first. Where there is not exactly one
consistent assignment, DATC 5.B.9 decides: convoys in the cycle fail (Szykman), else it is a circular movement and all
of it moves."""

import itertools
from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from legation.board import Board, province_of

LARGEST = 12  # guesses in one component; beyond this a position is too many guesses to be searched
STRENGTH = {"A": 1, "F": 1}

DEFAULTS: Mapping[str, object] = {
    "multi_route_convoy": "all",
    "convoy_paradox": "szykman",
    "convoy_route": "ignored",
    "missing_coast": "inferred",
    "missing_nationality": "ignored",
    "support_coast": "optional",
    "adjacent_convoy": "own fleet",
    "via_convoy_fallback": False,
    "convoyed_attack_cuts_own_target": False,
    "retreat_to_convoy_origin": True,
    "dislodged_bounces": "unless head to head",
    "ferry": False,
}
"""The readings (DATC chapter 4) that the oracle knows, with its own idea of the preferred ones."""

Guess = dict[int, bool]
T = TypeVar("T", bound=Hashable)


class TooManyGuessesError(Exception):
    """A component with too many guesses, or of a form that DATC 5.B.9 does not decide."""


@dataclass(frozen=True)
class Ordered:
    """A unit and its order.

    ``helps`` is the province of the unit that is supported, convoyed, or ferried by a moving fleet; ``to`` is where the
    supported or convoyed unit (or the moving unit itself) goes, empty for support to hold. ``ferry`` tells of an army
    by which fleet it goes: where that is and where it moves."""

    power: str
    kind: str
    at: str
    what: str = "hold"
    helps: str = ""
    to: str = ""
    via: bool = False
    ferry: tuple[str, str] | None = None
    lands: str = ""  # of a fleet that ferries: where the army goes
    names: tuple[str, ...] = ()  # of an army: the seas over which its order leads it
    under: str = ""  # the power that orders it, where its own lets it

    @property
    def place(self) -> str:
        return province_of(self.at)

    @property
    def goal(self) -> str:
        return province_of(self.to)


@dataclass
class Answer:
    """What became of the units, by the province in which each began."""

    outcome: dict[str, str] = field(default_factory=dict)
    after: dict[str, str] = field(default_factory=dict)  # where the units that were not dislodged stand
    attacker: dict[str, str] = field(default_factory=dict)  # for each dislodged unit, where its attacker came from
    retreats: dict[str, list[str]] = field(default_factory=dict)
    given: dict[str, int] = field(default_factory=dict)  # what each matched support is worth
    paradox: bool = False
    circle: bool = False


class Oracle:
    """One position with its orders."""

    def __init__(
        self,
        board: Board,
        units: list[Ordered],
        strength: Mapping[str, int] = STRENGTH,
        options: Mapping[str, object] | None = None,
        by_land: Collection[int] = (),
    ) -> None:
        self.board = board
        self.strength_of = strength
        self.by_land = by_land  # armies that go by land after all (the 1971 reading of neighbors)
        self.options = {**DEFAULTS, **(options or {})}
        self.units = units
        self.force = [strength[u.kind] for u in units]
        self.at = {u.place: i for i, u in enumerate(units)}
        self.fleets = {u.place for u in units if u.kind == "F" and board.provinces[u.place].sea}
        self.lands: dict[int, str] = {}  # where a moving unit arrives, with its coast
        self.outcome: dict[int, str] = {}  # what is settled before any strength is compared: illegal, void
        for i, unit in enumerate(units):
            if not self.legal(i, unit):
                self.outcome[i] = "illegal"
        self.movers = [i for i in self.lands if i not in self.outcome]
        for i, unit in enumerate(units):
            if i not in self.outcome and not self.matches(unit):
                self.outcome[i] = "void"
        self.convoys = self.standing("convoy")
        self.supports = self.standing("support")
        named = {i: f for i in self.movers if (f := self.ferry_of(i)) is not None}
        # army -> the fleet that ferries it; one that two armies name takes neither
        self.carrier = {i: f for i, f in named.items() if list(named.values()).count(f) == 1}
        self.by_sea = {i for i in self.movers if self.goes_by_sea(i)}
        self.protected = {f for f in self.convoys if self.is_protected(f)}
        self.no_route: set[int] = set()  # armies that go nowhere, as all of a paradox holds
        self.cut: set[int] = set()  # supports that fail with it
        self.known: Guess = {}
        self.broken: set[int] = set()  # fleets whose convoy fails by Szykman's rule
        self.forced: dict[int, bool] = {}  # routes that are supposed, to see what depends on them
        self.answer = Answer()

    def standing(self, what: str) -> list[int]:
        return [i for i, u in enumerate(self.units) if u.what == what and i not in self.outcome]

    # Legality

    def touches(self, sea: str, place: str) -> bool:
        """Whether a fleet in a sea could go to some coast of a place."""
        return any(province_of(x) == place for x in self.board.reach("fleet", sea))

    def chain(self, start: str, goal: str, fleets: set[str]) -> bool:
        """Whether these fleets lead from one coast to another."""
        reached = {f for f in fleets if self.touches(f, start)}
        while more := {f for f in fleets - reached if any(self.touches(g, f) for g in reached)}:
            reached |= more
        return any(self.touches(f, goal) for f in reached)

    def needed_by_some_chain(self, fleet: str, start: str, goal: str) -> bool:
        """Whether some set of fleets leads there of which none can be left out, this one among them."""
        others = sorted(self.fleets - {fleet})
        for size in range(len(others) + 1):
            for some in itertools.combinations(others, size):
                chain = {fleet, *some}
                if self.chain(start, goal, chain) and not any(self.chain(start, goal, chain - {f}) for f in chain):
                    return True
        return False

    def reach(self, unit: Ordered) -> frozenset[str]:
        return self.board.reach("fleet" if unit.kind == "F" else "army", unit.at)

    def arrival(self, unit: Ordered, to: str) -> str | None:
        """The location at which a unit arrives by itself."""
        if unit.kind == "F" and to not in self.reach(unit) and self.options["missing_coast"] == "fails":
            return None
        found = [x for x in self.reach(unit) if x == to or (to == province_of(to) and province_of(x) == to)]
        return found[0] if len(found) == 1 else None

    def legal(self, i: int, unit: Ordered) -> bool:
        board = self.board
        if unit.what in ("hold", "convert"):  # only conversions that are legal are tried
            return True
        if (unit.ferry or unit.lands) and not self.options["ferry"]:
            return False
        if unit.ferry:
            self.lands[i] = unit.goal
            return self.can_be_ferried(unit, *unit.ferry)
        if unit.what == "move":
            by_itself = self.arrival(unit, unit.to)
            if by_itself:
                self.lands[i] = by_itself
                return True
            if unit.kind != "A" or unit.goal == unit.place or board.provinces[unit.goal].sea:
                return False
            self.lands[i] = unit.goal
            return self.chain(unit.place, unit.goal, self.fleets)
        other = self.units[self.at[unit.helps]] if unit.helps in self.at else None
        if other is None or other is unit:
            return False
        if other.power != unit.power and self.options["missing_nationality"] == "fails":
            return False
        if unit.what == "convoy":
            if not board.provinces[unit.place].sea or other.kind != "A" or unit.goal == other.place:
                return False
            if board.provinces[unit.goal].sea:
                return False
            if self.options["ferry"] and board.provinces[unit.goal].shore and board.provinces[other.place].shore:
                return True  # some ferry might have use for it
            return self.needed_by_some_chain(unit.place, other.place, unit.goal)
        goal = unit.goal or other.place
        if not any(province_of(x) == goal for x in self.reach(unit)):
            return False
        if not unit.to:
            return True
        if goal == other.place:
            return False
        coasts = board.provinces[goal].coasts
        if other.kind == "F" and coasts and unit.to == goal and self.options["support_coast"] == "required":
            return False
        if any(x == unit.to or (unit.to == goal and province_of(x) == goal) for x in self.reach(other)):
            return True
        if other.kind != "A" or board.provinces[goal].sea:
            return False
        if self.options["ferry"] and board.provinces[goal].shore and board.provinces[other.place].shore:
            return True  # some ferry might bring it
        return self.chain(other.place, goal, self.fleets - {unit.place})

    def can_be_ferried(self, unit: Ordered, start: str, sea: str) -> bool:
        """Whether the army could board the fleet, which could move, and land from it, all other fleets helping."""
        if not self.options["ferry"] or start not in self.fleets or not self.board.provinces[sea].sea:
            return False
        if not self.touches(start, sea) or unit.goal == unit.place or self.board.provinces[unit.goal].sea:
            return False
        boards = self.touches(start, unit.place) or self.chain(unit.place, start, self.fleets - {start})
        return boards and (self.touches(sea, unit.goal) or self.chain(unit.goal, sea, self.fleets - {start, sea}))

    def ferry_of(self, i: int) -> int | None:
        """The fleet that ferries an army: the one it names, moving as it says, of the same power or ordered to ferry
        it."""
        unit = self.units[i]
        f = self.at.get(unit.ferry[0], -1) if unit.ferry else -1
        if unit.ferry is None or f not in self.movers or self.units[f].goal != unit.ferry[1]:
            return None
        fleet = self.units[f]
        if fleet.helps:
            return f if (fleet.helps, fleet.lands) == (unit.place, unit.goal) else None
        return f if fleet.power == unit.power else None

    def matches(self, unit: Ordered) -> bool:
        """Whether a support or convoy is of what was ordered."""
        if unit.what not in ("support", "convoy"):
            return True
        j = self.at[unit.helps]
        if not unit.to:
            return j not in self.movers
        if j not in self.movers or self.units[j].goal != unit.goal:
            return False
        army = self.units[j]
        if unit.what == "convoy" and army.ferry and not self.of_chain(unit, army):
            return False
        if unit.what == "convoy" and army.names and not army.ferry and self.options["convoy_route"] == "binding":
            return unit.place in army.names
        return unit.to == unit.goal or unit.to == self.lands[j]

    @staticmethod
    def of_chain(fleet: Ordered, army: Ordered) -> bool:
        """Whether a fleet that stays is of the chain of a ferry: named by the army's order, or, where that names none
        beside the ferry, of its own power (K-9e)."""
        assert army.ferry is not None
        named = set(army.names) - set(army.ferry)
        return fleet.place in named if named else fleet.power == army.power

    def goes_by_sea(self, i: int) -> bool:
        unit = self.units[i]
        if unit.kind != "A":
            return False
        if unit.ferry:
            return True
        if unit.goal not in self.reach(unit):
            return True
        if unit.via or unit.names:
            ordered = {self.units[f].place for f in self.fleets_of(i)}
            return not self.options["via_convoy_fallback"] or self.chain(unit.place, unit.goal, ordered)
        if self.options["adjacent_convoy"] == "1971":
            d = self.at.get(unit.goal)
            meets = d in self.movers and self.units[d].goal == unit.place
            return (
                meets and i not in self.by_land and self.leads(unit, {self.units[f].place for f in self.fleets_of(i)})
            )
        own = any(self.units[f].power == unit.power for f in self.fleets_of(i))
        return own and self.options["adjacent_convoy"] == "own fleet"

    def is_protected(self, f: int) -> bool:
        """Whether the rulebooks' paradox rules protect a convoying fleet: in 2000 if its army needs it."""
        if self.options["convoy_paradox"] != "2000":
            return True
        army = self.at[self.units[f].helps]
        others = {self.units[g].place for g in self.fleets_of(army) if g != f}
        return (self.units[army].ferry is not None and army in self.carrier) or not self.leads(self.units[army], others)

    def may_not_cut(self, k: int, s: int) -> bool:
        """Whether a convoyed attack leaves a support alone, by the rule of 1971 or 1982 (DATC 4.A.2)."""
        rule = self.options["convoy_paradox"]
        unit = self.units[s]
        f = self.at.get(unit.goal or unit.helps, -1)
        if k not in self.by_sea or f not in self.protected or self.at[self.units[f].helps] not in self.by_sea:
            return False
        if rule == "1982":
            return True
        return rule in ("1971", "2000") and bool(unit.to) and self.units[f].helps == self.units[k].place

    # The conditions of DATC 5.B; every one takes a complete guess

    def attackers(self, place: str) -> list[int]:
        return [k for k in self.movers if self.units[k].goal == place]

    def route(self, a: Guess, i: int) -> bool:
        if i not in self.by_sea:
            return True
        if i in self.no_route:
            return False
        if i in self.forced:
            return self.forced[i]
        unit = self.units[i]
        fleets = [f for f in self.fleets_of(i) if f not in self.broken]
        lost = [f for f in self.fleets_of(i) if any(a[k] for k in self.attackers(self.units[f].place))]
        every = unit.ferry is not None or self.options["multi_route_convoy"] == "any"
        if every and (lost or len(fleets) < len(self.fleets_of(i))):
            return False
        left = {self.units[f].place for f in fleets if not any(a[k] for k in self.attackers(self.units[f].place))}
        return (unit.ferry is None or self.rides(a, i)) and self.leads(unit, left)

    def rides(self, a: Guess, i: int) -> bool:
        f = self.carrier.get(i)
        return f is not None and f not in self.broken and a[f]

    def leads(self, unit: Ordered, fleets: set[str]) -> bool:
        """Whether these fleets, and the one that the unit rides on, bring it to its goal."""
        if unit.ferry is None:
            return self.chain(unit.place, unit.goal, fleets)
        start, sea = unit.ferry
        boards = self.touches(start, unit.place) or self.chain(unit.place, start, fleets)
        return boards and (self.touches(sea, unit.goal) or self.chain(sea, unit.goal, fleets))

    def fleets_of(self, army: int) -> list[int]:
        return [f for f in self.convoys if self.units[f].helps == self.units[army].place]

    def support(self, a: Guess, s: int, asking: tuple[int, ...] = ()) -> int:
        """What a support is worth: the supporter's strength less the strongest single attack on it."""
        if s in self.cut:
            return 0
        if s in asking:
            raise TooManyGuessesError("supports that cut each other in a circle")
        unit = self.units[s]
        aimed_at = unit.goal or unit.helps
        worst = 0
        for k in self.attackers(unit.place):
            other = self.units[k]
            if other.power == unit.power or not self.route(a, k) or self.may_not_cut(k, s):
                continue
            elsewhere = other.place != aimed_at
            if self.options["convoyed_attack_cuts_own_target"] and k in self.by_sea:
                elsewhere = True
            if elsewhere and self.force[s] == 1:
                return 0
            if a[k]:
                return 0
            if elsewhere:
                worst = max(worst, self.strength(a, k, unit.power, (*asking, s)))
        return max(0, self.force[s] - worst)

    def strength(self, a: Guess, i: int, without: str = "", asking: tuple[int, ...] = ()) -> int:
        """The strength of a unit with the supports for what it does, except those of one power."""
        return self.force[i] + sum(
            self.support(a, s, asking)
            for s in self.supports
            if self.units[s].helps == self.units[i].place and self.units[s].power != without
        )

    def head_to_head(self, i: int, k: int) -> bool:
        return (
            k in self.movers
            and self.units[k].goal == self.units[i].place
            and self.units[i].goal == self.units[k].place
            and i not in self.by_sea
            and k not in self.by_sea
        )

    def moves(self, a: Guess, i: int) -> bool:
        """Whether a move succeeds: its attack beats what defends the province and all that prevent it."""
        attack, against = self.strengths(a, i)
        return attack > against

    def strengths(self, a: Guess, i: int) -> tuple[int, int]:
        """The strength of an attack (0 without a route, or on a unit of the same power that stays), and the strongest
        that stands against it."""
        unit = self.units[i]
        if not self.route(a, i):
            return 0, 0
        d = self.at.get(unit.goal, -1)
        gone = d < 0 or (d in self.movers and a[d])
        facing = d >= 0 and self.head_to_head(i, d)
        if gone and not facing:
            attack = self.strength(a, i)
        elif self.units[d].power == unit.power:
            attack = 0
        else:
            attack = self.strength(a, i, self.units[d].power)
        if facing:
            against = self.strength(a, d)
        elif gone:
            against = 0
        else:
            against = self.force[d] if d in self.movers else self.strength(a, d)
        for k in self.attackers(unit.goal):
            beaten = d in self.movers and a[d] and self.units[d].goal == self.units[k].place and not a[k]
            without_effect = beaten and (self.head_to_head(k, d) or self.options["dislodged_bounces"] == "never")
            if k != i and self.route(a, k) and not without_effect:
                against = max(against, self.strength(a, k))
        return attack, against

    # Which moves each condition looks at

    def looks_route(self, i: int) -> set[int]:
        if i not in self.by_sea:
            return set()
        found = {k for f in self.fleets_of(i) for k in self.attackers(self.units[f].place)}
        return found | {self.carrier[i]} if i in self.carrier else found

    def looks_support(self, s: int, seen: set[int]) -> set[int]:
        if s in seen:
            return set()
        seen.add(s)
        unit = self.units[s]
        found: set[int] = set()
        for k in self.attackers(unit.place):
            if self.units[k].power != unit.power:
                found |= self.looks_route(k)
                if self.force[s] > 1:
                    found |= {k} | self.looks_strength(k, seen)
                elif self.units[k].place == (unit.goal or unit.helps):
                    found.add(k)
        return found

    def looks_strength(self, i: int, seen: set[int] | None = None) -> set[int]:
        seen = set() if seen is None else seen
        helpers = [s for s in self.supports if self.units[s].helps == self.units[i].place]
        return self.looks_route(i).union(*(self.looks_support(s, seen) for s in helpers))

    def looks(self, i: int) -> set[int]:
        goal = self.units[i].goal
        found = set().union(*(self.looks_strength(k) for k in self.attackers(goal)))
        d = self.at.get(goal, -1)
        if d >= 0:
            found |= self.looks_strength(d)
        if d in self.movers:
            found.add(d)
            found |= {k for k in self.attackers(goal) if k != i and self.units[k].place == self.units[d].goal}
        return found

    # The decision

    def decide(self) -> Answer:
        """The answer.

        :raises TooManyGuessesError: when it cannot be found."""
        looks = {i: self.looks(i) for i in self.movers}
        while left := [i for i in self.movers if i not in self.known]:
            component = innermost({i: {k for k in looks[i] if k not in self.known} for i in left})
            if len(component) > LARGEST:
                raise TooManyGuessesError(len(component))
            self.settle_component(component)
        lost = {
            i
            for i in self.by_sea
            if self.options["adjacent_convoy"] == "1971"
            and not self.units[i].ferry
            and not self.units[i].via
            and not self.units[i].names
            and self.units[i].goal in self.reach(self.units[i])
            and not self.route(self.known, i)
        }
        if lost:  # the sea was considered only as long as the convoy stood
            return Oracle(self.board, self.units, self.strength_of, self.options, lost).decide()
        return self.report()

    def settle_component(self, component: list[int]) -> None:
        """Settle at least one guess of a component, or break a convoy in it."""
        rows = list(itertools.product((False, True), repeat=len(component)))
        truth = {}
        for row in rows:
            a = {**self.known, **dict(zip(component, row, strict=True))}
            truth[row] = tuple(self.moves(a, i) for i in component)
        solutions = [row for row in rows if truth[row] == row]
        if len(solutions) == 1:
            self.known.update(zip(component, solutions[0], strict=True))
            return
        # Not all of the component need be in the cycle: see which guess really changes which
        influences = self.influences(component, rows, lambda row, n: truth[row][n])
        part = innermost(influences)
        columns = [component.index(i) for i in part]
        within = [row for row in rows if all(truth[row][n] == row[n] for n in columns)]
        found = {tuple(row[n] for n in columns) for row in within}
        if len(found) == 1:
            self.known.update(zip(part, found.pop(), strict=True))
            return
        armies = {
            army
            for army in self.by_sea
            if self.bears_on(army, component, rows, columns)
            for n in columns
            if any(self.route_in(component, row, army) != self.route_in(component, flip(row, n), army) for row in rows)
        }
        tied = {
            f
            for army in armies
            for f in (*self.fleets_of(army), self.carrier.get(army, -1))
            if f in part or (f in self.convoys and set(self.attackers(self.units[f].place)) & set(part))
        }
        if tied and self.options["convoy_paradox"] == "all hold":
            self.cut |= {s for s in self.supports if self.depends(s, component, rows, columns)}
            self.known.update((i, False) for i in part)
            self.no_route |= armies
            self.answer.paradox = True
        elif tied:
            self.broken |= tied
            self.answer.paradox = True
        elif (True,) * len(part) in found:
            self.known.update((i, True) for i in part)
            self.answer.circle = True
        else:
            raise TooManyGuessesError("a cycle without convoys that isn't a circular movement")

    def bears_on(self, army: int, component: list[int], rows: list[tuple[bool, ...]], columns: list[int]) -> bool:
        """Whether a convoy makes a difference to the cycle, and not only the cycle to it."""

        def values(row: tuple[bool, ...], route: bool) -> list[bool]:
            self.forced = {army: route}
            a = {**self.known, **dict(zip(component, row, strict=True))}
            return [self.moves(a, component[n]) for n in columns]

        differs = any(values(row, True) != values(row, False) for row in rows)
        self.forced = {}
        return differs

    def depends(self, s: int, component: list[int], rows: list[tuple[bool, ...]], columns: list[int]) -> bool:
        """Whether what a support gives depends on the cycle."""

        def value(row: tuple[bool, ...]) -> int:
            return self.support({**self.known, **dict(zip(component, row, strict=True))}, s)

        if not self.looks_support(s, set()) <= {*self.known, *component}:
            return False
        return any(value(row) != value(flip(row, n)) for row in rows for n in columns)

    def route_in(self, component: list[int], row: tuple[bool, ...], army: int) -> bool:
        if not self.looks_route(army) <= {*self.known, *component}:
            return False  # it is part of another component
        return self.route({**self.known, **dict(zip(component, row, strict=True))}, army)

    @staticmethod
    def influences(
        component: list[int], rows: list[tuple[bool, ...]], value: Callable[[tuple[bool, ...], int], bool]
    ) -> dict[int, set[int]]:
        return {
            i: {k for m, k in enumerate(component) if any(value(row, n) != value(flip(row, m), n) for row in rows)}
            for n, i in enumerate(component)
        }

    def report(self) -> Answer:
        answer, a = self.answer, self.known
        beaten = {
            d: k for k in self.movers if a[k] and (d := self.at.get(self.units[k].goal, -1)) >= 0 and not a.get(d)
        }
        for i, unit in enumerate(self.units):
            if i in beaten:
                attacker = beaten[i]
                answer.attacker[unit.place] = self.units[attacker].place
            else:
                answer.after[unit.place] = self.lands[i] if a.get(i) else unit.at
            answer.outcome[unit.place] = self.outcome.get(i) or self.result(i, i in beaten)
        for s in self.supports:
            answer.given[self.units[s].place] = self.support(a, s)
        filled = {province_of(x) for x in answer.after.values()}
        contested = set()
        for i in self.movers:
            if a[i] or not self.route(a, i):
                continue
            d = beaten.get(i, -1)
            from_there = d >= 0 and self.units[d].place == self.units[i].goal
            if not from_there or not (self.head_to_head(i, d) or self.options["dislodged_bounces"] == "never"):
                contested.add(self.units[i].goal)
        for i, k in beaten.items():
            barred = filled | contested
            if k not in self.by_sea or not self.options["retreat_to_convoy_origin"]:
                barred.add(self.units[k].place)
            answer.retreats[self.units[i].place] = sorted(
                x for x in self.reach(self.units[i]) if province_of(x) not in barred
            )
        return answer

    def result(self, i: int, beaten: bool) -> str:
        unit, a = self.units[i], self.known
        if unit.what == "move":
            if a[i]:
                return "succeeds"
            if self.route(a, i):
                return "bounced"
            whole = {self.units[f].place for f in self.fleets_of(i)}
            rides = unit.ferry is None or i in self.carrier
            return "disrupted" if rides and self.leads(unit, whole) else "no convoy"
        if unit.what == "support":
            return "succeeds" if self.support(a, i) else "cut"
        if unit.what == "convert":
            attacks = (k for k in self.attackers(unit.place) if self.units[k].power != unit.power)
            return "disrupted" if any(self.route(a, k) for k in attacks) else "succeeds"
        if unit.what == "convoy" and (beaten or i in self.broken):
            return "disrupted"
        return "succeeds"


def flip(row: tuple[bool, ...], n: int) -> tuple[bool, ...]:
    return (*row[:n], not row[n], *row[n + 1 :])


def innermost(graph: Mapping[T, set[T]]) -> list[T]:
    """A smallest set that leads to nothing outside it."""

    def closure(start: T) -> set[T]:
        seen = {start}
        stack = [start]
        while stack:
            for other in graph[stack.pop()] - seen:
                seen.add(other)
                stack.append(other)
        return seen

    smallest = min((closure(x) for x in graph), key=len)
    return [x for x in graph if x in smallest]
