"""Rewrite the tables from the reader's answers: ``python -m tests.notation.recode FILE [TABLE ...]``.

Where the orders of a row agree with the reader's, its reasons become the codes that the reader tells, in
the order told.
Rows whose orders differ are left as they are and listed in ``FILE`` by whether the reader's orders are fewer (lost),
more (extra) or others: the row, what it meant, and what it means to the reader.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.notation.test_corpus import CORPORA, Setting, meaning_of, parted, situation, unescaped


def answer(setting: Setting, line: str) -> list[str]:
    """What a line means to the reader."""
    rules, position = situation(setting)
    return meaning_of(rules.reader.sheet(line, position.turn.phase, setting.power, position))


def recoded(table: Path, differing: dict[str, list[str]]) -> list[str]:
    """Return the rows of a table with the codes of the reader, and keep those that differ."""
    setting = Setting("", "", "", "", "")
    rows = []
    for number, row in enumerate(table.read_text(encoding="utf-8").split("\n"), 1):
        if row.startswith("@\t"):
            setting = Setting(*row.split("\t")[1:])
        elif row:
            line, _, meaning = row.partition("\t")
            found = answer(setting, unescaped(line))
            wanted, orders = (parted(m)[0] for m in (meaning.split(" | ") if meaning else [], found))
            if orders == wanted:
                kept = [m for m in meaning.split(" | ") if m and not m.startswith("!")]
                row = f"{line}\t{' | '.join([*kept, *parted(found)[1]])}"
            else:
                group = "lost" if orders <= wanted else "extra" if orders >= wanted else "other"
                where = f"{table.stem}:{number} {setting.board}, {setting.turn}, {setting.power}"
                differing[group].append(f"{where}\n  {line}\n  was {meaning}\n  now {' | '.join(found)}")
        rows.append(row)
    return rows


def main(listed: str, *names: str) -> None:
    """Rewrite the tables."""
    differing: dict[str, list[str]] = {"lost": [], "extra": [], "other": []}
    for table in CORPORA:
        if not names or table.stem in names:
            table.write_text("\n".join(recoded(table, differing)), encoding="utf-8")
    text = "\n\n".join("\n\n".join([f"{group}: {len(rows)}", *rows]) for group, rows in differing.items()) + "\n"
    Path(listed).write_text(text, encoding="utf-8")
    print(", ".join(f"{group} {len(rows)}" for group, rows in differing.items()))


if __name__ == "__main__":
    main(*sys.argv[1:])
