"""Memory that a long-running process gives back, and what it need not look through again.

What is freed stays with the C library, in an arena for each thread, and is so cut up after a while that the process
grows though nothing more is in use. Two arenas are enough where one thread runs Python at a time, and blocks of some
size are given back at once.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc

MMAP_THRESHOLD, ARENA_MAX = -3, -8  # glibc's names of what can be set (malloc.h)
ARENAS, LARGE = 2, 256 * 1024
COLLECTED_AFTER = (5_000, 20, 30)  # Python's own: 700, 10, 10


def give_back_what_is_freed() -> bool:
    """Set the C library so, before there are threads; False where it knows no such thing."""
    with contextlib.suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        return bool(library.mallopt(ARENA_MAX, ARENAS) and library.mallopt(MMAP_THRESHOLD, LARGE))
    return False


def look_for_cycles_seldom() -> None:
    """Have Python's collector leave alone what a process holds when it begins to serve, and look through all the rest
    seldom.

    Modules and rules stay as long as the process, and next to nothing lies in cycles; but each look through everything
    holds up all requests, with 300,000 objects for 200 ms.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTED_AFTER)
