"""Is what a verdict says so? Each reason is held against the turn by means of its own: the board's borders, the orders
as they took effect, and nothing of the judge.

What the judge *decided* is taken as given here (the oracle proves it): which move succeeded, which support stands. The
question is whether the reason that is told follows from those facts and explains the outcome."""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from legation.board import province_of
from legation.judge import Cause, Outcome, Resolution, Ruleset, Verdict
from legation.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Remove,
    Retreat,
    Sheet,
    SupportHold,
    SupportMove,
    Waive,
)
from legation.position import Dislodged, Phase, Unit
from legation.rules.conversion import Convert
from legation.rules.ferry import Ferry, Ride
from legation.rules.proxy import Proxy

MOST_FLEETS = 12  # more fleets than these have too many sets of them to be tried one by one
UNKNOWN = "?"
NOT_WEIGHED = frozenset(["border_terms", "free_removals", "friendly_fire", "further_kinds", "weak_bounces"])
"""Rules that close ways, change strengths or free units, which nothing here counts; their cases say what they
expect."""


def untrue(rules: Ruleset, sheets: Sequence[Sheet], resolution: Resolution) -> list[str]:
    """The verdicts of a turn whose reason is not so, each as its sentence with what is wrong with it; with ``?`` before
    those that nothing here can weigh."""
    phase = resolution.before.turn.phase
    turn = {Phase.MOVEMENT: _Movement, Phase.RETREATS: _Retreats}.get(phase, _Adjustments)(rules, sheets, resolution)
    if any(module.key in NOT_WEIGHED for module in rules.modules):
        faults = [fault.replace("not so", UNKNOWN, 1) for fault in turn.faults()]
        return [fault if fault.startswith(UNKNOWN) else f"{UNKNOWN} {fault}" for fault in faults]
    return list(turn.faults())


class _Turn:
    def __init__(self, rules: Ruleset, sheets: Sequence[Sheet], resolution: Resolution) -> None:
        self.rules = rules
        self.board = rules.board
        self.sheets = sheets
        self.before = resolution.before
        self.resolution = resolution
        self.verdicts = resolution.verdicts
        self.standing = {u.province: u for u in self.before.units}

    def faults(self) -> Iterator[str]:
        for number, verdict in enumerate(self.verdicts):
            wrong = self.wrong(number, verdict)
            if wrong:
                yield f"{wrong} [{verdict.power}: {verdict.explanation}]"

    def wrong(self, number: int, verdict: Verdict) -> str:
        raise NotImplementedError

    def called(self, power: str) -> str:
        """What a power is called within a sentence."""
        return self.rules.powers[power].called

    def written(self, power: str, province: str) -> list[Order]:
        """What a power ordered its unit in a province."""
        return [
            order
            for sheet in self.sheets
            if sheet.power == power
            for order in sheet.orders
            if province_of(getattr(order, "at", "")) == province
        ]

    def reach(self, unit: Unit) -> frozenset[str]:
        """The provinces next to a unit that it could go to."""
        return frozenset(map(province_of, self.board.reach(self.rules.kinds[unit.kind].travel, unit.at)))

    def touches(self, sea: str, place: str) -> bool:
        """Whether a fleet at sea lies off some coast of a place."""
        return any(province_of(at) == place for at in self.board.reach("fleet", sea))

    def leads(self, start: str, goal: str, seas: Iterable[str]) -> bool:
        """Whether fleets in these seas lead from one coast to another."""
        left = set(seas)
        reached = {sea for sea in left if self.touches(sea, start)}
        while more := {sea for sea in left - reached if any(self.touches(near, sea) for near in reached)}:
            reached |= more
        return any(self.touches(sea, goal) for sea in reached)

    def fleets_at_sea(self) -> list[str]:
        return [p for p, u in self.standing.items() if self.board.provinces[p].sea and self.rules.kinds[u.kind].convoys]

    def overridden(self, verdict: Verdict, reason: str) -> str:
        """What is wrong with the reason for which an order was passed over."""
        place = province_of(getattr(verdict.order, "at", ""))
        given = self.written(verdict.power, place)
        if not isinstance(verdict.order, Proxy):  # in the place of a grant stand the commander's orders
            given = [o for own in given for o in (self.written(own.power, place) if isinstance(own, Proxy) else [own])]
        if reason not in ("it was given twice", "an earlier order stands", "a later order stands"):
            return UNKNOWN
        i = given.index(verdict.order)
        others = {"it was given twice": given[:i] + given[i + 1 :], "an earlier order stands": given[:i]}
        return "" if others.get(reason, given[i + 1 :]) else "it was given no other order"

    def commands(self, power: str, unit: Unit) -> bool:
        """Whether a unit is a power's own or placed under its orders."""
        lent = [o.power for o in self.written(unit.power, unit.province) if isinstance(o, Proxy)]
        return power in (unit.power, *lent)

    def refusal(self, verdict: Verdict, reason: str) -> str:
        """What is wrong with the reason for which an order was refused."""
        power, order = verdict.power, verdict.order
        province = province_of(getattr(order, "at", ""))
        unit = self.standing.get(province)
        mine = unit is not None and self.commands(power, unit)
        for form, claim in _REFUSALS:
            if match := re.fullmatch(form, reason):
                return "" if claim(self, power, unit if mine else None, order, *match.groups()) else "not so"
        return UNKNOWN


def _no_unit(turn: _Turn, power: str, unit: Unit | None, order: Any, who: str, where: str) -> bool:
    return unit is None and who == turn.called(power) and where == province_of(order.at)


def _out_of_reach(turn: _Turn, power: str, unit: Unit | None, order: Any, who: str, where: str) -> bool:
    """Whether a unit cannot get to a place: by itself, or (the one that moves or is helped to move) by convoy."""
    goal = province_of(where)
    mover = next((u for u in turn.standing.values() if str(u) == who), None)
    if mover is None or unit is None:
        return False
    by_convoy = turn.rules.kinds[mover.kind].convoyed and not (mover == unit and not isinstance(order, Move))
    if by_convoy:
        seas = [sea for sea in turn.fleets_at_sea() if mover == unit or sea != unit.province]
        if goal != mover.province and not turn.board.provinces[goal].sea and turn.leads(mover.province, goal, seas):
            return False
    if where != goal:
        return where not in turn.board.reach(turn.rules.kinds[mover.kind].travel, mover.at)
    return goal not in turn.reach(mover)


def _nobody_there(turn: _Turn, power: str, unit: Unit | None, order: Any, where: str) -> bool:
    return where == province_of(order.target) and where not in turn.standing


def _helps_itself(turn: _Turn, power: str, unit: Unit | None, order: Any) -> bool:
    return province_of(order.target) == province_of(order.at)


def _stays(turn: _Turn, power: str, unit: Unit | None, order: Any) -> bool:
    return province_of(order.to) == province_of(order.at)


def _already_there(turn: _Turn, power: str, unit: Unit | None, order: Any, who: str, where: str) -> bool:
    return str(turn.standing[where]) == who and where == province_of(order.target)


def _needless(turn: _Turn, power: str, unit: Unit | None, order: Any, who: str, start: str, goal: str) -> bool:
    """Whether fleets lead from one coast to another, and no set of them that has no fleet too many holds this one."""
    assert unit is not None
    seas = turn.fleets_at_sea()
    others = [sea for sea in seas if sea != unit.province]
    if str(unit) != who or not turn.leads(start, goal, seas) or not turn.leads(start, goal, others):
        return False
    if len(others) > MOST_FLEETS:
        return True
    for size in range(len(others) + 1):
        for some in itertools.combinations(others, size):
            chain = {unit.province, *some}
            if turn.leads(start, goal, chain) and not any(turn.leads(start, goal, chain - {sea}) for sea in chain):
                return False
    return True


def _no_chain(turn: _Turn, power: str, unit: Unit | None, order: Any, sea: str, start: str, goal: str) -> bool:
    """Whether the fleets that hang together with this one do not touch both coasts."""
    chain, left = {sea}, set(turn.fleets_at_sea())
    while more := {other for other in left - chain if any(turn.touches(near, other) for near in chain)}:
        chain |= more
    return not all(any(turn.touches(near, coast) for near in chain) for coast in (start, goal))


def _not_at_sea(turn: _Turn, power: str, unit: Unit | None, order: Any) -> bool:
    return unit is not None and not turn.board.provinces[unit.province].sea


def _kind_cannot(turn: _Turn, power: str, unit: Unit | None, order: Any, kind: str, what: str) -> bool:
    concerned = unit if what == "convoy" or isinstance(order, Move) else turn.standing.get(province_of(order.target))
    assert concerned is not None
    facts = turn.rules.kinds[concerned.kind]
    return kind.endswith(f" {facts.name}") and not (facts.convoys if what == "convoy" else facts.convoyed)


def _leads_nowhere(turn: _Turn, power: str, unit: Unit | None, order: Any, start: str, goal: str) -> bool:
    return start == goal or turn.board.provinces[goal].sea


def _several_coasts(turn: _Turn, power: str, unit: Unit | None, order: Any, coasts: str) -> bool:
    """Whether the place was named without its coast, and each of those that are offered is one that can be chosen."""
    named = coasts.split(" or ")
    place = order.at if isinstance(order, Build | Convert) else order.to
    if any(province_of(coast) != province_of(place) or coast == place for coast in named):
        return False
    mover = unit
    if isinstance(order, SupportMove):
        mover = turn.standing[province_of(order.target)]
    if isinstance(order, Retreat):
        mover = next(d.unit for d in turn.before.dislodged if d.unit.province == province_of(order.at))
    if isinstance(order, Build | Convert) or mover is None:
        return len(named) > 1
    reached = turn.board.reach("fleet", mover.at)
    strict = "fails" in (turn.rules.options["missing_coast"],) or turn.rules.options["support_coast"] == "required"
    return strict or (len(named) > 1 and set(named) == {at for at in reached if province_of(at) == province_of(place)})


def _torn(turn: _Turn, power: str, unit: Unit | None, order: Any) -> bool:
    commanders = {power} if unit is None else {p for p in turn.rules.powers if turn.commands(p, unit)}
    return len({o for p in commanders for o in turn.written(p, province_of(order.at))}) > 1


def _open_to(turn: _Turn, power: str, unit: Unit | None, order: Any, who: str, told: str) -> bool:
    assert isinstance(turn, _Retreats)
    entry = turn.dislodged[province_of(order.at)]
    *others, last = turn.open(entry) or ["retreat"]
    return str(entry.unit) == who and told == (f"{', '.join(others)} or {last}" if others else last)


def _not_dislodged(turn: _Turn, power: str, unit: Unit | None, order: Any, who: str, where: str) -> bool:
    out = {d.unit.province: d.unit.power for d in turn.before.dislodged}
    return where == province_of(order.at) and out.get(where) != power and who == turn.called(power)


def _occupied(turn: _Turn, power: str, unit: Unit | None, order: Any, name: str) -> bool:
    place = province_of(order.at)
    return turn.board.provinces[place].name == name and place in turn.standing


def _no_center(turn: _Turn, power: str, unit: Unit | None, order: Any, name: str) -> bool:
    province = turn.board.provinces[province_of(order.at)]
    return province.name == name and not province.center


def _not_owned(turn: _Turn, power: str, unit: Unit | None, order: Any, who: str, name: str) -> bool:
    province = turn.board.provinces[province_of(order.at)]
    asked = unit.power if unit is not None else power
    return (
        province.name == name
        and province.center
        and turn.before.owners.get(province.id) != asked
        and who == turn.called(asked)
    )


def _no_home(turn: _Turn, power: str, unit: Unit | None, order: Any, name: str, who: str) -> bool:
    province = turn.board.provinces[province_of(order.at)]
    owned = turn.before.owners.get(province.id) == power or turn.before.turn.phase is Phase.PLACEMENT
    theirs = who == turn.called(power) and owned
    return province.name == name and theirs and province.id not in turn.rules.homes(turn.before, power)


def _not_permitted(turn: _Turn, power: str, unit: Unit | None, order: Any, who: str, name: str) -> bool:
    """A regular home that its power may not choose."""
    province = turn.board.provinces[province_of(order.at)]
    named = province.name == name and who == turn.called(power)
    return named and province.id in {*turn.rules.powers[power].homes} - {*turn.rules.homes(turn.before, power)}


def _outside(turn: _Turn, power: str, unit: Unit | None, order: Any, name: str, whose: str) -> bool:
    province, of_power = turn.board.provinces[province_of(order.at)], turn.rules.powers[power]
    return province.name == name and of_power.name in whose and province.id not in of_power.homeland


def _cannot_stand(turn: _Turn, power: str, unit: Unit | None, order: Any, kind: str, name: str) -> bool:
    province = turn.board.provinces[province_of(order.at)]
    return province.name == name and (province.sea if kind == "army" else province.inland)


def _no_removal_due(turn: _Turn, power: str, unit: Unit | None, order: Any) -> bool:
    assert isinstance(turn, _Adjustments)
    return unit is not None and sum(map(turn.cost, turn.removed(power))) >= -turn.room(power)


def _removed_already(turn: _Turn, power: str, unit: Unit | None, order: Any) -> bool:
    assert isinstance(turn, _Adjustments)
    return unit in turn.removed(power)


def _none_left(turn: _Turn, power: str, unit: Unit | None, order: Any) -> bool:
    assert isinstance(turn, _Adjustments)
    return turn.spent(power) >= turn.room(power)


def _too_dear(turn: _Turn, power: str, unit: Unit | None, order: Any, cost: str, left: str) -> bool:
    assert isinstance(turn, _Adjustments)
    return turn.rules.kinds[order.kind].cost == int(cost) > int(left) >= turn.room(power) - turn.spent(power)


def _built_already(turn: _Turn, power: str, unit: Unit | None, order: Any) -> bool:
    assert isinstance(turn, _Adjustments)
    return province_of(order.at) in {province_of(b.at) for b in turn.built(power)}


_NAME = r"(.+?)"
_UNIT = r"(\w \S+)"
_PLACE = r"(\S+)"
_REFUSALS: list[tuple[str, Callable[..., bool]]] = [
    (rf"{_NAME} (?:has|have) no unit in {_PLACE}", _no_unit),
    (rf"{_UNIT} cannot reach {_PLACE}", _out_of_reach),
    (rf"there is no unit in {_PLACE}", _nobody_there),
    (r"a unit can't support or convoy itself", _helps_itself),
    (r"a unit cannot move to where it is", _stays),
    (rf"{_UNIT} is already in {_PLACE}", _already_there),
    (rf"{_UNIT} is not needed: every convoy from {_PLACE} to {_PLACE} can do without it", _needless),
    (rf"no chain of fleets through {_PLACE} leads from {_PLACE} to {_PLACE}", _no_chain),
    (r"only a fleet at sea can convoy", _not_at_sea),
    (r"(an? .+) cannot (?:be )?(convoy)", _kind_cannot),
    (r"(an? .+) cannot be (convoyed)", _kind_cannot),
    (rf"no convoy leads from {_PLACE} to {_PLACE}", _leads_nowhere),
    (rf"name the coast: {_NAME}(?:, so the unit is disbanded)?", _several_coasts),
    (r"the unit was given different orders(?:, so the unit is disbanded)?", _torn),
    (rf"{_UNIT} can retreat only to {_NAME}(?:, so the unit is disbanded)?", _open_to),
    (rf"{_UNIT} has no (retreat)(?:, so the unit is disbanded)?", _open_to),
    (rf"{_NAME} (?:has|have) no dislodged unit in {_PLACE}", _not_dislodged),
    (rf"{_NAME} is occupied", _occupied),
    (rf"{_NAME} isn't a supply center", _no_center),
    (rf"{_NAME} (?:does|do) not own (.+?)(?: yet)?", _not_owned),
    (rf"{_NAME} isn't a home of {_NAME}", _no_home),
    (rf"{_NAME} may not choose {_NAME}", _not_permitted),
    (rf"{_NAME} isn't in (.+) homeland", _outside),
    (rf"no (army|fleet) can stand in {_NAME}", _cannot_stand),
    (r"no removal is due", _no_removal_due),
    (r"that unit is already removed", _removed_already),
    (r"no build is left", _none_left),
    (r"there is no build to waive", _none_left),
    (r"an? .+ counts as (\d+) units, and only (\d+) can be built", _too_dear),
    (r"a unit is already built there", _built_already),
]


class _Movement(_Turn):
    """``verdicts`` begins with one for each unit, in the order of the units."""

    def __init__(self, rules: Ruleset, sheets: Sequence[Sheet], resolution: Resolution) -> None:
        super().__init__(rules, sheets, resolution)
        self.units = self.before.units
        self.number = {u.province: i for i, u in enumerate(self.units)}
        for unit, verdict in zip(self.units, self.verdicts, strict=False):
            assert province_of(getattr(verdict.order, "at", "")) == unit.province, "the verdicts follow the units"

    def effect(self, i: int) -> Order:
        """What unit ``i`` tried to do."""
        verdict, unit = self.verdicts[i], self.units[i]
        if verdict.outcome in (Outcome.ILLEGAL, Outcome.VOID):
            return Hold(unit.kind, unit.at)
        return verdict.order

    def goal(self, i: int) -> str:
        """The province that unit ``i`` tried to enter, empty if it did not try to move."""
        effect = self.effect(i)
        return province_of(effect.to) if isinstance(effect, Move | Ferry) else ""

    def gone(self, i: int) -> bool:
        return bool(self.goal(i)) and self.verdicts[i].outcome is Outcome.SUCCEEDS

    def came(self, i: int) -> bool:
        """Whether unit ``i`` had a way to where it was ordered, and so had an effect there."""
        return bool(self.goal(i)) and self.verdicts[i].outcome in (Outcome.SUCCEEDS, Outcome.BOUNCED)

    def who(self, cause: Cause) -> int | None:
        """The unit that gave (or would have given) the order by which it happened."""
        if cause.by is None:
            return None
        i = self.number.get(province_of(getattr(cause.by, "at", "")))
        if i is None:
            return None
        unit, verdict = self.units[i], self.verdicts[i]
        refused = verdict.outcome is Outcome.ILLEGAL
        return i if cause.by == (Hold(unit.kind, unit.at) if refused else verdict.order) else None

    def convoying(self, i: int) -> list[str]:
        """The seas whose fleets stood ready to convoy unit ``i``."""
        place, goal = self.units[i].province, self.goal(i)
        return [
            self.units[f].province
            for f in range(len(self.units))
            if isinstance(order := self.effect(f), Convoy)
            and province_of(order.target) == place
            and province_of(order.to) == goal
            and self.verdicts[f].outcome is not Outcome.VOID
        ]

    def by_sea(self, i: int) -> bool | None:
        """Whether unit ``i`` went by sea; None where the reading cannot tell it by itself."""
        unit, order = self.units[i], self.effect(i)
        if not isinstance(order, Move) or not self.rules.kinds[unit.kind].convoyed:
            return False
        if isinstance(order, Ride) or self.goal(i) not in self.reach(unit):
            return True
        if order.via_convoy:
            complete = self.leads(unit.province, self.goal(i), self.convoying(i))
            return complete or self.rules.options["via_convoy_fallback"] is not True
        reading = self.rules.options["adjacent_convoy"]
        if reading == "own fleet":
            return any(self.standing[sea].power == unit.power for sea in self.convoying(i))
        return False if reading == "via convoy" else None

    def force(self, i: int) -> int:
        return self.rules.kinds[self.units[i].kind].strength

    def strength(self, i: int, without: str = "") -> int:
        """The strength of what unit ``i`` does: its own, and that of each support that stands."""
        total = self.force(i)
        place, goal = self.units[i].province, self.goal(i)
        for s, verdict in enumerate(self.verdicts[: len(self.units)]):
            order = verdict.order
            if verdict.outcome is not Outcome.SUCCEEDS or not isinstance(order, SupportHold | SupportMove):
                continue
            into = province_of(order.to) if isinstance(order, SupportMove) else ""
            if province_of(order.target) != place or into != goal or verdict.power == without:
                continue
            weakened = verdict.cause is not None and verdict.cause.kind == "weakened"
            total += int(verdict.cause.strength) if weakened and verdict.cause else self.force(s)
        return total

    def face_to_face(self, i: int, j: int) -> bool:
        meets = self.goal(i) == self.units[j].province and self.goal(j) == self.units[i].province
        return meets and not self.by_sea(i) and not self.by_sea(j)

    def against(self, i: int, by: int) -> tuple[str, int] | None:
        """How unit ``by`` stands against the move of unit ``i``, and with what strength; None if it does not."""
        there = self.goal(i)
        if self.units[by].province == there:
            if self.face_to_face(i, by):
                return "head to head", self.strength(by)
            if self.gone(by):
                return None
            return "held", self.force(by) if self.goal(by) else self.strength(by)
        if by != i and self.goal(by) == there and self.came(by):
            return "prevented", self.strength(by)
        return None

    def wrong(self, number: int, verdict: Verdict) -> str:
        if number >= len(self.units):
            return self.loose(verdict)
        if wrong := self.attack(number, verdict):
            return wrong
        cause = verdict.cause
        if cause is None:
            fine = verdict.outcome is Outcome.SUCCEEDS and not isinstance(verdict.order, Move)
            return "" if fine else "no reason is given"
        claim = getattr(self, "why_" + cause.kind.replace(" ", "_"), None)
        if claim is None:
            return UNKNOWN
        result = claim(number, cause)
        return result if isinstance(result, str) else "" if result else "not so"

    def loose(self, verdict: Verdict) -> str:
        if verdict.outcome is Outcome.ILLEGAL and verdict.cause is not None:
            return self.refusal(verdict, verdict.cause.reason)
        if verdict.outcome is Outcome.IGNORED and verdict.cause is not None:
            return self.overridden(verdict, verdict.cause.reason)
        return ""

    def attack(self, i: int, verdict: Verdict) -> str:
        """Whether it is told where the attack came from that dislodged a unit."""
        place = self.units[i].province
        winners = [k for k in range(len(self.units)) if self.gone(k) and self.goal(k) == place]
        out = bool(winners) and not self.gone(i)
        if (verdict.dislodged_from is not None) is not out:
            return "dislodged or not"
        if out and verdict.dislodged_from != self.units[winners[0]].province:
            return "dislodged from elsewhere"
        return ""

    # The causes

    def why_refused(self, i: int, cause: Cause) -> str:
        return self.refusal(self.verdicts[i], cause.reason)

    def why_no_order(self, i: int, cause: Cause) -> bool:
        return not self.written(self.units[i].power, self.units[i].province)

    def why_unopposed(self, i: int, cause: Cause) -> bool:
        there = self.goal(i)
        rivals = [k for k in range(len(self.units)) if k != i and self.goal(k) == there and self.came(k)]
        # who was dislodged from that very province has no effect there
        return there not in self.standing and all(self.verdicts[k].dislodged_from == there for k in rivals)

    def why_vacated(self, i: int, cause: Cause) -> bool:
        by = self.who(cause)
        return by is not None and self.units[by].province == self.goal(i) and self.gone(by)

    def why_circle(self, i: int, cause: Cause) -> bool:
        seen, k = set(), i
        while k not in seen:
            seen.add(k)
            if not self.gone(k) or self.goal(k) not in self.number:
                return False
            k = self.number[self.goal(k)]
        return k == i and self.why_vacated(i, cause)

    def why_stronger(self, i: int, cause: Cause) -> bool:
        by = self.who(cause)
        stands = self.against(i, by) if by is not None else None
        d = self.number.get(self.goal(i))
        beaten = self.units[d].power if d is not None and not self.gone(d) else ""
        fair = cause.strength == self.strength(i, beaten) > cause.against
        return stands is not None and fair and stands[1] == cause.against

    def bounced(self, i: int, cause: Cause, how: str) -> bool:
        by = self.who(cause)
        stands = self.against(i, by) if by is not None else None
        d = self.number.get(self.goal(i))
        facing = d is not None and self.face_to_face(i, d)
        beaten = self.units[d].power if d is not None and (facing or not self.gone(d)) else ""
        return stands == (how, int(cause.against)) and self.strength(i, beaten) == cause.strength <= cause.against

    def why_prevented(self, i: int, cause: Cause) -> bool:
        return self.bounced(i, cause, "prevented")

    def why_held(self, i: int, cause: Cause) -> bool:
        return self.bounced(i, cause, "held")

    def why_head_to_head(self, i: int, cause: Cause) -> bool:
        return self.bounced(i, cause, "head to head")

    def why_own_unit(self, i: int, cause: Cause) -> bool:
        by = self.who(cause)
        there = by is not None and self.units[by].province == self.goal(i) and not self.gone(by)
        return there and by is not None and self.units[by].power == self.units[i].power

    def why_own_support(self, i: int, cause: Cause) -> bool:
        by, d = self.who(cause), self.number[self.goal(i)]
        stands = self.against(i, by) if by is not None else None
        foreign = self.strength(i, self.units[d].power)
        return (
            stands is not None
            and stands[1] == cause.against
            and foreign == cause.strength <= cause.against
            and foreign < self.strength(i)
        )

    def why_attacked(self, i: int, cause: Cause) -> bool:
        by, order = self.who(cause), self.verdicts[i].order
        if by is None or not isinstance(order, SupportHold | SupportMove | Convert):
            return False
        if isinstance(order, Convert):  # any attack breaks it, whoever makes it
            return self.goal(by) == self.units[i].province and self.came(by)
        aimed_at = province_of(order.to if isinstance(order, SupportMove) else order.target)
        elsewhere = self.units[by].province != aimed_at
        if self.rules.options["convoyed_attack_cuts_own_target"] is True:
            elsewhere = elsewhere or self.by_sea(by) is not False
        foreign = self.units[by].power != self.units[i].power
        enough = self.strength(by, self.units[i].power) >= self.force(i) or cause.kind == "weakened"
        return foreign and self.goal(by) == self.units[i].province and self.came(by) and elsewhere and enough

    def why_weakened(self, i: int, cause: Cause) -> bool:
        by = self.who(cause)
        if by is None or not self.why_attacked(i, cause):
            return False
        return 0 < cause.strength == self.force(i) - self.strength(by, self.units[i].power)

    def why_dislodged(self, i: int, cause: Cause) -> bool:
        by = self.who(cause)
        return by is not None and self.gone(by) and self.goal(by) == self.units[i].province and not self.gone(i)

    def why_fleet_dislodged(self, i: int, cause: Cause) -> bool:
        by = self.who(cause)
        sea = self.goal(by) if by is not None and self.gone(by) else ""
        order = self.effect(i)
        carriers = set(self.convoying(i))
        if isinstance(order, Ride):
            carriers.add(order.ferry[0])
        return sea in carriers and self.verdicts[self.number[sea]].dislodged_from is not None

    def why_ferry_failed(self, i: int, cause: Cause) -> bool:
        by, order = self.who(cause), self.effect(i)
        if by is None or not isinstance(order, Ride):
            return False
        return (self.units[by].province, self.goal(by)) == order.ferry and not self.gone(by)

    def why_paradox(self, i: int, cause: Cause) -> bool:
        """Some army's convoy bears on a fleet that this turn's convoys need."""
        armies = [k for k in range(len(self.units)) if self.goal(k) and self.by_sea(k) is not False]
        return any(self.convoying(k) for k in armies)

    def why_no_route(self, i: int, cause: Cause) -> bool:
        return not self.leads(self.units[i].province, self.goal(i), self.convoying(i))

    def why_not_ordered(self, i: int, cause: Cause) -> bool:
        """Nothing that could be helped was ordered to the unit."""
        order = self.verdicts[i].order
        if not isinstance(order, SupportHold | SupportMove | Convoy | Ferry):
            return False
        j = self.number[province_of(order.target)]
        return not self.goal(j) and not isinstance(order, SupportHold) and not self.matching(order, j)

    def matching(self, order: SupportMove | Convoy | Ferry, j: int) -> bool:
        """Whether unit ``j`` was told to do what another would help it to do."""
        to = order.target_to if isinstance(order, Ferry) else order.to
        return any(
            isinstance(given, Move) and province_of(given.to) == province_of(to)
            for given in self.written(self.units[j].power, self.units[j].province)
        )

    def why_not_matched(self, i: int, cause: Cause) -> bool:
        by, order = self.who(cause), self.verdicts[i].order
        if by is None or not isinstance(order, SupportHold | SupportMove | Convoy | Ferry):
            return False
        if by != self.number[province_of(order.target)]:
            return False
        if isinstance(order, SupportHold):
            return bool(self.goal(by))
        if isinstance(order, Ferry):
            return True  # weighed by the oracle: the army's order names its fleet
        other_coast = "/" in order.to
        return self.goal(by) != province_of(order.to) or other_coast

    def why_not_legal(self, i: int, cause: Cause) -> bool:
        order = self.verdicts[i].order
        j = self.number[province_of(getattr(order, "target", ""))]
        given = self.verdicts[j]
        return given.outcome is Outcome.ILLEGAL and cause.by in self.written(given.power, self.units[j].province)

    def why_fact(self, i: int, cause: Cause) -> str:
        order = self.verdicts[i].order
        if cause.reason == "the army goes by land" and isinstance(order, Convoy):
            return "" if not self.by_sea(self.number[province_of(order.target)]) else "it goes by sea"
        if cause.reason == "its power is in civil disorder" and isinstance(order, SupportHold):
            power = self.standing[province_of(order.target)].power
            return "not so" if any(self.written(power, u.province) for u in self.before.units_of(power)) else ""
        return UNKNOWN


class _Retreats(_Turn):
    def __init__(self, rules: Ruleset, sheets: Sequence[Sheet], resolution: Resolution) -> None:
        super().__init__(rules, sheets, resolution)
        self.dislodged: dict[str, Dislodged] = {d.unit.province: d for d in self.before.dislodged}

    def open(self, entry: Dislodged) -> list[str]:
        """Where a unit may retreat: next to it, vacant, not contested, not where its attacker came from."""
        closed = {*self.standing, *self.before.contested, entry.attacker_from}
        unit = entry.unit
        travel = self.rules.kinds[unit.kind].travel
        found = [at for at in self.board.reach(travel, unit.at) if province_of(at) not in closed]
        return sorted(
            at for at in found if not self.rules.refuses_entry(self.before, unit, province_of(at))
        )  # what a variant forbids is proved by its own cases

    def wrong(self, number: int, verdict: Verdict) -> str:
        cause, order = verdict.cause, verdict.order
        place = province_of(getattr(order, "at", ""))
        entry = self.dislodged.get(place)
        match cause.kind if cause is not None else None:
            case None:
                if isinstance(order, Retreat) and entry is not None:
                    alone = order.to in self.open(entry) and len(self.to(province_of(order.to))) == 1
                    return "" if alone else "not so"
                return ""
            case "refused":
                assert cause is not None
                return self.refusal(verdict, cause.reason)
            case "no retreat":
                return "" if entry is not None and not self.open(entry) else "not so"
            case "no order":
                given = [o for o in self.written(verdict.power, place) if isinstance(o, Retreat | Disband)]
                return "" if entry is not None and self.open(entry) and not given else "not so"
            case "clash":
                assert cause is not None
                assert isinstance(order, Retreat)
                rivals = self.to(province_of(order.to))
                return "" if cause.by in rivals and order in rivals and cause.by != order else "not so"
            case "fact" if cause is not None and verdict.outcome is Outcome.IGNORED:
                return self.overridden(verdict, cause.reason)
        return UNKNOWN

    def to(self, province: str) -> list[Order]:
        """The retreats to a province that were made or clashed there."""
        return [
            v.order
            for v in self.verdicts
            if isinstance(v.order, Retreat)
            and v.outcome in (Outcome.SUCCEEDS, Outcome.DISBANDED)
            and province_of(v.order.to) == province
        ]


class _Adjustments(_Turn):
    def room(self, power: str) -> int:
        """How many units (by cost) a power may have beyond what it has; below 0 what it must remove."""
        limit = self.rules.limit(self.before, power, self.sheets)
        return limit - sum(map(self.cost, self.before.units_of(power)))

    def cost(self, unit: Unit | Build) -> int:
        return self.rules.kinds[unit.kind].cost

    def made(self, power: str) -> list[Order]:
        return [v.order for v in self.verdicts if v.power == power and v.outcome is Outcome.SUCCEEDS]

    def built(self, power: str) -> list[Build]:
        return [order for order in self.made(power) if isinstance(order, Build)]

    def removed(self, power: str) -> list[Unit]:
        return [self.standing[province_of(o.at)] for o in self.made(power) if isinstance(o, Remove)]

    def spent(self, power: str) -> int:
        """What a power's builds cost, those waived with them."""
        return sum(map(self.cost, self.built(power))) + sum(isinstance(o, Waive) for o in self.made(power))

    def wrong(self, number: int, verdict: Verdict) -> str:
        cause, power = verdict.cause, verdict.power
        match cause.kind if cause is not None else None:
            case None:
                fits = self.spent(power) <= max(self.room(power), 0)
                return "" if fits else "more is built than there is room for"
            case "refused":
                assert cause is not None
                return self.refusal(verdict, cause.reason)
            case "civil disorder":
                return self.disorder(verdict)
        return UNKNOWN

    def disorder(self, verdict: Verdict) -> str:
        """Whether too few removals were ordered, and no unit stays that the rule would have taken before this one."""
        power = verdict.power
        ordered = [v for v in self.verdicts if v.power == power and v.outcome is Outcome.SUCCEEDS and v.cause is None]
        taken = [self.standing[province_of(v.order.at)] for v in ordered if isinstance(v.order, Remove)]
        if sum(map(self.cost, taken)) >= -self.room(power):
            return "enough removals were ordered"
        if self.rules.options["civil_disorder"] != "2023":
            return ""
        assert isinstance(verdict.order, Remove)
        place = province_of(verdict.order.at)
        stay = [u for u in self.before.units_of(power) if u not in self.removed(power)]
        if self.board.provinces[place].center and any(not self.board.provinces[u.province].center for u in stay):
            return "a unit stays that stands on no center"
        return ""
