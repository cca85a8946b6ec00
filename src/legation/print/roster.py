"""The roster: who plays what, and which address is the right one when (W-23); and a card for each person."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import msgspec

from legation.game.report import count
from legation.languages import ENGLISH, said_in
from legation.print.records import GameName, Stay, long_day
from legation.print.typesetting import one_line, typeset


class RosterSeat(msgspec.Struct, frozen=True):
    """A power, who holds it, and the holder's addresses. ``days``: how long a letter of the reader to them takes,
    ``post_by``: the last day on which to post it so that it comes before the orders are due."""

    position: str
    person: str = ""
    stays: tuple[Stay, ...] = ()
    lacks: str = "no address"  # said where there is none
    days: int | None = None
    post_by: date | None = None


class PostDays(msgspec.Struct, frozen=True):
    """How many days a letter is on its way between (or within) countries, and until when to post it."""

    between: str
    days: int
    post_by: date | None = None


def roster(
    game: GameName,
    seats: Sequence[RosterSeat],
    day: date,
    days_in_post: int = 0,
    *,
    routes: Sequence[PostDays] = (),
    others: Sequence[tuple[GameName, Sequence[RosterSeat]]] = (),
    language: str = ENGLISH,
) -> bytes:
    """The roster as of a day; ``days_in_post`` is how long a letter posted then is taken to be on its way, where the
    ``routes`` between countries don't say it, 0 for nothing about it. ``others`` are further games of the same
    coordinator.

    :raises UnprintableError: for text that cannot be printed."""
    said = said_in(language)
    data = {
        "title": f"{one_line(game.name, 'the game')}: roster",
        "written": long_day(day),
        "days": days_in_post,
        "routes": [{"between": route.between, "days": said(_in_days(route.days, route.post_by))} for route in routes],
        "games": [
            {
                "name": one_line(name.name, "the game"),
                "variant": name.title,
                "seats": [
                    {
                        "position": one_line(seat.position, "a position"),
                        "person": one_line(seat.person, "a name"),
                        "lacks": seat.lacks,
                        "days": _in_days(seat.days, seat.post_by) if seat.days is not None else "",
                        "stays": _stays(seat.person, seat.stays, marks=bool(days_in_post or routes)),
                    }
                    for seat in held
                ],
            }
            for name, held in ((game, seats), *others)
        ],
    }
    return typeset("roster.typ", data, day, language=language)


class PersonCard(msgspec.Struct, frozen=True):
    """A person of a roster: the games with what the person is in each, and the addresses; ``lacks`` is said where there
    is none."""

    person: str
    positions: tuple[tuple[str, str], ...]
    stays: tuple[Stay, ...] = ()
    lacks: str = "no address"


def cards(people: Sequence[PersonCard], day: date, language: str = ENGLISH) -> bytes:
    """A card for each person, eight to a page, to be cut out.

    :raises UnprintableError: for text that cannot be printed."""
    said = said_in(language)
    data = {
        "title": "Cards of the roster",
        "written": long_day(day),
        "cards": [
            {
                "person": one_line(card.person, "a name"),
                "positions": [
                    {"game": one_line(game, "the game"), "position": said(one_line(position, "a position"))}
                    for game, position in card.positions
                ],
                "lacks": said(card.lacks),
                "stays": [stay | {"when": said(str(stay["when"]))} for stay in _stays(card.person, card.stays)],
            }
            for card in people
        ],
    }
    return typeset("cards.typ", data, day, language=language)


def _stays(person: str, stays: Sequence[Stay], *, marks: bool = False) -> list[dict[str, object]]:
    """The addresses of a person, whose name stands beside them; with ``marks`` that for a letter posted today."""
    return [
        {
            "lines": [
                one_line(line, f"the address of {person}")
                for number, line in enumerate(stay.address.block)
                if number or line != person
            ],
            "when": _when(stay),
            "today": stay.today,
            "then": marks and stay.posted_today,
        }
        for stay in stays
    ]


def _in_days(days: int, post_by: date | None) -> str:
    """``5 days, post by 9 March 2026``."""
    return count(days, "day") + (f", post by {long_day(post_by)}" if post_by else "")


def _when(stay: Stay) -> str:
    if stay.first and stay.last:
        return f"from {long_day(stay.first)} to {long_day(stay.last)}"
    if stay.first:
        return f"from {long_day(stay.first)}"
    return f"until {long_day(stay.last)}" if stay.last else ""
