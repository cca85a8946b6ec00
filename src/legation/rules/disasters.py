"""Plague, storm and rebellion in provinces drawn by lot. No built-in variant uses it."""

from collections.abc import Sequence

import msgspec

from legation.board.capitals import names as listed
from legation.judge import Aftermath, Resolution, Rule, RulesError, Ruleset
from legation.judge.setting_names import KindCode, ProvinceId
from legation.position import Phase


class Disaster(msgspec.Struct, frozen=True):
    """One disaster: its ``name``, the ``seasons`` after whose movement it comes, the ``number`` of ``places`` drawn,
    and the ``kinds`` of unit destroyed there (all by default). With ``rebels`` no unit is destroyed: a center there
    without a unit of its owner becomes neutral."""

    name: str
    seasons: list[str]
    places: list[ProvinceId]
    number: int = 1
    kinds: list[KindCode] = []
    rebels: bool = False


class Disasters(Rule):
    """After movement in some seasons, provinces are drawn by lot; units in them are destroyed, or centers become
    neutral.

    Setting: ``listed``, the disasters."""

    key = "disasters"

    def __init__(self, listed: list[Disaster]) -> None:
        self.listed = listed
        if not listed or len({disaster.name for disaster in listed}) < len(listed):
            raise RulesError("listed: lists disasters, each with a name of its own")
        for disaster in listed:
            if not disaster.name or not disaster.seasons:
                raise RulesError("listed: each has a name and seasons")
            if not 1 <= disaster.number <= len(disaster.places):
                raise RulesError(f"listed: {disaster.name}: number is from 1 to the number of its places")

    def after(self, rules: Ruleset, aftermath: Aftermath) -> None:
        turn = aftermath.before.turn
        if turn.phase is not Phase.MOVEMENT:
            return
        for disaster in self.listed:
            if turn.season not in disaster.seasons:
                continue
            struck = aftermath.draw(disaster.name, disaster.places)[: disaster.number]
            if disaster.rebels:
                held = {(unit.province, unit.power) for unit in aftermath.units}
                lost = [c for c in struck if (c, aftermath.owners.get(c, "")) not in held]
                aftermath.owners = {c: power for c, power in aftermath.owners.items() if c not in lost}
                continue
            aftermath.units = [
                unit
                for unit in aftermath.units
                if unit.province not in struck or (disaster.kinds and unit.kind not in disaster.kinds)
            ]

    def news(self, rules: Ruleset, resolution: Resolution) -> Sequence[str]:
        drawn = {lot.label: lot.order for lot in resolution.lots}
        news = []
        for disaster in self.listed:
            struck = drawn.get(f"{resolution.before.turn}: {disaster.name}", ())[: disaster.number]
            if struck:
                names = " and ".join(rules.board.provinces[place].name for place in struck)
                news.append(f"{disaster.name} strikes {names}.")
        return news

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return tuple(_described(rules, disaster) for disaster in self.listed)


def _described(rules: Ruleset, disaster: Disaster) -> str:
    """What players read of a disaster."""
    names = listed(rules.board, disaster.places, "and")
    kinds = " or ".join(rules.kinds[kind].name for kind in disaster.kinds) or "unit"
    fate = (
        f"each {kinds} there is destroyed"
        if not disaster.rebels
        else "a center there in which no unit of its owner stands belongs to nobody"
    )
    when = f"{disaster.name}: when movement in {' and '.join(disaster.seasons)} is over"
    if disaster.number == len(disaster.places):
        return f"{when}, it comes to {names}: {fate}."
    drawn = "one province is" if disaster.number == 1 else f"{disaster.number} provinces are"
    return f"{when}, {drawn} drawn by lot of {names}: {fate}."
