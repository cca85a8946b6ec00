"""Facts that a case states: numbers and lists that a variant and its board must have (``docs/cases.md``)."""

from __future__ import annotations

from typing import Any

import msgspec

from legation.board import Board, Travel, province_of
from legation.judge import Ruleset, commitment
from legation.notation import OrderTextError

UNORDERED = frozenset("center_list reconstructed neutral capitals primary starts owned homes".split())


def find_fact(rules: Ruleset, key: str, wanted: Any) -> tuple[Any, Any] | None:
    """Return what a case states of ``key`` and what the variant has, to be compared; None for a key that no case
    has."""
    for find in (_counted, _listed, _told_of, _of_opening, _of_rules):
        actual = find(rules, key, wanted)
        if actual is not msgspec.UNSET:
            return (_sorted(wanted), _sorted(actual)) if key in UNORDERED else (wanted, actual)
    return None


def _sorted(stated: Any) -> Any:
    return {power: sorted(listed) for power, listed in stated.items()} if isinstance(stated, dict) else sorted(stated)


def _counted(rules: Ruleset, key: str, wanted: Any) -> Any:
    board = rules.board
    match key:
        case "provinces":
            return len(board.provinces)
        case "seas":
            return sum(p.sea for p in board.provinces.values())
        case "centers":
            return len(board.centers)
        case "neutrals":
            return sum(c not in rules.opening().owners for c in board.centers)
    return msgspec.UNSET


def _listed(rules: Ruleset, key: str, wanted: Any) -> Any:
    """What the whole board has of something."""
    board = rules.board
    provinces = board.provinces.values()
    match key:
        case "center_list":
            return board.centers
        case "reconstructed":
            return [c for c in board.centers if board.provinces[c].source == "reconstructed"]
        case "two_coasts":
            return {p.id: list(p.coasts) for p in provinces if p.coasts}
        case "lands":
            lands = {p.region for p in provinces if p.region}
            return {land: sorted(p.id for p in provinces if p.region == land) for land in lands}
        case "capitals":
            return [p.id for p in provinces if p.capital]
        case "primary":
            return [p.id for p in provinces if p.primary]
    return msgspec.UNSET


def _told_of(rules: Ruleset, key: str, wanted: Any) -> Any:
    """What the board has of the places that the case names."""
    board = rules.board
    match key:
        case "names":  # the first is the name itself, which is also what prefixes are held against
            return {
                p: [board.provinces[p].name] + [text for text in texts[1:] if province_of(_place(rules, text)) == p]
                for p, texts in wanted.items()
            }
        case "coasts":
            return {p.id: list(p.coasts) for p in board.provinces.values() if p.coasts and p.id in wanted}
        case "no_center":
            return [p for p in wanted if not board.provinces[p].center]
        case "absent":
            return [p for p in wanted if p not in board.provinces]
        case "present":
            return [p for p in wanted if p in board.provinces]
        case "land_borders":
            return [pair for pair in wanted if _borders(board, "army", pair)]
        case "fleet_borders":
            return [pair for pair in wanted if _borders(board, "fleet", pair)]
        case "no_borders":
            return [pair for pair in wanted if pair.split(" - ")[1] not in board.adjacent(pair.split(" - ")[0])]
        case "regions":
            return {p: board.provinces[p].region for p in wanted}
        case "area_of":
            return {p: board.provinces[p].area for p in wanted}
    return msgspec.UNSET


def _of_opening(rules: Ruleset, key: str, wanted: Any) -> Any:
    opening = rules.opening()
    match key:
        case "opening":
            return str(opening.turn)
        case "starts":
            return {power: [str(u) for u in opening.units_of(power)] for power in wanted}
        case "owned":
            return {power: opening.centers_of(power) for power in wanted}
        case "neutral":
            return [c for c in rules.board.centers if c not in opening.owners]
        case "homes":
            return {power: rules.homes(opening, power) for power in wanted}
    return msgspec.UNSET


def _of_rules(rules: Ruleset, key: str, wanted: Any) -> Any:
    match key:
        case "powers":
            return list(rules.powers)
        case "called":
            return {p: [text for text in texts if _power(rules, text) == p] for p, texts in wanted.items()}
        case "options":
            return {name: rules.defaults.get(name) for name in wanted}
        case "readings":
            return {o.name: list(o.readings) for o in rules.declared_options if o.name in wanted}
        case "turns":
            turn = rules.first_turn()
            listed = [str(turn)]
            while len(listed) < len(wanted):
                turn = rules.next_turn(turn)
                listed.append(str(turn))
            return listed
        case "commitment":
            return {seed: commitment(seed) for seed in wanted}
    return msgspec.UNSET


def _borders(board: Board, travel: Travel, pair: str) -> bool:
    """Whether one reaches the second place of a pair (``a - b``) from the first."""
    start, end = pair.split(" - ")
    return end in board.reach(travel, start)


def _place(rules: Ruleset, text: str) -> str:
    try:
        return rules.reader.location(text)
    except OrderTextError:
        return ""


def _power(rules: Ruleset, text: str) -> str:
    try:
        return rules.reader.power(text)
    except OrderTextError:
        return ""
