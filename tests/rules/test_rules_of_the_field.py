"""The table of ``docs/rules-of-the-field.md`` names modules that there are, and what it counts is so."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from legation.rules import modules

TEXT = (Path(__file__).parents[2] / "docs" / "rules-of-the-field.md").read_text(encoding="utf-8")
ELSEWHERE = {"board": "board", "variant": "board", "default": "board", "office": "office", "options": "module"}
"""What a cell that names no module may begin with, and how it is counted."""


def kind_of(cell: str) -> str:
    """How a cell of the last column is counted."""
    for start, kind in (("not here; would need ", "not"), ("out of scope", "scope"), ("partly: ", "part")):
        if cell.startswith(start):
            return kind
    first = re.split(r"[ ,;:(]", cell.replace("`", ""))[0]
    return "module" if first in modules() else ELSEWHERE[first]


def test_every_row_names_what_there_is_and_the_counts_are_those_of_the_rows() -> None:
    rows = re.findall(r"^\| (?!rule \|)(.+) \|$", TEXT, re.MULTILINE)
    counted = Counter(kind_of(row.split(" | ")[-1]) for row in rows)
    here = counted["module"] + counted["board"] + counted["office"]
    sentence = (
        f"Of {len(rows)} rules {here} are here: {counted['module']} as a rule module or an option, {counted['board']} "
        f"in the board, the variant file or by default, {counted['office']} in the office. {counted['part']} are here "
        f"in part, {counted['scope']} are out of scope (press, scoring, coloring), {counted['not']} are not here."
    )
    assert sentence in TEXT
