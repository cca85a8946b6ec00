"""Sea areas: which regions border which, derived from areas, members and touching (W-8a to W-8d).

The board file states only which regions touch on the map. A *local* region borders the other regions of its area, each
region of another area that it touches together with that area's primary region, and the coasts it touches. A *primary*
region borders whatever its area as a whole borders: the local regions of other areas that touch the area, their primary
regions, and every coast on it."""

from collections.abc import Iterable, Mapping
from itertools import combinations

from legation.board.model import Board, Border, Province, province_of


def derive_sea_borders(provinces: Mapping[str, Province], touching: Iterable[tuple[str, str]]) -> list[Border]:
    """All fleet borders of sea regions that follow from what touches (W-8b, W-8c).

    ``touching`` holds pairs of locations of which at least one is a sea region; regions without an area stand for
    themselves."""
    area = {p.id: p.area or p.id for p in provinces.values() if p.sea}
    primary = {area[p.id]: p.id for p in provinces.values() if p.sea and (p.primary or not p.area)}
    members: dict[str, list[str]] = {}
    for sea, name in area.items():
        members.setdefault(name, []).append(sea)
    pairs = {pair for seas in members.values() for pair in combinations(seas, 2)}  # every other region of its area
    for a, b in touching:
        ends = [end for end in (a, b) if province_of(end) in area]
        if len(ends) == 2:
            if area[a] == area[b]:
                continue
            pairs.add((a, b))
            for local, other in ((a, b), (b, a)):  # and the primary region of the area that it touches
                if area[other] in primary:
                    pairs.add((local, primary[area[other]]))
            if area[a] in primary and area[b] in primary:
                pairs.add((primary[area[a]], primary[area[b]]))
        else:
            sea = ends[0]
            coast = b if sea == a else a
            pairs.add((sea, coast))
            if area[sea] in primary:
                pairs.add((primary[area[sea]], coast))
    return [Border(a, b, army=False, fleet=True) for a, b in sorted({(min(p), max(p)) for p in pairs}) if a != b]


def lonely_passages(board: Board) -> list[Border]:
    """Fleets' passages from shore to shore along no sea that both touch: a board must declare them."""
    return [
        border
        for border in board.borders
        if border.fleet
        and not any(board.provinces[end].sea for end in border.pair)
        and not board.seas[border.a] & board.seas[border.b]
    ]
