"""The defensive army: strong, costly, and bound to its homeland (K-7, K-8)."""

from collections.abc import Sequence

from legation.judge import DenseForm, Rule, Ruleset, UnitKind
from legation.position import Phase, Position, Unit

CODE = "D"
_TOWER = "M-8.6-9.6H-4.6V-6.8H-2V-9.6H2V-6.8H4.6V-9.6H8.6V-3.4L6.6-1.6V6.2L9 9.6H-9L-6.6 6.2V-1.6L-8.6-3.4Z"
SYMBOL = (
    f'<path class="u-h" d="{_TOWER}"/><path class="u-b" d="{_TOWER}"/>'
    '<path class="u-d" d="M-6.6-1.6H6.6"/><path class="u-t" d="M-2.3 9V4.4A2.3 2.3 0 0 1 2.3 4.4V9Z"/>'
)
ALSO = tuple(
    "3d|d3|3d army|triple army|triple|d army|da|def|def a|def army|defensive|defensive a|defensive unit".split("|")
)
GREATEST = 100  # strength or cost; more than any board could bear


class DefensiveArmy(Rule):
    """A kind of unit that stays in its power's homeland; a power has at most one at a time.

    Settings: ``strength`` (in every role, 3), ``cost`` (in centers, 2)."""

    key = "defensive_army"
    restricted_kinds = frozenset({CODE})
    dense_form = DenseForm(single=(CODE,))

    def __init__(self, strength: int = 3, cost: int = 2) -> None:
        self.kind = UnitKind(CODE, "defensive army", "army", strength=strength, cost=cost, symbol=SYMBOL, also=ALSO)

    def faults(self, rules: Ruleset) -> Sequence[str]:
        faults = [f"{p.name} has no homeland" for p in rules.powers.values() if not p.homeland]
        for name, value in (("strength", self.kind.strength), ("cost", self.kind.cost)):
            if not 1 <= value <= GREATEST:
                faults.append(f"{name}: must be from 1 to {GREATEST}, not {value}")
        return faults

    def kinds(self, rules: Ruleset) -> tuple[UnitKind, ...]:
        return (self.kind,)

    def refuses_entry(self, rules: Ruleset, position: Position, unit: Unit, province: str) -> str | None:
        if unit.kind == CODE and province not in rules.powers[unit.power].homeland:
            return "a defensive army never leaves its homeland"
        return None

    def refuses_support(
        self, rules: Ruleset, position: Position, unit: Unit, target: Unit, province: str
    ) -> str | None:
        if unit.kind == CODE and province not in rules.powers[unit.power].homeland:
            return "a defensive army supports only actions in its homeland or into it"
        return None

    def refuses_build(
        self, rules: Ruleset, position: Position, power: str, kind: UnitKind, province: str
    ) -> str | None:
        if kind.code != CODE:
            return None
        if any(u.kind == CODE and u.power == power for u in position.units):
            return f"{rules.named(power)} {rules.named(power):has|have} a defensive army already"
        if province not in rules.powers[power].homeland:
            return "a defensive army is built in the homeland only"
        return None

    def position_faults(self, rules: Ruleset, position: Position) -> Sequence[str]:
        faults = []
        units = [*position.units, *(d.unit for d in position.dislodged)]
        for power in rules.powers.values():
            mine = [u for u in units if u.kind == CODE and u.power == power.name]
            if len(mine) > 1:
                faults.append(f"units: {power.name} has {' and '.join(map(str, mine))}; a power has one defensive army")
            faults += [
                f"units: {unit} of {power.name} is outside its homeland, which a defensive army never leaves"
                for unit in mine
                if unit.province not in power.homeland
            ]
        return faults

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        strength, cost = self.kind.strength, self.kind.cost
        placed = " It may be placed with the first units." if rules.first_turn().phase is Phase.PLACEMENT else ""
        return (
            f"{cost} {'center' if cost == 1 else 'centers'} may support one defensive army (D); it counts as {cost} "
            f"{'unit' if cost == 1 else 'units'} and is built whole, and a power has at most one at a time.{placed}",
            "It never leaves the homeland of its power, and supports only actions in the homeland or into it.",
            f"Decided: its strength is {strength} in every role; it retreats only inside the homeland, and is never "
            "convoyed or ferried.",
            "An attack on it reduces its support by the strength of the attack; only the strongest attack counts.",
            f"So its support is worth {_table(strength)}.",
            "As always, a power's own units do not cut its support, and an attack from where the support is aimed cuts "
            "only by dislodging.",
        )


def _table(strength: int) -> str:
    """What is left of the support of a unit of this strength, attack by attack (K-8)."""
    attacks = (
        (1, "if one unit attacks it"),
        (2, "if that attack has one support"),
        (3, "if it has two"),
        (1, "if two or three units attack it, each without support"),
        (2, "if two attack it, one of them with one support"),
    )
    return "; ".join(f"{max(0, strength - strongest)} {attack}" for strongest, attack in attacks)
