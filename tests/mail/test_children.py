"""What the child process that takes mails apart is made of."""

from __future__ import annotations

import subprocess
import sys


def test_a_child_takes_mails_apart_without_the_office() -> None:
    """With all of the office it is three times as large before it has read a word."""
    heavy = ("sqlalchemy", "legation.judge", "legation.variants", "legation.atlas", "legation.office.context")
    ask = f"import legation.mail.intake, sys; print([name for name in {heavy} if name in sys.modules])"
    told = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert told.stdout == "[]\n"
