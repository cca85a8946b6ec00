"""Whether two variants, or two boards, are one, whatever their provinces and powers are called.

``python -m tests.interop.same ONE OTHER`` prints the differences; each is a variant's file or a board's folder."""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from legation.board import Board, read_board
from legation.board.model import fold
from legation.interop import matching
from legation.interop.matching import Fact, counterparts, locations
from legation.judge import Ruleset
from legation.variants import load, load_file


def differences(one: Board, other: Board) -> list[str]:
    """How two boards differ."""
    return told(*matching.differences(one, other, counterparts(one, other)))


def told(first: set[Fact], second: set[Fact]) -> list[str]:
    """Facts of two sides, a line each."""
    sides = (("first", first), ("second", second))
    return [f"only the {side}: {' '.join(map(str, fact))}" for side, facts in sides for fact in sorted(facts, key=str)]


def variant_differences(one: Ruleset, other: Ruleset) -> list[str]:
    """How two variants differ in board, homes, owners and units at the start; powers are matched by name, else by
    homes."""
    found = counterparts(one.board, other.board)
    names = locations(one.board, other.board, found)
    for name, power in one.powers.items():
        homes = {found.get(home) for home in power.homes}
        fitting = [p.name for p in other.powers.values() if fold(p.name) == fold(name)]
        fitting += [p.name for p in other.powers.values() if homes & {*p.homes}]
        names |= {name: fitting[0] if fitting else f"? {name}"}
    here, there = start_of(one, names), start_of(other, {})
    return differences(one.board, other.board) + told(here - there, there - here)


def start_of(rules: Ruleset, names: Mapping[str, str]) -> set[Fact]:
    """The powers with their homes, centers and units at the start; ``names`` are another variant's for powers and
    places."""
    facts: list[Fact] = [("power", name) for name in rules.powers]
    facts += [("home", power.name, home) for power in rules.powers.values() for home in power.homes]
    facts += [("center", power, center) for center, power in rules.start_owners.items()]
    facts += [("unit", unit.power, unit.kind, unit.at) for unit in rules.start]
    return {tuple(names.get(str(part), part) for part in fact) for fact in facts}


def given(text: str) -> Board | Ruleset:
    """A board by its folder, a variant by its file or name."""
    path = Path(text)
    if path.is_dir():
        return read_board(path)
    return load_file(path) if path.suffix == ".toml" else load(text)


def main() -> int:
    """Compare two."""
    parser = argparse.ArgumentParser(prog="python -m tests.interop.same")
    parser.add_argument("given", nargs=2, help="variant files, names of variants that ship, or board folders")
    args = parser.parse_args()
    one, other = map(given, args.given)
    if isinstance(one, Ruleset) and isinstance(other, Ruleset):
        faults = variant_differences(one, other)
    else:
        faults = differences(*(one.board if isinstance(one, Ruleset) else one for one in (one, other)))
    sys.stdout.write("".join(f"{fault}\n" for fault in faults) or "the same\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
