"""The code on an order sheet: it says which game, power and turn a picture is for, so that the picture files itself.

It is an address, no proof: who may send orders is settled by the sender, as for any other submission. The code says nothing of the orders, so it may be read before the deadline.
"""

from __future__ import annotations

import io
from urllib.parse import parse_qsl, urlencode

import msgspec

SCHEME = "legation:orders?"
KEYS = ("game", "power", "turn")
LONGEST = 600  # characters of a code
LARGEST = 120_000_000  # pixels of a picture; more than any telephone's
FORMATS = ("JPEG", "PNG", "WEBP", "TIFF", "HEIF")
SCALES = (1600, 3000, 900)  # longest side, in pixels, at which a picture is looked at


class CodeError(ValueError):
    """A picture that cannot be read, or that shows the codes of several sheets."""


class SheetCode(msgspec.Struct, frozen=True):
    """What an order sheet is for: the key of the game, the power, and the turn (``Autumn 1642 Movement``)."""

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
        found = dict(pairs)
        if len(pairs) != len(KEYS) or found.keys() != set(KEYS):
            return None
        if not all(value.strip() and value.isprintable() for value in found.values()):
            return None
        return SheetCode(**found)


def order_sheet_code(code: SheetCode) -> str:
    """The code as an SVG document, a module a unit, with a quarter of it to spare for folds and stains.

    :raises ValueError: for names that are too long for it.
    """
    import segno

    if len(code.text) > LONGEST:
        raise ValueError(f"the code would have {len(code.text)} characters; shorten the names to {LONGEST}")
    out = io.BytesIO()
    segno.make(code.text, error="q", micro=False).save(out, kind="svg", border=4, xmldecl=False, light="#ffffff")
    return out.getvalue().decode()


def read_order_sheet_code(picture: bytes) -> SheetCode | None:
    """The code of the order sheet that a photograph shows; None where it shows none.

    :raises CodeError: for what is no picture, one of too many pixels, or one that shows several sheets' codes.
    """
    import zxingcpp
    from PIL import Image, ImageOps

    try:
        from pillow_heif import register_heif_opener

        register_heif_opener()
    except ImportError:  # pictures of some telephones are then not read
        pass
    try:
        with Image.open(io.BytesIO(picture), formats=[f for f in FORMATS if f in Image.OPEN or f != "HEIF"]) as opened:
            if opened.width * opened.height > LARGEST:
                raise CodeError(f"the picture has {opened.width} x {opened.height} pixels; send a smaller one")
            gray = ImageOps.exif_transpose(opened).convert("L")
    except CodeError:
        raise
    except Exception as error:  # decoders fail in many ways on broken files
        raise CodeError(f"the picture cannot be read: {type(error).__name__}") from None
    only = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
    for side in SCALES:
        scale = side / max(gray.size)
        size = (max(1, round(gray.width * scale)), max(1, round(gray.height * scale)))
        seen = ImageOps.autocontrast(gray if scale > 1.5 else gray.resize(size), cutoff=1)
        texts = {code.text for code in zxingcpp.read_barcodes(seen, formats=only)}
        codes = {code for text in texts if (code := SheetCode.parse(text)) is not None}
        if len(codes) > 1:
            listed = "; ".join(sorted(f"{c.game}, {c.power}, {c.turn}" for c in codes))
            raise CodeError(f"the picture shows several order sheets: {listed}; send one picture for each")
        if codes:
            return codes.pop()
    return None
