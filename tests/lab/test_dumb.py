"""Dense DumbBot weighs places as the other one does, and orders only what is legal."""

import numpy as np
import pytest

from legation.bots.worth import Worth
from legation.judge import resolve
from legation.variants import load, names

pytest.importorskip("numba", reason="dense games need the extra 'lab'")

from legation.lab.dense import listing, weighing
from legation.lab.dense.layout import DUMB
from legation.lab.games import Games
from tests.lab.test_dense import facts, order_by_chance
from tests.sampling import some


@pytest.mark.parametrize("variant", some(names(), 4))
def test_places_are_worth_the_same(variant: str) -> None:
    rules = load(variant)
    games = Games(rules, ["worth"], interpreted=True)
    tables, state, scratch = games.tables, games.state, games.scratch
    for turns in (4, 3):
        for _ in range(turns):
            games.play_turn(0, order_by_chance(games))
        position = games.position(0)
        listing.occupy(tables, state, 0, scratch)
        weighing.measure_presence(tables, state, 0, scratch)
        for number, power in enumerate(games.codec.powers[:4]):
            worth = Worth(rules, position, power)
            weighing.weigh_places(tables, state, 0, scratch, number)
            for kind, at in rules.standing.values():
                k, where = games.codec.kinds.index(kind), games.codec.number[at]
                assert weighing.weigh_unit(tables, state, 0, scratch, number, k, where) == worth.of(kind, at), at


@pytest.mark.parametrize("variant", names())
@pytest.mark.usefixtures("games_compiled")
def test_what_it_orders_is_legal(variant: str) -> None:
    rules = load(variant)
    games = Games(rules, ["legal"])
    seats = np.full((1, len(rules.powers)), DUMB)
    for _ in range(40):
        before = games.position(0)
        ordered = games.order_seats(0, seats)
        resolution = resolve(rules, before, games.sheets(0, ordered))
        assert [v for v in resolution.verdicts if v.outcome.value in ("illegal", "void")] == []
        games.play_turn(0, ordered)
        assert facts(games.position(0)) == facts(resolution.after)
        if games.ended(0):
            break


@pytest.mark.usefixtures("games_compiled")
def test_it_beats_chance_in_every_seat() -> None:
    rules = load("standard")
    games = Games(rules, [f"chance {number}" for number in range(14)])
    seats = np.array([[DUMB if (seat + game) % 7 == 0 else 1 for seat in range(7)] for game in range(14)])
    for _ in games.play_seats(seats, 300):
        pass
    won = 0
    for game in range(14):
        ending = games.ending(game)
        won += (
            ending is not None
            and ending.kind == "solo"
            and seats[game, games.codec.powers.index(ending.powers[0])] == DUMB
        )
    assert won >= 13
