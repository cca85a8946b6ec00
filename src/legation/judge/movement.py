"""Movement: what the units do, decided by :mod:`legation.judge.core`, as verdicts with their causes."""

from collections.abc import Iterable, Sequence

from legation.board import province_of
from legation.judge import core
from legation.judge.aftermath import Aftermath
from legation.judge.chains import MOST_CHAINS
from legation.judge.core import BY_CONVOY, BY_LAND, CONVOY, MOVE, NO, SUPPORT, YES, MovementProblem
from legation.judge.legality import Situation
from legation.judge.matching import Matching
from legation.judge.ruleset import Ruleset
from legation.judge.sheets import read_sheets
from legation.judge.verdicts import Cause, Outcome, Verdict
from legation.orders import Hold, Move, Order, Sheet
from legation.position import Dislodged, Position, Unit

SUCCEEDS, BOUNCED, CUT, VOID = Outcome.SUCCEEDS, Outcome.BOUNCED, Outcome.CUT, Outcome.VOID  # slow to look up each time
UNOPPOSED = Cause("unopposed")
NO_ORDER = Cause("no order")
PARADOX = Cause("paradox")
NO_ROUTE = Cause("no route")
TOO_WEAK = Cause("fact", reason="without support it has no strength to go there")
BY_LAND_ANYWAY = Cause("fact", reason="the army goes by land")


class Movement:
    """One movement turn: what the units do, and what comes of it."""

    def __init__(self, rules: Ruleset, position: Position, sheets: Sequence[Sheet]) -> None:
        self.rules = rules
        self.position = position
        self.situation = Situation(rules, position)
        self.orders, self.loose, self.votes = read_sheets(self.situation, sheets)
        self.matching = Matching(self.situation, self.orders)
        self.units: Sequence[Unit] = self.matching.units
        self.problem: MovementProblem = self.matching.problem()
        self._solve()
        if rules.options["adjacent_convoy"] == "1971":
            self._land_after_all()

    def _solve(self) -> None:
        core.link_orders(self.problem)
        if core.resolve(self.problem):
            n = self.problem.n
            self.problem.work = [0] * (4 * n * n + 16 * n)
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
                f"connected fleets have more than {MOST_CHAINS} chains; each of these fleets was taken to be of use to "
                "every convoy there"
            )
        if self.problem.limited[0]:
            reached.append(
                f"more than {core.LARGEST_ENUMERATION} moves and convoys depend on each other in a circle; it was "
                "decided by rule, without searching for a unique solution"
            )
        return tuple(reached)

    @property
    def all_legal(self) -> bool:
        """Whether every order on the sheets is that of a unit which it may be given to."""
        return not self.loose and not self.matching.refused

    # Reading the answer

    def aftermath(self, sheets: tuple[Sheet, ...], seed: str) -> Aftermath:
        """Verdicts, the units where they now stand, and who must retreat where; in the order in which the position
        lists the units."""
        p, moves = self.problem, self.problem.moves
        numbers, occupant, arrives = self.matching.numbers, self.matching.occupant, self.matching.arrives
        self.dislodger = dislodger = [-1] * p.n
        core.find_dislodgers(p, dislodger)
        listed: list[int] = []
        after: list[Unit] = []
        out: list[tuple[int, int]] = []
        for unit in self.position.units:
            i = occupant[numbers[unit.at]]
            listed.append(i)
            if dislodger[i] >= 0:
                out.append((i, dislodger[i]))
            else:
                after.append(Unit(unit.kind, arrives[i], unit.power) if moves[i] == YES else unit)
        contested = self._contested() if out else frozenset()
        dislodged, retreats = self._retreats(out, after, contested) if out else ([], {})
        return Aftermath(
            before=self.position,
            sheets=sheets,
            seed=seed,
            judged=lambda: self._verdicts(listed) + self.loose,
            units=after,
            dislodged=dislodged,
            retreats=retreats,
            contested=contested,
            attacks=self._attacks() if self.rules.steps["after"] else {},
            slices=dict(self.position.slices),
            limits=self.limits,
        )

    def _contested(self) -> frozenset[str]:
        """The provinces that a standoff left vacant: nobody retreats there."""
        contested = [0] * self.problem.provinces
        core.mark_contested(self.problem, self.dislodger, contested)
        return frozenset([name for name, left in zip(self.rules.tables.names, contested, strict=True) if left])

    def _retreats(
        self, out: Sequence[tuple[int, int]], after: Sequence[Unit], contested: frozenset[str]
    ) -> tuple[list[Dislodged], dict[str, tuple[str, ...]]]:
        """The units that were dislodged (each number with its attacker's), and by province where each may retreat."""
        units, names, place, via = self.units, self.rules.tables.names, self.problem.place, self.problem.via
        open_origin = self.rules.options["retreat_to_convoy_origin"] is True
        before = self.position
        seen = Position(before.turn, tuple(after), contested=contested, owners=before.owners, slices=before.slices)
        view = Situation(self.rules, seen)
        dislodged: list[Dislodged] = []
        retreats: dict[str, tuple[str, ...]] = {}
        for i, k in out:
            barred = None if via[k] == BY_CONVOY and open_origin else names[place[k]]
            dislodged.append(Dislodged(units[i], barred))
            retreats[province_of(units[i].at)] = view.retreats(units[i], barred)
        return dislodged, retreats

    def _attacks(self) -> dict[str, frozenset[str]]:
        """By province, the powers whose units attacked it with a route that stood."""
        p = self.problem
        names = self.rules.tables.names
        attacks: dict[str, set[str]] = {}
        for i, unit in enumerate(self.units):
            if p.order[i] == MOVE and p.route[i] == YES:
                attacks.setdefault(names[p.target[i]], set()).add(unit.power)
        return {where: frozenset(who) for where, who in attacks.items()}

    def _order(self, i: int) -> Order:
        effect = self.matching.effects[i]
        return effect if effect is not None else Hold(self.units[i].kind, self.units[i].at)

    def _verdicts(self, listed: Iterable[int]) -> list[Verdict]:
        p, units, dislodger, names = self.problem, self.units, self.dislodger, self.rules.tables.names
        moves, place, target, occupant = p.moves, p.place, p.target, p.occupant
        into_head, into_next = p.into_head, p.into_next
        order, low, force = p.order, p.low, p.force
        effects, refused, remarks = self.matching.effects, self.matching.refused, self.matching.remarks
        verdicts = []
        for i in listed:
            unit, effect, d = units[i], effects[i], dislodger[i]
            out = names[place[d]] if d >= 0 else None
            if effect is None:
                verdict = Verdict(unit.power, Hold(unit.kind, unit.at), SUCCEEDS, NO_ORDER, out)
            elif i in refused:
                written, reason = refused[i].written, refused[i].refusal or ""
                assert written is not None
                verdict = Verdict(unit.power, written, Outcome.ILLEGAL, Cause("refused", reason=reason), out)
            elif moves[i] == YES and occupant[target[i]] < 0 and into_head[target[i]] == i and into_next[i] < 0:
                verdict = Verdict(unit.power, effect, SUCCEEDS, remarks.get(i) or UNOPPOSED, out)
            elif order[i] == SUPPORT and low[i] == force[i]:
                verdict = Verdict(unit.power, effect, SUCCEEDS, None, out)
            else:
                outcome, cause = self._decided(i, d)
                verdict = Verdict(unit.power, effect, outcome, cause, out)
            verdicts.append(verdict)
        return verdicts

    def _decided(self, i: int, d: int) -> tuple[Outcome, Cause | None]:
        """Return the outcome, with its cause, of unit ``i`` and its legal order; unit ``d`` dislodges it (-1: none)."""
        p, matching = self.problem, self.matching
        if i in matching.void:
            return VOID, matching.void[i]
        kind = p.order[i]
        if kind == MOVE:
            if p.moves[i] == YES:
                return SUCCEEDS, matching.remarks.get(i) or self._why_moved(i)
            if p.route[i] == NO:
                return self._why_no_route(i)
            return BOUNCED, self._why_bounced(i)
        if kind == SUPPORT:
            return self._support_result(i)
        if d >= 0 and (kind == CONVOY or i in matching.unused):
            return Outcome.DISRUPTED, Cause("dislodged", by=self._order(d))
        if kind == CONVOY:
            return (Outcome.DISRUPTED, PARADOX) if p.broken[i] else (SUCCEEDS, None)
        if i in matching.unused:
            return SUCCEEDS, BY_LAND_ANYWAY
        return SUCCEEDS, matching.remarks.get(i)

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
        return strength if not self.matching.halves else strength // 2 if strength % 2 == 0 else strength / 2

    def _head_to_head(self, i: int, d: int) -> bool:
        p = self.problem
        return p.order[d] == MOVE and p.target[d] == p.place[i] and p.via[d] == BY_LAND and p.via[i] == BY_LAND

    def _opposition(self, i: int) -> tuple[int, int, str, int]:
        """The strongest that stands against move i: its strength, its unit and how it does so; and the unit that holds
        the province against it (-1: none)."""
        p = self.problem
        there, route, into_next, dislodger = p.target[i], p.route, p.into_next, self.dislodger
        best, by, how, holder = 0, -1, "unopposed", -1
        d = p.occupant[there]
        if d >= 0:
            facing = self._head_to_head(i, d)
            if facing or p.order[d] != MOVE:
                best, by, how, holder = self._strength(d), d, "head to head" if facing else "held", d
            elif p.moves[d] != YES:
                best, by, how, holder = 0 if self.matching.weak_bounces else p.force[d], d, "held", d
        k = p.into_head[there]
        while k >= 0:
            if k != i and route[k] == YES:
                h = dislodger[k]
                powerless = h >= 0 and p.place[h] == there and core.is_powerless(p, k, h)
                strength = 0 if powerless else self._strength(k)
                if strength > best:
                    best, by, how = strength, k, "prevented"
            k = into_next[k]
        return best, by, how, holder

    def _why_moved(self, i: int) -> Cause:
        p = self.problem
        best, by, _, holder = self._opposition(i)
        if by >= 0:  # the support of the power that was beaten does not count
            strength = self._strength(i, without=p.owner[holder] if holder >= 0 else -1)
            return Cause("stronger", by=self._order(by), strength=self._told(strength), against=self._told(best))
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
        d = p.occupant[p.target[i]]
        if d >= 0 and p.owner[d] == p.owner[i] and (p.moves[d] != YES or self._head_to_head(i, d)):
            return Cause("own unit", by=self._order(d))
        if d in self.matching.firm and (p.moves[d] != YES or self._head_to_head(i, d)):
            return Cause("fact", reason=self.matching.firm[d])
        best, by, how, holder = self._opposition(i)
        strength = self._strength(i)
        if holder >= 0:
            foreign = self._strength(i, without=p.owner[holder])
            if foreign < strength and strength > best:
                return Cause("own support", by=self._order(by), strength=self._told(foreign), against=self._told(best))
            strength = foreign
        if by < 0 and strength <= 0:
            return TOO_WEAK
        if by < 0:  # not reached: a circle that fails as no rule decides it, with nobody against it; none is known
            return PARADOX
        return Cause(how, by=self._order(by), strength=self._told(strength), against=self._told(best))

    def _why_no_route(self, i: int) -> tuple[Outcome, Cause]:
        p = self.problem
        if i in self.matching.stranded:
            return Outcome.NO_CONVOY, Cause("fact", reason=self.matching.stranded[i])
        f = p.convoy_head[i]
        if f < 0:
            return Outcome.NO_CONVOY, NO_ROUTE
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
                lost = PARADOX
            f = p.convoy_next[f]
        if self.matching.complete(i, fleets):
            return Outcome.DISRUPTED, lost or PARADOX
        return Outcome.NO_CONVOY, NO_ROUTE

    def _support_result(self, i: int) -> tuple[Outcome, Cause | None]:
        """What became of the support of unit ``i``, which lost some of its strength."""
        p = self.problem
        given = p.low[i]
        d = self.dislodger[i]
        if d >= 0:
            return CUT, Cause("dislodged", by=self._order(d))
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
            return CUT, PARADOX
        if given:
            return SUCCEEDS, Cause("weakened", by=self._order(by), strength=self._told(given))
        return CUT, Cause("attacked", by=self._order(by))
