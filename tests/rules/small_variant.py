"""A variant of three powers and two turns a year, to try one rule's settings on; and built-in ones in the fog."""

from pathlib import Path

import pytest

from legation.judge import Ruleset
from legation.variants import VariantError, load_file

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
DATA = Path(__file__).parents[2] / "src" / "legation" / "variants" / "data"


def loaded(folder: Path, rule: str, text: str = VARIANT) -> Ruleset:
    """The variant with a rule, written into a folder and loaded from there."""
    path = folder / "x.toml"
    path.write_text(text.replace("{rule}", rule), encoding="utf-8")
    return load_file(path)


def refused(folder: Path, rule: str, text: str = VARIANT) -> str:
    """What is told of a variant that cannot be loaded."""
    with pytest.raises(VariantError) as caught:
        loaded(folder, rule, text)
    return str(caught.value)


def write_foggy(folder: Path, other: str = "", name: str = "standard", file: str = "foggy") -> None:
    """Write a built-in variant into a folder, in the fog and with the tables of other rules."""
    text = (DATA / f"{name}.toml").read_text(encoding="utf-8").replace(f'name = "{name}"\n', "")
    (folder / f"{file}.toml").write_text(text.replace("[[powers]]", f"[rules.fog_of_war]\n{other}\n[[powers]]", 1))
