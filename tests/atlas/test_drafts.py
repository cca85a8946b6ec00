"""Arrows of orders that are not sent yet: the same lines as in the picture of the judged turn; sea routes lean too."""

import math
import re
from typing import Any

import pytest

from legation.atlas import for_variant
from legation.atlas.curves import Curve
from legation.atlas.sites import UNIT_ON_PAGE
from legation.atlas.strokes import head_box
from legation.board import FLEET
from legation.orders import Move
from legation.position import Position, Unit
from legation.variants import load
from tests.atlas.test_cartography import given


def picture(variant: str, move: Move, *others: Unit) -> str:
    """A turn in which this unit goes where another stands, drawn."""
    power = next(iter(load(variant).powers))
    position = load(variant).opening()
    units = (Unit(move.kind, move.at, power), Unit("A" if "/" not in move.to else "F", move.to, power), *others)
    changed: dict[str, Any] = {"turn": position.turn, "units": units}
    return for_variant(variant).svg(Position(**changed), [given(power, move, "succeeds")], legend=False)


@pytest.mark.parametrize(
    "move",
    [Move("A", "ber", "pru"), Move("F", "kie", "hol"), Move("A", "lon", "nwy", via_convoy=True, route=("nth",))],
    ids=lambda move: f"{move.at}-{move.to}",
)
def test_a_draft_lies_where_the_picture_of_the_turn_has_it(move: Move) -> None:
    svg = picture("standard", move)
    line, head = for_variant("standard").draft_arrow(move.kind, move.at, move.to, move.route)
    assert re.findall(r'class="oc" d="([^"]*)"', svg) == [line]
    assert re.findall(r'class="oa" d="([^"]*)"', svg) == [head]


def test_a_draft_of_places_that_are_not_there_is_refused() -> None:
    for at, to, through in (("zzz", "par", ()), ("par", "zzz", ()), ("lon", "nwy", ("zzz",))):
        with pytest.raises(KeyError):
            for_variant("standard").draft_arrow("A", at, to, through)


def test_every_arrow_has_a_head_and_few_cover_a_name() -> None:
    atlas, board = for_variant("hundred"), load("hundred").board
    ways = [(at, to) for at in board.locations for to in board.reach(FLEET, at)]
    covering = 0
    for at, to in ways:
        for free in (True, False):
            points = re.findall(r"[-\d.]+ [-\d.]+", atlas.draft_arrow("F", at, to, free=free)[1])
            tip, left, _, right = ((float(x), float(y)) for x, y in map(str.split, points))
            assert math.dist(left, right) > 10, (at, to, free)
            back = (0.52 * (left[0] + right[0]) - 0.04 * tip[0], 0.52 * (left[1] + right[1]) - 0.04 * tip[1])
            covering += bool(atlas._chart.names_under((tip, left, back, right)))
    assert len(ways) > 100 and covering <= len(ways) / 50


def test_a_sea_route_arrives_beside_names_if_it_can() -> None:
    chart = for_variant("standard")._chart
    board, place = chart.geometry.board, chart.geometry.place_of
    ways = [
        (a, sea, b) for sea in ("nth", "bot", "eng") for a in board.adjacent(sea) for b in board.adjacent(sea) - {a}
    ]

    def is_clear(line: Curve, to: str) -> bool:
        stop = chart.stop(line, to, UNIT_ON_PAGE)[1]
        return not chart.names_under(head_box(line, stop, 9.0))

    leant = 0
    for way in sorted(ways):
        points = [place(name) for name in way]
        usual, line = Curve(points), chart.line(way[0], way[-1], *points)
        assert line.samples[-1] == points[-1] and (is_clear(line, way[-1]) or not is_clear(usual, way[-1])), way
        leant += is_clear(line, way[-1]) and not is_clear(usual, way[-1])
    assert leant > 3
