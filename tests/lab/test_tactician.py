"""The tactician: what it finds, that it is legal, repeatable and able to say why."""

import json
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest

from legation.bots import bot
from legation.judge import resolve
from legation.orders import Build, Convoy, Sheet
from legation.position import Position, Turn, Unit
from legation.variants import USUAL, Registry, load, names

pytest.importorskip("numba", reason="the tactician needs the extra 'lab'")

from legation.lab import tactician
from legation.lab.dense.layout import (
    DUMB,
    FEATURE_AT_HAND,
    FEATURE_CENTERS,
    FEATURE_CHANCES,
    FEATURE_COMING,
    FEATURE_FRONTS,
    FEATURE_LEFT,
    FEATURE_NEAR,
    FEATURE_OUT,
    FEATURE_SAFE,
    FEATURE_SECOND,
    FEATURE_SHARE,
    FEATURE_THREATS,
    FEATURE_UNITS,
    FEATURES,
    HIDDEN,
    WEIGHED,
    WORK,
)
from legation.lab.dense.tables import NETWORKS, WEIGHTS, network_of, shared_network, tables_of
from legation.lab.fitting import watch
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
    assert len(weights) == WEIGHED
    assert weights[FEATURE_THREATS] < 0 < weights[FEATURE_CHANCES] and weights[FEATURE_SHARE] > 0.5
    assert weights[FEATURE_CENTERS] + weights[FEATURE_SHARE] > 0


def judged(view: Position, *, by_network: bool) -> Games:
    games = Games(load("standard"), ["judged"], by_network=by_network, interpreted=True)
    games.set_position(0, view)
    games.call("judge_outlooks", 0)
    return games


WEST = position(
    "France A par, England F eng, Germany A mun",
    {"par": "France", "bre": "France", "lon": "England", "mun": "Germany"},
)


def test_what_the_network_reads_of_a_position() -> None:
    games = judged(WEST, by_network=True)
    england, france, germany = map(games.codec.powers.index, ("England", "France", "Germany"))
    features = games.scratch.features
    needed, powers = 18, 7
    assert features[france, FEATURE_SAFE] == 1 / needed  # Paris; the fleet could enter Brest
    assert features[germany, FEATURE_SAFE] == features[england, FEATURE_SAFE] == 1 / needed
    assert (features[france, FEATURE_FRONTS], features[germany, FEATURE_FRONTS]) == (1 / powers, 0)
    assert features[france, FEATURE_NEAR] == 3 / (2 * needed)  # the fleet to both centers, the army to Paris
    assert features[germany, FEATURE_NEAR] == 1 / (2 * needed)
    assert features[france, FEATURE_AT_HAND] == 4 / needed  # Belgium, Marseilles, Spain, Munich
    assert {*features[:, FEATURE_LEFT].tolist()} == {3 / powers}
    assert (features[france, FEATURE_SECOND], features[england, FEATURE_SECOND]) == (1 / needed, 1 / needed)
    assert {*features[:, FEATURE_COMING].tolist()} == {1}


@pytest.mark.parametrize(("turn", "same"), [("Fall 1903 Movement", True), ("Spring 1903 Movement", False)])
def test_before_centers_are_counted_they_are_read_as_their_holders(turn: str, same: bool) -> None:
    """The network is fitted on what movements came to, and asked what they will come to."""
    read = []
    for owner in ("Germany", "France"):
        owners = {"mun": owner, "ber": "Germany", "par": "France"}
        games = judged(position("France A mun, Germany A ber", owners, turn), by_network=True)
        read.append(games.scratch.features[:, [FEATURE_CENTERS, FEATURE_SAFE, FEATURE_NEAR, FEATURE_AT_HAND]].copy())
    assert (read[0] == read[1]).all() == same


@pytest.mark.parametrize(
    ("variant", "turn", "expected"),
    [
        ("standard", "Spring 1901 Movement", False),
        ("standard", "Spring 1903 Movement", True),
        ("1898", "Spring 1903 Movement", True),
        ("three-kingdoms", "Summer 1645 Movement", False),
    ],
)
def test_after_the_first_year_strong_bots_judge_by_the_network_where_there_is_a_network(
    monkeypatch: pytest.MonkeyPatch, variant: str, turn: str, expected: bool
) -> None:
    rules = load(variant)
    view = msgspec.structs.replace(rules.opening(), turn=Turn.parse(turn))
    power = next(iter(rules.powers))
    asked: list[bool] = []

    def finalists(*_: object, by_network: bool, **__: object) -> list[tuple[Sheet, float]]:
        asked.append(by_network)
        return [(Sheet(power, ()), 0.5)]

    monkeypatch.setattr(tactician, "finalists", finalists)
    search(rules, view, power, Random(1), 0.01)
    assert asked == [expected]


@pytest.mark.parametrize("variant", ["standard", "hundred"])
def test_rules_that_were_kept_are_judged_as_their_variant_is(variant: str) -> None:
    registry, name = Registry.with_kept(USUAL.as_it_is(variant).content(), [])
    kept, listed = registry.load(name), load(variant)
    assert (network_of(kept) == network_of(listed)).all() and len(network_of(kept)) > 0
    assert (tables_of(kept).weights == tables_of(listed).weights).all()


def scored(network: Any, features: Any) -> Any:
    """Each power's chance by the network, before all are divided by their sum; 0 for the dead."""
    hidden = np.maximum(np.maximum(features @ network[:FEATURES], 0) @ network[FEATURES:-2] + network[-2], 0)
    return np.exp(hidden @ network[-1]) * (features[..., FEATURE_CENTERS] > 0)


def test_the_network_predicts_one_winner_among_the_living() -> None:
    games = judged(WEST, by_network=True)
    scores = scored(network_of(games.rules), games.scratch.features)
    assert games.scratch.outlook == pytest.approx(scores / scores.sum())
    assert (games.scratch.outlook > 0).sum() == 3
    weighed = judged(WEST, by_network=False)
    assert weighed.scratch.outlook == pytest.approx(weighed.scratch.features[:, :WEIGHED] @ weighed.tables.weights)


def test_who_has_enough_centers_has_won() -> None:
    centers = sorted(load("standard").board.centers)[:18]
    games = judged(position("Turkey A con, France A par", dict.fromkeys(centers, "Turkey")), by_network=True)
    outlook = dict(zip(games.codec.powers, games.scratch.outlook.tolist(), strict=True))
    assert outlook["Turkey"] > 1 and outlook["France"] == 0


def test_networks_are_of_variants_and_whole() -> None:
    with NETWORKS.open("rb") as file, np.load(file) as kept:
        assert {*kept.files} <= {*names(), *map(shared_network, map(load, names()))}
        for variant in kept.files:
            assert kept[variant].shape == (FEATURES + HIDDEN + 2, HIDDEN) and np.isfinite(kept[variant]).all()
    assert (network_of(load("1000ad")) == network_of(load("standard"))).all(), "it has as many powers"
    assert len(network_of(load("three-kingdoms"))) == 0, "what was not fitted is weighed"


@pytest.mark.usefixtures("games_compiled")
def test_the_network_is_fitted_on_what_movements_came_to() -> None:
    watched = watch(load("hundred"), 3, 200, 0.0002)
    assert watched.features.shape == (len(watched.game), 3, FEATURES) and len(watched.winner) == len(watched.game) > 9
    assert {*watched.winner.tolist()} <= {0, 1, 2}
    assert watched.features[:, :, FEATURE_NEAR].max() > 0, "also what only the network reads"
    assert watched.features[:, :, FEATURE_OUT].max() == 0, "once retreats are done"


@pytest.mark.usefixtures("games_compiled")
def test_a_network_that_is_fitted_knows_who_wins() -> None:
    pytest.importorskip("torch", reason="only fitting needs PyTorch (the extra train)")
    from legation.lab.fitting_network import fit

    watched = watch(load("hundred"), 120, 200, 0.0002)
    network, *explained = fit(watched)
    last = np.flatnonzero(np.diff(watched.game, append=-1))  # of each game
    predicted = scored(network, watched.features[last]).argmax(axis=1)
    assert (predicted == watched.winner[last]).mean() > 0.8
    assert max(explained) < 1
    assert (network[FEATURE_OUT] == network[FEATURE_UNITS]).all()


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
        assert chance > -5, (power, sheet.orders)
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
