"""The dense core of movement, compiled: the same functions that the judge runs interpreted, translated by numba when
they are first needed.

Nothing is written twice. Each function of :mod:`legation.judge.core` is compiled from its own code; only the names by
which it calls its neighbors are bound to their compiled forms.
"""

from __future__ import annotations

from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from legation.judge import core
from legation.judge.core import bounds, cycles, problem

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

ORDER_OF_COMPILATION = (  # each after those that it calls
    "link_orders",
    "bound_path",
    "conclude",
    "bound_prevent",
    "bound_move",
    "bound_support",
    "propagate_bounds",
    "any_open",
    "resolve",
    "build_dependencies",
    "reach_from",
    "find_innermost",
    "mark_open",
    "only_moves",
    "count_choices",
    "assign",
    "break_convoys",
    "let_fail",
    "only_solution",
    "resolve_cycles",
)


class Batch(NamedTuple):
    """Movement turns side by side, ``turns`` x ``units`` (int32; unused columns beyond ``counts`` are ignored).

    The columns are those of :class:`legation.judge.core.Problem`; supports and convoys are matched already.
    """

    near: NDArray[np.uint8]  # provinces x provinces, flat
    rules: NDArray[np.int32]
    counts: NDArray[np.int32]  # turns
    place: NDArray[np.int32]
    owner: NDArray[np.int32]
    force: NDArray[np.int32]
    order: NDArray[np.int32]
    target: NDArray[np.int32]
    helped_unit: NDArray[np.int32]
    via: NDArray[np.int32]


def batch_of(problems: Sequence[core.Problem]) -> Batch:
    """Lay dense problems of one board side by side."""
    width = max(p.n for p in problems)

    def column(name: str, empty: int) -> NDArray[np.int32]:
        rows = np.full((len(problems), width), empty, dtype=np.int32)
        for i, turn in enumerate(problems):
            rows[i, : turn.n] = getattr(turn, name)
        return rows

    return Batch(
        near=np.frombuffer(bytes(problems[0].near), dtype=np.uint8).copy(),
        rules=np.array(problems[0].rules, dtype=np.int32),
        counts=np.array([p.n for p in problems], dtype=np.int32),
        place=column("place", 0),
        owner=column("owner", 0),
        force=column("force", 0),
        order=column("order", 0),
        target=column("target", 0),
        helped_unit=column("helped_unit", -1),
        via=column("via", 0),
    )


@cache
def compiled_core() -> dict[str, Any]:
    """The core's functions, compiled, which takes seconds in every process: numba's cache would not see that one
    function changed where another calls it."""
    import numba

    names: dict[str, Any] = {**vars(problem), **vars(bounds), **vars(cycles), "np": np}
    for name in ORDER_OF_COMPILATION:
        source: FunctionType = getattr(core, name)
        compilable = FunctionType(source.__code__, names, name, source.__defaults__)
        compilable.__module__ = source.__module__
        # the core allocates nothing: without counting references to its arrays it runs seven times as fast
        compiled: Any = numba.njit  # whose signature keeps quiet about _nrt
        names[name] = compiled(compilable, nogil=True, boundscheck=False, _nrt=False)
    names["resolve_batch"] = numba.njit(FunctionType(_resolve_batch.__code__, names, "resolve_batch"), nogil=True)
    return names


def resolve_batch(batch: Batch) -> NDArray[np.int8]:
    """Decide every turn of a batch on one core; 1 where a unit's move succeeds, 2 where it fails or the unit does not
    move."""
    moves = np.zeros(batch.place.shape, dtype=np.int8)
    run: Callable[..., None] = compiled_core()["resolve_batch"]
    run(*batch, moves)
    return moves


def _resolve_batch(  # compiled with the names of the core around it
    near: Any,
    rules: Any,
    counts: Any,
    place: Any,
    owner: Any,
    force: Any,
    order: Any,
    target: Any,
    helped_unit: Any,
    via: Any,
    answer: Any,
) -> None:
    provinces = int(len(near) ** 0.5 + 0.5)
    width = place.shape[1]
    occupant = np.full(provinces, -1, np.int32)
    into_head = np.full(provinces, -1, np.int32)
    by_unit = np.zeros((14, width), np.int32)
    stack = np.zeros(2 * width, np.int32)
    work = np.zeros(4 * width * width + 16 * width, np.int32)
    mark = by_unit[0]
    for t in range(len(counts)):
        n = counts[t]
        for i in range(n):
            by_unit[1, i] = by_unit[2, i] = by_unit[3, i] = by_unit[4, i] = by_unit[5, i] = -1
            occupant[place[t, i]] = i
            kind = order[t, i]
            by_unit[6, i] = OPEN if kind == MOVE else NO  # type: ignore[name-defined]  # noqa: F821
            by_unit[7, i] = OPEN if kind == MOVE and via[t, i] == BY_CONVOY else YES  # type: ignore[name-defined]  # noqa: F821
            by_unit[8, i] = 0
            by_unit[9, i] = force[t, i] if kind == SUPPORT else 0  # type: ignore[name-defined]  # noqa: F821
            by_unit[10, i] = 0
            by_unit[11, i] = 1
        p = Problem(  # type: ignore[name-defined]  # noqa: F821
            n,
            provinces,
            rules,
            near,
            place[t],
            owner[t],
            force[t],
            order[t],
            target[t],
            helped_unit[t],
            via[t],
            occupant,
            into_head,
            by_unit[1],
            by_unit[2],
            by_unit[3],
            by_unit[4],
            by_unit[5],
            by_unit[6],
            by_unit[7],
            by_unit[8],
            by_unit[9],
            by_unit[10],
            by_unit[11],
            mark,
            by_unit[12],
            by_unit[13],
            stack,
            work,
        )
        link_orders(p)  # type: ignore[name-defined]  # noqa: F821
        if resolve(p):  # type: ignore[name-defined]  # noqa: F821
            resolve_cycles(p)  # type: ignore[name-defined]  # noqa: F821
        for i in range(n):
            answer[t, i] = by_unit[6, i]
            occupant[place[t, i]] = -1
            into_head[target[t, i]] = -1
