"""Games as examples: for every choice that somebody made, what there was to choose from, and what was decided before.

Examples of one variant lie side by side in arrays (:class:`Examples`): positions, the choices in them, and the orders
of the choices. Features between 0 and 1 are kept as bytes."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from logging import getLogger
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
import numpy as np

from legation.board import province_of
from legation.bots import Bot
from legation.bots.matches import match
from legation.game.scores import outcomes as game_outcomes
from legation.game.scores import square_shares
from legation.interop.games.recorded_phases import RecordedPhases, recorded_games
from legation.judge import Ruleset, legal_orders, resolve
from legation.lab import tactician
from legation.lab.policy.choices import Choices, Coder, Sheets
from legation.lab.policy.encoding import PHASES, Memory, encode, graph_of, memory_of, remember
from legation.orders import Build, Order, Remove, Sheet, UnitOrder
from legation.position import Phase, Position
from legation.variants import load

LOG = getLogger(__name__)
FORGETS = 0.5
"""How often an example does not tell what was ordered the turn before, as those who ask a bot may not know it."""
PLAYED = partial(tactician.choose, seconds=0.01), 100, 40
"""What plays other variants to learn from, how many games, and of how many turns at most."""
PARTS = 2
"""Examples are made and kept in so many parts, as they take much memory until they are packed."""
SHORT = 4
"""Of games that were given up before so many years, nothing is learned of who does well."""


class Examples(NamedTuple):
    """Examples of one variant. The first seven are :class:`~legation.lab.policy.encoding.Encoded`'s, by position.

    ``outcome`` is each power's part of the game in the end, -1 where that isn't known. A choice has the number of its
    position, power and sheet, how many orders there are (``count``) and which was chosen (``chosen``); ``orders`` are
    their kinds and nodes, ``context`` what was decided before."""

    features: Any
    stands: Any
    unit: Any
    holder: Any
    views: Any
    sizes: Any
    alive: Any
    outcome: Any
    phase: Any
    game: Any
    position: Any
    power: Any
    sheet: Any
    count: Any
    chosen: Any
    orders: Any
    context: Any


class Collector:
    """Collects the examples of one variant."""

    def __init__(self, rules: Ruleset, seed: str) -> None:
        self.rules, self.graph = rules, graph_of(rules)
        self.coder = Coder(rules, self.graph)
        self.random = Random(seed)
        self.columns: dict[str, list[Any]] = defaultdict(list)
        self.sheets = 0
        self.unknown = 0  # orders that are not among the legal ones

    def note(self, position: Position, given: Mapping[str, Sequence[Order]], memory: Memory | None, game: int) -> bool:
        """Note what every power chose in a turn; return whether there was any choice."""
        legal = legal_orders(self.rules, position)
        begun = len(self.columns["count"])
        known = None if self.random.random() < FORGETS else memory
        for power, orders in given.items():
            if orders and legal.get(power):
                self._note_sheet(position, power, orders, legal[power], known)
        if len(self.columns["count"]) == begun:
            return False
        encoded = encode(self.rules, position, known)
        for name, value in encoded._asdict().items():
            whole = name in ("features", "views")
            self.columns[name].append(np.round(value * 255).astype(np.uint8) if whole else value)
        self.columns["phase"].append(PHASES.index(position.turn.phase))
        self.columns["game"].append(game)
        return True

    def _note_sheet(
        self, position: Position, power: str, given: Sequence[Order], legal: Sequence[Order], memory: Memory | None
    ) -> None:
        graph = self.graph
        own = np.zeros(len(graph.nodes), bool)
        for unit in position.units_of(power):
            own[graph.province == graph.index[unit.province]] = True
        steps = list(self._steps(position, given, legal, memory))
        sheet = Sheets(graph, own, len(steps))
        for choices, chosen in steps:
            context = sheet.context(choices)[0]
            c = self.columns
            c["position"].append(len(c["game"]))
            c["power"].append(graph.power[power])
            c["sheet"].append(self.sheets)
            c["count"].append(len(choices.orders))
            c["chosen"].append(chosen)
            c["orders"].append(
                np.stack([choices.kind, choices.at, choices.to, choices.helped], axis=1).astype(np.uint16)
            )
            c["context"].append(np.round(np.clip(context, 0, 1) * 255).astype(np.uint8))
            sheet.add(choices, np.array([chosen]))
        self.sheets += bool(steps)

    def _steps(
        self, position: Position, given: Sequence[Order], legal: Sequence[Order], memory: Memory | None
    ) -> Iterator[tuple[Choices, int]]:
        """The choices of a sheet one after the other, in an order drawn by lot."""
        shuffled = self.random.sample(list(given), len(given))
        if position.turn.phase in (Phase.MOVEMENT, Phase.RETREATS):
            by_unit = self.coder.by_unit(legal)
            for order in shuffled:
                if isinstance(order, UnitOrder) and len(ways := by_unit.pop(order.at, ())) > 1:
                    yield from self._step(order, ways, memory)
            return
        left = [order for order in legal if isinstance(order, Build | Remove)]
        for order in shuffled:
            if isinstance(order, Build | Remove):
                yield from self._step(order, [way for way in left if type(way) is type(order)], None)
                left = [way for way in left if province_of(way.at) != province_of(order.at)]

    def _step(self, order: Order, ways: Sequence[Order], memory: Memory | None) -> Iterator[tuple[Choices, int]]:
        chosen = self.find(order, ways)
        if chosen is None:
            self.unknown += 1
        elif len(ways) > 1:
            yield self.coder.choices(ways, memory), chosen

    def find(self, order: Order, ways: Sequence[Order]) -> int | None:
        """Return which of the legal orders somebody meant, who may leave out a coast or that an army goes by convoy."""
        meant = self.coder.code(order)
        if meant is None:
            return None
        codes = [self.coder.code(way) or (-1, 0, 0, 0) for way in ways]
        if meant in codes:
            return codes.index(meant)
        province = self.graph.province
        rough = [(min(k, 2) if k in (1, 2) else k, province[t], province[h]) for k, _, t, h in (meant, *codes)]
        return rough.index(rough[0], 1) - 1 if rough[0] in rough[1:] else None

    def examples(self, outcomes: Mapping[int, Any]) -> Examples:
        """Return all, with each game's outcome.

        :raises ValueError: where there are none."""
        c = self.columns
        if not c["count"]:
            raise ValueError("there are no examples in these games")
        none = np.full(len(self.graph.powers), -1.0)
        columns = {name: np.array(values) for name, values in c.items() if name not in ("orders", "context")}
        outcome = np.array([outcomes.get(game, none) for game in c["game"]], np.float32)
        return Examples(
            **columns, outcome=outcome, orders=np.concatenate(c["orders"]), context=np.concatenate(c["context"])
        )


def collect(variant: str, games: Sequence[tuple[int, Mapping[str, Any]]], seed: str) -> tuple[Examples, int]:
    """Return the examples of recorded games, given with their numbers, and how many orders were not legal."""
    rules = load(variant)
    reader, collector = RecordedPhases(rules), Collector(rules, seed)
    outcomes: dict[int, Any] = {}
    for number, game in games:
        _collect_game(reader, collector, number, game["phases"])
        outcomes[number] = _outcome(collector, reader, game["phases"])
    return collector.examples({n: outcome for n, outcome in outcomes.items() if outcome is not None}), collector.unknown


def prepare_played(variant: str, folder: Path) -> Examples:
    """Return the examples of games of a bot, from ``folder`` where they were made before."""
    path = folder / f"played-{variant}.npz"
    if not path.exists():
        np.savez(path, **collect_played(variant, *PLAYED)._asdict())
    return read_examples(path)


def collect_played(variant: str, play: Bot, games: int, turns: int) -> Examples:
    """Return the examples of games that a bot plays in every seat."""
    seed = f"played {variant}"
    rules = load(variant)
    collector = Collector(rules, seed)
    outcomes: dict[int, Any] = {}
    for number in range(games):
        memory: Memory | None = None
        for resolution in match(rules, dict.fromkeys(rules.powers, play), f"{seed} {number}", turns):
            given: dict[str, list[Order]] = defaultdict(list)
            for verdict in resolution.verdicts:
                given[verdict.power].append(verdict.order)
            collector.note(resolution.before, given, memory, number)
            if resolution.before.turn.phase is Phase.MOVEMENT:
                memory = remember(collector.graph, resolution.before, resolution.verdicts)
        came_to = game_outcomes(resolution.after, resolution.ending, collector.graph.powers)
        outcomes[number] = np.array([came_to[power] for power in collector.graph.powers], np.float32)
    return collector.examples(outcomes)


def prepare(variant: str, sources: Sequence[Path], folder: Path) -> Examples:
    """Return the examples of recorded games, from ``folder`` where they were made before."""
    parts = []
    for part in range(PARTS):
        path = folder / f"examples-{part}.npz"
        if not path.exists():
            games = (game for source in sources for game in recorded_games(source))
            chosen = [(number, game) for number, game in enumerate(games) if number % PARTS == part]
            found, unknown = collect(variant, chosen, f"examples {part}")
            LOG.info("%s: %d choices, %d orders were not legal", path, len(found.count), unknown)
            np.savez(path, **found._asdict())
        parts.append(read_examples(path))
    return merge(parts)


def read_examples(path: Path) -> Examples:
    """Return examples that :func:`prepare` kept."""
    with np.load(path) as kept:
        return Examples(**{name: kept[name] for name in Examples._fields})


def _collect_game(
    reader: RecordedPhases, collector: Collector, number: int, phases: Sequence[Mapping[str, Any]]
) -> None:
    rules, after, memory = reader.rules, None, None
    for phase, following in zip(phases, [*phases[1:], None], strict=True):
        position = reader.position(phase)
        if phase["type"] == "Retreat":
            if after is None or after.turn != position.turn or set(after.units) != set(position.units):
                continue
            position = after
        given = reader.orders(phase)
        collector.note(position, given, memory, number)
        if phase["type"] == "Movement":
            by_place = {o.at: (power, o) for power, orders in given.items() for o in orders if isinstance(o, UnitOrder)}
            memory = memory_of(collector.graph, position, _as_listed(collector, position, by_place))
            after = None
            if following is not None and following["type"] == "Retreat" and following["dislodged"]:
                after = resolve(rules, position, [Sheet(p, tuple(orders)) for p, orders in given.items()]).after


def _as_listed(
    collector: Collector, position: Position, given: Mapping[str, tuple[str, Order]]
) -> dict[str, tuple[str, Order]]:
    """The same orders with the kinds of their units, as legal orders have them."""
    kinds = {unit.at: unit.kind for unit in position.units}
    found = {}
    for at, (power, order) in given.items():
        if at in kinds:
            changed = {"kind": kinds[at]}
            target = getattr(order, "target", None)
            if target is not None:
                changed["target_kind"] = kinds.get(target, "")
            found[at] = power, msgspec.structs.replace(order, **changed)
    return found


def _outcome(collector: Collector, reader: RecordedPhases, phases: Sequence[Mapping[str, Any]]) -> Any:
    """Each power's part of a game: all for one that owns more than half of the centers in the end, else its part of the
    squared centers."""
    if phases[-1]["year"] - phases[0]["year"] < SHORT:
        return None
    position = reader.position(phases[-1])
    centers = {power: len(position.centers_of(power)) for power in collector.graph.powers}
    shares = square_shares(centers)
    half = len(reader.rules.board.centers) / 2
    won = [power for power, count in centers.items() if count > half]
    return np.array([float(p == won[0]) if won else shares[p] for p in collector.graph.powers], np.float32)


def merge(parts: Sequence[Examples]) -> Examples:
    """Return the examples of several parts as one."""
    positions = np.cumsum([0, *(len(part.game) for part in parts[:-1])])
    sheets = np.cumsum([0, *(int(part.sheet.max(initial=-1)) + 1 for part in parts[:-1])])
    moved = [
        part._replace(position=part.position + position, sheet=part.sheet + sheet)
        for part, position, sheet in zip(parts, positions, sheets, strict=True)
    ]
    return Examples(*(np.concatenate(columns) for columns in zip(*moved, strict=True)))
