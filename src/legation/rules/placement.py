"""Initial placement: each power places its units in its homeland (K-5, K-6)."""

from collections.abc import Sequence

from legation.judge import DenseForm, Rule, Ruleset
from legation.notation import write
from legation.orders import Build, Order, Waive
from legation.position import Phase, Position


class Placement(Rule):
    """In placement each power places as many units as it owns centers, sealed and at the same time as the others,
    anywhere in its homeland.

    Each unit can be of any kind. A power can place fewer and build the rest in a later build season. The homeland is
    the region that the variant file names for the power (``homeland``), with its home centers."""

    key = "placement"
    dense_form = DenseForm()

    def faults(self, rules: Ruleset) -> Sequence[str]:
        return [
            f"{p.name} has no homes and no homeland to place units in" for p in rules.powers.values() if not p.homeland
        ]

    def order_kinds(self, rules: Ruleset, phase: Phase) -> tuple[type[Order], ...]:
        """A unit that is kept back may be waived."""
        return (Waive,) if phase is Phase.PLACEMENT else ()

    def extra_sites(self, rules: Ruleset, position: Position, power: str) -> tuple[str, ...]:
        return rules.powers[power].homeland if position.turn.phase is Phase.PLACEMENT else ()

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        at = next(place for power in rules.powers.values() for place in power.homeland)
        return (
            "Before the first turn all powers place their units, sealed and at once: as many as they own centers, each "
            "an army or a fleet as its owner likes, one a province, anywhere in the homeland.",
            f'A unit is placed by the order that builds one: "{write(Build("A", at))}", "place A {at}" or '
            f'just "A {at}".',
            "Decided: the homeland is every province inside the home borders, not only the centers.",
            "A power may keep units back and build them in a later build season, wherever it may build then.",
        )
