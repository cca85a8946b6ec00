"""Homes gained during a game. No built-in variant uses it."""

from typing import Any

from legation.frozen import Frozen
from legation.judge import Aftermath, Rule, RulesError, Ruleset, UnitKind
from legation.judge.setting_names import CenterId, PowerName
from legation.judge.slices import CENTER, COUNT, POWER, PROVINCE
from legation.position import Phase, Position


class GainedHomes(Rule):
    """Centers become homes of their owners, in addition to those that these have.

    Settings: ``years`` (all centers that a power owns when centers change hands in one of them), ``held`` (every center
    that it has owned that many times in a row when they did), ``claims`` (by power, centers in which it can build once
    it owns them; the first build there makes one a home), ``any_claims`` (by power, in how many owned centers of its
    choice it can build so), ``only`` (once any home is gained, those of the variant file no longer count)."""

    key = "gained_homes"
    slice_form = Frozen(
        {
            "homes?": {POWER: (CENTER,)},
            "held?": {CENTER: (POWER, COUNT)},
            "claimed?": {POWER: COUNT},
            "standing?": (PROVINCE,),
        }
    )
    slice_told = (
        "has lists of homes by power under 'homes', under 'held' by center its owner and how many times, numbers by "
        "power under 'claimed', and provinces under 'standing'"
    )
    added_settings = frozenset(["any_claims", "claims"])
    replaces = frozenset({"homes"})

    def __init__(
        self,
        years: list[int] | None = None,
        held: int = 0,
        only: bool = False,
        claims: dict[PowerName, list[CenterId]] | None = None,
        any_claims: dict[PowerName, int] | None = None,
    ) -> None:
        self.years = years or []
        self.held = held
        self.only = only
        self.claims = claims or {}
        self.any_claims = any_claims or {}
        if any(number < 1 for number in self.any_claims.values()):
            raise RulesError("any_claims: numbers from 1")
        if held < 0 or not (self.years or held or self.claims or self.any_claims):
            raise RulesError("give years, how many times a center is to be held, or claims")

    def homes(self, rules: Ruleset, position: Position, power: str) -> tuple[str, ...]:
        gained: dict[str, list[str]] = self._kept(position).get("homes", {})
        own = () if self.only and gained else rules.powers[power].homes
        return tuple(dict.fromkeys([*own, *gained.get(power, ())]))

    def extra_sites(self, rules: Ruleset, position: Position, power: str) -> tuple[str, ...]:
        if self._open(rules, position, power) > 0:
            return position.centers_of(power)
        return tuple(c for c in self.claims.get(power, ()) if position.owners.get(c) == power)

    def refuses_build(
        self, rules: Ruleset, position: Position, power: str, kind: UnitKind, province: str
    ) -> str | None:
        if power not in self.any_claims or province in (
            *self.homes(rules, position, power),
            *self.claims.get(power, ()),
        ):
            return None
        if self._open(rules, position, power) > 0:
            return None
        named = rules.named(power)
        return f"{named} {named:has|have} claimed as many homes as allowed"

    def _open(self, rules: Ruleset, position: Position, power: str) -> int:
        """In how many centers that aren't homes a power may still build."""
        if power not in self.any_claims or position.turn.phase is not Phase.ADJUSTMENTS:
            return 0
        kept = self._kept(position)
        at_first = [unit.province for unit in rules.start] if position.turn == rules.first_turn() else []
        built = self._away(rules, position, power) - {*kept.get("standing", at_first)}
        return self.any_claims[power] - int(kept.get("claimed", {}).get(power, 0)) - len(built)

    def _away(self, rules: Ruleset, position: Position, power: str) -> set[str]:
        """Where a power's units stand on centers of its own that aren't homes, nor claims of its own list."""
        known = {*self.homes(rules, position, power), *self.claims.get(power, ())}
        return {u.province for u in position.units_of(power)} & {*position.centers_of(power)} - known

    def after(self, rules: Ruleset, aftermath: Aftermath) -> None:
        """Make homes of the claimed centers in which something was built."""
        if not (self.claims or self.any_claims) or aftermath.before.turn.phase is not Phase.ADJUSTMENTS:
            return
        kept = self._kept(aftermath)
        homes: dict[str, list[str]] = {power: [*centers] for power, centers in kept.get("homes", {}).items()}
        before = {unit.province for unit in aftermath.before.units}
        for power, claims in self.claims.items():
            built = {unit.province for unit in aftermath.units if unit.power == power} - before
            claimed = [c for c in claims if c in built and c not in homes.get(power, ())]
            if claimed:
                homes[power] = sorted([*homes.get(power, ()), *claimed])
        numbers: dict[str, int] = dict(kept.get("claimed", {}))
        for power in self.any_claims:
            claimed = sorted(self._away(rules, aftermath.position, power) - before)
            if claimed:
                homes[power] = sorted([*homes.get(power, ()), *claimed])
                numbers[power] = numbers.get(power, 0) + len(claimed)
        if numbers:
            kept = {**kept, "claimed": dict(sorted(numbers.items()))}
        if homes:
            aftermath.slices[self.key] = {**kept, "homes": dict(sorted(homes.items()))}

    def settle(self, rules: Ruleset, position: Position) -> Position:
        before = self._kept(position)
        homes: dict[str, list[str]] = {power: [*centers] for power, centers in before.get("homes", {}).items()}
        held: dict[str, list[Any]] = {}
        for center, power in sorted(position.owners.items()):
            last, times = before.get("held", {}).get(center, ["", 0])
            held[center] = [power, times + 1 if last == power else 1]
            gained = position.turn.year in self.years or 0 < self.held <= held[center][1]
            if gained and center not in homes.setdefault(power, []):
                homes[power].append(center)
        kept: dict[str, Any] = {
            "homes": {p: sorted(c) for p, c in sorted(homes.items())},
            **({"held": held} if self.held else {}),
        }
        if self.any_claims:
            kept["standing"] = sorted(unit.province for unit in position.units)
            kept["claimed"] = before.get("claimed", {})
        return self._with_kept(position, kept)

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        text = ["A power builds in the vacant home centers that it owns."]
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
        for power, number in self.any_claims.items():
            many = "one center of its own that isn't a home" if number == 1 else f"{number} centers of its own"
            text.append(f"{power} may build in {many}, whichever it is; the build makes it a home.")
        if self.only:
            text.append("Once a power has gained homes, its original homes no longer count.")
        return tuple(text)
