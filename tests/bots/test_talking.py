"""What bots write: offers that fit their orders, and answers to proposals."""

from random import Random

import pytest

from legation.bots import bot, talking
from legation.bots.talking import Reply, agreed, offers, reply
from legation.judge import legal_orders, resolve
from legation.notation import write
from legation.orders import Order, Sheet
from legation.position import Phase, Position, Turn, Unit
from legation.variants import load, names
from tests.sampling import some

RULES = load("standard")


def orders(text: str, power: str) -> tuple[Order, ...]:
    return tuple(RULES.reader.order(one.strip(), Phase.MOVEMENT, power) for one in text.split(",") if one.strip())


def position(units: str, **owners: str) -> Position:
    """``France A par, Germany A mun``: units with their powers."""
    placed = [Unit(kind, at, power) for power, kind, at in (text.split() for text in units.split(","))]
    return Position(Turn.parse("Spring 1903 Movement"), tuple(placed), owners=owners)


VIEW = position(
    "France A bur,France A pic,Germany A ruh,England F nth,England F eng", bel="England", par="France", mun="Germany"
)


def answer(sheet: str, asked: str, sender: str = "Germany", text: str = "", seed: int = 1) -> Reply:
    given = Sheet("France", orders(sheet, "France"))
    return reply(RULES, VIEW, given, sender, orders(asked, "France"), text, Random(seed))


def test_it_asks_for_support_where_somebody_is_in_the_way() -> None:
    sheet = Sheet("France", orders("A bur - bel, A pic H", "France"))
    found = [offers(RULES, VIEW, sheet, ["Germany"], Random(seed)) for seed in range(12)]
    (offer,) = next(listed for listed in found if listed)
    assert {power: list(map(write, listed)) for power, listed in offer.orders.items()} == {
        "Germany": ["A ruh S A bur - bel"],
        "France": ["A bur - bel"],
    }
    assert "Belgium" in offer.text
    assert [] in found, "it doesn't always write"


def test_it_offers_peace_to_whom_it_leaves_alone() -> None:
    sheet = Sheet("France", orders("A bur H, A pic H", "France"))
    written = [offer for n in range(8) for offer in offers(RULES, VIEW, sheet, ["England", "Germany"], Random(n))]
    assert any(offer.to == "Germany" and "Munich" in offer.text and not offer.orders for offer in written)
    assert len(written) <= 8 * talking.OFFERS


@pytest.mark.parametrize(
    ("sheet", "asked", "agrees"),
    [
        ("A bur H, A pic H", "A bur S A ruh - bel", True),
        ("A bur H, A pic H", "A bur S A ruh", True),
        ("A bur - bel, A pic S A bur - bel", "A bur S A ruh - bel", False),
        ("A bur H, A pic H", "A bur S F eng - bel", False),
        ("A bur H, A pic H", "A bur S A ruh - lon", False),
        ("A bur - bel, A pic H", "A bur - bel", True),
        ("A bur H, A pic H", "A bur - gas", False),
    ],
)
def test_it_agrees_to_what_costs_it_little(sheet: str, asked: str, agrees: bool) -> None:
    found = answer(sheet, asked)
    assert found.agrees == agrees and found.orders == (orders(asked, "France") if agrees else ())


def test_peace_is_kept_by_orders_that_do_not_attack() -> None:
    calm = answer("A bur - gas, A pic H", "", text="Let us have peace.")
    assert calm.agrees and not calm.orders
    found = [answer("A bur - mun, A pic H", "", text="A truce?", seed=seed) for seed in range(10)]
    assert {one.agrees for one in found} == {True, False}
    peace = next(one for one in found if one.agrees)
    assert list(map(write, agreed(Sheet("France", orders("A bur - mun, A pic H", "France")), peace.orders).orders)) == [
        "A bur H",
        "A pic H",
    ]


def test_what_it_does_not_understand_it_says() -> None:
    found = answer("A bur H, A pic H", "", text="Lovely weather in Paris.")
    assert not found.agrees and "I’m a bot" in found.text


@pytest.mark.parametrize("variant", some(names(), 8))
def test_offers_are_legal_orders_of_every_variant(variant: str) -> None:
    rules = load(variant)
    view = rules.opening()
    while view.turn.phase is not Phase.MOVEMENT:
        view = resolve(rules, view, [bot("dumbbot")(rules, view, power, Random(1)) for power in rules.powers], "").after
    legal = {power: set(map(write, listed)) for power, listed in legal_orders(rules, view).items()}
    for power in list(rules.powers)[:3]:
        sheet = bot("dumbbot")(rules, view, power, Random(1))
        others = [other for other in rules.powers if other != power]
        for offer in offers(rules, view, sheet, others, Random(2)):
            assert offer.to in others and offer.text
            for whose, listed in offer.orders.items():
                assert set(map(write, listed)) <= legal[whose]
