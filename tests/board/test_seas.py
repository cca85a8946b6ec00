"""Sea areas: who borders whom follows from what touches (W-8b to W-8d)."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from legation.board import FLEET, Province, province_of, read_board
from legation.board.seas import derive_sea_borders
from tests.board.folders import board

# Two areas side by side, a third beyond, and a lake by itself:
#   West: wp (primary), w1 (touches the east), w2 (does not)   East: ep (primary), e1   Far: fp (primary), f1   lak
TABLES = {
    "land": """
        id,name,coasts
        cape,Cape,single
        bay,Bay,north|south
        isl,Island,single
        far,Far Shore,single
    """,
    "sea": """
        id,name,area,kind
        wp,West,West,primary
        w1,West One,West,local
        w2,West Two,West,local
        ep,East,East,primary
        e1,East One,East,local
        fp,Far,Far,primary
        f1,Far One,Far,local
        lak,Lake,,
    """,
    "borders": "a,b,army,fleet\ncape,bay,1,0\nbay/nc,cape,0,1",
    "touching": """
        a,b
        w1,e1
        wp,w1
        ep,f1
        w2,cape
        cape,w1
        e1,bay/nc
        wp,bay/sc
        isl,w2
        far,f1
        lak,far
    """,
}
EXPECTED = {
    "w1": "wp w2 e1 ep cape",  # its area; what it touches, and the primary region there; its coasts
    "w2": "wp w1 cape isl",
    "wp": "w1 w2 e1 ep cape bay/sc isl",  # what its area borders, and all coasts of its area
    "e1": "ep w1 wp bay/nc",
    "ep": "e1 w1 wp f1 fp bay/nc",
    "f1": "fp ep far",
    "fp": "f1 ep far",
    "lak": "far",
    # a fleet on a coast reaches the local and primary regions it touches, not the rest of their areas (W-8g)
    "bay/nc": "e1 ep cape",
    "bay/sc": "wp",
    "far": "f1 fp lak",
}


def test_a_small_sea(tmp_path: Path) -> None:
    made = read_board(board(tmp_path, **TABLES))
    for location, neighbors in EXPECTED.items():
        assert made.reach(FLEET, location) == set(neighbors.split()), location


@st.composite
def seas(draw: st.DrawFn) -> tuple[dict[str, Province], list[tuple[str, str]]]:
    """Some areas with a primary region each, regions without an area, coasts, and any pairs that touch."""
    provinces: dict[str, Province] = {}

    def add(**facts: Any) -> None:
        key = f"p{len(provinces)}"
        provinces[key] = Province(id=key, name=key, **facts)

    for area in range(draw(st.integers(0, 3))):
        for member in range(draw(st.integers(1, 4))):
            add(sea=True, area=f"area {area}", primary=member == 0)
    for _ in range(draw(st.integers(1, 2))):
        add(sea=True)
    waters = list(provinces)
    add(shore=True)
    add(shore=True, coasts=("nc", "sc"))
    locations = [location for p in provinces.values() for location in p.locations]
    pairs = st.tuples(st.sampled_from(waters), st.sampled_from(locations)).filter(lambda pair: pair[0] != pair[1])
    return provinces, draw(st.lists(pairs, max_size=12))


def borders_by_definition(
    provinces: Mapping[str, Province], touching: Iterable[tuple[str, str]]
) -> set[frozenset[str]]:
    """The fleet borders of the seas, by asking the words of W-8b and W-8c of every pair: the proof of
    :func:`derive_sea_borders`.

    It is slow and plain on purpose, and shares nothing with what it checks."""
    touches = {frozenset(pair) for pair in touching}
    seas = [p for p in provinces.values() if p.sea]
    coasts = sorted({end for pair in touches for end in pair if not provinces[province_of(end)].sea})

    def area(region: Province) -> list[Province]:
        """All regions of its area; a region without an area is an area of its own, and its primary region."""
        return [p for p in seas if p.area == region.area] if region.area else [region]

    def local(region: Province) -> bool:
        return bool(region.area) and not region.primary

    def meets(some: list[Province], others: Iterable[str]) -> bool:
        return any(frozenset((p.id, other)) in touches for p in some for other in others)

    def borders(region: Province, other: Province) -> bool:
        """Whether ``region`` borders ``other``, by the sentence that speaks of regions like it."""
        same = bool(region.area) and region.area == other.area
        there = [p.id for p in area(other)]
        if local(region):
            # every other region of its area; each region of another area that it touches, and that area's primary
            # region
            return same or meets([region], [other.id] if local(other) else there)
        # all local regions of its area; every local region of other areas that borders its area as a whole;
        # the primary regions of the areas that its area borders
        return (same and local(other)) or (not same and meets(area(region), [other.id] if local(other) else there))

    pairs = {frozenset((a.id, b.id)) for a in seas for b in seas if a.id != b.id and borders(a, b)}
    for region in seas:
        # a local region: every coast it touches; a primary region: every coast that borders or lies within its area
        shore = [region] if local(region) else area(region)
        pairs |= {frozenset((region.id, coast)) for coast in coasts if meets(shore, [coast])}
    return pairs


@settings(max_examples=100, deadline=None)
@given(seas())
def test_the_derivation_is_the_definition(made: tuple[dict[str, Province], list[tuple[str, str]]]) -> None:
    """W-8d: the quick derivation agrees with the rule's sentences asked pair by pair."""
    provinces, touching = made
    derived = derive_sea_borders(provinces, touching)
    assert all(border.fleet and not border.army for border in derived)
    assert {frozenset((b.a, b.b)) for b in derived} == borders_by_definition(provinces, touching)
    assert len(derived) == len({frozenset((b.a, b.b)) for b in derived})
