"""Search on the policy of human orders: the tactician's, from sheets that people might send."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from legation.judge import Ruleset
from legation.lab import tactician
from legation.lab.dense.tables import why_interpreted
from legation.lab.policy.drawing import Policy, policy_of
from legation.orders import Sheet
from legation.position import Phase, Position

OWN, OTHERS = 6, 6
"""So many sheets of its own and of every other power are drawn, half of what the search begins with: the rest is
DumbBot's. To think all others human cost two of seven games against DumbBots."""
OWN_HEAT = 0.7


def search(rules: Ruleset, view: Position, power: str, random: Random, seconds: float) -> Sheet | None:
    """Return the sheet of a power that is found in about so many seconds, also in retreats and adjustments; None where
    the variant has no dense form."""
    if why_interpreted(rules):
        return None
    begun = list(_draw(policy_of(rules, view), power, random)) if view.turn.phase is Phase.MOVEMENT else []
    return tactician.choose(rules, view, power, random, seconds, begun)


def _draw(policy: Policy, power: str, random: Random) -> Iterator[Sheet]:
    for name in policy.graph.powers:
        if not policy.position.units_of(name):
            continue
        if name == power:
            drawn = [*policy.draw(name, random, heat=0), *policy.draw(name, random, OWN - 1, OWN_HEAT)]
        else:
            drawn = policy.draw(name, random, OTHERS)
        yield from (found.sheet for found in drawn)
