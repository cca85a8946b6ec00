"""What a power sees of what a rule keeps with the position."""

from collections.abc import Collection, Mapping
from typing import Any

from legation.board import Board, province_of


def in_sight(board: Board, powers: Collection[str], kept: Any, power: str, sees: frozenset[str]) -> Any:
    """What is left of a rule's slice: of lists and tables by province what is seen, of those by power what is the
    power's own."""
    if isinstance(kept, Mapping):
        return {
            key: in_sight(board, powers, entry, power, sees)
            for key, entry in kept.items()
            if _shown(board, powers, key, power, sees)
        }
    if isinstance(kept, tuple | list):
        return [
            in_sight(board, powers, entry, power, sees) for entry in kept if _shown(board, powers, entry, power, sees)
        ]
    return kept


def _shown(board: Board, powers: Collection[str], entry: Any, power: str, sees: frozenset[str]) -> bool:
    if isinstance(entry, str):
        if entry in powers:
            return entry == power
        return province_of(entry) not in board.provinces or province_of(entry) in sees
    if isinstance(entry, Mapping):  # such as a transfer from one power to another: shown to both
        named = [value for value in entry.values() if isinstance(value, str) and value in powers]
        return not named or power in named
    return True
