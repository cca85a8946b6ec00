"""The chains of fleets by which an army can go: none has a fleet that could be left out (DATC 6.F.12, 6.G.19)."""

from itertools import permutations

import pytest

from legation.judge import Ruleset, Situation
from legation.position import Phase, Position, Turn, Unit
from legation.variants import load
from tests.sampling import some

SEAS = {
    "standard": ["nth", "eng", "iri", "mao", "nwg", "nat", "ska", "bar"],
    "hundred": ["dov", "eng", "nth", "min", "was", "bis", "atl"],
}


def chains(rules: Ruleset, fleets: list[str], start: str, end: str) -> set[str]:
    """All fleets of chains from ``start`` to ``end``, found by trying every sequence of fleets."""
    by_sea = rules.tables.by_sea
    found: set[str] = set()
    for length in range(1, len(fleets) + 1):
        for chain in permutations(fleets, length):
            stations = (start, *chain, end)
            touching = {
                (i, j)
                for i in range(len(stations))
                for j in range(i + 1, len(stations))
                if (i, j) != (0, len(stations) - 1) and stations[j] in by_sea[stations[i]]
            }
            if touching == {(i, i + 1) for i in range(len(stations) - 1)}:
                found |= set(chain)
    return found


@pytest.mark.parametrize("name", some(SEAS, 2))
def test_routes_are_those_that_trying_every_chain_finds(name: str) -> None:
    rules = load(name)
    board = rules.board
    fleets = [sea for sea in SEAS[name] if sea in board.provinces][:5]
    power = next(iter(rules.powers))
    turn = Turn(rules.first_turn().season, rules.first_turn().year, Phase.MOVEMENT)
    position = Position(turn, tuple(Unit("F", sea, power) for sea in fleets))
    situation = Situation(rules, position)
    shores = [p.id for p in board.provinces.values() if p.shore]
    tried = 0
    for start in shores:
        routes = situation.routes(start)
        for end in shores:
            if start != end:
                tried += 1
                assert routes.get(end, frozenset()) == chains(rules, fleets, start, end), (start, end)
    assert tried
    assert any(situation.routes(start) for start in shores)
