"""Fleets that land and become armies. No built-in variant uses it."""

from collections.abc import Sequence

import msgspec

from legation.board import ARMY, province_of
from legation.judge import Aftermath, Outcome, Resolution, Rule, Ruleset
from legation.orders import Move
from legation.position import Phase

FLEET_CODE, ARMY_CODE = "F", "A"


class LandedFleets(Rule):
    """A fleet that moves from the sea to land becomes an army."""

    key = "landed_fleets"

    def after(self, rules: Ruleset, aftermath: Aftermath) -> None:
        if aftermath.before.turn.phase is not Phase.MOVEMENT:
            return
        sea = rules.tables.sea
        landed = {
            province_of(move.to)
            for _, move in aftermath.successful(Move)
            if move.kind == FLEET_CODE and province_of(move.at) in sea
        }
        for number, unit in enumerate(aftermath.units):
            if unit.province in landed and unit.kind == FLEET_CODE and rules.board.stands(ARMY, unit.province):
                aftermath.units[number] = msgspec.structs.replace(unit, kind=ARMY_CODE, at=unit.province)

    def news(self, rules: Ruleset, resolution: Resolution) -> Sequence[str]:
        if resolution.before.turn.phase is not Phase.MOVEMENT:
            return ()
        armies = {unit.province for unit in resolution.after.units if unit.kind == ARMY_CODE}
        return [
            f"The fleet that landed in {rules.board.name_of(province_of(v.order.to))} is an army now."
            for v in resolution.verdicts
            if isinstance(v.order, Move)
            and v.order.kind == FLEET_CODE
            and v.outcome is Outcome.SUCCEEDS
            and province_of(v.order.to) in armies
        ]

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return ("A fleet that moves from the sea to land becomes an army there. One that goes along a coast does not.",)
