"""Whether two variants, or two boards, are one, whatever their provinces and powers are called.

``python -m tests.interop.same ONE OTHER`` prints the differences; each is a variant's file or a board's folder."""

import argparse
import sys
from pathlib import Path

from legation.board import Board, read_board
from legation.board.model import fold
from legation.interop.matching import board_differences, counterparts, locations
from legation.judge import Ruleset
from legation.position import Unit
from legation.variants import load, load_file


def differences(one: Board, other: Board) -> list[str]:
    """How two boards differ."""
    return list(board_differences(one, other))


def variant_differences(one: Ruleset, other: Ruleset) -> list[str]:
    """How two variants differ in board, homes, owners and units at the start; powers are matched by name, else by
    homes."""
    found = counterparts(one.board, other.board)
    match = locations(one.board, other.board, found)
    told = differences(one.board, other.board)
    powers: dict[str, str] = {}
    for name, power in one.powers.items():
        homes = {found.get(home) for home in power.homes}
        fitting = [p.name for p in other.powers.values() if fold(p.name) == fold(name)]
        fitting = fitting or [p.name for p in other.powers.values() if homes & {*p.homes}]
        if fitting:
            powers[name] = fitting[0]
        else:
            told.append(f"{name} has no counterpart")
    told += [f"{name} has no counterpart (second)" for name in other.powers if name not in powers.values()]

    def unit(u: Unit) -> str:
        return f"{u.kind} {match.get(u.at, u.at)}"

    for name, there in powers.items():
        for what, here, beside in (
            ("homes", {found.get(h, h) for h in one.powers[name].homes}, {*other.powers[there].homes}),
            (
                "centers",
                {found.get(c, c) for c, p in one.start_owners.items() if p == name},
                {c for c, p in other.start_owners.items() if p == there},
            ),
            (
                "units",
                {unit(u) for u in one.start if u.power == name},
                {f"{u.kind} {u.at}" for u in other.start if u.power == there},
            ),
        ):
            if here != beside:
                told.append(f"{name}: {what} only in the first {sorted(here - beside)}, second {sorted(beside - here)}")
    return told


def _given(text: str) -> Board | Ruleset:
    path = Path(text)
    if path.is_dir():
        return read_board(path)
    return load_file(path) if path.suffix == ".toml" else load(text)


def main() -> int:
    """Compare two."""
    parser = argparse.ArgumentParser(prog="python -m tests.interop.same")
    parser.add_argument("given", nargs=2, help="variant files, names of variants that ship, or board folders")
    args = parser.parse_args()
    one, other = map(_given, args.given)
    if isinstance(one, Ruleset) and isinstance(other, Ruleset):
        faults = variant_differences(one, other)
    else:
        faults = differences(*(given.board if isinstance(given, Ruleset) else given for given in (one, other)))
    sys.stdout.write("".join(f"{fault}\n" for fault in faults) or "the same\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
