"""What is out of the ordinary about a power is told in sentences: mercy (W-5), anarchy (K-13), and what became of its
grants (W-12)."""

import msgspec
import pytest

from legation.judge import resolve
from legation.notation import write
from legation.orders import Sheet
from legation.position import Position, Turn, Unit
from legation.rules.proxy import Proxy
from legation.variants import load


def without_centers(position: Position, power: str, keep: int = 1) -> Position:
    """A position in which a power has lost its centers, and all but so many of its units."""
    kept = position.units_of(power)[:keep]
    units = tuple(unit for unit in position.units if unit.power != power or unit in kept)
    owners = {place: owner for place, owner in position.owners.items() if owner != power}
    return msgspec.structs.replace(position, units=units, owners=owners)


@pytest.mark.clause("W-5")
def test_who_lives_by_mercy_reads_what_it_means() -> None:
    rules = load("three-kingdoms")
    position = rules.opening()
    assert [rules.status_notes(position, power) for power in rules.powers] == [()] * len(rules.powers)
    lost = without_centers(position, "Crown")
    first, then = rules.status_notes(lost, "Crown")
    assert first == "The Crown owns no center and lives by mercy: it keeps one unit."
    assert "not replaced" in then and "only a second allows a build" in then
    assert rules.limit(lost, "Crown") == 1
    assert rules.status_notes(without_centers(position, "Crown", 0), "Crown") == ()  # out of the game
    assert load("standard").status_notes(without_centers(load("standard").opening(), "France"), "France") == ()


@pytest.mark.clause("K-13a")
@pytest.mark.parametrize(
    ("listed", "words"),
    [
        ("grace", "the coming movement season"),
        ("retaken", "stand in a home again"),
        ("anarchy", "their units hold and they build nothing"),
    ],
)
def test_who_is_in_anarchy_or_near_it_reads_so(listed: str, words: str) -> None:
    rules = load("1000ad")
    position = msgspec.structs.replace(rules.opening(), slices={"anarchy": {listed: ["British"]}})
    (text,) = rules.status_notes(position, "British")
    assert text.startswith("The British ") and words in text
    assert rules.status_notes(position, "Franks") == ()


@pytest.mark.clause("N-2b", "N-3b", "N-3c")
def test_where_a_power_builds_that_chose_its_home_is_told_until_homes_are_fixed() -> None:
    rules = load("1897")
    position = rules.opening()
    (placing,) = rules.status_notes(position, "England")
    assert "until Winter 1899 it builds only there" in placing and "by lot" in placing
    chosen = msgspec.structs.replace(
        position,
        turn=Turn.parse("Spring 1899 Movement"),
        slices={"chosen_homes": {"initial": {"England": "lvp"}}},
        owners={"lvp": "England", "nwy": "England"},
    )
    assert rules.status_notes(chosen, "England") == ("Until Winter 1899, England builds only in Liverpool.",)
    assert rules.status_notes(chosen, "France") == ()
    fixing = msgspec.structs.replace(chosen, turn=Turn.parse("Winter 1899 Adjustments"))
    (fixed,) = rules.status_notes(fixing, "England")
    assert fixed.startswith("England has these homes for the rest of the game: ")
    assert "Liverpool" in fixed and "Norway" in fixed and rules.status_notes(fixing, "France") == ()
    after = {**chosen.slices["chosen_homes"], "homes": {"England": ["lvp", "nwy"]}}
    later = msgspec.structs.replace(fixing, turn=Turn.parse("Spring 1900 Movement"), slices={"chosen_homes": after})
    assert rules.status_notes(later, "England") == ()


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        ("Crown A london - surrey", "Hamilton orders A london - surrey"),
        ("A deptf H", "Hamilton sent no order for it, so the unit holds"),
    ],
)
def test_a_grant_is_told_by_what_its_commander_ordered(sent: str, reason: str) -> None:
    rules = load("three-kingdoms")
    units = (Unit("A", "london", "Crown"), Unit("A", "deptf", "Hamilton"))
    position = Position(Turn.parse("Spring 1643 Movement"), units, owners={"london": "Crown"})
    orders, errors = rules.reader.orders(sent, position.turn.phase, "Hamilton", position)
    assert errors == []
    sheets = [Sheet("Crown", (Proxy("A", "london", "Hamilton"),)), Sheet("Hamilton", tuple(orders))]
    [verdict] = [v for v in resolve(rules, position, sheets).verdicts if isinstance(v.order, Proxy)]
    assert verdict.cause is not None and verdict.cause.reason == reason, write(verdict.order)
