"""Pictures of sheets: known by what they are, bounded, and without their metadata."""

from __future__ import annotations

import contextlib
import io
import struct
import zlib

import pillow_heif
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from legation.office.orders.pictures import PictureError, sniff, take_pictures

GPS = 0x8825


def photograph(kind: str = "JPEG", orientation: int = 1) -> bytes:
    """A picture, twice as wide as high, that says where it was taken."""
    image = Image.new("RGB", (400, 200), "white")
    exif = Image.Exif()
    exif[0x0112] = orientation
    exif[0x010E] = "taken at home"
    exif.get_ifd(GPS)[2] = (52.0, 12.0, 30.0)
    out = io.BytesIO()
    if kind == "HEIC":
        pillow_heif.from_pillow(image).save(out, exif=exif.tobytes())
    else:
        image.save(out, kind, exif=exif)
    return out.getvalue()


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "HEIC"])
def test_a_picture_keeps_its_pixels_and_nothing_else(kind: str) -> None:
    data = photograph(kind)
    assert b"taken at home" in data
    (picture,) = take_pictures("sheet", data)
    assert (picture.width, picture.height) == (400, 200)
    assert b"taken at home" not in picture.data
    with Image.open(io.BytesIO(picture.data)) as kept:
        assert not kept.getexif()
        assert "exif" not in kept.info


def test_a_picture_taken_sideways_is_put_upright() -> None:
    (picture,) = take_pictures("sheet.jpg", photograph(orientation=6))
    assert (picture.width, picture.height) == (200, 400)


def test_a_file_that_only_claims_to_be_a_picture_is_refused() -> None:
    for data in (b"GIF89a", b"<svg/>", b"MZ", b"PK\x03\x04", b"hello", b""):
        with pytest.raises(PictureError):
            take_pictures("sheet.png", data)


def test_damaged_pictures_are_refused_with_the_mend() -> None:
    with pytest.raises(PictureError, match="again"):
        take_pictures("sheet.jpg", photograph()[:300])
    with pytest.raises(PictureError):
        take_pictures("sheet.png", b"\x89PNG\r\n\x1a\n" + b"x" * 200)


def test_a_picture_of_a_million_million_pixels_is_refused_before_it_is_unpacked() -> None:
    head = struct.pack(">IIBBBBB", 1_000_000, 1_000_000, 8, 2, 0, 0, 0)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    bomb = (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b"\0" * 10_000))
        + chunk(b"IEND", b"")
    )
    with pytest.raises(PictureError):
        take_pictures("bomb.png", bomb)


def test_large_photographs_are_made_smaller() -> None:
    out = io.BytesIO()
    Image.new("L", (6000, 3000)).save(out, "JPEG")
    (picture,) = take_pictures("large.jpg", out.getvalue())
    assert (picture.width, picture.height) == (4000, 2000)


def pdf(pages: int) -> bytes:
    sheets = [Image.new("RGB", (200, 300), "white") for _ in range(pages)]
    out = io.BytesIO()
    sheets[0].save(out, "PDF", save_all=True, append_images=sheets[1:])
    return out.getvalue()


def test_each_page_of_a_pdf_is_a_picture() -> None:
    found = take_pictures("sheet.pdf", pdf(2))
    assert [p.name for p in found] == ["sheet.pdf page 1", "sheet.pdf page 2"]
    assert all(sniff(p.data) == "png" for p in found)


def test_a_long_or_broken_pdf_is_refused() -> None:
    with pytest.raises(PictureError, match="13 pages"):
        take_pictures("book.pdf", pdf(13))
    with pytest.raises(PictureError):
        take_pictures("x.pdf", b"%PDF-1.7\n" + b"x" * 100)


@pytest.mark.long
@given(st.sampled_from(["JPEG", "PNG", "HEIC"]), st.data())
def test_no_damage_does_worse_than_a_refusal(kind: str, data: st.DataObject) -> None:
    good = bytearray(photograph(kind))
    for _ in range(data.draw(st.integers(1, 8))):
        good[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(PictureError):
        take_pictures("x", bytes(good))
