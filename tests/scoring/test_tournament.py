"""Tournaments: standings equal an independent sum, ties, the best of each power, and tables with faults."""

import csv
import io
import random
from collections import defaultdict
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from legation.cli.app import app
from legation.scoring import SYSTEMS
from legation.scoring.tournament import Board, ResultsError, best_of_powers, read_results, standings

POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
HEAD = "round,board,power,player,centers,out,result\n"


def weekend(people: int = 49, rounds: int = 3) -> str:
    """Three rounds of seven boards each."""
    chance, lines = random.Random("weekend"), []
    for number in range(1, rounds + 1):
        seated = chance.sample(range(people), people)
        for board in range(people // 7):
            cuts = sorted(chance.sample(range(1, 34), 6))
            counts = [b - a for a, b in zip([0, *cuts], [*cuts, 34], strict=True)]
            for power, player, count in zip(POWERS, seated[7 * board :], counts, strict=False):
                lines.append(f"{number},{board + 1},{power},Player {player},{count},,")
    return HEAD + "\n".join(lines) + "\n"


def test_a_weekend_of_49_people_is_ranked_as_an_independent_sum_says() -> None:
    """Ranks worked out here from the table itself: 7000 for the first place, and so on, ties shared, and a point a
    center."""
    text = weekend()
    expected: dict[str, float] = defaultdict(float)
    by_board: dict[tuple[str, str], list[tuple[str, int]]] = defaultdict(list)
    for row in csv.DictReader(io.StringIO(text)):
        by_board[row["round"], row["board"]].append((row["player"], int(row["centers"])))
    assert len(by_board) == 21
    for seats in by_board.values():
        for player, count in seats:
            above = sum(other > count for _, other in seats)
            tied = sum(other == count for _, other in seats)
            expected[player] += sum(7000 - 1000 * place for place in range(above, above + tied)) / tied + count
    found = standings(read_results(text, 34, 1901), SYSTEMS["carnage"])
    assert len(found) == 49 and {s.player: s.total for s in found} == pytest.approx(expected)
    assert [s.total for s in found] == sorted(expected.values(), reverse=True)
    best = standings(read_results(text, 34, 1901), SYSTEMS["carnage"], best=2)
    assert {s.player: s.total for s in best} == pytest.approx(
        {s.player: sum(sorted(s.rounds.values())[1:]) for s in found}
    )


def test_equal_sums_are_told_apart_by_the_best_round_and_else_share_a_place() -> None:
    lines = [
        "1,1,Austria,A,18,,won", "1,1,England,B,16,,", "2,1,Austria,B,17,,draw", "2,1,England,C,17,,draw",
        "2,2,Austria,A,1,,", "2,2,England,D,18,,won",
    ]  # fmt: skip
    boards = read_results(HEAD + "\n".join(lines), 34, 1901)
    found = standings(boards, SYSTEMS["draw-size"])
    assert [(s.place, s.player, s.total) for s in found] == [(1, "A", 100), (1, "D", 100), (3, "B", 50), (3, "C", 50)]
    turns = "1,1,A,X,20,,\n1,1,B,Y,10,,\n1,1,C,Z,4,,\n2,1,A,Z,20,,\n2,1,B,Y,10,,\n2,1,C,X,4,,\n"
    ranked = standings(read_results(HEAD + turns, 34, 1901), SYSTEMS["rank"])
    assert [(s.place, s.player, s.total) for s in ranked] == [(1, "X", 4), (1, "Z", 4), (3, "Y", 4)]
    lost = "1,1,A,X,18,,won\n1,1,B,Y,16,,\n2,1,A,Z,18,,won\n2,1,B,X,16,,\n"
    ranked = standings(read_results(HEAD + lost, 34, 1901), SYSTEMS["c-diplo-namur"], best=1)
    assert [(s.place, s.player) for s in ranked][:2] == [(1, "Z"), (2, "X")], "who lost more isn't ahead of who sat out"
    assert best_of_powers(boards, SYSTEMS["draw-size"]) == {"Austria": (100, 18, "A"), "England": (100, 18, "D")}


def test_the_year_of_an_elimination_counts(tmp_path: Path) -> None:
    (board,) = read_results(HEAD + "1,1,A,x,20,,won\n1,1,B,y,0,1905,\n1,1,C,z,14,,\n", 34, 1901)
    assert isinstance(board, Board) and dict(board.outcome.out) == {"B": 5} and board.outcome.winners == ("A",)
    file = tmp_path / "results.csv"
    file.write_text(weekend())
    told = CliRunner().invoke(app, ["standings", str(file), "--csv", "--best", "2"])
    rows = list(csv.DictReader(io.StringIO(told.stdout)))
    assert len(rows) == 49 and rows[0]["place"] == "1" and rows[0]["round 3"]
    assert "Best Turkey: Player" in CliRunner().invoke(app, ["standings", str(file)]).stdout
    assert CliRunner().invoke(app, ["standings", str(file), "-s", "x"]).exit_code == 1


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("round,board\n", {"line 1: no column power", "line 1: no column player", "line 1: no column centers"}),
        (HEAD + "1,1,A,x,many,,\n", {"line 2: centers is a number, not 'many'"}),
        (HEAD + "1,1,A,,3,,lost\n", {"line 2: name the player and the power",
                                     "line 2: result is won, draw or nothing, not 'lost'"}),
        (HEAD + "1,1,A,x,3,,\n1,2,B,x,3,,\n", {"line 3: x plays in round 1 already, on line 2"}),
        (HEAD + "1,1,A,x,30,,\n1,1,A,y,3,,\n", {"line 2: board 1 names a power twice, or more than 34 centers"}),
    ],
)  # fmt: skip
def test_all_faults_of_a_table_are_told_with_their_lines(text: str, faults: set[str]) -> None:
    with pytest.raises(ResultsError) as caught:
        read_results(text, 34, 1901)
    assert set(caught.value.faults) == faults and msgspec.json.encode(caught.value.faults)


def test_equal_sums_are_told_apart_by_what_is_chosen(tmp_path: Path) -> None:
    text = HEAD + "".join(
        f"{number},{board},{power},{player},{count},,{result}\n"
        for number, board, power, player, count, result in (
            (1, 1, "Austria", "Ada", 18, "won"),
            (1, 1, "England", "Bob", 16, ""),
            (1, 2, "Austria", "Cy", 20, "won"),
            (1, 2, "England", "Di", 14, ""),
        )
    )
    boards = read_results(text, 34, 1901)
    solo = SYSTEMS["solo"]
    assert [line.place for line in standings(boards, solo)] == [1, 1, 3, 3]
    assert [line.player for line in standings(boards, solo, ties=["centers"])] == ["Cy", "Ada", "Bob", "Di"]
    assert [line.place for line in standings(boards, solo, ties=["wins", "leads"])] == [1, 1, 3, 3]
    file = tmp_path / "results.csv"
    file.write_text(text)
    told = CliRunner().invoke(app, ["standings", str(file), "--system", "solo", "--tie", "centers"])
    assert told.exit_code == 0 and told.output.splitlines()[0].split()[:2] == ["1", "Cy"]
    assert "there is no tie-break" in CliRunner().invoke(app, ["standings", str(file), "--tie", "lots"]).output
