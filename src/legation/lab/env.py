"""An environment for reinforcement learning with PettingZoo's parallel interface: every variant, all powers at once.

An action is an index for each slot. Slots are places: those of a power's units, of its dislodged units in retreats, of
its units to remove and of its sites to build on. Index 0 of a slot is to do nothing (to hold, to disband, to build
nothing); the others are the legal orders there, in the order of their text. The mask tells which indices there are; an
index without an order does nothing."""

from collections import defaultdict
from collections.abc import Mapping
from random import SystemRandom
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from legation.atlas import for_variant
from legation.board import province_of
from legation.game.scores import outcomes
from legation.game.views import seen_resolution
from legation.judge import Resolution, legal_orders, resolve
from legation.lab.planes import LAST_ORDERS, Planes
from legation.notation import write
from legation.orders import Hold, Order, Sheet, Waive
from legation.position import Phase, Position
from legation.variants import STANDARD, load

MOST_ORDERS = 512
"""Orders that a slot has room for; of more the last are left out, and ``infos`` tell how many."""


class DiplomacyEnv(ParallelEnv):  # type: ignore[misc]
    """A game of a variant. Agents are the powers, by name.

    An observation has ``observation`` (:class:`~legation.lab.planes.Planes`, as the power sees it), ``last_orders``
    (what it learned of the last movement turn's orders) and ``action_mask``, an array of 0 and 1 for each slot. A power
    that has no unit and no center left is terminated. In the end a solo is worth 1, a draw equal parts, and a game that
    reaches ``turns`` (it is truncated) each power's share of the squared centers; before that, nothing.

    :raises legation.variants.VariantError: for a variant that cannot be played.
    :raises ValueError: for fewer turns or orders than one."""

    metadata: ClassVar[dict[str, Any]] = {"name": "legation_v0", "render_modes": ["svg"]}

    def __init__(
        self,
        variant: str = STANDARD,
        *,
        options: Mapping[str, Any] | None = None,
        turns: int = 200,
        most_orders: int = MOST_ORDERS,
        render_mode: str | None = None,
    ) -> None:
        if turns < 1 or most_orders < 1:
            raise ValueError(f"turns and most_orders are 1 or more, not {turns} and {most_orders}")
        self.rules = load(variant, dict(options or {}))
        self.turns = turns
        self.most_orders = most_orders
        self.render_mode = render_mode
        self.planes = Planes(self.rules)
        self.possible_agents = list(self.rules.powers)
        self.agents: list[str] = []
        opening = self.rules.opening()
        most = max(len(opening.units_of(power)) for power in self.rules.powers)
        self.slots = max(most, len(self.rules.board.centers)) + 1
        mask = spaces.Tuple([spaces.MultiBinary(most_orders) for _ in range(self.slots)])
        observation = spaces.Box(0, 1, self.planes.shape, np.float32)
        last = spaces.Box(0, 1, (len(self.planes.locations), len(LAST_ORDERS)), np.float32)
        told = {"observation": observation, "last_orders": last, "action_mask": mask}
        self.observation_spaces = {agent: spaces.Dict(told) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.MultiDiscrete([most_orders] * self.slots) for agent in self.possible_agents}
        self.position: Position = opening
        self.seed = ""
        self.played = 0
        self._last: Resolution | None = None
        self._moved: Resolution | None = None  # the last movement turn
        self._legal: dict[str, list[list[Order | None]]] = {}
        self._left_out: dict[str, int] = {}

    def observation_space(self, agent: str) -> Any:
        """Return the space of a power's observations; always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of a power's actions; always the same object."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game; what is drawn by lot in it follows from the seed. ``options`` are not used."""
        self.seed = f"environment {SystemRandom().getrandbits(64) if seed is None else seed}"
        self.position = self.rules.opening()
        self.agents = self.possible_agents[:]
        self.played = 0
        self._last = self._moved = None
        self._list_orders()
        return self._observations(self.agents), self._infos(self.agents)

    def legal(self, agent: str) -> list[list[Order | None]]:
        """Return the orders that the indices of a power's slots stand for, slot by slot; None does nothing."""
        return self._legal[agent]

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Judge a turn on everybody's orders; a power that is given no action does nothing.

        :raises ValueError: for an agent that isn't a power."""
        if unknown := sorted(set(actions) - set(self.possible_agents)):
            raise ValueError(f"there is no agent {unknown[0]!r}; there are {', '.join(self.possible_agents)}")
        agents = self.agents
        sheets = [Sheet(agent, self._chosen(agent, actions[agent])) for agent in agents if agent in actions]
        self._last = resolve(self.rules, self.position, sheets, f"{self.seed}: {self.position.turn}")
        if self.position.turn.phase is Phase.MOVEMENT:
            self._moved = self._last
        self.position = self._last.after
        self.played += 1
        ending = self._last.ending
        over, stopped = ending is not None, ending is None and self.played >= self.turns
        alive = set(self.position.survivors())
        rewards = dict.fromkeys(agents, 0.0)
        if over or stopped:
            came_to = outcomes(self.position, ending, self.possible_agents)
            rewards = {agent: came_to[agent] for agent in agents}
        terminations = {a: over or a not in alive for a in agents}
        truncations = {a: stopped and a in alive for a in agents}
        self.agents = [a for a in agents if not (terminations[a] or truncations[a])]
        self._list_orders()
        return self._observations(agents), rewards, terminations, truncations, self._infos(agents)

    def _chosen(self, agent: str, action: Any) -> tuple[Order, ...]:
        chosen = []
        for index, orders in zip(np.asarray(action).tolist(), self._legal[agent], strict=False):
            order = orders[index] if 0 <= index < len(orders) else None
            if order is not None:
                chosen.append(order)
        return tuple(chosen)

    def _list_orders(self) -> None:
        legal = legal_orders(self.rules, self.position, self.agents) if self.agents else {}
        self._legal, self._left_out = {}, {}
        for agent in self.agents:
            by_place: dict[str, list[Order]] = defaultdict(list)
            for order in legal[agent]:
                at = getattr(order, "at", None)
                if at is None and isinstance(order, Waive):
                    continue  # to build nothing is index 0 everywhere
                by_place[province_of(at) if at else ""].append(order)
            movement = self.position.turn.phase is Phase.MOVEMENT
            slots: list[list[Order | None]] = []
            left_out = 0
            for place in sorted(by_place)[: self.slots]:
                orders = sorted(by_place[place], key=write)
                nothing = next((order for order in orders if movement and isinstance(order, Hold)), None)
                rest = [order for order in orders if order is not nothing]
                left_out += max(0, len(rest) - self.most_orders + 1)
                slots.append([nothing, *rest[: self.most_orders - 1]])
            self._legal[agent] = slots
            self._left_out[agent] = left_out

    def _observations(self, agents: list[str]) -> dict[str, Any]:
        return {
            agent: {
                "observation": self.planes.of(self.position, agent),
                "last_orders": self._last_orders(agent),
                "action_mask": self._mask(agent),
            }
            for agent in agents
        }

    def _last_orders(self, agent: str) -> Any:
        learned = () if self._moved is None else seen_resolution(self.rules, self._moved, agent).verdicts
        return self.planes.last_orders(verdict.order for verdict in learned)

    def _mask(self, agent: str) -> tuple[Any, ...]:
        legal = self._legal.get(agent, [])
        masks = np.zeros((self.slots, self.most_orders), np.int8)
        masks[:, 0] = 1
        for slot, orders in enumerate(legal):
            masks[slot, : len(orders)] = 1
        return tuple(masks)

    def _infos(self, agents: list[str]) -> dict[str, Any]:
        return {agent: {"left_out": self._left_out.get(agent, 0)} for agent in agents}

    def state(self) -> Any:
        """Return the whole position as planes, whatever anybody sees."""
        return self.planes.of(self.position)

    def render(self) -> str | None:
        """Return the map of the position as SVG, where that was asked for."""
        if self.render_mode != "svg":
            return None
        return for_variant(self.rules.name).svg(self.position)

    def close(self) -> None:
        """No-op: an environment holds nothing open."""
