"""The roster: who plays what, and which address is the right one when (W-23); and a card for each person."""

from collections.abc import Mapping, Sequence
from datetime import date
from types import MappingProxyType

from legation.game.report import count
from legation.languages import ENGLISH, said_in
from legation.office.records import AddressRecord, GameRoster, RosterLine
from legation.print.records import COORDINATOR, address_of, long_day
from legation.print.typesetting import one_line, typeset


def roster(
    told: Sequence[GameRoster],
    variant: str,
    day: date,
    days_in_post: int = 0,
    *,
    bots: Mapping[str, str] = MappingProxyType({}),
    runs_it: bool = False,
    language: str = ENGLISH,
) -> bytes:
    """The roster of a game as of a day, and after it those of further games of the same coordinator. ``variant`` is
    the title of the first game's, ``bots`` play in it by power, and ``runs_it`` says that its coordinator reads this.
    ``days_in_post`` is how long a letter posted then is taken to be on its way, where the routes between countries
    don't say it, 0 for nothing about it.

    :raises UnprintableError: for text that cannot be printed."""
    said, own = said_in(language), told[0]
    marks = bool(days_in_post or own.routes)
    data = {
        "title": f"{one_line(own.name, 'the game')}: roster",
        "written": long_day(day),
        "days": days_in_post,
        "routes": [
            {"between": " – ".join(dict.fromkeys(route.ends)), "days": said(_in_days(route.days, route.post_by))}
            for route in own.routes
        ],
        "games": [
            {
                "name": one_line(one.name, "the game"),
                "variant": variant if one is own else "",
                "seats": _seats(one, bots if one is own else {}, runs_it and one is own, marks),
            }
            for one in told
        ],
    }
    return typeset("roster.typ", data, day, language=language)


def _seats(told: GameRoster, bots: Mapping[str, str], runs_it: bool, marks: bool) -> list[dict[str, object]]:
    """Each power with its holder and the holder's addresses: how long a letter of the reader to them takes, and until
    when to post it so that it comes before the orders are due."""
    lines = {line.power: line for line in told.lines}
    lacks = "no address" if runs_it else "no address shared" if told.told else "only its players see it"
    seats: list[dict[str, object]] = []
    for power in told.powers:
        line, bot = lines.get(power), bots.get(power, "")
        person = line.name if line else f"bot {bot}" if bot else ""
        written = line is not None and line.then is not None and power not in told.own
        seats.append(
            {
                "position": one_line(power, "a position"),
                "person": one_line(person, "a name"),
                "lacks": "" if bot else lacks,
                "days": _in_days(line.days, line.post_by) if line is not None and written else "",
                "stays": _stays(line, marks=marks) if line else [],
            }
        )
    return seats


def cards(told: Sequence[GameRoster], coordinator: str, day: date, language: str = ENGLISH) -> bytes:
    """A card for the coordinator (if there is one) and each person of these rosters, with all that each plays; eight to
    a page, to be cut out.

    :raises UnprintableError: for text that cannot be printed."""
    said, to = said_in(language), told[0].orders_to
    held: dict[int, list[tuple[str, RosterLine]]] = {}
    for one in told:
        for line in one.lines:
            held.setdefault(line.person, []).append((one.name, line))
    people = [
        (
            own[0][1].name,
            [(name, line.power) for name, line in own],
            next((stays for _, line in own if (stays := _stays(line))), []),
            "no address shared",
        )
        for own in held.values()
    ]
    if coordinator:
        stays = [_stay(to.name, to.address, today=True)] if to is not None else []
        people.insert(0, (coordinator, [(one.name, COORDINATOR) for one in told], stays, "no address"))
    made = [
        {
            "person": one_line(person, "a name"),
            "positions": [
                {"game": one_line(game, "the game"), "position": said(one_line(position, "a position"))}
                for game, position in positions
            ],
            "lacks": said(lacks),
            "stays": [stay | {"when": said(str(stay["when"]))} for stay in stays],
        }
        for person, positions, stays, lacks in people
    ]
    data = {"title": "Cards of the roster", "written": long_day(day), "cards": made}
    return typeset("cards.typ", data, day, language=language)


def _stays(line: RosterLine, *, marks: bool = False) -> list[dict[str, object]]:
    """The addresses of a person, the usual one first; with ``marks`` that for a letter posted today."""
    known = [*([line.address] if line.address else []), *line.alternatives]
    today, then = (one and one.id for one in (line.address, line.then if marks else None))
    return [
        _stay(line.name, one, today=one.id == today, then=one.id == then)
        for one in sorted(known, key=lambda one: (not one.primary, one.first or ""))
    ]


def _stay(person: str, address: AddressRecord, *, today: bool = False, then: bool = False) -> dict[str, object]:
    """An address of a person, whose name stands beside it, and the days for which it is preferred (none: always, unless
    another is)."""
    days = (("from", address.first), ("to" if address.first else "until", address.last))
    return {
        "lines": [one_line(line, f"the address of {person}") for line in address_of(person, address).block[1:]],
        "when": " ".join(f"{word} {long_day(date.fromisoformat(day))}" for word, day in days if day),
        "today": today,
        "then": then,
    }


def _in_days(days: int, post_by: str | None) -> str:
    """``5 days, post by 9 March 2026``."""
    return count(days, "day") + (f", post by {long_day(date.fromisoformat(post_by))}" if post_by else "")
