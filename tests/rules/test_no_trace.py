"""An order that is judged illegal leaves no trace, in any mixture of rules (STD-7): the units, the centers, what rules
keep, lots and the end of the game are the same as if it had not been written."""

from random import Random

import msgspec
import pytest

from legation.bots.chance import plausible_sheets
from legation.judge import Outcome, Ruleset, legal_orders, resolve
from legation.judge.sheets import without_illegal
from legation.orders import Order, Sheet
from legation.position import Phase, Position, Turn
from legation.rules.anarchy import Anarchy
from legation.rules.supply_transfer import Send, SupplyTransfer
from legation.variants import names
from tests.judge.shuffling import told
from tests.rules.mixes import mixed, mixture
from tests.rules.test_random_games import wild_order
from tests.sampling import some

TURNS = 14


def sheets_with_slips(rules: Ruleset, position: Position, random: Random) -> list[Sheet]:
    """Sheets that fit, with orders among them that are another power's or another unit's, or legal in no position."""
    legal = legal_orders(rules, position)
    everything = [order for orders in legal.values() for order in orders]
    sheets = []
    given = {sheet.power: sheet.orders for sheet in plausible_sheets(rules, position, random)}
    for power in rules.powers:
        orders = list(given.get(power, ()))
        for _ in range(random.randrange(4)):
            slip: Order = wild_order(rules, position.turn.phase, random)
            if everything and random.random() < 0.6:
                slip = random.choice(everything)
            if position.turn.phase is Phase.ADJUSTMENTS and random.random() < 0.5:
                slip = Send(random.randint(1, 3), random.choice(list(rules.powers)))
            orders.insert(random.randrange(len(orders) + 1), slip)
        sheets.append(Sheet(power, tuple(orders)))
    return sheets


def troubled(rules: Ruleset, position: Position, random: Random) -> Position:
    """Now and then some powers are in anarchy, where there is such a rule."""
    if not any(isinstance(module, Anarchy) for module in rules.modules) or random.random() < 0.5:
        return position
    fallen = random.sample(list(rules.powers), 2)
    state = {"grace": [], "anarchy": fallen}
    return msgspec.structs.replace(position, slices={**position.slices, "anarchy": state})


def check(rules: Ruleset, position: Position, sheets: list[Sheet]) -> tuple[Position, int]:
    """Judge a turn with its illegal orders and without them; how many there were."""
    resolution = resolve(rules, position, sheets, "seed")
    left = without_illegal(sheets, resolution.verdicts)
    found, without = told(resolution), told(resolve(rules, position, left, "seed"))
    refused = [f"{v.power}: {v.explanation}" for v in resolution.verdicts if v.outcome is Outcome.ILLEGAL]
    for key in found.keys() - {"verdicts"}:
        assert found[key] == without[key], f"{key}; {refused}"
    return resolution.after, len(refused)


@pytest.mark.parametrize("name", some(names(), 3))
def test_an_illegal_order_leaves_no_trace_in_any_mixture_of_rules(name: str) -> None:
    refused = 0
    for seed in range(2):
        random = Random(f"{name} {seed}")
        rules = mixture(name, random)
        position = rules.opening()
        for _ in range(TURNS):
            position, count = check(
                rules, troubled(rules, position, random), sheets_with_slips(rules, position, random)
            )
            refused += count
    assert refused > 60


def test_supply_of_a_power_in_anarchy_goes_nowhere() -> None:
    rules = mixed("standard", Anarchy(), SupplyTransfer())
    position = Position(
        Turn.parse("Winter 1905 Adjustments"),
        owners={"gre": "Turkey", "lon": "England", "edi": "England", "lvp": "England"},
        slices={"anarchy": {"grace": [], "anarchy": ["Turkey"]}},
    )
    resolution = resolve(rules, position, [Sheet("Turkey", (Send(1, "England"),))])
    assert [v.outcome for v in resolution.verdicts if isinstance(v.order, Send)] == [Outcome.ILLEGAL]
    assert rules.limit(resolution.after, "England") == 3
    assert "supply_transfer" not in resolution.after.slices
