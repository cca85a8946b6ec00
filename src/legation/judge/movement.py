"""Movement: from sheets to the dense problem of :mod:`legation.judge.core`, and back to verdicts with their causes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from legation.board import province_of
from legation.judge import core
from legation.judge.aftermath import Aftermath
from legation.judge.core import BY_CONVOY, BY_LAND, CONVOY, HOLD, MOVE, NO, OPEN, SUPPORT, YES, Problem
from legation.judge.legality import Refusal, Situation
from legation.judge.verdicts import Cause, Outcome, Verdict
from legation.orders import Convoy, Ferry, Hold, Move, Order, Sheet, SupportHold, SupportMove, VoteDraw
from legation.position import Dislodged, Position, Unit

if TYPE_CHECKING:
    from legation.judge.ruleset import Ruleset

PARADOX_RULES = {
    "szykman": core.SZYKMAN,
    "1971": core.RULE_1971,
    "1982": core.RULE_1982,
    "2000": core.RULE_2000,
    "all hold": core.ALL_HOLD,
}

UNOPPOSED = Cause("unopposed")
NO_ORDER = Cause("no order")
NOT_ORDERED = Cause("not ordered")
NO_ROUTE = Cause("no route")
BY_LAND_ANYWAY = Cause("fact", reason="the army goes by land")


class Ordered(msgspec.Struct, frozen=True):
    """What one unit is to do: the order as written (if any) and as it takes effect, or why it does not."""

    written: Order | None
    effect: Order
    refusal: str | None = None


def read_sheets(
    situation: Situation, sheets: Iterable[Sheet]
) -> tuple[dict[str, Ordered], list[Verdict], frozenset[str]]:
    """The one order of each unit (by province), verdicts for orders that reach no unit or are superseded, and the votes for a draw."""
    rules = situation.rules
    doubles = rules.options["double_orders"]
    province = rules.tables.province
    ordered: dict[str, Ordered] = {}
    loose: list[Verdict] = []
    votes: set[str] = set()
    for sheet in sheets:
        power = sheet.power
        repeated: set[str] = set()
        for order in sheet.orders:
            effect = situation.read(power, order)
            if isinstance(effect, VoteDraw):
                votes.add(power)
                loose.append(Verdict(power, order, Outcome.SUCCEEDS))
                continue
            at = getattr(order, "at", "")
            place = province.get(at) or province_of(at)
            unit = situation.units.get(place)
            if unit is None or unit.power != power:
                reason = effect.reason if isinstance(effect, Refusal) else "no unit can carry it out"
                loose.append(Verdict(power, order, Outcome.ILLEGAL, Cause("refused", reason=reason)))
                continue
            before = ordered.get(place)
            if isinstance(effect, Refusal):
                if before is None:
                    ordered[place] = Ordered(order, Hold(unit.kind, unit.at), effect.reason)
                else:  # an illegal order beside another is no second order (DATC 4.D.3)
                    loose.append(Verdict(power, order, Outcome.ILLEGAL, Cause("refused", reason=effect.reason)))
                continue
            if before is None:
                ordered[place] = Ordered(order, effect)
            elif before.refusal is not None and place not in repeated:
                assert before.written is not None
                loose.append(Verdict(power, before.written, Outcome.ILLEGAL, Cause("refused", reason=before.refusal)))
                ordered[place] = Ordered(order, effect)
            elif before.effect == effect and place not in repeated:
                loose.append(Verdict(power, order, Outcome.IGNORED, Cause("fact", reason="it was given twice")))
            elif doubles == "first":
                loose.append(Verdict(power, order, Outcome.IGNORED, Cause("fact", reason="an earlier order stands")))
            elif doubles == "last":
                assert before.written is not None
                loose.append(
                    Verdict(power, before.written, Outcome.IGNORED, Cause("fact", reason="a later order stands"))
                )
                ordered[place] = Ordered(order, effect)
            else:
                repeated.add(place)
                reason = "the unit was given different orders"
                loose.append(Verdict(power, order, Outcome.ILLEGAL, Cause("refused", reason=reason)))
                ordered[place] = Ordered(before.written, Hold(unit.kind, unit.at), reason)
    return ordered, loose, frozenset(votes)


class Movement:
    """One movement turn: what the units do, and what comes of it."""

    def __init__(self, rules: Ruleset, position: Position, sheets: Sequence[Sheet]) -> None:
        self.rules = rules
        self.position = position
        self.situation = Situation(rules, position)
        self.orders, self.loose, self.votes = read_sheets(self.situation, sheets)
        self.units: tuple[Unit, ...] = position.units
        self.effects: list[Order | None] = [None] * len(position.units)  # what each unit does; None without an order
        self.void: dict[int, Cause] = {}  # supports, convoys and rides that fit no order, and why
        self.unused: set[int] = set()  # fleets that convoy an army which goes by land
        self.arrives: dict[int, str] = {}  # where each moving unit would stand
        self.problem: Problem = self._build()
        self._solve()
        if rules.options["adjacent_convoy"] == "1971":
            self._land_after_all()

    def _solve(self) -> None:
        core.link(self.problem)
        if core.resolve(self.problem):
            n = self.problem.n
            self.problem = self.problem._replace(work=[0] * (4 * n * n + 16 * n))
            core.untie(self.problem)

    # Building the problem

    def _build(self) -> Problem:
        rules, units, orders = self.rules, self.units, self.orders
        tables = rules.tables
        index, province = tables.index, tables.province
        n = len(units)
        powers: dict[str, int] = {}
        place = [index[province[u.at]] for u in units]
        occupant = [-1] * tables.count
        for i in range(n):
            occupant[place[i]] = i
        owner = [powers.setdefault(u.power, len(powers)) for u in units]
        kinds = rules.kinds
        force = [kinds[u.kind].strength for u in units]
        order = [HOLD] * n
        target = list(place)
        obj = [-1] * n
        via = [BY_LAND] * n
        moves = [NO] * n
        route = [YES] * n
        high = [0] * n
        effects = self.effects
        movers: list[tuple[int, Move]] = []
        supports: list[tuple[int, SupportHold | SupportMove]] = []
        convoys: list[tuple[int, Convoy]] = []
        ferries: list[tuple[int, Ferry]] = []
        for i, unit in enumerate(units):
            ordered = orders.get(province[unit.at])
            if ordered is None:
                continue
            effect = ordered.effect
            effects[i] = effect
            if isinstance(effect, Move | Ferry):
                order[i] = MOVE
                moves[i] = OPEN
                self.arrives[i] = effect.to
                target[i] = index[province[effect.to]]
                if isinstance(effect, Ferry):
                    ferries.append((i, effect))
                else:
                    movers.append((i, effect))
            elif isinstance(effect, SupportMove | SupportHold):
                supports.append((i, effect))
            elif isinstance(effect, Convoy):
                convoys.append((i, effect))
        for i, support in supports:
            j = occupant[index[province[support.target]]]
            if isinstance(support, SupportHold):
                if order[j] == MOVE:
                    self.void[i] = self._instead(j)
                    continue
                if effects[j] is None and self._disorderly(units[j].power):
                    self.void[i] = Cause("fact", reason="its power is in civil disorder")
                    continue
                target[i] = place[j]
            else:
                there = index[province[support.to]]
                if order[j] != MOVE or target[j] != there or ("/" in support.to and support.to != self.arrives[j]):
                    self.void[i] = self._instead(j)
                    continue
                target[i] = there
            order[i] = SUPPORT
            obj[i] = j
            high[i] = force[i]
        fleets_of: dict[int, list[int]] = {}
        for i, convoy in convoys:
            j = occupant[index[province[convoy.target]]]
            if order[j] != MOVE or target[j] != index[province[convoy.to]]:
                self.void[i] = self._instead(j)
                continue
            move = effects[j]
            if (
                isinstance(move, Move)
                and move.route
                and rules.options["convoy_route"] == "binding"
                and province[units[i].at] not in move.route
            ):
                self.void[i] = Cause("fact", reason="the army goes by other fleets")
                continue
            order[i] = CONVOY
            obj[i] = j
            target[i] = target[j]
            fleets_of.setdefault(j, []).append(i)
        for i, ride in ferries:
            j = occupant[index[province[ride.target]]]
            move = effects[j]
            if not (
                isinstance(move, Move)
                and move.ferry == (province[units[i].at], province[ride.to])
                and province[move.to] == ride.target_to
            ):
                self.void[i] = self._instead(j)
        for i, move in movers:
            if move.ferry is not None:
                via[i] = BY_CONVOY
                f = occupant[index[move.ferry[0]]]
                if f >= 0 and order[f] == MOVE and target[f] == index[move.ferry[1]]:
                    fleet = effects[f]
                    if (isinstance(fleet, Ferry) and f not in self.void and obj[f] < 0) or (
                        isinstance(fleet, Move) and owner[f] == owner[i] and obj[f] < 0
                    ):
                        obj[f] = i
            elif self._by_sea(i, move, fleets_of.get(i, ()), owner, place, target, order):
                via[i] = BY_CONVOY
            if via[i] == BY_CONVOY:
                route[i] = OPEN
        for i, _ in convoys:  # a convoy of an army that goes by land carries nobody
            if order[i] == CONVOY and via[obj[i]] == BY_LAND:
                order[i] = HOLD
                self.unused.add(i)
                obj[i] = -1
                target[i] = place[i]
        options = rules.options
        vector = [0] * core.RULES_LENGTH
        vector[core.PARADOX] = PARADOX_RULES[str(options["convoy_paradox"])]
        vector[core.ANY_ROUTE_BREAKS] = int(options["multi_route_convoy"] == "any")
        vector[core.CONVOY_CUTS_OWN_TARGET] = int(options["convoyed_attack_cuts_own_target"] is True)
        vector[core.DISLODGED_NEVER_BOUNCES] = int(options["dislodged_bounces"] == "never")
        return Problem(
            n=n,
            provinces=tables.count,
            rules=vector,
            near=tables.near,
            place=place,
            owner=owner,
            force=force,
            order=order,
            target=target,
            obj=obj,
            via=via,
            occupant=occupant,
            into_head=[-1] * tables.count,
            into_next=[-1] * n,
            support_head=[-1] * n,
            support_next=[-1] * n,
            convoy_head=[-1] * n,
            convoy_next=[-1] * n,
            moves=moves,
            route=route,
            low=[0] * n,
            high=high,
            broken=[0] * n,
            needed=[1] * n,
            mark=[0] * n,
            seen=[0] * n,
            stack=[0] * (2 * n),
            work=[],
        )

    def _disorderly(self, power: str) -> bool:
        if self.rules.options["hold_support_in_disorder"] is True:
            return False
        return not any(u.power == power and province_of(u.at) in self.orders for u in self.units)

    def _instead(self, j: int) -> Cause:
        effect = self.effects[j]
        ordered = self.orders.get(province_of(self.units[j].at))
        if ordered is None or ordered.refusal is not None or effect is None:
            return NOT_ORDERED
        return Cause("not matched", by=effect)

    def _by_sea(
        self,
        i: int,
        move: Move,
        fleets: Sequence[int],
        owner: Sequence[int],
        place: Sequence[int],
        target: Sequence[int],
        order: Sequence[int],
    ) -> bool:
        """Whether an army's move goes by convoy (DATC 4.A.3)."""
        unit = self.units[i]
        if not self.rules.kinds[unit.kind].convoyed:
            return False
        if move.to not in self.rules.tables.army[unit.at]:
            return True
        if move.via_convoy:
            if self.rules.options["via_convoy_fallback"] is True:
                return bool(fleets) and self._complete(i, fleets, place, target)
            return True
        reading = self.rules.options["adjacent_convoy"]
        if reading == "own fleet":
            return any(owner[f] == owner[i] for f in fleets)
        if reading == "1971":
            d = next((k for k in range(len(self.units)) if place[k] == target[i]), -1)
            return d >= 0 and order[d] == MOVE and target[d] == place[i] and self._complete(i, fleets, place, target)
        return False

    def _complete(self, i: int, fleets: Sequence[int], place: Sequence[int], target: Sequence[int]) -> bool:
        """Whether the ordered fleets make a whole route, if none of them is dislodged."""
        tables = self.rules.tables
        count, near = tables.count, tables.near
        left = set(fleets)
        stack = [f for f in fleets if near[place[i] * count + place[f]]]
        left.difference_update(stack)
        while stack:
            f = stack.pop()
            ferries = isinstance(self.effects[f], Move | Ferry)  # it carries the army to where it goes
            leaves = target[f] if ferries else place[f]
            if near[leaves * count + target[i]]:
                return True
            further = [g for g in left if near[leaves * count + place[g]]]
            left.difference_update(further)
            stack += further
        return False

    def _land_after_all(self) -> None:
        """The 1971 reading considers the sea route only as long as it is not disrupted."""
        tables = self.rules.tables
        p = self.problem
        lost = [
            i
            for i, u in enumerate(self.units)
            if p.via[i] == BY_CONVOY
            and p.route[i] == NO
            and isinstance(move := self.effects[i], Move)
            and move.ferry is None
            and not move.via_convoy
            and move.to in tables.army.get(u.at, ())
        ]
        if not lost:
            return
        via, order = list(p.via), list(p.order)
        for i in lost:
            via[i] = BY_LAND
        for f in range(p.n):
            if order[f] == CONVOY and p.obj[f] in lost:
                order[f] = HOLD
                self.unused.add(f)
        n = p.n
        self.problem = p._replace(
            via=via,
            order=order,
            into_head=[-1] * p.provinces,
            into_next=[-1] * n,
            support_head=[-1] * n,
            support_next=[-1] * n,
            convoy_head=[-1] * n,
            convoy_next=[-1] * n,
            moves=[OPEN if k == MOVE else NO for k in order],
            route=[OPEN if v == BY_CONVOY else YES for v in via],
            low=[0] * n,
            high=[p.force[i] if order[i] == SUPPORT else 0 for i in range(n)],
            broken=[0] * n,
        )
        self._solve()

    # Reading the answer

    def aftermath(self, sheets: tuple[Sheet, ...], seed: str) -> Aftermath:
        """Verdicts, the units where they now stand, and who must retreat where."""
        p, units = self.problem, self.units
        moves, place, into_head, into_next = p.moves, p.place, p.into_head, p.into_next
        dislodger = [-1] * p.n
        contested: set[str] = set()
        names = tuple(self.rules.tables.index)
        after: list[Unit] = []
        out: list[tuple[int, int]] = []
        attacks: dict[str, set[str]] = {}
        standoffs: list[int] = []
        for i, unit in enumerate(units):
            k = into_head[place[i]]
            if moves[i] == YES:
                after.append(Unit(unit.kind, self.arrives[i], unit.power))
                continue
            if p.order[i] == MOVE and p.route[i] == YES:
                standoffs.append(i)
            while k >= 0:
                if moves[k] == YES:
                    dislodger[i] = k
                k = into_next[k]
            if dislodger[i] < 0:
                after.append(unit)
            else:
                out.append((i, dislodger[i]))
        for i in range(p.n):
            if p.order[i] == MOVE and p.route[i] == YES:
                attacks.setdefault(names[p.target[i]], set()).add(units[i].power)
        province = self.rules.tables.province
        filled = {province[u.at] for u in after}
        for i in standoffs:
            there = names[p.target[i]]
            if there in filled:
                continue
            d = dislodger[i]
            if d >= 0 and place[d] == p.target[i] and self._no_bounce(i, d):
                continue
            contested.add(there)
        self.dislodger = dislodger
        dislodged: list[Dislodged] = []
        retreats: dict[str, tuple[str, ...]] = {}
        if out:
            open_origin = self.rules.options["retreat_to_convoy_origin"] is True
            view = Situation(
                self.rules,
                Position(
                    self.position.turn,
                    tuple(after),
                    contested=frozenset(contested),
                    owners=self.position.owners,
                    slices=self.position.slices,
                ),
            )
            for i, k in out:
                barred = None if p.via[k] == BY_CONVOY and open_origin else names[place[k]]
                entry = Dislodged(units[i], barred)
                dislodged.append(entry)
                retreats[province_of(units[i].at)] = view.retreats(units[i], barred)
        verdicts = [self._verdict(i) for i in range(p.n)]
        verdicts += self.loose
        return Aftermath(
            before=self.position,
            sheets=sheets,
            seed=seed,
            verdicts=verdicts,
            units=after,
            dislodged=dislodged,
            retreats=retreats,
            contested=frozenset(contested) if dislodged else frozenset(),
            attacks={where: frozenset(who) for where, who in attacks.items()},
            slices=dict(self.position.slices),
        )

    def _no_bounce(self, i: int, d: int) -> bool:
        """Whether unit i, dislodged by d from the province it moved to, had no effect there (DATC 4.A.7)."""
        return self.rules.options["dislodged_bounces"] == "never" or (
            self.problem.via[i] == BY_LAND and self.problem.via[d] == BY_LAND
        )

    def _order(self, i: int) -> Order:
        """The order of unit i as it takes effect (a hold where it has none)."""
        effect = self.effects[i]
        return effect if effect is not None else Hold(self.units[i].kind, self.units[i].at)

    def _verdict(self, i: int) -> Verdict:
        p, unit = self.problem, self.units[i]
        effect = self.effects[i]
        d = self.dislodger[i]
        out = self.rules.tables.province[self.units[d].at] if d >= 0 else None
        if effect is None:
            return Verdict(unit.power, Hold(unit.kind, unit.at), Outcome.SUCCEEDS, NO_ORDER, out)
        ordered = self.orders[self.rules.tables.province[unit.at]]
        if ordered.refusal is not None:
            written = ordered.written
            assert written is not None
            return Verdict(unit.power, written, Outcome.ILLEGAL, Cause("refused", reason=ordered.refusal), out)
        cause: Cause | None
        if i in self.void and type(effect) is not Ferry:
            return Verdict(unit.power, effect, Outcome.VOID, self.void[i], out)
        kind = p.order[i]
        if kind == MOVE:
            if p.moves[i] == YES:
                return Verdict(unit.power, effect, Outcome.SUCCEEDS, self._why_moved(i), out)
            if p.route[i] == NO:
                outcome, cause = self._why_no_route(i)
            else:
                outcome, cause = Outcome.BOUNCED, self._why_bounced(i)
        elif kind == SUPPORT:
            outcome, cause = self._support_result(i)
        elif kind == CONVOY:
            outcome, cause = Outcome.SUCCEEDS, None
            if d >= 0:
                outcome, cause = Outcome.DISRUPTED, Cause("dislodged", by=self._order(d))
            elif p.broken[i]:
                outcome, cause = Outcome.DISRUPTED, Cause("paradox")
        elif i in self.unused and d >= 0:
            outcome, cause = Outcome.DISRUPTED, Cause("dislodged", by=self._order(d))
        elif i in self.unused:
            outcome, cause = Outcome.SUCCEEDS, BY_LAND_ANYWAY
        else:
            outcome, cause = Outcome.SUCCEEDS, None
        return Verdict(unit.power, effect, outcome, cause, out)

    def _strength(self, i: int, without: int = -1) -> int:
        """The strength of unit i's action with the supports that stand, except those of power ``without``."""
        p = self.problem
        total = p.force[i]
        s = p.support_head[i]
        while s >= 0:
            if p.owner[s] != without:
                total += p.low[s]
            s = p.support_next[s]
        return total

    def _head_to_head(self, i: int, d: int) -> bool:
        p = self.problem
        return p.order[d] == MOVE and p.target[d] == p.place[i] and p.via[d] == BY_LAND and p.via[i] == BY_LAND

    def _opposition(self, i: int) -> tuple[int, int, str]:
        """The strongest that stands against move i: its strength, its unit and how it does so."""
        p = self.problem
        best, by, how = 0, -1, "unopposed"
        d = p.occupant[p.target[i]]
        facing = d >= 0 and self._head_to_head(i, d)
        if d >= 0 and (facing or p.moves[d] != YES):
            best = self._strength(d) if facing or p.order[d] != MOVE else p.force[d]
            by, how = d, "head to head" if facing else "held"
        k = p.into_head[p.target[i]]
        while k >= 0:
            if k != i and p.route[k] == YES:
                strength = self._strength(k)
                h = self.dislodger[k]
                if h >= 0 and p.place[h] == p.target[k] and self._no_bounce(k, h):
                    strength = 0
                if strength > best:
                    best, by, how = strength, k, "prevented"
            k = p.into_next[k]
        return best, by, how

    def _why_moved(self, i: int) -> Cause:
        best, by, _ = self._opposition(i)
        p = self.problem
        if by >= 0:
            return Cause("stronger", by=self._order(by), strength=self._strength(i), against=best)
        d = p.occupant[p.target[i]]
        if d < 0:
            return UNOPPOSED
        k, steps = d, 0
        while k >= 0 and k != i and p.moves[k] == YES and steps < p.n:
            k = p.occupant[p.target[k]]
            steps += 1
        return Cause("circle" if k == i else "vacated", by=self._order(d))

    def _why_bounced(self, i: int) -> Cause:
        p = self.problem
        best, by, how = self._opposition(i)
        d = p.occupant[p.target[i]]
        strength = self._strength(i)
        if d >= 0 and p.moves[d] != YES:
            if p.owner[d] == p.owner[i]:
                return Cause("own unit", by=self._order(d))
            foreign = self._strength(i, without=p.owner[d])
            if foreign < strength and strength > best:
                return Cause("own support", by=self._order(d), strength=foreign, against=self._opposition(i)[0])
            strength = foreign
        if by < 0:
            return Cause("paradox")
        return Cause(how, by=self._order(by), strength=strength, against=best)

    def _why_no_route(self, i: int) -> tuple[Outcome, Cause]:
        p = self.problem
        f = p.convoy_head[i]
        lost: Cause | None = None
        fleets = []
        while f >= 0:
            fleets.append(f)
            d = self.dislodger[f]
            if p.order[f] == MOVE and p.moves[f] != YES:
                lost = Cause("ferry failed", by=self._order(f))
            elif d >= 0:
                lost = Cause("fleet dislodged", by=self._order(d))
            elif p.broken[f] and lost is None:
                lost = Cause("paradox")
            f = p.convoy_next[f]
        if self._complete(i, fleets, p.place, p.target):
            return Outcome.DISRUPTED, lost or Cause("paradox")
        return Outcome.NO_CONVOY, NO_ROUTE

    def _support_result(self, i: int) -> tuple[Outcome, Cause | None]:
        p = self.problem
        given, whole = p.low[i], p.force[i]
        if given == whole:
            return Outcome.SUCCEEDS, None
        d = self.dislodger[i]
        if d >= 0:
            return Outcome.CUT, Cause("dislodged", by=self._order(d))
        strongest, by = -1, -1
        k = p.into_head[p.place[i]]
        while k >= 0:
            if p.owner[k] != p.owner[i] and p.route[k] == YES and p.place[k] != p.target[i]:
                strength = self._strength(k, without=p.owner[i])
                if strength > strongest:
                    strongest, by = strength, k
            k = p.into_next[k]
        if by < 0:
            return Outcome.CUT, Cause("paradox")
        if given:
            return Outcome.SUCCEEDS, Cause("weakened", by=self._order(by), strength=given)
        return Outcome.CUT, Cause("attacked", by=self._order(by))
