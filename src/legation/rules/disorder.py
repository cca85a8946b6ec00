"""What units do if their power orders nothing. No built-in variant uses it."""

from collections.abc import Mapping

from legation.board import province_of
from legation.judge import Aftermath, Cause, Matching, Outcome, Rule, RulesError, Ruleset, Situation, Verdict
from legation.orders import Disband, Retreat
from legation.position import Phase, Unit

DRAWN = Cause("fact", reason="nothing was ordered, so it was drawn by lot")


class Disorder(Rule):
    """A power that orders nothing in a turn is in disorder.

    Settings: ``supports`` (its units support each other and those of other such powers), ``retreats`` (its dislodged
    units retreat by lot), ``builds`` (its builds are drawn by lot)."""

    key = "disorder"

    def __init__(self, supports: bool = False, retreats: bool = False, builds: bool = False) -> None:
        self.supports = supports
        self.retreats = retreats
        self.builds = builds
        if not (supports or retreats or builds):
            raise RulesError("give supports, retreats or builds = true")

    def match(self, rules: Ruleset, matching: Matching) -> None:
        if not self.supports:
            return
        ordering = {unit.power for unit in matching.units if province_of(unit.at) in matching.orders}
        idle = [i for i, unit in enumerate(matching.units) if unit.power not in ordering]
        situation = Situation(rules, matching.position)
        helped: dict[int, int] = {}  # how often each is supported
        for i in idle:
            unit = matching.units[i]
            near = situation.support_provinces(unit)
            able = [
                j
                for j in idle
                if j != i
                and matching.units[j].province in near
                and not situation.refuses_support(unit, matching.units[j], matching.units[j].province)
            ]
            if able:
                j = min(able, key=lambda j: (matching.units[j].power != unit.power, helped.get(j, 0), j))
                helped[j] = helped.get(j, 0) + 1
                matching.give_support(i, j)

    def after(self, rules: Ruleset, aftermath: Aftermath) -> None:
        ordering = {sheet.power for sheet in aftermath.sheets if sheet.orders}
        phase = aftermath.before.turn.phase
        if phase is Phase.RETREATS and self.retreats:
            _retreat(rules, aftermath, ordering)
        elif phase is Phase.ADJUSTMENTS and self.builds:
            for power in rules.powers:
                if power not in ordering and not rules.refuses_orders(aftermath.before, power):
                    _build(rules, aftermath, power)

    def basics(self, rules: Ruleset) -> Mapping[str, str]:
        told = {}
        if self.supports:
            told["no order"] = (
                "A unit without an order, or whose order isn't possible, holds if its power orders other units."
            )
        if self.retreats:
            told["no retreat order"] = (
                "A dislodged unit without a possible retreat order is disbanded if its power orders anything."
            )
        return told

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        text = []
        if self.supports:
            text.append(
                "If a power orders nothing in a movement turn, each of its units supports a unit beside it to hold: "
                "one of its own power, or else of another power that orders nothing."
            )
        if self.retreats:
            text.append(
                "If a power orders nothing in retreats, each of its dislodged units retreats to a place drawn by lot."
            )
        if self.builds:
            text.append("If a power orders nothing in adjustments, its builds are drawn by lot.")
        return tuple(text)


def _retreat(rules: Ruleset, aftermath: Aftermath, ordering: set[str]) -> None:
    situation = Situation(rules, aftermath.before)
    for unit, open_to in situation.dislodged.values():
        taken = {other.province for other in aftermath.units}
        free = [to for to in open_to if province_of(to) not in taken]
        if unit.power in ordering or not free:
            continue
        to = aftermath.draw(f"retreat from {unit.province} for {unit.power}", free)[0]
        aftermath.units.append(Unit(unit.kind, to, unit.power))
        verdict = Verdict(unit.power, Retreat(unit.kind, unit.at, to), Outcome.SUCCEEDS, DRAWN)
        given_up = Disband(unit.kind, unit.at)
        aftermath.verdicts = [verdict if v.order == given_up else v for v in aftermath.verdicts]


def _build(rules: Ruleset, aftermath: Aftermath, power: str) -> None:
    room = rules.limit(aftermath.before, power) - rules.size(aftermath.before, power)
    situation = Situation(rules, aftermath.before)
    able = {f"{build.kind} {build.at}": build for build in situation.builds(power)}
    if room <= 0 or not able:
        return
    taken = {unit.province for unit in aftermath.units}
    for text in aftermath.draw(f"builds for {power}", sorted(able)):
        order = able[text]
        kind = rules.kinds[order.kind]
        refused = rules.refuses_build(aftermath.position, power, kind, province_of(order.at))
        if kind.cost > room or province_of(order.at) in taken or refused:
            continue
        taken.add(province_of(order.at))
        room -= kind.cost
        aftermath.units.append(Unit(order.kind, order.at, power))
        aftermath.verdicts.append(Verdict(power, order, Outcome.SUCCEEDS, DRAWN))
