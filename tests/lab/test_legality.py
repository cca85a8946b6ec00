"""The tactician never orders what is illegal, in any phase of any variant; a command plays as many games as wanted:

``python -m tests.lab.test_legality --games 1000``.

With ``--by-chance`` each sheet is read and thrown away, and the game goes on by chance: positions come that bots who
play well never reach, and many more of them in the same time. How long it searches decides which legal orders it
finds, and nothing else; with ``--seconds 0.001`` the same code is asked far more often."""

import argparse
from random import Random

import pytest

pytest.importorskip("numba", reason="the lab needs its extra")

from legation.bots.chance import plausible_sheets
from legation.bots.seats import refuse_illegal
from legation.game import Game
from legation.lab.tactician import SECONDS, choose
from legation.variants import load, names


def lost_moves(variant: str, games: int, turns: int, seconds: float, *, by_chance: bool = False) -> list[str]:
    """Ask the tactician in all seats, each sheet read by the judge's rules; return why moves were lost.

    The games go on with its sheets, or (``by_chance``) with orders drawn from the legal ones."""
    rules = load(variant)
    reasons: list[str] = []
    for number in range(games):
        game = Game(rules, seed=f"legal: {number}")
        while game.ending is None and len(game.turns) < turns:
            sheets = []
            for power in rules.powers:
                turn = f"{number}: {len(game.turns)}: {power}"
                view = rules.seen(game.position, power)
                sheets.append(choose(rules, view, power, Random(turn), seconds))
                try:
                    refuse_illegal(rules, game.position, sheets[-1])
                except ValueError as error:
                    reasons.append(f"{turn}: {error}")
            game.play(plausible_sheets(rules, game.position, Random(turn)) if by_chance else sheets)
    return reasons


@pytest.mark.usefixtures("games_compiled")
@pytest.mark.parametrize("variant", names())
def test_nothing_illegal_is_ordered(variant: str) -> None:
    """Of each variant about as many sheets are asked for: where many powers play, the games are fewer and shorter."""
    powers = len(load(variant).powers)
    assert lost_moves(variant, min(6, 42 // powers), 12, 0.001) == []
    assert lost_moves(variant, 1, min(4, 28 // powers), 0.2) == []
    assert lost_moves(variant, 1, 12, 0.001, by_chance=True) == []


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.lab.test_legality", description=__doc__)
    parser.add_argument("variants", nargs="*")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--turns", type=int, default=300)
    parser.add_argument("--by-chance", action="store_true", help="let the games go on by chance")
    given = parser.parse_args()
    for variant in given.variants or names():
        reasons = lost_moves(variant, given.games, given.turns, given.seconds, by_chance=given.by_chance)
        print(f"{variant}: {given.games} games, {len(reasons)} moves were lost", *reasons[:5], flush=True)


if __name__ == "__main__":
    main()
