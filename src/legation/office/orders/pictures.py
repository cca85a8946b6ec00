"""Pictures of sheets: what they really are, bounded, upright, and without metadata (place, time, camera); of a PDF each
page becomes a picture. All is done in child processes, since what decodes them isn't ours; decoders are imported there
alone."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeVar

import msgspec

from legation.children import ChildError, Children
from legation.formats import TooManyPixelsError, open_picture
from legation.office.errors import UnavailableError

if TYPE_CHECKING:
    import pypdfium2

T = TypeVar("T")

MOST_BYTES = 25_000_000  # of one file
LONGEST_SIDE = 4000  # pixels; enough to read pencil on A4
MOST_PAGES = 12  # of one PDF
PAGE_SCALE = 2.2  # of 72 dots an inch

DECODERS = Children(most=2, seconds=20, megabytes=1500)
"""What decodes pictures; a photograph of 50 million pixels takes two seconds and 400 MB."""

JPEG = "image/jpeg"
PNG = "image/png"


class PictureError(ValueError):
    """A file that is not taken, with the reason and what to do about it."""


class Picture(msgspec.Struct, frozen=True):
    """A picture as it is kept: its name, its type, its bytes and its size in pixels."""

    name: str
    kind: str
    data: bytes
    width: int
    height: int


def sniff(data: bytes) -> str:
    """Return a file's type by its first bytes: ``jpeg``, ``png``, ``heic``, ``pdf``, or empty."""
    if data.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "png"
    if data[4:8] == b"ftyp" and data[8:12] in (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1"):
        return "heic"
    if b"%PDF-" in data[:1024]:
        return "pdf"
    return ""


def take_pictures(name: str, data: bytes) -> tuple[Picture, ...]:
    """Return the pictures of one file, cleaned (PictureError: not taken; UnavailableError: no child process)."""
    if len(data) > MOST_BYTES:  # not given to a child at all
        return clean_pictures(name, data)
    return decode(tuple[Picture, ...], f"{__name__}:clean_pictures", name, data)


def decode(returns: type[T], function: str, name: str, data: bytes, *more: int) -> T:
    """Run a function on a picture in a child process (PictureError: it fails; UnavailableError: none is free)."""
    try:
        return DECODERS.call(returns, function, name, data, *more)
    except ChildError as error:
        if error.reason == "failed" and error.kind == PictureError.__name__:
            raise PictureError(str(error)) from None
        if error.reason == "away":
            raise UnavailableError("Pictures can't be read right now. Try again in a minute.") from error
        shown = name or "a file without a name"
        raise PictureError(f"{shown} cannot be read as a picture; send it again, or take a new one") from error


def clean_pictures(name: str, data: bytes, pages: range | None = None) -> tuple[Picture, ...]:
    """Return what :func:`take_pictures` does, or only some pages of a PDF, as many as it may have; run in a child."""
    shown = name or "a file without a name"
    if not data:
        raise PictureError(f"{shown} is empty; send it again")
    if len(data) > MOST_BYTES:
        raise PictureError(
            f"{shown} has {len(data) // 1_000_000} MB; at most {MOST_BYTES // 1_000_000} MB are taken, so send it "
            "smaller"
        )
    kind = sniff(data)
    if kind == "pdf":
        return tuple(_pages(name, shown, data, pages))
    if not kind:
        raise PictureError(f"{shown} isn't a JPEG, PNG, HEIC or PDF file; send a photograph or a scan")
    return (_clean(name, shown, data, kind),)


def _clean(name: str, shown: str, data: bytes, kind: str) -> Picture:
    from PIL import ImageOps

    if kind == "heic":
        import pi_heif

        pi_heif.register_heif_opener(thumbnails=False)
    formats = {"jpeg": ["JPEG"], "png": ["PNG"], "heic": ["HEIF"]}[kind]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with open_picture(data, formats) as opened:
                opened.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
                upright = ImageOps.exif_transpose(opened)
                upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
                return _saved(name, upright, "png" if kind == "png" else "jpeg")
    except TooManyPixelsError as error:
        raise PictureError(f"{shown} {error}; send it smaller") from error
    except Exception as error:  # decoders of pictures raise what they like on garbage
        raise PictureError(f"{shown} cannot be read as a picture; send it again, or take a new one") from error


def _saved(name: str, image: object, kind: str) -> Picture:
    from PIL import Image

    assert isinstance(image, Image.Image)
    plain = image.convert("RGB" if kind == "jpeg" else "RGBA" if "A" in image.getbands() else "RGB")
    bare = Image.new(plain.mode, plain.size)
    bare.paste(plain)
    out = io.BytesIO()
    if kind == "png":
        bare.save(out, "PNG")
        return Picture(name, PNG, out.getvalue(), *bare.size)
    bare.save(out, "JPEG", quality=88)
    return Picture(name, JPEG, out.getvalue(), *bare.size)


def count_pages(name: str, data: bytes) -> int:
    """Return how many pages a PDF has; run in a child."""
    with _document(name or "a file without a name", data) as document:
        return len(document)


def _document(shown: str, data: bytes) -> pypdfium2.PdfDocument:
    import pypdfium2

    try:
        return pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        raise PictureError(f"{shown} cannot be read as a PDF; send it again, without a password") from error


def _pages(name: str, shown: str, data: bytes, wanted: range | None) -> Iterator[Picture]:
    with _document(shown, data) as document:
        count = len(document)
        if wanted is None and not 1 <= count <= MOST_PAGES:
            raise PictureError(f"{shown} has {count} pages; 1 to {MOST_PAGES} are taken")
        for number in range(count) if wanted is None else range(wanted.start, min(wanted.stop, count)):
            page = document[number]
            scale = min(PAGE_SCALE, LONGEST_SIDE / max(page.get_size()))
            image = page.render(scale=scale).to_pil()
            yield _saved(f"{name} page {number + 1}" if count > 1 else name, image, "png")
