"""The homes that a board's table marks are those of the variant's powers."""

import csv

import pytest

from legation.variants import USUAL, load, names


@pytest.mark.parametrize("name", names())
def test_homes_on_the_board_are_the_powers_homes(name: str) -> None:
    with USUAL.folder_of(name).joinpath("land.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    if "home" not in rows[0]:
        return
    rules = load(name)
    lands = {
        power.name: {rules.board.provinces[home].region for home in power.homes} for power in rules.powers.values()
    }
    assert {power: len(regions) for power, regions in lands.items()} == dict.fromkeys(rules.powers, 1)
    wanted = {home: region for power in rules.powers.values() for home in power.homes for region in lands[power.name]}
    assert {row["id"]: row["home"] for row in rows if row["home"]} == wanted
