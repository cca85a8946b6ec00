"""Names of openings: each can be ordered, and is found among the orders of a sheet."""

import pytest

from legation.judge import legal_orders
from legation.lab.openings import opening_name, openings
from legation.notation import write
from legation.variants import load


@pytest.mark.parametrize("variant", sorted(openings()))
def test_every_opening_can_be_ordered_and_none_hides_another(variant: str) -> None:
    rules = load(variant)
    legal = {
        power: {write(order) for order in orders} for power, orders in legal_orders(rules, rules.opening()).items()
    }
    for power, known in openings()[variant].items():
        for opening in known:
            assert opening.orders <= legal[power], opening.name
            assert opening_name(variant, power, opening.orders) == opening.name


def test_an_opening_is_known_by_some_of_the_orders() -> None:
    sheet = ["F bre - mao", "A mar H", "A par - gas"]
    assert opening_name("standard", "France", sheet) == "Atlantic Opening"
    assert opening_name("standard", "France", ["A par H"]) == opening_name("hundred", "France", sheet) == ""
