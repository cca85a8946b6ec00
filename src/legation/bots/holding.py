"""HoldBot: its units hold and disband when dislodged; it builds nothing but what a game opens with."""

from random import Random

from legation.bots.adjusting import adjust
from legation.judge import Ruleset, legal_orders
from legation.orders import Disband, Hold, Order, Remove, Sheet
from legation.position import Phase, Position


def orders(rules: Ruleset, view: Position, power: str, random: Random) -> Sheet:
    """Hold with every unit; disband; place what comes first at the start of the game, later waive; remove what comes
    first."""
    phase = view.turn.phase
    if phase in (Phase.MOVEMENT, Phase.RETREATS):
        legal: list[Order] = legal_orders(rules, view, [power])[power]
        return Sheet(power, tuple(order for order in legal if isinstance(order, Hold | Disband)))
    placing = phase is Phase.PLACEMENT
    return Sheet(
        power,
        tuple(adjust(rules, view, power, lambda legal: legal[0] if placing or isinstance(legal[0], Remove) else None)),
    )
