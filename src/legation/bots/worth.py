"""What places are worth to a power: DumbBot's values (David Norman, 2002), for any board, calendar and kinds of unit.

Worth begins at the centers: one of another power's counts by the size of its owner, one's own by the size of the
greatest power that could enter it. From there it spreads over the places where units can stand, nine steps far and less
at each. The sums are integers and large; Python's have no end."""

from collections.abc import Mapping
from functools import lru_cache
from typing import TypeAlias

from legation.board import Travel, province_of
from legation.judge import Ruleset, Situation
from legation.position import Phase, Position, Turn, Unit

Node: TypeAlias = tuple[Travel, str]  # how a unit travels, and the location where it stands

SPREAD = 10  # how many rounds of worth are weighed, the start included
ATTACK_DEFENSE = {False: (700, 300), True: (600, 400)}  # by whether centers are counted next: not mine, mine
NEAR_FIRST = (100, 1000, 30, 10, 6, 5, 4, 3, 2, 1)  # be next to what is wanted ...
HERE_FIRST = (1000, 100, 30, 10, 6, 5, 4, 3, 2, 1)  # ... and on it when centers are counted
PRESENCE = 1000  # for each unit of mine that is there or may come, and against me for each of the strongest other
NEUTRALS = 12  # unowned centers count together as a power; more than so many would drown all others
LEADS_AT, LEADS_OF = 1, 2  # from half of what it needs to win, a power takes the rest where it is easiest ...
AT_HAND = 2  # ... which is where the others are weakest: one at half as much is worth it
CHASED_AT, CHASED_OF = 3, 4  # from three quarters, what a power owns is worth more to the others ...
CHASED = 2  # ... so many times


class _Graphs:
    """Where units can stand and go, land and sea apart: for each node the neighboring provinces, each as its nodes
    there."""

    def __init__(self, rules: Ruleset) -> None:
        board = rules.board
        travels: tuple[Travel, ...] = ("army", "fleet")
        self.nodes: list[Node] = []
        for travel in travels:
            for province in board.provinces.values():
                for at in dict.fromkeys((province.id, *province.locations)):
                    if board.stands(travel, at):
                        self.nodes.append((travel, at))
        self.index: dict[Node, int] = {node: i for i, node in enumerate(self.nodes)}
        self.single: list[list[int]] = []  # by node: neighboring provinces with one node
        self.coasts: list[list[list[int]]] = []  # by node: neighboring provinces with several
        for travel, at in self.nodes:
            around: dict[str, list[int]] = {}
            for to in sorted(board.reach(travel, at)):
                around.setdefault(province_of(to), []).append(self.index[travel, to])
            self.single.append([nodes[0] for nodes in around.values() if len(nodes) == 1])
            self.coasts.append([nodes for nodes in around.values() if len(nodes) > 1])
        # a node's worth is averaged over itself and as many neighbors as nodes of its graph have on average
        self.share: list[tuple[int, int]] = []
        for travel in travels:
            mine = [i for i, node in enumerate(self.nodes) if node[0] == travel]
            edges = sum(len(self.single[i]) + len(self.coasts[i]) for i in mine)
            self.share += [(len(mine), len(mine) + edges)] * len(mine)

    def spread(self, worth: list[int]) -> list[int]:
        """One round further: the worth of each node with the best of each neighboring province, averaged."""
        spread = []
        for own, single, coasts, (count, total) in zip(worth, self.single, self.coasts, self.share, strict=True):
            for i in single:
                own += worth[i]
            for nodes in coasts:
                own += max([worth[i] for i in nodes])
            spread.append(own * count // total)
        return spread


@lru_cache(maxsize=16)
def _graphs(rules: Ruleset) -> _Graphs:
    return _Graphs(rules)


@lru_cache(maxsize=1024)
def counted_next(rules: Ruleset, turn: Turn) -> bool:
    """Whether centers are counted before units move again."""
    turn = rules.next_turn(turn)
    while turn.phase not in (Phase.MOVEMENT, Phase.ADJUSTMENTS):  # every cycle has a movement
        turn = rules.next_turn(turn)
    return turn.phase is Phase.ADJUSTMENTS


def size(centers: int) -> int:
    """The weight of a power that owns so many centers."""
    return centers * centers + 4 * centers + 16


class Worth:
    """The worth of every place to one power in one position."""

    def __init__(self, rules: Ruleset, view: Position, power: str) -> None:
        self.rules = rules
        self.power = power
        self.situation = Situation(rules, view)
        self._view = view
        self._present, self._entering = self._presence()
        counted = counted_next(rules, view.turn)
        self._moving = view.turn.phase in (Phase.MOVEMENT, Phase.RETREATS)
        self._graphs = _graphs(rules)
        self._defense: dict[str, int] = {}
        worth = self._start(*ATTACK_DEFENSE[counted and self._moving])
        total = [0] * len(worth)
        for step, weight in enumerate(HERE_FIRST if counted or not self._moving else NEAR_FIRST):
            if step:
                worth = self._graphs.spread(worth)
            total = [sum_ + weight * value for sum_, value in zip(total, worth, strict=True)]
        self._total = total

    def _presence(self) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, int]]]:
        """The strength of each power's units by province: of those in it, and of those that may enter it."""
        present: dict[str, dict[str, int]] = {}
        entering: dict[str, dict[str, int]] = {}
        for unit in self._view.units:
            strength = self.rules.kinds[unit.kind].strength
            present[unit.province] = {unit.power: strength}
            for place in self.provinces(unit):
                there = entering.setdefault(place, {})
                there[unit.power] = there.get(unit.power, 0) + strength
        return present, entering

    def _start(self, attack: int, defense: int) -> list[int]:
        owners: Mapping[str, str] = self._view.owners
        owned: dict[str, int] = {}
        for owner in owners.values():
            owned[owner] = owned.get(owner, 0) + 1
        centers = self.rules.board.centers
        neutral = size(min(NEUTRALS, sum(center not in owners for center in centers)))
        marks = self.rules.dense_form.marks
        mark = marks.get(self.power, 0)
        leads = mark > 0 and owned.get(self.power, 0) * LEADS_OF >= mark * LEADS_AT
        by_center: dict[str, int] = {}
        for center in centers:
            owner = owners.get(center, "")
            if owner == self.power:
                rivals = [size(owned.get(p, 0)) for p in self._entering.get(center, ()) if p != self.power]
                self._defense[center] = max(rivals, default=0)
                by_center[center] = defense * self._defense[center]
            elif leads:
                by_center[center] = attack * size(mark) * AT_HAND // (AT_HAND + self.competition(center))
            else:
                by_center[center] = attack * (size(owned[owner]) if owner else neutral)
                if owner and 0 < marks.get(owner, 0) * CHASED_AT <= owned[owner] * CHASED_OF:
                    by_center[center] *= CHASED
        return [by_center.get(province_of(at), 0) for _, at in self._graphs.nodes]

    def reach(self, unit: Unit) -> list[str]:
        """The locations that a unit may move to by itself, always in the same sequence."""
        province = self.rules.tables.province
        leaves = self.rules.steps["refuses_departure"] and unit in self._view.units
        if leaves and self.rules.refuses_departure(self._view, unit) is not None:
            return []
        return [
            to
            for to in sorted(self.situation.reach(unit))
            if not self.rules.refuses_entry(self._view, unit, province[to])
        ]

    def provinces(self, unit: Unit) -> list[str]:
        """The provinces that a unit may move to, and so support into."""
        return [
            place
            for place in sorted(self.situation.reach_provinces(unit))
            if not self.rules.refuses_entry(self._view, unit, place)
        ]

    def competition(self, province: str) -> int:
        """How strong the strongest other power is in a province: its units in it and those that may enter it."""
        present, entering = self._present.get(province, {}), self._entering.get(province, {})
        others = (present.keys() | entering.keys()) - {self.power}
        return max((present.get(p, 0) + entering.get(p, 0) for p in others), default=0)

    def of(self, kind: str, at: str) -> int:
        """What it is worth to have a unit of this kind at a location, for each center that it costs."""
        unit_kind = self.rules.kinds[kind]
        worth = self._total[self._graphs.index[unit_kind.travel, at]]
        place = province_of(at)
        if not self._moving:
            return (worth + PRESENCE * self._defense.get(place, 0)) // unit_kind.cost
        mine = self._present.get(place, {}).get(self.power, 0) + self._entering.get(place, {}).get(self.power, 0)
        return worth + PRESENCE * (mine - self.competition(place))
