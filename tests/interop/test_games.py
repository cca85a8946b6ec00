"""The short game from every format, judged again; what differs and which option explains it; round trips."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from legation.game import Game, load_game, save_game
from legation.interop import ForeignFileError, open_source
from legation.interop.games import (
    Judged,
    RecordedGame,
    export_formats,
    export_game,
    judge_again,
    judge_as_recorded,
    judged_text,
    read_games,
)
from legation.variants import load
from tests.interop import played


def again(name: str, text: str, folder: Path) -> tuple[RecordedGame, Judged]:
    file = folder / name
    file.write_text(text)
    [record] = read_games(open_source(file))
    return record, judge_again(record, load("standard"), lambda options: load("standard", options))


@pytest.mark.parametrize("name", played.FILES)
def test_one_game_from_every_format(name: str, tmp_path: Path) -> None:
    record, judged = again(name, played.FILES[name], tmp_path)
    assert judged.differences == []
    assert judged.agreed >= 1
    first = judged.game.turns[0].resolution
    assert {(u.power, u.at) for u in first.after.units} >= {("France", "bur"), ("Germany", "mun"), ("Germany", "den")}
    assert "No differences" in judged_text(record, judged)


@pytest.mark.parametrize("name", ["mila.json", "mail.txt", "diplicity.json", "webdip.json", "game_1.txt"])
def test_a_record_that_says_otherwise_is_told(name: str, tmp_path: Path) -> None:
    text = played.FILES[name]
    for old, new in (
        ('"A MUN": ["bounce"]', '"A MUN": []'),
        ("Army Munich -> Burgundy.  (*bounce*)", "Army Munich -> Burgundy."),
        ('"A BUR"', '"A PAR"'),
        ('"province": "bur"', '"province": "par"'),
        ("France: army bur", "France: army par"),
        ('"terrID": 48, "countryID": 2, "retreating"', '"terrID": 47, "countryID": 2, "retreating"'),
    ):
        text = text.replace(old, new)
    assert text != played.FILES[name]
    _, judged = again(name, text, tmp_path)
    assert judged.differences


def test_the_option_that_explains_a_difference_is_named_and_taken(tmp_path: Path) -> None:
    units = dict(played.START)
    units["ENGLAND"] = ["A LON", "F NTH", "F EDI"]
    units["FRANCE"] = ["A YOR", "A MAR", "A PAR"]
    moved = {**units, "ENGLAND": ["A WAL", "F NTH", "F EDI"]}
    document = json.loads(played.FILES["mila.json"])
    for phase, there in zip(document["phases"], (units, moved), strict=True):
        phase["state"]["units"] = there
        phase["orders"], phase["results"] = {}, {}
    document["phases"][0]["orders"] = {"ENGLAND": ["A LON - WAL VIA"]}
    file = tmp_path / "x.json"
    file.write_text(json.dumps(document))
    [record] = read_games(open_source(file))
    plain = judge_again(record, load("standard"), lambda o: load("standard", o))
    assert [d.options for d in plain.differences] == [("via_convoy_fallback = True",)]
    judged, took = judge_as_recorded(record, lambda o: load("standard", o))
    assert took == ["via_convoy_fallback = True"]
    assert judged.differences == []
    assert judged.game.rules.options["via_convoy_fallback"] is True


def test_messages_of_players_are_never_shown(tmp_path: Path) -> None:
    record, judged = again("mila.json", played.FILES["mila.json"], tmp_path)
    assert "1 messages" in judged_text(record, judged)
    assert "SECRETWORD" not in judged_text(record, judged) + json.dumps(save_game(judged.game))


def test_what_is_no_order_in_a_paste_is_told(tmp_path: Path) -> None:
    record, judged = again("paste.txt", played.FILES["paste.txt"], tmp_path)
    assert "something that is no order" in judged_text(record, judged)


def test_a_power_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ForeignFileError, match="is no power"):
        again("short.txt", played.TEXT.replace("Germany", "Ruritania"), tmp_path)


@pytest.mark.parametrize("place", ["Marseille/s", "Gulf of Lyon"])
def test_a_unit_where_none_can_stand_is_refused(place: str, tmp_path: Path) -> None:
    """A coast that a place has not is read as written, and an army's place may be a sea: neither is a position."""
    text = played.FILES["mail.txt"].replace("Army  Marseilles.", f"Army  {place}.", 1)
    with pytest.raises(ForeignFileError, match="can stand there"):
        again("mail.txt", text, tmp_path)


@pytest.mark.parametrize("packed", [True, False])
def test_a_saved_game_of_jdip_is_known_and_refused(packed: bool, tmp_path: Path) -> None:
    text = b'<?xml version="1.0"?>\n<jsx major="1"><dip.world.World/>' + b" " * 50_000_000 + b"</jsx>"
    (tmp_path / "game.dat").write_bytes(gzip.compress(text, 1) if packed else text[:9000])
    with pytest.raises(ForeignFileError, match="saved game of jDip"):
        read_games(open_source(tmp_path / "game.dat"))


def a_game() -> Game:
    """Two years, with a dislodgement, a retreat, a build, a waived build and a coast."""
    game = Game("standard", name="round trip", seed="x")
    game.play({"Germany": "A mun - bur; F kie - den", "France": "A par - pic", "Russia": "F stp/sc - bot; A war - gal"})
    game.play({
        "Germany": "A bur h; F den - swe",
        "France": "A pic - bur; A mar s A pic - bur; F bre - mao",
        "Russia": "F bot h",
    })  # fmt: skip
    game.play({"Germany": "A bur - ruh"})
    game.play({"Germany": "build F kie"})
    game.play({"France": "F mao - spa/nc; A bur - mun", "Italy": "A ven - tri"})
    return game


@pytest.mark.parametrize("wanted", export_formats())
def test_round_trips(wanted: str, tmp_path: Path) -> None:
    game = a_game()
    text, missing = export_game(game, wanted)
    assert missing
    file = tmp_path / ("g.json" if wanted in ("mila", "diplicity-game") else "g.txt")
    file.write_text(text)
    [record] = read_games(open_source(file))
    judged = judge_again(record, load("standard"), lambda options: load("standard", options))
    assert judged.differences == []
    assert judged.unread == []
    assert judged.agreed >= len(game.turns)
    assert judged.game.position == game.position
    for ours, theirs in zip(game.turns, judged.game.turns, strict=True):
        assert ours.resolution.after == theirs.resolution.after
    assert load_game(save_game(judged.game)).position == game.position


def test_a_format_that_is_none_is_refused() -> None:
    with pytest.raises(ForeignFileError, match="no format"):
        export_game(a_game(), "stone")
