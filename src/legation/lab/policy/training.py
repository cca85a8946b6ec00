"""Training of the network by PyTorch (the extra ``train``); :mod:`.network` does the same sums by numpy.

``legation lab train`` reads recorded games, holds some out, and writes the weights with a report."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import torch
from torch.nn import functional

from legation.judge import Ruleset
from legation.lab.policy.choices import CONTEXT, KINDS
from legation.lab.policy.encoding import BY_LAND, BY_SEA, FEATURES, PHASES, SIZES, VIEW, graph_of
from legation.lab.policy.examples import Examples
from legation.variants import load

RELATIONS = 8
"""A layer mixes a node with averages: neighbors by land, by sea, coasts, own and hostile units that may enter, all that
the holder holds, everything."""
ROLES = ("at", "to", "helped")
VALUE_WEIGHT = 0.3
TOLD_EVERY = 100
AT_ONCE = 64
"""Positions in a batch that is only measured."""
HELD_OUT, WHICH = 30, 7
"""One game in so many is held out to measure by: that whose number leaves so much over."""


class Sizes(msgspec.Struct, frozen=True):
    """How large the network is: numbers for each node, layers, and numbers for each order and for the sheet so far."""

    width: int = 80
    layers: int = 4
    hidden: int = 96
    sheet: int = 48


class TrainingPlan(msgspec.Struct, frozen=True):
    """How the network is trained.

    ``kept`` tells which part of the positions of movement, retreats and adjustments is learned from, as in the latter
    two there are few choices, ``share`` which part of the first variant's in an epoch, and ``keep`` how much of the
    weights that were gone on from is in the mean that is written, which keeps outlooks true."""

    epochs: int = 3
    batch: int = 48
    rate: float = 2e-3
    decay: float = 0.01
    seed: int = 1
    kept: tuple[float, ...] = (1.0, 0.25, 0.5, 1.0)
    share: float = 1.0
    keep: float = 0.0
    sizes: Sizes = Sizes()


class Batch(NamedTuple):
    """Some positions with their choices, as tensors; orders and choices are numbered within the batch."""

    features: Any
    stands: Any
    unit: Any
    holder: Any
    views: Any
    sizes: Any
    alive: Any
    outcome: Any
    position: Any
    power: Any
    sheet: Any
    chosen: Any
    choice: Any
    orders: Any
    context: Any


class Relations:
    """What of a variant's board the network needs, as tensors."""

    def __init__(self, rules: Ruleset) -> None:
        graph = graph_of(rules)
        self.near = torch.from_numpy(graph.near)
        self.by_land = torch.from_numpy(graph.reach[BY_LAND].astype(np.float32))
        self.by_sea = torch.from_numpy(graph.reach[BY_SEA].astype(np.float32))


def new_weights(sizes: Sizes, seed: int) -> dict[str, Any]:
    """Return weights drawn by lot."""
    torch.manual_seed(seed)
    width, hidden, sheet = sizes.width, sizes.hidden, sizes.sheet
    shapes = {"in": (FEATURES, width)}
    for layer in range(sizes.layers):
        shapes[f"layer{layer}"] = (RELATIONS * width, width)
    for role in ROLES:
        shapes |= {role: (width, hidden), f"view_{role}": (VIEW, hidden), f"sheet_{role}": (width, sheet)}
    shapes |= {
        "kind": (KINDS, hidden),
        "sheet_kind": (KINDS, sheet),
        "context": (CONTEXT, hidden),
        "sheet": (sheet, hidden),
        "power": (width, hidden),
        "second": (hidden, hidden),
        "score": (hidden, 1),
        "value": (width + SIZES, hidden),
        "outlook": (hidden, 1),
    }
    weights = {name: torch.randn(shape) * (2 / shape[0]) ** 0.5 for name, shape in shapes.items()}
    for role in ROLES:
        weights[role] /= 3
    biased = ("in", *(f"layer{n}" for n in range(sizes.layers)), "power", "second", "sheet_kind", "value")
    weights |= {f"{name}_bias": torch.zeros(shapes[name][1]) for name in biased}
    return {name: weight.requires_grad_() for name, weight in weights.items()}


def read_board(w: Mapping[str, Any], board: Relations, batch: Batch) -> tuple[Any, Any]:
    """Return numbers for each node (positions x nodes x width) and each power (positions x powers x width)."""
    powers = batch.views.shape[1]
    stands, unit, holder = batch.stands, batch.unit, batch.holder
    enters = (stands == BY_LAND)[:, None] * board.by_land + (stands == BY_SEA)[:, None] * board.by_sea
    mine = unit[:, None] == holder[:, :, None]
    own, hostile = (_averaging(enters * part) for part in (mine, ~mine))
    held = (holder[:, None] == torch.arange(powers)[:, None]).float()
    holds = held / held.sum(2, keepdim=True).clamp(min=1)
    h = functional.relu(batch.features @ w["in"] + w["in_bias"])
    layers = sum(name.startswith("layer") and not name.endswith("bias") for name in w)
    for layer in range(layers):
        around = [torch.matmul(near, h) for near in board.near]
        pooled = held.transpose(1, 2) @ (holds @ h)
        mixed = [h, *around, own @ h, hostile @ h, pooled, h.mean(1, keepdim=True).expand_as(h)]
        h = h + functional.relu(torch.cat(mixed, 2) @ w[f"layer{layer}"] + w[f"layer{layer}_bias"])
        h = functional.layer_norm(h, h.shape[-1:])
    return h, holds @ h


def _averaging(edges: Any) -> Any:
    return edges / edges.sum(2, keepdim=True).clamp(min=1)


def score_orders(w: Mapping[str, Any], batch: Batch, h: Any, held: Any) -> Any:
    """Return the score of every order of the batch."""
    kind, places = batch.orders[:, 0], batch.orders[:, 1:]
    position, power = batch.position[batch.choice], batch.power[batch.choice]
    total = w["kind"][kind] + batch.context @ w["context"]
    total = total + (held @ w["power"] + w["power_bias"])[position, power]
    told = w["sheet_kind"][kind] + w["sheet_kind_bias"]
    for n, role in enumerate(ROLES):
        total = total + (h @ w[role])[position, places[:, n]]
        total = total + (batch.views @ w[f"view_{role}"])[position, power, places[:, n]]
        told = told + (h @ w[f"sheet_{role}"])[position, places[:, n]]
    chosen = functional.relu(told[batch.chosen]) / 4
    before = torch.cumsum(chosen, 0) - chosen
    first = torch.cat([torch.ones(1, dtype=torch.bool), batch.sheet[1:] != batch.sheet[:-1]])
    starts = torch.where(first, torch.arange(len(first)), 0).cummax(0).values
    total = total + ((before - before[starts]) @ w["sheet"])[batch.choice]
    hidden = functional.relu(functional.relu(total) @ w["second"] + w["second_bias"])
    return (hidden @ w["score"])[:, 0].float()


def judge_powers(w: Mapping[str, Any], batch: Batch, held: Any) -> Any:
    """Return the logarithm of each power's expected part of the game, positions x powers."""
    hidden = functional.relu(torch.cat([held, batch.sizes], 2) @ w["value"] + w["value_bias"])
    score = (hidden @ w["outlook"])[:, :, 0].float()
    return torch.log_softmax(score.masked_fill(~batch.alive, -1e9), 1)


def log_chances(scores: Any, choice: Any, choices: int) -> Any:
    """Return the logarithm of the chance of every order among those of its choice."""
    greatest = torch.full((choices,), -1e9).scatter_reduce(0, choice, scores, "amax").detach()
    shifted = scores - greatest[choice]
    total = torch.zeros(choices).index_add(0, choice, shifted.exp())
    return shifted - total.log()[choice]


class Loader:
    """Cuts examples of one variant into batches."""

    def __init__(self, rules: Ruleset, examples: Examples) -> None:
        self.examples, self.relations = examples, Relations(rules)
        self.choices = np.searchsorted(examples.position, np.arange(len(examples.game) + 1))
        self.starts = np.concatenate([[0], np.cumsum(examples.count)])

    def batch(self, positions: Any) -> Batch:
        """Return these positions as a batch."""
        e = self.examples
        choices = np.concatenate([np.arange(self.choices[p], self.choices[p + 1]) for p in positions])
        counts = e.count[choices]
        ends = np.cumsum(counts)
        first = ends - counts
        orders = np.repeat(self.starts[choices] - first, counts) + np.arange(ends[-1])
        where = np.repeat(np.arange(len(positions)), self.choices[positions + 1] - self.choices[positions])
        columns = [
            *(e.features[positions].astype(np.float32) / 255, e.stands[positions].astype(np.int64)),
            *(e.unit[positions].astype(np.int64), e.holder[positions].astype(np.int64)),
            *(e.views[positions].astype(np.float32) / 255, e.sizes[positions].astype(np.float32)),
            *(e.alive[positions], e.outcome[positions]),
            *(where, e.power[choices].astype(np.int64), e.sheet[choices].astype(np.int64), first + e.chosen[choices]),
            *(np.repeat(np.arange(len(choices)), counts), e.orders[orders].astype(np.int64)),
            e.context[orders].astype(np.float32) / 255,
        ]
        return Batch(*map(torch.from_numpy, columns))

    def batches(self, positions: Any) -> Iterator[Batch]:
        """Yield these positions in batches, in their order."""
        for start in range(0, len(positions), AT_ONCE):
            yield self.batch(positions[start : start + AT_ONCE])


def losses(w: Mapping[str, Any], board: Relations, batch: Batch) -> tuple[Any, Any]:
    """Return the mean loss of choices, and of the outcomes that are known."""
    h, held = read_board(w, board, batch)
    chances = log_chances(score_orders(w, batch, h, held), batch.choice, len(batch.power))
    value = _lose_value(w, batch, held)
    return -chances[batch.chosen].mean(), value.sum() / max(1, len(value))


def _lose_value(w: Mapping[str, Any], batch: Batch, held: Any) -> Any:
    return -(batch.outcome * judge_powers(w, batch, held).clamp(min=-12)).sum(1)[batch.outcome[:, 0] >= 0]


def train(
    parts: Sequence[tuple[Loader, Any]],
    plan: TrainingPlan,
    told: Callable[[int, int, float], None],
    begun: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return weights trained on examples of some variants, each with the positions to learn from, and from weights of a
    training that was ``begun``, if any; ``told`` hears now and then of the epoch, the step and the loss."""
    torch.set_num_threads(1)
    w = new_weights(plan.sizes, plan.seed)
    if begun is not None:
        w = {name: value.clone().requires_grad_() for name, value in begun.items()}
    random = np.random.default_rng(plan.seed)
    epochs = [_shuffle(parts, plan, random) for _ in range(plan.epochs)]
    optimizer = torch.optim.AdamW(w.values(), lr=plan.rate, weight_decay=plan.decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, plan.rate, sum(map(len, epochs)), pct_start=0.08)
    for epoch, pieces in enumerate(epochs):
        total = 0.0
        for step, (loader, positions) in enumerate(pieces, 1):
            policy, value = losses(w, loader.relations, loader.batch(positions))
            optimizer.zero_grad()
            (policy + VALUE_WEIGHT * value).backward()
            torch.nn.utils.clip_grad_norm_(w.values(), 1.0)
            optimizer.step()
            schedule.step()
            total += policy.item()
            if step % TOLD_EVERY == 0:
                told(epoch, step, total / TOLD_EVERY)
                total = 0.0
    return w


def _shuffle(parts: Sequence[tuple[Loader, Any]], plan: TrainingPlan, random: Any) -> list[tuple[Loader, Any]]:
    pieces = []
    for number, (loader, positions) in enumerate(parts):
        part = np.array(plan.kept)[loader.examples.phase[positions]] * (plan.share if number == 0 else 1)
        drawn = random.permutation(positions[random.random(len(part)) < part])
        pieces += [(loader, drawn[start : start + plan.batch]) for start in range(0, len(drawn), plan.batch)]
    return [pieces[k] for k in random.permutation(len(pieces))]


def calibrate(w: dict[str, Any], loader: Loader, positions: Any) -> float:
    """Divide the scores of powers by what makes the outlooks of held-out positions truest, and return it: the network
    is too sure of the games that it has learned from."""
    scores, outcomes = [], []
    with torch.no_grad():
        for batch in loader.batches(positions):
            known = batch.outcome[:, 0] >= 0
            scores.append(judge_powers(w, batch, read_board(w, loader.relations, batch)[1])[known])
            outcomes.append(batch.outcome[known])
    score, outcome = torch.cat(scores).clamp(min=-1e3), torch.cat(outcomes)
    if not len(outcome):
        return 1.0
    divisors = np.arange(0.8, 3.0, 0.05)
    found = [-(outcome * torch.log_softmax(score / d, 1)).sum(1).mean().item() for d in divisors.tolist()]
    best = float(divisors[int(np.argmin(found))])
    w["outlook"] = w["outlook"].detach() / best
    return best


def blend(w: Mapping[str, Any], begun: Mapping[str, Any], keep: float) -> dict[str, Any]:
    """Return the mean of two sets of weights, of which ``begun``, those it was trained from, make the part ``keep``."""
    return {name: keep * begun[name] + (1 - keep) * value.detach() for name, value in w.items()}


def measure(w: Mapping[str, Any], loader: Loader, positions: Any) -> dict[str, float]:
    """Return how well choices are foretold: by phase the part of single choices and of whole sheets that are the most
    likely ones and the log loss; and the loss of the value."""
    e = loader.examples
    found: dict[str, float] = {}
    for number, phase in enumerate(PHASES):
        chosen = positions[e.phase[positions] == number]
        if len(chosen):
            measured = _measure(w, loader, chosen)
            found |= {f"{phase.value.lower()} {what}": value for what, value in measured.items()}
    return found


def _measure(w: Mapping[str, Any], loader: Loader, positions: Any) -> dict[str, float]:
    hits, chosen, sheets, values = [], [], [], []
    with torch.no_grad():
        for batch in loader.batches(positions):
            h, held = read_board(w, loader.relations, batch)
            chances = log_chances(score_orders(w, batch, h, held), batch.choice, len(batch.power))
            best = torch.full((len(batch.power),), -1e9).scatter_reduce(0, batch.choice, chances, "amax")
            hits.append((chances[batch.chosen] >= best).numpy())
            chosen.append(chances[batch.chosen].numpy())
            sheets.append(batch.sheet.numpy())
            values.append(_lose_value(w, batch, held).numpy())
    hit, value = np.concatenate(hits), np.concatenate(values)
    _, sheet = np.unique(np.concatenate(sheets), return_inverse=True)
    return {
        "choices": len(hit),
        "top-1": float(hit.mean()),
        "log loss": -float(np.concatenate(chosen).mean()),
        "whole sheets": float((np.bincount(sheet, hit) == np.bincount(sheet)).mean()),
    } | ({"value loss": float(value.mean())} if len(value) else {})


class Report(msgspec.Struct, frozen=True):
    """What came of a training: how it was done, on how many games of each variant, by what the scores of powers were
    divided to be true outlooks, and how well choices of held-out games are foretold."""

    plan: TrainingPlan
    learned: Mapping[str, int]
    divided: float
    held_out: Mapping[str, float]


def train_policy(
    folder: Path,
    plan: TrainingPlan,
    examples: Mapping[str, Examples],
    told: Callable[[int, int, float], None],
    begun: Mapping[str, Any] | None = None,
) -> Report:
    """Train on nearly all games of the examples, by variant, from weights of a training that was ``begun``, if any;
    measure on the rest of the first variant's, and write weights and report into ``folder``."""
    loaders = {variant: Loader(load(variant), of_it) for variant, of_it in examples.items()}
    held = {variant: of_it.game % HELD_OUT == WHICH for variant, of_it in examples.items()}
    w = train([(loaders[name], np.flatnonzero(~held[name])) for name in loaders], plan, told, begun)
    first, loader = next(iter(loaders.items()))
    divided = calibrate(w, loader, np.flatnonzero(held[first] & (examples[first].phase == 0)))
    if begun is not None:
        w = blend(w, begun, plan.keep)
    np.savez(folder / "weights.npz", **{name: value.detach().numpy().astype(np.float16) for name, value in w.items()})
    learned = {name: len(np.unique(of_it.game[~held[name]])) for name, of_it in examples.items()}
    report = Report(plan, learned, round(divided, 2), measure(w, loader, np.flatnonzero(held[first])))
    (folder / "report.json").write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n")
    return report


def read_weights(path: Path) -> dict[str, Any]:
    """Return weights that were written, as tensors."""
    with np.load(path) as kept:
        return {name: torch.from_numpy(kept[name].astype(np.float32)) for name in kept.files}
