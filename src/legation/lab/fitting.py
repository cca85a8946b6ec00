"""The value of a position, fitted on games of bots:
``python -m legation.lab.fitting standard hundred 1897 1000ad -o weights.json``.

The data: games of the bot ``dumbbot`` in every seat (``--games`` of each variant, seeds ``fit: 0`` and so on). Before
every movement turn each living power's features are noted (:mod:`legation.lab.dense.judging`), and later what that
power came to in the end: 1 for a game won alone, 0 where another won, else its share of the sum of squares of centers.
The weights are those of ridge regression of the one on the other; every game counts alike, however long it was. A tenth
of the games is held out; how well it is foretold is printed. What the package holds is
``src/legation/lab/dense/weights.json``."""

import argparse
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from legation.judge import Ruleset
from legation.lab.dense.layout import DUMB, FEATURES, HIDDEN, MOVEMENT, PLAYED, RETREATS, TURN, WEIGHED
from legation.lab.games import Games
from legation.lab.tactician import work_of
from legation.variants import load

RIDGE = 1e-3
HELD_OUT = 10  # one game in so many


def sample(rules: Ruleset, games: int, turns: int) -> tuple[Any, Any, Any]:
    """Features, final scores and the game's number of each power before each movement turn."""
    played = Games(rules, [f"fit: {number}" for number in range(games)])
    seats = np.full((games, len(rules.powers)), DUMB)
    features, places = [], []
    for game in range(games):
        while not played.ended(game) and played.state.game[game, PLAYED] < turns:
            if played.tables.phase[played.state.game[game, TURN]] == MOVEMENT:
                played.call("judge_outlooks", game)
                alive = sorted(map(played.codec.powers.index, played.position(game).survivors()))
                features.append(played.scratch.features[alive, :WEIGHED])
                places += [(game, power) for power in alive]
            played.play_turn(game, played.order_seats(game, seats))
    scores = np.zeros((games, len(rules.powers)))
    for game in range(games):
        ending = played.ending(game)
        position = played.position(game)
        centers = np.array([len(position.centers_of(power)) for power in rules.powers], float)
        if ending is not None and ending.kind == "solo":
            scores[game, played.codec.powers.index(ending.powers[0])] = 1.0
        elif centers.any():
            scores[game] = centers**2 / (centers**2).sum()
    of_game, of_power = np.array(places).T
    return np.concatenate(features), scores[of_game, of_power], of_game


class Watched(NamedTuple):
    """Positions of games that somebody won: features (positions x powers x FEATURES), games, winners by number."""

    features: Any
    game: Any
    winner: Any


def watch(rules: Ruleset, games: int, turns: int, seconds: float) -> Watched:
    """Let tacticians play that search for about so many seconds a turn (seeds ``watch: 0`` and so on), and note what
    each movement but the last came to, once its retreats are done, judged in the movement's turn as a search does."""
    played = Games(rules, [f"watch: {number}" for number in range(games)])
    state, weighed = played.state.game, played.tables
    measured = weighed._replace(network=np.zeros((FEATURES + HIDDEN + 2, HIDDEN)))  # all that a network reads
    seats = np.full((games, len(rules.powers)), DUMB)
    work = np.full(seats.shape, work_of(rules, seconds))
    features, places = [], []
    winners = np.full(games, -1)
    for game in range(games):
        moved = -1
        while not played.ended(game) and state[game, PLAYED] < turns:
            turn = int(state[game, TURN])
            if moved >= 0 and weighed.phase[turn] != RETREATS:
                played.use_tables(measured)
                state[game, TURN] = moved
                played.call("judge_outlooks", game)
                state[game, TURN] = turn
                played.use_tables(weighed)
                features.append(played.scratch.features.astype(np.float32))
                places.append(game)
                moved = -1
            if weighed.phase[turn] == MOVEMENT:
                moved = turn
            played.play_turn(game, played.order_seats(game, seats, work))
        ending = played.ending(game)
        if ending is not None and ending.kind == "solo":
            winners[game] = played.codec.powers.index(ending.powers[0])
    of_game = np.array(places)
    won = winners[of_game] >= 0
    return Watched(np.array(features)[won], of_game[won], winners[of_game[won]])


def fit(features: Any, scores: Any, games: Any) -> tuple[Any, float]:
    """The weights, and how much of the variance of the held-out games they explain."""
    held = games % HELD_OUT == 0
    lengths = np.bincount(games).astype(float)
    weight = np.sqrt(1 / lengths[games])[:, None]
    left, right = features[~held] * weight[~held], scores[~held] * weight[~held, 0]
    square = left.T @ left
    weights = np.linalg.solve(square + RIDGE * np.trace(square) / WEIGHED * np.eye(WEIGHED), left.T @ right)
    residual = scores[held] - features[held] @ weights
    return weights, float(1 - residual.var() / scores[held].var())


def main() -> None:
    """Play, fit and write."""
    parser = argparse.ArgumentParser(prog="python -m legation.lab.fitting", description=__doc__)
    parser.add_argument("variants", nargs="+", help="others are weighed as the standard game is")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--turns", type=int, default=250)
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args()
    fitted = {}
    for variant in given.variants:
        weights, explained = fit(*sample(load(variant), given.games, given.turns))
        fitted[variant] = [round(float(weight), 5) for weight in weights]
        print(f"{variant}: {explained:.0%} of the variance of held-out games explained; {fitted[variant]}")  # noqa: T201
    given.output.write_bytes(msgspec.json.format(msgspec.json.encode(fitted), indent=1) + b"\n")


if __name__ == "__main__":
    main()
