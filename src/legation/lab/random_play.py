"""Random play with orders that fit together: for benchmarks, property tests and play-testing."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from legation.judge import Resolution, Ruleset, legal_orders, resolve
from legation.orders import Build, Convoy, Move, Order, Remove, Sheet, SupportHold, SupportMove, Waive
from legation.position import Phase, Position


def plausible_sheets(rules: Ruleset, position: Position, random: Random) -> list[Sheet]:
    """Sheets of legal orders for every power: about half the units move, most others support or convoy moves that are really ordered.

    The result depends only on the position and the state of ``random``.
    """
    legal = legal_orders(rules, position)
    if position.turn.phase is not Phase.MOVEMENT:
        return [
            Sheet(power, tuple(_business(rules, position, power, orders, random)))
            for power, orders in legal.items()
            if orders
        ]
    chosen: dict[str, tuple[str, Order]] = {}
    by_unit: dict[str, tuple[str, list[Order]]] = {}
    loose: dict[str, list[Order]] = {}
    for power, orders in legal.items():
        for order in orders:
            at = getattr(order, "at", None)
            if at is None:
                loose.setdefault(power, []).append(order)
            else:
                by_unit.setdefault(at, (power, []))[1].append(order)
    places = sorted(by_unit)
    random.shuffle(places)
    moving: dict[str, Move] = {}
    for at in places:
        power, orders = by_unit[at]
        moves = [o for o in orders if isinstance(o, Move)]
        if moves and random.random() < 0.55:
            move = random.choice(moves)
            moving[at] = move
            chosen[at] = (power, move)
    for at in places:
        if at in chosen:
            continue
        power, orders = by_unit[at]
        fitting = [o for o in orders if _fits(o, moving)]
        chosen[at] = (power, random.choice(fitting if fitting and random.random() < 0.85 else orders))
    sheets: dict[str, list[Order]] = {power: [] for power in rules.powers}
    for at in sorted(chosen):
        power, order = chosen[at]
        sheets[power].append(order)
    for power, orders in loose.items():
        sheets[power] += [o for o in orders if random.random() < 0.05]
    return [Sheet(power, tuple(orders)) for power, orders in sheets.items() if orders]


def _fits(order: Order, moving: dict[str, Move]) -> bool:
    """Whether an order helps a move that is ordered, or a unit that stays."""
    if isinstance(order, SupportMove | Convoy):
        move = moving.get(order.target)
        return move is not None and move.to.partition("/")[0] == order.to.partition("/")[0]
    if isinstance(order, SupportHold):
        return order.target not in moving
    return False


def _business(rules: Ruleset, position: Position, power: str, orders: list[Order], random: Random) -> list[Order]:
    """Retreats one for each unit; builds and removals as many as are due, now and then too few."""
    if position.turn.phase is Phase.RETREATS:
        by_unit: dict[str, list[Order]] = {}
        for order in orders:
            by_unit.setdefault(str(getattr(order, "at", "")), []).append(order)
        return [random.choice(choices) for _, choices in sorted(by_unit.items())]
    room = rules.limit(position, power) - rules.size(position, power)
    due = max(abs(room) - (random.random() < 0.1), 0)
    wanted = [o for o in orders if isinstance(o, Remove if room < 0 else Build)]
    random.shuffle(wanted)
    picked: list[Order] = []
    taken: set[str] = set()
    for order in wanted:
        place = str(getattr(order, "at", len(taken))).partition("/")[0]
        if len(picked) < due and place not in taken:
            taken.add(place)
            picked.append(order)
    others = [o for o in orders if not isinstance(o, Build | Remove | Waive)]  # what rules add, such as transfers
    if others and random.random() < 0.1:
        picked.append(random.choice(others))
    return picked


def random_game(rules: Ruleset, seed: int, turns: int = 60) -> Iterator[Resolution]:
    """A random game, turn by turn, until it ends or ``turns`` have been played; the same seed gives the same game."""
    random = Random(seed)
    position = rules.opening()
    for _ in range(turns):
        resolution = resolve(rules, position, plausible_sheets(rules, position, random), f"seed {seed}")
        yield resolution
        if resolution.ending is not None:
            return
        position = resolution.after
