"""Build sites besides the homes, each on a condition: partisans, alternative homes. No built-in variant uses it."""

from collections.abc import Mapping, Sequence

from legation.frozen import Frozen
from legation.judge import Rule, RulesError, Ruleset, UnitKind
from legation.judge.setting_names import PowerName
from legation.judge.slices import PROVINCE
from legation.position import Phase, Position


class FurtherSites(Rule):
    """A power can build in further provinces, on conditions.

    Settings, by power: ``always`` (provinces, centers or not, in which it can always build), ``partisans`` (provinces
    in which it can build while it owns some but not all of its homes), ``instead`` (provinces in which it can build
    while it owns the home named), ``alternatives`` (homes of its own that add no build: it can build in one only in
    place of another home of the list, or of any other if the list is empty, that it owns and that is and stays vacant).
    The slice ``further_sites`` has under ``standing`` the provinces that had a unit when adjustments began."""

    key = "further_sites"
    slice_form = Frozen({"standing?": (PROVINCE,)})
    slice_told = "has provinces under 'standing'"
    added_settings = frozenset(["alternatives"])

    def __init__(
        self,
        always: dict[PowerName, list[str]] | None = None,
        partisans: dict[PowerName, list[str]] | None = None,
        instead: dict[PowerName, dict[str, str]] | None = None,
        alternatives: dict[PowerName, dict[str, list[str]]] | None = None,
    ) -> None:
        self.always = always or {}
        self.partisans = partisans or {}
        self.instead = instead or {}
        self.alternatives = alternatives or {}
        if not (self.always or self.partisans or self.instead or self.alternatives):
            raise RulesError("give always, partisans, instead or alternatives")

    def faults(self, rules: Ruleset) -> Sequence[str]:
        listed = [k for table in (self.always, self.partisans, self.instead) for keys in table.values() for k in keys]
        land = {key for key, province in rules.board.provinces.items() if not province.sea}
        faults = [f"{key!r} isn't a province on land" for key in listed if key not in land]
        homes = [("instead", power, home) for power, pairs in self.instead.items() for home in pairs.values()]
        for power, sites in self.alternatives.items():
            homes += [("alternatives", power, home) for site, others in sites.items() for home in (site, *others)]
        return faults + [
            f"{setting}: {home!r} isn't a home of {power}"
            for setting, power, home in homes
            if home not in rules.powers[power].homes
        ]

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

    def refuses_build(
        self, rules: Ruleset, position: Position, power: str, kind: UnitKind, province: str
    ) -> str | None:
        sites = self.alternatives.get(power)
        if not sites:
            return None
        kept = self._kept(position)
        opens = position.turn == rules.first_turn()
        standing = {*kept.get("standing", [unit.province for unit in rules.start] if opens else [])}
        occupied = {unit.province for unit in position.units} | {province}
        normal = [home for home in rules.homes(position, power) if home not in sites]
        free = {h for h in normal if position.owners.get(h) == power and h not in occupied}
        mine = {unit.province for unit in position.units_of(power)} | {province}
        built = [site for site in sites if site in mine and (site == province or site not in standing)]
        if _each_has_one({site: free & {*(sites[site] or normal)} for site in built}):
            return None
        return "a unit is built there only in place of one in another home that is owned and stays vacant"

    def settle(self, rules: Ruleset, position: Position) -> Position:
        if not self.alternatives:
            return position
        kept = {"standing": sorted(unit.province for unit in position.units)}
        return self._with_kept(position, kept)

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        name = rules.board.name_of
        text = [f"{power} also builds in {' or '.join(map(name, keys))}." for power, keys in self.always.items()]
        text += [
            f"{power} also builds in {' or '.join(map(name, keys))} while it owns some of its homes, but not all."
            for power, keys in self.partisans.items()
        ]
        for power, pairs in self.instead.items():
            text += [f"{power} also builds in {name(site)} while it owns {name(home)}." for site, home in pairs.items()]
        for power, listed in self.alternatives.items():
            for site, homes in listed.items():
                others = " or ".join(map(name, homes)) or "another home"
                text.append(
                    f"{power} builds in {name(site)} only for {others} that it owns and that is vacant and stays so."
                )
        return tuple(text)


def _each_has_one(wanted: Mapping[str, set[str]]) -> bool:
    """Whether every key can have one of its own values that no other key has."""
    taken: dict[str, str] = {}

    def give(key: str, tried: set[str]) -> bool:
        for value in sorted(wanted[key] - tried):
            tried.add(value)
            if value not in taken or give(taken[value], tried):
                taken[value] = key
                return True
        return False

    return all(give(key, set()) for key in wanted)
