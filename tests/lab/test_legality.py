"""No level of the tactician ever orders what is illegal, in any phase of any variant; a command plays as many games as
wanted:

``python -m tests.lab.test_legality --games 1000``.

With ``--by-chance`` each sheet is read and thrown away, and the game goes on by chance: positions come that bots who
play well never reach, and many more of them in the same time. How long a level searches decides which legal orders it
finds, and nothing else; ``--bot easy`` asks the same code a hundred times as often.
"""

from __future__ import annotations

import argparse
from random import Random

import pytest

pytest.importorskip("numba", reason="the lab needs its extra")

from legation.bots.chance import plausible_sheets
from legation.bots.seats import BotSeats
from legation.game import Game
from legation.variants import load, names


def lost_moves(variant: str, games: int, turns: int, name: str, *, by_chance: bool = False) -> list[str]:
    """Ask the same bot in all seats, each sheet read by the judge's rules; return why moves were lost.

    The games go on with its sheets, or (``by_chance``) with orders drawn from the legal ones.
    """
    rules = load(variant)
    reasons: list[str] = []
    for number in range(games):
        game = Game(rules, seed=f"legal: {number}")
        with BotSeats(rules, dict.fromkeys(rules.powers, name)) as table:
            while game.ending is None and len(game.turns) < turns:
                sheets = table.sheets(game.position, game.seed)
                if by_chance:
                    sheets = plausible_sheets(rules, game.position, Random(f"{number}: {len(game.turns)}"))
                game.play(sheets)
        reasons += [f"game {number}, {power}, {why}" for power, why in table.reasons.items()]
    return reasons


@pytest.mark.usefixtures("games_compiled")
@pytest.mark.parametrize("variant", names())
def test_nothing_illegal_is_ordered(variant: str) -> None:
    """Of each variant about as many sheets are asked for: where many powers play, the games are fewer and shorter."""
    powers = len(load(variant).powers)
    assert lost_moves(variant, min(6, 42 // powers), 12, "easy") == []
    assert lost_moves(variant, 1, min(4, 28 // powers), "hard") == []
    assert lost_moves(variant, 1, 12, "easy", by_chance=True) == []


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.lab.test_legality", description=__doc__)
    parser.add_argument("variants", nargs="*")
    parser.add_argument("--bot", default="hard")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--turns", type=int, default=300)
    parser.add_argument("--by-chance", action="store_true", help="let the games go on by chance")
    given = parser.parse_args()
    for variant in given.variants or names():
        reasons = lost_moves(variant, given.games, given.turns, given.bot, by_chance=given.by_chance)
        print(
            f"{variant}: {given.games} games of {given.bot}, {len(reasons)} seats lost a move", *reasons[:5], flush=True
        )


if __name__ == "__main__":
    main()
