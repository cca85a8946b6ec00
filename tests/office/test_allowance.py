"""How often somebody may do something."""

from __future__ import annotations

from legation.office.monitoring.rate_limits import FEW, Allowance


class Watch:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_it_is_used_up_by_each_caller_alone_and_comes_back_as_time_passes() -> None:
    watch = Watch()
    allowance = Allowance(2, 60, watch)
    assert allowance.take("anna")
    watch.now += 59
    assert [allowance.take("anna") for _ in range(3)] == [True, False, False]
    assert allowance.take("ben")
    watch.now += 1  # the first is a minute ago, the second a second
    assert [allowance.take("anna") for _ in range(2)] == [True, False]
    watch.now += 59
    assert allowance.take("anna")


def test_who_has_not_come_of_late_is_forgotten_and_nobody_else() -> None:
    watch = Watch()
    allowance = Allowance(1, 60, watch)
    for number in range(3 * FEW):
        watch.now += 1
        assert allowance.take(f"caller {number}")
    assert len(allowance._taken) <= FEW
    assert not allowance.take(f"caller {3 * FEW - 1}")
