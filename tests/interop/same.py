"""Whether two variants, or two boards, are one, whatever their provinces and powers are called.

``python -m tests.interop.same ONE OTHER`` prints the differences; each is a variant's file or a board's folder.
``python -m tests.interop.same --samples FOLDER`` imports all that lies below a folder and prints what came of each,
what lint finds, how long it took, and how variants of one name from several files differ."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from legation.board import Board, read_board
from legation.board.model import fold
from legation.cli.linting import picture_faults
from legation.interop import ForeignFileError, open_source, read_variants, write_variants
from legation.interop.games import judge_as_recorded, read_games
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


def entries(folder: Path) -> Iterator[Path]:
    """What can be given to ``legation import`` below a folder: files of their own, and folders that are variants."""
    for path in sorted(folder.iterdir()):
        inside = {p.name for p in path.iterdir()} if path.is_dir() else set()
        if inside & {"variants.xml", "install.php", "variant.php"}:
            yield path
        elif path.is_dir():
            yield from entries(path)
        elif path.suffix in (".map", ".json", ".jsonl", ".out", ".zip", ".txt", ".gz") or path.name.startswith("map."):
            yield path


def sample(path: Path, out: Path, *, picture: bool) -> tuple[str, list[tuple[str, Ruleset]]]:
    """What comes of one file, in words, and the variants of it."""
    begun = time.process_time()
    try:
        source = open_source(path)
        games = read_games(source)
        if games:
            told = []
            for game in games:
                judged, _ = judge_as_recorded(game, lambda options: load("standard", options))
                told.append(f"game, {judged.agreed} phases judged alike, {len(judged.differences)} differences")
            return "; ".join(told), []
        written = write_variants(read_variants(source), out, picture)
    except ForeignFileError as error:
        return f"refused: {error.faults[0][:160]}", []
    taken = time.process_time() - begun
    variants = [(w.file.stem, load_file(w.file)) for w in written]
    findings = sum(len(picture_faults(w.board)) for w in written) if picture else 0
    left = sum(len(w.variant.not_taken) for w in written)
    guessed = sum(len(w.variant.guessed) for w in written)
    board = variants[0][1].board
    text = f"{len(variants)} variant(s), {len(board.provinces)} provinces, lint {findings or 'clean'}, "
    return text + f"{left} not taken, {guessed} guessed, {taken:.1f} s", variants


def table(folder: Path, *, picture: bool) -> int:
    """Import all that lies below a folder and print what came of it; the number of differences between namesakes."""
    found: dict[str, list[tuple[str, Ruleset]]] = {}
    with tempfile.TemporaryDirectory() as place:
        for number, path in enumerate(entries(folder)):
            text, variants = sample(path, Path(place) / str(number), picture=picture)
            sys.stdout.write(f"{path.relative_to(folder)}: {text}\n")
            sys.stdout.flush()
            for _, rules in variants:
                found.setdefault(fold(rules.title), []).append((str(path.relative_to(folder)), rules))
        apart = 0
        for group in found.values():
            for (first, one), (second, other) in combinations(group, 2):
                told = variant_differences(one, other)
                apart += len(told)
                sys.stdout.write(f"{one.title}: {first} and {second}: {'; '.join(told) or 'one variant'}\n")
    return apart


def _given(text: str) -> Board | Ruleset:
    path = Path(text)
    if path.is_dir():
        return read_board(path)
    return load_file(path) if path.suffix == ".toml" else load(text)


def main() -> int:
    """Compare two, or try all samples of a folder."""
    parser = argparse.ArgumentParser(prog="python -m tests.interop.same")
    parser.add_argument("given", nargs="*", help="two variant files, names of variants that ship, or board folders")
    parser.add_argument("--samples", type=Path, help="a folder of files of other systems")
    parser.add_argument("--no-picture", action="store_true", help="draw no maps")
    args = parser.parse_args()
    if args.samples:
        return 1 if table(args.samples, picture=not args.no_picture) else 0
    one, other = map(_given, args.given)
    if isinstance(one, Ruleset) and isinstance(other, Ruleset):
        faults = variant_differences(one, other)
    else:
        faults = differences(*(given.board if isinstance(given, Ruleset) else given for given in (one, other)))
    sys.stdout.write("".join(f"{fault}\n" for fault in faults) or "the same\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
