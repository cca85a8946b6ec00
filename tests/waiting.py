"""Waiting for what comes by itself, however busy the machine is."""

import time
from collections.abc import Callable

PATIENCE = 120.0  # seconds; only what never comes takes as long


def wait_for(what: Callable[[], object], told: str = "it never came") -> None:
    """Look again and again until something is so.

    :raises AssertionError: with ``told``, when it is not within two minutes."""
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, told
        time.sleep(0.02)
