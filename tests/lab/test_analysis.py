"""Games looked back on: a gross mistake is found and priced, what nobody could better is none, running games are not
looked at."""

from pathlib import Path

import msgspec
import numpy as np
import pytest

from legation.bots.matches import random_game
from legation.notation import write
from legation.position import Phase, Unit
from legation.variants import USUAL, Registry, load
from tests.cli.test_commands import run as command

pytest.importorskip("numba", reason="the lab needs its extra")

from legation.game import Game, save_game
from legation.lab.analysis import (
    AnalysisError,
    Analyst,
    AnalyzedTurn,
    analyze,
    analyze_saved,
    final_outlooks,
    told,
    turning_points,
)
from legation.lab.report.document import html
from legation.lab.retrospect import retrospect, turn_lines


@pytest.fixture(scope="module")
def game() -> Game:
    """France gives Paris away: the army beside it holds, where it could stand in the way or come back."""
    game = Game("hundred", seed="1")
    game.play({"France": "A par - cha", "Burgundy": "A dij - par", "England": "A cal H"})
    for _ in range(3):
        game.play([])
    return game


@pytest.mark.usefixtures("games_compiled")
def test_a_center_given_away_is_a_mistake_with_its_price_on_the_page_as_in_lines(game: Game) -> None:
    turns = list(analyze(game, 0))
    judged = {sheet.power: sheet for sheet in turns[0].sheets}
    assert set(judged) == {"Burgundy", "England", "France"} and not any(turn.sheets for turn in turns[1:])
    france = judged["France"]
    assert "A par - cha" in france.orders and len(france.orders) == len(france.best) == 5
    assert france.grade and france.loss > 0.03 and france.best_outlook > france.outlook
    assert france.best != france.orders and any(edit.order == "A par - cha" for edit in france.edits)
    assert "Best found" in told(france)[-1] and told(france)[0].startswith("France: a ")
    assert turns[0].decisive.startswith("A dij - par (Burgundy) decided most: it gained ")
    assert "cost France" in turns[0].decisive and not turns[0].openings
    again = next(iter(analyze(game, 0)))
    assert again == turns[0], "the same game is judged alike"
    page = html(retrospect(game, turns))
    for line in told(next(sheet for sheet in turns[0].sheets if sheet.power == "France"))[1:]:
        assert line in page.replace("&#x27;", "'")
    assert any("France: a " in line for line in turn_lines(turns[0]))


@pytest.mark.usefixtures("games_compiled")
def test_to_stand_on_enough_centers_is_not_to_have_won_before_the_turn() -> None:
    game = Game("standard", seed="1")
    game.play([])
    fall, centers = game.position, list(game.rules.board.centers)
    ahead = msgspec.structs.replace(
        fall,
        owners={center: "Turkey" if n < 17 else "England" for n, center in enumerate(centers)},
        units=tuple(Unit("A", center, "Turkey") for center in centers[:18])
        + tuple(Unit("A", center, "England") for center in centers[18:]),
    )
    outlooks = Analyst(game.rules).outlooks(ahead)
    assert outlooks["England"] > 0.2 and outlooks["Turkey"] > outlooks["England"]


@pytest.mark.usefixtures("games_compiled")
def test_a_saved_game_is_analyzed_by_the_rules_that_were_kept_with_it(game: Game) -> None:
    kept = USUAL.as_it_is("hundred")
    found = analyze_saved(kept.content(), msgspec.json.encode(save_game(game)))
    assert [turn["turn"] for turn in found["turns"]] == [
        *(str(t.resolution.before.turn) for t in game.turns),
        "The end",
    ]
    (france,) = [sheet for sheet in found["turns"][0]["sheets"] if sheet["power"] == "France"]
    assert france["grade"] and france["told"][0].startswith("France: a ")
    assert all(sheet["grade"] for turn in found["turns"] for sheet in turn["sheets"])


@pytest.mark.usefixtures("games_compiled")
def test_outlooks_are_parts_of_one_game_and_end_with_what_came_of_it(game: Game) -> None:
    turns = list(analyze(game, 0))
    for turn in turns:
        assert sum(turn.outlooks.values()) == pytest.approx(1, abs=0.001)
        assert all(0 <= share <= 1 for share in turn.outlooks.values())
    assert turns[-1].outlooks == final_outlooks(game)
    points = turning_points(
        [
            AnalyzedTurn(0, "one", {"France": 0.5, "England": 0.5}),
            AnalyzedTurn(1, "two", {"France": 0.45, "England": 0.55}),
            AnalyzedTurn(2, "three", {"France": 0.2, "England": 0.8}),
            AnalyzedTurn(3, "The end", {"France": 0.0, "England": 1.0}),
        ]
    )
    assert [(point.turn, point.before) for point in points] == [("two", 0.45)]


@pytest.mark.usefixtures("games_compiled")
def test_what_is_best_hardly_depends_on_the_samples(game: Game) -> None:
    best = [{s.power: s.best for s in next(iter(analyze(game, 0, seed))).sheets} for seed in ("one", "two", "three")]
    same = [best[0][power] == other[power] for other in best[1:] for power in best[0]]
    assert sum(same) >= 4


@pytest.mark.usefixtures("games_compiled")
def test_openings_are_named() -> None:
    game = Game("standard", seed="1")
    russia = "F stp/sc - bot, A mos - ukr, A war - gal, F sev - bla"
    game.play({"Germany": "F kie - den, A ber - kie, A mun - ruh", "Russia": russia, "Turkey": "A con - bul"})
    (first, *_) = analyze(game, 0)
    assert first.openings == {"Germany": "Blitzkrieg, Danish Variation", "Russia": "Ukraine System"}
    assert "  Germany: Blitzkrieg, Danish Variation" in turn_lines(first)


@pytest.mark.parametrize("variant", ["standard", "hundred"])
@pytest.mark.usefixtures("games_compiled")
def test_movements_that_are_tried_lead_where_the_judge_says(variant: str) -> None:
    rules = load(variant)
    analyst = Analyst(rules)
    games, powers = analyst.games, analyst.powers
    turns = [r for r in random_game(rules, 3, 12) if r.before.turn.phase is Phase.MOVEMENT]
    for resolution in turns:
        games.set_position(0, resolution.before)
        codes = {write(order): (i, code) for i, code, order in games.list_codes(0)}
        orders = np.zeros((2, len(resolution.before.units)), int)
        for text in (write(verdict.order) for verdict in resolution.verdicts):
            if text in codes:
                orders[1, codes[text][0]] = codes[text][1]
        _, tried = games.try_movements(0, orders)
        after = analyst.outlooks(resolution.after)
        assert tried == pytest.approx([after[power] for power in powers], abs=1e-3), str(resolution.before.turn)


@pytest.mark.usefixtures("games_compiled")
def test_an_outlook_follows_the_position() -> None:
    rules = load("hundred")
    analyst = Analyst(rules)
    opening = rules.opening()
    ruined = msgspec.structs.replace(
        opening,
        units=tuple(unit for unit in opening.units if unit.power != "France" or unit.at == "pro"),
        owners={c: "England" if owner == "France" else owner for c, owner in opening.owners.items()},
    )
    assert analyst.outlooks(ruined)["France"] < 0.1 < analyst.outlooks(opening)["France"]


def test_what_cannot_be_analyzed_is_told(game: Game) -> None:
    with pytest.raises(AnalysisError, match="turns 1 to 4"):
        next(analyze(game, 4))
    with pytest.raises(AnalysisError, match="can’t be analyzed: the option waiving is off"):
        Analyst(load("hundred", {"waiving": False}))


def test_a_running_game_is_not_analyzed(game: Game, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("game") / "game.json"
    path.write_bytes(msgspec.json.encode(save_game(game)))
    done = command("analyze", str(path))
    assert done.returncode and "still being played" in done.stderr and "Traceback" not in done.stderr


def test_a_game_by_rules_from_a_folder_is_read_and_told_why_it_is_not_analyzed(manual_folder: Path) -> None:
    registry = Registry(manual_folder / "mine")
    game = Game(registry.load("trenches"))
    game.play({"France": "A par digs in"})
    content, saved = registry.as_it_is("trenches").content(), msgspec.json.encode(save_game(game))
    with pytest.raises(AnalysisError, match="digging_in has no dense form"):
        analyze_saved(content, saved, [str(manual_folder / "mine")])
