"""Games as a table: every row is what the judge says of that power and turn, and other programs read it."""

import msgspec
import numpy as np
import pytest

from legation.game import Game, load_game, save_game
from legation.judge import legal_orders
from legation.notation import write
from legation.orders import Move, Sheet

pytest.importorskip("numba", reason="the lab needs its extra")
pytest.importorskip("pyarrow", reason="the lab needs its extra")

from pathlib import Path

import pyarrow.parquet as pq
import typer

from legation.cli.dataset import dataset as write_games
from legation.lab.dataset import DatasetError, write_dataset
from legation.lab.planes import Planes


@pytest.fixture(scope="module")
def game() -> Game:
    game = Game("standard", name="Rome", seed="1")
    game.play(
        [
            Sheet("France", (Move("A", "par", "bur"), Move("A", "mar", "bur"))),
            Sheet("Italy", (Move("A", "ven", "tyr"),)),
        ]
    )
    game.play([])
    return game


def test_rows_tell_what_a_power_saw_could_and_did_order(game: Game, tmp_path: Path) -> None:
    assert write_dataset([("Rome", game)], tmp_path / "games.parquet") == (1, 14)
    table = pq.read_table(tmp_path / "games.parquet")
    rows = table.to_pylist()
    assert len(rows) == 14 and {row["power"] for row in rows} == set(game.rules.powers)
    france = next(row for row in rows if row["power"] == "France" and row["number"] == 0)
    before = game.turns[0].resolution.before
    assert france["legal"] == sorted(write(order) for order in legal_orders(game.rules, before)["France"])
    assert [france["legal"][n] for n in france["chosen"]] == france["orders"]
    came = dict(zip(france["orders"], france["succeeds"], strict=True))
    assert came["A par - bur"] is False and came["F bre H"] is True
    planes = Planes(game.rules)
    shape = planes.shape[0], planes.shape[1] - 1
    assert np.array_equal(np.array(france["planes"]).reshape(shape), planes.of(before, "France")[:, :-1])
    assert (france["centers"], france["centers_after"], france["year"], france["phase"]) == (3, 3, 1901, "Movement")
    assert sum(row["score"] for row in rows) == pytest.approx(2) and not france["ended"]
    told = table.schema.metadata
    assert told[b"variant"] == b"standard" and msgspec.json.decode(told[b"planes"]) == list(planes.names[:-1])
    assert len(msgspec.json.decode(told[b"locations"])) == shape[0]


def test_games_of_two_variants_are_no_table(game: Game, tmp_path: Path) -> None:
    other = Game("hundred", seed="1")
    other.play([])
    with pytest.raises(DatasetError, match="write a file for each"):
        write_dataset([("Rome", game), ("Paris", other)], tmp_path / "games.parquet")
    assert not list(tmp_path.iterdir()), "nothing is left half-written"
    with pytest.raises(DatasetError, match="no games"):
        write_dataset([], tmp_path / "games.parquet")


def test_saved_games_and_those_of_other_systems_are_read(game: Game, tmp_path: Path) -> None:
    from legation.interop.games import export_game

    (tmp_path / "games").mkdir()
    saved = msgspec.json.encode(save_game(game))
    (tmp_path / "games" / "rome.json").write_bytes(saved)
    (tmp_path / "games" / "mila.json").write_text(export_game(load_game(msgspec.json.decode(saved)), "mila")[0])
    write_games([tmp_path / "games"], tmp_path / "games.parquet", "")
    rows = pq.read_table(tmp_path / "games.parquet").to_pylist()
    assert len({row["game"] for row in rows}) == 2 and len(rows) == 28
    first, second = ([row for row in rows if row["game"] == name] for name in sorted({row["game"] for row in rows}))
    for a, b in zip(first, second, strict=True):
        assert (a["power"], a["planes"], a["legal"]) == (b["power"], b["planes"], b["legal"])
    (tmp_path / "broken.json").write_text("{broken")
    with pytest.raises(typer.Exit):
        write_games([tmp_path / "broken.json"], tmp_path / "other.parquet", "")
