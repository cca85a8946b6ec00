"""A variant as tables of numbers, made by asking the judge's own questions, so that nothing can disagree."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

import msgspec
import numpy as np

from legation.board import ARMY, FLEET, province_of
from legation.bots.worth import counted_next
from legation.formats import decode_json
from legation.judge import Ruleset, Situation
from legation.judge.adjustments import UNREACHED, steps_from, steps_to
from legation.lab.dense.layout import *
from legation.position import Phase, Position, Turn, Unit
from legation.variants import STANDARD, plain_name

YEARS = 200
"""How many years of a calendar are laid out; a game that goes on for longer stops there."""
PHASES = {
    Phase.PLACEMENT: PLACEMENT,
    Phase.MOVEMENT: MOVEMENT,
    Phase.RETREATS: RETREATS,
    Phase.ADJUSTMENTS: ADJUSTMENTS,
}
TRAVELS = (ARMY, FLEET)
WEIGHTS = files("legation.lab.dense") / "weights.json"
NETWORKS = files("legation.lab.dense") / "networks.npz"
NO_NETWORK = np.zeros((0, HIDDEN))


class NoDenseFormError(ValueError):
    """A variant that the judge must play turn by turn, with the reason."""


def why_interpreted(rules: Ruleset) -> str:
    """Why a variant's games are not dense; empty where they are."""
    without = [module.key for module in rules.modules if module.dense(rules) is None]
    if without:
        return f"{', '.join(without)} {'has' if len(without) == 1 else 'have'} no dense form"
    if rules.steps["refuses_dislodgement"]:
        return "a rule keeps units from being dislodged"
    if rules.options["hold_support_in_disorder"] is not True:
        return "the option hold_support_in_disorder is off"
    if rules.options["waiving"] is not True:
        return "the option waiving is off"
    if any(phase not in PHASES for module in rules.modules for phase in module.phases):
        return "a rule brings a phase of its own"
    if max(len(rules.board.locations), _width(rules)) >= MOST or len(rules.powers) > 60:
        return "the board is too large"
    return ""


@lru_cache(maxsize=16)
def turns_of(rules: Ruleset) -> tuple[Turn, ...]:
    """The calendar, turn by turn, whether or not anybody has anything to order."""
    turn = rules.first_turn()
    turns = [turn]
    years = {turn.year}
    while len(years) <= YEARS:
        turn = rules.next_turn(turn)
        turns.append(turn)
        years.add(turn.year)
    return tuple(turns)


def _flat(name: str, rows: Sequence[Iterable[int]]) -> dict[str, Any]:
    """Lists of several as the two tables that have them end to end."""
    start = np.zeros(len(rows) + 1, np.int64)
    flat: list[int] = []
    for i, row in enumerate(rows):
        flat += row
        start[i + 1] = len(flat)
    return {f"{name}_start": start, name: np.array(flat or [0], np.int64)}


def _width(rules: Ruleset) -> int:
    return max(len(rules.opening().units), len(rules.board.centers) + len(rules.powers))


@lru_cache(maxsize=16)
def tables_of(rules: Ruleset) -> DenseTables:
    """The tables of a variant.

    :raises NoDenseFormError: where :func:`why_interpreted` has a reason."""
    if reason := why_interpreted(rules):
        raise NoDenseFormError(f"{rules.title} is played by the judge turn by turn: {reason}")
    return _Maker(rules).tables()


@lru_cache(maxsize=16)
def network_of(rules: Ruleset) -> Any:
    """The network that predicts who wins, as fitted on games of this variant, else of one with as many powers; without
    rows where there is none."""
    with NETWORKS.open("rb") as file, np.load(file) as kept:
        known = [name for name in (plain_name(rules.name), shared_network(rules)) if name in kept]
        return kept[known[0]].astype(np.float64) if known else NO_NETWORK


def shared_network(rules: Ruleset) -> str:
    """The name of the network that variants with as many powers share, if they have none of their own."""
    return f"{len(rules.powers)} powers"


class _Maker:
    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.board = rules.board
        self.form = rules.dense_form
        self.number = {at: i for i, at in enumerate(self.board.locations)}
        self.place = rules.tables.index
        self.kinds = list(rules.kinds.values())
        self.powers = list(rules.powers)
        self.opening = rules.opening()
        self.turns = turns_of(rules)

    def tables(self) -> DenseTables:
        board, rules = self.board, self.rules
        provinces = list(board.provinces.values())
        places = [self.place[province_of(at)] for at in board.locations]
        by_sea = [sorted(self.place[q] for q in rules.tables.by_sea[p.id]) for p in provinces]
        sites, builds, placed = self._sites()
        becomes = [
            [self._thing(kind, at) for kind, at in self.form.conversions.get((k.code, p.id), ())]
            for k in self.kinds
            for p in provinces
        ]
        marks = self.form.marks
        wins, shares = self.form.capitals, self.form.draw_capitals
        entry, helps = self._refusals()
        distance, home_distance = self._distances()
        return DenseTables(
            provinces=len(provinces),
            locations=len(board.locations),
            powers=len(self.powers),
            unit_kinds=len(self.kinds),
            width=_width(rules),
            rules=np.array(rules.core_readings, np.int64),
            near=np.frombuffer(rules.tables.near, np.uint8).copy(),
            province=np.array(places, np.int64),
            settings=self._settings(),
            kinds=self._kinds(),
            places=self._provinces(),
            phase=np.array([PHASES[turn.phase] for turn in self.turns[:-1]] + [CALENDAR_ENDS], np.int64),
            **_flat("reach", self._reach()),
            **_flat("into", [sorted({places[to] for to in row}) for row in self._reach()]),
            **_flat("by_sea", by_sea),
            entry=entry,
            helps=helps,
            sites=sites,
            **_flat("builds", builds),
            **_flat("place_builds", placed),
            homes=np.array([[p.id in rules.powers[w].homes for p in provinces] for w in self.powers], np.uint8),
            **_flat("becomes", becomes),
            marks=np.array([marks.get(power, 0) for power in self.powers], np.int64),
            **_flat("win", [[self.place[c] for c in group] for group in wins]),
            **_flat("share", [[self.place[c] for c in group] for group in shares]),
            distance=distance,
            home_distance=home_distance,
            average=self._average(),
            counted=np.array([counted_next(rules, turn) for turn in self.turns], np.int64),
            rounds=np.cumsum([0] + [turn.phase is Phase.ADJUSTMENTS for turn in self.turns[1:]]),
            weights=self._weights(),
            network=NO_NETWORK,
        )

    def _kinds(self) -> Any:
        """What there is to know of each kind of unit, a row for each thing."""
        return np.array(
            [
                [TRAVELS.index(k.travel) for k in self.kinds],
                [k.strength for k in self.kinds],
                [k.cost for k in self.kinds],
                [k.convoys for k in self.kinds],
                [k.convoyed for k in self.kinds],
                [k.code in self.form.single for k in self.kinds],
            ],
            np.int64,
        )

    def _provinces(self) -> Any:
        """Whether each province is a sea and has a center, and its rank in the order of names."""
        provinces = list(self.board.provinces.values())
        rank = [0] * len(provinces)
        for position, i in enumerate(sorted(range(len(provinces)), key=lambda i: provinces[i].name)):
            rank[i] = position
        return np.array([[p.sea for p in provinces], [p.center for p in provinces], rank], np.int64)

    def _reach(self) -> list[list[int]]:
        """Where armies, then fleets, can go from each location, the coasts of one province side by side."""
        places = [self.place[province_of(at)] for at in self.board.locations]
        return [
            sorted((self.number[to] for to in self.board.reach(t, at)), key=lambda to: (places[to], to))
            for t in TRAVELS
            for at in self.board.locations
        ]

    def _thing(self, kind: str, at: str) -> int:
        codes = list(self.rules.kinds)
        return codes.index(kind) * len(self.number) + self.number[at]

    def _settings(self) -> Any:
        options = self.rules.options
        settings = np.zeros(SETTINGS, np.int64)

        def when(turn: Turn | None) -> int:
            return self.turns.index(turn) if turn in self.turns else -1

        fixed, last = self.form.homes_fixed, self.form.last_turn
        settings[FERRY] = self.form.ferry
        settings[ANARCHY] = self.form.anarchy
        settings[CONVERSION] = self.form.conversion_turns
        settings[ACROSS_WINTER] = self.form.across_winter
        settings[MERCY] = self.form.mercy
        settings[ALWAYS_ADJUSTS] = self.form.always_adjusts
        settings[CHOSEN_HOMES] = fixed is not None
        settings[FIXED_TURN] = when(fixed)
        settings[LAST_TURN] = when(last)
        settings[LAST_SURVIVORS] = self.form.survivors
        settings[VOTES] = self.form.votes
        if self.opening.turn.phase is Phase.PLACEMENT:
            bare = msgspec.structs.replace(self.opening, owners={})
            settings[PLACE_SUPPLY] = self.rules.limit(bare, self.powers[0])
        settings[ADJACENT_CONVOY] = {"own fleet": OWN_FLEET, "1971": READING_1971}.get(
            str(options["adjacent_convoy"]), INTENT
        )
        settings[VIA_FALLBACK] = options["via_convoy_fallback"] is True
        settings[OPEN_ORIGIN] = options["retreat_to_convoy_origin"] is True
        settings[DISORDER] = {"2023": BY_OWN_CENTERS, "lot": BY_LOT}.get(str(options["civil_disorder"]), BY_HOMES)
        settings[WAIVING] = options["waiving"] is True
        settings[FOR_ALL_TO_WIN] = len(self.form.capitals)
        settings[FOR_ALL_TO_DRAW] = len(self.form.draw_capitals)
        return settings

    def _refusals(self) -> tuple[Any, Any]:
        """Which provinces each unit may enter, and in which it may support."""
        rules, provinces = self.rules, list(self.board.provinces)
        shape = (len(self.kinds), len(self.powers), len(provinces))
        entry, helps = np.ones(shape, np.uint8), np.ones(shape, np.uint8)
        if rules.steps["refuses_entry"] or rules.steps["refuses_support"]:
            for k, kind in enumerate(self.kinds):
                stands = next(at for code, at in rules.standing.values() if code == kind.code)
                for w, power in enumerate(self.powers):
                    unit, other = Unit(kind.code, stands, power), Unit("A", stands, power)
                    for p, name in enumerate(provinces):
                        entry[k, w, p] = rules.refuses_entry(self.opening, unit, name) is None
                        helps[k, w, p] = rules.refuses_support(self.opening, unit, other, name) is None
        return entry, helps

    def _sites(self) -> tuple[Any, list[list[int]], list[list[int]]]:
        """Where each power may build when it owns all, on an empty board: the provinces, and the units."""
        rules, centers = self.rules, self.board.centers
        winter = next((turn for turn in self.turns if turn.phase is Phase.ADJUSTMENTS), self.turns[0])
        homes = self.form.homes_fixed
        sites = np.zeros((len(self.powers), len(self.place)), np.uint8)
        builds, placed = [], []
        for w, power in enumerate(self.powers):
            keeper = next((m for m in rules.modules if (f := m.dense(rules)) and f.homes_fixed), None)
            slices = {keeper.key: {"homes": {power: list(centers)}}} if homes and keeper else {}
            all_its = Position(winter, owners=dict.fromkeys(centers, power), slices=slices)
            for site in rules.build_sites(all_its, power):
                sites[w, self.place[site]] = 1
            builds.append(self._buildable(all_its, power))
            placement = self.opening.turn.phase is Phase.PLACEMENT
            placed.append(self._buildable(self.opening, power) if placement else [])
        return sites, builds, placed

    def _buildable(self, view: Position, power: str) -> list[int]:
        return [self._thing(build.kind, build.at) for build in Situation(self.rules, view).builds(power)]

    def _distances(self) -> tuple[Any, Any]:
        """Steps between all provinces, and from each location to each power's nearest home (STD-C)."""
        board = self.board
        table = np.full((len(self.place), len(self.place)), UNREACHED, np.int64)
        near = {p: board.adjacent(p) for p in board.provinces}
        for p in near:
            for q, steps in steps_from([p], near).items():
                table[self.place[p], self.place[q]] = steps
        homeward = np.full((len(TRAVELS), len(self.powers), len(self.number)), UNREACHED, np.int64)
        old = self.rules.options["civil_disorder"] == "2000"
        for w, power in enumerate(self.rules.powers.values()):
            to_home = steps_to(self.rules, power.homeland if old else power.homes)
            for at in board.locations:
                homeward[0, w, self.number[at]] = to_home[ARMY].get(province_of(at), UNREACHED)
                homeward[1, w, self.number[at]] = to_home[FLEET].get(at, UNREACHED)
        return table, homeward

    def _weights(self) -> Any:
        """How outlooks are weighed: as fitted on this variant, or on the standard game."""
        fitted = decode_json(WEIGHTS.read_bytes(), type=dict[str, list[float]])
        return np.array(fitted.get(plain_name(self.rules.name), fitted[STANDARD]))

    def _average(self) -> Any:
        """For each travel: how many locations its units stand on, and these with the borders between them."""
        sums = []
        for travel in TRAVELS:
            nodes = [at for at in self.board.locations if self.board.stands(travel, at)]
            edges = sum(len({province_of(to) for to in self.board.reach(travel, at)}) for at in nodes)
            sums.append([len(nodes), len(nodes) + edges])
        return np.array(sums, np.int64)
