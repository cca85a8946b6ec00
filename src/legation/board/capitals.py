"""Kingdoms and their capitals, as the rules of winning and of draws ask for them (W-6, W-7).

A kingdom is a region of the board with capitals (the board file's ``region`` and ``capital``). Regions without
capitals, or left out of ``kingdoms``, do not count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from legation.board.model import Board


def capitals(board: Board, kingdoms: Sequence[str] | None) -> Mapping[str, tuple[str, ...]]:
    """The potential capitals of each kingdom; of every region that has one if none are named."""
    capitals_of: dict[str, tuple[str, ...]] = dict.fromkeys(kingdoms or (), ())
    for province in board.provinces.values():
        if province.capital and (kingdoms is None or province.region in capitals_of):
            capitals_of[province.region] = (*capitals_of.get(province.region, ()), province.id)
    return capitals_of


def kingdom_faults(board: Board, kingdoms: Sequence[str] | None) -> Sequence[str]:
    """Why kingdoms cannot be played on a board."""
    known = capitals(board, kingdoms)
    if kingdoms is None and not known:
        return ["no province of the board is a capital; mark them in the column 'capital' of land.csv"]
    if kingdoms is not None and not kingdoms:
        return ["kingdoms: names at least one region, or is left out"]
    there = ", ".join(sorted(capitals(board, None)))
    listed = [
        f"kingdom {kingdom!r} has no capital on this board{f'; there are {there}' if there else ''}"
        for kingdom, seats in known.items()
        if not seats
    ]
    for seat in (seat for seats in known.values() for seat in seats):
        if not board.provinces[seat].center:
            listed.append(f"the capital {seat!r} isn't a supply center, so nobody can own it")
    return listed


def names(board: Board, seats: Sequence[str], word: str) -> str:
    """Capitals, or other places, in words: ``York, London or Bristol``."""
    *first, last = (board.provinces[seat].name for seat in seats)
    return f"{', '.join(first)} {word} {last}" if first else last
