"""Coasts from which fleets convoy. No built-in variant uses it."""

from collections.abc import Iterable, Sequence

from legation.judge import Rule, Ruleset
from legation.judge.setting_names import ProvinceId


class ConvoyingCoasts(Rule):
    """Fleets on some coasts convoy like fleets at sea. Armies board and land where that fleet could go.

    Settings: ``provinces`` (these coasts), ``all_coasts`` (every coastal province without separate coasts)."""

    key = "convoying_coasts"

    def __init__(self, provinces: list[ProvinceId] | None = None, all_coasts: bool = False) -> None:
        self.provinces = provinces or []
        self.all_coasts = all_coasts

    def faults(self, rules: Ruleset) -> Sequence[str]:
        faults: list[str] = []
        if bool(self.provinces) == self.all_coasts:
            faults.append("give either provinces or all_coasts = true")
        for key in self.provinces:
            province = rules.board.provinces[key]
            if province.sea or not province.shore:
                faults.append(f"provinces: {key!r} isn't a coast")
            elif province.coasts:
                faults.append(
                    f"provinces: {key!r} has several coasts, and a fleet on one does not reach the other's sea"
                )
        return faults

    def convoying(self, rules: Ruleset) -> Iterable[str]:
        if self.all_coasts:
            return [p.id for p in rules.board.provinces.values() if p.shore and not p.coasts]
        return [key for key in self.provinces if key in rules.board.provinces]

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        if self.all_coasts:
            return ("A fleet on a coast convoys as a fleet at sea does, but not in a province with several coasts.",)
        names = [rules.board.provinces[key].name for key in self.provinces]
        listed = f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names[0]
        return (f"A fleet in {listed} convoys as a fleet at sea does.",)
