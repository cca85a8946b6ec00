"""Another power's order that only names my army never makes my own plan worse (K-1, K-9e).

A fleet of a stranger holds, or moves by itself; then it convoys my army instead, or ferries it while moving so.
Whatever of mine succeeded, succeeds still, and nothing of mine is dislodged that was not. (Where the army had no way
and has one by the stranger, it goes where it was ordered, and the others meet it there as I ordered them.)

Three readings let strangers meddle by their own words: where one fleet lost breaks a convoy (DATC 4.A.1), where any
fleet may take an army over to a neighboring province that it would meet head to head (1971, DATC 4.A.3), and where
every order of a paradox fails, which a stranger's convoy may bring about ("all hold", DATC 4.A.2)."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from legation.board import province_of
from legation.judge import Ruleset, resolve
from legation.orders import Convoy
from legation.variants import load, names
from tests.judge.oracle import Ordered
from tests.judge.positions import (
    convoy_position,
    ferry_position,
    order_text,
    random_position,
    readings_by_chance,
    turn_of,
)
from tests.sampling import some

WAYLESS = ("illegal", "no convoy", "disrupted")


def fates(rules: Ruleset, units: Sequence[Ordered], power: str) -> dict[str, tuple[str, bool]]:
    """What becomes of a power's units, by province: the outcome of the order (a convoy's is its army's) and whether the
    unit is dislodged."""
    resolution = resolve(rules, *turn_of(rules, units))
    return {
        province_of(getattr(v.order, "at", "")): (
            "" if isinstance(v.order, Convoy) else v.outcome.value,
            v.dislodged_from is not None,
        )
        for v in resolution.verdicts
        if v.power == power
    }


def meddling(rules: Ruleset, units: list[Ordered], random: Random) -> tuple[Ordered, int, Ordered, Ordered] | None:
    """An army, the number of a stranger's fleet, and that fleet's order: one that has nothing to do with the army, and
    one that differs from it by naming the army only."""
    board = rules.board
    armies = [
        u
        for u in units
        if u.what == "move"
        and u.kind == "A"
        and (rules.options["adjacent_convoy"] != "1971" or u.goal not in board.reach("army", u.at))
    ]
    if not armies:
        return None
    army = random.choice(armies)
    fleets = [
        i
        for i, u in enumerate(units)
        if u.power != army.power and board.provinces[u.place].sea and u.place not in (army.ferry or ())
    ]
    if not fleets:
        return None
    i = random.choice(fleets)
    idle = replace(units[i], what="hold", helps="", to="", lands="", via=False)
    seas = sorted(s for s in board.reach("fleet", idle.at) if board.provinces[province_of(s)].sea)
    if rules.options.get("ferry") is True and seas and random.random() < 0.5:
        idle = replace(idle, what="move", to=random.choice(seas))
        return army, i, idle, replace(idle, helps=army.place, lands=army.goal)
    return army, i, idle, replace(idle, what="convoy", helps=army.place, to=army.goal)


def spoiled(rules: Ruleset, units: list[Ordered], random: Random) -> tuple[int, str]:
    """How many such orders were tried (0 or 1), and what became worse by it."""
    found = meddling(rules, units, random)
    if found is None:
        return 0, ""
    army, i, idle, named = found
    without, given = [*units[:i], idle, *units[i + 1 :]], [*units[:i], named, *units[i + 1 :]]
    before, after = fates(rules, without, army.power), fates(rules, given, army.power)
    way_found = before[army.place][0] in WAYLESS and after[army.place][0] not in WAYLESS
    for place, (outcome, dislodged) in before.items():
        if way_found and place != army.place:
            continue
        if (outcome == "succeeds" and after[place][0] != "succeeds") or (after[place][1] and not dislodged):
            orders = "; ".join(f"{u.power} {order_text(u, given)}" for u in given)
            return 1, f"{army.power}'s unit in {place} by {order_text(named, given)}: {orders}"
    return 1, ""


@pytest.mark.parametrize(
    "seeds", [range(12), pytest.param(range(12, 125), marks=pytest.mark.longest)], ids=["some", "rest"]
)
@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("variant", some(names(), 3))
def test_a_stranger_that_names_my_army_never_spoils_my_plan(variant: str, mixed: bool, seeds: range) -> None:
    plain = load(variant)
    tried = 0
    for seed in seeds if plain.options.get("ferry") is None else range(2 * seeds.start, 2 * seeds.stop):
        random = Random(seed)
        options: dict[str, Any] = {"multi_route_convoy": "all"}
        if mixed:
            options = {**readings_by_chance(plain, random), **options}
            if options["convoy_paradox"] == "all hold":
                options["convoy_paradox"] = "szykman"
        rules = load(variant, options) if mixed else plain
        assert rules.options["multi_route_convoy"] == "all", "every variant's own reading"
        makers = (random_position, convoy_position, *([ferry_position] if rules.options.get("ferry") is True else []))
        for make in makers:
            count, problem = spoiled(rules, make(rules.board, list(rules.powers), seed), random)
            assert problem == "", f"{seed}, {make.__name__}, {options}"
            tried += count
    assert tried > len(seeds)
