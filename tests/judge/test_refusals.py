"""Why orders are refused: every reason that the judge knows, in its words, for the order that it is meant for, and each
reading of an option that refuses something.

A row without a reason is the same order where nothing stands against it, and so must be carried out."""

from typing import Any

import msgspec
import pytest

from legation.game import read_task
from legation.judge import Outcome, Refusal, Situation, legal_orders, resolve
from legation.orders import Build, Move, Order
from legation.position import PositionError, Unit
from legation.variants import load

SPRING = "Spring 1901 Movement"
WINTER = "Winter 1901 Adjustments"
UNITS = {
    "France": ["A par", "A mar", "F mao", "F bre"],
    "Germany": ["A bur", "F nth", "A bel"],
    "Russia": ["F stp/sc", "A fin"],
    "England": ["F eng", "A lon"],
    "Italy": ["A rom", "F tys", "F lyo"],
}

MOVEMENT: list[tuple[dict[str, Any], str, str, str]] = [
    # options, power, order, reason
    ({}, "France", "A par - gas", ""),
    ({}, "France", "A bur - pic", "France has no unit in bur"),
    ({}, "France", "A pic H", "France has no unit in pic"),
    ({}, "France", "A par - mun", "A par cannot reach mun"),
    ({}, "France", "A par - par", "a unit cannot move to where it is"),
    ({}, "France", "F bre - par", "F bre cannot reach par"),
    ({}, "France", "F mao - spa", "name the coast: spa/nc or spa/sc"),
    ({}, "France", "F mao - spa/nc", ""),
    ({}, "France", "F mao - gas", ""),
    ({}, "Russia", "F stp/sc - fin", ""),
    ({}, "Russia", "F stp/sc - bar", "F stp/sc cannot reach bar"),
    ({}, "Russia", "F stp/nc - bot", ""),
    ({"wrong_unit_coast": "fails"}, "Russia", "F stp/nc - bot", "the unit is in stp/sc, not in stp/nc"),
    ({"irrelevant_coast": "fails"}, "France", "F mao - gas/nc", "Gascony has no such coast"),
    ({}, "France", "F mao - gas/nc", ""),
    ({}, "Russia", "A fin - stp", ""),
    ({"irrelevant_coast": "fails"}, "Russia", "A fin - stp/nc", "an army is never on a coast; leave the coast out"),
    ({"wrong_kind": "fails"}, "France", "F par - gas", "the unit in par is A par"),
    ({"missing_kind": "fails"}, "France", "par - gas", "the order does not say what kind of unit it is for"),
    ({"missing_kind": "fails"}, "France", "A par - gas", ""),
    # supports
    ({}, "France", "A par S A mar - bur", ""),
    ({}, "France", "A mar S A pic - bur", "there is no unit in pic"),
    ({}, "France", "A par S A par", "a unit can't support or convoy itself"),
    ({}, "France", "A par S A mar", "A par cannot reach mar"),
    ({}, "France", "A par S A mar - pie", "A par cannot reach pie"),
    ({}, "France", "A par S A bur - bur", "A bur is already in bur"),
    ({}, "France", "A par S F bre - bur", "F bre cannot reach bur"),
    ({}, "France", "A mar S F mao - spa", ""),
    ({"support_coast": "required"}, "France", "A mar S F mao - spa", "name the coast: spa/nc or spa/sc"),
    ({"support_coast": "required"}, "France", "A mar S F mao - spa/nc", ""),
    ({}, "France", "A mar S F lyo - spa/nc", "F lyo cannot reach spa/nc"),
    ({}, "France", "A mar S F lyo - spa/sc", ""),
    ({"wrong_kind": "fails"}, "France", "A par S F bur", "the unit in bur is A bur"),
    ({"wrong_nationality": "fails"}, "France", "A par S Russia A bur", "the unit in bur is not Russia's"),
    ({"missing_nationality": "fails"}, "France", "A par S A bur", "name the power of a foreign unit"),
    ({"missing_nationality": "fails"}, "France", "A par S Germany A bur", ""),
    ({"missing_nationality": "fails"}, "France", "F mao S F bre", ""),
    # convoys
    ({}, "England", "F eng C A lon - bre", ""),
    ({}, "England", "F eng C A lon - wal", ""),
    ({}, "England", "F eng C F bre - lon", "a fleet cannot be convoyed"),
    ({}, "England", "A lon C A bel - pic", "an army cannot convoy"),
    ({}, "France", "F bre C A lon - pic", "only a fleet at sea can convoy"),
    ({}, "England", "F eng C A bel - nth", "no convoy leads from bel to nth"),
    ({}, "England", "F eng C A bel - bel", "no convoy leads from bel to bel"),
    ({}, "Italy", "F tys C A lon - tun", "no chain of fleets through tys leads from lon to tun"),
    ({}, "Italy", "F tys C A rom - tun", ""),
    ({}, "France", "F mao C A lon - bre", "F mao is not needed: every convoy from lon to bre can do without it"),
    ({}, "France", "F mao C A lon - gas", ""),
    ({}, "Germany", "F nth C A lon - bre", "F nth is not needed: every convoy from lon to bre can do without it"),
    ({}, "France", "F bre - mao via convoy", "a fleet cannot be convoyed"),
    # what can't be ordered in this turn, or not in this game
    ({}, "France", "build A par", "a build can't be ordered in movement"),
    ({}, "France", "remove A par", "a removal can't be ordered in movement"),
    ({}, "France", "A par R gas", "a retreat can't be ordered in movement"),
    ({}, "France", "A par disband", "a disbandment can't be ordered in movement"),
    ({}, "France", "waive", "a waiver can't be ordered in movement"),
    ({}, "France", "F bre converts to A", "conversion is not played in this game"),
    ({}, "France", "send 1 to Italy", "sending supply is not played in this game"),
]


def judged(document: dict[str, Any], power: str) -> tuple[Outcome, str]:
    """What became of the only order of a power, and the reason if it was refused."""
    task = read_task(document)
    assert task.unread == (), task.unread
    resolution = resolve(task.rules, task.position, task.sheets, "x")
    [order] = [order for sheet in task.sheets if sheet.power == power for order in sheet.orders]
    here = [
        v
        for v in resolution.verdicts
        if v.power == power and (v.outcome is Outcome.ILLEGAL) and v.cause is not None and v.cause.kind == "refused"
    ]
    if not here:
        assert any(v.power == power and type(v.order) is type(order) for v in resolution.verdicts)
        return Outcome.SUCCEEDS, ""
    assert len(here) == 1
    assert here[0].cause is not None
    return here[0].outcome, here[0].cause.reason


@pytest.mark.parametrize(("options", "power", "order", "reason"), MOVEMENT)
def test_in_movement(options: dict[str, Any], power: str, order: str, reason: str) -> None:
    document = {"variant": "standard", "turn": SPRING, "options": options, "units": UNITS, "orders": {power: [order]}}
    assert judged({**document, "centers": {}}, power)[1] == reason


OWNED = {
    "France": ["par", "bre", "bel", "mar"],
    "Russia": ["stp", "mos", "war", "sev", "rum"],
    "Turkey": ["con"],
    "England": ["lon", "edi"],
}
STANDING = {"France": ["A mar"], "Russia": ["A mos"], "Turkey": ["A con", "F bla"], "England": ["A lon", "A wal"]}

ADJUSTMENTS: list[tuple[dict[str, Any], str, str, str]] = [
    ({}, "France", "build A par", ""),
    ({}, "France", "build F bre", ""),
    ({}, "France", "build F par", "no fleet can stand in Paris"),
    ({}, "France", "build A mao", "no army can stand in Mid-Atlantic Ocean"),
    ({}, "France", "build A mar", "Marseilles is occupied"),
    ({}, "France", "build A bel", "Belgium isn't a home of France"),
    ({}, "France", "build A gas", "Gascony isn't a supply center"),
    ({}, "France", "build A ber", "France does not own Berlin"),
    ({}, "France", "build par", ""),
    ({"missing_build_kind": "fails"}, "France", "build par", "say which kind of unit it is: an army"),
    ({}, "France", "build bre", "say which kind of unit it is: an army or a fleet"),
    ({}, "Russia", "build F stp", "name the coast: stp/nc or stp/sc"),
    ({}, "Russia", "build F stp/nc", ""),
    ({}, "Russia", "build stp/nc", ""),
    ({}, "Russia", "build A stp/nc", ""),
    ({"irrelevant_coast": "fails"}, "Russia", "build A stp/nc", "an army is never on a coast; leave the coast out"),
    ({}, "France", "remove A mar", "no removal is due"),
    ({}, "France", "remove A mos", "France has no unit in mos"),
    ({}, "Turkey", "remove A con", ""),
    ({}, "Turkey", "build A smy", "Turkey does not own Smyrna"),
    ({}, "Turkey", "waive", "there is no build to waive"),
    ({}, "England", "build A edi", "no build is left"),
    ({}, "England", "waive", "there is no build to waive"),
    ({}, "France", "waive", ""),
    ({"waiving": False}, "France", "waive", "builds may not be waived"),
    ({}, "France", "A mar - bur", "a move can't be ordered in adjustments"),
    ({}, "France", "A mar H", "a hold can't be ordered in adjustments"),
    ({}, "France", "A mar S A bur", "support can't be ordered in adjustments"),
    ({}, "France", "F mao C A bre - lon", "a convoy can't be ordered in adjustments"),
]


@pytest.mark.parametrize(("options", "power", "order", "reason"), ADJUSTMENTS)
def test_in_adjustments(options: dict[str, Any], power: str, order: str, reason: str) -> None:
    document = {"variant": "standard", "turn": WINTER, "options": options, "units": STANDING, "centers": OWNED}
    assert judged({**document, "orders": {power: [order]}}, power)[1] == reason


DISLODGED = {
    "France": [{"unit": "A bur", "attacker_from": "mun"}],
    "Russia": [{"unit": "F con", "attacker_from": "bla"}],
    "Italy": [{"unit": "A tyr", "attacker_from": None}],
}
AFTERWARDS = {"Germany": ["A bur", "A ruh"], "Turkey": ["F con"], "Austria": ["A tyr", "A vie", "A tri", "A boh"]}

RETREATS: list[tuple[str, str, str]] = [
    ("France", "A bur R par", ""),
    ("France", "A bur disband", ""),
    ("France", "A bur R mun", "A bur can retreat only to bel, gas, mar or par, so the unit is disbanded"),
    ("France", "A bur R ruh", "A bur can retreat only to bel, gas, mar or par, so the unit is disbanded"),
    ("France", "A bur R pic", "A bur can retreat only to bel, gas, mar or par, so the unit is disbanded"),
    ("France", "A bur R lon", "A bur can retreat only to bel, gas, mar or par, so the unit is disbanded"),
    ("France", "A bur R bur", "A bur can retreat only to bel, gas, mar or par, so the unit is disbanded"),
    ("France", "A par R gas", "France has no dislodged unit in par"),
    ("France", "A tyr R ven", "France has no dislodged unit in tyr"),
    ("Italy", "A tyr R mun", ""),
    ("Italy", "A tyr R vie", "A tyr can retreat only to mun, pie or ven, so the unit is disbanded"),
    ("Russia", "F con R aeg", ""),
    ("Russia", "F con R bul", "name the coast: bul/ec or bul/sc, so the unit is disbanded"),
    ("Russia", "F con R bul/sc", ""),
    ("Russia", "F con R bla", "F con can retreat only to aeg, ank, bul/ec, bul/sc or smy, so the unit is disbanded"),
    ("France", "A bur - par", ""),
    ("France", "A bur S A par", "support can't be ordered in retreats, so the unit is disbanded"),
    ("France", "build A par", "a build can't be ordered in retreats"),
]


@pytest.mark.parametrize(("power", "order", "reason"), RETREATS)
def test_in_retreats(power: str, order: str, reason: str) -> None:
    document = {
        "variant": "standard",
        "turn": "Spring 1901 Retreats",
        "units": AFTERWARDS,
        "dislodged": DISLODGED,
        "contested": ["pic"],
        "centers": {},
        "orders": {power: [order]},
    }
    assert judged(document, power)[1] == reason


@pytest.mark.parametrize(
    ("turn", "power", "order", "reason"),
    [
        (SPRING, "France", Move("A", "par", "moon"), "there is no province moon"),
        (WINTER, "Russia", Build("A", "moon"), "there is no province moon"),
        (WINTER, "Russia", Build("Z", "mos"), "this variant has no unit 'Z'"),
    ],
)
def test_orders_that_nobody_can_write_are_refused_all_the_same(
    turn: str, power: str, order: Order, reason: str
) -> None:
    """A program may make orders without the reader."""
    task = read_task({"variant": "standard", "turn": turn, "units": UNITS, "centers": OWNED})
    assert Situation(task.rules, task.position).interpret(power, order) == Refusal(reason)


def test_a_build_that_names_no_kind_is_told_each_kind_that_fits() -> None:
    document = {
        "variant": "1000ad",
        "turn": "Winter 1005 Adjustments",
        "units": {"British": []},
        "centers": {"British": ["lon", "yor", "bri"]},
        "orders": {"British": ["build lon"]},
    }
    kinds = "an army or a fleet or a defensive army"
    assert judged(document, "British")[1] == f"say which kind of unit it is: {kinds}"


def test_what_a_defensive_army_costs_is_told_where_too_little_is_left() -> None:
    document = {
        "variant": "1000ad",
        "turn": "Winter 1005 Adjustments",
        "units": {"British": ["A bri"], "Franks": ["A dij"]},
        "centers": {"British": ["lon", "yor"], "Franks": ["par"]},
        "orders": {"British": ["build D lon"], "Franks": ["build D par"]},
    }
    assert judged(document, "British")[1] == "a defensive army counts as 2 units, and only 1 can be built"
    assert judged(document, "Franks")[1] == "no build is left"


def test_builds_that_may_not_be_waived_are_made_and_no_more() -> None:
    """One build is open, two homes are vacant: one unit is built, and nothing is told of the other."""
    task = read_task(
        {
            "variant": "standard",
            "turn": WINTER,
            "options": {"waiving": False},
            "units": {"France": ["A mar"]},
            "centers": {"France": ["par", "bre"]},
            "orders": {"France": []},
        }
    )
    resolution = resolve(task.rules, task.position, task.sheets, "x")
    assert [(v.outcome, type(v.order).__name__) for v in resolution.verdicts] == [(Outcome.SUCCEEDS, "Build")]
    assert len(resolution.after.units) == 2


@pytest.mark.parametrize(("coast", "built"), [("ignored", "A stp"), ("fails", "F stp/nc")])
def test_a_build_that_is_made_by_force_tries_an_army_at_each_coast(coast: str, built: str) -> None:
    task = read_task(
        {
            "variant": "standard",
            "turn": WINTER,
            "options": {"waiving": False, "irrelevant_coast": coast},
            "units": {"Russia": ["A mos"]},
            "centers": {"Russia": ["stp", "mos"]},
            "orders": {"Russia": []},
        }
    )
    after = resolve(task.rules, task.position, task.sheets, "x").after
    assert {str(unit) for unit in after.units} == {"A mos", built}


@pytest.mark.parametrize(
    ("unit", "told"),
    [
        (Unit("A", "nth", "France"), "A nth of France where it cannot stand"),
        (Unit("F", "spa", "France"), "F spa of France where it cannot stand"),
        (Unit("A", "xyz", "France"), "A xyz of France where it cannot stand"),
        (Unit("X", "pic", "France"), "X pic of France, which this game does not have"),
        (Unit("A", "pic", "Ruritania"), "A pic of Ruritania, which this game does not have"),
        (Unit("A", "par", "Italy"), "A par of Italy where A par of France stands"),
    ],
)
def test_a_position_made_by_hand_with_a_misplaced_unit_is_told_as_wrong(unit: Unit, told: str) -> None:
    rules = load("standard")
    opening = rules.opening()
    position = msgspec.structs.replace(opening, units=(*opening.units, unit))
    for judge in (legal_orders, resolve):
        with pytest.raises(PositionError) as told_as:
            judge(rules, position)
        assert str(told_as.value) == f"the position has {told}"
