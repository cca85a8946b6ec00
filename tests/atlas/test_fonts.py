"""The map's fonts: how they are made out of the parts of another, and that what is shipped is such."""

import json
from pathlib import Path

import pytest
from fontTools import ttLib
from fontTools.subset import Options, Subsetter

from legation.atlas.fonts import prepare

SHIPPED = Path(prepare.__file__).parent


def part(face: str, letters: list[int], path: Path) -> None:
    """Some letters of a shipped font, in the form in which a package of fonts has them."""
    font = ttLib.TTFont(SHIPPED / f"{face}.ttf")
    font["name"].setName("EB Garamond", 16, 3, 1, 0x409)  # by which programs would find the family under its old name
    options = Options()
    options.name_IDs = ["*"]
    options.notdef_outline = True
    cut = Subsetter(options)
    cut.populate(unicodes=letters)
    cut.subset(font)
    font.flavor = "woff2"
    font.save(path)


@pytest.mark.long
def test_fonts_are_joined_out_of_their_parts_cut_down_and_renamed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = tmp_path / "made"
    made.mkdir()
    monkeypatch.setattr(prepare, "HERE", made)
    latin, further = [*range(0x20, 0x7F), 0x410], [0xE9, 0x141, 0x2013]
    for face, (weight, slope) in prepare.FACES.items():
        part(face, latin, tmp_path / f"eb-garamond-latin-{weight}-{slope}.woff2")
        part(face, further, tmp_path / f"eb-garamond-latin-ext-{weight}-{slope}.woff2")
    prepare.prepare(tmp_path)
    widths = json.loads((made / "advances.json").read_text(encoding="utf-8"))
    shipped = json.loads((SHIPPED / "advances.json").read_text(encoding="utf-8"))
    letters = {chr(code) for code in [*range(0x20, 0x7F), *further]}
    assert widths == {face: {c: w for c, w in shipped[face].items() if c in letters} for face in prepare.FACES}
    for face, style, heavy in (("regular", "Regular", 400), ("italic", "Italic", 400), ("bold", "Bold", 700)):
        for form in ("ttf", "woff2"):
            font = ttLib.TTFont(made / f"{face}.{form}")
            assert font["name"].getDebugName(1) == "Legation Garamond"
            assert font["name"].getDebugName(16) is None
            assert font["name"].getDebugName(4) == f"Legation Garamond {style}"
            assert font["OS/2"].usWeightClass == heavy
            assert set(font.getBestCmap()) == {*map(ord, letters)}
