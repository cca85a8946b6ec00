"""The environments keep PettingZoo's contract, and their lists and planes are the judge's."""

from typing import Any

import numpy as np
import pytest

from legation.judge import legal_orders
from legation.orders import Hold, Move
from legation.position import Phase
from legation.variants import load, names

pytest.importorskip("pettingzoo", reason="environments need the extra 'environment'")

from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test
from pettingzoo.utils.conversions import parallel_to_aec

from legation.lab.env import DiplomacyEnv
from legation.lab.planes import LAST_ORDERS, Planes


def masked(env: DiplomacyEnv, observations: dict[str, Any]) -> dict[str, Any]:
    return {a: env.action_space(a).sample(mask=observations[a]["action_mask"]) for a in env.agents}


@pytest.mark.filterwarnings("ignore")
def test_pettingzoo_finds_no_fault() -> None:
    parallel_api_test(DiplomacyEnv("hundred", turns=12), num_cycles=30)
    parallel_seed_test(lambda: DiplomacyEnv("hundred", turns=6), num_cycles=6)
    api_test(parallel_to_aec(DiplomacyEnv("hundred", turns=6)), num_cycles=20)


def test_the_same_seed_and_actions_give_the_same_game() -> None:
    def play(seed: int) -> list[Any]:
        env = DiplomacyEnv("1000ad", turns=4)
        observations, _ = env.reset(seed=seed)
        for agent in env.possible_agents:
            env.action_space(agent).seed(7)
        seen = []
        while env.agents:
            observations, rewards, *_ = env.step(masked(env, observations))
            seen.append((env.state().tolist(), rewards))
        return seen

    assert play(3) == play(3)


@pytest.mark.parametrize("variant", names())
def test_every_variant_is_played(variant: str) -> None:
    env = DiplomacyEnv(variant, turns=3)
    observations, infos = env.reset(seed=1)
    for agent in env.agents:
        assert env.observation_space(agent).contains(observations[agent]), agent
        listed = {order for slot in env.legal(agent) for order in slot if order is not None}
        legal = {order for order in legal_orders(env.rules, env.position)[agent] if hasattr(order, "at")}
        assert listed == legal and infos[agent]["left_out"] == 0
    while env.agents:
        observations, rewards, terminations, truncations, _ = env.step(masked(env, observations))
    assert env.played == 3 and all(truncations.values()) and not any(terminations.values())
    assert sum(rewards.values()) == pytest.approx(1)


def test_orders_are_given_by_their_index() -> None:
    env = DiplomacyEnv("standard")
    env.reset(seed=1)
    slots = env.legal("France")
    assert all(isinstance(slot[0], Hold) for slot in slots) and len(slots) == 3
    action = np.zeros(env.slots, int)
    place = next(n for n, slot in enumerate(slots) if slot[0] is not None and getattr(slot[0], "at", "") == "par")
    action[place] = slots[place].index(Move("A", "par", "bur"))
    env.step({"France": action, "Germany": np.full(env.slots, env.most_orders - 1)})  # no such orders: they hold
    assert {unit.at for unit in env.position.units_of("France")} == {"bur", "mar", "bre"}
    assert {unit.at for unit in env.position.units_of("Germany")} == {"ber", "mun", "kie"}


def test_what_means_no_order_orders_nothing_and_what_means_nothing_is_refused() -> None:
    env = DiplomacyEnv("hundred", turns=3)
    env.reset(seed=1)
    env.step({"France": [-1] * env.slots, "England": [10**6] * env.slots})
    assert env._last is not None and {type(v.order) for v in env._last.verdicts} == {Hold}
    with pytest.raises(ValueError, match="there is no agent 'france'; there are"):
        env.step({"france": [0]})
    with pytest.raises(ValueError, match="1 or more"):
        DiplomacyEnv("hundred", turns=0)


def test_builds_and_removals_are_slots() -> None:
    env = DiplomacyEnv("hundred", turns=60)
    env.reset(seed=5)
    rng = np.random.default_rng(5)
    met: set[str] = set()
    while env.agents and len(met) < 2:
        counts = {agent: len(env.position.units_of(agent)) for agent in env.agents}
        phase = env.position.turn.phase
        actions = {}
        for agent in env.agents:
            actions[agent] = np.zeros(env.slots, int)
            for slot, orders in enumerate(env.legal(agent)):
                actions[agent][slot] = rng.integers(len(orders)) if phase is Phase.MOVEMENT else len(orders) - 1
        env.step(actions)
        if phase is Phase.ADJUSTMENTS:
            met |= {
                "built" if len(env.position.units_of(a)) > n else "removed"
                for a, n in counts.items()
                if len(env.position.units_of(a)) != n
            }
    assert met == {"built", "removed"}


def test_a_solo_is_worth_one_and_the_eliminated_are_gone() -> None:
    env = DiplomacyEnv("hundred", turns=400)
    env.reset(seed=2)
    rng = np.random.default_rng(1)
    final: dict[str, float] = {}
    while env.agents:
        actions = {}
        for agent in env.agents:
            actions[agent] = np.zeros(env.slots, int)
            if agent == "France":  # the others hold
                for slot, orders in enumerate(env.legal(agent)):
                    actions[agent][slot] = rng.integers(len(orders))
        _, rewards, terminations, _, _ = env.step(actions)
        final |= {a: rewards[a] for a, over in terminations.items() if over}
    assert sum(final.values()) == pytest.approx(1) or env.played == 400


def test_last_orders_are_those_of_the_last_movement() -> None:
    env = DiplomacyEnv("standard")
    observations, _ = env.reset(seed=1)
    assert all(not seen["last_orders"].any() for seen in observations.values())
    observations, *_ = env.step({})
    held = LAST_ORDERS.index("held")
    units = len(env.rules.opening().units)
    for seen in observations.values():
        assert seen["last_orders"][:, held].sum() == seen["last_orders"].sum() == units
    read = env.rules.reader.order
    texts = ("A par - bur", "A mar S A par - bur", "F bre H", "F nth C A lon - nwy", "A ven S A rom")
    found = env.planes.last_orders(read(text, Phase.MOVEMENT, "France") for text in texts)
    row = {name: n for n, name in enumerate(env.planes.locations)}
    marked = {(name, LAST_ORDERS[n]) for name in row for n in np.flatnonzero(found[row[name]])}
    assert marked == {
        *{("par", "moved from here"), ("bur", "moved to here"), ("mar", "supported from here"), ("bre", "held")},
        *{
            ("bur", "supported to here"),
            ("nth", "convoyed"),
            ("ven", "supported from here"),
            ("rom", "supported to here"),
        },
    }


def test_planes_show_what_a_power_sees() -> None:
    rules = load("standard")
    planes = Planes(rules)
    found = planes.of(rules.opening(), "Russia")
    at = {name: n for n, name in enumerate(planes.names)}
    row = {name: n for n, name in enumerate(planes.locations)}
    assert found.shape == planes.shape and found.dtype == np.float32
    assert found[row["stp/sc"], at["unit of Russia"]] == 1 and found[row["stp"], at["unit of Russia"]] == 0
    assert found[row["stp"], at["owned by Russia"]] == 1 and found[row["bel"], at["neutral center"]] == 1
    assert found[:, at["seen by Russia"]].all() and not found[:, at["seen by Italy"]].any()
    assert found[:, [n for n, name in enumerate(planes.names) if name.startswith("unit of")]].sum() == 22
    assert found[row["nth"], at["sea"]] == 1 and found[row["par"], at["land"]] == 1
