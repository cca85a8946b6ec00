"""What the child process that takes mails apart is made of."""

from __future__ import annotations

import subprocess
import sys

import pytest

import legation.mail


def test_whatever_the_door_names_is_behind_it() -> None:
    assert all(getattr(legation.mail, name) is not None for name in legation.mail.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing_of_this_name'"):
        legation.mail.nothing_of_this_name  # noqa: B018


def test_a_child_takes_mails_apart_without_the_office() -> None:
    """With all of the office it is three times as large before it has read a word."""
    heavy = ("sqlalchemy", "legation.judge", "legation.variants", "legation.atlas", "legation.office.context")
    ask = f"import legation.mail.intake, sys; print([name for name in {heavy} if name in sys.modules])"
    told = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert told.stdout == "[]\n"
