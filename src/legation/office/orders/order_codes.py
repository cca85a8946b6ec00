"""The code on an order sheet: it says which game, power and turn a picture is for, so that the picture files itself. It
is an address, no proof, and says nothing of the orders. What makes and reads codes is imported where it is used."""

from __future__ import annotations

import io
import threading
from collections.abc import Sequence
from typing import TypeAlias
from urllib.parse import parse_qsl, urlencode

import msgspec

from legation.formats import open_picture
from legation.office.errors import UnavailableError
from legation.office.orders.pictures import PictureError, clean_pictures, count_pages, decode, sniff

SCHEME = "legation:orders?"
KEYS = ("game", "power", "turn")
LONGEST = 600  # characters of a code
SCALES = (1600, 3000, 900)  # longest side, in pixels, at which a picture is looked at


class CodeError(ValueError):
    """A picture that cannot be read, or that shows the codes of several sheets."""


class SheetCode(msgspec.Struct, frozen=True):
    """Code of an order sheet: the key of the game, the power, and the turn (``Autumn 1642 Movement``)."""

    game: str
    power: str
    turn: str

    @property
    def text(self) -> str:
        """The text inside the code."""
        return SCHEME + urlencode({key: getattr(self, key) for key in KEYS})

    @staticmethod
    def parse(text: str) -> SheetCode | None:
        """The code of this text; None if it is anything else."""
        if not text.startswith(SCHEME) or len(text) > LONGEST:
            return None
        pairs = parse_qsl(text.removeprefix(SCHEME), keep_blank_values=True)
        parts = dict(pairs)
        if len(pairs) != len(KEYS) or parts.keys() != set(KEYS):
            return None
        if not all(value.strip() and value.isprintable() for value in parts.values()):
            return None
        return SheetCode(**parts)


def order_sheet_code(code: SheetCode) -> str:
    """The code as SVG, a module a unit, a quarter to spare for folds; ValueError for names that are too long."""
    if len(code.text) > LONGEST:
        raise ValueError(f"the code would have {len(code.text)} characters; shorten the names to {LONGEST}")
    return qr_code(code.text, "q")


def qr_code(text: str, error: str = "m") -> str:
    """A text as a QR code, in SVG on white. ``error``: how much of it may be damaged ("l", "m", "q", "h")."""
    import segno

    out = io.BytesIO()
    segno.make(text, error=error, micro=False).save(out, kind="svg", border=4, xmldecl=False, light="#ffffff")
    return out.getvalue().decode()


def read_order_sheet_code(picture: bytes) -> SheetCode | None:
    """The code that a photograph or scan shows, or None; CodeError for no picture, or several sheets' codes."""
    try:
        texts = decode(tuple[str, ...], f"{__name__}:codes_in", "the picture", picture)
    except PictureError as error:
        raise CodeError(str(error)) from None
    codes = {code for text in texts if (code := SheetCode.parse(text)) is not None}
    if len(codes) > 1:
        listed = "; ".join(sorted(f"{c.game}, {c.power}, {c.turn}" for c in codes))
        raise CodeError(f"the picture shows several order sheets: {listed}; send one picture for each")
    return codes.pop() if codes else None


def codes_in(name: str, picture: bytes) -> tuple[str, ...]:
    """Return the texts of the codes of order sheets in a picture; run in a child."""
    codes = set().union(*(_codes(page.data) for page in clean_pictures(name, picture)))
    return tuple(sorted(code.text for code in codes))


def _codes(picture: bytes) -> set[SheetCode]:
    import zxingcpp
    from PIL import ImageOps

    only = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
    with open_picture(picture) as opened:
        gray = opened.convert("L")
    for side in SCALES:
        scale = side / max(gray.size)
        size = (max(1, round(gray.width * scale)), max(1, round(gray.height * scale)))
        seen = ImageOps.autocontrast(gray if scale > 1.5 else gray.resize(size), cutoff=1)
        codes = {SheetCode.parse(code.text) for code in zxingcpp.read_barcodes(seen, formats=only)} - {None}
        if codes:
            return {code for code in codes if code is not None}
    return set()


AT_ONCE = 4  # pages that a child process makes and looks at
MOST_PAGES = 80  # of one file
MOST_TOGETHER = 120  # of all files
MOST_BYTES = 400_000_000  # of their pages as pictures; a page of a scan has up to three million
PATIENCE = 20.0  # seconds for which a scan waits for others: the pages of each are held in memory
_reading = threading.BoundedSemaphore(2)


Page: TypeAlias = tuple[str, bytes, str, str]
"""A scanned page: its name, its picture, the media type, and the text of its code; empty where it shows none, or
several."""


def scanned_pages(files: Sequence[tuple[str, bytes]]) -> list[Page]:
    """Return the pages of PDFs and pictures (PictureError: unreadable or too many; UnavailableError: a queue)."""
    if not _reading.acquire(timeout=PATIENCE):
        raise UnavailableError("Other scans are being read. Try again in a minute.")
    try:
        return _read(files)
    finally:
        _reading.release()


def _read(files: Sequence[tuple[str, bytes]]) -> list[Page]:
    counts = [decode(int, f"{__name__}:pages_in", *file) if sniff(file[1]) == "pdf" else 1 for file in files]
    if sum(counts) > MOST_TOGETHER:
        raise PictureError(f"these files have {sum(counts)} pages; at most {MOST_TOGETHER} are taken at once")
    found: list[Page] = []
    for (name, data), count in zip(files, counts, strict=True):
        for first in range(0, count, AT_ONCE):
            found += decode(tuple[Page, ...], f"{__name__}:look_at", name, data, first)
            if sum(len(picture) for _, picture, *_ in found) > MOST_BYTES:
                raise PictureError(f"these pages have more than {MOST_BYTES // 1_000_000} MB; send fewer at once")
    return found


def pages_in(name: str, data: bytes) -> int:
    """Return how many pages a PDF has; run in a child."""
    count = count_pages(name, data)
    if not 1 <= count <= MOST_PAGES:
        raise PictureError(f"{name} has {count} pages; 1 to {MOST_PAGES} are taken")
    return count


def look_at(name: str, data: bytes, first: int = 0) -> tuple[Page, ...]:
    """Return some pages of a file, from one on; run in a child."""
    found = []
    for page in clean_pictures(name, data, range(first, first + AT_ONCE)):
        codes = _codes(page.data)
        found.append((page.name, page.data, page.kind, codes.pop().text if len(codes) == 1 else ""))
    return tuple(found)
