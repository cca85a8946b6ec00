"""How long it takes to send a sheet with its receipt, and to verify a game: ``python -m bench.proofs [TURNS]``.

All are processor time. The bars are those that the office promises: a sheet under 10 ms, a game of 40 turns under 2 s.
"""

import itertools
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from tests.office.playing import begin
from tests.proofs.building import Office as BuiltOffice
from tests.proofs.games import play
from tests.proofs.tampering import second

from legation.office.clock import SeededRandomSource, SimulatedClock
from legation.office.office import open_office
from legation.office.orders import submissions
from legation.office.settings import Settings
from legation.proofs.signing import public_key
from legation.proofs.verifying import verify
from legation.variants import load

SHEETS = 300
SHEET_BAR, GAME_BAR = 10.0, 2000.0
"""Milliseconds; the second is for 40 turns with all receipts."""
TEXT = "A par - bur\nA mar S A par - bur\nF bre - mao\nif dislodged A mar: spa, else disband\nAdjustments:\nbuild A par"


def main(turns: int) -> None:
    """Measure a sheet, then a game of so many turns of the standard board."""
    with tempfile.TemporaryDirectory() as folder:
        times = sheet_times(Path(folder))
    print(f"{SHEETS} sheets of {len(TEXT.splitlines())} lines sent to an office, each with its signed receipt")
    _print(times[0], "the first, for which statements and tables are made")
    _print(statistics.median(times), "a sheet", SHEET_BAR)
    _print(statistics.quantiles(times, n=100)[98], "one of a hundred takes longer than", SHEET_BAR)
    office = play(BuiltOffice(load("standard"), "bench"), turns, "bench")
    data, key = office.file(), public_key(office.office)
    sheets = sum(len(turn.sent) for turn in office.turns)
    print(f"{turns} turns, {sheets} sheets, {len(office.lines)} lines, {len(data) / 1e6:.1f} MB")
    _print(_milliseconds(lambda: verify(data, [key], office.receipts[:sheets])), "verify, with all receipts", GAME_BAR)
    _print(_milliseconds(lambda: verify(data, [key], judges=False)), "verify, without judging")
    _print(_milliseconds(lambda: second.Game(*second.read(data), [key])), "the second verifier")


def sheet_times(folder: Path) -> list[float]:
    """The processor time of each sheet: understood, sealed for each turn of the season, filed, journaled, with its
    signed receipt."""
    clock = SimulatedClock(datetime(2026, 3, 2, 12, 0, tzinfo=UTC))
    office = open_office(folder, Settings(settling=0), clock, SeededRandomSource("bench"))
    record, players, _ = begin(office, "standard")
    seats = itertools.cycle(players.items())

    def send() -> None:
        power, player = next(seats)
        receipt = submissions.submit(office, player.by("api"), record.key, power, TEXT)
        assert receipt.proof

    times = [_milliseconds(send) for _ in range(SHEETS)]
    office.close()
    return times


def _milliseconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return (time.process_time() - started) * 1000


def _print(milliseconds: float, name: str, bar: float | None = None) -> None:
    print(f"{milliseconds:9.1f} ms  {name}" + (f" (bar: {bar:.0f} ms)" if bar else ""))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
