"""Dense games and the judge decide alike, phase by phase, on every variant; a command compares as many turns as wanted:

``python -m tests.lab.test_dense --turns 20000``."""

import argparse
from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from legation.judge import DenseForm, Ending, Rule, Ruleset, legal_orders, resolve
from legation.orders import Build, Order, Sheet
from legation.position import Phase, Position, Unit
from legation.rules.build_anywhere import BuildAnywhere
from legation.variants import load, names

pytest.importorskip("numba", reason="dense games need the extra 'lab'")

import numpy as np

from legation.lab.dense.layout import DUMB, RANDOM_MOVER
from legation.lab.dense.tables import NoDenseFormError, turns_of, why_interpreted
from legation.lab.games import Games
from tests.rules.mixes import mixed

NOT_DENSE = frozenset({"Proxy", "Send"})  # orders that dense games never give


def facts(position: Position) -> tuple[object, ...]:
    """Everything in a position, in an order of its own."""
    units = sorted((unit.power, unit.kind, unit.at) for unit in position.units)
    out = sorted((d.unit.power, d.unit.kind, d.unit.at, d.attacker_from or "") for d in position.dislodged)
    return position.turn, units, out, position.contested, dict(position.owners), plain(position.slices)


def plain(kept: Any) -> Any:
    """A slice with its lists sorted: in which order powers or centers came to be listed isn't part of a position."""
    if isinstance(kept, Mapping):
        return {key: plain(value) for key, value in kept.items()}
    return sorted(kept) if isinstance(kept, list | tuple) else kept


def named(ending: Ending | None) -> tuple[object, ...] | None:
    return None if ending is None else (ending.kind, ending.powers)


def order_by_chance(games: Games) -> int:
    """Draw the next orders of all powers in the first game; return how many."""
    return games.order_seats(0, np.full((len(games), games.tables.powers), RANDOM_MOVER))


def compare(rules: Ruleset, turns: int, seed: str, *, interpreted: bool = False, idle: bool = False) -> Counter[str]:
    """Play random games in both forms and hold them against each other after every phase; what was met on the way.

    With ``idle`` nobody orders builds or removals."""
    met: Counter[str] = Counter()
    number = 0
    while met["turns"] < turns:
        number += 1
        games = Games(rules, [f"{seed}: {number}"], interpreted=interpreted)
        for _ in range(120):
            before = games.position(0)
            away = idle and before.turn.phase is Phase.ADJUSTMENTS
            ordered = 0 if away else order_by_chance(games)
            sheets = games.sheets(0, ordered)
            compare_lists(rules, before, games)
            resolution = resolve(rules, before, sheets, "a seed")
            games.play_turn(0, ordered)
            after = games.position(0)
            assert facts(after) == facts(resolution.after), f"{before.turn} of game {number}"
            assert named(games.ending(0)) == named(resolution.ending), f"{before.turn} of game {number}"
            met["turns"] += 1
            met[before.turn.phase.value] += 1
            met["dislodged"] += len(after.dislodged)
            met.update(f"{type(v.order).__name__} {v.outcome.value}" for v in resolution.verdicts)
            met.update(v.cause.kind for v in resolution.verdicts if v.cause is not None)
            met.update(f"kept by {key}" for key, kept in after.slices.items() if kept)
            if resolution.ending is not None:
                met[resolution.ending.kind] += 1
            if games.ended(0) or met["turns"] == turns:
                break
    return met


def compare_lists(rules: Ruleset, position: Position, games: Games) -> None:
    """The legal orders are the judge's."""
    if position.turn.phase not in (Phase.MOVEMENT, Phase.RETREATS):
        return
    chosen = games.scratch.chosen.copy()
    dense = games.legal(0)
    games.scratch.chosen[:] = chosen
    for power, orders in legal_orders(rules, position).items():
        wanted: set[Order] = {order for order in orders if type(order).__name__ not in NOT_DENSE}
        assert set(dense[power]) == wanted, f"{power} in {position.turn}"
        assert len(dense[power]) == len(wanted)


@pytest.mark.parametrize("variant", names())
@pytest.mark.usefixtures("games_compiled")
def test_dense_games_are_the_judges(variant: str) -> None:
    met = compare(load(variant), 240, "a sample")
    assert met["Move succeeds"] > 100 and met["Move bounced"] > 20 and met["SupportMove cut"] > 0
    assert met["dislodged"] > 0 and met["Retreats"] > 0 and met["Adjustments"] > 0
    assert not met["Move illegal"] and not met["Build illegal"] and not met["Retreat illegal"]


@pytest.mark.long
def test_compiled_games_of_one_board_are_the_judges() -> None:
    """The one test that compiles dense games where those that take longest are left out."""
    met = compare(load("hundred"), 60, "compiled")
    assert met["Move bounced"] > 5 and met["dislodged"] > 0


@pytest.mark.parametrize("variant", ["hundred", "1897"])
def test_the_same_functions_run_interpreted(variant: str) -> None:
    compare(load(variant), 25, "interpreted", interpreted=True)


@pytest.mark.parametrize(
    "reading",
    [
        {"adjacent_convoy": "1971"},
        {"via_convoy_fallback": True},
        *({"convoy_paradox": rule, "multi_route_convoy": "any"} for rule in ("1971", "1982", "2000", "all hold")),
        {"convoyed_attack_cuts_own_target": True, "dislodged_bounces": "never"},
    ],
)
@pytest.mark.usefixtures("games_compiled")
def test_other_readings_are_the_judges(reading: dict[str, object]) -> None:
    compare(load("standard", reading), 80, "readings")


@pytest.mark.long
@pytest.mark.parametrize(
    ("variant", "reading"),
    [("standard", "2023"), ("standard", "2000"), ("standard", "1971"), ("hundred", "2023"), ("1000ad", "1971")],
)
def test_units_of_an_idle_power_are_removed_as_by_the_judge(variant: str, reading: str) -> None:
    """The reading \"lot\" is left out: the judge and dense games draw lots from seeds of their own."""
    rules = load(variant, {"civil_disorder": reading})
    assert compare(rules, 120, "idle", interpreted=True, idle=True)["civil disorder"]


@pytest.mark.parametrize("reading", ["1971", "2000"])
def test_distance_from_the_centers_of_the_moment_has_no_dense_form(
    monkeypatch: pytest.MonkeyPatch, reading: str
) -> None:
    rules = load("hundred", {"civil_disorder": reading})
    assert why_interpreted(rules) == "build_anywhere has no dense form"
    monkeypatch.setattr(BuildAnywhere, "dense", lambda self, rules: DenseForm())
    with pytest.raises(AssertionError, match="Adjustments of game"):
        compare(rules, 120, "idle", interpreted=True, idle=True)


@pytest.mark.usefixtures("games_compiled")
def test_a_position_goes_in_and_comes_out() -> None:
    rules = load("three-kingdoms")
    games = Games(rules, ["one", "two"])
    games.play_by_chance(9)
    assert games.turns_played == 18
    games.set_position(1, games.position(0))
    assert facts(games.position(1)) == facts(games.position(0))


@pytest.mark.usefixtures("games_compiled")
def test_removals_that_nobody_orders_are_made_by_the_rule() -> None:
    """Where fewer are ordered than are due, as for a power in anarchy."""
    for variant in ("standard", "1000ad", "hundred"):
        rules = load(variant)
        seen = 0
        for number in range(40):
            games = Games(rules, [f"disorder {number}"])
            while not games.ended(0) and games.turns_played < 60:
                before = games.position(0)
                ordered = order_by_chance(games)
                if before.turn.phase is Phase.ADJUSTMENTS:
                    ordered = 0
                sheets: list[Sheet] = games.sheets(0, ordered)
                resolution = resolve(rules, before, sheets)
                games.play_turn(0, ordered)
                assert facts(games.position(0)) == facts(resolution.after)
                seen += any(v.cause is not None and v.cause.kind == "civil disorder" for v in resolution.verdicts)
            if seen > 3:
                break
        assert seen, variant


def test_there_is_room_for_what_is_built_before_others_remove() -> None:
    """For a moment more units stand than a game can ever have."""
    rules = load("standard")
    centers, powers = rules.board.centers, list(rules.powers)
    homes = {center: power for center, power in rules.start_owners.items() if power in powers[:4]}
    owners = {center: homes.get(center, powers[0]) for center in centers}
    land = [p.id for p in rules.board.provinces.values() if not p.sea and p.id not in homes]
    units = tuple(Unit("A", at, powers[4 + n % 3]) for n, at in enumerate(land[:34]))
    turn = next(t for t in turns_of(rules) if t.phase is Phase.ADJUSTMENTS)
    position = msgspec.structs.replace(rules.opening(), turn=turn, owners=owners, units=units)
    games = Games(rules, ["a seed"], interpreted=True)
    games.set_position(0, position)
    ordered = games.order_seats(0, np.full((1, len(powers)), DUMB))
    sheets = games.sheets(0, ordered)
    resolution = resolve(rules, position, sheets)
    games.play_turn(0, ordered)
    built = sum(isinstance(order, Build) for sheet in sheets for order in sheet.orders)
    assert len(units) + built > games.tables.width
    assert facts(games.position(0)) == facts(resolution.after)


class Fortress(Rule):
    """A rule that no table of a dense game tells of, whatever it says of itself."""

    key = "fortress"

    def refuses_dislodgement(self, rules: Ruleset, position: Position, unit: Unit) -> str | None:
        return "Paris is a fortress" if unit.at == "par" else None

    def dense(self, rules: Ruleset) -> DenseForm:
        return DenseForm()


def test_units_that_nobody_dislodges_have_no_dense_form() -> None:
    rules = mixed("standard", Fortress())
    assert why_interpreted(rules) == "a rule keeps units from being dislodged"


def test_a_rule_without_a_dense_form_is_told() -> None:
    rules = load("standard", {"hold_support_in_disorder": False})
    assert why_interpreted(rules) == "the option hold_support_in_disorder is off"
    with pytest.raises(NoDenseFormError, match="turn by turn: the option hold_support_in_disorder is off"):
        Games(rules, ["1"])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.lab.test_dense", description=__doc__)
    parser.add_argument("variants", nargs="*")
    parser.add_argument("--turns", type=int, default=20_000)
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    for variant in given.variants or names():
        met = compare(load(variant), given.turns, given.seed)
        told = ", ".join(f"{what} {count}" for what, count in sorted(met.items()))
        print(f"{variant}: {told}", flush=True)


if __name__ == "__main__":
    main()
