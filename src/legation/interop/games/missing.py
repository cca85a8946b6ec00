"""Orders on the way out to other systems: what was left out of them, and what formats have no place for."""

from collections.abc import Iterator, Sequence

import msgspec

from legation.board import province_of
from legation.game import Game, PlayedTurn
from legation.judge import Outcome, Verdict
from legation.notation import write
from legation.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
    UnitOrder,
    VoteDraw,
    Waive,
)
from legation.position import Position


def completed(order: Order, position: Position) -> Order:
    """An order with the letters of its units, where they weren't written."""
    there = {unit.province: unit.kind for unit in position.units}
    own = {d.unit.province: d.unit.kind for d in position.dislodged} or there
    if isinstance(order, UnitOrder) and not order.kind and not isinstance(order, Build):
        order = msgspec.structs.replace(order, kind=own.get(province_of(order.at), ""))
    if isinstance(order, SupportHold | SupportMove | Convoy) and not order.target_kind:
        order = msgspec.structs.replace(order, target_kind=there.get(province_of(order.target), ""))
    return order


def orders_of(turn: PlayedTurn, *, waived: bool = True) -> Iterator[tuple[str, Order, Verdict | None]]:
    """The orders of a turn with the letters of their units: by power, and with what came of them.

    Without ``waived``, for formats that cannot say that a build is waived, a power that waives any has only the builds
    that were carried out."""
    before = turn.resolution.before
    verdicts = {(v.power, completed(v.order, before)): v for v in turn.resolution.verdicts}
    for sheet in turn.sheets:
        waives = not waived and any(isinstance(order, Waive) for order in sheet.orders)
        for order in (completed(order, before) for order in sheet.orders):
            verdict = verdicts.get((sheet.power, order))
            built = verdict is not None and verdict.outcome is Outcome.SUCCEEDS
            if not (waives and (isinstance(order, Waive) or (isinstance(order, Build) and not built))):
                yield sheet.power, order, verdict


def shortcomings(game: Game, *, waived: bool = False) -> list[str]:
    """What of a game a plain record of units, centers and orders cannot say; ``waived``: whether it can say waived
    builds."""
    rules = game.rules
    missing: list[str] = []
    if game.ending is not None:
        missing.append(f"how the game ended: {game.ending.reason}")
    if strange := sorted(set(rules.kinds) - {"A", "F"}):
        missing.append(f"kinds of unit: {', '.join(strange)}")
    if rules.chosen:
        missing.append(f"the game's options: {', '.join(f'{k} = {v}' for k, v in rules.chosen.items())}")
    if game.seed:
        missing.append("the seed of its lots")
    if any(turn.unread or turn.sent for turn in game.turns):
        missing.append("the texts of the sheets, and what could not be understood of them")
    if any(turn.comments for turn in game.turns):
        missing.append("comments")
    orders = [order for turn in game.turns for sheet in turn.sheets for order in sheet.orders]
    if any(isinstance(order, VoteDraw) for order in orders):
        missing.append("votes for a draw")
    if not waived and any(isinstance(order, Waive) for order in orders):
        missing.append("waived builds, which are left out")
    return missing


def unsaid(orders: Sequence[Order]) -> list[str]:
    """Return what is left out of a file because its format cannot write these orders, and what that changes there."""
    orders = [order for order in orders if not isinstance(order, VoteDraw)]
    if not orders:
        return []
    number = "an order that has" if len(orders) == 1 else f"{len(orders)} orders that have"
    return [f"{number} no words there, as {write(orders[0])!r}; turns come out otherwise without"]


def parts_of(order: Order) -> tuple[str, str, str]:
    """Return what godip and diplicity call an order, the place that it helps and where it leads, as far as it has them;
    nothing of an order that they don't know."""
    match order:
        case Move(to=to):
            return "MoveViaConvoy" if order.via_convoy else "Move", "", to
        case Retreat(to=to):
            return "Move", "", to
        case SupportMove(target=target, to=to):
            return "Support", target, to
        case SupportHold(target=target):
            return "Support", target, ""
        case Convoy(target=target, to=to):
            return "Convoy", target, to
        case Hold() | Build():
            return type(order).__name__, "", ""
        case Disband() | Remove():
            return "Disband", "", ""
    return "", "", ""
