"""Coroutines in a thread of their own: a browser of another test may have a loop in this one."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run_apart(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end in a new thread; its answer."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()
