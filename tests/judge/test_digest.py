"""The digest by which a running game is pinned to its rules: it stays what it is until the rules change."""

import inspect
from collections.abc import Mapping

from legation.board import Board, Border, Province
from legation.judge import Power, Rule, Ruleset, changes
from legation.judge.digest import digest
from legation.rules import modules
from legation.rules.calendar import Calendar
from legation.rules.homes import Homes

LATER = {
    "blind_game": ["others", "owners"],
    "border_terms": ["half", "shut"],
    "calendar": ["down"],
    "conversion": ["where", "winter"],
    "default_builds": ["leaves"],
    "fixed_units": ["kept"],
    "further_sites": ["alternatives"],
    "gained_homes": ["any_claims", "claims"],
    "passive_powers": ["supports"],
    "solo_terms": ["counted"],
}
"""Settings that came after their rules."""


class Numbers(Rule):
    """A rule that has numbers by name and decides nothing."""

    key = "numbers"

    def __init__(self, numbers: Mapping[str, int]) -> None:
        self.numbers = numbers
        self.complete()


def ruleset(*modules: Rule, center: str = "rom", home: str = "par") -> Ruleset:
    board = Board(
        "strip",
        "A strip of land",
        [Province(id=name, name=name.title(), center=name in ("par", center)) for name in ("par", "rom", "con")],
        [Border("par", "rom", army=True, fleet=False), Border("con", "rom", army=True, fleet=False)],
    )
    calendar = Calendar(first="Spring 1901 Movement", cycle=["Spring Movement", "Winter Adjustments"])
    return Ruleset("strip", "Strip", board, (Power("France", homes=(home,)),), (calendar, Homes(), *modules))


def test_it_is_the_same_everywhere_and_with_every_release() -> None:
    """Where this fails, running games are told that their rules have changed: only for a reason."""
    parts = (
        "8c1e13a31bd6164eddfcf2dbd51b9086",
        "d83abbf80efade852fa1cdbd7fd37c53",
        "5e98069d9f5bd83930da0235d0bc9865",
        "e9aa720eb2a5e1222e300fce2aefe8c4",
    )
    assert ruleset(Numbers({"one": 1, "two": 2})).digest == "-".join(parts)


def test_the_order_in_which_settings_are_written_is_no_matter() -> None:
    assert ruleset(Numbers({"two": 2, "one": 1})).digest == ruleset(Numbers({"one": 1, "two": 2})).digest


def test_settings_that_a_rule_got_later_do_not_change_the_digest_of_games_that_leave_them_out() -> None:
    """Who takes one out of this list tells running games that their rules have changed."""
    later = {key: sorted(rule.added_settings) for key, rule in modules().items() if rule.added_settings}
    assert later.items() >= LATER.items()
    for key, settings in later.items():
        assert set(settings) <= set(inspect.signature(modules()[key]).parameters), key


def test_what_has_changed_is_told() -> None:
    rules = ruleset()
    assert changes(rules.digest, rules) == []
    assert changes(rules.digest, ruleset(center="con")) == ["the board has changed"]
    assert changes(rules.digest, ruleset(home="rom")) == ["the powers have changed"]
    assert changes(rules.digest, ruleset(Numbers({}))) == ["the rules have changed"]
    assert changes(rules.digest.replace("-", "-0", 1), rules) == ["the powers have changed"]
    assert changes(rules.digest[: rules.digest.index("-") - 1] + rules.digest[32:], rules) == ["the board has changed"]
    for unknown in ("", "nonsense", f"{rules.digest}-00000000", rules.digest.partition("-")[2]):
        assert changes(unknown, rules) == ["the rules have changed"]


def test_nobody_makes_two_rulesets_alike_by_trying() -> None:
    """Eight digits of a part are the same in two of some 80,000 rulesets: who proposed both in turn as versions of a
    variant would have had games that were pinned to the one played by the other."""
    parts = digest("board\npowers\nrules\noptions").split("-")
    assert [len(part) for part in parts] == [32] * 4
