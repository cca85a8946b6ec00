"""A rule that answers no question changes nothing, and every question about it has an answer."""

from __future__ import annotations

from legation.judge import Module
from legation.variants import load


def test_a_module_that_answers_nothing_changes_nothing() -> None:
    rules = load("standard")
    position = rules.opening()
    module = Module()
    assert list(module.describe(rules)) == []
    assert list(module.faults(rules)) == []
    assert list(module.kinds(rules)) == []
    assert list(module.position_faults(rules, position)) == []
    assert list(module.slice_faults(rules, {})) == []
    assert list(module.extra_sites(rules, position, "France")) == []
    assert list(module.possible(rules, position, "France")) == []
    assert module.supply(rules, position, "France", ()) == 0
    assert module.refuses_draw(rules, position) is None
    assert module.refuses_orders(rules, position, "France") is None
    assert module.refuses_entry(rules, position, position.units[0], "gal") is None
    assert module.rewrite(rules, position, ()) == ((), ())
    assert module.opening(rules, position) is position
    assert module.settle(rules, position) is position
    assert module.ending(rules, position, position, frozenset(rules.powers), True) is None
