"""Which builds and removals are legal by themselves (STD-5); the room for them is counted in
:mod:`legation.judge.adjustments`."""

from legation.board import ARMY, Province, province_of
from legation.judge.legality.reach import NO_COAST, Reach
from legation.judge.plain_orders import Judged, Refusal
from legation.judge.ruleset import Ruleset
from legation.notation import possessive
from legation.orders import Build, Remove
from legation.position import Phase, Unit


def judge_removal(situation: Reach, unit: Unit, order: Remove) -> Judged:
    """The removal of a power's own unit."""
    reason = situation.rules.refuses_removal(situation.position, unit)
    return Refusal(reason) if reason else Remove(unit.kind, unit.at)


def judge_build(situation: Reach, power: str, order: Build) -> Judged:
    """The build with kind and coast settled, if the place is a site for
    it (DATC 4.C.3); there may be no room for it."""
    rules = situation.rules
    board = rules.board
    province = board.provinces.get(province_of(order.at))
    if province is None:
        return Refusal(f"there is no province {order.at}")
    coast = order.at if order.at in province.locations and order.at != province.id else ""
    code = order.kind or ("" if coast else rules.kind_to_build(situation.position, power, province.id))
    if not code:
        if rules.options["missing_build_kind"] == "fails":
            return Refusal(_name_the_kind(rules, province))
        if province.inland:
            code = "A"
        elif coast:
            code = "F"
        else:
            return Refusal(_name_the_kind(rules, province))
    kind = rules.kinds.get(code)
    if kind is None:
        return Refusal(f"this variant has no unit {code!r}")
    if kind.travel == ARMY:
        at = province.id
    elif not coast and province.coasts:
        return Refusal(f"name the coast: {' or '.join(province.locations)}")
    else:
        at = coast or province.id
    if at != order.at and order.at != province.id and rules.options["irrelevant_coast"] == "fails":
        return Refusal(NO_COAST if kind.travel == ARMY else f"{province.name} has no such coast")
    if not board.stands(kind.travel, at):
        return Refusal(f"no {kind.name} can stand in {province.name}")
    if province.id in situation.units:
        return Refusal(f"{province.name} is occupied")
    if province.id not in rules.build_sites(situation.position, power):
        return Refusal(_no_site(situation, power, province.id))
    reason = rules.refuses_build(situation.position, power, kind, province.id)
    if reason:
        return Refusal(reason)
    return Build(kind.code, at)


def _name_the_kind(rules: Ruleset, province: Province) -> str:
    places = {province.id, *province.locations}
    kinds = [kind.one for kind in rules.kinds.values() if any(rules.board.stands(kind.travel, at) for at in places)]
    return f"say which kind of unit it is: {' or '.join(kinds)}"


def _no_site(situation: Reach, power: str, place: str) -> str:
    province = situation.rules.board.provinces[place]
    if situation.position.turn.phase is Phase.PLACEMENT:
        return _not_placed(situation, power, province)
    if not province.center:
        return f"{province.name} isn't a supply center"
    named = situation.rules.named(power)
    if situation.position.owners.get(place) != power:
        return f"{named} {named:does|do} not own {province.name}"
    rules, position = situation.rules, situation.position
    if set(rules.build_sites(position, power)) <= set(rules.homes(position, power)):
        return f"{province.name} isn't a home of {named}"
    return f"{named} may not build in {province.name}"


def _not_placed(situation: Reach, power: str, province: Province) -> str:
    named = situation.rules.powers[power]
    sites = set(situation.rules.build_sites(situation.position, power))
    if province.id in named.homes:
        return f"{named} may not choose {province.name}"
    if sites == set(named.homeland):
        return f"{province.name} isn't in {possessive(named.called)} homeland"
    if sites <= set(named.homes):
        return f"{province.name} isn't a home of {named}"
    return f"{named} can't place a unit in {province.name}"
