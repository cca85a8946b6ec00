"""Homes that are gained in the course of a game. No variant that ships has them; other systems play so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from legation.judge import Rule, RulesError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from legation.judge import Ruleset
    from legation.position import Position


class GainedHomes(Rule):
    """Homes that a power gains: all centers that it owns when centers change hands in one of the ``years``; with
    ``held``, every center that it has owned so many times one after the other when they did. What it had stays a
    home.

    With ``only`` the homes of the variant's file count no more once any were gained.
    """

    key = "gained_homes"
    replaces = frozenset({"homes"})

    def __init__(self, years: list[int] | None = None, held: int = 0, only: bool = False) -> None:
        self.years = years or []
        self.held = held
        self.only = only
        if held < 0 or not (self.years or held):
            raise RulesError("give years, or how many times a center is to be held")

    def homes(self, rules: Ruleset, position: Position, power: str) -> tuple[str, ...]:
        gained: dict[str, list[str]] = position.slices.get(self.key, {}).get("homes", {})
        own = () if self.only and gained else rules.powers[power].homes
        return tuple(dict.fromkeys([*own, *gained.get(power, ())]))

    def build_sites(self, rules: Ruleset, position: Position, power: str) -> tuple[str, ...]:
        return tuple(home for home in self.homes(rules, position, power) if position.owners.get(home) == power)

    def settle(self, rules: Ruleset, position: Position) -> Position:
        before: dict[str, Any] = position.slices.get(self.key, {})
        homes: dict[str, list[str]] = {power: [*centers] for power, centers in before.get("homes", {}).items()}
        held: dict[str, list[Any]] = {}
        for center, power in sorted(position.owners.items()):
            last, times = before.get("held", {}).get(center, ["", 0])
            held[center] = [power, times + 1 if last == power else 1]
            gained = position.turn.year in self.years or 0 < self.held <= held[center][1]
            if gained and center not in homes.setdefault(power, []):
                homes[power].append(center)
        kept = {"homes": {p: sorted(c) for p, c in sorted(homes.items())}, **({"held": held} if self.held else {})}
        return msgspec.structs.replace(position, slices={**position.slices, self.key: kept})

    def slice_faults(self, rules: Ruleset, kept: Any) -> Sequence[str]:
        told = ["has lists of homes by power under 'homes', and under 'held' by center its owner and how many times"]
        if not isinstance(kept, dict) or kept.keys() - {"homes", "held"}:
            return told
        homes, held = kept.get("homes", {}), kept.get("held", {})
        fine = (
            isinstance(homes, dict)
            and isinstance(held, dict)
            and all(p in rules.powers and isinstance(listed, list) for p, listed in homes.items())
            and all(c in rules.board.centers for listed in homes.values() for c in listed)
            and all(
                c in rules.board.centers and isinstance(pair, list) and len(pair) == 2 and isinstance(pair[1], int)
                for c, pair in held.items()
            )
        )
        return () if fine else told

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        text = []
        if self.years:
            years = " and ".join(map(str, self.years))
            text.append(f"All centers that a power owns in the adjustments of {years} are its homes from then on.")
        if self.held:
            text.append(
                f"A center that a power owns {self.held} times one after the other when centers change hands becomes "
                "its home."
            )
        if self.only:
            text.append("The homes of the beginning count no more once any were gained.")
        return tuple(text)
