"""``python -m bench``: how fast Legation is, and how that compares to the ``diplomacy`` package in the same run.

Positions are made with a fixed seed by random play on the standard board, with supports and convoys that fit moves. The
reference runs in an environment of its own (``.bench``), on the same positions and orders. Ratios are what counts;
times depend on the machine. All are processor time, so that what else the machine does changes them little.
"""

import argparse
import gc
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from legation.bots import BOTS
from legation.bots.chance import plausible_sheets
from legation.bots.matches import match, random_game
from legation.game import adjudicate, position_document
from legation.judge import Ruleset, legal_orders, resolve
from legation.judge.movement import Movement
from legation.notation import write
from legation.orders import Sheet
from legation.position import Phase, Position
from legation.variants import load

RATIOS = {"turn, typed": 7.0, "turn, from text": 12.0, "legal orders": 10.0, "JSONL end to end": 12.0}
"""So many times as fast as the reference is what we want to be."""
MOST = {"legal orders, 97 units": 5e-3, "legal orders, compiled": 20e-6, "legation --help": 60e-3}
"""So many seconds at the most."""
LEAST = {
    "random turn, standard": 25_000,
    "random turn, hundred": 40_000,
    "random turn, 1000ad": 4_000,
    "random turn, three-kingdoms": 2_500,
    "DumbBot turn, compiled": 3_000,
}
"""So many a second at the least."""
HERE = Path(__file__).parent
TURNS = 400
UNITS = range(24, 33)


def positions(rules: Ruleset) -> list[tuple[Position, list[Sheet]]]:
    """Movement turns with about 28 units, each with fitting orders."""
    found: list[tuple[Position, list[Sheet]]] = []
    seed = 0
    while len(found) < TURNS:
        seed += 1
        for resolution in random_game(rules, seed, 60):
            before = resolution.before
            if before.turn.phase is Phase.MOVEMENT and len(before.units) in UNITS:
                found.append((before, plausible_sheets(rules, before, Random(seed))))
    return found[:TURNS]


def crowded(rules: Ruleset, least: int) -> list[Position]:
    """The most crowded movement turns of three random games that have at least so many units."""
    played = [r.before for seed in range(3) for r in random_game(rules, seed, 40)]
    turns = [p for p in played if p.turn.phase is Phase.MOVEMENT and len(p.units) >= least]
    return sorted(turns, key=lambda p: len(p.units))[:20]


def crowded_by_bots(rules: Ruleset, turns: int = 40) -> Position:
    """The most crowded movement turn of a game of DumbBots, among its first turns."""
    played = [r.before for r in match(rules, dict.fromkeys(rules.powers, BOTS["dumbbot"]), "crowded", turns)]
    return max((p for p in played if p.turn.phase is Phase.MOVEMENT), key=lambda p: len(p.units))


def median(action: Callable[[int], object], count: int) -> float:
    """The median time of ``action(i)``, in seconds, after a warm-up."""
    for i in range(min(count, 50)):
        action(i)
    times = []
    for i in range(count):
        start = time.process_time()
        action(i)
        times.append(time.process_time() - start)
    return statistics.median(times)


def listing(rules: Ruleset, positions: Sequence[Position]) -> float:
    """The median time of a list of legal orders, in seconds."""
    return median(lambda i: legal_orders(rules, positions[i]), len(positions))


def work_of(*command: str) -> float:
    """The processor time of a command, in seconds; its modules are compiled to bytecode once, as installed ones are."""
    compiling = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=compiling)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def command_time(*command: str) -> float:
    """The median of its processor time, in seconds."""
    return statistics.median(work_of(*command) for _ in range(7))


def reference(turns: Sequence[dict[str, object]]) -> dict[str, float] | None:
    """The same turns through the ``diplomacy`` package; None when it cannot be installed."""
    root = Path(".bench")
    python = root / "bin" / "python"
    try:
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", str(root)], check=True, capture_output=True)
        if subprocess.run([python, "-c", "import diplomacy"], capture_output=True).returncode:
            subprocess.run([python, "-m", "pip", "install", "-q", "diplomacy"], check=True, capture_output=True)
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(turns, file)
            file.flush()
            done = subprocess.run(
                [python, HERE / "reference.py", file.name], check=True, capture_output=True, text=True
            )
        return dict(json.loads(done.stdout.splitlines()[-1]))
    except (subprocess.CalledProcessError, OSError, ValueError) as error:
        print(f"the reference could not be run: {error}", file=sys.stderr)
        return None


def main() -> None:
    """Measure and print."""
    argparse.ArgumentParser(prog="python -m bench", description=__doc__).parse_args()
    rules = load("standard")
    turns = positions(rules)
    documents = []
    for position, sheets in turns:
        document = position_document(rules, position)
        document["orders"] = {s.power: [write(o) for o in s.orders] for s in sheets}
        documents.append(document)
    gc.collect()
    gc.freeze()  # the positions that wait here are no part of what is measured
    units = statistics.mean(len(p.units) for p, _ in turns)
    print(f"{len(turns)} movement turns of the standard board, {units:.1f} units on average\n")
    measured: dict[str, float] = {}
    measured["turn, typed"] = median(lambda i: resolve(rules, *turns[i]), len(turns))
    measured["turn, from text"] = median(lambda i: adjudicate(documents[i]), len(turns))
    measured["legal orders"] = listing(rules, [position for position, _ in turns])
    for name, units in (("1000ad", 75), ("three-kingdoms", 75), ("hundred", 13)):
        board = load(name)
        measured[f"legal orders, {name}"] = listing(board, crowded(board, units))
    bots(turns, rules, measured)
    board = load("1000ad")
    full_board = crowded_by_bots(board)
    print(f"the crowded position of 1000ad, after DumbBots, has {len(full_board.units)} units")
    measured["legal orders, 97 units"] = median(lambda _: legal_orders(board, full_board), 20)
    measured["core only, interpreted"] = median(lambda i: Movement(rules, *turns[i]), len(turns))
    with tempfile.NamedTemporaryFile("wb", suffix=".jsonl") as file:
        for _ in range(20):
            for document in documents:
                file.write(json.dumps(document).encode() + b"\n")
        file.flush()
        work_of(sys.executable, "-m", "legation", "adjudicate", "--jsonl", "/dev/null")  # compiles the modules
        work = work_of(sys.executable, "-m", "legation", "adjudicate", "--jsonl", file.name)
        measured["JSONL end to end"] = work / (20 * len(documents))
    measured["legation --help"] = command_time(sys.executable, "-m", "legation", "--help")
    measured["Python with legation"] = command_time(sys.executable, "-c", "import legation")
    dense(turns, rules, measured)
    other = reference(documents) or {}
    print(f"{'what':<30}{'time':>12}{'a second':>14}{'diplomacy':>13}{'ratio':>8}  wanted")
    for name, seconds in measured.items():
        beside = other.get(name)
        ratio = f"{beside / seconds:7.1f}x" if beside else ""
        shown = f"{beside * 1e3:9.3f} ms" if beside else ""
        print(
            f"{name:<30}{seconds * 1e3:9.4f} ms{1 / seconds:14,.0f}{shown:>13}{ratio:>8}  {bar(name, seconds, beside)}"
        )


def bar(name: str, seconds: float, beside: float | None) -> str:
    """What is wanted of a measurement, and whether it is so."""
    if name in RATIOS:
        met = beside is not None and beside / seconds >= RATIOS[name]
        return f"{RATIOS[name]:g}x: {'met' if met else 'missed' if beside else 'not compared'}"
    if name in MOST:
        return f"{MOST[name] * 1e3:g} ms: {'met' if seconds <= MOST[name] else 'missed'}"
    if name in LEAST:
        return f"{LEAST[name]:,} a second: {'met' if 1 / seconds >= LEAST[name] else 'missed'}"
    return ""


def bots(turns: Sequence[tuple[Position, list[Sheet]]], rules: Ruleset, measured: dict[str, float]) -> None:
    """One power's sheet by DumbBot, on the standard board and on the largest."""
    play = BOTS["dumbbot"]
    powers = list(rules.powers)
    measured["sheet by DumbBot"] = median(
        lambda i: play(rules, turns[i][0], powers[i % len(powers)], Random(i)), len(turns)
    )
    large = load("three-kingdoms")
    others = [r.before for r in random_game(large, 1, 60) if r.before.turn.phase is Phase.MOVEMENT]
    powers = list(large.powers)
    measured["the same, 410 provinces"] = median(
        lambda i: play(large, others[i // 10], powers[i % 10], Random(i)), 10 * len(others)
    )


def dense(turns: Sequence[tuple[Position, list[Sheet]]], rules: Ruleset, measured: dict[str, float]) -> None:
    """Whole games in the dense form: random self-play with legal orders drawn, all phases; the legal orders alone."""
    import numpy as np

    from legation.lab.dense.layout import DUMB
    from legation.lab.games import Games

    start = time.perf_counter()
    one = Games(rules, ["warm"])
    one.play_by_chance(1)
    print(
        f"dense games ready in {time.perf_counter() - start:.1f} s (once a process; the first time they are compiled)"
    )
    for name, count in (("standard", 200), ("hundred", 400), ("1000ad", 60), ("three-kingdoms", 30)):
        games = Games(load(name), [f"{name}: {number}" for number in range(count)])
        games.play_by_chance(1)
        start = time.process_time()
        games.play_by_chance(200)
        measured[f"random turn, {name}"] = (time.process_time() - start) / (games.turns_played - count)
    played = Games(rules, [f"bots {number}" for number in range(60)])
    seats = np.full((60, len(rules.powers)), DUMB)
    for _ in played.play_seats(seats, 1):
        pass
    before = played.turns_played
    start = time.process_time()
    for _ in played.play_seats(seats, 200):
        pass
    measured["DumbBot turn, compiled"] = (time.process_time() - start) / (played.turns_played - before)
    board = Games(rules, ["1"] * len(turns))
    for g, (position, _) in enumerate(turns):
        board.set_position(g, position)
    start = time.process_time()
    for _ in range(10):
        for g in range(len(turns)):
            board.call("list_movement", g)
    measured["legal orders, compiled"] = (time.process_time() - start) / (10 * len(turns))


if __name__ == "__main__":
    main()
