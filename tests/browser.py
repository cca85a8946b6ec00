"""Chromium for the tests that need a browser: found, or installed where that is allowed; one for each process."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

SHELL, WHOLE = "chromium-headless-shell", "chromium"
NAMES = {
    SHELL: (SHELL, WHOLE, "chromium-browser", "google-chrome"),
    WHOLE: (WHOLE, "chromium-browser", "google-chrome"),
}
"""Debian's packages, and the programs that will do. In the shell a page costs a third of what it costs in the whole
browser; only notifications want the whole."""


@cache
def chromium(package: str = SHELL) -> str | None:
    """The path of Chromium; installed from Debian's packages first where we are root.

    None when there is no way to it."""
    if not shutil.which(package) and os.geteuid() == 0 and shutil.which("apt-get"):
        with (Path(tempfile.gettempdir()) / "legation-tests-apt.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # another process of these tests may be installing it
            around = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
            for command in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", package]):
                if not shutil.which(package):
                    subprocess.run(command, check=False, capture_output=True, env=around)
    return next((path for name in NAMES[package] if (path := shutil.which(name))), None)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Playwright, started once in each process, by this fixture alone."""
    from playwright.sync_api import expect, sync_playwright  # most processes need none

    expect.set_options(timeout=60_000)  # a busy machine may take its time
    with sync_playwright() as started:
        yield started


def opened(playwright: Playwright, package: str) -> Browser:
    """A browser of this package."""
    path = chromium(package)
    if path is None:
        pytest.skip(
            f"no Chromium here, and it cannot be installed without root; install it with: apt-get install {package}"
        )
    return playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """The browser of all tests of a process but those that need a whole one."""
    with opened(playwright, SHELL) as started:
        yield started


@pytest.fixture
def whole_browser(playwright: Playwright) -> Iterator[Browser]:
    """Chromium with all that the shell lacks, such as notifications."""
    with opened(playwright, WHOLE) as started:
        yield started
