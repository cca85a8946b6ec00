"""Kinds of unit described in the variant file: cavalry, artillery, frigates. No built-in variant uses it."""

from collections.abc import Iterable

import msgspec

from legation.board import province_of
from legation.judge import Aftermath, Rule, RulesError, Ruleset, UnitKind
from legation.judge.slices import PROVINCE
from legation.orders import Move, Order
from legation.position import Phase, Position, Unit


class FurtherKind(msgspec.Struct, frozen=True):
    """One kind: its ``code`` (a letter) and ``name``, whether it travels like an ``army`` or a ``fleet``, its
    ``strength`` and further ``halves`` of a strength, its ``cost`` in centers, how many ``steps`` it can move, from how
    many provinces ``away`` it can support, whether it is ``slow``, and its part in convoys."""

    code: str
    name: str
    travel: str = "army"
    strength: int = 1
    halves: int = 0
    cost: int = 1
    steps: int = 1
    away: int = 1
    slow: bool = False
    convoys: bool = False
    convoyed: bool = False


class FurtherKinds(Rule):
    """Further kinds of unit. They can be built wherever such a unit can stand.

    Setting: ``kinds``, a list. A unit that moves several ``steps`` passes only through vacant provinces. A ``slow`` one
    that has moved can't move in the next movement turn; the slice ``further_kinds`` lists the provinces of such units.
    """

    key = "further_kinds"
    slice_form = (PROVINCE,)
    slice_told = "lists the provinces of slow units that have moved"

    def __init__(self, kinds: list[FurtherKind]) -> None:
        self.listed = {kind.code: kind for kind in kinds}
        if not kinds or len(self.listed) < len(kinds):
            raise RulesError("kinds: lists kinds of unit, each with a code of its own")
        for kind in kinds:
            if fault := _fault(kind):
                raise RulesError(f"kinds: {kind.code}: {fault}")

    def kinds(self, rules: Ruleset) -> tuple[UnitKind, ...]:
        return tuple(
            UnitKind(
                kind.code,
                kind.name,
                "fleet" if kind.travel == "fleet" else "army",
                strength=kind.strength,
                cost=kind.cost,
                convoys=kind.convoys,
                convoyed=kind.convoyed,
            )
            for kind in self.listed.values()
        )

    def half_strength(self, rules: Ruleset, position: Position, unit: Unit, order: Order) -> int:
        kind = self.listed.get(unit.kind)
        return kind.halves if kind else 0

    def reach(self, rules: Ruleset, position: Position, unit: Unit) -> Iterable[str]:
        kind = self.listed.get(unit.kind)
        if kind is None or kind.steps < 2:
            return ()
        return _within(rules, unit, kind.steps, {other.province for other in position.units})

    def support_reach(self, rules: Ruleset, position: Position, unit: Unit) -> Iterable[str]:
        kind = self.listed.get(unit.kind)
        if kind is None or kind.away < 2:
            return ()
        return {province_of(at) for at in _within(rules, unit, kind.away, set())}

    def refuses_departure(self, rules: Ruleset, position: Position, unit: Unit) -> str | None:
        kind = self.listed.get(unit.kind)
        if kind is None or not kind.slow or unit.province not in self._kept(position):
            return None
        return f"{rules.kinds[unit.kind].one} that has moved can't move in the next turn"

    def after(self, rules: Ruleset, aftermath: Aftermath) -> None:
        if aftermath.before.turn.phase is not Phase.MOVEMENT:
            return
        arrived = {
            province_of(move.to)
            for _, move in aftermath.successful(Move)
            if (kind := self.listed.get(move.kind)) is not None and kind.slow
        }
        self._keep(aftermath, sorted(arrived))

    def describe(self, rules: Ruleset) -> tuple[str, ...]:
        return tuple(_described(rules, kind) for kind in self.listed.values())


def _fault(kind: FurtherKind) -> str:
    if len(kind.code) != 1 or not kind.code.isupper() or kind.code in "AF":
        return "a code is one capital letter, neither A nor F"
    if not kind.name or kind.travel not in ("army", "fleet"):
        return "give a name, and travel = 'army' or 'fleet'"
    if not (0 <= kind.strength <= 100 and 0 <= kind.halves <= 1 and 2 * kind.strength + kind.halves > 0):
        return "strength is from 0 to 100, halves 0 or 1, and not both 0"
    if not (1 <= kind.cost <= 100 and 1 <= kind.steps <= 3 and 1 <= kind.away <= 3):
        return "cost is from 1 to 100, steps and away from 1 to 3"
    return ""


def _within(rules: Ruleset, unit: Unit, steps: int, taken: set[str]) -> set[str]:
    """Where a unit comes in so many steps, through provinces that are not taken."""
    travel = rules.kinds[unit.kind].travel
    found: set[str] = set()
    edge = {unit.at}
    for _ in range(steps):
        edge = {to for at in edge for to in rules.board.reach(travel, at)} - found
        found |= edge
        edge = {at for at in edge if province_of(at) not in taken}
    return {at for at in found if province_of(at) != unit.province}


def _described(rules: Ruleset, kind: FurtherKind) -> str:
    strength = f"{kind.strength + kind.halves / 2:g}"
    like = "a fleet" if kind.travel == "fleet" else "an army"
    text = f"{kind.name[:1].upper()}{kind.name[1:]} ({kind.code}) moves like {like}"
    if kind.steps > 1:
        text += f", up to {kind.steps} provinces far through vacant ones"
    text += f", has a strength of {strength} and takes {kind.cost} of its power's centers"
    if kind.away > 1:
        text += f"; it supports into provinces up to {kind.away} away"
    if kind.slow:
        text += "; once it has moved it stays where it is in the next movement turn"
    return f"{text}."
