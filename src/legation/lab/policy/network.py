"""The network by numpy: what :mod:`.training` trains, for one position at a time."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

from legation.lab.policy.choices import Choices
from legation.lab.policy.encoding import BY_LAND, BY_SEA, BoardGraph, Encoded

WEIGHTS = "weights.npz"
ROLES = ("at", "to", "helped")
IMPOSSIBLE = -1e9
PIECE = 250_000
"""Products of matrices are made in pieces of so many multiplications at most: greater ones OpenBLAS shares among
threads, whose waiting for each other takes ten times as long as the work."""


@cache
def weights() -> Mapping[str, Any]:
    """Return the weights of the package, read once."""
    with (files(__package__) / WEIGHTS).open("rb") as file, np.load(file) as kept:
        return {name: kept[name].astype(np.float32) for name in kept.files}


class Reading(NamedTuple):
    """What the network makes of a position: tables by role (nodes x numbers) from which orders are scored, the same for
    what is decided, one row for each power, and each power's expected part of the game."""

    tables: Mapping[str, Any]
    told: Mapping[str, Any]
    powers: Any
    outlook: Any


def read_position(w: Mapping[str, Any], graph: BoardGraph, encoded: Encoded) -> Reading:
    """Return what the network makes of a position, for all powers together."""
    h, held = _read_board(w, graph, encoded)
    hidden = _positive(np.concatenate([held, encoded.sizes], axis=1) @ w["value"] + w["value_bias"])
    score = np.where(encoded.alive, (hidden @ w["outlook"])[:, 0], IMPOSSIBLE)
    outlook = np.exp(score - score.max())
    return Reading(
        {role: _times(h, w[role]) for role in ROLES},
        {role: _times(h, w[f"sheet_{role}"]) for role in ROLES},
        held @ w["power"] + w["power_bias"],
        outlook / outlook.sum(),
    )


def _read_board(w: Mapping[str, Any], graph: BoardGraph, encoded: Encoded) -> tuple[Any, Any]:
    """Return numbers for each node, and for each power their average over the nodes that it holds."""
    stands, unit, holder = encoded.stands, encoded.unit, encoded.holder
    enters = (stands == BY_LAND) * graph.reach[BY_LAND] + (stands == BY_SEA) * graph.reach[BY_SEA]
    mine = unit[None] == holder[:, None]
    own, hostile = (_averaging(enters * part) for part in (mine, ~mine))
    held = (holder[None] == np.arange(len(graph.powers))[:, None]).astype(np.float32)
    holds = held / np.maximum(held.sum(axis=1, keepdims=True), 1)
    h = _positive(_times(encoded.features, w["in"]) + w["in_bias"])
    layer = 0
    while (mixing := w.get(f"layer{layer}")) is not None:
        around = [_times(near, h) for near in (*graph.near, own, hostile)]
        mixed = [h, *around, held.T @ (holds @ h), h.mean(axis=0, keepdims=True)]
        parts = mixing.reshape(len(mixed), -1, mixing.shape[1])
        total = sum(_times(part, weight) for part, weight in zip(mixed, parts, strict=True))
        h = _normal(h + _positive(total + w[f"layer{layer}_bias"]))
        layer += 1
    return h, holds @ h


def _times(a: Any, b: Any) -> Any:
    """The product of two matrices, in pieces."""
    rows = max(1, PIECE // b.size)
    if len(a) <= rows:
        return a @ b
    return np.concatenate([a[start : start + rows] @ b for start in range(0, len(a), rows)])


def _positive(values: Any) -> Any:
    return np.maximum(values, 0)


def _averaging(edges: Any) -> Any:
    return (edges / np.maximum(edges.sum(axis=1, keepdims=True), 1)).astype(np.float32)


def _normal(h: Any) -> Any:
    centered = h - h.mean(axis=1, keepdims=True)
    return centered / np.sqrt((centered**2).mean(axis=1, keepdims=True) + 1e-5)


class Scorer:
    """Scores the orders of one power in one position, for some sheets side by side."""

    def __init__(self, w: Mapping[str, Any], reading: Reading, encoded: Encoded, power: int) -> None:
        self.w, self.told = w, reading.told
        view = encoded.views[power]
        self.tables = {role: reading.tables[role] + _times(view, w[f"view_{role}"]) for role in ROLES}
        self.power = reading.powers[power]

    def start(self, sheets: int) -> Any:
        """Return the state of so many sheets on which no unit has an order yet."""
        return np.zeros((sheets, len(self.w["sheet"])), np.float32)

    def scores(self, choices: Choices, context: Any, decided: Any) -> Any:
        """Return the scores of orders on every sheet, sheets x orders."""
        w, tables = self.w, self.tables
        orders = w["kind"][choices.kind] + tables["at"][choices.at] + tables["to"][choices.to]
        orders = orders + tables["helped"][choices.helped] + self.power
        told = _times(context.reshape(-1, context.shape[2]), w["context"]).reshape(*context.shape[:2], -1)
        total = _positive(orders + told + _times(decided, w["sheet"])[:, None])
        hidden = _positive(_times(total.reshape(-1, total.shape[2]), w["second"]) + w["second_bias"])
        return (hidden @ w["score"]).reshape(total.shape[:2])

    def decide(self, choices: Choices, chosen: Any, decided: Any) -> Any:
        """Return what is decided once each sheet has chosen."""
        w, told = self.w, self.told
        order = w["sheet_kind"][choices.kind[chosen]] + w["sheet_kind_bias"] + told["at"][choices.at[chosen]]
        order = order + told["to"][choices.to[chosen]] + told["helped"][choices.helped[chosen]]
        return decided + _positive(order) / 4


def log_chances(scores: Any, heat: float = 1.0) -> Any:
    """Return the logarithm of the chance of each order (the last axis); ``heat`` above 1 makes unlikely ones
    likelier."""
    shifted = (scores - scores.max(axis=-1, keepdims=True)) / heat
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
