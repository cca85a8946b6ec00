"""A variant of three powers and two turns a year, to try one rule's settings on: ``VARIANT.format(rule=...)``."""

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
