"""Recorded games as lists of phases, one game a line: the season, year and type of each, with units, dislodged units,
centers and orders. They are read to learn from and to check the judge by, not as games to go on with."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from legation.formats import decode_json, packed_lines
from legation.interop.games.record import BY_VERB
from legation.judge import Ruleset
from legation.orders import Order
from legation.position import Phase, Position, Turn, Unit

TYPES = {"Movement": Phase.MOVEMENT, "Retreat": Phase.RETREATS, "Adjustment": Phase.ADJUSTMENTS}


def recorded_games(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the games of a file with one game as JSON a line, packed by gzip or xz."""
    return map(decode_json, packed_lines(path))


class RecordedPhases:
    """Reads the phases of recorded games of one variant."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.location = lru_cache(maxsize=None)(rules.reader.location)
        self._order = lru_cache(maxsize=100_000)(self._read)
        self._seasons = bool(rules.first_turn().season)

    def _read(self, text: str, phase: Phase, power: str) -> Order | None:
        try:
            return self.rules.reader.order(text, phase, power)
        except ValueError:
            return None

    def turn(self, phase: Mapping[str, Any]) -> Turn:
        """Return the turn of a phase; adjustments are in winter, whatever season the record gives them."""
        kind = TYPES[phase["type"]]
        season = "Winter" if kind is Phase.ADJUSTMENTS else phase["season"]
        return Turn(season if self._seasons else "", phase["year"], kind)

    def units(self, listed: list[dict[str, str]]) -> tuple[Unit, ...]:
        """Return listed units, each once."""
        return tuple(dict.fromkeys(Unit(u["type"], self.location(u["at"]), u["power"]) for u in listed))

    def position(self, phase: Mapping[str, Any]) -> Position:
        """Return the position of a phase, without what only the judge knows of retreats."""
        owners = {self.location(c): power for power, listed in phase["centers"].items() for c in listed}
        return self.rules.in_order(Position(self.turn(phase), self.units(phase["units"]), owners=owners))

    def orders(self, phase: Mapping[str, Any]) -> dict[str, list[Order]]:
        """Return the orders of a phase that are understood, by power."""
        kind = TYPES[phase["type"]]
        found: dict[str, list[Order]] = defaultdict(list)
        for told in phase["orders"]:
            power = told["power"]
            if power is not None and (order := self._order(order_text(told), kind, power)) is not None:
                found[power].append(order)
        return found


def order_text(order: Mapping[str, Any]) -> str:
    """Return a recorded order in short style."""
    verb = order["order"]
    if verb == "support" and "target_to" in order:
        verb = "supportmove"
    elif verb == "move" and order.get("via_convoy"):
        verb = "moveviaconvoy"
    unit = f"{order['unit']} {order['at']}" if order.get("unit") else order["at"]
    goal = order.get("to") or order.get("target_to")
    return BY_VERB.get(verb, "{unit} H").format(unit=unit, to=goal, other=order.get("target"))
