"""The code on an order sheet is read back from photographs, and from nothing else."""

import io
from datetime import date

import pytest
import segno
from PIL import Image

from legation.atlas import for_variant
from legation.office.orders.order_codes import CodeError, SheetCode, order_sheet_code, read_order_sheet_code
from legation.print.packets import turn_packet
from legation.print.records import GameName, Party
from legation.variants import load
from tests.print.papers import photograph, picture_of
from tests.sampling import some

CODE = SheetCode("powick-bridge", "Crown", "Summer 1642 Movement")


def png(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


@pytest.fixture(scope="module")
def sheet() -> Image.Image:
    rules = load("three-kingdoms")
    game = GameName("Powick Bridge", "powick-bridge")
    packet = turn_packet(
        game, rules, for_variant("three-kingdoms"), rules.opening(), Party("Crown"), date(2026, 11, 21)
    )
    return picture_of(packet, 3)


def test_the_code_of_a_printed_sheet_is_read(sheet: Image.Image) -> None:
    assert read_order_sheet_code(png(sheet)) == CODE


@pytest.mark.parametrize("seed", some(range(12), 6))
def test_the_code_is_read_from_a_photograph(sheet: Image.Image, seed: int) -> None:
    assert read_order_sheet_code(photograph(sheet, seed)) == CODE


@pytest.mark.parametrize("media", some(["JPEG", "PNG", "HEIF", "PDF"], 2))
def test_pictures_of_all_kinds_are_read(sheet: Image.Image, media: str) -> None:
    if media == "HEIF":
        pytest.importorskip("pillow_heif").register_heif_opener()
    out = io.BytesIO()
    sheet.save(out, media)
    assert read_order_sheet_code(out.getvalue()) == CODE


def test_a_picture_without_a_code_has_none(sheet: Image.Image) -> None:
    assert read_order_sheet_code(png(Image.new("L", (400, 300), 255))) is None
    assert read_order_sheet_code(png(sheet.crop((0, sheet.height // 3, sheet.width, sheet.height)))) is None
    for text in ("https://example.org", "legation:orders?game=x", "legation:orders?game=a&power=b&turn=c&turn=d"):
        out = io.BytesIO()
        segno.make(text, micro=False).save(out, kind="png", scale=8)
        assert read_order_sheet_code(out.getvalue()) is None


def test_two_sheets_on_a_picture_are_told(sheet: Image.Image) -> None:
    other = io.BytesIO()
    segno.make(SheetCode("powick-bridge", "Argyll", "Summer 1642 Movement").text, micro=False).save(
        other, kind="png", scale=6
    )
    both = Image.new("RGB", (sheet.width * 2, sheet.height), "white")
    both.paste(sheet, (0, 0))
    both.paste(Image.open(other), (sheet.width + 200, 200))
    with pytest.raises(CodeError, match=r"Argyll.*Crown"):
        read_order_sheet_code(png(both))


def test_what_is_no_picture_is_told() -> None:
    for junk in (b"", b"GIF89a", b"\x89PNG\r\n\x1a\n" + b"\0" * 40, b"<svg/>", b"%PDF-1.7"):
        with pytest.raises(CodeError, match="the picture"):
            read_order_sheet_code(junk)


def test_names_with_anything_in_them_come_back() -> None:
    for code in (
        SheetCode("über-&-co", "Magyars & Polacks", "Fall 1004 Retreats"),
        SheetCode("a=b", "#1 +2%", "1425 Movement"),
    ):
        assert SheetCode.parse(code.text) == code
    assert order_sheet_code(CODE).startswith("<svg")
    assert SheetCode.parse("legation:orders?game=a%00&power=b&turn=c") is None
    with pytest.raises(ValueError, match="shorten the names"):
        order_sheet_code(SheetCode("x" * 700, "a", "b"))
