"""Home centers, and where a power can build (STD-5, H3-7, W-4)."""

from legation.judge import DenseForm, Rule, Ruleset
from legation.position import Position


class Homes(Rule):
    """The home centers of a power are those that the variant file lists; it can build in those that it owns."""

    key = "homes"
    dense_form = DenseForm()

    def homes(self, rules: Ruleset, position: Position, power: str) -> tuple[str, ...]:
        return rules.powers[power].homes

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        owned = {(home, power.name) for power in rules.powers.values() for home in power.homes}
        which = "that it owns at the start" if owned == set(rules.start_owners.items()) else "listed with the powers"
        return ("A power builds in the vacant home centers that it owns.", f"Its home centers are those {which}.")
