"""A choice of starting units, fixed before powers are dealt out (H3-6, HU-6d)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from legation.judge import Module, Option, RulesError

if TYPE_CHECKING:
    from legation.judge import Ruleset
    from legation.position import Position


class StartingChoice(Module):
    """Options that exchange starting units.

    Settings: for each option a ``summary`` and, for each reading (the first is the default), a list of exchanges ``{power, replace, with}`` of units in short style.
    """

    key = "starting_choice"

    def __init__(self, **choices: dict[str, Any]) -> None:
        self.choices: dict[str, dict[str, list[dict[str, str]]]] = {}
        options = []
        for name, setting in choices.items():
            readings = {k: v for k, v in setting.items() if k != "summary"}
            if len(readings) < 2:
                raise RulesError(f"starting_choice: {name!r} needs at least two readings")
            self.choices[name] = readings
            options.append(Option(name, "starting units", tuple(readings), str(setting.get("summary", ""))))
        self.options = tuple(options)  # type: ignore[misc]

    def opening(self, rules: Ruleset, position: Position) -> Position:
        units = list(position.units)
        for name, readings in self.choices.items():
            for exchange in readings[str(rules.options[name])]:
                old_kind, old_at = rules.reader.unit(exchange["replace"])
                kind, at = rules.reader.unit(exchange["with"])
                for i, unit in enumerate(units):
                    if (unit.kind, unit.at, unit.power) == (old_kind, old_at, exchange["power"]):
                        units[i] = msgspec.structs.replace(unit, kind=kind, at=at)
                        break
                else:
                    raise RulesError(f"starting_choice: {exchange['power']} has no {exchange['replace']} at the start")
        return msgspec.structs.replace(position, units=tuple(units))

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return tuple(option.summary for option in self.options)
