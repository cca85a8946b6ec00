"""A power without centers keeps one unit (W-5)."""

from collections.abc import Sequence

from legation.judge import DenseForm, Resolution, Rule, Ruleset
from legation.notation import capital
from legation.orders import Sheet
from legation.position import Position


class Mercy(Rule):
    """A power that owns no center can keep one unit as long as it has one. Supply that it is sent is added to that
    (W-13a)."""

    key = "mercy"
    dense_form = DenseForm(mercy=True)

    def supply(self, rules: Ruleset, position: Position, power: str, sheets: Sequence[Sheet]) -> int:
        if power in position.owners.values():
            return 0
        units = [*position.units_of(power), *(d.unit for d in position.dislodged if d.unit.power == power)]
        return min((rules.kinds[u.kind].cost for u in units), default=0)

    def status_notes(self, rules: Ruleset, position: Position, power: str) -> Sequence[str]:
        if power in position.owners.values() or not self.supply(rules, position, power, ()):
            return ()
        called = rules.powers[power].called
        return (
            f"{capital(called)} owns no center and lives by mercy: it keeps one unit.",
            f"Once destroyed that unit is not replaced, and {called} is out of the game. The first center that it "
            "takes pays for the unit, and only a second allows a build.",
        )

    def news(self, rules: Ruleset, resolution: Resolution) -> Sequence[str]:
        """Tell of each power whose mercy begins with this turn."""
        before = {power for power in rules.powers if self.status_notes(rules, resolution.before, power)}
        begun = [power for power in rules.powers if power not in before]
        return [note for power in begun for note in self.status_notes(rules, resolution.after, power)]

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return (
            "A power that has lost its last center removes all its units but one of its choice. Once that unit is "
            "destroyed it is not replaced, and the power is out of the game; the first center that it takes pays for "
            "that unit, and only a second allows a build.",
            "Decided: mercy is for powers that own no center. One that gives away the supply of all its centers has no "
            "claim to it. Supply that others send to a power without "
            "centers comes on top of its one unit, so that it may keep one more for each.",
        )
