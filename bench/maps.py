"""``python -m bench.maps``: how fast maps are drawn, and how large they are: a crowded turn of every variant with all
its orders."""

from __future__ import annotations

import argparse
import gzip
import time

from legation.atlas import Atlas
from legation.atlas.pictures import pdf, png
from legation.atlas.shapes import read_shapes
from legation.judge import Resolution, Ruleset
from legation.lab.matches import random_game
from legation.position import Phase
from legation.variants import board_folder, load, names, variant_facts


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


def main() -> None:
    """Measure and print."""
    argparse.ArgumentParser(prog="python -m bench.maps", description=__doc__).parse_args()
    print(
        f"{'variant':<16}{'orders':>7}{'board':>9}{'SVG':>10}{'size':>9}{'gzip':>9}{'PNG':>9}{'PDF first':>11}{'PDF':>9}"
    )
    for name in names():
        rules = load(name)
        folder = board_folder(variant_facts(name)["board"])
        shapes = read_shapes(folder)
        assert shapes is not None
        turn = crowded(rules)
        start = time.perf_counter()
        atlas = Atlas(rules.board, shapes, tuple(rules.powers.values()))
        ready = time.perf_counter() - start
        svg = atlas.svg(turn.before, turn.verdicts)
        static = atlas.svg(turn.before, turn.verdicts, interactive=False)
        drawn = clock(lambda a=atlas, t=turn: a.svg(t.before, t.verdicts), 20)
        pixels = clock(lambda s=static: png(s), 3)
        start = time.perf_counter()
        pdf(static)
        first = time.perf_counter() - start
        page = clock(lambda s=static: pdf(s), 3)
        print(
            f"{name:<16}{len(turn.verdicts):>7}{ready:>7.2f} s{drawn * 1e3:>7.1f} ms{len(svg) / 1e3:>6.0f} kB"
            f"{len(gzip.compress(svg.encode())) / 1e3:>6.0f} kB{pixels:>7.2f} s{first:>9.2f} s{page:>7.2f} s"
        )


if __name__ == "__main__":
    main()
