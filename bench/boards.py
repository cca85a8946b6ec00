"""``python -m bench.boards``: what people wait for, on every board: the list of legal orders, the check of a sheet
while it is written, a saved game opened, and a map drawn by a process of its own.

Each time is processor time and stands beside its ratio to one row of the same run, the typed turn of the standard
board, so that runs of different machines can be compared.
"""

import argparse
import gc
import sys
import tempfile
from collections.abc import Sequence
from random import Random

import msgspec

from bench.__main__ import command_time, median
from legation.bots.chance import plausible_sheets
from legation.game import Game, check_sheet, load_game, save_game
from legation.judge import Ruleset, legal_orders, resolve
from legation.notation import write
from legation.position import Phase, Position
from legation.variants import load, names

TURNS = 40


def played(rules: Ruleset) -> tuple[Game, list[Position]]:
    """A game by chance of so many turns, and its ten most crowded movement turns; a game that ends goes on."""
    random = Random(1)
    game = Game(rules, seed="bench")
    turns = []
    while len(game.turns) < TURNS:
        if game.position.turn.phase is Phase.MOVEMENT:
            turns.append(game.position)
        game.play(plausible_sheets(rules, game.position, random))
        game.ending = None
    return game, sorted(turns, key=lambda p: len(p.units))[-10:]


def full_sheets(rules: Ruleset, turns: Sequence[Position]) -> list[tuple[Position, str, str]]:
    """For each turn the power with most units, and an order for each of them, as a text of lines."""
    found = []
    for position in turns:
        sheet = max(plausible_sheets(rules, position, Random(1)), key=lambda s: len(s.orders))
        found.append((position, sheet.power, "\n".join(map(write, sheet.orders))))
    return found


def times_of(
    rules: Ruleset, turns: Sequence[Position], sheets: Sequence[tuple[Position, str, str]], saved: bytes
) -> tuple[float, float, float]:
    """The times of a list of legal orders, of a sheet's check, and of opening a saved game, in seconds."""
    return (
        median(lambda i: legal_orders(rules, turns[i % len(turns)]), 40),
        median(lambda i: check_sheet(rules, *sheets[i % len(sheets)]), 40),
        median(lambda _: load_game(msgspec.json.decode(saved)), 10),
    )


def map_time(variant: str) -> float:
    """The time of ``legation map`` in a process of its own, in seconds."""
    with tempfile.TemporaryDirectory() as folder:
        return command_time(sys.executable, "-m", "legation", "map", variant, "-o", f"{folder}/map.svg")


def main() -> None:
    """Measure and print."""
    argparse.ArgumentParser(prog="python -m bench.boards", description=__doc__).parse_args()
    standard = load("standard")
    _, turns = played(standard)
    given = [(position, plausible_sheets(standard, position, Random(1))) for position in turns]
    gc.collect()
    gc.freeze()
    reference = median(lambda i: resolve(standard, *given[i % len(given)]), 300)
    print(
        f"reference row: a typed turn of the standard board with {len(turns[-1].units)} units, {reference * 1e3:.3f} ms"
    )
    print(f"the game has {TURNS} turns; in brackets how many typed turns it comes to\n")
    print(
        f"{'board':<16}{'units':>6}{'legal orders':>20}{'sheet':>6}{'check it':>20}{'open a game':>20}{'cold map':>20}"
    )
    for name in names():
        rules = load(name)
        game, turns = played(rules)
        sheets = full_sheets(rules, turns)
        saved = msgspec.json.encode(save_game(game))
        times = (*times_of(rules, turns, sheets, saved), map_time(name))
        shown = [f"{t * 1e3:9.2f} ms ({t / reference:5.0f})" for t in times]
        orders = max(text.count("\n") + 1 for *_, text in sheets)
        print(
            f"{name:<16}{len(turns[-1].units):>6}{shown[0]:>20}{orders:>6}{shown[1]:>20}{shown[2]:>20}{shown[3]:>20}",
            flush=True,
        )


if __name__ == "__main__":
    main()
