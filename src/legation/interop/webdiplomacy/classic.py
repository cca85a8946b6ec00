"""The variant Classic, which others extend, where its folder is not at hand: it is the standard game."""

from collections.abc import Iterator, Mapping

from legation.board.model import COAST_NAMES, province_of
from legation.interop.record import KINDS, Nation, StartingUnit
from legation.judge import Ruleset
from legation.variants import STANDARD, load, names

NAME = "Classic"
COUNTRIES = ["England", "France", "Italy", "Germany", "Austria", "Turkey", "Russia"]
"""In the order of their numbers."""


def territories() -> Iterator[tuple[str, str, bool, str]]:
    """The territories: name, kind, whether it is a center, country."""
    rules = load(STANDARD)
    owners = {home: power.name for power in rules.powers.values() for home in power.homes}
    for province in rules.board.provinces.values():
        kind = "Sea" if province.sea else "Coast" if province.shore or province.coasts else "Land"
        yield province.name, kind, province.center, owners.get(province.id, "Neutral")
        for coast in province.coasts:
            yield name_of(rules, f"{province.id}/{coast}"), "Coast", False, "Neutral"


def pairs() -> Iterator[tuple[str, str, bool, bool]]:
    """The borders: from, to, whether fleets pass, whether armies pass."""
    rules = load(STANDARD)
    for border in rules.board.borders:
        yield name_of(rules, border.a), name_of(rules, border.b), border.fleet, border.army


def units() -> dict[str, dict[str, str]]:
    """The kinds of the starting units by country and territory."""
    rules = load(STANDARD)
    return {
        power: {name_of(rules, unit.at): KINDS[unit.kind] for unit in rules.start if unit.power == power}
        for power in dict.fromkeys(unit.power for unit in rules.start)
    }


def powers_on(board: str, keys: Mapping[str, str]) -> list[Nation]:
    """The powers of our game on a board of ours, with their units; ``keys`` are the source's for the provinces."""
    rules = load(board if board in names() else next(name for name in names() if load(name).board.name == board))
    return [
        Nation(
            name=power.name,
            adjective=power.adjective,
            homes=[keys[home] for home in power.homes],
            units=[
                StartingUnit(KINDS[u.kind], keys[u.province] + u.at[len(u.province) :])
                for u in rules.start
                if u.power == power.name and u.kind in KINDS
            ],
        )
        for power in rules.powers.values()
    ]


def name_of(rules: Ruleset, location: str) -> str:
    """A location as a territory is called: ``Spain (North Coast)``."""
    name = rules.board.provinces[province_of(location)].name
    coast = location.partition("/")[2]
    return f"{name} ({COAST_NAMES[coast].title()})" if coast else name
