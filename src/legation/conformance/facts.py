"""Facts that a case states: numbers and lists that a variant and its board must have (``docs/cases.md``)."""

from collections.abc import Callable, Mapping
from itertools import accumulate
from typing import Any

from legation.board import Province, Travel, province_of
from legation.judge import Ruleset, commitment
from legation.notation import OrderTextError

UNORDERED = frozenset("center_list reconstructed neutral capitals primary starts owned homes".split())


def find_fact(rules: Ruleset, key: str, wanted: Any) -> tuple[Any, Any] | None:
    """Return what a case states of ``key`` and what the variant has, to be compared; None for a key that no case
    has."""
    if (find := FACTS.get(key)) is None:
        return None
    actual = find(rules, wanted)
    return (_sorted(wanted), _sorted(actual)) if key in UNORDERED else (wanted, actual)


def _sorted(stated: Any) -> Any:
    return {power: sorted(listed) for power, listed in stated.items()} if isinstance(stated, dict) else sorted(stated)


def _provinces(rules: Ruleset, holds: Callable[[Province], bool]) -> list[str]:
    return [p.id for p in rules.board.provinces.values() if holds(p)]


def _coasts(rules: Ruleset) -> dict[str, list[str]]:
    return {p.id: list(p.coasts) for p in rules.board.provinces.values() if p.coasts}


def _neutral(rules: Ruleset, _: Any) -> list[str]:
    return [center for center in rules.board.centers if center not in rules.opening().owners]


def _lands(rules: Ruleset, _: Any) -> dict[str, list[str]]:
    lands: dict[str, list[str]] = {}
    for province in sorted(_provinces(rules, lambda p: bool(p.region))):
        lands.setdefault(rules.board.provinces[province].region, []).append(province)
    return lands


def _names(rules: Ruleset, wanted: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """The first of each is the name itself, which is also what prefixes are held against."""
    return {
        p: [rules.board.provinces[p].name] + [text for text in texts[1:] if province_of(_place(rules, text)) == p]
        for p, texts in wanted.items()
    }


def _borders(rules: Ruleset, travel: Travel, wanted: list[str]) -> list[str]:
    """The pairs (``a - b``) of which one reaches the second place from the first."""
    pairs = {pair: pair.split(" - ") for pair in wanted}
    return [pair for pair, (start, end) in pairs.items() if end in rules.board.reach(travel, start)]


def _turns(rules: Ruleset, wanted: list[str]) -> list[str]:
    turns = accumulate(wanted[1:], lambda turn, _: rules.next_turn(turn), initial=rules.first_turn())
    return [*map(str, turns)]


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


FACTS: Mapping[str, Callable[[Ruleset, Any], Any]] = {
    # of the whole board
    "provinces": lambda rules, _: len(rules.board.provinces),
    "seas": lambda rules, _: len(_provinces(rules, lambda p: p.sea)),
    "centers": lambda rules, _: len(rules.board.centers),
    "neutrals": lambda rules, _: len(_neutral(rules, _)),
    "center_list": lambda rules, _: rules.board.centers,
    "reconstructed": lambda rules, _: _provinces(rules, lambda p: p.center and p.source == "reconstructed"),
    "two_coasts": lambda rules, _: _coasts(rules),
    "lands": _lands,
    "capitals": lambda rules, _: _provinces(rules, lambda p: p.capital),
    "primary": lambda rules, _: _provinces(rules, lambda p: p.primary),
    # of the places that the case names
    "names": _names,
    "coasts": lambda rules, wanted: {p: coasts for p, coasts in _coasts(rules).items() if p in wanted},
    "no_center": lambda rules, wanted: [p for p in wanted if not rules.board.provinces[p].center],
    "absent": lambda rules, wanted: [p for p in wanted if p not in rules.board.provinces],
    "present": lambda rules, wanted: [p for p in wanted if p in rules.board.provinces],
    "land_borders": lambda rules, wanted: _borders(rules, "army", wanted),
    "fleet_borders": lambda rules, wanted: _borders(rules, "fleet", wanted),
    "no_borders": lambda rules, wanted: [
        pair for pair in wanted if pair.split(" - ")[1] not in rules.board.adjacent(pair.split(" - ")[0])
    ],
    "regions": lambda rules, wanted: {p: rules.board.provinces[p].region for p in wanted},
    "area_of": lambda rules, wanted: {p: rules.board.provinces[p].area for p in wanted},
    # of the opening
    "opening": lambda rules, _: str(rules.opening().turn),
    "starts": lambda rules, wanted: {p: [str(u) for u in rules.opening().units_of(p)] for p in wanted},
    "owned": lambda rules, wanted: {p: rules.opening().centers_of(p) for p in wanted},
    "neutral": _neutral,
    "homes": lambda rules, wanted: {p: rules.homes(rules.opening(), p) for p in wanted},
    # of the rules
    "powers": lambda rules, _: list(rules.powers),
    "called": lambda rules, wanted: {
        p: [text for text in texts if _power(rules, text) == p] for p, texts in wanted.items()
    },
    "options": lambda rules, wanted: {name: rules.defaults.get(name) for name in wanted},
    "readings": lambda rules, wanted: {o.name: list(o.readings) for o in rules.declared_options if o.name in wanted},
    "turns": _turns,
    "commitment": lambda rules, wanted: {seed: commitment(seed) for seed in wanted},
}
"""By key, what the variant has of it."""
