"""Lines along which armies move any distance. No built-in variant uses it."""

from collections.abc import Iterable, Sequence

from legation.board import ARMY
from legation.judge import Rule, RulesError, Ruleset
from legation.judge.setting_names import PowerName
from legation.position import Position, Unit


class Railways(Rule):
    """An army on a line can move to any other province of it, past provinces without a unit of another power.

    Settings: ``lines`` (each lists its provinces in order), ``powers`` (those that can use them; all by default)."""

    key = "railways"

    def __init__(self, lines: list[list[str]], powers: list[PowerName] | None = None) -> None:
        self.lines = lines
        self.powers = powers or []
        if not lines or any(len(line) < 3 or len(set(line)) < len(line) for line in lines):
            raise RulesError("lines: each names three provinces or more along the line, each once")

    def faults(self, rules: Ruleset) -> Sequence[str]:
        named = [province for line in self.lines for province in line]
        return [f"lines: no army stands in {key!r}" for key in named if not rules.board.stands(ARMY, key)]

    def reach(self, rules: Ruleset, position: Position, unit: Unit) -> Iterable[str]:
        if rules.kinds[unit.kind].travel != ARMY or (self.powers and unit.power not in self.powers):
            return ()
        standing = {other.province: other.power for other in position.units}
        return {
            place
            for line in self.lines
            if unit.at in line
            for way in (line[line.index(unit.at) + 1 :], line[: line.index(unit.at)][::-1])
            for place in _up_to(way, standing, unit.power)
        }

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        whose = f"An army of {' or '.join(self.powers)}" if self.powers else "An army"
        return tuple(
            f"{whose} on the line {', '.join(rules.board.provinces[key].name for key in line)} moves, retreats and "
            "supports to any other province of the line, past provinces where no unit of another power stands."
            for line in self.lines
        )


def _up_to(way: Sequence[str], standing: dict[str, str], power: str) -> Iterable[str]:
    """The provinces along a way up to the first in which a unit of another power stands, that one too."""
    for place in way:
        yield place
        if standing.get(place, power) != power:
            return
