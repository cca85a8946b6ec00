"""Damages the toy files of every format and imports them: each must come in or be refused, and nothing else.

``python -m tests.interop.fuzz --count 5000`` damages so many files of every format; the suite tries a few."""

import argparse
import random
import resource
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import msgspec

from legation.interop import ForeignFileError, open_source, read_variants, write_variants
from legation.interop.games import judge_again, read_games
from legation.variants import load
from tests.interop import jdip_save, played, toy

WORDS = (
    b"\x00", b"\xff\xfe", b"<", b">", b"&a;", b"<!ENTITY a 'b'>", b"'", b'"', b"(", b")", b"[", b"]", b"{", b"}",
    b"-1", b"$x", b"99999999999999999999", b"-", b"/", b"../", b"\n", b",", b";", b"=>", b"ABUTS", b"nan", b"1e999",
    b"@", b"|", b"%",
)  # fmt: skip


GAMES = {
    **played.FILES,
    "saved.jdip": jdip_save.short_game(),
    "cases.html": played.CASES,
    "cases.txt": played.JDIP_CASES,
}


def damaged(data: bytes, chance: random.Random) -> bytes:
    """A file with a few changes: bytes, words, lines left out or doubled, an end cut off."""
    for _ in range(chance.choice((1, 1, 2, 4, 8))):
        at = chance.randrange(len(data) + 1)
        kind = chance.randrange(6)
        lines = data.split(b"\n")
        line = chance.randrange(len(lines))
        if kind == 0:
            data = data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
        elif kind == 1:
            data = data[:at] + chance.choice(WORDS) + data[at:]
        elif kind == 2:
            data = b"\n".join(lines[:line] + lines[line + 1 :])
        elif kind == 3:
            data = b"\n".join(lines[:line] + [lines[line]] * 2 + lines[line + 1 :])
        elif kind == 4 and chance.random() < 0.3:
            data = data[:at]
        else:
            words = lines[line].split(b" ")
            words[chance.randrange(len(words))] = chance.choice([*WORDS, *words])
            data = b"\n".join([*lines[:line], b" ".join(words), *lines[line + 1 :]])
    return data


class Tried(msgspec.Struct):
    """What came of damaged files: how many came in by kind, what else was raised, and the longest that one took."""

    came: dict[str, int] = {}
    raised: list[str] = []
    longest: tuple[float, str] = (0.0, "")

    def attempt(self, kind: str, number: int, work: Callable[[], int]) -> None:
        """Try one file; anything but a refusal is kept."""
        begun = time.process_time()
        try:
            self.came[kind] = self.came.get(kind, 0) + work()
        except ForeignFileError:
            pass
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{Path(frame.filename).name}:{frame.lineno}"
            self.raised.append(f"{kind} {number}: {type(error).__name__}: {error} ({place})")
        self.longest = max(self.longest, (time.process_time() - begun, f"{kind} {number}"))


def damage(kind: str, files: list[Path], work: Callable[[], int], count: int, seed: int, tried: Tried) -> None:
    """Damage one of some files so many times, and try what comes of each."""
    chance = random.Random(f"{kind} {seed}")
    for number in range(count):
        victim = chance.choice(files)
        kept = victim.read_bytes()
        victim.write_bytes(damaged(kept, chance))
        tried.attempt(kind, number, work)
        victim.write_bytes(kept)


def variants(count: int, seed: int, tried: Tried) -> None:
    """Damage variants of every format."""
    for kind in toy.FORMATS:
        with tempfile.TemporaryDirectory() as place:
            whole, out = toy.write(Path(place) / "whole", kind), Path(place) / "out"
            files = sorted(p for p in (Path(place) / "whole").rglob("*") if p.is_file())

            def bring(whole: Path = whole, out: Path = out) -> int:
                return len(write_variants(read_variants(open_source(whole)), out, picture=False))

            damage(kind, [whole] if kind == "jdip-zip" else files, bring, count, seed, tried)
            outside = {p.name for p in Path(place).iterdir()}
            assert outside <= {"whole", "out"}, outside


def games(count: int, seed: int, tried: Tried) -> None:
    """Damage games of every format."""
    rules = load("standard")
    for name, text in GAMES.items():
        with tempfile.TemporaryDirectory() as place:
            file = Path(place) / name
            file.write_text(text)

            def judge(file: Path = file) -> int:
                records = read_games(open_source(file))
                for record in records:
                    judge_again(record, rules, lambda options: load("standard", options))
                return len(records)

            damage(name, [file], judge, count, seed, tried)


def try_all(count: int, seed: int) -> Tried:
    """Damage ``count`` files of every format and read them."""
    tried = Tried()
    variants(count, seed, tried)
    games(count, seed, tried)
    return tried


def main() -> int:
    """Run the given number of damaged files of every format."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.interop.fuzz", description=__doc__.splitlines()[0] if __doc__ else ""
    )
    parser.add_argument("--count", type=int, default=500, help="damaged files of every format")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    start = time.perf_counter()
    tried = try_all(given.count, given.seed)
    total = given.count * (len(toy.FORMATS) + len(GAMES))
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    sys.stdout.write(
        f"{total} damaged files in {time.perf_counter() - start:.0f} s; came in: {tried.came}; all others refused\n"
        f"the longest: {tried.longest[0]:.1f} s ({tried.longest[1]}); memory at most {most} MB\n"
    )
    sys.stdout.write("".join(f"raised: {line}\n" for line in tried.raised))
    return 1 if tried.raised else 0


if __name__ == "__main__":
    sys.exit(main())
