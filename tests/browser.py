"""Chromium for the tests that need a browser: found, or installed where that is allowed."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache

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
