"""Sites of builds beside the homes, each on a condition. No variant that ships has them; other systems call them
partisans and alternative homes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from legation.judge import Rule, RulesError
from legation.position import Phase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from legation.judge import Ruleset
    from legation.position import Position


class FurtherSites(Rule):
    """``always`` maps a power to provinces, centers or not, in which it builds whatever it owns; ``partisans`` to
    such in which it builds while it owns some of its homes, and not all of them; ``instead`` to provinces in which
    it builds in place of a home: while it owns that home."""

    key = "further_sites"

    def __init__(
        self,
        always: dict[str, list[str]] | None = None,
        partisans: dict[str, list[str]] | None = None,
        instead: dict[str, dict[str, str]] | None = None,
    ) -> None:
        self.always = always or {}
        self.partisans = partisans or {}
        self.instead = instead or {}
        if not (self.always or self.partisans or self.instead):
            raise RulesError("give always, partisans or instead")

    def faults(self, rules: Ruleset) -> Sequence[str]:
        listed = [
            (p, k) for table in (self.always, self.partisans, self.instead) for p, keys in table.items() for k in keys
        ]
        faults = [f"there is no power {power!r}" for power, _ in listed if power not in rules.powers]
        for _, key in listed:
            province = rules.board.provinces.get(key)
            if province is None or province.sea:
                faults.append(f"{key!r} is no province on land")
        for power, pairs in self.instead.items():
            homes = rules.powers[power].homes if power in rules.powers else ()
            faults += [f"instead: {home!r} is no home of {power}" for home in pairs.values() if home not in homes]
        return faults

    def extra_sites(self, rules: Ruleset, position: Position, power: str) -> tuple[str, ...]:
        if position.turn.phase is not Phase.ADJUSTMENTS:
            return ()
        homes = {*rules.powers[power].homes}
        owned = homes & {*position.centers_of(power)}
        sites = list(self.always.get(power, ()))
        if owned and owned != homes:
            sites += self.partisans.get(power, ())
        sites += [site for site, home in self.instead.get(power, {}).items() if home in owned]
        return tuple(sites)

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        def name(key: str) -> str:
            return rules.board.provinces[key].name

        text = [f"{power} also builds in {' or '.join(map(name, keys))}." for power, keys in self.always.items()]
        text += [
            f"{power} also builds in {' or '.join(map(name, keys))} while it owns some of its homes, but not all."
            for power, keys in self.partisans.items()
        ]
        for power, pairs in self.instead.items():
            text += [f"{power} also builds in {name(site)} while it owns {name(home)}." for site, home in pairs.items()]
        return tuple(text)
