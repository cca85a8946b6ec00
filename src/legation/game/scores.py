"""What a game comes to for each power, as a number from 0 to 1."""

from collections.abc import Iterable, Mapping

from legation.judge import Ending
from legation.position import Position


def square_shares(centers: Mapping[str, int]) -> dict[str, float]:
    """Each power's part of the sum of the squares of centers; 0 where nobody owns any."""
    total = sum(count**2 for count in centers.values()) or 1
    return {power: count**2 / total for power, count in centers.items()}


def outcomes(position: Position, ending: Ending | None, powers: Iterable[str]) -> dict[str, float]:
    """All for a power that won alone, equal parts for those that share a draw; else the shares of squared centers."""
    if ending is not None and ending.kind in ("solo", "draw"):
        return {power: 1 / len(ending.powers) if power in ending.powers else 0.0 for power in powers}
    return square_shares({power: len(position.centers_of(power)) for power in powers})
