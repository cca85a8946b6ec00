"""Bots that are programs of their own: one line of JSON a turn on standard input and output, as chess engines do.

The program is told the game once, then each turn in which its power may order anything; it answers with one line::

    < {"type": "game", "variant": "standard", "options": {}, "power": "France", "seconds": 5.0, "rules": "3f2a-..."}
    < {"type": "turn", "power": "France", "seconds": 5.0, "seed": 1234, "position": {...}, "legal": ["A par H", ...]}
    > {"orders": ["A par - bur", "F bre - mao", "A mar S A par - bur"]}

``position`` is a position document as the power sees it; ``seed`` is for what the program draws, so that a game can be
repeated. A program that ends is started again; one that takes longer than its seconds, prints more than a line may
hold, answers ``{"error": "why"}`` or ends too often loses its moves.

A bot of another package (:func:`legation.bots.is_foreign`) is played the same way, in a Python of its own
(:mod:`legation.bots.serving`), so that nothing it does holds up or ends whoever asks it."""

from __future__ import annotations

import contextlib
import os
import secrets
import selectors
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from legation.formats import decode_json
from legation.game import position_document
from legation.judge import Ruleset, legal_orders
from legation.notation import OrderTextError, write
from legation.orders import Sheet
from legation.position import Phase, Position

LONGEST_LINE = 1 << 20  # bytes of an answer
LONGEST_ERROR = 200  # characters of it that are told
MEMORY = 4 << 30  # bytes of address space
STARTS = 3  # how often a program that ends is started in one game
ROUNDS = 100  # of looking for what a program has started, which may start more meanwhile
GRACE = 1.0  # seconds that a program may take to end when its input closes
STARTING = 30.0  # seconds more for the first answer of a Python, which has much to import


class ProgramError(Exception):
    """Raised when a program loses its move, with the reason."""


class _Answer(msgspec.Struct):
    orders: list[str] | None = None
    error: str = ""


def check_command(command: str) -> None:
    """Check that a command can be read and that its program is there.

    :raises ProgramError: where it is not."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ProgramError(f"cannot read the command {command.strip()!r}: {error}") from None
    if not words:
        raise ProgramError("name the program: run: ./mybot")
    if shutil.which(words[0]) is None:
        raise ProgramError(f"there is no program {words[0]!r} that could be run")


class Program:
    """One power's player in one game: a command, run as a child of its own session.

    ``variant`` names the rules to the program, where it is not their own name (a path, say); ``starting`` is what its
    first answer may take beyond ``seconds``."""

    def __init__(
        self,
        command: str | Sequence[str],
        rules: Ruleset,
        power: str,
        *,
        seconds: float = 5.0,
        starting: float = 0.0,
        variant: str = "",
    ) -> None:
        self.command = shlex.split(command) if isinstance(command, str) else list(command)
        self.rules = rules
        self.power = power
        self.seconds = seconds
        self.starting = starting
        self.variant = variant or rules.name
        self._mark = f"LEGATION_BOT_{secrets.token_hex(8)}"
        self._child: subprocess.Popen[bytes] | None = None
        self._starts = 0
        self._rest = b""
        self._extra = 0.0  # seconds more for its next answer
        self._status = ""  # of its last end, in words

    @classmethod
    def of_bot(cls, name: str, rules: Ruleset, power: str, *, seconds: float = 5.0, variant: str = "") -> Program:
        """Return a program that plays the bot of this name in a Python of its own."""
        command = [sys.executable, "-m", "legation.bots.serving", name]
        return cls(command, rules, power, seconds=seconds, starting=STARTING, variant=variant)

    def __call__(self, rules: Ruleset, view: Position, power: str, random: Random) -> Sheet:
        """Return the program's orders for a turn.

        :raises ProgramError: when it loses its move."""
        legal = legal_orders(rules, view, [power])[power]
        if not legal:
            return Sheet(power)
        child = self._running()
        listed = [write(order) for order in legal]
        self._send(
            child,
            {
                "type": "turn",
                "power": power,
                "seconds": self.seconds,
                "seed": random.getrandbits(32),
                "position": position_document(rules, view),
                "legal": listed,
            },
        )
        answer = self._read(child)
        try:
            said = decode_json(answer, type=_Answer)
        except msgspec.DecodeError as error:
            raise ProgramError(f"answered {answer[:60]!r}, which isn't a line of orders: {error}") from None
        if said.error:
            raise ProgramError(said.error[:LONGEST_ERROR])
        if said.orders is None:
            raise ProgramError(f"answered {answer[:60]!r}, which has neither orders nor an error")
        return Sheet(power, tuple(self._order(text, view.turn.phase) for text in said.orders))

    def _order(self, text: str, phase: Phase) -> Any:
        try:
            return self.rules.reader.order(text, phase, self.power)
        except OrderTextError as error:
            raise ProgramError(f"ordered {text!r:.60}: {error}") from None

    def _running(self) -> subprocess.Popen[bytes]:
        if self._child is not None and self._child.poll() is None:
            return self._child
        if self._starts >= STARTS:
            raise ProgramError(f"has ended {STARTS} times{self._status} and won't be started again")
        self.close()
        self._starts += 1
        try:
            self._child = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, self._mark: "1"},
                start_new_session=True,
                preexec_fn=_limit if sys.platform == "linux" else None,
            )
        except OSError as error:
            raise ProgramError(f"cannot be started: {error.strerror or error}") from None
        assert self._child.stdout is not None
        os.set_blocking(self._child.stdout.fileno(), False)
        self._rest = b""
        told = {"type": "game", "variant": self.variant, "options": dict(self.rules.chosen), "power": self.power}
        self._send(self._child, {**told, "seconds": self.seconds, "rules": self.rules.digest})
        self._extra = self.starting
        return self._child

    def _send(self, child: subprocess.Popen[bytes], message: dict[str, Any]) -> None:
        """Write one line, within the program's time: one that does not read is ended."""
        assert child.stdin is not None
        line = msgspec.json.encode(message) + b"\n"
        os.set_blocking(child.stdin.fileno(), False)
        due = time.monotonic() + self.seconds
        while line:
            try:
                line = line[os.write(child.stdin.fileno(), line) :]
            except BlockingIOError:
                if not _ready(child.stdin, selectors.EVENT_WRITE, due):
                    self._fail("does not read its input")
            except OSError:
                self._fail_ended(child)

    def _read(self, child: subprocess.Popen[bytes]) -> bytes:
        """Read one line, within the program's time; what it wrote before it was asked is its answer too."""
        assert child.stdout is not None
        due = time.monotonic() + self.seconds + self._extra
        self._extra = 0.0
        while b"\n" not in self._rest:
            if len(self._rest) > LONGEST_LINE:
                self._fail(f"answered with more than {LONGEST_LINE} bytes")
            if not _ready(child.stdout, selectors.EVENT_READ, due):
                self._fail(f"took longer than {self.seconds:g} s")
            read = child.stdout.read(1 << 16)
            if not read:
                self._fail_ended(child)
            self._rest += read
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def _fail_ended(self, child: subprocess.Popen[bytes]) -> None:
        """Lose the move of a program that is gone, with the status by which it ended, if it ended by itself."""
        self.close()
        self._status = f" with status {child.returncode}" if child.returncode != -signal.SIGKILL else ""
        self._fail(f"has ended{self._status}")

    def _fail(self, reason: str) -> None:
        self.close()
        raise ProgramError(reason)

    def close(self) -> None:
        """End the program and whatever it has started."""
        child, self._child = self._child, None
        if child is None:
            return
        for pipe in (child.stdin, child.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            if child.poll() is None:
                child.wait(GRACE)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        _end_marked(self._mark)


def _end_marked(mark: str) -> None:
    """Kill the processes that have ``mark`` in the environment that they were given: what a program started in a
    session of its own has it too, whoever its parent is by now. Systems without ``/proc`` do not tell."""
    for _ in range(ROUNDS):
        marked: list[Path] = []
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):  # it has ended, or is somebody else's
                if f"{mark}=1".encode() in (process / "environ").read_bytes().split(b"\0"):
                    marked.append(process)
        if not marked:
            return
        for process in marked:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(int(process.name), signal.SIGKILL)


def _ready(pipe: Any, what: int, due: float) -> bool:
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, what)
        return bool(selector.select(max(0.0, due - time.monotonic())))


def _limit() -> None:  # in the child, before the program begins
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
