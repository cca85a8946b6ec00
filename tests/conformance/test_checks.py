"""The checks that stand beside the case files find what is wrong."""

from __future__ import annotations

import pytest

from legation.atlas import Atlas, moves_page
from legation.conformance.checks import CHECKS, moves_browser, three_maps

VARIANT = "three-kingdoms"


@pytest.mark.parametrize(("clause", "name"), [(clause, name) for clause, named in CHECKS.items() for name in named])
def test_check_passes(clause: str, name: str) -> None:
    assert CHECKS[clause][name](VARIANT) == []


def test_a_page_that_sends_an_army_elsewhere_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    page = "legation.conformance.checks.moves_page"
    monkeypatch.setattr(page, lambda *a: moves_page(*a).replace('"army":["', '"army":["nowhere","', 1))
    assert len(moves_browser(VARIANT)) == 1
    monkeypatch.setattr(page, lambda *a: "<html></html>")
    assert moves_browser(VARIANT) == ["the page has no board"]


def test_a_map_that_always_shows_units_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Atlas.svg
    monkeypatch.setattr(Atlas, "svg", lambda *a, **k: real(*a, **{**k, "units": True}))
    assert three_maps(VARIANT) == [
        "the map with control, without units shows 70 units",
        "the map without control, without units shows 70 units",
    ]
