"""Child processes for what must not be done in this one: reading what strangers sent with parsers that are not ours,
and painting, which holds up every thread of its process.

A task is a function by its name and plain values. Each has limits of time and memory; a child that goes beyond them
is ended and another takes its place, so one bad document harms only itself.

``python -m legation.children MEGABYTES NICE CORES`` is such a child: it reads tasks from standard input and writes
answers."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import struct
import subprocess
import sys
import threading
import time
from importlib import import_module
from pathlib import Path
from typing import IO, Any, TypeVar

import msgspec

T = TypeVar("T")

LENGTH = struct.Struct(">I")
TASKS = 500  # that one child does before another takes its place
WALL = 6  # times the processor time, on a machine that is busy
LEAST_WALL = 30.0  # seconds that a task has in any case, on one that is very busy


_pools: list[Children] = []


@atexit.register
def end_all() -> None:
    """End all children of this process."""
    for pool in _pools:
        pool.end()


def pools() -> tuple[Children, ...]:
    """All pools of children of this process."""
    return tuple(_pools)


class ChildError(Exception):
    """A task that was not done. ``reason`` is ``"time"`` or ``"memory"`` (beyond its limits), ``"failed"`` (with the
    ``kind`` of the error) or ``"away"`` (no child could be started, or none was free in time)."""

    def __init__(self, reason: str, message: str, kind: str = "") -> None:
        super().__init__(message)
        self.reason = reason
        self.kind = kind


class ChildTask(msgspec.Struct, frozen=True, array_like=True):
    """A function as ``module:name``, its arguments, and the processor time that it may take, in seconds."""

    function: str
    arguments: tuple[Any, ...]
    seconds: float

    def do(self) -> Any:
        """Call the function."""
        module, _, name = self.function.partition(":")
        return getattr(import_module(module), name)(*self.arguments)


class TaskResult(msgspec.Struct, frozen=True, array_like=True):
    """The result of a task: its value as MessagePack, or the name of the error and its message."""

    value: msgspec.Raw = msgspec.Raw(b"\xc0")
    error: str = ""
    message: str = ""


class Children:
    """At most ``most`` children, for any number of threads. ``seconds`` of processor time and ``megabytes`` are the
    limits of each task.

    A task waits ``patience`` seconds for a child to be free (as long as one may take, if 0). ``nice`` children (0 to
    19) leave the processor to others; those of a pool with ``spare_core`` never work on the first core of several."""

    def __init__(
        self,
        most: int,
        seconds: float,
        megabytes: int,
        *,
        nice: int = 0,
        patience: float = 0,
        spare_core: bool = False,
    ) -> None:
        self.most = most
        self.seconds = seconds
        self.megabytes = megabytes
        self.nice = nice
        self.spare_core = spare_core
        self.patience = patience
        self._free = threading.BoundedSemaphore(most)
        self._lock = threading.Lock()
        self._idle: list[_Child] = []
        self._all: set[_Child] = set()
        _pools.append(self)

    def call(self, returns: type[T], function: str, *arguments: object, seconds: float = 0) -> T:
        """Have ``function`` (``module:name``) called in a child; the answer is of the type ``returns``.

        :raises ChildError: where it was not done."""
        limit = seconds or self.seconds
        wall = max(WALL * limit, LEAST_WALL)
        if not self._free.acquire(timeout=self.patience or wall):
            raise ChildError("away", "all child processes are busy")
        try:
            child = self._take()
            try:
                answer = child.ask(msgspec.msgpack.encode(ChildTask(function, arguments, limit)), wall)
                kept = child.tasks < TASKS
            except BaseException:
                self._drop(child)
                raise
            if kept and answer.error != "MemoryError":
                with self._lock:
                    self._idle.append(child)
            else:
                self._drop(child)
        finally:
            self._free.release()
        if answer.error == "MemoryError":
            raise ChildError("memory", "it takes too much memory")
        if answer.error:
            raise ChildError("failed", answer.message, answer.error)
        return msgspec.msgpack.decode(answer.value, type=returns)

    def end(self) -> None:
        """End all children, also those that are at work."""
        with self._lock:
            children, self._all, self._idle = self._all, set(), []
        for child in children:
            child.end()

    @property
    def processes(self) -> list[int]:
        """The numbers of the children's processes."""
        with self._lock:
            return sorted(child.process.pid for child in self._all)

    def _take(self) -> _Child:
        while True:
            with self._lock:
                child = self._idle.pop() if self._idle else None
            if child is None:
                break
            if child.process.poll() is None:
                return child
            self._drop(child)
        try:
            child = _Child(self.megabytes, self.nice, self.spare_core)
        except OSError as error:
            raise ChildError("away", f"no child process can be started ({error.strerror or error})") from None
        with self._lock:
            self._all.add(child)
        return child

    def _drop(self, child: _Child) -> None:
        with self._lock:
            self._all.discard(child)
        child.end()


class _Child:
    def __init__(self, megabytes: int, nice: int, spare_core: bool) -> None:
        self.tasks = 0
        self.process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(megabytes), str(nice), "others" if spare_core else "all"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # what a parser prints may be what somebody wrote
            start_new_session=True,  # Ctrl-C is meant for this program, which lets the others end
        )

    def ask(self, task: bytes, seconds: float) -> TaskResult:
        """Have a task done within so many seconds.

        :raises ChildError: where the child ended before it was done."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.tasks += 1
        begun = time.monotonic()
        watch = threading.Timer(seconds, self.process.kill)
        watch.daemon = True
        watch.start()
        try:
            _write(self.process.stdin, task)
            return msgspec.msgpack.decode(_read(self.process.stdout), type=TaskResult)
        except (OSError, EOFError, ValueError):
            self.process.kill()
            code = self.process.wait()
            if -code in (9, 27) or time.monotonic() - begun >= seconds:  # SIGKILL, SIGPROF
                raise ChildError("time", "it takes too long") from None
            raise ChildError("memory", "its process ended unexpectedly") from None
        finally:
            watch.cancel()

    def end(self) -> None:
        """Kill the child process."""
        self.process.kill()
        for stream in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                if stream is not None:
                    stream.close()
        self.process.wait()


def _write(to: IO[bytes], content: bytes) -> None:
    to.write(LENGTH.pack(len(content)) + content)
    to.flush()


def _read(source: IO[bytes]) -> bytes:
    return _exactly(source, LENGTH.unpack(_exactly(source, LENGTH.size))[0])


def _exactly(source: IO[bytes], count: int) -> bytes:
    content = source.read(count)
    if len(content) < count:
        raise EOFError
    return content


def main() -> None:
    """Do the tasks that are asked for, until nobody asks any more."""
    source, out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open(
        "r+b", buffering=0
    ) as nothing:  # what a library prints must not stand between two answers
        os.dup2(nothing.fileno(), 0)
        os.dup2(nothing.fileno(), 1)
    _limit_memory(int(sys.argv[1]))
    with contextlib.suppress(AttributeError, OSError):  # where a system knows no such thing
        os.nice(int(sys.argv[2]))
    if sys.argv[3] == "others":
        _spare_core()
    while True:
        try:
            task = msgspec.msgpack.decode(_read(source), type=ChildTask)
        except EOFError:
            return
        try:
            _write(out, msgspec.msgpack.encode(_answer(task)))
        except BrokenPipeError:
            os._exit(0)  # who asked has ended; the answer has nowhere to go


def _answer(task: ChildTask) -> TaskResult:
    _limit_time(task.seconds)
    try:
        return TaskResult(msgspec.Raw(msgspec.msgpack.encode(task.do())))
    except MemoryError:
        return TaskResult(error="MemoryError")
    except Exception as error:
        return TaskResult(error=type(error).__name__, message=str(error).encode("utf-8", "replace").decode())
    finally:
        _limit_time(0)


def _limit_memory(megabytes: int) -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):  # where a system knows no such limits
        import resource

        room = megabytes << 20
        resource.setrlimit(resource.RLIMIT_DATA, (room, room))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _spare_core() -> None:
    """Leave the first of several cores to other processes. Priority alone doesn't: what wakes on a busy core waits
    until the kernel has taken the core from a child, or has moved it."""
    with contextlib.suppress(AttributeError, OSError):  # where a system knows no such thing
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, cores[1:] or cores)


def _limit_time(seconds: float) -> None:
    """End this process when it has used so much processor time more; without end for 0.

    A timer and not ``RLIMIT_CPU``, which counts from the beginning of the process, and by ticks of the clock: after
    hundreds of tasks these are seconds away from what the process has used."""
    with contextlib.suppress(AttributeError):  # where a system has no such timer
        signal.setitimer(signal.ITIMER_PROF, seconds)


if __name__ == "__main__":
    main()
