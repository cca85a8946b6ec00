"""What a rule makes legal is listed, and a unit has one verdict, whatever rules do to its sheet."""

from collections import Counter
from random import Random

import pytest

from legation.board import province_of
from legation.judge import Outcome, Rule, Ruleset, Situation, Verdict, legal_orders, resolve
from legation.orders import Move, SupportMove
from legation.position import Phase, Position, Unit
from legation.rules.fog_of_war import FogOfWar
from legation.rules.further_kinds import FurtherKind, FurtherKinds
from legation.rules.proxy import ProxyOrders
from legation.variants import names
from tests.rules.mixes import mixed
from tests.rules.test_random_games import wild_sheets
from tests.sampling import some


class Balloons(Rule):
    """A rule of somebody else: armies in Paris may be brought to Ruhr and Tyrolia."""

    key = "balloons"

    def supports_arrival(self, rules: Ruleset, situation: Situation, unit: Unit, province: str) -> bool:
        return unit.at == "par" and province in ("ruh", "tyr", "lon")


def test_a_support_that_a_rule_makes_legal_is_listed() -> None:
    rules = mixed("standard", Balloons())
    position = rules.opening()
    listed = {order for orders in legal_orders(rules, position).values() for order in orders}
    situation = Situation(rules, position)
    wanted = SupportMove("A", "mun", "A", "par", "ruh")
    assert wanted in listed and SupportMove("A", "ven", "A", "par", "tyr") in listed
    for unit in position.units:
        for to in rules.board.provinces:
            order = SupportMove(unit.kind, unit.at, "A", "par", to)
            legal = situation.interpret(unit.power, order) == order
            assert legal == (order in listed), order


def test_a_unit_that_supports_afar_does_not_support_its_own_convoy() -> None:
    rules = mixed("standard", FurtherKinds([FurtherKind("G", "gun", away=2, convoyed=True)]))
    units = Unit("G", "swe", "England"), Unit("F", "bal", "England")
    listed = legal_orders(rules, Position(rules.first_turn(), units))["England"]
    assert Move("G", "swe", "kie") in listed and SupportMove("G", "swe", "F", "bal", "kie") in listed
    assert not [order for order in listed if isinstance(order, SupportMove) and order.at == order.target]


@pytest.mark.parametrize("name", some(names(), 4))
def test_no_unit_has_a_verdict_on_what_it_was_ordered_and_one_on_doing_nothing(name: str) -> None:
    """With rules that take orders off the sheets and hand them on: fog and proxies."""
    rules = mixed(name, FogOfWar(), ProxyOrders())
    position, random = rules.opening(), Random(3)
    told = 0
    for _ in range(14):
        resolution = resolve(rules, position, wild_sheets(rules, position, random), "x")
        if position.turn.phase is Phase.MOVEMENT:
            idle = {v.power + province_of(getattr(v.order, "at", "")) for v in resolution.verdicts if _is_idle(v)}
            ordered = Counter(v.power + province_of(getattr(v.order, "at", "")) for v in resolution.verdicts)
            assert all(ordered[unit] == 1 for unit in idle)
            told += sum(v.outcome is Outcome.ILLEGAL for v in resolution.verdicts)
        position = resolution.after
    assert told > 5


def _is_idle(verdict: Verdict) -> bool:
    return verdict.cause is not None and verdict.cause.kind == "no order"
