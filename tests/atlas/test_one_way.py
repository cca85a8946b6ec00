"""One-way borders on the map: an arrow across the line, the right way round, and in the legend."""

import re

import msgspec
import pytest

from legation.atlas import Atlas
from legation.atlas.one_way import one_way_borders
from legation.atlas.shapes import Shapes
from legation.board import Board, Border
from tests.atlas.made_up import made_up

MARK = re.compile(r'<g data-way="(\w+) (\w+)"><title>([^<]*)</title>(.*?)</g>')
ARROW = re.compile(r'class="wa" d="M([\d.-]+) ([\d.-]+)L([\d.-]+) ([\d.-]+)')


def with_borders(change: dict[tuple[str, str], list[Border]]) -> tuple[Board, Shapes]:
    """The made-up board, some of its borders replaced."""
    board, shapes = made_up(6, 7)
    borders = [new for b in board.borders for new in change.get((b.a, b.b), [b])]
    return Board(board.name, board.title, board.provinces.values(), borders), shapes


def inland() -> list[Border]:
    """The borders of two lands, some of which run east to west and some north to south."""
    board, _ = made_up(6, 7)
    return [b for b in board.borders if b.army]


@pytest.mark.parametrize("turned", (False, True))
def test_the_arrow_leads_from_the_side_that_may_be_left(turned: bool) -> None:
    change: dict[tuple[str, str], list[Border]] = {}
    ways = set()
    for number, border in enumerate(inland()):
        a, b = (border.b, border.a) if turned == bool(number % 2) else (border.a, border.b)
        change[border.a, border.b] = [Border(a, b, border.army, border.fleet, one_way=True)]
        ways.add((a, b))
    board, shapes = with_borders(change)
    assert set(one_way_borders(board)) == ways
    atlas = Atlas(board, shapes)
    marks = MARK.findall(atlas.svg(legend=False))
    assert {(a, b) for a, b, *_ in marks} == ways
    assert sorted(marks) == sorted(MARK.findall(atlas.board_layer().svg)), "pages and pictures show the same"
    for a, b, title, drawn in marks:
        assert f"{board.provinces[a].name} to {board.provinces[b].name}" in title
        [(x, y, tip_x, tip_y)] = ARROW.findall(drawn)
        inside = [atlas.geometry.contains(*end) for end in ((a, float(x), float(y)), (b, float(tip_x), float(tip_y)))]
        wrong = [atlas.geometry.contains(*end) for end in ((b, float(x), float(y)), (a, float(tip_x), float(tip_y)))]
        assert any(inside) and not any(wrong), (a, b)  # one end may lie in a third province, at a corner


def test_a_letter_says_whom_it_binds_where_others_pass() -> None:
    one, other, third = [b for b in inland() if b.fleet][:3]
    board, shapes = with_borders(
        {
            (one.a, one.b): [Border(one.a, one.b, True, False, one_way=True), Border(one.a, one.b, False, True)],
            (other.a, other.b): [Border(other.a, other.b, True, True, one_way=True)],
            (third.a, third.b): [Border(third.b, third.a, True, False, one_way=True)],
        }
    )
    svg = Atlas(board, shapes).svg()
    letters = {(a, b): re.findall(r">([AF])</text>", drawn) for a, b, _, drawn in MARK.findall(svg)}
    assert letters == {(one.a, one.b): ["A"], (other.a, other.b): [], (third.b, third.a): []}
    assert "one way only (A: armies)" in svg


def test_provinces_that_share_no_line_get_a_fine_one() -> None:
    board, shapes = made_up(6, 7)
    borders = [*board.borders, Border("s0000", "s0506", False, True, one_way=True)]
    far = Board(board.name, board.title, board.provinces.values(), borders)
    [(a, b, _, drawn)] = MARK.findall(Atlas(far, shapes).svg())
    assert (a, b) == ("s0000", "s0506") and 'class="wl"' in drawn


def test_only_boards_with_one_way_borders_speak_of_them() -> None:
    board, shapes = made_up(6, 7)
    svg = Atlas(board, msgspec.structs.replace(shapes)).svg()
    assert "one way only" not in svg and 'class="ways"' not in svg
