"""Reading PDF back, and photographs that were never taken."""

import io
import random
import unicodedata
from typing import Any

import pypdfium2
from PIL import Image, ImageFilter

from legation.office.records import AddressRecord, GameRoster, RosterLine


def text_of(pdf: bytes, page: int | None = None) -> str:
    """The text of a PDF (or of one page, from 1), with single spaces; ligatures are taken apart."""
    document = pypdfium2.PdfDocument(pdf)
    pages = range(len(document)) if page is None else [page - 1]
    raw = "\n".join(document[number].get_textpage().get_text_range() for number in pages)
    return " ".join(unicodedata.normalize("NFKC", raw).split())


def pages_of(pdf: bytes) -> list[tuple[float, float]]:
    """The pages' sizes in millimeters."""
    sizes = (page.get_size() for page in pypdfium2.PdfDocument(pdf))
    return [(round(wide * 25.4 / 72, 1), round(high * 25.4 / 72, 1)) for wide, high in sizes]


def picture_of(pdf: bytes, page: int, dpi: int = 150) -> Image.Image:
    """A page as a picture."""
    picture: Image.Image = pypdfium2.PdfDocument(pdf)[page - 1].render(scale=dpi / 72).to_pil()
    return picture.convert("RGB")


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


def roster_of(*seats: tuple[str, str, tuple[AddressRecord, ...]], powers: tuple[str, ...] = ()) -> GameRoster:
    """The roster of a game: of each seat the power, its holder and the holder's addresses, today's first, that for a
    letter posted today last."""
    mailed: dict[str, Any] = {"game": "powick-bridge", "email": None, "days": 7, "post_by": None}
    lines = [
        RosterLine(**mailed, power=power, name=name, person=n, address=known[0], alternatives=known[1:], then=known[-1])
        for n, (power, name, known) in enumerate(seats)
    ]
    facts: dict[str, Any] = {"game": "powick-bridge", "name": "Powick Bridge", "own": (), "told": True, "routes": ()}
    every = (*(line.power for line in lines), *powers)
    return GameRoster(**facts, powers=every, lines=tuple(lines), orders_to=None)


def address(number: int, lines: tuple[str, ...], country: str, first: str = "", last: str = "") -> AddressRecord:
    """A postal address, from a day to another if these are given."""
    usual = not (first or last)
    return AddressRecord(id=number, lines=lines, country=country, first=first or None, last=last or None, primary=usual)
