"""How far the analysis of games is right: ``python -m bench.analysis GAMES.jsonl.gz --games 50``.

Recorded games of people are analyzed, and each sheet that is called a mistake is held against what the others really
ordered: how much the better sheet would have gained, beside what the analysis claims, and how often it would have been
worse. A second analysis with another seed tells how often it finds the same best sheet.
"""

import argparse
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from legation.bots.intervals import wilson
from legation.game.log import PlayedTurn
from legation.interop.games.recorded_phases import RecordedPhases, recorded_games
from legation.judge import Ruleset, resolve
from legation.lab.analysis import MISTAKE, Analyst
from legation.lab.dense.layout import COUNT, POWER
from legation.lab.policy.encoding import graph_of, remember
from legation.orders import Sheet
from legation.variants import load

LONG = 16
"""Games of fewer movement turns were given up."""


def movements(rules: Ruleset, game: Mapping[str, Any]) -> Iterator[PlayedTurn]:
    """Yield the movement turns of a recorded game."""
    reader = RecordedPhases(rules)
    for phase in game["phases"]:
        if phase["type"] == "Movement":
            sheets = tuple(Sheet(power, tuple(orders)) for power, orders in reader.orders(phase).items())
            resolution = resolve(rules, reader.position(phase), sheets)
            yield PlayedTurn(resolution=resolution, sheets=sheets)


def gain(analyst: Analyst, turn: PlayedTurn, power: str, better: tuple[str, ...]) -> float:
    """How much more a sheet would have brought a power against what the others really ordered."""
    analyst.games.set_position(0, turn.resolution.before)
    codes = analyst._codes()
    number = analyst.powers.index(power)
    owners = analyst.games.state.units[0, POWER, : analyst.games.state.game[0, COUNT]]
    units = np.flatnonzero(owners == number)
    actual = analyst._played(turn, codes)
    sheet = analyst._encoded(better, codes, actual, units)
    with_better, without = analyst._means(number, units, np.array([sheet, actual]), actual[None])
    return float(with_better - without)


def main() -> None:
    """Analyze and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.analysis", description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--every", type=int, default=1, help="look at one movement turn in so many")
    parser.add_argument("--variant", default="standard")
    given = parser.parse_args()
    rules = load(given.variant)
    first, second = Analyst(rules), Analyst(rules, "another seed")
    rows, same, turns, games, seconds = [], [], 0, 0, 0.0
    for game in recorded_games(given.source):
        if sum(phase["type"] == "Movement" for phase in game["phases"]) < LONG:
            continue
        if games == given.games:
            break
        games, memory = games + 1, None
        for number, turn in enumerate(movements(rules, game)):
            if (number + games) % given.every == 0:
                begun, turns = time.process_time(), turns + 1
                found = list(first.sheets(turn, number, memory))
                seconds += time.process_time() - begun
                again = list(second.sheets(turn, number, memory))
                ordered = {sheet.power for sheet in turn.sheets}
                for one, other in zip(found, again, strict=True):
                    if one.power in ordered:
                        rows.append((one.loss, gain(first, turn, one.power, one.best)))
                        same.append(one.best == other.best)
            memory = remember(graph_of(rules), turn.resolution.before, turn.resolution.verdicts)
    claim, real = np.array(rows).T
    flagged = claim >= MISTAKE
    print(f"{games} games, {turns} turns, {len(claim)} sheets, {seconds / turns:.2f} s a turn")
    print(f"called mistakes: {share(flagged)}; of them wrongly: {share(real[flagged] < -0.0005)}")
    print(f"claimed {claim[flagged].mean():.3f} a mistake, would have gained {real[flagged].mean():.3f}")
    print(f"the same best sheet with another seed: {share(np.array(same))}")


def share(hits: Any) -> str:
    """Return a share with its Wilson interval (95 %)."""
    low, high = wilson(int(hits.sum()), len(hits))
    return f"{hits.mean():.0%} ({low:.0%} to {high:.0%})"


if __name__ == "__main__":
    main()
