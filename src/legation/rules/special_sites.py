"""Build sites that are no power's home, open to some powers (K-4)."""

from collections.abc import Sequence

from legation.judge import DenseForm, Rule, Ruleset, UnitKind
from legation.judge.setting_names import CenterId, KindCode, PowerName
from legation.notation import capital
from legation.position import Phase, Position


class SpecialSites(Rule):
    """Some powers can also build in certain centers once they own them.

    Settings: ``sites`` (by power, these centers), ``kinds`` (by center, the codes of the units that can be built there;
    all by default)."""

    key = "special_sites"
    dense_form = DenseForm()

    def __init__(
        self, sites: dict[PowerName, list[CenterId]], kinds: dict[CenterId, list[KindCode]] | None = None
    ) -> None:
        self.sites = sites
        self.only = kinds or {}

    def faults(self, rules: Ruleset) -> Sequence[str]:
        faults = []
        for site, codes in self.only.items():
            if not any(site in sites for sites in self.sites.values()):
                faults.append(f"kinds: {site!r} is not among the sites")
            if not codes:
                faults.append(f"kinds: nothing may be built in {site!r}; leave it out of the sites")
        return faults

    def extra_sites(self, rules: Ruleset, position: Position, power: str) -> tuple[str, ...]:
        if position.turn.phase is not Phase.ADJUSTMENTS:
            return ()
        return tuple(s for s in self.sites.get(power, ()) if position.owners.get(s) == power)

    def refuses_build(
        self, rules: Ruleset, position: Position, power: str, kind: UnitKind, province: str
    ) -> str | None:
        if province in self.sites.get(power, ()) and kind.code not in self.only.get(province, [kind.code]):
            return f"only {' or '.join(self.only[province])} may be built there"
        return None

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return tuple(
            capital(
                f"{rules.named(power)} may also build in {rules.board.provinces[site].name}, once owned and vacant: "
                f"{self._kinds_in_words(rules, site)}."
            )
            for power, sites in self.sites.items()
            for site in sites
        )

    def _kinds_in_words(self, rules: Ruleset, site: str) -> str:
        if site in self.only:
            return f"{' or '.join(rules.kinds[code].name for code in self.only[site])} only"
        return "fleets too" if rules.board.provinces[site].shore else "armies only"
