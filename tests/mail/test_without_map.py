"""A painter that hangs or fails keeps no mail back: it goes with its link."""

from __future__ import annotations

import pytest

from legation.atlas.painting import PaintingError
from legation.mail import results
from tests.mail.conftest import Painted, World, body


@pytest.mark.parametrize("error", [PaintingError("it takes too long"), ValueError("odd"), RuntimeError("typst")])
def test_results_whose_map_cannot_be_drawn_are_sent_with_their_link(
    world: World, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*_: object) -> None:
        raise error

    results._drawn.cache_clear()
    monkeypatch.setattr(Painted, "png_and_pdf", fail)
    world.passes(days=1)
    for power in world.players:
        (message,) = world.outbox.to(world.address_of(power), "results")
        assert f"/games/{world.game.key}" in body(message)
        assert not [part for part in message.walk() if part.get_content_maintype() == "image"]
