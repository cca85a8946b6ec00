"""Sea areas: what the engine derives is what the clauses say, worked out here in their own words, region by region
(W-8b to W-8d)."""

import csv
from pathlib import Path

import pytest

from legation.board import province_of, read_board
from legation.variants import find_boards

HERE = Path(__file__).parents[1] / "cases" / "three-kingdoms" / "isles"
FOLDERS = [HERE, *(folder for folder in find_boards().values() if (folder / "touching.csv").exists())]


def rows(folder: Path, table: str) -> list[dict[str, str]]:
    with (folder / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_derived_borders_are_those_of_the_clauses(folder: Path) -> None:
    board = read_board(folder)
    seas = {row["id"]: row for row in rows(folder, "sea")}
    touches: dict[str, set[str]] = {sea: set() for sea in seas}
    for row in rows(folder, "touching"):
        for a, b in ((row["a"], row["b"]), (row["b"], row["a"])):
            if a in seas:
                touches[a].add(b)
    declared = [(row["a"], row["b"]) for row in rows(folder, "borders") if row["fleet"] == "1"]
    own = {sea: {b if a == sea else a for a, b in declared if sea in (a, b)} for sea in seas}
    for sea, facts in seas.items():
        area = facts["area"]
        assert area
        members = {other for other in seas if seas[other]["area"] == area}
        assert [seas[m]["kind"] for m in members].count("primary") == 1
        expected = members - {sea}
        if facts["kind"] == "local":
            for other in touches[sea]:
                expected.add(other)
                if other in seas and seas[other]["area"] != area:
                    expected |= {
                        p for p in seas if seas[p]["area"] == seas[other]["area"] and seas[p]["kind"] == "primary"
                    }
        else:
            around = {other for member in members for other in touches[member]}
            expected |= {other for other in around if province_of(other) not in seas}
            bordering = {seas[other]["area"] for other in around if other in seas} - {area}
            expected |= {p for p in seas if seas[p]["area"] in bordering and seas[p]["kind"] == "primary"}
            expected |= {other for other in around if other in seas and seas[other]["kind"] == "local"}
        assert board.reach("fleet", sea) == (expected | own[sea]), sea
