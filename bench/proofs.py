"""How long it takes to verify a game, and to make a sheet's records and receipt: ``python -m bench.proofs``."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from tests.proofs.building import Office
from tests.proofs.games import play
from tests.proofs.tampering import second

from legation.proofs.signing import public_key
from legation.proofs.verifying import verify
from legation.variants import load


def main(turns: int) -> None:
    """Play so many turns of the standard game and measure, in processor time."""
    office = play(Office(load("standard"), "bench"), turns, "bench")
    data, key = office.file(), public_key(office.office)
    sheets = sum(len(turn.sent) for turn in office.turns)
    print(f"{turns} turns, {sheets} sheets, {len(office.lines)} lines, {len(data) / 1e6:.1f} MB")
    for name, work in {
        "a sheet: records, commitments, signatures, receipt": lambda: office.send("France", "A par - bur"),
        "verify, with all receipts": lambda: verify(data, [key], office.receipts[:sheets]),
        "verify, without judging": lambda: verify(data, [key], judges=False),
        "the second verifier": lambda: second.Game(*second.read(data), [key]),
    }.items():
        print(f"{_seconds(work) * 1000:9.1f} ms  {name}")


def _seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
