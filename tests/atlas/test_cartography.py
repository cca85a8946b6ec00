"""Maps: nothing overlaps, everything is named, every order has its form."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from legation.atlas import Atlas
from legation.atlas.labels import overlap, overlap_disc
from legation.atlas.plate import Disc
from legation.atlas.shapes import Shapes, read_shapes
from legation.board import Board, read_board
from legation.orders import (
    Build,
    Convert,
    Convoy,
    Disband,
    Ferry,
    Hold,
    Move,
    Order,
    Proxy,
    Remove,
    Retreat,
    Send,
    SupportHold,
    SupportMove,
    VoteDraw,
    Waive,
)
from legation.position import Dislodged, Phase, Position, Turn, Unit
from tests.atlas.made_up import made_up

SVG = "{http://www.w3.org/2000/svg}"


class Power(NamedTuple):
    name: str
    color: str | None = None


class Given(NamedTuple):
    """A verdict as far as the atlas looks at it."""

    power: str
    order: Order
    outcome: str = "succeeds"
    dislodged_from: str | None = None


POWERS = (Power("Reds"), Power("Blues & Co", "#3355aa"))


@cache
def small() -> tuple[Board, Shapes, Atlas]:
    board, shapes = made_up(6, 7)
    return board, shapes, Atlas(board, shapes, POWERS)


def position(*units: Unit, **more: Any) -> Position:
    return Position(Turn("Spring", 1001, Phase.MOVEMENT), units, **more)


def real_boards() -> list[Path]:
    import legation

    folder = Path(legation.__file__).parent / "variants" / "boards"
    return sorted(p.parent for p in folder.glob("*/shapes.json"))


def check_no_overlap(atlas: Atlas) -> None:
    boxes = atlas.boxes()
    labels = [(name, box) for kind, name, box in boxes if kind == "label" and isinstance(box, tuple)]
    discs = [box for _, _, box in boxes if isinstance(box, Disc)]
    assert {name for name, _ in labels} == set(atlas.board.provinces)
    for i, (name, box) in enumerate(labels):
        xs, ys = [p[0] for p in box], [p[1] for p in box]
        assert min(xs) >= -1 and max(xs) <= atlas.plate.width + 1, name
        for other, second in labels[i + 1 :]:
            if name != other:
                assert not overlap(box, second), f"the names of {name} and {other} overlap"
        for disc in discs:
            if min(xs) - 20 < disc.x < max(xs) + 20 and min(ys) - 20 < disc.y < max(ys) + 20:
                assert not overlap_disc(box, disc), f"the name of {name} overlaps the {disc.kind} of {disc.province}"
    for i, a in enumerate(discs):
        for b in discs[i + 1 :]:
            assert (a.x - b.x) ** 2 + (a.y - b.y) ** 2 >= (a.r + b.r) ** 2 - 1e-6, (a, b)


@pytest.mark.parametrize("seed", range(1, 6))
def test_nothing_overlaps_on_made_up_boards(seed: int) -> None:
    board, shapes = made_up(8, 8, seed)
    check_no_overlap(Atlas(board, shapes))


@pytest.mark.parametrize("folder", real_boards(), ids=lambda p: str(p.name))
def test_nothing_overlaps_on_our_boards(folder: Path) -> None:
    shapes = read_shapes(folder)
    assert shapes is not None
    atlas = Atlas(read_board(folder), shapes)
    check_no_overlap(atlas)
    ET.fromstring(atlas.svg())


def test_names_stand_inside_their_provinces() -> None:
    _, _, atlas = small()
    for name, label in atlas.labels.items():
        if not label.leader and not label.short:
            for box in label.boxes:
                x, y = (sum(p[k] for p in box) / 4 for k in (0, 1))
                assert atlas.plate.contains(name, x, y), name


def test_a_tiny_province_is_named_beside_it() -> None:
    board, shapes = made_up(6, 7)
    name = next(p.id for p in board.provinces.values() if not p.sea)
    shape = shapes.provinces[name]
    x, y = shape.label
    ring = [(x - 3, y - 3), (x + 3, y - 3), (x + 3, y + 3), (x - 3, y + 3), (x - 3, y - 3)]  # km
    tiny = msgspec.structs.replace(shape, rings=[[[len(shapes.arcs)]]])
    shapes = msgspec.structs.replace(shapes, arcs=[*shapes.arcs, ring], provinces={**shapes.provinces, name: tiny})
    atlas = Atlas(board, shapes)
    label = atlas.labels[name]
    assert not any(atlas.plate.contains(name, *at) for at in label.at)
    x, y = atlas.plate.sites[name].unit
    assert min(abs(x - at[0]) + abs(y - at[1]) for at in label.at) < 60
    check_no_overlap(atlas)


def test_the_map_is_readable_without_eyes() -> None:
    board, _, atlas = small()
    land = next(p for p in board.provinces.values() if p.center)
    svg = atlas.svg(position(Unit("A", land.id, "Blues & Co"), owners={land.id: "Blues & Co"}), title="A <map>")
    root = ET.fromstring(svg)
    assert root.get("role") and root.get("aria-labelledby") == "lg-title lg-desc"
    assert root.findtext(f"{SVG}title") == "A <map>, Spring 1001 Movement"
    assert "Blues & Co: 1 centers, 1 units" in (root.findtext(f"{SVG}desc") or "")
    found = {g.get("id"): g for g in root.iter(f"{SVG}g") if (g.get("id") or "").startswith("p-")}
    assert set(found) == {f"p-{p}" for p in board.provinces}
    here = found[f"p-{land.id}"]
    assert here.get("data-name") == land.name
    text = here.findtext(f"{SVG}title") or ""
    assert text.startswith(f"{land.name} ({land.id}): Blues & Co, ") and text.endswith("army of Blues & Co")
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    assert len(ids) == len(set(ids))


def test_a_static_map_is_an_image() -> None:
    _, _, atlas = small()
    assert 'role="img"' in atlas.svg(interactive=False).split(">", 1)[0]
    assert "@font-face" not in atlas.svg(interactive=False)


def test_the_same_map_is_drawn_twice() -> None:
    board, shapes, atlas = small()
    assert atlas.svg() == Atlas(board, shapes, POWERS).svg()


def lands(board: Board, count: int) -> list[str]:
    """Provinces of land, each adjacent to the next."""
    for start in board.provinces:
        path = [start]
        while len(path) < count:
            further = [n for n in sorted(board.reach("army", path[-1])) if n not in path]
            if not further:
                break
            path.append(further[0])
        if len(path) == count and not board.provinces[start].sea:
            return path
    raise AssertionError


def drawn(atlas: Atlas, order: Order, outcome: str = "succeeds", *units: Unit, **more: Any) -> ET.Element:
    svg = atlas.svg(position(*units, **more), [Given("Reds", order, outcome)], legend=False)
    return ET.fromstring(svg)


def classes(root: ET.Element) -> set[str]:
    return {c for e in root.iter() for c in (e.get("class") or "").split()}


def shape_of(root: ET.Element, part: str) -> list[tuple[str, str]]:
    """Tags and classes inside a layer: the form, without colors."""
    return [
        (e.tag, re.sub(r"\bo\w*\d\b", "", e.get("class") or ""))
        for g in root.iter(f"{SVG}g")
        if g.get("class") == part
        for e in g.iter()
        if e.tag != f"{SVG}g"
    ]


def test_each_outcome_of_a_move_has_its_own_form() -> None:
    board, _, atlas = small()
    a, b = lands(board, 2)
    forms = {}
    for outcome in ("succeeds", "bounced", "no convoy", "illegal"):
        root = drawn(atlas, Move("A", a, b), outcome, Unit("A", a, "Reds"))
        forms[outcome] = str([shape_of(root, part) for part in ("orders", "heads", "marks")])
        titles = [t.text or "" for t in root.iter(f"{SVG}title")]
        assert any(a in t and b in t and t.endswith(outcome) for t in titles)
    assert len(set(forms.values())) == 4


def test_a_cut_support_is_crossed_through() -> None:
    board, _, atlas = small()
    a, b, c = lands(board, 3)
    place = position(Unit("A", a, "Reds"), Unit("A", b, "Reds"))
    for order in (SupportHold("A", a, "A", b), SupportMove("A", a, "A", b, c)):
        forms = []
        for outcome in ("succeeds", "cut", "void"):
            verdicts = [Given("Reds", order, outcome), Given("Reds", Move("A", b, c))]
            root = ET.fromstring(atlas.svg(place, verdicts, legend=False))
            forms.append(str([shape_of(root, part) for part in ("orders", "heads", "marks")]))
        assert len(set(forms)) == 3


def test_every_kind_of_order_is_drawn_or_told() -> None:
    board, _, atlas = small()
    a, b, c = lands(board, 3)
    sea = next(p.id for p in board.provinces.values() if p.sea)
    fleet = Unit("F", sea, "Reds")
    army = Unit("A", a, "Reds")
    near = sorted(board.reach("fleet", sea))[0]
    base = ET.tostring(drawn(atlas, VoteDraw(), "succeeds", army, fleet))
    for order in (
        Hold("A", a),
        Move("A", a, b),
        SupportHold("A", a, "A", b),
        SupportMove("A", a, "A", b, c),
        Convoy("F", sea, "A", a, c),
        Ferry("F", sea, near, "A", a, c),
        Convert("A", a, "F"),
        Proxy("A", a, "Blues & Co"),
        Retreat("A", a, b),
        Disband("A", a),
        Build("A", b),
        Remove("A", a),
    ):
        assert ET.tostring(drawn(atlas, order, "succeeds", army, fleet)) != base, order
    for told, words in (
        (Waive(), "Reds waives a build"),
        (Send(2, "Blues & Co"), "Reds sends 2 to Blues &amp; Co"),
        (VoteDraw(), "Reds votes for a draw"),
    ):
        assert words in atlas.svg(position(army), [Given("Reds", told)])


def test_a_convoyed_army_goes_by_its_fleet() -> None:
    board, _, atlas = small()
    sea = next(p for p in board.provinces if board.provinces[p].sea and len(board.adjacent(p)) >= 3)
    shores = [p for p in sorted(board.adjacent(sea)) if board.provinces[p].shore]
    if len(shores) < 2:
        sea, shores = next(
            (s, found)
            for s in board.provinces
            if board.provinces[s].sea
            and len(found := [p for p in sorted(board.adjacent(s)) if board.provinces[p].shore]) >= 2
        )
    a, b = shores[:2]
    orders = [
        Given("Reds", Convoy("F", sea, "A", a, b)),
        Given("Reds", Move("A", a, b, via_convoy=True)),
    ]
    place = position(Unit("A", a, "Reds"), Unit("F", sea, "Reds"))
    root = ET.fromstring(atlas.svg(place, orders))
    path = next(
        p.get("d") or ""
        for g in root.iter(f"{SVG}g")
        if " move " in (g.get("class") or "")
        for p in g.iter(f"{SVG}path")
    )
    points = [tuple(map(float, p.split())) for p in re.findall(r"-?[\d.]+ -?[\d.]+", path)]
    x, y = atlas.plate.place_of(sea)
    assert min((px - x) ** 2 + (py - y) ** 2 for px, py in points) < 15**2


def test_dislodged_units_stand_beside_the_victors() -> None:
    board, _, atlas = small()
    a, b, _ = lands(board, 3)
    place = Position(
        Turn("Spring", 1001, Phase.RETREATS),
        (Unit("A", a, "Reds"),),
        (Dislodged(Unit("A", a, "Blues & Co"), b),),
        frozenset({b}),
    )
    root = ET.fromstring(atlas.svg(place, [Given("Blues & Co", Retreat("A", a, b), "succeeds")]))
    titles = [t.text or "" for t in root.iter(f"{SVG}title")]
    assert any(t.endswith("; dislodged") for t in titles)
    assert any(t.startswith("standoff in ") for t in titles)


def test_a_fleet_acts_from_its_coast() -> None:
    """Also when the order does not name the coast."""
    board, shapes = made_up(6, 7)
    name = next(p.id for p in board.provinces.values() if p.shore)
    sea = next(n for n in sorted(board.adjacent(name)) if board.provinces[n].sea)
    shape = shapes.provinces[name]
    shape = msgspec.structs.replace(shape, coasts={"nc": (shape.unit[0], shape.unit[1] - 60)})
    atlas = Atlas(board, msgspec.structs.replace(shapes, provinces={**shapes.provinces, name: shape}), POWERS)
    place = position(Unit("F", f"{name}/nc", "Reds"))
    svg = [atlas.svg(place, [Given("Reds", Move("F", at, sea))], legend=False) for at in (name, f"{name}/nc")]
    paths = [re.findall(r'<path class="oc[^>]*>', text) for text in svg]
    assert paths[0] and paths[0] == paths[1]


def test_switches() -> None:
    board, _, atlas = small()
    center = board.centers[0]
    place = position(Unit("A", center, "Reds"), owners={center: "Reds"})
    assert 'class="units"' not in atlas.svg(place, units=False)
    assert 'class="p k0"' in atlas.svg(place) and 'class="p k0"' not in atlas.svg(place, control=False)
    assert "<pattern" in atlas.svg(place, patterns=True) and "<pattern" not in atlas.svg(place)
    assert atlas.svg(place, theme="dark") != atlas.svg(place)
    assert 'class="credits"' in atlas.svg(place) and 'class="credits"' not in atlas.svg(place, legend=False)


def test_lands_take_the_badges_of_their_kingdoms() -> None:
    from legation.atlas.symbols import badges
    from legation.board import Province

    def board(*regions: str) -> Board:
        return Board(
            "x", "X", [Province(id=f"p{i}", name="P", center=True, region=r) for i, r in enumerate(regions)], []
        )

    five = board("England", "Scotland", "Ireland", "Wales", "Continent")
    assert len(set(badges(five).values())) == 5
    assert set(badges(board("England", "Elsewhere")).values()) == {"town"}
    assert set(badges(board("England", "England")).values()) == {"town"}


def test_shapes_that_lack_a_province_are_refused() -> None:
    board, shapes = made_up(4, 4)
    name = next(iter(board.provinces))
    provinces = {k: v for k, v in shapes.provinces.items() if k != name}
    with pytest.raises(ValueError, match=name):
        Atlas(board, msgspec.structs.replace(shapes, provinces=provinces))


def test_sizes_of_files() -> None:
    import gzip

    board, shapes = made_up(20, 20)
    atlas = Atlas(board, shapes)
    data = atlas.svg().encode()
    assert len(data) < 1_200_000
    assert len(gzip.compress(data)) < 350_000
