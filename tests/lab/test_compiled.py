"""The compiled core gives what the interpreted one gives, on every variant, circles, ferries, stranded armies and other
readings included; what a batch cannot carry is refused."""

from __future__ import annotations

import select
import subprocess
import sys
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from legation.judge.core import MovementProblem
from legation.judge.movement import Movement
from legation.variants import load, names
from tests.judge.positions import convoy_position, ferry_position, random_position, readings_by_chance, turn_of

pytest.importorskip("numba", reason="the compiled core needs the extra 'lab'")

WAITS = """
from legation.lab.compiled import compiling_alone
print("waits", flush=True)
with compiling_alone():
    print("compiles", flush=True)
"""
MAKERS = (random_position, convoy_position)


def turns_of(variant: str, seeds: range) -> list[Movement]:
    """Turns on a variant's board, each as the interpreted core decided it, and with readings drawn by lot."""
    found = []
    plain = load(variant)
    for seed in seeds:
        for make in (*MAKERS, *([ferry_position] if plain.options.get("ferry") is True else [])):
            rules = plain if seed % 3 else load(variant, readings_by_chance(plain, Random(seed)))
            units = make(rules.board, list(rules.powers), seed)
            found.append(Movement(rules, *turn_of(rules, units)))
    return found


@pytest.mark.parametrize("variant", names())
@pytest.mark.usefixtures("games_compiled")
def test_compiled_and_interpreted_core_agree(variant: str) -> None:
    from legation.lab.compiled import batch_of, resolve_batch

    movements = turns_of(variant, range(60))
    found = resolve_batch(batch_of([movement.matching.problem() for movement in movements]))
    for row, movement in zip(found, movements, strict=True):
        decided = movement.problem
        assert list(row[: decided.n]) == list(decided.moves)
    assert sum(bool(movement.problem.work) for movement in movements) > 2, "no circle that bounds do not decide"
    if variant == "1000ad":
        assert sum(bool(movement.matching.stranded) for movement in movements) > 5
        assert sum(len(movement.matching.carried) > len(movement.matching.stranded) for movement in movements) > 5


@pytest.mark.long
def test_a_batch_is_laid_out_as_the_interpreted_core_has_it() -> None:
    """The compiled function's own code, with the interpreted core around it: each turn begins where nothing of the one
    before is left. Where what takes longest is left out, this is the one test that compiles the core alone."""
    from legation.lab.compiled import batch_of, resolve_batch
    from legation.lab.movement import resolve_movements

    batch = batch_of([movement.matching.problem() for movement in turns_of("1000ad", range(8))])
    moves, found = resolve_batch(batch, resolve_movements), resolve_batch(batch)
    assert all(list(a[:n]) == list(b[:n]) for a, b, n in zip(moves, found, batch.counts, strict=True))


def test_what_a_batch_cannot_carry_is_refused() -> None:
    from legation.lab.compiled import BatchError, batch_of

    [first, *_] = turns_of("standard", range(1))
    [other, *_] = turns_of("1000ad", range(1))
    plain: MovementProblem = first.matching.problem()
    occupied = list(plain.occupant)
    occupied[plain.place[0]] = -1
    refused = {
        "needs a problem": [],
        "problem 1 is played on another board": [plain, other.matching.problem()],
        "problem 1 is linked or decided already": [plain, first.problem],
        "problem 0 is linked or decided": [replace(plain, occupant=occupied)],
        "problem 0 has strengths beyond": [replace(plain, force=[2**40] * plain.n)],
    }
    for message, problems in refused.items():
        with pytest.raises(BatchError, match=message):
            batch_of(problems)
    for field in ("low", "high", "broken", "needed", "mark", "seen", "limited", "moves", "into_head"):
        changed: dict[str, Any] = {field: [7, *getattr(plain, field)[1:]]}
        with pytest.raises(BatchError):
            batch_of([replace(plain, **changed)])


def test_two_processes_do_not_compile_the_same() -> None:
    from legation.lab.compiled import compiling_alone

    with compiling_alone():
        other = subprocess.Popen([sys.executable, "-c", WAITS], stdout=subprocess.PIPE, text=True)
        assert other.stdout is not None and other.stdout.readline() == "waits\n"
        assert not select.select([other.stdout], [], [], 0.3)[0], "it waits until this one is done"
    assert other.communicate()[0] == "compiles\n"
