"""Makes the map fonts out of EB Garamond, when authoring: ``python -m legation.atlas.fonts.prepare FOLDER``.

FOLDER holds the ``files`` of the npm package ``@fontsource/eb-garamond``. The Latin and Latin Extended parts are
joined, cut down to what maps need and renamed, so that an installed Garamond of another version never takes their
place. Besides the fonts (TTF for PNG and PDF, WOFF2 inside web maps) this writes ``advances.json``, the width of every
character in thousandths of the font size, so that labels are measured without a font library. For pages each face
also comes in two parts, of which most pages need the first alone; ``unicode-range`` in the stylesheet says the same."""

import json
import sys
import tempfile
from pathlib import Path

from fontTools.merge import Merger
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

HERE = Path(__file__).parent
FAMILY = "Legation Garamond"
FACES = {"regular": ("500", "normal"), "italic": ("500", "italic"), "bold": ("700", "normal")}
LETTERS = [*range(0x20, 0x7F), *range(0xA0, 0x180), 0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2026, 0x2022]
COMMON = [*range(0x20, 0x7F), *map(ord, "\xa0¡«·»¿×ÄÉÖÜßàáâäçèéêëíîïñóôöùúûüœ–—‘’“”…•")]
"""The letters of the first part: what English, French, German and Spanish are written with."""


def prepare(folder: Path) -> None:
    """Write the three faces and their widths beside this module."""
    widths: dict[str, dict[str, int]] = {}
    for face, (weight, slope) in FACES.items():
        with tempfile.TemporaryDirectory() as scratch:
            parts = []
            for part in ("latin", "latin-ext"):
                font = TTFont(folder / f"eb-garamond-{part}-{weight}-{slope}.woff2")
                font.flavor = None
                parts.append(f"{scratch}/{part}.ttf")
                font.save(parts[-1])
            font = Merger().merge(parts)
        names_kept = [0, 1, 2, 3, 4, 6, 13, 14]  # without 16 and 17, by which programs would find the old family
        _cut(font, LETTERS, layout_features=["kern", "liga", "mark", "ccmp"], hinting=False, name_IDs=names_kept)
        style = {"regular": "Regular", "italic": "Italic", "bold": "Bold"}[face]
        names = font["name"]
        for number, text in ((1, FAMILY), (2, style), (3, f"{FAMILY} {style}"), (4, f"{FAMILY} {style}")):
            names.setName(text, number, 3, 1, 0x409)
        names.setName(f"{FAMILY} {style}".replace(" ", "-"), 6, 3, 1, 0x409)
        font["OS/2"].usWeightClass = 700 if face == "bold" else 400
        font["OS/2"].fsSelection = {"regular": 0x40, "italic": 0x01, "bold": 0x20}[face]
        font["head"].macStyle = {"regular": 0, "italic": 2, "bold": 1}[face]
        font.save(HERE / f"{face}.ttf")
        for part, letters in (("", LETTERS), ("-common", COMMON), ("-more", [c for c in LETTERS if c not in COMMON])):
            packed = TTFont(HERE / f"{face}.ttf")
            _cut(packed, letters, layout_features=["*"])
            packed.flavor = "woff2"
            packed.save(HERE / f"{face}{part}.woff2")
        scale = 1000 / font["head"].unitsPerEm
        advance = font["hmtx"].metrics
        widths[face] = {chr(c): round(advance[glyph][0] * scale) for c, glyph in sorted(font.getBestCmap().items())}
    text = json.dumps(widths, ensure_ascii=False, separators=(",", ":"))
    (HERE / "advances.json").write_text(text + "\n", encoding="utf-8")


def _cut(font: TTFont, letters: list[int], **options: object) -> None:
    """Leave nothing in a font but these letters, and what belongs to them."""
    subsetter = Subsetter(Options(notdef_outline=True, **options))
    subsetter.populate(unicodes=letters)
    subsetter.subset(font)


if __name__ == "__main__":  # not reached: it would write over the fonts of the package; prepare() itself is tested
    prepare(Path(sys.argv[1]))
