"""What a power sees of a position: the one filter through which documents, reports, maps, legal orders and explanations
go."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from legation.board import province_of
from legation.position import Position

if TYPE_CHECKING:
    from legation.judge.ruleset import Ruleset


def seen_position(rules: Ruleset, position: Position, power: str) -> Position:
    """A position as a power sees it: its own units and centers, and what is in the provinces that the rules let it see.

    The position itself where they hide nothing.
    """
    sees = rules.visible(position, power)
    if sees is None:
        return position
    keepers = {module.key: module for module in rules.modules}
    slices = {
        key: keepers[key].shown(rules, kept, power, sees) for key, kept in position.slices.items() if key in keepers
    }
    return Position(
        position.turn,
        tuple(u for u in position.units if u.power == power or u.province in sees),
        tuple(d for d in position.dislodged if d.unit.power == power or d.unit.province in sees),
        position.contested & sees,
        {center: owner for center, owner in position.owners.items() if owner == power or center in sees},
        {key: kept for key, kept in slices.items() if kept},
    )


def in_sight(rules: Ruleset, kept: Any, power: str, sees: frozenset[str]) -> Any:
    """What is left of a rule's slice: of lists and tables by province what is seen, of those by power what is the
    power's own."""
    if isinstance(kept, Mapping):
        return {
            key: in_sight(rules, entry, power, sees) for key, entry in kept.items() if _shown(rules, key, power, sees)
        }
    if isinstance(kept, tuple | list):
        return [in_sight(rules, entry, power, sees) for entry in kept if _shown(rules, entry, power, sees)]
    return kept


def _shown(rules: Ruleset, entry: Any, power: str, sees: frozenset[str]) -> bool:
    if isinstance(entry, str):
        if entry in rules.powers:
            return entry == power
        return province_of(entry) not in rules.board.provinces or province_of(entry) in sees
    if isinstance(entry, Mapping):  # such as a transfer from one power to another: shown to both
        named = [value for value in entry.values() if isinstance(value, str) and value in rules.powers]
        return not named or power in named
    return True
