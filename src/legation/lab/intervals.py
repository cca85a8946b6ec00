"""Confidence intervals and tests of shares and means."""

import math
import statistics
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from legation.bots.intervals import Z95, wilson

DEALS = 1000
"""How often the scores of all games are dealt out anew."""


def mean_and_half(values: Sequence[float]) -> tuple[float, float]:
    """Return a mean and half the width of its interval (95 %). Give one value for each game, as those of one
    game are not independent.

    >>> mean_and_half([0.0, 1.0, 0.0, 1.0])[0]
    0.5"""
    mean = statistics.fmean(values)
    if len(values) < 2:
        return mean, math.inf
    return mean, Z95 * statistics.stdev(values) / math.sqrt(len(values))


def all_alike(counts: Sequence[int]) -> float:
    """How often counts at least as uneven as these come about where all are alike: the p-value of a chi-squared test,
    by drawing.

    >>> all_alike([10, 11, 9]) > 0.5 > all_alike([30, 0, 0])
    True"""
    total = sum(counts)
    if not total:
        return 1.0
    even = total / len(counts)
    found = sum((count - even) ** 2 for count in counts)
    drawn = np.random.default_rng(1).multinomial(total, [1 / len(counts)] * len(counts), 20_000)
    return float((((drawn - even) ** 2).sum(axis=1) >= found - 1e-9).mean())


def scores_alike(scores: NDArray[np.float64]) -> float:
    """Return a p-value: how often mean scores (of games x powers) at least as uneven come about if all powers are
    alike, by dealing out the scores of each game anew.

    >>> scores_alike(np.tile([1.0, 0.0], (20, 1))) < 0.01 < scores_alike(np.eye(4).repeat(5, axis=0))
    True"""
    even = scores.mean()
    found = ((scores.mean(axis=0) - even) ** 2).sum()
    random = np.random.default_rng(1)
    as_uneven = 0
    for _ in range(DEALS):
        dealt = random.permuted(scores, axis=1).mean(axis=0)
        as_uneven += ((dealt - even) ** 2).sum() >= found - 1e-12
    return float((as_uneven + 1) / (DEALS + 1))


def newcombe(count: int, of: int, other: int, of_other: int, z: float = Z95) -> tuple[float, float]:
    """Return Newcombe's interval of the difference of two shares (the second less the first), by their Wilson
    intervals.

    >>> low, high = newcombe(10, 100, 30, 100)
    >>> round(low, 2), round(high, 2)
    (0.09, 0.31)"""
    first, second = count / max(1, of), other / max(1, of_other)
    (low, high), (low_other, high_other) = wilson(count, of, z), wilson(other, of_other, z)
    difference = second - first
    return (
        difference - math.hypot(second - low_other, high - first),
        difference + math.hypot(high_other - second, first - low),
    )


def by_chance(difference: float, error: float) -> float:
    """Return the two-sided p-value of a difference with this standard error, by the normal distribution.

    >>> round(by_chance(1.96, 1), 2), by_chance(0, 0)
    (0.05, 1.0)"""
    if error <= 0:
        return 1.0 if difference == 0 else 0.0
    return math.erfc(abs(difference) / error / math.sqrt(2))


def holm(chances: Sequence[float]) -> list[float]:
    """Return p-values corrected for being looked at together (Holm 1979).

    >>> [round(p, 2) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]"""
    order = sorted(range(len(chances)), key=lambda i: chances[i])
    adjusted = [0.0] * len(chances)
    least = 0.0
    for rank, i in enumerate(order):
        least = max(least, min(1.0, (len(chances) - rank) * chances[i]))
        adjusted[i] = least
    return adjusted
