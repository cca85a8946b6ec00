"""``python -m bench.maps``: how fast maps are drawn and how large they are: a crowded turn of every variant with all
its orders; whole, and in layers for pages."""

from __future__ import annotations

import argparse
import gzip
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from legation.atlas import for_variant
from legation.atlas.grow.layout import lay_out
from legation.atlas.pictures import pdf, png
from legation.bots.matches import random_game
from legation.judge import Resolution, Ruleset
from legation.position import Phase
from legation.variants import load, names


def crowded(rules: Ruleset) -> Resolution:
    """Of a random game, the movement turn with most orders."""
    turns = [r for r in random_game(rules, 1, 25) if r.before.turn.phase is Phase.MOVEMENT]
    return max(turns, key=lambda r: len(r.verdicts))


def clock(action: object, count: int) -> float:
    """The best time of a call, in seconds."""
    assert callable(action)
    best = float("inf")
    for _ in range(count):
        start = time.perf_counter()
        action()
        best = min(best, time.perf_counter() - start)
    return best


def cold(variant: str) -> None:
    """``legation map`` in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        target = str(Path(folder) / "map.svg")
        subprocess.run(
            [sys.executable, "-m", "legation", "map", variant, "-o", target], check=True, capture_output=True
        )


def packed(text: str) -> float:
    """Its size in kB, compressed."""
    return len(gzip.compress(text.encode())) / 1e3


def measure(name: str) -> str:
    """One row of the table."""
    rules = load(name)
    turn = crowded(rules)
    start = time.perf_counter()
    atlas = for_variant(name)
    ready = time.perf_counter() - start
    laid = clock(lambda: lay_out(rules.board, atlas.geometry.shapes), 1)
    svg = atlas.svg(turn.before, turn.verdicts)
    static = atlas.svg(turn.before, turn.verdicts, interactive=False)
    drawn = clock(lambda: atlas.svg(turn.before, turn.verdicts), 20)
    board, state = atlas.board_layer(), atlas.state_layer(turn.before, turn.verdicts)
    layered = clock(lambda: atlas.state_layer(turn.before, turn.verdicts), 20)
    return (
        f"{name:<16}{len(turn.verdicts):>6}{clock(lambda: cold(name), 3):>8.2f}{laid:>8.2f}{ready:>8.2f}"
        f"{drawn * 1e3:>7.1f}{len(svg) / 1e3:>7.0f}{packed(svg):>7.0f}"
        f"{packed(board.svg + board.style + board.geometry):>8.0f}{layered * 1e3:>7.1f}{packed(state):>7.1f}"
        f"{clock(lambda: png(static), 3):>7.2f}{clock(lambda: pdf(static), 3):>7.2f}"
    )


def main() -> None:
    """Measure and print."""
    argparse.ArgumentParser(prog="python -m bench.maps", description=__doc__).parse_args()
    print(
        "cold: the command, s; lay out: what is kept beside the board, s; ready: an atlas, s;\n"
        "svg: a whole map, ms, kB, and kB compressed; board: the layer that never changes, kB compressed;\n"
        "state: the layer of the turn, ms, and kB compressed; png, pdf: s\n"
    )
    print(
        f"{'variant':<16}{'orders':>6}{'cold':>8}{'lay out':>8}{'ready':>8}{'svg':>7}{'kB':>7}{'gz':>7}{'board':>8}"
        f"{'state':>7}{'gz':>7}{'png':>7}{'pdf':>7}"
    )
    for name in names():
        print(measure(name))


if __name__ == "__main__":
    main()
