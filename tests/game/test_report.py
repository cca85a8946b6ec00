"""Reports for people name places in full, in reasons too."""

import re
from random import Random

import msgspec
import pytest

import legation
from legation.game.report import in_full, turn_report
from legation.orders import Convoy, Move, Order, Sheet, SupportHold, SupportMove
from legation.position import Unit
from legation.variants import load, names

WORDS = frozenset(["and", "am", "was", "can"])  # abbreviations that are words of a sentence too


@pytest.mark.parametrize(
    ("variant", "reason", "wanted"),
    [
        ("three-kingdoms", "A london cannot reach york", "Army London cannot reach York"),
        ("three-kingdoms", "Crown has no unit in wilts", "Crown has no unit in Wiltshire"),
        ("standard", "name the coast: spa/nc or spa/sc", "name the coast: Spain (north coast) or Spain (south coast)"),
        (
            "standard",
            "A bur can retreat only to gas, mar or par, so the unit is disbanded",
            "Army Burgundy can retreat only to Gascony, Marseilles or Paris, so the unit is disbanded",
        ),
        ("standard", "the unit in lon is F lon", "the unit in London is Fleet London"),
        ("standard", "no convoy leads from lon to bel", "no convoy leads from London to Belgium"),
        ("standard", "Barents Sea has no such coast", "Barents Sea has no such coast"),
        ("1000ad", "A val cannot reach and", "Army Valencia cannot reach Andalusia"),
        (
            "1000ad",
            "a fleet that ferries starts and ends its move at sea",
            "a fleet that ferries starts and ends its move at sea",
        ),
        (
            "1000ad",
            "no ferry by F nth to enc can bring A ber to mal",
            "no ferry by Fleet North Sea to English Channel can bring Army Bergen to Maldon",
        ),
        (
            "three-kingdoms",
            "Newcastle sent no order for it, so the unit holds",
            "Newcastle sent no order for it, so the unit holds",
        ),
    ],
)
def test_a_reason_names_places_in_full(variant: str, reason: str, wanted: str) -> None:
    assert in_full(load(variant), reason) == wanted


@pytest.mark.parametrize("variant", names())
def test_a_report_in_full_holds_no_abbreviation(variant: str) -> None:
    rules = load(variant)
    position = rules.opening()
    if not position.units:
        units = tuple(Unit("A", next(iter(power.homes)), name) for name, power in rules.powers.items())
        position = msgspec.structs.replace(position, turn=rules.next_turn(position.turn), units=units)
    random = Random(variant)
    places = [at for at in rules.board.locations if at not in WORDS]
    codes = re.compile(rf"(?<![\w'])(?:{'|'.join(sorted(places))})(?![\w'])")
    for _ in range(5):
        sheets = []
        for power in rules.powers:
            orders: list[Order] = []
            for unit in position.units_of(power):
                to, by = random.choices(places, k=2)
                other = random.choice(position.units)
                kinds: list[Order] = [
                    Move(unit.kind, unit.at, to),
                    SupportMove(unit.kind, unit.at, other.kind, other.at, to),
                    SupportHold(unit.kind, unit.at, other.kind, other.at),
                    Convoy(unit.kind, unit.at, "A", other.at, to),
                    Move("A", by, to),
                ]
                orders.append(random.choice(kinds))
            sheets.append(Sheet(power, tuple(orders)))
        report = turn_report(rules, legation.resolve(rules, position, sheets))
        assert not codes.search(report), report
        assert codes.search(turn_report(rules, legation.resolve(rules, position, sheets), names="short"))
