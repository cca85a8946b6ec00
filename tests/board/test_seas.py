"""Sea areas: who borders whom follows from what touches (W-8b to W-8d)."""

from collections.abc import Iterable, Mapping
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from legation.board import Province, province_of
from legation.board.seas import derive_sea_borders


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
