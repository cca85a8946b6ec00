"""The map in the fog, in Chromium: what the keyboard comes to is said to be out of sight where it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.office.test_hidden_senders import World, fog  # noqa: F401
from tests.web.visiting import visited


@pytest.mark.browser
@pytest.mark.long
def test_a_place_out_of_sight_is_said_to_be(browser: Browser, tmp_path: Path, fog: Path) -> None:
    world = World(tmp_path / "office", fog, "France")
    with visited(world.office, browser, world.players["England"], reduced_motion="reduce") as visit:
        page = visit.go(f"/games/{world.key}")
        page.wait_for_selector("#chart[data-ready]")
        page.wait_for_selector("[data-hidden=mos]", state="attached")
        page.locator(".sheet-of-map").focus()
        told, said = page.locator(".told"), set()
        for key in 10 * ["ArrowLeft"] + 8 * ["ArrowUp"]:
            page.keyboard.press(key)
            expect(told).not_to_be_empty()
            said.add(told.inner_text())
        hidden = {text for text in said if text.endswith(": out of sight")}
        assert hidden and said - hidden, said
        assert not any(text.startswith(("London", "Edinburgh", "Liverpool")) for text in hidden), hidden
