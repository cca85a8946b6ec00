"""Scoring systems: each published example, what holds for every result, and games as outcomes."""

import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from legation.cli.app import app
from legation.game import Game, save_game
from legation.judge import Ending
from legation.scoring import SYSTEMS, Outcome, Standing, System, outcome_of, outcome_of_game
from legation.scoring.manual import page

RESULTS = 1500
BOARDS = ((7, 34), (3, 12), (10, 56), (2, 9))  # powers and centers

SHARES = {"draw-size", "sum-of-squares", "c-diplo", "carnage", "carnage-dead-equal", "tribute", "rank"}
"""Systems in which a solo is worth as much as all powers get together in another game."""


@pytest.mark.parametrize("key", sorted(SYSTEMS))
def test_the_example_is_scored_as_told(key: str) -> None:
    example = SYSTEMS[key].example
    assert list(SYSTEMS[key].score(example.outcome()).values()) == pytest.approx(example.points)


@pytest.mark.parametrize(
    ("key", "outcome", "points"),
    [
        # webDiplomacy's note on Carnage has two further games
        ("carnage", {"E": 8, "R": 8, "F": 7, "T": 6, "I": 4, "A": 1, "G": 0},
         (6508, 6508, 5007, 4006, 3004, 2001, 1000)),
        ("carnage", {"R": 18, "T": 3, "F": 6, "G": 4, "E": 3, "I": 0, "A": 0}, (28034, 0, 0, 0, 0, 0, 0)),
        # World Diplomacy Database, C-Diplo 100, the second game; a solo is 100
        ("c-diplo", {"A": 5, "E": 9, "F": 4, "G": 5, "I": 3, "R": 1, "T": 7}, (9.5, 48, 5, 9.5, 4, 2, 22)),
        ("c-diplo", {"A": 18, "E": 9, "F": 4, "G": 2, "I": 1, "R": 0, "T": 0}, (100, 0, 0, 0, 0, 0, 0)),
        ("c-diplo-73", {"A": 18, "E": 9, "F": 4, "G": 2, "I": 1, "R": 0, "T": 0}, (73, 0, 0, 0, 0, 0, 0)),
        ("c-diplo-namur", {"A": 18, "E": 9, "F": 4, "G": 2, "I": 1, "R": 0, "T": 0}, (73, *[-15] * 6)),
        # World Diplomacy Wiki, Bangkok 2020: the other two examples of its bonus (the second has one center too many)
        ("bangkok", {"A": 12, "E": 6, "F": 6, "G": 5, "I": 5, "R": 0, "T": 0}, (27, 9, 9, 8, 8, 0.3, 0.3)),
        ("bangkok", {"A": 12, "E": 12, "F": 11, "G": 0, "I": 0, "R": 0, "T": 0}, (19.5, 19.5, 17, *[0.3] * 4)),
        ("bangkok", {"A": 18, "E": 10, "F": 5, "G": 1, "I": 0, "R": 0, "T": 0}, (41, 5, 2.5, 0.5, 0, 0, 0)),
        # Windy City Weasels, OpenTribute: two who share the top get a quarter of the tribute each
        ("open-tribute", {"A": 12, "E": 12, "F": 10, "G": 0, "I": 0, "R": 0, "T": 0}, (82, 82, 62, 0, 0, 0, 0)),
        ("open-tribute", {"A": 18, "E": 16, "F": 0, "G": 0, "I": 0, "R": 0, "T": 0}, (340, *[0] * 6)),
        # DixieCon: 130 each in a three-way draw
        ("dixie", {"A": 12, "E": 12, "F": 10, "G": 0, "I": 0, "R": 0, "T": 0}, (178, 178, 170, *[16] * 4)),
        ("manorcon", {"A": 18, "E": 16, "F": 0, "G": 0, "I": 0, "R": 0, "T": 0}, (75, 0.8, *[0.1] * 5)),
        ("detour", {"A": 18, "E": 16, "F": 0, "G": 0, "I": 0, "R": 0, "T": 0}, (110, *[0] * 6)),
    ],
)  # fmt: skip
def test_further_published_examples(key: str, outcome: dict[str, int], points: tuple[float, ...]) -> None:
    winners = tuple(power for power, count in outcome.items() if count >= 18)
    dead = {power: 1 for power, count in outcome.items() if not count}
    assert list(SYSTEMS[key].score(Outcome(outcome, 34, 8, dead, winners)).values()) == pytest.approx(points)


def results() -> Iterator[Outcome]:
    """Results in which every center is owned, with the same sizes on each side of a comparison."""
    random_source = random.Random("results")
    for number in range(RESULTS):
        powers, total = BOARDS[number % len(BOARDS)]
        alive = random_source.randint(2, powers)
        cuts = sorted(random_source.sample(range(1, total), alive - 1))
        counts = [b - a for a, b in zip([0, *cuts], [*cuts, total], strict=True)] + [0] * (powers - alive)
        names = random_source.sample("ABCDEFGHIJ"[:powers], powers)
        centers = dict(zip(names, counts, strict=True))
        out = {power: random_source.randint(1, 8) for power in names[alive:]}
        yield Outcome(centers, total, 8, out)


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
def test_what_holds_for_every_result(system: System) -> None:
    """The sum is constant where that is said, equals score alike, nobody gains by having fewer centers than another,
    and who wins alone takes all where that is said."""
    sums: dict[int, float] = {}
    for outcome in results():
        points = system.score(outcome)
        assert points.keys() == outcome.centers.keys()
        if system.constant:
            given = sums.setdefault(outcome.total, sum(points.values()))
            assert sum(points.values()) == pytest.approx(given, rel=1e-6)
        alive = sorted(outcome.alive, key=lambda power: outcome.centers[power])
        for less, more in pairwise(alive):
            assert points[less] <= points[more] + 1e-5
            if outcome.centers[less] == outcome.centers[more]:
                assert points[less] == pytest.approx(points[more])
        won = msgspec.structs.replace(outcome, winners=(alive[-1],))
        after = system.score(won)
        if system.takes_all:
            assert after[alive[-1]] >= points[alive[-1]] - 1e-5 or (system.key, len(points)) == ("carnage-2023", 2)
            assert all(value == 0 for power, value in after.items() if power != alive[-1])
            if system.key in SHARES:
                assert after[alive[-1]] == pytest.approx(sums[outcome.total])


def test_who_is_out_and_since_when() -> None:
    standings = [
        Standing(1901, {"A": 3, "B": 3, "C": 3}),
        Standing(1902, {"A": 5, "B": 3, "C": 1}),
        Standing(1902, {"A": 6, "B": 3}),
        Standing(1903, {"A": 9}),
    ]
    found = outcome_of("ABCD", 12, standings, None)
    assert (dict(found.out), found.years, found.alive) == ({"B": 2, "C": 2, "D": 1}, 2, ("A",))
    assert found.places() == (("A",), ("B", "C"), ("D",))


def test_the_rules_own_ranking_decides_the_places() -> None:
    ending = Ending("ranking", ("B", "A", "C"), "two survive", (("A", "C"),))
    found = outcome_of("ABCD", 9, [Standing(1901, {"A": 5, "B": 4})], ending)
    assert found.places() == (("B",), ("A", "C"), ("D",))
    assert SYSTEMS["rank"].score(found) == {"B": 4, "A": 2.5, "C": 2.5, "D": 1}


def test_a_saved_game_is_scored_as_it_stands_also_by_the_command(tmp_path: Path) -> None:
    game = Game("standard")
    game.play({})
    found = outcome_of_game(game)
    assert sorted(found.centers.values()) == [3] * 6 + [4] and found.total == 34 and not found.out
    assert sum(SYSTEMS["sum-of-squares"].score(found).values()) == pytest.approx(100)
    file = tmp_path / "game.json"
    file.write_bytes(msgspec.json.encode(save_game(game)))
    runner = CliRunner()
    told = runner.invoke(app, ["score", str(file), "--system", "rank", "--json"])
    assert msgspec.json.decode(told.stdout)["points"]["rank"]["Russia"] == 7
    told = runner.invoke(app, ["score", str(file), "-s", "carnage"])
    assert "Russia" in told.stdout.splitlines()[1] and "7004" in told.stdout and "no ending" in told.stderr
    assert runner.invoke(app, ["score", str(file), "-s", "x"]).exit_code == 1


def test_the_manual_has_every_system_with_source_example_and_other_boards() -> None:
    text = page()
    for system in SYSTEMS.values():
        part = text.partition(f"`{system.key}`: ")[2].partition("\n## ")[0]
        assert all(word in part for word in ("Source: ", "Example (", "Three powers", "Ten powers", system.formula))
