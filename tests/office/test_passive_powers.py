"""A power that nobody plays has the bot that holds for its seat, and nobody waits for it."""

from __future__ import annotations

from pathlib import Path

from legation.office.context import Actor
from legation.office.hosting import games
from legation.office.office import Office
from legation.variants import ListedVariants, Registry
from tests.office.playing import person

VARIANT = """
title = "X"
board = "standard"
[rules.calendar]
first = "Spring 1901 Movement"
cycle = ["Spring Movement", "Spring Retreats", "Winter Adjustments"]
[rules.homes]
[rules.solo]
centers = 5
[rules.passive_powers]
powers = ["Neutral"]
[[powers]]
name = "France"
homes = ["par"]
units = ["A par"]
[[powers]]
name = "Neutral"
homes = []
units = ["A bel"]
"""


def test_the_seat_of_nobody_is_filled(office: Office, tmp_path: Path) -> None:
    (tmp_path / "passive.toml").write_text(VARIANT)
    office.variants = ListedVariants(Registry(tmp_path), office.catalog)
    made = games.create(office, person(office, "Host"), {"name": "Quiet", "variant": "passive", "settings": {}})
    seats = {seat.power: seat for seat in games.game(office, Actor.console(), made.key).seats}
    assert seats["Neutral"].bot == "hold"
    assert not seats["France"].bot
