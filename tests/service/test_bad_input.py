"""Mail that means harm: all of it is filed, none of it does anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.service.hostile import attack


@pytest.mark.long
def test_hostile_mails_are_filed_and_do_nothing(tmp_path: Path) -> None:
    tally = attack(tmp_path / "office", 300)
    assert tally["filed"] == 300
    assert tally["answered"] <= 3 + 5 * 3, "a person is told of the game, and asked five times a day whose a mail is"
