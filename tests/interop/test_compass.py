"""Which way is up on a board that comes without positions."""

import pytest

pytest.importorskip("shapely", reason="drawing needs the extra authoring")

from legation.board import read_board
from legation.board.model import fold
from legation.interop.drawing import compass
from legation.interop.record import Place
from legation.variants import find_boards


def test_a_layout_is_turned_so_that_known_places_lie_as_on_the_earth() -> None:
    board = read_board(find_boards()["standard"])
    places = {key: Place(key=key, name=province.name) for key, province in board.provinces.items()}
    known = compass.known_places()
    true = {key: known[fold(place.name)] for key, place in places.items()}
    mirrored = {key: (-y, -0.8 * x) for key, (x, y) in true.items()}
    found = compass.turned(places, mirrored)
    assert found["lvp"][0] < found["war"][0] < found["mos"][0] and found["nwy"][1] < found["mun"][1] < found["tun"][1]
    unknown = {key: Place(key=key, name=f"Place {number}") for number, key in enumerate(places)}
    assert compass.turned(unknown, mirrored) == mirrored
    scattered = dict(zip(true, sorted(mirrored.values()), strict=True))
    assert compass.turned(places, scattered) == scattered


def test_a_layout_of_unknown_places_is_turned_as_their_names_say() -> None:
    names = ["North Marsh", "Northern Sea", "South Bay", "Southwestern Ocean", "Eastern March", "Westwood", "West Hill"]
    places = {name: Place(key=name, name=name) for name in names}
    upside_down = {"North Marsh": (5.0, 9.0), "Northern Sea": (4.0, 8.0), "South Bay": (5.0, 1.0)} | {
        "Southwestern Ocean": (9.0, 2.0),
        "Eastern March": (0.0, 5.0),
        "Westwood": (3.0, 3.0),
        "West Hill": (9.0, 6.0),
    }
    found = compass.turned(places, upside_down)
    assert found["Northern Sea"][1] < found["West Hill"][1] < found["South Bay"][1]
    assert found["West Hill"][0] < found["South Bay"][0] < found["Eastern March"][0]
    assert compass.turned({"Westwood": places["Westwood"]}, upside_down) == upside_down


def test_places_of_the_templates_are_known_if_they_lie_on_the_earth() -> None:
    known = compass.known_places()
    assert known["madagascar"][1] > 0 > known["alaska"][1] and "far shore" not in known
