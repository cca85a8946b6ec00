"""Fog of war and other limits of sight, for any board. No built-in variant uses it."""

from collections.abc import Sequence

from legation.judge import Refusal, Rewritten, Rule, RulesError, Ruleset, Situation, refuse_orders
from legation.orders import Order, Sheet, province_at
from legation.position import Position, Unit

PLACES = ("centers", "homes", "none")
OTHERS = ("all", "same", "opposite", "none")
OWNERS = ("seen", "all", "none")


class BlindGame(Rule):
    """A power sees what is its own, and what is next to the places from which it looks.

    What it orders is judged by what it sees: an order that is not legal in its view of the position is illegal,
    whatever stands in the fog. So no order can feel its way.

    Settings: ``units`` (whether it looks from its units), ``places`` (whether it also looks from its ``centers``, its
    ``homes`` or ``none``), ``others`` (which units it sees there: ``all``, ``none``, or only those of the ``same`` or
    the ``opposite`` kind as a unit of its own next to them), ``owners`` (of which centers it sees the owner: those
    ``seen``, ``all``, or ``none`` but its own)."""

    key = "blind_game"
    added_settings = frozenset(["others", "owners"])

    def __init__(self, places: str = "homes", units: bool = True, others: str = "all", owners: str = "seen") -> None:
        for key, value, known in (("places", places, PLACES), ("others", others, OTHERS), ("owners", owners, OWNERS)):
            if value not in known:
                raise RulesError(f"{key}: is one of {', '.join(map(repr, known))}, not {value!r}")
        if others in ("same", "opposite") and not units:
            raise RulesError(f"others: {others!r} says what units see; units = false says that they see nothing")
        self.places = places
        self.units = units
        self.others = others
        self.owners = owners

    def faults(self, rules: Ruleset) -> Sequence[str]:
        if any(module is not self and isinstance(module, BlindGame) for module in rules.modules):
            return ["beside fog_of_war a power would be told two things of what it sees; pick one of them"]
        return ()

    def rewrite(self, rules: Ruleset, position: Position, sheets: tuple[Sheet, ...]) -> Rewritten:
        def reasons(sheet: Sheet) -> list[str | None]:
            situation = Situation(rules, rules.seen(position, sheet.power))
            return [self._refused(situation, sheet.power, order) for order in sheet.orders]

        return refuse_orders(sheets, reasons)

    @staticmethod
    def _refused(situation: Situation, power: str, order: Order) -> str | None:
        """Why an order is illegal as its power sees it.

        Other rules' orders, and those to units of others, are left to the rules that let them be given."""
        if situation.rules.handler(type(order)) is not None:
            return None
        unit = situation.units.get(province_at(order))
        if unit is not None and unit.power != power:
            return None
        judged = situation.interpret(power, order)
        return judged.reason if isinstance(judged, Refusal) else None

    def visible_provinces(self, rules: Ruleset, position: Position, power: str) -> frozenset[str]:
        here = {u.province for u in position.units if u.power == power}
        here.update(d.unit.province for d in position.dislodged if d.unit.power == power)
        from_places = {
            "centers": position.centers_of(power),
            "homes": rules.homes(position, power),
            "none": (),
        }[self.places]
        eyes = {*from_places, *(here if self.units else ())}
        return frozenset({*here, *position.centers_of(power), *eyes}).union(*(rules.board.adjacent(p) for p in eyes))

    def hides_unit(self, rules: Ruleset, position: Position, power: str, unit: Unit) -> bool:
        if self.others in ("all", "none"):
            return self.others == "none"
        near = rules.board.adjacent(unit.province)
        same = self.others == "same"
        return not any(
            own.power == power and own.province in near and (own.kind == unit.kind) is same
            for own in (*position.units, *(entry.unit for entry in position.dislodged))
        )

    def hides_owner(self, rules: Ruleset, power: str, center: str) -> bool:
        return self.owners == "none"

    def shows_owner(self, rules: Ruleset, power: str, center: str) -> bool:
        return self.owners == "all"

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        eyes = [*(["its units"] if self.units else []), *([] if self.places == "none" else [f"its {self.places}"])]
        seen = f", and every province that borders on {' or '.join(eyes)}" if eyes else " alone"
        return (
            f"The game is blind: a power sees its own units and centers{seen}. {self._further()}",
            "An order is judged by what its power sees, so that no order tells anything about what it does not see.",
            "How the game ends is told to all.",
        )

    def _further(self) -> str:
        """What else is hidden, and what is not."""
        text = {
            "all": "",
            "none": "It sees no unit of others. ",
            "same": "Of others' units it sees those alone that stand beside a unit of its own of the same kind. ",
            "opposite": "Of others' units it sees those alone that stand beside a unit of its own of another kind. ",
        }[self.others]
        if self.owners == "all":
            return f"{text}Who owns which center is known to all. Everything else is hidden from it."
        hidden = "It does not see who else owns a center. " if self.owners == "none" else ""
        return f"{text}{hidden}Everything else is hidden from it."


class FogOfWar(BlindGame):
    """A power sees its own units and centers and the provinces next to them: who stands there, who owns them, and who
    moves there.

    Its orders are judged by what it sees."""

    key = "fog_of_war"
    added_settings = frozenset()

    def __init__(self) -> None:
        super().__init__(places="centers")

    def faults(self, rules: Ruleset) -> Sequence[str]:
        return ()  # the blind game tells of both

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return (
            "There is fog: a power sees its own units and centers and every province that borders on one of them, by "
            "land or by sea: the units that stand there, who owns the center, and "
            "standoffs. Everything else is hidden from it.",
            "Of a turn it learns what became of its own orders, and which units of others moved, or tried to move, "
            "into a province that it saw, and from where. Supports, convoys and holds of "
            "others are not told, nor how strong they were.",
            "An order is judged by what its power sees: it supports and is convoyed only by units in sight, so that no "
            "order tells anything about what stands in the fog.",
            "How the game ends is told to all.",
        )
