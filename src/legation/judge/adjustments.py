"""Adjustments: builds within the limit, removals down to it, and what is removed for a power that orders too few
(STD-5, STD-C).

Builds are weighed one by one in the order in which they were written, a waived one as a build; then removals.
Placement, where a variant opens with it, is the same with other sites."""

import itertools
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from legation.board import ARMY, FLEET, Travel, province_of
from legation.judge.aftermath import Aftermath
from legation.judge.legality import Situation
from legation.judge.plain_orders import Refusal
from legation.judge.ruleset import Ruleset
from legation.judge.sheets import legal_sheets
from legation.judge.verdicts import Cause, Outcome, Verdict
from legation.orders import Build, Order, Remove, Sheet, VoteDraw, Waive
from legation.position import Phase, Position, Unit

UNREACHED = 1 << 20
"""So many steps away counts what cannot be reached."""


def resolve_adjustments(
    rules: Ruleset, position: Position, sheets: tuple[Sheet, ...], seed: str
) -> tuple[Aftermath, frozenset[str]]:
    """The aftermath of an adjustment or placement phase, and who voted for a draw."""
    result = Aftermath(position, sheets, seed, units=list(position.units), slices=dict(position.slices))
    votes: set[str] = set()
    written = {sheet.power: sheet for sheet in sheets}
    situation = Situation(rules, position)
    legal = legal_sheets(situation, sheets)
    for power in rules.powers:
        sheet = written.get(power, Sheet(power))
        room = rules.limit(position, power, legal) - rules.size(position, power)
        _Accounts(situation, power, room, result, votes).balance(sheet)
    return result, frozenset(votes)


class _Accounts:
    """One power's units against its limit: ``room`` for so many more (by cost), or for so many too many."""

    def __init__(self, situation: Situation, power: str, room: int, result: Aftermath, votes: set[str]) -> None:
        self.rules = situation.rules
        self.position = situation.position
        self.power = power
        self.result = result
        self.votes = votes
        self.room = room
        self.situation = situation
        self.taken = set(situation.units)

    def note(self, order: Order, outcome: Outcome, cause: Cause | None = None) -> None:
        self.result.verdicts.append(Verdict(self.power, order, outcome, cause))

    def refuse(self, order: Order, reason: str) -> None:
        self.note(order, Outcome.ILLEGAL, Cause("refused", reason=reason))

    def balance(self, sheet: Sheet) -> None:
        """Carry a sheet out until the units fit the limit: builds, then removals, then what is done for the power (DATC
        4.D.4 to 4.D.8)."""
        for order in sheet.orders:
            if not isinstance(order, Build | Waive | Remove):
                self._carry_out(order)
        builds, removals = self._counting(sheet)
        due = self.room < 0
        free = not due and self.rules.frees_units(self.position, self.power)
        if free:  # what is given up makes room for what is built
            for order in removals:
                self._carry_out(order, free)
            removals = []
        for order in (*builds, *removals):
            self._carry_out(order)
        if due and self.room < 0:
            self._disorder()
        elif (
            self.room > 0
            and self.rules.options["waiving"] is not True
            and self.position.turn.phase is Phase.ADJUSTMENTS
        ):
            self._build_anyway()

    def _counting(self, sheet: Sheet) -> tuple[list[Build | Waive], list[Remove]]:
        """The builds and removals that the options let count, in the order in which they are carried out."""
        options = self.rules.options
        builds = [o for o in sheet.orders if isinstance(o, Build | Waive)]
        removals = [o for o in sheet.orders if isinstance(o, Remove)]
        if options["double_builds"] != "first" or options["excess_builds"] == "last":
            builds = self._single(builds)
        if options["excess_builds"] == "none" and len(builds) > max(self.room, 0) and self.room > 0:
            for order in builds:
                self.refuse(order, f"more builds are ordered than the {self.room} allowed")
            builds = []
        if options["excess_removals"] == "civil disorder" and len(removals) > max(-self.room, 0) and self.room < 0:
            for removal in removals:
                self.refuse(removal, f"more removals are ordered than the {-self.room} due")
            removals = []
        if options["excess_builds"] == "last":
            builds.reverse()
        if options["excess_removals"] == "last":
            removals.reverse()
        return builds, removals

    def _carry_out(self, order: Order, free: bool = False) -> None:
        """Do what an order says, and note what became of it."""
        effect = self.situation.interpret(self.power, order)
        if isinstance(effect, Refusal):
            self.refuse(order, effect.reason)
        elif reason := self._do(effect, free):
            self.refuse(effect, reason)
        else:
            self.note(effect, Outcome.SUCCEEDS)

    def _do(self, order: Order, free: bool) -> str | None:
        """Do what a legal order says; or return why it can't be done any more."""
        if isinstance(order, VoteDraw):
            self.votes.add(self.power)
        elif isinstance(order, Build):
            return self._build(order)
        elif isinstance(order, Remove):
            return self._remove(order, free)
        elif isinstance(order, Waive):
            if self.room <= 0:
                return "there is no build to waive"
            if self.rules.options["waiving"] is not True:
                return "builds may not be waived"
            self.room -= 1
        return None

    def _single(self, builds: list[Build | Waive]) -> list[Build | Waive]:
        """Of several legal builds in one province the first, the last, or none (DATC 4.D.5)."""
        reading = self.rules.options["double_builds"]
        effects = [self.situation.interpret(self.power, build) for build in builds]
        places = [province_of(effect.at) if isinstance(effect, Build) else "" for effect in effects]
        kept: list[Build | Waive] = []
        for i, build in enumerate(builds):
            others = {"first": places[:i], "last": places[i + 1 :]}.get(str(reading), places[:i] + places[i + 1 :])
            if not places[i] or places[i] not in others:
                kept.append(build)
            else:
                self.refuse(build, "two builds are ordered there")
        return kept

    def _build(self, order: Build) -> str | None:
        place = province_of(order.at)
        kind = self.rules.kinds[order.kind]
        if place in self.taken:
            return "a unit is already built there"
        if kind.cost > self.room:
            few = f"{kind.one} counts as {kind.cost} units, and only {self.room} can be built"
            return few if self.room > 0 else "no build is left"
        if reason := self.rules.refuses_build(self.result.position, self.power, kind, place):
            return reason
        self.taken.add(place)
        self.room -= kind.cost
        self.result.units.append(Unit(order.kind, order.at, self.power))
        return None

    def _remove(self, order: Remove, free: bool) -> str | None:
        unit = next((u for u in self.result.units if u.at == order.at and u.power == self.power), None)
        if unit is None or unit not in self.position.units:
            return "that unit is already removed"
        if self.room >= 0 and not free:
            return "no removal is due"
        self._take(unit)
        return None

    def _take(self, unit: Unit) -> None:
        self.result.units.remove(unit)
        self.room += self.rules.kinds[unit.kind].cost

    def _disorder(self) -> None:
        for unit, reason in removal_order(self.rules, self.position, self.power, self.result.units, self.result.draw):
            if self.room >= 0:
                return
            self._take(unit)
            self.note(Remove(unit.kind, unit.at), Outcome.SUCCEEDS, Cause("civil disorder", reason=reason))

    def _build_anyway(self) -> None:
        """Build what can be built, site by site. An army is tried at each coast, too, as games recorded so replay: with
        ``irrelevant_coast = "fails"`` it is refused there, and a fleet is built."""
        for site in self.rules.build_sites(self.position, self.power):
            for code, at in itertools.product(self.rules.kinds, self.rules.board.provinces[site].locations):
                if self.room > 0 and site not in self.taken:
                    build = Build(code, at)
                    if not isinstance(self.situation.interpret(self.power, build), Refusal):
                        self._carry_out(build)


def removal_order(
    rules: Ruleset,
    position: Position,
    power: str,
    units: Sequence[Unit],
    draw: Callable[[str, Sequence[str]], Sequence[str]],
) -> list[tuple[Unit, str]]:
    """A power's units in the order in which they are removed for it, each with the reason (STD-C).

    The 2023 rule: a unit on a center only when no other is left; then farthest from the power's own centers, counting
    provinces whatever can pass between them; fleets before armies; then by the name of the province. In 2000 the
    distance is counted from the power's country, in 1971 from its home centers; there armies walk over land and water
    and fleets go where fleets can (DATC 4.D.8)."""
    mine = [u for u in units if u.power == power and not rules.refuses_removal(position, u)]
    decided = rules.removals(position, power, mine, draw)
    if decided is not None:
        return list(decided)
    reading = rules.options["civil_disorder"]
    if reading == "lot":
        drawn = {str(u): u for u in mine}
        return [(drawn[name], "by lot") for name in draw(f"removal for {power}", sorted(drawn))]
    provinces = rules.board.provinces
    homes = rules.homes(position, power)
    sources = homes
    if reading == "2023":
        sources = position.centers_of(power)
    elif reading == "2000" and set(homes) == set(rules.powers[power].homes):
        sources = rules.powers[power].homeland  # where homes have changed, the country is the homes

    steps = steps_to(rules, sources)

    def rank(unit: Unit) -> tuple[bool, int, bool, str]:
        province, travel = provinces[province_of(unit.at)], rules.kinds[unit.kind].travel
        by_sea = reading != "2023" and travel == FLEET
        far = steps[FLEET].get(unit.at, UNREACHED) if by_sea else steps[ARMY].get(province.id, UNREACHED)
        return reading == "2023" and province.center, -far, travel != FLEET, province.name

    return [(u, "by the rule for civil disorder") for u in sorted(mine, key=rank)]


def steps_to(rules: Ruleset, provinces: Collection[str]) -> dict[Travel, Mapping[str, int]]:
    """How many steps it is to the nearest of some provinces, from each province whatever can pass between them, and for
    fleets from each location where fleets can go; those from which none can be reached are left out."""
    ends = [at for at in rules.board.locations if province_of(at) in provinces]
    near = {place: rules.board.adjacent(place) for place in rules.board.provinces}
    return {ARMY: steps_from(sorted(provinces), near), FLEET: steps_from(ends, rules.tables.fleet)}


def steps_from(sources: Iterable[str], near: Mapping[str, Iterable[str]]) -> Mapping[str, int]:
    """How many steps it is from the nearest of some places to each that can be reached from them."""
    steps = dict.fromkeys(sources, 0)
    for at in (queue := list(steps)):
        for other in near[at]:
            if other not in steps:
                steps[other] = steps[at] + 1
                queue.append(other)
    return steps
