"""Every rule that only other systems' variants ask for, as the variants of its cases have it, in random turns: the list
of legal orders agrees with the judge, the order of listing decides nothing, an illegal order leaves no trace, and bots
play it."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from legation.board import province_of
from legation.bots import BOTS
from legation.judge import Refusal, Ruleset, Situation, legal_orders, resolve
from legation.orders import Hold, Move, Order, SupportHold, SupportMove, UnitOrder
from legation.position import Phase, Position
from legation.variants import load_file
from tests.judge.shuffling import shuffled_position, shuffled_sheets, told
from tests.rules.test_no_trace import check, sheets_with_slips
from tests.sampling import some

FOLDER = Path(__file__).parents[1] / "cases" / "field"
VARIANTS = [path for path in sorted(FOLDER.glob("*.toml")) if not path.name.endswith(".cases.toml")]
ISLES = FOLDER.with_name("three-kingdoms") / "isles.toml"
TURNS = 4
TRIED = 150  # orders a movement turn that are held against the list


def some_orders(rules: Ruleset, position: Position, random: Random) -> Iterator[tuple[str, Order]]:
    """Orders for units that stand there, about half of them legal."""
    units = position.units
    for _ in range(TRIED if units else 0):
        unit, other = random.choice(units), random.choice(units)
        near = sorted(Situation(rules, position).support_provinces(unit) | rules.board.adjacent(unit.province))
        to = random.choice(near)
        at = random.choice([to, *rules.board.provinces[to].coasts])
        location = at if at == to else f"{to}/{at}"
        yield (
            unit.power,
            random.choice(
                [
                    Move(unit.kind, unit.at, location),
                    SupportHold(unit.kind, unit.at, other.kind, other.at),
                    SupportMove(unit.kind, unit.at, other.kind, other.at, to),
                ]
            ),
        )


def check_list(rules: Ruleset, position: Position, random: Random) -> None:
    """Hold the list of legal orders and the judge against each other."""
    situation = Situation(rules, position)
    owners = {unit.province: unit.power for unit in (*position.units, *(d.unit for d in position.dislodged))}
    listed = legal_orders(rules, position)
    for power, orders in listed.items():
        for order in orders:
            if not isinstance(order, UnitOrder) or owners.get(province_of(order.at)) == power:
                assert not isinstance(situation.interpret(power, order), Refusal), (power, order)
    if position.turn.phase is not Phase.MOVEMENT:
        return
    for power, order in some_orders(rules, position, random):
        effect = situation.interpret(power, order)
        if isinstance(effect, Hold | Move | SupportHold):
            assert effect in listed[power], (power, effect)
        elif isinstance(effect, SupportMove):
            places = (effect.to, *(f"{effect.to}/{c}" for c in rules.board.provinces[province_of(effect.to)].coasts))
            assert any(
                SupportMove(effect.kind, effect.at, effect.target_kind, effect.target, to) in listed[power]
                for to in places
            )


@pytest.mark.parametrize("path", some([ISLES, *VARIANTS], 4), ids=lambda path: path.stem)
def test_in_random_turns(path: Path) -> None:
    rules, random = load_file(path), Random(path.stem)
    position = rules.opening()
    for _ in range(TURNS):
        check_list(rules, position, random)
        sheets = sheets_with_slips(rules, position, random)
        after, _ = check(rules, position, sheets)
        again = resolve(rules, shuffled_position(position, random), shuffled_sheets(sheets, random), "seed")
        assert told(again) == told(resolve(rules, position, sheets, "seed"))
        position = after


@pytest.mark.parametrize("path", some(VARIANTS, 6), ids=lambda path: path.stem)
def test_bots_play(path: Path) -> None:
    rules, random = load_file(path), Random(1)
    position, play = rules.opening(), BOTS["dumbbot"]
    for _ in range(2):
        sheets = [play(rules, rules.seen(position, power), power, random) for power in rules.powers]
        situation = Situation(rules, position)
        for sheet in sheets:
            owned = {unit.province for unit in position.units_of(sheet.power)}
            for order in sheet.orders:
                if not isinstance(order, UnitOrder) or province_of(order.at) in owned:
                    assert not isinstance(situation.interpret(sheet.power, order), Refusal), order
        position = resolve(rules, position, sheets, "seed").after
