"""Anarchy: what becomes of a power that has lost all its homes (K-13)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from legation.board import province_of
from legation.judge import Module
from legation.position import Phase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from legation.judge import Aftermath, Ruleset
    from legation.position import Position


class Anarchy(Module):
    """A power that owns none of its homes when centers have changed hands has one movement season to stand in one of them; else it is in anarchy.

    Its slice lists the powers in ``grace`` and in ``anarchy``. A power whose home is its own again at a later adjustment is free of both.
    """

    key = "anarchy"

    def _state(self, position: Position) -> dict[str, list[str]]:
        state: dict[str, Any] = position.slices.get(self.key, {})
        return {"grace": list(state.get("grace", ())), "anarchy": list(state.get("anarchy", ()))}

    def slice_faults(self, rules: Ruleset, kept: Any) -> Sequence[str]:
        if not isinstance(kept, dict) or kept.keys() - {"grace", "anarchy"}:
            return ["has lists of powers under 'grace' and 'anarchy'"]
        return [
            f"{key} lists powers of this variant"
            for key, listed in kept.items()
            if not isinstance(listed, list) or not all(isinstance(p, str) and p in rules.powers for p in listed)
        ]

    def settle(self, rules: Ruleset, position: Position) -> Position:
        state = self._state(position)
        for power in rules.powers:
            homes = rules.homes(position, power)
            owned = position.centers_of(power)
            if not homes or not owned or any(position.owners.get(h) == power for h in homes):
                for listed in state.values():
                    if power in listed:
                        listed.remove(power)
            elif power not in state["anarchy"] and power not in state["grace"]:
                state["grace"].append(power)
        return msgspec.structs.replace(position, slices={**position.slices, self.key: state})

    def after(self, rules: Ruleset, aftermath: Aftermath) -> None:
        """At the end of a movement season the grace ends."""
        phase = aftermath.before.turn.phase
        retreating = any(aftermath.retreats.values())
        if phase is not Phase.RETREATS and (phase is not Phase.MOVEMENT or retreating):
            return
        state = self._state(aftermath.before)
        if not state["grace"]:
            return
        for power in state["grace"]:
            homes = rules.homes(aftermath.before, power)
            if not any(u.power == power and province_of(u.at) in homes for u in aftermath.units):
                state["anarchy"].append(power)
        state["grace"] = []
        aftermath.slices[self.key] = state

    def refuses_orders(self, rules: Ruleset, position: Position, power: str) -> str | None:
        if power in position.slices.get(self.key, {}).get("anarchy", ()):
            return f"{power} is in anarchy"
        return None

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return (
            "A power that has lost all its home centers when centers change hands has the movement season that follows to retake one. Decided: standing in one at the end of that season counts.",
            "If it fails it is in anarchy: its units hold, may be supported, are destroyed when dislodged, and it builds nothing. Decided: removals that fall due are made for it by the rule for civil disorder.",
            "It still survives until it has lost every center. Decided: anarchy ends when one of its home centers is its own again at an adjustment; a power in anarchy still has its voice when a draw is asked for.",
        )
