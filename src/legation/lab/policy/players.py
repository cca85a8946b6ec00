"""The levels of bots for people, from the policy of human orders: drawn from it hot or cool, or searched on it.

Each is a bot for every variant. In a phase that the policy doesn't know, all play as DumbBot does."""

from functools import partial
from random import Random
from typing import NamedTuple

from legation.bots import dumbbot
from legation.judge import Ruleset
from legation.lab.policy.drawing import draw_sheet
from legation.lab.policy.search import search
from legation.orders import Convoy, Hold, Order, Sheet, SupportHold, SupportMove
from legation.position import Position


class Level(NamedTuple):
    """How a level plays.

    ``heat``: how much the likelier orders are preferred when they are drawn: at 1 as people do, below 1 more.
    ``forgets``: the share of supports and convoys that it doesn't order. ``searches``: the share of turns in which it
    searches, in which it takes about so many ``seconds``."""

    heat: float
    forgets: float = 0.0
    searches: float = 0.0
    seconds: float = 0.0


LEVELS = {
    "beginner": Level(1.0, forgets=0.15),
    "casual": Level(0.8),
    "club": Level(0.6),
    "strong": Level(0.6, searches=0.6, seconds=0.05),
    "strongest": Level(0.6, searches=1.0, seconds=0.2),
}
"""Each has about 60 to 75 % of the points against the next lower in games of both (docs/bots.md has the figures)."""


def _play(level: Level, rules: Ruleset, view: Position, power: str, random: Random) -> Sheet:
    found = search(rules, view, power, random, level.seconds) if random.random() < level.searches else None
    sheet = found or draw_sheet(rules, view, power, random, level.heat) or dumbbot.orders(rules, view, power, random)
    return Sheet(power, tuple(_forget(order, level.forgets, random) for order in sheet.orders))


def _forget(order: Order, often: float, random: Random) -> Order:
    if isinstance(order, SupportHold | SupportMove | Convoy) and random.random() < often:
        return Hold(order.kind, order.at)
    return order


beginner, casual, club, strong, strongest = (partial(_play, level) for level in LEVELS.values())
