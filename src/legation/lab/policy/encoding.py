"""Positions as the network reads them: a node for each location of the board, and nothing that names a province, a
power or a variant.

A node is a province, or one of its separate coasts; a unit on a coast stands on the coast's node and on the province's.
Features lie between 0 and 1. What a power sees in a node (:attr:`Encoded.views`) is kept apart from what it is for
everybody, so that the network reads the board once for all powers."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from legation.board import ARMY, FLEET, Travel, province_of
from legation.bots.worth import counted_next
from legation.judge import Ruleset, Verdict
from legation.orders import Convoy, Moving, Order, SupportHold, SupportMove, UnitOrder
from legation.position import Phase, Position

PHASES = (Phase.MOVEMENT, Phase.RETREATS, Phase.ADJUSTMENTS, Phase.PLACEMENT)
WALKS = (2, 3, 4, 6, 8)
"""The lengths of random walks whose chance to return tells places apart by the shape of the board around them."""
STILL = 9 + 2 * len(WALKS)
GIVEN = 18
COMMON = len(PHASES) + 4
FEATURES = STILL + GIVEN + COMMON
VIEW = 13
SIZES = 3
NOWHERE, BY_LAND, BY_SEA = 0, 1, 2
YEARS = 20
"""The part of the game that has passed is told in so many years."""


class BoardGraph:
    """What of a variant's board never changes.

    ``province`` gives each node that of its province. ``reach`` (by travel) tells at ``[to, at]`` whether a unit gets
    from ``at`` to ``to`` by itself; ``near`` are the averages over neighbors by land, by sea, and over the coasts of
    the same province."""

    def __init__(self, rules: Ruleset) -> None:
        board = rules.board
        self.nodes = board.locations
        self.powers = tuple(rules.powers)
        self.index = {at: i for i, at in enumerate(self.nodes)}
        self.power = {power: i for i, power in enumerate(self.powers)}
        self.province = np.array([self.index[province_of(at)] for at in self.nodes])
        size = len(self.nodes)
        self.is_province = self.province == np.arange(size)
        same = (self.province[:, None] == self.province[None]) & ~np.eye(size, dtype=bool)
        self.reach = {BY_LAND: self._reach(rules, ARMY), BY_SEA: self._reach(rules, FLEET)}
        self.near = np.stack([_averaging(near) for near in (self.reach[BY_LAND], self.reach[BY_SEA], same)])
        self.centers = np.array([board.provinces[province_of(at)].center for at in self.nodes])
        self.still = self._describe(rules)
        self.first_year = rules.first_turn().year

    def _reach(self, rules: Ruleset, travel: Travel) -> Any:
        reach = np.zeros((len(self.nodes),) * 2, bool)
        for at, i in self.index.items():
            for to in rules.board.reach(travel, at):
                reach[self.index[to], i] = True
                reach[self.index[province_of(to)], i] = True
        return reach

    def _describe(self, rules: Ruleset) -> Any:
        """The features of the board itself, nodes x STILL."""
        by_land, by_sea = self.reach[BY_LAND], self.reach[BY_SEA]
        centers = self.centers & self.is_province
        rows = []
        for i, at in enumerate(self.nodes):
            province = rules.board.provinces[province_of(at)]
            rows.append(
                [
                    province.sea,
                    province.inland,
                    "/" in at,
                    bool(province.coasts),
                    province.center,
                    by_land[:, i].sum() / 10,
                    by_sea[self.is_province, i].sum() / 10,
                    (by_land[:, i] & centers).sum() / 5,
                    (by_sea[:, i] & centers).sum() / 5,
                ]
            )
        walks = [self._returns(reach) for reach in (by_land, by_sea)]
        return np.clip(np.concatenate([np.array(rows, np.float32), *walks], axis=1), 0, 1).astype(np.float32)

    def _returns(self, reach: Any) -> Any:
        step = _averaging(reach | reach.T).astype(np.float64)
        power, known = np.eye(len(step)), []
        for length in range(1, max(WALKS) + 1):
            power = power @ step
            if length in WALKS:
                known.append(np.diag(power) * 2)
        return np.stack(known, axis=1)


def _averaging(near: Any) -> Any:
    """The matrix that averages over neighbors; 0 where there are none."""
    return (near / np.maximum(near.sum(axis=1, keepdims=True), 1)).astype(np.float32)


@lru_cache(maxsize=16)
def graph_of(rules: Ruleset) -> BoardGraph:
    """Return a variant's graph, made once."""
    return BoardGraph(rules)


class Memory(NamedTuple):
    """What was ordered in the last movement turn: each unit's order by the province where it stood, and how often each
    power moved against another, and supported or convoyed it (powers x powers)."""

    orders: dict[str, Order]
    hostile: Any
    friendly: Any


def remember(graph: BoardGraph, before: Position, verdicts: Sequence[Verdict]) -> Memory:
    """Return what a movement turn tells of how the powers stand to each other."""
    given = {
        v.order.at: (v.power, v.order) for v in verdicts if isinstance(v.order, UnitOrder) and v.power in graph.power
    }
    return memory_of(graph, before, given)


def memory_of(graph: BoardGraph, before: Position, given: Mapping[str, tuple[str, Order]]) -> Memory:
    """Return the same from orders by the place of their unit, each with its power."""
    size = len(graph.powers)
    hostile, friendly = np.zeros((size, size), np.float32), np.zeros((size, size), np.float32)
    holders = dict(before.owners) | {unit.province: unit.power for unit in before.units}
    orders = {}
    for at, (power, order) in given.items():
        orders[province_of(at)] = order
        match order:
            case Moving():
                other, counts = holders.get(province_of(order.to)), hostile
            case SupportHold() | SupportMove() | Convoy():
                other, counts = holders.get(province_of(order.target)), friendly
            case _:
                continue
        if other is not None and other != power and other in graph.power:
            counts[graph.power[power], graph.power[other]] += 1
    return Memory(orders, hostile, friendly)


class Encoded(NamedTuple):
    """One position.

    ``features`` are nodes x FEATURES. ``stands`` tells how the unit on a node travels (on the node where it stands
    alone), ``holder`` which power holds a node: its unit's, else its center's owner (-1: nobody). ``views`` are powers
    x nodes x VIEW, ``sizes`` powers x SIZES, and ``alive`` tells who has a unit or center."""

    features: Any
    stands: Any
    unit: Any
    holder: Any
    views: Any
    sizes: Any
    alive: Any


def encode(rules: Ruleset, position: Position, memory: Memory | None = None) -> Encoded:
    """Return a position as the network reads it."""
    graph = graph_of(rules)
    size, powers = len(graph.nodes), len(graph.powers)
    stands, unit, owner = np.zeros(size, np.int8), np.full(size, -1, np.int8), np.full(size, -1, np.int8)
    given = np.zeros((size, GIVEN), np.float32)
    for u in position.units:
        kind, i = rules.kinds[u.kind], graph.index[u.at]
        stands[i] = BY_LAND if kind.travel == ARMY else BY_SEA
        for k in {i, int(graph.province[i])}:
            unit[k] = graph.power.get(u.power, -1)
            given[k, 0 if kind.travel == ARMY else 1] = 1
            given[k, 2] = min(1, (kind.strength - 1) / 2)
    for out in position.dislodged:
        i = graph.index[out.unit.at]
        for k in {i, int(graph.province[i])}:
            given[k, 3 if rules.kinds[out.unit.kind].travel == ARMY else 4] = 1
    for province in position.contested:
        given[graph.province == graph.index[province], 5] = 1
    for center, power in position.owners.items():
        owner[graph.province == graph.index[center]] = graph.power.get(power, -1)
    homes = _homes(rules, graph, position)
    holder = np.where(unit >= 0, unit, owner)
    entering = _entering(graph, stands, unit, powers)
    sizes = _sizes(graph, position)
    _fill(graph, given, unit, owner, holder, homes, entering, sizes)
    common = np.tile(_common(rules, graph, position, memory), (size, 1))
    features = np.clip(np.concatenate([graph.still, given, common], axis=1), 0, 1)
    views = _views(graph, unit, owner, holder, entering, sizes, memory)
    alive = (sizes[:, :2] > 0).any(axis=1)
    for out in position.dislodged:
        if out.unit.power in graph.power:
            alive[graph.power[out.unit.power]] = True
    return Encoded(features, stands, unit, holder, views, sizes, alive)


def _homes(rules: Ruleset, graph: BoardGraph, position: Position) -> Any:
    """1 where a node is home of a power, powers x nodes."""
    homes = np.zeros((len(graph.powers), len(graph.nodes)), bool)
    for p, power in enumerate(graph.powers):
        for home in rules.homes(position, power):
            homes[p, graph.province == graph.index[home]] = True
    return homes


def _entering(graph: BoardGraph, stands: Any, unit: Any, powers: int) -> Any:
    """How many units of each power may enter each node, powers x nodes."""
    entering = np.zeros((powers, len(stands)), np.float32)
    for i in np.flatnonzero(stands):
        if unit[i] >= 0:
            entering[unit[i]] += graph.reach[int(stands[i])][:, i]
    return entering


def _sizes(graph: BoardGraph, position: Position) -> Any:
    """Each power's part of all centers, its units as such a part, and how far it is behind the greatest."""
    centers, units = np.zeros(len(graph.powers)), np.zeros(len(graph.powers))
    for power in position.owners.values():
        if power in graph.power:
            centers[graph.power[power]] += 1
    for u in position.units:
        if u.power in graph.power:
            units[graph.power[u.power]] += 1
    total = max(1, int((graph.centers & graph.is_province).sum()))
    sizes = np.stack([centers, units, centers.max() - centers], axis=1) / total
    return np.clip(sizes, 0, 1).astype(np.float32)


def _fill(
    graph: BoardGraph, given: Any, unit: Any, owner: Any, holder: Any, homes: Any, entering: Any, sizes: Any
) -> None:
    """Write the features of the position that are the same for every power, from the seventh on."""
    nodes = np.arange(len(unit))
    here, owned, held = unit >= 0, owner >= 0, holder >= 0
    given[:, 6] = np.where(here, sizes[unit, 0] * 2, 0)
    given[:, 7] = owned
    given[:, 8] = np.where(owned, sizes[owner, 0] * 2, 0)
    given[:, 9] = owned & (unit == owner)
    given[:, 10] = graph.centers & ~owned
    given[:, 11] = here & homes[unit, nodes]
    given[:, 12] = owned & homes[owner, nodes]
    given[:, 13] = homes.any(axis=0)
    mine = np.where(held, entering[holder, nodes], 0)
    others = entering.copy()
    others[holder[held], nodes[held]] = 0
    given[:, 14] = mine / 4
    given[:, 15] = others.max(axis=0) / 4
    given[:, 16] = entering.sum(axis=0) / 8
    surplus = (sizes[:, 0] - sizes[:, 1]) * max(1, int((graph.centers & graph.is_province).sum()))
    given[:, 17] = np.where(held, 0.5 + surplus[holder] / 6, 0.5)


def _common(rules: Ruleset, graph: BoardGraph, position: Position, memory: Memory | None) -> Any:
    """What is the same at every node: phase, season, how much of the game has passed, who is left."""
    passed = max(0, position.turn.year - graph.first_year)
    neutral = 1 - len(position.owners) / max(1, int((graph.centers & graph.is_province).sum()))
    told = [position.turn.phase is phase for phase in PHASES]
    counted = counted_next(rules, position.turn)
    return np.array([*told, counted, passed / YEARS, neutral, memory is not None], np.float32)


def _views(
    graph: BoardGraph, unit: Any, owner: Any, holder: Any, entering: Any, sizes: Any, memory: Memory | None
) -> Any:
    powers = len(graph.powers)
    me = np.arange(powers)[:, None]
    held, here, owned = holder >= 0, unit >= 0, owner >= 0
    views = np.zeros((powers, len(unit), VIEW), np.float32)
    views[:, :, 0] = unit == me
    views[:, :, 1] = here & (unit != me)
    views[:, :, 2] = owner == me
    views[:, :, 3] = owned & (owner != me)
    views[:, :, 4] = graph.centers & ~owned
    views[:, :, 5] = entering / 4
    views[:, :, 6] = _greatest_other(entering) / 4
    views[:, :, 7] = (entering.sum(axis=0) - entering) / 8
    views[:, :, 8] = np.where(held, 0.5 + sizes[holder, 0] - sizes[:, 0][:, None], 0.5)
    views[:, :, 9] = sizes[:, :1]
    if memory is not None:
        other = held & (holder != me)
        views[:, :, 10] = np.where(other, memory.hostile[:, holder] / 3, 0)
        views[:, :, 11] = np.where(other, memory.hostile.T[:, holder] / 3, 0)
        views[:, :, 12] = np.where(other, memory.friendly.T[:, holder] / 2, 0)
    return np.clip(views, 0, 1)


def _greatest_other(entering: Any) -> Any:
    """For each power the greatest number among the others."""
    if len(entering) < 2:
        return np.zeros_like(entering)
    first, second = np.sort(entering, axis=0)[-1], np.sort(entering, axis=0)[-2]
    return np.where(entering == first, np.where((entering == first).sum(axis=0) > 1, first, second), first)
