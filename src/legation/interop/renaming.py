"""Other keys for the places of a record, wherever they stand: borders, powers, the picture, settings of rules."""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

import msgspec

from legation.board import province_of
from legation.interop.record import ForeignVariant, Place, SourcePicture

MARKED = re.compile(r"((?:[A-Z] )?)@([^@/]+(?:/[a-z]{2,3})?)")
"""A location among the settings of rules, with the kind of a unit before it."""


def rename_places(variant: ForeignVariant, ids: Mapping[str, str]) -> None:
    """Give places other keys, and coasts other codes where ``ids`` names any; what names no place of ``ids`` goes."""

    def at(location: str) -> str:
        key, slash, coast = location.partition("/")
        return ids.get(location) or ids.get(key, key) + slash + coast

    def coasts(key: str, place: Place) -> list[str]:
        return [at(f"{key}/{coast}").partition("/")[2] for coast in place.coasts]

    variant.places = {
        ids[key]: msgspec.structs.replace(place, key=ids[key], coasts=coasts(key, place))
        for key, place in variant.places.items()
    }
    variant.army = {(at(a), at(b)) for a, b in variant.army}
    variant.fleet = {(at(a), at(b)) for a, b in variant.fleet}
    for nation in variant.nations:
        nation.homes = [at(home) for home in nation.homes]
        nation.owned = None if nation.owned is None else [at(center) for center in nation.owned]
        nation.units = [msgspec.structs.replace(unit, at=at(unit.at)) for unit in nation.units]
    picture = variant.picture
    variant.picture = SourcePicture(
        shapes={ids[k]: v for k, v in picture.shapes.items() if k in ids},
        units={at(k): v for k, v in picture.units.items() if province_of(k) in ids},
        off_board=picture.off_board,
        waste=picture.waste,
    )
    _drop_terms(variant, ids)
    variant.rules = renamed(variant.rules, lambda place: at(place) if province_of(place) in ids else None)


def _drop_terms(variant: ForeignVariant, known: Collection[str]) -> None:
    """Leave out the terms of borders that name a place which is none: without it they would hold for more borders."""
    terms = variant.rules.get("border_terms", {})
    for kind, listed in list(terms.items()):
        terms[kind] = [
            term
            for term in listed
            if all(not at or at[1:] in known for at in (term.get("from"), term["to"], *term.get("owners", ())))
        ]
        if not terms[kind]:
            del terms[kind]
    if not terms:
        variant.rules.pop("border_terms", None)


def renamed(value: Any, new: Callable[[str], str | None]) -> Any:
    """Settings of rules with other locations, which importers mark as ``@par`` and ``F @stp/nc``; ``new`` gives the
    other one, or None where it goes, and what holds it with it."""
    return _marked_anew(value, lambda kind, at: None if (location := new(at)) is None else f"{kind}@{location}")


def without_marks(value: Any) -> Any:
    """Settings of rules without the marks of locations."""
    return _marked_anew(value, str.__add__)


def _marked_anew(value: Any, new: Callable[[str, str], str | None]) -> Any:
    if isinstance(value, dict):
        pairs = ((_marked_anew(key, new), _marked_anew(item, new)) for key, item in value.items())
        return {key: item for key, item in pairs if key is not None and item is not None}
    if isinstance(value, list):
        return [item for item in (_marked_anew(item, new) for item in value) if item is not None]
    match = MARKED.fullmatch(value) if isinstance(value, str) else None
    return new(*match.groups()) if match else value
