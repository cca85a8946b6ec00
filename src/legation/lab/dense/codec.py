"""Positions and orders as numbers, and back."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from legation.judge import Ending, Ruleset
from legation.lab.dense.layout import *
from legation.lab.dense.tables import tables_of, turns_of
from legation.orders import Build, Convoy, Disband, Hold, Move, Order, Remove, Retreat, SupportHold, SupportMove, Waive
from legation.position import Dislodged, Position, Unit

STANDINGS = {FREE: "", IN_GRACE: "grace", RETAKEN: "retaken", IN_ANARCHY: "anarchy"}
ENDINGS = {SOLO: "solo", DRAW: "draw"}


class Codec:
    """Positions and orders of a variant as numbers, and back."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.tables = tables_of(rules)
        self.turns = turns_of(rules)
        self.locations = rules.board.locations
        self.number = {at: i for i, at in enumerate(self.locations)}
        self.provinces = tuple(rules.board.provinces)
        self.powers = tuple(rules.powers)
        self.kinds = tuple(rules.kinds)
        self._power = {name: i for i, name in enumerate(self.powers)}
        self._kind = {code: i for i, code in enumerate(self.kinds)}
        self._when = {turn: i for i, turn in enumerate(self.turns)}
        self._keeper: dict[str, str] = {}  # which rule keeps what
        self._make = rules.dense_form.records
        for module in rules.modules:
            form = module.dense(rules)
            assert form is not None
            keeps = {"anarchy": form.anarchy, "conversion": form.conversion_turns, "homes": form.homes_fixed}
            self._keeper |= {name: module.key for name, there in keeps.items() if there}

    # Positions

    def write(self, state: State, g: int, position: Position) -> None:
        """Put a position into the arrays as game ``g``."""
        t = self.tables
        state.game[g, :RANDOM] = (self._when[position.turn], len(position.units), len(position.dislodged), 0, 0, 0)
        for i, unit in enumerate(position.units):
            state.units[g, :3, i] = self._unit(unit)
        for i, entry in enumerate(position.dislodged):
            state.out[g, :3, i] = self._unit(entry.unit)
            barred = entry.attacker_from
            state.out[g, ATTACKED_FROM, i] = -1 if barred is None else self.number[barred]
        state.places[g, OWNER] = -1
        state.places[g, CONTESTED] = 0
        for center, owner in position.owners.items():
            state.places[g, OWNER, self.number[center]] = self._power[owner]
        for place in position.contested:
            state.places[g, CONTESTED, self.number[place]] = 1
        state.places[g, BECOMES] = -1
        state.places[g, BECOMING_FOR] = 0
        state.places[g, HOME_OF] = -1
        state.places[g, INITIAL] = -1
        state.powers[g] = 0
        for place, under_way in self._kept(position, "conversion").items():
            kind, _, at = under_way["to"].partition(" ")
            state.places[g, BECOMES, self.number[place]] = self._kind[kind] * t.locations + self.number[at]
            state.places[g, BECOMING_FOR, self.number[place]] = under_way["turns"]
        standings = {name: number for number, name in STANDINGS.items()}
        for name, listed in self._kept(position, "anarchy").items():
            for power in listed:
                state.powers[g, STANDING, self._power[power]] = standings[name]
        kept = self._kept(position, "homes")
        if "homes" in kept:
            for power, homes in kept["homes"].items():
                for home in homes:
                    state.places[g, HOME_OF, self.number[home]] = self._power[power]
        for power, home in kept.get("initial", {}).items():
            state.places[g, INITIAL, self.number[home]] = self._power[power]
            if "homes" not in kept:
                state.places[g, HOME_OF, self.number[home]] = self._power[power]

    def _kept(self, position: Position, name: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = position.slices.get(self._keeper.get(name, ""), {})
        return found

    def _unit(self, unit: Unit) -> tuple[int, int, int]:
        return self.number[unit.at], self._kind[unit.kind], self._power[unit.power]

    def read(self, state: State, g: int) -> Position:
        """The position of game ``g``, units and centers power by power."""
        units = [self._unit_of(state.units, g, i) for i in range(state.game[g, COUNT])]
        out = []
        for i in range(state.game[g, OUT]):
            barred = int(state.out[g, ATTACKED_FROM, i])
            out.append(Dislodged(self._unit_of(state.out, g, i), None if barred < 0 else self.provinces[barred]))
        places = state.places[g]
        owners = {self.provinces[p]: self.powers[owner] for p, owner in enumerate(places[OWNER].tolist()) if owner >= 0}
        position = Position(
            self.turns[int(state.game[g, TURN])],
            tuple(units),
            tuple(out),
            frozenset(self.provinces[p] for p in np.flatnonzero(places[CONTESTED] == 1).tolist()),
            owners,
            self._slices(state, g),
        )
        return self.rules.in_order(position)

    def _unit_of(self, units: Any, g: int, i: int) -> Unit:
        return Unit(
            self.kinds[units[g, KIND, i]], self.locations[units[g, LOCATION, i]], self.powers[units[g, POWER, i]]
        )

    def _slices(self, state: State, g: int) -> dict[str, Any]:
        t, places = self.tables, state.places[g]
        slices: dict[str, Any] = {}
        if t.settings[CONVERSION]:
            under_way = {}
            for p in np.flatnonzero(places[BECOMES] >= 0).tolist():
                kind, at = divmod(int(places[BECOMES, p]), t.locations)
                under_way[self.provinces[p]] = {
                    "to": f"{self.kinds[kind]} {self.locations[at]}",
                    "turns": int(places[BECOMING_FOR, p]),
                }
            if under_way:
                slices[self._keeper["conversion"]] = under_way
        if t.settings[ANARCHY]:
            lists: dict[str, list[str]] = {"grace": [], "retaken": [], "anarchy": []}
            for power, standing in zip(self.powers, state.powers[g, STANDING].tolist(), strict=True):
                if standing != FREE:
                    lists[STANDINGS[standing]].append(power)
            slices[self._keeper["anarchy"]] = {k: v for k, v in lists.items() if v or k != "retaken"}
        if t.settings[CHOSEN_HOMES] and (places[INITIAL] >= 0).any():
            initial, fixed = self._by_power(places[INITIAL]), self._by_power(places[HOME_OF])
            kept: dict[str, Any] = {"initial": {power: homes[0] for power, homes in initial.items()}}
            if state.game[g, TURN] >= t.settings[FIXED_TURN]:
                kept["homes"] = fixed
            slices[self._keeper["homes"]] = kept
        return slices

    def _by_power(self, row: Any) -> dict[str, list[str]]:
        """The provinces that a row of the places gives to each power."""
        by_power: dict[str, list[str]] = {power: [] for power in self.powers}
        for p in np.flatnonzero(row >= 0).tolist():
            by_power[self.powers[row[p]]].append(self.provinces[p])
        return by_power

    def ending(self, state: State, g: int) -> Ending | None:
        """How game ``g`` ended, without its reason in words; None while it runs."""
        ended = int(state.game[g, ENDED])
        if ended not in (SOLO, DRAW) and not state.powers[g, RANK].any():
            return None
        ranks = state.powers[g, RANK].tolist()
        named = sorted((rank, i) for i, rank in enumerate(ranks) if rank > 0)
        return Ending(ENDINGS.get(ended, "ranking"), tuple(self.powers[i] for _, i in named), "")

    def silenced(self, state: State, g: int) -> frozenset[str]:
        """The powers whose orders are not carried out."""
        standings = state.powers[g, STANDING].tolist()
        return frozenset(power for power, how in zip(self.powers, standings, strict=True) if how == IN_ANARCHY)

    # Orders

    def order(self, state: State, g: int, i: int, order: int) -> Order:
        """The record of an order for unit ``i`` (in retreats, the dislodged unit ``i``)."""
        what = order & KIND_MASK
        to, j, more = (order >> shift & FIELD_MASK for shift in (TO_SHIFT, UNIT_SHIFT, MORE_SHIFT))
        if what == BUILDS:
            return Build(self.kinds[j], self.locations[to])
        if what == WAIVES:
            return Waive()
        if what == REMOVES:
            i = j
        units = state.out if what in (RETREATS_TO, DISBANDS) else state.units
        kind, at = self.kinds[units[g, KIND, i]], self.locations[units[g, LOCATION, i]]
        if what == REMOVES:
            return Remove(kind, at)
        if what == RETREATS_TO:
            return Retreat(kind, at, self.locations[to])
        if what == DISBANDS:
            return Disband(kind, at)
        if what == HOLDS:
            return Hold(kind, at)
        if what in (MOVES, MOVES_VIA):
            return Move(kind, at, self.locations[to], via_convoy=what == MOVES_VIA)
        if what == CONVERTS:
            coast = self.locations[to].partition("/")[2]
            converted: Order = self._make["convert"](kind, at, self.kinds[j], coast)
            return converted
        other_kind, other_at = self.kinds[state.units[g, KIND, j]], self.locations[state.units[g, LOCATION, j]]
        if what == SUPPORTS_HOLD:
            return SupportHold(kind, at, other_kind, other_at)
        if what == SUPPORTS_MOVE:
            return SupportMove(kind, at, other_kind, other_at, self.locations[to])
        if what == CONVOYS:
            return Convoy(kind, at, other_kind, other_at, self.locations[to])
        made: Order
        if what == RIDES:
            made = self._make["ride"](kind, at, self.locations[to], (other_at, self.provinces[more]))
        else:
            assert what == CARRIES
            made = self._make["carry"](kind, at, self.provinces[to], other_kind, other_at, self.provinces[more])
        return made
