"""Seating of a tournament's round, as :mod:`.seating_solver` finds it."""

import msgspec


class Seating(msgspec.Struct, frozen=True):
    """Boards, each a list of people by power; what comes again by them, ``powers`` and ``meetings`` (each counted as
    often as it was before), their ``cost``, and the ``least`` that any seating costs, as far as was proved."""

    boards: list[list[int]]
    powers: int
    meetings: int
    cost: float
    least: float
