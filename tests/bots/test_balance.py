"""Reports of balance: what is counted is what was played."""

import pytest

from legation.bots import NoSuchBotError
from legation.bots.balance import Balance, PowerBalance, measure, stored
from legation.variants import load, names


def test_where_everybody_holds_nothing_changes_and_the_same_seed_gives_the_same_report() -> None:
    rules = load("hundred")
    report = measure(rules, "hold", 2, turns=4)
    assert [(p.power, p.centers) for p in report.powers] == [("Burgundy", 4), ("England", 5), ("France", 4)]
    assert all(p.survives == 1 and p.solos == p.draws == 0 for p in report.powers)
    assert (report.games, report.mean_turns) == (2, 4)
    one = measure(rules, "random", 3, turns=30)
    assert one == measure(rules, "random", 3, turns=30)
    assert one != measure(rules, "random", 3, turns=30, seed="another")
    assert sum(p.score for p in one.powers) == pytest.approx(1)


def test_unevenness_is_nothing_for_equals_and_one_where_one_takes_all() -> None:
    def report(*shares: float) -> Balance:
        return Balance("x", 1, 1, 1, tuple(PowerBalance(str(i), 0, 0, 1, 1, s) for i, s in enumerate(shares)))

    assert report(0.25, 0.25, 0.25, 0.25).unevenness == 0
    assert report(1, 0, 0, 0).unevenness == pytest.approx(1)


def test_time_that_is_over_ends_it_after_one_game() -> None:
    assert measure(load("hundred"), "hold", 50, turns=3, seconds=0).games == 1


def test_an_unknown_bot_is_told() -> None:
    with pytest.raises(NoSuchBotError):
        measure(load("hundred"), "dumbo", 1)


@pytest.mark.parametrize("variant", names())
def test_every_variant_that_comes_along_has_two_reports(variant: str) -> None:
    reports = stored(variant)
    assert len({r.bot for r in reports}) == 2
    assert all({p.power for p in r.powers} == load(variant).powers.keys() for r in reports)
