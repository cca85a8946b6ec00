"""``import legation`` as programs and notebooks use it."""

import doctest
import subprocess
import sys
from importlib import import_module

import pytest

import legation
from legation.atlas.notebook import Drawing
from legation.game import Game

EXAMPLES = (
    "legation",
    "legation.atlas.notebook",
    "legation.game.checking",
    "legation.game.documents",
    "legation.game.log",
    "legation.judge.possible",
    "legation.judge.resolving",
    "legation.variants",
)


@pytest.mark.parametrize("module", EXAMPLES)
def test_the_examples_of_docstrings_run(module: str) -> None:
    done = doctest.testmod(import_module(module))
    assert done.attempted and not done.failed


def test_what_is_offered_is_there_and_nothing_is_imported_before_it_is_used() -> None:
    assert set(legation.__all__) <= set(dir(legation))
    assert all(getattr(legation, name) is not None for name in legation.__all__)
    with pytest.raises(AttributeError, match="no attribute 'adjudge'"):
        legation.adjudge  # noqa: B018
    code = "import sys, legation; print([m for m in sys.modules if m.startswith('legation.') or m == 'msgspec'])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.strip() == "['legation.version']"


def test_what_is_printed_says_what_it_is() -> None:
    rules = legation.load("standard")
    assert (repr(rules), repr(rules.board)) == ("Ruleset('standard')", "Board('standard', 75 provinces)")


def test_a_game_takes_written_orders_and_keeps_what_was_sent() -> None:
    game = legation.Game("hundred")
    game.play({"France": "A Par - Cha\nA Xyz - Abc", "English": ["F Lon - Dov"]})
    turn = game.turns[0]
    assert turn.sent == {"France": "A Par - Cha\nA Xyz - Abc", "England": "F Lon - Dov"}
    assert [u.power for u in turn.unread] == ["France"]
    assert [sheet.power for sheet in turn.sheets] == ["France", "England"]
    with pytest.raises(ValueError, match="did you mean"):
        game.play({"Frence": "A Par - Cha"})
    assert len(game.turns) == 1


def test_a_game_shows_itself_whatever_was_imported_first() -> None:
    code = "from legation.game.log import Game; print(Game('hundred')._repr_html_()[:9])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.strip() == "<div><svg"


def test_a_game_shows_itself_in_a_notebook() -> None:
    game = legation.Game("hundred")
    assert "Next: 1425 Movement." in str(game._repr_html_())
    game.play({"France": "A Par - Cha\n<b>A</b> & so on"})
    shown = str(game._repr_html_())
    assert "<svg" in shown and "Army Paris moves to Charolais" in shown and "<b>A</b> & so on" not in shown
    assert repr(game) == "Game('hundred', 1 turn, 1430 Movement)"
    assert legation.Game is Game


def test_a_drawing_is_of_a_variant_a_position_or_a_turn() -> None:
    rules = legation.load("hundred")
    board = legation.draw(rules)
    assert isinstance(board, Drawing) and board._repr_svg_() == board == legation.draw("hundred")
    game = legation.Game(rules)
    assert legation.draw(game, theme="dark") != legation.draw(game)
    opening = legation.draw(game)
    game.play({"France": "A Par - Cha"})
    assert legation.draw(game) != opening
