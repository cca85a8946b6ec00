"""The archive: openings of a variant on its map, and public press of finished games."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Annotated, Literal

import msgspec
from fastapi import Query, Request
from starlette.responses import Response

from legation.board import ARMY
from legation.judge import Ruleset, Verdict, resolve
from legation.notation import OrderTextError
from legation.office.errors import InvalidInputError, NotFoundError
from legation.office.hosting import openings, press
from legation.office.records import FoundLetter, Openings
from legation.orders import Sheet, UnitOrder
from legation.position import Position, Turn, Unit
from legation.web.public.gallery import card, cards
from legation.web.public.maps import LiveMap, known_to, map_of
from legation.web.serving.answers import picture_answer
from legation.web.serving.pages import PageRouter, embed, page
from legation.web.serving.sessions import actor_of, office_of

router = PageRouter()
A_PAGE = 30
MOST_TURNS = 60  # of a calendar, until a turn's name is found
Name = Annotated[str, Query(max_length=80)]


@router.get("/variants/{variant}/openings")
def show_openings(request: Request, variant: str, power: Name = "", line: Name = "") -> Response:
    """Show what a power ordered in its first turns, how often, and what came of it."""
    live, told = _asked(request, variant, power, line)
    position, verdicts = drawn(live.rules, told)
    return page(
        request,
        "variants/openings.html",
        card=card(variant, known_to(request)),
        live=live,
        told=told,
        state=embed({"svg": live.atlas.state_layer(position, verdicts)}),
    )


@router.get("/variants/{variant}/openings/{name}.svg")
def picture(
    request: Request, variant: str, name: Literal["map-light", "map-dark", "state"], power: Name = "", line: Name = ""
) -> Response:
    """A line on the map: whole, or (``state``) what it adds to the board's layer."""
    live, told = _asked(request, variant, power, line)
    position, verdicts = drawn(live.rules, told)
    if name == "state":
        return picture_answer(live.atlas.state_layer(position, verdicts), "public, max-age=300")
    theme: Literal["light", "dark"] = "dark" if name == "map-dark" else "light"
    return picture_answer(live.picture(position, verdicts, theme=theme), "public, max-age=300")


def _asked(request: Request, variant: str, power: str, line: str) -> tuple[LiveMap, Openings]:
    live = map_of(variant, known_to(request)).for_reader(request)
    return live, openings.openings(office_of(request), actor_of(request), variant, power, line)


def drawn(rules: Ruleset, told: Openings) -> tuple[Position, tuple[Verdict, ...]]:
    """Return the last turn of a line, with the power's own units and orders alone: what the others did is another
    question in each game. The opening, where no line is chosen."""
    opening = rules.opening()
    if not told.path:
        return opening, ()
    last = told.path[-1]
    turn = next((turn for turn in _first_turns(rules) if str(turn) == last.turn), rules.first_turn())
    orders = []
    for text in last.orders:
        with suppress(OrderTextError):  # by rules that have changed since
            orders.append(rules.reader.order(text, turn.phase, told.power))
    units = tuple(Unit(order.kind or ARMY, order.at, told.power) for order in orders if isinstance(order, UnitOrder))
    position = msgspec.structs.replace(opening, turn=turn, units=units)
    return position, tuple(resolve(rules, position, [Sheet(told.power, tuple(orders))]).verdicts)


def _first_turns(rules: Ruleset) -> Iterator[Turn]:
    turn = rules.first_turn()
    for _ in range(MOST_TURNS):
        yield turn
        turn = rules.next_turn(turn)


@router.get("/press")
def search_press(
    request: Request,
    words: Annotated[str, Query(max_length=200)] = "",
    variant: Name = "",
    after: Annotated[str, Query(pattern=r"^\d{0,12}$")] = "",
) -> Response:
    """Find public letters of finished games by their words."""
    found: list[FoundLetter] = []
    fault = ""
    if words.strip():
        try:
            found = press.search(office_of(request), actor_of(request), words, variant, int(after or 0), A_PAGE)
        except (InvalidInputError, NotFoundError) as error:
            fault = error.message
    return page(
        request,
        "games/press.html",
        words=words,
        variant=variant,
        variants=cards(known_to(request)),
        found=found,
        fault=fault,
        more=found[-1].id if len(found) == A_PAGE else 0,
    )
