"""Positions for a board that has none: a planar drawing of its borders, as even as it can be made.

Borders that keep the graph from being planar are left to be drawn as bridges. Every face gets a helper point, so that
the barycentric drawing (W. T. Tutte, 1963) of what is then a triangulation has no crossing; the weights are then moved
until no face is much larger than another, and the points until no face is a sliver."""

import math
from collections.abc import Iterable
from itertools import pairwise

import networkx as nx
import numpy as np

Pair = tuple[str, str]
Triangle = tuple[int, int, int]
ROUNDS = 300
EVENNESS = 0.35
"""How much an even size of the triangles counts beside their shape."""
ROUND = 4 * np.sqrt(3)
"""The sum of the squared sides of an equilateral triangle, divided by its area."""
MANY = 200
"""From how many provinces on only one order of edges is tried."""


def positions(keys: Iterable[str], pairs: set[Pair], firm: set[Pair]) -> dict[str, tuple[float, float]]:
    """A point for every key; ``firm`` pairs (borders of armies) are kept before the others."""
    whole = nx.Graph()
    whole.add_nodes_from(keys)
    for a, b in sorted(pairs, key=lambda pair: (pair not in firm, pair)):
        whole.add_edge(a, b)
    placed: dict[str, tuple[float, float]] = {}
    offset = 0.0
    for part in sorted(nx.connected_components(whole), key=lambda p: (-len(p), min(p))):
        inner = _component(sorted(part), [pair for pair in sorted(pairs) if pair[0] in part], firm)
        size = math.sqrt(len(part))
        for key, (x, y) in inner.items():
            placed[key] = (offset + (x + 1) * size, (y + 1) * size * 0.8)
        offset += 2.3 * size
    return placed


def _component(nodes: list[str], pairs: list[Pair], firm: set[Pair]) -> dict[str, tuple[float, float]]:
    if len(nodes) < 3:
        return {node: (0.9 * i, 0.0) for i, node in enumerate(nodes)}
    graph, embedding = _planar(nodes, pairs, firm)
    faces = _faces(embedding)
    outer = max(faces, key=lambda face: (len(set(face)), face))
    ring = [f"~r{i}" for i in range(max(8, 2 * len(outer)))]
    order = list(graph)
    number = {node: i for i, node in enumerate([*order, *(f"~f{i}" for i in range(len(faces))), *ring])}
    edges = {(min(number[a], number[b]), max(number[a], number[b])) for a, b in graph.edges}
    triangles: list[Triangle] = []
    for i, face in enumerate(faces):
        if face is outer:
            continue
        helper = number[f"~f{i}"]
        for a, b in zip(face, face[1:] + face[:1], strict=True):
            edges.add((number[a], helper))
            triangles.append((number[a], number[b], helper))
    reverse = outer[::-1]
    share = len(ring) / len(reverse)
    around: list[Triangle] = []
    for i, node in enumerate(reverse):
        here = range(math.floor(i * share), math.floor((i + 1) * share) + 1)
        spokes = [number[ring[j % len(ring)]] for j in here]
        edges |= {(number[node], spoke) for spoke in spokes}
        around += [(number[node], a, b) for a, b in pairwise(spokes)]
        around.append((number[node], number[reverse[(i + 1) % len(reverse)]], spokes[-1]))
    fixed = {
        number[name]: (_squared(math.cos(2 * math.pi * i / len(ring))), _squared(math.sin(2 * math.pi * i / len(ring))))
        for i, name in enumerate(ring)
    }
    at = rounder(_even(len(number), edges, fixed, triangles), [*triangles, *around], fixed)
    spread = np.column_stack([_spread(at[: len(order), axis]) for axis in (0, 1)])
    return {node: (float(x), float(y)) for node, (x, y) in zip(order, spread, strict=True)}


def _spread(places: np.ndarray) -> np.ndarray:
    """Places along one axis, from -1 to 1, moved halfway to where they would lie evenly: the middle is crowded."""
    ranks = places.argsort().argsort()
    even: np.ndarray = (places / max(np.abs(places).max(), 1e-9) + 2 * ranks / max(len(ranks) - 1, 1) - 1) / 2
    return even


def _squared(share: float) -> float:
    """A sine or cosine moved outward, so that the circle fills most of the rectangle of a map."""
    return math.copysign(abs(share) ** 0.8, share)


def _planar(nodes: list[str], pairs: list[Pair], firm: set[Pair]) -> tuple[nx.Graph, nx.PlanarEmbedding]:
    """The graph with as many edges as are found to be planar together.

    Borders of a map lie in triangles of neighbors; ways round the world and boxes off the board do not, and are tried
    last."""
    ranked = sorted(pairs, key=lambda pair: (pair not in firm, pair))
    whole = nx.Graph(ranked)
    planar, embedding = nx.check_planarity(whole)
    if planar:
        return whole, embedding
    common = {pair: len(set(whole[pair[0]]) & set(whole[pair[1]])) for pair in ranked}
    degree = dict(whole.degree())
    orders = [
        sorted(
            ranked,
            key=lambda pair: (-min(common[pair], limit), pair not in firm, degree[pair[0]] + degree[pair[1]], pair),
        )
        for limit in ((2, 4, 1, 0) if len(nodes) <= MANY else (2,))
    ]
    best: nx.Graph | None = None
    for order in orders:
        graph = nx.Graph()
        graph.add_nodes_from(nodes)
        _fill(graph, order)
        if best is None or graph.number_of_edges() > best.number_of_edges():
            best = graph
    assert best is not None
    return best, nx.check_planarity(best)[1]


def _fill(graph: nx.Graph, pairs: list[Pair]) -> None:
    """Add edges in order, in halves while whole halves fit, and leave out those that would cross."""
    if not pairs:
        return
    graph.add_edges_from(pairs)
    if nx.check_planarity(graph)[0]:
        return
    graph.remove_edges_from(pairs)
    if len(pairs) > 1:
        half = len(pairs) // 2
        _fill(graph, pairs[:half])
        _fill(graph, pairs[half:])


def _faces(embedding: nx.PlanarEmbedding) -> list[list[str]]:
    faces: list[list[str]] = []
    seen: set[Pair] = set()
    for a in sorted(embedding):
        for b in sorted(embedding[a]):
            if (a, b) not in seen:
                faces.append(embedding.traverse_face(a, b, seen))
    return faces


def _even(
    count: int,
    edges: set[Pair] | set[tuple[int, int]],
    fixed: dict[int, tuple[float, float]],
    triangles: list[Triangle],
) -> np.ndarray:
    """The barycentric drawing, its weights moved so that small triangles grow."""
    ends = np.array(sorted(edges), dtype=np.int64)
    weights = np.ones(len(ends))
    at = _solve(count, ends, weights, fixed)
    corners = np.array(triangles, dtype=np.int64)
    for _ in range(14 if triangles else 0):
        around = np.bincount(corners.ravel(), np.repeat(np.abs(_areas(at, corners)), 3), count)
        number = np.bincount(corners.ravel(), minlength=count)
        room = around / np.maximum(number, 1)
        mean = room[number > 0].mean() or 1.0
        room = np.where(number > 0, np.maximum(room, 1e-4 * mean), mean)
        lengths = np.hypot(*(at[ends[:, 0]] - at[ends[:, 1]]).T)
        usual = np.median(lengths) or 1.0
        pull = np.sqrt(room[ends[:, 0]] * room[ends[:, 1]]) / mean
        weights = weights * np.clip(np.sqrt(pull) * np.sqrt(np.maximum(lengths, 1e-3 * usual) / usual), 0.4, 2.5)
        weights /= weights.mean()
        weights = np.clip(weights, 1e-4, 1e4)
        at = _solve(count, ends, weights, fixed)
    return at


def _solve(count: int, ends: np.ndarray, weights: np.ndarray, fixed: dict[int, tuple[float, float]]) -> np.ndarray:
    matrix = np.zeros((count, count))
    right = np.zeros((count, 2))
    a, b = ends.T
    for rows, columns, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
        np.add.at(matrix, (rows, columns), sign * weights)
    for node, place in fixed.items():
        matrix[node] = 0
        matrix[node, node] = 1
        right[node] = place
    lonely = np.flatnonzero(np.diag(matrix) == 0)
    matrix[lonely, lonely] = 1
    return np.linalg.solve(matrix, right)


def rounder(at: np.ndarray, triangles: Iterable[Triangle], fixed: Iterable[int]) -> np.ndarray:
    """The corners of a drawing moved so that no triangle is a sliver, and none turned over.

    The energy of a triangle grows without end as it gets flat, so that a step that would turn one over is too dear."""
    corners = np.array(list(triangles), dtype=np.int64)
    areas = _areas(at, corners)
    sense = float(np.sign(np.median(areas)))
    mean = float(np.abs(areas).mean())
    corners = corners[areas * sense > 1e-6 * mean]
    if not len(corners):
        return at
    free = np.zeros(len(at), dtype=bool)
    free[corners.ravel()] = True
    free[list(fixed)] = False
    energy, slope = _energy(at, corners, sense, mean)
    step = 1.0
    for _ in range(ROUNDS):
        length = np.hypot(*slope.T)
        room = np.sqrt(_least_area(at, corners))
        way = np.where(free, np.minimum(1.0, length) * room / np.maximum(length, 1e-12), 0.0)[:, None] * slope
        while step > 1e-4:
            moved = at - step * way
            lower, steeper = _energy(moved, corners, sense, mean)
            if lower < energy:
                break
            step /= 2
        else:
            break
        gained, at, energy, slope = energy - lower, moved, lower, steeper
        step = min(1.0, 1.5 * step)
        if gained < 1e-5 * energy:
            break
    return at


def _areas(at: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """The areas of triangles, below 0 for those that turn the other way."""
    a, b, c = (at[corners[:, i]] for i in range(3))
    areas: np.ndarray = ((b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (c[:, 0] - a[:, 0]) * (b[:, 1] - a[:, 1])) / 2
    return areas


def _least_area(at: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """For each point the area of the smallest triangle that it is a corner of."""
    least = np.full(len(at), np.inf)
    areas = np.abs(_areas(at, corners))
    for column in range(3):
        np.minimum.at(least, corners[:, column], areas)
    return np.where(np.isfinite(least), least, 0.0)


def _energy(at: np.ndarray, corners: np.ndarray, sense: float, mean: float) -> tuple[float, np.ndarray]:
    """The energy of a drawing, infinite if a triangle is flat or turned over, and its slope at each point."""
    slope = np.zeros_like(at)
    areas = sense * _areas(at, corners)
    if areas.min() <= 0:
        return np.inf, slope
    points = [at[corners[:, i]] for i in range(3)]
    squares = sum(((points[i] - points[i - 1]) ** 2).sum(axis=1) for i in range(3))
    by_area = -squares / areas**2 / ROUND + EVENNESS * (1 / mean - mean / areas**2)
    for i in range(3):
        here, after, before = points[i], points[(i + 1) % 3], points[i - 1]
        turned = np.stack([after[:, 1] - before[:, 1], before[:, 0] - after[:, 0]], axis=1)
        sides = 2 * (2 * here - after - before) / (areas * ROUND)[:, None]
        np.add.at(slope, corners[:, i], sides + (by_area * sense / 2)[:, None] * turned)
    return float((squares / areas / ROUND + EVENNESS * (areas / mean + mean / areas)).sum()), slope
