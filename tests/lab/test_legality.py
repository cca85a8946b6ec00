"""No level of the tactician ever orders what is illegal, in any phase of any variant; a command plays as many games as
wanted:

``python -m tests.lab.test_legality --games 1000``.
"""

from __future__ import annotations

import argparse

import pytest

pytest.importorskip("numba", reason="the lab needs its extra")

from legation.bots.seats import Table
from legation.game import Game
from legation.variants import load, names


def lost_moves(variant: str, games: int, turns: int, name: str, seed: str = "legal") -> list[str]:
    """Play games with the same bot in all seats, each sheet read by the judge's rules; return why moves were lost."""
    rules = load(variant)
    reasons: list[str] = []
    for number in range(games):
        game = Game(rules, seed=f"{seed}: {number}")
        with Table(rules, dict.fromkeys(rules.powers, name)) as table:
            while game.ending is None and len(game.turns) < turns:
                game.play(table.sheets(game.position, game.seed))
        reasons += [f"game {number}, {power}, {why}" for power, why in table.reasons.items()]
    return reasons


@pytest.mark.usefixtures("games_compiled")
@pytest.mark.parametrize("variant", names())
def test_nothing_illegal_is_ordered(variant: str) -> None:
    assert lost_moves(variant, 12, 12, "easy") == []
    assert lost_moves(variant, 1, 5, "hard") == []


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.lab.test_legality", description=__doc__)
    parser.add_argument("variants", nargs="*")
    parser.add_argument("--bot", default="hard")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--turns", type=int, default=300)
    given = parser.parse_args()
    for variant in given.variants or names():
        reasons = lost_moves(variant, given.games, given.turns, given.bot)
        print(
            f"{variant}: {given.games} games of {given.bot}, {len(reasons)} seats lost a move", *reasons[:5], flush=True
        )


if __name__ == "__main__":
    main()
