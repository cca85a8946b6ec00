"""Chromium for the tests that need a browser: found, or installed where that is allowed; one for each process."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("chromium", "chromium-browser", "google-chrome")
MISSING = "no Chromium here, and it cannot be installed without root; install it with: apt-get install chromium"


@cache
def chromium() -> str | None:
    """The path of Chromium; installed from Debian's packages first where we are root.

    None when there is no way to it.
    """
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        for command in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "chromium"]):
            subprocess.run(
                command, check=False, capture_output=True, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
            )
        found = shutil.which("chromium")
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The browser of all tests of a process: Playwright is started once in each, by this fixture alone."""
    path = chromium()
    if path is None:
        pytest.skip(MISSING)
    from playwright.sync_api import expect, sync_playwright  # most processes need none

    expect.set_options(timeout=15_000)  # a busy machine may take its time
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()
