"""What the child process that takes mails apart is made of."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import pytest

import legation.mail
import legation.office


@pytest.mark.parametrize("door", [legation.mail, legation.office], ids=lambda door: door.__name__)
def test_whatever_a_door_names_is_behind_it(door: ModuleType) -> None:
    names = door.__all__
    assert all(getattr(door, name) is not None for name in names)
    with pytest.raises(AttributeError, match="no attribute 'nothing_of_this_name'"):
        door.nothing_of_this_name  # noqa: B018


def test_a_child_takes_mails_apart_without_the_office() -> None:
    """With all of the office it is three times as large before it has read a word."""
    heavy = ("sqlalchemy", "legation.judge", "legation.variants", "legation.atlas", "legation.office.act")
    ask = f"import legation.mail.intake, sys; print([name for name in {heavy} if name in sys.modules])"
    told = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert told.stdout == "[]\n"
