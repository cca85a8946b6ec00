"""The batched environment shows and plays what the judge does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from legation.judge import legal_orders, resolve
from legation.orders import Sheet
from legation.position import Phase

pytest.importorskip("numba", reason="the lab needs its extra")

from legation.lab.batch import BatchedEnv, order_features

pytestmark = pytest.mark.usefixtures("games_compiled")


def drawn(env: BatchedEnv, random: np.random.Generator) -> Any:
    lengths = np.diff(env.observe().starts, axis=1)
    return random.integers(0, np.maximum(lengths, 1))


@pytest.mark.parametrize(("variant", "steps"), [("hundred", 30), ("1000ad", 3), ("three-kingdoms", 2)])
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
            units = position.units if position.turn.phase is Phase.MOVEMENT else [d.unit for d in position.dislodged]
            rows = [env.planes.locations[row] for row in batch.locations[g] if row >= 0]
            assert sorted(rows) == sorted(unit.at for unit in units)
            named = sum(len(orders) for orders in legal.values())
            assert batch.starts[g, -1] - batch.starts[g, 0] <= named
        env.step(drawn(env, random))
    assert phases == {Phase.MOVEMENT, Phase.RETREATS} or steps < 10
    assert order_features(env.observe().legal).shape == (len(env.observe().legal), 4)


def test_a_step_is_the_judges_turn_and_the_same_seed_gives_the_same_games() -> None:
    def play() -> list[Any]:
        env, random = BatchedEnv("hundred", 2, turns=40), np.random.default_rng(2)
        seen = []
        for _ in range(6):
            batch, actions = env.observe(), drawn(env, random)
            before = env.games.position(0)
            codes = batch.legal[(batch.starts[:, :-1] + actions)[0][batch.locations[0] >= 0]]
            orders: dict[str, list[Any]] = {}
            for i, code in enumerate(codes.tolist()):
                power = list(env.rules.powers)[batch.powers[0, i]]
                orders.setdefault(power, []).append(env.games.codec.order(env.games.state, 0, i, code))
            judged = resolve(env.rules, before, [Sheet(p, tuple(o)) for p, o in orders.items()])
            after, _, _ = env.step(actions)
            if before.turn.phase is Phase.MOVEMENT:
                given = env.planes.last_orders(order for listed in orders.values() for order in listed)
                assert np.array_equal(after.last_orders[0], given) and given.sum() >= len(before.units)
            if judged.after.turn.phase in (Phase.MOVEMENT, Phase.RETREATS):
                assert set(env.games.position(0).units) == set(judged.after.units)
            seen.append(after.planes.sum())
        return seen

    assert play() == play()


def test_a_game_that_is_over_is_paid_and_another_begins() -> None:
    env, random = BatchedEnv("hundred", 4, turns=6), np.random.default_rng(3)
    paid = 0
    for _ in range(12):
        batch, rewards, ended = env.step(drawn(env, random))
        assert np.allclose(rewards.sum(axis=1), ended)
        assert batch.planes.shape == (4, *env.planes.shape)
        paid += int(ended.sum())
    assert paid == env.begun - 4 and paid >= 4
