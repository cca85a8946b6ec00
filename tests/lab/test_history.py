"""What dense games record is what the judge saw, and is counted right."""

from pathlib import Path

import pytest

from legation.variants import load

pytest.importorskip("numba", reason="the lab needs its extra")
pytest.importorskip("pyarrow", reason="the lab needs its extra")

from legation.game import Game
from legation.lab.history import read_games, tabulate_history
from legation.lab.results import Results
from legation.lab.runs import RunError, RunPlan, record_piece, replay
from legation.orders import Hold, Move, Sheet, SupportMove
from tests.lab.test_runs import carried_out


@pytest.mark.parametrize(
    ("variant", "bots", "turns"),
    [("hundred", ("dumbbot", "random"), 40), ("1000ad", ("random", "dumbbot"), 14), ("three-kingdoms", ("random",), 8)],
)
@pytest.mark.usefixtures("games_compiled")
def test_dense_games_record_what_the_judge_saw(variant: str, bots: tuple[str, ...], turns: int) -> None:
    rules = load(variant)
    plan = RunPlan(variant, bots, 2, "a seed", turns, record=True)
    _, history = record_piece(plan, 0, rules)
    assert history is not None
    dense = tabulate_history(rules, history)
    judged = tabulate_history(rules, read_games(rules, [(n, replay(plan, n, rules)) for n in range(2)]))
    for name in ("places", "borders", "contacts", "changed", "openings"):
        assert dense[name].to_pylist() == judged[name].to_pylist(), name
    counted = [
        {
            (row["game"], row["power"], row["what"], row["outcome"]): row["count"]
            for row in tables["orders"].to_pylist()
            if row["what"] not in ("remove", "waive", "retreat", "disband", "other")  # the judge tells more of these
        }
        for tables in (dense, judged)
    ]
    assert counted[0] == counted[1]


def test_moves_are_counted_by_border_and_units_by_place() -> None:
    rules = load("standard")
    game = Game(rules, seed="1")
    game.play(
        [
            Sheet("Germany", (Move("A", "mun", "bur"), Hold("A", "ber"))),
            Sheet("France", (Move("A", "par", "bur"), Move("A", "mar", "spa"))),
            Sheet("Austria", (Move("A", "vie", "tyr"), Move("A", "bud", "ser"))),
        ]
    )
    game.play([Sheet("Austria", (Move("A", "tyr", "mun"), SupportMove("A", "ser", "A", "tyr", "mun")))])
    tables = tabulate_history(rules, read_games(rules, [(7, game)]))
    borders = {(row["from"], row["to"]): row for row in tables["borders"].to_pylist()}
    assert borders["mun", "bur"] == {"game": 7, "from": "mun", "to": "bur", "moves": 1, "bounced": 1, "dislodged": 0}
    assert borders["mar", "spa"]["moves"] == 1 and borders["mar", "spa"]["bounced"] == 0
    places = {row["province"]: row for row in tables["places"].to_pylist()}
    assert places["mar"]["stays"] == 1 and places["spa"]["stays"] == 1 and places["par"]["stays"] == 2
    assert places["spa"]["taken"] == 1901 and places["spa"]["owner"] == "France" and places["spa"]["changes"] == 0
    assert places["por"]["taken"] is None and places["mos"]["changes"] == 0
    contacts = {(row["power"], row["other"]): row["year"] for row in tables["contacts"].to_pylist()}
    assert contacts["Austria", "Germany"] == 1901 and contacts["England", "Turkey"] is None
    assert contacts["Austria", "Italy"] == 1901 and contacts["France", "Germany"] is None  # Burgundy stays vacant
    (austria,) = [row["orders"] for row in tables["openings"].to_pylist() if row["power"] == "Austria"]
    assert austria == "A bud - ser; A vie - tyr; F tri H"
    orders = {(row["power"], row["what"], row["outcome"]): row["count"] for row in tables["orders"].to_pylist()}
    assert orders["Austria", "support to move", "illegal"] == 1 and orders["Germany", "move", "bounced"] == 1
    assert tables["changed"].to_pylist() == [{"game": 7, "number": 1, "changed": 2}]


@pytest.mark.usefixtures("games_compiled")
def test_a_run_keeps_what_it_records_and_says_when_it_did_not(tmp_path: Path) -> None:
    plan = RunPlan("hundred", ("hold", "random"), 3, "1", 20, piece=2, record=True)
    results = carried_out(tmp_path / "recorded", plan)
    assert {row["game"] for row in results.table("openings").to_pylist()} == {0, 1, 2}
    (results.folder / "borders" / "000001.parquet").unlink()
    assert Results.read(results.folder).left == [1]
    plain = carried_out(tmp_path / "plain", RunPlan("hundred", ("hold",), 1, "1", 4))
    with pytest.raises(RunError, match="without recording"):
        plain.table("borders")
