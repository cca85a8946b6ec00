"""How well the policy foretells people's orders: ``python -m bench.policy GAMES.jsonl.gz``; needs the extra ``train``.

The games are recorded ones that it didn't learn from. The outlook before movement is held against what part of the game
each power had in the end.
"""

import argparse
import tempfile
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np
import torch

from legation.lab.policy.examples import prepare
from legation.lab.policy.training import Loader, judge_powers, measure, read_board, read_weights
from legation.variants import STANDARD, load


def explained(weights: dict[str, Any], loader: Loader, positions: Any) -> float:
    """Return the part of the variance of outcomes that the outlooks in these positions explain (R²)."""
    told, came = [], []
    with torch.no_grad():
        for batch in loader.batches(positions):
            known = batch.outcome[:, 0] >= 0
            held = read_board(weights, loader.relations, batch)[1]
            told.append(judge_powers(weights, batch, held)[known].exp().numpy())
            came.append(batch.outcome[known].numpy())
    outlook, outcome = np.concatenate(told), np.concatenate(came)
    return float(1 - ((outlook - outcome) ** 2).sum() / ((outcome - outcome.mean()) ** 2).sum())


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.policy", description=__doc__)
    parser.add_argument("games", type=Path, nargs="+")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        examples = prepare(STANDARD, given.games, Path(folder))
    loader = Loader(load(STANDARD), examples)
    with as_file(files("legation.lab.policy") / "weights.npz") as path:
        weights = read_weights(path)
    for what, value in measure(weights, loader, np.arange(len(examples.game))).items():
        print(f"{what}: {value:,}" if isinstance(value, int) else f"{what}: {value:.3f}")
    moving = np.flatnonzero(examples.phase == 0)
    print(f"variance of outcomes explained before movement: {explained(weights, loader, moving):.2f}")


if __name__ == "__main__":
    main()
