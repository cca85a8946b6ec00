"""Orders by chance that fit together: for practice, benchmarks, property tests and play-testing."""

from collections.abc import Iterable
from random import Random

from legation.bots.adjusting import Change, adjust
from legation.judge import Ruleset, legal_orders
from legation.orders import Build, Convoy, Move, Order, Remove, Sheet, SupportHold, SupportMove, UnitOrder, Waive
from legation.position import Phase, Position


def orders(rules: Ruleset, view: Position, power: str, random: Random) -> Sheet:
    """About half the units move, most others support or convoy moves that are really ordered, or units that stay."""
    return next(iter(plausible_sheets(rules, view, random, [power])), Sheet(power))


def plausible_sheets(
    rules: Ruleset, position: Position, random: Random, powers: Iterable[str] | None = None
) -> list[Sheet]:
    """Sheets of legal orders for these powers (all if left out), made together, so that one power's units support and
    convoy the other's.

    The result depends only on the position and the state of ``random``."""
    legal = legal_orders(rules, position, powers)
    match position.turn.phase:
        case Phase.MOVEMENT:
            sheets = _movement(legal, random)
        case Phase.RETREATS:
            sheets = [Sheet(power, tuple(_retreats(possible, random))) for power, possible in legal.items()]
        case Phase.ADJUSTMENTS | Phase.PLACEMENT:
            sheets = [
                Sheet(power, tuple(_changes(rules, position, power, possible, random)))
                for power, possible in legal.items()
            ]
        case _:
            sheets = [
                Sheet(power, tuple(order for order in possible if random.random() < 0.5))
                for power, possible in legal.items()
            ]
    return [sheet for sheet in sheets if sheet.orders]


def _movement(legal: dict[str, list[Order]], random: Random) -> list[Sheet]:
    chosen: dict[str, tuple[str, Order]] = {}
    by_unit: dict[str, tuple[str, list[Order]]] = {}
    for power, possible in legal.items():
        for order in possible:
            if isinstance(order, UnitOrder):
                by_unit.setdefault(order.at, (power, []))[1].append(order)
    places = sorted(by_unit)
    random.shuffle(places)
    moving: dict[str, Move] = {}
    for at in places:
        power, possible = by_unit[at]
        moves = [o for o in possible if isinstance(o, Move)]
        if moves and random.random() < 0.55:
            move = random.choice(moves)
            moving[at] = move
            chosen[at] = (power, move)
    for at in places:
        if at in chosen:
            continue
        power, possible = by_unit[at]
        fitting = [o for o in possible if _fits(o, moving)]
        chosen[at] = (power, random.choice(fitting if fitting and random.random() < 0.85 else possible))
    sheets: dict[str, list[Order]] = {power: [] for power in legal}
    for at in sorted(chosen):
        power, order = chosen[at]
        sheets[power].append(order)
    return [Sheet(power, tuple(given)) for power, given in sheets.items()]


def _fits(order: Order, moving: dict[str, Move]) -> bool:
    """Whether an order helps a move that is ordered, or a unit that stays."""
    if isinstance(order, SupportMove | Convoy):
        move = moving.get(order.target)
        return move is not None and move.to.partition("/")[0] == order.to.partition("/")[0]
    if isinstance(order, SupportHold):
        return order.target not in moving
    return False


def _retreats(possible: list[Order], random: Random) -> list[Order]:
    by_unit: dict[str, list[Order]] = {}
    for order in possible:
        by_unit.setdefault(str(getattr(order, "at", "")), []).append(order)
    return [random.choice(choices) for _, choices in sorted(by_unit.items())]


def _changes(rules: Ruleset, position: Position, power: str, possible: list[Order], random: Random) -> list[Order]:
    """Builds and removals as many as are due, now and then fewer builds; now and then an order of a rule's own."""
    others = [o for o in possible if not isinstance(o, Build | Remove | Waive)]  # a rule's own, such as sending supply
    given = [random.choice(others)] if others and random.random() < 0.1 else []

    def choose(legal: list[Change]) -> Change | None:
        return None if isinstance(legal[0], Build) and random.random() < 0.05 else random.choice(legal)

    return adjust(rules, position, power, choose, given)
