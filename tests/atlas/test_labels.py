"""Names and symbols: whole, plain whose they are, clear of rings and of one another."""

import math
import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from legation.atlas.grow.labels import place_labels
from legation.atlas.grow.outside import TIED
from legation.atlas.grow.symbol_places import place_symbols
from legation.atlas.layout import forms
from legation.atlas.letters import Label, abbreviation, overlap, overlap_disc
from legation.atlas.outlines import BoardGeometry
from legation.atlas.sites import CENTER_R, UNIT_R, Disc
from legation.board import Board, Province, read_board
from tests.atlas.made_up import DRAWN, made_up, stored
from tests.sampling import some

BOARDS = pytest.mark.parametrize("folder", some(DRAWN, 3), ids=lambda p: str(p.name))


@cache
def laid_out(folder: Path) -> tuple[BoardGeometry, dict[str, Label]]:
    geometry = BoardGeometry(read_board(folder), stored(folder), place_symbols)
    return geometry, place_labels(geometry)


@BOARDS
def test_names_are_whole_and_clear_of_rings_and_islets(folder: Path) -> None:
    """No province of ours is lettered with its id; short forms are such as the reader of orders knows."""
    geometry, labels = laid_out(folder)
    for name, label in labels.items():
        province = geometry.board.provinces[name]
        assert not label.short and " ".join(label.lines) in (province.name, *province.aliases), name
        for box in label.boxes:
            for ring, (x, y, r) in geometry.rings.items():
                if overlap_disc(box, Disc("ring", ring, x, y, r - 0.5)):
                    assert all(math.dist(p, (x, y)) <= r for p in box), f"{name} crosses the ring of {ring}"
            assert not any(overlap_disc(box, islet) for islet in geometry.islets.get(name, ())), name


@BOARDS
def test_a_name_elsewhere_stands_by_its_province_or_is_tied_to_it_and_touches_no_other(folder: Path) -> None:
    geometry, labels = laid_out(folder)
    for name, label in labels.items():
        others = [box for other, second in labels.items() if other != name for box in second.boxes]
        if label.leader:
            (ax, ay), (bx, by) = label.leader
            ring = geometry.rings.get(name)
            inside = geometry.contains(name, bx, by)
            assert inside or (ring and abs(math.dist((bx, by), ring[:2]) - ring[2]) < 0.5), name
            line = ((ax, ay), (bx, by), (bx + 0.1, by + 0.1), (ax + 0.1, ay + 0.1))
            assert not any(overlap(line, box) for box in others), f"the line of {name} crosses a name"
        elif label.ground:
            xs, ys = [x for box in label.boxes for x, _ in box], [y for box in label.boxes for _, y in box]
            left, top, right, bottom = min(xs), min(ys), max(xs), max(ys)
            gap = min(
                math.hypot(max(0.0, left - x, x - right), max(0.0, top - y, y - bottom))
                for part in geometry.polygons[name]
                for x, y in part
            )
            assert gap <= TIED + 1, f"{name} stands {gap:.1f} from its province"
        if label.beside:
            (left, top), _, (right, bottom), _ = label.boxes[0]
            wide = ((left - 2.5, top), (right + 2.5, top), (right + 2.5, bottom), (left - 2.5, bottom))
            assert not any(overlap(wide, box) for box in others), f"{name} touches another name"


def test_short_forms_are_parts_of_the_name_that_mean_no_other_place() -> None:
    def place(id: str, name: str, *aliases: str) -> Province:
        return Province(id=id, name=name, shore=True, aliases=aliases)

    board = Board(
        "b",
        "B",
        [
            place("hul", "Kingston-upon-Hull", "Hull", "The Port"),
            place("new", "Newcastle-upon-Tyne", "Newcastle"),
            place("nec", "Newcastle Emlyn", "Newcastle"),
            place("man", "Isle of Man", "Man"),
            place("dor", "Dornoch & Cromarty Firths", "Firth Cromarty", "Cromarty Firth"),
            place("abc", "Ashby Castle", "Ashby@Reds", "Ashbyville"),
        ],
        [],
    )
    assert forms(board) == {
        "hul": ["Kingston-upon-Hull", "Hull"],
        "new": ["Newcastle-upon-Tyne"],
        "nec": ["Newcastle Emlyn"],
        "man": ["Isle of Man"],
        "dor": ["Dornoch & Cromarty Firths", "Cromarty Firth"],
        "abc": ["Ashby Castle"],
    }


# Symbols


@BOARDS
def test_units_of_neighbors_have_room_and_rings_hold_their_own_and_look_round(folder: Path) -> None:
    geometry, _ = laid_out(folder)
    gaps = []
    for a, site in geometry.sites.items():
        for b in geometry.board.adjacent(a):
            if a < b:
                other = geometry.sites[b]
                gaps.append(math.dist(site.unit, other.unit) - UNIT_R * (site.size + other.size))
    assert min(gaps) > 2
    assert sum(gap < 12 for gap in gaps) <= 0.03 * len(geometry.sites), "arrows between neighbors would vanish"
    for name, (x, y, r) in geometry.rings.items():
        site = geometry.sites[name]
        assert math.dist(site.unit, (x, y)) < r
        if geometry.board.provinces[name].center and r > 11.5:
            assert math.dist(site.unit, (x, y)) + UNIT_R * site.size < r + 0.5, name
            assert math.dist(site.center, (x, y)) + CENTER_R * site.size < r + 0.5, name
        for part in geometry.polygons[name]:
            for (ax, ay), (bx, by) in pairwise(part):
                on_ring = all(abs(math.dist(p, (x, y)) - r) < 0.3 for p in ((ax, ay), (bx, by)))
                if on_ring:  # the middle of a chord lies no visible distance inside the circle
                    assert r - math.dist(((ax + bx) / 2, (ay + by) / 2), (x, y)) < 0.5, name


@BOARDS
def test_depth_lines_close_or_run_off_the_map_and_bridges_from_land_to_land(folder: Path) -> None:
    geometry, _ = laid_out(folder)
    width, height = geometry.width * 10, geometry.height * 10
    for path in re.findall(r"M[^M]+", geometry.shelf):
        if path.endswith("z"):
            continue
        numbers = [int(n) for n in re.findall(r"-?\d+", path)]
        for x, y in ((numbers[0], numbers[1]), (sum(numbers[0::2]), sum(numbers[1::2]))):
            assert min(x, y, width - x, height - y) < 10, f"a depth line ends at {x / 10:.0f} {y / 10:.0f}"
    for link in geometry.shapes.links:
        if link.kind == "bridge":
            for end, (east, south) in zip((link.a, link.b), link.line, strict=True):
                inside = geometry.contains(end, east * geometry.scale, south * geometry.scale)
                assert inside, f"{link.a} to {link.b} ends outside {end}"


def test_a_name_without_room_anywhere_is_lettered_by_its_abbreviation() -> None:
    board, shapes = made_up(3, 4)
    endless = [msgspec.structs.replace(p, name=f"{p.name} and the Isles beyond " * 9) for p in board.provinces.values()]
    labels = place_labels(BoardGeometry(Board(board.name, board.title, endless, board.borders), shapes, place_symbols))
    codes = {name: abbreviation(name, sea=board.provinces[name].sea) for name in labels}
    assert {name: label.lines for name, label in labels.items()} == {name: (code,) for name, code in codes.items()}
    assert all(label.short for label in labels.values())
