"""Whole random games of every variant: whatever is ordered, the rules hold.

Sheets mix legal orders with illegal ones, some are missing."""

from collections.abc import Iterable
from random import Random

import pytest

from legation.bots.chance import plausible_sheets
from legation.game import Game, replay, save_game
from legation.judge import Resolution, Ruleset
from legation.orders import Build, Disband, Hold, Move, Order, Remove, Retreat, Sheet, SupportHold, SupportMove
from legation.position import Phase, Position
from legation.variants import Registry, load, names
from tests.sampling import some


def wild_order(rules: Ruleset, phase: Phase, random: Random) -> Order:
    """An order of the phase with anything in it; nearly always illegal."""
    board = rules.board
    kind = random.choice(list(rules.kinds))
    a, b, c = (random.choice(board.locations) for _ in range(3))
    if phase is Phase.RETREATS:
        choices: list[Order] = [Retreat(kind, a, b), Disband(kind, a)]
    elif phase is not Phase.MOVEMENT:
        choices = [Build(kind, a), Remove(kind, a)]
    else:
        choices = [
            Hold(kind, a),
            Move(kind, a, b, via_convoy=random.random() < 0.3),
            SupportHold(kind, a, kind, b),
            SupportMove(kind, a, kind, b, c),
        ]
    return random.choice(choices)


def wild_sheets(rules: Ruleset, position: Position, random: Random) -> list[Sheet]:
    """Fitting sheets with illegal orders among them; now and then a sheet is missing or orders a foreign unit."""
    sheets = []
    for sheet in plausible_sheets(rules, position, random):
        if random.random() < 0.05:
            continue
        orders = list(sheet.orders)
        for _ in range(random.randrange(3)):
            orders.insert(random.randrange(len(orders) + 1), wild_order(rules, position.turn.phase, random))
        if position.units and position.turn.phase is Phase.MOVEMENT and random.random() < 0.3:
            foreign = random.choice(position.units)
            orders.append(Hold(foreign.kind, foreign.at))
        sheets.append(Sheet(sheet.power, tuple(orders)))
    return sheets


def check(rules: Ruleset, resolution: Resolution) -> None:
    """What must hold after every turn."""
    before, after = resolution.before, resolution.after
    provinces = [u.province for u in after.units]
    assert len(provinces) == len(set(provinces)), "two units in a province"
    for unit in (*after.units, *(d.unit for d in after.dislodged)):
        assert rules.board.stands(rules.kinds[unit.kind].travel, unit.at), f"{unit} cannot stand there"
    assert after.turn.phase is not Phase.RETREATS or after.dislodged
    assert after.turn.phase is Phase.RETREATS or not after.dislodged
    assert set(after.owners) <= set(rules.board.centers)
    for verdict in resolution.verdicts:
        assert verdict.explanation
    if before.turn.phase is Phase.ADJUSTMENTS:
        for power in rules.powers:
            assert rules.size(after, power) <= rules.limit(after, power), f"{power} has too many units"
    elif before.turn.phase is Phase.MOVEMENT:
        assert len(after.units) + len(resolution.dislodged) == len(before.units), "a unit is lost"


def play(rules: Ruleset, seed: int, turns: int, variants: Registry | None = None) -> None:
    """One random game, checked turn by turn and replayed from its record."""
    random = Random(seed)
    game = Game(rules, name=f"random {seed}", seed=f"seed {seed}")
    for _ in range(turns):
        resolution = game.play(wild_sheets(rules, game.position, random))
        check(rules, resolution)
        if resolution.ending is not None:
            break
    _, differences = replay(save_game(game), variants)
    assert differences == []


@pytest.mark.parametrize("seeds", [(0,), pytest.param((1, 2), marks=pytest.mark.long)], ids=["some", "rest"])
@pytest.mark.parametrize("name", some(names(), 3))
def test_random_games(name: str, seeds: Iterable[int]) -> None:
    rules = load(name)
    for seed in seeds:
        play(rules, seed, 40)
