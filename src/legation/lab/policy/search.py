"""Search on the policy of human orders: the tactician's search, begun with sheets that people might send. Of the best
sheets that it finds, one is sent that is also likely: people know openings and builds, of which the outlook sees
nothing."""

from collections.abc import Iterator
from random import Random

from legation.judge import Ruleset
from legation.lab import tactician
from legation.lab.dense.tables import network_of, why_interpreted
from legation.lab.policy.drawing import Policy, draw_sheet, policy_of
from legation.orders import Sheet
from legation.position import Phase, Position

OWN, OTHERS = 6, 6
"""So many sheets of its own and of every other power are drawn, half of what the search begins with: the rest is
DumbBot's. To think all others human cost two of seven games against DumbBots."""
OWN_HEAT = 0.7
BUILDING_HEAT = 0.3
LIKELIER = 0.05
"""How much outlook a sheet is given for each unit of the logarithm of its likelihood. Against bots that play the
policy's likeliest orders, in standard, 0.036 and 0.12 scored about alike (68 and 64 %), 0.36 less (61 %)."""


def search(rules: Ruleset, view: Position, power: str, random: Random, seconds: float) -> Sheet | None:
    """Return the sheet of a power that is found in about so many seconds, also in retreats; None where the variant has
    no dense form. In adjustments it is drawn."""
    if why_interpreted(rules):
        return None
    if view.turn.phase is Phase.ADJUSTMENTS:
        return draw_sheet(rules, view, power, random, BUILDING_HEAT)
    if view.turn.phase is not Phase.MOVEMENT or not view.units_of(power) or rules.refuses_orders(view, power):
        return tactician.choose(rules, view, power, random, seconds, by_network=True)
    policy, begun = policy_of(rules, view), view.turn.year > rules.first_turn().year
    by_network = begun and len(network_of(rules)) > 0  # in the first year it tells little, and people know openings
    drawn = [*_draw(policy, power, random)]
    found = tactician.finalists(rules, view, power, random, seconds, drawn, by_network=by_network)
    likely = policy.chances(power, [sheet for sheet, _ in found])
    worth = [outlook + LIKELIER * chance for (_, outlook), chance in zip(found, likely, strict=True)]
    return found[worth.index(max(worth))][0]


def _draw(policy: Policy, power: str, random: Random) -> Iterator[Sheet]:
    for name in policy.graph.powers:
        if not policy.position.units_of(name):
            continue
        if name == power:
            drawn = [*policy.draw(name, random, heat=0), *policy.draw(name, random, OWN - 1, OWN_HEAT)]
        else:
            drawn = policy.draw(name, random, OTHERS)
        yield from (found.sheet for found in drawn)
