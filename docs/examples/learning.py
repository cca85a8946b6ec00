# %% [markdown]
# # A policy that learns to beat DumbBot
#
# A learner watches games of Hundred in which DumbBot plays all powers, and learns from them what a position is worth: a
# weight for each of nine features, by ridge regression on how the games ended. Then it plays against DumbBots: in each
# movement turn it draws eight sheets from DumbBot for everybody, tries its own against those of the others, and orders
# the one after which its position is worth most. The more games it has watched, the more often it wins.
#
# Cells are marked with `# %%`: editors and Jupytext open this file as a notebook.

# %%
import sys

import numpy as np

import legation
from legation.lab.batch import BatchedEnv
from legation.lab.dense.layout import MOVEMENT, TURN
from legation.lab.fitting import fit, sample
from legation.lab.report.charts import over_years
from legation.orders import Sheet

GAMES = int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 96
TURNS, DRAWS = 60, 8
WATCHED = [0, 5, 10, 20, 40, 80, 160]
rules = legation.load("hundred")
POWERS = list(rules.powers)
learner = np.arange(GAMES) % len(POWERS)  # the learner's power in each game

# %% [markdown]
# ## What a position is worth
#
# `sample` plays the games and notes every power's features before each movement turn (centers, units, what threatens
# them, what could be taken; `legation.lab.dense.judging` measures them) with the score that it came to in the end.

# %%
features, came_to, of_game = sample(rules, max(WATCHED), 250)


def learn(games: int) -> np.ndarray:
    """Return the weight of each feature, from the first of the games."""
    known = of_game < games
    return fit(features[known], came_to[known], of_game[known])[0]


# %% [markdown]
# ## Playing


# %%
def choose(env: BatchedEnv) -> np.ndarray:
    """Return DumbBot's actions for all units, the learner's those of the drawn sheet that does best."""
    batch, drawn = env.observe(), [env.dumbbot() for _ in range(DRAWS)]
    actions = drawn[0].copy()
    for g in range(GAMES):
        if env.games.tables.phase[env.games.state.game[g, TURN]] != MOVEMENT:
            continue
        units = np.flatnonzero(batch.powers[g] >= 0)
        mine = batch.powers[g, units] == learner[g]
        codes = np.array([batch.legal[batch.starts[g, units] + one[g, units]] for one in drawn])
        tried = np.where(mine, codes[:, None], codes[None, :]).reshape(DRAWS * DRAWS, -1)  # own sheets x the others'
        worth = env.games.try_movements(g, tried)[:, learner[g]].reshape(DRAWS, DRAWS).mean(axis=1)
        actions[g, units[mine]] = drawn[worth.argmax()][g, units[mine]]
    return actions


def play(weights: np.ndarray | None) -> np.ndarray:
    """Play each game to its end against DumbBots, and return the learners' scores: 1 for a solo, 0 if another won, else
    the share of the sum of squares of centers. Without weights the learner is DumbBot, too."""
    env = BatchedEnv("hundred", GAMES, seed="learning", turns=TURNS)
    if weights is not None:
        env.games.tables.weights[:] = weights
    scores, over = np.zeros(GAMES), np.zeros(GAMES, bool)
    while not over.all():
        _, rewards, ended = env.step(env.dumbbot() if weights is None else choose(env))
        scores += np.where(ended & ~over, rewards[np.arange(GAMES), learner], 0)
        over |= ended
    return scores


# %%
curve = [play(learn(games) if games else None).mean() for games in WATCHED]
for games, score in zip(WATCHED, curve, strict=True):
    print(f"{games} games watched: score {score:.0%}")
print("an even share is 33%")

# %% [markdown]
# ## The result
#
# The curve is the learner's mean score, in percent, by how many games it has watched.

# %%
figure = over_years(
    "Score of the learner, %", WATCHED, 100 * np.array(curve), 100 * np.array(curve), 100 * np.array(curve), [], 100,
    "The learner’s mean score, by how many games it has watched.",
)  # fmt: skip
figure

# %%
env = BatchedEnv("hundred", GAMES, seed="shown", turns=TURNS)
env.games.tables.weights[:] = learn(max(WATCHED))
batch, actions, sheets = env.observe(), choose(env), {power: [] for power in POWERS}
for g, power in enumerate(POWERS):  # the first game of each power
    for unit in np.flatnonzero(batch.powers[g] == g):
        code = int(batch.legal[batch.starts[g, unit] + actions[g, unit]])
        sheets[power].append(env.games.codec.order(env.games.state, g, int(unit), code))
game = legation.Game(env.rules)
game.play([Sheet(power, tuple(orders)) for power, orders in sheets.items()])
drawing = legation.draw(game)
drawing

# %%
if len(sys.argv) > 2:  # python docs/examples/learning.py GAMES FOLDER
    from pathlib import Path

    Path(sys.argv[2], "learning.svg").write_text(figure.alone)
    Path(sys.argv[2], "learning-map.svg").write_text(drawing)
