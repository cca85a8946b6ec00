"""How sure a share is."""

import math

Z95 = 1.959963984540054
"""Of a normal distribution so many standard deviations hold 95 in 100."""


def wilson(count: int, of: int, z: float = Z95) -> tuple[float, float]:
    """Wilson's interval of a share; the whole of 0 to 1 where nothing was counted.

    >>> low, high = wilson(9, 40)
    >>> round(low, 3), round(high, 3)
    (0.123, 0.375)"""
    if not of:
        return 0.0, 1.0
    share = count / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return max(0.0, middle - half), min(1.0, middle + half)
