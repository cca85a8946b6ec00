"""Whether more time finds better sheets: ``python -m bench.search standard --positions 200 --seconds 0.002 0.02 0.2``.

In positions of games between bots ``club``, ``strongest``'s search looks for the sheet of one power with each of these
times. How much the sheet gains over the likeliest one is judged by the policy's outlook after the movement, which the
search doesn't use, as the mean over sheets that people might send for the others. All sheets of a position meet the
same ones. In a variant without a dense form there is no search.
"""

import argparse
from collections.abc import Iterator, Sequence
from itertools import count, islice, pairwise
from random import Random

import numpy as np

from legation.bots import bot
from legation.bots.matches import match
from legation.judge import Ruleset, resolve
from legation.lab.dense.tables import why_interpreted
from legation.lab.policy.drawing import Policy
from legation.lab.policy.search import search
from legation.orders import Sheet
from legation.position import Phase, Position
from legation.variants import load

REPLIES, HEAT = 12, 0.6
FROM_A_GAME = 4
FEWEST = 3
"""Powers with fewer units have little to choose."""


def positions(rules: Ruleset) -> Iterator[tuple[Position, str]]:
    """Yield movement turns after the first year of one game after another, each with a power."""
    for number in count():
        seats = {power: bot("club") for power in rules.powers}
        turns = [turn.before for turn in match(rules, seats, f"search: {number}")]
        first, chance = turns[0].turn.year, Random(number)
        moving = [turn for turn in turns if turn.turn.phase is Phase.MOVEMENT and turn.turn.year > first]
        for turn in chance.sample(moving, min(FROM_A_GAME, len(moving))):
            powers = [power for power in rules.powers if len(turn.units_of(power)) >= FEWEST]
            if powers:
                yield turn, chance.choice(powers)


def judge(rules: Ruleset, policy: Policy, power: str, sheets: Sequence[Sheet], chance: Random) -> list[float]:
    """Return each sheet's mean outlook after the movement, against the same sheets of the others."""
    others = [name for name in rules.powers if name != power and policy.position.units_of(name)]
    drawn = [[one.sheet for one in policy.draw(name, chance, REPLIES, HEAT)] for name in others]
    return [
        float(np.mean([_after(rules, policy.position, [sheet, *rest], power) for rest in zip(*drawn, strict=True)]))
        for sheet in sheets
    ]


def _after(rules: Ruleset, position: Position, sheets: Sequence[Sheet], power: str) -> float:
    resolution = resolve(rules, position, sheets, "search")
    if resolution.ending is not None and resolution.ending.kind == "solo":
        return float(power in resolution.ending.powers)
    return Policy(rules, resolution.after).outlooks[power]


def tell(what: str, gains: Sequence[float]) -> None:
    """Print a mean in points of a hundred, with its interval (95 %)."""
    print(f"{what:36} {100 * np.mean(gains):+.2f} +- {196 * np.std(gains) / len(gains) ** 0.5:.2f}")


def main() -> None:
    """Search, judge and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.search", description=__doc__)
    parser.add_argument("variant")
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--seconds", type=float, nargs="+", default=[0.002, 0.02, 0.2])
    given = parser.parse_args()
    rules, rows = load(given.variant), []
    if reason := why_interpreted(rules):
        parser.error(f"{given.variant} has no dense form: {reason}")
    for number, (position, power) in enumerate(islice(positions(rules), given.positions)):
        policy = Policy(rules, position)
        sheets = [policy.draw(power, Random(number), heat=0)[0].sheet]
        sheets += [search(rules, position, power, Random(number), seconds) or sheets[0] for seconds in given.seconds]
        rows.append(judge(rules, policy, power, sheets, Random(number)))
    likeliest, *found = np.array(rows).T
    searched = [(f"{1000 * seconds:g} ms", worth) for seconds, worth in zip(given.seconds, found, strict=True)]
    print(f"{given.variant}, {len(rows)} positions: gained, in points of a hundred")
    for name, worth in searched:
        tell(f"{name} over the likeliest sheet", worth - likeliest)
    for (before, less), (name, more) in pairwise(searched):
        tell(f"{name} over {before}", more - less)


if __name__ == "__main__":
    main()
