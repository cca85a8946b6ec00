"""What people and units are called after the land where they stand: ``the Greek army`` is the army in Greece."""

from __future__ import annotations

from collections.abc import Iterable

from legation.board import Board
from legation.notation.names import Names, fold

_CALLED = {
    "algiers": "algerian",
    "alsace": "alsatian",
    "aragon": "aragonese",
    "belgium": "belgian",
    "brittany": "breton",
    "burgundy": "burgundian",
    "cantons": "swiss",
    "castile": "castilian",
    "catalonia": "catalan",
    "cornwall": "cornish",
    "crete": "cretan",
    "denmark": "danish",
    "egypt": "egyptian",
    "finland": "finnish",
    "flanders": "flemish",
    "frisia": "frisian",
    "friesland": "frisian",
    "gascony": "gascon",
    "greece": "greek",
    "guyenne": "gascon",
    "holland": "dutch",
    "iceland": "icelandic",
    "ireland": "irish",
    "lombardy": "lombard",
    "lorraine": "lorrain",
    "lyons": "lyonnais",
    "morocco": "moroccan",
    "moscow": "muscovite",
    "naples": "neapolitan",
    "navarre": "navarrese",
    "normandy": "norman",
    "north africa": "north african",
    "norway": "norwegian",
    "orkney": "orcadian",
    "paris": "parisian",
    "picardy": "picard",
    "piedmont": "piedmontese",
    "poitou": "poitevin",
    "poland": "polish",
    "portugal": "portuguese",
    "provence": "provencal",
    "rome": "roman",
    "rumania": "romanian",
    "savoy": "savoyard",
    "saxony": "saxon",
    "scotland": "scottish",
    "sicily": "sicilian",
    "spain": "spanish",
    "sweden": "swedish",
    "switzerland": "swiss",
    "trieste": "triestine",
    "tunis": "tunisian",
    "tuscany": "tuscan",
    "tyrolia": "tyrolean",
    "ukraine": "ukrainian",
    "venice": "venetian",
    "vienna": "viennese",
    "wales": "welsh",
    "west wales": "west welsh",
}
"""Words of English that no rule makes, by the names of lands."""


def peoples(board: Board, powers: Names, places: Names) -> dict[str, str]:
    """The provinces by what is called after them; what is called after two, or means a power or a place, is left
    out."""
    return {said: key for said, key in _of_one_land(board).items() if not (powers.exact(said) or places.exact(said))}


def also_of_lands(board: Board, places: Names) -> dict[str, str]:
    """The lands whose peoples are called like another place: ``the Norwegian fleet`` may stand in Norway, too."""
    return {said: key for said, key in _of_one_land(board).items() if (known := places.exact(said)) and known != key}


def _of_one_land(board: Board) -> dict[str, str]:
    found: dict[str, set[str]] = {}
    for province in board.provinces.values():
        for said in () if province.sea else _called_after(fold(province.name)):
            found.setdefault(said, set()).add(province.id)
    return {said: next(iter(keys)) for said, keys in found.items() if len(keys) == 1}


def _called_after(name: str) -> Iterable[str]:
    """Names for what belongs to a land; a land whose name ends in ``a`` has an ``n`` more: Serbian."""
    if name in _CALLED:
        yield _CALLED[name]
    if name.endswith("a") and " " not in name:
        yield f"{name}n"
