"""``python -m bench.maps``: how fast maps are drawn and how large they are: a crowded turn of every variant with all
its orders; whole, and in layers for pages."""

import argparse
import gzip
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from shapely import MultiPoint, Point, Polygon, STRtree, unary_union

from legation.atlas import for_variant
from legation.atlas.chart import SMALLER
from legation.atlas.grow.labels import lay_out
from legation.atlas.pictures import pdf, png
from legation.atlas.position_drawing import Look, PositionDrawing
from legation.atlas.sites import UNIT_ON_PAGE, UNIT_R
from legation.board import province_of
from legation.bots import bot
from legation.bots.matches import match, random_game
from legation.judge import Outcome, Resolution, Ruleset
from legation.orders import Move
from legation.position import Phase
from legation.variants import load, names

TURNS, HAIRLINE = 40, 0.6
PATH, POINT = re.compile(r' d="([-MLQZ.\d ]+)"'), re.compile(r"(-?[\d.]+) (-?[\d.]+)")


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


def covering(name: str) -> str:
    """The row of a variant: how many arrowheads there are, and how many cover a name, cover a unit, or lie outside
    their province."""
    rules, atlas, play = load(name), for_variant(name), bot("dumbbot")
    numbers, geometry = {power: i for i, power in enumerate(atlas.colors)}, atlas.geometry
    lettering = STRtree([Polygon(box).buffer(-HAIRLINE) for label in atlas.labels.values() for box in label.boxes])
    heads = upon_names = upon_units = outside = 0
    for turn in match(rules, dict.fromkeys(rules.powers, play), "heads", TURNS):
        before = turn.before
        canvas = PositionDrawing(atlas.drawing, before, turn.verdicts, numbers, Look()).canvas
        places = [(u.province, geometry.place_of(u.at), canvas.radius(u.at)) for u in before.units]
        places += [(d.unit.province, canvas.dislodged_place(d.unit.at), UNIT_R * SMALLER) for d in before.dislodged]
        units = [(province, Point(place).buffer(radius - HAIRLINE)) for province, place, radius in places]
        for text in canvas.heads:
            verdict = turn.verdicts[int(text.split('data-order="')[1].split('"')[0])]
            at, to = (province_of(getattr(verdict.order, place, None) or "") for place in ("at", "to"))
            drawn = [POINT.findall(path) for path in PATH.findall(text)]
            head = unary_union([MultiPoint([(float(x), float(y)) for x, y in path]).convex_hull for path in drawn])
            if head.is_empty:  # waves beside a fleet
                continue
            heads += 1
            upon_names += bool(lettering.query(head, "intersects").size)
            upon_units += any(unit.intersects(head) for province, unit in units if province != at)
            if isinstance(verdict.order, Move) and verdict.outcome is Outcome.SUCCEEDS:
                near = head.distance(Point(geometry.place_of(verdict.order.to))) < UNIT_ON_PAGE + 2.5
                outside += not near and not geometry.contains(to, head.centroid.x, head.centroid.y)
    return f"{name:<16}{heads:>8}{upon_names:>8}{upon_units:>8}{outside:>8}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.maps", description=__doc__)
    parser.add_argument("--heads", action="store_true", help="count what heads of arrows cover")
    if parser.parse_args().heads:
        print(f"{'variant':<16}{'heads':>8}{'names':>8}{'units':>8}{'outside':>8}")
        for name in names():
            print(covering(name), flush=True)
        return
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
