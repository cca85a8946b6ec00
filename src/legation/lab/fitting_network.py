"""Who wins: a small network by which ``strong`` and ``strongest`` judge positions, fitted on games of the tactician:
``python -m legation.lab.fitting_network standard hundred 1897 -o networks.npz`` (extra ``train``).

The data: games of the tactician in every seat (:func:`legation.lab.fitting.watch`, ``--seconds`` a turn). The network
gives each power a number from its features; softmax over the powers makes chances of them, whose cross entropy with who
won is the loss. A tenth of the games is held out; how well it is predicted is printed. What the package holds is
``src/legation/lab/dense/networks.npz``. Other variants are judged by the first of as many powers."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from legation.lab.dense.layout import FEATURE_CENTERS, FEATURE_OUT, FEATURE_UNITS, FEATURES, HIDDEN
from legation.lab.dense.tables import shared_network
from legation.lab.fitting import HELD_OUT, Watched, watch
from legation.variants import load

BATCH, EPOCHS, RATE, DECAY = 128, 12, 4e-3, 1e-3
LATE = 2 / 3  # a position is late once a power has this part of the centers that it needs


def log_chances(w: Mapping[str, Any], features: Any) -> Any:
    """Return the logarithm of each power's chance to win, positions x powers."""
    hidden = functional.relu(functional.relu(features @ w["first"]) @ w["second"] + w["bias"])
    living = features[:, :, FEATURE_CENTERS] + features[:, :, FEATURE_UNITS] > 0
    return torch.log_softmax((hidden @ w["last"]).masked_fill(~living, -1e9), 1)


def fit(watched: Watched, seed: int = 1) -> tuple[Any, float, float]:
    """Return the network as dense games read it, and which part of the variance it explains in games that were held
    out: of all positions, and of late ones."""
    torch.manual_seed(seed)
    shapes = {"first": (FEATURES, HIDDEN), "second": (HIDDEN, HIDDEN), "bias": (HIDDEN,), "last": (HIDDEN,)}
    w = {name: (torch.randn(shape) / shape[0] ** 0.5).requires_grad_() for name, shape in shapes.items()}
    features, winner = torch.from_numpy(watched.features), torch.from_numpy(watched.winner)
    held = torch.from_numpy(watched.game % HELD_OUT == 0)
    learned = torch.nonzero(~held)[:, 0]
    optimizer = torch.optim.AdamW(w.values(), RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, EPOCHS * -(-len(learned) // BATCH))
    for _ in range(EPOCHS):
        for rows in learned[torch.randperm(len(learned))].split(BATCH):
            loss = functional.nll_loss(log_chances(w, features[rows]).clamp(min=-20), winner[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    network = torch.cat([w["first"], w["second"], w["bias"][None], w["last"][None]]).detach().numpy()
    network[FEATURE_OUT] = network[FEATURE_UNITS]  # nobody is dislodged where games were watched: most will retreat
    with torch.no_grad():
        predicted = log_chances(w, features[held]).exp()
    came = functional.one_hot(winner[held], predicted.shape[1]).float()
    late = features[held][:, :, FEATURE_CENTERS].amax(1) > LATE
    return network, _explained(predicted, came), _explained(predicted[late], came[late])


def _explained(predicted: Any, came: Any) -> float:
    return float(1 - (came - predicted).square().mean() / came.var())


def main() -> None:
    """Play, fit and write."""
    parser = argparse.ArgumentParser(prog="python -m legation.lab.fitting_network", description=__doc__)
    parser.add_argument("variants", nargs="+", help="others are judged as the first of as many powers")
    parser.add_argument("--games", type=int, default=1500)
    parser.add_argument("--turns", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=0.002)
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args()
    networks = {}
    for variant in given.variants:
        rules = load(variant)
        watched = watch(rules, given.games, given.turns, given.seconds)
        networks[variant], explained, late = fit(watched)
        networks.setdefault(shared_network(rules), networks[variant])
        games = len(np.unique(watched.game))
        print(f"{variant}: {games} games were won; {explained:.0%} explained, late {late:.0%}")  # noqa: T201
    np.savez(given.output, **networks)


if __name__ == "__main__":
    main()
