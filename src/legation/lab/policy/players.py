"""The levels of bots for people, from the policy of human orders: drawn from it hot or cool, or searched on it.

Each is a bot for every variant. In a phase that the policy doesn't know, all play as DumbBot does."""

from random import Random

from legation.bots import dumbbot
from legation.judge import Ruleset
from legation.lab.policy.drawing import draw_sheet
from legation.lab.policy.search import search
from legation.orders import Convoy, Hold, Order, Sheet, SupportHold, SupportMove
from legation.position import Position

HEATS = {"beginner": 1.0, "casual": 0.75, "club": 0.5}
"""How much the likelier orders are preferred: at 1 as people do, below 1 more."""
FORGOTTEN = 0.3
"""How often a beginner forgets to give a support or a convoy."""
SECONDS = {"strong": 0.05, "strongest": 0.3}
"""About what the levels that search take for a movement turn."""


def beginner(rules: Ruleset, view: Position, power: str, random: Random) -> Sheet:
    """Play as people do, their slips included, and forget supports, as in one's first games."""
    sheet = _draw(rules, view, power, random, HEATS["beginner"])
    return Sheet(power, tuple(_forget(order, random) for order in sheet.orders))


def _forget(order: Order, random: Random) -> Order:
    if isinstance(order, SupportHold | SupportMove | Convoy) and random.random() < FORGOTTEN:
        return Hold(order.kind, order.at)
    return order


def casual(rules: Ruleset, view: Position, power: str, random: Random) -> Sheet:
    """Play as people do, with fewer slips."""
    return _draw(rules, view, power, random, HEATS["casual"])


def club(rules: Ruleset, view: Position, power: str, random: Random) -> Sheet:
    """Play what most people would: few slips."""
    return _draw(rules, view, power, random, HEATS["club"])


def strong(rules: Ruleset, view: Position, power: str, random: Random) -> Sheet:
    """Search a little."""
    return _search(rules, view, power, random, SECONDS["strong"])


def strongest(rules: Ruleset, view: Position, power: str, random: Random) -> Sheet:
    """Search with time."""
    return _search(rules, view, power, random, SECONDS["strongest"])


def _draw(rules: Ruleset, view: Position, power: str, random: Random, heat: float) -> Sheet:
    return draw_sheet(rules, view, power, random, heat) or dumbbot.orders(rules, view, power, random)


def _search(rules: Ruleset, view: Position, power: str, random: Random, seconds: float) -> Sheet:
    return search(rules, view, power, random, seconds) or _draw(rules, view, power, random, HEATS["club"])
