"""The server of pages and API: who is slow is not waited for, and it ends in time when it is told to."""

import faulthandler
import os
import signal
import socket
import threading
from asyncio import TimerHandle
from collections import Counter
from collections.abc import Iterable
from types import FrameType
from typing import Any, ClassVar

import structlog
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from legation.children import end_all
from legation.cli.terminal import say
from legation.office.monitoring.processes import look_for_cycles_seldom

HEAD_SECONDS = 15.0  # for the head of a request, from when it begins or the connection is made
BODY_SECONDS = 120.0  # for its body: a few photographs over a slow line
MOST_OF_ONE = 100  # connections of one address, unless that is a trusted proxy
GRACE = 4  # seconds for requests that are being answered when it is told to end
ENDING = 9.0  # seconds until it ends whatever hangs
LAST_WORD = 0.5  # seconds to log what hung
log = structlog.get_logger("legation.web")


class BoundedProtocol(HttpToolsProtocol):
    """HTTP for whom a request does not take for ever."""

    of_one: ClassVar[Counter[str]] = Counter()
    trusted: ClassVar[frozenset[str]] = frozenset()
    _watch: TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for a request; one address has only so many connections."""
        super().connection_made(transport)
        self._wait(HEAD_SECONDS)
        address = self._address()
        self.of_one[address] += 1
        if self.of_one[address] > MOST_OF_ONE and address not in self.trusted:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the connection out."""
        self._wait(None)
        address = self._address()
        self.of_one[address] -= 1
        if self.of_one[address] <= 0:
            del self.of_one[address]
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        """Wait for the rest of the head."""
        self._wait(HEAD_SECONDS)
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Wait for the body."""
        self._wait(BODY_SECONDS)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Wait for nothing: the request is whole."""
        self._wait(None)
        super().on_message_complete()

    def _address(self) -> str:
        return self.client[0] if self.client else ""

    def _wait(self, seconds: float | None) -> None:
        if self._watch is not None:
            self._watch.cancel()
        self._watch = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)


class Server(uvicorn.Server):
    """A server that begins to end when a signal tells it to, and is ended when it does not."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end, and be ended when that takes too long."""
        end_within(ENDING)
        super().handle_exit(sig, frame)


def end_within(seconds: float) -> None:
    """End this process after so many seconds, whatever hangs in it then; once."""
    if any(thread.name == "ending" for thread in threading.enumerate()):
        return
    watch = threading.Timer(seconds, _end)
    watch.name, watch.daemon = "ending", True
    watch.start()
    # if even that hangs (whoever reads the log has stopped, a parser holds the interpreter): without a word
    faulthandler.dump_traceback_later(seconds + LAST_WORD, exit=True, file=os.open(os.devnull, os.O_WRONLY))


def _end() -> None:
    hung = sorted(thread.name for thread in threading.enumerate() if thread is not threading.current_thread())
    log.error("ended by force", threads=hung)
    end_all()
    os._exit(1)


def run(app: Any, listening: socket.socket, opened: str, trusted: Iterable[str] = (), **settings: Any) -> None:
    """Serve until a signal says to stop, and finish what was asked for; ``opened`` is printed as soon as such a
    signal is heard."""
    BoundedProtocol.trusted = frozenset(trusted)
    config = uvicorn.Config(
        app,
        server_header=False,
        log_config=None,
        access_log=False,
        http=BoundedProtocol,
        timeout_graceful_shutdown=GRACE,
        forwarded_allow_ips=list(trusted),
        proxy_headers=bool(trusted),
        **settings,
    )
    server = Server(config)
    for number in (signal.SIGINT, signal.SIGTERM):  # the server's own, before it runs and when it gives them on
        signal.signal(number, server.handle_exit)
    look_for_cycles_seldom()
    say(opened)
    server.run(sockets=[listening])
