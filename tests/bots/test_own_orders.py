"""Bots give orders of a stranger's kinds, from a folder outside the package: DumbBot by what the kind says of the unit
that the order makes (``OrderKind.becomes``), the one that plays by chance from the legal list."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from legation.bots import BOTS, dumbbot
from legation.bots.matches import match
from legation.judge import Outcome, Ruleset
from legation.notation import write
from legation.position import Phase, Position, Turn, Unit
from legation.variants import Registry

OWN = {"trenches": "DigIn", "passes": "Passage", "congress": "Treaty"}


def given(rules: Ruleset, bot: str) -> Counter[str]:
    """How many orders of each kind are given in some turns between bots; none is illegal."""
    verdicts = [v for r in match(rules, dict.fromkeys(rules.powers, BOTS[bot]), "seed", turns=40) for v in r.verdicts]
    assert not [v.explanation for v in verdicts if v.outcome is Outcome.ILLEGAL]
    return Counter(type(v.order).__name__ for v in verdicts)


@pytest.mark.parametrize("variant", OWN)
def test_orders_of_a_strangers_kind_are_given(manual_folder: Path, variant: str) -> None:
    rules = Registry(manual_folder / "mine").load(variant)
    assert given(rules, "random")[OWN[variant]] > 0
    if variant != "congress":  # an order of no unit: nothing to weigh
        assert given(rules, "dumbbot")[OWN[variant]] > 3


@pytest.mark.parametrize("variant", ["trenches", "passes"])
def test_a_kind_that_says_nothing_of_its_unit_is_not_given_by_dumbbot(manual_folder: Path, variant: str) -> None:
    """DumbBot gives an order of a rule's own only if its kind says what it makes of the unit (``becomes``)."""
    rule = manual_folder / "mine" / "rules" / ("digging_in.py" if variant == "trenches" else "passages.py")
    text = rule.read_text()
    lines = [line for line in text.splitlines() if "becomes=" not in line]
    assert len(lines) == len(text.splitlines()) - 1
    rule.write_text("\n".join(lines))
    rules = Registry(manual_folder / "mine").load(variant)
    assert given(rules, "dumbbot")[OWN[variant]] == 0


def test_a_way_of_a_rules_own_leads_where_it_is_worth_going(manual_folder: Path) -> None:
    """An army passes to a center that no move reaches, and its host supports it there."""
    rules = Registry(manual_folder / "mine").load("passes")
    units = (Unit("A", "mar", "France"), Unit("A", "bur", "France"), Unit("A", "ber", "Germany"))
    owners = {**dict.fromkeys(rules.board.centers, "France"), "mun": "Germany"}
    position = Position(Turn("Fall", 1901, Phase.MOVEMENT), units, owners=owners)
    texts = [
        {str(getattr(order, "at", "")): write(order) for order in sheet.orders}
        for sheet in (dumbbot.orders(rules, position, "France", Random(seed)) for seed in range(20))
    ]
    assert {"mar": "A mar passes through bur to mun", "bur": "A bur S A mar - mun"} in texts
