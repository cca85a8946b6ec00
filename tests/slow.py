"""Write down which tests take long enough to be left out of ``make test``: ``python -m tests.slow``."""

import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from tests.conftest import SLOW

SECONDS = 0.5  # that each case of a test takes, on average


def main() -> None:
    """Run all tests that are not long, one after the other, and write down the slow ones."""
    command = [sys.executable, "-m", "pytest", "-m", "not long", "--durations=0", "--durations-min=0", "-vv"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit("tests fail, so nothing is written down: run make test and make test-slow")
    took: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for line in done.stdout.splitlines():
        seconds, _, rest = line.strip().partition("s ")
        kind, _, case = rest.partition(" ")
        if kind.strip() in ("call", "setup", "teardown"):
            took[case.strip().partition("[")[0]][case.strip()] += float(seconds)
    slow = sorted(test for test, cases in took.items() if sum(cases.values()) >= SECONDS * len(cases))
    Path(SLOW).write_text("\n".join(slow) + "\n", encoding="utf-8")
    print(f"{SLOW}: {len(slow)} tests")


if __name__ == "__main__":
    main()
