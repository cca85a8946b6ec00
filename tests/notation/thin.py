"""Thin the tables out: ``python -m tests.notation.thin``.

A row stays if its shape is new: its phase, its line with each name of a place or a power replaced (a code by another
mark than a name in full, small letters and capitals told apart), each number, and each word that the lexicon knows by
its classes (:mod:`.test_hands` holds that words of a class are read alike), and what it means, likewise.
"""

from __future__ import annotations

import re
from functools import cache

from legation.notation.lexicon import lexicon
from legation.notation.names import fold
from legation.variants import load
from tests.notation.test_corpus import CORPORA, Setting

LONGEST_NAME = 4  # words
_WORD = re.compile(r"\\.|[^\W\d_]+|\d+|\s+|.", re.UNICODE)


@cache
def names(board: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the codes of a board's provinces, and all that its places and powers may be called, folded."""
    rules = load(board)
    codes = frozenset(rules.board.provinces)
    return codes, frozenset([*rules.reader.places.spellings, *rules.reader.powers.spellings]) - codes


def case_of(word: str) -> str:
    """Which letters of a word are capitals: all, the first, others, or none."""
    return "C" if word.isupper() else "t" if word.istitle() else "s" if word.islower() else "m"


@cache
def classes_of(word: str) -> str:
    """What the lexicon says of a word of several letters; nothing if it doesn't know it."""
    classes = lexicon().classes(fold(word)) if word.isalpha() and len(word) > 1 else {}
    return f"<{' '.join(sorted(f'{name}={said[0][1]}' for name, said in classes.items()))}>" if classes else ""


def shape_of(board: str, text: str) -> str:
    """Return a text with its names and numbers replaced."""
    codes, full = names(board)
    words = _WORD.findall(text)
    found = []
    i = 0
    while i < len(words):
        for last in range(min(len(words), i + 2 * LONGEST_NAME), i, -1):
            said = "".join(words[i:last])
            folded = fold(said)
            if not said.strip() or said != said.strip() or lexicon().classes(folded):
                continue
            if folded in codes or folded in full:
                found.append(f"<{'code' if folded in codes else 'name'} {case_of(said)}>")
                i = last
                break
        else:
            found.append("9" * len(words[i]) if words[i].isdigit() else classes_of(words[i]) or words[i].casefold())
            i += 1
    return "".join(found)


def thinned(rows: list[str], seen: set[tuple[str, ...]]) -> list[str]:
    """Return the rows whose shapes are new, and the settings that still have some."""
    setting, heading = Setting("", "", "", "", ""), ""
    kept = []
    for row in rows:
        if row.startswith("@\t"):
            setting, heading = Setting(*row.split("\t")[1:]), row
            continue
        line, _, meaning = row.partition("\t")
        phase = setting.turn.split()[-1]
        shape = (phase, shape_of(setting.board, line), shape_of(setting.board, meaning))
        if row and shape not in seen:
            kept += [heading, row] if heading else [row]
            heading = ""
        seen.add(shape)
    return kept


def main() -> None:
    """Thin all tables out, and say how many rows went."""
    seen: set[tuple[str, ...]] = set()
    for table in CORPORA:
        rows = table.read_text(encoding="utf-8").split("\n")
        kept = thinned(rows, seen)
        table.write_text("\n".join(kept) + "\n", encoding="utf-8")
        print(f"{table.stem}: {len(rows) - len(kept)} of {len(rows)} lines went")


if __name__ == "__main__":
    main()
