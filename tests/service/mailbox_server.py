"""A mailbox of IMAP that keeps mails as the bytes that they are: what is measured beside it is the office alone.

A server that takes mails apart (as pymap does) needs half a minute for one that is made to take long, and can itself
fail at it."""

import contextlib
import imaplib
import re
import socketserver
import threading
import time
from collections.abc import Iterator

PLAIN = {"CAPABILITY": b"* CAPABILITY IMAP4rev1\r\n", "LOGOUT": b"* BYE\r\n"}


class MailboxServer(socketserver.ThreadingTCPServer):
    """One mailbox, for whoever signs in; ``mails`` are those that nobody has seen, by their numbers."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Connection)
        self.mails: dict[int, bytes] = {}
        self._last = 0

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.server_address[1])

    def append(self, data: bytes) -> int:
        """Keep a mail; the answer is its number."""
        self._last += 1
        self.mails[self._last] = data
        return self._last

    def answer(self, command: str, rest: str) -> bytes:
        """What is said before the last line of an answer."""
        if command == "SELECT":
            return b"* FLAGS (\\Seen)\r\n* %d EXISTS\r\n* OK [UIDVALIDITY 1] valid\r\n" % len(self.mails)
        if command != "UID":
            return PLAIN.get(command, b"")
        kind, _, rest = rest.partition(" ")
        if kind == "SEARCH":
            return b"* SEARCH " + " ".join(map(str, sorted(self.mails))).encode() + b"\r\n"
        numbers, _, what = rest.partition(" ")
        wanted = [n for n in map(int, re.findall(r"\d+", numbers)) if n in self.mails]
        if kind == "STORE":
            for n in wanted:
                del self.mails[n]
            return b""
        if "SIZE" in what:
            return b"".join(b"* 1 FETCH (UID %d RFC822.SIZE %d)\r\n" % (n, len(self.mails[n])) for n in wanted)
        head = b"* 1 FETCH (UID %d INTERNALDATE %s BODY[] {%d}\r\n"
        now = imaplib.Time2Internaldate(time.time()).encode()
        return b"".join(head % (n, now, len(self.mails[n])) + self.mails[n] + b")\r\n" for n in wanted)


class _Connection(socketserver.StreamRequestHandler):
    """One client."""

    server: MailboxServer

    def handle(self) -> None:
        """Answer commands until the client goes."""
        self.wfile.write(b"* OK IMAP4rev1\r\n")
        for line in self.rfile:
            tag, command, *rest = line.decode("utf-8", "replace").strip().split(" ", 2)
            self.wfile.write(self.server.answer(command.upper(), " ".join(rest)) + f"{tag} OK done\r\n".encode())
            if command.upper() == "LOGOUT":
                return


@contextlib.contextmanager
def mailbox_server() -> Iterator[MailboxServer]:
    """Run one while the block does."""
    with MailboxServer() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
