"""Checks for clauses that no position can prove: what the atlas makes of a variant (W-24, W-25).

A check takes a variant's name and says what does not hold. :data:`CHECKS` lists them by clause; the variants are those
for which the clause is listed."""

import re
from collections.abc import Callable, Mapping

from legation.atlas import NoMapError, for_variant, moves_page
from legation.board import ARMY, FLEET
from legation.formats import decode_json
from legation.variants import load


def moves_browser(variant: str) -> list[str]:
    """The page of moves knows every place, and where an army there, or a fleet on each coast or at sea, may go."""
    rules = load(variant)
    try:
        page = moves_page(for_variant(variant))
    except NoMapError as error:
        return [str(error)]
    embedded = re.search(r'<script type="application/json" id="board">(.*?)</script>', page, re.DOTALL)
    if embedded is None:
        return ["the page has no board"]
    places = decode_json(embedded[1])["places"]
    board = rules.board
    problems = [f"{name} is not in the page" for name in board.provinces if name not in places]
    for name in places.keys() & board.provinces.keys():
        province = board.provinces[name]
        if places[name]["name"] != province.name:
            problems.append(f"{name} is called {places[name]['name']!r}")
        army = None if province.sea else set(board.reach(ARMY, name))
        if (None if places[name]["army"] is None else set(places[name]["army"])) != army:
            problems.append(f"an army in {name} goes elsewhere in the page")
        fleets = {at: set(board.reach(FLEET, at)) for at in province.locations if board.stands(FLEET, at)}
        if {at: set(to) for at, to in places[name]["fleet"].items()} != fleets:
            problems.append(f"a fleet in {name} goes elsewhere in the page")
    return problems


def three_maps(variant: str) -> list[str]:
    """The start with control, the start with control and units, and the bare board: each shows just that."""
    rules = load(variant)
    try:
        atlas = for_variant(variant)
    except NoMapError as error:
        return [str(error)]
    start = rules.opening()
    problems = []
    for control, units in ((True, False), (True, True), (False, False)):
        svg = atlas.svg(start, title=rules.title, control=control, units=units, legend=False)
        kind = f"with{'' if control else 'out'} control, with{'' if units else 'out'} units"
        shown = len(re.findall(rf'href="#u-({"|".join(rules.kinds)})"', svg))
        if shown != (len(start.units) if units else 0):
            problems.append(f"the map {kind} shows {shown} units")
        painted = len(re.findall(r'class="k\d', svg))
        if control != (painted >= len(start.owners) > 0):
            problems.append(f"the map {kind} colors {painted} provinces")
    return problems


CHECKS: Mapping[str, Mapping[str, Callable[[str], list[str]]]] = {
    "W-24": {"check: the page of moves": moves_browser},
    "W-25": {"check: three maps of the start": three_maps},
}
