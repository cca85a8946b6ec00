"""Three workers and a relay, each a process of its own, and whoever kills the workers: see :mod:`.test_crashes`.

A worker is what ``legation worker`` runs, forked from here so that a new one is there at once; its clock is shared, so
that a day passes when the test says so. The relay is a real SMTP server that writes down each mail that it accepts."""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from multiprocessing.sharedctypes import RawValue
from pathlib import Path
from random import Random
from unittest import mock

import msgspec
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from legation.atlas.painting import PAINTER
from legation.mail.service import serve  # here, so that workers are forked with it: to import it is most of their work
from legation.office.clock import micros, moment
from legation.office.errors import UnavailableError
from legation.office.office import Office, open_office
from legation.office.operation import work
from legation.office.settings import Settings
from tests.serving import free_port

PAUSE = 0.05  # seconds between a worker's looks for work: each takes its time from those that do it
GIVE_UP = 120.0  # seconds
SENDERS = 2  # mails that a worker sends at the same time


class SharedClock:
    """A clock that is moved by hand, by one process, and read by forked ones."""

    def __init__(self, start: datetime) -> None:
        # without a lock: whoever is killed while it reads the time would keep it for ever
        self._now = RawValue(ctypes.c_longlong, micros(start.astimezone(UTC)))

    def now(self) -> datetime:
        return moment(self._now.value)

    def advance(self, step: timedelta) -> None:
        """Let time pass, for all processes."""
        self._now.value += step // timedelta(microseconds=1)


class Accepted(msgspec.Struct, frozen=True):
    """A mail that the relay took: its Message-ID, for whom, and when (seconds of the machine's monotonic clock)."""

    message_id: str
    to: str
    at: float


class Relay:
    """An SMTP server in a process of its own that writes down what it accepts, then says so."""

    def __init__(self, file: Path) -> None:
        self.file = file
        file.touch()
        self.port = free_port()
        self.pid = _fork(self._listen)
        deadline = time.monotonic() + GIVE_UP
        while time.monotonic() < deadline:
            with suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            time.sleep(0.02)
        raise TimeoutError("the relay does not listen")

    @property
    def url(self) -> str:
        """As the settings have it."""
        return f"smtp://127.0.0.1:{self.port}?plain"

    def accepted(self) -> list[Accepted]:
        """What it took, the first first."""
        return [msgspec.json.decode(line, type=Accepted) for line in self.file.read_bytes().splitlines()]

    def close(self) -> None:
        """Stop listening."""
        _kill(self.pid)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Take a mail. The pauses are for those who are killed before and after it is written down."""
        assert isinstance(envelope.content, bytes)
        await asyncio.sleep(0.003)
        headers = message_from_bytes(envelope.content)
        line = json.dumps({"message_id": headers["Message-ID"], "to": envelope.rcpt_tos[0], "at": time.monotonic()})
        with self.file.open("a") as out:
            out.write(line + "\n")
        await asyncio.sleep(0.003)
        return "250 taken"

    def _listen(self) -> None:
        Controller(self, hostname="127.0.0.1", port=self.port).start()
        threading.Event().wait()


def be_worker(folder: Path, settings: Settings, clock: SharedClock) -> None:
    """Do due work and send mails, as ``legation worker`` does, until killed or told to stop."""
    mock.patch.object(PAINTER, "png_and_pdf", lambda *_: (b"png", b"pdf")).start()  # it writes nothing into the store
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
    settings.mail = {"senders": SENDERS}
    while True:
        if stop.is_set():
            os._exit(0)
        try:
            office = open_office(folder, settings, clock)
            break
        except UnavailableError:  # it begins while the database is away: whoever starts services would start it again
            time.sleep(0.1)
    with serve(office, folder, takes=False, pause=PAUSE):
        work.run_forever(office, stop, lambda: None, pause=PAUSE)
    os._exit(0)


class Workers:
    """So many workers of one office. ``killed`` tells when each that was killed died."""

    def __init__(self, office: Office, folder: Path, settings: Settings, clock: SharedClock, count: int = 3) -> None:
        self.office = office
        self.clock = clock
        self.start_one: Callable[[], None] = lambda: be_worker(folder, settings, clock)
        self.killed: list[float] = []
        self.pids: list[int] = []
        self.start(count)

    def start(self, count: int) -> None:
        """Start so many more."""
        self.office.store.engine.dispose()  # a child has connections of its own
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])  # until the child knows what to do with it
        self.pids += [_fork(self.start_one) for _ in range(count)]
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])

    def kill(self, count: int, random: Random) -> None:
        """Kill so many at once, and have others begin in their place."""
        for pid in random.sample(self.pids, count):
            assert os.waitpid(pid, os.WNOHANG) == (0, 0), "a worker ended by itself"
            self.killed.append(time.monotonic())
            _kill(pid)
            self.pids.remove(pid)
        self.start(count)

    def relieve(self, step: timedelta) -> None:
        """Have all end in good order, let time pass, and have others begin."""
        count = len(self.pids)
        for pid in self.pids:
            os.kill(pid, signal.SIGTERM)
        codes = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in self.pids]
        self.pids.clear()
        assert codes == [0] * count, f"workers did not end in good order: {codes}"
        self.clock.advance(step)
        self.start(count)

    def close(self) -> None:
        """End all."""
        for pid in self.pids:
            _kill(pid)


def run_alone(module: str, *arguments: str) -> str:
    """Run a test module as a program of its own, and what it says.

    Workers are forked, and a child has none of the threads that other tests have left behind (those that paint maps,
    say), which what it inherits would wait for."""
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-6000:]
    return done.stdout


def _fork(do: Callable[[], None]) -> int:
    child = os.fork()
    if child:
        return child
    try:
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: no child outlives the test
        do()
    except BaseException:  # whatever it is, the test that waits for this child has to be told
        traceback.print_exc()
    finally:
        os._exit(1)


def _kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
