"""What a game comes to for each power."""

import msgspec
import pytest

from legation.game.scores import outcomes
from legation.judge import Ending
from legation.variants import load

POWERS = ("England", "France", "Germany")
OWNERS = {"lon": "England", "par": "France", "bre": "France"}


@pytest.mark.parametrize(
    ("ending", "owners", "came_to"),
    [
        (Ending("solo", ("France",), "x"), OWNERS, (0, 1, 0)),
        (Ending("draw", ("France", "Germany"), "x"), OWNERS, (0, 0.5, 0.5)),
        (Ending("ranking", ("France", "England"), "x"), OWNERS, (0.2, 0.8, 0)),
        (None, OWNERS, (0.2, 0.8, 0)),
        (None, {}, (0, 0, 0)),
    ],
)
def test_what_a_game_came_to(ending: Ending | None, owners: dict[str, str], came_to: tuple[float, ...]) -> None:
    position = msgspec.structs.replace(load("standard").opening(), owners=owners)
    assert tuple(outcomes(position, ending, POWERS).values()) == pytest.approx(came_to)
