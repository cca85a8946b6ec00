"""What rules keep in a position: what can never be is refused with its place, and a power in the fog sees its own part
of it."""

from typing import Any

import pytest

from legation.game import DocumentError, adjudicate, position_document, read_task
from legation.judge import Refusal, Situation
from legation.judge.slices import in_sight
from legation.notation import write
from legation.orders import Move, Order, Sheet
from legation.position import Dislodged, Phase, Position, Turn, Unit
from legation.rules.conversion import Convert
from legation.rules.fog_of_war import FogOfWar
from legation.rules.proxy import Proxy
from legation.rules.supply_transfer import Send
from legation.variants import load

SUMMER = {
    "variant": "three-kingdoms",
    "turn": "Summer 1643 Movement",
    "units": {"Crown": ["A london", "A caern"], "Newcastle": ["A york"]},
    "centers": {"Crown": ["london", "caern"], "Newcastle": ["york"]},
}
RETREATS = {
    **SUMMER,
    "turn": "Summer 1643 Retreats",
    "dislodged": {"Crown": [{"unit": "A surrey", "attacker_from": "london"}]},
}
WINTER = {**SUMMER, "turn": "Winter 1644 Adjustments"}
CHOSEN = {
    "variant": "1897",
    "turn": "Spring 1903 Movement",
    "units": {"England": ["F lon"], "France": ["A par"]},
    "centers": {"England": ["lon"], "France": ["par"]},
}
DANES = {
    "variant": "1000ad",
    "turn": "Spring 1005 Movement",
    "units": {"British": ["A lon"], "Franks": ["A par"]},
    "centers": {"British": ["lon"], "Franks": ["par"]},
}


def converts(place: str, to: str, turns: int = 1) -> dict[str, Any]:
    return {"conversion": {place: {"to": to, "turns": turns}}}


def sends(to: str = "Newcastle", count: int = 1) -> dict[str, Any]:
    return {"supply_transfer": [{"from": "Crown", "to": to, "count": count}]}


def chosen(**homes: list[str]) -> dict[str, Any]:
    return {"chosen_homes": {"homes": homes}}


LAPSED = "state.supply_transfer: what was sent has lapsed in adjustments; the sheets tell what is sent now"
KEPT: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    # document, state, the fault (none: it is taken)
    (SUMMER, converts("london", "F london"), ""),
    (SUMMER, converts("caern", "F caern/nc"), ""),
    (SUMMER, {"conversion": []}, "state.conversion: maps provinces to conversions under way"),
    (SUMMER, converts("moon", "F london"), "conversion: moon: maps provinces"),
    (SUMMER, {"conversion": {"london": {"to": "F london"}}}, "conversion: london: maps provinces"),
    (SUMMER, converts("london", "F london", 0), "conversion: london.turns: maps provinces"),
    (SUMMER, converts("london", "F london", 2), "conversion: london.turns: maps provinces"),
    (SUMMER, converts("surrey", "F surrey"), "state.conversion.surrey: no unit stands there"),
    (SUMMER, converts("london", "A london"), "state.conversion.london: A london can become F london, not 'A london'"),
    (SUMMER, converts("caern", "F caern"), ".caern: A caern can become F caern/nc or F caern/sc, not 'F caern'"),
    (SUMMER, sends(), ""),
    (SUMMER, {"supply_transfer": [{"from": "Crown", "to": "Newcastle"}]}, "[0]: lists transfers"),
    (SUMMER, sends("Moon"), "[0].to: lists transfers"),
    (SUMMER, sends(count=0), "[0].count: lists transfers"),
    (SUMMER, sends(count=999), "[0].count: lists transfers"),
    (SUMMER, sends("Crown"), "state.supply_transfer: Crown sends supply to itself"),
    (WINTER, sends(), LAPSED),
    (CHOSEN, chosen(England=["lon"], France=["par"]), ""),
    (CHOSEN, {"chosen_homes": {"initial": {"England": "moon"}}}, "initial.England: has the first homes by power"),
    (CHOSEN, chosen(England=["moon"]), "homes.England[0]: has the first homes by power"),
    (CHOSEN, chosen(England=["lon"], France=["lon"]), "chosen_homes.homes: 'lon' is home to England and France"),
    (RETREATS, {"proxy": {"surrey": "Newcastle"}}, ""),
    (RETREATS, {"proxy": {"moon": "Newcastle"}}, "state.proxy: moon: maps provinces"),
    (RETREATS, {"proxy": {"surrey": "Moon"}}, "state.proxy: surrey: maps provinces"),
    (RETREATS, {"proxy": {"london": "Newcastle"}}, "state.proxy.london: no dislodged unit is there"),
    (RETREATS, {"proxy": {"surrey": "Crown"}}, "state.proxy.surrey: the unit is under the orders of the Crown anyway"),
    (DANES, {"anarchy": {"grace": ["Vikings"]}}, ""),
    (DANES, {"anarchy": {"retaken": ["Vikings"], "anarchy": ["Moors"]}}, ""),
    (DANES, {"anarchy": {"graces": []}}, "has lists of powers under 'grace', 'retaken' and 'anarchy'"),
    (DANES, {"anarchy": {"grace": "Vikings"}}, "state.anarchy: grace: has lists of powers"),
    (DANES, {"anarchy": {"anarchy": ["Moon"]}}, "anarchy: anarchy[0]: has lists of powers"),
    (DANES, {"anarchy": {"grace": ["Vikings"], "anarchy": ["Vikings"]}}, "state.anarchy: Vikings is listed twice"),
    (DANES, {"anarchy": {"anarchy": ["British"]}}, "state.anarchy: British owns lon, a home of its own"),
]


@pytest.mark.parametrize(("document", "state", "fault"), KEPT)
def test_what_can_never_be_is_refused(document: dict[str, Any], state: dict[str, Any], fault: str) -> None:
    given = {**document, "state": state}
    if not fault:
        task = read_task(given)
        assert position_document(task.rules, task.position)["state"] == state
        return
    with pytest.raises(DocumentError) as caught:
        read_task(given)
    assert fault in str(caught.value)
    assert len(caught.value.faults) == 1, "one slip is one fault"


OPENINGS: list[tuple[str, str, dict[str, list[str]], list[str]]] = [
    # variant, turn, units, the faults
    ("standard", "Spring 1901 Movement", {}, []),
    ("standard", "Winter 1900 Adjustments", {}, ["turn: Winter 1900 Adjustments comes before the game opens, with"]),
    ("standard", "Fall 1900 Movement", {}, ["turn: Fall 1900 Movement comes before the game opens, with Spring 1901"]),
    ("standard", "Spring 1901 Retreats", {}, []),
    ("hundred", "1425 Movement", {}, []),
    ("hundred", "1425 Retreats", {}, []),
    ("hundred", "1430 Adjustments", {}, []),
    ("hundred", "1430 Movement", {}, []),
    ("hundred", "1420 Movement", {}, ["turn: 1420 Movement comes before the game opens, with 1425 Movement"]),
    ("hundred", "1420 Adjustments", {}, ["turn: 1420 Adjustments comes before the game opens, with 1425 Movement"]),
    ("hundred", "1425 Adjustments", {}, ["turn: 1425 Adjustments is not in the calendar of this variant"]),
    ("hundred", "1427 Movement", {}, ["turn: 1427 Movement is not in the calendar of this variant"]),
    ("1000ad", "Winter 1015 Adjustments", {}, []),
    ("1000ad", "Spring 1016 Movement", {}, ["turn: Spring 1016 Movement comes after Winter 1015 Adjustments, with"]),
    ("1000ad", "Fall 1020 Movement", {}, ["turn: Fall 1020 Movement comes after Winter 1015 Adjustments, with which"]),
    ("1000ad", "Spring 1005 Movement", {"British": ["D lon"]}, []),
    (
        "1000ad",
        "Spring 1005 Movement",
        {"British": ["D lon", "D yor"]},
        ["units: British has D lon and D yor; a power has one defensive army"],
    ),
    (
        "1000ad",
        "Spring 1005 Movement",
        {"British": ["D par"]},
        ["units: D par of British is outside its homeland, which a defensive army never leaves"],
    ),
]


@pytest.mark.parametrize(("variant", "turn", "units", "faults"), OPENINGS)
def test_turns_and_units_that_there_cannot_be(
    variant: str, turn: str, units: dict[str, list[str]], faults: list[str]
) -> None:
    document = {"variant": variant, "turn": turn, "units": units, "centers": {}}
    if not faults:
        assert str(read_task(document).position.turn) == turn
        return
    with pytest.raises(DocumentError) as caught:
        read_task(document)
    assert len(caught.value.faults) == len(faults)
    for told, fault in zip(caught.value.faults, faults, strict=True):
        assert told.startswith(fault)


SAILING = {
    "variant": "1000ad",
    "turn": "Spring 1005 Movement",
    "units": {"British": ["A ber", "F nth", "F ska", "D lon"]},
    "centers": {"British": ["lon"]},
}
NEXT_ORDERS: list[tuple[dict[str, Any], str, str, str]] = [
    # document, power, order, why it is illegal
    (SAILING, "British", "F nth - enc ferries A ber - mal", ""),
    (SAILING, "British", "F nth - mal ferries A ber - mal", "a fleet that ferries starts and ends its move at sea"),
    (SAILING, "British", "A ber - ber by ferry F nth - enc", "a unit cannot move to where it is"),
    (SAILING, "British", "D lon - mal by ferry F nth - enc", "a defensive army cannot be ferried"),
    (SAILING, "British", "A ber - mal by ferry F lon - nth", "a fleet that ferries starts and ends its move at sea"),
    (SAILING, "British", "A ber - mal by ferry F enc - nth", "there is no fleet in enc"),
    (SAILING, "British", "A ber - mal by ferry F nth - tyr", "a fleet in nth cannot reach tyr"),
    (SAILING, "British", "A ber - mal by ferry F nth - enc", "no ferry by F nth to enc can bring A ber to mal"),
    (SUMMER, "Crown", "A london under Newcastle", ""),
    (SUMMER, "Crown", "A london under Crown", "the unit is under the orders of the Crown anyway"),
    (SUMMER, "Crown", "A london under Ormond", "Ormond is out of the game"),
    (SUMMER, "Crown", "A london converts to F", ""),
    (SUMMER, "Crown", "A london converts to A", "it is an army already"),
    (SUMMER, "Crown", "A caern converts to F", "name the coast: caern/nc or caern/sc"),
    (SUMMER, "Crown", "A caern converts to F nc", ""),
    (SUMMER, "Crown", "A london converts to F nc", ""),
    (
        {**SUMMER, "options": {"irrelevant_coast": "fails"}},
        "Crown",
        "A london converts to F nc",
        "this province has no separate coasts; leave the coast out",
    ),
    (SUMMER, "Crown", "send 1 to Newcastle", "sending supply can't be ordered in movement"),
    (WINTER, "Crown", "send 1 to Newcastle", ""),
    (WINTER, "Crown", "send 2 to Newcastle", ""),
    (WINTER, "Crown", "send 3 to Newcastle", "the Crown owns 2 centers and cannot send the supply of 3"),
    (WINTER, "Newcastle", "send 2 to Crown", "Newcastle owns 1 center and cannot send the supply of 2"),
    (WINTER, "Crown", "send 1 to Crown", "a power cannot send supply to itself"),
    (WINTER, "Crown", "send 1 to Ormond", "Ormond is out of the game"),
]


@pytest.mark.parametrize(("document", "power", "order", "reason"), NEXT_ORDERS)
def test_why_an_order_of_a_rule_is_illegal(document: dict[str, Any], power: str, order: str, reason: str) -> None:

    answer = adjudicate({**document, "orders": {power: [order]}})
    refused = [v["cause"]["reason"] for v in answer["verdicts"] if v["power"] == power and v["outcome"] == "illegal"]
    assert refused == ([reason] if reason else [])


@pytest.mark.parametrize(
    ("document", "order", "reason"),
    [
        (SUMMER, Proxy("A", "london", "Nobody"), "there is no power 'Nobody'"),
        (WINTER, Send(1, "Nobody"), "there is no power 'Nobody'"),
        (WINTER, Send(0, "Newcastle"), "say how many units' supply is sent"),
        (SUMMER, Convert("A", "london", "Z"), "only an army can become a fleet, and a fleet an army"),
    ],
)
def test_orders_of_rules_that_nobody_can_write_are_refused_all_the_same(
    document: dict[str, Any], order: Order, reason: str
) -> None:
    task = read_task(document)
    assert Situation(task.rules, task.position).interpret("Crown", order) == Refusal(reason)


def test_what_follows_a_supply_that_is_sent_is_another_order_or_a_remark() -> None:
    rules = load("three-kingdoms")
    for text, read, lost in (
        ("send 1 to Newcastle and 2 to Ormond", ["send 1 to Newcastle", "send 2 to Ormond"], 0),
        ("send 1 to Newcastle and build A london", ["send 1 to Newcastle", "build A london"], 0),
        ("send 1 to Newcastle, 2 to Nowhere", ["send 1 to Newcastle"], 1),
        ("send 1 to Newcastle, 2 cookies", ["send 1 to Newcastle"], 0),
    ):
        orders, errors = rules.reader.orders(text, Phase.ADJUSTMENTS, "Crown")
        assert ([write(order) for order in orders], len(errors)) == (read, lost)


def test_supply_that_was_sent_lapses_and_leaves_nothing_behind() -> None:
    """W-13: for a year; with the next adjustments it ends, ordered anew or not."""

    sent = adjudicate({**WINTER, "orders": {"Crown": ["send 1 to Newcastle", "remove A caern"]}})["after"]
    assert sent["state"] == {"supply_transfer": [{"from": "Crown", "to": "Newcastle", "count": 1}]}
    document = sent
    while not document["turn"].endswith("Adjustments"):
        assert document["state"] == sent["state"]
        document = adjudicate(document)["after"]
    assert "supply_transfer" not in document["state"]
    assert adjudicate(document)["after"]["state"] == {}


# What a power sees


def test_a_dislodged_unit_sees_what_borders_on_it() -> None:
    rules = load("standard")
    position = Position(
        Turn("Spring", 1901, Phase.RETREATS),
        units=(Unit("A", "bur", "Germany"),),
        dislodged=(Dislodged(Unit("A", "bur", "France"), "mun"), Dislodged(Unit("A", "ank", "Turkey"), "con")),
    )
    sees = FogOfWar().visible_provinces(rules, position, "France")
    assert sees == {"bur", "par", "pic", "bel", "ruh", "mun", "mar", "gas"}


def test_of_what_a_rule_keeps_a_power_sees_its_own() -> None:
    rules = load("three-kingdoms")
    sees = frozenset(["london", "surrey"])
    kept = {
        "london": {"to": "F london", "turns": 1},
        "york": {"to": "F york", "turns": 1},
        "Crown": ["london", "york"],
        "Newcastle": ["york"],
        "note": 3,
    }
    assert in_sight(rules.board, rules.powers, kept, "Crown", sees) == {
        "london": {"to": "F london", "turns": 1},
        "Crown": ["london"],
        "note": 3,
    }
    transfers = [
        {"from": "Crown", "to": "Newcastle", "count": 1},
        {"from": "Newcastle", "to": "Crown", "count": 2},
        {"from": "Newcastle", "to": "Argyll", "count": 1},
        {"count": 4},
        5,
    ]
    shown = in_sight(rules.board, rules.powers, transfers, "Crown", sees)
    # in a transfer between two powers the one's name is the other's business too
    assert [entry if not isinstance(entry, dict) else entry.get("count") for entry in shown] == [1, 2, 4, 5]
    assert in_sight(
        rules.board, rules.powers, ["Crown", "Newcastle", "caern/nc", "elsewhere"], "Crown", frozenset(["caern"])
    ) == ["Crown", "caern/nc", "elsewhere"]


def test_an_order_that_is_illegal_in_the_fog_is_refused_with_the_reason() -> None:
    rules = load("standard")
    orders = (Move("A", "par", "lon"), Move("A", "mar", "spa"))
    left, [noted] = FogOfWar().rewrite(rules, rules.opening(), (Sheet("France", orders),))
    assert left == (Sheet("France", orders[1:]),)
    assert noted.explanation == "A par - lon is illegal: A par cannot reach lon"
