"""The house style: paper, sea and ink by day and by night, and power colors that stay apart for every eye and in gray.

Apartness is computed, not judged: a color is seen as by normal, protan, deutan and tritan eyes (Machado, Oliveira,
Fernandes 2009, full severity) and compared in OKLab (Ottosson 2020); in gray only the luminance is left."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

RGB = tuple[float, float, float]
ThemeName = Literal["light", "dark"]

PALETTE: tuple[str, ...] = (
    "#5b8dcd",  # cornflower
    "#a33c34",  # brick
    "#7de4af",  # mint
    "#cd9738",  # ocher
    "#dea7fd",  # lilac
    "#c46133",  # rust
    "#74b9b0",  # verdigris
    "#855b6e",  # mulberry
    "#a8d46d",  # lime blossom
    "#a5906d",  # drab
    "#83838a",  # slate
    "#3575a3",  # woad
)
"""Found by annealing over hue, chroma and lightness for the greatest least difference; ``tests/atlas/test_style.py``
holds it to that."""

EYES: Mapping[str, tuple[RGB, RGB, RGB]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


class Theme(msgspec.Struct, frozen=True, kw_only=True):
    """All colors of a map that do not belong to a power."""

    name: str
    page: str
    paper: str
    waste: str
    sea: str
    water_line: str
    coast: str
    border: str
    power_border: str
    ink: str
    sea_ink: str
    faint_ink: str
    casing: str
    alarm: str
    rim: str
    nobody: str
    shade: float
    """How far a power's color is darkened for the land (0: not at all)."""


_COLORS = {
    "page": ("#fbf6ea", "#14181c"),
    "paper": ("#f6eedb", "#33322f"),
    "waste": ("#e3d8bf", "#262522"),
    "sea": ("#d9e6ea", "#17232c"),
    "water_line": ("#93b3c0", "#35566a"),
    "coast": ("#3d4b52", "#8fa3ad"),
    "border": ("#6d604d", "#8d8372"),
    "power_border": ("#33291d", "#0d0c0a"),
    "ink": ("#241c12", "#f4ecdc"),
    "sea_ink": ("#3b6072", "#8fb6c9"),
    "faint_ink": ("#6e6350", "#a99f8c"),
    "casing": ("#fffaf0", "#0f1113"),
    "alarm": ("#b3122b", "#ff6b6b"),
    "rim": ("#fffaf0", "#e6dcc8"),
    "nobody": ("#e3d8bf", "#a99f8c"),
}
"""Each by day and by night."""
LIGHT = Theme(name="light", shade=0.0, **{key: day for key, (day, _) in _COLORS.items()})
DARK = Theme(name="dark", shade=0.08, **{key: night for key, (_, night) in _COLORS.items()})
THEMES: Mapping[str, Theme] = {"light": LIGHT, "dark": DARK}


def rgb(color: str) -> RGB:
    """Linear light of a color written ``#rrggbb``, each channel 0 to 1.

    :raises ValueError: when it is written otherwise."""
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", color):
        raise ValueError(f"a color is written '#rrggbb', not {color!r}")
    coded = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in coded)
    return red, green, blue


def _code(value: float) -> str:
    value = min(1.0, max(0.0, value))
    value = 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055
    return f"{round(255 * value):02x}"


def hexadecimal(color: RGB) -> str:
    """``#rrggbb`` of linear light; channels outside 0 to 1 are clipped."""
    return "#" + "".join(_code(c) for c in color)


def oklab(color: RGB) -> RGB:
    """OKLab coordinates of linear light."""
    red, green, blue = (min(1.0, max(0.0, c)) for c in color)
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    medium = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
    )


def seen_by(eye: str, color: str) -> RGB:
    """OKLab of a color as an eye of :data:`EYES` sees it."""
    light = rgb(color)
    red, green, blue = (sum(a * b for a, b in zip(row, light, strict=True)) for row in EYES[eye])
    return oklab((red, green, blue))


def difference(a: str, b: str) -> float:
    """The OKLab distance of two colors for the eye that sees it least (0.02 is just noticed side by side; 0.06 is
    plain)."""
    return min(math.dist(seen_by(eye, a), seen_by(eye, b)) for eye in EYES)


def luminance(color: str) -> float:
    """Relative luminance, 0 (black) to 1 (white), as in WCAG."""
    red, green, blue = rgb(color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def gray(color: str) -> float:
    """CIE lightness (0 to 100) of a color printed in gray."""
    light = luminance(color)
    return 116 * light ** (1 / 3) - 16 if light > 0.008856 else 903.3 * light


def contrast(a: str, b: str) -> float:
    """The WCAG contrast of two colors, 1 to 21."""
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def mix(a: str, b: str, share: float) -> str:
    """``a`` with a ``share`` (0 to 1) of ``b``, mixed as the eye sees it (in the coded values)."""
    parts = (round(int(a[i : i + 2], 16) * (1 - share) + int(b[i : i + 2], 16) * share) for i in (1, 3, 5))
    return "#" + "".join(f"{p:02x}" for p in parts)


def ground_color(color: str, look: Theme) -> str:
    """How a power's color is printed on land: with a breath of paper by day, darkened by night."""
    return mix(color, "#101418", look.shade) if look.shade else mix(color, look.paper, 0.1)


def tick_color(look: Theme) -> str:
    """The ticks on land that is not played. No pale color would stay apart from every power's for every eye, so a form
    tells it."""
    return mix(look.waste, look.faint_ink, 0.45)


def ink_on(ground: str) -> str:
    """The ink, dark or pale, that stands out best on a colored ground."""
    return max(("#0d0905", "#ffffff"), key=lambda ink: contrast(ink, ground))


def assign_colors(given: Sequence[tuple[str, str | None]]) -> dict[str, str]:
    """A color for each power: its own if it has one, else of the palette, in order, as far as it stays apart from the
    others'.

    :raises ValueError: when a given color is not written ``#rrggbb``."""
    colors = {name: hexadecimal(rgb(color)) for name, color in given if color}
    free = [c for c in PALETTE if all(difference(c, taken) >= 0.05 for taken in colors.values())]
    free += [c for c in PALETTE if c not in free]
    for name, color in given:
        if not color:
            colors[name] = free.pop(0) if free else _further(colors.values())
    return {name: colors[name] for name, _ in given}


def _further(taken: Iterable[str]) -> str:
    """Beyond the palette: the mixture of two palette colors that is furthest from all that are taken."""
    taken = list(taken)
    mixtures = [mix(a, b, share) for a in PALETTE for b in (*PALETTE, "#000000", "#ffffff") for share in (0.35, 0.5)]
    return max(mixtures, key=lambda c: (min(difference(c, t) for t in taken), c))
