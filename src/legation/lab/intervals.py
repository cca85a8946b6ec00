"""How sure a share or a mean is."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

import numpy as np

Z95 = 1.959963984540054
"""Of a normal distribution so many standard deviations hold 95 in 100."""


def wilson(count: int, of: int, z: float = Z95) -> tuple[float, float]:
    """Wilson's interval of a share; the whole of 0 to 1 where nothing was counted.

    >>> low, high = wilson(9, 40)
    >>> round(low, 3), round(high, 3)
    (0.123, 0.375)
    """
    if not of:
        return 0.0, 1.0
    share = count / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return max(0.0, middle - half), min(1.0, middle + half)


def mean_and_half(values: Sequence[float], z: float = Z95) -> tuple[float, float]:
    """A mean, and half the width of its interval; values of one game go in as one, as they are not independent.

    >>> mean_and_half([0.0, 1.0, 0.0, 1.0])[0]
    0.5
    """
    mean = statistics.fmean(values)
    if len(values) < 2:
        return mean, math.inf
    return mean, z * statistics.stdev(values) / math.sqrt(len(values))


def all_alike(counts: Sequence[int], trials: int = 20_000) -> float:
    """How often counts at least as uneven as these come about where all are alike: the p-value of a chi-squared test,
    by drawing.

    >>> all_alike([10, 11, 9]) > 0.5 > all_alike([30, 0, 0])
    True
    """
    total = sum(counts)
    if not total:
        return 1.0
    even = total / len(counts)
    found = sum((count - even) ** 2 for count in counts)
    drawn = np.random.default_rng(1).multinomial(total, [1 / len(counts)] * len(counts), trials)
    return float((((drawn - even) ** 2).sum(axis=1) >= found - 1e-9).mean())
