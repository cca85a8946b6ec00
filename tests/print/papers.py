"""Reading PDF back, and photographs that were never taken."""

from __future__ import annotations

import io
import random
import shutil
import subprocess
import unicodedata

import pytest
from PIL import Image, ImageFilter


def _tool(name: str, *arguments: str, given: bytes) -> bytes:
    if shutil.which(name) is None:
        pytest.skip(f"{name} (poppler-utils) is not installed")
    return subprocess.run([name, *arguments], input=given, capture_output=True, check=True).stdout


def text_of(pdf: bytes, page: int | None = None, *, rows: bool = False) -> str:
    """The text of a PDF (or of one page, from 1), with single spaces; ligatures are taken apart.

    ``rows`` reads tables across.
    """
    pages = ["-f", str(page), "-l", str(page)] if page else []
    raw = _tool("pdftotext", *(["-layout"] if rows else []), *pages, "-", "-", given=pdf).decode()
    return " ".join(unicodedata.normalize("NFKC", raw).split())


def pages_of(pdf: bytes) -> list[tuple[float, float]]:
    """The pages' sizes in millimeters."""
    info = _tool("pdfinfo", "-l", "999", "-", given=pdf).decode()
    sizes = [
        line.split("size:")[1].split() for line in info.splitlines() if line.startswith("Page ") and "size" in line
    ]
    return [(round(float(s[0]) * 25.4 / 72, 1), round(float(s[2]) * 25.4 / 72, 1)) for s in sizes]


def picture_of(pdf: bytes, page: int, dpi: int = 150) -> Image.Image:
    """A page as a picture."""
    pages = ["-f", str(page), "-l", str(page)]
    return Image.open(io.BytesIO(_tool("pdftoppm", "-png", "-r", str(dpi), *pages, "-", given=pdf))).convert("RGB")


def photograph(page: Image.Image, seed: int) -> bytes:
    """A page on a dark table, a little turned and askew, unevenly lit, not quite sharp, as a JPEG file."""
    chance = random.Random(seed)
    table = Image.new("RGB", (page.width + 400, page.height + 400), (70, 60, 50))
    table.paste(page, (200, 200))
    turned = table.rotate(chance.uniform(-25, 25) + chance.choice((0, 90, 180)), expand=True, fillcolor=(70, 60, 50))
    wide, high = turned.size

    def off(share: float) -> float:
        return chance.uniform(0, share)

    quad = (
        *(wide * off(0.06), high * off(0.06)),
        *(wide * off(0.06), high * (1 - off(0.06))),
        *(wide * (1 - off(0.06)), high * (1 - off(0.06))),
        *(wide * (1 - off(0.06)), high * off(0.06)),
    )
    askew = turned.transform(turned.size, Image.Transform.QUAD, quad, Image.Resampling.BILINEAR)
    shade = Image.linear_gradient("L").resize(askew.size).point(lambda v: 110 + v // 3)
    lit = Image.composite(askew, Image.new("RGB", askew.size, (25, 25, 30)), shade)
    out = io.BytesIO()
    lit.filter(ImageFilter.GaussianBlur(chance.uniform(0.4, 1.3))).save(out, "JPEG", quality=chance.randint(35, 80))
    return out.getvalue()
