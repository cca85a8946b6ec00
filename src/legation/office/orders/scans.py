"""Scans of several letters at once: their pages as pictures, each with the text of the code that it shows."""

from __future__ import annotations

import msgspec

from legation.office.orders.order_codes import text_of_code
from legation.office.orders.pictures import PictureError, clean_pictures, count_pages, decode, sniff

AT_ONCE = 4  # pages that a child process makes and looks at
MOST_PAGES = 80  # of one scan


class ScannedPage(msgspec.Struct, frozen=True):
    """A page: its name, its picture, and the text of its code; empty where it shows none, or several."""

    name: str
    data: bytes
    kind: str
    code: str


def scanned_pages(name: str, data: bytes) -> tuple[ScannedPage, ...]:
    """Return the pages of a file, be it a PDF or a picture.

    :raises PictureError: for a file that is neither, or has too many pages.
    """
    if sniff(data) != "pdf":
        return decode(tuple[ScannedPage, ...], f"{__name__}:look_at", name, data)
    count = decode(int, f"{__name__}:pages_in", name, data)
    found: list[ScannedPage] = []
    for first in range(0, count, AT_ONCE):
        found += decode(tuple[ScannedPage, ...], f"{__name__}:look_at", name, data, first)
    return tuple(found)


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
