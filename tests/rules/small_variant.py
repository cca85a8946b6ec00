"""A variant of three powers and two turns a year, to try one rule's settings on."""

from __future__ import annotations

from pathlib import Path

from legation.judge import Ruleset
from legation.variants import load_file

VARIANT = """
name = "x"
title = "X"
board = "standard"
[rules.calendar]
first = "Spring 1901 Movement"
cycle = ["Spring Movement", "Winter Adjustments"]
{rule}
[[powers]]
name = "France"
homes = ["par", "bre"]
units = ["A par"]
[[powers]]
name = "Italy"
homes = ["rom"]
units = ["A rom"]
[[powers]]
name = "Turkey"
homes = ["con"]
"""
HOMES = "[rules.homes]\n"


def loaded(folder: Path, rule: str, text: str = VARIANT) -> Ruleset:
    """The variant with a rule, written into a folder and loaded from there."""
    path = folder / "x.toml"
    path.write_text(text.replace("{rule}", rule), encoding="utf-8")
    return load_file(path)
