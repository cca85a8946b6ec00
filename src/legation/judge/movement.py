"""Movement: what the units do, decided by :mod:`legation.judge.core`, as verdicts with their causes."""

from __future__ import annotations

from collections.abc import Sequence

from legation.board import province_of
from legation.judge import core
from legation.judge.aftermath import Aftermath
from legation.judge.core import BY_CONVOY, BY_LAND, CONVOY, MOVE, NO, SUPPORT, YES, Problem
from legation.judge.legality import MOST_CHAINS, Situation
from legation.judge.matching import Matching
from legation.judge.ruleset import Ruleset
from legation.judge.sheets import read_sheets
from legation.judge.verdicts import Cause, Outcome, Verdict
from legation.orders import Hold, Move, Order, Sheet
from legation.position import Dislodged, Position, Unit

UNOPPOSED = Cause("unopposed")
NO_ORDER = Cause("no order")
NO_ROUTE = Cause("no route")
BY_LAND_ANYWAY = Cause("fact", reason="the army goes by land")


class Movement:
    """One movement turn: what the units do, and what comes of it."""

    def __init__(self, rules: Ruleset, position: Position, sheets: Sequence[Sheet]) -> None:
        self.rules = rules
        self.position = position
        self.situation = Situation(rules, position)
        self.orders, self.loose, self.votes = read_sheets(self.situation, sheets)
        self.matching = Matching(rules, position, self.orders)
        self.units: Sequence[Unit] = self.matching.units
        self.problem: Problem = self.matching.problem()
        self._solve()
        if rules.options["adjacent_convoy"] == "1971":
            self._land_after_all()

    def _solve(self) -> None:
        core.link_orders(self.problem)
        if core.resolve(self.problem):
            n = self.problem.n
            self.problem = self.problem._replace(work=[0] * (4 * n * n + 16 * n))
            core.resolve_cycles(self.problem)

    def _land_after_all(self) -> None:
        """The 1971 reading considers the sea route only as long as it is not disrupted."""
        p, matching = self.problem, self.matching
        lost = {
            i
            for i, unit in enumerate(self.units)
            if p.via[i] == BY_CONVOY
            and p.route[i] == NO
            and isinstance(move := matching.effects[i], Move)
            and i not in matching.carried
            and not move.via_convoy
            and move.to in self.rules.tables.army.get(unit.at, ())
        }
        if not lost:
            return
        for i in lost:
            matching.via[i] = BY_LAND
        for f in range(p.n):
            if p.order[f] == CONVOY and p.helped_unit[f] in lost:
                matching.leave_unused(f)
        self.problem = matching.problem()
        self._solve()

    @property
    def limits(self) -> tuple[str, ...]:
        """The bounds of the work that were reached, so that something was decided without trying all there is."""
        reached = []
        if self.situation.limited:
            reached.append(
                f"a tangle of fleets has more than {MOST_CHAINS} chains; each of its fleets was taken to be of use to "
                "every convoy there"
            )
        if self.problem.limited[0]:
            reached.append(
                f"more than {core.LARGEST_ENUMERATION} moves and convoys depend on each other in a circle; it was "
                "decided by rule, without looking for an only solution"
            )
        return tuple(reached)

    # Reading the answer

    def aftermath(self, sheets: tuple[Sheet, ...], seed: str) -> Aftermath:
        """Verdicts, the units where they now stand, and who must retreat where; in the order in which the position
        lists the units."""
        p, units = self.problem, self.units
        numbers = self.matching.numbers
        listed = [self.matching.occupant[numbers[unit.at]] for unit in self.position.units]
        moves, place, into_head, into_next = p.moves, p.place, p.into_head, p.into_next
        dislodger = [-1] * p.n
        contested: set[str] = set()
        names = tuple(self.rules.tables.index)
        after: list[Unit] = []
        out: list[tuple[int, int]] = []
        attacks: dict[str, set[str]] = {}
        standoffs: list[int] = []
        for i in listed:
            unit = units[i]
            k = into_head[place[i]]
            if moves[i] == YES:
                after.append(Unit(unit.kind, self.matching.arrives[i], unit.power))
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
        verdicts = [self._verdict(i) for i in listed]
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
            limits=self.limits,
        )

    def _no_bounce(self, i: int, d: int) -> bool:
        """Whether unit i, dislodged by d from the province it moved to, had no effect there (DATC 4.A.7)."""
        return self.rules.options["dislodged_bounces"] == "never" or (
            self.problem.via[i] == BY_LAND and self.problem.via[d] == BY_LAND
        )

    def _order(self, i: int) -> Order:
        """The order of unit i as it takes effect (a hold where it has none)."""
        effect = self.matching.effects[i]
        return effect if effect is not None else Hold(self.units[i].kind, self.units[i].at)

    def _verdict(self, i: int) -> Verdict:
        p, unit = self.problem, self.units[i]
        effect = self.matching.effects[i]
        d = self.dislodger[i]
        out = self.rules.tables.province[self.units[d].at] if d >= 0 else None
        if effect is None:
            return Verdict(unit.power, Hold(unit.kind, unit.at), Outcome.SUCCEEDS, NO_ORDER, out)
        ordered = self.orders.get(self.rules.tables.province[unit.at])
        if ordered is not None and ordered.refusal is not None:
            written = ordered.written
            assert written is not None
            return Verdict(unit.power, written, Outcome.ILLEGAL, Cause("refused", reason=ordered.refusal), out)
        cause: Cause | None
        if i in self.matching.void:
            return Verdict(unit.power, effect, Outcome.VOID, self.matching.void[i], out)
        kind = p.order[i]
        if kind == MOVE:
            if p.moves[i] == YES:
                cause = self.matching.remarks.get(i) or self._why_moved(i)
                return Verdict(unit.power, effect, Outcome.SUCCEEDS, cause, out)
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
        elif i in self.matching.unused and d >= 0:
            outcome, cause = Outcome.DISRUPTED, Cause("dislodged", by=self._order(d))
        elif i in self.matching.unused:
            outcome, cause = Outcome.SUCCEEDS, BY_LAND_ANYWAY
        else:
            outcome, cause = Outcome.SUCCEEDS, self.matching.remarks.get(i)
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

    def _told(self, strength: int) -> float:
        """A strength as it is told, where halves are counted."""
        return strength if not self.matching.halves else strength // 2 if strength % 2 == 0 else strength / 2

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
            best = (
                self._strength(d) if facing or p.order[d] != MOVE else 0 if self.matching.weak_bounces else p.force[d]
            )
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
        d = p.occupant[p.target[i]]
        if by >= 0:
            beaten = p.owner[d] if d >= 0 and p.moves[d] != YES else -1  # whose support does not count
            strength = self._strength(i, without=beaten)
            return Cause("stronger", by=self._order(by), strength=self._told(strength), against=self._told(best))
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
        if d >= 0 and (p.moves[d] != YES or self._head_to_head(i, d)):
            if p.owner[d] == p.owner[i]:
                return Cause("own unit", by=self._order(d))
            foreign = self._strength(i, without=p.owner[d])
            if foreign < strength and strength > best:
                return Cause("own support", by=self._order(by), strength=self._told(foreign), against=self._told(best))
            strength = foreign
        if by < 0:  # not reached: a circle that fails as no rule decides it, with nobody against it; none is known
            return Cause("paradox")
        return Cause(how, by=self._order(by), strength=self._told(strength), against=self._told(best))

    def _why_no_route(self, i: int) -> tuple[Outcome, Cause]:
        p = self.problem
        if i in self.matching.stranded:
            return Outcome.NO_CONVOY, Cause("fact", reason=self.matching.stranded[i])
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
        if self.matching.complete(i, fleets):
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
        from_target = self.rules.options["convoyed_attack_cuts_own_target"] is True
        k = p.into_head[p.place[i]]
        while k >= 0:
            elsewhere = p.place[k] != p.target[i] or (from_target and p.via[k] == BY_CONVOY)
            if p.owner[k] != p.owner[i] and p.route[k] == YES and elsewhere:
                strength = self._strength(k, without=p.owner[i])
                if strength > strongest:
                    strongest, by = strength, k
            k = p.into_next[k]
        if by < 0:
            return Outcome.CUT, Cause("paradox")
        if given:
            return Outcome.SUCCEEDS, Cause("weakened", by=self._order(by), strength=self._told(given))
        return Outcome.CUT, Cause("attacked", by=self._order(by))
