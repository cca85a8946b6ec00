"""The tactician, a bot that looks ahead: it tries whole sheets against sampled replies (:mod:`.dense.tactics`).

It plays from the view alone, so in the fog it knows no more than its power does. Variants that have no dense form it
plays as DumbBot does."""

import threading
from collections.abc import Iterable
from functools import lru_cache
from random import Random
from typing import Any

import msgspec
import numpy as np

from legation.bots import dumbbot
from legation.judge import Ruleset
from legation.lab.dense.layout import COUNT, DUMB, HOLDS, LOCATION, POWER, SHEETS
from legation.lab.dense.tables import why_interpreted
from legation.lab.dense.tactics import DOUBLE, FINALISTS
from legation.lab.games import Games
from legation.notation import write
from legation.orders import Order, Sheet, UnitOrder
from legation.position import Phase, Position

SECONDS, ADVISING = 0.05, 0.2
"""About what it takes for a turn, and for advice."""
TRY, GROWTH = 1.66e-8, 1.4
"""Seconds to try a sheet on a board of one province, and the power by which they grow with provinces."""


class Reason(msgspec.Struct, frozen=True):
    """A sheet that was weighed: its orders and the outlook with it, about the score to come (0 to 1).

    ``fears`` is the sheet of another power, of those tried, that would hurt it most, and ``feared`` the outlook then.
    """

    orders: tuple[str, ...]
    outlook: float
    fears: str = ""
    feared: float = 0.0


def orders(rules: Ruleset, view: Position, power: str, random: Random) -> Sheet:
    """The tactician as a bot."""
    return choose(rules, view, power, random, SECONDS)


_in_use = threading.Lock()  # the games are shared, and the search lets other threads run


@lru_cache(maxsize=4)
def _table(rules: Ruleset, by_network: bool) -> Games:
    return Games(rules, ["position"], by_network=by_network)


def work_of(rules: Ruleset, seconds: float) -> int:
    """How much work makes about so many seconds a turn, counted in sheets that are tried.

    The work is fixed, not the time, so that the same position and seed give the same sheet anywhere. The seconds are
    those of one core of a common server of 2026: 7 us to try a sheet on 75 provinces, 17 us on 143."""
    return int(seconds / (TRY * len(rules.board.provinces) ** GROWTH))


def choose(
    rules: Ruleset, view: Position, power: str, random: Random, seconds: float, *, by_network: bool = False
) -> Sheet:
    """The sheet that is found in about so many seconds; the same for the same position and state of ``random``. What
    orders lead to is judged by weights or, ``by_network``, by the network that predicts who wins, if there is one."""
    if why_interpreted(rules) or view.turn.phase not in (
        Phase.MOVEMENT,
        Phase.RETREATS,
        Phase.ADJUSTMENTS,
        Phase.PLACEMENT,
    ):
        return dumbbot.orders(rules, view, power, random)
    with _in_use:
        games, ordered = _search(rules, view, power, random, seconds, by_network)
        sheets = {sheet.power: sheet for sheet in games.sheets(0, ordered)}
    found = sheets.get(power, Sheet(power))
    return Sheet(power, tuple(order for order in found.orders if type(order).__name__ != "VoteDraw"))


def finalists(
    rules: Ruleset,
    view: Position,
    power: str,
    random: Random,
    seconds: float,
    begun: Iterable[Sheet],
    *,
    by_network: bool = False,
) -> list[tuple[Sheet, float]]:
    """The best sheets of a power in movement that are found in about so many seconds, each with its outlook. The search
    goes from some sheets of every power that others have ``begun``, SHEETS of each at most."""
    with _in_use:
        games, number, work = _at(rules, view, power, random, seconds, by_network)
        games.search_from(0, number, work, _brought(games, begun))
        outlooks = games.scratch.means[:FINALISTS].tolist()
        sheets = (Sheet(power, tuple(_sheet(games, number, k))) for k in range(FINALISTS))
        return [(sheet, outlook) for sheet, outlook in zip(sheets, outlooks, strict=True) if outlook > DOUBLE]


def _at(
    rules: Ruleset, view: Position, power: str, random: Random, seconds: float, by_network: bool
) -> tuple[Games, int, int]:
    """Set the shared games to a position; return them, the number of the power, and how much work it may do."""
    games = _table(rules, by_network)
    games.set_position(0, view, str(random.getrandbits(64)))
    return games, games.codec.powers.index(power), work_of(rules, seconds)


def _search(
    rules: Ruleset, view: Position, power: str, random: Random, seconds: float, by_network: bool
) -> tuple[Games, int]:
    games, number, work = _at(rules, view, power, random, seconds, by_network)
    seats = np.full((1, len(rules.powers)), DUMB)
    budgets = np.zeros((1, len(rules.powers)), np.int64)
    budgets[0, number] = work
    return games, games.order_seats(0, seats, budgets)


def _brought(games: Games, begun: Iterable[Sheet]) -> Any:
    """Sheets as the search takes them; a unit whose order dense games don't know holds."""
    codes = {order: code for _, code, order in games.list_codes(0)}
    owners, at = games.state.units[0, POWER, : games.state.game[0, COUNT]], games.state.units[0, LOCATION]
    brought = np.full((SHEETS, len(owners)), -1)
    rows = dict.fromkeys(games.codec.powers, 0)
    for sheet in begun:
        by_place = {order.at: codes.get(order, HOLDS) for order in sheet.orders if isinstance(order, UnitOrder)}
        for i in np.flatnonzero(owners == games.codec.powers.index(sheet.power)).tolist():
            brought[rows[sheet.power], i] = by_place.get(games.codec.locations[at[i]], HOLDS)
        rows[sheet.power] += 1
    return brought


def advise(rules: Ruleset, view: Position, power: str, random: Random) -> list[Reason]:
    """The best three sheets that it finds for a power with time; outside movement, and where the variant has no dense
    form, the one that it would send."""
    if view.turn.phase is Phase.MOVEMENT and not why_interpreted(rules):
        return explain(rules, view, power, random, ADVISING)
    sheet = choose(rules, view, power, random, ADVISING)
    return [Reason(tuple(map(write, sheet.orders)), 0.0)]


def explain(rules: Ruleset, view: Position, power: str, random: Random, seconds: float = SECONDS) -> list[Reason]:
    """The three best sheets of a power in movement, with their outlooks, and what the best one fears.

    :raises ValueError: outside movement, or where the variant has no dense form."""
    if reason := why_interpreted(rules):
        raise ValueError(f"the tactician does not look ahead here: {reason}")
    if view.turn.phase is not Phase.MOVEMENT:
        raise ValueError("only the orders of a movement turn are explained")
    with _in_use:
        games, _ = _search(rules, view, power, random, seconds, False)
        return _reasons(games, power)


def _reasons(games: Games, power: str) -> list[Reason]:
    number = games.codec.powers.index(power)
    reasons: list[Reason] = []
    scratch = games.scratch
    for k in range(len(scratch.means)):
        orders = tuple(map(write, _sheet(games, number, k)))
        if orders not in (known.orders for known in reasons):
            reasons.append(Reason(orders, round(float(scratch.means[k]), 4)))
        if len(reasons) == 3:
            break
    worst = games.call("find_fear", 0, power=number)
    other, k = divmod(worst, SHEETS)
    feared = round(float(scratch.now[number]), 4)
    if feared < reasons[0].outlook:
        told = "; ".join(map(write, _sheet(games, other, k)))
        fears = f"{games.codec.powers[other]}: {told}"
        reasons[0] = msgspec.structs.replace(reasons[0], fears=fears, feared=feared)
    return reasons


def _sheet(games: Games, power: int, k: int) -> list[Order]:
    units = range(games.state.game[0, COUNT])
    return [
        games.codec.order(games.state, 0, i, int(games.scratch.sheets[k, i]))
        for i in units
        if games.state.units[0, POWER, i] == power
    ]
