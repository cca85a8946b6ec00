"""A rule that answers no question changes nothing, and every question about it has an answer."""

from __future__ import annotations

from legation.judge import Rule, Situation
from legation.orders import Hold
from legation.variants import load


def test_a_module_that_answers_nothing_changes_nothing() -> None:
    rules = load("standard")
    position = rules.opening()
    module = Rule()
    assert list(module.describe(rules)) == []
    assert list(module.faults(rules)) == []
    assert list(module.kinds(rules)) == []
    assert list(module.position_faults(rules, position)) == []
    assert list(module.slice_faults(rules, {})) == []
    assert list(module.status_notes(rules, position, "France")) == []
    assert list(module.extra_sites(rules, position, "France")) == []
    assert list(module.legal_orders(rules, position, "France")) == []
    assert module.supply(rules, position, "France", ()) == 0
    assert module.refuses_draw(rules, position) is None
    assert module.refuses_orders(rules, position, "France") is None
    assert module.refuses_entry(rules, position, position.units[0], "gal") is None
    assert module.refuses_support(rules, position, position.units[0], position.units[1], "gal") is None
    assert module.refuses_build(rules, position, "France", rules.kinds["A"], "par") is None
    assert module.refuses_center(rules, position, position.units[0], "bel") is None
    assert module.strength(rules, position, position.units[0], Hold("A", "bud")) == 0
    assert list(module.reach(rules, position, position.units[0])) == []
    assert module.on_condition(rules, position, "France", Hold("A", "bud"), "Austria") is None
    assert module.check(rules, position, "France", Hold("A", "bud")) is None
    situation = Situation(rules, position)
    assert module.supports_arrival(rules, situation, position.units[0], "gal") is False
    assert dict(module.legal_cooperation(situation, {})) == {}
    assert module.rewrite(rules, position, ()) == ((), ())
    assert module.opening(rules, position) is position
    assert module.settle(rules, position) is position
    assert module.ending(rules, position, position, frozenset(rules.powers), True) is None
