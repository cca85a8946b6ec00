"""Coroutines in a thread of their own: a browser of another test may have a loop in this one."""

import asyncio
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")


@contextmanager
def no_loop() -> Iterator[None]:
    """While the block runs, this thread has no loop: for what must begin one of its own in the main thread."""
    loop = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        yield
    finally:
        asyncio._set_running_loop(loop)


def run_apart(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end in a new thread; its answer."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()
