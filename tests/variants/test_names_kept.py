"""Every name by which people call a place or a power, as they were looked over: none is lost, added or altered unseen.

``python -m tests.variants.test_names_kept`` writes ``names.txt`` anew; the difference is to be read before it is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from legation.variants import load, names

KEPT = Path(__file__).with_name("names.txt")


def told() -> Iterator[str]:
    """A line for each place of each board, and for each power of each variant."""
    boards = {(rules := load(name)).board.name: rules.board for name in names()}
    for name, board in sorted(boards.items()):
        for place in board.provinces.values():
            abroad = sorted({names[place.id] for names in board.translations.values() if place.id in names})
            yield " | ".join((name, place.id, place.name, *place.aliases, *abroad))
    for name in names():
        for power in load(name).powers.values():
            abroad = sorted({abroad for _, abroad in power.names})
            yield " | ".join((name, power.name, power.adjective, *sorted(power.aliases), *abroad))


def test_names_are_as_they_were_looked_over() -> None:
    kept, found = KEPT.read_text(encoding="utf-8").splitlines(), list(told())
    assert [line for line in kept if line not in found] == []
    assert [line for line in found if line not in kept] == []


if __name__ == "__main__":
    KEPT.write_text("".join(f"{line}\n" for line in told()), encoding="utf-8")
