"""The variant Classic, which others extend, where its folder is not at hand: it is the standard game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from legation.board.model import COAST_NAMES, province_of
from legation.interop.record import Nation, StartingUnit
from legation.judge import Ruleset
from legation.variants import STANDARD, load, names

NAME = "Classic"


def standard() -> Ruleset:
    """The standard game."""
    return load(STANDARD)


def territories() -> Iterator[tuple[str, str, bool, str]]:
    """The territories: name, kind, whether it is a center, country."""
    rules = standard()
    owners = {home: power.name for power in rules.powers.values() for home in power.homes}
    for province in rules.board.provinces.values():
        kind = "Sea" if province.sea else "Coast" if province.shore or province.coasts else "Land"
        yield province.name, kind, province.center, owners.get(province.id, "Neutral")
        for coast in province.coasts:
            yield name_of(rules, f"{province.id}/{coast}"), "Coast", False, "Neutral"


def pairs() -> Iterator[tuple[str, str, bool, bool]]:
    """The borders: from, to, whether fleets pass, whether armies pass."""
    rules = standard()
    for border in rules.board.borders:
        yield name_of(rules, border.a), name_of(rules, border.b), border.fleet, border.army


def units() -> dict[str, list[StartingUnit]]:
    """The starting units by country; they stand in places called as in :func:`territories`."""
    rules = standard()
    kinds = {"A": "army", "F": "fleet"}
    found: dict[str, list[StartingUnit]] = {}
    for unit in rules.start:
        found.setdefault(unit.power, []).append(StartingUnit(kinds[unit.kind], name_of(rules, unit.at)))
    return found


def countries() -> list[str]:
    """The countries in the order of their numbers."""
    return ["England", "France", "Italy", "Germany", "Austria", "Turkey", "Russia"]


def powers_on(board: str, keys: Mapping[str, str]) -> list[Nation]:
    """The powers of our game on a board of ours, with their units; ``keys`` are the source's for the provinces."""
    rules = load(board if board in names() else next(name for name in names() if load(name).board.name == board))
    kinds = {"A": "army", "F": "fleet"}
    return [
        Nation(
            name=power.name,
            adjective=power.adjective,
            homes=[keys[home] for home in power.homes],
            units=[
                StartingUnit(kinds[u.kind], keys[u.province] + u.at[len(u.province) :])
                for u in rules.start
                if u.power == power.name and u.kind in kinds
            ],
        )
        for power in rules.powers.values()
    ]


def name_of(rules: Ruleset, location: str) -> str:
    """A location as a territory is called: ``Spain (North Coast)``."""
    name = rules.board.provinces[province_of(location)].name
    coast = location.partition("/")[2]
    return f"{name} ({COAST_NAMES[coast].title()})" if coast else name
