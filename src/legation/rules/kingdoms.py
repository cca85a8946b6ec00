"""Kingdoms and their capitals: what a winner must hold, and who may share a draw (W-6, W-7).

A kingdom is a region of the board with capitals (the board file's ``region`` and ``capital``). Regions without
capitals, or left out of ``kingdoms``, do not count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from legation.judge import Ending, Module

if TYPE_CHECKING:
    from legation.board import Board
    from legation.judge import Ruleset
    from legation.position import Position


def capitals(board: Board, kingdoms: Sequence[str] | None) -> Mapping[str, tuple[str, ...]]:
    """The potential capitals of each kingdom; of every region that has one if none are named."""
    found: dict[str, tuple[str, ...]] = dict.fromkeys(kingdoms or (), ())
    for province in board.provinces.values():
        if province.capital and (kingdoms is None or province.region in found):
            found[province.region] = (*found.get(province.region, ()), province.id)
    return found


def faults(board: Board, kingdoms: Sequence[str] | None) -> Sequence[str]:
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
            listed.append(f"the capital {seat!r} is no supply center, so nobody can own it")
    return listed


def _names(board: Board, seats: Sequence[str], word: str) -> str:
    return f" {word} ".join(board.provinces[seat].name for seat in seats)


class SoloWithCapitals(Module):
    """A power wins that owns ``centers`` centers and, in each kingdom, at least one capital, when centers have changed
    hands.

    Settings: ``centers``; ``kingdoms`` (names of regions; every region with a capital if left out).
    """

    key = "solo_with_capitals"

    def __init__(self, centers: int, kingdoms: list[str] | None = None) -> None:
        self.centers = centers
        self.kingdoms = kingdoms

    def faults(self, rules: Ruleset) -> Sequence[str]:
        there = len(rules.board.centers)
        if not 1 <= self.centers <= there:
            mark = f"centers: {self.centers} is no mark on a board of {there} centers"
            return [mark, *faults(rules.board, self.kingdoms)]
        return faults(rules.board, self.kingdoms)

    def ending(
        self, rules: Ruleset, before: Position, after: Position, votes: frozenset[str], settled: bool
    ) -> Ending | None:
        if not settled:
            return None
        seats = capitals(rules.board, self.kingdoms).values()
        count: dict[str, int] = {}
        for power in rules.powers:
            owned = after.centers_of(power)
            if len(owned) >= self.centers and all(any(s in owned for s in of_one) for of_one in seats):
                count[power] = len(owned)
        if not count:
            return None
        best = tuple(p for p, owned in count.items() if owned == max(count.values()))
        reason = f"{' and '.join(best)} reached {count[best[0]]} centers with a capital of every kingdom"
        return Ending("solo" if len(best) == 1 else "draw", best, reason)

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        seats = capitals(rules.board, self.kingdoms)
        each = "; ".join(
            f"{_names(rules.board, of_one, 'or')} in {kingdom}" for kingdom, of_one in sorted(seats.items())
        )
        return (
            f"A power wins that owns {self.centers} centers and a capital of every kingdom ({each}).",
            "Decided: this is looked at as soon as control has been settled, before adjustments; if several powers "
            "fulfill it, the one with the most centers wins, "
            "and with equally many they share a draw.",
        )


class DrawBetweenKingdoms(Module):
    """A draw may be agreed only when every surviving power owns all the capitals of one kingdom, so at most one power
    for each kingdom shares it.

    Setting: ``kingdoms`` (names of regions; every region with a capital if left out). It only refuses; another rule
    lets the powers agree.
    """

    key = "draw_between_kingdoms"

    def __init__(self, kingdoms: list[str] | None = None) -> None:
        self.kingdoms = kingdoms

    def faults(self, rules: Ruleset) -> Sequence[str]:
        return faults(rules.board, self.kingdoms)

    def refuses_draw(self, rules: Ruleset, position: Position) -> str | None:
        seats = capitals(rules.board, self.kingdoms).values()
        without = [
            power
            for power in position.survivors()
            if not any(all(position.owners.get(seat) == power for seat in of_one) for of_one in seats)
        ]
        if not without:
            return None
        return f"{', '.join(sorted(without))} {'does' if len(without) == 1 else 'do'} not own all capitals of a kingdom"

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        seats = capitals(rules.board, self.kingdoms)
        each = "; ".join(
            f"{_names(rules.board, of_one, 'and')} in {kingdom}" for kingdom, of_one in sorted(seats.items())
        )
        return (
            f"A draw may be agreed only when every surviving power owns all the capitals of one kingdom ({each}): at "
            f"most {len(seats)} powers can share it.",
            "Decided: a power survives as long as it has a unit or a center; control is taken as it stands after the "
            "turn in which all have agreed.",
        )
