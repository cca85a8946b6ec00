"""Fog of war: what is seen, and that nothing hidden leaks through any way out."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from legation.atlas import for_variant
from legation.board import province_of
from legation.bots.chance import plausible_sheets
from legation.bots.matches import random_game
from legation.game import Game, check_document, check_sheet, load_game, position_document, read_task, save_game
from legation.game.report import turn_report
from legation.game.views import answer_for, seen_resolution, view_for
from legation.judge import Outcome, Ruleset, legal_orders, resolve
from legation.notation import write
from legation.orders import Hold, Move, Order, Sheet, SupportHold, SupportMove
from legation.position import Phase, Position, Unit
from legation.rules.ferry import Ride
from legation.variants import Registry, load
from tests.rules.small_variant import write_foggy
from tests.sampling import some

BOARDS = ("standard", "hundred", "three-kingdoms")


@pytest.fixture(scope="module")
def variants(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    """Shipped variants, played in the fog."""
    folder = tmp_path_factory.mktemp("fog")
    for name in BOARDS:
        write_foggy(folder, name=name, file=f"{name}-fog")
    return Registry(folder)


def placed(rules: Ruleset, turn: str, units: dict[str, list[str]], centers: dict[str, list[str]]) -> Position:
    task = {"variant": "standard", "turn": turn, "units": units, "centers": centers}
    return read_task(task).position


def test_a_dislodged_unit_is_seen_by_its_own_power_and_by_who_sees_its_province(variants: Registry) -> None:
    rules = variants.load("standard-fog")
    document = {
        "variant": "standard",
        "turn": "Fall 1901 Retreats",
        "units": {"France": ["A par"], "Germany": ["A bur"], "Turkey": ["A rum"]},
        "dislodged": {"France": [{"unit": "A bur", "attacker_from": "mun"}], "Russia": ["A rum"]},
        "centers": {},
    }
    position = read_task(document).position

    def seen(power: str) -> list[str]:
        return [str(entry.unit) for entry in rules.seen(position, power).dislodged]

    assert seen("France") == seen("Germany") == ["A bur"]  # the one that is dislodged, and another's that is in sight
    assert seen("Russia") == seen("Turkey") == ["A rum"] and seen("Italy") == []


def test_a_power_sees_what_borders_on_its_own(variants: Registry) -> None:
    rules = variants.load("standard-fog")
    units = {"France": ["A par"], "Germany": ["A bur", "A mun", "F bel"], "England": ["F eng"], "Italy": ["A pie"]}
    centers = {"France": ["par", "mar"], "Germany": ["mun", "bel"], "Italy": ["spa"]}
    position = placed(rules, "Spring 1901 Movement", units, centers)
    sees = rules.visible_provinces(position, "France")
    assert sees == frozenset("par mar bre pic gas bur spa lyo pie".split())
    seen = rules.seen(position, "France")
    assert {str(u) for u in seen.units} == {"A par", "A bur", "A pie"}
    assert dict(seen.owners) == {"par": "France", "mar": "France", "spa": "Italy"}
    assert load("standard").seen(position, "France") is position
    assert load("standard").visible_provinces(position, "France") is None


def told(rules: Ruleset, position: Position, orders: dict[str, list[str]], power: str) -> dict[str, tuple[str, str]]:
    """What a power reads of a turn: by order its outcome and the reason."""
    phase = position.turn.phase
    sheets = [Sheet(p, tuple(rules.reader.order(text, phase, p) for text in texts)) for p, texts in orders.items()]
    seen = seen_resolution(rules, resolve(rules, position, sheets), power)
    return {write(v.order): (v.outcome.value, v.explanation.partition(": ")[2]) for v in seen.verdicts}


def test_a_turn_is_told_as_far_as_it_is_seen(variants: Registry) -> None:
    rules = variants.load("standard-fog")
    units = {"France": ["A par", "A gas"], "Germany": ["A ruh", "A mun", "A bur"], "England": ["F nth", "A hol"]}
    position = placed(rules, "Spring 1901 Movement", units, {"France": ["par"], "Germany": ["mun"]})
    orders = {
        "France": ["A par - bur", "A gas S A par - bur"],
        "Germany": ["A bur H", "A mun S A bur", "A ruh S A bur"],
        "England": ["A hol - bel", "F nth S A hol - bel"],
    }
    assert told(rules, position, orders, "France") == {
        "A par - bur": ("bounced", "A bur stood there"),
        "A gas S A par - bur": ("succeeds", ""),
    }
    orders["Germany"] = ["A bur - par", "A mun - bur", "A ruh - bur"]
    seen = told(rules, position, orders, "France")
    assert set(seen) == {"A par - bur", "A gas S A par - bur", "A bur - par", "A mun - bur", "A ruh - bur"}
    assert "strength" not in json.dumps(seen)
    assert set(told(rules, position, orders, "England")) == {"A hol - bel", "F nth S A hol - bel"}


def test_a_retreat_is_noticed_where_it_ends(variants: Registry) -> None:
    """A retreat, a build and a removal are seen like a unit: where they take place."""
    rules = variants.load("standard-fog")
    task = {
        "variant": "standard",
        "turn": "Spring 1901 Retreats",
        "units": {"France": ["A bur"], "Italy": ["A tyr"]},
        "dislodged": {"Germany": [{"unit": "A mun", "attacker_from": "bur"}]},
        "centers": {},
    }
    position = read_task(task).position
    retreat = told(rules, position, {"Germany": ["A mun - ruh"]}, "France")
    assert retreat == {"A mun R ruh": ("succeeds", "")}
    assert told(rules, position, {"Germany": ["A mun - ber"]}, "France") == {}


def test_the_fog_is_told_to_whoever_reads_the_rules(variants: Registry) -> None:
    rules = variants.load("standard-fog")
    [module] = [m for m in rules.modules if m.key == "fog_of_war"]
    told, *_ = module.describe(rules)
    assert told.startswith("There is fog: a power sees its own units and centers and every province that borders on")


def test_no_order_feels_its_way_in_the_fog(variants: Registry) -> None:
    """A support of, or a convoy by, what is not seen is illegal with the same reason, whether or not it is there."""
    rules = variants.load("standard-fog")
    centers = {"France": ["par"], "Germany": ["mun"]}
    asked = {"France": ["A par S A mun - bur", "A pic - nwy", "A par S A kie - bur"]}
    found = [
        told(
            rules,
            placed(rules, "Spring 1901 Movement", {"France": ["A par", "A pic"], **more}, centers),
            asked,
            "France",
        )
        for more in ({}, {"Germany": ["A mun"], "England": ["F nth"]}, {"Germany": ["F kie"], "Russia": ["F nwy"]})
    ]
    assert found[0] == found[1] == found[2]
    assert {outcome for order, (outcome, _) in found[0].items() if not order.endswith(" H")} == {"illegal"}


def near_orders(rules: Ruleset, position: Position, power: str, random: Random) -> list[Sheet]:
    """Orders by chance: those in sight go only where the power sees, over fleets that it sees, the others hold; the
    power's own are also such as are legal only in truth."""
    sees = rules.visible_provinces(position, power) or frozenset()
    listed: dict[str, list[Order]] = {}
    possible, in_sight = legal_orders(rules, position), legal_orders(rules, rules.seen(position, power))
    for unit in position.units:
        known = possible[unit.power] if unit.power == power else set(in_sight[unit.power])
        legal = [o for o in possible[unit.power] if o in known]
        mine = [o for o in legal if getattr(o, "at", "") == unit.at and near(o, sees)]
        choice = random.choice(mine) if mine and unit.province in sees else Hold(unit.kind, unit.at)
        listed.setdefault(unit.power, []).append(choice)
    others = [u for u in position.units if u.power != power]
    for unit in position.units_of(power)[:2]:  # a guess at what stands in the fog
        if others:
            guess = random.choice(others)
            listed[power] = [o for o in listed[power] if getattr(o, "at", "") != unit.at]
            listed[power].append(SupportHold(unit.kind, unit.at, guess.kind, guess.at))
    return [Sheet(p, tuple(orders)) for p, orders in listed.items()]


def near(order: Order, sees: frozenset[str]) -> bool:
    if isinstance(order, Move):
        return province_of(order.to) in sees and not isinstance(order, Ride)
    if isinstance(order, SupportMove):
        return province_of(order.to) in sees and province_of(order.target) in sees
    return isinstance(order, Hold) or (isinstance(order, SupportHold) and province_of(order.target) in sees)


def elsewhere(rules: Ruleset, position: Position, power: str, sees: frozenset[str], random: Random) -> Position:
    """The same position with other units in the fog."""
    kept = [u for u in position.units if u.province in sees]
    for place in rules.board.provinces.values():
        if place.id not in sees and random.random() < 0.3:
            kind = "F" if place.sea else "A"
            kept.append(Unit(kind, place.id, random.choice([p for p in rules.powers if p != power])))
    under_way = {place: c for place, c in position.slices.get("conversion", {}).items() if place in sees}
    slices = {**position.slices, "conversion": under_way}
    if not under_way:
        del slices["conversion"]
    return rules.in_order(msgspec.structs.replace(position, units=tuple(kept), slices=slices))


def worlds(rules: Ruleset, seeds: range) -> Iterator[tuple[str, Position, Position, list[Sheet], Random]]:
    """Pairs of positions that differ only in what a power does not see, before and after its turn."""
    for seed in seeds:
        random = Random(seed)
        for resolution in random_game(rules, seed, 12):
            position = resolution.before
            if position.turn.phase is not Phase.MOVEMENT or not position.units:
                continue
            power = random.choice([u.power for u in position.units])
            sheets = near_orders(rules, position, power, random)
            after = resolve(rules, position, sheets).after
            sees = (rules.visible_provinces(position, power) or frozenset()) | (
                rules.visible_provinces(after, power) or frozenset()
            )
            other = elsewhere(rules, position, power, sees, random)
            if other.units != position.units and power in other.survivors():
                yield power, position, other, sheets, random


def on_the_board(position: Position, sheets: list[Sheet]) -> list[Sheet]:
    """The sheets for another position: units that are not there get no orders, new ones hold."""
    there = {(u.power, u.at) for u in position.units}
    return [Sheet(s.power, tuple(o for o in s.orders if (s.power, getattr(o, "at", "")) in there)) for s in sheets]


def shown(rules: Ruleset, position: Position, sheets: list[Sheet], power: str) -> dict[str, Any]:
    """All that a power is given of a turn, in every form."""
    resolution = resolve(rules, position, sheets)
    seen = seen_resolution(rules, resolution, power)
    task = read_task(position_document(load(rules.name.removesuffix("-fog")), position))
    view = rules.seen(position, power)
    text = "\n".join(write(o) for s in sheets if s.power == power for o in s.orders)
    return {
        "position": position_document(rules, view),
        "answer": answer_for(msgspec.structs.replace(task, rules=rules), resolution, power),
        "report": turn_report(rules, seen, power=power),
        "legal orders": [write(o) for o in legal_orders(rules, view)[power]],
        "checked sheet": check_document(check_sheet(rules, view, power, text)),
        "explanations": [v.explanation for v in seen.verdicts],
    }


@pytest.mark.parametrize("name", some(BOARDS, 3))
def test_nothing_hidden_leaks(variants: Registry, name: str) -> None:
    rules = variants.load(f"{name}-fog")
    compared = 0
    for power, one, other, sheets, _ in worlds(rules, range(5)):
        found = [shown(rules, p, on_the_board(p, sheets), power) for p in (one, other)]
        if found[0]["answer"]["after"]["turn"] != found[1]["answer"]["after"]["turn"]:
            continue  # whether anybody must retreat or adjust is told to all by the calendar
        for form in found[0]:
            assert found[0][form] == found[1][form], (form, power, one.turn)
        compared += 1
    assert compared >= 5


def test_what_is_listed_as_legal_is_accepted(variants: Registry) -> None:
    rules = variants.load("standard-fog")
    for resolution in random_game(rules, 3, 10):
        position = resolution.before
        for power in position.survivors():
            for order in legal_orders(rules, rules.seen(position, power))[power][:20]:
                verdicts = resolve(rules, position, [Sheet(power, (order,))]).verdicts
                mine = [v for v in verdicts if v.power == power and v.order == order]
                assert mine
                assert mine[0].outcome is not Outcome.ILLEGAL, (power, write(order), mine[0].explanation)


def test_a_game_is_seen_by_each_of_its_players(variants: Registry) -> None:
    rules = variants.load("standard-fog")
    game = Game(rules, seed="s")
    for turn in range(4):
        game.play(plausible_sheets(rules, game.position, Random(turn)), sent={"France": "text", "Italy": "secret"})
    view = view_for(load_game(save_game(game), variants), "France")
    assert view.position == rules.seen(game.position, "France")
    assert [s.power for turn in view.turns for s in turn.sheets] == ["France"] * 4
    assert "secret" not in repr(view)
    hidden = {
        u.at for u in game.position.units if u.province not in (rules.visible_provinces(game.position, "France") or ())
    }
    assert hidden
    svg = for_variant("standard").svg(view.position)
    assert svg
    assert not hidden & {u.at for u in view.position.units}


def test_without_fog_a_view_is_the_game_but_for_the_sheets() -> None:
    rules = load("hundred")
    game = Game(rules)
    game.play(plausible_sheets(rules, game.position, Random(1)))
    view = view_for(game, "France")
    assert view.position is game.position
    assert view.turns[0].resolution is game.turns[0].resolution
    assert [s.power for s in view.turns[0].sheets] == ["France"]
