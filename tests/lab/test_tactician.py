"""The tactician: what it finds, that it is legal, repeatable and able to say why."""

import json
from random import Random

import numpy as np
import pytest

from legation.bots import bot
from legation.judge import resolve
from legation.orders import Build, Convoy
from legation.position import Position, Turn, Unit
from legation.variants import load, names

pytest.importorskip("numba", reason="the tactician needs the extra 'lab'")

from legation.lab.dense.layout import (
    DUMB,
    FEATURE_CENTERS,
    FEATURE_CHANCES,
    FEATURE_SHARE,
    FEATURE_THREATS,
    FEATURES,
    WORK,
)
from legation.lab.dense.tables import WEIGHTS
from legation.lab.games import Games
from legation.lab.policy.drawing import policy_of
from legation.lab.policy.search import search
from legation.lab.tactician import choose, explain


def position(units: str, owners: dict[str, str], turn: str = "Fall 1903 Movement") -> Position:
    """``France A par, England F lon``: units with their powers."""
    placed = []
    for text in units.split(","):
        power, kind, at = text.split()
        placed.append(Unit(kind, at, power))
    return Position(Turn.parse(turn), tuple(placed), owners=owners)


@pytest.mark.parametrize("variant", sorted(json.loads(WEIGHTS.read_bytes())))
def test_the_weights_of_a_position_are_of_the_kind_that_orders_are_chosen_by(variant: str) -> None:
    """What goes together in games need not be a reason: powers that meet many others are threatened more, and grow.
    With a weight that welcomes threats the tactician left its centers alone, and did no better than DumbBot."""
    weights = json.loads(WEIGHTS.read_bytes())[variant]
    assert len(weights) == FEATURES
    assert weights[FEATURE_THREATS] < 0 < weights[FEATURE_CHANCES] and weights[FEATURE_SHARE] > 0.5
    assert weights[FEATURE_CENTERS] + weights[FEATURE_SHARE] > 0


@pytest.mark.usefixtures("games_compiled")
def test_it_is_the_same_under_a_seed() -> None:
    rules = load("standard")
    sheets = {choose(rules, rules.opening(), "France", Random(7), 0.01) for _ in range(2)}
    assert len(sheets) == 1
    more = {choose(rules, rules.opening(), "France", Random(seed), 0.01) for seed in range(6)}
    assert len(more) > 1


@pytest.mark.usefixtures("games_compiled")
def test_it_knows_convoys() -> None:
    """An army on an island takes a center that it reaches only by sea."""
    rules = load("standard")
    view = position("England A lon, England F nth", {"lon": "England", "lvp": "England"})
    found = 0
    for seed in range(6):
        sheet = choose(rules, view, "England", Random(seed), 0.03)
        found += any(isinstance(order, Convoy) for order in sheet.orders)
    assert found >= 1


@pytest.mark.parametrize("variant", names())
@pytest.mark.usefixtures("games_compiled")
def test_what_it_orders_is_legal(variant: str) -> None:
    rules = load(variant)
    powers = len(rules.powers)
    games = Games(rules, ["legal"])
    seats, budgets = np.full((1, powers), DUMB), np.full((1, powers), 400)
    for _ in range(12):
        before = games.position(0)
        ordered = games.order_seats(0, seats, budgets)
        resolution = resolve(rules, before, games.sheets(0, ordered))
        assert [v for v in resolution.verdicts if v.outcome.value == "illegal"] == []
        games.play_turn(0, ordered)
        if games.ended(0):
            break


@pytest.mark.parametrize(("centers", "searches"), [(["par"], False), (["par", "bre"], True)])
@pytest.mark.usefixtures("games_compiled")
def test_it_searches_only_where_it_has_something_to_order(centers: list[str], searches: bool) -> None:
    games = Games(load("standard"), ["winter"])
    games.set_position(0, position("France A par", dict.fromkeys(centers, "France"), "Winter 1903 Adjustments"))
    games.order_seats(0, np.full((1, 7), DUMB), np.full((1, 7), 2000))
    assert (games.scratch.counts[WORK] > 0) == searches


@pytest.mark.usefixtures("games_compiled")
def test_on_the_policy_it_opens_and_builds_as_people_do() -> None:
    """By its outlook alone it opened with ``F ank S A smy - arm``."""
    rules = load("standard")
    opening = rules.opening()
    for power in rules.powers:
        sheet = search(rules, opening, power, Random(1), 0.02)
        assert sheet is not None
        (chance,) = policy_of(rules, opening).chances(power, [sheet])
        assert chance > -4, (power, sheet.orders)
    winter = position("France A par", dict.fromkeys(["par", "bre", "mar", "spa"], "France"), "Winter 1903 Adjustments")
    built = search(rules, winter, "France", Random(1), 0.02)
    assert built is not None and {order.at for order in built.orders if isinstance(order, Build)} == {"bre", "mar"}


@pytest.mark.usefixtures("games_compiled")
def test_it_is_a_bot_by_name_and_says_why() -> None:
    rules = load("hundred")
    best, *others = explain(rules, rules.opening(), "France", Random(1), 0.01)
    assert len(best.orders) == 5
    assert not best.fears or (best.fears.split(":")[0] in ("England", "Burgundy") and best.feared < best.outlook)
    assert all(best.outlook >= other.outlook for other in others)
    assert len(bot("tactician")(rules, rules.opening(), "England", Random(1)).orders) == 5


def test_without_a_dense_form_it_plays_as_dumbbot_does() -> None:
    rules = load("standard", {"waiving": False})
    opening = rules.opening()
    plain = bot("dumbbot")(rules, opening, "Italy", Random(3))
    assert choose(rules, opening, "Italy", Random(3), 0.01) == plain
    with pytest.raises(ValueError, match="the option waiving is off"):
        explain(rules, opening, "Italy", Random(3))
