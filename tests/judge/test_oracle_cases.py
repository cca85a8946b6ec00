"""The oracle itself against the Adjudicator Test Cases: what judges the judge must know them too."""

from collections.abc import Mapping
from typing import Any

from legation.board import province_of
from legation.conformance import Case, find_cases, read_cases
from legation.judge import Ruleset
from legation.orders import Convoy, Hold, Move, Order, SupportHold, SupportMove
from legation.position import Phase
from legation.variants import load
from tests.judge.oracle import Oracle, Ordered


def read(rules: Ruleset, power: str, text: str) -> Order:
    return rules.reader.order(text, Phase.MOVEMENT, power)


def units_of(rules: Ruleset, body: Mapping[str, Any]) -> list[Ordered] | None:
    """The units and orders of a case; None if they need more than one plain order for each unit."""
    units: dict[str, Ordered] = {}
    for power, listed in body["units"].items():
        for text in listed:
            kind, at = rules.reader.unit(text, power)
            units[province_of(at)] = Ordered(power, kind, at)
    ordered: set[str] = set()
    for power, listed in body["orders"].items():
        for text in listed:
            order = read(rules, power, text)
            assert isinstance(order, Hold | Move | SupportHold | SupportMove | Convoy)
            unit = units.get(province_of(order.at))
            if unit is None or unit.power != power or unit.place in ordered:
                return None
            ordered.add(unit.place)
            units[unit.place] = with_order(unit, order)
    return list(units.values())


def with_order(unit: Ordered, order: Order) -> Ordered:
    match order:
        case Move():
            to = province_of(order.to) if unit.kind == "A" else order.to
            return Ordered(unit.power, unit.kind, unit.at, "move", to=to, via=order.via_convoy)
        case SupportHold():
            return Ordered(unit.power, unit.kind, unit.at, "support", province_of(order.target))
        case SupportMove():
            return Ordered(unit.power, unit.kind, unit.at, "support", province_of(order.target), order.to)
        case Convoy():
            return Ordered(unit.power, unit.kind, unit.at, "convoy", province_of(order.target), province_of(order.to))
    return unit


def disagreements(case: Case) -> list[str] | None:
    """Where the oracle does not say what the case states; None if it cannot be asked."""
    rules = load("standard")
    units = units_of(rules, case.body)
    if units is None:
        return None
    answer = Oracle(rules.board, units).decide()
    problems = []
    for text, stated in case.body["expect"].items():
        power, _, bare = text.strip().partition(": ")
        order = read(rules, power, bare)
        place = province_of(getattr(order, "at", ""))
        fate = ("dislodged" if answer.retreats[place] else "destroyed") if place in answer.attacker else ""
        found = f"{answer.outcome[place]} {fate}".strip()
        if found != stated:
            problems.append(f"{case.id}: {text}: states {stated}, oracle {found}")
    return problems


def test_the_oracle_knows_the_adjudicator_test_cases() -> None:
    cases = [
        case
        for path in find_cases()
        for case in read_cases(path)
        if case.id.startswith("DATC ") and "Movement" in case.body["turn"]
    ]
    answers = [disagreements(case) for case in cases]
    assert [p for found in answers if found for p in found] == []
    assert sum(found is not None for found in answers) == len(cases) - 1  # 6.A.6 orders a unit of another power
