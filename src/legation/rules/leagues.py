"""Leagues whose members support and convoy only each other. No built-in variant uses it."""

from collections.abc import Sequence

from legation.board import province_of
from legation.judge import Rewritten, Rule, RulesError, Ruleset, refuse_orders
from legation.judge.setting_names import PowerName
from legation.orders import Convoy, Order, Sheet, SupportHold, SupportMove
from legation.position import Position


class Leagues(Rule):
    """Units of a league's powers support and convoy only units of their own league.

    Settings: ``leagues`` (lists of powers), ``benign`` (they can help others too, but not against their league)."""

    key = "leagues"

    def __init__(self, leagues: list[list[PowerName]], benign: bool = False) -> None:
        self.leagues = leagues
        self.benign = benign
        if not leagues or any(len(league) < 2 for league in leagues):
            raise RulesError("leagues: lists of two powers or more")

    def faults(self, rules: Ruleset) -> Sequence[str]:
        named = [power for league in self.leagues for power in league]
        return () if len(set(named)) == len(named) else ["leagues: a power is in one league only"]

    def rewrite(self, rules: Ruleset, position: Position, sheets: tuple[Sheet, ...]) -> Rewritten:
        return refuse_orders(
            sheets, lambda sheet: [self._refused(position, sheet.power, order) for order in sheet.orders]
        )

    def _refused(self, position: Position, power: str, order: Order) -> str | None:
        league = next((league for league in self.leagues if power in league), None)
        if league is None or not isinstance(order, SupportHold | SupportMove | Convoy):
            return None
        owners = {unit.province: unit.power for unit in position.units}
        helped = owners.get(province_of(order.target), power)
        if helped in league:
            return None
        if not self.benign:
            return f"{power} supports and convoys only its league ({', '.join(league)})"
        goal = province_of(order.to) if isinstance(order, SupportMove | Convoy) else ""
        there = owners.get(goal) or position.owners.get(goal)
        if there in league:
            return f"{power} helps nobody against its league ({', '.join(league)})"
        return None

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        does = (
            "each helps no power outside it to move against one of them"
            if self.benign
            else "each supports and convoys only the league's units"
        )
        return tuple(f"{', '.join(league[:-1])} and {league[-1]} are a league: {does}." for league in self.leagues)
