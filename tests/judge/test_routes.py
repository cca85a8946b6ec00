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


def lines(rules: Ruleset, fleets: list[str]) -> list[tuple[str, ...]]:
    """All sequences of fleets in which each touches the next and no other after it."""
    by_sea = rules.tables.by_sea
    return [
        line
        for length in range(1, len(fleets) + 1)
        for line in permutations(fleets, length)
        if all((line[j] in by_sea[line[i]]) == (j == i + 1) for j in range(length) for i in range(j))
    ]


def chains(rules: Ruleset, tried: list[tuple[str, ...]], start: str, end: str) -> set[str]:
    """All fleets of chains from ``start`` to ``end``, found by trying every line of fleets: the start touches the first
    alone, and the last alone touches the end."""
    by_sea = rules.tables.by_sea
    found: set[str] = set()
    for line in tried:
        touched = [fleet in by_sea[start] for fleet in line]
        touching = [end in by_sea[fleet] for fleet in line]
        if touched[0] and touching[-1] and not any(touched[1:]) and not any(touching[:-1]):
            found |= set(line)
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
    tried, tried_lines = 0, lines(rules, fleets)
    for start in shores:
        routes = situation.routes(start)
        for end in shores:
            if start != end:
                tried += 1
                assert routes.get(end, frozenset()) == chains(rules, tried_lines, start, end), (start, end)
    assert tried
    assert any(situation.routes(start) for start in shores)
