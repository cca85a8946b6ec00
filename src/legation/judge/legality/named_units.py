"""The units that orders name, and where a unit arrives that an order sends somewhere."""

from legation.board import ARMY, province_of
from legation.judge.legality.reach import Reach
from legation.judge.refusal import Refusal
from legation.orders import Move, UnitOrder
from legation.position import Unit

NO_COAST = "an army is never on a coast; leave the coast out"


class NamedUnits(Reach):
    """A position whose units are found by what an order says of them: what the legality of each kind of order asks."""

    def unit(self, power: str, order: UnitOrder) -> Unit | Refusal:
        """The unit that an order names, if it belongs to the power (DATC 4.B.5, 4.C.1, 4.C.2)."""
        at, kind = order.at, order.kind
        unit = self.units.get(at) or self.units.get(province_of(at))
        if unit is not None and unit.power == power and unit.kind == kind and unit.at == at:
            return unit
        if unit is None or unit.power != power:
            named = self.rules.named(power)
            return Refusal(f"{named} {named:has|have} no unit in {province_of(at)}")
        if kind != unit.kind:
            if kind and self.refuses("wrong_kind"):
                return Refusal(f"the unit in {at} is {unit}")
            if not kind and self.refuses("missing_kind"):
                return Refusal("the order does not say what kind of unit it is for")
        if at != unit.at and "/" in at and self.refuses("wrong_unit_coast"):
            return Refusal(f"the unit is in {unit.at}, not in {at}")
        return unit

    def refuses(self, option: str) -> bool:
        """Whether an order in which something is wrong or missing fails by this option."""
        return self.rules.options[option] == "fails"

    def refuses_move(self, unit: Unit, order: Move) -> Refusal | None:
        """Why a unit may not go to a province however it gets there."""
        province = self.rules.tables.province
        to = province.get(order.to) or province_of(order.to)
        if to == province[unit.at]:
            return Refusal("a unit cannot move to where it is")
        reason = self.refuses_arrival(unit, to)
        return Refusal(reason) if reason else None

    def refuses_arrival(self, unit: Unit, to: str) -> str | None:
        """Why a rule keeps a unit from leaving for a province; None if none does."""
        rules, position = self.rules, self.position
        if not rules.restricts_moves:
            return None
        return rules.refuses_departure(position, unit) or rules.refuses_entry(position, unit, to)

    def supports_arrival(self, unit: Unit, province: str) -> bool:
        """Whether a rule may bring a unit to a province in a way of its own, as a ferry does."""
        return any(
            module.supports_arrival(self.rules, self, unit, province) for module in self.rules.steps["supports_arrival"]
        )

    def destination(self, unit: Unit, to: str, reach: frozenset[str]) -> str | Refusal:
        """Where a unit arrives that is sent to ``to`` and reaches ``reach`` by itself.

        The coast is filled in where only one is possible (DATC 4.B.1 to 4.B.3, 4.B.6)."""
        if to in reach:
            return to
        province = self.rules.board.provinces.get(province_of(to))
        if province is None:
            return Refusal(f"there is no province {to}")
        name = province.id
        if self.kinds[unit.kind].travel == ARMY:
            if to != name and self.refuses("irrelevant_coast"):
                return Refusal(NO_COAST)
            return name if name in reach else Refusal(f"{unit} cannot reach {name}")
        coasts = [loc for loc in province.locations if loc in reach]
        if to != name:
            if to in province.locations:
                if len(coasts) == 1 and self.rules.options["impossible_coast"] == "corrected":
                    return coasts[0]
                return Refusal(f"{unit} cannot reach {to}")
            if self.refuses("irrelevant_coast"):
                return Refusal(f"{province.name} has no such coast")
        elif province.coasts and self.refuses("missing_coast"):
            return Refusal(f"name the coast: {' or '.join(province.locations)}")
        if len(coasts) == 1:
            return coasts[0]
        if coasts:
            return Refusal(f"name the coast: {' or '.join(coasts)}")
        return Refusal(f"{unit} cannot reach {name}")
