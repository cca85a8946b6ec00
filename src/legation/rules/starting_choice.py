"""A choice of starting units, fixed before powers are assigned (H3-6, HU-6d)."""

from collections.abc import Sequence

import msgspec

from legation.board import province_of
from legation.judge import DenseForm, Option, Rule, RulesError, Ruleset
from legation.notation import agrees
from legation.position import Position, Unit


class Exchange(msgspec.Struct, frozen=True, rename={"by": "with"}):
    """One starting unit of a power, replaced with another; units in short style."""

    power: str
    replace: str
    by: str


class StartingChoice(Rule):
    """Options that exchange starting units.

    Settings: for each option a ``summary`` and, for each reading (the first is the default), a list of exchanges
    ``{power, replace, with}`` of units in short style."""

    key = "starting_choice"
    dense_form = DenseForm()

    def __init__(self, **choices: dict[str, list[Exchange] | str]) -> None:
        self.choices: dict[str, dict[str, list[Exchange]]] = {}
        options = []
        for name, setting in choices.items():
            readings = {k: v for k, v in setting.items() if isinstance(v, list)}
            summary = setting.get("summary", "")
            if isinstance(summary, list) or len(readings) + ("summary" in setting) < len(setting):
                raise RulesError(f"{name}: 'summary' is a text, and every reading is a list of exchanges")
            if len(readings) < 2:
                raise RulesError(f"{name}: needs at least two readings")
            self.choices[name] = readings
            options.append(Option(name, "starting units", tuple(readings), summary))
        self.options = tuple(options)

    def faults(self, rules: Ruleset) -> Sequence[str]:
        exchanges = [e for readings in self.choices.values() for reading in readings.values() for e in reading]
        strange = [f"there is no power {e.power!r}" for e in exchanges if e.power not in rules.powers]
        for text in dict.fromkeys(text for e in exchanges for text in (e.replace, e.by)):
            try:
                rules.reader.unit(text)
            except ValueError as error:
                strange.append(str(error))
        return strange

    def opening(self, rules: Ruleset, position: Position) -> Position:
        units = list(position.units)
        for name, readings in self.choices.items():
            for exchange in readings[str(rules.options[name])]:
                self._exchange(rules, units, exchange)
        return msgspec.structs.replace(position, units=tuple(units))

    def _exchange(self, rules: Ruleset, units: list[Unit], exchange: Exchange) -> None:
        old_kind, old_at = rules.reader.unit(exchange.replace)
        kind, at = rules.reader.unit(exchange.by)
        if kind not in rules.kinds or not rules.board.stands(rules.kinds[kind].travel, at):
            raise RulesError(f"{self.key}: {exchange.by!r} cannot stand there")
        for i, unit in enumerate(units):
            if (unit.kind, unit.at, unit.power) == (old_kind, old_at, exchange.power):
                units[i] = msgspec.structs.replace(unit, kind=kind, at=at)
                if any(other.province == province_of(at) for other in units[:i] + units[i + 1 :]):
                    raise RulesError(f"{self.key}: {province_of(at)}, for {exchange.by!r}, is taken at the start")
                return
        raise RulesError(f"{self.key}: {exchange.power} has no {exchange.replace} at the start")

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return tuple(text for name in self.choices for text in self._chosen(rules, name))

    def _chosen(self, rules: Ruleset, name: str) -> list[str]:
        """What is in force, and what an option would change: ``England begins with Fleet Devon; ...``."""
        exchanges = self.choices[name][str(rules.options[name])]
        if exchanges:
            return [
                f"{e.power} {agrees(e.power, 'begins', 'begin')} with {_in_words(rules, e.by)} in place of "
                f"{_in_words(rules, e.replace)}."
                for e in exchanges
            ]
        others: dict[tuple[str, str], list[str]] = {}
        for exchange in (e for reading in self.choices[name].values() for e in reading):
            others.setdefault((exchange.power, exchange.replace), []).append(_in_words(rules, exchange.by))
        return [
            f"{power} {agrees(power, 'begins', 'begin')} with {_in_words(rules, unit)}; the option {name} can replace "
            f"it with {' or '.join(by)}."
            for (power, unit), by in others.items()
        ]


def _in_words(rules: Ruleset, unit: str) -> str:
    """``Fleet Devon``."""
    return rules.writer.unit(*rules.reader.unit(unit))
