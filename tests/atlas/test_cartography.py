"""Maps: nothing overlaps, everything is named, every order has its form, and whatever people call things is escaped."""

import math
import re
import xml.etree.ElementTree as ET
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from legation.atlas import Atlas, for_variant, moves_page
from legation.atlas.chart import SMALLER, Chart
from legation.atlas.curves import Curve
from legation.atlas.legend import ORDER_KEYS
from legation.atlas.letters import escape, overlap, overlap_disc
from legation.atlas.shapes import Shapes, sides
from legation.atlas.sites import UNIT_R
from legation.board import Board, read_board
from legation.judge import Outcome, Power, Verdict
from legation.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
    VoteDraw,
    Waive,
)
from legation.position import Dislodged, Phase, Position, Turn, Unit
from legation.rules.conversion import Convert
from legation.rules.ferry import Ferry
from legation.rules.proxy import Proxy
from legation.rules.supply_transfer import Send
from legation.variants import load
from tests.atlas.made_up import DRAWN, made_up, stored
from tests.board.folders import BOARDS
from tests.sampling import some

SVG = "{http://www.w3.org/2000/svg}"


def given(power: str, order: Order, outcome: str = "succeeds") -> Verdict:
    return Verdict(power, order, Outcome(outcome))


POWERS = (Power("Reds"), Power("Blues & Co", color="#3355aa"))


@cache
def small() -> tuple[Board, Shapes, Atlas]:
    board, shapes = made_up(6, 7)
    return board, shapes, Atlas(board, shapes, POWERS)


def position(*units: Unit, **more: Any) -> Position:
    return Position(Turn("Spring", 1001, Phase.MOVEMENT), units, **more)


@cache
def atlas_of(folder: Path) -> Atlas:
    return Atlas(read_board(folder), stored(folder), POWERS)


def chart_of(folder: Path) -> Chart:
    return Chart(atlas_of(folder).geometry, atlas_of(folder).labels)


def check_no_overlap(atlas: Atlas) -> None:
    labels, discs = [(name, box) for name, label in atlas.labels.items() for box in label.boxes], atlas.geometry.discs
    assert {name for name, _ in labels} == set(atlas.board.provinces)
    for i, (name, box) in enumerate(labels):
        xs, ys = [p[0] for p in box], [p[1] for p in box]
        assert min(xs) >= -1 and max(xs) <= atlas.geometry.width + 1, name
        for other, second in labels[i + 1 :]:
            if name != other:
                assert not overlap(box, second), f"the names of {name} and {other} overlap"
        for disc in discs:
            if min(xs) - 20 < disc.x < max(xs) + 20 and min(ys) - 20 < disc.y < max(ys) + 20:
                assert not overlap_disc(box, disc), f"the name of {name} overlaps the {disc.kind} of {disc.province}"
    for i, a in enumerate(discs):
        for b in discs[i + 1 :]:
            assert (a.x - b.x) ** 2 + (a.y - b.y) ** 2 >= (a.r + b.r) ** 2 - 1e-6, (a, b)


@pytest.mark.parametrize("seed", some(range(1, 6), 3))
def test_nothing_overlaps_on_made_up_boards(seed: int) -> None:
    board, shapes = made_up(8, 8, seed)
    check_no_overlap(Atlas(board, shapes))


@pytest.mark.parametrize("folder", some(DRAWN, 3), ids=lambda p: str(p.name))
def test_nothing_overlaps_on_our_boards(folder: Path) -> None:
    atlas = atlas_of(folder)
    check_no_overlap(atlas)
    ET.fromstring(atlas.svg())


@pytest.mark.parametrize("folder", some(DRAWN, 5), ids=lambda p: str(p.name))
def test_dislodged_units_cover_no_place_of_a_unit(folder: Path) -> None:
    chart = chart_of(folder)
    geometry = chart.geometry
    places = [d for d in geometry.discs if d.kind != "center"]
    outside = 0
    for location in geometry.board.locations:
        province = location.partition("/")[0]
        r = UNIT_R * SMALLER * geometry.sites[province].size
        x, y = chart.aside(location)
        assert r <= x <= geometry.width - r and r <= y <= geometry.height - r, location
        for disc in places:
            assert math.dist((x, y), (disc.x, disc.y)) >= disc.r + r - 1e-6, (location, disc)
        outside += not (geometry.contains(province, x, y) or geometry.board.provinces[province].id in geometry.rings)
    assert outside <= len(places) / 20


def test_two_dislodged_units_do_not_stand_on_each_other() -> None:
    board, _, atlas = small()
    chart = Chart(atlas.geometry, atlas.labels)
    a, b, _ = lands(board)
    first = chart.aside(a)
    assert math.dist(chart.aside(a, [first]), first) >= 2 * UNIT_R * SMALLER
    assert chart.aside(b) == chart.aside(b, [(-99, -99)])


@pytest.mark.parametrize("folder", some(DRAWN, 3), ids=lambda p: str(p.name))
def test_ways_over_water_keep_off_foreign_land_and_on_the_map(folder: Path) -> None:
    chart = chart_of(folder)
    geometry, before, after = chart.geometry, 0.0, 0.0
    seas = [p for p in geometry.board.provinces if geometry.board.provinces[p].sea]
    for a in seas:
        for b in sorted(geometry.board.reach("fleet", a)):
            if b not in seas:
                continue
            start, end = geometry.place_of(a), geometry.place_of(b)
            way = chart.passage(a, b, start, end)
            straight, led = Curve([start, end], 0.1), Curve([start, *way, end], 0.1)
            crossed = chart.trespass(led, a, b)
            if way:
                assert crossed < chart.trespass(straight, a, b), (a, b)
                assert all(0 < x < geometry.width and 0 < y < geometry.height for x, y in led.samples), (a, b)
            before += chart.trespass(straight, a, b)
            after += crossed
    assert after < 0.7 * before


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
    about = "capital, center" if land.capital else "center"
    assert text == f"{land.name} ({land.id}): {about}; held by Blues & Co; army of Blues & Co"
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("folder", some(DRAWN, 4), ids=lambda p: str(p.name))
def test_separate_coasts_are_lettered(folder: Path) -> None:
    atlas = atlas_of(folder)
    marks = re.search(r'<g class="co"[^>]*>(.*?)</g>', atlas.svg())
    lettered = re.findall(r">(\w+)</text>", marks.group(1)) if marks else []
    assert sorted(lettered) == sorted(coast for p in atlas.board.provinces.values() for coast in p.coasts)


def lands(board: Board) -> tuple[str, str, str]:
    """Provinces of land, each adjacent to the next."""
    near = {name: sorted(board.reach("army", name)) for name in board.provinces}
    return next((a, b, c) for a in near for b in near[a] for c in near[b] if c != a)


def drawn(atlas: Atlas, order: Order, outcome: str = "succeeds", *units: Unit, **more: Any) -> ET.Element:
    svg = atlas.svg(position(*units, **more), [given("Reds", order, outcome)], legend=False)
    return ET.fromstring(svg)


def shape_of(root: ET.Element, part: str) -> list[tuple[str, str]]:
    """Tags and classes inside a layer: the form, without colors."""
    return [
        (e.tag, re.sub(r"\bo\w*\d\b", "", e.get("class") or ""))
        for g in root.iter(f"{SVG}g")
        if g.get("class") == part
        for e in g.iter()
        if e.tag != f"{SVG}g"
    ]


def form_of(root: ET.Element) -> str:
    return str([shape_of(root, part) for part in ("orders", "heads", "marks")])


def test_each_outcome_has_its_own_form() -> None:
    board, _, atlas = small()
    a, b, c = lands(board)
    place = position(Unit("A", a, "Reds"), Unit("A", b, "Reds"))
    for order, outcomes in (
        (Move("A", a, b), ("succeeds", "bounced", "no convoy", "illegal")),
        (SupportHold("A", a, "A", b), ("succeeds", "cut", "void")),
        (SupportMove("A", a, "A", b, c), ("succeeds", "cut", "void")),
    ):
        forms = set()
        for outcome in outcomes:
            verdicts = [given("Reds", order, outcome), given("Reds", Move("A", b, c))]
            root = ET.fromstring(atlas.svg(place, verdicts, legend=False))
            forms.add(form_of(root))
            titles = [t.text or "" for t in root.iter(f"{SVG}title")]
            assert any(a in t and b in t and t.endswith(outcome) for t in titles)
        assert len(forms) == len(outcomes)


def test_a_chain_of_fleets_is_gone_through_in_its_order() -> None:
    """By the shortest chain that leads there; a fleet that is not needed is passed by."""
    board = load("standard").board
    atlas = for_variant("standard")
    place = position(Unit("A", "lon", "Reds"), *(Unit("F", sea, "Reds") for sea in ("wes", "mao", "iri", "eng")))
    orders = [given("Reds", Convoy("F", sea, "A", "lon", "tun")) for sea in ("wes", "iri", "mao", "eng")]
    root = ET.fromstring(atlas.svg(place, [*orders, given("Reds", Move("A", "lon", "tun"))], legend=False))
    line = line_of_move(root)
    nearest = {
        sea: min(range(len(line)), key=lambda i: math.dist(line[i], atlas.geometry.place_of(sea)))
        for sea in ("eng", "mao", "wes", "iri")
    }
    off = {sea: math.dist(line[i], atlas.geometry.place_of(sea)) for sea, i in nearest.items()}
    assert nearest["eng"] < nearest["mao"] < nearest["wes"]
    assert off["iri"] > 2 * UNIT_R > max(off["eng"], off["mao"], off["wes"]) and "iri" in board.provinces


def test_a_power_that_the_variant_does_not_know_gets_a_color_of_its_own() -> None:
    atlas = for_variant("standard")
    known, more = (atlas.png(position(Unit("A", "par", power)), width=400) for power in ("France", "Burgundy"))
    assert known.startswith(b"\x89PNG") and known != more
    assert len(set(atlas._colors_of(position(Unit("A", "par", "Burgundy")), ()).values())) == len(atlas.colors) + 1


def test_dislodged_units_stand_beside_the_victors() -> None:
    board, _, atlas = small()
    a, b, _ = lands(board)
    fallen = (Dislodged(Unit("A", a, "Blues & Co"), b),)
    place = Position(Turn("Spring", 1001, Phase.RETREATS), (Unit("A", a, "Reds"),), fallen, frozenset({b}))
    root = ET.fromstring(atlas.svg(place, [given("Blues & Co", Retreat("A", a, b), "succeeds")]))
    titles = [t.text or "" for t in root.iter(f"{SVG}title")]
    assert any(t.endswith("; dislodged") for t in titles)
    assert any(t.startswith("standoff in ") for t in titles)


def convoyed() -> tuple[str, str, str]:
    """A sea of the small board and two lands at its shore."""
    board, _, _ = small()
    for sea in board.provinces:
        shores = [p for p in sorted(board.adjacent(sea)) if board.provinces[p].shore]
        if board.provinces[sea].sea and len(shores) >= 2:
            return sea, shores[0], shores[1]
    raise AssertionError


def points_of(path: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", path)]


def line_of_move(root: ET.Element) -> list[tuple[float, float]]:
    """The line of the one move on a map."""
    (move,) = [group for group in root.iter(f"{SVG}g") if " move " in (group.get("class") or "")]
    return points_of(next(path.get("d") or "" for path in move.iter(f"{SVG}path")))


def paths_of(root: ET.Element, name: str) -> list[list[tuple[float, float]]]:
    """The points of each path of a class."""
    return [points_of(e.get("d") or "") for e in root.iter(f"{SVG}path") if name in (e.get("class") or "").split()]


def test_a_broken_convoy_breaks_off_before_the_fleet_that_failed() -> None:
    _, _, atlas = small()
    sea, a, b = convoyed()
    place = position(Unit("A", a, "Reds"), Unit("F", sea, "Reds"))
    move = Move("A", a, b, via_convoy=True)
    found = {}
    for outcome in ("disrupted", "succeeds"):
        verdicts = [given("Reds", Convoy("F", sea, "A", a, b), outcome), given("Reds", move, outcome)]
        found[outcome] = ET.fromstring(atlas.svg(place, verdicts))
    jag = next(points for points in paths_of(found["disrupted"], "ob") if len(points) == 4)
    middle = (sum(x for x, _ in jag) / 4, sum(y for _, y in jag) / 4)
    at_sea, start = atlas.geometry.place_of(sea), atlas.geometry.place_of(a)
    assert math.dist(middle, at_sea) >= 1.9 * UNIT_R
    assert math.dist(middle, start) < math.dist(start, at_sea)
    texts = {outcome: set(root.itertext()) for outcome, root in found.items()}
    assert {"convoy failed", "convoy broken"} <= texts["disrupted"] and "convoys" not in texts["disrupted"]
    assert "convoys" in texts["succeeds"] and not {"convoy failed", "convoy broken"} & texts["succeeds"]
    assert len(shape_of(found["disrupted"], "heads")) > len(shape_of(found["succeeds"], "heads"))


def test_waves_stand_left_and_right_of_the_hull() -> None:
    _, _, atlas = small()
    sea, a, b = convoyed()
    root = drawn(atlas, Convoy("F", sea, "A", a, b), "succeeds", Unit("A", a, "Reds"), Unit("F", sea, "Reds"))
    wave = next(e.get("d") or "" for e in root.iter(f"{SVG}path") if e.get("class") == "ow")
    starts = [float(x) for x in re.findall(r"M(-?[\d.]+)", wave)]
    x, _ = atlas.geometry.place_of(sea)
    r = UNIT_R * atlas.geometry.sites[sea].size
    assert min(starts) + 12 <= x - r and max(starts) >= x + r


def test_a_ferry_is_told_from_a_plain_move() -> None:
    board, _, atlas = small()
    sea, a, b = convoyed()
    near = sorted(board.reach("fleet", sea))[0].partition("/")[0]
    fleet = Unit("F", sea, "Reds")
    orders = (Move("F", sea, near), Ferry("F", sea, near, "A", a, b))
    move, ferry = (form_of(drawn(atlas, order, "succeeds", fleet)) for order in orders)
    assert "'of'" in ferry and "'of'" not in move and "'ow'" in ferry


def test_a_conversion_shows_above_the_unit_what_it_becomes() -> None:
    board, _, atlas = small()
    a, _, _ = lands(board)
    forms = {}
    for outcome in ("succeeds", "disrupted"):
        root = drawn(atlas, Convert("A", a, "F"), outcome, Unit("A", a, "Reds"))
        marks = next(g for g in root.iter(f"{SVG}g") if g.get("class") == "marks")
        forms[outcome] = [e.get("href") for e in marks.iter(f"{SVG}use")]
    assert forms == {"succeeds": ["#u-turn", "#u-F"], "disrupted": ["#u-turn-failed", "#u-F"]}  # and no cross


def test_help_without_effect_shows_what_was_meant() -> None:
    board, _, atlas = small()
    a, b, c = lands(board)
    units = (Unit("A", a, "Reds"), Unit("A", b, "Reds"))
    root = drawn(atlas, SupportMove("A", a, "A", b, c), "void", *units)
    ring = next(e for e in root.iter(f"{SVG}circle") if e.get("class") == "on")
    at = (float(ring.get("cx", "")), float(ring.get("cy", "")))
    curve = Curve([atlas.geometry.place_of(b), atlas.geometry.place_of(c)], 0.1)
    assert math.dist(at, curve.point(curve.length / 2)) <= 16
    dots = paths_of(root, "oi")
    assert len(dots) == 1 and math.dist(dots[0][-1], at) < 5
    assert "oi end" in {e.get("class") for e in drawn(atlas, Move("A", a, b), "illegal", *units).iter()}


def test_orders_without_a_place_are_told_and_those_that_failed_told_so() -> None:
    _, _, atlas = small()
    place = position(owners={})
    orders = [
        given("Reds", Waive(), "illegal"),
        given("Blues & Co", Send(2, "Reds")),
        given("Reds", VoteDraw(), "void"),
    ]
    text = " ".join(ET.fromstring(atlas.svg(place, orders)).itertext())
    assert "Reds: a build waived (illegal); Blues & Co: 2 sent to Reds; Reds: a vote for a draw (void)" in text


def test_the_tag_of_a_unit_leaves_its_arrow_free_and_stands_on_the_map() -> None:
    board, _, atlas = small()
    for at, province in board.provinces.items():
        unit = Unit("F" if province.sea else "A", at, "Reds")
        obeys = given("Reds", Proxy(unit.kind, at, "Blues & Company"))
        for to in sorted(board.reach("army", at)) or [""]:
            orders = [obeys, given("Reds", Move("A", at, to))] if to else [obeys]
            root = ET.fromstring(atlas.svg(position(unit), orders, legend=False))
            tag = next(e for e in root.iter(f"{SVG}rect") if e.get("class") == "tag")
            left, top, wide = (float(tag.get(k, "")) for k in ("x", "y", "width"))
            assert left >= 0 and left + wide <= atlas.geometry.width and 0 <= top <= atlas.geometry.height - 11, at
            if to:
                line = Curve([atlas.geometry.place_of(at), atlas.geometry.place_of(to)], 0.1)
                assert not any(left < x < left + wide and top < y < top + 11 for x, y in line.every(2.0)), (at, to)


def test_the_legend_explains_what_is_drawn_and_nothing_else() -> None:
    board, _, atlas = small()
    a, b, c = lands(board)
    sea = next(p.id for p in board.provinces.values() if p.sea)
    near = sorted(board.reach("fleet", sea))[0]
    meanings = {name for _, name in ORDER_KEYS.values()} | {
        "converts",
        "converts (failed)",
        "obeys another power",
        "ferries: moves and carries",
    }
    units = (Unit("A", a, "Reds"), Unit("A", b, "Reds"), Unit("F", sea, "Reds"))

    def listed(place: Position, *verdicts: Verdict) -> set[str]:
        return set(ET.fromstring(atlas.svg(place, verdicts)).itertext()) & meanings

    assert listed(position(*units)) == set()
    for order, outcome, expected in (
        (Move("A", a, b), "succeeds", {"moves"}),
        (Move("A", a, b), "bounced", {"bounced"}),
        (SupportHold("A", a, "A", b), "succeeds", {"supports to hold"}),
        (SupportHold("A", a, "A", b), "cut", {"supports to hold", "support cut"}),
        (SupportMove("A", a, "A", b, c), "succeeds", {"supports a move"}),
        (Convoy("F", sea, "A", a, c), "succeeds", {"convoys"}),
        (Ferry("F", sea, near, "A", a, c), "succeeds", {"ferries: moves and carries", "convoys"}),
        (Hold("A", a), "succeeds", {"holds"}),
        (Build("A", c), "succeeds", {"built"}),
        (Build("A", c), "illegal", {"not built"}),
        (Remove("A", a), "succeeds", {"removed"}),
        (Remove("A", a), "illegal", {"without effect"}),
        (Convert("A", a, "F"), "succeeds", {"converts"}),
        (Convert("A", a, "F"), "disrupted", {"converts (failed)"}),
        (Proxy("A", a, "Blues & Co"), "succeeds", {"obeys another power"}),
    ):
        assert listed(position(*units), given("Reds", order, outcome)) == expected, order
    fallen = position(units[0], dislodged=(Dislodged(Unit("A", a, "Blues & Co"), b),), contested=frozenset({c}))
    still = {"dislodged", "standoff: closed to retreats"}
    assert listed(fallen, given("Blues & Co", Retreat("A", a, b))) == still | {"retreats"}
    assert listed(fallen, given("Blues & Co", Disband("A", a))) == still | {"disbands"}
    assert listed(fallen, given("Blues & Co", Retreat("A", a, b), "disbanded")) == still | {"bounced", "disbands"}


def test_patterns_are_the_same_on_the_map_and_in_the_legend() -> None:
    board, _, atlas = small()
    center = board.centers[0]
    root = ET.fromstring(atlas.svg(position(owners={center: "Reds"}), patterns=True))
    parents = {child: parent for parent in root.iter() for child in parent}

    def scale_of(e: ET.Element) -> float:
        scale = 1.0
        while e in parents:
            scale *= math.prod(float(k) for k in re.findall(r"scale\(([\d.]+)\)", e.get("transform") or ""))
            e = parents[e]
        return scale

    ground = [e for e in root.iter() if "k0" in (e.get("class") or "").split()]
    assert len(ground) == 2 and all(scale_of(e) == pytest.approx(0.1) for e in ground)


def test_a_name_under_an_arrowhead_is_lettered_above_it(monkeypatch: pytest.MonkeyPatch) -> None:
    # as if a head could go nowhere else
    monkeypatch.setattr(Chart, "stop", lambda _, curve, *args, **options: (0.0, curve.length * 0.8))
    _, _, atlas = small()
    found = 0
    for a in atlas.board.provinces:
        for b in sorted(atlas.board.reach("army", a)):
            both = position(Unit("A", a, "Reds"), Unit("A", b, "Reds"))
            svg = atlas.svg(both, [given("Reds", Move("A", a, b))], legend=False)
            heads = svg.index('class="heads"')
            names = list(re.finditer(r'<use href="#n-(\w+)"(?: class="([^"]*)")?', svg))
            assert sorted(m[1] for m in names) == sorted(atlas.board.provinces)
            late = [m for m in names if m.start() > heads]
            found += len(late)
            assert all("h" in (m[2] or "").split() for m in late)
    assert found


def test_areas_of_seas_are_told_apart() -> None:
    atlas = atlas_of(BOARDS / "three-kingdoms")
    board = atlas.board
    root = ET.fromstring(atlas.svg(legend=False))
    lines = {e.get("class"): e.get("d") or "" for e in root.iter(f"{SVG}path") if "waves" in (e.get("class") or "")}
    beside = sides(stored(BOARDS / "three-kingdoms"))
    seas = {p.id for p in board.provinces.values() if p.sea}
    between = [pair for pair in beside if len(pair) == 2 and seas >= {*pair} and pair[0] != pair[1]]
    areas = sum(board.provinces[a].area != board.provinces[b].area for a, b in between)
    assert areas > 50
    assert lines["waves areas"].count("M") == areas
    assert lines["waves"].count("M") >= len(between) - areas
    told = set(ET.fromstring(atlas.svg()).itertext())
    assert {"between sea areas", "within a sea area", "primary sea region"} <= told
    main = next(p for p in board.provinces.values() if p.primary)
    texts = {"".join(t.itertext()) for t in root.iter(f"{SVG}text")}
    used = {e.get("href"): e.get("class") or "" for e in root.iter(f"{SVG}use")}
    assert main.name.upper() in texts and "prime" in used[f"#n-{main.id}"].split()
    plain = ET.fromstring(atlas_of(BOARDS / "standard").svg())
    assert not {"between sea areas", "primary sea region"} & set(plain.itertext())
    assert not any("areas" in (e.get("class") or "").split() for e in plain.iter())


def test_names_of_primary_seas_are_no_wider_than_they_were_measured() -> None:
    from legation.atlas.letters import SEA_SPACING, measure

    atlas = atlas_of(BOARDS / "three-kingdoms")
    root = ET.fromstring(atlas.svg(legend=False))
    sizes = {
        "".join(t.itertext()): float(t.get("font-size", "0")) for t in root.iter(f"{SVG}text") if t.get("font-size")
    }
    checked = 0
    for name, label in atlas.labels.items():
        if atlas.board.provinces[name].primary and not label.short:
            for line in label.lines:
                wide = measure(line.upper(), label.face, sizes[line.upper()], SEA_SPACING)
                assert wide <= measure(line, label.face, label.size, SEA_SPACING) * 1.01, name
                checked += 1
    assert checked > 10


def test_the_ground_that_occurs_is_explained() -> None:
    atlas = atlas_of(BOARDS / "1000ad")
    told = set(ET.fromstring(atlas.svg()).itertext())
    assert {"not played", "closed water"} <= told
    _, _, made = small()
    plain = set(ET.fromstring(made.svg()).itertext())
    assert not {"not played", "closed water", "paler: land without a center"} & plain
    root = ET.fromstring(atlas.svg(position(owners=dict.fromkeys(atlas.board.centers, "Reds"))))
    pale = any("far" in (e.get("class") or "").split() for e in root.iter(f"{SVG}use"))
    assert pale == ("paler: land without a center" in set(root.itertext()))


def test_a_fleet_acts_from_its_coast() -> None:
    """Also when the order does not name the coast."""
    atlas, place = for_variant("standard"), position(Unit("F", "stp/sc", "Russia"))
    svg = [atlas.svg(place, [given("Russia", Move("F", at, "bot"))], legend=False) for at in ("stp", "stp/sc")]
    paths = [re.findall(r'<path class="oc[^>]*>', text) for text in svg]
    assert paths[0] and paths[0] == paths[1]


def test_switches() -> None:
    """A map without scripts is an image with no fonts of its own."""
    board, _, atlas = small()
    center = board.centers[0]
    place = position(Unit("A", center, "Reds"), owners={center: "Reds"})
    assert 'class="units"' not in atlas.svg(place, units=False)
    assert 'class="k0"' in atlas.svg(place) and 'class="k0"' not in atlas.svg(place, control=False)
    assert "<pattern" in atlas.svg(place, patterns=True) and "<pattern" not in atlas.svg(place)
    assert atlas.svg(place, theme="dark") != atlas.svg(place)
    assert 'class="credits"' in atlas.svg(place) and 'class="credits"' not in atlas.svg(place, legend=False)
    still = atlas.svg(interactive=False)
    assert 'role="img"' in still.split(">", 1)[0] and "@font-face" not in still


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


NASTY = ["\x00", "\x08\x1f", "\ufffe", "\uffff", "\ud800", "\udfff", "<&>\"'", "]]>", "\U0001f600", "\x85\u2028"]


@pytest.mark.parametrize("nasty", NASTY, ids=ascii)
def test_a_map_is_well_formed_whatever_the_names(nasty: str) -> None:
    board, shapes = made_up(4, 4)
    first = next(p for p in board.provinces.values() if p.center)
    named = msgspec.structs.replace(first, name=f"N{nasty}")
    others = [p for p in board.provinces.values() if p.id != first.id]
    board = Board("x", f"T{nasty}", [named, *others], board.borders, credits=f"C{nasty}")
    atlas = Atlas(board, shapes, (Power(f"P{nasty}"),))
    place = Position(
        Turn(f"S{nasty}", 1001, Phase.MOVEMENT), (Unit("A", first.id, f"P{nasty}"),), owners={first.id: f"P{nasty}"}
    )
    orders = [given(f"P{nasty}", Proxy("A", first.id, f"P{nasty}"))]
    for svg in (atlas.svg(place, orders, title=f"M{nasty}"), atlas.board_layer().svg, atlas.state_layer(place, orders)):
        svg.encode("utf-8")
        ET.fromstring(svg.encode("utf-8"))
    atlas.board_layer().geometry.encode("utf-8")
    moves_page(atlas).encode("utf-8")


def test_what_no_xml_may_hold_is_replaced_and_the_rest_kept() -> None:
    assert escape("a\tb\n\x00c\ufffed\ud812é\U0001f600") == "a\tb\n\ufffdc\ufffdd\ufffdé\U0001f600"
    assert escape('<a b="c">&') == "&lt;a b=&quot;c&quot;&gt;&amp;"
