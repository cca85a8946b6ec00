"""Child processes: what they do, and what happens to those that take too long, too much, or die."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest

from legation import children
from legation.children import ChildError, Children, ChildTask


@pytest.fixture
def pool() -> Iterator[Children]:
    made = Children(2, seconds=1, megabytes=300)
    yield made
    made.end()


def trick(pool: Children, text: str, returns: type = object, seconds: float = 0) -> object:
    """Have a child run some Python."""
    return pool.call(returns, "builtins:exec", text, seconds=seconds)


def test_a_child_does_what_it_is_asked_and_is_asked_again(pool: Children) -> None:
    assert pool.call(int, "builtins:len", [1, 2, 3]) == 3
    first = pool.processes
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(lambda n: pool.call(int, "builtins:len", "x" * n), range(20))) == [*range(20)]
    assert set(first) <= set(pool.processes) and len(pool.processes) <= 2
    assert pool.call(bytes, "builtins:bytes", 3_000_000) == bytes(3_000_000)


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system knows no cores of a process")
def test_a_core_is_left_to_others_where_there_are_several() -> None:
    cores = sorted(os.sched_getaffinity(0))
    for spare, expected in ((True, cores[1:] or cores), (False, cores)):
        pool = Children(1, seconds=1, megabytes=300, spare_core=spare)
        assert sorted(pool.call(set[int], "os:sched_getaffinity", 0)) == expected
        pool.end()


def test_an_error_of_a_task_is_told_by_its_name(pool: Children) -> None:
    with pytest.raises(ChildError) as caught:
        trick(pool, "raise ValueError('no \\ud800')")
    assert (caught.value.reason, caught.value.kind, str(caught.value)) == ("failed", "ValueError", "no ?")


@pytest.mark.parametrize("text", ["while True: pass", "import time; time.sleep(600)"])
def test_a_task_without_end_is_ended_and_others_go_on(
    pool: Children, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = time.monotonic()
    with monkeypatch.context() as patched, pytest.raises(ChildError) as caught:
        patched.setattr(children, "LEAST_WALL", 0)
        trick(pool, text, seconds=0.3)
    assert caught.value.reason == "time" and time.monotonic() - begun < 300
    assert pool.call(int, "builtins:len", "ab") == 2


def test_a_task_that_waits_for_the_processor_is_not_given_up(pool: Children) -> None:
    assert trick(pool, "import time; time.sleep(1)", seconds=0.1) is None


@pytest.mark.skipif(sys.platform != "linux", reason="other systems bound memory otherwise, or not at all")
@pytest.mark.parametrize("text", ["b'x' * 10**9", "[0] * 10**9", "import os; os._exit(3)"])
def test_a_task_that_takes_too_much_or_dies_is_told_and_others_go_on(pool: Children, text: str) -> None:
    with pytest.raises(ChildError) as caught:
        trick(pool, text)
    assert caught.value.reason == "memory"
    assert pool.call(int, "builtins:len", "ab") == 2


def test_a_child_that_was_killed_meanwhile_has_a_successor(pool: Children) -> None:
    pool.call(int, "builtins:len", "ab")
    (before,) = pool.processes
    os.kill(before, signal.SIGKILL)
    while pool._idle[0].process.poll() is None:
        time.sleep(0.01)
    assert pool.call(int, "builtins:len", "ab") == 2
    assert pool.processes != [before]


def test_a_child_is_replaced_after_many_tasks(pool: Children, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "TASKS", 2)
    numbers = set()
    for _ in range(4):
        pool.call(int, "builtins:len", "ab")
        numbers |= set(pool.processes)
    assert len(numbers) == 2 and pool.processes == []


def test_whoever_ends_the_children_is_not_held_up_by_their_work(pool: Children) -> None:
    caught: list[ChildError] = []

    def hang() -> None:
        try:
            trick(pool, "import time; time.sleep(600)", seconds=100)
        except ChildError as error:
            caught.append(error)

    thread = threading.Thread(target=hang)
    thread.start()
    while not pool.processes:
        time.sleep(0.01)
    pool.end()
    thread.join(10)
    assert not thread.is_alive() and caught


def test_no_child_can_be_started(pool: Children, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    with pytest.raises(ChildError, match="temporarily") as caught:
        pool.call(int, "builtins:len", "ab")
    assert caught.value.reason == "away"


def test_all_children_are_busy(pool: Children) -> None:
    pool.patience = 0.05
    pool._free.acquire()
    pool._free.acquire()
    with pytest.raises(ChildError, match="busy") as caught:
        pool.call(int, "builtins:len", "ab")
    assert caught.value.reason == "away"
    pool._free.release()
    pool._free.release()


def test_a_child_ends_when_nobody_asks_any_more_and_prints_nothing() -> None:
    task = msgspec.msgpack.encode(ChildTask("builtins:print", ("between two answers",), 1))
    command = [sys.executable, "-m", "legation.children", "300", "0", "all"]
    done = subprocess.run(command, input=children.LENGTH.pack(len(task)) + task, capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"") and b"between" not in done.stdout
