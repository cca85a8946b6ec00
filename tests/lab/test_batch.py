"""The batched environment shows and plays what the judge does."""

from typing import Any

import numpy as np
import pytest

from legation.judge import legal_orders, resolve
from legation.notation import write
from legation.orders import Sheet, Waive
from legation.position import Phase

pytest.importorskip("numba", reason="the lab needs its extra")

from legation.lab.batch import BatchedEnv, order_features

pytestmark = pytest.mark.usefixtures("games_compiled")


def drawn(env: BatchedEnv, random: np.random.Generator) -> Any:
    lengths = np.diff(env.observe().starts, axis=1)
    return random.integers(0, np.maximum(lengths, 1))


def given(env: BatchedEnv, actions: Any) -> dict[str, list[Any]]:
    """The first game's orders by power."""
    batch, orders = env.observe(), dict[str, list[Any]]()
    for i in np.flatnonzero(batch.locations[0] >= 0).tolist():
        code = int(batch.legal[batch.starts[0, i] + actions[0, i]])
        if env.games.position(0).turn.phase in UNITS or code:
            power = list(env.rules.powers)[batch.powers[0, i]]
            orders.setdefault(power, []).append(env.games.codec.order(env.games.state, 0, i, code))
    return orders


UNITS = (Phase.MOVEMENT, Phase.RETREATS)


@pytest.mark.parametrize(("variant", "steps"), [("hundred", 60), ("1000ad", 3), ("three-kingdoms", 2)])
def test_planes_and_lists_are_those_of_the_positions(variant: str, steps: int) -> None:
    env, random = BatchedEnv(variant, 3, turns=40), np.random.default_rng(1)
    phases = set()
    for _ in range(steps):
        batch = env.observe()
        for g in range(len(env)):
            position = env.games.position(g)
            phases.add(position.turn.phase)
            assert np.array_equal(batch.planes[g], env.planes.of(position))
            legal = legal_orders(env.rules, position)
            rows = [env.planes.locations[row] for row in batch.locations[g] if row >= 0]
            if position.turn.phase in UNITS:
                units = (
                    position.units if position.turn.phase is Phase.MOVEMENT else [d.unit for d in position.dislodged]
                )
                assert sorted(rows) == sorted(unit.at for unit in units)
                named = sum(len(orders) for orders in legal.values())
                assert batch.starts[g, -1] - batch.starts[g, 0] <= named
            else:
                mine = batch.legal[batch.starts[g, 0] : batch.starts[g, -1]]
                changes = [env.games.codec.order(env.games.state, g, 0, code) for code in mine.tolist() if code]
                wanted = [order for orders in legal.values() for order in orders if not isinstance(order, Waive)]
                assert sorted(map(write, changes)) == sorted(map(write, wanted))
                assert len(mine) == len(changes) + len(rows) and len(changes) > 0
        env.step(drawn(env, random))
    assert phases == {*UNITS, Phase.ADJUSTMENTS} or steps < 10
    assert order_features(env.observe().legal).shape == (len(env.observe().legal), 4)


def test_a_step_is_the_judges_turn_and_the_same_seed_gives_the_same_games() -> None:
    def play() -> list[Any]:
        env, random = BatchedEnv("hundred", 2, turns=40), np.random.default_rng(2)
        seen = []
        for _ in range(12):
            actions = drawn(env, random)
            before, orders = env.games.position(0), given(env, actions)
            judged = resolve(env.rules, before, [Sheet(p, tuple(o)) for p, o in orders.items()])
            after, _, _ = env.step(actions)
            if before.turn.phase is Phase.MOVEMENT:
                drawn_orders = env.planes.last_orders(order for listed in orders.values() for order in listed)
                assert np.array_equal(after.last_orders[0], drawn_orders) and drawn_orders.sum() >= len(before.units)
            if before.turn.phase is Phase.ADJUSTMENTS:
                changes.append(len(orders))
            assert set(env.games.position(0).units) == set(judged.after.units)
            seen.append(after.planes.sum())
        return seen

    changes: list[int] = []
    assert play() == play() and sum(changes) > 0


def test_dumbbot_can_play_some_of_the_powers() -> None:
    env = BatchedEnv("hundred", 2, turns=60)
    counts, phases = [], set()
    while env.begun == 2:
        env.step(np.where(env.observe().powers == 0, 0, env.dumbbot()))  # the first power holds, and builds nothing
        position = env.games.position(0)
        phases.add(position.turn.phase)
        counts.append([len(position.centers_of(power)) for power in env.rules.powers])
    first, second, third = (max(row[n] for row in counts) for n in range(3))
    assert first <= len(env.rules.opening().centers_of(next(iter(env.rules.powers))))
    assert second + third > counts[0][1] + counts[0][2] and Phase.ADJUSTMENTS in phases


def test_a_game_that_is_over_is_paid_and_another_begins() -> None:
    env, random = BatchedEnv("hundred", 4, turns=6), np.random.default_rng(3)
    paid = 0
    for _ in range(12):
        batch, rewards, ended = env.step(drawn(env, random))
        assert np.allclose(rewards.sum(axis=1), ended)
        assert batch.planes.shape == (4, *env.planes.shape)
        paid += int(ended.sum())
    assert paid == env.begun - 4 and paid >= 4
