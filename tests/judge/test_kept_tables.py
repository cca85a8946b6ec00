"""What the judge keeps for later turns is counted, entry by entry, so that it is forgotten in time."""

from collections.abc import Iterable
from random import Random

import pytest

from legation.judge import Outcome, legal_orders, made_orders, resolve
from legation.judge.chains import Chains
from legation.judge.made_orders import MadeOrders, UnitOrders
from legation.orders import Move, Sheet, SupportMove, UnitOrder
from legation.position import Phase, Position, Turn, Unit
from legation.variants import load

RULES = load("standard")
FLEETS = ("nth", "eng", "iri", "mao", "ion", "aeg", "tys", "bal")
ARMIES = ("lon", "bre", "bel", "gre", "tun", "swe", "mun", "par")


def positions(count: int) -> Iterable[Position]:
    """Fleets and armies of two powers, drawn by lot."""
    random = Random(4)
    turn = Turn(RULES.first_turn().season, 1901, Phase.MOVEMENT)
    for _ in range(count):
        stands = [("F", at) for at in random.sample(FLEETS, 5)] + [("A", at) for at in random.sample(ARMIES, 5)]
        yield Position(turn, tuple(Unit(kind, at, random.choice(("France", "Turkey"))) for kind, at in stands))


def entries(unit: UnitOrders) -> int:
    """What is kept for a unit, counted by looking."""
    done = [unit.holding, *(done for _, done in unit._moves.values())]
    convoys = [convoys for _, _, convoys in unit._by_sea.values()]
    orders = [over_sea.orders for over_sea in unit.over_sea.values()]
    by_place = len(unit._moves) + len(unit._known) + len(unit._by_sea)
    return by_place + sum(len(supports) - 1 for _, supports in done) + sum(map(len, convoys)) + sum(map(len, orders))


def test_orders_are_counted_as_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    known = RULES.made_orders
    made = MadeOrders(RULES.tables, RULES.kinds, known.standing)
    monkeypatch.setitem(RULES.__dict__, "made_orders", made)
    for position in positions(40):
        legal_orders(RULES, position)
    assert made.count > 1000
    assert made.count == sum(entries(unit) for unit in made.values())


def test_chains_of_fleets_are_counted_as_they_are_kept() -> None:
    chains = Chains(RULES.tables)
    for position in positions(20):
        formed = chains.formed_by(frozenset(unit.at for unit in position.units if unit.kind == "F"))
        for chain in formed.values():
            for at in ARMIES:
                chain.routes(at)
                chain.reached(at)
    answers = [len(chain._routes) + len(chain._reached) for chain in chains._chains.values()]
    assert chains.kept > 100
    assert chains.kept == len(chains._formed) + sum(answers)


def test_orders_that_were_forgotten_are_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = list(positions(20))
    expected = [legal_orders(RULES, position) for position in drawn]
    made = MadeOrders(RULES.tables, RULES.kinds, RULES.made_orders.standing)
    monkeypatch.setitem(RULES.__dict__, "made_orders", made)
    monkeypatch.setattr(made_orders, "MOST_ORDERS", 30)
    most = 0
    for position, orders in zip(drawn, expected, strict=True):
        assert legal_orders(RULES, position) == orders
        most = max(most, len(made))
    assert most < len({(unit.kind, unit.at) for position in drawn for unit in position.units}), "some were forgotten"


@pytest.mark.parametrize(
    "order",
    [
        Move("A", "lon", "bel"),
        Move("A", "lon", "bel", via_convoy=True),
        SupportMove("A", "hol", "A", "lon", "bel"),
        SupportMove("F", "nth", "A", "lon", "bel"),
    ],
)
def test_an_order_over_the_sea_depends_on_the_fleets_of_its_own_position(order: UnitOrder) -> None:
    stay = {Unit("A", "lon", "England"), Unit(order.kind, order.at, "England")}
    for fleets, illegal in (
        ({Unit("F", "eng", "England")}, False),
        (set(), True),
        ({Unit("F", "eng", "France")}, False),
    ):
        position = Position(Turn("Spring", 1901, Phase.MOVEMENT), tuple(stay | fleets))
        verdicts = resolve(RULES, position, [Sheet("England", (order,))]).verdicts
        assert any(verdict.outcome is Outcome.ILLEGAL for verdict in verdicts) == illegal
