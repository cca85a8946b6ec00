"""Who may share a draw: at most one power for each kingdom (W-7)."""

from collections.abc import Mapping, Sequence

from legation.board.capitals import capitals, kingdom_faults, names
from legation.judge import DenseForm, Rule, Ruleset
from legation.notation import agrees, listed
from legation.position import Position


class DrawBetweenKingdoms(Rule):
    """A draw is possible only if every surviving power owns all capitals of a kingdom, so at most one power for each
    kingdom shares it.

    Setting: ``kingdoms`` (names of regions; by default every region with a capital). This rule only refuses draws;
    another lets the powers vote for one."""

    key = "draw_between_kingdoms"

    def __init__(self, kingdoms: list[str] | None = None) -> None:
        self.kingdoms = kingdoms

    def faults(self, rules: Ruleset) -> Sequence[str]:
        return kingdom_faults(rules.board, self.kingdoms)

    def refuses_draw(self, rules: Ruleset, position: Position) -> str | None:
        seats = capitals(rules.board, self.kingdoms).values()
        without = [
            power
            for power in position.survivors()
            if not any(all(position.owners.get(seat) == power for seat in of_one) for of_one in seats)
        ]
        if not without:
            return None
        named = listed(without)
        return f"{named} {agrees(named, 'does', 'do')} not own all capitals of a kingdom"

    def dense(self, rules: Ruleset) -> DenseForm:
        return DenseForm(draw_capitals=tuple(capitals(rules.board, self.kingdoms).values()))

    def basics(self, rules: Ruleset) -> Mapping[str, str]:
        return {"draw": "The rules below say when a draw is allowed."}

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        seats = capitals(rules.board, self.kingdoms)
        each = "; ".join(
            f"{names(rules.board, of_one, 'and')} in {kingdom}" for kingdom, of_one in sorted(seats.items())
        )
        return (
            f"A draw may be agreed only when every surviving power owns all the capitals of one kingdom ({each}): at "
            f"most {len(seats)} powers can share it.",
            "Decided: a power survives as long as it has a unit or a center; control is taken as it stands after the "
            "turn in which all have agreed.",
        )
