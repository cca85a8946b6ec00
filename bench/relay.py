"""A relay that takes every mail and keeps none; it writes a byte into a file for each: ``python -m bench.relay PORT
FILE``.

Used by :mod:`bench.office`. It knows as much of SMTP as the office speaks, and costs next to nothing, so that what is
measured is the office.
"""

import sys
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer

END = b"\r\n.\r\n"


class Conversation(StreamRequestHandler):
    """One connection."""

    def handle(self) -> None:
        """Agree to everything."""
        self.wfile.write(b"220 relay\r\n")
        while line := self.rfile.readline():
            word = line[:4].upper().strip()
            if word == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                self._take()
                self.wfile.write(b"250 taken\r\n")
            elif word == b"QUIT":
                self.wfile.write(b"221 bye\r\n")
                return
            else:
                self.wfile.write(b"250 relay\r\n")

    def _take(self) -> None:
        last = b""
        while not last.endswith(END):
            read = self.rfile.read1(1 << 20)
            if not read:
                return
            last = (last + read)[-len(END) :]
        with Path(sys.argv[2]).open("ab") as taken:
            taken.write(b".")


class Relay(ThreadingTCPServer):
    """Listens."""

    daemon_threads = True
    allow_reuse_address = True


def main() -> None:
    """Listen until ended."""
    with Relay(("127.0.0.1", int(sys.argv[1])), Conversation) as relay:
        relay.serve_forever()


if __name__ == "__main__":
    main()
