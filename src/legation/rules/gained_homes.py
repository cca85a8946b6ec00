"""Homes that are gained in the course of a game. No variant that ships has them; other systems play so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from legation.judge import Rule, RulesError
from legation.position import Phase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from legation.judge import Aftermath, Ruleset
    from legation.position import Position


class GainedHomes(Rule):
    """Homes that a power gains: all centers that it owns when centers change hands in one of the ``years``; with
    ``held``, every center that it has owned so many times one after the other when they did. What it had stays a
    home.

    ``claims``: by power, centers in which it may build once it owns them; the first build there makes one its home.

    With ``only`` the homes of the variant's file count no more once any were gained.
    """

    key = "gained_homes"
    added_settings = frozenset(["claims"])
    replaces = frozenset({"homes"})

    def __init__(
        self,
        years: list[int] | None = None,
        held: int = 0,
        only: bool = False,
        claims: dict[str, list[str]] | None = None,
    ) -> None:
        self.years = years or []
        self.held = held
        self.only = only
        self.claims = claims or {}
        if held < 0 or not (self.years or held or self.claims):
            raise RulesError("give years, how many times a center is to be held, or claims")

    def faults(self, rules: Ruleset) -> Sequence[str]:
        faults = [f"claims: there is no power {power!r}" for power in self.claims if power not in rules.powers]
        named = [center for centers in self.claims.values() for center in centers]
        return faults + [
            f"claims: {center!r} is no supply center" for center in named if center not in rules.board.centers
        ]

    def homes(self, rules: Ruleset, position: Position, power: str) -> tuple[str, ...]:
        gained: dict[str, list[str]] = position.slices.get(self.key, {}).get("homes", {})
        own = () if self.only and gained else rules.powers[power].homes
        return tuple(dict.fromkeys([*own, *gained.get(power, ())]))

    def build_sites(self, rules: Ruleset, position: Position, power: str) -> tuple[str, ...]:
        return tuple(home for home in self.homes(rules, position, power) if position.owners.get(home) == power)

    def extra_sites(self, rules: Ruleset, position: Position, power: str) -> tuple[str, ...]:
        return tuple(c for c in self.claims.get(power, ()) if position.owners.get(c) == power)

    def after(self, rules: Ruleset, aftermath: Aftermath) -> None:
        """Make homes of the claimed centers in which something was built."""
        if not self.claims or aftermath.before.turn.phase is not Phase.ADJUSTMENTS:
            return
        kept: dict[str, Any] = aftermath.slices.get(self.key, {})
        homes: dict[str, list[str]] = {power: [*centers] for power, centers in kept.get("homes", {}).items()}
        before = {unit.province for unit in aftermath.before.units}
        for power, claims in self.claims.items():
            built = {unit.province for unit in aftermath.units if unit.power == power} - before
            claimed = [c for c in claims if c in built and c not in homes.get(power, ())]
            if claimed:
                homes[power] = sorted([*homes.get(power, ()), *claimed])
        if homes:
            aftermath.slices[self.key] = {**kept, "homes": dict(sorted(homes.items()))}

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
        for power, centers in self.claims.items():
            names = " or ".join(rules.board.name_of(center) for center in centers)
            text.append(f"{power} may build in {names} while it owns it; the first build there makes it a home.")
        if self.only:
            text.append("The homes of the beginning count no more once any were gained.")
        return tuple(text)
