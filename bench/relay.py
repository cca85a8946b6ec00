"""A relay that takes every mail and keeps none; it writes a byte into a file for each: ``python -m bench.relay PORT
FILE``.

Used by :mod:`bench.office`.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session


class Taker:
    """Takes everything."""

    def __init__(self, file: Path) -> None:
        self.file = file.open("ab", buffering=0)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Take a mail."""
        self.file.write(b".")
        return "250 taken"


def main() -> None:
    """Listen until ended."""
    Controller(Taker(Path(sys.argv[2])), hostname="127.0.0.1", port=int(sys.argv[1])).start()
    threading.Event().wait()


if __name__ == "__main__":
    main()
