"""The roster of a game: who plays what, and which address is the right one when (W-23)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import msgspec

from legation.print.records import GameName, Stay, long_day
from legation.print.typesetting import one_line, typeset


class RosterSeat(msgspec.Struct, frozen=True):
    """A power, who holds it, and the holder's addresses."""

    position: str
    person: str = ""
    stays: tuple[Stay, ...] = ()
    lacks: str = "no address"  # said where there is none


def roster(game: GameName, seats: Sequence[RosterSeat], day: date, days_in_post: int = 0) -> bytes:
    """The roster as of a day; ``days_in_post`` is how long a letter posted then is taken to be on its way, 0 for
    nothing about it.

    :raises UnprintableError: for text that cannot be printed.
    """
    data = {
        "title": f"{one_line(game.name, 'the game')}: roster",
        "game": one_line(game.name, "the game"),
        "variant": game.title,
        "written": long_day(day),
        "days": days_in_post,
        "seats": [
            {
                "position": one_line(seat.position, "a position"),
                "person": one_line(seat.person, "a name"),
                "lacks": seat.lacks,
                "stays": [
                    {
                        "lines": [
                            one_line(line, f"the address of {seat.position}")
                            for number, line in enumerate(stay.address.block)
                            if number or line != seat.person  # who stands in the column beside it
                        ],
                        "when": _when(stay),
                        "today": stay.today,
                        "then": days_in_post > 0 and stay.posted_today,
                    }
                    for stay in seat.stays
                ],
            }
            for seat in seats
        ],
    }
    return typeset("roster.typ", data, day)


def _when(stay: Stay) -> str:
    if stay.first and stay.last:
        return f"from {long_day(stay.first)} to {long_day(stay.last)}"
    if stay.first:
        return f"from {long_day(stay.first)}"
    return f"until {long_day(stay.last)}" if stay.last else ""
