"""Scans of several letters at once: their pages as pictures, each with the text of the code that it shows."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import msgspec

from legation.office.errors import UnavailableError
from legation.office.orders.order_codes import text_of_code
from legation.office.orders.pictures import PictureError, clean_pictures, count_pages, decode, sniff

AT_ONCE = 4  # pages that a child process makes and looks at
MOST_PAGES = 80  # of one file
MOST_TOGETHER = 120  # of all files
MOST_BYTES = 400_000_000  # of their pages as pictures; a page of a scan has up to three million
PATIENCE = 20.0  # seconds for which a scan waits for others: the pages of each are held in memory
_reading = threading.BoundedSemaphore(2)


class ScannedPage(msgspec.Struct, frozen=True):
    """A page: its name, its picture, and the text of its code; empty where it shows none, or several."""

    name: str
    data: bytes
    kind: str
    code: str


def scanned_pages(files: Sequence[tuple[str, bytes]]) -> list[ScannedPage]:
    """Return the pages of files, each a PDF or a picture. Raises PictureError for a file that is neither, or pages that
    are too many, before any is made. Raises UnavailableError while others are read."""
    if not _reading.acquire(timeout=PATIENCE):
        raise UnavailableError("Other scans are being read. Try again in a minute.")
    try:
        return _read(files)
    finally:
        _reading.release()


def _read(files: Sequence[tuple[str, bytes]]) -> list[ScannedPage]:
    counts = [decode(int, f"{__name__}:pages_in", *file) if sniff(file[1]) == "pdf" else 1 for file in files]
    if sum(counts) > MOST_TOGETHER:
        raise PictureError(f"these files have {sum(counts)} pages; at most {MOST_TOGETHER} are taken at once")
    found: list[ScannedPage] = []
    for (name, data), count in zip(files, counts, strict=True):
        for first in range(0, count, AT_ONCE):
            found += decode(tuple[ScannedPage, ...], f"{__name__}:look_at", name, data, first)
            if sum(len(page.data) for page in found) > MOST_BYTES:
                raise PictureError(f"these pages have more than {MOST_BYTES // 1_000_000} MB; send fewer at once")
    return found


def pages_in(name: str, data: bytes) -> int:
    """Return how many pages a PDF has; run in a child."""
    count = count_pages(name, data)
    if not 1 <= count <= MOST_PAGES:
        raise PictureError(f"{name} has {count} pages; 1 to {MOST_PAGES} are taken")
    return count


def look_at(name: str, data: bytes, first: int = 0) -> tuple[ScannedPage, ...]:
    """Return some pages of a file, from one on; run in a child."""
    pages = clean_pictures(name, data, range(first, first + AT_ONCE))
    return tuple(ScannedPage(page.name, page.data, page.kind, text_of_code(page.data)) for page in pages)
