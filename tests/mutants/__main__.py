"""``python -m tests.mutants``: change the code and the variants' files at random, and see whether the tests notice.

Without options every mutant is tried, which takes days; ``--sample N`` tries N of them, drawn by ``--seed``. ``--map
NAME FOLDER...`` runs the tests of some folders under coverage first and keeps which lines each runs, so that these
tests are tried before others.

A mutant is noticed, or survives all quick tests of its room, or is undecided: ``--work`` ended before its tests did.
Only the first two count against ``--bar``; ``--work inf`` decides all."""

import argparse
import random
import sys
import tomllib
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.mutants.code import ROOT, Mutant, mutants_of, source_files
from tests.mutants.data import data_files, mutants_of_data
from tests.mutants.reach import map_tests
from tests.mutants.running import Result, try_all

EQUIVALENT = Path(__file__).with_name("equivalent.toml")


def equivalent() -> dict[tuple[str, str, str, str], str]:
    """The mutants that change nothing that anybody could notice, with the reason."""
    entries = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["mutant"]
    return {(e["path"], e["where"], e["old"], e["new"]): e["reason"] for e in entries}


def unchanged(path: str) -> Mutant:
    """A file as it is, to see that the tests pass."""
    return Mutant(path, 1, "nothing", "", "", (ROOT / path).read_text(encoding="utf-8"))


def chosen(parts: Sequence[str], only: str, sample: int | None, seed: str) -> list[Mutant]:
    """The mutants to be tried: of all that there are, or a sample of them that is the same for the same seed.

    A sample draws a file by its size, then a mutant of it, so that only the files that are drawn are read."""
    files: dict[Path, Callable[[Path], list[Mutant]]] = {}
    for part, listed, make in (("code", source_files, mutants_of), ("variants", data_files, mutants_of_data)):
        if part in parts:
            files |= {path: make for path in listed() if only in path.relative_to(ROOT).as_posix()}
    if sample is None:
        return [mutant for path, make in files.items() for mutant in make(path) if mutant.sound]
    draw, weights = random.Random(seed), [path.stat().st_size for path in files]
    left: dict[Path, list[Mutant]] = {}
    drawn: list[Mutant] = []
    for _ in range(20 * sample):
        if len(drawn) == sample or not files:
            break
        (path,) = draw.choices(list(files), weights)
        mutants = left.setdefault(path, files[path](path) if path not in left else [])
        if mutants:
            mutant = mutants.pop(draw.randrange(len(mutants)))
            drawn += [mutant] if mutant.sound else []
    return drawn


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--part", choices=["code", "variants"], help="only the code, or only the variants' files")
    parser.add_argument("--only", default="", metavar="TEXT", help="only files with this in their path")
    parser.add_argument("--sample", type=int, metavar="N", help="so many, drawn by chance")
    parser.add_argument("--seed", default="", help="for the draw")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument(
        "--work", type=float, default=40, help="seconds of work for the tests of one, those that run its line first"
    )
    parser.add_argument(
        "--map", nargs="+", metavar="TEXT", help="a name, and folders of tests: see which lines they run"
    )
    parser.add_argument("--bar", type=float, default=95, help="the percentage that must be noticed")
    parser.add_argument("--verbose", action="store_true", help="say what noticed each of them")
    args = parser.parse_args()
    if args.map:
        return map_tests(args.map[0], args.map[1:])
    known = equivalent()
    mutants = chosen([args.part] if args.part else ["code", "variants"], args.only, args.sample, args.seed)
    wanted = [m for m in mutants if m.key not in known]
    for key in known.keys() - {m.key for path in {path for path, *_ in known} for m in mutants_of(ROOT / path)}:
        print(f"not there any more: {key}; take it out of {EQUIVALENT.name}")
    results: list[Result] = []
    for result in try_all([unchanged(m.path) for m in wanted[:1]], args.workers, args.work / 10):
        if result.noticed:  # tests that fail anyhow notice nothing
            print(f"without any change this fails: {result.noticed}", file=sys.stderr)
            return 2
    for result in try_all(wanted, args.workers, args.work):
        results.append(result)
        if result.noticed:
            if args.verbose:
                print(f"{result.seconds:.1f} s: {result.mutant}\n    {result.noticed}", flush=True)
        elif result.told.whole:
            print(f"SURVIVED all tests of its room: {result.mutant}", flush=True)
        else:
            print(f"undecided after {result.told.tests} tests, {args.work:g} s of work: {result.mutant}", flush=True)
    return report(results, len(mutants) - len(wanted), args.bar)


def report(results: Sequence[Result], alike: int, bar: float) -> int:
    """Print the score by file; 1 if fewer than ``bar`` percent of the decided mutants were noticed."""
    decided = [result for result in results if result.noticed or result.told.whole]
    files: dict[str, list[bool]] = defaultdict(list)
    for result in decided:
        files[result.mutant.path].append(bool(result.noticed))
    for path, noticed in sorted(files.items()):
        print(f"{sum(noticed):5} of {len(noticed):5}  {path}")
    total = sum(bool(result.noticed) for result in decided)
    score = 100 * total / len(decided) if decided else 100
    aside = f"{alike} equivalent and {len(results) - len(decided)} undecided ones aside"
    print(f"{total:5} of {len(decided):5}  noticed: {score:.1f} %, {aside}")
    return int(score < bar)


if __name__ == "__main__":
    sys.exit(main())
