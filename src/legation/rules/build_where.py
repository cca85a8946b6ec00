"""Builds in any owned center while a power owns one of its homes, or in any owned home of any power. No built-in
variant uses it."""

from collections.abc import Sequence

from legation.judge import Rule, RulesError, Ruleset
from legation.judge.setting_names import PowerName, ProvinceId
from legation.position import Phase, Position

SITES = ("while home", "any home")


class BuildWhere(Rule):
    """A power builds in vacant centers that it owns: in all of them while it owns one of its homes, or in those that
    are home to any power.

    Settings: ``sites`` (``"while home"`` or ``"any home"``), ``off_center`` (by power, further provinces, centers or
    not, in which it can build while it owns one of its homes)."""

    key = "build_where"
    replaces = frozenset({"homes"})

    def __init__(self, sites: str, off_center: dict[PowerName, list[ProvinceId]] | None = None) -> None:
        if sites not in SITES:
            raise RulesError(f"sites: is one of {', '.join(map(repr, SITES))}, not {sites!r}")
        self.sites = sites
        self.off_center = off_center or {}

    def faults(self, rules: Ruleset) -> Sequence[str]:
        listed = [key for keys in self.off_center.values() for key in keys]
        return [f"off_center: {key!r} is sea" for key in listed if rules.board.provinces[key].sea]

    def homes(self, rules: Ruleset, position: Position, power: str) -> tuple[str, ...]:
        return rules.powers[power].homes

    def _holds_home(self, rules: Ruleset, position: Position, power: str) -> bool:
        return any(position.owners.get(home) == power for home in rules.powers[power].homes)

    def build_sites(self, rules: Ruleset, position: Position, power: str) -> tuple[str, ...]:
        owned = position.centers_of(power)
        if self.sites == "any home":
            homes = {home for other in rules.powers.values() for home in other.homes}
            return tuple(center for center in owned if center in homes)
        return owned if self._holds_home(rules, position, power) else ()

    def extra_sites(self, rules: Ruleset, position: Position, power: str) -> tuple[str, ...]:
        if position.turn.phase is not Phase.ADJUSTMENTS or not self._holds_home(rules, position, power):
            return ()
        return tuple(self.off_center.get(power, ()))

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        text = {
            "while home": "A power builds in any vacant center that it owns, as long as it owns one of its homes.",
            "any home": "A power builds in any vacant center that it owns and that is a home of some power.",
        }
        told = [text[self.sites]]
        for power, keys in self.off_center.items():
            names = " or ".join(rules.board.provinces[key].name for key in keys)
            told.append(f"{power} may also build in {names} while it owns one of its homes.")
        return tuple(told)
