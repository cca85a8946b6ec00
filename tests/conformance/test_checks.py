"""The checks that stand beside the case files find what is wrong."""

import pytest

from legation.atlas import Atlas, NoMapError, moves_page
from legation.conformance.checks import CHECKS, moves_browser, three_maps
from legation.variants import load

VARIANT = "three-kingdoms"


@pytest.mark.parametrize(("clause", "name"), [(clause, name) for clause, named in CHECKS.items() for name in named])
def test_check_passes(clause: str, name: str) -> None:
    assert CHECKS[clause][name](VARIANT) == []


def test_a_page_that_sends_an_army_elsewhere_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    page = "legation.conformance.checks.moves_page"
    monkeypatch.setattr(page, lambda *a: moves_page(*a).replace('"army":["', '"army":["nowhere","', 1))
    assert len(moves_browser(VARIANT)) == 1
    name = load(VARIANT).board.provinces["york"].name
    monkeypatch.setattr(page, lambda *a: moves_page(*a).replace(f'"name":"{name}"', '"name":"Jorvik"', 1))
    assert moves_browser(VARIANT) == ["york is called 'Jorvik'"]
    monkeypatch.setattr(page, lambda *a: moves_page(*a).replace('"fleet":{"', '"fleet":{"x', 1))
    assert len(moves_browser(VARIANT)) == 1 and "a fleet in" in moves_browser(VARIANT)[0]
    monkeypatch.setattr(page, lambda *a: "<html></html>")
    assert moves_browser(VARIANT) == ["the page has no board"]


def test_a_map_that_always_shows_units_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Atlas.svg
    monkeypatch.setattr(Atlas, "svg", lambda *a, **k: real(*a, **{**k, "units": True}))
    assert three_maps(VARIANT) == [
        "the map with control, without units shows 70 units",
        "the map without control, without units shows 70 units",
    ]


def test_a_map_without_colors_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Atlas.svg
    monkeypatch.setattr(Atlas, "svg", lambda *a, **k: real(*a, **{**k, "control": False}))
    assert three_maps(VARIANT) == [
        "the map with control, without units colors 0 provinces",
        "the map with control, with units colors 0 provinces",
    ]


def test_a_board_without_a_picture_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Atlas:
        raise NoMapError(f"the board of {name!r} has no shapes yet")

    monkeypatch.setattr("legation.conformance.checks.for_variant", missing)
    for check in (moves_browser, three_maps):
        assert check(VARIANT) == ["the board of 'three-kingdoms' has no shapes yet"]
