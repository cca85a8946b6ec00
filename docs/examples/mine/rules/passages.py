"""Passages: an army goes through a province in which another army of its power stays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from legation.board import ARMY
from legation.judge import Judged, Matching, Option, Refusal, Rule, Ruleset, Situation
from legation.notation import Drawn, Gesture, OnPaper, OrderKind, OrderTextError, Phrases, Production, Slots, Subject, Text, write_unit
from legation.notation import picked
from legation.orders import Moving, Order
from legation.position import Phase, Unit


class Passage(Moving, frozen=True):
    """``A mar passes through bur to mun``."""

    through: str = ""


def read(text: Text, unit: Subject, slots: Slots) -> Order:
    if "to" not in slots:
        raise OrderTextError(text.text, (0, len(text.text)), "say where to, as in 'passes through ... to ...'")
    through = [picked(text, place, text.reaches(unit.kind, unit.at)) for place in slots.get("through", ())]
    return Passage(unit.kind, unit.at, picked(text, slots["to"][0]), *through)


def examples(rules: Ruleset, land: Sequence[str]) -> list[Order]:
    near = rules.tables.army
    ways = ((at, over, to) for at in land for over in sorted(near[at]) for to in sorted(near[over] - near[at] - {at}))
    return [Passage("A", at, to, over) for at, over, to in ways][:1]


def short(order: Passage) -> str:
    over = f" through {order.through}" if order.through else ""
    return f"{write_unit(order.kind, order.at)} passes{over} to {order.to}"


def sentence(order: Passage, names: Phrases) -> str:
    over = f" through {names.place(order.through)}" if order.through else ""
    return f"{names.unit(order.kind, order.at)} passes{over} to {names.place(order.to)}"


PASSAGE = OrderKind(
    Passage,
    "a passage",
    short,
    sentence,
    grammar='passes = PASSES ("through" through=PLACE)? ("to" to=PLACE)?',
    words=(("PASSES", "pass, passes"),),
    productions=(Production("passes", "says", read),),
    phases=(Phase.MOVEMENT,),
    title="Pass through",
    meaning="The army goes two provinces, through one in which another army of its power stays.",
    ways=("A mar passes through bur to mun", "A mar passes to mun"),
    examples=examples,
    drawn=Drawn(strokes="arrow", through=lambda order: [order.through] if order.through else []),
    gesture=Gesture(name="passage", taps="place", label="Pass through to {to}", key="t", rank=2, stroke="dashed arrow"),
    paper=OnPaper(places="through an army that stays"),
    becomes=lambda order: (order.kind, order.to),
)


class Passages(Rule):
    """An army may pass through one that stays. The option ``passages`` turns it off."""

    key = "passages"
    orders = (PASSAGE,)
    options = (Option("passages", "house rule", (True, False), "Whether armies pass through others that stay."),)

    def order_kinds(self, rules: Ruleset, phase: Phase) -> tuple[type[Order], ...]:
        return super().order_kinds(rules, phase) if rules.options["passages"] is True else ()

    def _ways(self, situation: Situation, unit: Unit) -> Mapping[str, str]:
        """Return the province to pass through for each province that the unit can reach."""
        rules = situation.rules
        if rules.options["passages"] is not True or rules.kinds[unit.kind].travel != ARMY:
            return {}
        near, found = situation.reach(unit), {}
        for over in sorted(near):
            host = situation.units.get(over)
            if host is not None and host.power == unit.power and rules.kinds[host.kind].travel == ARMY:
                for to in sorted(situation.reach(host) - near - {unit.at}):
                    if not rules.refuses_entry(situation.position, unit, to):
                        found.setdefault(to, over)
        return found

    def interpret(self, situation: Situation, power: str, order: Order) -> Judged:
        """Return the order with its missing province filled in, or why it is illegal."""
        assert isinstance(order, Passage)
        unit = situation.unit(power, order)
        if isinstance(unit, Refusal):
            return unit
        over = self._ways(situation, unit).get(order.to)
        if over is None or order.through not in ("", over):
            return Refusal(f"no army of {power} lets {unit} pass to {order.to}")
        return Passage(unit.kind, unit.at, order.to, over)

    def legal_cooperation(self, situation: Situation, listed: Mapping[str, list[Order]]) -> Mapping[str, Iterable[str]]:
        ways = {unit: self._ways(situation, unit) for unit in situation.position.units}
        for unit, found in ways.items():
            if unit.power in listed and unit.power not in situation.silenced:
                listed[unit.power] += [Passage(unit.kind, unit.at, to, over) for to, over in found.items()]
        return {unit.at: found for unit, found in ways.items() if found}

    def supports_arrival(self, rules: Ruleset, situation: Situation, unit: Unit, province: str) -> bool:
        return province in self._ways(situation, unit)

    def match(self, rules: Ruleset, matching: Matching) -> None:
        for i, order in enumerate(matching.effects):
            if isinstance(order, Passage) and matching.moves(matching.unit_at(order.through)):
                matching.strand(i, f"the army in {order.through} does not stay")

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return ("An army may pass through a province in which another army of its power stays.",)
