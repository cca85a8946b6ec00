"""What a newcomer reads, held against the game that it introduces: each sentence that an option changes is judged."""

from __future__ import annotations

from typing import Any

import pytest

from legation.game import read_task
from legation.judge import Outcome, legal_orders, resolve
from legation.notation import write
from legation.orders import VoteDraw
from legation.variants import STANDARD, load, names, rulebook


def basics(variant: str, options: dict[str, Any] | None = None) -> str:
    """The basics of a variant in a line."""
    book = rulebook(load(variant, options or {}), {}, load(STANDARD))
    return " ".join(part["text"] for part in book["basics"])


def outcomes(options: dict[str, Any], units: dict[str, list[str]], orders: dict[str, str]) -> dict[str, Any]:
    """What became of each order on the standard board."""
    document = {"variant": "standard", "options": options, "turn": "Spring 1901 Movement", "units": units}
    task = read_task({**document, "orders": orders})
    resolution = resolve(task.rules, task.position, task.sheets, "0" * 64)
    told: dict[str, Any] = {write(v.order): v.outcome for v in resolution.verdicts}
    if resolution.after.dislodged:
        legal = legal_orders(task.rules, resolution.after, list(task.rules.powers))
        told["retreats"] = [write(order) for orders in legal.values() for order in orders]
    return told


CONVOY = {"England": ["A lon", "F nth", "F ech"], "France": ["F bre", "F mao"]}
BREAKS = {
    "England": "A lon - bel\nF nth C A lon - bel\nF ech C A lon - bel",
    "France": "F bre - ech\nF mao S F bre - ech",
}


@pytest.mark.parametrize(
    ("reading", "said", "arrives"),
    [
        ("all", "still crosses by any way that is left", True),
        ("any", "If any fleet that convoys it is dislodged", False),
    ],
)
def test_what_breaks_a_convoy(reading: str, said: str, arrives: bool) -> None:
    options = {"multi_route_convoy": reading}
    assert said in basics("standard", options)
    judged = outcomes(options, CONVOY, BREAKS)
    assert (judged[next(order for order in judged if order.startswith("A lon"))] is Outcome.SUCCEEDS) is arrives


@pytest.mark.parametrize(
    ("reading", "said", "swaps"),
    [
        ("own fleet", "or if a fleet of its own power, needed for the way, is ordered to convoy it", True),
        ("via convoy", "goes by sea only if its order says so", False),
        ("1971", "only where it would otherwise meet a unit head to head", True),
    ],
)
def test_when_an_army_that_could_walk_goes_by_sea(reading: str, said: str, swaps: bool) -> None:
    """Two armies exchange places only where one goes by sea; its order does not say so."""
    options = {"adjacent_convoy": reading}
    assert said in basics("standard", options)
    units = {"Russia": ["A nwy", "F ska"], "Germany": ["A swe"]}
    judged = outcomes(options, units, {"Russia": "A nwy - swe\nF ska C A nwy - swe", "Germany": "A swe - nwy"})
    assert (judged["A nwy - swe"] is Outcome.SUCCEEDS) is swaps


@pytest.mark.parametrize("reading", [True, False])
def test_whether_one_retreats_to_where_a_convoyed_attacker_came_from(reading: bool) -> None:
    options = {"retreat_to_convoy_origin": reading}
    assert ("(unless that came by convoy)" in basics("standard", options)) is reading
    units = {"England": ["A nwy", "F ska", "F bot"], "Germany": ["A swe"]}
    orders = {"England": "A nwy - swe via convoy\nF ska C A nwy - swe\nF bot S A nwy - swe", "Germany": "A swe H"}
    assert ("A swe R nwy" in outcomes(options, units, orders)["retreats"]) is reading


@pytest.mark.parametrize("name", names())
def test_basics_speak_of_nothing_that_a_variant_lacks(name: str) -> None:
    """Draws where there are votes, unequal units where there are, and every center, homeland and sea area by name."""
    rules = load(name)
    book = rulebook(rules, {}, load(STANDARD))
    text = basics(name)
    votes = any(VoteDraw in kinds for kinds in rules.order_kinds.values())
    assert ("agree on a draw" in text) is votes
    for kind in rules.kinds.values():
        assert (f"({kind.code}) has strength" in text) is (kind.strength != 1 or kind.cost != 1)
    owned = {*rules.start_owners, *(home for power in rules.powers.values() for home in power.homes)}
    assert len(book["neutral"]) == len(set(rules.board.centers) - owned)
    assert sum(len(area["regions"]) for area in book["areas"]) == sum(
        bool(p.area) for p in rules.board.provinces.values()
    )
    shown = {
        order["order"].split()[1] for form in book["forms"] if form["name"] == "Build" for order in form["examples"]
    }
    assert set(rules.kinds) <= shown, "every kind that can be built is shown"
