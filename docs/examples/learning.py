# %% [markdown]
# # A policy that learns to capture centers
#
# Sixty-four games of Hundred run in parallel. In each, one power is a learner and the others choose random orders.
# The learner scores every legal order of a unit by twenty features, with a weight for each, and samples an order by
# these scores. After each round of games the weights move toward what gained centers (REINFORCE, with the mean of
# all games as the baseline). It takes one core a minute or two.
#
# Cells are marked with `# %%`: editors and Jupytext open this file as a notebook.

# %%
import sys

import numpy as np

import legation
from legation.board import ARMY, FLEET
from legation.lab.batch import Batch, BatchedEnv, order_features
from legation.lab.dense.layout import CONVOYS, HOLDS, MOVES, MOVES_VIA, SUPPORTS_HOLD, SUPPORTS_MOVE, TURN
from legation.lab.dense.tables import turns_of
from legation.lab.report.charts import over_years
from legation.orders import Sheet
from legation.position import Phase

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 40
GAMES, TURNS, AHEAD, STEP = 64, 60, 0.8, 0.1
random = np.random.default_rng(1)
env = BatchedEnv("hundred", GAMES, seed="learning", turns=TURNS)
POWERS = list(env.rules.powers)
learner = np.arange(GAMES) % len(POWERS)  # the learner's power in each game

# %% [markdown]
# ## The features of an order
#
# The planes show where units are and who owns what. `near` spreads the value of a center that the learner doesn't own
# to the places around it.

# %%
board, names, locations = env.rules.board, env.planes.names, env.planes.locations
near = np.array(
    [[a == b or any(b in board.reach(travel, a) for travel in (ARMY, FLEET)) for b in locations] for a in locations],
    np.float32,
)  # fmt: skip
units = [names.index(f"unit of {power}") for power in POWERS]
owned = [names.index(f"owned by {power}") for power in POWERS]
center = names.index("center")
calendar = turns_of(env.rules)
last_before_count = np.array(
    [next(t.phase for t in calendar[n + 1 :] + calendar if t.phase is not Phase.RETREATS) is Phase.ADJUSTMENTS
     for n in range(len(calendar))]
)  # fmt: skip


def centers(batch: Batch) -> np.ndarray:
    """Return the number of centers that the learner of each game owns."""
    return batch.planes[np.arange(GAMES), :, np.array(owned)[learner]].sum(axis=1)


def facts(batch: Batch) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the features of each legal order of the learners' units, where each unit's orders begin, and the units."""
    game, unit = np.nonzero(batch.powers == learner[:, None])
    first, last = batch.starts[game, unit], batch.starts[game, unit + 1]
    counts = last - first
    begins = np.concatenate([[0], np.cumsum(counts)])
    rows = np.repeat(first - begins[:-1], counts) + np.arange(begins[-1])  # of `batch.legal`
    g, mine = np.repeat(game, counts), np.repeat(learner[game], counts)
    what, to, helped, _ = order_features(batch.legal[rows]).T
    here = np.repeat(batch.locations[game, unit], counts)
    to = np.where(np.isin(what, (MOVES, MOVES_VIA)), to, here)
    planes = batch.planes
    counted = last_before_count[env.games.state.game[:GAMES, TURN]][g]
    wanted = planes[:, :, center] * (1 - planes[np.arange(GAMES), :, np.array(owned)[learner]])
    around = wanted @ near / near.sum(axis=0)
    mine_there = planes[g, to, np.array(units)[mine]]
    others_there = planes[:, :, units].sum(axis=2)[g, to] - mine_there
    helps_mine = batch.powers[g, np.minimum(helped, env.width - 1)] == mine
    moves, supports = np.isin(what, (MOVES, MOVES_VIA)), np.isin(what, (SUPPORTS_HOLD, SUPPORTS_MOVE))
    columns = [
        what == HOLDS, moves, what == MOVES_VIA, what == SUPPORTS_HOLD, what == SUPPORTS_MOVE, what == CONVOYS,
        moves * wanted[g, to], (what == HOLDS) * wanted[g, here], moves * wanted[g, here], supports * wanted[g, here],
        moves * (around[g, to] - around[g, here]), moves * mine_there, moves * others_there,
        moves * others_there * wanted[g, to], supports * helps_mine, (what == CONVOYS) * helps_mine,
        moves * near[to, here], moves * wanted[g, to] * counted, (what == HOLDS) * wanted[g, here] * counted,
        moves * wanted[g, here] * counted,
    ]  # fmt: skip
    return np.stack(columns, axis=1).astype(float), begins, np.stack([game, unit], axis=1)


def chances(scores: np.ndarray, begins: np.ndarray) -> np.ndarray:
    """Return the probability of each order among those of its unit."""
    sizes = np.diff(begins)
    most = np.maximum.reduceat(scores, begins[:-1])
    raised = np.exp(scores - np.repeat(most, sizes))
    return raised / np.repeat(np.add.reduceat(raised, begins[:-1]), sizes)


# %% [markdown]
# ## A round of games


# %%
def play(weights: np.ndarray) -> tuple[np.ndarray, list[np.ndarray], list[np.ndarray]]:
    """Play each game to its end. Return the learners' scores (1 for a solo, 0 if another won, else the share of the
    sum of squares of centers), their gains in each turn, and the gradients of the logarithm of their orders'
    probabilities."""
    batch, gains, slopes = env.observe(), [], []
    scores, over = np.zeros(GAMES), np.zeros(GAMES, bool)
    while not over.all():
        before = centers(batch)
        actions = random.integers(0, np.maximum(np.diff(batch.starts, axis=1), 1))
        known, begins, whose = facts(batch)
        slope = np.zeros((GAMES, len(weights)))
        if len(whose):
            p = chances(known @ weights, begins)
            piled = np.cumsum(p)
            base = np.concatenate([[0.0], piled[begins[1:-1] - 1]])
            drawn = np.searchsorted(piled, base + random.random(len(whose)) * (piled[begins[1:] - 1] - base))
            drawn = np.clip(drawn, begins[:-1], begins[1:] - 1)
            actions[whose[:, 0], whose[:, 1]] = drawn - begins[:-1]
            mean = np.add.reduceat(known * p[:, None], begins[:-1], axis=0)
            np.add.at(slope, whose[:, 0], known[drawn] - mean)
        batch, rewards, ended = env.step(actions)
        scores += np.where(ended & ~over, rewards[np.arange(GAMES), learner], 0)
        slopes.append(np.where(over[:, None], 0, slope))  # a game that ends starts again at once; ignore that one
        over |= ended
        gains.append(np.where(over, 0, centers(batch) - before))
    return scores, gains, slopes


# %% [markdown]
# ## Learning

# %%
weights, speed, size = np.zeros((3, 20))
curve = []
for number in range(ROUNDS):
    env = BatchedEnv("hundred", GAMES, seed=f"learning {number}", turns=TURNS)
    scores, gains, slopes = play(weights)
    curve.append(scores.mean())
    to_come, step = np.zeros(GAMES), np.zeros(20)
    for gain, slope in zip(gains[::-1], slopes[::-1], strict=True):
        to_come = gain + AHEAD * to_come
        step += ((to_come - to_come.mean())[:, None] * slope).mean(axis=0)
    speed, size = 0.9 * speed + 0.1 * step, 0.99 * size + 0.01 * step**2  # Adam
    weights += STEP * (speed / (1 - 0.9 ** (number + 1))) / (np.sqrt(size / (1 - 0.99 ** (number + 1))) + 1e-8)

tenth = max(1, ROUNDS // 10)
print(f"score: {curve[0]:.0%} without learning, {np.mean(curve[-tenth:]):.0%} in the last rounds; an even share is 33%")

# %% [markdown]
# ## The result
#
# The curve is the learners' mean score in each round, in percent.

# %%
figure = over_years(
    "Score of the learner, %", list(range(1, ROUNDS + 1)), 100 * np.array(curve), 100 * np.array(curve),
    100 * np.array(curve), [], 100, "The learner’s mean score, round by round.",
)  # fmt: skip
figure

# %%
env = BatchedEnv("hundred", GAMES, seed="shown", turns=TURNS)
batch = env.observe()
known, begins, whose = facts(batch)
best = [int(np.argmax(part)) for part in np.split(known @ weights, begins[1:-1])]
codec, sheets = env.games.codec, {power: [] for power in POWERS}
for (g, unit), choice in zip(whose, best, strict=True):
    if g < len(POWERS):  # the first game of each power
        code = int(batch.legal[batch.starts[g, unit] + choice])
        sheets[POWERS[learner[g]]].append(codec.order(env.games.state, int(g), int(unit), code))
game = legation.Game(env.rules)
game.play([Sheet(power, tuple(orders)) for power, orders in sheets.items()])
drawing = legation.draw(game)
drawing

# %%
if len(sys.argv) > 2:  # python docs/examples/learning.py ROUNDS FOLDER
    from pathlib import Path

    Path(sys.argv[2], "learning.svg").write_text(figure.alone)
    Path(sys.argv[2], "learning-map.svg").write_text(drawing)
