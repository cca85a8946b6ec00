"""Rules that were written for version 0.1 load for one version more, with a warning."""

from __future__ import annotations

import pytest

import legation
from legation import judge
from legation.judge import Rule
from legation.judge.rule_form import OLD_NAMES


def test_every_question_that_has_a_new_name_is_asked_by_it() -> None:
    for old, new in OLD_NAMES.items():
        assert hasattr(Rule, new)
        assert not hasattr(Rule, old)


def test_an_answer_under_an_old_name_counts() -> None:
    def plight(self: Rule, rules: object, position: object, power: str) -> tuple[str, ...]:
        return (f"{power} sleeps",)

    with pytest.warns(DeprecationWarning, match="Sleep.plight is called status_notes now"):
        rule = type("Sleep", (Rule,), {"plight": plight})()
    assert rule.status_notes(None, None, "France") == ("France sleeps",)
    assert not hasattr(rule, "plight")


@pytest.mark.parametrize("place", [legation, judge])
def test_the_class_of_rules_has_its_old_name(place: object) -> None:
    with pytest.warns(DeprecationWarning, match="is called Rule now") as told:
        assert getattr(place, "Module") is Rule  # noqa: B009  (type checkers know only the new name)
    if place is judge:
        assert told[0].filename == __file__  # who reads the warning finds the place that has to change


def test_the_settings_of_the_pages_have_their_old_name() -> None:
    from legation import web

    with pytest.warns(DeprecationWarning, match="legation.web.Settings is called WebSettings now"):
        assert getattr(web, "Settings") is web.WebSettings  # noqa: B009
