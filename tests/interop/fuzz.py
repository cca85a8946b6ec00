"""Damages the toy files of every format and imports them: each must come in or be refused, and nothing else.

``python -m tests.interop.fuzz --count 5000`` damages so many files of every format; the suite tries a few.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

from legation.interop import ForeignFileError, open_source, read_variants, write_variants
from legation.interop.games import judge_again, read_games
from legation.variants import load
from tests.interop import played, toy

WORDS = (
    b"\x00", b"\xff\xfe", b"<", b">", b"&a;", b"<!ENTITY a 'b'>", b"'", b'"', b"(", b")", b"[", b"]", b"{", b"}",
    b"-1", b"$x", b"99999999999999999999", b"-", b"/", b"../", b"\n", b",", b";", b"=>", b"ABUTS", b"nan", b"1e999",
    b"@", b"|", b"%",
)  # fmt: skip


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


def variants(count: int, seed: int, kinds: tuple[str, ...] = toy.FORMATS) -> dict[str, int]:
    """Damage variants of every format; how many came in. Anything but a refusal is raised."""
    came: dict[str, int] = {}
    for kind in kinds:
        chance = random.Random(f"{kind} {seed}")
        with tempfile.TemporaryDirectory() as place:
            whole = toy.write(Path(place) / "whole", kind)
            files = sorted(p for p in (Path(place) / "whole").rglob("*") if p.is_file() and p.suffix != ".png")
            if kind == "jdip-zip":
                files = [whole]
            for _ in range(count):
                victim = chance.choice(files)
                kept = victim.read_bytes()
                victim.write_bytes(damaged(kept, chance))
                try:
                    write_variants(read_variants(open_source(whole)), Path(place) / "out", picture=False)
                    came[kind] = came.get(kind, 0) + 1
                except ForeignFileError:
                    pass
                finally:
                    victim.write_bytes(kept)
            outside = {p.name for p in Path(place).iterdir()}
            assert outside <= {"whole", "out"}, outside
    return came


def games(count: int, seed: int) -> dict[str, int]:
    """Damage games of every format; how many came in."""
    came: dict[str, int] = {}
    rules = load("standard")
    for name, text in played.FILES.items():
        chance = random.Random(f"{name} {seed}")
        with tempfile.TemporaryDirectory() as place:
            file = Path(place) / name
            for _ in range(count):
                file.write_bytes(damaged(text.encode(), chance))
                try:
                    for record in read_games(open_source(file)):
                        judge_again(record, rules, lambda options: load("standard", options))
                        came[name] = came.get(name, 0) + 1
                except ForeignFileError:
                    pass
    return came


def main() -> int:
    """Run the given number of damaged files of every format."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.interop.fuzz", description=__doc__.splitlines()[0] if __doc__ else ""
    )
    parser.add_argument("--count", type=int, default=500, help="damaged files of every format")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    start = time.perf_counter()
    came = variants(given.count, given.seed) | games(given.count, given.seed)
    total = given.count * (len(toy.FORMATS) + len(played.FILES))
    sys.stdout.write(
        f"{total} damaged files in {time.perf_counter() - start:.0f} s; came in: {came}; all others refused\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
