"""A win or a draw that all survivors concede. No built-in variant uses it."""

from typing import ClassVar

from legation.judge import Aftermath, Ending, Rule, RulesError, Ruleset
from legation.judge.slices import POWER
from legation.notation import Drawn, OrderKind, Production
from legation.orders import Order
from legation.position import Phase, Position


class Concede(Order, frozen=True):
    """``concede to France, Italy``: these share the game; a single power wins it."""

    powers: tuple[str, ...]


CONCEDE = OrderKind(
    Concede,
    "a concession",
    lambda order: f"concede to {', '.join(order.powers)}",
    lambda order, names: f"Concede to {' and '.join(order.powers)}",
    grammar="concede = CONCEDES TO? power=POWER (AND* power=POWER)*",
    words=(("CONCEDES", "concede, concedes"),),
    productions=(Production("concede", "opens", lambda text, slots: Concede(tuple(sorted({*slots["power"]})))),),
    phases=(Phase.MOVEMENT, Phase.RETREATS, Phase.ADJUSTMENTS),
    title="Concede the game",
    meaning="If all survivors concede to the same powers in the same turn, these win or draw the game.",
    ways=("concede to France", "concede to France and Italy"),
    examples=lambda rules, land: [Concede(rules.played[:1])],
    drawn=Drawn(words=lambda power, order: f"{power}: conceded to {' and '.join(order.powers)}"),
)


class Concessions(Rule):
    """The game ends when all survivors concede it to the same powers in one turn: one power wins, several share a draw.

    Setting: ``most`` (how many can share it; 0: any number but all). The slice ``concessions`` lists the powers to
    which all conceded."""

    key = "concessions"
    slice_form = (POWER,)
    slice_told = "lists the powers to which all conceded"
    orders: ClassVar[tuple[OrderKind, ...]] = (CONCEDE,)
    runs_after = ("solo", "solo_with_capitals", "last_survivors")  # who has won needs no concession

    def __init__(self, most: int = 0) -> None:
        if most < 0:
            raise RulesError(f"most: how many may share the game, 0 for any number, not {most}")
        self.most = most

    def check(self, rules: Ruleset, position: Position, power: str, order: Order) -> str | None:
        assert isinstance(order, Concede)
        alive = {*position.survivors()} & {*rules.played}
        if strange := [other for other in order.powers if other not in alive]:
            return f"{rules.named(strange[0])} {rules.named(strange[0]):is|are} out of the game"
        if power not in alive:
            return f"{rules.named(power)} {rules.named(power):is|are} out of the game"
        if self.most and len(order.powers) > self.most:
            return f"no more than {self.most} may share the game"
        return None

    def after(self, rules: Ruleset, aftermath: Aftermath) -> None:
        given = {power: order.powers for power, order in aftermath.successful(Concede)}
        asked = [power for power in rules.played if power in aftermath.position.survivors()]
        agreed = {given.get(power) for power in asked}
        alike = len(asked) > 1 and len(agreed) == 1
        self._keep(aftermath, [power for powers in agreed for power in powers or ()] if alike else ())

    def ending(
        self, rules: Ruleset, before: Position, after: Position, votes: frozenset[str], settled: bool
    ) -> Ending | None:
        powers = tuple(self._kept(after))
        if not powers or self.key in before.slices:
            return None
        return Ending("solo" if len(powers) == 1 else "draw", powers, "all survivors conceded")

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        most = f" No more than {self.most} may share it." if self.most else ""
        return (
            "All survivors may concede the game to some of them by the same order in one turn: a single power then "
            f"wins it, several share a draw.{most}",
        )
